"""Functions: parameters, what stands between them and the body, the body."""

from __future__ import annotations

from ..diagnostics import Fault, Unsupported
from ..tree import Position
from .statements import StatementParser
from .syntax import Braces, Declarator, FunctionDefinition, Node, TemplateParameter, TypeName
from .token_stream import TokenReader

_TEMPLATE = "write template <typename T> or template <int N>"


class FunctionParser(TokenReader):
    """Reads functions from their ( on."""

    def __init__(self, statements: StatementParser) -> None:
        super().__init__(statements.tokens)
        self.types, self.statements = statements.types, statements
        self.declarations, self.expressions = statements.declarations, statements.expressions
        self.declarations.function = self.function

    # function: ['<' arguments '>'] '(' parameters ')' qualifiers (compound | ';')
    def function(
        self,
        marks: frozenset[str],
        head: Declarator,
        *,
        extern_c: bool = False,
        template: list[TemplateParameter] | None = None,
        special: bool = False,
    ) -> FunctionDefinition:
        """Read a function from its parameters on. special: it follows template <>."""
        bounds, self.declarations.bounds = self.declarations.bounds, None
        arguments: list[Node] | None = None
        if special:
            arguments = self.expressions.template_arguments() if self.at("<") else []
            if not self.at("("):
                self.tokens.fail_expected("'('", "write template <> and then the function")
        if template:
            self.expressions.templates.add(head.name)
        result = FunctionDefinition(
            head.at,
            head.name,
            head.type,
            marks=marks,
            extern_c=extern_c,
            bounds=bounds,
            template=template or [],
            special=arguments,
        )
        with self.types.block():
            self.parameters(result)
            if head.at.column:  # a name of a header's has another meaning from here on
                self.types.known.discard(head.name)
            for parameter in result.parameters:
                if parameter.type.base == "auto":
                    raise Unsupported(parameter.type, "auto parameters", "write the type")
            self.body(result)
        return result

    # constructor: name '(' parameters ')' [':' first values] body
    def constructor(self, marks: frozenset[str]) -> FunctionDefinition:
        name = self.advance()
        result = FunctionDefinition(
            name.at, name.text, TypeName(name.at, name.text), marks=marks, first=[]
        )
        with self.types.block():
            self.parameters(result)
            self.body(result)
        return result

    # parameters: '(' parameters ['...'] ')'
    def parameters(self, function: FunctionDefinition) -> None:
        function.parameters = self.types.parameters(self.parameter)
        function.variadic = self.accept("...")
        self.expect(")", "... comes last among the parameters")

    # parameter: specifiers declarator ['=' assignment]
    def parameter(self) -> Declarator:
        marks, base = self.declarations.specifiers()
        for mark in sorted(marks - {"register", "__grid_constant__"}):
            raise Fault(base, f"{mark} does not go with a parameter", "remove it")
        parameter = self.declarations.declarator(base, named=False)
        self.types.hide(parameter.name)
        if self.accept("="):
            parameter.initializer = self.expressions.initializer()
        return parameter

    # qualifiers: ('const' | 'volatile' | 'noexcept')* ['->' type_name] [':' first_value (',' first_value)*]
    def qualifiers(self, function: FunctionDefinition) -> None:
        while self.at("const", "volatile", "noexcept", "override", "final"):
            function.const |= self.advance().text == "const"
        if self.accept("->"):
            function.result = self.types.type_name()
        if function.first is not None and self.accept(":"):
            while not function.first or self.accept(","):
                function.first.append(self.first_value())

    # first_value: name ('(' arguments ')' | braces)
    def first_value(self) -> tuple[str, Node]:
        name = self.expect_word("a member's name", "write : member(value)")
        if self.at("{"):
            return name.text, self.expressions.braces()
        self.expect("(", "write : member(value)")
        return name.text, Braces(name.at, self.expressions.arguments(), direct=True)

    # body: qualifiers (compound | ';' | '=' ('default' | 'delete' | '0') ';')
    def body(self, function: FunctionDefinition) -> None:
        self.qualifiers(function)
        if self.accept(";"):
            return
        if self.at("=") and self.look().text in ("default", "delete", "0"):
            self.advance()
            function.marks |= {self.advance().text}
            self.expect(";", "end the declaration with ;")
            return
        if not self.at("{"):
            self.tokens.fail_expected(
                f"the body of '{function.name}'", "write { ... } after the parameters"
            )
        function.body = self.statements.compound()

    def lambda_function(self, at: Position) -> FunctionDefinition:
        """Read the (...) { ... } of a lambda."""
        marks = set()
        while self.at("__device__", "__host__"):
            marks.add(self.advance().text)
        result = FunctionDefinition(at, "operator()", TypeName(at, "auto"), marks=frozenset(marks))
        with self.types.block():
            if self.at("("):
                self.parameters(result)
            for parameter in result.parameters:
                kind = parameter.type
                if kind.base == "auto":  # the lambda is a template
                    kind.base = f"auto {len(result.template)}"
                    result.template.append(TemplateParameter(kind.at, kind.base))
            result.const = not self.accept("mutable")
            self.body(result)
        return result

    # template_parameters: 'template' '<' [template_parameter (',' template_parameter)*] '>'   from the < on
    def template_parameters(self) -> list[TemplateParameter]:
        self.expect("<", _TEMPLATE)
        parameters: list[TemplateParameter] = []
        while not self.at(">"):
            if parameters:
                self.expect(",", _TEMPLATE)
            parameters.append(self.template_parameter())
        self.advance()
        return parameters

    # template_parameter: ('typename' | 'class') name ['=' type_name] | parameter
    def template_parameter(self) -> TemplateParameter:
        if self.at("template"):
            return self.template_of_templates()
        if not self.at("typename", "class"):
            value = self.declarations.declarator(self.declarations.specifiers()[1], named=False)
            default = self.expressions.template_argument() if self.accept("=") else None
            return TemplateParameter(value.at, value.name, value.type, default)
        self.advance()
        if self.at("..."):
            raise Unsupported(
                self.next,
                "templates with any number of parameters",
                "name each parameter",
            )
        name = self.next
        if name.kind == "word":
            self.advance()
            if self.at("<") or "::" in name.text:  # typename enable_if<...>::type* = nullptr
                raise Unsupported(
                    name,
                    "templates that only some types can fill (enable_if)",
                    "write an ordinary template, and if constexpr in it",
                )
            self.types.known.add(name.text)
        return TemplateParameter(
            name.at, name.text, None, self.types.type_name() if self.accept("=") else None
        )

    # template_of_templates: 'template' template_parameters ('typename' | 'class') name
    def template_of_templates(self) -> TemplateParameter:
        """Read the parameter template <typename> class Op, which stands for a struct template."""
        self.advance()
        self.template_parameters()
        self.advance()
        name = self.expect_word("a name", _TEMPLATE)
        self.types.known.add(name.text)
        self.types.templates.add(name.text)
        return TemplateParameter(name.at, name.text)

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
        """special: of template <>."""
        bounds, self.declarations.bounds = self.declarations.bounds, None
        arguments: list[Node] | None = None
        if special:
            arguments = self.expressions.template_arguments() if self.at("<") else []
            if not self.at("("):
                self.tokens.fail_expected("'('", "write template <> and then the function")
        if template:
            self.expressions.templates.add(head.name)
        hidden = len(self.types.hidden)
        result = FunctionDefinition(
            head.at,
            head.name,
            head.type,
            self.types.parameters(self.parameter),
            marks,
            extern_c,
            bounds,
            template=template or [],
            special=arguments,
        )
        self.more(result)
        if head.at.column:  # a name of a header's has another meaning from here on
            self.types.known.discard(head.name)
        for parameter in result.parameters:
            if parameter.type.base == "auto":
                raise Unsupported(parameter.type.at, "auto parameters", "write the type")
        self.qualifiers(result)
        self.body(result)
        self.types.reveal(hidden)
        return result

    # more: ['...'] ')'
    def more(self, function: FunctionDefinition) -> None:
        """The end of the parameters."""
        function.variadic = self.accept("...")
        self.expect(")", "... comes last among the parameters")

    # parameter: specifiers declarator ['=' assignment]
    def parameter(self) -> Declarator:
        marks, base = self.declarations.specifiers()
        for mark in sorted(marks - {"register", "__grid_constant__"}):
            raise Fault(base.at, f"{mark} does not go with a parameter", "remove it")
        parameter = self.declarations.declarator(base, named=False)
        self.types.hide(parameter.name)
        if self.accept("="):
            parameter.initializer = self.expressions.initializer()
        return parameter

    # qualifiers: ('const' | 'volatile' | 'noexcept')* ['->' type_name] [':' first_value (',' first_value)*]
    def qualifiers(self, function: FunctionDefinition) -> None:
        tokens = self.tokens
        while tokens.at("const", "volatile", "noexcept", "override", "final"):
            function.const |= tokens.advance().text == "const"
        if tokens.accept("->"):
            function.result = self.types.type_name()
        if function.first is not None and tokens.accept(":"):
            while not function.first or tokens.accept(","):
                function.first.append(self.first_value())

    # first_value: name ('(' arguments ')' | braces)
    def first_value(self) -> tuple[str, Node]:
        name = self.expect_word("a member's name", "write : member(value)")
        if self.at("{"):
            return name.text, self.expressions.braces()
        self.expect("(", "write : member(value)")
        return name.text, Braces(name.at, self.expressions.arguments(), direct=True)

    # body: compound | ';' | '=' ('default' | 'delete' | '0') ';'
    def body(self, function: FunctionDefinition) -> None:
        tokens = self.tokens
        if tokens.accept(";"):
            return
        if tokens.at("=") and tokens.look().text in ("default", "delete", "0"):
            tokens.advance()
            function.marks |= {tokens.advance().text}
            tokens.expect(";", "end the declaration with ;")
            return
        if not tokens.at("{"):
            tokens.fail_expected(
                f"the body of '{function.name}'", "write { ... } after the parameters"
            )
        function.body = self.statements.compound()

    def lambda_function(self, at: Position) -> FunctionDefinition:
        """The (...) { ... } of a lambda."""
        marks = set()
        while self.at("__device__", "__host__"):
            marks.add(self.advance().text)
        hidden = len(self.types.hidden)
        brackets = self.at("(")
        parameters = self.types.parameters(self.parameter) if brackets else []
        result = FunctionDefinition(
            at,
            "operator()",
            TypeName(at, "auto"),
            parameters,
            frozenset(marks),
            template=self.of_auto(parameters),
            const=True,
        )
        if brackets:
            self.more(result)
        if self.accept("mutable"):
            result.const = False
        self.qualifiers(result)
        self.body(result)
        self.types.reveal(hidden)
        return result

    @staticmethod
    def of_auto(parameters: list[Declarator]) -> list[TemplateParameter]:
        """The template that a lambda's auto parameters make of it."""
        found = [parameter.type for parameter in parameters if parameter.type.base == "auto"]
        for number, kind in enumerate(found):
            kind.base = f"auto {number}"
        return [TemplateParameter(kind.at, kind.base, None, None) for kind in found]

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
                self.next.at,
                "templates with any number of parameters",
                "name each parameter",
            )
        name = self.next
        if name.kind == "word":
            self.advance()
            if self.at("<") or "::" in name.text:  # typename enable_if<...>::type* = nullptr
                raise Unsupported(
                    name.at,
                    "templates that only some types can fill (enable_if)",
                    "write an ordinary template, and if constexpr in it",
                )
            self.types.known.add(name.text)
        return TemplateParameter(
            name.at, name.text, None, self.types.type_name() if self.accept("=") else None
        )

    # template_of_templates: 'template' template_parameters ('typename' | 'class') name
    def template_of_templates(self) -> TemplateParameter:
        """template <typename> class Op, which stands for a struct template."""
        self.advance()
        self.template_parameters()
        self.advance()
        name = self.expect_word("a name", _TEMPLATE)
        self.types.known.add(name.text)
        self.types.templates.add(name.text)
        return TemplateParameter(name.at, name.text, None, None)

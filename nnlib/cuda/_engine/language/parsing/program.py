"""A whole program: functions and module-scope declarations, with or without extern "C"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..diagnostics import Fault, Unsupported
from ..tree import Position
from .declarations import DeclarationParser
from .expressions import ExpressionParser
from .functions import FunctionParser
from .lexer import Token
from .namespaces import without_namespaces
from .statements import StatementParser
from .structs import StructParser
from .syntax import (
    ALIAS,
    Declaration,
    FunctionDefinition,
    Identifier,
    Node,
    StructDefinition,
    TemplateParameter,
)
from .token_stream import TokenReader, TokenStream
from .vocabulary import ALIGNMENTS, MARKS, STRUCTS, UNSUPPORTED


def parse(
    tokens: list[Token], names: Mapping[str, list[Token]] = {}
) -> tuple[list[Node], dict[str, Identifier]]:
    """Return the declarations of a program, and what each name expression means.

    Raises Fault at the first token that does not fit. names: the tokens of each name expression, such as tile<float, 16> or
    plain tile, by how it is written. A Fault in one of them names the line of its kernel.
    """
    parser = ProgramParser(TokenStream(without_namespaces(tokens)))
    nodes = parser.program()
    return nodes, {
        written: parser.kernel(without_namespaces(name, tokens), nodes)
        for written, name in names.items()
    }


class ProgramParser(TokenReader):
    """Reads what stands outside of functions, and the functions."""

    def __init__(self, tokens: TokenStream) -> None:
        super().__init__(tokens)
        self.expressions = ExpressionParser(tokens)
        self.types = self.expressions.types
        self.declarations = DeclarationParser(self.expressions)
        self.functions = FunctionParser(StatementParser(self.declarations))
        self.structs = StructParser(self.functions)
        self.declarations.struct = self.structs.definition  # which need each other
        self.expressions.function = self.functions.lambda_function

    # program: external* end
    def program(self) -> list[Node]:
        items: list[Node] = []
        while self.next.kind != "end":
            self.external(items, False)
        return items

    # kernel: name [template_arguments] end
    def kernel(self, tokens: list[Token], nodes: list[Node]) -> Identifier:
        """Return what a name expression means, once the program is read."""
        places = {
            node.name: node.at for node in reversed(nodes) if isinstance(node, FunctionDefinition)
        }
        named = next((token.text for token in tokens if token.text in places), tokens[0].text)
        place = Token("word", named, places.get(named, Position(1, 1)), len(named))
        if tokens[0].text in ("(", "static_cast"):
            raise Unsupported(
                place,
                "a name expression with a cast, which chooses among kernels that share a name",
                f"choose another name for one of them, and write {named}",
            )
        self.tokens.begin([token.moved(place) for token in tokens])
        kernel = self.expect_word("the name of a kernel", "write for example tile<float, 16>")
        arguments = self.expressions.template_arguments() if self.at("<") else []
        if self.next.kind != "end":
            self.tokens.fail_expected("the end of the name", "write for example tile<float, 16>")
        return Identifier(kernel.at, kernel.text, arguments)

    # external: 'extern' '"C"' ('{' external* '}' | external) | ';' | declaration | function
    def external(self, items: list[Node], extern_c: bool) -> None:
        if self.at("extern") and self.look().kind == "string":
            self.linkage(items)
        elif self.accept(";"):
            pass
        elif self.at("}"):
            raise Fault(self.next, "this } closes nothing", "remove it, or add the missing {")
        elif self.at("using", "static_assert"):
            items.append(self.declarations.declaration())
        elif self.at("template") and self.look().text != "<":
            self.instantiation()
        elif self.at("template"):
            items.append(self.template(extern_c))
        elif self.next.kind == "word" and self.next.text in UNSUPPORTED:
            raise Unsupported(self.next, *UNSUPPORTED[self.next.text])
        elif not self.declarations.starts() and self.next.kind != "word":
            self.tokens.fail_expected(
                "a declaration", "outside of functions there can only be declarations"
            )
        else:
            items.append(self.function_or_variables(extern_c))

    # instantiation: 'template' declaration ';'
    def instantiation(self) -> None:
        """Skip template void f<float>(float*); which asks for what its uses make anyway."""
        while not self.at(";", "{", "}") and self.next.kind != "end":
            self.advance()
        if not self.accept(";"):
            self.tokens.fail_expected("';'", "write template <typename T> in front of a template")

    def is_constructor(self) -> bool:
        """Return whether Point::Point( follows, of a struct above."""
        ahead = 0
        while self.look(ahead).text in MARKS:
            ahead += 1
        owner, _, name = self.look(ahead).text.rpartition("::")
        return (
            bool(owner) and owner.rpartition("::")[2] == name and self.look(ahead + 1).text == "("
        )

    # linkage: 'extern' '"C"' ('{' external* '}' | external)
    def linkage(self, items: list[Node]) -> None:
        self.advance()
        language = self.advance()
        if language.text not in ('"C"', '"C++"'):
            raise Fault(language, f"unknown language {language.text}", 'write extern "C"')
        extern_c = language.text == '"C"'
        with self.tokens.nested:
            if not self.at("{"):
                self.external(items, extern_c)
                if (
                    items
                    and isinstance(items[-1], FunctionDefinition)
                    and "static" in items[-1].marks
                ):
                    raise Fault(
                        items[-1],
                        f"'{items[-1].name}' cannot be extern \"C\" and static at once",
                        "remove static: the host must find the kernel by its name",
                    )
                last = items[-1] if items else None
                if isinstance(last, Declaration) and not any(
                    named.initializer for named in last.declarators
                ):
                    # Without braces and values it only says that they are somewhere
                    last.marks |= {"extern"}
                return
            opening = self.advance()
            while not self.tokens.closes(opening):
                self.external(items, extern_c)

    # function_or_variables: specifiers (';' | declarator (function | declarators))
    def function_or_variables(
        self, extern_c: bool, template: list[TemplateParameter] | None = None
    ) -> Node:
        """Read a function or variables. template: the parameters of a template."""
        start = self.next
        self.declarations.bounds = None
        if self.is_constructor():
            return self.functions.constructor(self.structs.marks())
        if self.look().text == "::" and self.look(2).text == "~":
            owner = self.advance()
            self.advance()
            return self.structs.destructor(frozenset(), f"{owner.text}::")[0]
        marks, base = self.declarations.specifiers()
        if base.definition is not None and self.accept(";"):
            return base.definition
        first = self.declarations.declarator(base)
        special = template == []
        if (self.at("(") and not self.declarations.initialises()) or special:
            return self.functions.function(
                marks, first, extern_c=extern_c, template=template, special=special
            )
        return self.declarations.declarators(start.at, marks, base, first)

    # template: 'template' template_parameters (using | definition ';' | function | declaration)
    def template(self, extern_c: bool) -> Node:
        start = self.advance()
        if extern_c:
            raise Fault(
                start, 'a template cannot be extern "C"', 'move it out of the extern "C" braces'
            )
        outside = set(self.types.known)
        parameters = self.functions.template_parameters()
        if self.at("using"):
            found = self.alias()
        elif self.at(*STRUCTS) and self.is_struct():
            found = self.structs.definition(is_template=True)
            self.expect(";", "end the struct with ;")
        else:
            function = self.function_or_variables(False, parameters)
            self.types.known = outside
            if isinstance(function, Declaration):
                return self.variable(start.at, function, parameters)
            return function
        found.template = parameters
        self.types.known = outside | {found.name}
        return found

    def alias(self) -> StructDefinition:
        """Read a template of using A = type, as a struct whose member `type` is that type."""
        found = self.declarations.declaration()
        assert isinstance(found, Declaration)
        declarator = found.declarators[0]
        named = replace(found, declarators=[replace(declarator, name="type")])
        self.types.templates.add(declarator.name)
        return StructDefinition(found.at, ALIAS, declarator.name, [named])

    def variable(
        self, at: Position, found: Declaration, parameters: list[TemplateParameter]
    ) -> StructDefinition:
        """Read a template of constexpr int n = value, as a struct whose member `value` is that value."""
        declarator = found.declarators[0]
        self.expressions.variables.add(declarator.name)
        value = Declaration(
            found.at, frozenset(("static", "constexpr")), [replace(declarator, name="value")]
        )
        return StructDefinition(at, "struct", declarator.name, [value], template=parameters)

    def is_struct(self) -> bool:
        """Return whether a struct follows, and not a function that returns one."""
        ahead = 1
        while self.look(ahead).text not in ("{", ";", "(", ""):
            ahead += 1
        return self.look(ahead).text in ("{", ";") or self.look().text in ALIGNMENTS

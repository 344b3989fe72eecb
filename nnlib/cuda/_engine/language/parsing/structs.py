"""Structs, classes and unions: data, functions and nested types between the braces."""

from __future__ import annotations

from ..diagnostics import Unsupported
from ..tree import Position
from .functions import FunctionParser
from .syntax import (
    Declaration,
    Declarator,
    FunctionDefinition,
    Node,
    StructDefinition,
    TypeName,
)
from .token_stream import TokenReader
from .vocabulary import ALIGNMENTS, MARKS

_ACCESS = ("public", "private", "protected")


class StructParser(TokenReader):
    """Reads struct definitions."""

    def __init__(self, functions: FunctionParser) -> None:
        super().__init__(functions.tokens)
        self.types, self.functions = functions.types, functions
        self.declarations, self.expressions = functions.declarations, functions.expressions
        self.hidden = False  # is what comes next private

    # definition: ('struct' | 'class' | 'union') ['__align__' '(' n ')'] [name] '{' member* '}'
    def definition(self, is_template: bool = False) -> StructDefinition:
        """Read a struct from that word on, without a body if none follows."""
        start = self.advance()
        align: Node | None = None
        while self.next.text in ALIGNMENTS or self.at("__attribute__"):
            if self.at("__attribute__"):
                raise Unsupported(self.next, "__attribute__", "write __align__(n)")
            align = self.declarations.attribute()
        name = self.advance().text if self.next.kind == "word" else ""
        result = StructDefinition(start.at, start.text, name, None, align)
        if name:
            self.types.known.add(name)
        if is_template:
            self.types.templates.add(name)
        if self.accept("final"):
            pass
        if self.at("<"):
            result.special = self.expressions.template_arguments()
        if self.accept(":"):
            result.base = self.base()
        if self.at("{"):
            with self.tokens.nested:
                self.body(result)
        return result

    # base: ['virtual' | 'public' | 'protected' | 'private']* type_name
    def base(self) -> TypeName:
        """Read what a struct inherits from."""
        while self.at(*_ACCESS):
            self.advance()
        if self.at("virtual"):
            raise Unsupported(self.next, "virtual bases", "inherit without virtual")
        found = self.types.base()
        if self.at(","):
            raise Unsupported(
                self.next,
                "several bases",
                "inherit from one, and make the others members",
            )
        return found

    def body(self, struct: StructDefinition) -> None:
        opening = self.advance()
        struct.members = []
        hides, self.hidden = self.hidden, struct.kind == "class"
        outside, seen = set(self.types.known), 0
        with self.types.block():
            while not self.at("}"):
                if self.next.kind == "end":
                    self.tokens.fail_expected(
                        "'}'", f"the {{ in line {opening.at.line} is never closed"
                    )
                self.member(struct)
                struct.private.update(
                    *(_names(node) for node in struct.members[seen:] if self.hidden)
                )
                seen = len(struct.members)
        self.hidden = hides
        inside = self.types.known - outside
        self.types.known -= inside
        self.types.known.update(f"{struct.name}::{name}" for name in inside)
        self.advance()

    # member: access ':' | 'using' ... | 'static_assert' ... | constructor | function | declaration
    def member(self, struct: StructDefinition) -> None:
        members = struct.members
        assert members is not None
        if self.at(*_ACCESS):
            self.hidden = self.advance().text != "public"
            self.expect(":", "write public:")
            return
        if self.accept(";"):
            return
        if self.at("using", "static_assert"):
            members.append(self.declarations.declaration())
            return
        if self.accept("template"):
            members.append(self.template())
            return
        start, marks = self.next, self.marks()
        if self.at("~"):
            members += self.destructor(marks)
        elif self.at(struct.name) and self.look().text == "(" and struct.name:
            members.append(self.functions.constructor(marks))
        elif self.at("operator"):
            members.append(self.conversion(marks))
        else:
            more, base = self.declarations.specifiers()
            base.const |= "constexpr" in marks
            self.declared(members, start.at, marks | more, base)

    # template: 'template' template_parameters specifiers declarator function
    def template(self) -> FunctionDefinition:
        """Read a template of member functions, from its < on."""
        outside = set(self.types.known)
        parameters = self.functions.template_parameters()
        marks = self.marks()
        if self.next.kind == "word" and self.look().text == "(":
            raise Unsupported(self.next, "templates of constructors", "write one for each type")
        more, base = self.declarations.specifiers()
        result = self.functions.function(
            marks | more, self.declarations.declarator(base), template=parameters
        )
        self.types.known = outside
        return result

    def marks(self) -> frozenset[str]:
        found = set()
        while self.next.text in MARKS - {"typedef"} or self.at("explicit", "friend", "virtual"):
            found.add(self.advance().text)
        return frozenset(found)

    def declared(
        self, members: list[Node], at: Position, marks: frozenset[str], base: TypeName
    ) -> None:
        """Read a function, or variables, after the type."""
        if self.accept(";"):
            anonymous = isinstance(base.definition, StructDefinition) and not base.definition.name
            if anonymous:  # its members are those of the struct around it
                members.append(Declaration(at, marks, [Declarator(at, "", base)]))
            elif base.definition is not None:
                members.append(base.definition)
            return
        first = self.declarations.declarator(base)
        if self.at("("):
            members.append(self.functions.function(marks, first))
            return
        members.append(self.declarations.declarators(at, marks, base, first, "member"))

    # conversion: 'operator' type_name '(' ')' body
    def conversion(self, marks: frozenset[str]) -> FunctionDefinition:
        start = self.advance()
        result = self.types.base()
        self.types.derived(result)
        return self.functions.function(marks, Declarator(start.at, "operator type", result))

    # destructor: '~' name '(' ')' ('{' statement* '}' | ';')
    def destructor(self, marks: frozenset[str], owner: str = "") -> list[Node]:
        """Read a destructor; return nothing for one that does nothing. owner: Name:: outside of the struct."""
        start = self.advance()
        name = self.expect_word("a name", "write ~Name() {}")
        function = self.functions.function(
            marks, Declarator(start.at, f"{owner}~{name.text}", TypeName(start.at, "void"))
        )
        empty = not function.marks & {"virtual"} and (
            function.marks & {"default"}
            or (function.body is not None and not function.body.statements)
        )
        return [] if empty and not owner else [function]


def _names(node: Node) -> set[str]:
    """Return the name of a member, or several for int a, b;."""
    if isinstance(node, Declaration):
        return {declarator.name for declarator in node.declarators}
    return {node.name} if isinstance(node, FunctionDefinition | StructDefinition) else set()

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
    def definition(self) -> StructDefinition:
        """From the word struct on; without a body if none follows."""
        tokens = self.tokens
        start = tokens.advance()
        align: Node | None = None
        while tokens.next.text in ALIGNMENTS or tokens.at("__attribute__"):
            if tokens.at("__attribute__"):
                raise Unsupported(tokens.next.at, "__attribute__", "write __align__(n)")
            align = self.declarations.attribute()
        name = tokens.advance().text if tokens.next.kind == "word" else ""
        result = StructDefinition(start.at, start.text, name, None, align)
        if name:
            self.types.known.add(name)
        if tokens.accept("final"):
            pass
        if tokens.at("<"):
            result.special = self.expressions.template_arguments()
        if tokens.accept(":"):
            result.base = self.base()
        if tokens.at("{"):
            with tokens.nested:
                self.body(result)
        return result

    # base: ['virtual' | 'public' | 'protected' | 'private']* type_name
    def base(self) -> TypeName:
        """What a struct inherits from."""
        while self.at(*_ACCESS):
            self.advance()
        if self.at("virtual"):
            raise Unsupported(self.next.at, "virtual bases", "inherit without virtual")
        found = self.types.base()
        if self.at(","):
            raise Unsupported(
                self.next.at,
                "several bases",
                "inherit from one, and make the others members",
            )
        return found

    def body(self, struct: StructDefinition) -> None:
        opening = self.advance()
        struct.members = []
        hides, self.hidden = self.hidden, struct.kind == "class"
        outside, hidden, seen = set(self.types.known), len(self.types.hidden), 0
        while not self.at("}"):
            if self.next.kind == "end":
                self.tokens.fail_expected(
                    "'}'", f"the {{ in line {opening.at.line} is never closed"
                )
            self.member(struct)
            struct.private.update(*(_names(node) for node in struct.members[seen:] if self.hidden))
            seen = len(struct.members)
        self.hidden = hides
        self.types.reveal(hidden)
        inside = self.types.known - outside
        self.types.known -= inside
        self.types.known.update(f"{struct.name}::{name}" for name in inside)
        self.advance()

    # member: access ':' | 'using' ... | 'static_assert' ... | constructor | function | declaration
    def member(self, struct: StructDefinition) -> None:
        tokens, members = self.tokens, struct.members
        assert members is not None
        if tokens.at(*_ACCESS):
            self.hidden = tokens.advance().text != "public"
            tokens.expect(":", "write public:")
            return
        if tokens.accept(";"):
            return
        if tokens.at("using", "static_assert"):
            members.append(self.declarations.declaration())
            return
        if tokens.accept("template"):
            members.append(self.template())
            return
        start, marks = tokens.next, self.marks()
        if tokens.at("~"):
            members += self.destructor(marks)
        elif tokens.at(struct.name) and tokens.look().text == "(" and struct.name:
            members.append(self.constructor(marks))
        elif tokens.at("operator"):
            members.append(self.conversion(marks))
        else:
            more, base = self.declarations.specifiers()
            base.const |= "constexpr" in marks
            self.declared(members, start.at, marks | more, base)

    # template: 'template' template_parameters specifiers declarator function
    def template(self) -> FunctionDefinition:
        """A template of member functions, from its < on."""
        outside = set(self.types.known)
        parameters = self.functions.template_parameters()
        marks = self.marks()
        if self.next.kind == "word" and self.look().text == "(":
            raise Unsupported(self.next.at, "templates of constructors", "write one for each type")
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
        """A function, or variables, after the type."""
        tokens = self.tokens
        if tokens.accept(";"):
            anonymous = isinstance(base.definition, StructDefinition) and not base.definition.name
            if anonymous:  # its members are those of the struct around it
                members.append(Declaration(at, marks, [Declarator(at, "", base)]))
            elif base.definition is not None:
                members.append(base.definition)
            return
        first = self.declarations.declarator(base)
        if tokens.at("("):
            members.append(self.functions.function(marks, first))
            return
        result = Declaration(at, marks, [])
        while True:
            if "typedef" in marks:
                self.types.known.add(first.name)
            else:
                self.types.hide(first.name)
            if tokens.at(":"):
                raise Unsupported(
                    tokens.next.at, "bit fields", "use shifts and masks on an unsigned int"
                )
            self.declarations.initializer_of(first)
            result.declarators.append(first)
            if not tokens.accept(","):
                break
            first = self.declarations.declarator(base)
        tokens.expect(";", "end the member with ;")
        members.append(result)

    # constructor: name '(' parameters ')' [':' first values] body
    def constructor(self, marks: frozenset[str]) -> FunctionDefinition:
        name = self.advance()
        hidden = len(self.types.hidden)
        result = FunctionDefinition(
            name.at,
            name.text,
            TypeName(name.at, name.text),
            self.types.parameters(self.functions.parameter),
            marks,
            first=[],
        )
        self.functions.more(result)
        self.functions.qualifiers(result)
        self.functions.body(result)
        self.types.reveal(hidden)
        return result

    # conversion: 'operator' type_name '(' ')' body
    def conversion(self, marks: frozenset[str]) -> FunctionDefinition:
        start = self.advance()
        result = self.types.base()
        self.types.derived(result)
        return self.functions.function(marks, Declarator(start.at, "operator type", result))

    # destructor: '~' name '(' ')' ('{' statement* '}' | ';')
    def destructor(self, marks: frozenset[str], owner: str = "") -> list[Node]:
        """One that does nothing says nothing. owner: Name:: outside of the struct."""
        start = self.advance()
        name = self.expect_word("a name", "write ~Name() {}")
        function = self.functions.function(
            marks, Declarator(start.at, f"{owner}~{name.text}", TypeName(start.at, "void"))
        )
        empty = not function.marks & {"virtual"} and (
            function.marks & {"default"}
            or function.body is not None
            and not function.body.statements
        )
        return [] if empty and not owner else [function]


def _names(node: Node) -> set[str]:
    """What a member is called; several for int a, b;"""
    if isinstance(node, Declaration):
        return {declarator.name for declarator in node.declarators}
    return {node.name} if isinstance(node, FunctionDefinition | StructDefinition) else set()

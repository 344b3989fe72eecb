"""Declarations: specifiers, declarators, typedef, using, enum; structs are read by structs.py."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NoReturn

from ..diagnostics import Fault, Unsupported
from ..left_out import refused
from ..tree import Position
from .expressions import ExpressionParser
from .lexer import Token
from .syntax import (
    Braces,
    Declaration,
    Declarator,
    Enumeration,
    Node,
    StaticAssert,
    StructDefinition,
    TypeName,
    UsingNamespace,
)
from .token_stream import TokenReader
from .type_names import base_name, unknown_type
from .vocabulary import (
    ALIGNMENTS,
    BASE_WORDS,
    DECLARING,
    MARKS,
    NO_NAMES,
    QUALIFIERS,
    RESERVED,
    STRUCTS,
    UNSUPPORTED,
)


class DeclarationParser(TokenReader):
    """Reads declarations of variables and types.

    bounds: the last __launch_bounds__. struct: reads a struct. function: reads a function from its ( on.
    """

    struct: Callable[[], StructDefinition]
    function: Callable[[frozenset[str], Declarator], Node]

    def __init__(self, expressions: ExpressionParser) -> None:
        super().__init__(expressions.tokens)
        self.expressions, self.types = expressions, expressions.types
        self.bounds: Node | None = None

    def starts(self) -> bool:
        return self.types.starts() or (self.next.kind == "word" and self.next.text in DECLARING)

    # declaration: 'using' ... | 'static_assert' ... | specifiers [declarator (',' declarator)*] ';'
    def declaration(self) -> Node:
        if self.at("using"):
            return self.using()
        if self.at("static_assert"):
            return self.static_assertion()
        start = self.next
        marks, base = self.specifiers()
        if base.definition is not None and self.accept(";"):
            return base.definition
        first = self.declarator(base)
        if self.at("(") and self.declares_function(marks, first):
            return self.function(marks, first)
        return self.declarators(start.at, marks, base, first)

    def declares_function(self, marks: frozenset[str], first: Declarator) -> bool:
        """Do parameters follow, and no first value? float x(); is taken for a variable, unless it says extern."""
        after = self.look()
        if after.text == ")":
            return "extern" in marks or first.type.base == "void"
        starts_type = after.text in QUALIFIERS | BASE_WORDS or after.text in self.types.known
        return starts_type and self.look(2).text != "("

    def declarators(
        self,
        at: Position,
        marks: frozenset[str],
        base: TypeName,
        first: Declarator,
        what: str = "declaration",
    ) -> Declaration:
        """Read the rest of a declaration whose first name was read."""
        result = Declaration(at, marks, [])
        while not result.declarators or self.accept(","):
            declarator = self.declarator(base) if result.declarators else first
            result.declarators.append(declarator)
            self.names(marks, declarator)
            if what == "member" and self.at(":"):
                raise Unsupported(
                    self.next, "bit fields", "use shifts and masks on an unsigned int"
                )
            self.initializer_of(declarator)
        self.tokens.end_statement(what)
        return result

    def names(self, marks: frozenset[str], declarator: Declarator) -> None:
        """Make a declarator's name known from here on, then read its first value."""
        if "typedef" in marks:
            self.types.known.add(declarator.name)
            if declarator.type.definition is not None:  # typedef struct { ... } Point;
                declarator.type.definition.name = declarator.type.definition.name or declarator.name
        else:
            self.types.hide(declarator.name)

    # specifiers: (mark | 'const' | 'volatile' | type word | '__align__' '(' n ')' | '__launch_bounds__' '(' n ')')+
    def specifiers(self) -> tuple[frozenset[str], TypeName]:
        start = self.next
        marks: set[str] = set()
        words: list[str] = []
        definition: StructDefinition | Enumeration | None = None
        const = volatile = False
        while self.next.kind == "word":
            text = self.next.text
            if text in MARKS:
                marks.add(text)
            elif text in QUALIFIERS:
                if "restrict" in text:
                    raise Fault(
                        self.next,
                        f"{text} does not stand here",
                        f"write it behind the *: int* {text} x",
                    )
                const |= text == "const"
                volatile |= text == "volatile"
            elif text in ALIGNMENTS or text == "__launch_bounds__":
                self.attribute()
                continue
            elif not words and text == "decltype":
                return frozenset(marks), self.types.completed(
                    replace(self.types.type_of(), const=const)
                )
            elif not words and (text in STRUCTS or text in ("enum", "typename")):
                start = self.next
                definition = self.defined()
                if definition is not None and self.at("__global__", "template", "extern", *STRUCTS):
                    self.expect(";", "end the struct with ;")
                words.append(definition.name if definition is not None else self.types.spelt_out())
                continue
            elif text in BASE_WORDS or (
                not words
                and (
                    text in self.types.known or text == "auto" or self.types.is_inner(self.next, 0)
                )
            ):
                if not words:
                    start = self.next
                words.append(text)
            else:
                break
            self.advance()
        if not words:
            self.unknown_type()
        base = words[0] if definition is not None else base_name(start, words)
        result = TypeName(
            start.at, base, const or "constexpr" in marks, definition=definition, volatile=volatile
        )
        return frozenset(marks), self.types.completed(result)

    def defined(self) -> StructDefinition | Enumeration | None:
        """Read the struct or enum that is defined, or first named, here; return None if it is only mentioned."""
        look, ahead = self.look, 1
        if self.at("typename"):
            return None
        if self.at("enum"):
            while look(ahead).kind == "word":
                ahead += 1
            return self.enumeration() if look(ahead).text in ("{", ":") else None
        while look(ahead).text in ALIGNMENTS:
            ahead = self.tokens.behind(ahead)  # __align__(8)
        if look(ahead).kind == "word":
            ahead += 1
        if look(ahead).text in ("{", ":", "final") or (ahead == 2 and look(2).text in (";", "<")):
            return self.struct()
        return None

    # attribute: ('__align__' | 'alignas' | '__launch_bounds__') '(' expression ')'
    def attribute(self) -> Node:
        name = self.advance()
        self.expect("(", f"write {name.text}(number)")
        value = self.expressions.assignment()
        while self.accept(","):
            self.expressions.assignment()
        self.expect(")", f"write {name.text}(number)")
        if name.text == "__launch_bounds__":
            self.bounds = value
        return value

    def unknown_type(self) -> NoReturn:
        """Raise Fault because no type comes next."""
        token = self.next
        if token.kind == "word" and (token.text not in RESERVED or token.text in UNSUPPORTED):
            raise unknown_type(token, self.types.known)
        self.tokens.fail_expected("a type", "write a type such as int or float*")

    # declarator: derived (name | '(' derived name ')') array_suffix
    def declarator(self, base: TypeName, named: bool = True) -> Declarator:
        """Read a declarator. With named=False it is a parameter of a declaration, which may have no name."""
        type_name = base.plain()
        self.types.derived(type_name)
        if self.at("(") and self.look().text in ("*", "&"):
            self.advance()
            inner = TypeName(base.at, "")
            self.types.derived(inner)
            name = self.declared_name()
            self.types.array_suffix(inner)
            self.expect(")", "write (*name)[columns] for a pointer to rows")
            type_name = self.types.built_upon(type_name, inner)
            return Declarator(name.at, name.text, type_name)
        if base.base == "auto" and self.at("["):
            raise Unsupported(
                self.next,
                "names for the parts of a value",
                "name the value, and use its members",
            )
        nameless = not named and self.at(",", ")", "[", "=")
        name = Token("word", "", self.next.at, 0) if nameless else self.declared_name()
        self.types.array_suffix(type_name)
        return Declarator(name.at, name.text, type_name)

    def declared_name(self) -> Token:
        token = self.next
        if token.text == "operator" or token.text.endswith("::operator"):
            return self.operator_name()
        if token.text == "restrict":
            raise Fault(token, "restrict is C, not C++", "write __restrict__")
        if token.kind == "word" and token.text in UNSUPPORTED:
            raise Unsupported(token, *UNSUPPORTED[token.text])
        if token.kind == "word" and token.text in NO_NAMES:
            raise Fault(
                token,
                f"'{token.text}' is a word of the language and cannot be a name",
                "rename it",
            )
        name = self.expect_word("a name", "write the variable's name here")
        if self.at("::") and self.look().text == "*":
            raise Unsupported(
                name, "pointers to members", "name the member, or make the members an array"
            )
        return name

    # operator_name: 'operator' (mark | '(' ')' | '[' ']')
    def operator_name(self) -> Token:
        """Read operator+ as one word."""
        start, mark = self.advance(), self.advance()
        text = mark.text
        if mark.kind != "mark":
            raise Unsupported(mark, f"operator {text}", "write a __device__ function with a name")
        if text in ("(", "["):
            text += self.expect(")" if text == "(" else "]").text
        return replace(start, text=f"{start.text}{text}")

    def initialises(self) -> bool:
        """Return whether this ( begins first values, as in Point p(1, 2), and not parameters."""
        after = self.look()
        operator = self.look(2).text in ("+", "-", "/", "%")
        return after.kind in ("number", "string", "char") or (operator and not self.types.starts(1))

    # initializer_of: ['=' initializer | braces | '(' arguments]
    def initializer_of(self, declarator: Declarator) -> None:
        if self.accept("="):
            declarator.initializer = self.expressions.initializer()
        elif self.at("{"):
            first = self.expressions.braces()
            alone = declarator.type.base == "auto" and len(first.items) == 1  # auto x{value}
            declarator.initializer = first.items[0] if alone else first
        elif self.at("("):
            opening = self.advance()
            if (self.types.starts() and not self.types.constructs()) or self.at(")"):
                raise Fault(
                    opening,
                    f"'{declarator.name}' would be a function here",
                    f"for a variable, write {declarator.name} without the brackets",
                )
            declarator.initializer = Braces(opening.at, self.expressions.arguments(), direct=True)

    # enumeration: 'enum' ['class'] [name] [':' type] '{' name ['=' assignment] (',' ...)* '}'
    def enumeration(self) -> Enumeration:
        start = self.advance()
        scoped = self.at("class", "struct")
        if scoped:
            self.advance()
        name = self.advance().text if self.next.kind == "word" else ""
        result = Enumeration(
            start.at, name, [], self.types.type_name() if self.accept(":") else None, scoped
        )
        self.expect("{", "write enum { A, B };")
        while not self.at("}"):
            member = self.expect_word("a name", "write enum { A, B };")
            value = self.expressions.assignment() if self.accept("=") else None
            result.members.append((member.at, member.text, value))
            if not self.accept(","):
                break
        self.expect("}", "close the list with }")
        if name:
            self.types.known.add(name)
        return result

    # using: 'using' ('namespace' name | name | name '=' type_name) ';'
    def using(self) -> Node:
        result = Declaration(self.advance().at, frozenset(("typedef",)), [])
        if self.accept("namespace"):
            name = self.expect_word("a name", "write using namespace cooperative_groups;")
            self.expect(";", "end the line with ;")
            return self.open_namespace(name.at, name.text)
        name = self.expect_word("a name", "write using real = float;")
        if self.accept(";"):
            owner = name.text.rpartition("::")[0]
            if owner and any(known.startswith(f"{owner}::") for known in self.types.known):
                return self.open_namespace(name.at, owner)
            if owner and (fault := refused(name, name.text)):
                raise fault
            return result  # names of the text's own namespaces are global anyway
        self.expect("=", "write using real = float;")
        result.declarators.append(Declarator(name.at, name.text, self.types.type_name()))
        self.expect(";", "end the declaration with ;")
        self.types.known.add(name.text)
        return result

    def open_namespace(self, at: Position, namespace: str) -> UsingNamespace:
        """Let cooperative_groups::thread_block and its kin be known as thread_block, too, from here on."""
        for names in (self.types.known, self.types.functions, self.types.templates):
            names.update({name.removeprefix(f"{namespace}::") for name in names})
        return UsingNamespace(at, namespace)

    # static_assertion: 'static_assert' '(' assignment [',' text] ')' ';'
    def static_assertion(self) -> StaticAssert:
        start, hint = self.advance(), 'write static_assert(condition, "message");'
        self.expect("(", hint)
        condition = self.expressions.assignment()
        message = self.expressions.text() if self.accept(",") else ""
        self.expect(")", hint)
        self.expect(";", "end the declaration with ;")
        return StaticAssert(start.at, condition, message)

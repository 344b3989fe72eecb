"""Declarations: specifiers, declarators, typedef, using, enum."""

from __future__ import annotations

from typing import NoReturn

from nnlib.cuda.language.diagnostics import Fault, Unsupported
from nnlib.cuda.language.parsing.expressions import ExpressionParser
from nnlib.cuda.language.parsing.syntax import (
    Braces,
    Declaration,
    Declarator,
    Enumeration,
    Node,
    StaticAssert,
    TypeName,
    UsingNamespace,
)
from nnlib.cuda.language.parsing.type_names import base_name, unknown_type
from nnlib.cuda.language.parsing.vocabulary import (
    ALIGNMENTS,
    BASE_WORDS,
    MARKS,
    NO_NAMES,
    QUALIFIERS,
    RESERVED,
    UNSUPPORTED,
)
from nnlib.cuda.language.preprocessing.lexer import Token
from nnlib.cuda.language.types import NAMED


class DeclarationParser:
    """Reads declarations of variables and types. bounds: of the last __launch_bounds__."""

    def __init__(self, expressions: ExpressionParser) -> None:
        self.tokens, self.expressions, self.types = expressions.tokens, expressions, expressions.types
        self.bounds: Node | None = None

    def starts(self) -> bool:
        token = self.tokens.next
        return token.kind == "word" and (
            self.types.starts() or token.text in MARKS or token.text in ALIGNMENTS
            or token.text in ("auto", "enum", "using", "static_assert", "__launch_bounds__"))

    # declaration: 'enum' ... | 'using' ... | 'static_assert' ... | specifiers [declarator (',' declarator)*] ';'
    def declaration(self) -> Node:
        if self.tokens.at("enum"):
            return self.enumeration()
        if self.tokens.at("using"):
            return self.using()
        if self.tokens.at("static_assert"):
            return self.static_assertion()
        start = self.tokens.next
        marks, base = self.specifiers()
        return self.declarators(start, marks, base, self.declarator(base))

    def declarators(self, start: Token, marks: frozenset[str], base: TypeName, first: Declarator) -> Declaration:
        """The rest of a declaration whose first name was read."""
        result = Declaration(start.at, marks, [first])
        self.names(marks, first)
        while self.tokens.accept(","):
            result.declarators.append(self.declarator(base))
            self.names(marks, result.declarators[-1])
        self.tokens.expect(";", "end the declaration with ;")
        return result

    def names(self, marks: frozenset[str], declarator: Declarator) -> None:
        """Its name is known from here on; then comes its first value."""
        if "typedef" in marks:
            self.types.known.add(declarator.name)
        else:
            self.types.hide(declarator.name)
        self.initializer_of(declarator)

    # specifiers: (mark | 'const' | 'volatile' | type word | '__align__' '(' n ')' | '__launch_bounds__' '(' n ')')+
    def specifiers(self) -> tuple[frozenset[str], TypeName]:
        start = self.tokens.next
        marks: set[str] = set()
        words: list[str] = []
        const = False
        while self.tokens.next.kind == "word":
            text = self.tokens.next.text
            if text in MARKS:
                marks.add(text)
            elif text in QUALIFIERS:
                if "restrict" in text:
                    raise Fault(self.tokens.next.at, f"{text} does not stand here",
                                f"write it behind the *: int* {text} x")
                const |= text == "const"
            elif text in ALIGNMENTS or text == "__launch_bounds__":
                self.attribute()
                continue
            elif text in BASE_WORDS or (not words and (text in self.types.known or text == "auto")):
                if not words:
                    start = self.tokens.next
                words.append(text)
            else:
                break
            self.tokens.advance()
        if not words:
            self.unknown_type()
        result = TypeName(start.at, base_name(start, words), const or "constexpr" in marks)
        if result.base in self.types.templates and self.tokens.at("<"):
            result.arguments = self.types.arguments()
        while self.tokens.at("const", "volatile"):
            result.const |= self.tokens.advance().text == "const"
        return frozenset(marks), result

    # attribute: ('__align__' | 'alignas' | '__launch_bounds__') '(' expression ')'
    def attribute(self) -> None:
        name = self.tokens.advance()
        self.tokens.expect("(", f"write {name.text}(number)")
        bounds = self.expressions.assignment()
        while self.tokens.accept(","):
            self.expressions.assignment()
        self.tokens.expect(")", f"write {name.text}(number)")
        if name.text == "__launch_bounds__":
            self.bounds = bounds

    def unknown_type(self) -> NoReturn:
        """Complain that no type comes next."""
        token = self.tokens.next
        if token.kind == "word" and (token.text not in RESERVED or token.text in UNSUPPORTED):
            raise unknown_type(token, self.types.known)
        self.tokens.fail_expected("a type", "write a type such as int or float*")

    # declarator: derived (name | '(' derived name ')') array_suffix
    def declarator(self, base: TypeName, named: bool = True) -> Declarator:
        """named False: a parameter of a declaration, which may lack its name."""
        type_name = TypeName(base.at, base.base, base.const, [], base.arguments)
        self.types.derived(type_name)
        if self.tokens.at("(") and self.tokens.look().text in ("*", "&"):
            self.tokens.advance()
            inner = TypeName(base.at, "")
            self.types.derived(inner)
            name = self.declared_name()
            self.tokens.expect(")", "write (*name)[columns] for a pointer to rows")
            if self.tokens.at("("):
                return Declarator(name.at, name.text, self.types.function_pointer(type_name))
            self.types.array_suffix(type_name)
            type_name.derivations += inner.derivations
            return Declarator(name.at, name.text, type_name)
        if not named and self.tokens.at(",", ")", "[", "="):
            name = Token("word", "", self.tokens.next.at, 0)
        else:
            name = self.declared_name()
        self.types.array_suffix(type_name)
        return Declarator(name.at, name.text, type_name)

    def declared_name(self) -> Token:
        token = self.tokens.next
        if token.text == "restrict":
            raise Fault(token.at, "restrict is C, not C++", "write __restrict__")
        if token.kind == "word" and token.text in UNSUPPORTED:
            raise Unsupported(token.at, *UNSUPPORTED[token.text])
        if token.kind == "word" and token.text in NO_NAMES:
            raise Fault(token.at, f"'{token.text}' is a word of the language and cannot be a name", "rename it")
        return self.tokens.expect_word("a name", "write the variable's name here")

    # initializer_of: ['=' initializer | braces | '(' arguments]
    def initializer_of(self, declarator: Declarator) -> None:
        if self.tokens.accept("="):
            declarator.initializer = self.expressions.initializer()
        elif self.tokens.at("{"):
            declarator.initializer = self.expressions.braces()
        elif self.tokens.at("("):
            opening = self.tokens.advance()
            if self.types.starts() or self.tokens.at(")"):
                raise Fault(opening.at, "a function cannot be declared here", "declare it outside of this function")
            declarator.initializer, declarator.direct = Braces(opening.at, self.expressions.arguments()), True
        elif self.tokens.at(":"):
            raise Unsupported(self.tokens.next.at, "for (x : array)",
                              "count with an index: for (int i = 0; i < n; i++)")

    # enumeration: 'enum' [name] '{' name ['=' assignment] (',' ...)* '}' ';'
    def enumeration(self) -> Enumeration:
        start = self.tokens.advance()
        if self.tokens.at("class", "struct"):
            raise Unsupported(self.tokens.next.at, "enum class", "write a plain enum")
        name = self.tokens.advance().text if self.tokens.next.kind == "word" else ""
        if self.tokens.at(":"):
            raise Unsupported(self.tokens.next.at, "an enum with a base type", "write a plain enum, which is an int")
        result = Enumeration(start.at, name, [])
        self.tokens.expect("{", "write enum { A, B };")
        while not self.tokens.at("}"):
            member = self.tokens.expect_word("a name", "write enum { A, B };")
            value = self.expressions.assignment() if self.tokens.accept("=") else None
            result.members.append((member.at, member.text, value))
            if not self.tokens.accept(","):
                break
        self.tokens.expect("}", "close the list with }")
        self.tokens.expect(";", "end the declaration with ;")
        if name:
            self.types.known.add(name)
        return result

    # using_namespace: 'using' 'namespace' name ';'
    def using_namespace(self) -> UsingNamespace:
        name = self.tokens.expect_word("a name", "write using namespace cooperative_groups;")
        self.tokens.expect(";", "end the line with ;")
        prefix = f"{name.text}::"
        self.types.known.update(known[len(prefix):] for known in NAMED if known.startswith(prefix))
        for templates in (self.types.templates, self.expressions.templates):
            templates.update([known[len(prefix):] for known in templates if known.startswith(prefix)])
        return UsingNamespace(name.at, name.text)

    # using: 'using' name '=' type_name ';'
    def using(self) -> Node:
        start = self.tokens.advance()
        if self.tokens.accept("namespace"):
            return self.using_namespace()
        name = self.tokens.expect_word("a name", "write using real = float;")
        self.tokens.expect("=", "write using real = float;")
        target = self.types.type_name()
        self.tokens.expect(";", "end the declaration with ;")
        self.types.known.add(name.text)
        return Declaration(start.at, frozenset(("typedef",)), [Declarator(name.at, name.text, target)])

    # static_assertion: 'static_assert' '(' assignment [',' text] ')' ';'
    def static_assertion(self) -> StaticAssert:
        start = self.tokens.advance()
        self.tokens.expect("(", 'write static_assert(condition, "message");')
        condition = self.expressions.assignment()
        message = self.expressions.text() if self.tokens.accept(",") else ""
        self.tokens.expect(")", 'write static_assert(condition, "message");')
        self.tokens.expect(";", "end the declaration with ;")
        return StaticAssert(start.at, condition, message)

"""Declarations: specifiers, declarators, typedef, using, enum."""

from __future__ import annotations

from nnlib.cuda.language.diagnostics import Fault, Unsupported, did_you_mean
from nnlib.cuda.language.parsing.expressions import (
    BASE_WORDS,
    QUALIFIERS,
    RESERVED,
    UNSUPPORTED,
    UNSUPPORTED_TYPES,
    ExpressionParser,
    base_name,
)
from nnlib.cuda.language.parsing.syntax import Declaration, Declarator, Enumeration, Node, StaticAssert, TypeName
from nnlib.cuda.language.preprocessing.lexer import Token

MARKS = frozenset("""static extern inline constexpr register typedef __shared__ __constant__ __device__ __global__
    __host__ __forceinline__ __noinline__ __inline__ __managed__ __grid_constant__""".split())
NO_NAMES = RESERVED | BASE_WORDS | UNSUPPORTED.keys() | set("true false nullptr this public private friend".split())
# What headers of some systems define, and NVRTC does not.
C_TYPES = {f"u{name}": f"write unsigned {name}" for name in ("int", "char", "short", "long")}
ALIGNMENTS = frozenset(("__align__", "alignas"))


class DeclarationParser(ExpressionParser):
    bounds: Node | None = None  # of the last __launch_bounds__

    def at_declaration(self) -> bool:
        token = self.token
        return token.kind == "word" and (
            self.at_type() or token.text in MARKS or token.text in ALIGNMENTS
            or token.text in ("auto", "enum", "using", "static_assert", "__launch_bounds__"))

    # declaration: 'enum' ... | 'using' ... | 'static_assert' ... | specifiers [declarator (',' declarator)*] ';'
    def declaration(self) -> Node:
        if self.at("enum"):
            return self.enumeration()
        if self.at("using"):
            return self.using()
        if self.at("static_assert"):
            return self.static_assertion()
        start = self.token
        marks, base = self.specifiers()
        return self.declarators(start, marks, base, self.declarator(base))

    def declarators(self, start: Token, marks: frozenset[str], base: TypeName, first: Declarator) -> Declaration:
        """The rest of a declaration whose first name was read."""
        result = Declaration(start.at, marks, [first])
        self.initializer_of(first)
        while self.accept(","):
            result.declarators.append(self.declarator(base))
            self.initializer_of(result.declarators[-1])
        if "typedef" in marks:
            self.type_names.update(declarator.name for declarator in result.declarators)
        self.expect(";", "end the declaration with ;")
        return result

    # specifiers: (mark | 'const' | 'volatile' | type word | '__align__' '(' n ')' | '__launch_bounds__' '(' n ')')+
    def specifiers(self) -> tuple[frozenset[str], TypeName]:
        start = self.token
        marks: set[str] = set()
        words: list[str] = []
        const = False
        while self.token.kind == "word":
            text = self.token.text
            if text in MARKS:
                marks.add(text)
            elif text in QUALIFIERS:
                if "restrict" in text:
                    raise Fault(self.token.at, f"{text} does not stand here", f"write it behind the *: int* {text} x")
                const |= text == "const"
            elif text in ALIGNMENTS or text == "__launch_bounds__":
                self.attribute()
                continue
            elif text in BASE_WORDS or (not words and (text in self.type_names or text == "auto")):
                if not words:
                    start = self.token
                words.append(text)
            else:
                break
            self.advance()
        if not words:
            self.unknown_type()
        return frozenset(marks), TypeName(start.at, base_name(start, words), const or "constexpr" in marks)

    # attribute: ('__align__' | 'alignas' | '__launch_bounds__') '(' expression ')'
    def attribute(self) -> None:
        name = self.advance()
        self.expect("(", f"write {name.text}(number)")
        bounds = self.assignment()
        while self.accept(","):
            self.assignment()
        self.expect(")", f"write {name.text}(number)")
        if name.text == "__launch_bounds__":
            self.bounds = bounds

    def unknown_type(self) -> None:
        token = self.token
        known = UNSUPPORTED.get(token.text) or UNSUPPORTED_TYPES.get(token.text)
        if known and token.kind == "word":
            raise Unsupported(token.at, *known)
        if token.kind == "word" and token.text not in RESERVED:
            hint = C_TYPES.get(token.text) or did_you_mean(token.text, self.type_names | BASE_WORDS | MARKS)
            raise Fault(token.at, f"unknown type '{token.text}'", hint or "write a type such as int or float*")
        self.fail_expected("a type", "write a type such as int or float*")

    # declarator: derived (name | '(' derived name ')') array_suffix
    def declarator(self, base: TypeName, named: bool = True) -> Declarator:
        """named False: a parameter of a declaration, which may lack its name."""
        type_name = TypeName(base.at, base.base, base.const)
        self.derived(type_name)
        if self.at("(") and self.look().text in ("*", "&"):
            self.advance()
            inner = TypeName(base.at, "")
            self.derived(inner)
            name = self.declared_name()
            self.expect(")", "write (*name)[columns] for a pointer to rows")
            if self.at("("):
                raise Unsupported(name.at, "pointers to functions", "call the function by its name, or use a macro")
            self.array_suffix(type_name)
            type_name.derivations += inner.derivations
            return Declarator(name.at, name.text, type_name)
        if not named and self.at(",", ")", "[", "="):
            name = Token("word", "", self.token.at, 0)
        else:
            name = self.declared_name()
        self.array_suffix(type_name)
        return Declarator(name.at, name.text, type_name)

    def declared_name(self) -> Token:
        token = self.token
        if token.text == "restrict":
            raise Fault(token.at, "restrict is C, not C++", "write __restrict__")
        if token.kind == "word" and token.text in UNSUPPORTED:
            raise Unsupported(token.at, *UNSUPPORTED[token.text])
        if token.kind == "word" and token.text in NO_NAMES:
            raise Fault(token.at, f"'{token.text}' is a word of the language and cannot be a name", "rename it")
        return self.expect_word("a name", "write the variable's name here")

    # initializer_of: ['=' initializer | braces | '(' arguments]
    def initializer_of(self, declarator: Declarator) -> None:
        if self.accept("="):
            declarator.initializer = self.initializer()
        elif self.at("{"):
            declarator.initializer = self.braces()
        elif self.at("("):
            opening = self.advance()
            if self.at_type() or self.at(")"):
                raise Fault(opening.at, "a function cannot be declared here", "declare it outside of this function")
            from nnlib.cuda.language.parsing.syntax import Braces
            declarator.initializer, declarator.direct = Braces(opening.at, self.arguments()), True
        elif self.at(":"):
            raise Unsupported(self.token.at, "for (x : array)", "count with an index: for (int i = 0; i < n; i++)")

    # enumeration: 'enum' [name] '{' name ['=' assignment] (',' ...)* '}' ';'
    def enumeration(self) -> Enumeration:
        start = self.advance()
        if self.at("class", "struct"):
            raise Unsupported(self.token.at, "enum class", "write a plain enum")
        name = self.advance().text if self.token.kind == "word" else ""
        if self.at(":"):
            raise Unsupported(self.token.at, "an enum with a base type", "write a plain enum, which is an int")
        result = Enumeration(start.at, name, [])
        self.expect("{", "write enum { A, B };")
        while not self.at("}"):
            member = self.expect_word("a name", "write enum { A, B };")
            value = self.assignment() if self.accept("=") else None
            result.members.append((member.at, member.text, value))
            if not self.accept(","):
                break
        self.expect("}", "close the list with }")
        self.expect(";", "end the declaration with ;")
        if name:
            self.type_names.add(name)
        return result

    # using: 'using' name '=' type_name ';'
    def using(self) -> Declaration:
        start = self.advance()
        if self.at("namespace"):
            raise Unsupported(start.at, "using namespace", "remove the line: CUDA's functions need no prefix")
        name = self.expect_word("a name", "write using real = float;")
        self.expect("=", "write using real = float;")
        target = self.type_name()
        self.expect(";", "end the declaration with ;")
        self.type_names.add(name.text)
        return Declaration(start.at, frozenset(("typedef",)), [Declarator(name.at, name.text, target)])

    # static_assertion: 'static_assert' '(' assignment [',' text] ')' ';'
    def static_assertion(self) -> StaticAssert:
        start = self.advance()
        self.expect("(", 'write static_assert(condition, "message");')
        condition = self.assignment()
        message = self.text() if self.accept(",") else ""
        self.expect(")", 'write static_assert(condition, "message");')
        self.expect(";", "end the declaration with ;")
        return StaticAssert(start.at, condition, message)

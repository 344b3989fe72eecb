"""Type names: `const float*`, `unsigned long long`, `float (*)[16]`. One method per rule of the grammar above it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from ..diagnostics import Fault, UndeclaredName, Unsupported, did_you_mean
from ..left_out import refused
from ..types import CG, NAMED
from .lexer import Token
from .syntax import ArrayOf, Node, PointerTo, TypeName
from .token_stream import TokenReader, TokenStream
from .vocabulary import (
    BASE_WORDS,
    MARKS,
    PRECEDENCE,
    QUALIFIERS,
    RESERVED,
    RESTRICT,
    STRUCTS,
    TYPE_WORDS,
    UNSUPPORTED,
)

Parameter = TypeVar("Parameter")
FUNCTION_POINTER = "(*)"  # the base of every type of pointers to functions


class TypeNameParser(TokenReader):
    """Reads names of types.

    known: the names that stand for types here; functions: names of function templates.
    hidden: names of both that a variable has taken, latest last. templates: type names that take <...>.
    length, arguments: read the size of an array, and <...>.
    """

    def __init__(
        self, tokens: TokenStream, length: Callable[[], Node], arguments: Callable[[], list[Node]]
    ) -> None:
        super().__init__(tokens)
        self.length, self.arguments = length, arguments
        self.known = set(NAMED)
        self.functions = {
            CG + name
            for name in (
                "tiled_partition",
                "plus",
                "less",
                "greater",
                "bit_and",
                "bit_or",
                "bit_xor",
            )
        }
        self.hidden: list[tuple[set[str], str]] = []
        self.templates = {CG + "thread_block_tile"}

    def hide(self, name: str) -> None:
        """Note that a variable takes a name: until its block ends, the name stands for no type or template."""
        for names in (self.known, self.functions):
            if name in names:
                names.discard(name)
                self.hidden.append((names, name))

    @contextmanager
    def block(self) -> Iterator[None]:
        """Read a block, after which the names that variables have taken mean types and templates again."""
        count = len(self.hidden)
        yield
        for names, name in self.hidden[count:]:
            names.add(name)
        del self.hidden[count:]

    def starts(self, ahead: int = 0) -> bool:
        """Return whether a type name begins at the next token, or at one further on."""
        token = self.look(ahead)
        return token.kind == "word" and (
            token.text in TYPE_WORDS or token.text in self.known or self.is_inner(token, ahead)
        )

    def is_inner(self, token: Token, ahead: int) -> bool:
        """Return whether this is Point::type, followed by the name of a variable."""
        owner = token.text.rpartition("::")[0]
        return owner in self.known and self.look(ahead + 1).kind == "word"

    def starts_cast(self) -> bool:
        """Return whether this ( begins a cast, and not a bracket around float(x)."""
        if not self.starts(1) or self.computes(bracketed=True):
            return False
        look = self.look
        behind = self.tokens.behind(1) if look(1).text == "decltype" else self.behind_arguments(2)
        # (float (*)[16])
        pointer_to_rows = look(behind + 1).text in ("*", "&") and look(behind + 2).text == ")"
        return look(behind).text != "(" or pointer_to_rows

    def constructs(self) -> bool:
        """Return whether the type name that comes next begins a value: float(x), Point{1, 2}."""
        return self.look(self.behind_arguments(1)).text in ("(", "{")

    def computes(self, bracketed: bool = False) -> bool:
        """Return whether the Traits<T>::name that comes next, or comes behind the next (, is a value and not a type."""
        look, behind = self.look, self.behind_arguments(1 + bracketed)
        if look(behind).text != "::":
            return False
        sign, then = look(behind + 2).text, look(behind + 3)
        if sign in ("*", "&"):
            return (
                then.kind == "number"
                or then.text == "("
                or (then.kind == "word" and then.text not in QUALIFIERS)
            )
        if sign in (">", ">>"):
            return bracketed
        return sign in PRECEDENCE or sign == "?" or (sign == "(" and then.text != "*")

    def calls_template(self, is_known: bool) -> bool:
        """Do <...> come next, and then no operand, as in a comparison? A launch needs no known name."""
        behind = self.behind_arguments(0)
        after = self.look(behind).text
        is_launch = after == "<<" and self.look(behind + 1).text == "<"
        return is_launch or (is_known and after in ("(", "{", "<<", ";", ")", ","))

    def behind_arguments(self, ahead: int) -> int:
        """Return the distance behind the <...> that may begin at this distance."""
        start, depth, brackets = ahead, 0, 0
        while (token := self.look(ahead)).text == "<" or depth:
            brackets += token.nesting
            depth += {"<": 1, ">": -1, ">>": -2}.get(token.text, 0) if not brackets else 0
            if token.kind == "end" or token.text in (";", "{", "}") or brackets < 0:
                return start
            ahead += 1
        return ahead

    # type_name: ('const' | 'volatile' | base word)+ abstract_declarator
    def type_name(self) -> TypeName:
        result = self.base()
        self.derived(result)
        if self.accept("("):
            inner = TypeName(result.at, "")
            self.derived(inner)
            self.expect(")", "write (type (*)[columns]) for a pointer to rows")
            return self.built_upon(result, inner)
        return result

    def base(self, plain: bool = False) -> TypeName:
        """Read what stands before the first *. plain: only a single type word follows, as in float(x)."""
        start = self.next
        words: list[str] = []
        const = volatile = False
        while self.starts() and not (plain and words):
            word = self.next.text
            if word in QUALIFIERS:
                const |= word == "const"
                volatile |= word == "volatile"
            elif words and not (word in BASE_WORDS and words[-1] in BASE_WORDS):
                break
            elif word == "decltype":
                return self.type_of()
            elif word in STRUCTS or word in ("enum", "typename"):
                words.append(self.spelt_out())
                continue
            else:
                words.append(word)
            self.advance()
        if not words and start.kind == "word" and start.text not in RESERVED:
            raise unknown_type(start, self.known)
        result = TypeName(start.at, base_name(start, words), const, volatile=volatile)
        return self.completed(result, plain)

    # type_of: 'decltype' '(' assignment ')'
    def type_of(self) -> TypeName:
        """Read decltype(x)."""
        start = self.advance()
        self.expect("(", "write decltype(x)")
        found = TypeName(start.at, start.text, arguments=[self.length()])
        self.expect(")", "write decltype(x)")
        return found

    # spelt_out: ('struct' | 'class' | 'union' | 'enum' | 'typename') name
    def spelt_out(self) -> str:
        """Return the name behind struct, class, enum or typename, which makes it known as a type."""
        self.advance()
        name = self.expect_word("a name", "write for example struct Point").text
        self.known.add(name)
        return name

    # completed: ['<' arguments '>' ['::' name]] ('const' | 'volatile')*
    def completed(self, result: TypeName, plain: bool = False) -> TypeName:
        """Read what follows a type's name and belongs to it. plain: a name behind :: is not the type's."""
        if result.base in self.templates and self.at("<"):
            result.arguments = self.arguments()
            if self.at("::") and not plain:
                self.advance()
                name = self.expect_word("a name", "write for example Traits<T>::type")
                result = TypeName(
                    name.at, name.text, result.const, within=result, volatile=result.volatile
                )
        while self.at("const", "volatile"):
            word = self.advance().text
            result.const |= word == "const"
            result.volatile |= word == "volatile"
        return result

    # derived: ('*' ('const' | 'volatile' | '__restrict__')* )* ['&']
    def derived(self, target: TypeName) -> None:
        while self.at("*", "&", "&&"):
            token = self.advance()
            qualifiers = set()
            while self.next.text in QUALIFIERS:
                qualifiers.add(self.advance().text)
            if token.text == "&&":
                raise Unsupported(token, "rvalue references", "pass the value itself")
            self._not_behind_reference(target)
            if token.text == "&":
                target.refers = True
            else:
                restrict = not qualifiers.isdisjoint(RESTRICT)
                target.derivations.append(PointerTo("const" in qualifiers, restrict))

    @staticmethod
    def _not_behind_reference(target: TypeName) -> None:
        if target.refers:
            raise Fault(
                target,
                "a reference must be the last part of a type",
                "write for example float*&",
            )

    def built_upon(self, target: TypeName, inner: TypeName) -> TypeName:
        """Read [columns] behind the brackets of (*name). inner: the type inside the brackets."""
        if self.at("("):
            return self.function_pointer(target, inner)
        self.array_suffix(target)
        target.derivations += inner.derivations
        target.refers = inner.refers
        return target

    # parameters: '(' ['void' | parameter (',' parameter)*]
    def parameters(self, read: Callable[[], Parameter]) -> list[Parameter]:
        """Read what a function takes, up to its ... or )."""
        self.expect("(")
        result: list[Parameter] = []
        if self.at("void") and self.look().text == ")":
            self.advance()
        while not self.at(")"):
            if result:
                self.expect(",", "separate parameters by , and close the list with )")
            if self.at("..."):
                break
            result.append(read())
        return result

    def _taken(self) -> TypeName:
        """Read a parameter's type; its name does not matter."""
        result = self.type_name()
        if self.next.kind == "word":
            self.advance()
        self.array_suffix(result)
        return result

    # function_pointer: parameters ')'
    def function_pointer(self, result: TypeName, inner: TypeName) -> TypeName:
        """Read the type of a pointer to functions that return `result`, whose parameters come next.

        inner: what stands beside the *.
        """
        takes = self.parameters(self._taken)
        self.expect(")", "close the parameters with )")
        return TypeName(
            result.at,
            FUNCTION_POINTER,
            derivations=inner.derivations[1:],
            refers=inner.refers,
            returns=result,
            takes=takes,
        )

    # array_suffix: ('[' [assignment] ']')*
    def array_suffix(self, target: TypeName) -> None:
        lengths: list[ArrayOf] = []
        while self.accept("["):
            self._not_behind_reference(target)
            lengths.append(ArrayOf(None if self.at("]") else self.length()))
            self.expect("]", "close the array's size with ]")
            self.tokens.longer(len(lengths))
        target.derivations += reversed(lengths)


def unknown_type(name: Token, known: set[str]) -> Fault:
    """Return the Fault for a word that stands where a type is needed."""
    if name.text in UNSUPPORTED:
        return Unsupported(name, *UNSUPPORTED[name.text])
    fault = refused(name, name.text)
    if fault is not None:
        return fault
    hint = did_you_mean(name.text, known | BASE_WORDS | MARKS)
    return UndeclaredName(
        name,
        f"unknown type '{name.text}'",
        hint or "write a type such as int or float*",
        name.text,
    )


def base_name(at: Token, words: list[str]) -> str:
    """Return the one name of a type whose words come in any order: long unsigned int -> unsigned long."""
    if len(words) == 1 and words[0] not in ("signed", "unsigned", "long", "short"):
        return words[0]
    rest = sorted(word for word in words if word not in ("signed", "unsigned"))
    if not words:
        raise Fault(at, "expected a type", "write for example float or int")
    if ("unsigned" in words and "signed" in words) or len(words) - len(rest) > 1:
        raise Fault(at, f"'{' '.join(words)}' is not a type", "write signed or unsigned once")
    names = {
        "double long": "double",  # as in CUDA's kernels
        "": "int",
        "int": "int",
        "char": "char",
        "short": "short",
        "int short": "short",
        "long": "long",
        "int long": "long",
        "long long": "long long",
        "int long long": "long long",
    }
    name = names.get(" ".join(rest))
    if name is None:
        raise Fault(
            at, f"'{' '.join(words)}' is not a type", "write one type, for example unsigned int"
        )
    return f"unsigned {name}" if "unsigned" in words else name

"""Expressions and type names: tokens -> syntax, one method per rule of the grammar above it."""

from __future__ import annotations

from nnlib.cuda.language.diagnostics import Fault, Unsupported
from nnlib.cuda.language.parsing.syntax import (
    Apply,
    ArrayOf,
    Assignment,
    Braces,
    Cast,
    Character,
    Construct,
    Field,
    Identifier,
    Infix,
    Node,
    Number,
    PointerTo,
    Postfix,
    Prefix,
    ReferenceTo,
    SizeOf,
    Subscript,
    Ternary,
    Text,
    TypeName,
)
from nnlib.cuda.language.parsing.token_stream import TokenStream
from nnlib.cuda.language.preprocessing.lexer import Token
from nnlib.cuda.language.types import NAMED

MAX_CHAIN = 128  # operators in a row, as in a + b + c + ...

PRECEDENCE = {
    "||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, ">": 7, "<=": 7, ">=": 7,
    "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
}
ASSIGNMENTS = frozenset(("=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^="))
PREFIXES = frozenset(("+", "-", "!", "~", "*", "&", "++", "--"))

BASE_WORDS = frozenset("void bool char short int long float double signed unsigned".split())
QUALIFIERS = frozenset("const volatile __restrict__ __restrict".split())

# C++ that the simulator leaves out, and what to write instead.
UNSUPPORTED = {
    "template": ("templates here", "write the template outside of functions"),
    "struct": ("struct", "use float2, float3 or float4, or a variable or array for each member"),
    "class": ("class", "use functions and plain variables"),
    "union": ("union", "use __float_as_int() and __int_as_float()"),
    "asm": ("inline PTX", "use the CUDA function that does the same"),
    "__asm__": ("inline PTX", "use the CUDA function that does the same"),
    "goto": ("goto", "use a loop with break or continue"),
    "new": ("new", "use a local array, or pass memory as an argument"),
    "delete": ("delete", "use a local array, or pass memory as an argument"),
    "namespace": ("namespace", "leave it out and write the plain names"),
    "try": ("exceptions", "write the error to an array"),
    "throw": ("exceptions", "write the error to an array"),
    "operator": ("operator overloading", "write a __device__ function with a name"),
    "decltype": ("decltype", "write the type"),
    "dynamic_cast": ("dynamic_cast", "use static_cast"),
    "const_cast": ("const_cast", "use a C cast, for example (float*)p"),
    "thread_local": ("thread_local", "use a local variable"),
}
UNSUPPORTED_TYPES = {
    "half": ("half precision", "use float"),
    "__half": ("half precision", "use float"),
    "half2": ("half precision", "use float2"),
    "__half2": ("half precision", "use float2"),
    "__nv_bfloat16": ("bfloat16", "use float"),
    "wchar_t": ("wchar_t", "use int"),
    **{f"{base}1": ("vectors of one", f"use {base}") for base in ("int", "uint", "float", "double")},
}


class ExpressionParser(TokenStream):
    def __init__(self, tokens: list[Token]) -> None:
        super().__init__(tokens)
        self.type_names = set(NAMED)
        self.template_names: set[str] = set()

    # expression: assignment (',' assignment)*
    def expression(self) -> Node:
        left = self.assignment()
        chain = 0
        while self.at(","):
            chain = self.longer(chain)
            operator = self.advance()
            left = Infix(operator.at, ",", left, self.assignment())
        return left

    # assignment: binary ['?' expression ':' assignment] [('=' | '+=' | ...) assignment]
    def assignment(self) -> Node:
        with self.nested:
            left = self.binary(1)
            if self.at("?"):
                question = self.advance()
                then = self.expression()
                self.expect(":", "write condition ? value_if_true : value_if_false")
                return Ternary(question.at, left, then, self.assignment())
            if self.token.text in ASSIGNMENTS and self.token.kind == "mark":
                operator = self.advance()
                value = self.braces() if self.at("{") else self.assignment()
                return Assignment(operator.at, operator.text[:-1], left, value)
            return left

    # binary: unary (operator binary)*   by precedence, left to right
    def binary(self, lowest: int) -> Node:
        left = self.unary()
        chain = 0
        while self.token.kind == "mark":
            strength = PRECEDENCE.get(self.token.text, 0)
            if strength < lowest:
                break
            chain = self.longer(chain)
            operator = self.advance()
            left = Infix(operator.at, operator.text, left, self.binary(strength + 1))
        return left

    # unary: ('+' | '-' | '!' | '~' | '*' | '&' | '++' | '--') unary | '(' type ')' unary | 'sizeof' ... | postfix
    def unary(self) -> Node:
        token = self.token
        if token.kind == "mark":
            if token.text in PREFIXES:
                with self.nested:
                    self.advance()
                    return Prefix(token.at, token.text, self.unary())
            if token.text == "(" and self.at_cast():
                with self.nested:
                    self.advance()
                    target = self.type_name()
                    self.expect(")", "a cast is written (type)value")
                    if self.at("{"):
                        raise Unsupported(self.token.at, "compound literals", f"write make_{target.base}(...)")
                    return Cast(token.at, target, self.unary(), "c")
        elif token.text in ("sizeof", "alignof"):
            return self.size_of()
        return self.postfix()

    # sizeof: 'sizeof' '(' type ')' | 'sizeof' unary
    def size_of(self) -> Node:
        token = self.advance()
        if token.text == "alignof":
            raise Unsupported(token.at, "alignof", "write the number")
        with self.nested:
            if self.at("(") and self.at_cast():
                self.advance()
                operand: Node = self.type_name()
                self.expect(")", "write sizeof(type)")
            else:
                operand = self.unary()
            return SizeOf(token.at, operand)

    # postfix: primary ('[' expression ']' | '.' name | '->' name | '++' | '--')*
    def postfix(self) -> Node:
        node = self.primary()
        chain = 0
        while self.token.kind == "mark":
            token = self.token
            if token.text == "[":
                self.advance()
                index = self.expression()
                self.expect("]", "close the index with ]")
                node = Subscript(token.at, node, index)
            elif token.text in (".", "->"):
                self.advance()
                name = self.expect_word("a field's name", "write for example .x")
                node = Field(name.at, node, name.text, token.text == "->")
            elif token.text in ("++", "--"):
                self.advance()
                node = Postfix(token.at, token.text, node)
            elif token.text == "(":
                raise Fault(token.at, "this is not a function and cannot be called",
                            "if a product is meant, write * before the bracket")
            else:
                break
            chain = self.longer(chain)
        return node

    # primary: number | character | text+ | '(' expression ')' | name ['(' arguments ')'] | type '(' arguments ')'
    #        | ('static_cast' | 'reinterpret_cast') '<' type '>' '(' expression ')'
    def primary(self) -> Node:
        token = self.token
        if token.kind == "word":
            return self.named()
        if token.kind == "number":
            self.advance()
            return Number(token.at, token.text)
        if token.kind == "char":
            self.advance()
            return Character(token.at, token.text)
        if token.kind == "string":
            return Text(token.at, self.text())
        if self.accept("("):
            node = self.expression()
            self.expect(")", "each ( needs its )")
            return node
        if token.text == "::":
            self.advance()
            return self.primary()
        if token.text == "{":
            raise Fault(token.at, "a list in braces can only initialise a variable", "assign element by element")
        if token.text == "[":
            raise Unsupported(token.at, "lambda functions", "write a __device__ function")
        self.fail_expected("an expression", "something is missing here: a value, a name or a bracket")

    def named(self) -> Node:
        token = self.token
        if token.text in ("static_cast", "reinterpret_cast"):
            return self.cpp_cast()
        if token.text in UNSUPPORTED:
            raise Unsupported(token.at, *UNSUPPORTED[token.text])
        if self.at_type():
            target = self.type_name(plain=True)
            if self.at("{"):
                braces = self.braces()
                return Construct(token.at, target, braces.items, True)
            self.expect("(", f"'{token.text}' is a type: write {token.text}(value) to convert a value")
            return Construct(token.at, target, self.arguments())
        if token.text in RESERVED:
            raise Fault(token.at, f"expected an expression before '{token.text}'",
                        "a statement cannot stand inside an expression")
        self.advance()
        if self.at("::"):
            raise Unsupported(token.at, f"names with {token.text}::", "write the plain name, without it")
        if self.at("<<") and self.look().text == "<":
            raise Unsupported(token.at, "launching a kernel from CUDA code",
                              f"launch it from Python: {token.text}(grid, block, args)")
        templates = self.template_arguments() if self.at("<") and token.text in self.template_names else []
        if self.accept("("):
            return Apply(token.at, token.text, self.arguments(), templates)
        if templates:
            raise Unsupported(token.at, "functions as values", f"call it: {token.text}<...>(...)")
        return Identifier(token.at, token.text)

    # template_arguments: '<' (type_name | additive) (',' ...)* '>'
    def template_arguments(self) -> list[Node]:
        self.advance()
        result: list[Node] = []
        while not result or self.accept(","):
            result.append(self.type_name() if self.at_type() else self.binary(PRECEDENCE["+"]))
        self.expect(">", "close the template arguments with >; put comparisons between ( and )")
        return result

    # cast: ('static_cast' | 'reinterpret_cast') '<' type '>' '(' expression ')'
    def cpp_cast(self) -> Node:
        token = self.advance()
        hint = f"write {token.text}<type>(value)"
        self.expect("<", hint)
        target = self.type_name()
        self.expect(">", hint)
        self.expect("(", hint)
        operand = self.expression()
        self.expect(")", hint)
        return Cast(token.at, target, operand, token.text)

    # arguments: [assignment (',' assignment)*] ')'
    def arguments(self) -> list[Node]:
        arguments: list[Node] = []
        while not self.at(")"):
            if arguments:
                self.expect(",", "separate arguments by , and close the list with )")
            arguments.append(self.assignment())
        self.advance()
        return arguments

    # text: string+
    def text(self) -> str:
        pieces = []
        while self.token.kind == "string":
            pieces.append(self.advance().text[1:-1])
        return "".join(pieces)

    # braces: '{' [initializer (',' initializer)* [',']] '}'
    def braces(self) -> Braces:
        token = self.expect("{")
        items: list[Node] = []
        with self.nested:
            while not self.at("}"):
                if items:
                    self.expect(",", "separate values by , and close the list with }")
                    if self.at("}"):
                        break
                items.append(self.initializer())
        self.advance()
        return Braces(token.at, items)

    # initializer: braces | assignment
    def initializer(self) -> Node:
        if self.at("."):
            raise Unsupported(self.token.at, "initialisers with field names", "write the values in order")
        return self.braces() if self.at("{") else self.assignment()

    # --- type names -----------------------------------------------------------------------

    def at_type(self, ahead: int = 0) -> bool:
        token = self.look(ahead) if ahead else self.token
        return token.kind == "word" and (
            token.text in BASE_WORDS or token.text in QUALIFIERS or token.text in self.type_names)

    def at_cast(self) -> bool:
        """Does this ( begin a cast, and not a bracket around float(x)?"""
        pointer_to_rows = self.look(3).text in ("*", "&") and self.look(4).text == ")"  # (float (*)[16])
        return self.at_type(1) and (self.look(2).text != "(" or pointer_to_rows)

    # type_name: ('const' | 'volatile' | base word)+ abstract_declarator
    def type_name(self, plain: bool = False) -> TypeName:
        """plain: only a single type word follows, as in float(x)."""
        token = self.token
        words: list[str] = []
        const = False
        while self.at_type() and not (plain and words):
            if self.token.text in QUALIFIERS:
                const |= self.token.text == "const"
            elif words and not (self.token.text in BASE_WORDS and words[-1] in BASE_WORDS):
                break
            else:
                words.append(self.token.text)
            self.advance()
        result = TypeName(token.at, base_name(token, words), const)
        if not plain:
            self.derived(result)
            if self.at("("):
                self.expect("(")
                inner = TypeName(token.at, "")
                self.derived(inner)
                self.expect(")", "write (type (*)[columns]) for a pointer to rows")
                self.array_suffix(result)
                result.derivations += inner.derivations
        return result

    # derived: ('*' ('const' | 'volatile' | '__restrict__')* )* ['&']
    def derived(self, target: TypeName) -> None:
        while self.at("*", "&", "&&"):
            token = self.advance()
            const = False
            while self.token.text in QUALIFIERS:
                const |= self.advance().text == "const"
            if token.text == "&&":
                raise Unsupported(token.at, "rvalue references", "pass the value itself")
            target.derivations.append(ReferenceTo() if token.text == "&" else PointerTo(const))

    # array_suffix: ('[' [assignment] ']')*
    def array_suffix(self, target: TypeName) -> None:
        lengths: list[ArrayOf] = []
        while self.accept("["):
            lengths.append(ArrayOf(None if self.at("]") else self.assignment()))
            self.expect("]", "close the array's size with ]")
            self.longer(len(lengths))
        target.derivations += reversed(lengths)

    # --- #if ------------------------------------------------------------------------------

    # directive_condition: expression end
    def directive_condition(self) -> int:
        """The value of an #if condition; names that are no macros count as 0."""
        node = self.expression()
        if self.token.kind != "end":
            self.fail_expected("the end of the line", "an #if takes one condition")
        from nnlib.cuda.language.checking.constants import directive_value
        return directive_value(node)

    def longer(self, chain: int) -> int:
        if chain >= MAX_CHAIN:
            raise Unsupported(self.token.at, f"more than {MAX_CHAIN} operators or else-ifs in a row",
                              "split it into several statements, or use a loop")
        return chain + 1


RESERVED = frozenset("""if else for while do switch case default break continue return typedef using static extern
    inline constexpr enum auto __shared__ __constant__ __device__ __global__ __host__ register""".split())


def base_name(at: Token, words: list[str]) -> str:
    """Type words in any order -> the type's one name: long unsigned int -> unsigned long."""
    if len(words) == 1 and words[0] not in ("signed", "unsigned", "long", "short"):
        return words[0]
    rest = sorted(word for word in words if word not in ("signed", "unsigned"))
    if not words:
        raise Fault(at.at, "expected a type", "write for example float or int")
    if "unsigned" in words and "signed" in words or len(words) - len(rest) > 1:
        raise Fault(at.at, f"'{' '.join(words)}' is not a type", "write signed or unsigned once")
    if rest == ["double", "long"]:
        raise Unsupported(at.at, "long double", "use double")
    names = {"": "int", "int": "int", "char": "char", "short": "short", "int short": "short", "long": "long",
             "int long": "long", "long long": "long long", "int long long": "long long"}
    name = names.get(" ".join(rest))
    if name is None:
        raise Fault(at.at, f"'{' '.join(words)}' is not a type", "write one type, for example unsigned int")
    return f"unsigned {name}" if "unsigned" in words else name

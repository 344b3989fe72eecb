"""Expressions: tokens -> syntax, one method per rule of the grammar above it."""

from __future__ import annotations

from collections.abc import Callable

from ..cuda_functions import INTRINSICS
from ..diagnostics import Fault, Unsupported
from ..left_out import refused
from ..tree import Position
from .lexer import Token
from .syntax import (
    Assignment,
    Braces,
    CallSyntax,
    Cast,
    Character,
    Construct,
    DeleteSyntax,
    Designated,
    FunctionDefinition,
    Identifier,
    Infix,
    Lambda,
    LaunchSyntax,
    MemberAccess,
    NewSyntax,
    Node,
    Number,
    OffsetOf,
    Postfix,
    Prefix,
    QuotedText,
    Scoped,
    SizeOfSyntax,
    Subscript,
    Ternary,
    TypeName,
)
from .token_stream import TokenReader, TokenStream
from .type_names import TypeNameParser
from .vocabulary import (
    ASSIGNMENTS,
    POSTFIXES,
    PRECEDENCE,
    PREFIXES,
    RESERVED,
    UNSUPPORTED,
)


class ExpressionParser(TokenReader):
    """Reads expressions from tokens.

    templates: names of the function templates so far. closing: the next > outside of brackets closes a list of template
    arguments. function: reads the function of a lambda.
    """

    function: Callable[[Position], FunctionDefinition]

    def __init__(self, tokens: TokenStream) -> None:
        super().__init__(tokens)
        self.types = TypeNameParser(tokens, self.assignment, self.template_arguments)
        self.templates = self.types.functions
        self.variables: set[str] = set()  # names of templates of variables
        self.closing = False

    # expression: assignment (',' assignment)*
    def expression(self) -> Node:
        left = self.assignment()
        chain = 0
        while self.at(","):
            chain = self.tokens.longer(chain)
            operator = self.advance()
            left = Infix(operator.at, ",", left, self.assignment())
        return left

    # assignment: binary ['?' expression ':' assignment] [('=' | '+=' | ...) assignment]
    def assignment(self) -> Node:
        with self.tokens.nested:
            left = self.binary(1)
            if self.at("?"):
                question = self.advance()
                then = self.expression()
                self.expect(":", "write condition ? value_if_true : value_if_false")
                return Ternary(question.at, left, then, self.assignment())
            if self.next.text in ASSIGNMENTS and self.next.kind == "mark":
                operator = self.advance()
                value = self.braces() if self.at("{") else self.assignment()
                return Assignment(operator.at, operator.text[:-1], left, value)
            return left

    # binary: unary (operator binary)*   by precedence, left to right
    def binary(self, lowest: int) -> Node:
        left = self.unary()
        chain = 0
        while self.next.kind == "mark":
            strength = PRECEDENCE.get(self.next.text, 0)
            if strength < lowest or (self.closing and self.next.text[0] == ">"):
                break
            chain = self.tokens.longer(chain)
            operator = self.advance()
            left = Infix(operator.at, operator.text, left, self.binary(strength + 1))
        return left

    # unary: ('+' | '-' | '!' | '~' | '*' | '&' | '++' | '--') unary | '(' type ')' unary | 'sizeof' ... | postfix
    def unary(self) -> Node:
        token = self.next
        if token.kind == "mark":
            if token.text in PREFIXES:
                with self.tokens.nested:
                    self.advance()
                    return Prefix(token.at, token.text, self.unary())
            if token.text == "(" and self.types.starts_cast():
                with self.tokens.nested:
                    self.advance()
                    target = self.types.type_name()
                    self.expect(")", "a cast is written (type)value")
                    if self.at("{"):
                        return Construct(token.at, target, self.braces().items, True)
                    return Cast(token.at, target, self.unary(), "c")
        elif token.text in ("sizeof", "alignof"):
            return self.size_of()
        elif token.text == "delete":
            return self.delete()
        elif token.text in ("offsetof", "__builtin_offsetof") and self.look().text == "(":
            return self.offset_of()
        return self.postfix()

    # delete: 'delete' ['[' ']'] unary
    def delete(self) -> Node:
        token = self.advance()
        array = self.accept("[")
        if array:
            self.expect("]", "write delete[] pointer")
        with self.tokens.nested:
            return DeleteSyntax(token.at, self.unary(), array)

    # offsetof: 'offsetof' '(' type ',' name ('.' name)* ')'
    def offset_of(self) -> Node:
        token, hint = self.advance(), "write offsetof(type, member)"
        self.advance()
        result = OffsetOf(token.at, self.types.type_name(), [])
        self.expect(",", hint)
        while not result.path or self.accept("."):
            result.path.append(self.expect_word("a member's name", hint).text)
        self.expect(")", hint)
        return result

    # sizeof: ('sizeof' | 'alignof') ('(' type ')' | unary)
    def size_of(self) -> Node:
        token = self.advance()
        with self.tokens.nested:
            if self.at("(") and self.types.starts_cast():
                self.advance()
                operand: Node = self.types.type_name()
                self.expect(")", "write sizeof(type)")
            else:
                operand = self.unary()
            return SizeOfSyntax(token.at, operand, token.text == "alignof")

    # postfix: primary ('[' expression ']' | '.' name | '->' name | '++' | '--')*
    def postfix(self) -> Node:
        node = self.primary()
        chain = 0
        while self.next.text in POSTFIXES:
            if self.at("<<") and self.look().text != "<":
                break
            token = self.advance()
            at = node.at if isinstance(node, Identifier | MemberAccess | Scoped) else token.at
            if token.text == "[":
                node = Subscript(token.at, node, self.expression())
                self.expect("]", "close the index with ]")
            elif token.text in (".", "->"):
                self.accept("template")
                name = self.expect_word("a field's name", "write for example .x")
                kinds = self.template_arguments() if self.is_template(name) else []
                node = MemberAccess(name.at, node, name.text, token.text == "->", kinds)
            elif token.text == "(":
                node = CallSyntax(at, node, self.arguments())
            elif token.text == "<<":
                node = self.launch(at, node)
            else:
                node = Postfix(token.at, token.text, node)
            chain = self.tokens.longer(chain)
        return node

    # primary: number | character | text+ | '(' expression ')' | name ['(' arguments ')'] | type '(' arguments ')'
    #        | ('static_cast' | 'reinterpret_cast') '<' type '>' '(' expression ')'
    def primary(self) -> Node:
        token = self.next
        if token.kind == "word":
            return self.named()
        if token.kind in ("number", "char"):
            self.advance()
            return (Number if token.kind == "number" else Character)(token.at, token.text)
        if token.kind == "string":
            return QuotedText(token.at, self.text())
        if self.accept("("):
            outside, self.closing = self.closing, False
            node = self.expression()
            self.closing = outside
            self.expect(")", "each ( needs its )")
            return node
        if self.accept("::"):
            return self.primary()
        if token.text == "{":
            raise Fault(
                token,
                "a list in braces can only initialise a variable",
                "assign element by element",
            )
        if token.text == "[":
            return self.closure()
        self.tokens.fail_expected(
            "an expression",
            "remove the :, and put what belongs together between { and }"
            if token.text == ":"
            else "something is missing here: a value, a name or a bracket",
        )

    def named(self) -> Node:
        token = self.next
        if token.text in ("static_cast", "reinterpret_cast", "const_cast"):
            return self.cpp_cast()
        if token.text == "new":
            return self.new()
        if token.text in UNSUPPORTED:
            raise Unsupported(token, *UNSUPPORTED[token.text])
        if self.types.starts():
            target = self.types.base(plain=True)
            if self.accept("::"):
                member = self.expect_word("a name", "write the name of a member")
                return Scoped(token.at, target, member.text)
            if self.at("{"):
                return Construct(token.at, target, self.braces().items, True)
            if self.at(",", ">"):
                raise Fault(
                    token,
                    f"'{token.text}' is a type, and no value",
                    "if it is an argument of a template, the name before < is not known: is its namespace missing, as in "
                    "wmma::fragment<...>?",
                )
            self.expect(
                "(", f"'{token.text}' is a type: write {token.text}(value) to convert a value"
            )
            return Construct(token.at, target, self.arguments())
        if token.text in RESERVED:
            raise Fault(
                token,
                f"expected an expression before '{token.text}'",
                "a statement cannot stand inside an expression",
            )
        self.advance()
        if self.at("::"):
            raise Unsupported(
                token, f"names with {token.text}::", "write the plain name, without it"
            )
        known = self.templates | self.variables
        if (  # tex2D<float>, and no y0 < y1
            self.at("<") and token.text not in known and self.types.starts(1)
        ):
            if token.text in INTRINSICS:
                return self.converted_call(token)
            if fault := refused(token, token.text):
                raise fault
        # is_same_v<A, B> is the value in a struct
        if self.at("<") and token.text in self.variables:
            return Scoped(
                token.at,
                TypeName(token.at, token.text, arguments=self.template_arguments()),
                "value",
            )
        templates = self.template_arguments() if self.is_template(token) else []
        name = Identifier(token.at, token.text, templates)
        if templates and self.at("{"):  # cg::plus<float>{}
            return CallSyntax(token.at, name, self.braces().items)
        return name

    def converted_call(self, name: Token) -> Node:
        """Read min<int>(a, b), a function of CUDA's with casts of its arguments; the last type serves all remaining arguments."""
        kinds = self.template_arguments()
        self.expect("(", f"write {name.text}(a, b)")
        arguments = self.arguments()
        types = [kind for kind in kinds if isinstance(kind, TypeName)]
        called = Identifier(name.at, name.text)
        if len(types) < len(kinds):
            called.template_arguments = kinds
        else:
            arguments = [
                Cast(argument.at, kind, argument, "static_cast")
                for argument, kind in zip(
                    arguments, types + types[-1:] * len(arguments), strict=False
                )
            ]
        return CallSyntax(name.at, called, arguments)

    def is_template(self, name: Token) -> bool:
        """Return whether template arguments follow, and not a comparison."""
        known = not self.templates.isdisjoint((name.text, name.text.rpartition("::")[2]))
        return self.at("<") and self.types.calls_template(known)

    # new: 'new' type_name ['[' expression ']' | '(' arguments | braces]
    def new(self) -> Node:
        token = self.advance()
        if self.at("("):
            raise Unsupported(
                token, "new in memory that is there already", "assign the values to its elements"
            )
        target = self.types.base()
        self.types.derived(target)
        count: Node | None = None
        arguments: list[Node] | None = None
        if self.accept("["):
            count = self.expression()
            self.expect("]", "write new type[count]")
        if self.accept("("):
            arguments = self.arguments()
        elif self.at("{"):
            arguments = self.braces().items
        return NewSyntax(token.at, target, count, arguments)

    # launch: '<<<' assignment (',' assignment)* '>>>' '(' arguments
    def launch(self, at: Position, value: Node) -> Node:
        name = value.name if isinstance(value, Identifier) else "kernel"
        hint = f"write {name}<<<grid, block>>>(arguments);"
        self.advance()
        configuration = [self.template_argument()]
        while self.accept(","):
            configuration.append(self.template_argument())
        self.expect(">>", hint)
        self.expect(">", hint)
        self.expect("(", hint)
        return LaunchSyntax(at, value, configuration, self.arguments())

    # closure: '[' [capture (',' capture)*] ']' lambda_function
    def closure(self) -> Node:
        """Read a lambda."""
        opening = self.advance()
        names: list[tuple[str, bool]] = []
        everything = ""
        if self.at("=") or (self.at("&") and self.look().text in (",", "]")):
            everything = self.advance().text
        while not self.at("]"):
            if names or everything:
                self.expect(",", "separate captures by , and close the list with ]")
            if self.at("this", "*"):
                raise Unsupported(
                    self.next, "lambdas that keep the object around them", "write [=]"
                )
            refers = self.accept("&")
            name = self.expect_word("a name", "write [=] or the names of variables")
            if self.at("="):
                raise Unsupported(self.next, "captures with a value", "use a variable")
            names.append((name.text, refers))
        self.advance()
        return Lambda(opening.at, names, everything, self.function(opening.at))

    # template_arguments: '<' (type_name | template_argument) (',' ...)* '>'
    def template_arguments(self) -> list[Node]:
        self.advance()
        result: list[Node] = []
        while not self.at(">") if not result else self.accept(","):
            type_comes = self.types.starts() and not self.types.computes()
            result.append(self.types.type_name() if type_comes else self.template_argument())
        self.tokens.close_angle(
            "close the template arguments with >; put comparisons between ( and )"
        )
        return result

    # template_argument: assignment without >
    def template_argument(self) -> Node:
        """Read a value in <...>."""
        outside, self.closing = self.closing, True
        value = self.assignment()
        self.closing = outside
        return value

    # cast: ('static_cast' | 'reinterpret_cast') '<' type '>' '(' expression ')'
    def cpp_cast(self) -> Node:
        token = self.advance()
        hint = f"write {token.text}<type>(value)"
        self.expect("<", hint)
        target = self.types.type_name()
        self.expect(">", hint)
        self.expect("(", hint)
        operand = self.expression()
        self.expect(")", hint)
        return Cast(token.at, target, operand, "c" if token.text == "const_cast" else token.text)

    # arguments: [assignment (',' assignment)*] ')'
    def arguments(self) -> list[Node]:
        arguments: list[Node] = []
        outside, self.closing = self.closing, False
        while not self.at(")"):
            if arguments:
                self.expect(",", "separate arguments by , and close the list with )")
            arguments.append(self.initializer())
        self.closing = outside
        self.advance()
        return arguments

    # text: string+
    def text(self) -> str:
        pieces = []
        while self.next.kind == "string":
            pieces.append(self.advance().text[1:-1])
        return "".join(pieces)

    # braces: '{' [initializer (',' initializer)* [',']] '}'
    def braces(self) -> Braces:
        token = self.expect("{")
        items: list[Node] = []
        with self.tokens.nested:
            while not self.at("}"):
                if items:
                    self.expect(",", "separate values by , and close the list with }")
                    if self.at("}"):
                        break
                items.append(self.initializer())
        self.advance()
        return Braces(token.at, items)

    # initializer: ['.' name '='] (braces | assignment)
    def initializer(self) -> Node:
        if self.at(".") and self.look().kind == "word":
            start = self.advance()
            name = self.advance()
            if not self.at("{"):
                self.expect("=", "write .name = value")
            return Designated(start.at, name.text, self.initializer())
        return self.braces() if self.at("{") else self.assignment()

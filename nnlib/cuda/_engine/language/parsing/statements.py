"""Statements: tokens -> syntax."""

from __future__ import annotations

from ..diagnostics import Fault, Unsupported
from .declarations import DeclarationParser
from .lexer import Token
from .syntax import (
    CaseSyntax,
    Compound,
    Declarator,
    DoWhileSyntax,
    Evaluate,
    ForEach,
    ForSyntax,
    IfSyntax,
    Jump,
    LabelSyntax,
    Node,
    ReturnSyntax,
    SwitchSyntax,
    ThrowSyntax,
    TrySyntax,
)
from .token_stream import TokenReader
from .vocabulary import RESERVED, UNSUPPORTED


class StatementParser(TokenReader):
    """Reads statements, and with them the bodies of functions. NAME_rule reads one that begins with that word."""

    def __init__(self, declarations: DeclarationParser) -> None:
        super().__init__(declarations.tokens)
        self.types = declarations.types
        self.declarations, self.expressions = declarations, declarations.expressions

    # statement: compound | if | for | while | do | switch | 'break' ';' | 'continue' ';' | 'return' [expression] ';'
    #          | declaration | [expression] ';'
    def statement(self) -> Node:
        with self.tokens.nested:
            token = self.next
            if token.text == "{" and token.kind == "mark":
                return self.compound()
            rule = getattr(self, f"{token.text}_rule", None) if token.kind == "word" else None
            if rule is not None:
                found: Node = rule()
                return found
            return self.statement_without_body()

    def _begins_with_temporary(self) -> bool:
        """Return whether square()(x) or Scan(room).sum(x) follows, which calls an object, and not a declaration."""
        opening = self.types.behind_arguments(1)
        if self.look(opening).text != "(":
            return False
        after = self.look(self.tokens.behind(opening - 1)).text
        return self.look(opening + 1).text == ")" or after == "."

    # compound: '{' statement* '}'
    def compound(self) -> Compound:
        opening = self.expect("{", "begin the body with {")
        statements: list[Node] = []
        with self.types.block():
            while not self.tokens.closes(opening):
                statements.append(self.statement())
        return Compound(opening.at, statements)

    # expression_statement: [expression] ';'
    def expression_statement(self) -> Node:
        token = self.next
        if self.accept(";"):
            return Compound(token.at, [])
        if token.kind == "word" and token.text not in RESERVED and token.text not in UNSUPPORTED:
            if self.look().kind == "word":
                self.declarations.unknown_type()
            if self.look().text == ":":
                self.advance()
                self.advance()
                return LabelSyntax(token.at, token.text)
        expression = self.expressions.expression()
        if self.at("if") and self.next.at.line == expression.at.line:
            self.tokens.fail_expected("';'", "C writes test ? a : b for a if test else b")
        self.tokens.end_statement()
        return Evaluate(expression.at, expression)

    # goto: 'goto' name ';'
    def goto_rule(self) -> Jump:
        token = self.advance()
        label = self.expect_word("a label", "write goto end; and end: before a later statement")
        self.tokens.end_statement()
        return Jump(token.at, "goto", label.text)

    # if: 'if' '(' expression ')' statement ['else' statement]
    def if_rule(self) -> IfSyntax:
        # A chain of else-ifs is a flat thing to its writer: read it in a loop, not by recursion.
        first = last = self.if_branch()
        chain = 0
        while self.accept("else"):
            chain = self.tokens.longer(chain)
            if not self.at("if"):
                last.otherwise = self.statement()
                break
            last.otherwise = self.if_branch()
            last = last.otherwise
        return first

    def if_branch(self) -> IfSyntax:
        token = self.advance()
        constexpr = self.accept("constexpr")
        condition = self.condition("write if (condition)")
        for operator in ("&&", "||"):
            if self.at(operator):
                self.tokens.fail_expected(
                    "a statement",
                    f"brackets stand around the whole condition: if ((a < b) {operator} (c < d))",
                )
        bare = self.at(";")
        return IfSyntax(token.at, condition, self.statement(), None, constexpr, bare)

    def condition(self, hint: str) -> Node:
        self.expect("(", hint)
        if self.declarations.starts() and self.look(self.types.behind_arguments(1)).text not in (
            "(",
            "{",
            "::",
        ):
            raise Unsupported(
                self.next,
                "declaring a variable in a condition",
                "declare it in the line before",
            )
        condition = self.expressions.expression()
        self.expect(")", hint)
        return condition

    # for: 'for' '(' (declaration | [expression] ';') [expression] ';' [expression] ')' statement
    def for_rule(self) -> Node:
        token, hint = self.advance(), "write for (int i = 0; i < n; i++)"
        self.expect("(", hint)
        with self.types.block():
            if self.is_for_each():
                return self.for_each(token)
            init = None if self.accept(";") else self.statement_without_body()
            condition = self.unless(";")
            self.expect(";", hint)
            step = self.unless(")")
            self.expect(")", hint)
            bare = self.at(";")
            return ForSyntax(token.at, init, condition, step, self.statement(), bare)

    def statement_without_body(self) -> Node:
        """Read a declaration, or an expression as a statement."""
        if self.declarations.starts() and not self._begins_with_temporary():
            return self.declarations.declaration()
        return self.expression_statement()

    def unless(self, end: str) -> Node | None:
        """Read the expression before `end`, which may be missing."""
        return None if self.at(end) else self.expressions.expression()

    def is_for_each(self) -> bool:
        """Return whether (type name : ...) comes next."""
        ahead = 0
        while (text := self.look(ahead).text) not in (";", ":", "(", ")", "=", "?", "{", ""):
            ahead += 1
        return text == ":" and self.declarations.starts()

    # for_each: specifiers declarator ':' expression ')' statement
    def for_each(self, start: Token) -> Node:
        variable = self.declarations.declarator(self.declarations.specifiers()[1])
        self.types.hide(variable.name)
        self.expect(":")
        sequence = self.expressions.initializer()
        self.expect(")", "write for (float x : array)")
        return ForEach(start.at, variable, sequence, self.statement())

    # while: 'while' '(' expression ')' statement
    def while_rule(self) -> ForSyntax:
        token, condition = self.advance(), self.condition("write while (condition)")
        return ForSyntax(token.at, None, condition, None, self.statement())

    # do: 'do' statement 'while' '(' expression ')' ';'
    def do_rule(self) -> DoWhileSyntax:
        token = self.advance()
        body = self.statement()
        self.expect("while", "a do loop ends with while (condition);")
        condition = self.condition("write while (condition);")
        self.expect(";", "end the loop with ;")
        return DoWhileSyntax(token.at, body, condition)

    # switch: 'switch' '(' expression ')' '{' statement* (('case' expression | 'default') ':' statement*)* '}'
    def switch_rule(self) -> SwitchSyntax:
        token = self.advance()
        result = SwitchSyntax(
            token.at, self.condition("write switch (value) { case 0: ... }"), [], []
        )
        opening = self.expect("{", "put the cases between { and }")
        body = result.declarations
        while not self.tokens.closes(opening):
            if self.at("case", "default"):
                result.cases.append(self.case_label())
                body = result.cases[-1].body
            else:
                body.append(self.statement())
        return result

    def case_label(self) -> CaseSyntax:
        label = self.advance()
        value = None if label.text == "default" else self.expressions.assignment()
        self.expect(":", "write case 0: or default:")
        return CaseSyntax(label.at, value, [])

    def case_rule(self) -> Node:
        label = self.next
        raise Fault(
            label,
            f"'{label.text}' can only stand directly inside the braces of a switch",
            "put it between the braces of switch (value) { ... }",
        )

    default_rule = case_rule

    def else_rule(self) -> Node:
        raise Fault(
            self.next,
            "else without if",
            "an if takes one statement before else: put several between { and }",
        )

    # jump: ('break' | 'continue') ';'
    def break_rule(self) -> Jump:
        token = self.advance()
        self.expect(";", f"write {token.text};")
        return Jump(token.at, token.text)

    continue_rule = break_rule

    # throw: 'throw' [expression] ';'
    def throw_rule(self) -> ThrowSyntax:
        token = self.advance()
        value = self.unless(";")
        self.tokens.end_statement()
        return ThrowSyntax(token.at, value)

    # try: 'try' compound ('catch' '(' ('...' | specifiers declarator) ')' compound)+
    def try_rule(self) -> TrySyntax:
        token = self.advance()
        body = self.compound()
        handlers: list[tuple[Declarator | None, Node]] = []
        while self.at("catch") or not handlers:
            self.expect("catch", "write catch (const std::exception& error) { ... }")
            self.expect("(", "write catch (const std::exception& error) { ... }")
            declarator = None
            with self.types.block():
                if not self.accept("..."):
                    declarator = self.declarations.declarator(
                        self.declarations.specifiers()[1], named=False
                    )
                    self.types.hide(declarator.name)
                self.expect(")", "one exception is caught at a time")
                handlers.append((declarator, self.compound()))
        return TrySyntax(token.at, body, handlers)

    # return: 'return' [expression | braces] ';'
    def return_rule(self) -> ReturnSyntax:
        token = self.advance()
        value = self.expressions.braces() if self.at("{") else self.unless(";")
        self.tokens.end_statement()
        return ReturnSyntax(token.at, value)

"""Statements: tokens -> syntax."""

from __future__ import annotations

from collections.abc import Callable

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
    WhileSyntax,
)
from .vocabulary import RESERVED, UNSUPPORTED


class StatementParser:
    """Reads statements, and with them the bodies of functions."""

    def __init__(self, declarations: DeclarationParser) -> None:
        self.tokens, self.types = declarations.tokens, declarations.types
        self.declarations, self.expressions = declarations, declarations.expressions
        self.rules: dict[str, Callable[[], Node]] = {
            "if": self.if_statement,
            "for": self.for_statement,
            "while": self.while_statement,
            "do": self.do_statement,
            "switch": self.switch_statement,
            "break": self.jump_statement,
            "continue": self.jump_statement,
            "goto": self.goto_statement,
            "return": self.return_statement,
            "try": self.try_statement,
            "throw": self.throw_statement,
            "case": self.stray_label,
            "default": self.stray_label,
            "else": self.stray_else,
        }

    # statement: compound | if | for | while | do | switch | 'break' ';' | 'continue' ';' | 'return' [expression] ';'
    #          | declaration | [expression] ';'
    def statement(self) -> Node:
        with self.tokens.nested:
            token = self.tokens.next
            if token.text == "{" and token.kind == "mark":
                return self.compound()
            rule = self.rules.get(token.text) if token.kind == "word" else None
            if rule:
                return rule()
            if self.declarations.starts() and not self._begins_with_temporary():
                return self.declarations.declaration()
            return self.expression_statement()

    def _begins_with_temporary(self) -> bool:
        """Tells square()(x) and Scan(room).sum(x), which call an object, from a declaration."""
        opening = self._behind_type()
        if self.tokens.look(opening).text != "(":
            return False
        after = self.tokens.look(self.tokens.behind(opening - 1)).text
        return self.tokens.look(opening + 1).text == ")" or after == "."

    # compound: '{' statement* '}'
    def compound(self) -> Compound:
        opening = self.tokens.expect("{", "begin the body with {")
        hidden = len(self.types.hidden)
        statements: list[Node] = []
        while not self.tokens.at("}"):
            if self.tokens.next.kind == "end":
                raise Fault(opening.at, "this { is never closed", "add the missing }")
            statements.append(self.statement())
        self.tokens.advance()
        self.types.reveal(hidden)
        return Compound(opening.at, statements)

    # expression_statement: [expression] ';'
    def expression_statement(self) -> Node:
        token = self.tokens.next
        if self.tokens.accept(";"):
            return Compound(token.at, [])
        if token.kind == "word" and token.text not in RESERVED and token.text not in UNSUPPORTED:
            if self.tokens.look().kind == "word":
                self.declarations.unknown_type()
            if self.tokens.look().text == ":":
                self.tokens.advance()
                self.tokens.advance()
                return LabelSyntax(token.at, token.text)
        expression = self.expressions.expression()
        if self.tokens.at("if") and self.tokens.next.at.line == expression.at.line:
            self.tokens.fail_expected("';'", "C writes test ? a : b for a if test else b")
        self.tokens.end_statement()
        return Evaluate(expression.at, expression)

    # goto: 'goto' name ';'
    def goto_statement(self) -> Jump:
        token = self.tokens.advance()
        label = self.tokens.expect_word(
            "a label", "write goto end; and end: before a later statement"
        )
        self.tokens.end_statement()
        return Jump(token.at, "goto", label.text)

    # if: 'if' '(' expression ')' statement ['else' statement]
    def if_statement(self) -> IfSyntax:
        # A chain of else-ifs is a flat thing to its writer: read it in a loop, not by recursion.
        first = last = self.if_branch()
        chain = 0
        while self.tokens.accept("else"):
            chain = self.tokens.longer(chain)
            if not self.tokens.at("if"):
                last.otherwise = self.statement()
                break
            last.otherwise = self.if_branch()
            last = last.otherwise
        return first

    def if_branch(self) -> IfSyntax:
        token = self.tokens.advance()
        constexpr = self.tokens.accept("constexpr")
        condition = self.condition("write if (condition)")
        for operator in ("&&", "||"):
            if self.tokens.at(operator):
                self.tokens.fail_expected(
                    "a statement",
                    f"brackets stand around the whole condition: if ((a < b) {operator} (c < d))",
                )
        bare = self.tokens.at(";")
        return IfSyntax(token.at, condition, self.statement(), None, constexpr, bare)

    def condition(self, hint: str) -> Node:
        self.tokens.expect("(", hint)
        if self.declarations.starts() and self.tokens.look(self._behind_type()).text not in (
            "(",
            "{",
            "::",
        ):
            raise Unsupported(
                self.tokens.next.at,
                "declaring a variable in a condition",
                "declare it in the line before",
            )
        condition = self.expressions.expression()
        self.tokens.expect(")", hint)
        return condition

    def _behind_type(self) -> int:
        """How far it is to what follows the type that comes next: :: in is_same<A, B>::value, which is no declaration."""
        ahead = depth = 1 if self.tokens.look().text == "<" else 0
        while depth and self.tokens.look(ahead).kind != "end":
            ahead += 1
            depth += {"<": 1, ">": -1, ">>": -2}.get(self.tokens.look(ahead).text, 0)
        return ahead + 1

    # for: 'for' '(' (declaration | [expression] ';') [expression] ';' [expression] ')' statement
    def for_statement(self) -> Node:
        token = self.tokens.advance()
        hint, hidden = "write for (int i = 0; i < n; i++)", len(self.types.hidden)
        self.tokens.expect("(", hint)
        if self.is_for_each():
            return self.for_each(token)
        if self.declarations.starts():
            init: Node | None = self.declarations.declaration()
        elif self.tokens.accept(";"):
            init = None
        else:
            init = self.expression_statement()
        condition = None if self.tokens.at(";") else self.expressions.expression()
        self.tokens.expect(";", hint)
        step = None if self.tokens.at(")") else self.expressions.expression()
        self.tokens.expect(")", hint)
        bare = self.tokens.at(";")
        body = self.statement()
        self.types.reveal(hidden)
        return ForSyntax(token.at, init, condition, step, body, bare)

    def is_for_each(self) -> bool:
        """Does (type name : ...) come next?"""
        ahead = 0
        while (text := self.tokens.look(ahead).text) not in (";", ":", "(", ")", "=", "?", "{", ""):
            ahead += 1
        return text == ":" and self.declarations.starts()

    # for_each: specifiers declarator ':' expression ')' statement
    def for_each(self, start: Token) -> Node:
        hidden = len(self.types.hidden)
        variable = self.declarations.declarator(self.declarations.specifiers()[1])
        self.types.hide(variable.name)
        self.tokens.expect(":")
        sequence = self.expressions.initializer()
        self.tokens.expect(")", "write for (float x : array)")
        body = self.statement()
        self.types.reveal(hidden)
        return ForEach(start.at, variable, sequence, body)

    # while: 'while' '(' expression ')' statement
    def while_statement(self) -> WhileSyntax:
        token = self.tokens.advance()
        return WhileSyntax(token.at, self.condition("write while (condition)"), self.statement())

    # do: 'do' statement 'while' '(' expression ')' ';'
    def do_statement(self) -> DoWhileSyntax:
        token = self.tokens.advance()
        body = self.statement()
        self.tokens.expect("while", "a do loop ends with while (condition);")
        condition = self.condition("write while (condition);")
        self.tokens.expect(";", "end the loop with ;")
        return DoWhileSyntax(token.at, body, condition)

    # switch: 'switch' '(' expression ')' '{' statement* (('case' expression | 'default') ':' statement*)* '}'
    def switch_statement(self) -> SwitchSyntax:
        token = self.tokens.advance()
        result = SwitchSyntax(
            token.at, self.condition("write switch (value) { case 0: ... }"), [], []
        )
        opening = self.tokens.expect("{", "put the cases between { and }")
        while not self.tokens.at("}"):
            if self.tokens.next.kind == "end":
                raise Fault(opening.at, "this { is never closed", "add the missing }")
            if self.tokens.at("case", "default"):
                result.cases.append(self.case_label())
            else:
                body = result.cases[-1].body if result.cases else result.declarations
                body.append(self.statement())
        self.tokens.advance()
        return result

    def case_label(self) -> CaseSyntax:
        label = self.tokens.advance()
        value = None if label.text == "default" else self.expressions.assignment()
        self.tokens.expect(":", "write case 0: or default:")
        return CaseSyntax(label.at, value, [])

    def stray_label(self) -> Node:
        label = self.tokens.next
        raise Fault(
            label.at,
            f"'{label.text}' can only stand directly inside the braces of a switch",
            "put it between the braces of switch (value) { ... }",
        )

    def stray_else(self) -> Node:
        raise Fault(
            self.tokens.next.at,
            "else without if",
            "an if takes one statement before else: put several between { and }",
        )

    # jump: ('break' | 'continue') ';'
    def jump_statement(self) -> Jump:
        token = self.tokens.advance()
        self.tokens.expect(";", f"write {token.text};")
        return Jump(token.at, token.text)

    # return: 'return' [expression] ';'
    def throw_statement(self) -> ThrowSyntax:
        token = self.tokens.advance()
        value = None if self.tokens.at(";") else self.expressions.expression()
        self.tokens.end_statement()
        return ThrowSyntax(token.at, value)

    # try: 'try' compound ('catch' '(' ('...' | specifiers declarator) ')' compound)+
    def try_statement(self) -> TrySyntax:
        token = self.tokens.advance()
        body = self.compound()
        handlers: list[tuple[Declarator | None, Node]] = []
        while self.tokens.at("catch") or not handlers:
            self.tokens.expect("catch", "write catch (const std::exception& error) { ... }")
            self.tokens.expect("(", "write catch (const std::exception& error) { ... }")
            hidden, declarator = len(self.types.hidden), None
            if not self.tokens.accept("..."):
                declarator = self.declarations.declarator(
                    self.declarations.specifiers()[1], named=False
                )
                self.types.hide(declarator.name)
            self.tokens.expect(")", "one exception is caught at a time")
            handlers.append((declarator, self.compound()))
            self.types.reveal(hidden)
        return TrySyntax(token.at, body, handlers)

    # return: 'return' [expression | braces] ';'
    def return_statement(self) -> ReturnSyntax:
        token = self.tokens.advance()
        value: Node | None = None
        if self.tokens.at("{"):
            value = self.expressions.braces()
        elif not self.tokens.at(";"):
            value = self.expressions.expression()
        self.tokens.end_statement()
        return ReturnSyntax(token.at, value)

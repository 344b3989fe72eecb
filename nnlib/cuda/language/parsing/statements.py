"""Statements: tokens -> syntax."""

from __future__ import annotations

from nnlib.cuda.language.diagnostics import Fault, Unsupported
from nnlib.cuda.language.parsing.declarations import DeclarationParser
from nnlib.cuda.language.parsing.expressions import RESERVED, UNSUPPORTED
from nnlib.cuda.language.parsing.syntax import (
    Case,
    Compound,
    DoWhile,
    Evaluate,
    For,
    If,
    Jump,
    Node,
    Return,
    Switch,
    While,
)


class StatementParser(DeclarationParser):
    # statement: compound | if | for | while | do | switch | 'break' ';' | 'continue' ';' | 'return' [expression] ';'
    #          | declaration | [expression] ';'
    def statement(self) -> Node:
        with self.nested:
            token = self.token
            if token.text == "{" and token.kind == "mark":
                return self.compound()
            rule = self.RULES.get(token.text) if token.kind == "word" else None
            if rule:
                return rule(self)
            if self.at_declaration():
                return self.declaration()
            return self.expression_statement()

    # compound: '{' statement* '}'
    def compound(self) -> Compound:
        opening = self.expect("{", "begin the body with {")
        statements: list[Node] = []
        while not self.at("}"):
            if self.token.kind == "end":
                raise Fault(opening.at, "this { is never closed", "add the missing }")
            statements.append(self.statement())
        self.advance()
        return Compound(opening.at, statements)

    # expression_statement: [expression] ';'
    def expression_statement(self) -> Node:
        token = self.token
        if self.accept(";"):
            return Compound(token.at, [])
        if token.kind == "word" and token.text not in RESERVED and token.text not in UNSUPPORTED:
            if self.look().kind == "word":
                self.unknown_type()
            if self.look().text == ":":
                raise Unsupported(token.at, "labels", "use a loop with break or continue")
        expression = self.expression()
        self.expect(";", "end the statement with ;")
        return Evaluate(expression.at, expression)

    # if: 'if' '(' expression ')' statement ['else' statement]
    def if_statement(self) -> If:
        # A chain of else-ifs is a flat thing to its writer: read it in a loop, not by recursion.
        first = last = self.if_branch()
        chain = 0
        while self.accept("else"):
            chain = self.longer(chain)
            if not self.at("if"):
                last.otherwise = self.statement()
                break
            last.otherwise = self.if_branch()
            last = last.otherwise
        return first

    def if_branch(self) -> If:
        token = self.advance()
        constexpr = self.accept("constexpr")
        condition = self.condition("write if (condition)")
        return If(token.at, condition, self.statement(), None, constexpr)

    def condition(self, hint: str) -> Node:
        self.expect("(", hint)
        if self.at_declaration() and self.look().text != "(":
            raise Unsupported(self.token.at, "declaring a variable in a condition", "declare it in the line before")
        condition = self.expression()
        self.expect(")", hint)
        return condition

    # for: 'for' '(' (declaration | [expression] ';') [expression] ';' [expression] ')' statement
    def for_statement(self) -> For:
        token = self.advance()
        hint = "write for (int i = 0; i < n; i++)"
        self.expect("(", hint)
        if self.at_declaration():
            init: Node | None = self.declaration()
        elif self.accept(";"):
            init = None
        else:
            init = self.expression_statement()
        condition = None if self.at(";") else self.expression()
        self.expect(";", hint)
        step = None if self.at(")") else self.expression()
        self.expect(")", hint)
        return For(token.at, init, condition, step, self.statement())

    # while: 'while' '(' expression ')' statement
    def while_statement(self) -> While:
        token = self.advance()
        return While(token.at, self.condition("write while (condition)"), self.statement())

    # do: 'do' statement 'while' '(' expression ')' ';'
    def do_statement(self) -> DoWhile:
        token = self.advance()
        body = self.statement()
        self.expect("while", "a do loop ends with while (condition);")
        condition = self.condition("write while (condition);")
        self.expect(";", "end the loop with ;")
        return DoWhile(token.at, body, condition)

    # switch: 'switch' '(' expression ')' '{' (('case' expression | 'default') ':' statement*)* '}'
    def switch_statement(self) -> Switch:
        token = self.advance()
        result = Switch(token.at, self.condition("write switch (value) { case 0: ... }"), [])
        opening = self.expect("{", "put the cases between { and }")
        while not self.at("}"):
            if self.token.kind == "end":
                raise Fault(opening.at, "this { is never closed", "add the missing }")
            if self.at("case", "default"):
                result.cases.append(self.case_label())
            elif result.cases:
                result.cases[-1].body.append(self.statement())
            else:
                raise Fault(self.token.at, "a switch begins with case or default", "put a case before this statement")
        self.advance()
        return result

    def case_label(self) -> Case:
        label = self.advance()
        value = None if label.text == "default" else self.assignment()
        self.expect(":", "write case 0: or default:")
        return Case(label.at, value, [])

    def stray_label(self) -> Node:
        raise Fault(self.token.at, f"'{self.token.text}' can only stand directly inside the braces of a switch",
                    "put it between the braces of switch (value) { ... }")

    def stray_else(self) -> Node:
        raise Fault(self.token.at, "else without if",
                    "an if takes one statement before else: put several between { and }")

    # jump: ('break' | 'continue') ';'
    def jump_statement(self) -> Jump:
        token = self.advance()
        self.expect(";", f"write {token.text};")
        return Jump(token.at, token.text)

    # return: 'return' [expression] ';'
    def return_statement(self) -> Return:
        token = self.advance()
        value = None
        if self.at("{"):
            raise Unsupported(self.token.at, "returning a list in braces", "write return make_float4(...);")
        if not self.at(";"):
            value = self.expression()
        self.expect(";", "end the statement with ;")
        return Return(token.at, value)

    RULES = {
        "if": if_statement, "for": for_statement, "while": while_statement, "do": do_statement,
        "switch": switch_statement, "break": jump_statement, "continue": jump_statement, "return": return_statement,
        "case": stray_label, "default": stray_label, "else": stray_else,
    }

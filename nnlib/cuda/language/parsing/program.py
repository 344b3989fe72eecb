"""A whole program: functions and module-scope declarations, with or without extern "C"."""

from __future__ import annotations

from nnlib.cuda.language.diagnostics import Fault, Unsupported
from nnlib.cuda.language.parsing.declarations import DeclarationParser
from nnlib.cuda.language.parsing.expressions import ExpressionParser
from nnlib.cuda.language.parsing.statements import StatementParser
from nnlib.cuda.language.parsing.syntax import Declarator, FunctionDefinition, Node, TemplateParameter
from nnlib.cuda.language.parsing.token_stream import TokenStream
from nnlib.cuda.language.parsing.vocabulary import PRECEDENCE, UNSUPPORTED
from nnlib.cuda.language.preprocessing.lexer import Token

_TEMPLATE = "write template <typename T> or template <int N>"


def parse(tokens: list[Token]) -> list[Node]:
    """Declarations in the order of the text. Raises Fault at the first token that does not fit."""
    return ProgramParser(TokenStream(tokens)).program()


class ProgramParser:
    """Reads what stands outside of functions, and the functions."""

    def __init__(self, tokens: TokenStream) -> None:
        self.tokens = tokens
        self.expressions = ExpressionParser(tokens)
        self.types = self.expressions.types
        self.declarations = DeclarationParser(self.expressions)
        self.statements = StatementParser(self.declarations)
        self.template_parameters: list[TemplateParameter] = []  # of the template whose function comes next

    # program: external* end
    def program(self) -> list[Node]:
        items: list[Node] = []
        while self.tokens.next.kind != "end":
            self.external(items, False)
        return items

    # external: 'extern' '"C"' ('{' external* '}' | external) | ';' | declaration | function
    def external(self, items: list[Node], extern_c: bool) -> None:
        if self.tokens.at("extern") and self.tokens.look().kind == "string":
            self.linkage(items)
        elif self.tokens.accept(";"):
            pass
        elif self.tokens.at("}"):
            raise Fault(self.tokens.next.at, "this } closes nothing", "remove it, or add the missing {")
        elif self.tokens.at("enum", "using", "static_assert"):
            items.append(self.declarations.declaration())
        elif self.tokens.at("template"):
            items.append(self.template(extern_c))
        elif self.tokens.next.kind == "word" and self.tokens.next.text in UNSUPPORTED:
            raise Unsupported(self.tokens.next.at, *UNSUPPORTED[self.tokens.next.text])
        elif not self.declarations.starts() and self.tokens.next.kind != "word":
            self.tokens.fail_expected("a declaration", "outside of functions there can only be declarations")
        else:
            items.append(self.function_or_variables(extern_c))

    # linkage: 'extern' '"C"' ('{' external* '}' | external)
    def linkage(self, items: list[Node]) -> None:
        self.tokens.advance()
        language = self.tokens.advance()
        if language.text not in ('"C"', '"C++"'):
            raise Fault(language.at, f"unknown language {language.text}", 'write extern "C"')
        extern_c = language.text == '"C"'
        with self.tokens.nested:
            if not self.tokens.at("{"):
                self.external(items, extern_c)
                return
            opening = self.tokens.advance()
            while not self.tokens.at("}"):
                if self.tokens.next.kind == "end":
                    raise Fault(opening.at, "this { is never closed", "add the missing }")
                self.external(items, extern_c)
            self.tokens.advance()

    # function_or_variables: specifiers declarator ('(' parameters ')' (compound | ';') | declarators)
    def function_or_variables(self, extern_c: bool) -> Node:
        start = self.tokens.next
        self.declarations.bounds = None
        marks, base = self.declarations.specifiers()
        first = self.declarations.declarator(base)
        if self.tokens.at("("):
            return self.function(marks, first, extern_c)
        return self.declarations.declarators(start, marks, base, first)

    # function: '(' [parameter (',' parameter)*] ')' (compound | ';')
    def function(self, marks: frozenset[str], head: Declarator, extern_c: bool) -> FunctionDefinition:
        bounds, self.declarations.bounds = self.declarations.bounds, None
        template, self.template_parameters = self.template_parameters, []
        if template:
            self.expressions.templates.add(head.name)
        self.tokens.advance()
        parameters: list[Declarator] = []
        if self.tokens.at("void") and self.tokens.look().text == ")":
            self.tokens.advance()
        while not self.tokens.at(")"):
            if parameters:
                self.tokens.expect(",", "separate parameters by , and close the list with )")
            parameters.append(self.parameter())
        self.tokens.advance()
        result = FunctionDefinition(head.at, head.name, marks, extern_c, head.type, parameters, bounds, None, template)
        if head.name == "main":
            raise Unsupported(head.at, "main(), which is for the host",
                              "keep the __global__ and __device__ functions; Python makes the arrays and launches")
        if self.tokens.accept(";"):
            return result
        if not self.tokens.at("{"):
            self.tokens.fail_expected(f"the body of '{head.name}'", "write { ... } after the parameters")
        result.body = self.statements.compound()
        return result

    # template: 'template' '<' template_parameter (',' template_parameter)* '>' function
    def template(self, extern_c: bool) -> Node:
        start = self.tokens.advance()
        if extern_c:
            raise Fault(start.at, 'a template cannot be extern "C"', 'move it out of the extern "C" braces')
        self.tokens.expect("<", _TEMPLATE)
        outside = set(self.types.known)
        parameters: list[TemplateParameter] = []
        while not self.tokens.at(">"):
            if parameters:
                self.tokens.expect(",", _TEMPLATE)
            parameters.append(self.template_parameter())
        if not parameters:
            raise Unsupported(start.at, "templates written for one special case", "use if constexpr in the template")
        self.tokens.advance()
        self.template_parameters = parameters
        function = self.function_or_variables(False)
        if not isinstance(function, FunctionDefinition):
            raise Unsupported(start.at, "templates of variables", "write a function or a constant")
        self.types.known = outside
        return function

    # template_parameter: ('typename' | 'class') name ['=' type_name] | parameter
    def template_parameter(self) -> TemplateParameter:
        if not self.tokens.at("typename", "class"):
            value = self.declarations.declarator(self.declarations.specifiers()[1])
            default = self.expressions.binary(PRECEDENCE["+"]) if self.tokens.accept("=") else None
            return TemplateParameter(value.at, value.name, value.type, default)
        self.tokens.advance()
        if self.tokens.at("..."):
            raise Unsupported(self.tokens.next.at, "templates with any number of parameters", "name each parameter")
        name = self.tokens.expect_word("a name", _TEMPLATE)
        self.types.known.add(name.text)
        return TemplateParameter(name.at, name.text, None, self.types.type_name() if self.tokens.accept("=") else None)

    # parameter: specifiers declarator ['=' assignment]
    def parameter(self) -> Declarator:
        if self.tokens.at("..."):
            raise Unsupported(self.tokens.next.at, "functions with any number of parameters", "name each parameter")
        marks, base = self.declarations.specifiers()
        for mark in sorted(marks - {"register", "__grid_constant__"}):
            raise Fault(base.at, f"{mark} does not go with a parameter", "remove it")
        if base.base == "auto":
            raise Unsupported(base.at, "auto parameters", "write the type")
        parameter = self.declarations.declarator(base, named=False)
        if self.tokens.accept("="):
            parameter.initializer = self.expressions.assignment()
        return parameter

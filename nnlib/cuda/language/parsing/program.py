"""A whole program: functions and module-scope declarations, with or without extern "C"."""

from __future__ import annotations

from nnlib.cuda.language.diagnostics import Fault, Unsupported
from nnlib.cuda.language.parsing.expressions import PRECEDENCE, UNSUPPORTED
from nnlib.cuda.language.parsing.statements import StatementParser
from nnlib.cuda.language.parsing.syntax import Declarator, FunctionDefinition, Node, TemplateParameter
from nnlib.cuda.language.preprocessing.lexer import Token

_TEMPLATE = "write template <typename T> or template <int N>"


def parse(tokens: list[Token]) -> list[Node]:
    """Declarations in the order of the text. Raises Fault at the first token that does not fit."""
    return Parser(tokens).program()


class Parser(StatementParser):
    template_parameters: list[TemplateParameter] = []  # of the template whose function comes next

    # program: external* end
    def program(self) -> list[Node]:
        items: list[Node] = []
        while self.token.kind != "end":
            self.external(items, False)
        return items

    # external: 'extern' '"C"' ('{' external* '}' | external) | ';' | declaration | function
    def external(self, items: list[Node], extern_c: bool) -> None:
        if self.at("extern") and self.look().kind == "string":
            self.linkage(items)
        elif self.accept(";"):
            pass
        elif self.at("}"):
            raise Fault(self.token.at, "this } closes nothing", "remove it, or add the missing {")
        elif self.at("enum", "using", "static_assert"):
            items.append(self.declaration())
        elif self.at("template"):
            items.append(self.template(extern_c))
        elif self.token.kind == "word" and self.token.text in UNSUPPORTED:
            raise Unsupported(self.token.at, *UNSUPPORTED[self.token.text])
        elif not self.at_declaration() and self.token.kind != "word":
            self.fail_expected("a declaration", "outside of functions there can only be declarations")
        else:
            items.append(self.function_or_variables(extern_c))

    # linkage: 'extern' '"C"' ('{' external* '}' | external)
    def linkage(self, items: list[Node]) -> None:
        self.advance()
        language = self.advance()
        if language.text not in ('"C"', '"C++"'):
            raise Fault(language.at, f"unknown language {language.text}", 'write extern "C"')
        extern_c = language.text == '"C"'
        with self.nested:
            if not self.at("{"):
                self.external(items, extern_c)
                return
            opening = self.advance()
            while not self.at("}"):
                if self.token.kind == "end":
                    raise Fault(opening.at, "this { is never closed", "add the missing }")
                self.external(items, extern_c)
            self.advance()

    # function_or_variables: specifiers declarator ('(' parameters ')' (compound | ';') | declarators)
    def function_or_variables(self, extern_c: bool) -> Node:
        start = self.token
        self.bounds = None
        marks, base = self.specifiers()
        first = self.declarator(base)
        if self.at("("):
            return self.function(marks, first, extern_c)
        return self.declarators(start, marks, base, first)

    # function: '(' [parameter (',' parameter)*] ')' (compound | ';')
    def function(self, marks: frozenset[str], head: Declarator, extern_c: bool) -> FunctionDefinition:
        bounds, self.bounds = self.bounds, None
        template, self.template_parameters = self.template_parameters, []
        if template:
            self.template_names.add(head.name)
        self.advance()
        parameters: list[Declarator] = []
        if self.at("void") and self.look().text == ")":
            self.advance()
        while not self.at(")"):
            if parameters:
                self.expect(",", "separate parameters by , and close the list with )")
            parameters.append(self.parameter())
        self.advance()
        result = FunctionDefinition(head.at, head.name, marks, extern_c, head.type, parameters, bounds, None, template)
        if head.name == "main":
            raise Unsupported(head.at, "main(), which is for the host",
                              "keep the __global__ and __device__ functions; Python makes the arrays and launches")
        if self.accept(";"):
            return result
        if not self.at("{"):
            self.fail_expected(f"the body of '{head.name}'", "write { ... } after the parameters")
        result.body = self.compound()
        return result

    # template: 'template' '<' template_parameter (',' template_parameter)* '>' function
    def template(self, extern_c: bool) -> Node:
        start = self.advance()
        if extern_c:
            raise Fault(start.at, 'a template cannot be extern "C"', 'move it out of the extern "C" braces')
        self.expect("<", _TEMPLATE)
        outside = set(self.type_names)
        parameters: list[TemplateParameter] = []
        while not self.at(">"):
            if parameters:
                self.expect(",", _TEMPLATE)
            parameters.append(self.template_parameter())
        if not parameters:
            raise Unsupported(start.at, "templates written for one special case", "use if constexpr in the template")
        self.advance()
        self.template_parameters = parameters
        function = self.function_or_variables(False)
        if not isinstance(function, FunctionDefinition):
            raise Unsupported(start.at, "templates of variables", "write a function or a constant")
        self.type_names = outside
        return function

    # template_parameter: ('typename' | 'class') name ['=' type_name] | parameter
    def template_parameter(self) -> TemplateParameter:
        if not self.at("typename", "class"):
            value = self.declarator(self.specifiers()[1])
            default = self.binary(PRECEDENCE["+"]) if self.accept("=") else None
            return TemplateParameter(value.at, value.name, value.type, default)
        self.advance()
        if self.at("..."):
            raise Unsupported(self.token.at, "templates with any number of parameters", "name each parameter")
        name = self.expect_word("a name", _TEMPLATE)
        self.type_names.add(name.text)
        return TemplateParameter(name.at, name.text, None, self.type_name() if self.accept("=") else None)

    # parameter: specifiers declarator ['=' assignment]
    def parameter(self) -> Declarator:
        if self.at("..."):
            raise Unsupported(self.token.at, "functions with any number of parameters", "name each parameter")
        marks, base = self.specifiers()
        for mark in sorted(marks - {"register", "__grid_constant__"}):
            raise Fault(base.at, f"{mark} does not go with a parameter", "remove it")
        if base.base == "auto":
            raise Unsupported(base.at, "auto parameters", "write the type")
        parameter = self.declarator(base, named=False)
        if self.accept("="):
            parameter.initializer = self.assignment()
        return parameter



"""Expressions: names looked up, types found, every implicit conversion made explicit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from nnlib.cuda.language.checking import casts, operators
from nnlib.cuda.language.checking.calls import CallChecker
from nnlib.cuda.language.checking.constants import character, not_constant, number
from nnlib.cuda.language.checking.context import BUILTIN_INDICES, Context
from nnlib.cuda.language.checking.conversions import implicit, is_integer
from nnlib.cuda.language.checking.groups import GroupChecker
from nnlib.cuda.language.checking.host import HostChecker
from nnlib.cuda.language.checking.intrinsics import make_vector
from nnlib.cuda.language.checking.lvalues import address_of, decayed, is_const, is_lvalue, no_text
from nnlib.cuda.language.checking.symbols import Overloads, Reference, Unavailable
from nnlib.cuda.language.checking.type_names import TypeNames
from nnlib.cuda.language.cuda_functions import INTRINSICS
from nnlib.cuda.language.diagnostics import Fault, Unsupported
from nnlib.cuda.language.parsing import syntax
from nnlib.cuda.language.tree import (
    Assign,
    BuiltinIndex,
    Dereference,
    Expr,
    Index,
    Literal,
    Member,
    Name,
    Position,
    SizeOf,
    StringLiteral,
    Text,
    Variable,
)
from nnlib.cuda.language.types import (
    BOOL,
    CHAR,
    INT,
    UINT,
    ULONG,
    VECTORS,
    VOID,
    Array,
    Group,
    Pointer,
    Scalar,
    Vector,
    function_name,
)


class ExpressionChecker:
    """One method per kind of syntax."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.types = TypeNames(context, self.constant)
        self.calls = CallChecker(context, self.value)
        self.groups = GroupChecker(context, self.types, self.value)
        self.host = HostChecker(self)
        self._rules: dict[type, Callable[[Any], Expr]] = {
            syntax.Number: self._number, syntax.Character: self._character, syntax.Text: self._text,
            syntax.Identifier: self._identifier, syntax.Prefix: self._prefix, syntax.Postfix: self._postfix,
            syntax.Infix: self._infix, syntax.Assignment: self._assignment, syntax.Ternary: self._ternary,
            syntax.Apply: self._apply, syntax.MethodCall: self._method, syntax.Subscript: self._subscript,
            syntax.Field: self._field, syntax.Cast: self._cast, syntax.Construct: self.construct,
            syntax.SizeOf: self._size_of, syntax.Braces: self._list_alone,
            syntax.Launch: self.host.launch, syntax.New: self.host.new, syntax.Delete: self.host.delete,
        }

    def expression(self, node: syntax.Node) -> Expr:
        """The checked expression. Arrays stay arrays, for & and sizeof; see `value`."""
        return self._rules[type(node)](node)

    def value(self, node: syntax.Node) -> Expr:
        """The expression as a value; arrays decay to pointers."""
        return no_text(decayed(self.expression(node)))

    def condition(self, node: syntax.Node) -> Expr:
        """The expression as bool."""
        return operators.truth(self.value(node))

    def constant(self, node: syntax.Node, what: str) -> int:
        """An integer known at compile time."""
        value = self.value(node)
        if not is_integer(value.type):
            raise Fault(value.at, f"{what} must be an integer, but is '{value.type}'", "use a whole number")
        if not isinstance(value, Literal):
            raise not_constant(value, what, "use a number, a #define, or const int with a constant value")
        return int(value.value)

    # --- names and literals -------------------------------------------------------------

    def _number(self, node: syntax.Number) -> Expr:
        return number(node.at, node.text)

    def _character(self, node: syntax.Character) -> Expr:
        return character(node.at, node.text)

    def _text(self, node: syntax.Text) -> Expr:
        if self.context.on_host:
            return Text(node.at, Pointer(CHAR, True), node.text)
        return StringLiteral(node.at, Pointer(CHAR, True), node.text)

    def _identifier(self, node: syntax.Identifier) -> Expr:
        place = self.place(node)
        self.host.reachable(place)
        if isinstance(place, Name) and place.variable in self.context.constants:
            return replace(self.context.constants[place.variable], at=node.at)
        return place

    def place(self, node: syntax.Node) -> Expr:
        """Like `expression`, but a constant's name is not replaced by its value."""
        if not isinstance(node, syntax.Identifier):
            return self.expression(node)
        name, at, function = node.name, node.at, self.context.function
        match self.context.find(name):
            case Variable() as variable:
                if variable.space == "shared" and function and variable not in function.shared:
                    function.shared.append(variable)
                return Name(at, variable.type, variable)
            case Literal(type=kind, value=value):
                return Literal(at, kind, value)
            case Reference(variable=variable):
                assert isinstance(variable.type, Pointer)
                return Dereference(at, variable.type.target, Name(at, variable.type, variable))
            case Unavailable(what=what, instead=instead):
                raise Unsupported(at, what, instead)
            case Overloads() as functions:
                own = functions.callees[0].function.name if len(functions.callees) == 1 else name
                self.context.named_functions[own] = functions
                return Literal(at, function_name(own), 0)
        if name in (*BUILTIN_INDICES, "warpSize") and self.context.on_host:
            raise Fault(at, f"{name} is only known in kernels", "on the host, use the grid and block of the launch")
        if name in BUILTIN_INDICES:
            axes: list[Expr] = [BuiltinIndex(at, UINT, name, axis) for axis in "xyz"]
            return make_vector(self.context, at, VECTORS["uint3"], axes)
        if name == "warpSize":
            return BuiltinIndex(at, INT, name, "")
        if name in ("true", "false"):
            return Literal(at, BOOL, name == "true")
        if name == "nullptr":
            return Literal(at, Pointer(VOID), 0)
        if name in INTRINSICS or name == "printf":
            raise Unsupported(at, "functions as values", f"call it: {name}(...)")
        raise self.context.undeclared(at, name)

    def _field(self, node: syntax.Field) -> Expr:
        base = node.base
        if isinstance(base, syntax.Identifier) and base.name in BUILTIN_INDICES and not (
                self.context.on_host or self.context.find(base.name)):
            if node.name not in ("x", "y", "z"):
                raise Fault(node.at, f"{base.name} has no field '{node.name}'", "it has x, y and z")
            return BuiltinIndex(base.at, UINT, base.name, node.name)
        owner = self.value(base) if node.arrow else self.expression(base)
        if node.arrow:
            if not isinstance(owner.type, Pointer):
                raise Fault(node.at, f"-> needs a pointer, but this is '{owner.type}'", f"write .{node.name}")
            owner = Dereference(node.at, owner.type.target, owner)
        kind = owner.type
        if not isinstance(kind, Vector):
            hint = f"write ->{node.name}" if isinstance(kind, Pointer) else "only vectors such as float4 have fields"
            raise Fault(node.at, f"'{kind}' has no field '{node.name}'", hint)
        if node.name not in tuple(kind.fields):
            raise Fault(node.at, f"'{kind}' has no field '{node.name}'", f"it has {', '.join(kind.fields)}")
        return Member(node.at, kind.base, owner, node.name)

    # --- operators ----------------------------------------------------------------------

    def _prefix(self, node: syntax.Prefix) -> Expr:
        op, at = node.op, node.at
        if op in ("++", "--"):
            return operators.increment(at, op, self.changeable(node.operand, at), prefix=True)
        if op == "&":
            place = self.place(node.operand)
            self.host.reachable(place)
            if not is_lvalue(place):
                raise Fault(at, "only variables and elements of arrays have an address", "store the value first")
            return address_of(at, place)
        operand = decayed(self.expression(node.operand))
        return operators.unary(at, op, operand if op == "!" else no_text(operand))

    def _postfix(self, node: syntax.Postfix) -> Expr:
        return operators.increment(node.at, node.op, self.changeable(node.operand, node.at), prefix=False)

    def _infix(self, node: syntax.Infix) -> Expr:
        # a + b + c + ... leans to the left: walk it in a loop, not by recursion.
        chain = [node]
        while isinstance(chain[-1].left, syntax.Infix):
            chain.append(chain[-1].left)
        left = self.expression(chain[-1].left)
        for link in reversed(chain):
            left, right = decayed(left), decayed(self.expression(link.right))
            if link.op not in ("&&", "||"):
                left, right = no_text(left), no_text(right)
            left = operators.binary(self.context, link.at, link.op, left, right)
        return left

    def _ternary(self, node: syntax.Ternary) -> Expr:
        condition = self.condition(node.condition)
        return operators.ternary(self.context, node.at, condition, self.value(node.then), self.value(node.otherwise))

    def _subscript(self, node: syntax.Subscript) -> Expr:
        base = no_text(self.expression(node.base))
        return operators.subscript(self.context, node.at, base, self.value(node.index))

    # --- assignment ---------------------------------------------------------------------

    def changeable(self, node: syntax.Node, at: Position) -> Expr:
        """An lvalue that may be written."""
        place = self.place(node)
        self.host.reachable(place)
        if isinstance(place, BuiltinIndex):
            raise Fault(at, f"{place.name} cannot be changed", "copy it to a variable of your own")
        if not is_lvalue(place):
            raise Fault(at, "only variables and elements of arrays can be changed, not a value",
                        "did you mean == instead of =?")
        if is_const(place):
            name = f"'{node.name}'" if isinstance(node, syntax.Identifier) else "this"
            raise Fault(at, f"{name} is const and cannot be changed", "remove const from its declaration")
        if isinstance(place.type, Array):
            raise Fault(at, "an array cannot be changed as a whole", "assign element by element: x[i] = ...")
        root = place
        while isinstance(root, (Index, Member)) and not isinstance(root.base.type, Pointer):
            root = root.base
        if isinstance(root, Name) and root.variable.space == "constant":
            raise Fault(at, f"'{root.variable.name}' is __constant__: kernels can only read it",
                        "write it from Python, or declare it __device__")
        return place

    def _assignment(self, node: syntax.Assignment) -> Expr:
        target, op, at = self.changeable(node.target, node.at), node.op, node.at
        kind = target.type
        if isinstance(node.value, syntax.Braces):
            if not isinstance(kind, Vector):
                raise Unsupported(node.value.at, "assigning a list in braces", "assign element by element")
            lanes = [self.value(item) for item in node.value.items]
            return Assign(at, kind, target, make_vector(self.context, node.value.at, kind, lanes))
        value = self.value(node.value)
        if op:
            return operators.compound(self.context, at, op, target, value)
        return Assign(at, kind, target, implicit(value, kind, "assignment"))

    # --- types in expressions -----------------------------------------------------------

    def _cast(self, node: syntax.Cast) -> Expr:
        kind, _, reference = self.types.resolve(node.target)
        if reference:
            return casts.seen_as(node.at, self.place(node.operand), kind)
        return casts.cast(self.context, node.at, self.value(node.operand), kind, node.style)

    def construct(self, node: syntax.Construct) -> Expr:
        """type(arguments) or type{arguments}."""
        kind, _, _ = self.types.resolve(node.target)
        arguments = [self.value(argument) for argument in node.arguments]
        return casts.construct(self.context, node.at, kind, node.target.base, arguments, node.braces)

    def _size_of(self, node: syntax.SizeOf) -> Expr:
        operand = node.operand
        kind = (self.types.resolve(operand)[0] if isinstance(operand, syntax.TypeName)
                else no_text(self.place(operand)).type)
        if kind == VOID or isinstance(kind, Array) and kind.length is None:
            raise Fault(node.at, f"'{kind}' has no size that is known here", "pass the size as an argument")
        assert isinstance(kind, (Scalar, Vector, Pointer, Array))
        return (SizeOf if self.context.function and self.context.on_host else Literal)(node.at, ULONG, kind.size)

    # --- calls --------------------------------------------------------------------------

    def _apply(self, node: syntax.Apply) -> Expr:
        symbol = self.context.find(node.name)
        if symbol is not None and not isinstance(symbol, Overloads):
            raise Fault(node.at, f"'{node.name}' is not a function", "for a product write * before the bracket")
        group_function = self.groups.means(node.name) if symbol is None else None
        found = self.groups.function(node, group_function) if group_function else None
        if found is not None:
            return found
        if self.context.on_host and node.name in self.host.special:
            return self.host.special[node.name](node, symbol or Overloads())
        arguments = [self.expression(argument) for argument in node.arguments]
        return self.calls.call(node, arguments, symbol or Overloads())

    def _method(self, node: syntax.MethodCall) -> Expr:
        owner = self.value(node.base)
        if isinstance(owner.type, Group) and not node.arrow:
            return self.groups.method(node.at, owner, node.name, [self.value(value) for value in node.arguments])
        raise Fault(node.at, f"'{owner.type}' has no function '{node.name}'", "remove the brackets")

    def _list_alone(self, node: syntax.Braces) -> Expr:
        raise Fault(node.at, "a list in braces cannot stand here", "it can only initialise a variable")

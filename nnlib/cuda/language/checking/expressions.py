"""Expressions: names looked up, types found, every implicit conversion made explicit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nnlib.cuda.language.checking.calls import CallChecker, address_of, decayed, is_const, is_lvalue, no_text
from nnlib.cuda.language.checking.constants import character, fold, number
from nnlib.cuda.language.checking.conversions import (
    arithmetic,
    common_type,
    convert,
    fit,
    implicit,
    is_integer,
    is_null,
    promoted,
)
from nnlib.cuda.language.checking.scope import BUILTIN_INDICES, Alias, Callee, Reference
from nnlib.cuda.language.cuda_functions import INTRINSICS
from nnlib.cuda.language.diagnostics import Fault, Unsupported
from nnlib.cuda.language.parsing import syntax
from nnlib.cuda.language.tree import (
    Assign,
    Binary,
    BuiltinIndex,
    Comma,
    CompoundAssign,
    Conditional,
    Dereference,
    Expr,
    Function,
    Increment,
    Index,
    Literal,
    Logical,
    Member,
    Name,
    PointerDifference,
    PointerOffset,
    Position,
    StringLiteral,
    Unary,
    Variable,
)
from nnlib.cuda.language.types import (
    BOOL,
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    LONGLONG,
    NAMED,
    UINT,
    ULONG,
    VECTORS,
    VOID,
    Array,
    Pointer,
    Scalar,
    Type,
    Vector,
)

COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
ORDER = COMPARISONS[:4]
INTEGERS_ONLY = ("%", "&", "|", "^", "<<", ">>")


class ExpressionChecker(CallChecker):
    function: Function | None = None  # the one being checked

    def expression(self, node: syntax.Node) -> Expr:
        """The checked expression. Arrays stay arrays, for & and sizeof; see `value`."""
        return _RULES[type(node)](self, node)

    def value(self, node: syntax.Node) -> Expr:
        """The expression as a value; arrays decay to pointers."""
        return no_text(decayed(self.expression(node)))

    def condition(self, node: syntax.Node) -> Expr:
        """The expression as bool."""
        return self._truth(self.value(node))

    @staticmethod
    def _truth(value: Expr) -> Expr:
        if isinstance(value, StringLiteral):  # assert(i < n && "i is too large")
            return Literal(value.at, BOOL, True)
        if not isinstance(value.type, (Scalar, Pointer)):
            raise Fault(value.at, f"a condition cannot be of type '{value.type}'", "compare it with something")
        return convert(value, BOOL)

    def constant(self, node: syntax.Node, what: str) -> int:
        """An integer known at compile time."""
        value = self.value(node)
        if not is_integer(value.type):
            raise Fault(value.at, f"{what} must be an integer, but is '{value.type}'", "use a whole number")
        if not isinstance(value, Literal):
            raise Fault(node.at, f"{what} must be known when the kernel is compiled",
                        "use a number, a #define, or const int with a constant value")
        return int(value.value)

    # --- types --------------------------------------------------------------------------

    def type_of(self, name: syntax.TypeName) -> tuple[Type, bool, bool]:
        """(type, const, is a reference).."""
        symbol = self.find(name.base)
        if isinstance(symbol, Alias):
            kind, const = symbol.type, symbol.const or name.const
        elif name.base in NAMED:
            kind, const = NAMED[name.base], name.const
        else:
            raise Fault(name.at, f"unknown type '{name.base}'", "declare it before its first use")
        reference = False
        for derivation in name.derivations:
            if reference:
                raise Fault(name.at, "a reference must be the last part of a type", "write for example float*&")
            match derivation:
                case syntax.PointerTo():
                    kind, const = Pointer(kind, const), derivation.const
                case syntax.ReferenceTo():
                    reference = True
                case syntax.ArrayOf():
                    kind = self._array(name.at, kind, derivation)
        return kind, const, reference

    def _array(self, at: Position, element: Type, derivation: syntax.ArrayOf) -> Array:
        if element == VOID or isinstance(element, Array) and element.length is None:
            raise Fault(at, f"an array of '{element}' is not possible", "only the first size may be left open")
        if derivation.length is None:
            return Array(element, None)
        length = self.constant(derivation.length, "the size of an array")
        if not 0 < length <= 2**31:
            raise Fault(derivation.length.at, f"an array cannot have {length} elements", "use a size of at least 1")
        return Array(element, length)

    # --- names and literals -------------------------------------------------------------

    def number(self, node: syntax.Number) -> Expr:
        return number(node.at, node.text)

    def character(self, node: syntax.Character) -> Expr:
        return character(node.at, node.text)

    def text(self, node: syntax.Text) -> Expr:
        return StringLiteral(node.at, Pointer(NAMED["char"], True), node.text)

    def identifier(self, node: syntax.Identifier) -> Expr:
        place = self.place(node)
        if isinstance(place, Name) and place.variable in self.constants:
            known = self.constants[place.variable]
            return Literal(node.at, known.type, known.value)
        return place

    def place(self, node: syntax.Node) -> Expr:
        """Like `expression`, but a constant's name is not replaced by its value."""
        if not isinstance(node, syntax.Identifier):
            return self.expression(node)
        name, at = node.name, node.at
        match self.find(name):
            case Variable() as variable:
                if variable.space == "shared" and self.function and variable not in self.function.shared:
                    self.function.shared.append(variable)
                return Name(at, variable.type, variable)
            case Literal(type=kind, value=value):
                return Literal(at, kind, value)
            case Reference(variable=variable):
                assert isinstance(variable.type, Pointer)
                return Dereference(at, variable.type.target, Name(at, variable.type, variable))
            case list():
                raise Unsupported(at, "functions as values", f"call it: {name}(...)")
        if name in BUILTIN_INDICES:
            axes: list[Expr] = [BuiltinIndex(at, UINT, name, axis) for axis in "xyz"]
            return self.make_vector(at, VECTORS["uint3"], axes)
        if name == "warpSize":
            return BuiltinIndex(at, INT, name, "")
        if name in ("true", "false"):
            return Literal(at, BOOL, name == "true")
        if name == "nullptr":
            return Literal(at, Pointer(VOID), 0)
        if name in INTRINSICS or name == "printf":
            raise Unsupported(at, "functions as values", f"call it: {name}(...)")
        raise self.undeclared(at, name)

    def field(self, node: syntax.Field) -> Expr:
        base = node.base
        if isinstance(base, syntax.Identifier) and base.name in BUILTIN_INDICES and self.find(base.name) is None:
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

    def prefix(self, node: syntax.Prefix) -> Expr:
        op, at = node.op, node.at
        if op in ("++", "--"):
            return self._increment(node, prefix=True)
        if op == "&":
            place = self.place(node.operand)
            if not is_lvalue(place):
                raise Fault(at, "only variables and elements of arrays have an address", "store the value first")
            return address_of(at, place)
        if op == "!":
            return fold(Unary(at, BOOL, "!", self._truth(decayed(self.expression(node.operand)))))
        operand = self.value(node.operand)
        if op == "*":
            if not isinstance(operand.type, Pointer) or operand.type.target == VOID:
                raise Fault(at, f"* needs a pointer, but this is '{operand.type}'",
                            "remove the *; a power is x * x or powf(x, y)")
            return Dereference(at, operand.type.target, operand)
        kind = promoted(arithmetic(operand, op, at))
        if op == "~" and kind.is_float:
            raise Fault(at, f"'~' needs an integer, but this is '{kind}'", "for its bits write __float_as_int(x)")
        operand = convert(operand, kind)
        return operand if op == "+" else fold(Unary(at, kind, op, operand))

    def postfix(self, node: syntax.Postfix) -> Expr:
        return self._increment(node, prefix=False)

    def _increment(self, node: syntax.Prefix | syntax.Postfix, prefix: bool) -> Expr:
        target = self.changeable(node.operand, node.at)
        if isinstance(target.type, Pointer):
            _complete(target, node.at)
        elif arithmetic(target, node.op, node.at) == BOOL:
            raise Fault(node.at, f"'{node.op}' does not work on 'bool'", "write x = true or x = !x")
        return Increment(node.at, target.type, target, 1 if node.op == "++" else -1, prefix)

    def infix(self, node: syntax.Infix) -> Expr:
        # a + b + c + ... leans to the left: walk it in a loop, not by recursion.
        chain = [node]
        while isinstance(chain[-1].left, syntax.Infix):
            chain.append(chain[-1].left)
        left = self.expression(chain[-1].left)
        for link in reversed(chain):
            left = self._binary(link, left)
        return left

    def _binary(self, node: syntax.Infix, left: Expr) -> Expr:
        op, at = node.op, node.at
        if op in ("&&", "||"):
            right = decayed(self.expression(node.right))
            return fold(Logical(at, BOOL, op, self._truth(decayed(left)), self._truth(right)))
        left, right = no_text(decayed(left)), self.value(node.right)
        if op == ",":
            return Comma(at, right.type, left, right)
        if isinstance(left.type, Pointer) or isinstance(right.type, Pointer):
            return self._pointer_operation(at, op, left, right)
        return self._arithmetic(at, op, left, right)

    def _arithmetic(self, at: Position, op: str, left: Expr, right: Expr) -> Expr:
        kinds = arithmetic(left, op, at), arithmetic(right, op, at)
        kind = self._common(at, op, *kinds)
        if op in ORDER and isinstance(left, Binary) and left.op in ORDER:
            self.warnings.append((at, f"this compares the result of {left.op}, which is 0 or 1: "
                                      f"write a {left.op} b && b {op} c"))
        result = BOOL if op in COMPARISONS else kind
        if kind == DOUBLE:
            self.warn_double(at, kinds, (left, right), result)
        right_kind = promoted(kinds[1]) if op in ("<<", ">>") else kind
        return fold(Binary(at, result, op, convert(left, kind), convert(right, right_kind)))

    @staticmethod
    def _common(at: Position, op: str, left: Scalar, right: Scalar) -> Scalar:
        """The type an operator computes in."""
        if op in INTEGERS_ONLY:
            for kind in (left, right):
                if kind.is_float:
                    hints = {"%": "write fmodf(a, b)", "^": "this is exclusive or; a power is x * x or powf(x, y)"}
                    hint = hints.get(op, "convert to an integer first: (int)x")
                    raise Fault(at, f"'{op}' needs integers, but this is '{kind}'", hint)
        return promoted(left) if op in ("<<", ">>") else common_type(left, right)

    def _pointer_operation(self, at: Position, op: str, left: Expr, right: Expr) -> Expr:
        if op in ("+", "-") and isinstance(left.type, Pointer) and is_integer(right.type):
            return self._offset(at, op, left, right)
        if op == "+" and isinstance(right.type, Pointer) and is_integer(left.type):
            return self._offset(at, op, right, left)
        same = (isinstance(left.type, Pointer) and isinstance(right.type, Pointer)
                and (left.type.target == right.type.target or VOID in (left.type.target, right.type.target)))
        if op == "-" and same:
            _complete(left, at)
            return PointerDifference(at, LONG, left, right)
        if op in COMPARISONS:
            if same:
                return Binary(at, BOOL, op, left, right)
            if is_null(right) and isinstance(left.type, Pointer):
                return Binary(at, BOOL, op, left, Literal(right.at, left.type, 0))
            if is_null(left) and isinstance(right.type, Pointer):
                return Binary(at, BOOL, op, Literal(left.at, right.type, 0), right)
        raise Fault(at, f"'{op}' does not work on '{left.type}' and '{right.type}'",
                    "index a pointer with [i] to get a value")

    @staticmethod
    def _offset(at: Position, op: str, pointer: Expr, index: Expr) -> Expr:
        _complete(pointer, at)
        return PointerOffset(at, pointer.type, pointer, _count(index, negative=op == "-"))

    def ternary(self, node: syntax.Ternary) -> Expr:
        condition = self.condition(node.condition)
        then, otherwise = self.value(node.then), self.value(node.otherwise)
        if isinstance(then.type, Scalar) and isinstance(otherwise.type, Scalar):
            kind: Type = then.type if then.type == otherwise.type else common_type(then.type, otherwise.type)
            if kind == DOUBLE:
                self.warn_double(node.at, (then.type, otherwise.type), (then, otherwise), kind)
        elif fit(otherwise, then.type) is not None:
            kind = then.type
        elif fit(then, otherwise.type) is not None:
            kind = otherwise.type
        else:
            raise Fault(node.at, f"the two results of ?: have types '{then.type}' and '{otherwise.type}'",
                        "both must be of one type")
        what = "result of ?:"
        if kind != VOID:
            then, otherwise = implicit(then, kind, what), implicit(otherwise, kind, what)
        return fold(Conditional(node.at, kind, condition, then, otherwise))

    def subscript(self, node: syntax.Subscript) -> Expr:
        base, index = no_text(self.expression(node.base)), self.value(node.index)
        if not isinstance(base.type, (Array, Pointer)):
            raise Fault(node.at, f"[ ] needs an array or a pointer, but this is '{base.type}'",
                        "rows and columns have one index: [y * width + x]" if isinstance(node.base, syntax.Subscript)
                        else "remove the [ ], or declare it as float x[4] or float* x")
        if isinstance(base.type, Pointer):
            _complete(base, node.at)
        if not is_integer(index.type):
            hint = "write [row][column], not [row, column]" if isinstance(index, Comma) else "convert it: (int)x"
            raise Fault(node.index.at, f"an index must be an integer, but this is '{index.type}'", hint)
        if isinstance(index, Comma):
            self.warnings.append((index.at, "only what follows the comma counts: write one index, [y * width + x]"))
        element = base.type.element if isinstance(base.type, Array) else base.type.target
        return Index(node.at, element, base, _count(index, negative=False))

    # --- assignment ---------------------------------------------------------------------

    def changeable(self, node: syntax.Node, at: Position) -> Expr:
        """An lvalue that may be written."""
        place = self.place(node)
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

    def assignment(self, node: syntax.Assignment) -> Expr:
        target, op, at = self.changeable(node.target, node.at), node.op, node.at
        kind = target.type
        if isinstance(node.value, syntax.Braces):
            if not isinstance(kind, Vector):
                raise Unsupported(node.value.at, "assigning a list in braces", "assign element by element")
            lanes = [self.value(item) for item in node.value.items]
            return Assign(at, kind, target, self.make_vector(node.value.at, kind, lanes))
        value = self.value(node.value)
        if not op:
            return Assign(at, kind, target, implicit(value, kind, "assignment"))
        if isinstance(kind, Pointer) and op in ("+", "-"):
            if not is_integer(value.type):
                raise Fault(at, f"a pointer moves by an integer, not by '{value.type}'", "use an int")
            _complete(target, at)
            return CompoundAssign(at, kind, "+", target, _count(value, negative=op == "-"), kind)
        kinds = arithmetic(target, f"{op}=", at), arithmetic(value, f"{op}=", at)
        compute = self._common(at, op, *kinds)
        if compute == DOUBLE:
            self.warn_double(at, kinds, (target, value), compute)
        return CompoundAssign(at, kind, op, target, convert(value, compute), compute)

    # --- conversions written out --------------------------------------------------------

    def cast(self, node: syntax.Cast) -> Expr:
        kind, _, reference = self.type_of(node.target)
        if reference:
            place = self.place(node.operand)
            if not is_lvalue(place):
                raise Fault(node.at, "only a variable can be seen as a reference", "store the value first")
            pointer = address_of(node.at, place)
            return Dereference(node.at, kind, convert(pointer, Pointer(kind, is_const(place))))
        return self._cast(node.at, self.value(node.operand), kind, node.style)

    def _cast(self, at: Position, value: Expr, kind: Type, style: str) -> Expr:
        given = value.type
        if kind == VOID:
            return Comma(at, INT, value, Literal(at, INT, 0))
        if isinstance(given, Scalar) and isinstance(kind, Scalar) and style != "reinterpret_cast":
            return convert(value, kind)
        if isinstance(kind, Pointer) and is_null(value) and style != "reinterpret_cast":
            return Literal(at, kind, 0)
        if isinstance(given, Pointer) and isinstance(kind, Pointer):
            if style != "c" and given.const and not kind.const:
                raise Fault(at, f"{style} cannot remove const", f"write {style}<{Pointer(kind.target, True)}>(...)")
            if style == "static_cast" and fit(value, kind) is None and given.target != VOID:
                raise Fault(at, f"static_cast cannot turn '{given}' into '{kind}'", f"write reinterpret_cast<{kind}>")
            return convert(value, kind)
        if isinstance(given, Pointer) and kind == BOOL:
            return convert(value, BOOL)
        if {type(given), type(kind)} == {Pointer, Scalar} and not {FLOAT, DOUBLE} & {given, kind}:
            raise Unsupported(at, "addresses as numbers", "compare or subtract pointers instead")
        if given == kind and kind != VOID:
            return value
        raise Fault(at, f"'{given}' cannot be cast to '{kind}'", "convert part by part, or cast a pointer to it")

    def construct(self, node: syntax.Construct) -> Expr:
        kind, _, _ = self.type_of(node.target)
        arguments = [self.value(argument) for argument in node.arguments]
        if isinstance(kind, Vector):
            if len(arguments) == 1 and arguments[0].type == kind:
                return arguments[0]
            if node.target.base == "dim3":
                ones: list[Expr] = [Literal(node.at, UINT, 1)] * (3 - len(arguments))
                return self.make_vector(node.at, kind, arguments + ones)
            if arguments and not node.braces:
                raise Fault(node.at, f"'{kind}' cannot be built this way", f"write make_{kind}(...)")
            return self.make_vector(node.at, kind, arguments)
        if len(arguments) > 1:
            raise Fault(node.at, f"'{kind}' is converted from one value, but {len(arguments)} given", "pass one value")
        if not arguments:
            return convert(Literal(node.at, INT, 0), kind)
        return self._cast(node.at, arguments[0], kind, "c")

    def size_of(self, node: syntax.SizeOf) -> Expr:
        operand = node.operand
        kind = self.type_of(operand)[0] if isinstance(operand, syntax.TypeName) else no_text(self.place(operand)).type
        if kind == VOID or isinstance(kind, Array) and kind.length is None:
            raise Fault(node.at, f"'{kind}' has no size that is known here", "pass the size as an argument")
        assert isinstance(kind, (Scalar, Vector, Pointer, Array))
        return Literal(node.at, ULONG, kind.size)

    # --- calls --------------------------------------------------------------------------

    def apply(self, node: syntax.Apply) -> Expr:
        symbol = self.find(node.name)
        if symbol is not None and not isinstance(symbol, list):
            raise Fault(node.at, f"'{node.name}' is not a function", "for a product write * before the bracket")
        arguments = [self.expression(argument) for argument in node.arguments]
        return self.call(node, arguments, symbol or [])

    def default_argument(self, callee: Callee, index: int) -> Expr:
        node = callee.defaults[index]
        assert node is not None
        return self.value(node)

    def list_alone(self, node: syntax.Braces) -> Expr:
        raise Fault(node.at, "a list in braces cannot stand here", "it can only initialise a variable")


def _count(index: Expr, negative: bool) -> Expr:
    """An index as the tree wants it: at least int, negated for a subtraction."""
    assert isinstance(index.type, Scalar)
    if not negative:
        return convert(index, promoted(index.type))
    kind = LONGLONG if index.type.is_unsigned else promoted(index.type)
    return fold(Unary(index.at, kind, "-", convert(index, kind)))


def _complete(pointer: Expr, at: Position) -> None:
    if isinstance(pointer.type, Pointer) and pointer.type.target == VOID:
        raise Fault(at, "a void* has no element type", "cast it first: (float*)p")


_RULES: dict[type, Callable[[ExpressionChecker, Any], Expr]] = {
    syntax.Number: ExpressionChecker.number,
    syntax.Character: ExpressionChecker.character,
    syntax.Text: ExpressionChecker.text,
    syntax.Identifier: ExpressionChecker.identifier,
    syntax.Prefix: ExpressionChecker.prefix,
    syntax.Postfix: ExpressionChecker.postfix,
    syntax.Infix: ExpressionChecker.infix,
    syntax.Assignment: ExpressionChecker.assignment,
    syntax.Ternary: ExpressionChecker.ternary,
    syntax.Apply: ExpressionChecker.apply,
    syntax.Subscript: ExpressionChecker.subscript,
    syntax.Field: ExpressionChecker.field,
    syntax.Cast: ExpressionChecker.cast,
    syntax.Construct: ExpressionChecker.construct,
    syntax.SizeOf: ExpressionChecker.size_of,
    syntax.Braces: ExpressionChecker.list_alone,
}

"""Expressions: names looked up, types found, every implicit conversion made explicit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..cuda_functions import INTRINSICS
from ..diagnostics import Fault, Unsupported
from ..layout import align_of
from ..parsing.syntax import (
    Assignment,
    Braces,
    CallSyntax,
    Cast,
    Character,
    Construct,
    Identifier,
    Infix,
    Lambda,
    MemberAccess,
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
from ..tree import (
    Assign,
    BuiltinIndex,
    Expr,
    Literal,
    Member,
    Name,
    Position,
    SizeOf,
    StringLiteral,
    Text,
    Variable,
)
from ..types import (
    BOOL,
    CHAR,
    INT,
    UINT,
    ULONG,
    VOID,
    Array,
    FunctionName,
    Group,
    Pointer,
    Struct,
    Type,
    Vector,
    function_behind,
    size_of,
)
from . import operators
from .calls import CallChecker
from .groups import GroupChecker
from .host import HostChecker
from .initializers import InitializerChecker, cast, construct, seen_as
from .intrinsics import make_index
from .names import (
    BUILTIN_INDICES,
    Context,
    DataMember,
    Overloads,
    Symbol,
    Unavailable,
)
from .objects import (
    address_of,
    assigned,
    changeable,
    chosen,
    complete,
    decayed,
    found_in,
    inner_target,
    is_lvalue,
    member_of,
    named,
    no_text,
    offset_in,
    own_member,
    place_of,
    pointee,
    this_object,
    with_place,
)
from .operators import member_operator, own_operator
from .type_names import TypeNames
from .values import character, characters, is_integer, not_constant, number

CONSTANTS: dict[str, tuple[Type, int]] = {
    "true": (BOOL, True),
    "false": (BOOL, False),
    "nullptr": (Pointer(VOID), 0),
}


class ExpressionChecker:
    """Checks expressions: one method per kind of syntax, of the same name."""

    closure: Callable[[Lambda], Expr]  # the object that a lambda is

    def __init__(self, context: Context) -> None:
        self.context = context
        self.types = TypeNames(context, self.constant, self.expression)
        self.calls = CallChecker(context, self.types, self.expression)
        self.value, self.arguments = self.calls.value, self.calls.arguments
        self.groups = GroupChecker(context, self.types, self.value)
        self.initializers = InitializerChecker(self.calls)
        self.host = HostChecker(self.calls, self.initializers)
        self.calls.listed = self.initializers.value
        self._LaunchSyntax = self.host.launch
        self._Lambda = lambda node: self.closure(node)
        self._NewSyntax, self._DeleteSyntax = self.host.new, self.host.delete

    def expression(self, node: Node) -> Expr:
        """Check an expression. Arrays stay arrays, for & and sizeof; see `value`."""
        checked: Expr = getattr(self, f"_{type(node).__name__}")(node)
        return checked

    def condition(self, node: Node) -> Expr:
        """Check an expression as a bool."""
        with self.context.condition(node):
            return operators.truth(self.calls.plain(self.value(node)))

    def constant(self, node: Node, what: str) -> int:
        """Evaluate an integer known at compile time."""
        if not is_integer((value := self.value(node)).type):
            raise Fault(
                value, f"{what} must be an integer, but is '{value.type}'", "use a whole number"
            )
        if not isinstance(value, Literal):
            raise not_constant(
                value, what, "use a number, a #define, or const int with a constant value"
            )
        return int(value.value)

    # --- names and literals -------------------------------------------------------------

    def _Number(self, node: Number) -> Expr:
        return number(node.at, node.text)

    def _Character(self, node: Character) -> Expr:
        return character(node.at, node.text)

    def _QuotedText(self, node: QuotedText) -> Expr:
        characters(node.at, node.text)  # its escapes are known
        return (Text if self.context.on_host else StringLiteral)(
            node.at, Pointer(CHAR, True), node.text
        )

    def _Identifier(self, node: Identifier) -> Expr:
        if node.template_arguments:
            return self.host.instance(node)
        if (
            node.name in ("__func__", "__FUNCTION__")
            and self.context.on_host
            and self.context.function
        ):
            return self._QuotedText(QuotedText(node.at, self.context.function.name))
        place = self.place(node)
        self.host.reachable(place)
        if isinstance(place, Name) and place.variable in self.context.constants:
            return replace(self.context.constants[place.variable], at=node.at)
        return place

    def place(self, node: Node) -> Expr:
        """Check an expression as an lvalue: a constant's name stands for itself, and an assignment for what it changes."""
        if (target := inner_target(node)) is not None:
            return assigned(self.expression(node), self.place(target))
        if not isinstance(node, Identifier) or node.template_arguments:
            return self.expression(node)
        name, at = node.name, node.at
        symbol = self.context.find(name)
        if name == "this" and (this := this_object(self.context, at)) is not None:
            return this
        return self._named(at, name, symbol)

    def _named(self, at: Position, name: str, symbol: Symbol | None) -> Expr:
        """Return the expression for a name that means this symbol."""
        function = self.context.function
        match symbol:
            case Variable() as variable:
                if variable.space == "shared" and function and variable not in function.shared:
                    function.shared.append(variable)
                return place_of(at, variable)
            case Literal(value, type=kind):
                return Literal(at, kind, value)
            case DataMember() as member:
                return own_member(self.context, at, member)
            case Unavailable():
                raise symbol.fault(at)
            case Overloads() as functions:
                return self.host.named(at, name, functions)
        if name in (*BUILTIN_INDICES, "warpSize") and self.context.on_host:
            raise Fault(
                at,
                f"{name} is only known in kernels",
                "on the host, use the grid and block of the launch",
            )
        if name in BUILTIN_INDICES:
            return make_index(self.context, at, name)
        if name == "warpSize":
            return BuiltinIndex(at, INT, name, "")
        if name in CONSTANTS:
            return Literal(at, *CONSTANTS[name])
        if name in INTRINSICS or name == "printf":
            raise Unsupported(at, "functions as values", f"call it: {name}(...)")
        raise self.context.undeclared(at, name)

    def _MemberAccess(self, node: MemberAccess) -> Expr:
        base = node.base
        if (
            isinstance(base, Identifier)
            and base.name in BUILTIN_INDICES
            and not (self.context.on_host or self.context.find(base.name))
        ):
            if node.name not in ("x", "y", "z"):
                raise Fault(node, f"{base.name} has no field '{node.name}'", "it has x, y and z")
            return BuiltinIndex(base.at, UINT, base.name, node.name)
        owner = self._owner(node)
        kind = owner.type
        if isinstance(kind, Struct):
            return member_of(self.context, node.at, owner, node.name)
        if not isinstance(kind, Vector):
            hint = (
                f"write [i].{node.name}, or ->{node.name} for the first"
                if isinstance(kind, Pointer)
                else "only structs and vectors have members"
            )
            raise Fault(node, f"'{kind}' has no field '{node.name}'", hint)
        if node.name not in tuple(kind.fields):
            raise Fault(
                node, f"'{kind}' has no field '{node.name}'", f"it has {', '.join(kind.fields)}"
            )
        return Member(node.at, kind.base, owner, node.name)

    def _owner(self, node: MemberAccess) -> Expr:
        """Check what stands before a . or the object behind the pointer before a ->."""
        if not node.arrow:
            return self.expression(node.base)
        owner = self.value(node.base)
        owner = member_operator(self.calls, node.at, "->", owner, []) or owner
        if not isinstance(owner.type, Pointer):
            raise Fault(
                node, f"-> needs a pointer, but this is '{owner.type}'", f"write .{node.name}"
            )
        return pointee(node.at, owner)

    # --- operators ----------------------------------------------------------------------

    def _Prefix(self, node: Prefix) -> Expr:
        op, at = node.op, node.at
        if op in ("++", "--", "&"):
            place = self.place(node.operand)
            self.host.reachable(place)
            if op != "&":
                return own_operator(self.calls, at, op, [place]) or operators.increment(
                    at, op, self.changed(place, node.operand, at), prefix=True
                )
            if isinstance(place.type, FunctionName):
                return place
            if not is_lvalue(place):
                raise Fault(
                    at,
                    "only variables and elements of arrays have an address",
                    "store the value first",
                )
            return address_of(at, place)
        operand = self.expression(node.operand)
        if own := own_operator(self.calls, at, op, [operand]):
            return own
        operand = self.calls.plain(decayed(operand))
        if op == "*" and (isinstance(operand.type, FunctionName) or function_behind(operand.type)):
            return operand
        return operators.unary(at, op, operand if op == "!" else no_text(operand))

    def _Postfix(self, node: Postfix) -> Expr:
        place = self.place(node.operand)
        return own_operator(
            self.calls, node.at, node.op, [place, Literal(node.at, INT, 0)]
        ) or operators.increment(
            node.at, node.op, self.changed(place, node.operand, node.at), prefix=False
        )

    def _Infix(self, node: Infix) -> Expr:
        # a + b + c + ... leans to the left: walk it in a loop, not by recursion.
        chain = [node]
        while isinstance(chain[-1].left, Infix):
            chain.append(chain[-1].left)
        left = self.expression(chain[-1].left)
        for link in reversed(chain):
            left, right = decayed(left), decayed(self.expression(link.right))
            if link.op not in ("&&", "||"):
                left, right = no_text(left), no_text(right)
            own = own_operator(self.calls, link.at, link.op, [left, right])
            if own is None and link.op != ",":
                left, right = self.host.alike(*map(self.calls.plain, (left, right)))
            left = own or operators.binary(self.context, link.at, link.op, left, right)
        return left

    def _Ternary(self, node: Ternary) -> Expr:
        condition = self.condition(node.condition)
        then, otherwise = self.host.alike(self.value(node.then), self.value(node.otherwise))
        return operators.ternary(self.context, node.at, condition, then, otherwise)

    def _Subscript(self, node: Subscript) -> Expr:
        base = no_text(self.expression(node.base))
        if isinstance(base.type, Struct):
            if own := member_operator(self.calls, node.at, "[]", base, [self.value(node.index)]):
                return own
            base = self.calls.plain(base)
        return operators.subscript(self.context, node.at, base, self.value(node.index))

    # --- assignment ---------------------------------------------------------------------

    def changed(self, place: Expr, node: Node, at: Position) -> Expr:
        """Return an lvalue that may be written; raise Fault for anything else. node: how it is written."""
        self.host.reachable(place)
        return changeable(place, node, at)

    def _Assignment(self, node: Assignment) -> Expr:
        op, at, target = node.op, node.at, chosen(self.place(node.target))
        kind = target.type
        listed = isinstance(node.value, Braces)
        if listed or not isinstance(kind, Struct | Vector):
            self.changed(target, node.target, at)
        if listed:
            made = self.initializers.value(node.value, kind, "assignment")
            return Assign(at, kind, target, made)
        value = self.value(node.value)
        if own := own_operator(self.calls, at, f"{op}=", [target, value]):
            return own
        self.changed(target, node.target, at)
        if op:
            return operators.compound(self.context, at, op, target, self.calls.plain(value))
        value = self.calls.implicit(value, kind, "assignment")
        return Assign(at, kind, target, named(self.context, value))

    # --- types in expressions -----------------------------------------------------------

    def _Cast(self, node: Cast) -> Expr:
        kind, _, reference = self.types.resolve(node.target)
        if reference:
            return seen_as(node.at, self.place(node.operand), kind)
        if isinstance(kind, Struct):
            return self.initializers.object(node.at, kind, [node.operand], direct=True)
        value = self.value(node.operand)
        if isinstance(value.type, Struct):
            value = self.calls.implicit(value, kind, "cast")
        return cast(self.context, node.at, value, kind, node.style)

    def _Construct(self, node: Construct) -> Expr:
        """Check type(arguments) or type{arguments}."""
        kind, _, _ = self.types.resolve(node.target)
        if isinstance(kind, Struct):
            return self.initializers.object(node.at, kind, node.arguments, direct=not node.braces)
        arguments = [self.value(argument) for argument in node.arguments]
        return construct(self.context, node.at, kind, node.target.base, arguments, node.braces)

    def _SizeOfSyntax(self, node: SizeOfSyntax) -> Expr:
        operand = node.operand
        place = self.place(operand) if isinstance(operand, Identifier) else None
        if isinstance(place, Name) and place.variable in self.context.lengths:
            return Name(node.at, ULONG, self.context.lengths[place.variable])
        kind = (
            self.types.resolve(operand)[0]
            if isinstance(operand, TypeName)
            else no_text(self.place(operand)).type
        )
        if kind == VOID or (isinstance(kind, Array) and kind.length is None):
            raise Fault(
                node, f"'{kind}' has no size that is known here", "pass the size as an argument"
            )
        complete(node, kind)
        number = SizeOf if self.context.function and self.context.on_host else Literal
        return number(node.at, ULONG, align_of(kind) if node.align else size_of(kind))

    def _OffsetOf(self, node: OffsetOf) -> Expr:
        kind: Type = self.types.resolve(node.target)[0]
        offset = 0
        for name in node.path:
            if not isinstance(kind, Struct):
                raise Fault(node, f"'{kind}' has no member '{name}'", "write the names of members")
            start, kind = offset_in(self.context, node.at, kind, name)
            offset += start
        return Literal(node.at, ULONG, offset)

    def _Scoped(self, node: Scoped) -> Expr:
        return self._named(node.at, node.name, self._inside(node))

    def _inside(self, node: Scoped) -> Symbol:
        """Return what A<...>::name means."""
        owner = self.types.resolve(node.owner)[0]
        if not isinstance(owner, Struct):
            raise Fault(
                node, f"'{owner}' has no member '{node.name}'", "write the name of a struct"
            )
        return found_in(self.context, node.at, owner, node.name)

    # --- calls --------------------------------------------------------------------------

    def _CallSyntax(self, node: CallSyntax) -> Expr:
        at, called, given = node.at, node.value, node.arguments
        if isinstance(called, MemberAccess):
            return self._call_member(node, called)
        if not isinstance(called, Identifier):
            return self._call_value(node, called)
        name = called.name
        symbol = self.context.find(name)
        if symbol is not None and not isinstance(symbol, Overloads):
            return self._called(at, self._named(at, name, symbol), given, name)
        group_function = self.groups.means(name) if symbol is None else None
        if group_function == "reduce":
            ours = self.context.find("nnlib_reduce")  # of our header cooperative_groups/reduce.h
            if not isinstance(ours, Overloads):
                raise Fault(
                    at,
                    f"'{name}' is not known without its header",
                    "write #include <cooperative_groups/reduce.h> above",
                )
            if len(given) == 3 and not self.groups.operation(given[2]):
                own_name = replace(called, name="nnlib_reduce")
                return self.calls.call(own_name, self.arguments(given), ours)
        if group_function:
            found = self.groups.function(node, called.template_arguments, group_function)
            if found is not None:
                return found
        functions = symbol or Overloads()
        if self.context.on_host and name in self.host.special:
            return self.host.special[name](called, given, functions)
        return self.calls.call(called, self.arguments(given), functions, self._this(at, functions))

    def _call_value(self, node: CallSyntax, called: Node) -> Expr:
        symbol = self._inside(called) if isinstance(called, Scoped) else None
        if isinstance(called, Scoped) and isinstance(symbol, Overloads):
            name, this = Identifier(node.at, called.name), self._this(node.at, symbol)
            return self.calls.call(name, self.arguments(node.arguments), symbol, this)
        return self._called(node.at, self.expression(called), node.arguments)

    def _this(self, at: Position, functions: Overloads) -> Expr | None:
        """Return the object of a call of member functions that names none: that of the enclosing function."""
        return this_object(self.context, at) if functions.are_members else None

    def _called(self, at: Position, value: Expr, arguments: list[Node], name: str = "this") -> Expr:
        """Check value(arguments) of a pointer to a function or of an object with operator()."""
        through = self.host.called(at, decayed(value), arguments)
        if through is not None:
            return through
        found = member_operator(self.calls, at, "()", value, self.arguments(arguments))
        if found is None:
            shown = f"'{name}'" if name != "this" else name
            raise Fault(
                at,
                f"{shown} is not a function" + " and cannot be called" * (name == "this"),
                "if a product is meant, write * before the bracket",
            )
        return found

    def _call_member(self, node: CallSyntax, called: MemberAccess) -> Expr:
        at, name, given = node.at, called.name, node.arguments
        owner = self._owner(called)
        if isinstance(owner.type, Group) and not called.arrow:
            return self.groups.method(at, decayed(owner), name, list(map(self.value, given)))
        if not isinstance(owner.type, Struct):
            raise Fault(at, f"'{owner.type}' has no function '{name}'", "remove the brackets")
        symbol = found_in(self.context, at, owner.type, name)
        if not isinstance(symbol, Overloads):
            return self._called(at, member_of(self.context, at, owner, name), given, name)
        call = Identifier(at, name, called.template_arguments)
        this = address_of(at, with_place(named(self.context, owner)))
        return self.calls.call(call, self.arguments(given), symbol, this)

    def _Braces(self, node: Braces) -> Expr:
        raise Fault(node, "a list in braces cannot stand here", "it can only initialise a variable")

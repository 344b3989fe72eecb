"""Inline PTX: instructions that have a counterpart in CUDA C++ are replaced by it; others are refused by name."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

from ..diagnostics import Fault, Unsupported
from ..parsing.lexer import Token, tokenize
from .ptx_tensor import ConstraintOf, as_bits, stored_results, tensor_instruction


def _table(text: str) -> dict[str, str]:
    """Read lines of the form `name => meaning`."""
    rows = (line.split("=> ") for line in text.strip().splitlines())
    return {name.strip(): meaning for name, meaning in rows}


_THREAD = "((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x)"
_SPECIAL = {
    name: meaning.replace("LANE", f"({_THREAD} & 31)").replace("WARP", f"({_THREAD} / 32)")
    for name, meaning in _table("""
    laneid         => LANE
    warpid         => WARP
    smid           => 0
    clock          => (unsigned)clock()
    clock64        => clock64()
    globaltimer    => clock64()
    globaltimer_lo => (unsigned)clock64()
    lanemask_eq    => (1u << LANE)
    lanemask_lt    => ((1u << LANE) - 1)
    lanemask_le    => ((2u << LANE) - 1)
    lanemask_gt    => ~((2u << LANE) - 1)
    lanemask_ge    => ~((1u << LANE) - 1)
""").items()
} | {
    f"{name}.{axis}": f"{index}.{axis}"
    for axis in "xyz"
    for name, index in _table("""
    tid    => threadIdx
    ntid   => blockDim
    ctaid  => blockIdx
    nctaid => gridDim
""").items()
}
_TYPES = _table("""
    s8   => signed char
    u8   => unsigned char
    b8   => unsigned char
    s16  => short
    u16  => unsigned short
    b16  => unsigned short
    s32  => int
    u32  => unsigned
    b32  => unsigned
    s64  => long long
    u64  => unsigned long long
    b64  => unsigned long long
    f32  => float
    f64  => double
    pred => bool
""")
_VECTORS = _table("""
    int                => int
    unsigned           => uint
    float              => float
    double             => double
    long long          => longlong
    unsigned long long => ulonglong
    short              => short
    unsigned short     => ushort
    unsigned char      => uchar
    signed char        => char
""")
# What an instruction of that name computes of its operands a, b, c of the type T.
_COMPUTED = _table(r"""
    mov                              => a
    cvta\.to\.global                 => a
    add(\.rn|\.ftz|\.sat)*           => (T)(a) + (T)(b)
    sub(\.rn|\.ftz)*                 => (T)(a) - (T)(b)
    mul\.lo|mul(\.rn|\.ftz)*         => (T)(a) * (T)(b)
    mad\.lo                          => (T)(a) * (T)(b) + (T)(c)
    fma\.rn(\.ftz)?                  => fma((T)(a), (T)(b), (T)(c))
    div(\.rn|\.full|\.approx|\.ftz)* => (T)(a) / (T)(b)
    rem                              => (T)(a) % (T)(b)
    and                              => (T)(a) & (T)(b)
    or                               => (T)(a) | (T)(b)
    xor                              => (T)(a) ^ (T)(b)
    not                              => ~(T)(a)
    neg(\.ftz)?                      => -(T)(a)
    shl                              => (T)(a) << (b)
    shr                              => (T)(a) >> (b)
    min(\.ftz)?                      => min((T)(a), (T)(b))
    max(\.ftz)?                      => max((T)(a), (T)(b))
    abs(\.ftz)?                      => abs((T)(a))
    popc                             => __popc(a)
    clz                              => __clz((int)(a))
    brev                             => __brev(a)
    bfind                            => 31 - __clz((int)(a))
    prmt                             => __byte_perm(a, b, c)
    bfe                              => ((T)(a) >> (b)) & ((1u << (c)) - 1)
    ex2\.approx(\.ftz)?              => exp2f(a)
    lg2\.approx(\.ftz)?              => __log2f(a)
    sin\.approx(\.ftz)?              => __sinf(a)
    cos\.approx(\.ftz)?              => __cosf(a)
    tanh\.approx                     => tanhf(a)
    rsqrt\.approx(\.ftz)?            => rsqrtf(a)
    rcp(\.approx|\.rn|\.ftz)*        => 1 / (T)(a)
    sqrt(\.approx|\.rn|\.ftz)*       => sqrt((T)(a))
    selp                             => c ? a : b
""") | {
    rf"setp\.({names})(\.ftz)?": f"(T)(a) {operator} (T)(b)"
    for names, operator in _table("""
    eq    => ==
    ne    => !=
    lt|lo => <
    le|ls => <=
    gt|hi => >
    ge|hs => >=
""").items()
}
# What an instruction stands for as a whole.
_EXACT = _table(r"""
    bar\.sync 0|barrier\.sync 0                   => __syncthreads()
    bar\.warp\.sync (\S+)                         => __syncwarp(\1)
    (membar\.(gl|sys)|fence\.\S*(gpu|sys))        => __threadfence()
    (membar\.cta|fence\.\S*cta)                   => __threadfence_block()
    not\.pred (\S+), (\S+)                        => \1 = !\2
    trap                                          => assert(false)
    exit                                          => return
    cp\.async\.commit_group                       => __pipeline_commit()
    cp\.async\.wait_group (\S+)                   => __pipeline_wait_prior(\1)
    cp\.async\.wait_all                           => __pipeline_wait_prior(0)
    (prefetch|discard)\S* \[\S+\].*               => { }
    nanosleep\.u32 (\S+)                          => __nanosleep(\1)
    mul\.wide\.u32 (\S+), (\S+), (\S+)            => \1 = (unsigned long long)\2 * \3
    mul\.wide\.s32 (\S+), (\S+), (\S+)            => \1 = (long long)\2 * \3
    mul\.hi\.u32 (\S+), (\S+), (\S+)              => \1 = __umulhi(\2, \3)
    mul\.hi\.s32 (\S+), (\S+), (\S+)              => \1 = __mulhi(\2, \3)
    mul\.hi\.u64 (\S+), (\S+), (\S+)              => \1 = __umul64hi(\2, \3)
    dp4a\.s32\.s32 (\S+), (\S+), (\S+), (\S+)     => \1 = __dp4a((int)\2, (int)\3, (int)\4)
    dp4a\.u32\.u32 (\S+), (\S+), (\S+), (\S+)     => \1 = __dp4a((unsigned)\2, (unsigned)\3, (unsigned)\4)
    shfl\.sync\.bfly\.b32 (\S+), (\S+), (\S+), \S+, (\S+) => \1 = __shfl_xor_sync(\4, \2, \3)
    shfl\.sync\.down\.b32 (\S+), (\S+), (\S+), \S+, (\S+) => \1 = __shfl_down_sync(\4, \2, \3)
    shfl\.sync\.up\.b32 (\S+), (\S+), (\S+), \S+, (\S+) => \1 = __shfl_up_sync(\4, \2, \3)
    shfl\.sync\.idx\.b32 (\S+), (\S+), (\S+), \S+, (\S+) => \1 = __shfl_sync(\4, \2, \3)
""")
_BITS = {
    ("r", "f"): "__float_as_uint",
    ("f", "r"): "__uint_as_float",  # of a register in one of another letter
    ("l", "d"): "__double_as_longlong",
    ("d", "l"): "__longlong_as_double",
}
_ACCESS = re.compile(
    r"(?P<what>ld|st|ldu)(\.(volatile|relaxed|acquire|release|weak|global|nc|shared|ca|cg|cs|lu|cv|wb"
    r"|wt|gpu|sys|cta|L[12]::\w+))*(\.v(?P<lanes>[24]))?\.(?P<type>\w+) (?P<rest>.*)"
)
_LETTERS = _table("""
    f32  => f
    f64  => d
    pred => p
    s16  => h
    u16  => h
    b16  => h
    s64  => l
    u64  => l
    b64  => l
""")
_OPERAND = "__ptx_{}"  # the word that stands for an operand until its tokens do


def without_ptx(tokens: list[Token]) -> list[Token]:
    """Replace asm("..." : outputs : inputs); by what it does, where CUDA C++ can say it."""
    if not any(token.text in ("asm", "__asm__") for token in tokens):
        return tokens
    result: list[Token] = []
    i = 0
    while i < len(tokens):
        if tokens[i].text in ("asm", "__asm__") and tokens[i].kind == "word":
            replacement, i = _replaced(tokens, i)
            result += replacement
        else:
            result.append(tokens[i])
            i += 1
    return result


def _replaced(tokens: list[Token], start: int) -> tuple[list[Token], int]:
    """Return the tokens that replace the statement beginning there, and the index behind it.

    Raises Unsupported for an instruction that has no counterpart.
    """
    i = start + 1
    while tokens[i].text in ("volatile", "__volatile__", "goto"):
        i += 1
    if tokens[i].text != "(":
        return [tokens[start]], start + 1
    parts, end = _parts(tokens, i + 1)
    if end == len(tokens):
        raise Fault(tokens[start], "this asm( is never closed", "end it with );")
    text = "".join(token.text[1:-1] for token in parts[0] if token.kind == "string")
    operands = [operand for part in parts[1:3] for operand in _operands(part)]
    place, code = tokens[start], "{"
    letter = functools.partial(_letter, [letter for letter, _ in operands])
    for k in reversed(range(len(operands))):
        text = text.replace(f"%{k}", _OPERAND.format(k))
    for one in _instructions(text):
        written = _instruction(one, letter)
        if written is None:
            raise Unsupported(
                place,
                f"inline PTX: {one.split(' ')[0]}",
                "use the CUDA function that does the same",
            )
        code += f" {written};"
    code += " }"
    result: list[Token] = []
    for token in tokenize(code)[:-1]:
        number = re.fullmatch(_OPERAND.format(r"(\d+)"), token.text)
        if number is None:
            result.append(token.moved(place))
        else:
            operand = operands[int(number[1])][1]
            left, right = (
                [Token("mark", mark, place.at, 1)] if len(operand) > 1 else [] for mark in "()"
            )
            result += [*left, *operand, *right]
    return result, end + (tokens[end].text == ";")


def _parts(tokens: list[Token], i: int) -> tuple[list[list[Token]], int]:
    """Return what stands between the colons of asm(...), and where it ends."""
    parts: list[list[Token]] = [[]]
    depth = 0
    while tokens[i].kind != "end" and (depth or tokens[i].text != ")"):
        depth += tokens[i].nesting
        if tokens[i].kind == "mark" and not depth and tokens[i].text in (":", "::"):
            parts += [[] for _ in tokens[i].text]
        else:
            parts[-1].append(tokens[i])
        i += 1
    return parts, i + 1


def _operands(part: list[Token]) -> Iterator[tuple[str, list[Token]]]:
    """Yield letter and expression of each "r"(x)."""
    i = 0
    while i < len(part):
        if part[i].kind == "string" and i + 1 < len(part) and part[i + 1].text == "(":
            end, depth = i + 2, 1
            while depth:
                depth += part[end].nesting
                end += 1
            yield part[i].text.strip('"+=&%'), part[i + 2 : end - 1]
            i = end
        else:
            i += 1


def _instructions(text: str) -> Iterator[str]:
    plain = re.sub(r"\\[nt]", " ", re.sub(r"//.*?(\\n|$)|/\*.*?\*/", " ", text)).replace("%%", "%")
    for one in _with_own_names(plain).split(";"):
        if one := one.strip().lstrip("{} "):
            yield re.sub(r"\s+", " ", re.sub(r"\s*,\s*", ", ", one))


def _with_own_names(text: str) -> str:
    """Rename the registers that the text declares, so that nothing around it has these names."""
    for kind, declared in re.findall(r"\.reg\s*\.(\w+)\s+([^;]+);", text):
        names = re.sub(r"([^\s,]+?)<(\d+)>", _numbered, declared)
        text = text.replace(declared, names, 1)
        for name in filter(None, map(str.strip, names.split(","))):
            own = f"__ptx_own_{_LETTERS.get(kind, 'r')}_" + re.sub(r"\W", "_", name)
            text = re.sub(rf"(?<![\w%$.]){re.escape(name)}(?![\w$])", own, text)
    return text


def _numbered(many: re.Match[str]) -> str:
    """Return the registers %r0, %r1, ... that %r<4> declares."""
    return ", ".join(f"{many[1]}{k}" for k in range(int(many[2])))


def _instruction(text: str, letter: ConstraintOf) -> str | None:
    """Translate one instruction to CUDA C++."""
    for name, value in sorted(_SPECIAL.items(), key=lambda item: -len(item[0])):
        text = text.replace(f"%{name}", value.replace(" ", ""))
    text = re.sub(r"\b0[fF]([0-9a-fA-F]{8})\b", r"__int_as_float(0x\1)", text)
    text = re.sub(r"\b0[dD]([0-9a-fA-F]{16})\b", r"__longlong_as_double(0x\1ll)", text)
    if declared := re.fullmatch(r"\.reg ?\.(\w+) (.*)", text):
        return f"{_TYPES[declared[1]]} {declared[2]}" if declared[1] in _TYPES else None
    if guarded := re.fullmatch(r"@(!?)(\w+) (.*)", text):
        code = _instruction(guarded[3], letter)
        return f"if ({guarded[1]}{guarded[2]}) {{ {code}; }}" if code is not None else None
    if "%" in text or text[0] in ".@":
        return None
    for pattern, code in _EXACT.items():
        if match := re.fullmatch(pattern, text):
            return match.expand(code)
    if access := _ACCESS.fullmatch(text):
        return _access(access, letter)
    name, _, rest = text.partition(" ")
    return (
        tensor_instruction(text, letter)
        or _conversion(name, rest, letter)
        or _packed(name, rest, letter)
        or _computed(name, rest, letter)
    )


def _letter(letters: list[str], operand: str) -> str:
    """Return the letter of a register, as asm() writes it: r, l, h, f, d, or p for a predicate."""
    number, own = (
        re.fullmatch(_OPERAND.format(r"(\d+)"), operand),
        re.match(r"__ptx_own_([a-z])_", operand),
    )
    return letters[int(number[1])] if number else own[1] if own else ""


def _misread(kind: str, registers: list[str], letter: ConstraintOf) -> bool:
    """Return whether an instruction takes a register's bits for another type. C++ would convert the value."""
    wanted = {"f32": "f", "f64": "d"}.get(kind)
    found = {letter(register) for register in registers}
    return bool(found & (set("rlhfd") - {wanted} if wanted else set("fd")))


def _packed(name: str, rest: str, letter: ConstraintOf) -> str | None:
    """Translate mov.b64 between a register and its two halves."""
    if name != "mov.b64" or "{" not in rest:
        return None
    if halves := re.fullmatch(r"\{ ?(\S+), (\S+?) ?\}, (\S+)", rest):
        parts = (f"(unsigned)({halves[3]})", f"(unsigned)((unsigned long long)({halves[3]}) >> 32)")
        low, high = (
            f"__uint_as_float({part})" if letter(register) == "f" else part
            for register, part in zip(halves.groups(), parts, strict=False)
        )
        return f"{halves[1]} = {low}; {halves[2]} = {high}"
    if halves := re.fullmatch(r"(\S+), \{ ?(\S+), (\S+?) ?\}", rest):
        low, high = (as_bits(one, letter) for one in halves.groups()[1:])
        return f"{halves[1]} = {low} | (unsigned long long){high} << 32"
    return None


def _computed(name: str, rest: str, letter: ConstraintOf) -> str | None:
    stem, _, kind = name.rpartition(".")
    values = rest.split(", ")
    code = next((code for pattern, code in _COMPUTED.items() if re.fullmatch(pattern, stem)), None)
    if code is None or kind not in _TYPES or not 2 <= len(values) <= 4 or "|" in values[0]:
        return None
    if stem.startswith(("setp", "selp")) and len(values) != 3 + (stem == "selp"):
        return None
    if stem.startswith("setp.ne") and kind[0] == "f":  # false where one is no number
        code = "(T)(a) < (T)(b) || (T)(a) > (T)(b)"
    between = (letter(values[0]), letter(values[1]))
    if stem == "mov" and kind[0] == "b" and between in _BITS:
        return f"{values[0]} = {_BITS[between]}({values[1]})"
    if (stem != "mov" or kind[0] != "b" or between[0] != between[1]) and _misread(
        kind, values, letter
    ):
        return None
    given = {"T": _TYPES[kind], **dict(zip("abc", values[1:], strict=False))}
    return f"{values[0]} = " + re.sub(r"\b[Tabc]\b", lambda word: given.get(word[0], word[0]), code)


def _conversion(name: str, rest: str, letter: ConstraintOf) -> str | None:
    match = re.fullmatch(r"cvt(\.(rn|rzi|rz|ftz|sat))*\.(\w+)\.(\w+)", name)
    if match is None or match[3] not in _TYPES or match[4] not in _TYPES:
        return None
    target, value = rest.split(", ")
    if _misread(match[3], [target], letter) or _misread(match[4], [value], letter):
        return None
    return f"{target} = ({_TYPES[match[3]]})({_TYPES[match[4]]})({value})"


def _access(match: re.Match[str], letter: ConstraintOf) -> str | None:
    """Translate ld.global.nc.v4.f32 {a, b, c, d}, [p]: one access of a vector, whose type is that of the registers."""
    rest = re.fullmatch(r"(?P<first>.*?)(, )(?P<second>[^,{]*|\{.*\})", match["rest"])
    if rest is None or match["type"] not in _TYPES:
        return None
    stores = match["what"] == "st"
    address, values = (rest["first"], rest["second"]) if stores else (rest["second"], rest["first"])
    registers = values.strip("{} ").split(", ")
    first = letter(registers[0])
    real = {"f": "float", "d": "double"}.get(first)
    base = real if real and match["type"][0] == "b" else _TYPES[match["type"]]
    volatile = (
        "volatile "
        if re.search(r"volatile|relaxed|acquire|release", match[0]) and not match["lanes"]
        else ""
    )
    kind = f"{_VECTORS[base]}{match['lanes']}" if match["lanes"] else base
    place, _, offset = address.strip("[] ").partition("+")
    pointer = (
        f"(({volatile}{kind}*)((char*)({place}) + {offset}))"
        if offset
        else f"(({volatile}{kind}*)({place}))"
    )
    if not match["lanes"]:
        if base.endswith("long long") and first:  # the register may hold a pointer
            pointer = pointer.replace(base, f"decltype({registers[0]})", 1)
        return f"*{pointer} = {registers[0]}" if stores else f"{registers[0]} = *{pointer}"
    if stores:
        return f"*{pointer} = make_{kind}({', '.join(registers)})"
    return stored_results(kind, f"*{pointer}", registers)

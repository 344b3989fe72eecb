"""Random programs for the host: loops over arrays that rebind and alias their indices, mixed signs and widths, control
flow, structs, pointers, references. Each is right for `g++ -std=c++17 -fwrapv`, without anything undefined.

    python -m tests.cuda.host.random_programs FIRST LAST      compares these seeds with g++
"""

import random
import subprocess
import sys
import tempfile
from pathlib import Path

INTEGERS = [
    "int",
    "unsigned",
    "short",
    "unsigned short",
    "signed char",
    "unsigned char",
    "long long",
    "unsigned long long",
]
WIDE = ["int", "unsigned", "long long", "unsigned long long"]
SIZE = 128  # elements of each array; loops stay MARGIN away from both ends
MARGIN = 16
BATCH = 50  # programs for g++ at once


class Writer:
    """Writes one random program."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.arrays = {f"a{k}": self.random.choice(INTEGERS) for k in range(3)}
        self.scalars = {f"s{k}": self.random.choice(INTEGERS) for k in range(4)}
        self.fresh = 0

    def pick(self, *choices):
        return self.random.choice(choices)

    def name(self, prefix):
        self.fresh += 1
        return f"{prefix}{self.fresh}"

    # --- expressions ----------------------------------------------------------------------

    def leaf(self, names):
        return self.pick(
            lambda: self.random.choice([*self.scalars, *names]),
            lambda: str(self.random.randint(-9, 99)),
            lambda: f"{self.random.randint(0, 9)}u",
            lambda: f"p->{self.pick('x', 'y')}",
            lambda: self.element(names),
            lambda: self.random.choice([*self.scalars, *names]),
        )()

    def element(self, names):
        """An element of an array, where the index is surely in it."""
        array = self.pick(*self.arrays, "alias", "bytes")
        index = f"({self.random.choice([*self.scalars, *names])} & {SIZE - 1})"
        if "i" in names:
            near = f"i + {self.random.randint(0, MARGIN // 2)}"
            index = self.pick("i", "i", "k" if "k" in names else "i", "i + 1", "i - 1", near)
        return self.pick(
            f"{array}[{index}]",
            f"{array}[{index}]",
            f"*({array} + {index})",
            f"q[{index}].{self.pick('x', 'y')}",
        )

    def value(self, names, depth=2):
        if depth == 0 or self.random.random() < 0.25:
            return self.leaf(names)
        left, right = self.value(names, depth - 1), self.value(names, depth - 1)
        return self.pick(
            f"({left} {self.pick('+', '-', '*', '&', '|', '^')} {right})",
            f"({left} {self.pick('+', '-', '*')} {right})",
            f"({left} {self.pick('/', '%')} (({right} & 7) + 1))",
            f"({left} {self.pick('<<', '>>')} ({right} & 7))",
            f"({left} {self.pick('<', '<=', '>', '>=', '==', '!=')} {right})",
            f"({left} {self.pick('&&', '||')} {right})",
            f"({left} ? {right} : {self.leaf(names)})",
            f"({self.random.choice(INTEGERS)})({left})",
            f"{self.pick('-', '~', '!')}({left})",
        )

    def target(self, names):
        return self.pick(
            self.element(names), self.element(names), self.random.choice([*self.scalars]), "p->x"
        )

    # --- statements -----------------------------------------------------------------------

    def simple(self, names):
        """Draw one statement without control flow."""
        return self.pick(
            lambda: f"{self.target(names)} = {self.value(names)};",
            lambda: (
                f"{self.target(names)} {self.pick('+', '-', '*', '^', '|', '&')}= {self.value(names)};"
            ),
            lambda: f"{self.random.choice([*self.scalars])} += {self.element(names)};",
            lambda: f"{self.pick('++', '--')}{self.target(names)};",
            lambda: f"{self.pick('++', '--')}({self.pick('++', '--')}{self.target(names)});",
            lambda: (
                f"({self.target(names)} {self.pick('+', '^', '')}= {self.leaf(names)}) "
                f"{self.pick('*', '-')}= {self.random.randint(2, 9)};"
            ),
            lambda: (
                self.rebound(names)
                if "k" in names
                else f"{self.element(names)} = {self.leaf(names)};"
            ),
            lambda: f"total += {self.leaf(names)};",
            lambda: (
                f"{self.pick(*self.scalars)} = twice({self.leaf(names)}, {self.pick(*self.scalars)});"
            ),
            lambda: f"touch(p, {self.leaf(names)});",
            lambda: (
                f"{self.pick(*self.arrays)}[j++ & {SIZE - 1}] = {self.pick('j', self.leaf(names))};"
            ),
            lambda: f"{self.pick(*self.scalars)} += {self.pick(*self.scalars)}++;",
        )()

    def rebound(self, names):
        return f"k = {self.pick('k + 1', 'k - 1', 'i', 'i + 2')};\n" + (
            "if (k < 0 || k > 127) k = 5;" if self.random.random() < 0.5 else "k &= 127;"
        )

    def block(self, names, depth, loop):
        lines = []
        for _ in range(self.random.randint(1, 3)):
            lines.append(self.statement(names, depth, loop))
        return "\n".join(lines)

    def statement(self, names, depth, loop):
        roll = self.random.random()
        if depth == 0 or roll < 0.45:
            return self.simple(names)
        if roll < 0.6:
            return self.straight_loop()
        if roll < 0.7:
            way = (
                self.pick("break;", "continue;", self.simple(names)) if loop else self.simple(names)
            )
            other = self.pick("", f" else {{ {self.simple(names)} }}")
            return f"if ({self.value(names)}) {{ {way} }}{other}"
        if roll < 0.8:
            n = self.name("n")
            body = self.block([*names, n], depth - 1, True)
            return self.pick(
                f"for (int {n} = {self.random.randint(1, 6)}; {n} > 0; {n}--) {{ {body} }}",
                f"{{ int {n} = {self.random.randint(1, 6)}; while ({n}-- > 0) {{ {body} }} }}",
                f"{{ int {n} = 0; do {{ {body} }} while (++{n} < {self.random.randint(1, 5)}); }}",
            )
        if roll < 0.9:
            cases = "".join(
                f"case {k}: {self.simple(names)} {self.pick('break;', '')}\n" for k in range(3)
            )
            m = self.name("m")
            last = f"{m} = {self.leaf(names)}; {self.simple([*names, m])}"
            return f"switch ({self.leaf(names)} & 3) {{ {self.pick(*INTEGERS)} {m}; {cases} default: {last} }}"
        return self.pick(
            f"*r = {self.value(names)};",
            f"p = {self.pick('q', '&q[9]', '&one')};",
            "r = &s4;",
            "r = &g;",
        )

    def straight_loop(self):
        """Draw a loop that runs as native code in parts, or nearly: a counter, assignments, sums, an if that is rarely true."""
        kind = self.pick(*WIDE, "int", "int")
        first = self.random.randint(MARGIN, 20)
        last = self.pick(
            str(self.random.randint(70, SIZE - MARGIN)), "bound", "wide_bound", "real_bound"
        )
        names, lines = ["i"], []
        if self.random.random() < 0.5:
            names.append("k")
            lines.append(f"int k = {self.pick('i', 'i', 'i + 1')};")
        for _ in range(self.random.randint(1, 4)):
            lines.append(self.straight(names))
        if self.random.random() < 0.25:
            lines.append(
                f"if ({self.value(names, 1)} {self.pick('==', '>')} {self.random.randint(50, 120)}) "
                f"{self.pick('break;', 'continue;', self.simple(names))}"
            )
        body = "\n    ".join(lines)
        return f"for ({kind} i = {first}; i {self.pick('<', '<', '<=', '!=')} {last}; i++) {{\n    {body}\n}}".replace(
            "!= real_bound", "< real_bound"
        )

    def straight(self, names):
        steps = [
            lambda: f"{self.element(names)} = {self.value(names, 1)};",
            lambda: f"{self.element(names)} = {self.element(names)};",
            lambda: f"{self.element(names)} {self.pick('+', '*', '^')}= {self.value(names, 1)};",
            lambda: f"{self.pick(*self.scalars, 'total', 'sum')} += {self.value(names, 1)};",
            lambda: self.temporary(names),
            lambda: self.moving(),
        ]
        if "k" in names:
            steps += [lambda: self.pick("k = k + 1;", "k = k - 1;", "k += 2;", "k = i;")] * 2
            steps.append(lambda: "k = (k + i) % 64 + 16;")
        return self.random.choice(steps)()

    def moving(self):
        """The target changes what the value reads: g++ has the target of += first, the value of =."""
        target, array = self.pick(*self.arrays), self.pick(*self.arrays)
        return f"{target}[j++ & {SIZE - 1}] {self.pick('+', '*', '^', '')}= j + {array}[j & {SIZE - 1}];"

    def temporary(self, names):
        t = self.name("t")
        names.append(t)
        return f"{self.random.choice(INTEGERS)} {t} = {self.element(names[:-1])};"

    # --- the program ----------------------------------------------------------------------

    def text(self):
        alias = {
            "int": "unsigned",
            "unsigned": "int",
            "short": "unsigned short",
            "unsigned short": "short",
            "long long": "unsigned long long",
            "unsigned long long": "long long",
        }
        first = next((a for a, kind in self.arrays.items() if kind in alias), None)
        aliased = (
            f"{alias[self.arrays[first]]}* alias = ({alias[self.arrays[first]]}*){first}"
            if first
            else ("signed char* alias = (signed char*)a0")
        )
        seen, kind = self.pick(*self.arrays), self.pick(*WIDE)
        declared = "\n".join(
            [
                f"    {kind} {a}[{SIZE}]; for (int i = 0; i < {SIZE}; i++) {a}[i] = i * {self.random.randint(1, 99)} + "
                f"{self.random.randint(-50, 50)};"
                for a, kind in self.arrays.items()
            ]
            + [
                f"    {kind} {s} = {self.random.randint(-9, 99)};"
                for s, kind in self.scalars.items()
            ]
        )
        body = "\n".join(self.statement([], 3, False) for _ in range(6))
        sums = "".join(
            f"for (int i = 0; i < {SIZE}; i++) h = h * 31 + {a}[i];\n" for a in self.arrays
        )
        shown = [*self.scalars, "s4", "g", "j", "one.x", "one.y", "p->x"]
        values = "".join(f'printf("%lld ", (long long){name});' for name in shown)
        return f"""#include <cstdio>
struct Pair {{ {self.random.choice(INTEGERS)} x; {self.random.choice(INTEGERS)} y; }};
{kind} g = 7;
template <class T> int twice(int v, T& w) {{ w += 3; g ^= v; return 2 * v - w; }}
void touch(Pair* p, long long v) {{ p->y = p->x + v; g += 1; }}
int main() {{
{declared}
    {self.random.choice(WIDE)} bound = {self.random.randint(70, SIZE - MARGIN)}; unsigned long long wide_bound = 100;
    double real_bound = 99.5, total = 0; unsigned sum = 0; unsigned j = 0; int i = 3, k = 9;
    Pair one = {{1, 2}}, q[{SIZE}], *p = &one; {aliased}; unsigned char* bytes = (unsigned char*){seen};
    {kind} s4 = 5, *r = &g;
    for (int n = 0; n < {SIZE}; n++) {{ q[n].x = n; q[n].y = 3 * n; }}
{body}
    unsigned long long h = 0;
{sums}for (int i = 0; i < {SIZE}; i++) h = h * 31 + q[i].x * 7 + q[i].y;
{values}
    printf("%llu %.17g %u %d %d", h, total, sum, i, k);
}}
"""


def program(seed):
    return Writer(seed).text()


def compiled(texts):
    """Return what each of the programs prints when g++ has compiled them, all at once."""
    parts, calls = [], []
    for k, text in enumerate(texts):
        own = text.replace("#include <cstdio>", "").replace("int main() {", "void run() {")
        parts.append(f"namespace p{k} {{\n{own}\n}}")
        calls.append(f'p{k}::run(); puts("");')
    whole = "\n".join(["#include <cstdio>", *parts, "int main() {", *calls, "}"])
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "programs.cpp"
        source.write_text(whole)
        options = ["-std=c++17", "-fwrapv", "-fno-strict-aliasing", "-w"]
        subprocess.run(["g++", *options, "-o", f"{folder}/programs", source], check=True)
        found = subprocess.run(
            [f"{folder}/programs"], capture_output=True, text=True, check=True
        ).stdout
    return found.splitlines()


def main():
    from nnlib.cuda import Program

    first, last = map(int, sys.argv[1:3])
    for begin in range(first, last, BATCH):
        texts = list(map(program, range(begin, min(begin + BATCH, last))))
        for seed, (text, expected) in enumerate(zip(texts, compiled(texts), strict=True), begin):
            try:
                seen = Program(text).run().output
            except Exception as error:
                seen = f"{type(error).__name__}: {error}"
            if seen != expected:
                print(f"seed {seed}\n  g++  {expected}\n  here {seen}", flush=True)


if __name__ == "__main__":
    main()

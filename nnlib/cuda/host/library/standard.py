"""The C library: numbers, texts, files, time, the end."""

from __future__ import annotations

import re
import struct
import time as clocks
from collections.abc import Callable
from string import ascii_lowercase
from typing import TYPE_CHECKING, NoReturn, TypeVar

from nnlib.cuda.host.library.copies import End
from nnlib.cuda.host.library.registry import provides
from nnlib.cuda.host.lowering.values import single
from nnlib.cuda.host.lowering.writer import Site
from nnlib.cuda.host.runtime.ending import ABORTED, Exit
from nnlib.cuda.host.runtime.files import STDIN, opened
from nnlib.cuda.host.runtime.memory import LIMIT
from nnlib.cuda.language.types import DOUBLE

if TYPE_CHECKING:
    from nnlib.cuda.host.runtime.process import Process

T = TypeVar("T", int, float)


@provides("exit")
def leave(process: Process, site: Site, status: int) -> NoReturn:
    raise Exit(status)


@provides()
def abort(process: Process, site: Site) -> NoReturn:
    raise Exit(ABORTED)


@provides("rand", "random")
def rand(process: Process, site: Site) -> int:
    return process.random.next()


@provides("srand", "srandom")
def srand(process: Process, site: Site, seed: int) -> None:
    process.random.seed(seed)


@provides()
def drand48(process: Process, site: Site) -> float:
    return process.random.real()


@provides()
def srand48(process: Process, site: Site, seed: int) -> None:
    process.random.seed48(seed)


@provides("atoi", "atol")
def atoi(process: Process, site: Site, text: int) -> int:
    return strtol(process, site, text, 0, 10)


@provides()
def atof(process: Process, site: Site, text: int) -> float:
    return strtod(process, site, text, 0)


@provides("strtod", "strtof")
def strtod(process: Process, site: Site, text: int, end: int) -> float:
    kind = float if site.call.type == DOUBLE else single
    number = r"(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|(?i:inf(?:inity)?|nan)"
    return _front(process, text, end, rf"[-+]?(?:{number})", lambda found: kind(float(found)))


@provides("strtol")
def strtol(process: Process, site: Site, text: int, end: int, base: int) -> int:
    """base 0: as the number is written, hexadecimal, octal or decimal."""
    if base and not 2 <= base <= 36:
        process.mistake(f"strtol knows no base {base}", "write 10; or 0 for as the number is written", at=site.at)
    hexadecimal = "0[xX][0-9a-fA-F]+|"
    known = rf"(?i:[{ascii_lowercase[:base - 10]}\d]+)" if base > 10 else rf"[0-{base - 1}]+"
    digits = hexadecimal + r"0[0-7]*|\d+" if base == 0 else hexadecimal * (base == 16) + known

    def number(found: str) -> int:
        first = found.lstrip("-+").lower()
        own = base or (16 if first.startswith("0x") else 8 if first.startswith("0") else 10)
        return max(-2**63, min(int(found, own), 2**63 - 1))
    return _front(process, text, end, rf"[-+]?(?:{digits})", number)


def _front(process: Process, text: int, end: int, pattern: str, kind: Callable[[str], T]) -> T:
    """The number in front of a text; where it ends goes through the pointer `end`, if it is not null."""
    found = re.match(rf"\s*({pattern})", process.text(text), re.ASCII)
    if end:
        process.store_bytes(end, struct.pack("<q", text + (found.end() if found else 0)))
    return kind(found[1] if found else "0")


@provides("system")
def system(process: Process, site: Site, command: int) -> NoReturn:
    process.mistake("a program here cannot start others", "leave system() out", at=site.at)


@provides()
def getenv(process: Process, site: Site, name: int) -> int:
    """Nothing is set."""
    return 0


# --- texts --------------------------------------------------------------------------------


@provides()
def strlen(process: Process, site: Site, text: int) -> int:
    return len(process.characters(text))


@provides()
def strcmp(process: Process, site: Site, a: int, b: int) -> int:
    left, right = process.characters(a), process.characters(b)
    return (left > right) - (left < right)


@provides()
def strncmp(process: Process, site: Site, a: int, b: int, count: int) -> int:
    left, right = process.characters(a)[:count], process.characters(b)[:count]
    return (left > right) - (left < right)


@provides()
def strcasecmp(process: Process, site: Site, a: int, b: int) -> int:
    left, right = process.characters(a).lower(), process.characters(b).lower()
    return (left > right) - (left < right)


@provides()
def strcpy(process: Process, site: Site, to: int, source: int) -> int:
    process.store_bytes(to, process.characters(source) + b"\0")
    return to


@provides()
def strncpy(process: Process, site: Site, to: int, source: int, count: int) -> int:
    End(process, site, to, count, 0, True).check_room()
    process.store_bytes(to, process.characters(source)[:count].ljust(count, b"\0"))
    return to


@provides()
def strcat(process: Process, site: Site, to: int, source: int) -> int:
    process.store_bytes(to + len(process.characters(to)), process.characters(source) + b"\0")
    return to


# --- printing and files -------------------------------------------------------------------


@provides()
def puts(process: Process, site: Site, text: int) -> int:
    process.write(process.text(text) + "\n")
    return 1


@provides()
def putchar(process: Process, site: Site, character: int) -> int:
    process.write(chr(character & 255))
    return character


@provides()
def fputs(process: Process, site: Site, text: int, file: int) -> int:
    return process.printer.fprintf(file, "%s", [("s", text)])


@provides("__print_text")
def print_text(process: Process, site: Site, file: int, text: int, width: int) -> None:
    process.write(process.text(text).rjust(width))


@provides("__print_real")
def print_real(process: Process, site: Site, file: int, value: float, precision: int, fixed: bool, width: int) -> None:
    process.write((f"%.{precision}{'f' if fixed else 'g'}" % value).rjust(width))


@provides("__print_whole", "__print_unsigned")
def print_whole(process: Process, site: Site, file: int, value: int, width: int) -> None:
    process.write(str(int(value)).rjust(width))


@provides()
def fflush(process: Process, site: Site, file: int) -> int:
    return 0


@provides()
def getchar(process: Process, site: Site) -> int:
    """There is no keyboard: the end of the file."""
    process.files.ended.add(STDIN)
    return -1


@provides()
def perror(process: Process, site: Site, text: int) -> None:
    process.write(process.text(text) + ": No such file or directory\n")


@provides()
def fopen(process: Process, site: Site, name: int, mode: int) -> int:
    try:
        return process.files.open(process.text(name), process.text(mode))
    except PermissionError:
        process.mistake(f"a program here has a folder of its own: '{process.text(name)}' is outside of it",
                        "write a plain file name", at=site.at)


@provides()
def fclose(process: Process, site: Site, file: int) -> int:
    if opened(process, file) is not None:
        process.files.shut(file)
    return 0


@provides()
def fwrite(process: Process, site: Site, pointer: int, size: int, count: int, file: int) -> int:
    content = process.load_bytes(pointer, size * count)
    stream = opened(process, file)
    if stream is None:
        process.write(content.decode("utf-8", "replace"))
        return count
    return process.files.write(stream, content) // max(size, 1)


@provides()
def fread(process: Process, site: Site, pointer: int, size: int, count: int, file: int) -> int:
    content = _read(process, file, size * count)
    process.store_bytes(pointer, content)
    return len(content) // max(size, 1)


@provides()
def fgets(process: Process, site: Site, text: int, size: int, file: int) -> int:
    line = _read(process, file, max(size - 1, 0), line=True)
    if not line and size != 1:  # where there is room for the 0 alone, it is no end
        return 0
    process.store_bytes(text, line + b"\0")
    return text


@provides()
def fseek(process: Process, site: Site, file: int, offset: int, origin: int) -> int:
    stream = opened(process, file)
    if stream is None:  # the outputs go on and on
        return -1
    try:
        stream.seek(offset, origin)
    except (OSError, ValueError):  # in front of the file, or farther than files go
        return -1
    process.files.ended.discard(file)
    return 0


@provides()
def ftell(process: Process, site: Site, file: int) -> int:
    stream = opened(process, file)
    return stream.tell() if stream is not None else -1


@provides()
def feof(process: Process, site: Site, file: int) -> int:
    """Has a read met the end? Who has read the last byte has not."""
    opened(process, file)
    return int(file in process.files.ended)


def _read(process: Process, file: int, size: int, line: bool = False) -> bytes:
    """Up to so many bytes, or of the next line; none of what cannot be read: a file open for writing, the keyboard."""
    stream = opened(process, file)
    if stream is not None and not stream.readable():
        return b""
    found = b"" if stream is None else stream.readline(size) if line else stream.read(size if size < LIMIT else -1)
    if len(found) < size and not (line and found.endswith(b"\n")):
        process.files.ended.add(file)
    return found


# --- time ---------------------------------------------------------------------------------


@provides()
def time(process: Process, site: Site, result: int) -> int:
    now = int(clocks.time())
    if result:
        process.store_bytes(result, struct.pack("<q", now))
    return now


@provides("__seconds")
def seconds(process: Process, site: Site) -> float:
    return process.seconds()


@provides()
def gettimeofday(process: Process, site: Site, now: int, zone: int) -> int:
    moment = process.seconds()
    process.store_bytes(now, struct.pack("<qq", int(moment), int(moment % 1 * 1e6)))
    return 0


@provides()
def clock_gettime(process: Process, site: Site, clock: int, now: int) -> int:
    moment = process.seconds()
    process.store_bytes(now, struct.pack("<qq", int(moment), int(moment % 1 * 1e9)))
    return 0


@provides("usleep", "sleep")
def sleep(process: Process, site: Site, amount: int) -> int:
    process.schedule.host += amount * (1 if site.call.function.name == "sleep" else 1e-6)
    return 0

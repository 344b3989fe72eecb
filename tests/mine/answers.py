"""Right and wrong answers to every workshop, as students write them: texts made from a few by what they would change."""

import json
import re
from pathlib import Path

import pytest

from nnlib import mine
from nnlib.course.exercises.mistakes import parsed, usual_text
from nnlib.lessons import notebooks
from nnlib.mine import library
from nnlib.mine.judgement import Judgement

_NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


def forget():
    """Clear everything that the library remembers in this process."""
    for kept in (library._running, library._unsaved, library._told, library._launches):
        kept.clear()


def save(name, text):
    """Save a kernel as one that was judged right: test_answers.py, test_pieces.py and the marking of solutions judge it."""
    mine.save(name, Judgement(mine.PIECES[name], right=True), text)


def sections(file):
    """Yield (heading, paragraphs) of a file beside this one; a heading begins with the name of a piece."""
    for part in Path(__file__).with_name(file).read_text("utf-8").split("\n## ")[1:]:
        heading, paragraphs = part.split("\n", 1)
        yield heading, paragraphs.strip("\n")


# Piece -> wrong answers as mistakes in its typed text; in the place of hints stand words of what is said.
WRONG = dict(sections("wrong.txt"))


def edited(file, text_of):
    """(piece, text, words) of each paragraph: below the words a whole text, or changes of text_of(heading)."""
    for heading, paragraphs in sections(file):
        for paragraph in paragraphs.split("\n\n"):
            words, change = "", paragraph
            if paragraph[0] not in "-+/":
                words, change = paragraph.split("\n", 1)
            if not change.startswith("//"):
                (mistake,) = parsed(change)
                change = mistake.made_in(text_of(heading))
            yield heading.split(",")[0], change, words


def each_of(file, text_of):
    """Run a test with (name, text, words) of each paragraph of a file."""
    found = [*edited(file, text_of)]
    named = [f"{name}: {words}" for name, _, words in found]
    return pytest.mark.parametrize(("name", "text", "words"), found, ids=named)


def plain(name):
    """The course's first version."""
    return mine.PIECES[name].plain


def typed(name):
    """The answer that a student would type; the plain version where that does its task."""
    return usual_text(mine.PIECES[name])


def lesson_solutions(until):
    """name -> the folded solution of the last workshop of a piece, in the lessons up to `until` ("05"), as a student types it."""
    found = {}
    for path in sorted(path for path in notebooks(_NOTEBOOKS) if path.name[:2] <= until):
        for cell in json.loads(path.read_text("utf-8"))["cells"]:
            text = "".join(cell["source"])
            if "solution" in cell["metadata"].get("tags", []) and text.startswith("%%cuda"):
                options, _, code = text.partition("\n")
                defines = [
                    f"#define {d.replace('=', ' ')}" for d in re.findall(r"-D\s*(\S+)", options)
                ]
                for name in re.findall(r"__global__ void (\w+)\(", code):
                    if name in mine.PIECES:
                        found[name] = "\n".join([*defines, code])
    return found


def _named(heading):
    """The text that a heading of right.txt names: the typed one, or the plain version."""
    name, *version = heading.split(", ")
    return plain(name) if version else typed(name)


RIGHT: dict[str, list[str]] = {name: [] for name in mine.PIECES}
for _name, _text, _ in edited("right.txt", _named):
    RIGHT[_name].append(_text)


def right(name):
    """Texts that are right, written differently: the typed one in another hand, other blocks, other ways."""
    piece, text = mine.PIECES[name], typed(name)
    hand = re.sub(r"const (float|int|unsigned char)\*(?= \w+,)", r"const \1* __restrict__", text)
    for parameter in piece.shapes:
        hand = re.sub(rf"(?<![.\w]){parameter}\b(?!\()", f"{parameter}_of_mine", hand)
    hand = re.sub(r"\)\s*\{", ")\n{", hand, count=1).replace("    int ", "    const int ", 1)
    return [f"// a note\n/* and another */\n{hand}", *_blocks(text), *RIGHT[name]]


def _blocks(text):
    """Other blocks, and a grid that has some to spare."""
    if "+ 255) / 256, 256" in text:
        yield text.replace("+ 255) / 256, 256", "+ 63) / 64, 64")
        spare = text.replace("+ 255) / 256, 256", "+ 511) / 512 + 3), dim3(512)")
        yield spare.replace("<<<(", "<<<dim3((")
    if "#define T 16" in text:
        yield text.replace("#define T 16", "constexpr int T = 32;")


def wrong(name):
    """Yield at least fifteen (text, words of the hint)."""
    piece, text = mine.PIECES[name], typed(name)
    launch = re.search(r"<<<.*>>>", text)[0]
    body = text.index("{", text.index(" " + name + "("))
    first = piece.signature[0].name if piece.signature[0].name not in piece.updates else "g"
    yield (
        f"// {launch}\n{text[:body]}{{}}\n",
        ("stays as it was" if piece.updates else "does any thread store a result"),
    )
    yield text.replace("<<<", "").replace(">>>", ""), "does not say how it is launched"
    yield text.replace(launch, "<<<count, 256>>>"), "'count'"
    yield text.replace(launch, "<<<1>>>"), "needs a grid and a block"
    yield text.replace(launch, launch.split(",")[0] + ", 32"), ">>>"
    yield text.replace(launch, "<<<1, 2048>>>"), "1024"
    yield text.replace('extern "C" ', ""), 'not extern "C"'
    yield re.sub(r"\bint (n|N|rows|planes)\b", r"float \1", text, count=1), "its contract is ("
    yield text[:body] + text[body:].replace(";", "", 1), "expected ';'"
    yield text.replace(f" {name}(", " my_kernel("), f"no kernel named '{name}'"
    yield text[: body + 1] + " while (true) {}\n" + text[body + 1 :], "does not end"
    store = f" if (blockIdx.x + blockIdx.y + blockIdx.z + threadIdx.x + threadIdx.y == 0) (({_kind(piece, first)}*){first})[0] = 9;"
    last = text.rindex("}")
    yield text[:last].replace("return;", "return;") + "\n" + store + text[last:], "is an input"
    for mistake in parsed(WRONG[name]):
        yield mistake.made_in(text), mistake.hint


def _kind(piece, name):
    return re.search(rf"(?:const )?([\w ]+)\* {name}\b", piece.parameters)[1].replace("const ", "")

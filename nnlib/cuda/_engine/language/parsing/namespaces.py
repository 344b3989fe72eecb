"""Namespaces: `a::b` becomes one word; the text's own namespaces are left out, as if all names were global."""

from __future__ import annotations

from dataclasses import replace

from .lexer import Token


def without_namespaces(tokens: list[Token], text: list[Token] | None = None) -> list[Token]:
    """Take off `namespace a { }` and `a::`, and join a library's name to one word.

    After `namespace cg = cooperative_groups;` cg::sync becomes "cooperative_groups::sync". text: the tokens that declare the
    namespaces, if not these.
    """
    if not any(token.text in ("::", "namespace") for token in tokens):
        return tokens
    aliases, own = _declared(text or tokens)
    result: list[Token] = []
    braces: list[bool] = []  # of the { that are open: does it belong to a namespace?
    i = 0
    while i < len(tokens):
        token = tokens[i]
        if token.text == "namespace" and token.kind == "word":
            if length := _head(tokens, i):
                i += length
                if tokens[i - 1].text == "{":
                    braces.append(True)
                continue
            if tokens[i + 1].text in aliases:  # using namespace cg;
                result += [token, replace(tokens[i + 1], text=aliases[tokens[i + 1].text])]
                i += 2
                continue
        elif token.text == "{" and token.kind == "mark":
            braces.append(False)
        elif token.text == "}" and token.kind == "mark" and braces and braces.pop():
            i += 1
            continue
        elif token.kind == "word" and tokens[i + 1].text == "::" and tokens[i + 2].kind == "word":
            joined, i = _qualified(tokens, i, aliases, own)
            result.append(joined)
            continue
        elif (
            token.text == "::"
            and tokens[i + 1].kind == "word"
            and not (result and (result[-1].kind == "word" or result[-1].text in (">", ">>")))
        ):
            i += 1  # ::name
            continue
        result.append(tokens[i])
        i += 1
    return result


def _declared(tokens: list[Token]) -> tuple[dict[str, str], set[str]]:
    """Return the other names of namespaces, and the namespaces that the program defines."""
    aliases: dict[str, str] = {}
    own = {"std"}  # what it has is known by its plain name
    for i, token in enumerate(tokens[:-3]):
        if token.text != "namespace" or token.kind != "word" or tokens[i + 1].kind != "word":
            continue
        following = [t.text for t in tokens[i + 1 : _end_of_name(tokens, i + 1)]]
        if tokens[i + 2].text == "=":
            target = tokens[i + 3 : _end_of_name(tokens, i + 3)]
            aliases[tokens[i + 1].text] = "".join(t.text for t in target)
        elif tokens[i + 1 + len(following)].text == "{":
            own |= set(following) - {"::"}
    return aliases, own


def _end_of_name(tokens: list[Token], i: int) -> int:
    """Return the index behind a::b::c."""
    while tokens[i].kind == "word" and tokens[i + 1].text == "::":
        i += 2
    return i + 1


def _head(tokens: list[Token], i: int) -> int:
    """Return how many tokens `namespace a {`, `namespace {` or `namespace a = b;` takes; 0 for anything else."""
    end = i + 1
    if tokens[end].kind == "word":
        end = _end_of_name(tokens, end)
    if tokens[end].text == "{":
        return end + 1 - i
    if tokens[end].text == "=" and tokens[end + 1].kind == "word":
        end = _end_of_name(tokens, end + 1)
        return end + 1 - i if tokens[end].text == ";" else 0
    return 0


def _qualified(
    tokens: list[Token], i: int, aliases: dict[str, str], own: set[str]
) -> tuple[Token, int]:
    """Return a::b::c as one word, and the index behind it."""
    first, end = tokens[i], _end_of_name(tokens, i)
    names = [token.text for token in tokens[i:end:2]]
    names[:1] = aliases.get(names[0], names[0]).split("::")
    names = names[names[:2] == ["cuda", "std"] :]
    while len(names) > 1 and names[0] in own:
        names = names[1:]
    last = tokens[end - 1]
    width = (
        last.at.column + last.width - first.at.column
        if last.at.line == first.at.line
        else first.width
    )
    return Token(
        "word", "::".join(names), first.at, width, first.starts_line, commented=last.commented
    ), end

"""Discord's documented limits, and texts cut to them."""

from __future__ import annotations

from collections.abc import Iterator

CONTENT = 2000
TITLE = 256
DESCRIPTION = 4096
FIELDS = 25
FIELD_NAME = 256
FIELD_VALUE = 1024
EMBED = 6000
"""Characters of all the embeds of a message together."""
EMBEDS = 10
CUSTOM_ID = 100
BUTTON = 80
"""Characters on a button."""


def cut(text: str, most: int) -> str:
    """``text``, or its beginning and a sign that there was more."""
    return text if units(text) <= most else _head(text, most - 1).rstrip() + "…"


def units(text: str) -> int:
    """The length of a text as Discord counts it at worst: in units of UTF-16."""
    return len(text) + sum(ord(one) > 0xFFFF for one in text)


def split(text: str, most: int = CONTENT) -> Iterator[str]:
    """``text`` in parts that each fit a message, parted between lines where it can be."""
    part: list[str] = []
    size = 0
    for line in _lines(text, most):
        if part and size + units(line) > most:
            yield "".join(part)
            part, size = [], 0
        part.append(line)
        size += units(line)
    if part and "".join(part).strip():
        yield "".join(part)


def fenced(text: str) -> Iterator[str]:
    """``text`` in parts that each are a block of code and fit a message: nothing in it is markup, a mention or a link."""
    for part in split(text.replace("`", "'"), CONTENT - len("```\n\n```")):
        yield "```\n" + part.strip("\n") + "\n```"


def _lines(text: str, most: int) -> Iterator[str]:
    for line in text.splitlines(keepends=True):
        while units(line) > most:
            head = _head(line, most)
            yield head
            line = line[len(head) :]
        yield line


def _head(text: str, most: int) -> str:
    size = 0
    for at, one in enumerate(text):
        size += units(one)
        if size > most:
            return text[:at]
    return text


def plain(text: str) -> str:
    """``text`` so that nothing in it is markup, a mention or a link with another name."""
    return "".join("\\" + one if one in "\\*_~`|<>#[]()-@" else one for one in text)

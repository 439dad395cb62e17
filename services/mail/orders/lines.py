"""A player's line as typed, made plain, with the way back to the column he typed it in.

Mail programs and phones change what was typed: no-break blanks, long dashes, curly quotes, invisible marks, full-width digits. All that
is levelled here, so that the grammar sees capitals, ASCII hyphens and single blanks only.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

MAX_TEXT = 65536
"""Bytes of UTF-8 that one orders text may have."""
MAX_LINE = 500
"""Characters that one line may have."""
MAX_ORDERS = 500
"""Orders that one text may have."""

_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2043\ufe58\ufe63\uff0d\u058a\u30fc"
_SINGLE = "\u2018\u2019\u201a\u201b\u2032\u02bc\u00b4`"
_DOUBLE = "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\u2039\u203a"
_BLANKS = "\u115f\u1160\u3164\uffa0\u2800"
_BULLETS = "\u2022\u2023\u25aa\u25cf\u25e6\u00b7\u2219"
_MAPPED: dict[str, str] = {
    **dict.fromkeys(_DASHES, "-"),
    **dict.fromkeys(_SINGLE, "'"),
    **dict.fromkeys(_DOUBLE, '"'),
    **dict.fromkeys(_BLANKS, " "),
    **dict.fromkeys(_BULLETS, " "),
    "\u2192": "->",
    "\u21d2": "->",
    "\u2265": ">=",
    "\u2267": ">=",
    "\u3001": ",",
    "\u2044": "/",
    "\u2215": "/",
}
_TOKEN = re.compile(r'(?P<op>->|=>|>=|[,+:()=<>|&])|[^\s,+:()=<>|&"]+?(?=->)|[^\s,+:()=<>|&"]+')
_HEX_CHAIN = re.compile(r"[0-9]{4}(?:[-/][0-9]{4})+")
_EDGE = "'.!?*_~"


@dataclass(frozen=True, slots=True)
class Token:
    """A word or a sign: ``text`` levelled, ``start`` and ``end`` its columns in the line as typed (from 1, ``end`` one past)."""

    text: str
    start: int
    end: int
    op: bool = False


def level(line: str) -> tuple[str, Sequence[int]]:
    """The line in capitals with plain signs, and for each character of it the index of the typed character that it came from."""
    if line.isascii() and line.isprintable():
        return line.upper(), range(len(line))
    text: list[str] = []
    origin: list[int] = []
    for index, char in enumerate(line):
        plain = _plain(char)
        text.append(plain)
        origin.extend([index] * len(plain))
    return "".join(text), origin


def _plain(char: str) -> str:
    if char in _MAPPED:
        return _MAPPED[char]
    category = unicodedata.category(char)
    if char.isspace() or category in ("Zs", "Zl", "Zp", "Cc"):
        return " "
    if category == "Cf" or "\ufe00" <= char <= "\ufe0f":
        return ""
    if category in ("Cs", "Co", "Cn"):
        return "\ufffd"
    if category == "Nd":
        return str(unicodedata.digit(char))
    return unicodedata.normalize("NFKC", char).upper()


def without_comment(text: str) -> str:
    """The part of a levelled line before ``#`` or ``;``."""
    return text.split("#", 1)[0].split(";", 1)[0]


def normalise(line: str) -> str:
    """A line as the grammar reads it: capitals, single blanks, ASCII hyphens, no comment. For showing and comparing order lines."""
    return " ".join(without_comment(level(line)[0]).split())


def tokens(line: str) -> list[Token]:
    """The words and signs of a line, comment left out. Quotation marks, bullets and full stops at the end of words are dropped."""
    text, origin = level(line)
    found: list[Token] = []
    for match in _TOKEN.finditer(without_comment(text)):
        start, end = match.span()
        if match.group("op"):
            found.append(_token(text, start, end, origin, op=True))
            continue
        while start < end and text[start] in _EDGE:
            start += 1
        while end > start and text[end - 1] in _EDGE:
            end -= 1
        if text[start:end].strip("-"):
            found.extend(_words(text, start, end, origin))
    return found


def _words(text: str, start: int, end: int, origin: Sequence[int]) -> list[Token]:
    """One word, or the hexes of a path that was joined by hyphens."""
    if not _HEX_CHAIN.fullmatch(text, start, end):
        return [_token(text, start, end, origin)]
    return [_token(text, at, at + 4, origin) for at in range(start, end, 5)]


def _token(text: str, start: int, end: int, origin: Sequence[int], *, op: bool = False) -> Token:
    return Token(text[start:end], origin[start] + 1, origin[end - 1] + 2, op)


def split(text: str) -> list[str]:
    """The lines of a text, whatever ends them."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")

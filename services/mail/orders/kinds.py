"""The kinds of argument: how each is read from tokens, and printed again.

A reader returns the value, or raises ``Mismatch`` when the tokens have not its form. A name of the right form that the game does not know
is noted in the cursor (``Cursor.fault``) and reading goes on, so that one line can show all its faults.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from services.mail.orders import nearest
from services.mail.orders.lines import Token
from services.mail.orders.vocabulary import Found, Vocabulary

Json = Any
_HEX = re.compile(r"[0-9]{4}")
_HEX_LIKE = re.compile(r"[0-9OIL]{3,5}")
_UNIT = re.compile(r"(?=.{1,12}$)[A-Z0-9]+(?:-[A-Z0-9]+)*")
_LABEL = re.compile(r"[A-Z0-9][A-Z0-9-]{0,15}")
_SEPARATORS = frozenset({",", ">", "->", "=>", "+"})
_PATH_SEPARATORS = frozenset({",", ">", "->", "=>"})
MAX_COUNT = 9999


class Mismatch(Exception):
    """The tokens at the cursor have not the form that was tried; what was expected is noted in the cursor."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong with a stretch of a line (columns from 1, ``end`` one past)."""

    code: str
    start: int
    end: int
    said: str = ""
    expected: tuple[str, ...] = ()
    nearest: tuple[str, ...] = ()
    hint: str = ""


@dataclass(slots=True)
class Cursor:
    """A place in the tokens of one line, and what was noted on the way."""

    tokens: Sequence[Token]
    vocabulary: Vocabulary | None
    at: int = 0
    stops: frozenset[str] = frozenset()
    loose: bool = True
    faults: list[Fault] = field(default_factory=list)
    far: int = -1
    expected: list[str] = field(default_factory=list)

    def peek(self) -> Token | None:
        """The next token, or None at the end of the line."""
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def is_word(self, *words: str) -> bool:
        """Whether the next token is one of the words."""
        return self.at < len(self.tokens) and self.tokens[self.at].text in words

    def take(self, *words: str) -> bool:
        """Steps over the next token if it is one of the words."""
        if self.is_word(*words):
            self.at += 1
            return True
        return False

    def expect(self, *what: str) -> None:
        """Notes what could have stood here; only the furthest place is kept."""
        if self.at > self.far:
            self.far, self.expected = self.at, []
        if self.at == self.far:
            self.expected.extend(w for w in what if w not in self.expected)

    def miss(self, *what: str) -> Mismatch:
        """The exception to raise where ``what`` was expected."""
        self.expect(*what)
        return Mismatch()

    def columns(self, first: int, last: int) -> tuple[int, int]:
        """The columns of the tokens ``first`` up to, not with, ``last``."""
        return self.tokens[first].start, self.tokens[last - 1].end

    def fault(self, code: str, first: int, last: int, expected: Sequence[str], near: Sequence[str] = ()) -> None:
        """Notes a fault of the tokens ``first`` up to, not with, ``last``."""
        start, end = self.columns(first, last)
        said = " ".join(t.text for t in self.tokens[first:last])
        self.faults.append(Fault(code, start, end, said, tuple(expected), tuple(near)))

    def ends(self) -> bool:
        """Whether nothing that a name could be made of follows: the end, a sign, or a word of the form."""
        token = self.peek()
        return token is None or token.op or token.text in self.stops

    def absorb(self) -> None:
        """Steps over the rest of a name that is not known, up to a word of the form, a hex, a sign or a place."""
        self.at += 1
        while not self.ends():
            if _HEX_LIKE.fullmatch(self.tokens[self.at].text) or self.known_at():
                return
            self.at += 1

    def known_at(self) -> bool:
        """Whether a known unit or place begins here."""
        words = self.vocabulary
        if words is None:
            return True
        return words.place(self.tokens, self.at) is not None or words.unit(self.tokens, self.at, own=False) is not None


def _unit(cursor: Cursor, *, own: bool = True) -> str:
    what = "a unit of yours" if own else "a unit"
    token, words = cursor.peek(), cursor.vocabulary
    if token is None or token.op or _HEX.fullmatch(token.text):
        raise cursor.miss(what)
    if words is None:
        if token.text in cursor.stops or not _UNIT.fullmatch(token.text):
            raise cursor.miss(what)
        cursor.at += 1
        return token.text
    found = words.unit(cursor.tokens, cursor.at, own=own)
    first = cursor.at
    if found is not None:
        cursor.at += found.width
        _check_unit(cursor, first, found, what, own=own)
        return found.ids[0]
    if token.text in cursor.stops:
        raise cursor.miss(what)
    cursor.absorb()
    said = "".join(t.text for t in cursor.tokens[first : cursor.at])
    cursor.fault("unknown-unit", first, cursor.at, [what], nearest.units(said, words, own=own))
    return token.text[:12]


def _check_unit(cursor: Cursor, first: int, found: Found, what: str, *, own: bool) -> None:
    words = cursor.vocabulary
    assert words is not None
    if own and not words.is_own(found.ids[0]):
        cursor.fault("not-yours", first, cursor.at, [what])
    elif len(found.ids) > 1:
        cursor.fault("ambiguous-unit", first, cursor.at, [what], found.ids[:5])


def _any(cursor: Cursor) -> str:
    return _unit(cursor, own=False)


def _joined(read: Callable[[Cursor], str], separators: frozenset[str]) -> Callable[[Cursor], Json]:
    """A reader of a list: items apart by the separators, ``AND``, or blanks where the next word is a known unit."""

    def read_list(cursor: Cursor) -> Json:
        items = [read(cursor)]
        while True:
            if cursor.take(*separators):
                cursor.take("AND", "&")
                items.append(read(cursor))
            elif "AND" not in cursor.stops and cursor.is_word("AND", "&") and not _if_follows(cursor):
                cursor.at += 1
                items.append(read(cursor))
            elif _unit_follows(cursor):
                items.append(read(cursor))
            else:
                return items

    return read_list


def _if_follows(cursor: Cursor) -> bool:
    return cursor.at + 1 < len(cursor.tokens) and cursor.tokens[cursor.at + 1].text == "IF"


def _unit_follows(cursor: Cursor) -> bool:
    """Whether a list apart by blanks goes on: never where another unit is due after the list (``loose`` is off there)."""
    words = cursor.vocabulary
    return cursor.loose and words is not None and not cursor.ends() and words.unit(cursor.tokens, cursor.at, own=False) is not None


def _one(cursor: Cursor) -> Json:
    return [_unit(cursor)]


def _hex(cursor: Cursor) -> str:
    token, words = cursor.peek(), cursor.vocabulary
    if token is None or token.op:
        raise cursor.miss("a hex")
    first = cursor.at
    if _HEX.fullmatch(token.text):
        cursor.at += 1
        if words is not None and words.hexes is not None and token.text not in words.hexes:
            cursor.fault("unknown-hex", first, cursor.at, ["a hex of the map"], nearest.hexes(token.text, words))
        return token.text
    if words is None:
        return _place_name(cursor)
    found = words.place(cursor.tokens, cursor.at)
    if found is not None:
        cursor.at += found.width
        return found.ids[0]
    if token.text in cursor.stops:
        raise cursor.miss("a hex")
    if _HEX_LIKE.fullmatch(token.text):
        cursor.at += 1
    else:
        cursor.absorb()
    said = " ".join(t.text for t in cursor.tokens[first : cursor.at])
    cursor.fault("unknown-hex", first, cursor.at, ["a hex of the map", "a place"], nearest.places(said, words, cursor.stops))
    return token.text


def _place_name(cursor: Cursor) -> str:
    """Without a vocabulary: up to three words that could name a place."""
    first = cursor.at
    while not cursor.ends() and cursor.at - first < 3 and re.match(r"[^\W\d_]", cursor.tokens[cursor.at].text):
        cursor.at += 1
    if cursor.at == first:
        raise cursor.miss("a hex")
    return " ".join(t.text for t in cursor.tokens[first : cursor.at])


def _hexes(cursor: Cursor) -> Json:
    items = [_hex(cursor)]
    while cursor.take(*_SEPARATORS) or _hex_follows(cursor):
        items.append(_hex(cursor))
    return items


def _path(cursor: Cursor) -> Json:
    if not _hex_follows(cursor) and (cursor.vocabulary is None or cursor.ends()):
        raise cursor.miss("a hex")
    items = [_hex(cursor)]
    while cursor.take(*_PATH_SEPARATORS) or _hex_follows(cursor) or (cursor.vocabulary is not None and not cursor.ends()):
        items.append(_hex(cursor))
    return items


def _hex_follows(cursor: Cursor) -> bool:
    token = cursor.peek()
    if token is None or token.op:
        return False
    if _HEX.fullmatch(token.text):
        return True
    return cursor.vocabulary is not None and cursor.vocabulary.place(cursor.tokens, cursor.at) is not None


def _count(cursor: Cursor) -> int:
    token = cursor.peek()
    if token is None or not (token.text.isascii() and token.text.isdigit()) or int(token.text[:9]) > MAX_COUNT or len(token.text) > 9:
        raise cursor.miss("a number")
    cursor.at += 1
    return int(token.text)


def _ratio(cursor: Cursor) -> Json:
    """``3``, ``3:1``, ``1:2`` or ``3-1`` as an exact number: an integer, or ``"1/2"``."""
    first = cursor.at
    token = cursor.peek()
    dashed = re.fullmatch(r"([0-9]{1,3})[-/]([0-9]{1,3})", token.text) if token else None
    if dashed:
        cursor.at += 1
        left, right = int(dashed[1]), int(dashed[2])
    else:
        left, right = _count(cursor), 1
        if cursor.take(":"):
            right = _count(cursor)
    if right == 0:
        cursor.at = first
        raise cursor.miss("odds such as 3:1")
    value = Fraction(left, right)
    return value.numerator if value.denominator == 1 else str(value)


def _pairs(cursor: Cursor) -> Json:
    """``0:0 1:0 2:1`` as pairs of numbers."""
    pairs: list[list[int]] = []
    while not pairs or cursor.take(",") or _digits_follow(cursor):
        left = _count(cursor)
        if not cursor.take(":", "=", "->"):
            raise cursor.miss(":")
        pairs.append([left, _count(cursor)])
    return pairs


def _digits_follow(cursor: Cursor) -> bool:
    token = cursor.peek()
    return token is not None and token.text.isascii() and token.text.isdigit()


def _yesno(cursor: Cursor) -> bool:
    if cursor.is_word("YES", "NO"):
        cursor.at += 1
        return cursor.tokens[cursor.at - 1].text == "YES"
    raise cursor.miss("YES", "NO")


def _label(cursor: Cursor) -> str:
    """A battle's label: one word; a place name means its hex, as labels default to the target hex (G21)."""
    token = cursor.peek()
    if token is None or token.op or token.text in cursor.stops:
        raise cursor.miss("a label")
    if cursor.vocabulary is not None and not _HEX.fullmatch(token.text):
        found = cursor.vocabulary.place(cursor.tokens, cursor.at)
        if found is not None:
            cursor.at += found.width
            return found.ids[0]
    if not _LABEL.fullmatch(token.text):
        raise cursor.miss("a label of letters and digits")
    cursor.at += 1
    return token.text


def _id(cursor: Cursor) -> str:
    """A name that is not a counter's on the map: an air unit, a tank model, a wreck."""
    token = cursor.peek()
    if token is None or token.op or token.text in cursor.stops or not _LABEL.fullmatch(token.text):
        raise cursor.miss("a name of letters and digits")
    cursor.at += 1
    return token.text


def _word(cursor: Cursor) -> str:
    return _id(cursor).lower()


def _words(cursor: Cursor) -> str:
    """One to four words, in small letters; hyphens count as blanks."""
    found: list[str] = []
    while not cursor.ends() and len(found) < 4:
        found.append(_word(cursor))
    if not found:
        raise cursor.miss("a name")
    return " ".join(found).replace("-", " ")


def _word_list(cursor: Cursor) -> Json:
    found = [_id(cursor)]
    while cursor.take(","):
        found.append(_id(cursor))
    return found


def _results(cursor: Cursor) -> Json:
    """``(DR2, A elim)`` as ``["DR2", "AELIM"]``: results of a battle, blanks inside one dropped."""
    if not cursor.take("("):
        raise cursor.miss("(")
    found: list[str] = []
    words: list[str] = []
    while (token := cursor.peek()) is not None:
        cursor.at += 1
        if token.text in (",", ")"):
            if not words:
                cursor.at -= 1
                raise cursor.miss("a result")
            found.append("".join(words))
            words = []
            if token.text == ")":
                return found
        elif token.op or len(words) == 3:
            break
        else:
            words.append(token.text)
    raise cursor.miss(",", ")")


READERS: dict[str, Callable[[Cursor], Json]] = {
    "unit": _unit,
    "any": _any,
    "one": _one,
    "units": _joined(_unit, frozenset({",", "+"})),
    "stack": _joined(_unit, frozenset({",", "+"})),
    "targets": _joined(_any, frozenset({",", "+"})),
    "hex": _hex,
    "hexes": _hexes,
    "path": _path,
    "count": _count,
    "ratio": _ratio,
    "pairs": _pairs,
    "yesno": _yesno,
    "label": _label,
    "id": _id,
    "word": _word,
    "words": _words,
    "words-list": _word_list,
    "results": _results,
}


def show(kind: str, value: Json) -> str:
    """A value of a kind as the order language writes it. ValueError if it is not of that kind."""
    if kind == "pairs":
        return " ".join(f"{left}:{right}" for left, right in value)
    if kind == "yesno":
        return "YES" if value else "NO"
    if kind == "ratio":
        return _show_ratio(value)
    if kind == "stack":
        return "+".join(value)
    if kind == "results":
        return "(" + ",".join(value) + ")"
    if kind == "path":
        return " ".join(value)
    if isinstance(value, list):
        return ",".join(map(str, value))
    return str(value).upper()


def _show_ratio(value: Json) -> str:
    exact = Fraction(str(value))
    return f"{exact.numerator}:{exact.denominator}" if exact.denominator != 1 else str(exact.numerator)

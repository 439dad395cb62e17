"""The kinds of argument: how each is read from tokens, and printed again.

A reader returns the value, or raises ``Mismatch`` when the tokens have not its form. A name of the right form that the game does not know
is noted in the cursor (``Cursor.fault``) and reading goes on, so that one line can show all its faults.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any

from services.mail.orders import nearest
from services.mail.orders.cursor import HEX_LIKE, Cursor
from services.mail.orders.mailkinds import READERS as MAIL_READERS
from services.mail.orders.vocabulary import Found

Json = Any
_HEX = re.compile(r"[0-9]{4}")
_UNIT = re.compile(r"(?=.{1,12}$)[A-Z0-9]+(?:-[A-Z0-9]+)*")
_LABEL = re.compile(r"[A-Z0-9][A-Z0-9-]{0,15}")
_SEPARATORS = frozenset({",", ">", "->", "=>", "+"})
_PATH_SEPARATORS = frozenset({",", ">", "->", "=>"})
_DIGITS = re.compile(r"[0-9]{1,6}")
RANGE = re.compile(r"([0-9]+)\.\.([0-9]+)")
"""A kind that is a range of whole numbers."""
MAX_UNITS = 40
"""Units that one list may name."""
MAX_HEXES = 100
"""Hexes that one list or path may name."""
MAX_RESULTS = 20
Reader = Callable[[Cursor], Json]


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
    cursor.fault("unknown-unit", first, cursor.at, [what], lambda said: nearest.units(said, words, own=own))
    return token.text[:12]


def _check_unit(cursor: Cursor, first: int, found: Found, what: str, *, own: bool) -> None:
    words = cursor.vocabulary
    assert words is not None
    if own and not words.is_own(found.ids[0]):
        cursor.fault("not-yours", first, cursor.at, [what])
    elif len(found.ids) > 1:
        cursor.fault("ambiguous-unit", first, cursor.at, [what], lambda _: found.ids[:5])


def _any(cursor: Cursor) -> str:
    return _unit(cursor, own=False)


def _joined(read: Callable[[Cursor], str], separators: frozenset[str]) -> Callable[[Cursor], Json]:
    """A reader of a list: items apart by the separators, ``AND``, or blanks where the next word is a known unit."""

    def read_list(cursor: Cursor) -> Json:
        items = [read(cursor)]
        while True:
            if len(items) > MAX_UNITS:
                cursor.at -= 1
                raise cursor.miss(f"at most {MAX_UNITS} units")
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
    if not cursor.loose or words is None or cursor.ends() or _HEX.fullmatch(cursor.tokens[cursor.at].text):
        return False  # four digits are a hex, though a unit may be called 132-1
    return words.unit(cursor.tokens, cursor.at, own=False) is not None


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
            cursor.fault("unknown-hex", first, cursor.at, ["a hex of the map"], lambda said: nearest.hexes(said, words))
        return token.text
    if words is None:
        return _place_name(cursor)
    found = words.place(cursor.tokens, cursor.at)
    if found is not None:
        cursor.at += found.width
        return found.ids[0]
    if token.text in cursor.stops:
        raise cursor.miss("a hex")
    if HEX_LIKE.fullmatch(token.text):
        cursor.at += 1
    else:
        cursor.absorb()
    stops = cursor.stops
    cursor.fault("unknown-hex", first, cursor.at, ["a hex of the map", "a place"], lambda said: nearest.places(said, words, stops))
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
        items.append(_next_hex(cursor, items))
    return items


def _next_hex(cursor: Cursor, items: list[str]) -> str:
    if len(items) == MAX_HEXES:
        raise cursor.miss(f"at most {MAX_HEXES} hexes")
    return _hex(cursor)


def _path(cursor: Cursor) -> Json:
    if not _hex_follows(cursor) and (cursor.vocabulary is None or cursor.ends()):
        raise cursor.miss("a hex")
    items = [_hex(cursor)]
    while cursor.take(*_PATH_SEPARATORS) or _hex_follows(cursor) or (cursor.vocabulary is not None and not cursor.ends()):
        items.append(_next_hex(cursor, items))
    return items


def _hex_follows(cursor: Cursor) -> bool:
    token = cursor.peek()
    if token is None or token.op:
        return False
    if _HEX.fullmatch(token.text):
        return True
    return cursor.vocabulary is not None and cursor.vocabulary.place(cursor.tokens, cursor.at) is not None


def number(low: int, high: int) -> Reader:
    """A reader of whole numbers from ``low`` to ``high``."""

    def read_number(cursor: Cursor) -> int:
        token = cursor.peek()
        if token is None or not _DIGITS.fullmatch(token.text) or not low <= int(token.text) <= high:
            raise cursor.miss(f"a number from {low} to {high}")
        cursor.at += 1
        return int(token.text)

    return read_number


def _ratio(cursor: Cursor) -> Json:
    """``3``, ``3:1``, ``1:2`` or ``3-1`` as an exact number: an integer, or ``"1/2"``."""
    first = cursor.at
    token = cursor.peek()
    dashed = re.fullmatch(r"([0-9]{1,3})[-/]([0-9]{1,3})", token.text) if token else None
    if dashed:
        cursor.at += 1
        left, right = int(dashed[1]), int(dashed[2])
    else:
        left, right = _part_of_odds(cursor), 1
        if cursor.take(":"):
            right = _part_of_odds(cursor)
    if right == 0:
        cursor.at = first
        raise cursor.miss("odds such as 3:1")
    value = Fraction(left, right)
    return value.numerator if value.denominator == 1 else str(value)


def _pairs(cursor: Cursor) -> Json:
    """``0:0 1:0 2:1`` as pairs of numbers, none of them twice on the left."""
    pairs: dict[int, int] = {}
    while not pairs or cursor.take(",") or _digits_follow(cursor):
        left = _part_of_pair(cursor)
        if left in pairs:
            cursor.at -= 1
            raise cursor.miss("each number once before its colon")
        if not cursor.take(":", "=", "->"):
            raise cursor.miss(":")
        pairs[left] = _part_of_pair(cursor)
    return [list(pair) for pair in pairs.items()]


def _digits_follow(cursor: Cursor) -> bool:
    token = cursor.peek()
    return token is not None and _DIGITS.fullmatch(token.text) is not None


_part_of_odds = number(0, 999)
_part_of_pair = number(0, 20)


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


def _shaped(shape: re.Pattern[str], what: str) -> Callable[[Cursor], str]:
    """A reader of one word of a shape."""

    def read_word(cursor: Cursor) -> str:
        token = cursor.peek()
        if token is None or token.op or token.text in cursor.stops or not shape.fullmatch(token.text):
            raise cursor.miss(what)
        cursor.at += 1
        return token.text

    return read_word


# An id is that of a counter or a piece of equipment off the map; a name may be longer; a word begins with a letter.
_id = _shaped(re.compile(r"[A-Z0-9][A-Z0-9-]{0,7}"), "an id of at most 8 letters and digits")
_name = _shaped(_LABEL, "a name of letters and digits")
_capitals = _shaped(re.compile(r"[A-Z][A-Z0-9-]{0,15}"), "a word")
_result_word = _shaped(re.compile(r"[A-Z0-9][A-Z0-9-]{0,11}"), "a result")


def _word(cursor: Cursor) -> str:
    return _capitals(cursor).lower()


def _words(cursor: Cursor) -> str:
    """One to four words of 40 letters in all, in small letters; hyphens count as blanks."""
    found = [_name(cursor).lower()]
    while not cursor.ends() and len(found) < 4 and len(" ".join(found)) < 24:
        found.append(_name(cursor).lower())
    return " ".join(" ".join(found).replace("-", " ").split())


def _name_list(cursor: Cursor) -> Json:
    found = [_name(cursor)]
    while cursor.take(","):
        found.append(_name(cursor))
    return found


PERILS = {"ZOC": "ZOC", "ZONE": "ZOC", "MINE": "MINE", "MINES": "MINE", "OVERSTACK": "OVERSTACK", "STACKING": "OVERSTACK"}
"""What a retreat may be told to avoid, by its spellings."""


def _perils(cursor: Cursor) -> Json:
    found = [_peril(cursor)]
    while cursor.take(","):
        found.append(_peril(cursor))
    return found


def _peril(cursor: Cursor) -> str:
    for spelling, peril in PERILS.items():
        if cursor.take(spelling):
            return peril
    raise cursor.miss(*dict.fromkeys(PERILS.values()))


def _results(cursor: Cursor) -> Json:
    """``(DR2, A elim)`` as ``["DR2", "AELIM"]``: results of a battle."""
    if not cursor.take("("):
        raise cursor.miss("(")
    found = [result(cursor)]
    while cursor.take(","):
        if len(found) == MAX_RESULTS:
            raise cursor.miss(f"at most {MAX_RESULTS} results")
        found.append(result(cursor))
    if not cursor.take(")"):
        raise cursor.miss(",", ")")
    return found


def result(cursor: Cursor) -> str:
    """A result of a battle: up to three words, the blanks between them dropped."""
    found = _result_word(cursor)
    for _ in range(2):
        token = cursor.peek()
        if token is None or token.op or token.text in cursor.stops:
            break
        found += _result_word(cursor)
    return found


READERS: dict[str, Reader] = {
    "unit": _unit,
    "any": _any,
    "one": _one,
    "units": _joined(_unit, frozenset({",", "+"})),
    "stack": _joined(_unit, frozenset({",", "+"})),
    "targets": _joined(_any, frozenset({",", "+"})),
    "hex": _hex,
    "hexes": _hexes,
    "hexgroup": _hexes,
    "path": _path,
    "ratio": _ratio,
    "column": _ratio,
    "pairs": _pairs,
    "yesno": _yesno,
    "label": _label,
    "id": _id,
    "word": _word,
    "verb": _capitals,
    "words": _words,
    "name": _name,
    "names": _name_list,
    "perils": _perils,
    "results": _results,
    **MAIL_READERS,
}


@lru_cache(maxsize=256)
def reader(kind: str) -> Reader:
    """The reader of a kind: a name above, or a range ``0..20`` of whole numbers. KeyError if there is no such kind."""
    limits = RANGE.fullmatch(kind)
    return number(int(limits[1]), int(limits[2])) if limits else READERS[kind]

"""Kinds of argument that only commands have: addresses, games, codes, dates, free text. Words are in capitals here, as in all tokens."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import Any

from services.mail.orders.cursor import Cursor, Mismatch

Json = Any
Reader = Callable[[Cursor], Json]
MAX_OPTIONS = 20
_NO_ZONE = frozenset(("OF", "IN", "IS", "THE", "AND"))
"""What follows the word where it speaks of the board: a zone of control."""
_ZONE = re.compile(r"[A-Z0-9_+:/-]{1,40}")
_ADDRESS = re.compile(r"(?:MAILTO:)?([A-Z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Z0-9-]+(?:\.[A-Z0-9-]+)*)(?:<MAILTO:[^<>]*)?")
"""An address, as typed or as mail programs double it with a link."""
_OPTION = re.compile(r"([A-Z][A-Z0-9_-]{0,39})=([A-Z0-9._-]{1,40})")


def _shaped(shape: str, what: str) -> Reader:
    """A reader of one word of a shape, given in small letters."""
    pattern = re.compile(shape)

    def read_word(cursor: Cursor) -> str:
        token = cursor.peek()
        if token is None or not pattern.fullmatch(token.text):
            raise cursor.miss(what)
        cursor.at += 1
        return token.text.lower()

    return read_word


def _game(cursor: Cursor) -> str:
    """A game's id, in capitals."""
    return str(_game_word(cursor)).upper()


_game_word = _shaped(r"G[0-9]{1,9}", "a game such as G17")


def _address(cursor: Cursor) -> str:
    token = cursor.peek()
    found = _ADDRESS.fullmatch(token.text) if token else None
    if found is None or len(found[1]) > 254:
        raise cursor.miss("a mail address")
    cursor.at += 1
    return found[1].lower()


def _topic(cursor: Cursor) -> str:
    """A verb, in capitals."""
    return str(_verb(cursor)).upper()


_verb = _shaped(r"[A-Z][A-Z-]{0,31}", "an order or a command")


def _date(cursor: Cursor) -> str:
    token = cursor.peek()
    try:
        found = date.fromisoformat(token.text if token else "")
    except ValueError:
        raise cursor.miss("a date, written as year, month and day, such as 2026-08-31") from None
    cursor.at += 1
    return found.isoformat()


def _zone(cursor: Cursor) -> str:
    """A time zone, as typed but for its capitals: one to three words; whether there is such a one, its user says."""
    found: list[str] = []
    while len(found) < 3 and (token := cursor.peek()) is not None and _ZONE.fullmatch(token.text) and token.text not in _NO_ZONE:
        found.append(token.text)
        cursor.at += 1
    if not found:
        raise cursor.miss("a time zone such as Europe/Rome")
    return " ".join(found)


def _options(cursor: Cursor) -> Json:
    """``tempo=blitz weather=roll`` as an object."""
    found: dict[str, str] = {}
    while (token := cursor.peek()) is not None and (option := _OPTION.fullmatch(token.text)) is not None:
        if len(found) == MAX_OPTIONS or option[1].lower() in found:
            raise cursor.miss("each option once")
        found[option[1].lower()] = option[2].lower()
        cursor.at += 1
    if not found:
        raise cursor.miss("an option such as tempo=normal")
    return found


def _text(cursor: Cursor) -> int:
    """All that follows, as typed: given by the column where it begins."""
    token = cursor.peek()
    if token is None:
        cursor.expect("words")
        raise Mismatch
    cursor.at = len(cursor.tokens)
    return token.start


READERS: dict[str, Reader] = {
    "address": _address,
    "game": _game,
    "scenario": _shaped(r"[A-Z0-9-]{1,40}/[A-Z0-9-]{1,40}", "a scenario such as holdfast/campaign-1"),
    "side": _shaped(r"[A-Z][A-Z0-9-]{0,31}", "a side"),
    "code": _shaped(r"[A-Z0-9]{8,40}", "the code that you were mailed"),
    "diceword": _shaped(r"\S{1,40}", "a word for the dice"),
    "topic": _topic,
    "date": _date,
    "options": _options,
    "counter": _shaped(r"[A-Z0-9][A-Z0-9-]{0,19}", "a unit, or the name of a value"),
    "spot": _shaped(r"[A-Z0-9][A-Z0-9-]{0,39}", "a hex, a place or a box"),
    "worth": _shaped(r"[A-Z0-9][A-Z0-9-]{0,39}", "a name or a number"),
    "text": _text,
    "zone": _zone,
}

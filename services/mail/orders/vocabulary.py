"""The words of one game that the order language looks up: units, places and hexes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from services.mail.orders.lines import Token

_HEX = re.compile(r"[0-9]{4}")
_JUNK = re.compile(r"[^A-Z0-9]+")
_MAX_WORDS = 6


@lru_cache(maxsize=8192)
def key(text: str) -> str:
    """What is compared of a name: letters and digits without case, accents, blanks and hyphens."""
    upper = text.upper()
    if not upper.isascii():
        upper = unicodedata.normalize("NFKD", upper)
        upper = "".join(c for c in upper if not unicodedata.combining(c))
        return "".join(c for c in upper if c.isalnum())
    return _JUNK.sub("", upper)


@dataclass(frozen=True, slots=True)
class Found:
    """A name found: the ids that it may mean, and how many tokens it took."""

    ids: tuple[str, ...]
    width: int


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Look-up tables. ``side``: whose orders are read (None: anybody's); ``hexes`` None: any number of four digits passes."""

    sides: Mapping[str, str]
    by_key: Mapping[str, tuple[str, ...]]
    places: Mapping[str, str]
    place_names: Mapping[str, str]
    hexes: frozenset[str] | None
    side: str | None
    longest: int

    def unit(self, tokens: Sequence[Token], at: int, *, own: bool) -> Found | None:
        """The longest unit name that begins at token ``at``; with ``own`` the side's own units come before the other's."""
        for width, text in _spans(tokens, at, self.longest):
            if width == 1 and tokens[at].text in self.sides and (not own or self.is_own(tokens[at].text)):
                return Found((tokens[at].text,), 1)
            ids = () if self.is_hex(tokens[at].text) else self.by_key.get(text, ())
            if ids:
                mine = tuple(i for i in ids if self.is_own(i)) if own else ids
                return Found(mine or ids, width)
        return None

    def place(self, tokens: Sequence[Token], at: int) -> Found | None:
        """The longest place name that begins at token ``at``, as its hex."""
        for width, text in _spans(tokens, at, self.longest):
            if text in self.places:
                return Found((self.places[text],), width)
        return None

    def is_hex(self, text: str) -> bool:
        """Whether a word is the number of a hex: it is no unit then, whose id would read so without its hyphens."""
        return text in self.hexes if self.hexes is not None else _HEX.fullmatch(text) is not None

    def is_own(self, unit: str) -> bool:
        """Whether the reader's side owns the unit (always, when no side reads)."""
        return self.side is None or self.sides[unit] == self.side


def _spans(tokens: Sequence[Token], at: int, longest: int) -> list[tuple[int, str]]:
    """The keys of the one, two, ... words from ``at``, the longest first."""
    spans: list[tuple[int, str]] = []
    text = ""
    for width, token in enumerate(tokens[at : at + longest], start=1):
        if token.op:
            break
        text += key(token.text)
        if text:
            spans.append((width, text))
    spans.reverse()
    return spans


def read_vocabulary(data: Mapping[str, Any]) -> Vocabulary:
    """The tables from their JSON (``units``, ``places``, ``hexes``, ``side``). ValueError, naming the fault, if it has another form."""
    units, places, hexes = data.get("units", {}), data.get("places", {}), data.get("hexes")
    if not isinstance(units, Mapping) or not isinstance(places, Mapping):
        raise ValueError("vocabulary: units and places must be objects")
    if hexes is not None and (isinstance(hexes, str) or not isinstance(hexes, Sequence)):
        raise ValueError("vocabulary: hexes must be a list")
    sides: dict[str, str] = {}
    by_key: dict[str, tuple[str, ...]] = {}
    longest = 1
    for unit, entry in units.items():
        if not isinstance(entry, Mapping):
            raise ValueError(f"vocabulary: unit {unit} must be an object")
        aliases = entry.get("aliases") or []
        if not isinstance(aliases, list | tuple):
            raise ValueError(f"vocabulary: aliases of unit {unit} must be a list")
        sides[unit] = str(entry.get("side", ""))
        for name in (unit, entry.get("name", ""), *aliases):
            by_key[key(str(name))] = tuple(dict.fromkeys((*by_key.get(key(str(name)), ()), unit)))
            longest = max(longest, len(str(name).split()))
    by_key.pop("", None)
    by_place: dict[str, str] = {}
    for name, at in places.items():
        if not isinstance(at, str) or not _HEX.fullmatch(at):
            raise ValueError(f"vocabulary: place {name} must be a hex of four digits")
        by_place[key(name)] = at
        longest = max(longest, len(name.split()))
    side = data.get("side")
    names = {key(name): name for name in places}
    known = None if hexes is None else frozenset(map(str, hexes))
    return Vocabulary(sides, by_key, by_place, names, known, None if side is None else str(side), min(longest, _MAX_WORDS))

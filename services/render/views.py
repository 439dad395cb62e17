"""The view that a map is drawn from, as it comes over the wire, checked and bounded; render knows nothing else of a game in progress."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any

import msgspec

from scenarios.hexes import Hex, parse_hex

Id = Annotated[str, msgspec.Meta(min_length=1, max_length=12)]
Word = Annotated[str, msgspec.Meta(max_length=40)]
Text = Annotated[str, msgspec.Meta(max_length=120)]
Number = int | Word


class CounterView(msgspec.Struct, frozen=True):
    """A counter as its viewer knows it. ``known``: own, seen (then ``since``) or no; with ``card`` None only colour and alias are known."""

    side: Id
    place: Word
    alias: Word | None = None
    id: Id | None = None
    card: Word | None = None
    marks: Annotated[list[Word], msgspec.Meta(max_length=20)] = []
    num: Annotated[dict[Word, Number], msgspec.Meta(max_length=20)] = {}
    known: Word = "no"
    since: Any = None

    @property
    def hex(self) -> Hex | None:
        """The hex that it stands in; None off the map."""
        return hex_or_none(self.place)


class EventView(msgspec.Struct, frozen=True):
    """One event as its viewer may see it."""

    kind: Word
    data: dict[str, Any]
    n: int = 0
    clause: Word = ""
    path: list[tuple[Word, Number]] = []


class Over(msgspec.Struct, frozen=True):
    """How the game ended."""

    winner: Word | None
    level: Text = ""
    why: Text = ""


class View(msgspec.Struct, frozen=True):
    """What one side may know (``side`` None: a spectator, or the umpire)."""

    game: Word
    scenario: Word
    side: Word | None
    counters: Annotated[list[CounterView], msgspec.Meta(max_length=1000)]
    own: dict[str, Any]
    turn: Annotated[int, msgspec.Meta(ge=0, le=999)] = 1
    phasing: Word | None = None
    options: dict[str, Any] = {}
    step: dict[str, Any] | None = None
    events: Annotated[list[EventView], msgspec.Meta(max_length=5000)] = []
    over: Over | None = None
    waiting_for: Annotated[list[Word], msgspec.Meta(max_length=20)] = []


def read_view(raw: Any) -> View:
    """A view from decoded JSON. ValueError names what is wrong and where."""
    try:
        return msgspec.convert(raw, View)
    except msgspec.ValidationError as fault:
        raise ValueError(str(fault)) from fault


def hex_or_none(text: Any) -> Hex | None:
    """A hex number as a hex; None for anything else."""
    return _parsed(text) if isinstance(text, str) else None


@lru_cache(maxsize=4096)
def _parsed(text: str) -> Hex | None:
    """A picture asks for the same few hundred hexes some thousand times."""
    try:
        return parse_hex(text)
    except ValueError:
        return None


def hexes(texts: Any) -> list[Hex]:
    """The hexes of a list of hex numbers; what is none is left out."""
    if not isinstance(texts, list):
        return []
    return [at for at in (hex_or_none(text) for text in texts) if at is not None]

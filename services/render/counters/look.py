"""What shows of a counter: its printed values, its tags and its badges, as a value that keys the cache of sprites."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from scenarios.data import Card, GameData
from services.render.counters.looks import CounterStyle
from services.render.counters.symbols import framed
from services.render.style import Sheet
from services.render.views import CounterView

LONGEST = 12
"""Characters of a printed value at most."""


@dataclass(frozen=True, slots=True)
class Look:
    """All that shows of a counter. With ``nation`` empty only colour and ``name`` (the alias) show. ``values`` and ``tags`` hold those
    that the game's style sheet asks for; ``strength`` of ``most`` are shown as pips."""

    side: str
    name: str
    nation: str = ""
    symbol: str = ""
    formation: str = ""
    parent: str = ""
    values: tuple[tuple[str, str], ...] = ()
    tags: frozenset[str] = frozenset()
    strength: int = 0
    most: int = 0
    badges: tuple[str, ...] = ()

    @property
    def seen(self) -> bool:
        """Whether what is shown is past knowledge."""
        return "seen" in self.tags

    @property
    def lost(self) -> bool:
        """Whether it has no strength any more."""
        return "lost" in self.tags

    def value(self, key: str) -> str:
        """A printed value; empty if the counter has none of that name."""
        return next((text for name, text in self.values if name == key), "")

    def has(self, tags: Iterable[str]) -> bool:
        """Whether the counter has one of these tags."""
        return not self.tags.isdisjoint(tags)


def look_of(counter: CounterView, data: GameData, sheet: Sheet, badges: tuple[str, ...] = ()) -> Look:
    """What shows of a counter: its label if its card is known, else its colour and alias. ``badges``: marks that it gets besides."""
    return look_of_card(counter, data.cards.get(counter.card) if counter.card else None, sheet, badges)


def look_of_card(counter: CounterView, card: Card | None, sheet: Sheet, badges: tuple[str, ...] = ()) -> Look:
    """What shows of a counter of which ``card`` is known, or nothing."""
    style = sheet.style.counters
    marks = {*counter.marks, *badges}
    shown = tuple(mark for mark in style.badges if mark in marks)
    if card is None:
        return Look(counter.side, counter.alias or "?", badges=shown)
    printed = dict(card.values)
    for mark in style.faces:
        if mark in marks:
            printed |= {shown: card.values[other] for shown, other in style.faces[mark].columns.items() if other in card.values}
    most = most_of(card, style)
    strength = _whole(counter.num.get(style.counter.strength, most if counter.known == "own" else 0))
    tags = {*marks, *_tags(card, printed, style), *_strength_tags(counter, strength, most, style)}
    values = {**printed, "id": counter.id or card.id, "name": card.name, "strength": _said(strength, most, tags)}
    asked = _asked(sheet)
    parent = _printed(printed.get(style.counter.parent))
    symbol = style.symbols.get(card.kind, "")
    size = _printed(printed.get(style.counter.formation)) or (style.counter.usual_formation if framed(symbol) else "")
    return Look(
        side=counter.side,
        name=counter.id or card.id,
        nation=card.nation,
        symbol=symbol,
        formation=style.sizes.get(size, size),
        parent=parent if parent in style.parents else "",
        values=tuple((key, _printed(values[key])) for key in asked.values if _printed(values.get(key))),
        tags=frozenset(tags & asked.tags),
        strength=strength,
        most=most,
        badges=shown,
    )


def most_of(card: Card, style: CounterStyle) -> int:
    """The full strength of a card; 0 of one that has no strength."""
    return _whole(card.values.get(style.counter.most))


def _tags(card: Card, printed: Mapping[str, Any], style: CounterStyle) -> set[str]:
    tags = {f"type:{card.kind}", f"nation:{card.nation}", f"side:{card.side}", *style.tags.get(card.kind, ())}
    for column, value in printed.items():
        if _printed(value):
            tags.update((f"has:{column}", column if str(value).lower() in ("x", "yes", "1", "true") else f"{column}:{value}"))
    return tags


def _strength_tags(counter: CounterView, strength: int, most: int, style: CounterStyle) -> set[str]:
    if not style.counter.strength:
        return set()
    found = {"seen"} if counter.known == "seen" else set()
    if not strength and counter.hex is None:
        found.add("lost")
    return found | {"reduced"} if 0 < strength < most else found


def _said(strength: int, most: int, tags: set[str]) -> str:
    """A strength as written on a label: with a question mark if it was so when last seen; none on what has no strength steps."""
    return "" if "lost" in tags or not most else "?" if not strength else f"{strength}?" if "seen" in tags else str(strength)


def _whole(value: object) -> int:
    return value if isinstance(value, int) else int(value) if isinstance(value, str) and value.isdigit() else 0


def _printed(value: object) -> str:
    return "" if value is None else str(value)[:LONGEST]


@dataclass(frozen=True, slots=True)
class _Asked:
    """The values and tags that a style sheet asks for."""

    values: tuple[str, ...]
    tags: frozenset[str]


@lru_cache(maxsize=64)
def _asked(sheet: Sheet) -> _Asked:
    style = sheet.style.counters
    values: dict[str, None] = {}
    tags = {"seen", "lost", "reduced"}
    for layout in style.layouts:
        for text in layout.texts:
            values[text.value] = None
            tags.update(text.when, text.unless, *(dress.when for dress in text.dresses))
        for row in layout.rows:
            tags.update(row.when, row.unless, *(dress.when for dress in row.boxes))
            for factor in row.factors:
                values[factor.value] = None
                tags.update(factor.brackets, factor.circle, factor.underline)
        if layout.symbol is not None:
            dresses = (*layout.symbol.boxes, *layout.symbol.bands, *layout.symbol.size_boxes)
            tags.update(*(dress.when for dress in dresses))
    return _Asked(tuple(values), frozenset(tags))

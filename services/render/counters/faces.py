"""The faces of each counter of a game, as pieces of a set: every side that it can show, by name, and each as a picture of any size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from io import BytesIO

from scenarios.data import Card, GameData
from services.render.counters.counters import sprite
from services.render.counters.look import look_of_card, most_of
from services.render.draw.ink import Sprite
from services.render.style import Sheet
from services.render.views import CounterView

FRONT, HIDDEN = "front", "hidden"
"""Names of faces: the printed front, and the side of a block that its enemy sees."""


@dataclass(frozen=True, slots=True)
class Face:
    """A side that a counter can show, and what of a view chooses it: one of its ``marks``, or a number of its ``num``.

    ``name``: ``front``; the mark that turns the counter (``fired``, ``parked``); ``strength-3`` of what has that strength; or ``hidden``.
    """

    name: str
    marks: tuple[str, ...] = ()
    num: tuple[tuple[str, int], ...] = ()
    hidden: bool = False


def faces(card: Card, sheet: Sheet) -> tuple[Face, ...]:
    """The faces of a card's counter: a block's strengths from the full one down, then its hidden side; else the front, then the back if it
    has one. A block without strength (an air unit, a leader) is never hidden."""
    style = sheet.style.counters
    most = most_of(card, style)
    if most:
        steps = tuple(Face(f"strength-{left}", num=((style.counter.strength, left),)) for left in range(most, 0, -1))
        return (*steps, Face(HIDDEN, hidden=True)) if style.make == "block" else steps
    back = str(card.values.get(style.counter.back) or "")
    return (Face(FRONT), Face(back, marks=(back,))) if back else (Face(FRONT),)


def all_faces(data: GameData, sheet: Sheet) -> Mapping[str, tuple[Face, ...]]:
    """The faces of every counter of a game, by its card."""
    return {card.id: faces(card, sheet) for card in data.cards.values()}


def face_of(counter: CounterView, card: Card | None, sheet: Sheet) -> Face:
    """The face that a counter of a view shows; hidden if its card is not known."""
    if card is None:
        return Face(HIDDEN, hidden=True)
    found = faces(card, sheet)
    chosen = (one for one in found if one.num and all(counter.num.get(key) == n for key, n in one.num))
    turned = (one for one in found if one.marks and set(one.marks) <= set(counter.marks))
    return next(chosen, None) or next(turned, None) or found[0]


def face_sprite(card: Card, face: Face, size: int, sheet: Sheet, alias: str = "?") -> Sprite:
    """A face ``size`` pixels wide and high, without the badges that a map hangs on it. ``alias``: what stands on a hidden one, of which
    nothing else tells whose it is but the side."""
    if face.hidden:
        return sprite(look_of_card(CounterView(card.side, "", alias), None, sheet), size, sheet)
    counter = CounterView(card.side, "", id=card.id, marks=list(face.marks), num=dict(face.num), known="own")
    return sprite(replace(look_of_card(counter, card, sheet), badges=()), size, sheet)


def face_png(card: Card, face: Face, size: int, sheet: Sheet, alias: str = "?") -> bytes:
    """A face as a PNG, transparent outside the counter's outline. Equal arguments give equal bytes."""
    made = face_sprite(card, face, size, sheet, alias)
    picture = sheet.palette.finish(made.indices).convert("RGBA")
    picture.putalpha(made.mask.convert("L"))
    out = BytesIO()
    picture.save(out, "PNG", compress_level=6)
    return out.getvalue()

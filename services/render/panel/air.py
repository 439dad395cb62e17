"""Air units and leaders: as a row a side, or at their bases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scenarios.data import Card, GameData
from services.render.counters.silhouettes import aircraft, star
from services.render.draw.geometry import Point
from services.render.draw.ink import Plate, Stencil, Surface, bounds
from services.render.panel.frames import Rect, letters, printed, say, table, whole
from services.render.panel.looks import AirLook, BaseLook
from services.render.style import Sheet, SideLook
from services.render.views import View

_READY = ("", "free", "ready", "move", "attack")
_SAID = {"": "", "free": "", "move": "may move", "attack": "may attack"}


def draw_support(plate: Plate, box: Rect, data: GameData, view: View, sheet: Sheet, unit: int) -> None:
    """Air units and leaders of each side, spent ones pale; and how many units each holds off the board."""
    x0, y0, x1, y1 = box
    high = (y1 - y0) / max(len(sheet.style.sides), 1)
    for k, (side, look) in enumerate(sheet.style.sides.items()):
        top, size = y0 + high * k, letters(unit, 0.36)
        say(plate, (x0, top + unit * 0.26), data.side_names.get(side, side), "bold", size, "ink", x1 - x0)
        count = whole(table(view.own.get("held")).get(side))
        if count:
            say(plate, (x1, top + unit * 0.26), f"{count} held off the board", "plain", size, "ink", x1 - x0 - unit * 2.5, "rm")
        pieces = [("air", name, state) for name, state in _pieces(view.own.get("air"), side)]
        pieces += [("leader", name, state) for name, state in _pieces(view.own.get("leader_used", view.own.get("leader")), side)]
        if not pieces:
            say(plate, (x0, top + unit * 1.0), "no air unit, no leader", "italic", size, "faint", x1 - x0)
        for n, (kind, name, state) in enumerate(pieces):
            wide = min(unit * 1.5, (x1 - x0) / len(pieces))
            at = (x0 + wide * (n + 0.5), top + unit * 1.06)
            _named(plate, kind, at, min(wide * 0.44, unit * 0.52), look, name, _SAID.get(state, state), state in _READY, wide, unit)


def draw_air(plate: Plate, box: Rect, look: AirLook, data: GameData, view: View, sheet: Sheet, unit: int) -> None:
    """A line a base with its aircraft: values under each, pale if it cannot fly, and what it does, or the turn of its return."""
    x0, y0, x1, y1 = box
    sides = [side for side in sheet.style.sides if any(base.side == side for base in look.bases)]
    wide = (x1 - x0) / max(len(sides), 1)
    flown = table(view.own.get(look.key))
    for k, side in enumerate(sides):
        left, right = x0 + wide * k + (unit * 0.2 if k else 0), x0 + wide * (k + 1) - unit * 0.2
        say(plate, (left, y0 + unit * 0.25), data.side_names.get(side, side), "bold", letters(unit, 0.36), "ink", right - left)
        bases = [base for base in look.bases if base.side == side]
        high = min((y1 - y0 - unit * 0.75) / len(bases), unit * 1.75)
        for n, base in enumerate(bases):
            middle = y0 + unit * 0.5 + high * (n + 0.5)
            room = (right - left) * 0.4
            say(plate, (left, middle - unit * 0.16), base.name, "plain", letters(unit, 0.34), "ink", room)
            say(plate, (left, middle + unit * 0.22), base.note, "italic", letters(unit, 0.27), "faint", room, "lm", 5)
            here = [card for card in based(look, base, data) if card.id in flown][:12]
            step = min(unit * 2.1, (right - left - room) / max(len(here), 1))
            for m, card in enumerate(here):
                at = (left + room + step * (m + 0.5), middle - high * 0.14)
                said, free = _doing(look, table(flown[card.id]))
                values = "-".join(str(card.values.get(column, 0)) for column in look.values)
                name = f"{printed(card.id, 9)} {values}".strip()
                _named(plate, "air", at, min(step * 0.3, high * 0.3), sheet.style.sides[side], name, said, free, step, unit)


def based(look: AirLook, base: BaseLook, data: GameData) -> list[Card]:
    """The air units that fly from a base."""
    return [card for card in data.cards.values() if card.side == base.side and card.values.get("base") == base.key]


def _doing(look: AirLook, flight: Mapping[str, Any]) -> tuple[str, bool]:
    """What an air unit does, and whether it may fly."""
    word, back = printed(flight.get("state"), 12), whole(flight.get("back"))
    said = " ".join(filter(None, (look.states.get(word, ""), printed(flight.get("hex"), 6))))
    return (f"back turn {back}" if back else said), word in _READY and not back


def _pieces(value: Any, side: str) -> list[tuple[str, str]]:
    """The names of one side's pieces with their state, from what the view tells: "free", "malta", "used", or for a leader what he may
    still do ("move", "attack")."""
    mine = table(value).get(side)
    if isinstance(mine, list):
        return [(str(name)[:8], "free") for name in mine][:8]
    return [(str(name)[:8], _state(state)) for name, state in sorted(table(mine).items())][:8]


def _state(value: Any) -> str:
    if isinstance(value, dict):
        left = [str(use)[:8] for use, spent in sorted(value.items()) if spent is not True]
        return "free" if len(left) == len(value) else left[0] if left else "used"
    return str(value)[:8] if isinstance(value, str) else "free"


def _named(
    plate: Plate, kind: str, middle: Point, reach: float, look: SideLook, name: str, state: str, free: bool, room: float, unit: int
) -> None:
    """A piece with its name under it, and what it does."""
    draw_piece(plate, kind, middle, reach, look, free)
    y = middle[1] + reach * 0.9 + unit * 0.18
    say(plate, (middle[0], y), name, "bold", letters(unit, 0.29), "ink" if free else "faint", room, "mm", 5)
    say(plate, (middle[0], y + unit * 0.3), state, "plain", letters(unit, 0.29), "faint", room, "mm", 5)


def draw_piece(surface: Surface, kind: str, middle: Point, reach: float, look: SideLook, free: bool) -> None:
    """An aircraft or a star on a block of its side's colour."""
    x, y = middle
    opacity = 1.0 if free else 0.45
    box = bounds([middle], reach + 2)
    for inset, colour in ((0.0, look.dark), (reach * 0.12, look.face)):
        block = Stencil(box)
        block.rounded((x - reach, y - reach * 0.9, x + reach - inset, y + reach * 0.9 - inset), reach * 0.12)
        block.onto(surface, colour, opacity)
    sign = Stencil(box)
    if kind == "air":
        aircraft(sign, middle, reach * 0.72)
    else:
        sign.polygon(star(middle, reach * 0.66))
    sign.onto(surface, look.on, opacity)

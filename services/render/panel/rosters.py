"""The boxes of pieces: replacement pools, what is held off the board, air units and leaders, and who holds the places that count."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from scenarios.data import GameData
from services.render.counters.counters import look_of, sprite
from services.render.counters.pieces import counter_size
from services.render.draw.geometry import Point
from services.render.draw.ink import Plate, Stencil, Surface, bounds
from services.render.draw.lettering import fitted, write
from services.render.happened.overlay import flag
from services.render.style import Sheet, SideLook
from services.render.views import CounterView, View, hex_or_none

Rect = tuple[int, int, int, int]


def draw_pool(plate: Plate, box: Rect, counters: list[CounterView], data: GameData, sheet: Sheet, unit: int) -> None:
    """The counters of a box in rows, as small as it takes for all of them to show."""
    x0, y0, x1, y1 = box
    if not counters:
        write(plate, ((x0 + x1) / 2, (y0 + y1) / 2), "none", "italic", max(round(unit * 0.4), 6), "faint", anchor="mm")
        return
    side, gap = counter_size(unit), max(unit // 9, 1)
    while side > 8 and ((x1 - x0 + gap) // (side + gap)) * ((y1 - y0 + gap) // (side + gap)) < len(counters):
        side -= 1
    columns = max((x1 - x0 + gap) // (side + gap), 1)
    for k, counter in enumerate(counters):
        look = look_of(counter, data, sheet)
        at = (x0 + k % columns * (side + gap), y0 + max(unit // 10, 1) + k // columns * (side + gap))
        if at[1] + side <= y1 + gap:
            plate.stamp(sprite(look, side, sheet), at)


def draw_sites(plate: Plate, box: Rect, data: GameData, view: View, sheet: Sheet, unit: int) -> None:
    """The places whose control counts, each with its holder's flag, and how many each side holds."""
    control = view.own.get("control")
    holders: Mapping[str, Any] = control if isinstance(control, dict) else {}
    x0, y0, x1, y1 = box
    rows = [(hex_or_none(label), side) for label, side in sorted(holders.items()) if isinstance(side, str) and side in sheet.style.sides]
    high = min((y1 - y0) / (len(rows) + 1.2), unit * 0.8)
    size = max(round(min(unit * 0.4, high * 0.6)), 6)
    for k, (at, side) in enumerate(rows):
        if at is None:
            continue
        y = y0 + (k + 0.55) * high
        look = sheet.style.sides[side]
        flag(plate, (x0 + unit * 0.1, y + high * 0.34), high * 0.72, look.face, look.dark)
        name = data.board.name_of(at) or str(at)
        text, letters = fitted(name, "plain", size, round(x1 - x0 - unit * 0.9), 6)
        write(plate, (x0 + unit * 0.85, y), text, "plain", letters, "ink", anchor="lm")
    counts = {side: sum(1 for _, holder in rows if holder == side) for side in sheet.style.sides}
    said = "   ".join(f"{data.side_names.get(side, side)} {count}" for side, count in counts.items())
    text, letters = fitted(said, "bold", size, x1 - x0, 6)
    write(plate, ((x0 + x1) / 2, y1 - unit * 0.12), text, "bold", letters, "ink", anchor="ms")


def draw_support(plate: Plate, box: Rect, data: GameData, view: View, sheet: Sheet, unit: int) -> None:
    """Air units and leaders of each side, spent ones pale; and how many units each holds off the board."""
    x0, y0, x1, y1 = box
    sides = list(sheet.style.sides.items())
    high = (y1 - y0) / max(len(sides), 1)
    for k, (side, look) in enumerate(sides):
        top = y0 + high * k
        size = max(round(unit * 0.38), 6)
        write(plate, (x0, top + unit * 0.24), data.side_names.get(side, side), "bold", size, "ink", anchor="lt")
        held = view.own.get("held")
        off = held.get(side) if isinstance(held, dict) else None
        count = len(off) if isinstance(off, list) else off
        if isinstance(count, int):
            write(plate, (x1, top + unit * 0.24), f"held off board: {count}", "plain", size, "ink" if count else "faint", anchor="rt")
        _support_row(plate, (x0, top + unit * 0.75, x1, top + high), view, side, look, unit)


def _support_row(plate: Plate, area: tuple[float, float, float, float], view: View, side: str, look: SideLook, unit: int) -> None:
    """The pieces of one side in a row, each with what it does or what is left of it."""
    pieces = [("air", name, state) for name, state in _pieces(view.own.get("air"), side)]
    pieces += [("leader", name, state) for name, state in _pieces(view.own.get("leader_used", view.own.get("leader")), side)]
    if not pieces:
        write(plate, (area[0], area[1] + unit * 0.5), "no air unit, no leader", "italic", max(round(unit * 0.36), 6), "faint", anchor="lm")
        return
    wide = min(unit * 1.5, (area[2] - area[0]) / len(pieces))
    for k, (kind, name, state) in enumerate(pieces):
        middle = (area[0] + wide * (k + 0.5), area[1] + unit * 0.6)
        _support_piece(plate, kind, middle, min(wide * 0.44, unit * 0.56), look, state in ("", "free", "move", "attack"))
        size = max(round(unit * 0.3), 6)
        text, letters = fitted(name, "bold", size, round(wide), 5)
        write(plate, (middle[0], area[1] + unit * 1.43), text, "bold", letters, "ink", anchor="ms")
        said = {"": "", "free": ""}.get(state, {"move": "may move", "attack": "may attack"}.get(state, state))
        text, letters = fitted(said, "plain", size, round(wide), 5)
        write(plate, (middle[0], area[1] + unit * 1.76), text, "plain", letters, "faint", anchor="ms")


def _pieces(value: Any, side: str) -> list[tuple[str, str]]:
    """The names of one side's pieces with their state, from what the view tells: "free", "malta", "used", or for a leader what he may
    still do ("move", "attack")."""
    mine = value.get(side) if isinstance(value, dict) else None
    if isinstance(mine, list):
        return [(str(name)[:8], "free") for name in mine][:8]
    if not isinstance(mine, dict):
        return []
    return [(str(name)[:8], _state(state)) for name, state in sorted(mine.items())][:8]


def _state(value: Any) -> str:
    if isinstance(value, dict):
        left = [str(use)[:8] for use, spent in sorted(value.items()) if spent is not True]
        return "free" if len(left) == len(value) else left[0] if left else "used"
    return str(value)[:8] if isinstance(value, str) else "free"


def _support_piece(surface: Surface, kind: str, middle: Point, reach: float, look: SideLook, free: bool) -> None:
    """An aircraft or a star on a block of its side's colour."""
    x, y = middle
    opacity = 1.0 if free else 0.5
    box = bounds([middle], reach + 2)
    for inset, colour in ((0.0, look.dark), (reach * 0.12, look.face)):
        block = Stencil(box)
        block.rounded((x - reach, y - reach * 0.9, x + reach - inset, y + reach * 0.9 - inset), reach * 0.12)
        block.onto(surface, colour, opacity)
    sign = Stencil(box)
    if kind == "air":
        aircraft(sign, middle, reach * 0.72)
    else:
        sign.polygon(_star(middle, reach * 0.66))
    sign.onto(surface, "paper", opacity)


def aircraft(stencil: Stencil, middle: Point, r: float) -> None:
    """An aeroplane from above, flying up."""
    x, y = middle
    stencil.polygon(
        [(x - r * 0.12, y - r * 0.7), (x, y - r), (x + r * 0.12, y - r * 0.7), (x + r * 0.1, y + r * 0.8), (x - r * 0.1, y + r * 0.8)]
    )
    stencil.polygon(
        [
            (x - r, y - r * 0.05),
            (x - r * 0.95, y - r * 0.28),
            (x, y - r * 0.5),
            (x + r * 0.95, y - r * 0.28),
            (x + r, y - r * 0.05),
            (x, y - r * 0.02),
        ]
    )
    stencil.polygon(
        [(x - r * 0.42, y + r * 0.85), (x - r * 0.38, y + r * 0.62), (x + r * 0.38, y + r * 0.62), (x + r * 0.42, y + r * 0.85)]
    )


def _star(middle: Point, r: float) -> list[Point]:
    x, y = middle
    return [
        (x + math.sin(math.pi * k / 5) * (r if k % 2 == 0 else r * 0.42), y - math.cos(math.pi * k / 5) * (r if k % 2 == 0 else r * 0.42))
        for k in range(10)
    ]

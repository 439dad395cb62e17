"""Morale tracks: a box a level, and in it a chip for each formation that has it."""

from __future__ import annotations

from functools import lru_cache

from services.render.draw.ink import Canvas, Plate, Sprite, Stencil, Surface
from services.render.draw.lettering import fitted, write
from services.render.panel.frames import Rect, cell, cube, draw_cell, letters, say, table, whole
from services.render.panel.looks import MoraleLook
from services.render.style import Sheet, SideLook
from services.render.views import View


def draw_morale_ground(surface: Surface, box: Rect, look: MoraleLook, unit: int) -> None:
    """The levels, low to high."""
    count = look.last - look.first + 1
    for k in range(count):
        x0, y0, x1, y1 = cell(box, count, k)
        draw_cell(surface, (x0 + 1, y0 + 2, x1 - 1, y1), unit, "paper_lo" if k % 2 else "paper")
        say(surface, ((x0 + x1) / 2, y0 + unit * 0.16), str(k + look.first), "bold", letters(unit, 0.4), "ink", x1 - x0 - 3, "mt", 5)


def draw_morale(plate: Plate, box: Rect, look: MoraleLook, view: View, sheet: Sheet, unit: int) -> None:
    """A chip for each formation at its level."""
    levels: dict[int, list[str]] = {}
    for formation, level in table(view.own.get(look.key)).items():
        at = whole(level)
        if formation in look.names and at is not None:
            levels.setdefault(min(max(at, look.first), look.last), []).append(look.names[formation])
    side = sheet.style.sides.get(look.side)
    if side is None:
        return
    for level, names in levels.items():
        x0, y0, x1, y1 = cell(box, look.last - look.first + 1, level - look.first)
        top, foot = y0 + unit * 0.62, y1 - unit * 0.08
        columns = 1 if (foot - top) / len(names) >= unit * 0.36 or (x1 - x0) < unit * 2.2 else 2
        high = min(unit * 0.56, (foot - top) / -(-len(names) // columns))
        wide = (x1 - x0 - 4) / columns
        for k, name in enumerate(sorted(names)):
            made = chip(side, name, max(round(wide - 2), 6), max(round(high - 1), 6), sheet)
            plate.stamp(made, (round(x0 + 3 + wide * (k % columns)), round(foot - high * (k // columns + 1))))


@lru_cache(maxsize=256)
def chip(look: SideLook, text: str, wide: int, high: int, sheet: Sheet, most: int = 99) -> Sprite:
    """A flat marker in a side's colours with a short name, in letters of ``most`` pixels at most."""
    wide, high = max(wide, 3), max(high, 3)
    if wide < high * 1.1:
        return cube(look, min(wide, high), text[:1], sheet)
    canvas = Canvas((wide, high), sheet.palette, look.dark)
    for inset, colour in ((0.0, look.light), (1.0, look.face)):
        stencil = Stencil((0, 0, wide, high))
        stencil.rounded((inset, inset, wide - 1, high - 1), high * 0.16)
        stencil.onto(canvas, colour)
    said, size = fitted(text, "bold", min(max(round(high * 0.8), 6), most), wide - 4, 5)
    write(canvas, (wide / 2 - 0.5, high / 2 - 0.5), said, "bold", size, look.on, anchor="mm")
    mask = Stencil((0, 0, wide, high))
    mask.rounded((0, 0, wide, high), high * 0.16)
    return Sprite(sheet.palette.flatten(canvas.image), mask.mask().point([0] * 128 + [255] * 128).convert("1"))

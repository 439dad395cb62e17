"""Boxes and cells of the panel, and what they share: cubes, flags of text, readings of what a view tells."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from PIL import Image

from services.render.draw.ink import Canvas, Sprite, Stencil, Surface, bounds
from services.render.draw.lettering import Anchor, fitted, width, write
from services.render.style import Sheet, SideLook

Rect = tuple[int, int, int, int]
Area = tuple[float, float, float, float]


def title_height(unit: int) -> int:
    """Pixels of a box's title strip."""
    return round(unit * 0.66)


def padding(unit: int) -> int:
    """Pixels between a box's edge and what stands in it."""
    return max(round(unit * 0.22), 2)


def letters(unit: int, share: float) -> int:
    """A size of type for a share of the unit; never so small that it is no type."""
    return max(round(unit * share), 6)


def draw_box(surface: Surface, box: Rect, title: str, unit: int) -> None:
    """A box of the panel: a sheet of paper with a title strip."""
    x0, y0, x1, y1 = box
    high = title_height(unit)
    edge, round_ = max(round(unit * 0.04), 1), unit * 0.14
    for inset, colour in ((0, "rule"), (edge, "paper")):
        stencil = Stencil(box, 2)
        stencil.rounded((x0 + inset, y0 + inset, x1 - inset, y1 - inset), round_)
        stencil.onto(surface, colour)
    strip = Stencil((x0, y0, x1, y0 + high), 2)
    strip.rounded((x0 + edge, y0 + edge, x1 - edge, y0 + high + round_ * 2), round_)
    strip.onto(surface, "paper_lo")
    rule = Stencil((x0, y0 + high - edge, x1, y0 + high), 1)
    rule.polygon([(x0, y0 + high - edge), (x1, y0 + high - edge), (x1, y0 + high), (x0, y0 + high)])
    rule.onto(surface, "rule")
    text, size = fitted(title.upper(), "bold", letters(unit, 0.37), round(x1 - x0 - unit * 0.5), 6)
    write(surface, (x0 + unit * 0.28, y0 + high * 0.5), text, "bold", size, "town", anchor="lm", spacing=title_spacing(unit))


def title_spacing(unit: int) -> int:
    """Pixels between the letters of a title."""
    return max(unit // 40, 0)


def title_width(title: str, unit: int) -> int:
    """Pixels of a box's title with the room before it."""
    return width(title.upper(), "bold", letters(unit, 0.37), title_spacing(unit)) + round(unit * 0.28)


def draw_cell(surface: Surface, area: Area, unit: int, fill: str = "paper", edge: str = "rule", thick: float = 1.0) -> None:
    """A small box of a track."""
    outer = bounds([(area[0], area[1]), (area[2], area[3])], 2)
    for inset, colour in ((0.0, edge), (thick, fill)):
        stencil = Stencil(outer, 3)
        stencil.rounded((area[0] + inset, area[1] + inset, area[2] - inset, area[3] - inset), unit * 0.1)
        stencil.onto(surface, colour)


def draw_ring(surface: Surface, area: Area, thick: float, colour: str) -> None:
    """The outline of a cell, drawn inside it."""
    x0, y0, x1, y1 = area
    half = thick / 2
    ring = Stencil(bounds([(x0, y0), (x1, y1)], 2), 3)
    ring.ring([(x0 + half, y0 + half), (x1 - half, y0 + half), (x1 - half, y1 - half), (x0 + half, y1 - half)], thick)
    ring.onto(surface, colour)


def say(
    surface: Surface,
    at: tuple[float, float],
    text: str,
    face: str,
    size: int,
    colour: str,
    room: float,
    anchor: Anchor = "lm",
    least: int = 6,
) -> int:
    """Write one line as large as ``size`` allows and ``room`` takes; its width in pixels."""
    said, chosen = fitted(text, face, size, max(round(room), 1), least)
    write(surface, at, said, face, chosen, colour, anchor=anchor)
    return width(said, face, chosen)


def cell(box: Rect, count: int, k: int, lines: int = 1) -> Area:
    """The ``k``-th of ``count`` equal boxes, in ``lines`` rows."""
    x0, y0, x1, y1 = box
    columns = -(-count // lines)
    wide, high = (x1 - x0) / columns, (y1 - y0) / lines
    left, top = x0 + wide * (k % columns), y0 + high * (k // columns)
    return left, top, left + wide, top + high


@lru_cache(maxsize=128)
def cube(look: SideLook, size: int, text: str, sheet: Sheet) -> Sprite:
    """A small wooden cube in a side's colours, with a number on it or none."""
    canvas = Canvas((size, size), sheet.palette, look.dark)
    box = (0, 0, size, size)
    rim = max(round(size * 0.09), 1)
    for first, last, colour in ((0, rim, look.light), (rim, rim, look.face)):
        stencil = Stencil(box)
        stencil.polygon([(first, first), (size - last, first), (size - last, size - last), (first, size - last)])
        stencil.onto(canvas, colour)
    said, letter = fitted(text, "bold", max(round(size * 0.82), 6), round(size * 0.86), 5)
    write(canvas, (size * 0.47, size * 0.47), said, "bold", letter, look.on, anchor="mm")
    return Sprite(sheet.palette.flatten(canvas.image), Image.new("1", (size, size), 1))


@lru_cache(maxsize=16)
def dark(sheet: Sheet) -> str:
    """The name of the darker of the theme's ink and paper: what is written with on white and on gold."""
    return min(("ink", "paper"), key=lambda name: sum(sheet.palette.named[name]))


def gold(sheet: Sheet) -> SideLook:
    """The colours of a marker that is no side's."""
    return SideLook("gold", "white", dark(sheet), dark(sheet), "ink")


def table(value: Any) -> Mapping[str, Any]:
    """A table of a view's ``own``; empty for anything else."""
    return value if isinstance(value, dict) else {}


def whole(value: Any) -> int | None:
    """A whole number of a view's ``own``; None for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def entries(value: Any) -> list[Mapping[str, Any]]:
    """The tables of a list; what is none is left out."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list | tuple) else []


def words(value: Any, most: int = 40) -> str:
    """A word of the wire for people: hyphens and underscores are spaces."""
    return printed(value, most).replace("-", " ").replace("_", " ")


def printed(value: Any, most: int = 40) -> str:
    """A name or a number of the wire as it is; empty for anything else."""
    return str(value)[:most] if isinstance(value, str | int) else ""

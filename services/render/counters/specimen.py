"""A sheet of sample counters of a game: every type and state with what it is, as one PNG."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from typing import Any

import msgspec

from scenarios.data import Card
from services.render.counters.badges import badge_look, marker
from services.render.counters.counters import shadow, sprite
from services.render.counters.look import look_of_card
from services.render.draw.ink import Canvas, Sprite, Stencil
from services.render.draw.lettering import fitted, width, write
from services.render.style import Sheet, style_sheet
from services.render.views import CounterView

_VIEW = ("id", "type", "nation", "side", "caption", "marks", "num", "known")


class MarkerSample(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A marker: its kind in the style sheet, and what is written on it."""

    kind: str
    text: str = ""


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Counters of one side, or markers."""

    title: str
    side: str
    nation: str = ""
    counters: list[dict[str, Any]] = []
    markers: list[MarkerSample] = []


class Samples(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The shape of ``samples/<game>/counters.toml``."""

    title: str
    sections: list[Section]


@dataclass(frozen=True, slots=True)
class _Cell:
    """A counter of the sheet: large and as on a mailed map, and its caption."""

    large: Sprite
    small: Sprite
    caption: str


@lru_cache(maxsize=16)
def samples(game: str) -> Samples:
    """The samples of a game. KeyError if it has none; ValueError if the file is at fault."""
    file = files("services.render").joinpath("samples", game, "counters.toml")
    if not file.is_file():
        raise KeyError(game)
    return msgspec.convert(tomllib.loads(file.read_bytes().decode()), Samples)


def sample_of(raw: dict[str, Any], section: Section) -> tuple[CounterView, Card | None]:
    """A sample counter as its viewer has it, and its card unless it is unknown."""
    known = raw.get("known", "own")
    nation, values = raw.get("nation", section.nation), {key: value for key, value in raw.items() if key not in _VIEW}
    card = Card(raw["id"], section.side, raw["id"], raw.get("type", ""), nation, values)
    view = CounterView(
        side=section.side,
        place="0101",
        alias=raw["id"],
        id=raw["id"],
        marks=raw.get("marks", []),
        num={"sp": raw.get("max_sp", 0) if known == "own" else 0} | raw.get("num", {}),
        known=known,
    )
    return (view, None) if known == "no" else (view, card)


def specimen(game: str, theme: str, scale: int) -> bytes:
    """The sheet as a PNG ``scale`` pixels wide. KeyError if there is no such game or theme; ValueError if the scale is too small."""
    sheet, found = style_sheet(game, theme), samples(game)
    if not 400 <= scale <= 4000:
        raise ValueError("scale must lie between 400 and 4000")
    unit = max(scale // 24, 16)
    columns = max((scale - unit) // round(unit * 2.5), 1)
    step = (scale - unit) / columns
    sections = [(section, _cells(section, sheet, unit)) for section in found.sections]
    row = round(unit * 2.3)
    high = unit * 2 + sum(unit + -(-len(cells) // columns) * row for _, cells in sections) + unit // 2
    canvas = Canvas((scale, high), sheet.palette, "paper")
    write(canvas, (unit / 2, unit), found.title, "title", round(unit * 0.8), "ink", anchor="lm")
    _rule(canvas, unit * 1.65, unit, "town")
    y = unit * 2
    for section, cells in sections:
        write(canvas, (unit / 2, y + unit * 0.4), section.title.upper(), "bold", max(round(unit * 0.3), 10), "town", anchor="lm")
        y += unit
        for k, cell in enumerate(cells):
            _draw_cell(canvas, cell, (unit / 2 + step * (k % columns), y + k // columns * row), step, unit)
        y += -(-len(cells) // columns) * row
    indices = sheet.palette.finish(sheet.palette.flatten(canvas.image))
    out = BytesIO()
    indices.save(out, "PNG", compress_level=6)
    return out.getvalue()


def _cells(section: Section, sheet: Sheet, unit: int) -> list[_Cell]:
    small = sheet.style.counters.mailed
    cells = []
    for raw in section.counters:
        look = look_of_card(*sample_of(raw, section), sheet)
        cells.append(_Cell(sprite(look, round(unit * 1.3), sheet), sprite(look, small, sheet), raw.get("caption", raw["id"])))
    for one in section.markers:
        name = badge_look(one.kind, sheet.style.counters).name or one.kind
        large, little = (marker(one.kind, size, sheet, section.side, one.text) for size in (round(unit * 0.9), round(small * 0.62)))
        cells.append(_Cell(large, little, name))
    return cells


def _rule(canvas: Canvas, y: float, unit: int, colour: str) -> None:
    line = Stencil((0, round(y) - 2, canvas.size[0], round(y) + 3))
    line.line([(unit / 2, y), (canvas.size[0] - unit / 2, y)], max(unit * 0.03, 1), caps=False)
    line.onto(canvas, colour)


def _draw_cell(canvas: Canvas, cell: _Cell, at: tuple[float, float], step: float, unit: int) -> None:
    x, y = round(at[0]), round(at[1])
    side = cell.large.indices.width
    canvas.ink(shadow(side), (x + max(side // 24, 1), y + max(side // 20, 1)), "ink", 0.25)
    canvas.stamp(cell.large, (x, y))
    small = cell.small.indices.width
    left = x + side + max(unit // 8, 3)
    if left + small <= at[0] + step:
        canvas.ink(shadow(small), (left + 1, y + 2), "ink", 0.25)
        canvas.stamp(cell.small, (left, y))
    room = round(step - unit * 0.15)
    size = max(round(unit * 0.2), 9)
    for k, line in enumerate(_wrapped(cell.caption, size, room)[:2]):
        text, letters = fitted(line, "plain", size, room, 8)
        write(canvas, (x, y + unit * 1.62 + k * size * 1.15), text, "plain", letters, "ink", anchor="lt")


def _wrapped(text: str, size: int, room: int) -> list[str]:
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and width(longer, "plain", size) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines

"""A sheet that shows the whole panel of a game, filled with sample values, and its strip for phones."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from io import BytesIO
from typing import Any

import msgspec

from scenarios.data import Board, Card, GameData, OptionSpec, ScenarioData
from services.render.draw.ink import Canvas, Plate
from services.render.draw.lettering import write
from services.render.panel.compact import compact_height, draw_compact
from services.render.panel.panel import draw_panel, draw_panel_ground, panel_of
from services.render.style import style_sheet
from services.render.views import CounterView, EventView, View


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A chart in short: its headings and its lines, the entries of each parted by blanks, ``_`` for a blank within one."""

    columns: str
    lines: list[str]
    reconstructed: bool = True


class Piece(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Sample counters off the map: ids of the game's sample counters, where they lie, and their numbers."""

    ids: list[str]
    place: str
    num: dict[str, int | str] = {}


class Sample(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The shape of ``samples/<game>/panel.toml``: what the package of a game and one view of it would tell. ``across``: the sheet's width
    in units."""

    title: str
    scenario: str
    side_names: dict[str, str]
    turns: list[str]
    turn: int
    phasing: str
    step: str
    waiting_for: list[str]
    own: dict[str, Any]
    pieces: list[Piece] = []
    events: list[EventView] = []
    arrivals: list[dict[str, Any]] = []
    charts: dict[str, Table] = {}
    sources: list[str] = []
    options: dict[str, str] = {}
    across: float = 63.0


def specimen(game: str, theme: str, scale: int) -> bytes:
    """The panel of a game with sample values as a PNG ``scale`` pixels wide. KeyError if the game or the theme has no style sheet or the
    game no samples; ValueError, naming the file, if these are at fault."""
    sheet = style_sheet(game, theme)
    sample = sample_of(game)
    data, view = package(game, sample), seen(game, sample)
    unit = max(round(scale / sample.across), 6)
    head, gap = round(unit * 2.2), round(unit * 1.4)
    panel = panel_of(data, sheet, scale, unit).moved(head)
    strip = min(round(scale * 0.42), 1000)
    foot = head + panel.height + gap
    canvas = Canvas((scale, foot + compact_height(strip) + unit), sheet.palette, "paper")
    size = max(round(unit * 1.15), 10)
    write(canvas, (unit * 0.6, head * 0.55), f"{sample.title}: tracks and boxes", "title", size, "ink", anchor="lm")
    draw_panel_ground(canvas, panel, data, sheet)
    caption = "The strip for phones, under the picture of the front"
    write(canvas, (unit * 0.6, foot - unit * 0.45), caption, "italic", max(round(unit * 0.45), 7), "ink", anchor="lm")
    plate = Plate(sheet.palette.flatten(canvas.image), sheet.palette)
    draw_panel(plate, panel, data, view, sheet)
    left = round(unit * 0.6)
    draw_compact(plate, (left, foot, left + strip, foot + compact_height(strip)), data, view, sheet)
    out = BytesIO()
    sheet.palette.finish(plate.image).save(out, "PNG", compress_level=5)
    return out.getvalue()


def sample_of(game: str) -> Sample:
    """The sample values of a game. Errors as ``specimen``."""
    try:
        return msgspec.convert(_read(game, "panel"), Sample)
    except ValueError as fault:
        raise ValueError(f"samples/{game}/panel.toml: {fault}") from fault


def _read(game: str, part: str) -> dict[str, Any]:
    file = files("services.render").joinpath("samples", game, f"{part}.toml")
    if not file.is_file():
        raise KeyError(game)
    return tomllib.loads(file.read_bytes().decode())


def package(game: str, sample: Sample) -> GameData:
    """A package that knows what a panel asks for."""
    scenario = ScenarioData("sample", sample.scenario, 1, len(sample.turns), {"arrivals": tuple(sample.arrivals)})
    reconstructed = [*sample.sources, *(key for key, chart in sample.charts.items() if chart.reconstructed)]
    return GameData(
        key=game,
        title=sample.title,
        edition="",
        sides=tuple(sample.side_names),
        side_names=sample.side_names,
        board=Board(1, 1, {}, frozenset(), {}, {}, frozenset(), {}, {}, {}),
        cards={card.id: card for card in cards(game)},
        charts={key: _chart(chart) for key, chart in sample.charts.items()},
        scenarios={"sample": scenario},
        options={key: OptionSpec(key, (), "", "", "") for key in sample.options},
        turns=tuple(sample.turns),
        sources=dict.fromkeys(reconstructed, "reconstructed"),
        digest=f"sample {game}",
    )


def _chart(chart: Table) -> tuple[Mapping[str, str], ...]:
    heads = chart.columns.split()
    lines = [["" if entry == "-" else entry.replace("_", " ") for entry in line.split()] for line in chart.lines]
    return tuple(dict(zip(heads, line, strict=True)) for line in lines)


def cards(game: str) -> Iterator[Card]:
    """The cards of a game's sample counters."""
    known = ("id", "type", "name", "nation", "caption", "marks", "num")
    for section in _read(game, "counters").get("sections", ()):
        for one in section.get("counters", ()):
            if "type" not in one:
                continue
            values = {key: value for key, value in one.items() if key not in known}
            nation = one.get("nation", section.get("nation", ""))
            yield Card(one["id"], section["side"], one.get("name", one["id"]), one["type"], nation, values)


def seen(game: str, sample: Sample) -> View:
    """The view of a sample."""
    sides = {card.id: card.side for card in cards(game)}
    for unknown in {unit for piece in sample.pieces for unit in piece.ids} - set(sides):
        raise ValueError(f"samples/{game}/panel.toml: no such sample counter: {unknown}")
    counters = [
        CounterView(side=sides[unit], place=piece.place, id=unit, card=unit, num=piece.num, known="own")
        for piece in sample.pieces
        for unit in piece.ids
    ]
    return View(
        game=game,
        scenario="sample",
        side=None,
        counters=counters,
        own=sample.own,
        turn=sample.turn,
        phasing=sample.phasing or None,
        options=dict(sample.options),
        step={"name": sample.step},
        events=sample.events,
        waiting_for=sample.waiting_for,
    )

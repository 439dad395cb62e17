"""The panel under the map: where its boxes lie, what is printed in them for ever, and what a turn puts into them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from scenarios.data import GameData
from services.render.draw.ink import Canvas, Plate, Stencil, Surface
from services.render.draw.lettering import cap_height, fitted, width, write
from services.render.panel.legend import draw_legend
from services.render.panel.record import draw_record
from services.render.panel.rosters import draw_pool, draw_sites, draw_support
from services.render.panel.tracks import draw_arrivals, draw_track_ground, draw_track_markers, draw_turn_marker, draw_turns_ground
from services.render.style import Sheet
from services.render.views import CounterView, View

Rect = tuple[int, int, int, int]
_TURNS = "Turn record"


@dataclass(frozen=True, slots=True)
class Panel:
    """The boxes by name, in pixels of the whole picture; ``unit`` is the map's hex radius."""

    boxes: Mapping[str, Rect]
    height: int
    unit: int

    def moved(self, down: int) -> Panel:
        """The panel with all its boxes lower."""
        return replace(self, boxes={name: (x0, y0 + down, x1, y1 + down) for name, (x0, y0, x1, y1) in self.boxes.items()})

    def inner(self, name: str) -> Rect:
        """A box less its title and edges."""
        x0, y0, x1, y1 = self.boxes[name]
        pad = max(round(self.unit * 0.22), 2)
        return x0 + pad, y0 + title_height(self.unit), x1 - pad, y1 - pad


def title_height(unit: int) -> int:
    """Pixels of a box's title strip."""
    return round(unit * 0.62)


def panel_of(data: GameData, sheet: Sheet, across: int, unit: int) -> Panel:
    """The layout for a picture ``across`` pixels wide, from its own top: the turn track and the number tracks, below them the boxes."""
    style = sheet.style
    tracks: list[tuple[str, float]] = [("turns", len(data.turns) * 1.85 + 0.5)]
    tracks += [(f"track:{k}", (track.last + 1) * 1.1 + 0.5) for k, track in enumerate(style.panel.tracks)]
    below: list[tuple[str, float]] = [(f"box:{k}", box.width) for k, box in enumerate(style.panel.boxes)]
    below += [("support", style.panel.support_width), ("sites", 6.2), ("record", 13.0), ("legend", 15.5)]
    gap = max(round(unit * 0.3), 2)
    boxes: dict[str, Rect] = {}
    top = gap
    for wanted, high in ((tracks, 2.75), (below, 6.0)):
        for row in _wrapped(wanted, across / unit):
            bottom = top + round(unit * high)
            boxes |= _spread(row, across, gap, top, bottom)
            top = bottom + gap
    return Panel(boxes, top, unit)


def _wrapped(wanted: list[tuple[str, float]], room: float) -> list[list[tuple[str, float]]]:
    """The boxes in as many rows as they need, a little squeezed if need be."""
    rows: list[list[tuple[str, float]]] = [[]]
    for box in wanted:
        if rows[-1] and sum(share for _, share in rows[-1]) + box[1] > room * 1.15:
            rows.append([])
        rows[-1].append(box)
    return rows


def _spread(row: list[tuple[str, float]], across: int, gap: int, top: int, bottom: int) -> dict[str, Rect]:
    """Boxes side by side over the whole width, in proportion to what each wants."""
    room = across - gap * (len(row) + 1)
    total = sum(share for _, share in row)
    out: dict[str, Rect] = {}
    x, done = gap, 0.0
    for name, share in row:
        start = x + round(room * done / total)
        done += share
        out[name] = (start, top, x + round(room * done / total), bottom)
        x += gap
    return out


def titles(data: GameData, sheet: Sheet) -> dict[str, str]:
    """The printed titles of the boxes."""
    style = sheet.style
    found = {
        "turns": _TURNS,
        "support": style.panel.support_title,
        "sites": style.panel.sites_title,
        "record": "Dice of the turn",
        "legend": "Legend",
    }
    found |= {f"track:{k}": track.title for k, track in enumerate(style.panel.tracks)}
    return found | {f"box:{k}": box.title for k, box in enumerate(style.panel.boxes)}


def draw_panel_ground(canvas: Canvas, panel: Panel, data: GameData, sheet: Sheet) -> None:
    """All of the panel that is the same in every turn."""
    said = titles(data, sheet)
    for name, box in panel.boxes.items():
        _draw_box(canvas, box, said[name], panel.unit)
    draw_turns_ground(canvas, panel.inner("turns"), data, panel.unit)
    for k, track in enumerate(sheet.style.panel.tracks):
        draw_track_ground(canvas, panel.inner(f"track:{k}"), track.last, panel.unit)
    draw_legend(canvas, panel.inner("legend"), data, sheet, panel.unit)


def _draw_box(surface: Surface, box: Rect, title: str, unit: int) -> None:
    x0, y0, x1, y1 = box
    high = title_height(unit)
    edge = max(round(unit * 0.04), 1)
    for grow, colour in ((0, "rule"), (edge, "paper")):
        stencil = Stencil(box, 2)
        stencil.rounded((x0 + grow, y0 + grow, x1 - grow, y1 - grow), unit * 0.14)
        stencil.onto(surface, colour)
    size = max(round(unit * 0.37), 7)
    text = title.upper()
    write(surface, (x0 + unit * 0.3, y0 + high * 0.54), text, "bold", size, "town", anchor="lm", spacing=max(unit // 40, 0))
    rule = Stencil(box, 2)
    y = y0 + high - max(cap_height("bold", size) // 6, 1)
    rule.line([(x0 + unit * 0.22, y), (x1 - unit * 0.22, y)], max(unit * 0.03, 0.8))
    rule.onto(surface, "rule")


def draw_panel(plate: Plate, panel: Panel, data: GameData, view: View, sheet: Sheet) -> None:
    """What a view puts into the panel."""
    style = sheet.style
    _draw_heading(plate, panel, data, view)
    draw_arrivals(plate, panel.inner("turns"), data, view, sheet, panel.unit)
    draw_turn_marker(plate, panel.inner("turns"), data, view, panel.unit)
    for k, track in enumerate(style.panel.tracks):
        values = view.own.get(track.key)
        draw_track_markers(plate, panel.inner(f"track:{k}"), track.last, values if isinstance(values, dict) else {}, sheet, panel.unit)
    for k, box in enumerate(style.panel.boxes):
        held = [one for one in view.counters if one.place in box.places and not (box.due and _later(one, view.turn))]
        draw_pool(plate, panel.inner(f"box:{k}"), held, data, sheet, panel.unit)
    draw_support(plate, panel.inner("support"), data, view, sheet, panel.unit)
    draw_sites(plate, panel.inner("sites"), data, view, sheet, panel.unit)
    draw_record(plate, panel.inner("record"), data, view, sheet, panel.unit)


def _draw_heading(plate: Plate, panel: Panel, data: GameData, view: View) -> None:
    """At the right of the turn track's title: the scenario, whose turn it is or how the game ended, and whose view this is."""
    x0, y0, x1, _ = panel.boxes["turns"]
    parts = [data.scenarios[view.scenario].title] if view.scenario in data.scenarios else []
    if view.over is not None:
        winner = data.side_names.get(view.over.winner or "")
        parts.append(f"{winner} victory" if winner else "Game over")
    elif view.phasing is not None and view.phasing in data.side_names:
        parts.append(f"{data.side_names[view.phasing]} player-turn")
    if view.side is not None:
        parts.append(f"as seen by: {data.side_names.get(view.side, view.side)}")
    size = max(round(panel.unit * 0.37), 7)
    room = x1 - x0 - width(_TURNS.upper(), "bold", size) - round(panel.unit * 2)
    text, size = fitted("   |   ".join(parts), "plain", size, room, 6)
    at = (x1 - panel.unit * 0.3, y0 + title_height(panel.unit) * 0.54)
    write(plate, at, text, "plain", size, "ink", anchor="rm")


def _later(counter: CounterView, turn: int) -> bool:
    """Whether a counter may enter only in a later game-turn."""
    due = counter.num.get("due")
    return isinstance(due, int) and due > turn

"""Where the boxes of the panel lie."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from scenarios.data import GameData
from services.render.panel.chart import chart_rows
from services.render.panel.frames import Rect, padding, title_height
from services.render.panel.legend import legend_height
from services.render.panel.looks import AnyBox, ChartLook, LegendLook, MoraleLook, PoolLook, RecordLook, TurnsLook
from services.render.panel.tracks import turn_lines
from services.render.style import Sheet

_CROWDED = 1.15
"""How much wider than their room the boxes of a row may like to be before the last goes into a row of its own."""
_GROWTH: dict[type[AnyBox], int] = {RecordLook: 3, PoolLook: 4, ChartLook: 1, MoraleLook: 1, LegendLook: 1}
"""How much of the height that is to spare a row gets for the box in it that can use it best."""


@dataclass(frozen=True, slots=True)
class Panel:
    """The boxes by name, in pixels of the whole picture; ``unit`` is the map's hex radius. ``looks``: what each box is; ``rows``: the
    names in rows; ``size``: width and height of the whole."""

    boxes: Mapping[str, Rect]
    looks: Mapping[str, AnyBox]
    rows: tuple[tuple[str, ...], ...]
    size: tuple[int, int]
    unit: int

    @property
    def height(self) -> int:
        """Pixels from its top to its foot."""
        return self.size[1]

    def moved(self, down: int, right: int = 0) -> Panel:
        """The panel with all its boxes lower, or further to the right."""
        return replace(self, boxes={name: (x0 + right, y0 + down, x1 + right, y1 + down) for name, (x0, y0, x1, y1) in self.boxes.items()})

    def filled(self, height: int) -> Panel:
        """The panel stretched to a height: rows with a box that can use it grow, or all if there is none."""
        spare = height - self.size[1]
        weights = [max(_GROWTH.get(type(self.looks[name]), 0) for name in row) for row in self.rows]
        if not any(weights):
            weights = [1] * len(self.rows)
        if spare <= 0 or not weights:
            return self
        boxes: dict[str, Rect] = {}
        added = 0
        for k, row in enumerate(self.rows):
            more = spare * sum(weights[: k + 1]) // sum(weights)
            for name in row:
                x0, y0, x1, y1 = self.boxes[name]
                boxes[name] = (x0, y0 + added, x1, y1 + more)
            added = more
        return replace(self, boxes=boxes, size=(self.size[0], height))

    def inner(self, name: str) -> Rect:
        """A box less its title and edges."""
        x0, y0, x1, y1 = self.boxes[name]
        pad = padding(self.unit)
        return x0 + pad, y0 + title_height(self.unit) + max(pad // 3, 1), x1 - pad, y1 - pad


def no_panel(unit: int) -> Panel:
    """A panel without boxes."""
    return Panel({}, {}, (), (0, 0), unit)


def named(data: GameData, sheet: Sheet) -> Iterator[tuple[float, list[tuple[str, AnyBox]]]]:
    """The rows of the style with a name for each box: its kind, and the kind's running number where a game may have several."""
    count: Counter[str] = Counter()
    for row in sheet.style.panel.rows:
        found: list[tuple[str, AnyBox]] = []
        for box in row.boxes:
            if isinstance(box, ChartLook) and not chart_rows(data, box):
                continue
            kind = str(box.__struct_config__.tag)
            single = isinstance(box, TurnsLook | RecordLook | LegendLook) and not count[kind]
            found.append((kind if single else f"{kind}:{count[kind]}", box))
            count[kind] += 1
        if found:
            yield row.height, found


def panel_of(data: GameData, sheet: Sheet, across: int, unit: int) -> Panel:
    """The layout for a picture ``across`` pixels wide, from its own top: the style's rows, each in as many lines as it needs."""
    gap = max(round(unit * 0.3), 2)
    boxes: dict[str, Rect] = {}
    looks: dict[str, AnyBox] = {}
    rows: list[tuple[str, ...]] = []
    top = gap
    for height, wanted in named(data, sheet):
        looks |= wanted
        for line in _wrapped(wanted, (across - gap) / unit):
            spread = _spread(line, across, gap)
            needs = [_height(box, (spread[name][1] - spread[name][0] - 2 * padding(unit)) / unit, data, sheet) for name, box in line]
            bottom = top + round(unit * max(height if len(line) > 1 or not any(needs) else 0.0, *needs))
            boxes |= {name: (x0, top, x1, bottom) for name, (x0, x1) in spread.items()}
            rows.append(tuple(name for name, _ in line))
            top = bottom + gap
    return Panel(boxes, looks, tuple(rows), (across, top), unit)


def _wrapped(wanted: list[tuple[str, AnyBox]], room: float) -> list[list[tuple[str, AnyBox]]]:
    """The boxes in as many lines as they need, a little squeezed if need be."""
    lines: list[list[tuple[str, AnyBox]]] = [[]]
    for name, box in wanted:
        if lines[-1] and sum(other.width for _, other in lines[-1]) + box.width > room * _CROWDED:
            lines.append([])
        lines[-1].append((name, box))
    return lines


def _spread(line: list[tuple[str, AnyBox]], across: int, gap: int) -> dict[str, tuple[int, int]]:
    """Left and right edges of boxes side by side over the whole width, in proportion to what each would like."""
    room = across - gap * (len(line) + 1)
    total = sum(box.width for _, box in line)
    out: dict[str, tuple[int, int]] = {}
    x, done = gap, 0.0
    for name, box in line:
        start = x + round(room * done / total)
        done += box.width
        out[name] = (start, x + round(room * done / total))
        x += gap
    return out


def _height(box: AnyBox, wide: float, data: GameData, sheet: Sheet) -> float:
    """The height in units that a box needs, ``wide`` units inside; 0 if it takes what it is given."""
    if isinstance(box, TurnsLook):
        return 0.95 + 1.9 * turn_lines(box, len(data.turns), wide)
    if isinstance(box, ChartLook):
        return 1.0 + 0.56 * (len(chart_rows(data, box)) + (0.8 if box.note else 0.0))
    if isinstance(box, LegendLook):
        return 1.0 + legend_height(data, sheet, wide, box)
    return 0.0

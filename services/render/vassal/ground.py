"""The board that VASSAL shows: the map sheet, and below or beside it the tracks and boxes of the game, each a named zone.

Measures are in hex radii, as in ``panel.toml``, whose boxes these are; the dice of a turn, charts and legend stand elsewhere, and the
boxes of counters off the map are as large as counters of full size need.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from scenarios.data import GameData
from scenarios.hexes import Hex
from services.render.board.names import choose_names, draw_names
from services.render.board.sheet import draw_sheet, lay_art
from services.render.counters.pieces import counter_size
from services.render.draw.geometry import Lattice
from services.render.draw.ink import Canvas
from services.render.layout import lay_step
from services.render.panel.frames import Area, Rect, cell, draw_box, draw_cell, letters, padding, say, title_height
from services.render.panel.looks import (
    AirLook,
    AnyBox,
    MoraleLook,
    PhaseLook,
    PoolLook,
    StockLook,
    StockRow,
    SupportLook,
    TrackLook,
    TurnsLook,
    WeatherLook,
)
from services.render.panel.morale import draw_morale_ground
from services.render.panel.phase import cells, draw_phases_ground
from services.render.panel.tracks import draw_track_ground, draw_turns_ground, short_turn, track_area, turn_cell, turn_lines
from services.render.panel.weather import draw_weather_ground
from services.render.style import Sheet

ELSEWHERE, LATER = "Elsewhere", "Later"
"""Names of the box for counters of no other box, and of the cell of arrivals without a fixed game-turn."""
_STOCK_NAME = 4.6
"""The room for a name before a line of stock, in units."""
LARGEST_STEP, SMALLEST_STEP, MOST_PIXELS = 84, 12, 14_000_000
"""From column to column in pixels at most and at least; how many pixels the board may have."""
BESIDE = 31.0
"""How wide the boxes beside a high map are."""


@dataclass(frozen=True, slots=True)
class Zone:
    """A box of the board: its name, where it lies, and its named cells."""

    name: str
    box: Rect
    cells: tuple[tuple[str, Area], ...] = ()


@dataclass(frozen=True, slots=True)
class Ground:
    """The whole board in pixels. ``counter``: a counter's width; ``map_area``: where the map sheet lies; ``zones``: the boxes by name;
    ``places``: place off the map and side, or "" for both -> its zone; ``arrivals``: side -> the zone of its units to come, which stand at
    the places ``entering``."""

    size: tuple[int, int]
    lattice: Lattice
    counter: int
    map_area: Rect
    zones: dict[str, Zone]
    looks: dict[str, Item]
    places: dict[tuple[str, str], str]
    arrivals: dict[str, str]
    entering: frozenset[str]

    def cell(self, zone: str, name: str) -> tuple[int, int] | None:
        """The middle of a cell; None if there is none of that name."""
        found = self.area(zone, name)
        return None if found is None else (round((found[0] + found[2]) / 2), round((found[1] + found[3]) / 2))

    def area(self, zone: str, name: str) -> Area | None:
        """Where a cell lies; None if there is none of that name."""
        found = self.zones.get(zone)
        return next((area for said, area in found.cells if said == name), None) if found else None

    def zone_of(self, place: str, side: str) -> str | None:
        """The zone of a side's counters at a place off the map; None if there is none."""
        return self.places.get((place, side)) or self.places.get((place, ""))

    def slots(self, zone: str, name: str = "") -> list[tuple[int, int]]:
        """Where counters lie in a box or in a cell of it, line by line; none if there is no such cell."""
        unit, half = self.lattice.radius, self.counter // 2
        step = self.counter + max(unit // 8, 2)
        area = self.area(zone, name) if name else inner(self.zones[zone].box, unit)
        if area is None:
            return []
        wide, high = area[2] - area[0], area[3] - area[1]
        columns, rows = max(int((wide + unit / 8) // step), 1), max(int((high + unit / 8) // step), 1)
        left = round(area[0] + (wide - columns * step) / 2 + step / 2) if name else round(area[0]) + half
        top = round(area[1] + (high - rows * step) / 2 + step / 2) if name else round(area[1]) + half
        return [(left + c * step, top + r * step) for r in range(rows) for c in range(columns)]


@dataclass(frozen=True, slots=True)
class Item:
    """A box to be laid out: its title, the width that it would like, the height that it needs in a width, and what it is of. ``look``:
    the box of the panel that it stands for, if it is one; ``side``: whose arrivals it holds; ``places``: those whose counters it holds, of
    side ``owner`` or, if that is empty, of both."""

    title: str
    width: float
    height: Callable[[float], float]
    look: AnyBox | None = None
    side: str = ""
    places: tuple[str, ...] = ()
    owner: str = ""

    @property
    def grows(self) -> bool:
        """Whether it can use more height than it needs: it holds counters."""
        return self.look is None


def items(data: GameData, sheet: Sheet) -> Iterator[Item]:
    """The boxes of a game in their order."""
    boxes = [box for row in sheet.style.panel.rows for box in row.boxes]
    counter = sheet.style.counters.width
    entering = False
    pools: dict[tuple[str, str], list[str]] = {}
    for box in boxes:
        match box:
            case TurnsLook():
                yield Item(box.title, box.width, partial(_turns_height, box, len(data.turns)), box)
            case MoraleLook():
                yield Item(box.title, box.width, _fixed(4.6 if len(box.names) > 6 else 2.9), box)
            case TrackLook() | WeatherLook() | PhaseLook():
                yield Item(box.title, box.width, _fixed(2.9), box)
            case SupportLook():
                yield Item(box.title, 16.0, _fixed(1.0 + 1.5 * len(data.sides)), box)
            case StockLook():
                yield Item(box.title, 16.0, _fixed(1.0 + 0.95 * len(box.rows)), box)
            case AirLook():
                yield Item(box.title, 16.0, _fixed(1.0 + 1.5 * len(box.bases)), box)
            case PoolLook():
                for group in box.groups:
                    entering = entering or group.due or group.later
                    if not (group.due or group.later):
                        owner = group.side if group.numbered else ""  # both sides' boxes have the same numbers
                        pools.setdefault((group.name, owner), []).extend(group.places)
            case _:
                pass
    rows = 2 if len(data.cards) <= 60 else 3
    tall = 1.1 + rows * (counter + 0.16)
    for (name, owner), places in pools.items():
        title = f"{name} ({data.side_names.get(owner, owner)})" if owner else name
        yield Item(title, 9.0 if rows == 2 else 14.0, _fixed(tall), places=tuple(places), owner=owner)
    for side in data.sides if entering else ():
        yield Item(f"Arrivals: {data.side_names.get(side, side)}", 60.0, _arrivals_height(data, counter), side=side)
    yield Item(ELSEWHERE, 9.0, _fixed(tall))


def _fixed(height: float) -> Callable[[float], float]:
    return lambda wide: height


def _turns_height(look: TurnsLook, count: int, wide: float) -> float:
    return 0.95 + 1.9 * turn_lines(look, count, wide - 0.5)


def _arrivals_height(data: GameData, counter: float) -> Callable[[float], float]:
    return lambda wide: 0.95 + (counter + 0.75) * _lines(len(data.turns) + 1, wide - 0.5, counter + 0.35)


def _lines(count: int, wide: float, least: float) -> int:
    return max(-(-count // max(int(wide / least), 1)), 1)


def lay(data: GameData, sheet: Sheet) -> Ground:
    """The board with the largest hexes that the bounds allow. ValueError if even the smallest are too large."""
    for step in range(LARGEST_STEP, SMALLEST_STEP - 1, -3):
        ground = _laid(data, sheet, step)
        if ground.size[0] * ground.size[1] <= MOST_PIXELS:
            return ground
    raise ValueError(f"a map of {data.board.columns} x {data.board.rows} hexes is too large for VASSAL: at most {MOST_PIXELS} pixels")


def _laid(data: GameData, sheet: Sheet, step: int) -> Ground:
    layout = lay_step(data.board, step)
    (wide, high), unit = layout.map_size, layout.lattice.radius
    below = wide >= high
    left, top = (0, high) if below else (wide, 0)
    across = wide if below else round(BESIDE * unit)
    gap = max(round(unit * 0.3), 2)
    boxes: dict[str, Rect] = {}
    found: dict[str, Item] = {}
    lines = _lined(list(items(data, sheet)), (across - gap) / unit)
    spare = 0.0
    if not below:
        growing = [line for line in lines if any(item.grows for item in line)]
        needed = sum(max(item.height(across / unit) for item in line) * unit + gap for line in lines) + gap
        spare = max(high - top - needed, 0.0) / max(len(growing), 1)
    y = top + gap
    for line in lines:
        total, room = sum(item.width for item in line), across - gap * (len(line) + 1)
        x, done, bottom = left + gap, 0.0, y
        for item in line:
            x0 = x + round(room * done / total)
            done += item.width
            x1 = x + round(room * done / total)
            boxes[item.title], found[item.title] = (x0, y, x1, 0), item
            bottom = max(bottom, y + round(unit * item.height((x1 - x0) / unit)))
            x += gap
        bottom += round(spare) if any(item.grows for item in line) else 0
        boxes |= {item.title: (*boxes[item.title][:3], bottom) for item in line}
        y = bottom + gap
    size = (wide, y) if below else (wide + across, max(high, y))
    places = {(place, item.owner): item.title for item in found.values() for place in item.places}
    arrivals = {item.side: item.title for item in found.values() if item.side}
    zones = {name: Zone(name, box, tuple(_cells(data, found[name], box, unit, sheet))) for name, box in boxes.items()}
    width = counter_size(unit, sheet.style.counters.width)
    return Ground(size, layout.lattice, width, (0, 0, wide, high), zones, found, places, arrivals, _entering(sheet))


def _entering(sheet: Sheet) -> frozenset[str]:
    """The places of units that are to come."""
    pools = [box for row in sheet.style.panel.rows for box in row.boxes if isinstance(box, PoolLook)]
    return frozenset(place for box in pools for group in box.groups if group.due or group.later for place in group.places)


def _lined(wanted: list[Item], room: float) -> list[list[Item]]:
    """The boxes in lines, none much wider than the room."""
    lines: list[list[Item]] = [[]]
    for item in wanted:
        if lines[-1] and sum(other.width for other in lines[-1]) + item.width > room * 1.12:
            lines.append([])
        lines[-1].append(item)
    return lines


def inner(box: Rect, unit: int) -> Rect:
    """A box less its title and edges."""
    pad = padding(unit)
    return box[0] + pad, box[1] + title_height(unit) + max(pad // 3, 1), box[2] - pad, box[3] - pad


def _cells(data: GameData, item: Item, whole: Rect, unit: int, sheet: Sheet) -> Iterator[tuple[str, Area]]:
    """The cells of a box, each with its name."""
    box, look = inner(whole, unit), item.look
    match look:
        case TurnsLook():
            for k, label in enumerate(data.turns):
                x0, y0, x1, y1 = turn_cell(box, look, len(data.turns), k, unit)
                yield label, (x0, y0 + unit * 0.55, x1, y1)
        case TrackLook():
            for k in range(look.last - look.first + 1):
                x0, y0, x1, y1 = cell(track_area(box, look, unit), look.last - look.first + 1, k)
                yield str(k + look.first), (x0, y0 + unit * 0.55, x1, y1)
        case MoraleLook():
            for k in range(look.last - look.first + 1):
                x0, y0, x1, y1 = cell(box, look.last - look.first + 1, k)
                yield str(k + look.first), (x0, y0 + unit * 0.6, x1, y1)
        case WeatherLook():
            yield from ((kind.name, cell(box, len(look.kinds), k)) for k, kind in enumerate(look.kinds))
        case PhaseLook():
            yield from ((phase.name, area) for phase, area in zip(look.phases, cells(box, len(look.phases), unit), strict=True))
        case SupportLook():
            for k, side in enumerate(data.sides):
                x0, y0, x1, y1 = cell(box, len(data.sides), k, len(data.sides))
                yield data.side_names.get(side, side), (x0 + unit * 2.4, y0, x1, y1)
        case AirLook():
            for k, base in enumerate(look.bases):
                x0, y0, x1, y1 = cell(box, len(look.bases), k, len(look.bases))
                yield base.name, (x0 + unit * 4.4, y0, x1, y1)
        case StockLook():
            yield from _stocks(look, box, unit)
        case _ if item.side:
            names = [*data.turns, LATER]
            lines = _lines(len(names), (box[2] - box[0]) / unit, sheet.style.counters.width + 0.35)
            for k, name in enumerate(names):
                x0, y0, x1, y1 = cell(box, len(names), k, lines)
                yield name, (x0, y0 + unit * 0.5, float(box[2]) if name == LATER else x1, y1)


def _stocks(look: StockLook, box: Rect, unit: int) -> Iterator[tuple[str, Area]]:
    """A line a thing, with a cell for each number that may be left of it, from none on."""
    most = max((row.last for row in look.rows), default=0) + 1
    for k, row in enumerate(look.rows):
        x0, y0, x1, y1 = cell(box, len(look.rows), k, len(look.rows))
        wide = (x1 - x0 - unit * _STOCK_NAME) / most
        for n in range(row.last + 1):
            yield stock_cell(row, n), (x0 + unit * _STOCK_NAME + wide * n, y0, x0 + unit * _STOCK_NAME + wide * (n + 1), y1)


def stock_cell(row: StockRow, number: int) -> str:
    """The name of the cell of so many of a thing."""
    return f"{row.name} {number}"


def draw_ground(data: GameData, sheet: Sheet, ground: Ground) -> tuple[Canvas, dict[Hex, tuple[int, int]]]:
    """The empty board: the map sheet, and every box with what is printed in it; and where the flags of places that are held stand."""
    canvas = Canvas(ground.size, sheet.palette, "paper")
    unit, size = ground.lattice.radius, (ground.map_area[2], ground.map_area[3])
    if data.art is None:
        drawn, names = draw_sheet(data.board, sheet, ground.lattice, size)
    else:
        drawn, names = lay_art(data.board, data.art, sheet, ground.lattice, size)
    placed = choose_names(names, [])
    draw_names(drawn, placed)
    canvas.image.paste(drawn.image, (0, 0))
    for name, zone in ground.zones.items():
        draw_box(canvas, zone.box, name, unit)
        _draw_inside(canvas, data, sheet, ground.looks[name], zone, unit)
    return canvas, {name.hex: (round(name.flag[0]), round(name.flag[1])) for name in placed if name.flag is not None}


def _draw_inside(canvas: Canvas, data: GameData, sheet: Sheet, item: Item, zone: Zone, unit: int) -> None:
    box, look = inner(zone.box, unit), item.look
    match look:
        case TurnsLook():
            draw_turns_ground(canvas, box, look, data, unit)
        case TrackLook():
            draw_track_ground(canvas, box, look, sheet, unit)
        case MoraleLook():
            draw_morale_ground(canvas, box, look, unit)
        case WeatherLook():
            draw_weather_ground(canvas, box, look, unit)
        case PhaseLook():
            draw_phases_ground(canvas, box, look, unit)
        case StockLook():
            for row in look.rows:
                x0, y0, _, y1 = _cell(zone, stock_cell(row, 0))
                say(canvas, (box[0], (y0 + y1) / 2), row.name, "bold", letters(unit, 0.36), "ink", x0 - box[0])
                for n in range(row.last + 1):
                    area = _cell(zone, stock_cell(row, n))
                    draw_cell(canvas, (area[0] + 1, area[1] + 2, area[2] - 1, area[3] - 2), unit, "paper_lo")
                    middle = ((area[0] + area[2]) / 2, (area[1] + area[3]) / 2)
                    say(canvas, middle, str(n), "plain", letters(unit, 0.3), "faint", area[2] - area[0] - 4, "mm", 6)
        case SupportLook() | AirLook():
            for name, area in zone.cells:
                say(canvas, (box[0], (area[1] + area[3]) / 2), name, "bold", letters(unit, 0.38), "ink", area[0] - box[0])
                draw_cell(canvas, (area[0], area[1] + 2, area[2], area[3] - 2), unit, "paper_lo")
        case _ if item.side:
            for name, area in zone.cells:
                draw_cell(canvas, (area[0] + 1, area[1] - unit * 0.5 + 2, area[2] - 1, area[3] - 1), unit)
                said = " ".join(filter(None, short_turn(name))) if name != LATER else LATER
                at = ((area[0] + area[2]) / 2, area[1] - unit * 0.2)
                say(canvas, at, said, "bold", letters(unit, 0.3), "ink", area[2] - area[0] - 6, "mm", 6)
        case _:
            pass


def _cell(zone: Zone, name: str) -> Area:
    return dict(zone.cells)[name]


def turn_name(label: str) -> str:
    """A game-turn's label for people: ``1941-03`` is Mar 1941, any other as it is."""
    return " ".join(short_turn(label)) if label[:4].isdigit() and label[4:5] == "-" else label

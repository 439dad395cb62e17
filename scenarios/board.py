"""Reading of a board: ``map.txt`` (a letter a hex), ``map.toml`` (roads, hexsides, places) and the drawn lines (``.csv``)."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field

from scenarios.data import Board, HexFeature
from scenarios.hexes import Hex, Hexside, neighbours, parse_hex, parse_hexside
from scenarios.package import Package, TextFile
from scenarios.records import Record, read_csv, read_toml
from scenarios.sheets import read_marks, read_sheets

SEA = "sea"
BARRED = "barred"
NO_ENTRY = frozenset({SEA, BARRED})
"""What a letter may mean besides a terrain of the chart: hexes that nothing can enter."""
Line = tuple[tuple[float, float], ...]


@dataclass(slots=True)
class _Draft:
    """A board in the making: what is known of each hex of the sheet."""

    columns: int
    rows: int
    kinds: dict[Hex, str] = field(default_factory=dict)
    names: dict[str, Hex] = field(default_factory=dict)

    def land(self, at: Hex) -> bool:
        return self.kinds.get(at, SEA) not in NO_ENTRY


def read_board(package: Package, terrain: Mapping[str, object]) -> Board | None:
    """The board of a package; None, with faults, if nothing can be made of it. ``terrain``: the rows of the terrain chart."""
    file = package.read("map.toml")
    grid = package.read("map.txt")
    top = read_toml(file, package.faults) if file is not None else None
    if top is None or grid is None:
        return None
    draft = _Draft(top.whole("columns", 1, 99), top.whole("rows", 1, 99))
    letters = _letters(top, terrain)
    _read_grid(package, grid, draft, letters)
    hexsides, up_side = _hexsides(top, draft)
    roads = _roads(top, draft)
    _passes_where_roads_cross(top, hexsides, roads)
    features = _places(top, draft)
    lines = _lines(package, top)
    marks = read_marks(top, [at for at in draft.kinds if draft.land(at)])
    labels = read_sheets(top, draft.columns, draft.rows)
    top.done()
    return Board(
        columns=draft.columns,
        rows=draft.rows,
        terrain={at: kind for at, kind in sorted(draft.kinds.items()) if kind not in NO_ENTRY},
        sea=frozenset(at for at, kind in draft.kinds.items() if kind == SEA),
        features=features,
        hexsides=hexsides,
        up_side=up_side,
        roads=roads,
        names=draft.names,
        lines=lines,
        labels=labels,
        marks=marks,
    )


def _letters(top: Record, terrain: Mapping[str, object]) -> dict[str, str]:
    record = top.table("letters")
    letters: dict[str, str] = {}
    if record is None:
        return letters
    for letter in record.data:
        kind = record.text(letter)
        if len(letter) != 1 or letter.isspace():
            record.fault(f"a letter of the map is one sign, not {letter!r}", letter)
        elif kind not in terrain and kind not in NO_ENTRY:
            record.fault(f"letter {letter!r}: no terrain {kind!r} in the chart", letter)
        letters[letter] = kind
    return letters


def _read_grid(package: Package, grid: TextFile, draft: _Draft, letters: Mapping[str, str]) -> None:
    """Line 2r-1 holds the odd columns of row r and line 2r the even ones; the place of a letter in its line is its column."""
    lines = grid.lines()
    if len(lines) != 2 * draft.rows:
        package.faults.add(grid.name, len(lines) or 1, f"{len(lines)} lines where {draft.rows} rows need {2 * draft.rows}")
    for number, line in enumerate(lines[: 2 * draft.rows], 1):
        low = number % 2 == 0
        if len(line) > draft.columns:
            package.faults.add(grid.name, number, f"longer than {draft.columns} columns")
        for col in range(1, draft.columns + 1):
            letter = line[col - 1] if col <= len(line) else " "
            if (col % 2 == 0) != low:
                if letter != " ":
                    package.faults.add(grid.name, number, f"column {col} stands on the other line of its row")
            elif letter not in letters:
                what = "no letter" if letter == " " else f"letter {letter!r} without terrain"
                package.faults.add(grid.name, number, f"{what} at column {col}")
            else:
                draft.kinds[Hex(col, (number + 1) // 2)] = letters[letter]


def _hexsides(top: Record, draft: _Draft) -> tuple[dict[str, frozenset[Hexside]], frozenset[str]]:
    sides: dict[str, frozenset[Hexside]] = {}
    up: set[str] = set()
    within: dict[str, tuple[Record, str]] = {}
    record = top.table("hexsides", needed=False)
    for kind, part in record.subtables() if record is not None else ():
        if part.flag("up", False):
            up.add(kind)
        if whole := part.text("within", ""):
            within[kind] = (part, whole)
        sides[kind] = frozenset(_sides(part, draft))
        part.done()
    for kind, (part, whole) in within.items():
        for side in sorted(sides[kind] - sides.get(whole, frozenset())):
            part.fault(f"{kind} {side} is no {whole}", "sides", f'"{side}"')
    return sides, frozenset(up)


def _sides(part: Record, draft: _Draft) -> list[Hexside]:
    found: list[Hexside] = []
    for text in part.texts("sides", needed=True):
        try:
            side = parse_hexside(text)
        except ValueError as error:
            part.fault(str(error), "sides", f'"{text}"')
            continue
        for at in side:
            if not draft.land(at):
                part.fault(f"{text}: {at} is off the map or cannot be entered", "sides", f'"{text}"')
        if side in found or side.turned() in found:
            part.fault(f"{text} is named twice", "sides", f'"{text}"')
        found.append(side)
    return found


def _roads(top: Record, draft: _Draft) -> dict[str, frozenset[Hexside]]:
    roads: dict[str, frozenset[Hexside]] = {}
    record = top.table("roads", needed=False)
    for kind in record.data if record is not None else ():
        assert record is not None
        pairs: set[Hexside] = set()
        for chain in record.texts(kind):
            pairs |= _chain(record, kind, chain, draft)
        roads[kind] = frozenset(pairs)
    return roads


def _chain(record: Record, kind: str, chain: str, draft: _Draft) -> set[Hexside]:
    pairs: set[Hexside] = set()
    needle = f'"{chain}"'
    try:
        hexes = [parse_hex(part) for part in chain.split("-")]
    except ValueError as error:
        record.fault(str(error), kind, needle)
        return pairs
    if len(hexes) < 2:
        record.fault(f"a road of one hex: {chain!r}", kind, needle)
    for at in hexes:
        if not draft.land(at):
            record.fault(f"road through {at}, which is off the map or cannot be entered", kind, needle)
    for a, b in itertools.pairwise(hexes):
        if b in neighbours(a):
            pairs |= {Hexside(a, b), Hexside(b, a)}
        else:
            record.fault(f"road from {a} to {b}, which are not neighbours", kind, needle)
    return pairs


def _passes_where_roads_cross(top: Record, hexsides: Mapping[str, frozenset[Hexside]], roads: Mapping[str, frozenset[Hexside]]) -> None:
    """A road through a hexside with an up side needs a pass there, where the board knows passes."""
    if "pass" not in hexsides:
        return
    crossed = frozenset().union(*roads.values()) if roads else frozenset()
    for side in sorted(hexsides.get("escarpment", frozenset()) & crossed - hexsides["pass"]):
        top.fault(f"a road crosses escarpment {side} without a pass", needle=f'"{side}"')


def _places(top: Record, draft: _Draft) -> dict[Hex, tuple[HexFeature, ...]]:
    features: dict[Hex, tuple[HexFeature, ...]] = {}
    for record in top.tables("places"):
        text, kind, names = record.text("hex"), record.text("kind"), record.texts("names", needed=True)
        note = record.text("note", "")
        record.done()
        try:
            at = parse_hex(text)
        except ValueError as error:
            record.fault(str(error), "hex")
            continue
        if not draft.land(at):
            record.fault(f"place at {at}, which is off the map or cannot be entered", "hex")
        if not names:
            record.fault("a place without a name", "names")
            continue
        for name in names:
            if draft.names.setdefault(name.upper(), at) != at:
                record.fault(f"{name!r} is the name of {draft.names[name.upper()]} already", "names")
        features[at] = (*features.get(at, ()), HexFeature(at, kind, names[0], note))
    return features


def _lines(package: Package, top: Record) -> dict[str, tuple[Line, ...]]:
    lines: dict[str, tuple[Line, ...]] = {}
    record = top.table("lines", needed=False)
    for kind in record.data if record is not None else ():
        assert record is not None
        file = package.read(record.text(kind), (record.file.name, record.line_of(kind)))
        if file is not None:
            lines[kind] = _polylines(package, file, top.whole("columns", 1, 99), top.whole("rows", 1, 99))
    return lines


def _polylines(package: Package, file: TextFile, columns: int, rows: int) -> tuple[Line, ...]:
    """The points of each line in order; a fault for every point off the sheet (0.02 hex of grace for rounding)."""
    found: dict[str, list[tuple[float, float]]] = {}
    for row in read_csv(file, package.faults, ("line", "x", "y")):
        try:
            x, y = float(row.cells["x"]), float(row.cells["y"])
        except ValueError:
            row.fault("x and y must be numbers")
            continue
        if not (1 / 3 - 0.02 <= x <= columns + 2 / 3 + 0.02 and 0.48 <= y <= rows + 1.02):
            row.fault(f"point ({x:g}, {y:g}) lies off the sheet")
        found.setdefault(row.cells["line"], []).append((x, y))
    for name, points in found.items():
        if len(points) < 2:
            package.faults.add(file.name, 1, f"line {name!r} has a single point")
    return tuple(tuple(points) for points in found.values())

"""Checks of a package across its files: the road net, the coast, the charts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from scenarios.coast import centre, on_land
from scenarios.data import Board
from scenarios.hexes import Hex
from scenarios.package import Package, TextFile


def check_board(package: Package, board: Board) -> None:
    """Faults: a road not joined to the rest; a sea hex on land, or a hex that can be entered in the sea, by the drawn coast."""
    file = package.read("map.toml")
    if file is None:
        return
    _check_roads(package, file, board)
    coast = board.lines.get("coast", ())
    if coast:
        grid = package.read("map.txt")
        name = grid.name if grid is not None else file.name
        for at in sorted([*board.terrain, *board.sea]):
            if on_land(centre(at), coast) == (at in board.sea):
                what = "sea, but its centre is on land" if at in board.sea else "land, but its centre is at sea"
                package.faults.add(name, 2 * at.row - at.col % 2, f"{at} is {what} by the coast line")


def _check_roads(package: Package, file: TextFile, board: Board) -> None:
    joined = board.road_neighbours
    if not joined:
        return
    reached = _reached(min(joined), joined)
    for at in sorted(set(joined) - reached):
        package.faults.add(file.name, file.line_of(str(at)), f"the road at {at} is not joined to the other roads")


def _reached(start: Hex, joined: Mapping[Hex, Iterable[Hex]]) -> set[Hex]:
    reached, ahead = {start}, [start]
    while ahead:
        for other in joined.get(ahead.pop(), ()):
            if other not in reached:
                reached.add(other)
                ahead.append(other)
    return reached


def check_charts(
    package: Package, charts: Mapping[str, Any], files: Mapping[str, TextFile], sides: tuple[str, ...], turns: tuple[str, ...]
) -> None:
    """Faults: a number that is not exact; a span of turns (columns ``side``, ``from``, ``to``) with a gap or an overlap."""
    for name, chart in charts.items():
        file = files[name]
        for path in _floats(chart, ()):
            key = next((part for part in reversed(path) if isinstance(part, str)), name)
            package.faults.add(file.name, file.line_of(key), f"{'.'.join(map(str, path))} is not exact: write it as a fraction")
        if isinstance(chart, tuple) and chart and {"side", "from", "to"} <= chart[0].keys():
            _check_spans(package, file, chart, sides, turns)


def _floats(value: Any, path: tuple[Any, ...]) -> Iterable[tuple[Any, ...]]:
    if isinstance(value, float):
        yield path
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _floats(item, (*path, key))
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from _floats(item, (*path, index))


def _check_spans(
    package: Package, file: TextFile, rows: tuple[dict[str, Any], ...], sides: tuple[str, ...], turns: tuple[str, ...]
) -> None:
    boxes = {label: number for number, label in enumerate(turns, 1)}
    covered: dict[str, list[int]] = {side: [] for side in sides}
    for number, row in enumerate(rows):
        first, last, side = boxes.get(str(row["from"])), boxes.get(str(row["to"])), row["side"]
        # the header is line 1 of a chart
        if first is None or last is None or side not in covered or last < first:
            package.faults.add(file.name, number + 2, f"no span of turns: {side} {row['from']} to {row['to']}")
        else:
            covered[side] += range(first, last + 1)
    for side, found in covered.items():
        for turn, label in enumerate(turns, 1):
            if found.count(turn) != 1:
                package.faults.add(file.name, 1, f"{side} has {found.count(turn)} rows for {label}")


def check_terrain_chart(package: Package, file: TextFile, chart: Mapping[str, Any]) -> None:
    """Every row of the terrain chart has the cells of the first one (a hexside row too)."""
    wanted: set[str] = set()
    for row in chart.values():
        if isinstance(row, dict):
            wanted = wanted or set(row)
    for name, row in chart.items():
        if not isinstance(row, dict):
            package.faults.add(file.name, file.line_of(name), f"{name!r} is no row of the chart")
            continue
        for key in sorted(wanted - set(row)):
            package.faults.add(file.name, file.line_of(f"[{name}]"), f"terrain {name} has no cell {key!r}")

"""Reading and checking of scenario packages: from the folder of a game to ``GameData``, or every fault at once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from scenarios.art import read_art
from scenarios.board import read_board
from scenarios.cards import read_cards
from scenarios.charts import read_charts, read_source
from scenarios.checks import check_board, check_charts, check_terrain_chart
from scenarios.data import Board, Card, GameData, ScenarioData, Source
from scenarios.edges import read_edges
from scenarios.faults import DataError, Faults
from scenarios.hexes import Hex, parse_hex
from scenarios.options import read_options
from scenarios.overlays import check_folder, check_overlay, overlay_of
from scenarios.package import Package, TextFile
from scenarios.records import Record, read_toml
from scenarios.scenario_tables import Ground, read_scenario
from scenarios.support import read_off_board

__all__ = ["DataError", "load_game", "load_games", "package_keys", "read_game"]

_KEY = re.compile(r"[a-z][a-z0-9-]{0,40}")


def load_games(root: Path | None = None, overlays: Path | None = None) -> dict[str, GameData]:
    """Every package under ``root`` (default: the packages that come with hexpost), by key. DataError as ``load_game``.

    ``overlays``: a folder with the owner's overlays, one in a folder for each game.
    """
    faults = Faults()
    check_folder(overlays, package_keys(root), faults)
    faults.raise_if_any()
    return {key: load_game(root, key, overlay_of(overlays, key)) for key in package_keys(root)}


def package_keys(root: Path | None = None) -> tuple[str, ...]:
    """The keys of the packages under ``root``: its folders with a ``game.toml``."""
    folder = root or Path(__file__).parent
    return tuple(sorted(path.parent.name for path in folder.glob("*/game.toml") if _KEY.fullmatch(path.parent.name)))


def load_game(root: Path | None, key: str, overlay: Path | None = None) -> GameData:
    """The package ``key`` under ``root``, read once for a process. KeyError if there is none; DataError with all faults if it is bad.

    ``overlay``: an owner's folder, whose files stand in for those of the same name.
    """
    if key not in package_keys(root):
        raise KeyError(key)
    return _load(root, key, overlay)


@lru_cache(maxsize=32)
def _load(root: Path | None, key: str, overlay: Path | None) -> GameData:
    faults = Faults()
    data = read_game(Package((root or Path(__file__).parent) / key, faults, overlay), key)
    faults.raise_if_any()
    assert data is not None
    return data


def read_game(package: Package, key: str) -> GameData | None:
    """Read and check a whole package; what is wrong goes to ``package.faults``. None where not even a board can be made."""
    file = package.read("game.toml")
    top = read_toml(file, package.faults) if file is not None else None
    if top is None:
        return None
    sides = top.texts("sides", needed=True)
    turns = _turns(top)
    charts, sources, printed = read_charts(package, top)
    board = read_board(package, charts.get("terrain", {}))
    cards = read_cards(package, sides)
    options = read_options(top)
    _check_charts(package, top, charts, sides, turns)
    keys = top.texts("scenarios", needed=True)
    stacking, free = _stacking(top, board)
    names = top.table("side_names")
    side_names = {side: names.text(side) if names is not None else side for side in sides}
    title, edition = top.text("title"), top.text("edition")
    sources |= _sources(top)
    files = _files_of_sources(top)
    top.done()
    check_overlay(package)
    if board is None:
        return None
    check_board(package, board)
    off_board, entries = _off_board(package, top, sides, cards), _edges(package, top, "entries", sides, board)
    _edges(package, top, "exits", sides, board)
    ground = Ground(sides, turns, board, cards, options, off_board, stacking, free, entries)
    scenarios = _scenarios(package, top, keys, ground)
    overlaid = package.overlaid()
    return GameData(
        key=key,
        title=title,
        edition=edition,
        sides=sides,
        side_names=side_names,
        board=board,
        cards=cards,
        charts=charts,
        scenarios=scenarios,
        options=options,
        turns=turns,
        sources={name: "overlay" if set(files.get(name, ())) & set(overlaid) else source for name, source in sources.items()},
        digest=package.digest(),
        overlaid=overlaid,
        art=read_art(package, (*board.terrain, *board.sea)),
        printed=printed,
    )


def _turns(top: Record) -> tuple[str, ...]:
    turns = top.texts("turns", needed=True)
    if len(set(turns)) != len(turns):
        top.fault("two boxes of the turn track have one label", "turns")
    return turns


def _sources(top: Record) -> dict[str, Source]:
    record = top.table("sources", needed=False)
    return {} if record is None else {key: read_source(record, key) for key in record.data}


def _files_of_sources(top: Record) -> dict[str, tuple[str, ...]]:
    """Chart or datum -> the files that it stands in: where one of them is an owner's, so is what it says."""
    record = top.table("source_files", needed=False)
    files = {} if record is None else {key: record.texts(key) for key in record.data}
    charts = top.data.get("charts", {})
    specs = charts.items() if isinstance(charts, dict) else ()
    return files | {name: (str(spec.get("file")),) for name, spec in specs if isinstance(spec, dict)}


def _stacking(top: Record, board: Board | None) -> tuple[int, frozenset[Hex]]:
    record = top.table("stacking", needed=False)
    if record is None:
        return 99, frozenset()
    free: set[Hex] = set()
    for text in record.texts("free"):
        try:
            free.add(parse_hex(text))
        except ValueError as error:
            record.fault(str(error), "free")
            continue
        if board is not None and parse_hex(text) not in board.terrain:
            record.fault(f"{text} is off the map or cannot be entered", "free")
    limit = record.whole("limit", 1, 99)
    record.done()
    return limit, frozenset(free)


def _off_board(package: Package, top: Record, sides: tuple[str, ...], cards: Mapping[str, Card]) -> dict[str, dict[str, str]]:
    spec = top.data.get("charts", {}).get("support", {})
    name = spec.get("file") if isinstance(spec, dict) else None
    return read_off_board(package, name, sides, cards) if isinstance(name, str) else {"air": {}, "leaders": {}}


def _edges(package: Package, top: Record, chart: str, sides: tuple[str, ...], board: Board) -> dict[str, str]:
    """The ways over the edge of a chart, by name, with their side; none where the game has no such chart."""
    spec = top.data.get("charts", {}).get(chart, {})
    name = spec.get("file") if isinstance(spec, dict) else None
    return read_edges(package, name, sides, board) if isinstance(name, str) else {}


def _check_charts(package: Package, top: Record, charts: Mapping[str, Any], sides: tuple[str, ...], turns: tuple[str, ...]) -> None:
    files: dict[str, TextFile] = {}
    for name in charts:  # only tables got into charts
        spec = top.data["charts"][name]
        file = package.read(spec["file"]) if isinstance(spec.get("file"), str) else None
        if file is not None:
            files[name] = file
    check_charts(package, {name: charts[name] for name in files}, files, sides, turns)
    if "terrain" in files:
        check_terrain_chart(package, files["terrain"], charts["terrain"])


def _scenarios(package: Package, top: Record, keys: tuple[str, ...], ground: Ground) -> dict[str, ScenarioData]:
    scenarios: dict[str, ScenarioData] = {}
    for key in keys:
        if not _KEY.fullmatch(key) or key in scenarios:
            top.fault(f"not a scenario's key, or there twice: {key[:60]!r}", "scenarios")
            continue
        scenario = read_scenario(package, key, ground)
        if scenario is not None:
            scenarios[key] = scenario
    return scenarios

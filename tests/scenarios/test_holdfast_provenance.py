"""PROVENANCE.md of Holdfast against the data that it speaks for: no place, hex, hexside or unit is left out, and none is told otherwise."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import scenarios
from scenarios.data import GameData
from scenarios.hexes import Hex
from scenarios.loader import load_game

FOLDER = Path(scenarios.__file__).parent / "holdfast"
TEXT = (FOLDER / "PROVENANCE.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def game() -> GameData:
    return load_game(None, "holdfast")


def rows(heading: str) -> list[list[str]]:
    """The rows of the table under a heading, without its head."""
    section = TEXT.partition(f"{heading}\n")[2].partition("\n#")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def projected(lat: float, lon: float) -> Hex:
    """The hex whose centre lies nearest to a position, by the projection that the page states."""
    x = (lon - 19.2) * 59.1 / 17.32 + 2
    y = 6.5 - (lat - 31.3) * 69.05 / 20

    def far(at: Hex) -> float:
        low = 0.5 if at.col % 2 == 0 else 0.0
        return ((at.col - x) * 17.32) ** 2 + ((at.row + low - y) * 20) ** 2

    return min((Hex(col, row) for col in range(1, 41) for row in range(1, 15)), key=far)


def test_every_place_is_told_with_the_position_that_gives_its_hex(game: GameData) -> None:
    told = {(name, at, kind) for name, at, kind, *_ in rows("### Places")}
    assert told == {(f.name, str(f.hex), f.kind) for found in game.board.features.values() for f in found}
    elsewhere = {}
    for name, at, _, lat, lon, why in rows("### Places"):
        if str(projected(float(lat), float(lon))) != at:
            elsewhere[name] = (str(projected(float(lat), float(lon))), why)
    assert set(elsewhere) == {"Tocra"}
    assert f"by its position {elsewhere['Tocra'][0]}" in elsewhere["Tocra"][1]


def test_every_hex_that_is_not_clear_is_told(game: GameData) -> None:
    board = game.board
    told: dict[str, list[str]] = {}
    for what, hexes, _ in rows("### Terrain that is not clear, hex by hex"):
        told.setdefault(what, []).extend(hexes.split())
    rough = [str(at) for at, terrain in board.terrain.items() if terrain == "rough"]
    every = {Hex(col, row) for col in range(1, board.columns + 1) for row in range(1, board.rows + 1)}
    barred = [str(at) for at in every - board.terrain.keys() - board.sea]
    assert {what: sorted(hexes) for what, hexes in told.items()} == {"rough": sorted(rough), "barred": sorted(barred)}
    others = {at for at, terrain in board.terrain.items() if terrain not in ("clear", "rough")}
    assert others == {at for at, found in board.features.items() if any(f.kind in ("village", "fortified-city") for f in found)}


def test_every_escarpment_side_and_pass_is_told(game: GameData) -> None:
    told: dict[str, set[str]] = {}
    for what, sides, _ in rows("### Escarpment sides, one by one"):
        told.setdefault(what, set()).update(sides.split())
    assert told == {kind: {str(side) for side in sides} for kind, sides in game.board.hexsides.items()}


def test_every_unit_is_told_once_with_the_row_of_its_values(game: GameData) -> None:
    chart = {row["clause"]: row for row in game.charts["units"]}
    told = [unit for units, *_ in rows("## Units, one by one") for unit in units.split(", ")]
    assert sorted(told) == sorted(game.cards)
    for units, clause, _ in rows("## Units, one by one"):
        for unit in units.split(", "):
            values, row = game.cards[unit].values, chart[clause]
            assert (values["type"], values["dice"], values["target"], values["ma"]) == (row["type"], row["dice"], row["target"], row["ma"])


def test_every_data_file_and_every_source_has_its_row(game: GameData) -> None:
    named = set(re.findall(r"`([a-z0-9*-]+\.(?:toml|csv|txt))`", TEXT))
    files = {path.name for path in FOLDER.iterdir() if path.suffix in {".toml", ".csv", ".txt"}} - {"open-clauses.txt"}
    assert {file for file in files if file not in named and not file.startswith("campaign-")} == set()
    told = {datum: source for datum, _, source, _ in rows("The rulebook's board and block labels were not at hand.\n")}
    data = {"map": "the whole board", "max_sp": "full strength 4 for every unit", "set_up": "set-up, pools, off-board pieces"}
    data |= {"littorio": "Littorio", "extra_allied_air": "Allied air units L3 and L4", "units": "unit chart", "terrain": "terrain effects"}
    data |= {"costs": "RP costs", "rp": "RP by date", "arrivals": "arrivals", "support": "air units, leaders, Malta limits"}
    assert {name: told[data[name]] for name in game.sources} == dict(game.sources)

"""PROVENANCE.md and RULINGS.md of Beda Fomm against the data that they speak for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import scenarios
from scenarios.data import GameData
from scenarios.hexes import Hex
from scenarios.loader import load_game

FOLDER = Path(scenarios.__file__).parent / "beda-fomm"
TEXT = (FOLDER / "PROVENANCE.md").read_text(encoding="utf-8")
RULINGS = (FOLDER / "RULINGS.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def game() -> GameData:
    return load_game(None, "beda-fomm")


def rows(text: str, heading: str) -> list[list[str]]:
    """The rows of the table under a heading, without its head."""
    section = text.partition(f"{heading}\n")[2].partition("\n#")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def projected(lat: float, lon: float) -> Hex:
    """The hex whose centre lies nearest to a position, by the projection that the page states."""
    x = ((lon - 20.2) * 59.17 + 13.78) / 0.866
    y = 20.97 - (lat - 31.2) * 69.05

    def far(at: Hex) -> float:
        low = 0.5 if at.col % 2 == 0 else 0.0
        return ((at.col - x) * 0.866) ** 2 + (at.row + low - y) ** 2

    return min((Hex(col, row) for col in range(1, 34) for row in range(1, 41)), key=far)


def test_every_place_is_told_with_the_position_that_gives_its_hex(game: GameData) -> None:
    told = {(name, at, kind) for name, at, kind, *_ in rows(TEXT, "### Places")}
    assert told == {(f.name, str(f.hex), f.kind) for found in game.board.features.values() for f in found}
    elsewhere = {}
    for name, at, kind, lat, lon, why in rows(TEXT, "### Places"):
        if kind == "place" and str(projected(float(lat), float(lon))) != at:
            elsewhere[name] = (str(projected(float(lat), float(lon))), why)
    assert set(elsewhere) == {"El Magrun", "The Pimple", "Sidi Saleh"}
    assert all(f"by its position {at}" in why for at, why in elsewhere.values())


def test_every_hex_that_is_not_clear_is_told(game: GameData) -> None:
    told = [(at, kind) for kind, hexes, _ in rows(TEXT, "### Terrain that is not clear, hex by hex") for at in hexes.split()]
    assert sorted(told) == sorted((str(at), terrain) for at, terrain in game.board.terrain.items() if terrain != "clear")


def test_every_unit_is_told_once_with_its_values(game: GameData) -> None:
    told = [unit for units, *_ in rows(TEXT, "## Units, one by one") for unit in units.split(", ")]
    assert sorted(told) == sorted(game.cards)
    for units, kind, size, values, _ in rows(TEXT, "## Units, one by one"):
        for unit in units.split(", "):
            v = game.cards[unit].values
            cf, at = (f"({v[key]})" if v[f"{key}_defends"] else str(v[key]) for key in ("cf", "at"))
            printed = f"{cf}-{at}-{v['ma']}{'u' if v['infiltrates'] else ''}"
            printed += f", range {v['range']}" if "range" in v else ""
            printed += f", bonus {v['bonus']}" if v["bonus"] else ""
            assert (kind, size, values) == (v["type"], v["size"], printed)


def test_every_data_file_and_every_source_has_its_row(game: GameData) -> None:
    named = set(re.findall(r"`([a-z0-9*-]+\.(?:toml|csv|txt))`", TEXT))
    files = {path.name for path in FOLDER.iterdir() if path.suffix in {".toml", ".csv", ".txt"}}
    assert files - named == {"game.toml", "open-clauses.txt"}
    told = {datum: source for datum, _, source, _ in rows(TEXT, "and what it tells is met.\n")}
    data = {"map": "the whole board", "counters": "counter mix", "arrivals": "order of appearance", "set_up": "set-up of Combeforce"}
    data |= {"convoys": "make-up of the convoys", "track": "28 game-turns, which of them are dark", "terrain": "terrain effects"}
    data |= {"barrage": "barrage table", "antitank": "antitank table", "combat": "combat table", "morale": "morale levels"}
    data |= {"sizes": "stacking points and victory points of sizes", "victory": "victory levels", "entries": "ways in", "exits": "ways out"}
    assert {name: told[data[name]] for name in game.sources} == dict(game.sources)


def test_every_option_but_the_tempo_has_its_ruling_with_its_values(game: GameData) -> None:
    told = {}
    for *_, option in rows(RULINGS, "## Contested: options of the game"):
        key, _, values = option.partition(" ")
        told[key.strip("`")] = values.split(", ")
    spoken = {
        key: [str(value).lower() if isinstance(value, bool) else str(value) for value in spec.values] for key, spec in game.options.items()
    }
    assert told == {key: values for key, values in spoken.items() if key != "tempo"}
    assert all(spec.values[0] == spec.default for spec in game.options.values())


def test_the_rulings_are_numbered_without_a_gap() -> None:
    found = re.findall(r"^\| BF-R(\d+) \|", RULINGS, flags=re.MULTILINE)
    assert sorted(map(int, found)) == list(range(1, len(found) + 1))
    assert len(found) >= 119

"""PROVENANCE.md and RULINGS.md of The Fall of Tobruk against the data that they speak for."""

from __future__ import annotations

import re
from math import cos, radians
from pathlib import Path

import pytest

import scenarios
from scenarios.data import GameData
from scenarios.hexes import Hex
from scenarios.loader import load_game

FOLDER = Path(scenarios.__file__).parent / "fall-of-tobruk"
TEXT = (FOLDER / "PROVENANCE.md").read_text(encoding="utf-8")
RULINGS = (FOLDER / "RULINGS.md").read_text(encoding="utf-8")
DATA = {
    "map": "the whole board",
    "counters": "counter mix",
    "set_up": "set-up",
    "arrivals": "arrivals",
    "track": "turn record",
    "terrain": "terrain effects",
    "combat": "combat results",
    "results": "names of results",
    "antitank": "antitank table",
    "artillery": "artillery table",
    "ranges": "range table",
    "mines": "minefields table",
    "stall": "stalls",
    "repair": "repair dice",
    "reserve": "reserve tanks",
    "types": "what types are",
    "nations": "colours of nations",
    "formations": "formations",
    "stacking": "stacking",
    "costs": "costs and limits",
    "boxes": "Boxes",
    "line": "set-up line",
    "victory": "victory",
    "entries": "ways in",
    "exits": "ways out",
}


@pytest.fixture(scope="module")
def game() -> GameData:
    return load_game(None, "fall-of-tobruk")


def rows(text: str, heading: str) -> list[list[str]]:
    """The rows of the table under a heading, without its head."""
    section = text.partition(f"{heading}\n")[2].partition("\n#")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def projected(lat: float, lon: float) -> Hex:
    """The hex whose centre lies nearest to a position, by the projection that the page states."""
    east, north = (lon - 23.6) * 69.17 * cos(radians((lat + 31.8) / 2)), (lat - 31.8) * 69.05
    x, y = (0.5 * east + 13.4280) / 0.866, 13.0143 - 0.5 * north

    def far(at: Hex) -> float:
        low = 0.5 if at.col % 2 == 0 else 0.0
        return ((at.col - x) * 0.866) ** 2 + (at.row + low - y) ** 2

    return min((Hex(col, row) for col in range(1, 36) for row in range(1, 29)), key=far)


def test_every_place_is_told_with_what_gives_its_hex(game: GameData) -> None:
    places = rows(TEXT, "### Places")
    told = {(name, at, kind) for name, at, kind, *_ in places}
    assert told == {(f.name, str(f.hex), f.kind) for found in game.board.features.values() for f in found}
    with_position = [row for row in places if row[3] != "–"]
    assert len(with_position) == 20
    for name, at, _, lat, lon, why in with_position:
        by_position = str(projected(float(lat), float(lon)))
        assert by_position == at or f"by its position {by_position}" in why or "off the map" in why, name
    assert sum("by its position" in why for *_, why in places) == 7


def test_every_hex_that_is_not_clear_is_told(game: GameData) -> None:
    told = [(at, kind) for kind, hexes, _ in rows(TEXT, "### Terrain that is not clear, hex by hex") for at in hexes.split()]
    assert sorted(told) == sorted((str(at), terrain) for at, terrain in game.board.terrain.items() if terrain != "clear")


def test_every_unit_is_told_once_with_its_values(game: GameData) -> None:
    table = rows(TEXT, "## Units, one by one")
    assert sorted(unit for units, *_ in table for unit in units.split(", ")) == sorted(game.cards)
    for units, nation, kind, size, values, sure, _ in table:
        for unit in units.split(", "):
            card = game.cards[unit]
            shown = "-".join(str(card.values[key]) for key in ("at", "combat", "ma"))
            shown += f", {card.values['artillery']}/{card.values['range']}" if "artillery" in card.values else ""
            found = (card.nation, card.kind, card.values["size"], shown, card.values["confidence"])
            assert (nation, kind, size, values, sure) == found, unit


def test_every_data_file_and_every_source_has_its_row(game: GameData) -> None:
    named = set(re.findall(r"`([a-z0-9*-]+\.(?:toml|csv|txt))`", TEXT))
    files = {path.name for path in FOLDER.iterdir() if path.suffix in {".toml", ".csv", ".txt"}}
    assert files - named == {"open-clauses.txt"}
    assert named <= files
    told = {
        datum: source
        for datum, _, source, _ in rows(TEXT, "`game.toml` names the printed cells one by one (`printed`), and pictures show them bold.\n")
    }
    assert {name: told[DATA[name]] for name in game.sources} == dict(game.sources)


def test_charts_that_are_printed_in_part_are_told(game: GameData) -> None:
    told = [name for name, *_ in rows(TEXT, "## Charts that are printed in part")]
    assert told == ["combat results", "antitank table", "artillery table", "turn record"]
    assert {DATA[name] for name in game.printed} == set(told)


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
    found = re.findall(r"^\| FT-(\d+) \|", RULINGS, flags=re.MULTILINE)
    assert sorted(map(int, found)) == list(range(1, 69))


def test_every_ruling_names_a_clause() -> None:
    known = {line.split("\t")[0] for line in (FOLDER / "clauses.tsv").read_text(encoding="utf-8").splitlines()}
    named = re.findall(r"^\| FT-\d+ \| ([^|]+) \|", RULINGS, flags=re.MULTILINE)
    assert [clause for clause in named if clause not in known] == []

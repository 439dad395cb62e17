"""PROVENANCE.md, RULINGS.md and the open list of Race for Tunis against the data that they speak for."""

from __future__ import annotations

import re
from math import cos, radians, sin
from pathlib import Path

import pytest

import scenarios
from scenarios.data import GameData
from scenarios.hexes import Hex
from scenarios.loader import load_game

FOLDER = Path(scenarios.__file__).parent / "race-for-tunis"
TEXT = (FOLDER / "PROVENANCE.md").read_text(encoding="utf-8")
RULINGS = (FOLDER / "RULINGS.md").read_text(encoding="utf-8")
DATA = {
    "map": "the whole board",
    "counters": "counter mix",
    "air": "air units",
    "set_up": "set-up of 25 November",
    "arrivals": "arrivals from 25 November on",
    "early_start": "early start to 24 November",
    "eilbote": "Operation Eilbote",
    "terrain": "terrain effects",
    "combat": "combat results",
    "costs": "costs and limits",
    "weather": "weather table",
    "weather_drm": "weather modifiers",
    "victory": "victory levels",
    "objectives": "places that score",
    "variants": "what differs in scenarios",
    "interception": "interception",
    "landing": "moves after a landing",
    "replacements": "replacement points",
    "companies": "companies of battalions",
    "ports": "ports",
    "bases": "airfields and bases",
    "supply": "supply",
    "entries": "ways in",
}


@pytest.fixture(scope="module")
def game() -> GameData:
    return load_game(None, "race-for-tunis")


def rows(text: str, heading: str) -> list[list[str]]:
    """The rows of the table under a heading, without its head."""
    section = text.partition(f"{heading}\n")[2].partition("\n#")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def projected(lat: float, lon: float) -> Hex:
    """The hex whose centre lies nearest to a position, by the projection that the page states."""
    east, north = (lon - 9.6) * 69.17 * cos(radians((lat + 36.6) / 2)), (lat - 36.6) * 69.05
    turn = radians(115.305)
    x = (0.2 * (east * cos(turn) - north * sin(turn)) + 11.0662) / 0.866
    y = 15.2530 - 0.2 * (east * sin(turn) + north * cos(turn))

    def far(at: Hex) -> float:
        low = 0.5 if at.col % 2 == 0 else 0.0
        return ((at.col - x) * 0.866) ** 2 + (at.row + low - y) ** 2

    return min((Hex(col, row) for col in range(1, 30) for row in range(33)), key=far)


def test_every_place_is_told_with_the_position_that_gives_its_hex(game: GameData) -> None:
    places = rows(TEXT, "### Places")
    told = {(name, at, kind) for name, at, kind, *_ in places}
    assert told == {(f.name, str(f.hex), f.kind) for found in game.board.features.values() for f in found}
    for name, at, kind, lat, lon, why in places:
        by_position = str(projected(float(lat), float(lon)))
        assert kind == "signpost" or by_position == at or f"by its position {by_position}" in why, name
    assert sum("by its position" in why for *_, why in places) == 17


def test_every_hex_that_is_not_clear_is_told(game: GameData) -> None:
    told = [(at, kind) for kind, hexes, _ in rows(TEXT, "### Terrain that is not clear, hex by hex") for at in hexes.split()]
    assert sorted(told) == sorted((str(at), terrain) for at, terrain in game.board.terrain.items() if terrain != "clear")


def test_every_unit_is_told_once_with_its_values(game: GameData) -> None:
    table = rows(TEXT, "## Units, one by one")
    assert sorted(unit for units, *_ in table for unit in units.split(", ")) == sorted(game.cards)
    for units, nation, kind, values, source, _ in table:
        assert source in ("printed", "reconstructed")
        for unit in units.split(", "):
            card = game.cards[unit]
            keys = ("intercept", "support") if card.values["class"] == "air" else ("attack", "defence", "ma")
            printed = "-".join(str(card.values[key]) for key in keys if key in card.values)
            printed += f", range {card.values['range']}" if "range" in card.values else ""
            assert (nation, kind, values) == (card.nation, card.kind, printed), unit


def test_every_data_file_and_every_source_has_its_row(game: GameData) -> None:
    named = set(re.findall(r"`([a-z0-9*-]+\.(?:toml|csv|txt))`", TEXT))
    files = {path.name for path in FOLDER.iterdir() if path.suffix in {".toml", ".csv", ".txt"}}
    assert files - named == {"game.toml", "open-clauses.txt"}
    assert named <= files
    told = {datum: source for datum, _, source, _ in rows(TEXT, "and what it tells is met.\n")}
    assert {name: told[DATA[name]] for name in game.sources} == dict(game.sources)


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
    found = re.findall(r"^\| RT-(\d+) \|", RULINGS, flags=re.MULTILINE)
    assert sorted(map(int, found)) == list(range(1, len(found) + 1))
    assert len(found) == 73


def test_the_clauses_of_the_combined_game_are_deferred() -> None:
    lines = (FOLDER / "open-clauses.txt").read_text(encoding="utf-8").splitlines()
    deferred = {line.split()[0] for line in lines if line.endswith("deferred: needs the map and counters of Bloody Kasserine")}
    listed = [line.split("\t")[:2] for line in (FOLDER / "clauses.tsv").read_text(encoding="utf-8").splitlines()]
    combined = {clause for clause, kind in listed if clause.startswith("18.4.") and kind not in ("definition", "history")}
    assert deferred == combined | {"2.2.7.C-2", "18.0-2"}

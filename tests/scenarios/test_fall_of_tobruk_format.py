"""What the format of packages gained with The Fall of Tobruk: printed cells, units placed anywhere, hexes inland, formations as text."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from scenarios import loader
from scenarios.check import check
from scenarios.loader import load_game

REAL = Path(loader.__file__).parent / "fall-of-tobruk"


def changed(tmp_path: Path, file: str, old: str, new: str) -> Path:
    shutil.copytree(REAL, tmp_path / "fall-of-tobruk")
    path = tmp_path / "fall-of-tobruk" / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return path


def test_cells_are_printed_by_row_or_by_row_and_column() -> None:
    game = load_game(None, "fall-of-tobruk")
    assert {row for row, column in game.printed["combat"] if column == "8:1"} == {"2"}
    assert {row for row, column in game.printed["combat"] if column == "1:2"} == {"2", "3"}
    assert game.source_of("combat", 3, "1:2") == game.source_of("combat", 2, "8:1") == "printed"
    assert game.source_of("combat", 3, "1:1") == "reconstructed"
    # a row of two words
    assert game.source_of("track", "3 June", "allied") == "printed"
    assert game.source_of("track", "2 June", "allied") == "reconstructed"
    # a chart that is printed, whole
    assert game.source_of("mines", 6, "losses") == "printed"
    assert game.printed.keys() == {"track", "combat", "antitank", "artillery"}
    with pytest.raises(KeyError):
        game.source_of("weather", 1, "1")


def test_an_owners_chart_is_his_cell_by_cell(tmp_path: Path) -> None:
    own = tmp_path / "fall-of-tobruk"
    own.mkdir()
    text = (REAL / "antitank.csv").read_text(encoding="utf-8")
    (own / "antitank.csv").write_text(text.replace("4,-,-,-,X", "4,-,-,-,-"), encoding="utf-8")
    assert check(None, "fall-of-tobruk", tmp_path) == []
    game = load_game(None, "fall-of-tobruk", own)
    assert game.charts["antitank"][3]["3:1"] == "-"
    assert game.source_of("antitank", 4, "3:1") == game.source_of("antitank", 1, "1:2") == "overlay"
    assert game.source_of("combat", 2, "1:5") == "printed"


def test_formations_and_regiments_are_text_though_they_look_like_numbers() -> None:
    values = load_game(None, "fall-of-tobruk").cards["115-I"].values
    assert (values["formation"], values["regiment"], values["at"]) == ("115", "115", 2)


FAULTS = [
    ("game.toml", 'printed = ["2", "3 1:5', 'printed = ["1", "3 1:5', "combat =", "the chart has no row '1'"),
    ("game.toml", '"3 1:5 1:4 1:3 1:2"', '"3 1:5 1:4 1:3 1:9"', "combat =", "the chart has no column '1:9'"),
    ("game.toml", 'printed = ["2", "3 1:5', 'printed = ["3", "3 1:5', "combat =", "'3 1:5 1:4 1:3 1:2': 1:5 is named already"),
    (
        "game.toml",
        'mines = { file = "mines.csv", source = "printed"',
        'mines = { file = "mines.csv", source = "printed", printed = ["1"]',
        "mines =",
        "cells are named as printed in CSV charts that are reconstructed otherwise",
    ),
    (
        "gazala.toml",
        "anywhere = true",
        'anywhere = true\nhexes = ["2803"]',
        "hexes =",
        "units that go anywhere have no list of hexes",
    ),
    ("gazala.toml", "anywhere = true", "anywhere = false", "[[placements]]", "[placements] has no 'hexes'"),
    ("gazala.toml", "anywhere = true", 'anywhere = "yes"', "anywhere =", "'anywhere' must be true or false"),
    ("entries.toml", 'inland = ["2803"]', 'inland = ["2801"]', "inland =", "2801 is off the map or cannot be entered"),
    ("entries.toml", 'inland = ["2803"]', 'inland = ["2803", "2803"]', "inland =", "2803 is there twice"),
]


@pytest.mark.parametrize(("file", "old", "new", "needle", "reason"), FAULTS, ids=[fault[4][:40] for fault in FAULTS])
def test_a_broken_package_is_told_by_file_line_and_reason(tmp_path: Path, file: str, old: str, new: str, needle: str, reason: str) -> None:
    path = changed(tmp_path, file, old, new)
    lines = {fault.reason: fault.line for fault in check(tmp_path) if fault.file == f"fall-of-tobruk/{file}"}
    assert reason in lines, lines
    assert needle in path.read_text(encoding="utf-8").splitlines()[lines[reason] - 1]


def test_hexes_of_a_way_lie_at_an_edge_unless_they_are_named_as_inland(tmp_path: Path) -> None:
    changed(tmp_path, "entries.toml", 'inland = ["2803"]', 'path = ["2803"]')
    assert [fault.reason for fault in check(tmp_path)] == ["2803 does not lie at an edge of the map"]

"""What the format of packages gained with Race for Tunis: marks of hexes, joined sheets, places held, units at hand off the map."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from scenarios import loader
from scenarios.check import check
from scenarios.hexes import Hex
from scenarios.loader import load_game

REAL = Path(loader.__file__).parent / "race-for-tunis"
SHEET = 'first = "0101"\nlast = "2325"\nnumber = "0101"\nmark = ""\n'


def changed(tmp_path: Path, file: str, old: str, new: str) -> Path:
    shutil.copytree(REAL, tmp_path / "race-for-tunis")
    path = tmp_path / "race-for-tunis" / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return path


def test_a_second_sheet_joins_with_its_own_numbers(tmp_path: Path) -> None:
    """Two sheets whose columns overlap by one: the first sheet's numbers stand there, the second one's hexes keep theirs."""
    second = '\n[[sheets]]\nfirst = "1105"\nlast = "2325"\nnumber = "0101"\nmark = "K"\n'
    changed(tmp_path, "map.toml", SHEET, SHEET.replace("2325", "1125") + second)
    board = load_game(tmp_path, "race-for-tunis").board
    assert [board.label(Hex(col, 5)) for col in (10, 11, 12, 23)] == ["1005", "1105", "K0201", "K1301"]
    assert board.label(Hex(12, 25)) == "K0221"
    assert board.label(Hex(12, 4)) == "1204"  # on neither sheet: its own
    assert load_game(None, "race-for-tunis").board.labels == {}


def test_marks_are_read_and_asked_for() -> None:
    board = load_game(None, "race-for-tunis").board
    assert board.marks.keys() == {"bridge", "coastal", "held", "entry-road"}
    assert board.marked("bridge", Hex(12, 15))
    assert not board.marked("bridge", Hex(12, 14))
    assert not board.marked("ferry", Hex(12, 15))


FAULTS = [
    ("map.toml", 'bridge = [\n    "0612"', 'bridge = [\n    "0101"', '"0101"', "0101 is off the map or cannot be entered"),
    ("map.toml", 'bridge = [\n    "0612"', 'bridge = [\n    "0617"', '"0617"', "0617 is there twice"),
    ("map.toml", 'bridge = [\n    "0612"', 'bridge = [\n    "6-12"', "bridge", "not a hex number: '6-12'"),
    ("map.toml", 'last = "2325"', 'last = "2425"', "first =", "0101 to 2425 is no part of the board"),
    ("map.toml", 'number = "0101"', 'number = "0201"', "number =", "0201 in 0101: even columns of the sheet would stand high"),
    ("map.toml", 'mark = ""', 'marks = ""', 'marks = ""', "[sheets] does not know 'marks'"),
    (
        "map.toml",
        SHEET,
        SHEET.replace("2325", "1125") + '\n[[sheets]]\nfirst = "1201"\nlast = "2325"\nnumber = "0201"\n',
        "[[sheets]]",
        "0201 and 1201 both have the number 0201",
    ),
    ("standard.toml", '"2305"]', '"2305", "0912"]', "axis =", "0912 is no place that is held, or is held twice"),
    ("standard.toml", '"1505", "2305"]', '"1505"]', "[control]", "nobody holds the place that is held in 2305"),
    ("standard.toml", '"JU87"', '"5-I"', '"5-I"', "5-I is in the set-up already"),
    ("standard.toml", '"JU87"', '"SPIT"', '"SPIT"', "SPIT does not belong to axis"),
    ("standard.toml", '"JU87"', '"JU88"', '"JU88"', "no unit 'JU88' in the game"),
]


@pytest.mark.parametrize(("file", "old", "new", "needle", "reason"), FAULTS, ids=[fault[4][:40] for fault in FAULTS])
def test_a_broken_package_is_told_by_file_line_and_reason(tmp_path: Path, file: str, old: str, new: str, needle: str, reason: str) -> None:
    path = changed(tmp_path, file, old, new)
    lines = {fault.reason: fault.line for fault in check(tmp_path) if fault.file == f"race-for-tunis/{file}"}
    assert reason in lines, lines
    assert needle in path.read_text(encoding="utf-8").splitlines()[lines[reason] - 1]


@pytest.mark.parametrize(
    ("new", "reason"), [('"71"', "[tunis] 'hex': '71' is no hex number"), ('"0612"', None), ("612", "[tunis] 'hex': 612 is no hex number")]
)
def test_an_owners_chart_may_name_other_hexes(tmp_path: Path, new: str, reason: str | None) -> None:
    own = tmp_path / "race-for-tunis"
    own.mkdir()
    text = (REAL / "ports.toml").read_text(encoding="utf-8")
    (own / "ports.toml").write_text(text.replace('hex = "0711"', f"hex = {new}"), encoding="utf-8")
    assert [fault.reason for fault in check(None, "race-for-tunis", tmp_path)] == ([] if reason is None else [reason])

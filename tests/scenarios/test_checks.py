"""One package broken in one way: the check names file, line and reason."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenarios import loader
from scenarios.check import check
from scenarios.faults import DataError, Fault

REAL = Path(loader.__file__).parent / "holdfast"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder of packages with a copy of Holdfast's, free to be broken."""
    (tmp_path / "holdfast").mkdir()
    for file in REAL.iterdir():
        if file.suffix in {".toml", ".csv", ".tsv", ".txt"}:
            shutil.copy(file, tmp_path / "holdfast" / file.name)
    return tmp_path


def broken(root: Path, file: str, old: str, new: str) -> list[Fault]:
    """The faults after the first ``old`` in ``file`` has become ``new``."""
    path = root / "holdfast" / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return check(root)


def line_of(root: Path, file: str, needle: str) -> int:
    lines = (root / "holdfast" / file).read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if needle in line)


def test_the_packages_of_hexpost_have_no_fault() -> None:
    assert check() == []


FAULTS = [
    # file, text, what replaces it, what the line of the fault holds, the reason
    ("map.toml", '"." = "clear"', '"." = "meadow"', '"meadow"', "letter '.': no terrain 'meadow' in the chart"),
    ("map.toml", "0603-0703-0802", "0603-0802", "0603-0802", "road from 0603 to 0802, which are not neighbours"),
    ("map.toml", "2105-2205", "2105-2204-2304", "2105-2204-2304", "road through 2304, which is off the map or cannot be entered"),
    ("map.toml", "2004-2105-2205", "2004-21x5-2205", "21x5", "not a hex number: '21x5'"),
    ("map.toml", "2004-2105-2205", "2005", '"2005"', "a road of one hex: '2005'"),
    ("map.toml", '"2004-2105-2205"', '"2012-2112"', '"2012-2112"', "the road at 2012 is not joined to the other roads"),
    ("map.toml", '"0211/0210"', '"0211/0209"', '"0211/0209"', "not neighbouring hexes: '0211/0209'"),
    ("map.toml", '"0211/0210"', '"0209/0210"', '"0209/0210"', "0209/0210: 0209 is off the map or cannot be entered"),
    ("map.toml", '"0211/0210"', '"0210/0111"', '"0210/0111"', "0210/0111 is named twice"),
    ("map.toml", '"0703/0603",   ', '"0704/0603",   ', '"0704/0603"', "pass 0704/0603 is no escarpment"),
    ("map.toml", '"0211/0210"', '"0704/0703", "0703/0802"', '"0703/0802"', "a road crosses escarpment 0703/0802 without a pass"),
    ("map.toml", 'hex = "0805"', 'hex = "8805"', '"8805"', "place at 8805, which is off the map or cannot be entered"),
    ("map.toml", '"Tmimi"', '"Gazala"', 'names = ["Gazala"]', "'Gazala' is the name of 1603 already"),
    ("map.toml", 'names = ["Tmimi"]', "names = []", "names = []", "a place without a name"),
    ("map.toml", "rows = 14", 'rows = "14"', 'rows = "14"', "'rows' must be a whole number"),
    ("map.toml", "rows = 14", "rows = 140", "rows = 140", "'rows' is 140; it must lie in 1 to 99"),
    ("map.toml", "coast =", 'shore = "../game.toml"\ncoast =', "shore", "not a data file's name: '../game.toml'"),
    ("coast.csv", "\n1,0.33,9.62", "\n1,-0.33,9.62", "-0.33", "point (-0.33, 9.62) lies off the sheet"),
    ("coast.csv", "\n1,0.33,9.62", "\n1,0.33,nan", "nan", "point (0.33, nan) lies off the sheet"),
    ("coast.csv", "\n1,0.33,9.62", "\n1,0.33,north", "north", "x and y must be numbers"),
    ("terrain.toml", "[rough]\nlabel", "[rough]\nlabels", "[rough]", "terrain rough has no cell 'label'"),
    ("terrain.toml", 'infantry = "1/2"', "infantry = 0.5", "infantry", "road.infantry is not exact: write it as a fraction"),
    ("rp.csv", "allied,1941-11", "allied,1941-12", "side,from", "allied has 0 rows for 1941-11"),
    ("rp.csv", "allied,1941-11", "allied,1941-10", "side,from", "allied has 2 rows for 1941-10"),
    ("rp.csv", "allied,1941-11", "allied,1940-11", "1940-11", "no span of turns: allied 1940-11 to 1942-05"),
    ("units.csv", "german,armor,5,6,8", "german,armor,5,6,", "german,armor", "an empty cell in column 'ma'"),
    ("units.csv", "german,armor,5,6,8", "german,armor,5,6,7,8", "german,armor", "7 cells where the header has 6"),
    ("counters.csv", "15PZ,axis", "15-PANZER,axis", "15-PANZER", "unit id '15-PANZER' must be 1 to 8 of A-Z, 0-9 and -"),
    ("counters.csv", "TRENTO", "PAVIA", "PAVIA,axis", "'PAVIA' means TRENTA already"),
    ("counters.csv", "LITTORIO,axis", "LITTORIO,soviet", "soviet", "no side 'soviet'; sides are axis, allied"),
    ("counters.csv", "22nd Guards,british", "22nd Guards,", "22nd", "unit 22GDS has no nation"),
    ("counters.csv", "nation,type", "nation,kind", "id,side", "the table has no column 'type'"),
    (
        "game.toml",
        'default = "clear"',
        'default = "cloudy"',
        '"cloudy"',
        "the default of option first_turn_weather is not among its values",
    ),
    ("game.toml", "[34, 36]", "[34, 34]", "[34, 34]", "option leader_strategic_road needs two or more values, each once"),
    (
        "game.toml",
        "[34, 36]",
        '[34, "36"]',
        '"36"',
        "the values of option leader_strategic_road must be strings, whole numbers, or true and false",
    ),
    ("game.toml", 'key = "surplus"', 'key = "tempo"', 'key = "tempo"', "option tempo is there twice"),
    ("game.toml", 'source = "printed" }', 'source = "guessed" }', "guessed", "'source' must be printed or reconstructed"),
    ("game.toml", '"1942-12",', '"1942-11",', "turns = [", "two boxes of the turn track have one label"),
    ("game.toml", "limit = 1", "limits = 1", "[stacking]", "[stacking] has no 'limit'"),
    ("game.toml", '"support.toml"', '"supports.toml"', "supports.toml", "there is no file supports.toml"),
    ("support.toml", '"X5"', '"FF"', '"FF"', "FF is there twice"),
    ("support.toml", "leaders.MONTY", "leaders.L1", "leaders.L1", "L1 is there twice"),
    ("support.toml", 'side = "allied"', 'side = "soviet"', "soviet", "leader MONTY belongs to no side of the game"),
    ("campaign-1.toml", '"21PZ", "ARIETE"', '"21PZ", "ARIETTE"', "ARIETTE", "no unit 'ARIETTE' in the counter mix"),
    ("campaign-1.toml", '"21PZ", "ARIETE"', '"21PZ", "1ARM"', '"1ARM"', "1ARM is not a unit of axis"),
    ("campaign-1.toml", '["4IND"]', '["9AUS"]', "9AUS", "9AUS is in the set-up already"),
    ("campaign-1.toml", '["4IND"]', '["4IND", "10IND"]', '"10IND"', "2 units in 3508, where the stacking limit is 1"),
    ("campaign-1.toml", 'hex = "3508"', 'hex = "3507"', '"3507"', "3507 is off the map or cannot be entered"),
    ("campaign-1.toml", 'hex = "3508"', 'hex = "3509"', "El Alamein", "El Alamein is not in 3509 on the map"),
    ("campaign-1.toml", 'hex = "3508"', 'hex = "35-08"', '"35-08"', "not a hex number: '35-08'"),
    ("campaign-1.toml", 'hex = "2205"', 'hex = "0210"', "", "0210 holds units of both sides"),
    ("campaign-1.toml", "sp = 2", "sp = 5", "sp = 5", "'sp' is 5; it must lie in 1 to 4"),
    ("campaign-1.toml", 'last_turn = "1942-12"', 'last_turn = "1943-01"', "1943-01", "no box '1943-01' on the turn track"),
    ("campaign-1.toml", 'axis = ["X1"]', 'axis = ["L1"]', '"L1"', "L1 does not belong to axis"),
    ("campaign-1.toml", 'axis = ["X1"]', 'axis = ["X9"]', '"X9"', "no piece 'X9' in the game"),
    ("campaign-1.toml", 'axis = ["X1"]', 'axis = ["X2"]', 'air = ["X2"]', "X2 is in [air] already"),
    ("campaign-1.toml", '["2ARM"]', '["7ARM"]', 'units = ["7ARM"]', "7ARM is in the set-up already"),
    ("campaign-1.toml", '"2204", "3907"', '"2204"', "[control]", "nobody holds the fortified city in 3907"),
    ("campaign-1.toml", '"2204", "3907"', '"2204", "3907", "0608"', "0608", "0608 is no fortified city, or is held twice"),
    ("campaign-1.toml", 'option = "littorio"', 'option = "lorries"', "lorries", "no option 'lorries'"),
    ("campaign-1.toml", 'air = ["L3"]', 'air = ["X5"]', "X5", "allied has no 'X5' among its air"),
    ("campaign-1.toml", "[[arrivals]]", "[[arivals]]", "[[arivals]]", "does not know 'arivals'"),
    ("campaign-1.toml", 'clause = "15f"', 'clause = "15z"', "15z", "cites '15z', which is no clause of the rulebook"),
    (
        "campaign-2.toml",
        'turn = "1942-01"\nside = "axis"',
        'turn = "1941-12"\nside = "axis"',
        "1941-12",
        "arrives on a turn that the scenario does not have",
    ),
    ("campaign-2.toml", 'title = "Campaign 2', 'titel = "Campaign 2', "titel", "does not know 'titel'"),
    ("clauses.tsv", "11a\trule", "11a\tlaw", "11a\tlaw", "no kind of clause: 'law'"),
    ("clauses.tsv", "chart.1\tchart", "chart.2\tchart", "chart.2\tchart\tGerman armor", "clause chart.2 is there twice"),
]


@pytest.mark.parametrize(("file", "old", "new", "at", "reason"), FAULTS, ids=[fault[4][:40] for fault in FAULTS])
def test_a_fault_is_told_with_file_line_and_reason(root: Path, file: str, old: str, new: str, at: str, reason: str) -> None:
    found = broken(root, file, old, new)
    told = [fault for fault in found if fault.reason == reason]
    assert told, "\n".join(map(str, found))
    assert told[0].file == f"holdfast/{file}"
    if at:
        lines = (root / "holdfast" / file).read_text(encoding="utf-8").splitlines()
        assert at in lines[told[0].line - 1], told[0]


def test_a_letter_without_terrain_is_told_with_its_column(root: Path) -> None:
    path = root / "holdfast/map.txt"
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[18] = "Z" + lines[18][1:]  # row 10, column 1
    path.write_text("\n".join(lines), encoding="utf-8")
    assert check(root) == [Fault("holdfast/map.txt", 19, "letter 'Z' without terrain at column 1")]


def test_a_grid_that_is_too_short_or_shifted_is_told(root: Path) -> None:
    path = root / "holdfast/map.txt"
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([*lines[:-2], " " + lines[-2]]), encoding="utf-8")
    reasons = [fault.reason for fault in check(root) if fault.line == 27]
    assert "27 lines where 14 rows need 28" in reasons
    assert "column 2 stands on the other line of its row" in reasons


def test_sea_and_land_are_held_against_the_coast_line(root: Path) -> None:
    path = root / "holdfast/map.txt"
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[0] = "." + lines[0][1:]  # 0101 is far out at sea
    lines[26] = "~" + lines[26][1:]  # 0114 is deep inland
    path.write_text("\n".join(lines), encoding="utf-8")
    assert check(root) == [
        Fault("holdfast/map.txt", 1, "0101 is land, but its centre is at sea by the coast line"),
        Fault("holdfast/map.txt", 27, "0114 is sea, but its centre is on land by the coast line"),
    ]


def test_all_faults_are_told_at_once_and_in_order(root: Path) -> None:
    broken(root, "counters.csv", "15PZ,axis", "15-PANZER,axis")
    broken(root, "game.toml", 'default = "clear"', 'default = "cloudy"')
    found = broken(root, "map.toml", "0603-0703-0802", "0603-0802")
    assert found == sorted(found)
    assert {fault.file for fault in found} >= {"holdfast/counters.csv", "holdfast/game.toml", "holdfast/map.toml"}
    with pytest.raises(DataError, match="not neighbours") as caught:
        loader.load_game(root, "holdfast")
    assert str(caught.value).count("\n") == len(caught.value.faults) - 1 >= 2


@pytest.mark.parametrize("name", ["game.toml", "map.toml", "terrain.toml", "campaign-1.toml"])
def test_what_is_no_toml_is_told_with_its_line(root: Path, name: str) -> None:
    path = root / "holdfast" / name
    path.write_text("# one\n# two\nthree = = 3\n", encoding="utf-8")
    told = [fault for fault in check(root) if fault.file == f"holdfast/{name}"]
    assert told[0].line == 3
    assert told[0].reason.startswith("not TOML: ")


@pytest.mark.parametrize("name", ["game.toml", "map.txt", "counters.csv", "campaign-2.toml", "coast.csv"])
def test_what_is_no_text_or_missing_or_huge_is_told(root: Path, name: str) -> None:
    path = root / "holdfast" / name
    path.write_bytes(b"# fine\n\xff\xfe\x00")
    assert Fault(f"holdfast/{name}", 2, "not UTF-8 text") in check(root)
    path.write_bytes(b"#" * 1_000_001)
    assert Fault(f"holdfast/{name}", 1, "larger than 1000000 bytes") in check(root)
    if name != "game.toml":  # without game.toml a folder is no package
        path.unlink()
        assert any(fault.reason == f"there is no file {name}" for fault in check(root))


@pytest.mark.parametrize("path", sorted(REAL.glob("*.toml")), ids=lambda path: path.name)
def test_a_file_of_wrong_kinds_never_raises(root: Path, path: Path) -> None:
    """Keys of the file get a value of another kind in turn: faults, no exception."""
    broken(root, "map.toml", 'coast = "coast.csv"', "")  # its check takes longest
    lines = (root / "holdfast" / path.name).read_text(encoding="utf-8").splitlines()
    keys: dict[str, int] = {}
    for number, line in enumerate(lines):
        if "=" in line and not line.startswith("#"):
            keys.setdefault(line.split("=")[0].strip(), number)
    for key, number in keys.items():
        for value in ("[[1], 'a']", "-7", "{ a = 1 }"):
            changed = [*lines[:number], f"{key} = {value}", *lines[number + 1 :]]
            (root / "holdfast" / path.name).write_text("\n".join(changed), encoding="utf-8")
            assert all(fault.line >= 1 for fault in check(root))


def test_deep_nesting_and_broken_quotes_are_told(root: Path) -> None:
    (root / "holdfast/costs.toml").write_text("step = " + "[" * 5000, encoding="utf-8")
    broken(root, "units.csv", "german,armor", 'german,"arm"or')
    found = check(root)
    assert Fault("holdfast/costs.toml", 1, "not TOML: nested too deeply") in found
    assert Fault("holdfast/units.csv", 3, "1 cells where the header has 6") in found


def test_a_table_without_end_is_told(root: Path) -> None:
    path = root / "holdfast/coast.csv"
    path.write_text("line,x,y\n" + "1,5,5\n" * 5000, encoding="utf-8")
    assert Fault("holdfast/coast.csv", 5001, "more than 5000 lines") in check(root)


@settings(max_examples=60)
@given(
    name=st.sampled_from(sorted(path.name for path in REAL.iterdir() if path.suffix != ".md")),
    text=st.text(max_size=60),
    cut=st.floats(0, 1),
)
def test_any_text_in_any_file_never_raises(name: str, text: str, cut: float) -> None:
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "holdfast"
        shutil.copytree(REAL, copy)
        raw = (copy / name).read_bytes()
        at = round(len(raw) * cut)
        (copy / name).write_bytes(raw[:at] + text.encode() + raw[at + 3 :])
        assert all(fault.line >= 1 for fault in check(Path(folder)))


def test_an_unknown_package_is_a_key_error(root: Path) -> None:
    with pytest.raises(KeyError):
        check(root, "waterloo")
    with pytest.raises(KeyError):
        loader.load_game(root, "../holdfast")

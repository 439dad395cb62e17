"""Owners' overlays: what stands in for a package's files, and each fault of it by file, line and cell."""

from __future__ import annotations

import shutil
import struct
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenarios import loader
from scenarios.art import picture_size
from scenarios.check import check
from scenarios.faults import DataError
from scenarios.hexes import parse_hex

REAL = Path(loader.__file__).parent / "holdfast"
ART = 'file = "sheet.png"\nsize = [1300, 800]\norigin = [40.5, 30]\nspacing = [31.0, 52.5]\n'


def overlaid(folder: Path, file: str, *changes: tuple[str, str]) -> Path:
    """A folder of overlays with one file of Holdfast, changed."""
    text = (REAL / file).read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    (folder / "holdfast").mkdir(exist_ok=True)
    (folder / "holdfast" / file).write_text(text, encoding="utf-8")
    return folder


def png(width: int, height: int) -> bytes:
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", width, height) + b"\x08\x02\0\0\0"


def art(folder: Path, text: str = ART, picture: bytes | None = None) -> Path:
    (folder / "holdfast").mkdir(exist_ok=True)
    (folder / "holdfast/map-art.toml").write_text(text, encoding="utf-8")
    (folder / "holdfast/sheet.png").write_bytes(png(1300, 800) if picture is None else picture)
    return folder


def test_an_owners_files_take_the_place_of_the_packages_and_are_told(tmp_path: Path) -> None:
    plain = loader.load_games()["holdfast"]
    assert (plain.overlaid, plain.sources["map"], plain.sources["max_sp"]) == ((), "reconstructed", "reconstructed")
    overlays = overlaid(tmp_path, "counters.csv", ("21st Panzer,german,armor,5,6,8,4", "21st Panzer,german,armor,5,6,8,3"))
    game = loader.load_games(None, overlays)["holdfast"]
    assert game.cards["21PZ"].values["max_sp"] == 3
    assert game.overlaid == ("counters.csv",)
    assert (game.sources["max_sp"], game.sources["map"], game.sources["rp"]) == ("overlay", "reconstructed", "printed")
    assert game.digest != plain.digest
    charts = overlaid(tmp_path, "rp.csv", ("1942-12,12,rp.2", "1942-12,13,rp.2"))
    again = loader.load_games(None, charts)["holdfast"]
    assert loader.load_games(None, charts)["holdfast"] is again
    assert check(None, "holdfast", charts) == []


def test_an_empty_folder_of_overlays_changes_nothing(tmp_path: Path) -> None:
    assert loader.load_games(None, tmp_path) == loader.load_games()
    (tmp_path / "holdfast").mkdir()
    assert loader.load_games(None, tmp_path)["holdfast"].digest == loader.load_games()["holdfast"].digest


@pytest.mark.parametrize("game", loader.package_keys())
def test_a_copy_of_every_data_file_is_an_overlay_without_fault(tmp_path: Path, game: str) -> None:
    (tmp_path / game).mkdir()
    files = {path.name for path in (REAL.parent / game).iterdir() if path.suffix in {".toml", ".csv", ".txt"}} - {"open-clauses.txt"}
    for name in files:
        shutil.copy(REAL.parent / game / name, tmp_path / game / name)
    assert check(None, game, tmp_path) == []
    assert set(loader.load_games(None, tmp_path)[game].overlaid) == files


@settings(max_examples=15)
@given(file=st.sampled_from(["counters.csv", "rp.csv", "terrain.toml", "support.toml", "map.toml", "game.toml"]), data=st.data())
def test_whatever_stands_in_an_overlay_ends_in_faults_with_a_line(file: str, data: st.DataObject) -> None:
    lines = (REAL / file).read_text(encoding="utf-8").split("\n")
    junk = st.sampled_from(
        ["", "x", "= 3", "a = 1", "[[places]]", "names = 3", "axis = true", "[air]", "1,2,3", '"', "charts = 5", "armor = nan"]
    )
    for _ in range(data.draw(st.integers(1, 3))):
        lines[data.draw(st.integers(0, len(lines) - 1))] = data.draw(junk)
    with TemporaryDirectory() as folder:
        (Path(folder) / "holdfast").mkdir()
        (Path(folder) / "holdfast" / file).write_text("\n".join(lines), encoding="utf-8")
        for fault in check(None, "holdfast", Path(folder)):
            assert fault.line >= 1
            assert fault.reason


FAULTS = [
    # file, text, what replaces it, what the line of the fault holds, the reason
    ("counters.csv", "german,armor,5,6,8,4", "german,armor,five,6,8,4", "five", "column 'dice': 'five' is no number"),
    ("counters.csv", "german,armor,5,6,8,4", "german,armor,5,11/2,8,4", "11/2", "column 'target': '11/2' is no whole number"),
    ("counters.csv", "german,armor,5,6,8,4", "german,armor,5,6,-8,4", "-8", "column 'ma': '-8' does not lie within 0 and 99"),
    ("counters.csv", "german,armor,5,6,8,4", "german,armor,5,6,800,4", "800", "column 'ma': '800' does not lie within 0 and 99"),
    ("counters.csv", "german,armor,5,6,8,4", "german,armor,5,6,8,", "6,8,,", "an empty cell in column 'max_sp'"),
    ("counters.csv", "german,armor,5,6,8,4", "german,tank,5,6,8,4", "tank", "column 'type': no type 'tank'; there are: armor, infantry"),
    ("counters.csv", "max_sp,option", "steps,option", "id,side", "the table has no column 'max_sp'"),
    ("counters.csv", "max_sp,option", "steps,option", "id,side", "the package's table knows no column 'steps'"),
    ("rp.csv", "1942-12,12,rp.2", "1942-12,many,rp.2", "many", "column 'rp': 'many' is no number"),
    ("terrain.toml", 'infantry = "1/2"', 'infantry = "half"', '"half"', "[road] 'infantry': 'half' is no number"),
    ("terrain.toml", "armor = 3", "armor = true", "true", "[rough] 'armor': True is no number"),
    ("terrain.toml", "defence = 3", "defense = 3", "defense", "[fortified-city] does not know 'defense'"),
    ("terrain.toml", "attack = -1", "attack = -100", "-100", "[rough] 'attack': -100 is below -99"),
    ("costs.toml", "rebuild", "repair", "# Resource", "has no 'rebuild'"),
    ("costs.toml", "attack = 1", "attack = [1]", "[1]", "[activate] 'attack': [1] must not be a list"),
    ("support.toml", "mp = 2", 'mp = "two"', '"two"', "[leaders.ROMMEL] 'mp': 'two' is no number"),
    ("support.toml", 'allied = ["L1", "L2", "L3", "L4"]', "allied = 4", "allied = 4", "[air] 'allied': 4 must be a list of words"),
    ("map.toml", 'names = ["Bardia"]', 'names = ["Fort"]', "# Board of our own", "no place is called 'Bardia', as one of the package is"),
    ("map.txt", "C", "?", "?", "letter '?' without terrain at column"),
]


@pytest.mark.parametrize(("file", "old", "new", "line", "reason"), FAULTS)
def test_each_fault_of_an_overlay_is_told_by_file_line_and_cell(
    tmp_path: Path, file: str, old: str, new: str, line: str, reason: str
) -> None:
    overlays = overlaid(tmp_path, file, (old, new))
    path = overlays / "holdfast" / file
    lines = path.read_text(encoding="utf-8").splitlines()
    number = next(n for n, text in enumerate(lines, 1) if line in text)
    found = check(None, None, overlays)
    assert [f for f in found if (f.file, f.line) == (str(path), number) and f.reason.startswith(reason)], found
    with pytest.raises(DataError, match=file):
        loader.load_games(None, overlays)


def test_what_stands_in_for_nothing_is_a_fault(tmp_path: Path) -> None:
    overlaid(tmp_path, "counters.csv")
    (tmp_path / "holdfast/counter.csv").write_text("id\n", encoding="utf-8")
    (tmp_path / "holdfast/clauses.tsv").write_text("id\n", encoding="utf-8")
    (tmp_path / "holdfast/README.md").write_text("mine", encoding="utf-8")
    (tmp_path / "holdfest").mkdir()
    said = {(Path(fault.file).name, fault.reason.partition(";")[0]) for fault in check(None, None, tmp_path)}
    nothing = "the package has no data file of this name that an overlay may stand in for"
    assert said == {("counter.csv", nothing), ("clauses.tsv", nothing), ("holdfest", "no game has this key")}
    with pytest.raises(DataError, match=r"elsewhere:1: there is no such folder of overlays"):
        loader.load_games(None, tmp_path / "elsewhere")


def test_what_is_no_file_or_no_folder_is_not_passed_over(tmp_path: Path) -> None:
    for name in ("counters.csv", "map-art.toml", "pictures"):
        (tmp_path / "one/holdfast" / name).mkdir(parents=True)
    (tmp_path / "one/holdfast/RP.CSV").write_text("id\n", encoding="utf-8")
    (tmp_path / "two").mkdir()
    (tmp_path / "two/holdfast").write_text("mine", encoding="utf-8")
    assert sorted(Path(fault.file).name for fault in check(None, None, tmp_path / "one")) == ["RP.CSV", "counters.csv", "map-art.toml"]
    (fault,) = check(None, None, tmp_path / "two")
    assert fault.reason == "the overlay of a game must be a folder"


def test_map_art_gives_each_hex_its_place_on_the_picture_and_leaves_the_data_as_they_are(tmp_path: Path) -> None:
    game = loader.load_games(None, art(tmp_path))["holdfast"]
    assert game.art is not None
    assert (game.art.picture, game.art.size) == (tmp_path / "holdfast/sheet.png", (1300, 800))
    assert game.art.centre(parse_hex("0101")) == (40.5, 30.0)
    assert game.art.centre(parse_hex("0403")) == (40.5 + 3 * 31, 30 + 2.5 * 52.5)  # an even column stands half a row lower
    assert (game.digest, game.overlaid) == (loader.load_games()["holdfast"].digest, ())


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ("[1300, 800]", "[1300, 801]", 2, "sheet.png is 1300 x 800 pixels, not 1300 x 801"),
        ("[1300, 800]", "[1300]", 2, "'size' must be two numbers of pixels"),
        ("[1300, 800]", '["1300", "800"]', 2, "'size' must be two numbers of pixels"),
        ("[40.5, 30]", "[440, 30]", 3, "the centre of hex 2901 would lie at (1308, 30), off the picture"),
        ("[40.5, 30]", "[-0.5, 30]", 3, "the centre of hex 0101 would lie at (-0, 30), off the picture"),
        ("[31.0, 52.5]", "[3, 52.5]", 4, "hexes closer than 8 pixels"),
        ("sheet.png", "../../sheet.png", 1, "not a picture's name: '../../sheet.png'"),
        ("sheet.png", "other.png", 1, "there is no file other.png"),
        ("file =", "picture =", 1, "has no 'file'"),
        ("size = ", "size = = ", 2, "not TOML"),
    ],
)
def test_each_fault_of_map_art_is_told_by_line(tmp_path: Path, old: str, new: str, line: int, reason: str) -> None:
    art(tmp_path, ART.replace(old, new))
    found = check(None, "holdfast", tmp_path)
    assert [(f.file, f.line) for f in found if f.reason.startswith(reason)] == [(str(tmp_path / "holdfast/map-art.toml"), line)], found


def test_a_picture_that_is_none_is_a_fault(tmp_path: Path) -> None:
    (fault,) = check(None, "holdfast", art(tmp_path, picture=b"GIF89a" + bytes(40)))
    assert fault.reason == "sheet.png is neither PNG nor JPEG"
    (fault,) = check(None, "holdfast", art(tmp_path, ART.replace("[1300, 800]", "[20000, 20000]"), png(20000, 20000)))
    assert fault.reason == "sheet.png is 20000 x 20000 pixels: at most 70000000 pixels are drawn"


def test_the_size_of_a_jpeg_is_read_past_its_other_segments() -> None:
    head = b"\xff\xd8\xff\xe0\x00\x10JFIF\0\1\1\0\0\1\0\1\0\0" + b"\xff\xff\xc4\x00\x05abc"
    frame = b"\xff\xc2\x00\x0b\x08" + struct.pack(">HH", 800, 1300) + b"\1\1\x11\0"
    assert picture_size(head + frame) == (1300, 800)
    assert picture_size(head) is None
    assert picture_size(b"\xff\xd8") is None

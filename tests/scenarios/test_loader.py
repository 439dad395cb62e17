"""Packages loaded: cached, digested, with exact numbers, and with an owner's overlay."""

from __future__ import annotations

import shutil
from fractions import Fraction
from pathlib import Path

import pytest

from scenarios import loader
from scenarios.faults import DataError
from scenarios.hexes import Hex, parse_hex

REAL = Path(loader.__file__).parent / "holdfast"


def copy_of(root: Path) -> Path:
    shutil.copytree(REAL, root / "holdfast")
    return root


def test_all_packages_load_by_key() -> None:
    games = loader.load_games()
    assert "holdfast" in games
    assert all(game.key == key for key, game in games.items())
    assert games["holdfast"] is loader.load_game(None, "holdfast")


def test_numbers_are_exact() -> None:
    terrain = loader.load_game(None, "holdfast").charts["terrain"]
    assert terrain["road"]["infantry"] == Fraction(1, 2)
    assert isinstance(terrain["road"]["infantry"], Fraction)
    assert terrain["escarpment"]["armor"] == "bar"


def test_a_digest_stands_for_the_data_and_not_for_the_remarks(tmp_path: Path) -> None:
    first = loader.load_game(None, "holdfast").digest
    assert loader.load_game(copy_of(tmp_path / "same"), "holdfast").digest == first
    remarks = copy_of(tmp_path / "remarks")
    (remarks / "holdfast/RULINGS.md").write_text("other", encoding="utf-8")
    assert loader.load_game(remarks, "holdfast").digest == first
    changed = copy_of(tmp_path / "changed")
    path = changed / "holdfast/counters.csv"
    path.write_text(path.read_text(encoding="utf-8").replace("ARIETE,axis,Ariete,italian,armor,3", "ARIETE,axis,Ariete,italian,armor,4"))
    game = loader.load_game(changed, "holdfast")
    assert game.digest != first
    assert game.cards["ARIETE"].values["dice"] == 4


def test_an_overlay_stands_in_for_files_and_is_named_in_faults(tmp_path: Path) -> None:
    own = tmp_path / "labels"
    own.mkdir()
    text = (REAL / "counters.csv").read_text(encoding="utf-8")
    (own / "counters.csv").write_text(text.replace("Centor,italian,armor,3", "Centor,italian,armor,4"), encoding="utf-8")
    game = loader.load_game(None, "holdfast", own)
    assert game.cards["CENTOR"].values["dice"] == 4
    assert game.cards["ARIETE"].values["dice"] == 3
    assert game.digest != loader.load_game(None, "holdfast").digest
    bad = tmp_path / "bad"
    bad.mkdir()
    (bad / "counters.csv").write_text(text.replace("CENTOR,axis", "centor,axis"), encoding="utf-8")
    with pytest.raises(DataError, match=r"/bad/counters.csv:7: unit id 'centor' must be 1 to 8 of A-Z, 0-9 and -"):
        loader.load_game(None, "holdfast", bad)


def test_the_board_answers_for_roads_and_hexsides() -> None:
    board = loader.load_game(None, "holdfast").board
    acroma, adem, tobruk = board.names["ACROMA"], board.names["EL ADEM"], board.names["TOBRUK"]
    assert board.joined(acroma, tobruk)
    assert board.joined(tobruk, acroma)
    assert not board.joined(adem, tobruk)
    assert board.hexside("escarpment", tobruk, adem) == (adem, tobruk)  # El Adem is the upper one
    assert board.hexside("escarpment", adem, tobruk) == (adem, tobruk)
    assert board.hexside("escarpment", tobruk, acroma) is None
    assert board.name_of(parse_hex("2205")) == "Sollum"
    assert board.kinds_at(parse_hex("2205")) == {"village", "place"}
    assert board.name_of(parse_hex("2105")) is None
    assert board.label(tobruk) == "1803"
    assert Hex(18, 2) not in board.adjacent[tobruk]
    assert len(board.adjacent[parse_hex("1508")]) == 6

"""The commands that write files for VASSAL: they belong together, have no more than the side may see, and refuse what is unusable."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

import pytest

from tests.worker.test_cli import hexpost, orders, refused
from worker.play.vassal import module_version


@pytest.fixture(scope="module")
def march(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Three outcomes: the start of Campaign 1, its first step, and a move."""
    folder = tmp_path_factory.mktemp("march")
    found = [folder / f"{number:06d}.json" for number in range(3)]
    assert hexpost("state", "new", "holdfast/campaign-1", "--seed", "2a", "-o", found[0]).exit_code == 0
    for number, line in enumerate(("COMMIT 0", "MOVE 21PZ TO 0507 BY ROAD")):
        call = ("adjudicate", found[number], "--side", "axis", "--orders", orders(folder, line), "-o", found[number + 1])
        assert hexpost(*call).exit_code == 0
    return found


def decoded(path: Path) -> str:
    """The commands of a save or log."""
    with zipfile.ZipFile(path) as archive:
        assert sorted(archive.namelist()) == ["moduledata", "savedGame", "savedata"]
        data = archive.read("savedGame")
    key = int(data[5:7], 16)
    return bytes(one ^ key for one in bytes.fromhex(data[7:].decode())).decode()


def test_module_save_and_log_belong_together_and_a_log_shows_what_the_side_saw(march: list[Path], tmp_path: Path) -> None:
    module, save, log, theirs = (tmp_path / name for name in ("x.vmod", "x.vsav", "x.vlog", "y.vlog"))
    for call in (
        ("module", "holdfast/campaign-1", "-o", module),
        ("save", march[2], "--side", "axis", "-o", save),
        ("log", march[1], "--events", march[2], "--side", "axis", "-o", log),
        ("log", march[1], "--events", march[2], "--side", "allied", "-o", theirs),
    ):
        result = hexpost("export", *call)
        assert (result.exit_code, result.output) == (0, ""), call
    assert len({module_version(one.read_bytes()) for one in (module, save, log, theirs)}) == 1
    assert "LOG\t" not in decoded(save)
    assert "21PZ moves: " in decoded(log)
    assert "21PZ" not in decoded(theirs)
    assert "moves: 0210 El Agheila to 0507" in decoded(theirs)
    again = tmp_path / "again.vlog"
    hexpost("export", "log", march[1], "--events", march[2], "--side", "axis", "-o", again)
    assert again.read_bytes() == log.read_bytes()


def test_in_the_folder_of_a_game_a_log_holds_all_between_the_two_positions(march: list[Path], tmp_path: Path) -> None:
    whole = tmp_path / "whole.vlog"
    assert hexpost("export", "log", march[0], "--events", march[2], "--side", "axis", "-o", whole).exit_code == 0
    assert "Malta" in decoded(whole).split("end_save")[1]
    assert "21PZ moves: " in decoded(whole)


def test_a_log_over_a_gap_is_refused_and_what_is_missing_is_named(march: list[Path], tmp_path: Path) -> None:
    folder, out = tmp_path / "apart", tmp_path / "x.vlog"
    folder.mkdir()
    for k, name in ((0, "a.json"), (2, "b.json"), (0, "000000.json"), (2, "000002.json"), (2, "000003.json"), (1, "elsewhere.json")):
        shutil.copy(march[k], folder / name)
    for first, last, said in (
        ("a.json", "b.json", "does not follow"),
        ("a.json", "b.json", "an outcome is missing"),
        ("000000.json", "000002.json", "000001.json is missing"),
        ("000000.json", "000003.json", "000001.json is missing"),
        ("b.json", "elsewhere.json", "of an earlier moment"),
    ):
        call = ("export", "log", folder / first, "--events", folder / last, "--side", "axis", "-o", out)
        result = hexpost(*call)
        assert result.exit_code == 2
        assert said in refused(result), call
        assert not out.exists()
    other = json.loads(march[2].read_text())
    for events in ([], [1], [other["events"][0] | {"changes": 5}]):
        (folder / "c.json").write_text(json.dumps(other | {"events": events}))
        call = ("export", "log", folder / "elsewhere.json", "--events", folder / "c.json", "--side", "axis", "-o", out)
        assert "its events do not lead" in refused(hexpost(*call)), events
    direct = ("export", "log", folder / "elsewhere.json", "--events", folder / "b.json", "--side", "axis", "-o", out)
    assert hexpost(*direct).exit_code == 0
    assert "21PZ moves: " in decoded(out)
    shutil.copy(march[1], folder / "000001.json")
    whole = ("export", "log", folder / "000000.json", "--events", folder / "000002.json", "--side", "axis", "-o", out)
    assert hexpost(*whole).exit_code == 0
    assert "Malta" in decoded(out).split("end_save")[1]


def test_what_is_unusable_is_refused_in_a_sentence_and_nothing_is_written(march: list[Path], tmp_path: Path) -> None:
    out, other, broken = tmp_path / "x", tmp_path / "other.json", tmp_path / "broken.json"
    hexpost("state", "new", "holdfast/campaign-1", "--seed", "2b", "-o", other)
    state = json.loads(march[2].read_text())["state"]
    broken.write_text(json.dumps(state | {"counters": {"21PZ": 3}}))
    for call, said in {
        ("module", "holdfast/campaign-9"): "campaign-1, campaign-2",
        ("module", "nothing/at-all"): "nothing",
        ("module", "holdfast/campaign-1", "--theme", "pink"): "light, dark, contrast",
        ("save", march[2], "--side", "french"): "axis, allied",
        ("save", broken, "--side", "axis"): "counters",
        ("save", tmp_path / "none.json", "--side", "axis"): "no such file",
        ("log", march[2], "--events", march[2], "--side", "axis"): "the two positions are one",
        ("log", march[2], "--events", march[1], "--side", "axis"): "no earlier outcome",
        ("log", other, "--events", march[2], "--side", "axis"): "of another game",
        ("log", march[0], "--events", other, "--side", "axis"): "of another game",
        ("log", march[1], "--events", march[2], "--side", "french"): "axis, allied",
    }.items():
        assert said in refused(hexpost("export", *call, "-o", out)), call
        assert not out.exists(), call

"""An owner's overlays on the whole way: command, services, mail; and none of it starts over bad ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import scenarios
from services.rules.app import create_app
from services.rules.config import Config as RulesConfig
from worker.cli import main
from worker.config import Config
from worker.hosting.processes import CannotServe
from worker.serve import serve

REAL = Path(scenarios.__file__).parent / "holdfast/counters.csv"


def hexpost(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(one) for one in arguments], prog_name="hexpost")


def overlaid(folder: Path, strength: str) -> Path:
    """A folder of overlays in which the 21st Panzer has another full strength."""
    (folder / "holdfast").mkdir(parents=True)
    text = REAL.read_text(encoding="utf-8").replace("21st Panzer,german,armor,5,6,8,4", f"21st Panzer,german,armor,5,6,8,{strength}")
    (folder / "holdfast/counters.csv").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with settings that name overlays, to work in."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hexpost.toml").write_text('overlays = "mine"\n', encoding="utf-8")
    return tmp_path


def test_commands_take_the_overlays_of_the_settings_and_the_report_says_so(here: Path) -> None:
    overlaid(here / "mine", "3")
    assert hexpost("state", "new", "holdfast/campaign-1", "-o", "own.json").exit_code == 0
    state = json.loads((here / "own.json").read_text())
    assert state["counters"]["21PZ"]["num"]["sp"] == 3
    (here / "orders.txt").write_text("COMMIT 0\n")
    asked = ("--side", "axis", "--orders", "orders.txt", "-o", "out.json", "--report", "report.txt")
    assert hexpost("adjudicate", "own.json", *asked).exit_code == 0
    assert "Used here from the umpire's own copy of the game" in (here / "report.txt").read_text()
    assert "full strengths" not in (here / "report.txt").read_text()  # no longer reconstructed: the owner's
    (here / "hexpost.toml").unlink()
    assert hexpost("state", "new", "holdfast/campaign-1", "-o", "plain.json").exit_code == 0
    plain = json.loads((here / "plain.json").read_text())
    assert (plain["counters"]["21PZ"]["num"]["sp"], plain["data_digest"] == state["data_digest"]) == (4, False)


def test_scenario_check_reads_the_overlays_of_the_settings_or_those_named(here: Path) -> None:
    overlaid(here / "mine", "3")
    result = hexpost("scenario", "check")
    assert (result.exit_code, result.stdout) == (0, f"All packages with {here / 'mine'}: no fault found.\n")
    overlaid(here / "bad", "many")
    result = hexpost("scenario", "check", "holdfast", "--overlays", here / "bad")
    assert result.exit_code == 2
    assert result.stderr == f"{here}/bad/holdfast/counters.csv:2: column 'max_sp': 'many' is no number\n"


def test_nothing_starts_over_bad_overlays(here: Path) -> None:
    overlaid(here / "mine", "many")
    fault = f"{here}/mine/holdfast/counters.csv:2: column 'max_sp': 'many' is no number"
    result = hexpost("state", "new", "holdfast/campaign-1", "-o", "state.json")
    assert result.exit_code == 2
    assert result.stderr.splitlines() == ["hexpost: the data cannot be used:", fault]
    with pytest.raises(CannotServe, match="column 'max_sp': 'many' is no number"):
        serve(Config.load(here / "hexpost.toml", {}))
    assert not (here / "var").exists()


def test_a_service_reads_the_overlays_that_its_environment_names(tmp_path: Path) -> None:
    overlays = overlaid(tmp_path, "2")
    config = RulesConfig.from_env({"HEXPOST_OVERLAYS": str(overlays)})
    assert config.overlays == overlays
    assert RulesConfig.from_env({"HEXPOST_OVERLAYS": ""}).overlays is None
    games = create_app(config).test_client().get("/v1/games").get_json()["games"]
    (game,) = (one for one in games if one["key"] == "holdfast")
    assert (game["overlaid"], game["sources"]["max_sp"]) == (["counters.csv"], "overlay")


def test_scenario_check_holds_the_clauses_that_data_cite_against_the_rulebooks(tmp_path: Path) -> None:
    (tmp_path / "holdfast").mkdir()
    text = (REAL.parent / "rp.csv").read_text(encoding="utf-8")
    (tmp_path / "holdfast/rp.csv").write_text(text.replace("rp.2\n", "rp.99\n"), encoding="utf-8")
    result = hexpost("scenario", "check", "--overlays", tmp_path)
    assert result.stderr == f"{tmp_path}/holdfast/rp.csv:2: cites 'rp.99', which is no clause of the rulebook\n"

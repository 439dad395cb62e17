"""A new hexpost under games that run: what they were begun with, and where their last packets lead."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import insert, text

from tests.e2e.test_pipeline import SESSIONS
from tests.worker.whole import Table
from worker.app import run_worker
from worker.cli import main
from worker.clients import RulesClient
from worker.clock import run_clock
from worker.config import Config
from worker.hosting import fitness
from worker.hosting.fitness import demand_fit, running_games
from worker.hosting.processes import CannotServe
from worker.ports import ServiceDown
from worker.post.intake import run_intake
from worker.store.database import writing
from worker.store.tables import moved


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A campaign of Holdfast in which the Axis have sent three packets."""
    found = Table(tmp_path)
    for number in (0, 2, 3):
        side, orders = SESSIONS[number]
        found.play(number, side, f"{orders}\nEND")
    assert found.journal.game("G1").version == 3
    yield found
    found.journal.engine.dispose()


def check(folder: Path, *arguments: str) -> Result:
    (folder / "hexpost.toml").write_text(f'home = "."\ndatabase = "sqlite:///{folder / "journal.db"}"\n', encoding="utf-8")
    return CliRunner().invoke(main, ["check-games", *arguments, "--config", str(folder / "hexpost.toml")], prog_name="hexpost")


def test_packets_of_a_running_game_lead_to_the_same_states(table: Table, tmp_path: Path) -> None:
    before = table.journal.chain("G1")
    told = check(tmp_path)
    assert (told.exit_code, told.stderr) == (0, "")
    assert told.stdout == f"G1 (holdfast/campaign-1): its last {len(before) - 1} packets lead to the same states.\n"
    assert check(tmp_path, "g1", "--last", "1").stdout == "G1 (holdfast/campaign-1): its last 1 packets lead to the same states.\n"
    assert check(tmp_path, "G2").stderr == "hexpost: No game 'G2' runs here.\n"
    assert table.journal.chain("G1") == before


def test_a_packet_that_leads_elsewhere_is_named(table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = RulesClient.adjudicate

    def other(rules: RulesClient, body: Any) -> Any:
        outcome = usual(rules, body)
        if body["packet"]["id"] == "G1-000002":  # the move: a road costs more now
            outcome["digest"] = "f" * 64
        return outcome

    monkeypatch.setattr(RulesClient, "adjudicate", other)
    told = check(tmp_path)
    assert told.exit_code == 2
    assert told.stderr == "G1 (holdfast/campaign-1): state 2: its packet leads to another state now.\n"

    def silent(rules: RulesClient, body: Any) -> Any:
        outcome = usual(rules, body)
        return outcome | {"events": outcome["events"][:-1]}

    monkeypatch.setattr(RulesClient, "adjudicate", silent)
    assert "same state with other events now" in check(tmp_path).stderr


def test_other_data_than_a_game_was_begun_with_keeps_the_server_from_starting(table: Table, tmp_path: Path) -> None:
    engine = table.journal.engine
    [found] = running_games(engine)
    here = {one["key"]: one["data_digest"] for one in table.ports.rules.games()["games"]}
    assert (found.game, found.scenario, found.data) == ("G1", "holdfast/campaign-1", here["holdfast"])
    demand_fit([found], table.ports.rules)
    older = fitness.Running("G1", "holdfast/campaign-1", "0a" * 32)
    gone = fitness.Running("G7", "alesia/siege", "0b" * 32)
    with pytest.raises(CannotServe) as refused:
        demand_fit([older, gone, found], table.ports.rules)
    assert str(refused.value).splitlines()[1:3] == [
        f"G1 (holdfast/campaign-1): begun with data 0a0a0a0a0a0a, and here is {here['holdfast'][:12]}",
        "G7 (alesia/siege): begun with data 0b0b0b0b0b0b, and here is none",
    ]
    with writing(engine) as connection:
        connection.execute(text("UPDATE turns SET record = replace(record, :here, :older)"), {"here": here["holdfast"], "older": "0a" * 32})
    told = check(tmp_path)
    assert (told.exit_code, "begun with data 0a0a0a0a0a0a, and here is" in told.stderr) == (2, True)


RUN: dict[str, Callable[[Config], None]] = {
    "worker": lambda config: run_worker(config, (0,)),
    "clock": run_clock,
    "intake": run_intake,
}


@pytest.mark.parametrize("role", RUN)
def test_no_part_begins_with_other_data_than_a_game_was_begun_with(
    role: str, table: Table, tmp_path: Path, broker: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr(fitness, "AGAIN", 0.01)
    asked: list[int] = []

    def games(_: RulesClient) -> Any:
        asked.append(len(asked))
        if len(asked) < 3:
            raise ServiceDown("rules: not yet")
        return {"games": [{"key": "holdfast", "data_digest": "0a" * 32}]}

    monkeypatch.setattr(RulesClient, "games", games)
    config = replace(table.ports.config, broker=broker, rules="http://rules.example", database=f"sqlite:///{tmp_path / 'journal.db'}")
    with pytest.raises(CannotServe, match=r"^Games that run were begun with other data.*\nG1 \(holdfast/campaign-1\): begun with data"):
        RUN[role](config)
    assert len(asked) == 3


def test_games_that_are_over_or_moved_keep_nothing_from_starting(table: Table, tmp_path: Path) -> None:
    engine = table.journal.engine
    with writing(engine) as connection:
        connection.execute(insert(moved).values(game="G1", address="orders@new.example", at="2026-03-27T20:14:09+00:00"))
    assert running_games(engine) == []
    assert check(tmp_path).stdout == "No game runs here.\n"
    with writing(engine) as connection:
        connection.execute(text("DELETE FROM moved"))
        connection.execute(text("UPDATE games SET over = true"))
    assert running_games(engine) == []

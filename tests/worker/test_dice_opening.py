"""What is thrown while a scenario is laid out: mixed with the players' words, and computed again by the lines on the page for players."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import select, update

from tests.worker.test_dice import ORDERS, checked, take
from tests.worker.whole import Table
from worker import secrets
from worker.canonical import Json, canonical
from worker.cli import main
from worker.desk.demo_script import ADDRESSES
from worker.play.dice import throw
from worker.play.throws import published, throws
from worker.store.database import writing
from worker.store.tables import turns

OPENING = ("NEW holdfast/campaign-1 AS axis WORD Kettle WITH first_turn_weather=roll tempo=blitz", "JOIN G{} WORD {}")


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """Games G2 to G4 with dice in their opening, of one secret: two with the words kettle and pot, one with kettle and pan."""
    made = Table(tmp_path_factory.mktemp("opened"), addresses={"axis": "ada@player.example", "allied": "bob@player.example"})
    made.addresses = ADDRESSES
    stamp = "Authentication-Results: mx.hexpost.example; dmarc=pass header.from=player.example\n"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(secrets, "new_secret", lambda: "3c" * 32)
        for number, word in ((2, "pot"), (3, "pot"), (4, "pan")):
            for side, line in zip(("axis", "allied"), OPENING, strict=True):
                head = f"From: {ADDRESSES[side]}\nTo: {ORDERS}\nSubject: x\nMessage-ID: <{side}{number}@player.example>\n\n"
                take(made, f"{side}{number}", f"{stamp}{head}{line.format(number, word)}\n".encode())
    return made


def thrown_at_the_opening(table: Table, key: str) -> list[tuple[str, list[Json], Json, Json]]:
    game = table.journal.game(key)
    return [(one.seed, one.event["data"]["key"], one.event["data"]["dice"], one.mixed) for one in throws(table.journal.engine, game, -1, 0)]


def test_what_is_thrown_at_the_opening_has_the_words_of_both_in_it(opened: Table, tmp_path: Path) -> None:
    first, second, third = (thrown_at_the_opening(opened, key) for key in ("G2", "G3", "G4"))
    assert len(first) == len(third) == 2  # the weather, and Malta
    assert first == second
    assert {one[0] for one in first}.isdisjoint(one[0] for one in third)
    assert all(mixed for *_, mixed in first)
    game = opened.journal.game("G2")
    seed = secrets.seed("3c" * 32, [["axis", "kettle"], ["allied", "pot"]], "holdfast/campaign-1", 0, 0)
    assert [(seed, key, throw(seed, key, 6, len(dice)), True) for _, key, dice, _ in first] == first
    assert secrets.seed("3c" * 32, [], "holdfast/campaign-1", 0, 0) != seed
    file = tmp_path / "G2-dice.json"
    file.write_bytes(canonical(published(game, throws(opened.journal.engine, game), revealed=True)))
    assert checked(tmp_path, file)[1][-1] == "All of it holds."
    config = tmp_path / "hexpost.toml"
    config.write_text(f'home = "{opened.ports.config.home}"\ndatabase = "sqlite:///{opened.ports.config.home / "journal.db"}"\n')
    for command in ("dice", "verify"):
        run = CliRunner().invoke(main, [command, "G2", "--config", str(config)])
        assert run.exit_code == 0, run.output


def test_a_game_that_threw_its_opening_without_the_words_is_computed_again_so(opened: Table, tmp_path: Path) -> None:
    """As games did that began before: their first record does not say that the words are in it."""
    with writing(opened.journal.engine) as connection:
        record = json.loads(connection.execute(select(turns.c.record).where(turns.c.game == "G4", turns.c.version == 0)).scalar_one())
        del record["mixed"]
        connection.execute(update(turns).where(turns.c.game == "G4", turns.c.version == 0).values(record=canonical(record).decode()))
    game, found = opened.journal.game("G4"), throws(opened.journal.engine, opened.journal.game("G4"))
    assert {one.seed for one in found} == {secrets.seed("3c" * 32, [], "holdfast/campaign-1", 0, 0)}
    one = found[0]
    dice = throw(one.seed, one.event["data"]["key"], 6, 1)
    older = replace(one, event=one.event | {"data": one.event["data"] | {"dice": dice}})
    file = tmp_path / "G4-dice.json"
    file.write_bytes(canonical(published(game, [older], revealed=True)))
    assert checked(tmp_path, file)[1][-1] == "All of it holds."
    assert "mixed" not in file.read_text()

"""Six runs of four games at once, killed, flushed, dropped and doubled at moments by seed: each ends as the one that nothing befell.

``./test --all=chaos:1-300`` has many more, and more in each.
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.chaos.disturbances import USUAL, disturbances
from tests.chaos.play import Ending, Script, differences, run, scripts
from tests.chaos.scripts import CASTS
from tests.chaos.world import World, services

SEEDS = (1, 3, 10, 13, 14, 16)
"""Only one of them with pictures (3), which take most of the time; 1, 3 and 13 send by SMTP."""
COUNT = 5


@dataclass
class Undisturbed:
    """The run that nothing befell: with what, what it answered, and how it ended."""

    served: World
    script: Script
    answers: dict[str, list[str]]
    ended: Ending


@pytest.fixture(scope="module")
def undisturbed() -> Iterator[Undisturbed]:
    with tempfile.TemporaryDirectory(prefix="hexpost-chaos-") as folder, services(Path(folder)) as served:
        script, answers = scripts(), dict[str, list[str]]()
        ended, _ = run(served, script, answers)
        yield Undisturbed(served, script, answers, json.loads(json.dumps(ended)))


@pytest.mark.timeout(400)
def test_the_undisturbed_run_plays_three_game_turns_of_each_kind_of_game(undisturbed: Undisturbed) -> None:
    ended = undisturbed.ended
    assert ended["alerts"] == []
    for cast in CASTS:
        letters = undisturbed.script[cast.key]
        game = ended[cast.key]
        assert len({row[2] for row in game["packets"]}) >= 3
        # All but the first letter, which nobody can read, changed the game once.
        assert [row[3] for row in game["packets"]] == ["refused", *["done"] * (len(letters) - 1)]
        assert len(game["turns"]) == len(letters)
        assert {row[3] for row in game["outbox"]} == {"sent"}
        assert sorted(row[0] for row in game["outbox"]) == sorted(key for key in ended["mails"] if key.startswith(f"<{cast.key.lower()}."))
    assert all(mail["pictures"] for key, mail in ended["mails"].items() if mail["subject"].count("Turn"))


@pytest.mark.timeout(400)
@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_befalls_it_every_journal_and_every_mail_is_that_of_the_undisturbed_run(undisturbed: Undisturbed, seed: int) -> None:
    found, happened = run(undisturbed.served, undisturbed.script, undisturbed.answers, seed, COUNT)
    assert len(happened) == COUNT
    assert differences(seed, json.loads(json.dumps(found)), undisturbed.ended) == [], happened


def test_what_befalls_a_run_hangs_on_its_seed_alone_and_the_six_meet_much_of_it() -> None:
    assert disturbances(7, 36, 9, smtp=True) == disturbances(7, 36, 9, smtp=True) != disturbances(8, 36, 9, smtp=True)
    met = Counter((one.what, one.whom) for seed in SEEDS for one in disturbances(seed, 36, COUNT, smtp=bool(seed % 2)))
    assert {"kill", "kill child", "drop", "double"} <= {what for what, _ in met}
    every = {(one.what, one.whom) for seed in range(1, 61) for one in disturbances(seed, 36, 10, smtp=bool(seed % 2))}
    assert every == {*USUAL, ("down", "smtp")}

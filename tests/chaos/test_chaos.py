"""Six runs of four games at once, killed, flushed, dropped and doubled at moments by seed: each ends as the one that nothing befell.

``./test --all=chaos:1-300`` has many more, and more in each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from tests.chaos.disturbances import USUAL, disturbances
from tests.chaos.play import Kind, Known, differences, run, undisturbed
from tests.chaos.scripts import CASTS

SEEDS = (12, 13, 14, 23, 25, 28)
"""13, 23 and 25 send by SMTP; 14 and 23 are over PostgreSQL. None has maps that are drawn: such a run takes four times as long."""
COUNT = 5


@pytest.fixture(scope="module")
def known() -> Iterator[Known]:
    with undisturbed() as found:
        yield found


@pytest.mark.timeout(400)
def test_the_undisturbed_run_plays_three_game_turns_of_each_kind_of_game(known: Known) -> None:
    ended = known.ended
    assert ended["alerts"] == []
    for cast in CASTS:
        letters = known.script[cast.key]
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
def test_whatever_befalls_it_every_journal_and_every_mail_is_that_of_the_undisturbed_run(known: Known, seed: int) -> None:
    found = run(known, seed, COUNT)
    assert len(found.happened) == COUNT
    assert differences(found.ended, known.ended) == [], found.happened


def _met(seed: int, count: int) -> list[tuple[str, str]]:
    kind = Kind.of(seed)
    return [(one.what, one.whom) for one in disturbances(seed, 36, count, smtp=kind.smtp, database=kind.postgresql)]


def test_what_befalls_a_run_hangs_on_its_seed_alone_and_the_six_meet_all_kinds_of_it() -> None:
    assert disturbances(7, 36, 9, smtp=True) == disturbances(7, 36, 9, smtp=True) != disturbances(8, 36, 9, smtp=True)
    met = Counter(one for seed in SEEDS for one in _met(seed, COUNT))
    assert {what for what, _ in met} == {"kill", "kill child", "freeze", "empty", "flush", "drop", "double", "down", "cut", "restart"}
    assert {one for seed in range(1, 61) for one in _met(seed, 10)} == {*USUAL, ("down", "smtp"), ("cut", "smtp"), ("restart", "database")}

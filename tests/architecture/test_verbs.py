"""The two sides of the order language agree: what players can write is what the rules read, and every step has a name to say."""

from __future__ import annotations

import pytest

from services.mail.orders.common import COMMON
from services.mail.orders.languages import LANGUAGES
from services.mail.wording import load_wording
from services.rules.registry import load_games

GAMES = sorted(load_games())


@pytest.mark.parametrize("game", GAMES)
def test_each_verb_of_the_rules_can_be_written(game: str) -> None:
    written = {verb.name for language in (COMMON, LANGUAGES[game]) for verb in language.verbs}
    assert set(load_games()[game].verbs) - written == set()


@pytest.mark.parametrize("game", GAMES)
def test_each_verb_that_can_be_written_is_read_by_the_rules(game: str) -> None:
    assert {verb.name for verb in LANGUAGES[game].verbs} - set(load_games()[game].verbs) == set()


@pytest.mark.parametrize("game", GAMES)
def test_each_step_of_the_rules_has_its_name(game: str) -> None:
    wording = load_wording("en", game)
    assert [step.name for step in load_games()[game].sequence.steps if not wording.has("steps", step.name)] == []

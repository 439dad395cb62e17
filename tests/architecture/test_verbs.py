"""The two sides of the order language agree: what players can write is what the rules read, and every step has a name to say."""

from __future__ import annotations

import ast

import pytest

from services.mail.orders.common import COMMON
from services.mail.orders.languages import LANGUAGES
from services.mail.wording import load_wording
from services.rules.engine.sequence import BOTH, NON_PHASING
from services.rules.registry import load_games
from tests.architecture.sources import law, tree
from tests.rules.holdfast.positions import campaign

GAMES = sorted(load_games())


@pytest.mark.parametrize("game", GAMES)
def test_each_verb_of_the_rules_can_be_written(game: str) -> None:
    written = {verb.name for language in (COMMON, LANGUAGES[game]) for verb in language.verbs}
    assert set(load_games()[game].verbs) - written == set()


@pytest.mark.parametrize("game", GAMES)
def test_each_verb_that_can_be_written_is_read_by_the_rules(game: str) -> None:
    assert {verb.name for verb in LANGUAGES[game].verbs} - set(load_games()[game].verbs) == set()


@pytest.mark.parametrize("game", GAMES)
def test_each_window_of_the_rules_can_be_written_with_the_verbs_that_answer_it(game: str) -> None:
    assert {window: set(verbs) for window, verbs in LANGUAGES[game].windows.items()} == _windows(game)


def _windows(game: str) -> dict[str, set[str]]:
    """Window -> verbs, as the calls of ``ask`` in the game's law open them, ``ask("kind", ..., window="WINDOW")`` (the window is the kind
    unless it is named), and the steps that are windows of the non-phasing side, or of both."""
    found: dict[str, set[str]] = {
        step.window: {taken.verb for taken in step.accepts}
        for step in load_games()[game].sequence.steps
        if step.actor in (NON_PHASING, BOTH) and step.accepts
    }
    for call in (node for path in law(game) for node in ast.walk(tree(path)) if isinstance(node, ast.Call)):
        if not (isinstance(call.func, ast.Attribute) and call.func.attr == "ask"):
            continue
        window = next((ast.literal_eval(word.value) for word in call.keywords if word.arg == "window"), None)
        kind = call.args[0].values[0] if isinstance(call.args[0], ast.JoinedStr) else call.args[0]  # the fixed beginning of f"malta-{side}"
        begins = ast.literal_eval(kind)
        verbs = {ask.verb for name, ask in load_games()[game].asks.items() if name.startswith(begins)}
        assert verbs, ast.unparse(call)
        found.setdefault(window or begins.upper(), set()).update(verbs)
    return found


@pytest.mark.parametrize("game", sorted(LANGUAGES))
def test_each_verb_that_answers_a_window_may_follow_on(game: str) -> None:
    answers = set(LANGUAGES[game].answers)
    assert {verb for verbs in LANGUAGES[game].windows.values() for verb in verbs} - answers == set()


def test_the_weather_of_holdfast_is_what_its_dice_bring() -> None:
    assert {word.lower() for word in LANGUAGES["holdfast"].weathers} == {
        campaign(dice=[die, 1, 1, 1, 1], first_turn_weather="roll").data("weather")["weather"] for die in range(1, 7)
    }


@pytest.mark.parametrize("game", GAMES)
def test_each_step_of_the_rules_has_its_name(game: str) -> None:
    wording = load_wording("en", game)
    assert [step.name for step in load_games()[game].sequence.steps if not wording.has("steps", step.name)] == []

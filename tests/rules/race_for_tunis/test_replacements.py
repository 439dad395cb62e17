"""13. Replacements: points each Allied turn, and what they buy. 5NTH costs 2, 1-1A-I 3, 78FA 6, 64AT (1 in attack, 2 in defence) 2."""

import pytest

from tests.rules.race_for_tunis.positions import DONE, Game, move, one, order, position, scenario

FAR = "T1@0216"


def opening(units: str, *lines, rp: int = 5, **more) -> Game:
    """An Allied opening with so many points in hand."""
    game = position(f"{units} {FAR}", side="allied", step="opening", own={"rp": rp}, **more)
    game.allied(*lines)
    return game


def round_of(game: Game) -> Game:
    """To the next Allied movement phase: nobody does anything."""
    for side in ("allied", "axis"):
        while game.state.path[1][1] == side:
            game.send(side, order("DONE", turn=True))
    return game


@pytest.mark.rule("race-for-tunis", "13.0.A-1", "13.0.A-3", "13.0.A-4")
def test_the_allies_receive_a_point_a_turn_from_the_first_on_and_may_save_them():
    game = scenario()
    assert game.data("rp") == {"gained": 1, "total": 1}
    round_of(game)
    assert game.own("rp") == 2
    assert [event.data for event in game.events("rp")] == [{"gained": 1, "total": 2}]  # the Axis has none
    assert round_of(game).own("rp") == 3


@pytest.mark.rule("race-for-tunis", "17.5-1", "17.5-2", "17.5-3")
def test_by_option_they_receive_two_from_1_december_on():
    # 1 December is game-turn 7 of the standard game, game-turn 15 of the early start (RT-51).
    for key, turn, before in (("standard", 7, 6), ("early-start", 15, 14)):
        for more, gained in ((True, 2), (False, 1)):
            game = position(f"5NTH@1320 {FAR}", scenario=key, side="axis", turn=turn, more_replacements=more, own={"french": FREE})
            game.axis(order("DONE", turn=True))
            assert game.data("rp")["gained"] == gained
            game = position(f"5NTH@1320 {FAR}", scenario=key, side="axis", turn=before, more_replacements=more, own={"french": FREE})
            game.axis(order("DONE", turn=True))
            assert game.data("rp")["gained"] == 1


FREE = {"free": True, "attacked": False}


@pytest.mark.rule("race-for-tunis", "13.0.A-2", "13.0.B-1", "13.0.B-3")
@pytest.mark.parametrize(("unit", "cost"), [("5NTH", 2), ("1-1A-I", 3), ("78FA", 6), ("13-1A-II", 6)])
def test_eliminated_british_and_american_units_are_bought_back_at_a_point_a_cf(unit, cost):
    game = opening(f"{unit}@dead", one("REBUILD", unit), DONE, rp=cost)
    assert (game.own("rp"), game.data("replaced")["cost"]) == (0, cost)
    assert opening(f"{unit}@dead 2LF@dead", one("REBUILD", unit), rp=cost - 1).refusal() == ("too-dear", "13.0.B-3")


@pytest.mark.rule("race-for-tunis", "13.0.B-4")
@pytest.mark.parametrize(("unit", "cost"), [("64AT", 2), ("701TD", 3)])
def test_a_unit_with_two_values_costs_its_defence(unit, cost):
    assert opening(f"{unit}@dead", one("REBUILD", unit), DONE, rp=9).own("rp") == 9 - cost


@pytest.mark.rule("race-for-tunis", "13.0.B-2", "13.0.A-1")
def test_the_french_and_the_axis_have_none():
    assert opening("LG@dead 5NTH@dead", one("REBUILD", "LG")).refusal() == ("no-replacements", "13.0.B-2")
    game = position("T2@dead 5-I@off 1ES@2125", step="opening", own={"rp": 9})
    game.axis(one("REBUILD", "T2"))
    assert game.refusal() == ("no-replacements", "13.0.A-1")


@pytest.mark.rule("race-for-tunis", "13.0.A-2")
def test_only_what_was_lost_comes_back():
    assert opening("5NTH@1320 2LF@dead", one("REBUILD", "5NTH")).refusal() == ("not-eliminated", "13.0.A-2")
    assert opening("5NTH@off 2LF@dead", one("REBUILD", "5NTH")).refusal() == ("not-eliminated", "13.0.A-2")


@pytest.mark.rule("race-for-tunis", "13.0.B-3")
def test_all_that_are_named_are_paid_for_together():
    game = opening("5NTH@dead 2LF@dead", one("REBUILD", "5NTH"), one("REBUILD", "2LF"), rp=3)
    assert game.refusal() == ("too-dear", "13.0.B-3")
    game = opening("5NTH@dead 2LF@dead", one("REBUILD", "5NTH"), one("REBUILD", "5NTH"), DONE, rp=3)  # the same again
    assert (game.own("rp"), game.at("2LF")) == (1, "box:eliminated")


@pytest.mark.rule("race-for-tunis", "13.0.C")
def test_they_come_in_as_reinforcements_do_at_once_or_a_turn_later():
    game = opening("5NTH@dead", one("REBUILD", "5NTH"), move("5NTH", "1225 1224"))
    assert game.at("5NTH") == "1224"
    game = opening("5NTH@dead", one("REBUILD", "5NTH"), one("ENTER", "5NTH", hex="1725"))
    assert game.refusal() == ("not-an-entry", "14.0.D-1")
    game = opening("5NTH@dead", one("REBUILD", "5NTH"), one("DELAY", "5NTH"))
    round_of(game).allied(one("ENTER", "5NTH", hex="1725"))
    assert game.at("5NTH") == "1725"
    assert "bought" not in game.state.counters["5NTH"].num


def test_with_nothing_to_buy_the_opening_is_passed_over():
    game = position(f"5NTH@dead 1ES@1320 {FAR}", side="axis", own={"rp": 0})
    game.axis(order("DONE", turn=True))
    assert game.place == "5 allied movement"
    game = position(f"5NTH@dead 1ES@1320 {FAR}", side="axis", own={"rp": 1})
    game.axis(order("DONE", turn=True))
    assert game.place == "5 allied opening"

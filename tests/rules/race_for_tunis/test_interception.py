"""17.2.4 Interception.

Air units (intercept-support): JU87 0-2, FW190 2-1, ME109 and MC202 1-1; SPIT 1-0, BOSTON 0-2, P38 and P40 1-1.
7-10-I 9, 5-I 4; 1ES, 6RWK 2."""

import pytest

from tests.rules.race_for_tunis.combats import aircraft, combat, contact, flight, fought, intercept, state
from tests.rules.race_for_tunis.positions import DONE, attack, on, order

READY = {"state": "ready", "hex": None, "back": None}
ONE = attack("1312", "5-I")


def sky(*units, side="axis", ground="5-I@1313 1ES@1312", **more):
    """A package with these air units at hand, and nobody else in the air."""
    return combat(ground, side, **{"air": True, "own": {"air": dict.fromkeys(units, READY)}, **more})


def sent(game):
    """Interceptor -> target."""
    return {event.data["unit"]: event.data["target"] for event in game.events("interceptor")}


# -- the dice --------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "17.2.4.C-1", "17.2.4.C-3", "17.2.4.C-4", "17.2.4.C-5", "17.2.4.D-1")
@pytest.mark.parametrize(
    ("die", "word", "after", "back", "column"),
    [
        (1, "miss", "support", None, "4:1"),
        (3, "miss", "support", None, "4:1"),
        (4, "abort", "aborted", None, "2:1"),
        (5, "abort", "aborted", None, "2:1"),
        (6, "shot-down", "shot-down", 7, "2:1"),
    ],
)
def test_a_die_a_point_before_the_battle(die, word, after, back, column):
    game = sky("JU87", "SPIT")
    game.axis(ONE, aircraft("JU87", "SUPPORT", "1312"), DONE)
    assert game.place == "5 axis allotment"
    game.allied(intercept("SPIT", "JU87"), DONE, dice=(die, *contact(column)))
    assert game.data("air_fight")["result"] == word
    assert flight(game, "JU87") == {"state": after, "hex": "1312" if after == "support" else None, "back": back}
    assert fought(game) == {"1312": (4, 2, column)}
    assert state(game, "SPIT") == "ready"  # at hand in the Allied player-turn that has begun
    assert game.place == "5 allied movement"


@pytest.mark.rule("race-for-tunis", "17.2.4.C-2")
@pytest.mark.parametrize(("dice", "word"), [((1, 2), "miss"), ((3, 4), "abort"), ((6, 5), "shot-down")])
def test_an_fw_190_throws_two_dice_and_the_worse_counts_for_the_target(dice, word):
    column = "3:1" if word == "miss" else "1:1"
    game = sky("BOSTON", "FW190", side="allied", tempo="blitz", ground="5-I@1313 1ES@1312 6RWK@1312")
    game.allied(attack("1313", "1ES 6RWK"), aircraft("BOSTON", "SUPPORT", "1313"), DONE, dice=(*dice, *contact(column)))
    assert game.data("air_fight")["result"] == word
    assert game.data("air_fight")["dice"] == list(dice)
    assert fought(game) == {"1313": (4, 4, column)}


@pytest.mark.rule("race-for-tunis", "17.2.4.D-2")
def test_an_aborted_aircraft_does_not_intercept_in_the_enemys_player_turn_and_flies_in_its_own():
    game = sky("ME109", "P40", "P38")
    game.axis(ONE, aircraft("ME109", "SUPPORT", "1312"), DONE)
    game.allied(intercept("P40", "ME109"), DONE, dice=(4, *contact("2:1")))
    assert state(game, "ME109") == "aborted"
    game.allied(attack("1313", "1ES"), aircraft("P38", "SUPPORT", "1313"), DONE, dice=contact("1:1"))  # 2 to 4, 1:2, a column up
    assert game.events("step_opened")[-1].data["step"] in ("opening", "movement")
    assert state(game, "ME109") == "ready"


@pytest.mark.rule("race-for-tunis", "17.2.4.E", "17.2.4.E-EX")
def test_what_is_shot_down_on_turn_4_is_back_as_turn_6_begins():
    game = sky("JU87", "SPIT", turn=4)
    game.axis(ONE, aircraft("JU87", "SUPPORT", "1312"), DONE)
    game.allied(intercept("SPIT", "JU87"), DONE, dice=(6, *contact("2:1")))
    assert (state(game, "JU87"), flight(game, "JU87")["back"]) == ("shot-down", 6)
    game.allied(attack("1313", "1ES"), DONE, dice=contact("1:2"))
    assert game.place == "5 axis movement"
    assert state(game, "JU87") == "shot-down"
    game.axis(ONE, aircraft("JU87", "SUPPORT", "1312"))
    assert game.refusal() == ("aircraft-not-ready", "17.2.4.E")
    game.axis(ONE, DONE, dice=contact("2:1"))
    game.allied(attack("1313", "1ES"), DONE, dice=contact("1:2"))
    assert game.place == "6 axis movement"
    assert state(game, "JU87") == "ready"


# -- who meets whom --------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "17.2.4.A-1", "17.2.4.A-3", "17.2.4.B-1", "17.2.4.B-2")
def test_any_number_are_met_each_by_one():
    ground = "5-I@1313 1ES@1312 6RWK@1413"
    lines = (attack("1312 1413", "5-I"), aircraft("JU87", "SUPPORT", "1312"), aircraft("ME109", "SUPPORT", "1413"))
    game = sky("JU87", "ME109", "SPIT", "P38", "P40", ground=ground)
    game.axis(*lines, DONE)
    game.allied(intercept("SPIT", "JU87"), intercept("P38", "JU87"))
    assert game.refusal() == ("one-interceptor-a-target", "17.2.4.B-1")
    game.allied(intercept("ALL", "JU87"))
    assert game.refusal() == ("one-interceptor-a-target", "17.2.4.B-1")
    game.allied(intercept("SPIT", "JU87"), intercept("P38", "ME109"), DONE, dice=(4, 6, *contact("1:1")))
    assert [event.data["target"] for event in game.events("air_fight")] == ["JU87", "ME109"]
    assert game.kinds().index("air_fight") < game.kinds().index("battle")
    assert fought(game) == {"1312": (4, 4, "1:1")}
    assert (state(game, "JU87"), state(game, "ME109")) == ("aborted", "shot-down")


def test_who_may_not_intercept_or_is_not_there_to_be_met():
    game = sky("JU87", "SPIT", "BOSTON", "P40")
    game.axis(ONE, aircraft("JU87", "SUPPORT", "1312"), DONE)
    for line, refusal in (
        (intercept("BOSTON", "JU87"), ("no-intercept-value", "17.2.4.C-1")),
        (intercept("SPIT", "ME109"), ("not-on-mission", "17.2.4.A-1")),
        (intercept("SPIT", "P40"), ("not-on-mission", "17.2.4.A-1")),
        (intercept("P38", "JU87"), ("no-aircraft", "17.2.A-1")),
        (intercept("SPIT", "JU87", keep=2), ("kept-in-reserve", "17.2.4.A-2")),
    ):
        game.allied(line)
        assert game.refusal() == refusal
    game.allied(intercept("SPIT", "JU87", keep=1), DONE, dice=(1, *contact("4:1")))
    assert sent(game) == {"SPIT": "JU87"}


THREE = (
    attack("1312 1413", "5-I"),
    aircraft("ME109", "SUPPORT", "1312"),
    aircraft("MC202", "SUPPORT", "1413"),
    aircraft("JU87", "INTERDICT", "1512"),
)


def met(*standing, tempo="normal", dice=(1,)):
    """Who meets whom when the Axis supports with two fighters and interdicts with the Ju-87, the Allies having Spitfires and P-40s."""
    game = sky("JU87", "ME109", "MC202", "SPIT", "P40", ground="5-I@1313 1ES@1312 6RWK@1413", tempo=tempo)
    game.allied(standing=[on("ALLOTMENT", line) for line in standing])
    game.axis(*THREE, DONE, dice=(*dice, *contact("3:1")))  # 4 to 4, 1:1, two columns up
    return sent(game)


def test_by_default_the_best_interceptors_meet_the_strongest_aircraft():
    assert met(tempo="blitz", dice=(1, 1)) == {"P40": "JU87", "SPIT": "MC202"}


def test_rules_given_beforehand_choose_a_mission_first_and_keep_some_back():
    assert met(intercept("ALL", "SUPPORT-FIRST"), dice=(1, 1)) == {"P40": "MC202", "SPIT": "ME109"}
    assert met(intercept("ALL", "SUPPORT-FIRST", keep=1)) == {"P40": "MC202"}
    assert met(intercept("ALL", "INTERDICTION-FIRST", keep=1)) == {"P40": "JU87"}
    assert met(intercept("SPIT", "INTERDICTION-FIRST"), intercept("P40", "SUPPORT-FIRST"), dice=(1, 1)) == {"SPIT": "JU87", "P40": "MC202"}
    assert met(intercept("SPIT", "ME109"), intercept("ALL", "SUPPORT-FIRST"), dice=(1, 1)) == {"SPIT": "ME109", "P40": "MC202"}


def test_standing_orders_for_guns_alone_leave_interception_to_the_default_and_the_other_way_round():
    ground = "7-10-I@1313 1ES@1312 78FA@1411"
    guns = order("SUPPORT", guns=["78FA"], battle="1312")
    game = sky("JU87", "SPIT", ground=ground)
    game.allied(standing=[on("ALLOTMENT", guns)])
    game.axis(attack("1312", "7-10-I"), aircraft("JU87", "SUPPORT", "1312"), DONE, dice=(4, *contact("1:1")))
    assert sent(game) == {"SPIT": "JU87"}
    game = sky("JU87", "SPIT", ground=ground)
    game.allied(standing=[on("ALLOTMENT", intercept("SPIT", "SUPPORT-FIRST"))])
    game.axis(attack("1312", "7-10-I"), aircraft("JU87", "SUPPORT", "1312"), DONE, dice=(4, *contact("1:1")))
    assert fought(game) == {"1312": (9, 8, "1:1")}


def test_where_no_aircraft_are_played_nobody_is_sent_up():
    game = combat("5-I@1313 1ES@1312 78FA@1411")
    game.axis(ONE, DONE)
    game.allied(intercept("ALL", "SUPPORT-FIRST"))
    assert game.refusal() == ("no-air-units", "17.2.A-1")


def test_two_that_are_sent_by_rule_at_one_target_are_one_too_many():
    game = sky("JU87", "SPIT", "P38", tempo="full")
    game.axis(ONE, aircraft("JU87", "SUPPORT", "1312"), DONE)
    game.allied(intercept("SPIT", "SUPPORT-FIRST"), intercept("P38", "SUPPORT-FIRST"), DONE, dice=(1, *contact("4:1")))
    assert sent(game) == {"SPIT": "JU87"}
    assert state(game, "P38") == "ready"

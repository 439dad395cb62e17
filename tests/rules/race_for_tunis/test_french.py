"""18.1.7 The French in the early start: the die that frees them, and what they may not do before.

4MZT-I is infantry with 3 MP; 1313 and the six hexes around it are clear: 1312, 1412, 1413, 1314, 1213, 1212. The ZOC of an Axis unit in
1312 reaches 1313, 1412 and 1212; another's in 1314 the other three."""

import pytest

from services.rules.games.race_for_tunis.french import must_leave, note_attack
from tests.rules.race_for_tunis.positions import DONE, Game, move, one, order, position


def opened(die: int | None, *, turn: int = 3, attacked: bool = False, free: bool = False, key: str = "early-start") -> Game:
    """The Allied opening of a game-turn, with the French die."""
    game = position("4MZT-I@2321 T1@0216", scenario=key, turn=turn, own={"french": {"free": free, "attacked": attacked}})
    game.axis(order("DONE", turn=True), dice=[] if die is None else [die])
    return game


def restricted(units: str, *lines, own=None, **more) -> Game:
    game = position(units, scenario="early-start", side="allied", turn=2, own=own, **more)
    game.allied(*lines)
    return game


# -- the die -----------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "18.1.7.B-1", "18.1.7.B-2")
@pytest.mark.parametrize(("turn", "die", "free"), [(1, 1, True), (1, 2, False), (3, 3, True), (3, 4, False), (6, 6, True)])
def test_a_die_at_or_under_the_number_of_the_turn_frees_them(turn, die, free):
    game = opened(die, turn=turn)
    assert (game.own("french")["free"], game.data("french")["free"]) == (free, free)


@pytest.mark.rule("race-for-tunis", "18.1.7.B-3")
@pytest.mark.parametrize(("die", "free"), [(3, True), (4, True), (5, False)])
def test_it_is_one_less_once_the_axis_has_attacked_one_of_them(die, free):
    assert opened(die, attacked=True).own("french")["free"] is free


@pytest.mark.rule("race-for-tunis", "18.1.7.B-1", "18.1.7.B-3")
def test_the_die_is_thrown_until_they_are_free_and_then_no_more():
    game = opened(4)
    game.allied(order("DONE", turn=True))
    game.axis(order("DONE", turn=True), dice=[4])  # turn 4
    assert game.own("french")["free"]
    game.allied(order("DONE", turn=True))
    game.axis(order("DONE", turn=True))  # turn 5: no die
    assert game.events("french") == []


@pytest.mark.rule("race-for-tunis", "18.1.7.A")
@pytest.mark.parametrize("key", ["standard", "extended", "eilbote"])
def test_only_in_the_early_start(key):
    start = position("4MZT-I@2321 T1@0216", scenario=key)
    assert start.own("french") == {"free": True, "attacked": False}
    assert opened(None, key=key, free=True).events("french") == []
    assert position("4MZT-I@2321", scenario="early-start").own("french")["free"] is False


@pytest.mark.rule("race-for-tunis", "18.1.7.B-3")
def test_what_counts_as_an_attack_on_them():
    units = "4MZT-I@1313 1ES@1320 T1@1312"
    axis, allied = position(units, scenario="early-start"), position(units, scenario="early-start", side="allied")
    assert note_attack(axis.table, ["1ES"]) == []
    assert note_attack(allied.table, ["4MZT-I"]) == []  # they attack
    assert note_attack(axis.table, ["1ES", "4MZT-I"]) == [("own", ("french", "attacked"), True)]


# -- what they may not do ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "18.1.7.C-2")
def test_they_enter_no_axis_zone_until_they_are_free():
    assert restricted("4MZT-I@1414 T1@1312", move("4MZT-I", "1413")).at("4MZT-I") == "1413"
    assert restricted("4MZT-I@1413 T1@1312", move("4MZT-I", "1412")).refusal() == ("french-restricted", "18.1.7.C-2")
    assert restricted("15S-I@off T1@1224", one("ENTER", "15S-I", hex="1225")).refusal() == ("french-restricted", "18.1.7.C-2")
    assert restricted("1ES@1413 T1@1312", move("1ES", "1412")).at("1ES") == "1412"  # others do
    free = {"french": {"free": True, "attacked": False}}
    assert restricted("4MZT-I@1413 T1@1312", move("4MZT-I", "1412"), own=free).at("4MZT-I") == "1412"
    assert restricted("15S-I@off T1@1224", one("ENTER", "15S-I", hex="1225"), own=free).at("15S-I") == "1225"


@pytest.mark.rule("race-for-tunis", "18.1.7.C-3")
def test_those_that_begin_in_an_axis_zone_must_leave_it():
    game = restricted("4MZT-I@1313 T1@1312", DONE)
    assert game.refusal() == ("french-must-leave", "18.1.7.C-3")
    assert game.last.rejections[0].details["units"] == ["4MZT-I"]
    game.allied(move("4MZT-I", "1412"))
    assert game.refusal() == ("french-restricted", "18.1.7.C-2")  # from zone to zone is no way out
    game.allied(move("4MZT-I", "1213"), DONE)
    assert (game.at("4MZT-I"), game.codes()) == ("1213", [])
    game = restricted("4MZT-I@1313 T1@1312", order("DONE", auto=True))
    assert game.at("4MZT-I") == "1213"  # the nearest, the lowest of them


@pytest.mark.rule("race-for-tunis", "18.1.7.C-3")
def test_a_hex_without_room_is_no_way_out_but_the_one_behind_it_may_be():
    full = "1ES@1413 5NTH@1413 2LF@1413 6RWK@1314 1-PARA@1314 2HP@1314 5BF@1213 8ASH@1213 5SF@1213"
    assert must_leave(restricted(f"4MZT-I@1313 T1@1312 {full}").table) == ("4MZT-I",)
    game = restricted(f"4MZT-I@1313 T1@1312 {full}", order("DONE", auto=True))
    assert game.at("4MZT-I") not in ("1313", "1413", "1314", "1213")


@pytest.mark.rule("race-for-tunis", "18.1.7.C-4")
def test_those_that_cannot_leave_stay_and_are_left_to_attack():
    game = restricted("4MZT-I@1313 T1@1312 T2@1314")
    assert must_leave(game.table) == ()
    game.allied(DONE)
    assert (game.codes(), game.at("4MZT-I")) == ([], "1313")
    for at in ("1413", "1213"):  # Axis units bar a hex as their zone does
        assert must_leave(restricted(f"4MZT-I@1313 T1@1312 T2@1314 T3@{at}").table) == ()
    assert must_leave(restricted("4MZT-I@1313 T1@1312", own={"french": {"free": True, "attacked": False}}).table) == ()


@pytest.mark.rule("race-for-tunis", "18.1.7.C-3", "6.4.A")
def test_those_with_too_few_points_for_the_one_way_out_take_it():
    # Around 1714 the zones of the tanks in 1715 and 1613 reach all but the rugged crest of 1813, which costs 4 MP of their 3.
    units = "4MZT-I@1714 190PZ@1715 7-10-I@1613"
    game = restricted(units, DONE)
    assert game.refusal() == ("french-must-leave", "18.1.7.C-3")
    game.allied(order("DONE", auto=True))
    assert (game.at("4MZT-I"), game.data("moved")["cost"]) == ("1813", {"4MZT-I": 4})
    full = "1ES@1813 2LF@1813 5NTH@1813"
    assert must_leave(restricted(f"{units} {full}").table) == ()

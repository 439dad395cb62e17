"""Allied Command Paralysis (FT-53): who may move on the first day; and what rouses a unit."""

import pytest

from tests.rules.fall_of_tobruk.fighting import fought, results
from tests.rules.fall_of_tobruk.positions import Game, attack, barrage, move, order, position

FREE = order("FREE", brigade="69BDE")


def first_day(units: str, **more) -> Game:
    """The Allied half of the first day."""
    return position(units, side="allied", turn=1, **more)


@pytest.mark.rule("fall-of-tobruk", "paralysis.4", "paralysis.6")
def test_on_the_first_day_others_stay_still():
    game = first_day("5EY@0505 8PZ-2@1010")
    game.allied(move("5EY", "0605"))
    assert game.refusal() == ("paralysed", "paralysis.4")
    game = position("5EY@0505 8PZ-2@1010", side="allied", turn=2)
    game.allied(move("5EY", "0605"))
    assert game.at("5EY") == "0605"
    game = position("8PZ-2@0505 5EY@1010", turn=1)  # the Axis is not paralysed
    game.axis(move("8PZ-2", "0605"))
    assert game.at("8PZ-2") == "0605"


@pytest.mark.rule("fall-of-tobruk", "paralysis.1", "paralysis.2", "new.7")
def test_who_was_roused_or_placed_today_moves():
    game = first_day("5EY@0505 6GH@0505 7GH@0505 8PZ-2@1010", marks={"roused": "5EY", "placed": "6GH"})
    game.allied(move("5EY", "0605"), move("6GH", "0605"))
    assert (game.at("5EY"), game.at("6GH")) == ("0605", "0605")


@pytest.mark.rule("fall-of-tobruk", "paralysis.3")
def test_one_brigade_is_freed_before_anybody_has_moved():
    game = first_day("5EY@0505 74ART@0505 4EY@0506 8PZ-2@1010")
    game.allied(order("FREE", brigade="115"))
    assert game.refusal() == ("no-such-brigade", "paralysis.3")
    game.allied(FREE, move("5EY 74ART", "0605"))
    assert (game.at("5EY"), game.own("freed"), game.data("freed")) == ("0605", "69BDE", {"brigade": "69BDE"})
    game.allied(move("4EY", "0605"))
    assert game.refusal() == ("paralysed", "paralysis.4")
    game.allied(order("FREE", brigade="150BDE"))
    assert game.refusal() == ("freed-already", "paralysis.3")


@pytest.mark.rule("fall-of-tobruk", "paralysis.3")
def test_the_brigade_is_named_before_the_first_move_and_on_the_first_day_only():
    game = first_day("5EY@0505 4EY@0506 8PZ-2@1010", marks={"roused": "4EY"})
    game.allied(move("4EY", "0605"), FREE)
    assert game.codes() == ["too-late-to-free"]
    game = position("5EY@0505 8PZ-2@1010", side="allied", turn=2)
    game.allied(FREE)
    assert game.refusal() == ("nobody-to-free", "paralysis.3")
    game = position("8PZ-2@0505 5EY@1010", turn=1)
    game.axis(FREE)
    assert game.codes() == ["nobody-to-free"]


@pytest.mark.rule("fall-of-tobruk", "paralysis.3")
def test_it_may_be_named_with_the_repairs():
    wreck = {"n": 1, "side": "allied", "hex": "0505", "tanks": [{"unit": "2RGH-1", "turn": 1, "half": "axis"}]}
    game = position("5EY@0505 8PZ-2@1010 2RGH-1@wreck", side="allied", turn=1, step="repair", own={"wrecks": [wreck]})
    game.allied(FREE, move("5EY", "0605"))
    assert (game.own("freed"), game.at("5EY")) == ("69BDE", "0605")


@pytest.mark.rule("fall-of-tobruk", "paralysis.3")
def test_a_brigade_that_there_is_not_is_refused_with_those_on_the_map():
    game = first_day("5EY@0505 2RGH-1@0506 2HLI@off7 8PZ-2@1010")
    game.allied(order("FREE", brigade="69"))
    assert game.last.rejections[0].details == {"brigade": "69", "brigades": ["69BDE", "22ARM"]}


def test_a_check_goes_on_after_it():
    wreck = {"n": 1, "side": "allied", "hex": "0505", "tanks": [{"unit": "2RGH-1", "turn": 1, "half": "axis"}]}
    game = position("5EY@0505 4EY@0506 8PZ-2@1010 2RGH-1@wreck", side="allied", turn=1, step="repair", own={"wrecks": [wreck]})
    game.allied(FREE, move("5EY", "0605"), move("4EY", "0606"), check=True)
    assert (game.codes(), [r.line for r in game.last.rejections]) == (["paralysed"], [3])
    game.allied(FREE, move("5EY", "0605"), check=True)
    assert (game.codes(), game.data("moved")["units"], game.at("5EY")) == ([], ["5EY"], "0505")


# -- what rouses -----------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "paralysis.2")
def test_an_axis_unit_that_passes_rouses_those_that_it_comes_beside():
    game = position("8PZ-2@0505 5EY@0705 4EY@0707 6GH@1010", turn=1)
    game.axis(move("8PZ-2", "0605 0604"))
    assert [game.marks(unit) for unit in ("5EY", "4EY", "6GH")] == [{"roused"}, set(), set()]
    assert game.data("roused") == {"units": ["5EY"]}


@pytest.mark.rule("fall-of-tobruk", "paralysis.2")
def test_who_stood_beside_it_before_is_not_roused_by_its_going():
    game = position("8PZ-2@0604 5EY@0705", turn=1)
    game.axis(move("8PZ-2", "0504"))
    assert game.marks("5EY") == set()
    game = position("8PZ-2@0505 5EY@0705", turn=2)
    game.axis(move("8PZ-2", "0605"))
    assert game.marks("5EY") == set()  # nor on later days


@pytest.mark.rule("fall-of-tobruk", "paralysis.1", "paralysis.7")
def test_bombardment_rouses_though_it_does_nothing():
    game = position("33ART-1@0505 33ART-2@0505 5EY@0705 6GH@0808", turn=1, step="bombardment")
    game.axis(barrage("33ART-1 33ART-2", "0705"), dice=(6,))
    assert (game.marks("5EY"), game.marks("6GH")) == ({"roused"}, set())


@pytest.mark.rule("fall-of-tobruk", "paralysis.1", "paralysis.7")
def test_an_attack_rouses_those_that_it_is_on():
    game = fought("115-I@0807 5EY@0808 6GH@0908", attack("0808 0908", "115-I"), roll=4, turn=1)  # 5 to 10, nobody has moved: A elim
    assert (results(game)[0][1:], game.marks("5EY"), game.marks("6GH")) == (("1:2", "AE"), {"roused"}, {"roused"})
    game = fought("115-I@0807 5EY@0808", attack("0808", "115-I"), roll=7, turn=2)
    assert game.marks("5EY") == set()

"""17.2.5 Air bases: Mc-202s are tied to Kairouan (2305); those off the map are safe. 1ES 2, MA 6; BS 1; 2-PARA may be dropped."""

import pytest

from tests.rules.race_for_tunis.combats import aircraft, combat, flight, state
from tests.rules.race_for_tunis.positions import DONE, attack, module, move, one, order, position

READY = {"state": "ready", "hex": None, "back": None}
LOST = {"state": "base-lost", "hex": None, "back": None}


@pytest.mark.rule("race-for-tunis", "17.2.5.A-1", "17.2.5.A-3", "17.2.5.A-4")
def test_an_enemy_in_kairouan_takes_the_mc_202_off_at_once_from_a_mission_too():
    flown = {"state": "interdict", "hex": "2106", "back": None}
    game = position("1ES@2205 BS@1308", side="allied", air=True, own={"air": {"MC202": flown, "ME109": READY}})
    game.allied(move("1ES", "2305"))
    assert flight(game, "MC202") == LOST
    assert game.data("base_lost")["base"] == "Kairouan"
    assert state(game, "ME109") == "ready"
    game = combat("BS@1308 6RWK@1309 1ES@2305", air=True, held={"allied": "2305"}, own={"air": {"MC202": LOST}})
    game.axis(aircraft("MC202", "INTERDICT", "1512"))
    assert game.refusal() == ("aircraft-not-ready", "17.2.5.A-4")


@pytest.mark.rule("race-for-tunis", "17.2.5.A-5")
def test_it_comes_back_in_the_second_turn_after_the_base_is_retaken():
    game = position("BS@2205 1ES@1315", air=True, held={"allied": "2305"}, own={"air": {"MC202": LOST}})
    game.axis(move("BS", "2305"))
    assert flight(game, "MC202") == {**LOST, "back": 7}
    assert game.data("base_regained")["back"] == 7
    turns = {}
    for side in ("axis", "allied") * 2:
        game.send(side, DONE)
        turns[game.place.split()[0]] = state(game, "MC202")
    assert turns == {"5": "base-lost", "6": "base-lost", "7": "ready"}


def test_taken_again_before_it_is_back_it_stays_away():
    game = position("1ES@2205 BS@1308", side="allied", air=True, own={"air": {"MC202": {**LOST, "back": 6}}})
    game.allied(move("1ES", "2305"))
    assert flight(game, "MC202") == LOST


def test_an_air_drop_and_an_advance_take_a_base_too():
    game = position("2-PARA@off 1ES@1315 BS@1308", side="allied", step="landings", air=True, landings=True, own={"air": {"MC202": READY}})
    game.allied(one("DROP", "2-PARA", hex="2305"), DONE, dice=(1,))
    assert flight(game, "MC202") == LOST
    flown = {"state": "support", "hex": "1512", "back": None}
    game = combat("1ES@2205 6RWK@2205 17-21L@2205 BS@2305", "allied", air=True, own={"air": {"MC202": flown}})
    game.allied(attack("2305", "1ES 6RWK 17-21L"), DONE, dice=(1, 2))  # 8 to 1, 8:1: the defender is eliminated
    game.allied(order("ADVANCE", units=["1ES"], hexes=["2305"]), DONE)
    assert game.at("1ES") == "2305"
    assert flight(game, "MC202") == LOST


@pytest.mark.rule("race-for-tunis", "17.2.5.A-2", "17.2.5.B-1", "17.2.5.B-2")
def test_the_allied_bases_lie_off_the_map():
    cards = {unit: card for unit, card in module().data.cards.items() if card.values["class"] == "air" and card.side == "allied"}
    bases = {unit: module().data.charts["bases"][card.values["base"]] for unit, card in cards.items()}
    assert {unit: base["label"] for unit, base in bases.items()} == {
        "SPIT": "Bone",
        "BISLEY": "Bone",
        "P38": "Tebessa",
        "BOSTON": "Tebessa Field",
        "P40": "Thelepte",
    }
    assert not any(base["hex"] for base in bases.values())

"""Sequence of Play: the steps in their order, the passes of movement, antitank fire and combat, and what a player-turn leaves behind."""

import pytest

from services.rules.games.fall_of_tobruk.sequence import SEQUENCE_OF_PLAY
from tests.rules.fall_of_tobruk.positions import AUTO, DONE, TURN, Game, attack, barrage, fire, move, one, order, position, stand

STEPS = ["new units", "bombardment", "repair", "movement", "first fire", "antitank", "overrun", "declaration", "slip", "combat"]


@pytest.mark.rule("fall-of-tobruk", "seq.1", "seq.13")
def test_the_axis_plays_before_the_allies_and_both_by_the_same_steps():
    slots = SEQUENCE_OF_PLAY.turn_slots
    assert [slot.step.name for slot in slots if slot.phasing == "axis"] == [*STEPS, "markers off"]
    assert [slot.step.name for slot in slots if slot.phasing == "allied"] == [*STEPS, "markers off"]
    assert list(dict.fromkeys(slot.phasing for slot in slots)) == ["axis", "allied", None]
    game = position("8PZ-2@0505 5EY@1505")
    game.axis(TURN)
    assert game.place == "5 allied movement 1"
    game.allied(TURN)
    assert game.place == "6 axis movement 1"


@pytest.mark.rule("fall-of-tobruk", "seq.2", "seq.3", "seq.5", "seq.7")
def test_new_units_then_bombardment_then_movement_then_combat():
    wreck = {"n": 1, "side": "axis", "hex": "1405", "tanks": [{"unit": "8PZ-3", "turn": 3, "half": "allied"}]}
    units = "12B@off 33ART-1@1405 33ART-2@1405 8PZ-2@1405 8PZ-3@wreck 5EY@1605"
    game = position(units, step="new units", tempo="blitz", own={"wrecks": [wreck]})
    game.axis(
        one("ENTER", "12B", hex="0107"),
        barrage("33ART-1 33ART-2", "1605"),
        order("RECOVER", tank="8PZ-3", mode="AUTO"),
        move("8PZ-2", "1505"),
        attack("1605", "8PZ-2"),
        DONE,
        dice=(6, 1, 2),  # no effect; 4 against 5 is 1:2, a 3 is Contact
    )
    kinds = game.kinds()
    order_of = [kinds.index(kind) for kind in ("arrived", "shelled", "recovered", "moved", "declared", "result")]
    assert order_of == sorted(order_of)


@pytest.mark.rule("fall-of-tobruk", "seq.4")
def test_who_has_bombarded_does_not_move():
    game = position("33ART-1@1405 33ART-2@1405 33ART-3@1405 5EY@1605", step="bombardment", tempo="blitz")
    game.axis(barrage("33ART-1 33ART-2", "1605"), move("33ART-3", "1404"), dice=(6,))
    assert (game.at("33ART-3"), game.marks("33ART-1")) == ("1404", {"shelled"})
    game.axis(move("33ART-1", "1404"))
    assert game.refusal() == ("has-bombarded", "artillery.10")


@pytest.mark.rule("fall-of-tobruk", "seq.6", "seq.8", "seq.11")
def test_a_pass_has_antitank_fire_before_combat_and_another_may_follow():
    game = position("8PZ-2@0505 8PZ-7@0909 2RGH-2@0605 6GH@1010 19@0303", tempo="blitz")
    game.axis(stand("8PZ-2"), fire("8PZ-2", "2RGH-2", "0605"), DONE, attack("0605", "8PZ-2"), DONE, dice=(6, 6, 1, 2))
    kinds = game.kinds()
    assert kinds.index("shot") < kinds.index("declared") < kinds.index("result")
    assert game.place == "5 axis movement 2"
    assert "done" in game.marks("8PZ-2")  # it has concluded its turn
    game.axis(move("8PZ-2", "0404"))
    assert game.refusal() == ("finished", "seq.8")
    game.axis(move("8PZ-7", "0910"), DONE, attack("1010", "8PZ-7"), DONE, dice=(1, 2))
    assert game.place == "5 axis movement 3"
    game.axis(move("19", "0302"), TURN)
    assert game.place == "5 allied movement 1"


@pytest.mark.rule("fall-of-tobruk", "seq.10")
def test_a_unit_fires_in_every_segment_in_which_it_is_attacked():
    game = position("8PZ-2@0505 8PZ-7@0404 2RGH-1@0605 19@0303", tempo="blitz")
    # 3 against 4 and 4 against 3 miss with a 6; in combat 4 against 5 is 1:2, a 3 is Contact
    game.axis(stand("8PZ-2"), attack("0605", "8PZ-2"), DONE, dice=(6, 6, 1, 2))
    assert shooters(game) == ["8PZ-2", "2RGH-1"]
    assert game.marks("8PZ-2") >= {"done"}
    game.axis(move("8PZ-7", "0504 0604"), attack("0605", "8PZ-7"), DONE, dice=(6, 6, 1, 2))
    assert shooters(game) == ["8PZ-7", "2RGH-1"]


def shooters(game: Game) -> list[str]:
    """Who has fired in the packet just carried out."""
    return [one["unit"] for event in game.events("shot") for one in event.data["units"]]


@pytest.mark.rule("fall-of-tobruk", "seq.9", "disrupt.1")
def test_disruption_markers_come_off_both_sides_as_a_player_turn_ends():
    marks = {"disrupted": "8PZ-2 5EY"}
    game = position("8PZ-2@0505 5EY@1505", marks=marks)
    game.axis(TURN)
    assert (game.marks("8PZ-2"), game.marks("5EY")) == (set(), set())
    assert game.data("disruption_off") == {"units": ["5EY", "8PZ-2"]}
    game = position("8PZ-2@0505 5EY@1505", marks=marks, markers_off="own")
    game.axis(TURN)
    assert (game.marks("8PZ-2"), game.marks("5EY")) == (set(), {"disrupted"})


@pytest.mark.rule("fall-of-tobruk", "seq.12")
def test_all_that_counted_for_a_player_turn_alone_is_forgotten():
    marks = {"done": "8PZ-2", "shelled": "33ART-1", "placed": "8PZ-2", "unsupplied": "8PZ-2", "fired": "8PZ-2"}
    own = {"shelled": ["0808"], "committed": 2}
    game = position("8PZ-2@0505 8PZ-3@0505 33ART-1@0505 5EY@1505", marks=marks, own=own)
    game.axis(move("8PZ-3", "0605"), TURN)
    assert [game.marks(unit) for unit in ("8PZ-2", "8PZ-3", "33ART-1")] == [set(), set(), set()]
    assert (game.own("shelled"), game.own("committed"), game.state.counters["8PZ-3"].num) == ([], 0, {})


@pytest.mark.rule("fall-of-tobruk", "seq.11", "seq.12")
def test_a_pass_needs_somebody_who_moves_or_stands():
    game = position("8PZ-2@0505 8PZ-3@0505 5EY@1505")
    game.axis(move("8PZ-2", "0605"), DONE)
    assert game.place == "5 axis movement 2"
    game.axis(DONE)  # nobody: the player-turn is over
    assert game.place == "5 allied movement 1"
    game = position("8PZ-2@0505 5EY@1505")
    game.axis(one("SPLIT", "8PZ-2"))
    assert game.codes() == ["cannot-break-down"]
    game.axis(move("8PZ-2", "0605"), order("NEXT"))
    assert game.place == "5 allied movement 1"  # a second pass would have nobody left


@pytest.mark.rule("fall-of-tobruk", "seq.12")
def test_done_turn_lapses_at_a_duty_and_auto_meets_it():
    game = position("8PZ-2@0505 8PZ-3@0305 5EY@0605", tempo="blitz")
    game.axis(move("8PZ-3", "0404"), TURN)
    assert (game.place, game.events("duty_open")[0].data["code"]) == ("5 axis movement 2", "must-attack")
    game.axis(AUTO, dice=(1, 2))
    assert game.data("declared")["units"] == ["8PZ-2"]
    assert game.place == "5 allied movement 1"

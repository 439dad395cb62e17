"""``CANCEL verb name``: what a step has gathered is taken back before it closes."""

from __future__ import annotations

from typing import Any

from tests.rules.fall_of_tobruk.fighting import fighting
from tests.rules.fall_of_tobruk.positions import DONE, attack, fire, order, position
from tests.rules.fall_of_tobruk.shooting import NOTHING, segment, shots
from tests.rules.play import cancel


def gathered(game: Any, side: str) -> list[tuple[str, Any]]:
    """Verb and first argument of what a side has in store for the open step."""
    return [(one["verb"], next(iter(one["args"].values()))) for orders in game.view(side)["sets"].values() for one in orders]


def test_an_attack_is_taken_back_by_its_hex_a_unit_or_its_name_and_its_units_are_free_again():
    for name in ("0808", "115-I", "A1"):
        game = fighting("115-I@0807 104-I@0807 5EY@0808 6GH@0908", tempo="full")
        game.axis(attack("0808", "115-I", label="A1"))
        game.axis(attack("0908", "104-I"))
        game.axis(cancel("ATTACK", name))
        assert game.data("taken_back") == {"line": 1, "verb": "ATTACK", "of": name, "orders": 1}
        assert gathered(game, "axis") == [("ATTACK", ["0908"])]
    game.axis(attack("0908", "115-I 104-I"), attack("0808", "115-I"))
    assert game.codes() == ["attacks-elsewhere"]
    game.axis(cancel("ATTACK", "ALL"), attack("0808 0908", "115-I 104-I", label="A2"), DONE, dice=[1, 6])
    assert [event.data["label"] for event in game.events("declared")] == ["A2"]


def test_an_attack_with_none_withdraws_the_one_on_that_hex():
    game = fighting("115-I@0807 104-I@0807 5EY@0808 6GH@0908", tempo="full")
    game.axis(attack("0808 0908", "115-I", label="A1"))
    game.axis(order("ATTACK", hexes=["0908"], none=True), attack("0808", "104-I"))
    assert (game.codes(), gathered(game, "axis")) == ([], [("ATTACK", ["0808"])])
    game.axis(order("ATTACK", hexes=["0908"], none=True))
    assert game.codes() == ["nothing-gathered"]


def test_what_is_not_gathered_is_not_taken_back():
    game = fighting("115-I@0807 104-I@0807 5EY@0808 6GH@0908", tempo="full")
    game.axis(attack("0808", "115-I"))
    for verb, name in (("ATTACK", "0908"), ("OCCUPY", "0808"), ("MOVE", "115-I")):
        game.axis(cancel(verb, name))
        assert game.codes() == ["nothing-gathered"]
        assert game.last.rejections[0].details == {"verb": verb, "of": name, "gathered": 1}
    game.allied(cancel("ATTACK", "0808"))  # the other side's
    assert game.codes() == ["nothing-gathered"]
    assert gathered(game, "axis") == [("ATTACK", ["0808"])]


def test_a_mail_of_an_earlier_step_takes_nothing_back():
    game = fighting("115-I@0807 5EY@0808", tempo="full")
    game.axis(attack("0808", "115-I"))
    game.axis(cancel("ATTACK", "0808"), seq=0)
    assert (game.codes(), gathered(game, "axis")) == (["stale"], [("ATTACK", ["0808"])])


def test_a_recovery_and_a_wreck_to_be_given_up_are_taken_back():
    tanks = [{"unit": unit, "turn": 1, "half": "axis"} for unit in ("2RGH-1", "2RGH-2")]
    wreck = {"n": 1, "side": "allied", "hex": "0505", "tanks": tanks}
    game = position("5EY@0505 2RGH-1@wreck 2RGH-2@wreck 8PZ-2@1010", side="allied", step="repair", own={"wrecks": [wreck]})
    game.allied(order("RECOVER", tank="2RGH-1", mode="TRY"))
    game.allied(order("SCRAP", wreck="W1"))
    assert game.codes() == ["recovered-instead"]
    game.allied(cancel("RECOVER", "2RGH-1"), order("SCRAP", wreck="W1"), DONE)
    assert (game.at("2RGH-1"), game.events("rolled")) == ("box:destroyed", [])


def test_a_shot_is_taken_back_until_its_side_has_closed_the_segment():
    game = segment("8PZ-1@1008 8PZ-2@1008 2RGH-1@1007", "8PZ-1 8PZ-2", tempo="full")
    game.axis(fire("8PZ-2", "2RGH-1", "1007"))
    game.axis(cancel("FIRE", "8PZ-2"), fire("8PZ-1 8PZ-2", "2RGH-1", "1007"), DONE)
    game.axis(cancel("FIRE", "8PZ-2"))
    assert game.codes() == ["nothing-gathered"]  # it is sealed
    game.allied(NOTHING, DONE, dice=[6])
    assert shots(game) == [("8PZ-1 8PZ-2", "2RGH-1", "1:1")]

"""Artillery: bombardment from afar. The target is 1008; 1007 is next to it, 1006, 1005, 1004, 1003 are two to five hexes from it.

Factor and range: 55ART-1, 55ART-2, 132ART-1, 132ART-2 6 and 4; 33ART-1 6 and 3; 33ART-3, 155ART-3 8 and 4; 7MTR 8 and 5; 74ART 6 and 4.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scenarios.hexes import parse_hex
from services.rules.engine.sequence import PHASING, Step, on
from services.rules.engine.table import Table
from services.rules.games.fall_of_tobruk import artillery, phases
from services.rules.games.fall_of_tobruk.orders import Stand
from tests.rules.fall_of_tobruk.positions import DONE, Game, barrage, move, order, position

AFTER = Step("after", "seq.5", PHASING, accepts=(on(Stand, lambda adj, args, order: None),))
MOST = "55ART-1@1006 55ART-2@1006 132ART-1@1006"
"""18 factors."""


def shelling(units: str, side: str = "axis", steps: Any = (artillery.BOMBARDMENT, AFTER), **more: Any) -> Game:
    """A position in which a side bombards; nobody is asked but in the tempo named."""
    return position(units, side=side, step="bombardment", steps=steps, **{"tempo": "blitz", **more})


def disrupted(game: Game) -> set[str]:
    return {unit for unit, counter in game.state.counters.items() if "disrupted" in counter.marks}


def factors(game: Game) -> dict[str, Any]:
    """What each gun counted in the bombardment told of last."""
    return {row["unit"]: row["factor"] for row in game.data("shelled")["guns"]}


# -- range and factors -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "artillery.1", "artillery.4", "arttable.2", "disrupt.3")
@pytest.mark.parametrize(("die", "hit"), [(1, {"5EY"}), (2, set())])
def test_guns_strike_units_that_they_do_not_stand_next_to(die, hit):
    game = shelling("55ART-1@1006 5EY@1008")
    game.axis(barrage("55ART-1", "1008"), dice=[die])
    assert disrupted(game) == hit
    assert game.data("shelled") == {
        "side": "axis",
        "hex": "1008",
        "guns": [{"unit": "55ART-1", "factor": 6}],
        "factors": 6,
        "column": 6,
    }


@pytest.mark.rule("fall-of-tobruk", "artillery.1")
def test_there_must_be_an_enemy_in_the_hex():
    game = shelling("55ART-1@1006 115@1007 5EY@1008")
    for at in ("1007", "0907"):
        game.axis(barrage("55ART-1", at))
        assert game.refusal() == ("no-enemy-there", "artillery.1")


@pytest.mark.rule("fall-of-tobruk", "artillery.2")
def test_a_target_beyond_the_range_is_out_of_reach():
    game = shelling("55ART-1@1004 55ART-2@1004 33ART-1@1004 5EY@1008")
    game.axis(barrage("55ART-1 55ART-2 33ART-1", "1008"))  # four hexes: the first two reach so far
    assert game.refusal() == ("out-of-range", "artillery.2")
    assert game.last.rejections[0].details == {"unit": "33ART-1", "hex": "1008", "distance": 4, "range": 3}
    game.axis(barrage("55ART-1 55ART-2", "1008"), dice=[1])
    assert disrupted(game) == {"5EY"}


@pytest.mark.rule("fall-of-tobruk", "artillery.3", "artillery.9", "arttable.1")
@pytest.mark.parametrize(
    ("guns", "total", "column"),
    [
        ("55ART-1@1006", 6, 6),
        ("33ART-3@1006", 8, 8),
        ("33ART-3@1006 55ART-1@1005", 11, 8),  # 8 and half of 6
        ("55ART-1@1006 55ART-2@1006", 12, 12),
        ("33ART-3@1006 155ART-3@1006", 16, 16),
        ("33ART-3@1006 55ART-1@1006 55ART-2@1005", 17, 16),
        ("55ART-1@1006 55ART-2@1006 132ART-1@1006", 18, 18),
        ("55ART-1@1006 55ART-2@1006 132ART-1@1006 132ART-2@1006", 24, 18),
    ],
)
def test_the_sum_of_the_factors_picks_the_column(guns, total, column):
    game = shelling(f"{guns} 5EY@1008")
    game.axis(barrage(" ".join(text.split("@")[0] for text in guns.split()), "1008"), dice=[6])
    assert (game.data("shelled")["factors"], game.data("shelled")["column"]) == (total, column)


@pytest.mark.rule("fall-of-tobruk", "artillery.8", "arttable.4")
def test_less_than_six_factors_do_not_fire():
    game = shelling("33ART-1@1006 55ART-1@1005 5EY@1008")
    game.axis(barrage("33ART-1", "1008"))  # half of 6
    assert game.refusal() == ("too-few-factors", "artillery.8")
    game.axis(barrage("33ART-1 55ART-1", "1008"), dice=[1])  # 3 and 3
    assert factors(game) == {"33ART-1": 3, "55ART-1": 3}


@pytest.mark.rule("fall-of-tobruk", "artillery.16", "artillery.18", "artillery.19", "artillery.20")
@pytest.mark.parametrize(
    ("side", "gun", "far", "factor"),
    [
        ("axis", "33ART-1", 1, 6),
        ("axis", "33ART-1", 2, 3),
        ("axis", "33ART-1", 3, 3),
        ("axis", "33ART-3", 2, 8),
        ("axis", "33ART-3", 3, 4),
        ("axis", "33ART-3", 4, 4),
        ("allied", "7MTR", 2, 8),
        ("allied", "7MTR", 3, 4),
        ("allied", "7MTR", 5, 4),
    ],
)
def test_guns_count_half_beyond_half_their_range(side, gun, far, factor):
    other, target = ("55ART-1", "5EY") if side == "axis" else ("74ART", "115")
    game = shelling(f"{gun}@10{8 - far:02d} {other}@0908 {target}@1008", side)
    game.send(side, barrage(f"{gun} {other}", "1008"), dice=[6])
    assert factors(game) == {gun: factor, other: 6}


@pytest.mark.rule("fall-of-tobruk", "artillery.16", "artillery.17")
def test_guns_of_range_two_never_count_half_and_those_of_no_printed_range_by_the_rule():
    game = shelling("33ART-1@1006 5EY@1008")

    def at_two(reach: int) -> Any:
        cards = {**game.module.data.cards}
        cards["33ART-1"] = replace(cards["33ART-1"], values={**cards["33ART-1"].values, "range": reach})
        table = Table(replace(game.module, data=replace(game.module.data, cards=cards)), game.state)
        return artillery.factor(table, "33ART-1", parse_hex("1008"))

    assert (at_two(2), at_two(3), at_two(6)) == (6, 3, 6)
    cards = {**game.module.data.cards}
    cards["33ART-1"] = replace(cards["33ART-1"], values={**cards["33ART-1"].values, "range": 6})
    table = Table(replace(game.module, data=replace(game.module.data, cards=cards)), game.state)
    assert artillery.factor(table, "33ART-1", parse_hex("1005")) == 6  # three of six: not more than half
    assert artillery.factor(table, "33ART-1", parse_hex("1010")) == 3  # four of six


# -- the dice --------------------------------------------------------------------------------------------------------------------

COLUMNS = {6: "55ART-1", 8: "33ART-3", 12: "55ART-1 55ART-2", 16: "33ART-3 155ART-3", 18: "55ART-1 55ART-2 132ART-1"}


@pytest.mark.rule("fall-of-tobruk", "arttable.r1", "arttable.r2", "arttable.r3", "arttable.r4", "arttable.3")
@pytest.mark.parametrize(("die", "least"), [(1, 6), (2, 8), (3, 12), (4, 16)])
@pytest.mark.parametrize("column", COLUMNS)
def test_printed_rows_disrupt_from_a_column_upward(die, least, column):
    game = shelling(" ".join(f"{gun}@1006" for gun in COLUMNS[column].split()) + " 5EY@1008")
    game.axis(barrage(COLUMNS[column], "1008"), dice=[die])
    assert disrupted(game) == ({"5EY"} if column >= least else set())


@pytest.mark.rule("fall-of-tobruk", "arttable.r5")
def test_rows_that_are_not_printed_are_the_packages():
    rows = {row["die"]: row for row in position("").module.data.charts["artillery"]}
    for die in (5, 6):
        game = shelling(f"{MOST} 5EY@1008")
        game.axis(barrage("55ART-1 55ART-2 132ART-1", "1008"), dice=[die])
        assert disrupted(game) == ({"5EY"} if rows[die]["18"] == "D" else set())


@pytest.mark.rule("fall-of-tobruk", "artillery.5")
@pytest.mark.parametrize(("die", "hit"), [(1, True), (2, True), (4, False), (5, False)])
def test_two_are_added_for_tanks_and_nothing_happens_beyond_the_table(die, hit):
    game = shelling(f"{MOST} 2RGH-1@1008")
    game.axis(barrage("55ART-1 55ART-2 132ART-1", "1008"), dice=[die])  # 18: 1 to 4 disrupt as printed; 4 is 6, 5 is 7 here
    assert disrupted(game) == ({"2RGH-1"} if hit else set())
    assert game.data("rolled")["modifiers"] == [{"n": 2, "why": "tank", "clause": "artillery.5"}]


@pytest.mark.rule("fall-of-tobruk", "artillery.6", "artillery.7")
def test_each_unit_in_the_hex_has_a_die_and_a_result_of_its_own():
    game = shelling("33ART-3@1006 2RGH-1@1008 5EY@1008 6GH@1008")
    game.axis(barrage("33ART-3", "1008"), dice=[1, 3, 2])  # column 8-11, in the order of ids; the tank's 1 is 3
    assert disrupted(game) == {"6GH"}
    assert [event.data["key"][6] for event in game.events("rolled")] == ["2RGH-1", "5EY", "6GH"]


@pytest.mark.rule("fall-of-tobruk", "boxes.3", "boxes.4")
def test_in_a_box_artillery_alone_is_bombarded():
    game = shelling(f"{MOST} 5EY@1008 74ART@1008", boxes="1008")
    game.axis(barrage("55ART-1 55ART-2 132ART-1", "1008"), dice=[1])  # one die, for the guns
    assert disrupted(game) == {"74ART"}
    game = shelling(f"{MOST} 5EY@1008", boxes="1008")
    game.axis(barrage("55ART-1 55ART-2 132ART-1", "1008"))
    assert game.refusal() == ("no-artillery-in-box", "boxes.3")


@pytest.mark.rule("fall-of-tobruk", "boxes.1", "boxes.8")
def test_a_box_of_two_hexes_shelters_either_sides_units():
    game = shelling("74ART@1006 2SAART@1006 1SAART@1006 115@1008 55ART-1@1009", "allied", boxes="1008+1009")
    game.allied(barrage("74ART 2SAART 1SAART", "1008"))
    assert game.refusal() == ("no-artillery-in-box", "boxes.3")
    game.allied(barrage("74ART 2SAART 1SAART", "1009"), dice=[1])  # three hexes away: 9
    assert disrupted(game) == {"55ART-1"}


# -- who fires, and how often ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "artillery.15")
def test_who_has_no_artillery_factor_and_range_does_not_bombard():
    game = shelling(f"{MOST} 88-1@1007 5EY@1008")
    game.axis(barrage("55ART-1 88-1", "1008"))
    assert game.refusal() == ("not-artillery", "artillery.15")
    game = shelling(f"{MOST} 33ART-1@refit 5EY@1008")
    game.axis(barrage("55ART-1 33ART-1", "1008"))
    assert game.refusal() == ("not-on-map", "artillery.1")


@pytest.mark.rule("fall-of-tobruk", "disrupt.13")
def test_a_disrupted_gun_does_not_bombard():
    game = shelling(f"{MOST} 5EY@1008", marks={"disrupted": "55ART-1"})
    game.axis(barrage("55ART-1", "1008"))
    assert game.refusal() == ("disrupted-gun", "disrupt.13")
    alone = shelling("55ART-1@1006 5EY@1008", marks={"disrupted": "55ART-1"})
    alone.axis(DONE)
    assert alone.events("shelled") == []


@pytest.mark.rule("fall-of-tobruk", "seq.3", "seq.4", "artillery.10")
def test_guns_that_have_bombarded_do_not_move():
    game = shelling("55ART-1@1006 55ART-2@1006 5EY@1008", steps=(artillery.BOMBARDMENT, phases.MOVEMENT))
    game.axis(barrage("55ART-1", "1008"), DONE, dice=[6])
    assert (game.marks("55ART-1"), game.marks("55ART-2")) == ({"shelled"}, set())
    game.axis(move("55ART-1", "1005"))
    assert len(game.codes()) == 1
    assert game.last.rejections[0].clause == "artillery.10"
    game.axis(move("55ART-2", "1005"))
    assert (game.at("55ART-1"), game.at("55ART-2")) == ("1006", "1005")


@pytest.mark.rule("fall-of-tobruk", "artillery.1")
def test_a_gun_fires_at_one_hex_in_a_player_turn():
    game = shelling("55ART-1@1006 55ART-2@1006 5EY@1008 6GH@1009")
    game.axis(barrage("55ART-1", "1008"), dice=[6])
    game.axis(barrage("55ART-1 55ART-2", "1009"))
    assert game.refusal() == ("bombarded-already", "artillery.1")
    game.axis(barrage("55ART-1 55ART-1", "1008"))
    assert game.codes() == ["malformed"]


@pytest.mark.rule("fall-of-tobruk", "artillery.3")
def test_a_hex_is_shelled_by_several_salvoes_or_by_option_by_one_alone():
    game = shelling("55ART-1@1006 55ART-2@1006 5EY@1008")
    game.axis(barrage("55ART-1", "1008"), barrage("55ART-2", "1008"), dice=[6, 1])
    assert disrupted(game) == {"5EY"}
    game = shelling("55ART-1@1006 55ART-2@1006 5EY@1008 6GH@0908", multi_salvo=False)
    game.axis(barrage("55ART-1", "1008"), dice=[6])
    game.axis(barrage("55ART-2", "1008"))
    assert game.refusal() == ("shelled-already", "artillery.3")


@pytest.mark.rule("fall-of-tobruk", "artillery.1")
def test_another_target_is_for_the_case_that_the_first_has_gone():
    game = shelling("55ART-1@1006 5EY@1008")
    game.axis(barrage("55ART-1", "0908", else_hex="1008"), dice=[1])
    assert disrupted(game) == {"5EY"}
    game = shelling("55ART-1@1006 5EY@1008 6GH@0908")
    game.axis(barrage("55ART-1", "0908", else_hex="1008"), dice=[1])
    assert disrupted(game) == {"6GH"}


@pytest.mark.rule("fall-of-tobruk", "seq.3")
def test_the_step_is_passed_over_where_no_guns_together_reach_six_factors():
    game = shelling("33ART-1@1006 55ART-1@1003 5EY@1008")
    game.axis(order("STAND", units=["33ART-1"]))
    assert game.place == "5 axis after"


@pytest.mark.rule("fall-of-tobruk", "paralysis.7")
def test_who_is_bombarded_on_the_first_day_is_roused_even_without_effect():
    game = shelling("55ART-1@1006 5EY@1008 74ART@1008 6GH@0909", turn=1, boxes="1008")
    game.axis(barrage("55ART-1", "1008"), dice=[6])
    assert (game.marks("74ART"), game.marks("5EY"), game.marks("6GH")) == ({"roused"}, set(), set())

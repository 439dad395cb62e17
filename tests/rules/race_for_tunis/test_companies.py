"""11.2 Battalions break down into companies and recombine; 7.0 three companies stack as a battalion."""

import pytest

from tests.rules.race_for_tunis.positions import DONE, Game, move, order, position

FAR = "1ES@2125"


def split(unit: str):
    return order("SPLIT", unit=unit)


def rejoin(battalion: str, units: str):
    return order("REJOIN", units=units.split(), battalion=battalion)


def spent(game: Game, unit: str) -> object:
    return game.state.counters[unit].num.get("spent", 0)


@pytest.mark.rule("race-for-tunis", "11.2.A-2", "11.2.A-4")
@pytest.mark.parametrize(
    ("battalion", "companies"),
    [
        ("7-10-I", "1-7-10 2-7-10 3-7-10"),
        ("7-10-II", "5-7-10 6-7-10 7-7-10"),
        ("190PZ", "1-190PZ 2-190PZ"),
        ("190AC", "1-190AC 2-190AC"),
    ],
)
def test_panzer_and_recon_battalions_break_down(battalion, companies):
    game = position(f"{battalion}@1313 {FAR}")
    attack = game.module.data.cards[battalion].values["attack"]
    game.axis(split(battalion))
    assert game.at(battalion) == "box:component"
    assert {game.at(unit) for unit in companies.split()} == {"1313"}
    assert sum(game.module.data.cards[unit].values["attack"] for unit in companies.split()) == attack


@pytest.mark.rule("race-for-tunis", "11.2.A-2")
@pytest.mark.parametrize("unit", ["69-10-I", "10KS", "557AG", "1-501", "CNT-I", "T1", "1-190PZ"])
def test_nothing_else_does(unit):
    game = position(f"{unit}@1313 {FAR}")
    game.axis(split(unit))
    assert (game.refusal(), game.at(unit)) == (("cannot-break-down", "11.2.A-1"), "1313")


@pytest.mark.rule("race-for-tunis", "11.2.A-3", "11.2.A-4")
def test_another_company_of_its_parent_stands_in_for_one_that_is_in_play():
    # I 7th Panzer was made of the 1st, 2nd and 5th Company; the 3rd stands elsewhere, the 6th and the 7th are lost.
    mixed = f"7-10-I@1313 3-7-10@1512 6-7-10@dead 7-7-10@dead {FAR}"
    game = position(mixed)
    game.axis(split("7-10-I"))
    assert [game.at(unit) for unit in ("1-7-10", "2-7-10", "5-7-10", "3-7-10", "7-10-I")] == ["1313"] * 3 + ["1512", "box:component"]
    # With another lost, no three companies are at hand, and those of the 190th are none of its.
    game = position(f"{mixed} 5-7-10@dead 190PZ@1413")
    game.axis(split("7-10-I"))
    assert (game.refusal(), game.at("7-10-I")) == (("companies-in-play", "11.2.A-3"), "1313")
    # On its way the battalion goes on by its own companies; who stands in has moved for this turn.
    game = position(mixed)
    game.axis(move("7-10-I", "1413"), split("7-10-I"), move("1-7-10", "1412"), move("2-7-10", "1412"))
    assert (game.codes(), game.at("1-7-10"), game.at("2-7-10")) == ([], "1412", "1412")
    game.axis(move("5-7-10", "1412"))
    assert game.refusal() == ("moved-already", "6.0.B-2")


@pytest.mark.rule("race-for-tunis", "11.2.C")
def test_it_costs_no_points():
    game = position(f"7-10-I@1313 {FAR}")
    game.axis(split("7-10-I"), move("1-7-10", "1413 1412 1312 1212 1211 1112 1012 1113"))
    assert (game.at("1-7-10"), spent(game, "1-7-10")) == ("1113", 8)  # all it has
    game.axis(move("2-7-10", "1413"))
    assert spent(game, "2-7-10") == 1


@pytest.mark.rule("race-for-tunis", "11.2.C", "11.2.B-1", "6.0.B-2")
def test_companies_of_a_battalion_on_its_way_have_what_it_has_left_and_go_on_one_after_the_other():
    game = position(f"190PZ@1313 T1@1211 {FAR}")
    game.axis(move("190PZ", "1413 1412 1313"), split("190PZ"))  # 3 of 8
    assert [spent(game, unit) for unit in ("1-190PZ", "2-190PZ")] == [3, 3]
    way = "1413 1412 1313 1413 1412"
    game.axis(move("1-190PZ", f"{way} 1313"))  # 6 are too many
    assert game.refusal() == ("too-far", "6.0.C-2")
    game.axis(move("1-190PZ", "1413"), move("2-190PZ", way))
    assert [(game.at(unit), spent(game, unit)) for unit in ("1-190PZ", "2-190PZ")] == [("1413", 4), ("1412", 8)]
    game.axis(move("1-190PZ", "1412"))
    assert game.refusal() == ("moved-already", "6.0.B-2")
    # Another unit that begins to move ends the way of both.
    game = position(f"190PZ@1313 T1@1211 {FAR}")
    game.axis(move("190PZ", "1413"), split("190PZ"), move("T1", "1212"))
    assert all("done" in game.marks(unit) for unit in ("1-190PZ", "2-190PZ"))
    game.axis(move("1-190PZ", "1412"))
    assert game.refusal() == ("moved-already", "6.0.B-2")
    # So does it where the battalion had done before it broke down.
    game = position(f"190PZ@1313 T1@1211 {FAR}")
    game.axis(move("190PZ", "1413"), move("T1", "1212"), split("190PZ"), move("2-190PZ", "1412"))
    assert game.refusal() == ("moved-already", "6.0.B-2")


@pytest.mark.rule("race-for-tunis", "11.2.D-2")
def test_they_rejoin_as_the_phase_opens_and_then_move_as_one_and_never_in_its_course():
    units = f"1-190PZ@0813 2-190PZ@0813 {FAR}"
    game = position(units, step="opening")
    game.axis(rejoin("190PZ", "1-190PZ 2-190PZ"), DONE, move("190PZ", "0714"))
    assert (game.at("190PZ"), spent(game, "190PZ")) == ("0714", 0.5)
    game = position(units)  # in the movement step the order waits for its end, and then nothing moves any more
    game.axis(rejoin("190PZ", "1-190PZ 2-190PZ"), move("190PZ", "0714"))
    assert (game.at("190PZ"), game.codes()) == ("0813", ["step-passed"])
    for step in ("package", "allotment"):
        game = position(units, step=step)
        game.axis(rejoin("190PZ", "1-190PZ 2-190PZ"))
        assert (game.at("190PZ"), game.codes()) == ("box:component", ["not-in-this-step"])


@pytest.mark.rule("race-for-tunis", "11.2.E-2")
def test_at_the_end_of_the_phase_all_the_companies_must_be_in_one_hex():
    game = position(f"1-7-10@0813 2-7-10@0813 3-7-10@0714 {FAR}")
    game.axis(rejoin("7-10-I", "1-7-10 2-7-10 3-7-10"))
    assert (game.refusal(), game.at("7-10-I")) == (("not-in-one-hex", "11.2.E-1"), "box:component")
    game.axis(move("3-7-10", "0813"), rejoin("7-10-I", "1-7-10 2-7-10 3-7-10"), DONE)
    assert game.at("7-10-I") == "0813"


@pytest.mark.rule("race-for-tunis", "11.2.D-1")
def test_a_company_named_twice_is_one_company():
    game = position(f"1-190PZ@0813 2-190PZ@0813 {FAR}", step="opening")
    game.axis(rejoin("190PZ", "1-190PZ 1-190PZ"), DONE)  # 4 of 8
    assert (game.refusal(), game.at("190PZ")) == (("do-not-make-a-battalion", "11.2.D-1"), "box:component")
    game.axis(rejoin("190PZ", "1-190PZ 2-190PZ"), DONE)
    assert (game.at("190PZ"), game.at("2-190PZ")) == ("0813", "box:component")


@pytest.mark.rule("race-for-tunis", "11.2.D-1")
def test_units_without_a_parent_make_no_battalion():
    game = position(f"1-190PZ@0813 T2@0813 1-501@0813 {FAR}", step="opening")
    for others in ("T2", "1-501"):
        game.axis(rejoin("190PZ", f"1-190PZ {others}"))
        assert game.refusal() == ("do-not-make-a-battalion", "11.2.D-1")
        assert game.last.rejections[0].details["units"] == [others]


# -- stacking ------------------------------------------------------------------------------------------------------------------------

THREE = "1-7-10@0714 2-7-10@0714 3-7-10@0714"


@pytest.mark.rule("race-for-tunis", "7.0.C-3")
@pytest.mark.parametrize(
    ("stack", "fits"),
    [
        (f"T1@0714 T2@0714 {THREE}", True),
        (f"T1@0714 T2@0714 {THREE} II-90@0714", True),  # 3 and a support unit
        (f"T1@0714 T2@0714 {THREE} 5-7-10@0714", False),  # 3 1/3
        ("T1@0714 T2@0714 T3@0714 1-7-10@0714", False),
        (f"T1@0714 {THREE} 5-7-10@0714 6-7-10@0714 7-7-10@0714", True),
    ],
)
def test_three_companies_stack_as_one_battalion(stack, fits):
    game = position(f"{stack} {FAR}")
    game.axis(order("DONE", turn=True))
    assert (game.codes(), game.place) == (([], "5 allied movement") if fits else (["stacking"], "5 axis movement"))


@pytest.mark.rule("race-for-tunis", "11.2.A-3")
def test_what_has_no_companies_at_hand_does_not_break_down():
    game = position(f"7-10-I@off 7-10-II@1313 {FAR}")
    game.axis(split("7-10-I"))
    assert game.refusal() == ("not-on-map", "11.2.A-1")
    game = position(f"1-7-10@1313 2-7-10@1413 7-7-10@1413 6-7-10@dead 5-7-10@dead 3-7-10@dead 7-10-II@1313 {FAR}")
    game.axis(split("7-10-II"))
    assert game.refusal() == ("companies-in-play", "11.2.A-3")
    assert game.last.rejections[0].details["units"] == ["5-7-10", "6-7-10", "7-7-10"]


@pytest.mark.rule("race-for-tunis", "11.2.A-3")
def test_a_battalion_made_of_mixed_companies_breaks_down_into_them_again():
    # A company of the first battalion goes into the second, whose 5th stays about.
    units = f"1-7-10@1313 6-7-10@1313 7-7-10@1313 5-7-10@1413 {FAR}"
    game = position(units, step="opening")
    game.axis(rejoin("7-10-II", "1-7-10 6-7-10 7-7-10"), DONE)
    assert game.at("7-10-II") == "1313"
    game.axis(split("7-10-II"))
    assert [game.at(unit) for unit in ("1-7-10", "6-7-10", "7-7-10", "5-7-10")] == ["1313", "1313", "1313", "1413"]


@pytest.mark.rule("race-for-tunis", "7.0.A-2", "11.2.E-1")
def test_they_do_not_rejoin_at_the_end_of_the_phase_where_the_battalion_is_too_much():
    # Two battalions, two companies of the 190th and one of the 7th are 3; with the 190th whole, which counts 1, they would be 3 1/3.
    units = f"T1@0813 T2@0813 1-7-10@0813 1-190PZ@0813 2-190PZ@0813 {FAR}"
    game = position(units, step="rejoin")
    game.axis(rejoin("190PZ", "1-190PZ 2-190PZ"))
    assert game.refusal() == ("stacking", "7.0.A-2")
    game = position(units, step="opening")  # as the phase opens they may still move apart
    game.axis(rejoin("190PZ", "1-190PZ 2-190PZ"), DONE)
    assert game.at("190PZ") == "0813"

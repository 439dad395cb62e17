"""7. Morale checks, and the order in which results of the tables are carried out.

A barrage of C-4RHA (4 factors) from 2821 at 2824, whose column 4 is M on a 3 or 4, M1 on a 5, M2 on a 6. Morale: BAB 8, PAS 6, FER 7.
"""

import json

import pytest

from services.rules.games.beda_fomm import checks
from services.rules.schemas.state import dump_state, load_state
from tests.rules.beda_fomm.positions import DONE, Game, on, order, position


def shelled(units: str, dice: list[int], **more: object) -> Game:
    """What units in 2824 have after a barrage: a die of the table each, by id, then two for each check."""
    target = " ".join(f"{unit}@2824" for unit in units.split())
    game = position(f"C-4RHA@2821 {target}", side="british", step="barrage", **{"tempo": "blitz", **more})
    game.british(order("BARRAGE", guns=["C-4RHA"], target="2824"), dice=dice)
    return game


def checked(game: Game) -> list[tuple[str, int, int, bool]]:
    return [(e.data["unit"], e.data["total"], e.data["level"], e.data["passed"]) for e in game.events("morale_check")]


@pytest.mark.rule("beda-fomm", "7.0e", "7.0g", "7.0h", "7.0c")
@pytest.mark.parametrize(("dice", "passes"), [((4, 4), True), ((2, 6), True), ((4, 5), False), ((1, 1), True)])
def test_two_dice_up_to_the_level_pass(dice: tuple[int, int], passes: bool):
    game = shelled("BAB-MC", [4, *dice])  # BAB 8
    assert checked(game) == [("BAB-MC", sum(dice), 8, passes)]
    assert (game.at("BAB-MC") == "2824", game.morale("BAB")) == (passes, 8 if passes else 7)


@pytest.mark.rule("beda-fomm", "7.0f")
@pytest.mark.parametrize(("die", "n"), [(4, 0), (5, 1), (6, 2)])
def test_some_results_add_to_the_roll(die: int, n: int):
    game = shelled("BAB-MC", [die, 3, 4])
    assert checked(game) == [("BAB-MC", 7 + n, 8, n < 2)]
    assert [event.data["modifiers"] for event in game.events("rolled")][1] == ([{"n": n, "why": "barrage", "clause": "7.0f"}] if n else [])


@pytest.mark.rule("beda-fomm", "7.0d")
def test_only_the_unit_concerned_checks_and_not_its_sisters():
    game = shelled("BAB-MC", [4, 6, 6])
    assert [unit for unit, *_ in checked(game)] == ["BAB-MC"]
    game = position("C-4RHA@2821 BAB-MC@2824 BAB-ART@2826", side="british", step="barrage", tempo="blitz")
    game.british(order("BARRAGE", guns=["C-4RHA"], target="2824"), dice=[4, 6, 6])
    assert [unit for unit, *_ in checked(game)] == ["BAB-MC"]


@pytest.mark.rule("beda-fomm", "7.21a", "7.22a")
@pytest.mark.parametrize(("total", "lives"), [(7, True), (8, True), (9, True), (10, False), (12, False)])
def test_failed_by_up_to_3_it_retreats_by_4_it_dies(total: int, lives: bool):
    game = shelled("PAS-INF", [4, total // 2, total - total // 2])  # PAS 6
    assert (game.at("PAS-INF") == "2826", game.at("PAS-INF") == "box:eliminated") == (lives, not lives)
    assert ("retreated" in game.kinds(), "eliminated" in game.kinds()) == (lives, not lives)


@pytest.mark.rule("beda-fomm", "7.22b")
def test_at_a_level_of_2_a_total_of_6_eliminates():
    game = shelled("PAS-INF", [4, 3, 3], morale={"PAS": 2})
    assert game.at("PAS-INF") == "box:eliminated"
    game = shelled("PAS-INF", [4, 2, 3], morale={"PAS": 2})
    assert game.at("PAS-INF") == "2826"


@pytest.mark.rule("beda-fomm", "7.31a", "7.32b", "7.32a")
def test_a_check_failed_by_4_costs_one_level_in_all():
    game = shelled("PAS-INF", [4, 5, 5])
    assert (game.at("PAS-INF"), game.morale("PAS"), game.kinds().count("morale_fell")) == ("box:eliminated", 5, 1)


@pytest.mark.rule("beda-fomm", "7.32c")
def test_a_check_failed_by_2_without_a_way_to_retreat_costs_one_level_in_all():
    game = shelled("FER-AT", [4, 4, 5])  # weapons off road: every hex around is closed to them
    assert (game.at("FER-AT"), game.morale("FER"), game.kinds().count("morale_fell")) == ("box:eliminated", 6, 1)


@pytest.mark.rule("beda-fomm", "7.31b")
def test_an_elimination_by_the_table_costs_a_level_without_a_check():
    game = position("C-4RHA@2821 F-4RHA@2821 PAS-INF@2824", side="british", step="barrage")
    game.british(order("BARRAGE", guns=["C-4RHA", "F-4RHA"], target="2824"), dice=[6])  # column 8
    assert (game.at("PAS-INF"), game.morale("PAS"), checked(game)) == ("box:eliminated", 5, [])


def test_a_level_never_falls_below_nought_and_then_every_check_fails():
    game = shelled("PAS-INF", [4, 1, 1], morale={"PAS": 0})  # 2 against 0: failed by 2
    assert (game.at("PAS-INF"), game.morale("PAS")) == ("2826", 0)


@pytest.mark.rule("beda-fomm", "7.0i", "7.31a")
def test_the_level_falls_between_the_checks_of_one_formation():
    # BAB-MC and BAB-AT, 8. The motorcycles fail with 9; the guns then check at 7 and fail with 8, which would have passed before.
    game = shelled("BAB-AT BAB-MC", [4, 4], tempo="normal")
    game.italian(order("CHECKS", units=["BAB-MC"]), order("RETREAT", unit="BAB-MC", hex="2826"), dice=[5, 4, 4, 4])
    assert checked(game) == [("BAB-MC", 9, 8, False), ("BAB-AT", 8, 7, False)]
    assert (game.morale("BAB"), game.at("BAB-MC"), game.at("BAB-AT")) == (6, "2826", "box:eliminated")


# -- the order of checks ---------------------------------------------------------------------------------------------------------

STACK = "10B-MC@2824 BAB-6-1@2824 PAS-INF@2824 BAB-MC@2824"  # for its order alone: no such stack is legal


def test_without_a_word_battalions_check_first_then_armor_then_the_others_by_id():
    game = position(f"C-4RHA@2821 F-4RHA@2821 {STACK}", side="british", step="barrage", tempo="blitz")
    game.british(order("BARRAGE", guns=["C-4RHA", "F-4RHA"], target="2824"), dice=[1, 3, 1, 1, *[1, 1] * 4])
    # Column 8 (tanks 5): 1 is M but for the tank, whose 3 is M on column 5.
    assert [unit for unit, *_ in checked(game)] == ["10B-MC", "BAB-6-1", "BAB-MC", "PAS-INF"]


@pytest.mark.rule("beda-fomm", "12.43a")
def test_their_owner_says_in_which_order_they_check_and_the_rest_comes_after():
    game = shelled("BAB-MC FER-INF PAS-INF", [4, 4, 4, 1], tempo="normal")
    (decision,) = game.state.pending
    assert (decision.kind, decision.side, decision.default) == ("checks", "italian", {"units": ["FER-INF", "BAB-MC", "PAS-INF"]})
    game.italian(order("CHECKS", units=["COL-ART"]))
    assert game.refusal() == ("not-to-be-checked", "12.43a")
    game.italian(order("CHECKS", units=["PAS-INF"]), dice=[1, 1] * 3)
    assert [unit for unit, *_ in checked(game)] == ["PAS-INF", "FER-INF", "BAB-MC"]


def test_a_standing_order_for_the_order_of_checks_names_whom_it_likes():
    game = position("C-4RHA@2821 COL-ART@3335 BAB-MC@2824 PAS-INF@2824", step="interdiction", tempo="normal")
    game.italian(standing=[on("CHECKS", order("CHECKS", units=["FER-INF", "PAS-INF"]))])
    game.italian(DONE)
    game.british(order("BARRAGE", guns=["C-4RHA"], target="2824"), dice=[4, 4, 1, 1, 1, 1])
    assert [unit for unit, *_ in checked(game)] == ["PAS-INF", "BAB-MC"]


def test_one_check_alone_asks_nothing():
    game = shelled("BAB-MC PAS-INF", [4, 1, 1, 1], tempo="full")
    assert (game.state.pending, [unit for unit, *_ in checked(game)]) == ((), ["BAB-MC"])


def test_a_state_that_waits_among_results_travels_as_json():
    game = position(
        "C-4RHA@2821 BAB-MC@2824 PAS-INF@2824 SAB-MG@2826 T-1:parked@2824",
        side="british",
        step="barrage",
        tempo="full",
        retreat_checks=True,
        parked_in_company="fate",
    )
    game.british(order("BARRAGE", guns=["C-4RHA"], target="2824"), dice=[4, 4])
    answers = [
        order("CHECKS", units=["PAS-INF"]),
        order("RETREAT", unit="PAS-INF", hex="2826"),
        order("RETREAT", unit="SAB-MG", hex="2828"),
    ]
    for answer, dice in zip(answers, ([4, 4], [4, 4], [1, 1]), strict=True):
        assert game.state.pending
        game.state = load_state(json.loads(json.dumps(dump_state(game.state))))
        game.italian(answer, dice=dice)
        assert game.last.status == "done"
    assert (game.at("PAS-INF"), game.at("SAB-MG"), game.at("T-1"), game.at("BAB-MC")) == ("2826", "2828", "box:eliminated", "2824")


def test_results_are_told_apart_by_their_weight():
    assert sorted(["E", "M", "M3", "M1"], key=checks.severity) == ["M", "M1", "M3", "E"]

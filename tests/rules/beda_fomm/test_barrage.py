"""10.0, 10.1, 10.3, 10.5: guns, range, attack barrages. Column 28 is clear from 2818 to 2840: every hex of it is spotted from another."""

import pytest

from scenarios.hexes import parse_hex
from services.rules.games.beda_fomm.barrage import column_for, columns_of, table_result
from services.rules.games.beda_fomm.guns import factor_at
from tests.rules.beda_fomm.positions import DONE, Game, on, order, position

# Of the printed table (rows: die): columns 1 to 10.
TABLE = {
    1: "- - - - - - - M M M",
    2: "- - - - - M M M M1 M1",
    3: "- - - M M M M1 M1 M1 M2",
    4: "- - M M M1 M1 M1 M2 M2 M2",
    5: "- M M M1 M1 M2 M2 M2 M3 E",
    6: "M M1 M1 M2 M2 M3 E E E E",
}
# Keeps the barrage step open, so that what was fired is still seen to be: a second gun with a target of its own.
ANOTHER = "F-4RHA@3221 BAB-MC@3223"


def barrage(guns: str, target: str, **more: object):
    return order("BARRAGE", guns=guns.split(), target=target, **more)


def columns(game: Game) -> dict[str, int | None]:
    return dict(game.data("barrage")["columns"])


# -- range and factors -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("beda-fomm", "10.11a", "10.12a", "10.12b")
def test_range_counts_the_target_and_not_the_guns_own_hex():
    game = position("C-4RHA@2821 COL-AT@2829 COL-LAA@2828", side="british", step="barrage")
    game.british(barrage("C-4RHA", "2829"))  # 22, 23 .. 29: eight hexes
    assert game.refusal() == ("out-of-range", "10.11a")
    assert (game.last.rejections[0].details["distance"], game.last.rejections[0].details["range"]) == (8, 7)
    game.british(barrage("C-4RHA", "2828"), dice=[1])  # seven
    assert game.data("barrage")["factors"] == 2


@pytest.mark.rule("beda-fomm", "10.13a", "10.13b", "10.13c", "10.0g")
@pytest.mark.parametrize(("target", "factors"), [("2822", 4), ("2824", 4), ("2825", 2), ("2828", 2)])
def test_range_7_is_full_to_3_hexes_and_half_from_4_to_7(target: str, factors: int):
    game = position(f"C-4RHA@2821 COL-AT@{target}", side="british", step="barrage")
    game.british(barrage("C-4RHA", target), dice=[1])
    assert game.data("barrage")["factors"] == factors


@pytest.mark.rule("beda-fomm", "10.13d", "10.13e")
def test_halves_go_up_battery_by_battery():
    # CRU-ART and PAS-ART: 5 factors, range 8. At 5 hexes 5/2 is 3 each: 6 together, and not half of 10.
    game = position("CRU-ART@2821 PAS-ART@2821 2RB-A@2826", step="barrage")
    game.italian(barrage("CRU-ART PAS-ART", "2826"), dice=[1])
    assert game.data("barrage")["factors"] == 6
    assert [factor_at(game.table, "CRU-ART", parse_hex(at)) for at in ("2825", "2826", "2829", "2830")] == [5, 3, 3, 0]


def test_an_odd_range_is_halved_without_its_fraction():
    game = position("ALL-ART@2821 2RB-A@2824", step="barrage")  # range 5: full to 2
    assert [factor_at(game.table, "ALL-ART", parse_hex(at)) for at in ("2823", "2824", "2826")] == [4, 2, 2]


@pytest.mark.rule("beda-fomm", "2.0z")
def test_an_adjacent_hex_is_a_lawful_target_at_full_factor():
    game = position("C-4RHA@2821 COL-AT@2822", side="british", step="barrage")
    game.british(barrage("C-4RHA", "2822"), dice=[1])
    assert game.data("barrage")["factors"] == 4


# -- who fires at what -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("beda-fomm", "10.3a")
def test_only_guns_of_one_stack_fire_together():
    game = position(f"C-4RHA@2821 F-4RHA@2921 COL-AT@2824 {ANOTHER.split()[1]}", side="british", step="barrage")
    game.british(barrage("C-4RHA F-4RHA", "2824"))
    assert game.refusal() == ("not-one-stack", "10.3a")
    game = position("C-4RHA@2821 F-4RHA@2821 COL-AT@2824", side="british", step="barrage")
    game.british(barrage("C-4RHA F-4RHA", "2824"), dice=[1, 1, 1])  # column 8 of die 1 is M, passed
    assert game.data("barrage")["factors"] == 8


@pytest.mark.rule("beda-fomm", "10.3b", "10.0d")
def test_a_hex_takes_one_attack_barrage_of_a_side_and_guns_of_a_stack_may_part():
    game = position(f"C-4RHA@2821 F-4RHA@2821 COL-AT@2824 COL-LAA@2823 {ANOTHER.split()[1]}", side="british", step="barrage")
    game.british(barrage("C-4RHA", "2824"), barrage("F-4RHA", "2824"), dice=[1], fault="stop")
    assert game.refusal() == ("barraged-already", "10.0d")
    game.british(barrage("F-4RHA", "2823"), dice=[1])
    assert game.data("barrage")["hex"] == "2823"


@pytest.mark.rule("beda-fomm", "10.0d")
def test_an_interdiction_and_an_attack_on_one_hex_are_one_of_each_kind():
    game = position("C-4RHA@2821 F-4RHA@2821 COL-AT@2824", side="british", step="interdiction")
    game.british(order("INTERDICT", guns=["C-4RHA"], hex="2824"), barrage("F-4RHA", "2824"), dice=[1])
    assert (game.data("interdicted")["factors"], game.data("barrage")["factors"]) == (4, 4)


@pytest.mark.rule("beda-fomm", "10.0b", "10.55a", "10.53a", "10.14c")
def test_a_gun_that_fired_is_turned_over_and_fires_no_more_and_the_hex_is_marked():
    game = position(f"C-4RHA@2821 COL-AT@2824 COL-LAA@2823 {ANOTHER}", side="british", step="barrage")
    game.british(barrage("C-4RHA", "2824"), dice=[1])
    assert (game.face("C-4RHA"), game.own("barraged")) == ("fired", {"2824": "british"})
    game.british(barrage("C-4RHA", "2823"))
    assert game.refusal() == ("fired-already", "10.0b")
    game.british(DONE)
    assert (game.face("C-4RHA"), game.own("barraged")) == ("", {})  # after regular combat (8.2i, 8.2j)


@pytest.mark.rule("beda-fomm", "2.0n")
@pytest.mark.parametrize(
    ("guns", "target", "why"),
    [
        ("C-4RHA", "2825", ("no-enemy-there", "10.5a")),  # nobody
        ("C-4RHA", "2822", ("no-enemy-there", "10.5a")),  # friends
        ("106RHA", "2824", ("no-artillery", "10.0a")),
        ("F-4RHA", "2824", ("not-on-map", "10.0a")),
        ("C-4RHA C-4RHA", "2824", ("named-twice", "10.3a")),
    ],
)
def test_an_attack_barrage_is_by_artillery_at_a_hex_with_an_enemy(guns: str, target: str, why: tuple[str, str]):
    game = position("C-4RHA@2821 106RHA@2822 F-4RHA@off COL-AT@2824", side="british", step="barrage")
    game.british(barrage(guns, target))
    assert game.refusal() == why


def test_a_gun_that_moved_may_fire():
    game = position("C-4RHA@2821 COL-AT@2824", side="british", step="barrage", moved="C-4RHA")
    assert game.british(barrage("C-4RHA", "2824"), dice=[1]).status == "done"


# -- the table -------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("beda-fomm", "10.5b", "10.5d")
def test_every_cell_of_the_barrage_attack_table():
    table = position("C-4RHA@2821").table
    assert columns_of(table) == tuple(range(1, 11))
    for die, cells in TABLE.items():
        assert [table_result(table, column, die) for column in range(1, 11)] == cells.split()


@pytest.mark.rule("beda-fomm", "10.55b", "10.54a", "10.54b", "10.5a", "10.5c")
def test_six_factors_on_a_weapons_unit_an_armored_car_and_a_tank():
    # MOE-ART1 (4, range 5) fires at 3 hexes with 2, FER-ART (4, range 6) with 4.
    game = position("MOE-ART1@2821 FER-ART@2821 106RHA@2824 11H-1@2824 2RT-1@2824", step="barrage")
    game.italian(barrage("MOE-ART1 FER-ART", "2824"), dice=[1, 3, 3, 1, 1])
    assert columns(game) == {"106RHA": 6, "11H-1": 4, "2RT-1": 3}
    rolls = [(event.data["unit"], event.data["die"], event.data["result"]) for event in game.events("barrage_result")]
    assert rolls == [("106RHA", 1, "-"), ("11H-1", 3, "M"), ("2RT-1", 3, "-")]


@pytest.mark.rule("beda-fomm", "10.54b")
def test_shifted_below_the_first_column_there_is_no_effect_and_no_die():
    game = position("C-4RHA@2821 2RB-A@2831 BAB-5-1@2828 COL-AT@2828", side="british", step="barrage")
    game.british(barrage("C-4RHA", "2828"), dice=[1])  # two factors: the tank would be on column -1
    assert columns(game) == {"BAB-5-1": None, "COL-AT": 2}
    assert [event.data["unit"] for event in game.events("barrage_result")] == ["COL-AT"]


def test_above_the_last_column_the_last_is_used_and_lowered_from_there():
    game = position("C-4RHA@2821 COL-AT@2824 BAB-5-1@2824", side="british", step="barrage")
    assert [column_for(game.table, "COL-AT", factors) for factors in (10, 13)] == [10, 10]
    assert [column_for(game.table, "BAB-5-1", factors) for factors in (10, 13, 4, 3)] == [7, 7, 1, None]


def test_table_dice_fall_first_for_all_then_the_checks():
    # Column 4 of die 4 is M for both.
    game = position("C-4RHA@2821 BAB-MC@2824 PAS-INF@2824", side="british", step="barrage", tempo="blitz")
    game.british(barrage("C-4RHA", "2824"), dice=[4, 4, 2, 2, 4, 4])
    rolls = [(event.data["why"], event.data["key"][6]) for event in game.events("rolled")]
    assert rolls == [("barrage", "BAB-MC"), ("barrage", "PAS-INF"), ("morale", "BAB-MC"), ("morale", "PAS-INF")]


# -- parked transport under fire -------------------------------------------------------------------------------------------------

PARKED = "C-4RHA@2821 T-1:parked@2824 BAB-MC@2824 PAS-INF@2824"


@pytest.mark.rule("beda-fomm", "9.46a")
def test_a_parked_unit_in_company_takes_the_worst_result_of_the_others_at_its_own_level():
    # Column 4: BAB-MC 3 is M, PAS-INF 6 is M2; so T-1 has M2: 2 + 3 + 2 = 7 against BER 6 fails by one, and it cannot retreat.
    game = position(PARKED, side="british", step="barrage", tempo="blitz")
    game.british(barrage("C-4RHA", "2824"), dice=[3, 6, 2, 3, 1, 1, 1, 1])
    checked = {event.data["unit"]: (event.data["n"], event.data["total"], event.data["level"]) for event in game.events("morale_check")}
    assert checked == {"T-1": (2, 7, 6), "BAB-MC": (0, 2, 8), "PAS-INF": (2, 4, 6)}
    assert (game.at("T-1"), game.morale("BER")) == ("box:eliminated", 5)
    assert len(game.events("barrage_result")) == 2


@pytest.mark.rule("beda-fomm", "9.46a")
def test_by_option_it_shares_their_fate_instead():
    # No check of its own. BAB-MC 3: M, fails 9 against 8 by one and retreats: T-1 dies, and costs a level.
    game = position(PARKED, side="british", step="barrage", tempo="blitz", parked_in_company="fate")
    game.british(barrage("C-4RHA", "2824"), dice=[3, 1, 4, 5])
    assert [event.data["unit"] for event in game.events("morale_check")] == ["BAB-MC"]
    assert (game.at("BAB-MC"), game.at("PAS-INF")) == ("2826", "2824")
    assert (game.at("T-1"), game.morale("BER"), game.data("eliminated")["cause"]) == ("box:eliminated", 5, "companions")
    game = position(PARKED, side="british", step="barrage", tempo="blitz", parked_in_company="fate")
    game.british(barrage("C-4RHA", "2824"), dice=[3, 1, 4, 4])  # 8 passes
    assert (game.at("T-1"), game.morale("BER")) == ("2824", 6)


def test_parked_alone_it_has_a_die_of_its_own():
    game = position("C-4RHA@2821 T-1:parked@2824", side="british", step="barrage")
    game.british(barrage("C-4RHA", "2824"), dice=[4, 6, 1])  # M: 7 against 6
    assert (game.at("T-1"), game.morale("BER")) == ("box:eliminated", 5)


# -- the order of the phase ------------------------------------------------------------------------------------------------------

BOTH = "C-4RHA@2821 2RB-A@2822 COL-ART@2825 BER-SIR@2826"


@pytest.mark.rule("beda-fomm", "10.0f", "10.51b", "10.52a", "8.2e", "8.2l")
@pytest.mark.parametrize(("phasing", "other"), [("italian", "british"), ("british", "italian")])
def test_interdiction_then_the_other_sides_attacks_then_ones_own(phasing: str, other: str):
    game = position(BOTH, side=phasing, step="interdiction")
    places = [game.place]
    game.send(phasing, DONE)
    places.append(game.place)
    game.send(other, DONE)
    places.append(game.place)
    assert places == [f"9 {phasing} interdiction", f"9 {phasing} reaction barrage", f"9 {phasing} barrage"]


@pytest.mark.rule("beda-fomm", "10.51a", "10.0a", "8.2o")
def test_either_side_may_fire_in_its_own_step_only_and_need_not():
    game = position(BOTH, step="interdiction")
    game.british(barrage("C-4RHA", "2825"))  # waits for its window
    assert game.kinds() == ["tail_stored"]
    game.italian(DONE, barrage("COL-ART", "2822"), dice=[1, 1])
    assert [event.data["side"] for event in game.events("barrage")] == ["british", "italian"]
    game = position(BOTH, step="interdiction")
    game.italian(DONE)
    game.british(order("BARRAGE", hold_fire=True), DONE)
    assert (game.kinds().count("barrage"), game.place, game.face("C-4RHA")) == (0, "9 italian barrage", "")


def test_without_a_word_a_side_holds_its_fire():
    game = position(BOTH, step="interdiction", tempo="blitz")
    game.italian(DONE)
    assert (game.place, game.face("C-4RHA")) == ("9 italian barrage", "")


def test_a_window_without_a_target_is_passed_over():
    game = position("C-4RHA@2821 2RB-A@2822 COL-ART@2829", step="interdiction")
    game.italian(DONE)
    assert game.place != "9 italian reaction barrage"


@pytest.mark.rule("beda-fomm", "13.0c", "13.0d")
@pytest.mark.parametrize("side", ["italian", "british"])
def test_nobody_fires_in_the_dark(side: str):
    game = position(BOTH, side=side, step="movement", turn=7)
    game.send(side, DONE)
    following = {"italian": "7 british movement", "british": "8 italian movement"}
    assert (game.place, game.events("barrage")) == (following[side], [])


@pytest.mark.rule("beda-fomm", "16.2a", "16.2b")
def test_in_the_opening_the_italians_fire_in_the_british_player_turn_only():
    game = position(BOTH, step="movement", contact=False, own={"contact": {"turn": 9, "side": "italian", "unit": "COL-ART", "hex": "2825"}})
    game.italian(DONE)
    assert game.place == "9 italian reaction barrage"  # the British act as ever
    game.british(DONE)
    assert game.place == "9 british movement"
    game.british(DONE, DONE)
    assert game.place == "9 british reaction barrage"
    game.italian(barrage("COL-ART", "2822"), dice=[1])
    assert game.data("barrage")["side"] == "italian"


def test_by_option_only_their_attacks_are_barred():
    contact = {"turn": 9, "side": "italian", "unit": "COL-ART", "hex": "2825"}
    game = position(BOTH, step="movement", contact=False, own={"contact": contact}, opening_fire="no-attack")
    game.italian(DONE)
    assert game.place == "9 italian interdiction"


# -- standing orders -------------------------------------------------------------------------------------------------------------

# C-4RHA at 2821. Armor: one tank in 2824 (3 hexes off), two in 2826 (5). Units: three in 2825, one in 2823.
TARGETS = "MOE-ART2@3335 C-4RHA@2821 BAB-5-1@2824 BAB-6-1@2826 BAB-6-2@2826 COL-AT@2825 COL-LAA@2825 BAB-MC@2825 PAS-INF@2823"


@pytest.mark.parametrize(
    ("words", "hex_"),
    [
        ({"target": "ARMOR"}, "2826"),
        ({"target": "ARMOR", "within": 3}, "2824"),
        ({"target": "ARMOR", "within": 2, "else_target": "MOST-UNITS"}, "2825"),
        ({"target": "MOST-UNITS"}, "2825"),
        ({"target": "MOST-UNITS", "within": 3}, "2823"),  # as many as 2824, and nearer
        ({"target": "2829", "else_target": "2824"}, "2824"),
        ({"target": "2826", "within": 4, "else_target": "MOST-UNITS"}, "2825"),
    ],
)
def test_selectors_find_the_target(words: dict[str, object], hex_: str):
    game = position(TARGETS, step="interdiction", tempo="blitz")
    game.british(standing=[on("REACTION-BARRAGE", order("BARRAGE", guns=["C-4RHA"], **words))])
    game.italian(DONE, dice=[1, 1, 1])
    assert game.data("barrage")["hex"] == hex_


def test_a_selector_leaves_out_guns_that_cannot_fire_and_fails_without_a_target():
    game = position(TARGETS + " F-4RHA:fired@2821", side="british", step="barrage")
    game.british(barrage("C-4RHA F-4RHA", "ARMOR"), dice=[])  # two factors: no column for tanks, no die
    assert game.data("barrage")["guns"] == ["C-4RHA"]
    game = position("C-4RHA@2821 COL-AT@2825", side="british", step="barrage")
    game.british(barrage("C-4RHA", "ARMOR"))
    assert game.refusal() == ("no-target", "10.0a")
    game.british(barrage("C-4RHA", "2825", within=3))
    assert game.refusal() == ("beyond-limit", "10.0a")


def test_a_standing_order_that_fails_falls_to_its_else():
    game = position(TARGETS, step="interdiction", tempo="blitz")
    first, second = order("BARRAGE", guns=["C-4RHA"], target="2829"), order("BARRAGE", guns=["C-4RHA"], target="2824")
    game.british(standing=[on("REACTION-BARRAGE", first, second)])
    game.italian(DONE, dice=[1])
    assert game.data("barrage")["hex"] == "2824"


def test_a_hex_that_is_not_on_the_board_is_refused_at_once():
    game = position("C-4RHA@2821 COL-AT@2825", side="british", step="barrage")
    game.british(barrage("C-4RHA", "9999"))
    assert game.refusal() == ("cannot-enter", "9.12b")

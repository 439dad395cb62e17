"""9.1.1, 9.1.5, 9.3, 10.1.E, 11.2.B: who goes when units of a sum must go. On 2:1 a 2 is AE and a 4 Ex, on 1:2 an 11 is Ex.

Printed: 7-10-I 9 (three companies of 3), 190PZ 8 (two of 4), 190AC 4 (two of 2), BRN-I, BRN-II 4, 69-10-I 4, T1, T2 2, RVT 1;
17-21L 4, 1ES, 6RWK 2, 4CA 1, 64AT 1 in attack and 2 in defence, 78FA 6, 67AF 3."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules.games.race_for_tunis.losses import choose
from tests.rules.race_for_tunis.fighting import decision, fought, lose, lost, results, retreated
from tests.rules.race_for_tunis.positions import attack, on, one, order, position

VALUES = {"7-10-I": 9, "190PZ": 8, "BRN-I": 4, "5-I": 4, "T1": 2, "T2": 2, "RVT": 1, "BS": 1}


def paid(units, need, wanted="", split=True, role="attacker"):
    """Which of units in 1312 go, sorted, for a sum that must be reached."""
    table = position(" ".join(f"{unit}@1312" for unit in units.split())).table
    return sorted(choose(table, units.split(), role, need, wanted.split(), split))


# -- attackers eliminated ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "9.1.1-1", "9.1.1-3")
def test_attackers_go_for_what_the_defenders_count_and_the_others_retreat_a_hex():
    # 8 against 2, lowered to 2:1.
    game = fought("BRN-I@1312 T1@1312 T2@1312 1ES@1313", attack("1313", "BRN-I T1 T2", lower=2), roll=2)
    assert (results(game), lost(game)) == ([("1313", "2:1", "AE")], {"T1": "losses"})
    assert (set(retreated(game)), game.at("BRN-I"), game.at("1ES")) == ({"BRN-I", "T2"}, "1211", "1313")
    assert "advanced" not in game.kinds()


@pytest.mark.rule("race-for-tunis", "9.1.1-2")
def test_who_loses_all_is_not_asked():
    game = fought("RVT@1312 T1@1312 17-21L@1313", attack("1313", "RVT T1"), roll=4, tempo="full")
    assert (results(game)[0][1:], lost(game), game.state.pending) == (("1:2", "AE"), {"RVT": "losses", "T1": "losses"}, ())


@pytest.mark.rule("race-for-tunis", "9.1.1-2")
def test_attackers_that_count_no_more_all_go():
    game = fought("T1@1312 1ES@1313", attack("1313", "T1"), roll=2)  # 2 against 2: equal
    assert (results(game)[0][1:], lost(game)) == (("1:1", "AE"), {"T1": "losses"})
    game = fought("RVT@1312 T1@1312 17-21L@1313", attack("1313", "RVT T1"), roll=4)  # 3 against 4
    assert (results(game)[0][1:], lost(game)) == (("1:2", "AE"), {"RVT": "losses", "T1": "losses"})


@pytest.mark.rule("race-for-tunis", "9.3-1")
def test_losses_are_sums_of_printed_values_whatever_terrain_makes_of_them():
    # Out of the wadi 8 are 4; and 2:1. 1ES counts 2: BRN-I or BRN-II alone pays it.
    game = fought("BRN-I@1215 BRN-II@1215 1ES@1214", attack("1214", "BRN-I BRN-II"), roll=2)
    assert (game.data("battle")["attack"], lost(game)) == (4, {"BRN-I": "losses"})
    # In Tunis 2 and 4 are 12, which 24 attack; printed they are 6.
    axis = "T1@0711 BRN-I@0711"
    allied = "13-1A-II@0811 17-21L@0811 16-5L@0811 LBH@0811 6RWK@0712 5BF@0712 8ASH@0712"
    game = fought(f"{axis} {allied}", attack("0711", "13-1A-II 17-21L 16-5L LBH 6RWK 5BF 8ASH"), roll=2, side="allied")
    assert (game.data("battle")["attack"], game.data("battle")["defence"]) == (24, 12)
    assert lost(game) == {"13-1A-II": "losses"}


@pytest.mark.rule("race-for-tunis", "9.3-1")
def test_attackers_count_their_attack_and_defenders_their_defence():
    # 64AT: 1-2. Two attackers of 2 and 1 are 1:1 to 2; a 6-strong defence of 64AT and 6RWK counts 4.
    game = fought("5BF@1312 64AT@1312 T1@1313", attack("1313", "5BF 64AT"), roll=2, side="allied")
    assert (game.data("battle")["attack"], lost(game)) == (3, {"5BF": "losses"})
    game = fought("BRN-I@1312 BRN-II@1312 64AT@1313 6RWK@1313", attack("1313", "BRN-I BRN-II"), roll=2)
    assert (game.data("battle")["defence"], lost(game)) == (4, {"BRN-I": "losses"})


@pytest.mark.rule("race-for-tunis", "10.1.E", "10.1.E-EX")
def test_a_factor_with_three_of_guns_in_support_counts_one():
    # 4CA 1 and 3 of 67AF, two hexes off: 4, against 1, 2 and 6 of others 2:1.
    units = "RVT@1312 T1@1312 69-10-I@1312 RVT@1312 4CA@1313 67AF@1414"
    game = fought(units, attack("1313", "RVT T1 69-10-I"), roll=2)
    assert [gun["unit"] for gun in game.data("battle")["defence_support"]] == ["67AF"]
    assert (game.data("battle")["attack"], game.data("battle")["defence"]) == (7, 4)
    assert (results(game)[0][1:], lost(game)) == (("1:1", "AE"), {"RVT": "losses"})


@pytest.mark.rule("race-for-tunis", "10.1.F")
def test_guns_in_support_are_never_lost_with_those_they_support():
    game = fought("RVT@1312 II-90@1312 1ES@1313 6RWK@1313 8ASH@1313", attack("1313", "RVT", "II-90"), roll=2)  # 6 against 6
    assert (results(game)[0][1:], lost(game), game.at("II-90")) == (("1:1", "AE"), {"RVT": "losses"}, "1312")


@pytest.mark.rule("race-for-tunis", "10.4.A-2", "10.4.B-1")
def test_artillery_alone_counts_one_and_in_company_what_is_printed():
    # 78FA alone defends with 1: 3 against it are lowered to 2:1.
    game = fought("RVT@1312 T1@1312 78FA@1313", attack("1313", "RVT T1", lower=1), roll=2)
    assert (results(game)[0][1:], lost(game)) == (("2:1", "AE"), {"RVT": "losses"})
    # With 1ES it counts 6 of 8: 16 against 8, and 190PZ pays.
    game = fought("190PZ@1312 BRN-I@1312 BRN-II@1312 1ES@1313 78FA@1313", attack("1313", "190PZ BRN-I BRN-II"), roll=2)
    assert (results(game)[0][1:], set(lost(game))) == (("2:1", "AE"), {"190PZ"})


# -- exchanges -----------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "9.1.5.A-1", "9.1.5.A-2")
def test_an_exchange_takes_all_defenders_and_as_much_of_the_attackers():
    game = fought("T1@1312 T2@1312 RVT@1312 1ES@1313", attack("1313", "T1 T2 RVT"), roll=4)
    assert (results(game)[0][1:], lost(game)) == (("2:1", "Ex"), {"1ES": "combat", "T1": "losses"})
    assert retreated(game) == {}


@pytest.mark.rule("race-for-tunis", "9.1.5.B-1", "9.1.5.B-2")
def test_at_one_to_two_the_attackers_all_go_and_the_defenders_pay():
    game = fought("T1@1312 1ES@1313 6RWK@1313", attack("1313", "T1"), roll=11)
    assert (results(game)[0][1:], lost(game)) == (("1:2", "Ex"), {"T1": "combat", "1ES": "losses"})
    game = fought("T1@1312 1ES@1313 6RWK@1313", attack("1313", "T1"), roll=11, standing=[on("LOSSES", lose("6RWK"))])
    assert lost(game) == {"T1": "combat", "6RWK": "losses"}


def test_an_exchange_on_a_column_lowered_to_one_to_two_is_one_at_one_to_two():
    game = fought("BRN-I@1312 1ES@1313 6RWK@1313", attack("1313", "BRN-I", lower=1), roll=11)  # RT-31
    assert (results(game)[0][1:], lost(game)) == (("1:2", "Ex"), {"BRN-I": "combat", "1ES": "losses", "6RWK": "losses"})


@pytest.mark.rule("race-for-tunis", "11.2.B-2")
def test_a_battalion_of_mixed_companies_pays_with_one_of_them():
    # 9 against 2 is 4:1, and a 9 an exchange: 2 is paid with a company of 3, though the 3rd Company stands elsewhere.
    game = fought("7-10-I@1312 3-7-10@1512 7-7-10@dead 1ES@1313", attack("1313", "7-10-I"), roll=9)
    assert (results(game)[0][1:], lost(game)) == (("4:1", "Ex"), {"1ES": "combat", "1-7-10": "losses"})
    assert [game.at(unit) for unit in ("2-7-10", "5-7-10", "3-7-10")] == ["1312", "1312", "1512"]


# -- which units ---------------------------------------------------------------------------------------------------------------------


def test_by_default_the_least_sum_goes_and_never_one_unit_more_than_reaches_it():
    assert paid("BRN-I T1 RVT", 2) == ["T1"]
    assert paid("BRN-I T1 RVT", 3) == ["RVT", "T1"]
    assert paid("BRN-I T1 T2", 4) == ["BRN-I"]  # as good as both others, and one counter
    assert paid("BRN-I BRN-II T1", 5) == ["BRN-I", "T1"]
    assert paid("T1 T2 RVT", 5) == ["RVT", "T1", "T2"]  # all
    assert paid("T1 T2 RVT", 9) == ["RVT", "T1", "T2"]


@settings(max_examples=30)
@given(st.sets(st.sampled_from([*VALUES]), min_size=1, max_size=6), st.integers(1, 20), st.lists(st.sampled_from([*VALUES]), max_size=4))
def test_no_other_set_of_units_pays_less_and_none_goes_that_need_not(units, need, wanted):
    all_ = sum(VALUES[unit] for unit in units)
    sums = {sum(VALUES[unit] for unit in chosen) for n in range(len(units) + 1) for chosen in combinations(units, n)}
    cheapest = paid(" ".join(units), need, split=False)
    assert sum(VALUES[unit] for unit in cheapest) == min((sum_ for sum_ in sums if sum_ >= need), default=all_)
    named = paid(" ".join(units), need, " ".join(wanted), split=False)
    total = sum(VALUES[unit] for unit in named)
    assert total >= min(need, all_)
    assert all(total - VALUES[unit] < need for unit in named)


def test_units_wanted_go_first_in_their_order_and_the_least_sum_makes_up_the_rest():
    assert paid("BRN-I T1 T2", 2, "BRN-I") == ["BRN-I"]
    assert paid("BRN-I T1 T2", 4, "T2 T1") == ["T1", "T2"]
    assert paid("BRN-I T1 T2", 3, "T2") == ["T1", "T2"]
    assert paid("BRN-I T1 T2 RVT", 3, "T2") == ["RVT", "T2"]
    assert paid("BRN-I T1 T2", 4, "T2 BRN-I") == ["BRN-I"]  # T2 need not have gone


@pytest.mark.rule("race-for-tunis", "11.2.B-2")
def test_battalions_break_down_to_pay_exactly():
    assert paid("7-10-I", 2) == ["1-7-10"]
    assert paid("7-10-I", 2, split=False) == ["7-10-I"]
    assert paid("7-10-I BRN-I", 4) == ["BRN-I"]
    assert paid("7-10-I BRN-I", 5) == ["1-7-10", "2-7-10"]
    assert paid("7-10-I BRN-I", 5, split=False) == ["7-10-I"]
    assert paid("7-10-I T1", 5) == ["1-7-10", "T1"]
    assert paid("7-10-I BRN-I", 6, "3-7-10 1-7-10") == ["1-7-10", "3-7-10"]
    assert paid("7-10-I BRN-I", 7) == ["1-7-10", "BRN-I"]
    assert paid("7-10-I BRN-I", 8, "7-10-I") == ["7-10-I"]
    assert paid("190AC 190PZ", 6) == ["1-190AC", "1-190PZ"]  # 2 and 4: nothing else makes less than 8


@pytest.mark.rule("race-for-tunis", "11.2.B-2", "11.2.A-4")
def test_a_company_pays_and_the_other_two_retreat():
    game = fought("7-10-I@1312 1ES@1313", attack("1313", "7-10-I", lower=2), roll=2)  # 9 to 2: 4:1, lowered to 2:1
    assert (results(game)[0][1:], lost(game)) == (("2:1", "AE"), {"1-7-10": "losses"})
    assert game.data("split") == {"unit": "7-10-I", "companies": ["1-7-10", "2-7-10", "3-7-10"], "hex": "1312"}
    assert (game.at("7-10-I"), set(retreated(game))) == ("box:component", {"2-7-10", "3-7-10"})
    game = fought("7-10-I@1312 1ES@1313", on("LOSSES", lose("", split=False)), attack("1313", "7-10-I", lower=2), roll=2)
    assert (lost(game), game.at("1-7-10")) == ({"7-10-I": "losses"}, "box:component")


@pytest.mark.rule("race-for-tunis", "11.2.B-1", "11.2.B-2")
def test_a_battalion_may_break_down_once_the_loss_is_known():
    game = fought("7-10-I@1312 BRN-I@1312 T1@1312 1ES@1313", attack("1313", "7-10-I BRN-I T1", lower=5), roll=2, tempo="normal")
    assert (results(game)[0][1:], decision(game).verb, decision(game).context["need"]) == (("2:1", "AE"), "LOSE", 2)
    game.axis(one("SPLIT", "7-10-I"), lose("3-7-10"), order("RETREAT", units="ALL", rally=["1211"]))
    assert game.codes() == []
    assert (lost(game), game.at("1-7-10"), game.at("2-7-10"), game.at("BRN-I")) == ({"3-7-10": "losses"}, "1211", "1211", "1211")


def test_who_loses_is_asked_and_a_list_that_is_not_of_the_battle_is_refused():
    game = fought("BRN-I@1312 T1@1312 T2@1312 RVT@1511 1ES@1313", attack("1313", "BRN-I T1 T2", lower=2), roll=2, tempo="normal")
    (asked,) = game.state.pending
    assert (asked.side, asked.rule["need"], asked.default) == ("axis", 2, {"units": ["T1"], "split": True})
    game.axis(lose("RVT"))
    assert game.refusal() == ("not-in-battle", "9.1.1-1")
    game.axis(lose("1ES"))
    assert game.refusal() == ("not-yours", "")
    game.axis(lose("BRN-XX"))
    assert game.refusal() == ("unknown-unit", "")
    game.axis(lose("T2"), order("RETREAT", units="ALL", rally=["1211"]))
    assert (lost(game), set(retreated(game))) == ({"T2": "losses"}, {"BRN-I", "T1"})


def test_a_company_is_not_to_be_named_where_battalions_are_to_stay_whole():
    game = fought("7-10-I@1312 BRN-I@1312 1ES@1313", attack("1313", "7-10-I BRN-I", lower=4), roll=2, tempo="normal")
    game.axis(lose("1-7-10", split=False))
    assert game.refusal() == ("company-of-battalion", "11.2.B-2")


@pytest.mark.rule("race-for-tunis", "11.2.B-2")
def test_a_battalion_that_is_named_pays_by_its_companies_before_others_that_would_do():
    assert paid("7-10-I T1 T2", 3) == ["1-7-10"]
    assert paid("7-10-I T1 T2", 2, "7-10-I") == ["1-7-10"]  # of itself T1 would go
    assert paid("7-10-I T1 T2", 4, "7-10-I") == ["1-7-10", "2-7-10"]  # and both T1 and T2
    assert paid("7-10-I T1 T2", 10, "7-10-I") == ["7-10-I", "T1"]


def test_what_need_not_go_stays_and_companies_that_all_go_are_the_battalion():
    assert paid("BRN-I T1 T2", 2, "T1 T2") == ["T1"]
    assert paid("7-10-I BRN-I", 9, "1-7-10 2-7-10 3-7-10") == ["7-10-I"]

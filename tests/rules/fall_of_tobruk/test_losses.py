"""Which units go (FT-36 to FT-38, breakdown.8).

Combat and antitank factors: 115 15-6, its battalions 5-2, 288 6-3, 8PZ-2, 8PZ-3 4-3, 8PZ-7 4-5, 132-1 3-1, 605 2-5, 88-1 2-12, 19 9-0,
155 10-4; 5EY 5-1, 2L 4-1, 2RGH-1 5-4, 2RGH-2, 2RGH-3 4-2."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules.games.fall_of_tobruk.losses import BATTALIONS, COMBAT, choose, forced
from tests.rules.fall_of_tobruk.fighting import decision, fought, lose, lost, results, retreated
from tests.rules.fall_of_tobruk.positions import attack, on, order, position

VALUES = {"288": 6, "33ENG": 5, "8PZ-2": 4, "132-1": 3, "605": 2, "88-1": 2, "33ART-1": 1, "19": 9}


def paid(units, need, wanted="", split=True, measure=COMBAT):
    """Which of units in 0807 go, sorted, for a sum that must be reached."""
    table = position(" ".join(f"{unit}@0807" for unit in units.split())).table
    return sorted(choose(table, units.split(), need, measure, wanted.split(), split))


# -- which units -----------------------------------------------------------------------------------------------------------------


def test_by_default_the_least_sum_goes_then_the_least_antitank_factor_then_the_lowest_id():
    assert paid("288 8PZ-2 605", 2) == ["605"]
    assert paid("288 8PZ-2 605", 5) == ["288"]  # as good as 8PZ-2 and 605, but 3 to 8 antitank factors
    assert paid("8PZ-2 8PZ-7", 4) == ["8PZ-2"]
    assert paid("8PZ-3 8PZ-2", 4) == ["8PZ-2"]
    assert paid("288 8PZ-2", 11) == ["288", "8PZ-2"]


@settings(max_examples=30)
@given(st.sets(st.sampled_from([*VALUES]), min_size=1, max_size=6), st.integers(1, 25), st.lists(st.sampled_from([*VALUES]), max_size=4))
def test_no_other_set_of_units_pays_less_and_none_goes_that_need_not(units, need, wanted):
    everything = sum(VALUES[unit] for unit in units)
    sums = {sum(VALUES[unit] for unit in chosen) for n in range(len(units) + 1) for chosen in combinations(units, n)}
    cheapest = paid(" ".join(units), need, split=False)
    assert sum(VALUES[unit] for unit in cheapest) == min((sum_ for sum_ in sums if sum_ >= need), default=everything)
    named = paid(" ".join(units), need, " ".join(wanted), split=False)
    total = sum(VALUES[unit] for unit in named)
    assert total >= min(need, everything)
    assert all(total - VALUES[unit] < need for unit in named)


def test_units_wanted_go_first_in_their_order_and_the_least_sum_makes_up_the_rest():
    assert paid("288 8PZ-2 605", 2, "288") == ["288"]
    assert paid("288 8PZ-2 605", 6, "605 8PZ-2") == ["605", "8PZ-2"]
    assert paid("288 8PZ-2 605", 5, "605") == ["605", "8PZ-2"]
    assert paid("288 8PZ-2 605", 6, "605 288") == ["288"]  # 605 need not have gone


def test_regiments_break_down_to_pay():
    assert paid("115", 4) == ["115-I"]
    assert paid("115", 6) == ["115-I", "115-II"]
    assert paid("115", 4, split=False) == ["115"]
    assert paid("115 288", 6) == ["288"]
    assert paid("115 8PZ-2", 6) == ["115-I", "8PZ-2"]
    assert paid("115 8PZ-2", 6, "115-III 115-II") == ["115-II", "115-III"]
    assert paid("115 8PZ-2", 12, "115") == ["115"]
    assert paid("155", 9) == ["155"]  # both battalions
    assert paid("155 8PZ-2", 10, "155-II 155-I 8PZ-2") == ["155"]  # what goes whole goes as one counter, and 8PZ-2 need not
    assert paid("115 288", 5, "115-I 288") == ["115-I"]
    assert paid("19 8PZ-2", 5) == ["19"]  # has none


def test_a_battalion_is_paid_in_companies_of_its_size():
    assert paid("5EY 2RGH-1 2RGH-2 2RGH-3", 1, measure=BATTALIONS) == ["5EY"]  # 5 to 5 and 4 and 4
    assert paid("5EY 2RGH-1 2RGH-2 2RGH-3", 1, "2RGH-2 2RGH-3 2RGH-1", measure=BATTALIONS) == ["2RGH-1", "2RGH-2", "2RGH-3"]
    assert paid("8PZ-2 8PZ-3 8PZ-4", 1, measure=BATTALIONS) == ["8PZ-2", "8PZ-3", "8PZ-4"]  # three quarters: all
    assert paid("8PZ-1 8PZ-2 8PZ-3 8PZ-4 8PZ-7", 1, "8PZ-7", measure=BATTALIONS) == ["8PZ-1", "8PZ-2", "8PZ-3", "8PZ-7"]
    assert paid("132-1 132-2 132-3 132-4", 1, measure=BATTALIONS) == ["132-1", "132-2", "132-3"]
    assert paid("88-1 88-2 88-3 115-I", 1, measure=BATTALIONS) == ["115-I"]  # 5 to three times 2
    assert paid("115", 1, measure=BATTALIONS) == ["115-I"]
    assert paid("19", 1, measure=BATTALIONS) == ["19"]


def test_nothing_is_asked_where_only_one_set_pays():
    table = position("115@0807 8PZ-2@0807 605@0807 19@0807").table
    assert forced(table, ["8PZ-2", "605"], 5, COMBAT)  # both
    assert forced(table, ["8PZ-2", "605"], 3, COMBAT)  # 605 alone is too little
    assert forced(table, ["19"], 4, COMBAT)
    assert not forced(table, ["115"], 4, COMBAT)  # which of its battalions?
    assert not forced(table, ["115", "605"], 2, COMBAT)


# -- the decision ----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "breakdown.8")
def test_a_battalion_pays_and_the_others_of_its_regiment_fall_back():
    game = fought("115@0807 5EY@0808", attack("0808", "115"), roll=2)
    assert (results(game)[0][1:], lost(game)) == (("3:1", "AE"), {"115-I": "losses"})
    assert game.data("split")["unit"] == "115"
    assert (game.at("115"), set(retreated(game)), game.at("115-I")) == ("box:component", {"115-II", "115-III"}, "box:refit")
    assert game.marks("115-II") == {"done"}
    game = fought("115@0807 5EY@0808", attack("0808", "115"), roll=2, before=[on("LOSSES", lose("", split=False))])
    assert (lost(game), game.at("115-I")) == ({"115": "losses"}, "box:component")


@pytest.mark.rule("fall-of-tobruk", "breakdown.8")
def test_a_regiment_without_battalion_counters_goes_whole():
    game = fought("19@0807 2L@0808", attack("0808", "19"), roll=2)
    assert (results(game)[0][1:], lost(game), game.at("19")) == (("2:1", "AE"), {"19": "losses"}, "box:refit")


def test_lists_that_are_not_of_the_battle_are_refused():
    game = fought("288@0807 8PZ-2@0807 104@0404 115-I@0708 5EY@0808", attack("0808", "288 8PZ-2 115-I"), roll=2, tempo="normal")
    assert (results(game)[0][1:], decision(game).rule["need"]) == (("3:1", "AE"), 5)
    game.axis(lose("104"))
    assert game.refusal() == ("not-in-battle", "crt.aelim.1")
    game.axis(lose("104-I", split=False))
    assert game.refusal() == ("not-in-battle", "crt.aelim.1")
    game.axis(lose("5EY"))
    assert game.refusal() == ("not-yours", "")
    game.axis(lose("XX"))
    assert game.refusal() == ("unknown-unit", "")
    game.axis(lose("288", mine=True))
    assert game.refusal() == ("nothing-to-answer", "crt.aelim.1")
    game.axis(lose("CHEAPEST"), order("PASS"), order("PASS"))
    assert (game.codes(), lost(game)) == ([], {"115-I": "losses"})


@pytest.mark.rule("fall-of-tobruk", "breakdown.8")
def test_a_battalion_is_not_to_be_named_where_regiments_are_to_stay_whole():
    game = fought("115@0807 5EY@0808", attack("0808", "115"), roll=2, tempo="normal")
    game.axis(lose("115-I", split=False))
    assert game.refusal() == ("battalion-of-regiment", "breakdown.8")
    game.axis(lose("115-III"), order("PASS"))
    assert (game.codes(), lost(game)) == ([], {"115-III": "losses"})


def test_a_list_for_a_battle_that_is_over_falls_through():
    units = "288@0807 8PZ-2@0807 115-I@0708 104-I@0806 104-II@0806 5EY@0808 6GH@0805"
    lines = (attack("0805", "104-I 104-II"), attack("0808", "288 8PZ-2 115-I"))
    game = fought(units, *lines, dice=[2, 6, 1, 1], tempo="normal")  # 2:1 Con, 3:1 AE
    assert [result for _, _, result in results(game)] == ["CON", "AE"]
    game.axis(lose("104-I"))
    assert game.refusal() == ("nothing-to-answer", "crt.aelim.1")

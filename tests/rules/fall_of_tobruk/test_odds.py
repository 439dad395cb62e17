"""Strengths in normal combat, and the column: halves and doubles, fractions, high ground, the ends of the table (FT-21, FT-23).

Combat factors: 115, 104 15, their battalions, 33ENG, 5EY, 6GH, 7GH 5, 288, 2SG 6, 8PZ-2, 8PZ-3, 2L, 11C 4, KDG 3, 605 2, 74ART 1."""

import pytest

from scenarios.hexes import parse_hex
from services.rules.games.fall_of_tobruk import assault, odds
from tests.rules.fall_of_tobruk.fighting import fighting, fought, lost, results, strengths
from tests.rules.fall_of_tobruk.positions import DONE, attack, order, position


@pytest.mark.rule("fall-of-tobruk", "combat.7", "combat.8", "crt.con.1")
@pytest.mark.parametrize(
    ("ours", "theirs", "found", "roll"),
    [
        ("115-I@0807", "5EY@0808", (5, 5, "1:1"), 7),
        ("115-I@0807", "2L@0808", (5, 4, "1:1"), 7),
        ("8PZ-2@0807", "5EY@0808", (4, 5, "1:2"), 3),
        ("115@0807 104-I@0708 8PZ-2@0908", "5EY@0808", (24, 5, "4:1"), 4),
        ("115-I@0807 104-I@0708", "5EY@0808", (10, 5, "2:1"), 8),
    ],
)
def test_odds_are_rounded_for_the_defender(ours, theirs, found, roll):
    units = " ".join(text.split("@")[0] for text in ours.split())
    game = fought(f"{ours} {theirs}", attack("0808", units), roll=roll)
    assert (strengths(game), results(game)) == (found, [("0808", found[2], "CON")])
    assert game.at(theirs.split("@")[0]) == "0808"
    assert game.at("8PZ-2" if "8PZ-2" in units else "115-I" if "115-I" in units else "115") in ("0807", "0908")


@pytest.mark.rule("fall-of-tobruk", "combat.9")
def test_two_dice_are_thrown_and_added():
    game = fought("115-I@0807 5EY@0808", attack("0808", "115-I"), dice=[1, 6])
    assert ([e.data["dice"] for e in game.events("rolled")], results(game)) == ([[1, 6]], [("0808", "1:1", "CON")])


@pytest.mark.rule("fall-of-tobruk", "combat.4", "artillery.12", "disrupt.15")
def test_all_defenders_in_a_hex_stand_together_guns_with_their_combat_factor():
    game = fought("115@0807 5EY@0808 6GH@0808 74ART@0808", attack("0808", "115"), roll=7)  # 15 to 5, 5 and 1
    assert (strengths(game), [one["unit"] for one in game.data("battle")["defenders"]]) == ((15, 11, "1:1"), ["5EY", "6GH", "74ART"])
    game = fought("8PZ-2@0807 74ART@0808", attack("0808", "8PZ-2"), roll=4, marks={"disrupted": "74ART"})  # 4 to a half: 8:1
    assert strengths(game) == (4, "1/2", "8:1")


@pytest.mark.rule("fall-of-tobruk", "minefields.7", "gap.6")
def test_units_that_attack_across_mines_are_halved_and_engineers_are_not():
    game = fought("115@0807 5EY@0808", attack("0808", "115"), roll=7, mines="0807/0808")
    assert strengths(game) == ("15/2", 5, "1:1")
    game = fought("115-I@0807 104-I@0708 5EY@0808", attack("0808", "115-I 104-I"), roll=7, mines="0807/0808")  # 104-I is not behind them
    assert strengths(game) == ("15/2", 5, "1:1")
    game = fought("33ENG@0807 115-I@0807 5EY@0808", attack("0808", "33ENG 115-I"), roll=7, mines="0807/0808")
    assert strengths(game) == ("15/2", 5, "1:1")
    assert game.data("battle")["mined"] == ["115-I"]


GAP = {"own": {"gaps": [{"hexes": ["0807", "0808"], "engineer": "33ENG"}]}, "mines": "0807/0808"}


@pytest.mark.rule("fall-of-tobruk", "minefields.7", "minefields.8", "gap.5")
def test_a_gap_is_nothing_to_attackers_unless_the_game_is_played_so():  # FT-46
    units, line = "33ENG@0807 115-I@0807 8PZ-2@0807 5EY@0808", attack("0808", "33ENG 115-I 8PZ-2")
    game = fought(units, line, roll=7, dice=[1], **GAP)  # 5 and half of 9, a die for the tank
    assert (strengths(game), game.data("battle")["mined"]) == (("19/2", 5, "1:1"), ["115-I", "8PZ-2"])
    game = fought(units, line, roll=7, gap_moves=True, **GAP)
    assert (strengths(game), game.data("battle")["mined"], game.events("mine_roll")) == ((14, 5, "2:1"), [], [])
    game = fought("5EY@0808 33ENG@0807", attack("0807", "5EY"), roll=3, side="allied", gap_moves=True, **GAP)
    assert strengths(game) == ("5/2", 5, "1:2")  # to the Allies the mines lie there still


def test_allied_attacks_along_a_road_or_out_of_a_box_are_halved_too():  # FT-47
    game = fought("5EY@0807 115-I@0808", attack("0808", "5EY"), roll=3, side="allied", mines="0807/0808", road="0807-0808")
    assert strengths(game) == ("5/2", 5, "1:2")
    game = fought("5EY@0807 115-I@0808", attack("0808", "5EY"), roll=3, side="allied", boxes="0807")
    assert strengths(game) == ("5/2", 5, "1:2")


@pytest.mark.rule("fall-of-tobruk", "supply.14", "disrupt.12")
def test_want_of_supply_and_disruption_halve_each_for_itself():
    game = fought("115@0807 5EY@0808", attack("0808", "115"), roll=7, marks={"unsupplied": "115"})
    assert strengths(game) == ("15/2", 5, "1:1")
    game = fought("115@0807 5EY@0808", attack("0808", "115"), roll=7, marks={"disrupted": "115"})
    assert strengths(game) == ("15/2", 5, "1:1")
    game = fought("115@0807 5EY@0808", attack("0808", "115"), roll=10, marks={"disrupted": "115", "unsupplied": "115"}, mines="0807/0808")
    assert strengths(game) == ("15/8", 5, "1:3")  # an eighth and 1:3, on which a 10 is Con
    game = fought("115-I@0807 5EY@0808", attack("0808", "115-I"), roll=8, marks={"disrupted": "5EY"})
    assert strengths(game) == (5, "5/2", "2:1")


@pytest.mark.rule("fall-of-tobruk", "overrun.3")
def test_an_overrun_doubles_all_attackers():
    units = "8PZ-2@0807 8PZ-3@0807 115-I@0708 5EY@0808"
    game = fought(units, attack("0808", "8PZ-2 8PZ-3 115-I"), roll=3, overrun="0808")
    assert (strengths(game), results(game)) == ((26, 5, "5:1"), [("0808", "5:1", "CON")])


@pytest.mark.rule("fall-of-tobruk", "tec.6")
def test_high_ground_lowers_the_odds_by_a_column():
    game = fought("115@0807 5EY@0808", attack("0808", "115"), roll=8, high="0808")
    assert (strengths(game), game.data("battle")["shift"]) == ((15, 5, "2:1"), 1)
    game = fought("115-I@0807 5EY@0808", attack("0808", "115-I"), roll=3, high="0807 0808")  # from high ground too
    assert strengths(game) == (5, 5, "1:2")
    game = fought("115@0807 5EY@0808", attack("0808", "115"), roll=4, high="0807")
    assert strengths(game) == (15, 5, "3:1")
    game = fought("115@0807 104@0708 KDG@0808", attack("0808", "115 104"), roll=2, high="0808")  # 10:1 is 8:1 first
    assert strengths(game) == (30, 3, "7:1")


def test_high_ground_lowers_an_attack_on_several_hexes_once():  # FT-19
    units = "115@0807 104@0807 5EY@0808 6GH@0908"
    game = fought(units, attack("0808 0908", "115 104"), roll=8, high="0808 0908")
    assert strengths(game) == (30, 10, "2:1")


@pytest.mark.rule("fall-of-tobruk", "combat.10")
def test_odds_above_eight_to_one_are_eight_to_one():
    game = fought("115@0807 104@0708 KDG@0808", attack("0808", "115 104"), roll=2)
    assert (strengths(game), results(game)) == ((30, 3, "8:1"), [("0808", "8:1", "CON")])


@pytest.mark.rule("fall-of-tobruk", "combat.11")
def test_who_must_attack_and_cannot_at_one_to_five_is_lost_without_a_die():
    game = fighting("605@0807 5EY@0808 6GH@0808 7GH@0808")  # 2 to 15
    game.axis(attack("0808", "605"), DONE)
    assert game.refusal() == ("dies-below-1-5", "combat.11")
    game.axis(attack("0808", "605"), order("DONE", confirm=True))
    assert (lost(game), game.events("rolled"), game.at("605")) == ({"605": "below-1-5"}, [], "box:refit")
    assert game.data("attack_void") == {"label": "0808", "hexes": ["0808"]}


@pytest.mark.rule("fall-of-tobruk", "combat.11")
def test_an_attack_below_one_to_five_that_nobody_owes_is_refused():
    game = fighting("605@0807 5EY@0808 6GH@0808 7GH@0808", boxes="0807")
    game.axis(attack("0808", "605"), DONE)
    assert game.refusal() == ("below-1-5", "combat.11")


def test_by_option_an_attack_below_one_to_five_comes_to_nothing():
    game = fighting("605@0807 5EY@0808 6GH@0808 7GH@0808", below_min="no-attack")
    game.axis(attack("0808", "605"), DONE)
    assert (game.codes(), lost(game), game.events("rolled"), game.data("finished")["units"]) == ([], {}, [], ["605"])


def test_high_ground_takes_an_attack_off_the_table():
    game = fighting("605@0807 5EY@0808 6GH@0808", high="0808")  # 2 to 10, a column lower
    game.axis(attack("0808", "605"), DONE)
    assert game.refusal() == ("dies-below-1-5", "combat.11")


def test_an_attack_that_nobody_makes_has_no_odds():
    table = position("115-I@0404 5EY@0808").table
    assert odds.column(table, assault.record(table, "0808", [parse_hex("0808")], ["115-I"])) is None

"""Supply (FT-61, FT-62): the line from the west or north-west edge, and what want of it does. Column 01 is the edge, 8PZ-2 has 7 MP."""

import pytest

from services.rules.games.fall_of_tobruk.supply import factor, lines, supplied
from tests.rules.fall_of_tobruk.positions import DONE, Game, attack, move, position, stand
from tests.rules.fall_of_tobruk.walking import cost, refused


def fed(unit: str, at: str, others: str = "", **more) -> bool:
    """Whether a unit in a hex is in supply."""
    return supplied(position(f"{unit}@{at} {others}", **more).table, unit)


@pytest.mark.rule("fall-of-tobruk", "supply.1")
def test_the_allies_are_always_in_supply():
    assert fed("5EY", "1010", "8PZ-2@0909 8PZ-3@1111 8PZ-4@0910")


@pytest.mark.rule("fall-of-tobruk", "supply.5", "supply.6")
def test_the_line_begins_at_the_west_or_north_west_edge_and_is_of_20_points():
    assert fed("8PZ-2", "0107")
    assert fed("8PZ-2", "2014")  # 19 columns from 0114: 19 MP
    hills = " ".join(f"19{row:02d} 20{row:02d}" for row in range(1, 15))
    assert not fed("8PZ-2", "2014", high=hills)  # 17 and 2 and 2
    assert fed("8PZ-2", "1914", high=hills)
    assert {str(at) for at, found in lines(position("8PZ-2@0505").table).items() if found.cost == 0} >= {"0101", "0114", "0601"}


@pytest.mark.rule("fall-of-tobruk", "supply.7")
def test_roads_and_tracks_make_it_longer_than_20_hexes():
    hills = " ".join(f"{col:02d}{row:02d}" for col in range(2, 21) for row in range(1, 15))  # 2 MP a hex
    road = "-".join(f"{col:02d}13" for col in range(1, 21))
    assert not fed("8PZ-2", "1213", high=hills)  # 11 hexes, 22 MP
    assert fed("8PZ-2", "1113", high=hills)
    assert fed("8PZ-2", "2013", high=hills, track=road)  # 9 1/2
    costs = {str(at): found.cost for at, found in lines(position("8PZ-2@0505", high=hills, road=road).table).items()}
    assert costs["2013"] == 19  # quarters of an MP


SHUT = "5EY@0304 6GH@0306 7GH@0308 4EY@0302 4GH@0310 5GH@0312 6DLI@0314 8DLI@0502 2SG@0702"


@pytest.mark.rule("fall-of-tobruk", "supply.8", "supply.9")
def test_it_leads_through_no_enemy_and_no_enemy_zone():
    assert not fed("8PZ-2", "1007", SHUT)  # their zones touch one another from 0301 down to 0314, and from 0501 to 0702
    assert fed("8PZ-2", "1007", SHUT, marks={"disrupted": "6GH 5EY"})  # no zones, but a gap to go between them
    assert not fed("8PZ-2", "1007", SHUT + " 8PZ-3@0205 8PZ-4@0405")  # friends in a zone do not cancel it


@pytest.mark.rule("fall-of-tobruk", "supply.8")
def test_an_enemy_without_a_zone_stops_it_in_his_own_hex():
    one_way = "1007/1006 1007/1107 1007/1108 1007/1008 1007/0908"  # in from 0907 alone
    assert fed("8PZ-2", "1007", mines=one_way)
    assert fed("8PZ-2", "1007", "5EY@0807", mines=one_way, marks={"disrupted": "5EY"})
    assert not fed("8PZ-2", "1007", "5EY@0907", mines=one_way, marks={"disrupted": "5EY"})


@pytest.mark.rule("fall-of-tobruk", "supply.9")
def test_it_may_end_in_a_zone():
    assert fed("8PZ-2", "1007", "5EY@1107 6GH@1006")
    assert fed("8PZ-2", "0107", "5EY@0207")  # at its very beginning
    assert not fed("8PZ-2", "1007", "5EY@0907 6GH@1006 7GH@1108 4EY@1009")  # all about it is theirs


@pytest.mark.rule("fall-of-tobruk", "supply.10", "gap.5")
def test_mines_stop_it_but_at_a_gap():
    around = "1007/1006 1007/1107 1007/1108 1007/1008 1007/0908 1007/0907"
    assert not fed("8PZ-2", "1007", mines=around)
    gap = {"gaps": [{"hexes": ["0907", "1007"], "engineer": "33ENG"}]}
    assert fed("8PZ-2", "1007", "33ENG@1007", mines=around, own=gap)
    assert fed("8PZ-2", "1007", "33ENG@0907", mines=around, own=gap)
    assert not fed("8PZ-2", "1007", "33ENG@0807", mines=around, own=gap)  # it is no longer beside it


@pytest.mark.rule("fall-of-tobruk", "supply.11")
def test_it_keeps_more_than_two_hexes_from_an_enemys_box():
    assert fed("8PZ-2", "0907", "5EY@1007")  # beside an enemy in the open
    assert fed("8PZ-2", "0907", boxes="1007")  # beside a Box with nobody in it, or with its own
    assert fed("8PZ-2", "0907", "8PZ-3@1007", boxes="1007")
    assert not fed("8PZ-2", "0907", "5EY@1007", boxes="1007")
    near = {str(at) for at in lines(position("5EY@1007", boxes="1007").table)}
    assert "0807" in near  # two hexes from it, where it ends it may be near
    assert not {"0907", "0908", "1006", "1107", "1108", "1008"} & near


@pytest.mark.rule("fall-of-tobruk", "supply.17", "supply.18")
def test_near_a_box_it_may_lead_through_axis_units_to_one_beside_it():
    # 0907 touches the Box at 1007, 0807 is two hexes from it, 0707 three.
    assert not fed("8PZ-2", "0907", "5EY@1007 8PZ-3@0707", boxes="1007")
    assert fed("8PZ-2", "0907", "5EY@1007 8PZ-3@0807", boxes="1007")
    assert not fed("8PZ-2", "0907", "5EY@1007 8PZ-3@0807 6GH@0708", boxes="1007")  # its zone reaches 0807
    table = position("5EY@1007 8PZ-3@0807", boxes="1007").table
    beyond = set(lines(table, frozenset({"box-1"}))) - set(lines(table))
    assert {"0907", "0908"} <= {str(at) for at in beyond}  # for a unit that does not touch the Box, a friend near it opens nothing


# -- what it does ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "supply.3", "supply.12", "supply.15")
def test_without_supply_a_unit_moves_three_points_at_most():
    assert refused("8PZ-2", "1507 1607 1707 1807 1907", SHUT) == ("too-far", "supply.12")
    assert cost("8PZ-2", "1507 1607 1707 1807", SHUT) == 3
    assert cost("33AA", "1507 1607 1707 1807 1907 1906 1905") == 6  # in supply
    assert cost("19", "1507 1607 1707 1807") == 3


@pytest.mark.rule("fall-of-tobruk", "supply.12", "disrupt.10")
def test_a_disrupted_unit_without_supply_has_the_less_of_the_two():
    assert cost("8PZ-2", "1507 1607 1707 1807", SHUT, marks={"disrupted": "8PZ-2"}) == 3  # of 3 1/2
    assert refused("132ENG", "1507 1607 1707 1807", SHUT, marks={"disrupted": "132ENG"})[0] == "too-far"  # of 2 1/2


@pytest.mark.rule("fall-of-tobruk", "supply.2", "supply.4", "supply.13", "supply.14")
def test_without_supply_it_attacks_and_shoots_with_half():
    def part(side: str) -> object:
        return factor(position("8PZ-2@1507", side=side, marks={"unsupplied": "8PZ-2"}).table, "8PZ-2")

    assert str(part("axis")) == "1/2"
    assert part("allied") == 1  # it defends with all
    assert factor(position("8PZ-2@1507").table, "8PZ-2") == 1
    game = attacked(SHUT)
    assert (game.data("declared")["attack"], game.data("declared")["odds"]) == (2, "1:3")  # 4 halved against 5
    assert attacked("").data("declared")["attack"] == 4


def attacked(others: str) -> Game:
    """A tank stands and attacks a battalion far in the east."""
    game = position(f"8PZ-2@1507 1ILH@1607 {others}", tempo="blitz")
    game.axis(stand("8PZ-2"), attack("1607", "8PZ-2"), DONE, dice=(1, 1) if others else (1, 2))
    return game


@pytest.mark.rule("fall-of-tobruk", "supply.15", "supply.16")
def test_it_is_judged_unit_by_unit_as_it_sets_out():
    game = position("8PZ-2@1507 8PZ-3@1507 5EY@0101", marks={"unsupplied": "8PZ-3"})
    game.axis(move("8PZ-3", "1607 1707 1807 1907"))
    assert (game.at("8PZ-3"), game.marks("8PZ-3")) == ("1907", {"moved", "active"})  # the way is open again
    assert game.data("in_supply") == {"units": ["8PZ-3"]}
    game = position("8PZ-2@1507 8PZ-3@1507 " + SHUT)
    game.axis(move("8PZ-2", "1607"))
    assert ["unsupplied" in game.marks(unit) for unit in ("8PZ-2", "8PZ-3")] == [True, False]


@pytest.mark.rule("fall-of-tobruk", "supply.15", "supply.4")
def test_who_stands_is_judged_as_the_segment_closes():
    game = position("8PZ-2@1507 8PZ-3@1508 1ILH@1607 " + SHUT, tempo="blitz")
    game.axis(stand("8PZ-2"))
    assert "unsupplied" not in game.marks("8PZ-2")
    game.axis(DONE)
    assert ["unsupplied" in game.marks(unit) for unit in ("8PZ-2", "8PZ-3")] == [True, False]

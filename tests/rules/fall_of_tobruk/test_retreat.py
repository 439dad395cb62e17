"""Retreats: so many hexes, always away; enemies, zones, mines, the edge, the sea and crowded hexes on the way (FT-30 to FT-33).

Round 0808, clockwise: 0807 0908 0909 0809 0709 0708; round 0807: 0806 0907 0908 0808 0708 0707. On 1:1 a 9 is DR1, a 3 DR2, a 10 AR1."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenarios.hexes import distance, parse_hex
from services.rules.games.fall_of_tobruk import assault, retreat
from tests.rules.fall_of_tobruk.fighting import decision, fighting, fought, lost, results, retreated
from tests.rules.fall_of_tobruk.fighting import retreat as way
from tests.rules.fall_of_tobruk.positions import attack, on, order


def ways(units: str, unit: str, role: str, hexes: int, target: str = "0808", **more) -> set[str]:
    """The ways of a unit of an attack on a hex."""
    table = fighting(units, **more).table
    ours = [one.split("@")[0] for one in units.split()]
    one = assault.record(table, target, [parse_hex(target)], [u for u in ours if table.counters[u].side == "axis"])
    return {" ".join(map(str, found)) for found in retreat.living(table, unit, one, role, hexes, {})}


# -- where to --------------------------------------------------------------------------------------------------------------------


def test_a_retreat_leads_away_from_where_a_unit_stood_with_every_step():
    assert ways("115-I@0807 5EY@0808", "5EY", "defender", 1) == {"0908", "0909", "0809", "0709", "0708"}
    for found in ways("115-I@0807 5EY@0808", "5EY", "defender", 3):
        assert [distance(parse_hex("0808"), parse_hex(at)) for at in found.split()] == [1, 2, 3]


def test_attackers_do_not_come_nearer_to_what_they_attacked():
    assert ways("115-I@0807 5EY@0808", "115-I", "attacker", 1) == {"0806", "0907", "0707"}  # 0908 and 0708 lie in the zone of 5EY
    assert ways("115-I@0807 5EY@0808", "115-I", "attacker", 1, marks={"disrupted": "5EY"}) == {"0806", "0907", "0707", "0908", "0708"}


@settings(max_examples=25)
@given(st.integers(1, 4), st.sampled_from(["0403", "1111", "0108", "2001", "1007"]))
def test_no_way_comes_back(hexes, at):
    for role in ("attacker", "defender"):
        for found in ways("115-I@0807 5EY@0808", "115-I" if role == "attacker" else "5EY", role, hexes):
            assert len(set(found.split())) == hexes
            assert distance(parse_hex("0807" if role == "attacker" else "0808"), parse_hex(found.split()[-1])) == hexes


@pytest.mark.rule("fall-of-tobruk", "retreat.1")
def test_the_owner_chooses_the_way():
    game = fought("115-I@0807 5EY@0808", attack("0808", "115-I"), roll=9, standing=[on("RETREAT", way("0709"))])
    assert retreated(game) == {"5EY": "0808 0709"}
    game = fought("115-I@0807 5EY@0808", attack("0808", "115-I"), roll=3, standing=[on("RETREAT", way(hex="0710"))])
    assert retreated(game) == {"5EY": "0808 0709 0710"}


def test_of_itself_a_unit_avoids_zones_and_mines_and_goes_home():
    # 5EY: 0908 and 0708 lie in the zone of 115-I; of 0909 0809 0709 the nearest to the east edge is 0909.
    assert retreated(fought("115-I@0807 5EY@0808", attack("0808", "115-I"), roll=9)) == {"5EY": "0808 0909"}
    game = fought("115-I@0807 5EY@0808", attack("0808", "115-I"), roll=9, mines="0808/0909")
    assert retreated(game) == {"5EY": "0808 0809"}
    game = fought("115-I@0807 5EY@0808", attack("0808", "115-I"), roll=10)
    assert retreated(game) == {"115-I": "0807 0707"}


def test_units_of_a_hex_may_go_different_ways():
    lines = [on("RETREAT", way("0709", "6GH"))]
    game = fought("115-I@0807 104-I@0807 5EY@0808 6GH@0808", attack("0808", "115-I 104-I"), roll=9, standing=lines)
    assert retreated(game) == {"6GH": "0808 0709", "5EY": "0808 0909"}


@pytest.mark.rule("fall-of-tobruk", "artillery.14")
def test_artillery_retreats_beside_an_enemy_only_with_others_or_where_it_must():  # FT-25
    weak = {"marks": {"disrupted": "8PZ-3"}}  # 8PZ-3 is next to 0909 and has no zone
    assert ways("115-I@0807 8PZ-3@1009 5EY@0808", "5EY", "defender", 1, **weak) == {"0908", "0909", "0809", "0709", "0708"}
    assert ways("115-I@0807 8PZ-3@1009 74ART@0808", "74ART", "defender", 1, **weak) == {"0809", "0709"}
    assert "0909" in ways("115-I@0807 8PZ-3@1009 74ART@0808 6GH@0909", "74ART", "defender", 1, **weak)  # somebody is there
    ring = "8PZ-3@1009 8PZ-4@0910 8PZ-5@0609"
    assert ways(f"115-I@0807 {ring} 74ART@0808", "74ART", "defender", 1) == {"0908", "0909", "0809", "0709", "0708"}
    into = {"standing": [on("RETREAT", way(hex="0909"))], "idle": "8PZ-3", **weak}
    game = fought("115-I@0807 8PZ-3@1009 74ART@0808 5EY@0808", attack("0808", "115-I"), roll=10, **into)  # 5 to 6
    assert (results(game), retreated(game)) == ([("0808", "1:2", "DR1")], {"5EY": "0808 0909", "74ART": "0808 0909"})
    game = fought("8PZ-1@0807 8PZ-3@1009 74ART@0808", attack("0808", "8PZ-1"), roll=9, **into)  # 3 to 1
    assert (results(game)[0][2], retreated(game)) == ("DR2", {"74ART": "0808 0809 0810"})  # 0909 and 0910 are beside 8PZ-3


def test_a_way_that_is_none_is_refused():
    game = fought("115-I@0807 5EY@0808", attack("0808", "115-I"), roll=9, tempo="normal")
    assert (decision(game).side, decision(game).default) == ("allied", {"path": ["0909"]})
    game.allied(way("0807"))
    assert game.refusal() == ("no-such-retreat", "retreat.1")
    assert game.last.rejections[0].details["hexes"] == ["0708", "0709", "0809", "0908", "0909"]
    game.allied(way("0709", "6GH"))
    assert game.refusal() == ("not-in-battle", "retreat.1")
    game.allied(order("RETREAT", avoid=["RAIN"]))
    assert game.refusal() == ("malformed", "retreat.1")
    game.allied(way("0808 0709"))
    assert retreated(game) == {"5EY": "0808 0709"}


def test_what_is_avoided_first_may_be_said():
    # 115-I reaches 0908 and 0708, 104-I in 0710 0709 and 0809; 0909 lies beyond mines
    units, more = "115-I@0807 104-I@0710 5EY@0808", {"mines": "0808/0909", "idle": "104-I"}
    game = fought(units, attack("0808", "115-I"), roll=9, **more)
    assert (retreated(game), game.data("disrupted")["cause"]) == ({"5EY": "0808 0909"}, "mines")
    said = [on("RETREAT", order("RETREAT", avoid=["MINE", "ZOC"]))]
    game = fought(units, attack("0808", "115-I"), roll=9, standing=said, **more)
    assert (retreated(game), game.data("disrupted")["cause"]) == ({"5EY": "0808 0908"}, "zone")


# -- what bars it ----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "retreat.2")
def test_a_retreat_does_not_pass_enemies():
    assert ways("115-I@0807 104-I@0908 104-II@0909 5EY@0808", "5EY", "defender", 1) == {"0809", "0709", "0708"}
    ring = "115-I@0807 104-I@0908 104-II@0909 104-III@0809 115-II@0709 115-III@0708 5EY@0808 6GH@0808 7GH@0808 4EY@0808 4GH@0808 5GH@0808"
    game = fought(ring, attack("0808", "115-I 104-I 104-II 104-III 115-II 115-III"), roll=9)
    assert (results(game)[0][1:], set(lost(game).values())) == (("1:1", "DR1"), {"no-way"})
    assert (len(lost(game)), game.events("eliminated")[0].clause) == (6, "retreat.2")


@pytest.mark.rule("fall-of-tobruk", "retreat.4", "zoc.12")
def test_an_attacker_that_can_only_fall_back_through_an_enemy_zone_dies():
    # 6GH in 0705 reaches 0706 0806 0605..., 7GH in 1006 0907; 4EY in 0607 0707: nothing is left for 115-I in 0807
    units = "115-I@0807 5EY@0808 6GH@0805 7GH@1007 4EY@0607"
    game = fought(units, attack("0808", "115-I"), roll=10)
    assert (lost(game), game.events("eliminated")[0].clause) == ({"115-I": "zone"}, "retreat.4")
    game = fought(units, attack("0808", "115-I"), roll=10, marks={"disrupted": "6GH"})
    assert (lost(game), retreated(game)) == ({}, {"115-I": "0807 0806"})


def test_an_attacker_in_an_enemy_zone_already_does_not_die_for_that():
    game = fought("115-I@0807 5EY@0808", attack("0808", "115-I"), roll=10)
    assert (lost(game), len(retreated(game))) == ({}, 1)


@pytest.mark.rule("fall-of-tobruk", "retreat.5")
def test_a_unit_forced_off_the_map_dies():
    # 0108 (odd): 0107 0207 0208 0109; attackers there, enemies in all but what they leave
    units = "115-I@0108 5EY@0208 6GH@0107 7GH@0109 4EY@0207"
    lines = attack("0208 0107 0109 0207", "115-I 104-I")
    game = fought(f"{units} 104-I@0108", lines, roll=6)  # 10 to 20: 1:2, AR1
    assert (results(game)[0][1:], lost(game)) == (("1:2", "AR1"), {"115-I": "off-map", "104-I": "off-map"})
    assert game.events("eliminated")[0].clause == "retreat.5"


@pytest.mark.rule("fall-of-tobruk", "retreat.6")
def test_a_unit_forced_into_the_sea_dies():
    units = "115-I@0807 104-I@0809 115-II@0709 115-III@0708 5EY@0808 6GH@0808 7GH@0808 4EY@0808"
    game = fought(units, attack("0808", "115-I 104-I 115-II 115-III"), roll=9, sea="0908 0909")
    assert (results(game)[0][1:], set(lost(game).values())) == (("1:1", "DR1"), {"sea"})
    assert game.events("eliminated")[0].clause == "retreat.6"


def test_wrecks_of_tanks_lost_so_lie_in_their_last_hex():  # FT-51
    ring = "115@0807 104-I@0908 104-II@0909 104-III@0809 8PZ-2@0709 8PZ-3@0708 2RGH-2@0808"
    game = fought(ring, attack("0808", "115"), roll=4, idle="104-I 104-II 104-III 8PZ-2 8PZ-3")
    assert results(game)[0][1] == "3:1"
    game = fought(ring, attack("0808", "115"), roll=6, idle="104-I 104-II 104-III 8PZ-2 8PZ-3")
    assert (results(game)[0][2], lost(game), game.own("wrecks")[0]["hex"]) == ("DR1", {"2RGH-2": "no-way"}, "0808")


# -- enemy zones -----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "retreat.3", "zoc.11", "zoc.13", "disrupt.7")
def test_a_defender_is_disrupted_by_each_enemy_zone_that_it_enters_the_last_too():
    game = fought("115-I@0807 5EY@0808", attack("0808", "115-I"), roll=9, standing=[on("RETREAT", way("0708"))])
    assert (retreated(game), game.marks("5EY"), game.data("disrupted")["cause"]) == ({"5EY": "0808 0708"}, {"disrupted"}, "zone")
    game = fought("115-I@0807 5EY@0808", attack("0808", "115-I"), roll=9, standing=[on("RETREAT", way("0709"))])
    assert game.marks("5EY") == set()


@pytest.mark.rule("fall-of-tobruk", "disrupt.8")
def test_a_stack_is_worn_away_by_a_battalion_for_each_zone_more():
    # 115-I reaches 0708, 104-I in 0607 0708 and 0608... : 0708, then 0608, both controlled
    units = "115-I@0807 115-II@0807 104-I@0607 5EY@0808 6GH@0808"
    lines = {"standing": [on("RETREAT", way("0708 0608"))], "idle": "104-I"}
    game = fought(units, attack("0808", "115-I 115-II"), roll=3, **lines)
    assert (results(game)[0][1:], lost(game)) == (("1:1", "DR2"), {"5EY": "zone"})
    assert (game.at("6GH"), game.marks("6GH")) == ("0608", {"disrupted"})
    game = fought("115-I@0807 104-I@0607 5EY@0808", attack("0808", "115-I"), roll=3, **lines)  # alone: gone
    assert (lost(game), game.at("5EY")) == ({"5EY": "zone"}, "box:refit")


def test_friends_in_a_hex_do_not_cancel_its_zone():
    game = fought("115-I@0807 5EY@0808 6GH@0708", attack("0808 0708", "115-I"), dice=[3, 4], idle="", standing=[on("RETREAT", way("0908"))])
    assert (results(game)[0][1:], "disrupted" in game.marks("5EY")) == (("1:2", "AR2"), False)
    game = fought("115@0807 104@0807 5EY@0808 6GH@0908", attack("0808", "115"), attack("0908", "104"), dice=[3, 3, 1, 3])
    assert (results(game)[0][1:], retreated(game)["5EY"]) == (("3:1", "DR1"), "0808 0909")


# -- mines -----------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "minefields.14", "minefields.15", "disrupt.5")
def test_units_driven_through_mines_cross_them_at_once_and_are_disrupted():
    lines = [on("RETREAT", way("0909 1009"))]
    game = fought("115-I@0807 5EY@0808", attack("0808", "115-I"), roll=3, mines="0808/0909", standing=lines)
    assert (retreated(game), game.marks("5EY"), game.data("disrupted")) == (
        {"5EY": "0808 0909 1009"},
        {"disrupted"},
        {"unit": "5EY", "hex": "0808", "cause": "mines"},
    )
    game = fought("115-I@0807 5EY@0808", attack("0808", "115-I"), roll=10, mines="0807/0707", before=[on("RETREAT", way("0707"))])
    assert (retreated(game), game.marks("115-I")) == ({"115-I": "0807 0707"}, {"disrupted", "done"})


@pytest.mark.rule("fall-of-tobruk", "minefields.16")
def test_tanks_driven_through_mines_roll_for_losses_too():
    lines = [on("RETREAT", way("0909"))]
    units, attack_ = "115-I@0807 8PZ-2@0807 2RGH-2@0808 2RGH-3@0808", attack("0808", "115-I 8PZ-2")  # 9 to 8
    game = fought(units, attack_, dice=[4, 5, 5], mines="0808/0909", standing=lines)
    assert (results(game)[0][1:], lost(game), game.at("2RGH-3")) == (("1:1", "DR1"), {"2RGH-2": "mines"}, "0909")
    assert (game.own("wrecks")[0]["hex"], game.data("mine_roll")["how"]) == ("0808", "retreat")
    game = fought(units, attack_, dice=[4, 5, 3], mines="0808/0909", standing=lines)
    assert (lost(game), game.marks("2RGH-2"), game.at("2RGH-2")) == ({}, {"disrupted"}, "0909")
    game = fought(units, attack_, dice=[4, 5], mines="0808/0909", road="0808-0909", standing=lines)  # along a road: FT-47
    assert (lost(game), game.marks("2RGH-2"), game.at("2RGH-2")) == ({}, set(), "0909")


@pytest.mark.rule("fall-of-tobruk", "minefields.15", "disrupt.17")
def test_tanks_that_were_disrupted_already_die_in_the_mines_before_a_die_is_thrown_for_them():
    units, lines = "115-I@0807 8PZ-2@0807 2RGH-2@0808 2RGH-3@0808", [on("RETREAT", way("0909"))]
    disrupted = {"disrupted": "2RGH-2 2RGH-3"}  # 9 to 4; two companies are less than the battalion that they owe
    game = fought(units, attack("0808", "115-I 8PZ-2"), roll=7, mines="0808/0909", standing=lines, marks=disrupted)
    assert (results(game)[0][1:], lost(game)) == (("2:1", "DR1"), {"2RGH-2": "mines", "2RGH-3": "mines"})
    assert game.events("mine_roll") == []


# -- crowded hexes ---------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "disrupt.6", "stacking.13")
def test_defenders_that_crowd_a_hex_are_disrupted_and_its_residents_are_not():
    units = "115-I@0807 5EY@0808 2SG@0709 1-5MAH@0709"
    game = fought(units, attack("0808", "115-I"), roll=9, standing=[on("RETREAT", way("0709"))])
    assert (game.marks("5EY"), game.marks("2SG"), game.data("disrupted")["cause"]) == ({"disrupted"}, set(), "stacking")


@pytest.mark.rule("fall-of-tobruk", "stacking.14")
def test_attackers_that_crowd_a_hex_die_and_must_go_where_there_is_room():
    crowd = "19@0707 20@0806 27@0907"  # each fills its hex
    game = fought(f"115-I@0807 5EY@0808 {crowd}", attack("0808", "115-I"), roll=10)
    assert (lost(game), game.events("eliminated")[0].clause) == ({"115-I": "stacking"}, "stacking.14")
    assert ways(f"115-I@0807 5EY@0808 {crowd}", "115-I", "attacker", 1) == {"0707", "0806", "0907"}
    assert ways("115-I@0807 5EY@0808 19@0707 20@0806", "115-I", "attacker", 1) == {"0907"}
    game = fought("115-I@0807 104-I@0807 288@0807 5EY@0808 19@0707 20@0806", attack("0808", "115-I 104-I 288"), roll=3)  # 16 to 5: AR1
    assert (lost(game), set(retreated(game).values())) == ({}, {"0807 0907"})  # three German battalions


def test_a_regiment_that_pays_on_its_way_goes_on_as_battalions():
    units = "5EY@0807 6GH@0807 7GH@0807 2SG@0607 115@0808"  # 15 to 15: DR2
    lines = [on("RETREAT", way("0708 0608"))]
    game = fought(units, attack("0808", "5EY 6GH 7GH"), roll=3, side="allied", idle="2SG", standing=lines)
    assert (lost(game), game.at("115"), game.at("115-II"), game.marks("115-III")) == (
        {"115-I": "zone"},
        "box:component",
        "0608",
        {"disrupted"},
    )


@pytest.mark.rule("fall-of-tobruk", "disrupt.8", "zoc.11")
def test_a_unit_that_dies_on_its_way_goes_no_further():
    into = {"standing": [on("RETREAT", way("0908 1008"))], "marks": {"disrupted": "5EY"}}
    game = fought("288@0807 5EY@0808", attack("0808", "288"), roll=9, **into)  # 6 to 2 1/2: 2:1, DR2, and 0908 lies in a zone
    assert (results(game)[0][1:], retreated(game), lost(game)) == (("2:1", "DR2"), {"5EY": "0808 0908"}, {"5EY": "zone"})


@pytest.mark.rule("fall-of-tobruk", "stacking.13", "stacking.12")
def test_italians_whom_a_retreating_german_leaves_too_many_are_disrupted():  # FT-59
    units = "8B-I@0807 9B-I@0807 12B-I@0807 8PZ-2@0807 115-I@0908 5EY@0808"
    game = fought(units, attack("0808", "8PZ-2 115-I"), roll=10, idle="8B-I 9B-I 12B-I", marks={"disrupted": "9B-I"})  # 9 to 5
    assert (results(game)[0][2], set(retreated(game))) == ("AR1", {"8PZ-2", "115-I"})
    assert [(event.data["unit"], event.clause) for event in game.events("disrupted")] == [("12B-I", "stacking.13"), ("8B-I", "stacking.13")]
    assert game.at("9B-I") == "0807"  # it is disrupted already, and pays nothing
    game = fought(units, attack("0808", "8PZ-2 8B-I"), roll=10, idle="9B-I 12B-I 115-I")  # two Italians stay, which may
    assert (set(retreated(game)), game.events("disrupted")) == ({"8PZ-2", "8B-I"}, [])

"""12.4 Retreats. A barrage of C-4RHA makes a unit check: a 3 or 4 on column 4 is M (at full factor, adjacent to 3 hexes). BAB 8, PAS 6."""

import pytest

from scenarios.hexes import distance, parse_hex
from services.rules.games.beda_fomm.retreat import preferred, routes
from tests.rules.beda_fomm.positions import DONE, Game, on, order, position


def driven(unit: str, at: str, others: str = "", *, gun: str, dice: tuple[int, ...] = (4, 4, 5), **more: object) -> Game:
    """A game in which an Italian unit of Babini's has just failed its check by one, and retreats."""
    game = position(f"C-4RHA@{gun} {unit}@{at} {others}", side="british", step="barrage", **more)
    game.british(order("BARRAGE", guns=["C-4RHA"], target=at), dice=dice)
    return game


def ends(game: Game) -> set[str]:
    """Where the decision that is open lets the unit end."""
    (decision,) = game.state.pending
    return {choice["path"][-1] for choice in decision.choices or () if not choice["exit"]}


def retreat(unit: str, path: str = "", **more: object):
    return order("RETREAT", unit=unit, path=path.split(), **more)


FAR = {"at": "2824", "gun": "2821"}


@pytest.mark.rule("beda-fomm", "12.41a", "12.42a", "12.42b")
def test_two_hexes_in_any_direction_that_ends_two_hexes_away():
    game = driven("BAB-MC", **FAR)
    (decision,) = game.state.pending
    assert (decision.kind, decision.side, decision.verb) == ("retreat", "italian", "RETREAT")
    # The twelve hexes at two hexes' distance; 2822 lies next to the gun, in its ZOC.
    around = {"2822", "2923", "3023", "3024", "3025", "2926", "2826", "2726", "2625", "2624", "2623", "2723"}
    assert all(distance(parse_hex("2824"), parse_hex(at)) == 2 for at in around)
    assert ends(game) == around - {"2822"}
    game.italian(retreat("BAB-MC", "2825 2925"))  # 2925 is next to 2824
    assert game.refusal() == ("no-such-retreat", "12.42b")
    game.italian(retreat("BAB-MC", "2824 2924 3023"))  # with the hex where it stands, or without
    assert (game.at("BAB-MC"), game.data("retreated")["path"]) == ("3023", ["2824", "2924", "3023"])


@pytest.mark.rule("beda-fomm", "12.41b")
def test_mp_are_no_matter():
    game = driven("BAB-61-1", "2724", "2RB-A@2722", gun="2722", dice=(6, 4, 5))  # a light tank of MA 3: column 4 less 3 is 1, 6 is M
    game.italian(retreat("BAB-61-1", "2624 2525"))  # clear, then undulating
    assert game.at("BAB-61-1") == "2525"
    assert game.marks("BAB-61-1") == set()  # and it is no movement (BF-R25)


@pytest.mark.rule("beda-fomm", "12.43c", "5.62a", "2.0o")
def test_enemy_zoc_is_closed_even_where_friends_stand_and_another_way_must_be_taken():
    # 11H-1 in 2826 has its ZOC over 2825 and round it; a friend in 2825 does not lift it.
    game = driven("BAB-MC", **FAR, others="11H-1@2826 PAS-INF@2825")
    # The gun commands 2822, the car 2825, 2926 and 2726, and stands in 2826.
    assert ends(game) == {"2923", "3023", "3024", "3025", "2625", "2624", "2623", "2723"}
    for path in ("2825 2926", "2925 2926", "2725 2726"):
        game.italian(retreat("BAB-MC", path))
        assert game.refusal() == ("no-such-retreat", "12.42b")


@pytest.mark.rule("beda-fomm", "5.61a", "12.43e")
def test_where_enemy_zoc_bars_every_way_the_unit_is_eliminated():
    # Round 2824: 2823 is commanded from 2822, 2924 from 3023, 2925 from 3025, 2825 from 2826, 2725 and 2724 from 2624.
    game = driven("BAB-MC", **FAR, others="2RB-A@2822 KDG-B@3023 11H-1@3025 11H-2@2826 2RB-B@2624")
    eliminated = game.data("eliminated")
    assert (eliminated["cause"], game.events("eliminated")[0].clause, game.morale("BAB")) == ("zoc", "5.61a", 7)


@pytest.mark.rule("beda-fomm", "12.43d", "12.41c")
def test_prohibited_terrain_is_closed_but_along_a_road_or_trail():
    # Weapons on the road at 1725, which runs 1724 1725 1726 1727 and 1723; all else is clear ground, closed to them.
    game = position("C-4RHA@2025 BAB-AT@1725", side="british", step="barrage")
    assert {route.path[-1] for route in routes(game.table, "BAB-AT")} == {parse_hex("1723"), parse_hex("1727")}
    off_road = position("BAB-AT@2824")
    assert routes(off_road.table, "BAB-AT") == ()
    assert routes(position("BAB-MC@2824").table, "BAB-MC") != ()


@pytest.mark.rule("beda-fomm", "12.43e")
def test_where_the_ground_is_closed_all_round_the_unit_is_eliminated():
    game = driven("BAB-AT", **FAR, dice=(4, 4, 5))
    assert (game.data("eliminated")["cause"], game.at("BAB-AT")) == ("no-way", "box:eliminated")


@pytest.mark.rule("beda-fomm", "12.43b", "6.14a")
def test_full_hexes_are_closed_and_eliminate_where_nothing_else_bars_the_way():
    # The road 1723..1727: a battalion each in 1724 and 1727 bars the guns' way over them; a company leaves room.
    game = position("C-4RHA@2025 BAB-ART@1725 BER-SIR@1724 PAS-INF@1726 FER-INF@1727", side="british", step="barrage")
    assert routes(game.table, "BAB-ART") == ()
    game = position("C-4RHA@2025 BAB-ART@1725 BER-SIR@1724 PAS-INF@1726", side="british", step="barrage")
    assert [str(route.path[-1]) for route in routes(game.table, "BAB-ART")] == ["1727"]


@pytest.mark.rule("beda-fomm", "6.14a")
def test_death_by_stacking():
    # At 3 hexes C-4RHA has 4 factors. On the road the guns (BAB 8, 9 thrown) can only go over 1724 or 1726, both full.
    game = driven("BAB-ART", "1725", "BER-SIR@1724 FER-INF@1726", gun="2024")
    assert (game.data("eliminated")["cause"], game.events("eliminated")[0].clause) == ("stacking", "6.14a")
    assert (game.at("BAB-ART"), game.morale("BAB")) == ("box:eliminated", 7)


@pytest.mark.rule("beda-fomm", "12.43a")
def test_units_of_a_stack_retreat_one_by_one_each_its_own_way():
    game = driven("BAB-MC", **FAR, others="BAB-6-1@2824 PAS-INF@2824", dice=(6, 4, 4), tempo="full")  # the tank on column 1: 6 is M
    game.italian(order("CHECKS", units=["PAS-INF", "BAB-MC", "BAB-6-1"]), dice=[4, 3])
    game.italian(retreat("BAB-MC", "2825 2826"))
    assert game.refusal() == ("another-unit", "12.43a")
    game.italian(retreat("PAS-INF", "2825 2826"), dice=[4, 5])
    game.italian(retreat("BAB-MC", "2925 3025"), dice=[4, 4])
    assert [game.at(unit) for unit in ("PAS-INF", "BAB-MC")] == ["2826", "3025"]
    assert [event.data["level"] for event in game.events("morale_check")] == [7]  # BAB has fallen


@pytest.mark.rule("beda-fomm", "12.44a", "9.46b")
def test_parked_transport_that_must_retreat_is_eliminated():
    game = position("C-4RHA@2821 T-1:parked@2824", side="british", step="barrage")
    game.british(order("BARRAGE", guns=["C-4RHA"], target="2824"), dice=[4, 3, 4])  # 7 against BER 6
    assert (game.data("eliminated")["cause"], game.at("T-1"), game.morale("BER")) == ("parked", "box:eliminated", 5)
    on_road = position("C-4RHA@2024 T-1:parked@1725", side="british", step="barrage")
    on_road.british(order("BARRAGE", guns=["C-4RHA"], target="1725"), dice=[4, 3, 4])
    assert on_road.at("T-1") == "box:eliminated"  # where an unparked one could go down the road
    unparked = position("C-4RHA@2024 T-1@1725", side="british", step="barrage", tempo="blitz")
    unparked.british(order("BARRAGE", guns=["C-4RHA"], target="1725"), dice=[4, 3, 4])
    assert unparked.at("T-1") == "1727"


# -- off the map -----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("beda-fomm", "4.1c")
def test_italians_may_retreat_over_the_south_edge_and_score_but_lose_the_level():
    game = driven("BAB-MC", "2839", gun="2836")
    game.italian(retreat("BAB-MC", "2840", exit=True))
    assert (game.at("BAB-MC"), game.own("vp"), game.morale("BAB")) == ("box:exited", 1, 7)
    assert game.events("eliminated") == []
    edge = driven("BAB-MC", "2840", gun="2837")
    edge.italian(retreat("BAB-MC", exit=True))  # with the first step
    assert (edge.at("BAB-MC"), edge.data("retreated")["path"], edge.events("exited")[0].clause) == ("box:exited", ["2840"], "4.1c")


def test_they_need_not_and_no_other_edge_will_do():
    game = driven("BAB-MC", "2839", gun="2836")
    game.italian(retreat("BAB-MC", "2939 3038"))
    assert (game.at("BAB-MC"), game.own("vp")) == ("3038", 0)
    assert not any(route.off for route in routes(position("BAB-MC@2802").table, "BAB-MC"))
    assert not any(route.off for route in routes(position("2RB-A@2840").table, "2RB-A"))
    assert not any(route.off for route in routes(position("BAB-MC@2838").table, "BAB-MC"))  # two hexes inside
    assert [route.off for route in routes(position("BAB-AT@1740").table, "BAB-AT")].count(True) == 1  # weapons: by the road
    assert not any(route.off for route in routes(position("BAB-AT@2840").table, "BAB-AT"))


@pytest.mark.rule("beda-fomm", "4.3c")
def test_the_eleventh_point_by_a_retreat_ends_the_game_at_once():
    # Two units are to check; the first leaves with two points, and the second is not asked any more.
    game = position("C-4RHA@2836 BER-SIR@2839 BAB-MC@2839", side="british", step="barrage", own={"vp": 9}, tempo="blitz")
    game.british(order("BARRAGE", guns=["C-4RHA"], target="2839"), DONE, dice=[4, 4, 4, 4])
    assert (game.state.over.winner, game.state.over.level, game.own("vp")) == ("italian", "decisive", 11)
    assert (game.at("BER-SIR"), game.at("BAB-MC"), game.state.agenda, game.state.pending) == ("box:exited", "2839", (), ())


# -- where it goes by itself, and by policy (W4) ---------------------------------------------------------------------------------


def default(unit: str, units: str) -> str:
    table = position(units).table
    route = preferred(table, unit, routes(table, unit))
    return " ".join([*map(str, route.path), *(["off"] if route.off else [])])


@pytest.mark.parametrize(
    ("unit", "units", "way"),
    [
        ("BAB-MC", "BAB-MC@2839", "2840 off"),  # the exit, straight down: the lowest number of its equals
        ("BAB-MC", "BAB-MC@2824 C-4RHA@2820", "2825 2826"),  # furthest from the enemy
        ("BAB-MC", "BAB-MC@2824 C-4RHA@2828", "2724 2623"),  # six hexes off like 2822 and 3023: the southern two, then the lower number
        ("BAB-MC", "BAB-MC@1725 C-4RHA@1721", "1726 1727"),  # down the road
        ("BAB-MC", "BAB-MC@2824", "2825 2826"),  # no enemy: the south
        ("2RB-A", "2RB-A@2824", "2924 3023"),  # the east, lowest number
    ],
)
def test_the_default_retreat(unit: str, units: str, way: str):
    assert default(unit, units) == way


def test_a_hex_filled_to_its_limit_is_a_worse_place():
    # 2726, 2826 and 2926 are six hexes from the gun. 2826 lies furthest south, but a battalion and BAB-MC would fill it.
    assert default("BAB-MC", "BAB-MC@2824 BER-SIR@2826 C-4RHA@2820") == "2725 2726"
    assert default("BAB-MC", "BAB-MC@2824 PAS-INF@2826 C-4RHA@2820") == "2825 2826"


def test_a_policy_for_a_formation_gives_directions_exit_and_hexes_to_avoid():
    policy = order("RETREAT", parent="BAB", dirs=["NE", "SE"], avoid=["3023"])
    game = driven("BAB-MC", **FAR)
    game.italian(order("RETREAT", parent="PAS", dirs=["N"]))
    assert game.refusal() == ("another-formation", "12.42a")
    game.italian(policy)
    assert game.at("BAB-MC") == "3024"  # NE to 2923.. then SE; 3023 is avoided
    stays = driven("BAB-MC", "2839", gun="2836")
    stays.italian(order("RETREAT", parent="BAB", dirs=["NW"], exit=False))
    assert (stays.at("BAB-MC"), stays.own("vp")) == ("2638", 0)


def test_standing_policies_are_tried_until_one_fits():
    game = position("C-4RHA@2821 BAB-MC@2824 COL-ART@3335", step="interdiction")
    other, mine = order("RETREAT", parent="PAS", dirs=["N"]), order("RETREAT", parent="BAB", dirs=["SW"])
    game.italian(standing=[on("RETREAT", other), on("RETREAT", mine)])
    game.italian(DONE)
    game.british(order("BARRAGE", guns=["C-4RHA"], target="2824"), dice=[4, 4, 5])
    assert game.at("BAB-MC") == "2625"


def test_with_one_way_alone_nobody_is_asked():
    game = position("C-4RHA@2024 BAB-AT@1725 PAS-INF@1725 BER-SIR@1724 ALL-AT@1724", side="british", step="barrage", tempo="full")
    game.british(order("BARRAGE", guns=["C-4RHA"], target="1725"), dice=[4, 1, 4, 5])
    assert (game.at("BAB-AT"), [event.data["source"] for event in game.events("decided")]) == ("1727", ["forced"])


# -- optional rule 12.45 ---------------------------------------------------------------------------------------------------------

CHAIN = {"retreat_checks": True, "tempo": "blitz"}


@pytest.mark.rule("beda-fomm", "12.45a", "12.45c")
def test_by_option_friends_in_each_hex_entered_check_when_the_retreat_has_ended():
    # BAB-MC goes by 2825 (PAS-INF, FER-AT) to 2826 (PIA-AT): all three check, each once, in their usual order; no modifier.
    units = "C-4RHA@2821 BAB-MC@2824 PAS-INF@2825 FER-AT@2825 PIA-AT@2826 ALL-AT@2923"
    game = position(units, side="british", step="barrage", **CHAIN)
    game.british(order("BARRAGE", guns=["C-4RHA"], target="2824"), dice=[4, 4, 5, 1, 1, 1, 1, 1, 1])
    assert [(e.data["unit"], e.data["by"], e.data["n"]) for e in game.events("morale_check")] == [
        ("BAB-MC", None, 0),
        ("FER-AT", "BAB-MC", 0),
        ("PAS-INF", "BAB-MC", 0),
        ("PIA-AT", "BAB-MC", 0),
    ]
    kinds = game.kinds()
    assert kinds.index("retreated") < [n for n, kind in enumerate(kinds) if kind == "morale_check"][1]
    plain = position(units, side="british", step="barrage", tempo="blitz")
    plain.british(order("BARRAGE", guns=["C-4RHA"], target="2824"), dice=[4, 4, 5])
    assert len(plain.events("morale_check")) == 1


def test_a_chain_goes_to_its_end_the_deepest_first_and_is_forgotten():
    # BAB-MC comes to 2826, PAS-INF there fails (7 against 6) and goes on to 2828, where CRU-LAA passes; then SAB-MG of 2826 has its check.
    units = "C-4RHA@2821 BAB-MC@2824 PAS-INF@2826 SAB-MG@2826 CRU-LAA@2828"
    game = position(units, side="british", step="barrage", **CHAIN)
    game.british(order("BARRAGE", guns=["C-4RHA"], target="2824"), dice=[4, 4, 5, 3, 4, 1, 1, 1, 1])
    found = [(e.data["unit"], e.data["by"], e.data["passed"]) for e in game.events("morale_check")]
    assert found == [
        ("BAB-MC", None, False),
        ("PAS-INF", "BAB-MC", False),
        ("CRU-LAA", "PAS-INF", True),
        ("SAB-MG", "BAB-MC", True),
    ]
    assert (game.at("PAS-INF"), game.own("chain"), game.kinds().count("chain_ends")) == ("2828", {}, 1)


def test_who_has_failed_in_a_chain_is_not_asked_again_by_the_same_retreater():
    game = position("C-4RHA@2821 BAB-MC@2824 PAS-INF@2826", side="british", step="barrage", retreat_checks=True, tempo="full")
    game.british(order("BARRAGE", guns=["C-4RHA"], target="2824"), dice=[4, 4, 5])
    game.italian(retreat("BAB-MC", "2825 2826"), dice=[3, 4])
    assert game.own("chain") == {"BAB-MC": ["PAS-INF"]}
    game.italian(retreat("PAS-INF", "2827 2828"))
    assert game.own("chain") == {}
    # As if BAB-MC came among them again in the same chain: PAS-INF is passed over, SAB-MG is not.
    again = position(
        "C-4RHA@2821 BAB-MC@2824 PAS-INF@2826 SAB-MG@2826", side="british", step="barrage", **CHAIN, own={"chain": {"BAB-MC": ["PAS-INF"]}}
    )
    again.british(order("BARRAGE", guns=["C-4RHA"], target="2824"), dice=[4, 4, 5, 1, 1])
    assert [event.data["unit"] for event in again.events("morale_check")] == ["BAB-MC", "SAB-MG"]


@pytest.mark.rule("beda-fomm", "12.45b")
def test_so_do_friends_where_it_dies_of_stacking():
    # On the road: 1726 is full (FER-INF), and so is 1724 (T-1 and PIA-AT): it dies where fewest check, in 1726.
    units = "C-4RHA@2024 BAB-ART@1725 T-1@1724 PIA-AT@1724 FER-INF@1726"
    game = position(units, side="british", step="barrage", **CHAIN)
    game.british(order("BARRAGE", guns=["C-4RHA"], target="1725"), dice=[4, 4, 5, 1, 1])
    assert game.data("eliminated")["cause"] == "stacking"
    assert [(e.data["unit"], e.data["by"]) for e in game.events("morale_check")] == [("BAB-ART", None), ("FER-INF", "BAB-ART")]


def test_armor_and_parked_transport_check_too():
    units = "C-4RHA@2821 BAB-MC@2824 T-1:parked@2826 BAB-6-1@2826"
    game = position(units, side="british", step="barrage", **CHAIN)
    game.british(order("BARRAGE", guns=["C-4RHA"], target="2824"), dice=[4, 4, 5, 3, 4, 1, 1])
    assert [(e.data["unit"], e.data["by"]) for e in game.events("morale_check")][1:] == [("T-1", "BAB-MC"), ("BAB-6-1", "BAB-MC")]
    assert game.at("T-1") == "box:eliminated"  # 7 against 6, and parked


def test_a_unit_that_is_not_on_the_map_has_no_retreat():
    assert routes(position("COL-AT@dead 2RB-A@2824").table, "COL-AT") == ()

"""The adjutant: a game that plays itself, and what it does in positions made by hand."""

from __future__ import annotations

from typing import Any

import pytest

from services.rules.engine.dice import SeededDice
from services.rules.engine.draft import state_of
from services.rules.engine.model import Order
from services.rules.engine.view import view
from services.rules.games.beda_fomm.adjutant_odds import barrage_gain, hurt, shot_chance
from services.rules.games.beda_fomm.adjutant_view import SHOWN, Draft
from tests.rules.beda_fomm.fight import declaring
from tests.rules.beda_fomm.positions import DONE, Game, historical, module, order, position
from tests.rules.playing import legal_digests

SECRET = f"{3:064x}"
DICE = SeededDice("5e" * 32)


def asked(game: Game, side: str) -> tuple[Order, ...]:
    """What the adjutant orders for a side."""
    adjutant = module().adjutant
    assert adjutant is not None
    return adjutant(module(), view(module(), game.state, side))


def lines(game: Game, side: str, verb: str) -> list[Any]:
    """The arguments of its orders of one verb."""
    return [o.args for o in asked(game, side) if o.verb == verb]


def goes(game: Game, side: str) -> dict[str, str]:
    """Unit -> the hex where the adjutant moves it."""
    return {args["units"][0]: args["path"][-1] for args in lines(game, side, "MOVE")}


def draft_of(game: Game, side: str) -> Draft:
    return Draft(module(), view(module(), game.state, side))


# -- whole games -----------------------------------------------------------------------------------------------------------------


def test_a_game_plays_itself_by_legal_orders_and_the_same_again():
    first, second = (legal_digests(module(), "historical", {"tempo": "full", "retreat_checks": True}, SECRET, turns=5) for _ in range(2))
    assert first == second
    assert len(first) > 30


def test_what_it_plays_on_is_the_state_itself_for_nothing_is_hidden():
    game = position("2RB-A@1732 T-1:parked@1731 C-4RHA:fired@1734 10B-16@1730 T-2@off4", own={"vp": 2}, marks={"in-zoc": "10B-16"})
    seen = state_of(module(), view(module(), game.state, "italian"), frozenset(SHOWN))
    assert (seen.counters, seen.own, seen.path) == (game.state.counters, game.state.own, game.state.path)


def test_nobody_is_ordered_about_who_is_not_waited_for():
    assert asked(position("10B-16@1710 2RB-A@1732"), "british") == ()


# -- set-up ----------------------------------------------------------------------------------------------------------------------


def test_combeforce_is_set_up_next_to_the_track_and_the_convoys_are_formed():
    game = historical()
    game.british(*asked(game, "british"))
    assert {game.at(unit) for unit in ("2RB-A", "2RB-C", "C-4RHA")} == {"2631", "2630", "2731"}
    convoys = lines(game, "italian", "CONVOY")
    assert [c["personnel"] for c in convoys] == ["10B-16", "10B-34", "10B-MC", "BER-BRE", "BER-SAV", "BER-MAR", "BER-SIR", "SAB-1", "SAB-2"]
    game.italian(*asked(game, "italian"))
    assert game.place == "1 italian movement"


# -- the Italians ----------------------------------------------------------------------------------------------------------------


def test_in_the_opening_everybody_goes_down_the_road_as_far_as_he_can():
    game = position("10B-16@0903 T-1@0901 COL-AT@off1 2RB-A@2731", contact=False, turn=1)
    assert goes(game, "italian") == {"10B-16": "1213", "T-1": "1212", "COL-AT": "1111"}  # 12 hexes, up to him, 12
    game.italian(*asked(game, "italian"))
    assert game.last.status == "done"


def test_who_can_leaves_the_map_and_the_game_may_end_by_it():
    game = position("10B-16@2039 BAB-MC@1540 T-1@1738 T-2@1734 2RB-A@2731", own={"vp": 5})
    left = [args["unit"] for args in lines(game, "italian", "EXIT")]
    assert left == ["BAB-MC", "10B-16", "T-1", "T-2"]  # 5 + 1 + 2 + 2 + 2 points
    near = position("10B-16@2039 BAB-MC@1540 T-1@1738 2RB-A@2731", own={"vp": 9})
    assert [o.verb for o in asked(near, "italian")][-1] == "EXIT"  # the eleventh point: no DONE after the end
    near.italian(*asked(near, "italian"))
    assert near.state.over is not None


def test_men_on_foot_go_around_armor_and_tanks_open_its_zone_to_them():
    alone = position("10B-16@2028 11H-1@2031")
    assert goes(alone, "italian")["10B-16"] not in ("2030", "1930", "2130")
    together = position("10B-16@2028 BAB-6-1@2028 11H-1@2031 KDG-B@2231 11H-2@1831 2RT-1@2431 2RT-2@1631")
    found = goes(together, "italian")
    assert next(iter(found)) == "BAB-6-1"


def test_lorries_that_cannot_get_on_park_and_are_made_ready_when_the_road_is_free():
    blocked = position("T-1@1730 T-2@1729 T-3@1725 T-4:parked@1728 COL-ART@1728 2RB-A@1732", step="parking")
    assert [args["unit"] for args in lines(blocked, "italian", "PARK")] == ["T-1"]  # T-2 may come up to it
    free = position("T-1:parked@1730 T-2@1725 2RB-A@2731", step="parking")
    assert [o.verb for o in asked(free, "italian")] == ["UNPARK", "DONE"]
    full = position("T-1:parked@1730 T-2@1730 2RB-A@2731", step="parking")
    assert [o.verb for o in asked(full, "italian")] == ["DONE"]  # two that are not parked may not stand in a hex


def test_who_has_moved_stays_and_in_the_dark_nobody_enters_a_zone():
    game = position("10B-16@1710 10B-34@1728 2RB-A@1732", turn=8, moved="10B-16", marks={"done": "10B-16"})
    assert goes(game, "italian") == {"10B-34": "1931"}  # 1731 and 1831 lie next to the block


def test_arrivals_come_in_tanks_first_and_go_on():
    game = position("T-1@off9 10B-AT@off9 BAB-6-1@off9 FER-INF@off9 2RB-A@1732")
    assert list(goes(game, "italian")) == ["BAB-6-1", "FER-INF", "10B-AT", "T-1"]


# -- the British -----------------------------------------------------------------------------------------------------------------


def test_the_block_takes_its_posts_at_sidi_saleh():
    game = position("2RB-A@2030 C-4RHA@2032 11H-1@2030 T-1@1715", side="british")
    assert goes(game, "british") == {"2RB-A": "1732", "11H-1": "1732", "C-4RHA": "1733"}


def test_light_tanks_bar_the_way_to_men_on_foot_and_cruisers_that_to_tanks():
    game = position("10B-16@2034 7H-1@2437 2RB-A@1732", side="british")
    assert goes(game, "british")["7H-1"] == "1736"  # the third hex of his way, out of his ZOC
    tank = position("BAB-6-1@2034 BAB-6-2@2034 BAB-6-3@2034 BAB-6-4@2034 2RT-1@2237 7H-1@2437 2RB-A@1732", side="british", turn=24)
    assert goes(tank, "british")["2RT-1"] == "1736"  # four tanks are too many to hunt
    far = position("BAB-6-1@1138 1RT-1@2430 2RB-A@1732", side="british", turn=24)
    assert goes(far, "british")["1RT-1"] == "1734"  # seven hexes nearer to where the tank leaves, not at its post 1934


def test_light_tanks_raid_parked_lorries_and_cruisers_hunt_lone_tanks():
    game = position("T-1:parked@1715 7H-1@2016 2RB-A@1732", side="british")
    assert goes(game, "british")["7H-1"] in ("1614", "1615", "1714", "1716", "1814", "1815")
    hunt = position("BAB-6-1@2011 2RT-1@2013 2RT-2@2013 2RT-3@2013 2RB-A@1732", side="british")
    assert {goes(hunt, "british").get(unit) for unit in ("2RT-1", "2RT-2", "2RT-3")} == {"2012"}
    near = position("BAB-6-1@2011 2RT-1@2012 2RT-2@2012 2RB-A@1732", side="british")
    assert "2RT-1" not in goes(near, "british")  # stands well already


def test_british_arrivals_come_in_over_the_east_edge():
    game = position("2RT-1@off5 T-1@1715 2RB-A@1732", side="british", turn=5)
    (args,) = lines(game, "british", "MOVE")
    assert args["path"][0][:2] == "33"


# -- fire ------------------------------------------------------------------------------------------------------------------------


def test_each_stack_of_guns_fires_where_it_hurts_most_and_no_hex_is_fired_at_twice():
    game = position("C-4RHA@1733 F-4RHA@1734 T-1@1731 10B-16@1730 T-2:parked@1730 2RB-A@1830", step="reaction barrage", morale={"BER": 3})
    fired = lines(game, "british", "BARRAGE")
    assert sorted(args["target"] for args in fired) == ["1730", "1731"]
    game.british(*asked(game, "british"), dice=DICE)
    assert game.last.status == "done"


def test_where_a_retreat_makes_others_check_guns_fire_one_stack_after_the_other():
    where = "C-4RHA@1733 F-4RHA@1734 T-1@1731 10B-16@1730 2RB-A@1830"
    game = position(where, step="reaction barrage", morale={"BER": 3}, retreat_checks=True)
    for gun, target in (("C-4RHA", "1731"), ("F-4RHA", "1730")):
        (shell,) = asked(game, "british")  # and no DONE: what the first does may empty the hex of the second
        assert (shell.args["guns"], shell.args["target"]) == ([gun], target)
        game.british(shell, dice=[1])
    assert game.place == "9 italian declaration"


def test_guns_that_have_no_better_target_delay_who_is_about_to_get_away():
    game = position("C-4RHA@1733 10B-16@2036", side="british", step="interdiction")
    (args,) = lines(game, "british", "INTERDICT")
    assert args["guns"] == ["C-4RHA"]
    game.british(*asked(game, "british"))
    assert game.last.status == "done"
    italian = position("COL-ART@1730 2RB-A@1732", step="interdiction")
    assert [o.verb for o in asked(italian, "italian")] == ["DONE"]


def test_a_unit_near_the_edge_is_not_driven_over_it():
    game = position("C-4RHA@1737 10B-16@1939 10B-34@1935 FER-INF@1910", side="british", step="barrage")
    draft = draft_of(game, "british")
    assert hurt(draft, "FER-INF", "M") > 0 > hurt(draft, "10B-16", "M")
    assert hurt(draft, "10B-34", "E") == 110 * (2 * 2 + 6 + 2)  # two points, and its factors
    assert barrage_gain(draft, ["C-4RHA"], draft.table.counters["10B-16"].place) < 0


def test_a_volley_is_shared_out_among_targets_and_the_rest_helps():
    game = position("BAB-6-1@1731 BAB-6-2@1731 106RHA@1732 2RT-1@1732 2RT-2@1732", step="reaction antitank")
    assert [(args["target"], args["units"]) for args in lines(game, "british", "FIRE")] == [
        ("BAB-6-1", ["106RHA"]),  # 4 to 2: three of six, as many a unit as two make
        ("BAB-6-2", ["2RT-1", "2RT-2"]),  # 6 to 2: four of six
    ]
    one = position("BAB-6-1@1731 106RHA@1732 2RT-1@1732 2RT-2@1732", step="reaction antitank")
    assert [args["units"] for args in lines(one, "british", "FIRE")] == [["106RHA", "2RT-1", "2RT-2"]]
    game.british(*asked(game, "british"), dice=DICE)
    assert game.last.status == "done"
    draft = draft_of(game, "british")
    assert [shot_chance(draft, fire, 2) for fire in (0, 1, 2, 4, 6, 8, 12)] == [0, 1, 2, 3, 4, 5, 6]
    assert shot_chance(draft, 1, 0) == 6


# -- combat ----------------------------------------------------------------------------------------------------------------------


def test_an_attack_is_closed_under_its_duty():
    game = declaring("T-1@2404 T-2@2405 2RT-1@2505 2RT-2@2505 2RT-3@2505", tempo="normal")
    found = lines(game, "british", "ATTACK")
    assert sorted(args["hex"] for args in found) == ["2404", "2405"]  # 2505 lies next to both
    game.british(*asked(game, "british"), dice=DICE)
    assert game.last.status == "done"


def test_attacks_that_the_side_has_ordered_already_are_known():
    game = declaring("T-1@2404 T-2@2405 2RT-1@2505 2RT-2@2505", tempo="normal")
    game.british(order("ATTACK", hex="2404", units=["2RT-1", "2RT-2"], support=[]))
    assert [args["units"] for args in lines(game, "british", "ATTACK")] == [["2RT-2"], ["2RT-1"]]  # the first takes the older's place
    late = declaring("T-1@2404 T-2@2405 2RT-1@2505 2RT-2@2505", tempo="normal")
    late.british(order("ATTACK", hex="2405", units=["2RT-1", "2RT-2"], support=[]))
    assert [args["hex"] for args in lines(late, "british", "ATTACK")] == ["2405"]  # on 2404 both are busy when that is read
    late.british(*asked(late, "british"), dice=DICE)
    assert late.last.status == "done"


def test_one_unit_is_enough_for_a_parked_lorry_alone():
    game = declaring("T-1:parked@2404 2RT-1@2504 2RT-2@2504", tempo="normal")
    assert [(args["hex"], args["units"]) for args in lines(game, "british", "ATTACK")] == [("2404", ["2RT-1"])]


def test_guns_support_an_attack_that_opens_the_road_and_a_hopeless_one_is_not_made():
    game = declaring("10B-16@1731 10B-34@1831 COL-ART@1729 2RB-A@1732", side="italian", tempo="normal", turn=10)
    (args,) = lines(game, "italian", "ATTACK")
    assert (args["hex"], args["units"], args["support"]) == ("1732", ["10B-16", "10B-34"], ["COL-ART"])
    hopeless = declaring("BAB-MC@2504 2RB-A@2404 2RB-B@2404 2RB-C@2404", side="italian", tempo="normal")
    assert lines(hopeless, "italian", "ATTACK") == []


def test_the_defender_supports_where_it_lowers_the_odds():
    game = declaring("10B-16@1731 10B-34@1831 2RB-A@1732 C-4RHA@1734", side="italian", tempo="normal", turn=10)
    game.italian(order("ATTACK", hex="1732", units=["10B-16", "10B-34"], support=[]), DONE)
    assert [(args["guns"], args["hex"]) for args in lines(game, "british", "SUPPORT")] == [(["C-4RHA"], "1732")]


# -- decisions -------------------------------------------------------------------------------------------------------------------


def decide(game: Game, side: str, kind: str, **decision: Any) -> Order:
    """What it answers to a decision put to it."""
    seen = view(module(), game.state, side)
    seen = {**seen, "waiting_for": [side], "pending": [{"kind": kind, "verb": kind.upper(), "rule": None, "default": {}, **decision}]}
    adjutant = module().adjutant
    assert adjutant is not None
    (found,) = adjutant(module(), seen)
    return found


def retreat(unit: str, path: str, leaves: bool = False) -> dict[str, Any]:
    return {"unit": unit, "path": path.split(), "exit": leaves}


def test_beaten_italians_go_off_the_map_if_they_can_else_toward_it():
    game = position("10B-16@1939 2RB-A@1732")
    out = retreat("10B-16", "1940", True)
    assert decide(game, "italian", "retreat", choices=[retreat("10B-16", "1938 1937"), out]).args == out
    back = position("10B-16@1930 2RB-A@2731")
    choices = [retreat("10B-16", "1929 1928"), retreat("10B-16", "1931 1932")]
    assert decide(back, "italian", "retreat", choices=choices).args == choices[1]


def test_beaten_british_stay_in_the_way_but_not_next_to_the_enemy():
    game = position("2RB-A@1732 10B-16@1731")
    choices = [retreat("2RB-A", "1832 1831"), retreat("2RB-A", "1733 1734"), retreat("2RB-A", "1832 1933")]
    assert decide(game, "british", "retreat", choices=choices).args == choices[1]


@pytest.mark.parametrize(("side", "units"), [("italian", ["BAB-6-1", "10B-16"]), ("british", [])])
def test_italians_advance_toward_the_way_out_and_the_british_stay(side: str, units: list[str]):
    where = "10B-16@1731 10B-34@1731 BAB-6-1@1831 2RB-A@1740 7H-1@2731"
    game = position(where, step="declaration")
    rule = {"name": "advance", "hex": "1732", "units": ["10B-16", "10B-34", "BAB-6-1"]}
    found = decide(game, side, "advance", rule=rule).args
    assert (found["units"], found["none"]) == (units, not units)


def test_other_decisions_are_as_the_rules_would_have_them():
    game = position("10B-16@1731 10B-34@1730 2RB-A@1732")
    assert decide(game, "italian", "checks", default={"units": ["10B-34", "10B-16"]}).args == {"units": ["10B-34", "10B-16"]}

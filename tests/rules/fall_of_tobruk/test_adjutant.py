"""The adjutant: a game that plays itself, what it goes by, and what it orders in positions made by hand."""

from __future__ import annotations

from typing import Any

from scenarios.hexes import Hex, distance, parse_hex
from services.rules.engine.draft import state_of
from services.rules.engine.model import Order
from services.rules.engine.view import view
from services.rules.games.fall_of_tobruk.adjutant_odds import Prospect, gain, results
from services.rules.games.fall_of_tobruk.adjutant_view import SHOWN, Draft
from tests.rules.fall_of_tobruk.fighting import fighting
from tests.rules.fall_of_tobruk.positions import DONE, Game, attack, module, move, on, order, position, scenario, stand
from tests.rules.playing import legal_digests

SECRET = f"{3:064x}"
TOBRUK = "1802"


def asked(game: Game, side: str) -> tuple[Order, ...]:
    """What the adjutant orders for a side."""
    adjutant = game.module.adjutant
    assert adjutant is not None
    return adjutant(game.module, view(game.module, game.state, side))


def lines(game: Game, side: str, verb: str) -> list[Any]:
    """The arguments of its orders of one verb."""
    return [o.args for o in asked(game, side) if o.verb == verb]


def goes(game: Game, side: str) -> dict[str, str]:
    """Unit -> the hex where the adjutant moves it."""
    return {unit: args["path"][-1] for args in lines(game, side, "MOVE") for unit in args["units"]}


def draft(game: Game, side: str) -> Draft:
    """What the adjutant of a side sees."""
    return Draft(game.module, view(game.module, game.state, side))


# -- whole games -------------------------------------------------------------------------------------------------------------------


def test_a_game_plays_itself_by_legal_orders_and_the_same_again():
    other = {"tempo": "full", "split_move": True, "gap_moves": True, "multi_salvo": False, "escarpment_move": "+1", "markers_off": "own"}
    options = {**scenario().state.options, **other}

    first, second = (legal_digests(module(printed=True), "gazala", options, SECRET, turns=2) for _ in range(2))
    assert first == second
    assert len(first) > 20


def test_what_it_plays_on_is_the_state_itself_for_nothing_of_the_board_is_hidden():
    game = position("115@0505 5EY@0507 KDG@1005 8PZ-2@dead 19@off", marks={"moved": "115"})
    seen = state_of(game.module, view(game.module, game.state, "axis"), frozenset(SHOWN))
    assert (seen.counters, seen.own, seen.path) == (game.state.counters, game.state.own, game.state.path)


def test_what_the_other_side_keeps_in_store_changes_nothing():
    plain, kept = (position("115@0505 8PZ-2@0505 5EY@0508 2SG@0808") for _ in range(2))
    before = asked(plain, "axis")
    kept.allied(standing=[on("ADVANCE", order("ADVANCE", none=True, units=[], hex=None, max=None))])
    assert kept.state.standing["allied"]
    assert asked(kept, "axis") == before


def test_nobody_is_ordered_about_who_is_not_waited_for():
    assert asked(position("115@0505 5EY@0507"), "allied") == ()


# -- what a battle promises --------------------------------------------------------------------------------------------------------


def battle(attack_: int, defence: int, **more: Any) -> Prospect:
    """Factors against factors: attackers worth 800 that count 8 for losses, defenders worth 100 that count 1."""
    rest = {"shift": 0, "boxed": False, "trapped": False, "overrun": False, "prize": 0} | more
    return Prospect(8 * attack_, 8 * defence, 800, 8, 100, 1, **rest)


def promised(one: Prospect) -> int:
    table = position("115@0505 5EY@0506").table
    return gain(table, results(table), one)


def test_what_a_battle_promises_is_read_off_the_table():
    # 8:1: D elim in 28 of 36 ways, 100 each; D bk 4 in 4, 10 each; Exch in 3, 100 less an eighth of 800; Con in one.
    assert promised(battle(8, 1)) == (28 * 100 + 4 * 10) // 36 == 78
    assert promised(battle(8, 1, boxed=True)) == 28 * 100 // 36 == 77  # a Box does not go back
    assert promised(battle(8, 1, prize=360)) == (28 * 460 + 4 * (10 + 324) + 3 * 360) // 36  # the prize, by D bk nine tenths of it


def test_below_the_table_all_attackers_are_lost():
    assert promised(battle(1, 6)) == -800


def test_an_overrun_disrupts_and_who_is_trapped_pays_more_for_going_back():
    assert promised(battle(8, 1, overrun=True)) - promised(battle(8, 1)) == 18
    assert promised(battle(8, 1, trapped=True)) == (28 * 100 + 4 * 45) // 36


# -- set-up and new units ----------------------------------------------------------------------------------------------------------


def test_both_sides_set_up_by_legal_orders():
    game = scenario()
    for side in ("allied", "axis"):
        orders = asked(game, side)
        assert game.send(side, *orders).status == "done"
    assert all(isinstance(game.state.counters[unit].place, Hex) for unit in ("7MTR", "KDG", "88-1", "7B", "132ENG"))
    assert str(game.state.counters["132ENG"].place) == "0812"  # by the Trigh Capuzzo


def test_what_is_due_comes_in_where_it_is_wanted():
    game = position("2HLI@off 28ART@off 115@0505 5EY@1005", side="allied", step="new units")
    assert {args["unit"] for args in lines(game, "allied", "ENTER")} == {"2HLI", "28ART"}
    game.allied(*asked(game, "allied"))
    assert game.last.status == "done"


def test_the_best_of_a_kind_is_refitted_for_two_others():
    game = position(
        "2SG@refit 3CG@refit 1RB@refit 9RB@refit 115@0505 5EY@1005",
        side="allied",
        step="new units",
        own={"opened": ["2SG", "3CG", "1RB", "9RB"]},
    )
    (refit,) = lines(game, "allied", "REFIT")
    assert (refit["keep"], sorted(refit["scrap"])) == ("2SG", ["1RB", "9RB"])  # 2-6-6 for two of 2-5-6


def test_axis_reserve_tanks_come_in_as_soon_as_they_can():
    game = position("8PZ-7@dead 8PZ-2@dead 115@0505 5EY@1005", step="new units", own={"opened": ["8PZ-7", "8PZ-2"]})
    assert sorted(args["model"] for args in lines(game, "axis", "RESERVE")) == ["PZ-IIIH", "PZ-IIIJ"]


# -- wrecks ------------------------------------------------------------------------------------------------------------------------


def wreck(n: int, side: str, at: str, *units: str) -> dict[str, Any]:
    return {"n": n, "side": side, "hex": at, "tanks": [{"unit": unit, "turn": 3, "half": "axis"} for unit in units]}


def test_the_dearest_wreck_is_recovered_for_sure_and_the_others_by_dice():
    found = [wreck(1, "axis", "0505", "8PZ-1", "8PZ-8", "8PZ-2")]
    game = position("8PZ-1@wreck 8PZ-8@wreck 8PZ-2@wreck 115@0505 5EY@1005", step="repair", own={"wrecks": found})
    told = [(args["tank"], args["mode"]) for args in lines(game, "axis", "RECOVER")]
    assert told == [("8PZ-8", "AUTO"), ("8PZ-2", "TRY"), ("8PZ-1", "TRY")]


def test_an_enemy_wreck_is_demolished_where_there_is_nothing_to_recover():
    game = position("2RGH-1@wreck 115@0505 5EY@1005", step="repair", own={"wrecks": [wreck(1, "allied", "0505", "2RGH-1")]})
    assert lines(game, "axis", "DEMOLISH") == [{"tank": "2RGH-1", "unit": "115"}]


# -- fire --------------------------------------------------------------------------------------------------------------------------


def test_guns_shell_who_is_going_to_be_attacked():
    units = "33ART-1@0505 33ART-2@0505 33ART-3@0505 115@0507 104@0506 5EY@0508 6GH@0508 2HLI@1010"
    game = position(units, step="bombardment")
    (salvo,) = lines(game, "axis", "BARRAGE")
    assert salvo["hex"] == "0508"
    quiet = position("33ART-1@0505 5EY@1010", step="bombardment")
    assert [o.verb for o in asked(quiet, "axis")] == ["DONE"]  # nothing in range


def test_an_88_fires_at_the_tank_that_comes_next_to_it_before_that_fires():
    game = position("2RGH-1@0508 2RGH-2@0508 88-1@0505 115@0505", side="allied", tempo="full")
    game.allied(move("2RGH-1 2RGH-2", "0507 0506"), order("DONE"))
    (shot,) = lines(game, "axis", "FIRE")
    assert (shot["units"], set(shot["targets"])) == (["88-1"], {"2RGH-1", "2RGH-2"})  # 12 to 6, 2:1: three of six kill both


# -- attacks -----------------------------------------------------------------------------------------------------------------------


def test_an_attack_that_promises_much_is_taken_up_by_who_is_in_reach():
    game = position("115@0505 8PZ-2@0505 8PZ-8@0505 5EY@0509 1RB@1412")
    found = goes(game, "axis")
    assert {distance(parse_hex(found[unit]), parse_hex("0509")) for unit in ("115", "8PZ-2", "8PZ-8") if unit in found} == {1}
    game.axis(*asked(game, "axis"))
    assert game.last.status == "done"


def test_the_declaration_attacks_with_all_who_help():
    game = position("115@0505 8PZ-2@0505 104@0606 5EY@0506")
    game.axis(stand("115 8PZ-2 104"), order("DONE"))
    while game.state.path[-2][1] != "declaration":
        game.send(view(game.module, game.state, None)["waiting_for"][0], order("DONE"))
    (one,) = lines(game, "axis", "ATTACK")
    assert (one["hexes"], set(one["units"])) == (["0506"], {"115", "8PZ-2", "104"})


def test_engineers_are_kept_out_of_attacks():
    game = position("33ENG@0505 115@0505 5EY@0508 1RB@1412")
    assert goes(game, "axis").get("33ENG") not in {"0507", "0408", "0608", "0407", "0607"}


BOXES = "2SG@0702 3CG@0704 9RB@0706 1RB@0807 2LEG@0909 3LEG@1120 BP1@1912 2WY@2610 3-9JAT@2610 1WORC@3021 1SAP@2803 "
"""Boxes that are held, and Tobruk: supply comes to it only if one of them falls."""


def test_a_box_that_bars_the_road_is_stormed_with_all_or_not_at_all():
    few = position(BOXES + "4GH@1113 115@0914", map=True)
    assert not [at for at in goes(few, "axis").values() if distance(parse_hex(at), parse_hex("1113")) == 1]  # 7½ to 5
    regiment = [f"8PZ-{n}@0914" for n in range(1, 9)]
    many = position(BOXES + " ".join([*regiment, "115@0915 104@0916 4GH@1113"]), map=True)
    near = {unit for unit, at in goes(many, "axis").items() if distance(parse_hex(at), parse_hex("1113")) == 1}
    assert {"8PZ-2", "8PZ-8"} <= near  # eight tanks overrun one antitank factor: across mines 16 and more, twice, to 5


# -- the Allies --------------------------------------------------------------------------------------------------------------------


def test_allied_armor_does_not_raid_beyond_the_line():
    units = "19@0506 2RGH-1@1008 2RGH-2@1008 2RGH-3@1008 3CLY-1@1008 3CLY-2@1008 3CLY-3@1008 5EY@1802"
    found = goes(position(units, side="allied"), "allied")
    assert all(int(at[:2]) >= 10 for at in found.values())


def test_foot_mans_tobruk_if_it_is_threatened_and_armor_stays_in_the_open():
    tanks = " ".join(f"8PZ-{n}@1208" for n in range(1, 9))
    game = position(f"{tanks} 115@1108 104@1109 1SAP@1802 1WORC@1606 2RGH-1@1707 1RB@1910", side="allied")
    found = goes(game, "allied")
    assert found["1WORC"] == TOBRUK
    assert "2RGH-1" not in found or distance(parse_hex(found["2RGH-1"]), parse_hex(TOBRUK)) > 2


def test_once_tobruk_is_lost_the_allies_leave_in_time_for_the_quotas():
    foot = ["1RNC", "1DEOR", "1TS", "FFB", "1NMR", "CTH", "1ILH", "1RDLI", "1RLI"]
    guns = ["1SAART", "2SAART", "3SAART", "4SAART", "6SAART"]
    units = " ".join([*(f"{unit}@2005" for unit in foot), *(f"{unit}@2006" for unit in guns), "115@1802"])
    done = {"exits": {"tanks": 18, "infantry": 0, "artillery": 0}, "tobruk": "axis"}
    late = position(units, side="allied", turn=28, own=done)
    assert {args["unit"] for args in lines(late, "allied", "EXIT")} == {*foot, *guns}
    assert not lines(position(units, side="allied", turn=10, own=done), "allied", "EXIT")  # there is time


# -- answers -----------------------------------------------------------------------------------------------------------------------


def fought(units: str, hexes: str, ours: str, dice: list[int], **more: Any) -> Game:
    """An attack of the Axis by units that stand, up to the first decision that it brings."""
    game = position(units, tempo="full", **more)
    game.axis(stand(ours), order("DONE"))
    while (step := dict(game.state.path)["step"]) != "declaration":
        assert step, game.state.path
        game.send(view(game.module, game.state, None)["waiting_for"][0], order("DONE"))
    game.axis(attack(hexes, ours), order("DONE"), dice=dice)
    return game


def test_the_beaten_go_where_they_are_in_least_danger():
    game = fought("115@0505 104@0606 5EY@0506 2SG@0509 3CG@0509", "0506", "115 104", [1, 4], turn=6)  # 30 to 5, 6:1 and 5: D bk 3
    (answer,) = lines(game, "allied", "RETREAT")
    assert distance(parse_hex(answer["hex"]), parse_hex("0506")) == 3
    assert distance(parse_hex(answer["hex"]), parse_hex("0505")) > 2


def test_who_takes_tobruk_walks_in():
    game = fought("115@1801 104@1702 5EY@1802 2SG@0509", TOBRUK, "115 104", [4, 4])  # 30 to 5, 6:1
    while game.state.pending[0].kind == "retreat":
        game.allied(*asked(game, "allied"))
    (answer,) = lines(game, "axis", "ADVANCE")
    assert answer["hex"] == TOBRUK
    game.axis(*asked(game, "axis"))
    assert game.state.own["tobruk"] == "axis"


# -- slipping away -----------------------------------------------------------------------------------------------------------------


def test_who_slips_away_leaves_room_for_who_slips_to_the_same_hex():
    beside = "155-I@0909 155-II@0909 361-I@0809 361-II@0809 104-I@0709 104-II@0709"  # room for one battalion in each
    game = fighting(f"5EY@0807 3AA@0808 580AA@0808 {beside}", side="allied", tempo="full")
    game.allied(attack("0808", "5EY"), DONE)
    gone = {args["unit"]: args["hex"] for args in lines(game, "axis", "SLIP")}
    assert set(gone) == {"3AA", "580AA"}
    assert len(set(gone.values())) == 2
    game.axis(*asked(game, "axis"))
    assert game.events("line_skipped") == []

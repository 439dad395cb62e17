"""The adjutant: a game that plays itself, and what it does in positions made by hand."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from services.rules.engine.draft import state_of
from services.rules.engine.model import Order
from services.rules.engine.table import Table
from services.rules.engine.view import view
from services.rules.games.race_for_tunis.adjutant_odds import Prospect, gain
from services.rules.games.race_for_tunis.adjutant_view import SHOWN
from services.rules.selfplay import play
from tests.rules.playing import legal_digests
from tests.rules.race_for_tunis.positions import Game, module, on, order, position, scenario

SECRET = f"{3:064x}"


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


# -- whole games -----------------------------------------------------------------------------------------------------------------


def test_a_game_plays_itself_by_legal_orders_and_the_same_again():
    everything = {"tempo": "full", "air": True, "counterbattery": True, "weather": True, "landings": True, "supply": "traced"}

    first, second = (
        legal_digests(module(), "early-start", scenario("early-start", **everything).state.options, SECRET, turns=5) for _ in range(2)
    )
    assert first == second
    assert len(first) > 30


def test_a_game_of_operation_eilbote_ends_with_a_level_by_option():
    options = {**scenario("eilbote").state.options, "eilbote_levels": "standard", "tempo": "blitz"}
    *_, (_, outcome) = play(module(), "eilbote", options, SECRET)
    assert outcome.state.over is not None
    assert Table(module(), outcome.state).turn == 7
    assert outcome.state.over.winner in ("axis", "allied")


def test_what_it_plays_on_is_the_state_itself_for_nothing_of_the_board_is_hidden():
    game = position("1ES@1315 7-10-I@1214 T5@off 10RB@dead", own={"rp": 2}, marks={"moved": "7-10-I"}, air=True)
    seen = state_of(module(), view(module(), game.state, "axis"), frozenset(SHOWN))
    assert (seen.counters, seen.own, seen.path) == (game.state.counters, game.state.own, game.state.path)


def test_what_the_other_side_keeps_in_store_changes_nothing():
    plain, kept = (position("1ES@1315 7-10-I@1214 5-I@1213", side="axis") for _ in range(2))
    before = asked(plain, "axis")
    kept.allied(standing=[on("RETREAT", order("RETREAT", units="ALL", rally=["1718"]))])
    assert kept.state.standing["allied"]
    assert asked(kept, "axis") == before


def test_nobody_is_ordered_about_who_is_not_waited_for():
    assert asked(position("1ES@1315 7-10-I@1214"), "allied") == ()


# -- what a battle promises ------------------------------------------------------------------------------------------------------


def test_what_a_battle_promises_is_read_off_the_table():
    game = position("1ES@1315 7-10-I@1214")
    sure = Prospect(Fraction(8), Fraction(1), 1000, 8, 200, 1, 0, False, 0)
    # 8:1: D elim in 28 of 36 ways, 200 each; DR4 in 4, 24 each; Exch in 3, 200 less an eighth of 1000; Con in one.
    assert gain(game.table, sure) == (28 * 200 + 4 * 24 + 3 * 75) // 36 == 164
    assert gain(game.table, Prospect(Fraction(1), Fraction(6), 300, 1, 200, 6, 0, False, 900)) == -300  # below 1:5 all are lost


def test_who_has_nowhere_to_go_is_worth_as_much_driven_back_as_destroyed():
    game = position("1ES@1315 7-10-I@1214")
    free, shut = (Prospect(Fraction(3), Fraction(1), 300, 3, 200, 1, 0, trapped, 0) for trapped in (False, True))
    # 3:1: retreats of the defender in 5 + 6 + 4 + 3 = 18 of 36 ways, each 200 - 24 more.
    assert gain(game.table, shut) - gain(game.table, free) in (88, 18 * 176 // 36, 89)


# -- openings and arrivals -------------------------------------------------------------------------------------------------------


def test_the_dearest_unit_that_the_points_suffice_for_is_bought_back():
    game = position("17-21L@dead 1ES@dead 13-1A-II@dead 43C-I@dead 6RWK@1317 T1@1215", side="allied", step="opening", own={"rp": 4})
    assert lines(game, "allied", "REBUILD") == [{"unit": "17-21L"}]  # 4; the Shermans cost 6, the French are not replaced


def test_companies_that_stand_together_become_their_battalion():
    game = position("1-190PZ@0813 2-190PZ@0813 6RWK@1317", step="opening")
    assert lines(game, "axis", "REJOIN") == [{"units": ["1-190PZ", "2-190PZ"], "battalion": "190PZ"}]


def test_the_axis_lands_and_moves_on_at_once():
    game = position("7-10-I@off 47-I@off 6RWK@1115 43C-I@2208")
    assert {args["unit"]: args["hex"] for args in lines(game, "axis", "LAND")} == {"7-10-I": "0711", "47-I": "0813"}  # tanks need a port
    assert len(lines(game, "axis", "MOVE")) == 2
    game.axis(*asked(game, "axis"))
    assert game.last.status == "done"


def test_the_allies_come_in_by_road_and_go_on():
    game = position("13-1A-II@off 27FA@off 5-I@1215 T1@1410", side="allied")
    paths = {args["units"][0]: args["path"] for args in lines(game, "allied", "MOVE")}
    assert set(paths) == {"13-1A-II", "27FA"}
    assert all(path[0] in ("1225", "2125", "2225") and len(path) > 3 for path in paths.values())


def test_paratroops_are_dropped_and_commandos_landed_where_a_place_stands_empty():
    units = "2-PARA@off 1CDO@off T1@1410 7-10-I@0711 1ES@1317"
    game = position(units, side="allied", step="landings", landings=True)
    assert lines(game, "allied", "DROP") == [{"unit": "2-PARA", "hex": "2305"}]  # Kairouan
    assert lines(game, "allied", "AMPH") == [{"unit": "1CDO", "hex": "0216"}]  # Bizerta
    by_land = position(units, side="allied", landings=True)
    assert not {"2-PARA", "1CDO"} & goes(by_land, "allied").keys()  # they wait for that


# -- movement --------------------------------------------------------------------------------------------------------------------


def test_an_empty_place_is_garrisoned_before_the_enemy_walks_in():
    assert goes(position("92-I@1404 43C-III@1810 SM@0711"), "axis")["92-I"] == "1505"  # Enfidaville


def test_an_attack_shuts_the_way_back_of_who_is_attacked():
    game = position("1ES@1315 7-10-I@1214 5-I@1213 190AC@1013 BRN-I@1113")
    found = goes(game, "axis")
    assert found["5-I"] == "1414"  # across from 7-10-I, who stands to attack already
    game.axis(*asked(game, "axis"))
    (attack,) = lines(game, "axis", "ATTACK")
    assert (attack["hexes"], {"5-I", "7-10-I"} <= set(attack["units"])) == (["1315"], True)


def test_who_would_have_to_attack_against_the_odds_leaves_the_zone():
    game = position("1ES@1316 7-10-I@1315 7-10-II@1215 6RWK@1519", side="allied")
    assert goes(game, "allied")["1ES"] not in ("1316", "1216", "1214", "1115", "1314", "1414", "1415", "1116")


REAR = "SM@0711 92-I@1505 T3@0216 T4@0814 92-II@2305 T1@1410 BRN-I@1215 "
"""Every other place is garrisoned."""


def test_an_engineer_blows_the_bridge_in_front_of_the_enemy_and_mends_it_when_he_is_far():
    near = position(REAR + "11P-ENG@0617 1ES@0821 6RWK@0821 5BF@0821 17-21L@0822 13-1A-II@0822 LBH@0822 16-5L@0822")
    assert lines(near, "axis", "BRIDGE") == [{"act": "BLOW", "hex": "0617", "unit": "11P-ENG"}]
    far = position(REAR + "11P-ENG@0617 1ES@1923", own={"blown": ["0617"]})
    assert lines(far, "axis", "BRIDGE") == [{"act": "MEND", "hex": "0617", "unit": "11P-ENG"}]


def test_no_place_is_left_empty_that_another_could_be_taken_from():
    game = position(REAR + "11P-ENG@0617 1ES@0821 6RWK@0821 5BF@0821 17-21L@0822")
    assert not goes(game, "axis").keys() & {"SM", "92-I", "T3", "T4", "92-II", "T1", "11P-ENG"}


# -- the package and the windows -------------------------------------------------------------------------------------------------


def test_the_package_attacks_with_all_who_help_and_their_guns():
    game = position("1ES@1216 6RWK@1216 78FA@1317 5BF@1316 T1@1215", side="allied", step="package")
    (attack,) = lines(game, "allied", "ATTACK")
    assert (attack["units"], attack["support"]) == (["1ES", "5BF", "6RWK"], ["78FA"])


def test_a_battalion_is_singled_out_where_that_promises_more():
    game = position("7-10-I@1214 5-I@1314 5-III@1314 1ES@1315 64AT@1315 6RWK@1315", step="package")
    singled, rest = lines(game, "axis", "ATTACK")
    assert (singled["only"], singled["units"]) == ("1ES", ["7-10-I", "5-I"])  # 13 to 2, 6:1; together it would be 17 to 6, 2:1
    assert (rest["rest"], rest["units"]) == (True, ["5-III"])  # 4 to 4


def test_only_germans_single_out_where_that_is_the_ruling():
    game = position("SM@1214 10B-16@1314 10B-34@1314 1ES@1315 6RWK@1315", step="package", italian_selective=False)
    assert all(args["only"] is None for args in lines(game, "axis", "ATTACK"))


def test_bombers_that_add_nothing_lie_over_the_enemy_and_fighters_stay_at_home():
    game = position("1ES@1315 7-10-I@1214 5-I@1314 II-90@1113", step="package", air=True)
    assert lines(game, "axis", "AIR") == [{"air": "JU87", "mission": "INTERDICT", "hex": "1315", "battle": None}]  # the attack is at 8:1


def test_who_must_attack_does_even_if_it_costs_him_dear():
    game = position("17-21L@1316 7-10-I@1315", side="allied", step="package")
    game.allied(*asked(game, "allied"), dice=[3, 4])
    assert game.last.status == "done"
    assert game.data("declared")["units"] == ["17-21L"]
    assert game.data("result")["result"] == "AE"  # four against nine, 1:3


def test_the_defender_allots_his_guns_by_the_rule():
    game = position("1ES@1315 7-10-I@1214 78FA@1416", step="package")
    game.axis(order("ATTACK", hexes=["1315"], units=["7-10-I"]), order("DONE"))
    assert game.place == "5 axis allotment"
    assert [o.verb for o in asked(game, "allied")] == ["SUPPORT", "DONE"]
    game.allied(*asked(game, "allied"), dice=[4, 3])
    assert game.data("allotted")["guns"] == ["78FA"]


# -- answers ---------------------------------------------------------------------------------------------------------------------


def fought(units: str, hexes: str, ours: str, dice: list[int], **more: Any) -> Game:
    """A battle of the Axis, up to the first decision that it brings."""
    game = position(units, step="package", **more)
    game.axis(order("ATTACK", hexes=hexes.split(), units=ours.split()), order("DONE"), dice=dice)
    return game


def test_losses_fall_on_the_cheapest_who_suffice():
    game = fought("1ES@1315 6RWK@1315 7-10-I@1214 SM@1314 5-I@1314", "1315", "7-10-I SM 5-I", [2, 3])  # 15 to 4, 3:1: Exch
    assert [args["units"] for args in lines(game, "axis", "LOSE")] == [["5-I"]]  # four for four


def test_the_beaten_go_where_they_are_in_least_danger():
    game = fought("1ES@1315 5BF@1417 5NTH@1417 7-10-I@1214 5-I@1314", "1315", "7-10-I 5-I", [3, 3], tempo="full")  # 13 to 2, 6:1: DR3
    (answer,) = lines(game, "allied", "RETREAT")
    assert answer["path"][-1] in ("1417", "1317", "1217", "1517", "1618", "1518")


def test_an_advance_takes_a_place_that_scores():
    game = fought("1ES@1215 7-10-I@1214 5-I@1115 T1@1410", "1215", "7-10-I 5-I", [3, 3], held={"allied": "1215"})  # 13 to 2, 6:1: DR3
    while game.state.pending[0].kind == "retreat":
        game.allied(*asked(game, "allied"))
    (answer,) = lines(game, "axis", "ADVANCE")
    assert answer["hexes"][-1] == "1215"

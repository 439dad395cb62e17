"""RT-03 Supply, by option: eight hexes to a road that leads to a source; without it half the allowance and half the attack.

The Axis draws on Tunis (0711) and Bizerta (0216), the Allies on the roads in: 1225, 2125, 2225."""

import pytest

from scenarios.hexes import parse_hex
from services.rules.games.race_for_tunis.ground import ground
from services.rules.games.race_for_tunis.supply import supplied
from tests.rules.race_for_tunis.positions import DONE, Game, attack, move, order, position


def opened(units: str, side: str = "axis", **more) -> Game:
    """The movement phase of a side, entered from its opening."""
    game = position(units, side=side, step="opening", **{"supply": "traced", **more})
    game.send(side, DONE)
    assert game.place.endswith(f"{side} movement")
    return game


def out(game: Game) -> list[str]:
    return sorted(unit for unit in game.state.counters if "unsupplied" in game.marks(unit))


@pytest.mark.rule("race-for-tunis", "17.4.2.C-2")
def test_a_way_to_a_road_that_leads_to_a_source():
    far = "1ES@2225"
    assert out(opened(f"T1@0714 {far}")) == []
    ring = " ".join(f"{unit}@{at}" for unit, at in zip(RING, ("1312", "1412", "1413", "1314", "1213", "1212"), strict=True))
    game = opened(f"T1@1313 {ring}")
    assert out(game) == ["T1"]  # enemies all around
    assert game.data("out_of_supply") == {"side": "axis", "units": ["T1"]}
    assert game.view("allied")["own"]["supply"]["out"] == ["1313"]
    assert out(opened(f"T1@1313 {ring}", supply="off")) == []


RING = ["1ES", "5NTH", "2LF", "6RWK", "5BF", "8ASH"]


def test_zones_block_the_way_but_not_where_a_friend_stands():
    # Two battalions in 1312 and 1314 close every hex around 1313 with their ZOC.
    game = opened("T1@1313 1ES@1312 5NTH@1314 2LF@2225")
    assert out(game) == ["T1"]
    table = position("T1@1313 1ES@1312 5NTH@1314", supply="traced").table
    assert parse_hex("1313") not in supplied(table, "axis")
    chain = "T1@1313 T2@1412 1ES@1312 5NTH@1314"
    assert parse_hex("1412") in supplied(position(f"{chain} T3@1411", supply="traced").table, "axis")


def test_without_supply_a_unit_has_half_its_allowance_and_half_its_attack():
    # 7-10-I has 8 MP and 9 CF: 4 MP and 4 1/2 CF are left to it.
    game = position("7-10-I@1313 1ES@1312", supply="traced", marks={"unsupplied": "7-10-I"}, step="package")
    game.axis(attack("1312", "7-10-I"), order("DONE"), dice=[3, 4])
    assert game.data("package")["battles"][0]["attack"] == "9/2"
    game = position("7-10-I@1313 1ES@2225", supply="traced", marks={"unsupplied": "7-10-I"})
    game.axis(move("7-10-I", "1314 1315 1316 1317 1318"))
    assert game.refusal() == ("too-far", "6.0.C-2")
    assert game.last.rejections[0].details["allowance"] == 4


def test_the_mark_lasts_for_the_player_turn():
    game = position("T1@1313 1ES@2225", supply="traced", marks={"unsupplied": "T1"})
    game.axis(move("T1", "1314"))
    assert out(game) == ["T1"]  # it may have come back into supply meanwhile
    game.axis(order("DONE", turn=True))
    assert out(game) == []


@pytest.mark.rule("race-for-tunis", "17.2.3.D-2")
def test_a_road_under_an_enemy_air_unit_still_carries_supply():
    flights = {"BOSTON": {"state": "interdict", "hex": "0713", "back": None}}
    here = position("T1@0714 1ES@2225", supply="traced", air=True, own={"air": flights})
    assert supplied(here.table, "axis") == supplied(position("T1@0714 1ES@2225", supply="traced").table, "axis")


@pytest.mark.rule("race-for-tunis", "17.4.2.C-2", "17.4.2.F", "17.2.3.D-2")
def test_an_all_weather_road_carries_supply_in_all_weather_and_a_dirt_road_while_it_is_dry():
    # Both lie more than eight hexes from Tunis and Bizerta: 1217 near the road from Tunis, 1804 near dirt roads alone.
    dry, wet = ({"weather": "clear"}, {"weather": "heavy-rain"})
    tables = [position("T1@0714 1ES@2225", supply="traced", own=own).table for own in (dry, wet)]
    fed = [[parse_hex(at) in supplied(table, "axis") for at in ("1217", "1804")] for table in tables]
    assert fed == [[True, True], [True, False]]


@pytest.mark.rule("race-for-tunis", "17.4.2.C-2", "17.4.2.F")
def test_in_heavy_rain_neither_dirt_roads_nor_rivers_carry_it_on():
    dry = position("T1@0714 1ES@2225", supply="traced").table
    wet = position("T1@0714 1ES@2225", supply="traced", own={"weather": "heavy-rain"}).table
    assert supplied(wet, "axis") < supplied(dry, "axis")
    here = ground(wet)
    rivers = {at for at, kind in here.kinds.items() if kind == "wadi"}
    fed = supplied(wet, "axis")
    assert rivers & fed  # into a river hex ...
    lonely = {at for at in rivers & fed if not any(to in fed and to not in rivers for to in wet.data.board.adjacent[at])}
    assert lonely == set()  # ... and not through it: each touches a fed hex that is no river

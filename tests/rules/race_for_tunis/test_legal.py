"""Legal orders: each is carried out when it is tried, and those are there that must be."""

import pytest

from services.rules.engine.dice import SeededDice
from services.rules.engine.model import Order
from services.rules.games.race_for_tunis.legal import legal
from tests.rules.race_for_tunis.positions import DONE, Game, attack, move, order, position, scenario


def found(game: Game, side: str) -> list[Order]:
    """The legal orders but ``DONE``, each tried on its own."""
    orders = [one for one in legal(game.table, side) if one.verb != "DONE"]
    before = game.state
    for one in orders:
        game.state = before
        game.send(side, one, dice=SeededDice("5e" * 32))
        assert game.last.status == "done", (one, game.last.rejections)
    game.state = before
    return orders


def verbs(orders: list[Order]) -> set[str]:
    return {one.verb for one in orders}


def test_at_the_opening() -> None:
    orders = found(position("5-I@off 7-10-I@off 1-190PZ@0813 2-190PZ@0813 1ES@2125", step="opening"), "axis")
    assert {(one.verb, one.args.get("unit"), one.args.get("port")) for one in orders} == {
        ("REJOIN", None, None),
        ("SEA", "5-I", "0711"),
        ("SEA", "5-I", "0216"),
    }
    orders = found(position("5NTH@dead 78FA@dead LG@dead T1@0714", side="allied", step="opening", own={"rp": 2}), "allied")
    assert [one.args["unit"] for one in orders] == ["5NTH"]


def test_movement_is_all_that_a_unit_can_reach() -> None:
    # T1 has 3 MP; clear ground around 1313. 1ES in 1315 has a ZOC over 1314, 1214 and 1414, where it must stop and which cost 1 more.
    game = position("T1@1313 1ES@1315")
    orders = found(game, "axis")
    assert verbs(orders) == {"MOVE"}
    reached = {one.args["to"] for one in orders}
    assert {"1312", "1311", "1314"} <= reached
    assert "1315" not in reached
    game.axis(move("T1", "1314"))
    assert found(game, "axis") == []  # it has entered a zone
    assert [one.verb for one in legal(game.table, "axis")] == ["DONE"]


def test_one_hex_may_be_entered_whatever_it_costs() -> None:
    # SM has 3 MP and a rugged crest hex costs 4; it is named by its path, as no cheaper way leads there.
    game = position("SM@1224 1ES@2125")
    crest = [one for one in found(game, "axis") if one.args["path"]]
    assert [one.args["path"] for one in crest] == [["1325"]]


def test_arrivals_of_both_sides() -> None:
    orders = found(position("7-10-I@off 5-I@off 1ES@2125"), "axis")
    assert {(one.args["unit"], one.args["hex"]) for one in orders if one.verb == "LAND"} == {
        *(("7-10-I", at) for at in ("0711", "0216")),
        *(("5-I", at) for at in ("0610", "0317", "0813", "2305")),
    }
    orders = found(position("5NTH@off 2LF@off3 T1@0216", side="allied"), "allied")
    assert {one.args["unit"] for one in orders if one.verb == "DELAY"} == {"5NTH"}
    assert {one.args["hex"] for one in orders if one.verb == "ENTER" and one.args["unit"] == "5NTH"} == {"1225", "2125", "2225"}


def test_landings() -> None:
    game = position("2-PARA@off 1CDO@off T1@1313", side="allied", step="landings", landings=True)
    orders = found(game, "allied")
    assert verbs(orders) == {"DROP", "AMPH"}
    assert {"1312", "1313", "0711"} & {one.args["hex"] for one in orders if one.verb == "DROP"} == set()
    game.allied(order("DROP", unit="2-PARA", hex="1804"), DONE, dice=[5])
    assert verbs(found(game, "allied")) == {"MOVE"}


@pytest.mark.parametrize("side", ["axis", "allied"])
def test_attacks(side: str) -> None:
    game = position("7-10-I@1313 T2@1413 1ES@1312 2LF@1312 78FA@1212 II-90@1314", side=side, step="package")
    orders = found(game, side)
    assert "ATTACK" in verbs(orders)
    last = legal(game.table, side)[-1]
    assert last.verb != "DONE"  # they must attack


def test_what_must_be_removed() -> None:
    game = position("T2@0714 T3@0714 T4@0714 7-10-I@0714 2LF@2125", side="allied", tempo="full")
    game.allied(order("DONE", turn=True))
    assert [one.args["units"] for one in found(game, "axis")] == [["T2"], ["7-10-I"], ["T3"], ["T4"]]


def test_nothing_is_legal_for_who_is_not_to_act() -> None:
    assert legal(position("T1@1313 1ES@1320").table, "allied") == ()


@pytest.mark.parametrize("key", ["standard", "eilbote"])
def test_the_first_orders_of_a_game_are_carried_out(key: str) -> None:
    game = scenario(key, air=True, landings=True)
    side = game.view(None)["waiting_for"][0]
    before = game.state
    for one in legal(game.table, side)[:200:10]:
        game.state = before
        game.send(side, one, dice=SeededDice("5e" * 32))
        assert game.last.status == "done", (one, game.last.rejections)


def test_support_air_and_counterbattery_for_the_attacks_ordered() -> None:
    units = "7-10-I@1313 II-90@1314 1ES@1312 78FA@1411 17-21L@1510"
    game = position(units, step="package", air=True, counterbattery=True)
    game.axis(attack("1312", "7-10-I", label="A1"))
    orders = found(game, "axis")
    assert ("II-90", "A1") in {(one.args["guns"][0], one.args["battle"]) for one in orders if one.verb == "SUPPORT"}
    assert {(one.args["guns"][0], one.args["target"]) for one in orders if one.verb == "CB"} == {("II-90", "78FA")}
    flights = {(one.args["air"], one.args["mission"], one.args["hex"]) for one in orders if one.verb == "AIR"}
    assert {("JU87", "SUPPORT", "1312"), ("JU87", "INTERDICT", "1411"), ("JU87", "INTERDICT", "1510")} <= flights
    assert ("JU87", "SUPPORT", "1411") not in flights


def test_what_the_defender_may_allot() -> None:
    units = "7-10-I@1313 190PZ@1313 1ES@1312 6RWK@1312 64AT@1312 78FA@1411 67AF@1408"
    ready = {"state": "ready", "hex": None, "back": None}
    game = position(units, step="package", air=True, tempo="full", own={"air": {"JU87": ready, "SPIT": ready}})
    flight = order("AIR", air="JU87", mission="SUPPORT", hex="1312")
    game.axis(attack("1312", "7-10-I", only="1ES"), attack("1312", "190PZ", only="6RWK"), flight, DONE)
    orders = found(game, "allied")
    labels = {"1312-1ES", "1312-6RWK"}
    assert {(one.args["guns"][0], one.args["battle"]) for one in orders if one.verb == "SUPPORT"} == {("78FA", one) for one in labels}
    assert {one.args["battle"] for one in orders if one.verb == "JOINBATTLE"} == labels
    assert [(one.args["air"], one.args["target"]) for one in orders if one.verb == "INTERCEPT"] == [("SPIT", "JU87")]


def test_answers_to_a_battle() -> None:
    # 8 and 2 against 2 are 5:1, where 7 is DR2: each way of the defender; then who may advance, or nobody.
    game = position("190PZ@1312 T1@1312 1ES@1313 II-90@1311", step="package", tempo="full")
    game.axis(attack("1313", "190PZ T1"), DONE, dice=[1, 6])
    ways = found(game, "allied")
    assert {one.args["path"][-1] for one in ways} == {"1513", "1514", "1414", "1315", "1214", "1114", "1113"}
    game.allied(ways[0])
    assert [one.args for one in found(game, "axis")] == [{"none": True}]


def test_who_may_go_as_losses() -> None:
    # 8 against 2, lowered to 2:1, where 2 is AE: two CF of BRN-I 4, T1 and T2 2. RVT is not in it.
    game = position("BRN-I@1312 T1@1312 T2@1312 1ES@1313", step="package", tempo="full")
    game.axis(attack("1313", "BRN-I T1 T2", lower=2), DONE, dice=[1, 1])
    assert [one.args["units"] for one in found(game, "axis")] == [["T1"], ["BRN-I"], ["T2"]]


def test_where_no_unit_alone_is_enough_there_is_the_default() -> None:
    game = position("T2@0714 T3@0714 T4@0714 SM@0714 7-10-I@0714 2LF@2125", side="allied", tempo="full")
    game.allied(order("DONE", turn=True))
    assert [one.args["units"] for one in found(game, "axis")] == [["SM", "T2"]]


def test_who_is_engaged_has_no_moves() -> None:
    record = {"attackers": ["1ES"], "defenders": ["T1"], "hexes": ["1313"], "beside": {}, "broken": []}
    marks = {"engaged-attacker": "1ES", "engaged-defender": "T1"}
    game = position("T1@1313 T2@1316 1ES@1312", own={"engaged": [record]}, marks=marks)
    assert {one.args["units"][0] for one in found(game, "axis")} == {"T2"}

"""Legal orders: each is carried out when it is tried, and those are there that must be."""

from __future__ import annotations

from services.rules.engine.dice import SeededDice
from services.rules.engine.model import Order
from services.rules.games.fall_of_tobruk.legal import legal
from tests.rules.fall_of_tobruk.fighting import fighting
from tests.rules.fall_of_tobruk.positions import DONE, Game, attack, move, position, scenario, stand


def found(game: Game, side: str, most: int = 200) -> list[Order]:
    """The legal orders but ``DONE``, each of the first tried on its own."""
    orders = [one for one in legal(game.table, side) if one.verb != "DONE"]
    before = game.state
    for one in orders[:most]:
        game.state = before
        game.send(side, one, dice=SeededDice("5e" * 32))
        assert game.last.status == "done", (one, game.last.rejections)
        assert not game.events("line_skipped")
    game.state = before
    return orders


def verbs(orders: list[Order]) -> set[str]:
    return {one.verb for one in orders}


def wreck(n: int, side: str, at: str, *tanks: str) -> dict[str, object]:
    return {"n": n, "side": side, "hex": at, "tanks": [{"unit": tank, "turn": 4, "half": "axis"} for tank in tanks]}


def test_set_up_tells_where_each_unit_may_be_placed() -> None:
    game = scenario()
    assert legal(game.table, "axis") == ()
    orders = found(game, "allied", 60)
    assert verbs(orders) == {"PLACE"}
    assert {one.args["unit"] for one in orders[:8]} == {"7MTR", "67MTR", "68MTR", "RPS", "DM", "KDG", "12L", "1SP"}  # each has its turn
    *_, done = legal(game.table, "allied")
    assert (done.verb, done.confirm) == ("DONE", True)  # units are left, which may be confirmed
    chosen: dict[str, Order] = {}
    for one in orders:
        if one.args["hex"] not in {other.args["hex"] for other in chosen.values()}:
            chosen.setdefault(one.args["unit"], one)
    game.allied(*chosen.values())
    orders = list(legal(game.table, "allied"))
    assert [(one.verb, one.confirm) for one in orders] == [("DONE", False)]


def test_new_units() -> None:
    boxed = ["5EY", "6GH", "7GH", "2RGH-1", "2RGH-2"]
    units = "2CAM@off 5EY@refit 6GH@refit 7GH@refit 2RGH-1@dead 2RGH-2@dead 115@0505"
    game = position(units, side="allied", step="new units", own={"opened": boxed})
    orders = found(game, "allied")
    assert verbs(orders) == {"ENTER", "DELAY", "REFIT", "RESERVE"}
    assert len({one.args["hex"] for one in orders if one.verb == "ENTER"}) == 15  # the east edge and Tobruk
    assert {one.args["keep"] for one in orders if one.verb == "REFIT"} == {"5EY", "6GH", "7GH"}
    assert {one.args["model"] for one in orders if one.verb == "RESERVE"} == {"GRANT", "CRUSADER"}


def test_bombardment_by_all_guns_and_by_each_that_suffices() -> None:
    game = position("33ART-1@0505 33ART-3@0504 5EY@0507 115@0506", step="bombardment")
    orders = found(game, "axis")
    # 33ART-1 has 6 at 2 hexes halved to 3 (range 3); 33ART-3 has 8 at 3 hexes halved to 4 (range 4): together 7, neither alone.
    assert [one.args["guns"] for one in orders] == [["33ART-1", "33ART-3"]]
    game = position("33ART-1@0506 33ART-3@0505 5EY@0507 115@0506", step="bombardment")
    assert [one.args["guns"] for one in found(game, "axis")] == [["33ART-1", "33ART-3"], ["33ART-1"], ["33ART-3"]]


def test_repairs_and_the_brigade_to_be_freed() -> None:
    own = {"wrecks": [wreck(1, "allied", "1505", "2RGH-1"), wreck(1, "axis", "1505", "8PZ-2")]}
    orders = found(position("5EY@1505 115@0505 2RGH-1@wreck 8PZ-2@wreck", side="allied", step="repair", own=own), "allied")
    assert [(one.verb, *one.args.values()) for one in orders] == [
        ("RECOVER", "2RGH-1", "TRY"),
        ("SCRAP", "W1"),
        ("DEMOLISH", "8PZ-2", "5EY"),
    ]
    orders = found(position("5EY@1505 115@0505", side="allied", step="repair", turn=1), "allied")
    assert "201GDS" in {one.args["brigade"] for one in orders}
    assert verbs(orders) == {"FREE"}


def test_movement() -> None:
    game = position("115@0505 104-I@0203 104-II@0203 104-III@0203 5EY@0506 6GH@1505", step="movement")
    orders = found(game, "axis")
    assert verbs(orders) == {"STAND", "SPLIT", "REJOIN", "MOVE"}
    assert [one.args["units"] for one in orders if one.verb == "STAND"] == [["115"]]
    assert [one.args["unit"] for one in orders if one.verb == "SPLIT"] == ["115"]
    assert [one.args["unit"] for one in orders if one.verb == "REJOIN"] == ["104"]
    reached = {one.args["to"] for one in orders if one.verb == "MOVE" and one.args["units"] == ["115"]}
    assert "0506" not in reached
    assert "0512" not in reached
    assert {"0604", "0504", "0101"} <= reached
    game.axis(move("115", "0504"))
    assert {tuple(one.args["units"]) for one in found(game, "axis") if one.verb == "MOVE"} == {("104-I",), ("104-II",), ("104-III",)}


def test_a_unit_that_would_set_out_unsupplied_goes_three_mp() -> None:
    # A mine belt right across the field: no line of supply leads east of it.
    belt = " ".join(f"10{row:02d}/11{row:02d} " + (f"10{row:02d}/11{row + 1:02d}" if row < 14 else "") for row in range(1, 15))
    game = position("115@1505 5EY@0505", mines=belt)
    reached = {one.args["to"] for one in found(game, "axis") if one.verb == "MOVE"}
    assert {"1502", "1508"} <= reached
    assert {"1501", "1509"} & reached == set()


def test_east_edge() -> None:
    game = position("5EY@2005 6GH@1905 115@0505", side="allied")
    assert [one.args["unit"] for one in found(game, "allied") if one.verb == "EXIT"] == ["5EY"]


def test_shots() -> None:
    game = position("8PZ-2@0505 88-1@0504 2RGH-1@0506 5EY@0506", step="movement")
    game.axis(stand("8PZ-2"), DONE)
    assert game.place == "5 axis antitank 1"
    for side, units in (("axis", {"8PZ-2"}), ("allied", {"2RGH-1", "5EY"})):
        orders = found(game, side)
        assert {one.args["policy"] for one in orders} == {"ALL", "NO", None}
        assert {unit for one in orders for unit in one.args["units"]} <= units
        assert {unit for one in orders for unit in one.args["units"]}


def test_attacks_that_are_owed_come_first() -> None:
    game = fighting("115@0505 104@0605 5EY@0506 6GH@0606")
    orders = [one for one in legal(game.table, "axis") if one.verb == "ATTACK"]
    assert orders
    for one in orders:
        assert game.axis(one, check=True).status == "checked", one
    first = orders[: len([one for one in orders if len(one.args["hexes"]) == 1 or one.args["units"]])]
    assert {at for one in first for at in one.args["hexes"]} == {"0506", "0606"}
    assert [one.verb for one in legal(game.table, "axis")][-1] == "ATTACK"  # no DONE while attacks are owed
    game.axis(attack("0506", "115"), attack("0606", "104"))
    assert [one.verb for one in legal(game.table, "axis")][-1] == "DONE"


def test_slips_and_answers() -> None:
    game = fighting("115@0505 KDG@0506 5EY@1505", tempo="full")
    game.axis(attack("0506", "115"), DONE)
    assert game.place == "5 axis slip 1"
    slips = found(game, "allied")
    assert verbs(slips) == {"SLIP"}
    assert "0507" in {one.args["hex"] for one in slips}
    game = fighting("115@0505 2SG@0506 5EY@1505", tempo="full")
    game.axis(attack("0506", "115"), DONE, dice=[4, 5])  # 15 to 6 is 2:1, a 9 is D back 2
    ways = legal(game.table, "allied")
    assert verbs(list(ways)) == {"RETREAT"}
    assert len(ways) > 1
    game.allied(ways[0])
    answers = legal(game.table, "axis")
    assert answers[0].args == {"none": True}
    assert any(one.args.get("units") == ["115"] for one in answers)


def test_answers_to_losses_are_the_default_and_each_unit_that_will_do() -> None:
    # 115 and 288 (6) against 6GH and 7GH (5 each) at 2:1; a 2 there is A elim: 10 CF of theirs must go.
    game = fighting("115@0505 288@0505 6GH@0506 7GH@0506 5EY@1505", tempo="full")
    game.axis(attack("0506", "115 288"), DONE, dice=[1, 1])
    orders = list(legal(game.table, "axis"))
    assert orders[0].args["split"] is True
    assert {"units": ["115"]} in [dict(one.args) for one in orders]
    for one in orders:
        assert game.axis(one, check=True).status == "checked", one


def test_answers_to_an_advance_leave_out_who_cannot_go_there() -> None:
    # 20 to 10: 115 is next to both hexes, 104-I to 0605 alone; on 2:1 a 12 is D elim.
    game = fighting("115@0505 104-I@0705 5EY@0506 6GH@0605 7GH@1505", tempo="full")
    game.axis(attack("0506 0605", "115 104-I"), DONE, dice=[6, 6])
    answers = [dict(one.args) for one in legal(game.table, "axis")]
    assert {"units": ["115"], "hex": "0506"} in answers
    assert {"units": ["104-I"], "hex": "0605"} in answers
    assert {"units": ["104-I"], "hex": "0506"} not in answers

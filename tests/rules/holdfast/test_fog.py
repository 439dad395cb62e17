"""Fog of War: what a view, an event, a refusal may tell."""

import json
from dataclasses import replace

import pytest

from scenarios.hexes import Hex
from services.rules.engine.adjudication import adjudicate
from services.rules.engine.dice import SeededDice
from services.rules.engine.foresight import foresee
from services.rules.engine.model import Guard, Order, Packet
from services.rules.engine.table import Table
from services.rules.engine.view import view, view_events
from services.rules.games.holdfast.legal import legal
from services.rules.games.holdfast.state import PREFIX
from tests.rules.holdfast.positions import DONE, attack, campaign, module, move, numbered, one, order, position

SEED = "5e" * 32


def counters(game, side, of):
    return [c for c in game.view(side)["counters"] if c["side"] == of]


@pytest.mark.rule("holdfast", "fog.1", "blocks.2")
def test_an_enemy_block_shows_its_place_side_and_status_alone():
    game = position("21PZ:3@1009 PAVIA@0310 4IND@3508")
    game.axis(move("21PZ", "1109"))
    assert counters(game, "allied", "axis") == [
        {"id": None, "alias": "G2", "side": "axis", "card": None, "place": "0310", "marks": [], "num": {}, "known": "no"},
        {"id": None, "alias": "G1", "side": "axis", "card": None, "place": "1109", "marks": ["moved"], "num": {}, "known": "no"},
    ]
    assert counters(game, "axis", "axis")[1] == {
        "id": "21PZ",
        "alias": "G1",
        "side": "axis",
        "card": "21PZ",
        "place": "1109",
        "marks": ["moved"],
        "num": {"sp": 3},
        "known": "own",
    }


def test_a_move_is_seen_as_a_block_and_its_way():
    game = position("21PZ@1009 4IND@3508")
    game.axis(move("21PZ", "1109", strategic=True))
    assert game.seen("allied", "moved") == [{"side": "axis", "alias": "G1", "path": ["1009", "1109"], "mode": []}]
    assert game.seen(None, "moved") == game.seen("allied", "moved")


def test_what_a_fight_showed_stays_known_with_its_month_and_later_steps_do_not_show():
    game = position("PAVIA@1009 4IND@1109 TRENTA@0310", turn=2)
    game.axis(attack("1109", "PAVIA"), dice=[1, 1, 1, 5, 5, 1])
    assert counters(game, "allied", "axis")[1]["num"] == {"sp": 2}
    game.axis(order("DONE", confirm=True))
    game.allied(DONE, order("DONE", confirm=True), dice=[1, 1])
    game.axis(order("STEP", unit="PAVIA", k=1))
    seen = counters(game, "allied", "axis")[1]
    assert (seen["id"], seen["num"], seen["since"]) == ("PAVIA", {"sp": 2}, "1941-04")
    assert game.sp("PAVIA") == 3


def test_the_printed_set_up_shows_lone_units_and_hides_which_block_is_which_in_a_stack():
    game = campaign()
    assert all(c["known"] == "seen" for c in counters(game, "axis", "allied"))
    stack = counters(game, "allied", "axis")
    assert {(c["known"], c["place"]) for c in stack} == {("no", "0210")}
    assert [c["alias"] for c in stack] == ["G1", "G2", "G3", "G4", "G5", "G6", "G7"]
    data = module().data
    orders = set()
    for n in range(20):
        state = module().new_game(data, data.scenarios["campaign-1"], {}, f"{n:064x}")
        orders.add(tuple(state.own["blocks"].values()))
    assert len(orders) > 15


def test_a_block_is_never_called_as_an_air_unit_or_a_leader_may_be():
    support = module().data.charts["support"]
    others = {name[0] for side in PREFIX for name in support["air"][side]} | {name[0] for name in support["leaders"]}
    assert not others & set(PREFIX.values())
    assert len(set(PREFIX.values())) == 2


def test_an_alias_dies_with_its_block_and_re_entry_gives_a_new_one():
    game = position("PAVIA:1@1009 4IND@1109 TRENTA@0310")
    game.axis(attack("1109", "PAVIA"), dice=[1, 1, 1, 5, 1, 1])
    assert "G1" not in game.state.own["blocks"]
    assert "G1" not in game.state.own["seen"]
    pool = next(c for c in counters(game, "allied", "axis") if c["place"] == "box:pool-axis")
    assert (pool["id"], pool["alias"], pool["known"]) == ("PAVIA", None, "seen")
    game.axis(order("DONE", confirm=True))
    game.allied(DONE, DONE, dice=[1, 1])
    game.axis(one("REBUILD", "PAVIA"))
    assert game.data("rebuilt")["alias"] == "G3"


def test_units_off_the_board_are_counted_and_not_named():
    game = position("21PZ@0310 15PZ@off3 90INF@off11 4IND@3508", turn=4)
    assert {c["id"] for c in counters(game, "axis", "axis")} == {"21PZ", "15PZ", "90INF"}
    assert len(counters(game, "allied", "axis")) == 1
    assert game.view("allied")["own"]["held"] == {"axis": 1, "allied": 0}


def test_a_spectator_sees_what_both_sides_may_know():
    game = position("PAVIA@1009 TRENTA@0310 4IND@1109")
    game.axis(attack("1109", "PAVIA"), dice=[1] * 6)
    assert {c["id"] for c in game.view(None)["counters"]} == {"PAVIA", "4IND", None}
    assert game.view(None)["own"]["ezoc"] == []


def test_guards_see_only_what_the_view_shows():
    def tested(game, test, **args):
        game.axis(move("SAVENA", "0409", guard=(Guard(test, args),)))
        return game.at("SAVENA") == "0409"

    units = "PAVIA:3@1009 SAVENA@0310 2ARM@1109 4IND@0911 22GDS@3508"
    assert not tested(position(units), "holds", hex="1109", kind="ARMOR")
    fought = position(units)
    fought.axis(attack("1109", "PAVIA"), dice=[1] * 7)
    assert tested(fought, "holds", hex="1109", kind="ARMOR")
    assert not tested(position(units), "sp", unit="2ARM", at_least=1)
    assert not tested(position(units), "alive", unit="2ARM")
    for test, args, held in (
        ("sp", {"unit": "PAVIA", "at_least": 3}, True),
        ("sp", {"unit": "PAVIA", "at_least": 4}, False),
        ("vacant", {"hex": "1209"}, True),
        ("vacant", {"hex": "1109"}, False),
        ("held", {"hex": "1109", "side": "ALLIED"}, True),
        ("held", {"hex": "0210", "side": "axis"}, True),
        ("held", {"hex": "1109", "side": "axis"}, False),
        ("rp", {"at_least": 12}, True),
        ("rp", {"at_least": 13}, False),
        ("weather", {"is": "CLEAR"}, True),
        ("weather", {"is": "poor"}, False),
        ("engaged", {"unit": "PAVIA"}, True),
        ("engaged", {"unit": "SAVENA"}, False),
        ("supplied", {"unit": "SAVENA"}, True),
        ("supplied", {"unit": "22GDS"}, False),
        ("free", {"hex": "0310"}, True),
        ("free", {"hex": "1110"}, False),
    ):
        assert tested(position(units), test, **args) == held, (test, args)


def test_a_guard_on_zones_is_refused_where_they_are_not_told():
    game = position("PAVIA@1009 4IND@3508", ezoc_public=False)
    game.axis(move("PAVIA", "1109", guard=(Guard("free", {"hex": "1109"}),)))
    assert game.codes() == ["no-such-guard"]


# -- non-interference --------------------------------------------------------------------------------------------------------------


def swapped(game, a, b):
    """The same position with the units behind two unknown blocks exchanged."""
    state = game.state
    one_, two = state.counters[a], state.counters[b]
    units = {**state.counters, a: replace(one_, place=two.place, marks=two.marks), b: replace(two, place=one_.place, marks=one_.marks)}
    blocks = {alias: {a: b, b: a}.get(unit, unit) for alias, unit in state.own["blocks"].items()}
    return replace(state, counters=units, own={**state.own, "blocks": blocks})


def weaker(game, unit, sp):
    counter = game.state.counters[unit]
    return replace(game.state, counters={**game.state.counters, unit: replace(counter, num={**counter.num, "sp": sp})})


def shown(state, side, *orders, check=False):
    """All that a side gets back for a packet: status, refusals, its view of state and events, its legal orders, and those after the lines
    as far as they can be foreseen."""
    packet = Packet("p", side, numbered(orders), check=check)
    outcome = adjudicate(module(), state, packet, SeededDice(SEED))
    after = foresee(module(), state, packet)
    found = {
        "status": outcome.status,
        "rejections": [[r.line, r.code, r.clause, dict(r.details), r.fate] for r in outcome.rejections],
        "view": view(module(), outcome.state, side, outcome.events),
        "events": view_events(outcome.events, side),
        "legal": [[o.verb, dict(o.args)] for o in legal(Table(module(), outcome.state), side)],
        "foreseen": [after.line, after.why, [[o.verb, dict(o.args)] for o in legal(Table(module(), after.state), side)]],
    }
    return json.dumps(found, sort_keys=True)


POSITION = "21PZ@1009 PAVIA@0909 15PZ@0310 TRENTA@0409 BRESCIA@0509 SAVENA@pool 4IND:2@1210 22GDS@1306 9AUS@3508 2ARM@3608 7ARM@3408"


@pytest.mark.parametrize(
    "orders",
    [
        (move("21PZ", "1109 1208 1308"),),
        (move("21PZ", to="1409"),),
        (move("21PZ", "1109 1209 1309 1409 1509 1609 1709 1809 1909"),),
        (move("PAVIA", to="1307"), attack("1210", "21PZ")),
        (attack("1306", "21PZ"),),
        (attack("3508", "21PZ"),),
        (move("TRENTA", "0509"),),
        (order("DONE"),),
        (move("PAVIA", "1009 1110"), order("DONE")),
    ],
)
def test_what_is_hidden_changes_nothing_that_a_side_gets(orders):
    game = position(POSITION, air={"X1": "free"}, leaders="ROMMEL")
    alike = [swapped(game, "9AUS", "22GDS"), swapped(game, "4IND", "22GDS"), weaker(game, "4IND", 4), weaker(game, "2ARM", 1)]
    alike = [state for state in alike if "attack" not in repr(orders).lower() or state is alike[3]]
    for check in (False, True):
        mine = shown(game.state, "axis", *orders, check=check)
        for state in alike:
            assert shown(state, "axis", *orders, check=check) == mine


def test_secret_draws_and_the_other_sides_papers_change_nothing():
    game = position(POSITION)
    game.allied(standing=[order("DUTY", auto=True)])
    assert game.last.status == "done"
    bare = position(POSITION).state
    other = replace(game.state, hidden="cd" * 32)
    for state in (bare, other):
        assert shown(replace(state, seq=game.state.seq), "axis", move("21PZ", "1109")) == shown(game.state, "axis", move("21PZ", "1109"))


def test_the_enemys_moves_look_alike_whoever_makes_them():
    game = position(POSITION, side="allied")
    for to in ("3408", "3409"):
        views = []
        for state, unit in ((game.state, "9AUS"), (swapped(game, "9AUS", "4IND"), "4IND")):
            packet = Packet("p", "allied", numbered([move(unit, to=to), DONE]))
            outcome = adjudicate(module(), state, packet, SeededDice(SEED))
            views.append([outcome.status, json.dumps(view(module(), outcome.state, "axis", outcome.events), sort_keys=True)])
        assert views[0] == views[1]


def test_no_refusal_names_a_hidden_unit_or_a_hidden_value():
    game = position(POSITION)
    enemy = {"4IND", "22GDS", "9AUS", "2ARM", "7ARM"}
    at = [Hex(12, 10), Hex(13, 6), Hex(35, 8)]
    for hex_ in at:
        for bad in (move("21PZ", to=str(hex_)), attack(str(hex_), "BRESCIA"), move("21PZ", str(hex_))):
            game.axis(bad)
            assert game.last.status == "refused"
            assert not enemy & set(json.dumps([dict(r.details) for r in game.last.rejections]).replace('"', " ").split())


def test_a_checked_attack_tells_nothing_of_the_defender():
    game = position(POSITION, air={"X1": "free"})
    order_ = attack("1210", "21PZ", air="X1")
    game.axis(move("21PZ", "1110"))
    mine = shown(game.state, "axis", order_, check=True)
    for state in (swapped(game, "4IND", "22GDS"), swapped(game, "4IND", "9AUS"), weaker(game, "4IND", 1)):
        assert shown(state, "axis", order_, check=True) == mine
    assert "battle" not in mine


def test_a_check_that_runs_on_into_the_enemys_turn_names_none_of_its_units_that_die():
    game = position("21PZ@0310 22GDS@3508 4IND@1914", rp=(1, 0))
    game.axis(order("DONE"), check=True)
    assert game.last.status == "checked"
    assert "supply_lost" not in game.kinds()
    game.axis(order("DONE"), dice=[5, 1])
    assert game.data("supply_lost")["unit"] == "4IND"


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_whole_player_turns_without_a_fight_look_alike_over_hidden_differences(seed):
    """The same random legal orders of both sides, on a state and on one that differs in what the Axis may not know."""
    one_, other = position(POSITION, step="build"), position(POSITION, step="build")
    other.state = replace(swapped(other, "9AUS", "4IND"), hidden="cd" * 32)
    for n in range(25):
        side = one_.table.phasing
        if side != "axis":
            break
        found = [o for o in legal(one_.table, side) if o.verb != "ATTACK"]
        assert found == [o for o in legal(other.table, side) if o.verb != "ATTACK"]
        pick = SeededDice(f"{seed:064x}").throw((n,), 1000, 1)[0]
        order_ = found[pick % len(found)]
        for game in (one_, other):
            game.axis(order_)
            assert game.last.status == "done"
        assert json.dumps(one_.view("axis"), sort_keys=True) == json.dumps(other.view("axis"), sort_keys=True)
    assert one_.table.phasing == "allied"


# -- after the end -----------------------------------------------------------------------------------------------------------------


def ended(**more):
    """A game that the Axis have given up: an unknown Allied block, one in the pool, one off the board, a step bought before."""
    game = position("21PZ@0310 4IND:2@3508 2SA@pool 9AUS@off11", step="build", **more)
    game.axis(order("CONCEDE", confirm=True))
    return game


def test_after_the_end_every_counter_is_seen_whole_by_both_sides_and_spectators():
    before = position("21PZ@0310 4IND:2@3508 2SA@pool 9AUS@off11", step="build")
    assert {c["id"] for c in counters(before, "axis", "allied")} == {None, "2SA"}
    game = ended()
    for viewer in ("axis", None):
        shown_ = {c["id"]: (c["alias"], c["place"], c["num"], c["known"]) for c in counters(game, viewer, "allied")}
        assert shown_ == {
            "4IND": ("V1", "3508", {"sp": 2}, "open"),
            "2SA": (None, "box:pool-allied", {"sp": 0}, "open"),
            "9AUS": (None, "edge:off", {"sp": 4, "due": 11}, "open"),
        }
    assert {c["known"] for c in counters(game, "allied", "allied")} == {"own"}
    assert {c["known"] for c in counters(game, None, "axis")} == {"open"}


def test_after_the_end_events_are_seen_whole_but_not_what_was_written_beforehand():
    game = position("21PZ:2@0310 4IND@3508", step="build", rp=(12, 10))
    lines = (one("STEP", "21PZ", k=1), move("21PZ", "0410"), order("CONCEDE", confirm=True))
    standing = [Order(0, "DUTY", {"auto": True})]
    game.axis(*lines, standing=standing)
    assert game.state.over is not None
    seen_ = {event["kind"]: event["data"] for event in game.view("allied")["events"]}
    assert (seen_["stepped"]["unit"], seen_["moved"]["units"]) == ("21PZ", ["21PZ"])
    assert "standing" in game.kinds()
    assert "standing" not in seen_
    assert game.view("allied")["standing"] == []
    assert len(game.view("axis")["standing"]) == 1
    assert game.state.hidden not in json.dumps(game.view("allied"))
    assert "stepped" not in [event["kind"] for event in view_events(game.last.events, "allied")]


def test_a_check_of_giving_up_opens_nothing():
    game = position("21PZ@0310 4IND@3508")
    game.axis(order("CONCEDE", confirm=True), check=True)
    assert {c["known"] for c in counters(game, "axis", "allied")} == {"no"}


def test_steps_bought_this_turn_are_in_the_buyers_view_alone():
    game = position("ARIETE:2@0310 22GDS@3508", step="build")
    game.axis(one("STEP", "ARIETE", k=1))
    assert [game.view(side)["own"]["stepped"] for side in ("axis", "allied", None)] == [{"ARIETE": 1}, {}, {}]

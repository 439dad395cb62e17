"""A small game that exists for the tests only: it uses every part of the engine that the four printed games need.

Red and blue on an 8 x 6 board with a road, a cliff (up side north) and a flag. Set-up by orders; delayed arrivals; a loop of movement,
reaction fire with depth-first checks, a sealed duel, declared attacks under a duty, combat with retreats and advances; counters that
split and join; exact fractions of movement points; an end in mid-step; hidden strengths.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scenarios.data import GameData, ScenarioData
from scenarios.hexes import Box, Edge, Hex
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import Counter, GameState, Side
from services.rules.engine.module import GameModule
from services.rules.engine.sequence import BOTH, NOBODY, NON_PHASING, PHASING, Ask, Loop, Mode, PlayerTurn, Sequence, Step, Work, on
from services.rules.engine.table import Table
from tests.rules.engine.mini.data import data
from tests.rules.engine.mini.fights import (
    adjacent_units,
    advance,
    attack,
    attack_by_default,
    battle,
    by_target,
    check,
    check_attack,
    fire,
    flee,
    follow,
    must_attack,
    retreat,
    settle_duel,
    stakes,
    take_stake,
)
from tests.rules.engine.mini.law import (
    PARTS,
    all_placed,
    arrivals_enter,
    can_move,
    check_place,
    delay,
    enter,
    join,
    move,
    one,
    park,
    place,
    split,
    stand,
)
from tests.rules.engine.mini.orders import Attack, Delay, Enter, Fire, Join, Move, Park, Place, Split, Stand


def weather(adj: Adjudication) -> None:
    die = adj.roll("w.1", "weather")[0]
    adj.record("weather", "w.1", {"weather": "dust" if die == 6 else "clear"}, changes=[ch.own("dust", die == 6)])


def marks_off(adj: Adjudication) -> None:
    gone = [ch.mark(c.id, m, False) for c in adj.counters.values() for m in sorted(c.marks & {"moved", "fired"})]
    adj.record("marks_off", "e.1", changes=gone)


def last_turn(adj: Adjudication) -> None:
    if adj.turn == 3:
        adj.end("blue", "time", "x.2")


def clear(table: Table) -> bool:
    return not table.own.get("dust")


def no_more(adj: Adjudication) -> bool:
    side = adj.phasing or ""
    return not can_move(adj, side) or adj.closing.get(side, "").startswith("own")


RETREAT = Ask("retreat", "RETREAT", retreat)
PASS_STEPS = (
    Step(
        "movement",
        "v.1",
        PHASING,
        accepts=(on(Move, move, units=one), on(Stand, stand, units=one), on(Park, park, units=one)),
        idle=lambda table, side: not can_move(table, side),
    ),
    Step(
        "reaction fire",
        "f.1",
        NON_PHASING,
        accepts=(on(Fire, fire, units=one),),
        resolves=(Work("Check", check),),
        asks=(RETREAT,),
        when=clear,
    ),
    Step("duel", "d.1", BOTH, Mode.ASK, asks=(Ask("stake", "STAKE", take_stake),), enter=stakes, leave=settle_duel, when=clear),
    Step(
        "declaration",
        "c.1",
        PHASING,
        Mode.SET,
        accepts=(on(Attack, attack, check=check_attack, units=lambda a: a.units, subject=lambda a: ",".join(a.units)),),
        duty=must_attack,
        meet=attack_by_default,
        groups=by_target,
        idle=lambda table, side: not adjacent_units(table, side),
    ),
    Step(
        "combat",
        "c.4",
        NOBODY,
        resolves=(Work("Battle", battle), Work("Flee", flee), Work("Follow", follow)),
        asks=(Ask("advance", "ADVANCE", advance),),
    ),
)
HALF = (
    Step(
        "arrivals",
        "a.1",
        PHASING,
        accepts=(on(Enter, enter, units=one), on(Delay, delay, units=one), on(Join, join, units=lambda a: a.units)),
        leave=arrivals_enter,
    ),
    Loop("passes", PASS_STEPS, no_more, needs=("MOVE", "STAND")),
    Step("end", "e.1", NOBODY, enter=marks_off),
)
PLACING = on(Place, place, check=check_place, subject=lambda p: p.unit, units=one)
SEQUENCE = Sequence(
    setup=tuple(
        Step(
            f"{side} placement",
            "s.1",
            side,
            Mode.SET,
            accepts=(on(Place, place, check=check_place, subject=lambda p: p.unit, units=one),),
            duty=all_placed,
        )
        for side in ("red", "blue")
    ),
    turn=(
        Step("weather", "w.1", NOBODY, enter=weather),
        PlayerTurn("red", HALF),
        PlayerTurn("blue", HALF),
        Step("turn record", "x.2", NOBODY, enter=last_turn),
    ),
)


def new_game(game: GameData, scenario: ScenarioData, options: Mapping[str, Any], hidden: str) -> GameState:
    places: dict[str, tuple[Any, dict[str, Any]]] = {
        "R1": (Hex(2, 2), {}),
        "R2": (Box("set-up"), {}),
        "R3": (Edge("west"), {"due": 2}),
        "RG": (Hex(2, 4), {}),
        "B1": (Hex(7, 3), {}),
        "B2": (Hex(7, 4), {}),
        "B3": (Box("set-up"), {}),
    }
    counters = {
        unit: Counter(
            unit,
            game.cards[unit].side,
            unit,
            where,
            parts=PARTS.get(unit, ()),
            num={**num, "cf": game.cards[unit].values["cf"]},
        )
        for unit, (where, num) in places.items()
    }
    return GameState("mini", scenario.key, game.digest, options, (), counters, {"stake": {}, "dust": False}, hidden)


def view_counter(table: Table, counter: Counter, viewer: Side | None) -> Mapping[str, Any] | None:
    known = viewer == counter.side or "seen" in counter.marks
    num = {k: str(v) for k, v in counter.num.items()} if known else {}
    if isinstance(counter.place, Box) and counter.place.name == "set-up" and viewer != counter.side:
        return None
    return {"id": counter.id, "side": counter.side, "place": str(counter.place), "num": num, "marks": sorted(counter.marks)}


def module(tempo: str = "normal") -> GameModule:
    return GameModule(
        "mini",
        data(tempo),
        SEQUENCE,
        new_game,
        view_counter,
        lambda table, viewer: {"dust": table.own.get("dust")},
        lambda table, side: (),
        anytime=(on(Split, split, units=one),),
    )

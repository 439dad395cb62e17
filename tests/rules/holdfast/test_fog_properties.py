"""Fog of War over random positions: what a side may not know decides no refusal, no check, no cost, no legal order and no view of its."""

import json
from dataclasses import replace
from random import Random  # noqa: TID251  # the type of what hypothesis hands over

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenarios.hexes import Hex
from services.rules.engine.adjudication import adjudicate
from services.rules.engine.dice import SeededDice
from services.rules.engine.model import GameState, Guard, Order, Packet, Side, Standing
from services.rules.engine.table import Table
from services.rules.engine.view import view
from services.rules.games.holdfast.ground import around
from services.rules.games.holdfast.legal import legal
from services.rules.games.holdfast.zoc import enemy_zoc
from tests.rules.holdfast.positions import Game, attack, module, move, numbered, one, order, position

UNITS = {
    side: sorted(c for c, card in module().data.cards.items() if card.side == side and "type" in card.values) for side in ("axis", "allied")
}
HEXES = sorted(module().data.board.terrain)


def jumble(rng: Random) -> Game:
    """Some units of both sides close together, on the map, in the pool or waiting; none is known to the enemy."""
    column = rng.randrange(3, 36)
    near = [at for at in HEXES if abs(at.col - column) <= 3]
    rng.shuffle(near)
    chosen = [*rng.sample(UNITS["axis"], 6), *rng.sample(UNITS["allied"], 6)]
    places = [f"{unit}:{rng.randint(1, 4)}@{at}" for unit, at in zip(chosen, near, strict=False)]
    off = [f"{unit}@{rng.choice(['pool', 'off2', 'off2', 'off3'])}" for unit in rng.sample(chosen, 5)]
    waiting = {text.partition("@")[0] for text in off}
    units = [*(text for text in places if text.partition(":")[0] not in waiting), *off]
    return position(
        " ".join(units),
        side=rng.choice(["axis", "allied"]),
        step=rng.choice(["build", "action", "action"]),
        turn=2,
        rp=(rng.randrange(13), rng.randrange(13)),
        weather=rng.choice(["clear", "poor"]),
        air={"X1": "free", "L1": "free"},
        leaders="ROMMEL MONTY",
    )


def some_order(rng: Random, game: Game, side: Side) -> Order:
    """An order that may be legal, or a probe: at strangers, beyond reach, under a guard."""
    on_map = {c.id: c.place for c in game.state.counters.values() if isinstance(c.place, Hex)}
    unit, anyone = rng.choice(UNITS[side]), rng.choice(sorted(on_map))
    at, there = on_map.get(unit, rng.choice(HEXES)), str(on_map[anyone])
    tests = [
        Guard("holds", {"hex": there, "kind": rng.choice(["ARMOR", "INFANTRY"])}),
        Guard("sp", {"unit": anyone, "at_least": 2}),
        Guard("alive", {"unit": anyone}),
        Guard("supplied", {"unit": anyone}),
        Guard("free", {"hex": there}, rng.random() < 0.5),
    ]
    guard = (rng.choice(tests),) if rng.random() < 0.5 else ()
    how = {"strategic": rng.random() < 0.3, "leader": rng.random() < 0.3}
    way = [str(to) for to in around(game.table)(at)] or [there]
    target = rng.choice([to for to in HEXES if abs(to.col - at.col) < 6])
    friends = [one_ for one_, place in on_map.items() if place in around(game.table)(on_map[anyone])] or [unit]
    return rng.choice(
        [
            lambda: move(unit, rng.choice(way), guard=guard, **how),
            lambda: move(unit, to=str(target), guard=guard, **how),
            lambda: move(unit, to=str(target), road=True, **how),
            lambda: attack(there, " ".join(rng.sample(friends, 1)), guard=guard, air=rng.choice([None, "X1"]), leader=how["leader"]),
            lambda: one(rng.choice(["ENTER", "DELAY", "REBUILD"]), unit),
            lambda: order("STEP", unit=unit, k=rng.randint(1, 3)),
            lambda: order("DONE", auto=rng.random() < 0.5, confirm=rng.random() < 0.5),
        ]
    )()


def otherwise(rng: Random, game: Game, side: Side) -> GameState:
    """The same to the eyes of ``side``: other units behind the enemy's blocks, as far as their zones are the same, of other strength."""
    state, enemy = game.state, game.table.enemy(side)
    zones = enemy_zoc(game.table, side)
    blocks = sorted(c.id for c in state.counters.values() if c.side == enemy and isinstance(c.place, Hex))
    for _ in range(3):
        if len(blocks) > 1:
            a, b = rng.sample(blocks, 2)
            swap = {a: b, b: a}
            counters = {**state.counters, a: replace(state.counters[a], place=state.counters[b].place)}
            counters[b] = replace(state.counters[b], place=state.counters[a].place)
            dealt = {alias: swap.get(unit, unit) for alias, unit in state.own["blocks"].items()}
            other = replace(state, counters=counters, own={**state.own, "blocks": dealt})
            state = other if enemy_zoc(Table(module(), other), side) == zones else state
    units = dict(state.counters)
    for unit in blocks:
        units[unit] = replace(units[unit], num={"sp": rng.randint(1, 4)})
    for unit in [c.id for c in units.values() if c.side == enemy and c.num.get("due") == 2]:
        units[unit] = replace(units[unit], num={**units[unit].num, "delayed": 2})
    return replace(state, counters=units, standing={enemy: (Standing(1, order("DUTY", auto=True)),)})


def told(state: GameState, side: Side, orders: list[Order], check: bool) -> tuple[str, bool]:
    """All that a side gets for its orders; and whether a fight, or the enemy's own steps, came of them."""
    outcome = adjudicate(module(), state, Packet("p", side, numbered(orders), check=check, anyway=True), SeededDice("5e" * 32))
    found = {
        "status": outcome.status,
        "rejections": [[r.line, r.code, r.clause, dict(r.details), r.fate] for r in outcome.rejections],
        "view": view(module(), outcome.state, side, outcome.events),
        "legal": [[o.verb, dict(o.args)] for o in legal(Table(module(), outcome.state), side)],
        "ran": outcome.ran,
    }
    turns = {entry[1] for event in outcome.events for entry in event.path if entry[0] == "player-turn"}
    return json.dumps(found, sort_keys=True), any(e.kind == "battle" for e in outcome.events) or bool(turns - {side})


@pytest.mark.rule("holdfast", "fog.1")
@settings(max_examples=120)
@given(rng=st.randoms(use_true_random=True))
def test_a_probe_meets_the_same_answer_whatever_it_probes(rng: Random) -> None:
    game = jumble(rng)
    side = game.table.phasing
    assert side is not None
    orders = [some_order(rng, game, side) for _ in range(4)]
    others = [otherwise(rng, game, side) for _ in range(2)]
    assert all(other != game.state for other in others)
    for check in (True, False):
        answer, shown = told(game.state, side, orders, check)
        if check or not shown:
            assert [told(other, side, orders, check)[0] for other in others] == [answer] * 2


@pytest.mark.rule("holdfast", "fog.1")
@settings(max_examples=60)
@given(rng=st.randoms(use_true_random=True))
def test_the_adjutant_orders_the_same_whatever_it_may_not_know(rng: Random) -> None:
    game = jumble(rng)
    side = game.table.phasing
    assert side is not None
    adjutant = module().adjutant
    assert adjutant is not None
    others = [otherwise(rng, game, side) for _ in range(2)]
    assert all(other != game.state for other in others)
    orders = adjutant(module(), view(module(), game.state, side))
    assert orders
    assert [adjutant(module(), view(module(), other, side)) for other in others] == [orders] * 2

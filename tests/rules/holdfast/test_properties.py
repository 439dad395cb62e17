"""Properties of whole games: random legal play neither crashes nor sticks, nothing is lost, events rebuild the board."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenarios.hexes import Box, Hex
from services.rules.engine import changes as ch
from services.rules.engine.dice import SeededDice
from services.rules.engine.model import GameState, Order, Outcome
from services.rules.games.holdfast.legal import legal
from services.rules.games.holdfast.state import OFF
from services.rules.schemas.state import dump_state, load_state, state_bytes
from tests.rules.holdfast.positions import Game, campaign, module, position

PACKETS = 100


def choose(seed: int, n: int, items: tuple[Order, ...]) -> Order:
    """One of ``items``, most often not the last (``DONE``)."""
    pick = SeededDice(seed.to_bytes(32, "big")).throw(("choice", n), 1000, 1)[0]
    return items[pick % len(items)]


def play(seed: int, scenario: str, packets: int, **options: Any) -> tuple[Game, list[tuple[GameState, Outcome]]]:
    game = campaign(scenario, dice=[3] * 2, **options)
    log = []
    for n in range(packets):
        if game.state.over is not None:
            break
        side, orders = next((s, found) for s in ("axis", "allied") if (found := legal(game.table, s)))
        before = game.state
        game.send(side, choose(seed, n, orders), dice=SeededDice(f"{seed:032x}{n:032x}"))
        log.append((before, game.last))
    return game, log


def check_conserved(state: GameState, start: GameState) -> None:
    assert set(state.counters) == set(start.counters)
    on_map = [c for c in state.counters.values() if isinstance(c.place, Hex)]
    assert sorted(state.own["blocks"].values()) == sorted(c.id for c in on_map)
    assert set(state.own["seen"]) <= set(state.own["blocks"])
    entry = {"axis": Hex(2, 10), "allied": Hex(39, 7)}
    for side in ("axis", "allied"):
        hexes = [c.place for c in on_map if c.side == side and c.place != entry[side]]
        assert len(hexes) == len(set(hexes))
        assert state.own["rp"][side] >= 0
    assert not {c.place for c in on_map if c.side == "axis"} & {c.place for c in on_map if c.side == "allied"}
    for counter in state.counters.values():
        in_pool = isinstance(counter.place, Box)
        assert (counter.num["sp"] == 0) == in_pool or state.pending
        assert 0 <= counter.num["sp"] <= 4
        assert isinstance(counter.place, Hex) or in_pool or counter.place == OFF


@pytest.mark.parametrize(
    ("seed", "scenario", "options"),
    [
        (1, "campaign-1", {}),
        (2, "campaign-2", {"tempo": "blitz"}),
        (3, "campaign-2", {"tempo": "full", "surplus": "eliminate", "six_surplus": "lost", "littorio": True}),
        (4, "campaign-1", {"ezoc_public": False, "attack_dice_reading": "total", "escarpment_move": "maximum", "extra_allied_air": True}),
    ],
)
def test_random_legal_play_never_refuses_sticks_or_loses_anything(seed: int, scenario: str, options: dict[str, Any]) -> None:
    game, log = play(seed, scenario, PACKETS, **options)
    start = log[0][0]
    for before, outcome in log:
        assert outcome.status == "done", outcome.rejections
        counters = dict(before.counters)
        own = ch.apply([c for e in outcome.events for c in e.changes], counters, before.own)
        assert counters == outcome.state.counters
        assert own == outcome.state.own
        check_conserved(outcome.state, start)
    assert game.state.over is not None or len({s.path for s, _ in log}) > 4


def test_the_same_seed_gives_the_same_bytes_and_a_state_survives_the_wire() -> None:
    game, _ = play(7, "campaign-2", 40)
    again, _ = play(7, "campaign-2", 40)
    assert state_bytes(game.state) == state_bytes(again.state)
    assert load_state(dump_state(game.state)) == game.state


UNITS = st.sampled_from(["21PZ", "PAVIA", "15PZ", "SAVENA", "4IND", "NOBODY", ""])
HEXES = st.sampled_from(["1009", "1109", "1209", "1210", "0210", "0000", "9999", "2407", "2406", "1", "ABCD"])
LISTS = (st.lists(UNITS, max_size=3), st.lists(HEXES, max_size=5), st.lists(st.none(), max_size=2))
VALUES = st.one_of(UNITS, HEXES, st.integers(-3, 30), st.booleans(), st.none(), *LISTS)
FIELDS = st.sampled_from(
    ["units", "unit", "hex", "path", "to", "via", "road", "strategic", "leader", "air", "lose", "spare", "n", "table", "k"],
)
VERBS = st.sampled_from(
    ["MOVE", "ATTACK", "ENTER", "DELAY", "REBUILD", "STEP", "LOSE", "KEEP", "COMMIT", "DONE", "PASS", "CONCEDE", "NEXT"],
)
ORDERS = st.one_of(
    st.builds(lambda verb, args: Order(0, verb, args), VERBS, st.dictionaries(FIELDS, VALUES, max_size=5)),
    st.builds(lambda unit, path: Order(0, "MOVE", {"units": [unit], "path": path}), UNITS, st.lists(HEXES, max_size=6)),
    st.builds(
        lambda at, units, lose, air: Order(0, "ATTACK", {"hex": at, "units": units, "lose": lose, "air": air}),
        HEXES,
        st.lists(UNITS, max_size=3),
        st.lists(UNITS, max_size=2),
        st.sampled_from([None, "X1", "L1"]),
    ),
)


@given(st.lists(ORDERS, min_size=1, max_size=6), st.sampled_from(["build", "action"]), st.booleans())
@settings(max_examples=100)
def test_orders_of_any_kind_are_carried_out_or_refused_and_never_crash(orders: list[Order], step: str, anyway: bool) -> None:
    game = position("21PZ@1009 PAVIA@0909 15PZ@off3 SAVENA@pool 4IND@1210 22GDS@3508", step=step, turn=3, air={"X1": "free"})
    before = game.state
    game.axis(*orders, dice=SeededDice("77" * 32), anyway=anyway)
    if game.last.status == "refused":
        assert game.state is before
        assert all(r.code for r in game.last.rejections)
    else:
        assert game.last.status == "done"
    assert module().data.sides == ("axis", "allied")

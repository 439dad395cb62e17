"""The position after orders that are only thought of: as far as they reach without a die and without anything that is hidden."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, replace

from services.rules.engine import script
from services.rules.engine.adjudication import Adjudication, Stop
from services.rules.engine.dice import ScriptedDice
from services.rules.engine.model import GameState, Order, Packet
from services.rules.engine.module import GameModule

TRIES = 4
"""So often fewer lines are tried, before none is taken."""


@dataclass(frozen=True, slots=True)
class Foreseen:
    """``state``: the position after the lines that can be foreseen. ``line``: the first that is not among them, 0 if all are; ``why`` not:
    ``fault`` (it is illegal), ``chance`` (a die falls, or something is uncovered, G7), ``later`` (it waits for the other side) or nothing.
    """

    state: GameState
    line: int = 0
    why: str = ""


def foresee(module: GameModule, state: GameState, packet: Packet) -> Foreseen:
    """Try a packet as ``CHECK`` does, and where it comes to a fault or a die, the lines before that. Nothing is rolled or revealed."""
    tried, why = replace(packet, check=True, hold=False, anyway=False), ""
    for _ in range(TRIES):
        after, lines, reason = _tried(module, state, tried)
        why = reason or why
        if after is not None:
            return Foreseen(after, _first_not_in(packet, lines), why)
        if not tried.orders:
            break
        tried = replace(tried, orders=lines, standing=() if reason == "fault" else tried.standing)
    return Foreseen(state, _first_not_in(packet, ()), why)


def _tried(module: GameModule, state: GameState, packet: Packet) -> tuple[GameState | None, tuple[Order, ...], str]:
    """The position after a packet, with the lines that it has taken; or None, the lines that may be tried in their place, and why."""
    faults = script.static_faults(module, state, packet)
    adj, stopped = Adjudication(module, state, packet, ScriptedDice(())), True
    if not faults:
        script.load(adj, packet, set())
        with suppress(Stop):
            adj.run()
            stopped = False
        faults = adj.rejections
    if faults:
        first = min(one.line for one in faults)
        return None, tuple(one for one in packet.orders if one.line < first), "fault"
    left = adj.tails[packet.side].orders if packet.side in adj.tails else ()
    read = tuple(one for one in packet.orders if one not in left)
    if not stopped:
        return adj.outcome("done").state, read, "later" if len(read) < len(packet.orders) else ""
    return None, read if len(read) < len(packet.orders) else read[:-1], "chance"


def _first_not_in(packet: Packet, lines: Collection[Order]) -> int:
    return next((one.line for one in packet.orders if one not in lines), 0)

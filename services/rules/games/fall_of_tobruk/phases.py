"""The movement segment and its duties, the repeated passes, and the end of a player-turn with its marks (FT-06, FT-07, FT-29)."""

from __future__ import annotations

from services.rules.engine import changes as ch
from services.rules.engine import flow
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import Change, Side
from services.rules.engine.positions import on_map
from services.rules.engine.sequence import NOBODY, PHASING, Duty, Step, on
from services.rules.engine.table import Table
from services.rules.games.fall_of_tobruk import engaged, movement, orders, paralysis, regiments, stacking, supply
from services.rules.games.fall_of_tobruk.disruption import disrupt
from services.rules.games.fall_of_tobruk.state import disrupted
from services.rules.games.fall_of_tobruk.zoc import owed

PASS_MARKS = ("active", "fired")
"""Marks that live for a pass."""
TURN_MARKS = (*PASS_MARKS, "moved", "shelled", "done", "placed", "unsupplied")
"""Marks that live for a player-turn."""
STOOD = "@stood"
"""Where ``results`` notes whom the umpire has let stand in this player-turn."""

# -- the passes ------------------------------------------------------------------------------------------------------------------


def begin_pass(adj: Adjudication) -> None:
    """Nobody is active yet, and what was shot and fought in the pass before is over."""
    changes = [ch.mark(unit.id, name, False) for unit in adj.counters.values() for name in PASS_MARKS if name in unit.marks]
    changes += [ch.own(name, type(adj.own[name])()) for name in ("attacks", "shots", "snapshot") if adj.own[name]]
    if changes:
        adj.record("pass_begins", "seq.11", {"side": adj.phasing, "pass": flow.pass_number(adj)}, changes=changes)


def ordered(table: Table) -> bool:
    """Whether somebody has moved, stood or left in this pass, so that it is one."""
    return flow.pass_key(table) in table.results


def nothing_to_do(table: Table, side: Side) -> bool:
    """Whether no unit of a side can move, stand or leave any more: the step is passed over, and the passes are over (FT-06)."""
    able = (movement.can_set_out(table, unit.id) or movement.can_stand(table, unit.id) for unit in on_map(table, side))
    return not ordered(table) and not any(able) and not movement.can_leave(table, side)


def closed(adj: Adjudication) -> bool:
    """A pass is done: whether it was the last, as ``DONE TURN`` is in force and nobody still owes an attack (G16, FT-07)."""
    side = adj.phasing
    assert side is not None
    return adj.closing.get(side, "").startswith("own") and not owing(adj, side)


def owing(table: Table, side: Side) -> tuple[str, ...]:
    """The units of a side that must still attack or leave in this player-turn: those beside an enemy that are not finished (FT-07). Engaged
    defenders that nobody has reinforced need not, engaged attackers must (FT-40)."""
    bound = engaged.bound(table, side)
    left = [unit.id for unit in on_map(table, side) if "done" not in unit.marks]
    return tuple(unit for unit in left if unit in bound or (owed(table, unit) and not engaged.exempt(table, unit)))  # crt.eng.3


# -- duties ----------------------------------------------------------------------------------------------------------------------


def duties(table: Table, side: Side) -> tuple[Duty, ...]:
    """Before the movement segment may close: hexes within the stacking limits, as far as units can still leave them (FT-50, FT-59); and
    before the player-turn may, which it does where nobody moves or stands: all who are beside an enemy have attacked or left (FT-07)."""
    found = [Duty("stacking", "stacking.11", {"hex": str(at), "units": units}) for at, units in crowds(table, side).items()]
    if not ordered(table) and (units := list(owing(table, side))):
        found.append(Duty("must-attack", "zoc.4", {"units": units}))  # zoc.4
    return tuple(found)


def crowds(table: Table, side: Side) -> dict[str, list[str]]:
    """The overfull hexes that a unit could still leave; none if crowding is a choice (FT-59)."""
    if table.options["voluntary_overstack"] == "disrupt":
        return {}
    found = {str(at): list(units) for at, units in stacking.overfull(table, side).items()}
    return {at: units for at, units in found.items() if any(can_go(table, unit) for unit in units)}


def can_go(table: Table, unit: str) -> bool:
    """Whether a unit may still move somewhere."""
    return movement.can_set_out(table, unit) and bool(movement.reach(table, (unit,)))


def meet_duties(adj: Adjudication, side: Side) -> None:
    """Duties met by the umpire: who owes an attack stands, once, for a pass of its own; crowded hexes suffer as the segment closes."""
    stood: list[str] = adj.results.get(STOOD, [])
    units = [unit for unit in owing(adj, side) if unit not in stood]
    if units and not ordered(adj):
        movement.stand_by(adj, units)
        adj.results[STOOD] = [*stood, *units]


# -- the end of the segment and of the player-turn -------------------------------------------------------------------------------


def end_movement(adj: Adjudication) -> None:
    """The movement segment closes: who stands is judged for supply (FT-62); in a crowded hex those are disrupted who have come there in
    this pass, else all (FT-59)."""
    side = adj.phasing
    assert side is not None
    number = flow.pass_number(adj)
    standing = [unit.id for unit in on_map(adj, side) if "active" in unit.marks and unit.num.get("pass") != number]
    supply.judge(adj, *standing)
    for units in stacking.overfull(adj, side).values():
        came = [unit for unit in units if adj.counters[unit].num.get("pass") == number]
        orderly = [unit for unit in came or units if not disrupted(adj, unit)]
        disrupt(adj, orderly, "stacking.13", "stacking")  # stacking.13 disrupt.6


def markers_off(adj: Adjudication) -> None:
    """The player-turn is over: disruption markers come off, those of both sides unless it is played otherwise, and all that counted for
    this player-turn alone is forgotten."""
    own_only = adj.options["markers_off"] == "own"
    found = [unit.id for unit in adj.counters.values() if disrupted(adj, unit.id) and not (own_only and unit.side != adj.phasing)]
    if found:
        adj.record(
            "disruption_off", "disrupt.1", {"units": found}, changes=[ch.mark(unit, "disrupted", False) for unit in found]
        )  # seq.9 disrupt.1
    changes: list[Change] = []
    for unit in adj.counters.values():
        marks = (*TURN_MARKS, "roused") if unit.side == adj.phasing else TURN_MARKS
        changes += [ch.mark(unit.id, name, False) for name in marks if name in unit.marks]
        changes += [ch.number(unit.id, name, None) for name in ("spent", "pass") if name in unit.num]  # move.6
    changes += [ch.own(name, type(adj.own[name])()) for name in ("attacks", "shots", "snapshot", "shelled", "committed") if adj.own[name]]
    if changes:
        adj.record("marks_off", "seq.9", {"side": adj.phasing}, changes=changes)


MOVEMENT: Step = Step(
    "movement",
    "seq.5",
    PHASING,
    accepts=(
        on(orders.Move, movement.move, units=lambda args: args.units),
        on(orders.Stand, movement.stand, units=lambda args: args.units),
        on(orders.Split, regiments.split, units=lambda args: (args.unit,)),
        on(orders.Rejoin, regiments.rejoin, units=lambda args: (args.unit,)),
        on(orders.Exit, movement.leave, units=lambda args: (args.unit,)),
        on(orders.Free, paralysis.free),
    ),
    enter=begin_pass,
    leave=end_movement,
    idle=nothing_to_do,
    duty=duties,
    meet=meet_duties,
)
MARKERS_OFF: Step = Step("markers off", "seq.9", NOBODY, enter=markers_off)

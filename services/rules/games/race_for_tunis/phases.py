"""The movement phase, its duties and its end; and the end of a player-turn: marks off, and who stands too close together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scenarios.hexes import parse_hex
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.args import read_args
from services.rules.engine.model import Change, Decision, IllegalOrder, Json, Side
from services.rules.engine.positions import on_map, units_at
from services.rules.engine.sequence import NOBODY, Ask, Duty, Mode, Step, Work
from services.rules.engine.table import Table
from services.rules.games.race_for_tunis import air, arrivals, duty, engaged, french, leaving, stacking, supply
from services.rules.games.race_for_tunis.orders import Lose
from services.rules.games.race_for_tunis.state import ALLIED, defence_value, is_support, removed

MOVEMENT_MARKS = ("moved", "done", "in-zoc")

# -- duties of the movement phase ------------------------------------------------------------------------------------------------


def duties(table: Table, side: Side) -> tuple[Duty, ...]:
    """Before the movement phase may close: stacks within the limits, restricted French and guns left alone out of enemy ZOC (RT-23, RT-55,
    RT-27)."""
    found = list(overfull_stacks(table, side))
    if side == ALLIED and (units := list(french.must_leave(table))):
        found.append(Duty("french-must-leave", "18.1.7.C-3", {"units": units}))
    if units := list(guns_alone(table, side)):
        found.append(Duty("guns-must-leave", "10.3-2", {"units": units}))
    return tuple(found)


def overfull_stacks(table: Table, side: Side) -> tuple[Duty, ...]:
    """A duty for each hex of a side with more than the stacking limits allow (7.0.A)."""
    return tuple(
        Duty("stacking", "7.0.A-2", {"hex": str(at), "units": list(units)}) for at, units in stacking.overfull(table, side).items()
    )


def guns_alone(table: Table, side: Side) -> tuple[str, ...]:
    """Artillery of a side in an enemy ZOC without another friend, that can get out of it (10.3, RT-27)."""
    return tuple(gun for gun in duty.lone_guns(table, side) if leaving.way_out(table, gun))


def meet_duties(adj: Adjudication, side: Side) -> None:
    """Duties met by the umpire: who must leave does by the nearest way, then who has not moved makes room (``AUTO``)."""
    if side == ALLIED:
        french.leave(adj)
    for unit in guns_alone(adj, side):
        leaving.leave(adj, unit)
    thin_out(adj, side)


def thin_out(adj: Adjudication, side: Side) -> None:
    """Units of overfull hexes move out to the nearest hex with room, those of the least value first, while there are any that can."""
    for at in stacking.overfull(adj, side):
        for unit in sorted(units_at(adj, at), key=lambda unit: (defence_value(adj, unit), unit)):
            if stacking.fits(adj, units_at(adj, at)):
                break
            leaving.leave(adj, unit)


def nothing_to_move(table: Table, side: Side) -> bool:
    """Whether a side has no unit on the map and none that is due: the step is passed over."""
    return not (on_map(table, side) or arrivals.waiting(table, side))


def end_movement(adj: Adjudication) -> None:
    """The movement phase is over: what units have spent, who has moved and who had finished is forgotten."""
    changes: list[Change] = [
        ch.mark(unit.id, name, False) for unit in adj.counters.values() for name in MOVEMENT_MARKS if name in unit.marks
    ]
    changes += [ch.number(unit.id, "spent", None) for unit in adj.counters.values() if "spent" in unit.num]  # 6.0.A-3
    changes += [ch.own(name, {}) for name in ("diverted", "limits", "landers") if adj.own[name]]
    changes += [ch.own("moving", "")] if adj.own["moving"] else []
    changes += [ch.own("worked", [])] if adj.own["worked"] else []
    if changes:
        adj.record("movement_ends", "4.1-1", {"side": adj.phasing}, changes=changes)


# -- the end of a player-turn ----------------------------------------------------------------------------------------------------


def end_player_turn(adj: Adjudication) -> None:
    """Engagements are looked over, battles are forgotten, marks come off; then the stacks of both sides are looked at (7.0.A-2)."""
    engaged.end_player_turn(adj)
    changes: list[Change] = [
        ch.mark(unit.id, name, False) for unit in adj.counters.values() for name in ("attacked", supply.OUT) if name in unit.marks
    ]
    changes += [ch.own(name, []) for name in ("battles", "silenced", "fires") if adj.own[name]]
    adj.record("marks_off", "3.0.C-1", {"side": adj.phasing}, changes=changes)
    air.interdictors_home(adj)
    for side in adj.data.sides:
        for at in stacking.overfull(adj, side):
            adj.push("Excess", side=side, hex=str(at))


def excess(adj: Adjudication, work: Mapping[str, Json]) -> None:
    """A hex is over the stacking limits: its owner removes units until it is not (RT-23)."""
    at = parse_hex(work["hex"])
    if stacking.fits(adj, units_at(adj, at)):
        return
    units = units_at(adj, at)
    rule = {"name": "excess", "hex": str(at), "units": list(units)}
    context = {"hex": str(at), "units": list(units)}
    adj.ask("excess", str(work["side"]), "7.0.A-2", {"units": list(cheapest(adj, units))}, rule=rule, context=context)


def cheapest(table: Table, units: Sequence[str]) -> tuple[str, ...]:
    """Which units go by default: those of the least value, one after another, until the others may stay."""
    left, gone = list(units), []
    for unit in sorted(units, key=lambda unit: (defence_value(table, unit), unit)):
        rest = [other for other in left if other != unit]
        if _helps(table, left, unit):
            gone.append(unit)
            left = rest
        if stacking.fits(table, left):
            break
    return tuple(gone)


def _helps(table: Table, units: Sequence[str], unit: str) -> bool:
    """Whether a hex would be less over the limits without a unit: not if it is full of maneuver units alone and the unit is none."""
    support = [other for other in units if is_support(table, other)]
    maneuver = [other for other in units if other not in support]
    return unit in maneuver or stacking.fits(table, maneuver)


def check_excess(adj: Adjudication, decision: Decision, args: Mapping[str, Json]) -> None:
    """IllegalOrder unless the units named stand there, the others may stay, and none is lost that need not be."""
    lost = read_args(Lose, args).units
    units = [str(unit) for unit in decision.context["units"]]
    strange = sorted(set(lost) - set(units))
    if strange or len(set(lost)) < len(lost):
        raise IllegalOrder("7.0.A-2", "not-there", units=strange or list(lost), hex=decision.context["hex"])
    if not stacking.fits(adj, [unit for unit in units if unit not in lost]):
        raise IllegalOrder("7.0.A-2", "stacking", hex=decision.context["hex"], units=[unit for unit in units if unit not in lost])
    for unit in lost:
        if stacking.fits(adj, [other for other in units if other not in lost or other == unit]):
            raise IllegalOrder("7.0.A-2", "loses-too-many", units=[unit], hex=decision.context["hex"])


def take_excess(adj: Adjudication, decision: Decision, args: Mapping[str, Json]) -> None:
    """They are eliminated."""
    for unit in read_args(Lose, args).units:
        data = {"unit": unit, "hex": decision.context["hex"], "cause": "stacking"}
        adj.record("eliminated", "7.0.A-2", data, changes=removed(adj, unit))


MOVEMENT_ENDS = Step("movement ends", "4.1-1", NOBODY, enter=end_movement)
END = Step(
    "end",
    "7.0.A-2",
    NOBODY,
    Mode.ASK,
    enter=end_player_turn,
    resolves=(Work("Excess", excess),),
    asks=(Ask("excess", "LOSE", take_excess, check_excess),),
)

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
from services.rules.games.race_for_tunis.companies import broken_into
from services.rules.games.race_for_tunis.orders import Lose
from services.rules.games.race_for_tunis.state import ALLIED, battles, defence_value, is_support, removed

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
    driven = retreated(adj)
    changes: list[Change] = [
        ch.mark(unit.id, name, False) for unit in adj.counters.values() for name in ("attacked", supply.OUT) if name in unit.marks
    ]
    changes += [ch.own(name, []) for name in ("battles", "silenced", "fires") if adj.own[name]]
    adj.record("marks_off", "3.0.C-1", {"side": adj.phasing}, changes=changes)
    air.interdictors_home(adj)
    for side in adj.data.sides:
        for at in stacking.overfull(adj, side):
            adj.push("Excess", side=side, hex=str(at), driven=[unit for unit in units_at(adj, at) if unit in driven])


def retreated(table: Table) -> frozenset[str]:
    """The units that battles of this player-turn have made to retreat."""
    driven = [(one, "units" if str(one["result"]).startswith("A") else "defenders") for one in battles(table)]
    return frozenset(unit for one, role in driven for unit in one[role] if unit in one.get("moved", ()))


def excess(adj: Adjudication, work: Mapping[str, Json]) -> None:
    """A hex is over the stacking limits: its owner removes units that have retreated there until it is not (RT-23)."""
    at = parse_hex(work["hex"])
    if stacking.fits(adj, units_at(adj, at)):
        return
    units = units_at(adj, at)
    stayed = [unit for unit in units if unit not in work["driven"]]
    open_ = [unit for unit in units if unit not in stayed] if stacking.fits(adj, stayed) else list(units)
    rule = {"name": "excess", "hex": str(at), "units": open_}
    context = {"hex": str(at), "units": open_}
    default = {"units": list(cheapest(adj, open_, units))}
    adj.ask("excess", str(work["side"]), "7.0.A-2", default, rule=rule, context=context)


def cheapest(table: Table, open_: Sequence[str], units: Sequence[str]) -> tuple[str, ...]:
    """Which of the units that may go do so by default: those of the least value, one by one, until the others in the hex may stay."""
    left, gone = list(units), []
    for unit in sorted(open_, key=lambda unit: (defence_value(table, unit), unit)):
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
    """IllegalOrder unless the units named stand there, the others may stay, and none is lost that need not be. Anything will do if all
    may stay by now."""
    lost, at = read_args(Lose, args).units, decision.context["hex"]
    units = units_at(adj, parse_hex(at))
    if stacking.fits(adj, units):
        return
    strange = sorted(set(lost) - set(_named(adj, decision)) | set(lost) - set(units))
    if strange or len(set(lost)) < len(lost):
        raise IllegalOrder("7.0.A-2", "not-there", units=strange or list(lost), hex=at)
    if not stacking.fits(adj, [unit for unit in units if unit not in lost]):
        raise IllegalOrder("7.0.A-2", "stacking", hex=at, units=[unit for unit in units if unit not in lost])
    for unit in lost:
        if stacking.fits(adj, [other for other in units if other not in lost or other == unit]):
            raise IllegalOrder("7.0.A-2", "loses-too-many", units=[unit], hex=at)


def take_excess(adj: Adjudication, decision: Decision, args: Mapping[str, Json]) -> None:
    """They are eliminated, as long as too many are there; then the hex is looked at again. One of them may have broken down meanwhile."""
    at, named = decision.context["hex"], _named(adj, decision)
    for unit in read_args(Lose, args).units:
        if unit in units_at(adj, parse_hex(at)) and not stacking.fits(adj, units_at(adj, parse_hex(at))):
            data = {"unit": unit, "hex": at, "cause": "stacking"}
            adj.record("eliminated", "7.0.A-2", data, changes=removed(adj, unit))
    adj.push("Excess", side=decision.side, hex=at, driven=[unit for unit in units_at(adj, parse_hex(at)) if unit in named])


def _named(table: Table, decision: Decision) -> tuple[str, ...]:
    """The units that may go, and the companies into which they may have broken down since they were asked for."""
    return tuple(part for unit in decision.context["units"] for part in broken_into(table, unit))


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

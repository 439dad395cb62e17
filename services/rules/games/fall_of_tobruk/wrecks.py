"""The one way by which units die: tanks become wrecks (repair.3, FT-51), all others go to the refit pool (refit.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scenarios.hexes import Box, Hex, parse_hex
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import Json, Side
from services.rules.engine.positions import units_at
from services.rules.engine.sequence import Work
from services.rules.engine.table import Table
from services.rules.games.fall_of_tobruk import mines, stacking
from services.rules.games.fall_of_tobruk.ground import at_of
from services.rules.games.fall_of_tobruk.state import DESTROYED, REFIT, WRECK, disrupted, is_tank, phasing_half, unmarked, wrecks

NO_WRECK = frozenset({"bombardment", "stacking"})
"""What kills a tank and leaves no wreck (FT-51)."""


def lose_unit(adj: Adjudication, unit: str, clause: str, cause: str, label: str | None = None) -> None:
    """A unit on the map dies of ``cause``, in the battle of ``label`` if it was in one. The causes of tanks that leave no wreck are in
    ``NO_WRECK``."""
    here = at_of(adj, unit)
    if is_tank(adj, unit):
        lose_tank(adj, unit, clause, cause, label)
    else:
        _eliminated(adj, unit, clause, cause, label, REFIT)  # refit.1
    mines.gaps_after_move(adj)  # gap.4
    left = units_at(adj, here)
    if stacking.fits(adj, (*left, unit)) and not stacking.fits(adj, left):
        adj.push("Crowd", hex=str(here))


def crowd(adj: Adjudication, work: Mapping[str, Json]) -> None:
    """With a German gone from a hex the limits of the others may count there: if they are broken, all who are left are disrupted (FT-59).
    None of them is called upon a second time, so nobody pays a battalion."""
    left = units_at(adj, parse_hex(work["hex"]))
    for unit in left if not stacking.fits(adj, left) else ():
        if not disrupted(adj, unit):
            data: dict[str, Json] = {"unit": unit, "hex": work["hex"], "cause": "stacking"}
            adj.record("disrupted", "stacking.13", data, changes=[ch.mark(unit, "disrupted")])  # stacking.12 stacking.13


CROWD = Work("Crowd", crowd)
"""The work item that a loss may push; each step in which units die lists it."""


def lose_tank(adj: Adjudication, unit: str, clause: str, cause: str, label: str | None = None) -> None:
    """A tank company dies: it lies as a wreck where it stood, or goes to the destroyed box if bombardment or crowding killed it (FT-51)."""
    where = at_of(adj, unit)
    if cause in NO_WRECK:
        refits = adj.options["chart_tank_refit"]  # FT-48
        _eliminated(adj, unit, clause, cause, label, REFIT if refits else DESTROYED)  # refit.9
        return
    side = adj.counters[unit].side
    tank = {
        "unit": unit,
        "turn": adj.turn,  # repair.2
        "half": phasing_half(adj),
    }
    lying = marker(adj, side, where)
    if lying is None:
        lying = {
            "n": _free_number(adj, side),
            "side": side,
            "hex": str(where),  # repair.4
            "tanks": [],
        }
        markers = [*wrecks(adj), {**lying, "tanks": [tank]}]
    else:
        markers = [{**one, "tanks": [*one["tanks"], tank]} if one is lying else one for one in wrecks(adj)]  # repair.7
    data: dict[str, Json] = {"unit": unit, "hex": str(where), "cause": cause, "wreck": lying["n"], **_label(label)}
    adj.record("wrecked", clause, data, changes=[*unmarked(adj, unit), ch.place(unit, WRECK), ch.own("wrecks", markers)])  # repair.5


def marker(table: Table, side: Side, at: Hex) -> Mapping[str, Any] | None:
    """The wreck marker of a side in a hex: it has one at most, for all its wrecks there (repair.8)."""
    return next((one for one in wrecks(table) if one["side"] == side and one["hex"] == str(at)), None)


def _free_number(table: Table, side: Side) -> int:
    """The lowest number of a side's wreck boxes that is free; beyond the printed boxes they are numbered on (repair.35, FT-50)."""
    taken = {one["n"] for one in wrecks(table) if one["side"] == side}
    return next(n for n in range(1, len(taken) + 2) if n not in taken)


def _eliminated(adj: Adjudication, unit: str, clause: str, cause: str, label: str | None, to: Box) -> None:
    data: dict[str, Json] = {"unit": unit, "hex": str(at_of(adj, unit)), "cause": cause, "to": to.name, **_label(label)}
    adj.record("eliminated", clause, data, changes=[*unmarked(adj, unit), ch.place(unit, to)])


def _label(label: str | None) -> Mapping[str, Json]:
    return {} if label is None else {"label": label}

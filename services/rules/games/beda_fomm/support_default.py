"""12.36: how the defender's guns support where nobody says: by BF-pbem W3, each where it lowers the odds column most."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scenarios.hexes import parse_hex
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import Order, Side
from services.rules.engine.positions import on_map, units_at
from services.rules.engine.table import Table
from services.rules.games.beda_fomm import declaration
from services.rules.games.beda_fomm.crt import column_at
from services.rules.games.beda_fomm.state import combat_factor, declared, is_artillery


def give(adj: Adjudication, side: Side) -> None:
    """The default of the window: the hexes by the strength in them, and for each the batteries that lower the column most, one after
    another as long as one does (BF-R124)."""
    key = f"{side}/{declaration.DEFENSIVE}"
    if adj.sets.get(key):
        return
    guns = [unit.id for unit in on_map(adj, side) if is_artillery(adj, unit.id)]
    given: list[Order] = []
    for one in sorted(declared(adj), key=lambda one: -sum(combat_factor(adj, unit) for unit in units_at(adj, parse_hex(one["hex"])))):
        chosen: list[str] = []
        while (gun := _best(adj, one, chosen, guns)) is not None:
            chosen.append(gun)
            guns.remove(gun)
        if chosen:
            given.append(Order(0, "SUPPORT", {"guns": chosen, "hex": one["hex"]}))
    adj.sets[key] = tuple(given)


def _best(table: Table, one: Mapping[str, Any], chosen: list[str], guns: list[str]) -> str | None:
    """The gun that lowers the column of a combat most; None if none does."""
    at = parse_hex(one["hex"])
    now = column_at(table, *declaration.strengths(table, {**one, "defence": chosen}))[1]
    found: tuple[int, str] | None = None
    for gun in guns:
        if declaration.may_support(table, gun, at):
            column = column_at(table, *declaration.strengths(table, {**one, "defence": [*chosen, gun]}))[1]
            if column < now and (found is None or column < found[0]):
                found = (column, gun)
    return found[1] if found else None

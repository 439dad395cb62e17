"""17.2.5 Air bases: which one an air unit flies from, and what befalls it when its base is taken."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from scenarios.hexes import Hex, parse_hex
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import Change, Side
from services.rules.engine.positions import card
from services.rules.engine.table import Table
from services.rules.games.race_for_tunis.state import battles, holder

TURNS_AWAY = 2
"""Game-turns after which a unit comes back that has been shot down, or whose base has been retaken (17.2.4.E, 17.2.5.A-5)."""


def base_of(table: Table, unit: str) -> Mapping[str, Any] | None:
    """The base of an air unit as the chart describes it; None if it has none (17.2.B-2)."""
    name = card(table, unit).values.get("base")
    found: Mapping[str, Any] | None = table.data.charts["bases"][name] if name else None
    return found


def base_hex(table: Table, unit: str) -> Hex | None:
    """The hex of an air unit's base; None if it has none on this map."""
    base = base_of(table, unit)
    return parse_hex(base["hex"]) if base and base["hex"] else None


def flies_in_rain(table: Table, unit: str) -> bool:
    """Whether an air unit may fly in rain: from its own base if that is an all-weather field; one without a base, or driven from a field
    that it is not tied to, while its side holds such a field (17.4.1, RT-43, RT-73)."""
    side, base = table.counters[unit].side, base_of(table, unit)
    if base and base["all_weather"] and (not base["hex"] or holder(table, parse_hex(base["hex"])) == side):
        return True  # 17.4.1-2
    if base and (not base["hex"] or base["tied"]):
        return False  # 17.4.1-1
    fields = [parse_hex(row["hex"]) for row in table.data.charts["bases"].values() if row["all_weather"] and row["hex"]]
    return any(holder(table, at) == side for at in fields)


def fallen(adj: Adjudication, side: Side, path: Iterable[Hex]) -> None:
    """A unit of a side has come through hexes: the enemy air unit tied to a base there goes at once, from a mission too; its own, driven
    out before, comes back in the second game-turn from now (17.2.5, RT-42)."""
    hexes = set(path)
    for unit, record in tuple(adj.own["air"].items()):
        base, at = base_of(adj, unit), base_hex(adj, unit)
        if base is None or at not in hexes or not base["tied"]:
            continue  # 17.2.5.A-1 17.2.5.B-2
        lost = record["state"] == "base-lost"
        data = {"unit": unit, "side": adj.counters[unit].side, "base": base["label"], "hex": str(at)}
        if adj.counters[unit].side != side and (not lost or record["back"] is not None):
            adj.record("base_lost", "17.2.5.A-4", data, changes=taken_off(adj, unit, "base-lost", None))
        elif adj.counters[unit].side == side and lost and record["back"] is None:
            back = adj.turn + TURNS_AWAY
            adj.record("base_regained", "17.2.5.A-5", {**data, "back": back}, changes=[ch.own("air", unit, "back", back)])


def taken_off(table: Table, unit: str, state: str, back: int | None) -> list[Change]:
    """The changes by which an air unit is on no mission any more, and supports no battle."""
    changes: list[Change] = [ch.own("air", unit, {"state": state, "hex": None, "back": back})]
    if any(unit in one["air"] for one in battles(table)):
        without = [{**one, "air": [other for other in one["air"] if other != unit]} for one in battles(table)]
        changes.append(ch.own("battles", without))
    return changes

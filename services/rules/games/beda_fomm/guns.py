"""10.1 and 10.3: what guns reach, with how many factors, and that guns fire a barrage together only as one stack."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scenarios.hexes import Hex, distance
from services.rules.engine.model import IllegalOrder, Side
from services.rules.engine.positions import hex_of, occupied, on_map
from services.rules.engine.table import Table
from services.rules.games.beda_fomm.spotting import spotted
from services.rules.games.beda_fomm.state import check_once, dark, hushed, is_artillery, not_on_map, ready, value


def in_range(table: Table, gun: str, target: Hex) -> bool:
    """Whether a hex lies within a battery's printed range: the target is counted and the battery's own hex is not (10.12)."""
    at = hex_of(table, gun)
    return at is not None and distance(at, target) <= value(table, gun, "range")  # 10.11a 10.12a 10.12b


def factor_at(table: Table, gun: str, target: Hex) -> int:
    """The factors with which a battery fires at a hex: all up to half its range (its fraction dropped), beyond it half of them, rounded
    up; none out of range."""
    at = hex_of(table, gun)
    if at is None or not in_range(table, gun, target):
        return 0
    factor = value(table, gun, "cf")  # 10.0g
    if distance(at, target) <= value(table, gun, "range") // 2:
        return factor  # 10.13a 10.13b BF-R37
    return (factor + 1) // 2  # 10.13c 10.13d 10.13e


def battery(table: Table, side: Side, guns: Sequence[str], target: Hex) -> Hex:
    """The hex from which guns fire one barrage at a hex. IllegalOrder unless they may."""
    check_once("10.3a", guns)
    for gun in guns:
        if hex_of(table, gun) is None:
            raise not_on_map(table, "10.0a", gun)
        if not is_artillery(table, gun):
            raise IllegalOrder("10.0a", "no-artillery", unit=gun)
        if not ready(table, gun):
            raise IllegalOrder("10.0b", "fired-already", unit=gun)  # 10.0b
    stacks = {hex_of(table, gun) for gun in guns}
    if len(stacks) > 1:
        raise IllegalOrder("10.3a", "not-one-stack", units=list(guns))  # 2.0m
    for gun in guns:
        if not in_range(table, gun, target):
            figures = {"distance": distance(_at(table, gun), target), "range": value(table, gun, "range")}
            raise IllegalOrder("10.11a", "out-of-range", unit=gun, hex=str(target), **figures)
    at = _at(table, guns[0])
    if not spotted(table, side, at, target):
        raise IllegalOrder("10.21a", "not-spotted", unit=guns[0], hex=str(target))  # 2.0l 2.0x BF-R41
    return at


def _at(table: Table, gun: str) -> Hex:
    at = hex_of(table, gun)
    assert at is not None
    return at


def ready_guns(table: Table, side: Side) -> tuple[str, ...]:
    """The batteries of a side that have not fired a barrage in this player-turn."""
    return tuple(unit.id for unit in on_map(table, side) if ready(table, unit.id))


def targets(table: Table, side: Side) -> tuple[Hex, ...]:
    """The hexes of the enemy that a ready battery of ``side`` reaches and spots."""

    def found() -> tuple[Hex, ...]:
        return tuple(sorted(at for at in occupied(table, table.enemy(side)) if _reached(table, side, ready_guns(table, side), at)))

    return table.remembered(("targets", side), found)


def _reached(table: Table, side: Side, guns: Iterable[str], target: Hex) -> bool:
    return any(in_range(table, gun, target) and spotted(table, side, _at(table, gun), target) for gun in guns)


def fire_allowed(table: Table) -> bool:
    """Whether the phasing side may fire: not in the dark, nor the Italians in the opening (unless by option, BF-R96)."""
    return not dark(table) and (not hushed(table) or table.options.get("opening_fire", "none") == "no-attack")  # 13.0c 16.2a

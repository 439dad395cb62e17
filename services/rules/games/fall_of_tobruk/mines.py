"""Minefields: which hexsides are mined, whom they do not hinder, and the gaps that engineers open."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from scenarios.hexes import Hex, parse_hex
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.positions import hex_of
from services.rules.engine.table import Table
from services.rules.games.fall_of_tobruk.ground import Pair, along, box_at, ground, same_box
from services.rules.games.fall_of_tobruk.state import ALLIED, AXIS, gaps, is_engineer


def mined(table: Table, at: Hex, to: Hex) -> bool:
    """Whether mines lie between two neighbouring hexes, gap or not."""
    return (at, to) in ground(table).mines


def exempt(table: Table, unit: str, at: Hex, to: Hex) -> bool:
    """Whether mines on the way from a hex to its neighbour are nothing to a unit that travels: an Allied one along a road or a track, or
    out of a Box (FT-47); by option an Axis one through a gap (FT-46)."""
    if table.counters[unit].side == ALLIED:
        if along(table, at, to):
            return True  # minefields.12
        return box_at(table, at) is not None and not same_box(table, at, to)  # minefields.13
    return _through(table, unit, at, to)


def _through(table: Table, unit: str, at: Hex, to: Hex) -> bool:
    """Whether a gap, by option, is more to a unit than a way for supply: an Axis one moves and fights across it freely (FT-46)."""
    return bool(table.options["gap_moves"]) and table.counters[unit].side == AXIS and gap(table, at, to)  # FT-46


def shielded(table: Table, unit: str, at: Hex, to: Hex) -> bool:
    """Whether mines lie between an attacking unit and the hex next to it that it attacks or fires at. Roads and Boxes, which ease travel,
    change nothing (FT-47)."""
    return mined(table, at, to) and not _through(table, unit, at, to)


def hinders(table: Table, unit: str, at: Hex, to: Hex) -> bool:
    """Whether a unit that travels from a hex to its neighbour crosses mines that hinder it."""
    return mined(table, at, to) and not exempt(table, unit, at, to)


# -- gaps ------------------------------------------------------------------------------------------------------------------------


def gap(table: Table, at: Hex, to: Hex) -> bool:
    """Whether a gap is open between two hexes: the engineer that made it stands in one of them still."""
    return (at, to) in open_gaps(table)


def open_gaps(table: Table) -> frozenset[Pair]:
    """The pairs of hexes between which a gap is open, both ways round."""
    pairs = (tuple(map(parse_hex, one["hexes"])) for one in gaps(table) if _held(table, one))
    return frozenset(pair for a, b in pairs for pair in ((a, b), (b, a)))


def _held(table: Table, one: object) -> bool:
    assert isinstance(one, dict)
    at = hex_of(table, one["engineer"])
    return at is not None and str(at) in one["hexes"]  # gap.4


def gaps_after_move(adj: Adjudication, units: Iterable[str] = (), path: Sequence[Hex] = ()) -> None:
    """Units have gone along ``path``, their starting hex first, or somebody has left the map: gaps open behind engineers that crossed
    mines, and those close whose engineer is no longer beside them."""
    kept = [one for one in gaps(adj) if _held(adj, one)]
    closed = [one for one in gaps(adj) if one not in kept]
    opened = [one for one in _opened(adj, units, path) if one not in kept]
    if not closed and not opened:
        return
    changes = [ch.own("gaps", [*kept, *opened])]
    for one in closed:
        adj.record("gap_closed", "gap.4", {"hexes": one["hexes"], "unit": one["engineer"]}, changes=changes)
    for one in opened:
        adj.record("gap_open", "gap.3", {"hexes": one["hexes"], "unit": one["engineer"]}, changes=changes)


def _opened(table: Table, units: Iterable[str], path: Sequence[Hex]) -> list[dict[str, object]]:
    """The gaps behind engineers, at the last mined side that they crossed."""
    crossed = [(at, to) for at, to in pairwise(path) if mined(table, at, to)]
    if not crossed:
        return []
    at, to = crossed[-1]
    made = [unit for unit in units if is_engineer(table, unit) and table.counters[unit].side == AXIS]  # gap.1
    found: list[dict[str, object]] = [{"hexes": sorted((str(at), str(to))), "engineer": unit} for unit in made]
    return [one for one in found if _held(table, one)]  # gap.3

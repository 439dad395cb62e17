"""Overruns: more tanks than antitank factors, as the antitank segment closes, double an attack and disrupt its defenders (FT-15 to 17)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from scenarios.hexes import Hex
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.exact import parse_exact, print_exact
from services.rules.engine.model import Exact, Json
from services.rules.engine.positions import adjacent, hex_of, occupied, units_at
from services.rules.engine.sequence import NOBODY, Step, Work
from services.rules.engine.table import Table
from services.rules.games.fall_of_tobruk.disruption import disrupt
from services.rules.games.fall_of_tobruk.losses import present
from services.rules.games.fall_of_tobruk.state import attacks, current, is_tank


class Comparison(NamedTuple):
    """Tank companies of an attack, and the antitank factors of those attacked."""

    tanks: int
    antitank: Exact


def snapshot(adj: Adjudication) -> None:
    """The antitank segment closes: the antitank factors of each hex beside the phasing side are noted (overrun.2)."""
    side = adj.phasing
    assert side is not None
    near = {to for at in occupied(adj, side) for to in adjacent(adj, at)}
    held = sorted(near & occupied(adj, adj.enemy(side)))
    noted = {str(at): print_exact(antitank(adj, at)) for at in held}
    if noted != adj.own["snapshot"]:
        adj.record("antitank_noted", "overrun.2", {"hexes": noted}, changes=[ch.own("snapshot", noted)])  # overrun.2


def antitank(table: Table, at: Hex) -> Exact:
    """The antitank factors of all units in a hex as they stand: halved for those disrupted; a Matilda's is not doubled, nothing fires."""
    return sum((current(table, unit, "antitank") for unit in units_at(table, at)), Fraction(0))


def compared(table: Table, hexes: Iterable[str], units: Iterable[str]) -> Comparison:
    """What an attack of units on hexes brings against what defends them, by the factors noted as the segment closed."""
    tanks = sum(1 for unit in units if is_tank(table, unit))
    return Comparison(tanks, sum((parse_exact(table.own["snapshot"].get(at, 0)) for at in hexes), Fraction(0)))


def overrun(table: Table, attack: Mapping[str, Any]) -> bool:
    """Whether an attack, as it is declared, overruns its defenders: it has more tank companies than they antitank factors."""
    found = compared(table, attack["hexes"], attack["units"])
    return found.tanks > found.antitank  # overrun.1


def factor(table: Table, attack: Mapping[str, Any]) -> int:
    """By what the combat factors of an attack's units are multiplied."""
    return int(table.data.charts["costs"]["modifiers"]["overrun"]) if attack["overrun"] else 1  # overrun.3


def told(adj: Adjudication, attack: Mapping[str, Any]) -> None:
    """Tell of an attack that is an overrun."""
    found = compared(adj, attack["hexes"], attack["units"])
    data: dict[str, Json] = {"label": attack["label"], "hexes": list(attack["hexes"])}
    adj.record("overrun", "overrun.1", {**data, "tanks": found.tanks, "antitank": print_exact(found.antitank)})


def land(adj: Adjudication, work: Mapping[str, Json]) -> None:
    """The result of an overrun has been carried out: its defenders that are left are disrupted, wherever they are (FT-16)."""
    attack = next(one for one in attacks(adj) if one["label"] == work["label"])
    left = present(adj, attack["defenders"])
    for at in sorted({at for unit in left if (at := hex_of(adj, unit)) is not None}):
        stack = [unit for unit in left if hex_of(adj, unit) == at]
        disrupt(adj, stack, "overrun.4", "overrun", attack["label"])  # overrun.4 overrun.5 disrupt.4


OVERRUN = Work("Overrun", land)
"""Pushed with the ``label`` of an attack that is an overrun, after its result."""
SNAPSHOT = Step("overrun", "overrun.2", NOBODY, enter=snapshot)

"""8.2 to 8.4: strengths as terrain changes them, and the column on which a battle is fought."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from scenarios.hexes import Hex, distance
from services.rules.engine.combat import CombatResultsTable, odds
from services.rules.engine.model import Exact
from services.rules.engine.positions import hex_of, units_at
from services.rules.engine.table import Table
from services.rules.games.race_for_tunis import supply
from services.rules.games.race_for_tunis.ground import at_of, climbs, elevation, ground
from services.rules.games.race_for_tunis.package import Battle, attackers, defenders, hexes_of, live_hexes
from services.rules.games.race_for_tunis.state import (
    attack_value,
    defence_value,
    interdiction,
    is_artillery,
    is_heavy,
    value,
)

TOWNS = frozenset({"village", "town", "city"})

# -- the table -------------------------------------------------------------------------------------------------------------------


def crt(table: Table) -> CombatResultsTable:
    """The Combat Results Table."""

    return table.remembered("crt", lambda: CombatResultsTable.of_chart(table.data.charts["combat"]))


def base(table: Table, attack: Exact, defence: Exact) -> int | None:
    """The index of the column of two strengths, rounded for the defender, the last one for more than 8:1; None below 1:5 (8.2)."""
    if attack <= 0:
        return None
    return crt(table).column(odds(attack, defence))  # 8.2.C-1 8.2.C-2 8.2.D 8.2.E-1


def column(table: Table, one: Battle) -> tuple[str, int] | None:
    """The column on which a battle is fought as things stand, as printed and by index: air support raises it (17.2.2.D), the attacker may
    lower it then (8.2.F, RT-25). None below 1:5, from where nothing raises it (RT-24)."""
    start = base(table, *strengths(table, one))
    if start is None:
        return None
    n = shifted(table, one, start)
    return str(crt(table).columns[n]), n


def shifted(table: Table, one: Battle, start: int) -> int:
    """The index of the column to which air support and the attacker's choice move a battle from one (RT-25, RT-41)."""
    raised = min(len(crt(table).columns) - 1, start + sum(value(table, unit, "support") for unit in one["air"]))  # 17.2.2.D
    return max(0, raised - (one["lower"] or 0))  # 8.2.F


def strengths(table: Table, one: Battle) -> tuple[Fraction, Fraction]:
    """Attack and defence of a battle as things stand, guns in support included."""
    hexes = live_hexes(table, one)
    attack = sum((attack_factor(table, unit, hexes) for unit in attackers(table, one)), Fraction(0))  # 8.2.A 8.3.G
    guns = sum((gun_factor(table, gun, hexes_of(one)) for gun in one["support"] if hex_of(table, gun)), Fraction(0))
    defence = sum((defence_factor(table, unit) for unit in defenders(table, one)), Fraction(0))  # 8.2.B
    allotted = sum(attack_value(table, gun) for gun in one["defence"] if hex_of(table, gun))  # 10.2.B RT-26
    return attack + (guns if attack else 0), defence + (allotted if defence else 0)


# -- the attacker ----------------------------------------------------------------------------------------------------------------


def attack_factor(table: Table, unit: str, hexes: Iterable[Hex]) -> Fraction:
    """What an attacker counts: its printed factor under the worst reduction of those hexes that it is next to (8.4-2, 8.3.F)."""
    here = at_of(table, unit)
    worst = min((reduction(table, unit, here, at) for at in hexes if distance(here, at) == 1), default=Fraction(1))
    return attack_value(table, unit) * worst * supply.kept(table, unit, "attack")


def reduction(table: Table, unit: str, here: Hex, at: Hex) -> Fraction:
    """What terrain multiplies an attacker in ``here`` by against ``at``: a quarter at worst (8.3)."""
    rule = table.data.charts["costs"]["combat"]
    factor = Fraction(1)
    if elevation(table, at) > elevation(table, here):
        factor *= rule["uphill"]  # 8.3.B-1
    if leaves_wadi(table, here, at):
        factor *= rule["leaving_wadi"]  # 8.3.C-1 8.3.D-1
    if climbs(table, here, at):
        factor *= rule["up_cliff"]  # 8.3.C-2
    if is_heavy(table, unit) and ground(table).kinds[at] == "rugged-crest":
        factor *= rule["heavy_on_crest"]  # 8.3.E-1
    return max(factor, Fraction(rule["floor"]))  # 8.3.D-2


def leaves_wadi(table: Table, here: Hex, at: Hex) -> bool:
    """Whether an attack goes out of a wadi into other ground. By option a town in a wadi hex lies on one bank: the wadi matters where it
    runs between, on the way out, and on the way in from clear ground too (17.1)."""
    ground_ = ground(table)
    if ground_.kinds[here] == "wadi":
        if ground_.kinds[at] == "wadi":
            return False  # 8.3.C-1 17.1.C
        return not (_by_banks(table) and _town(table, here)) or (here, at) in ground_.banks  # 17.1.B
    clear = ground_.kinds[here] == "clear"
    return _by_banks(table) and clear and _town(table, at) and (at, here) in ground_.banks  # 17.1.A


def _by_banks(table: Table) -> bool:
    return bool(table.options["wadi_towns"])


def _town(table: Table, at: Hex) -> bool:
    return bool(table.data.board.kinds_at(at) & TOWNS)


def gun_factor(table: Table, gun: str, hexes: Iterable[Hex]) -> Fraction:
    """What a gun adds to an attack on hexes: half if one of them in its range is higher than its own, and nothing else (10.2.A, RT-08,
    RT-26)."""
    here = at_of(table, gun)
    within = [at for at in hexes if distance(here, at) <= value(table, gun, "range")]
    uphill = any(elevation(table, at) > elevation(table, here) for at in within)
    factor = Fraction(table.data.charts["costs"]["combat"]["uphill"]) if uphill else Fraction(1)  # 10.2.A-1 10.2.A-2
    return attack_value(table, gun) * factor * supply.kept(table, gun, "attack")


# -- the defender ----------------------------------------------------------------------------------------------------------------


def defence_factor(table: Table, unit: str) -> Fraction:
    """What a defender counts where it stands (8.3.H, 10.4)."""
    at = at_of(table, unit)
    rule = table.data.charts["costs"]["combat"]
    times = ground(table).terrain[at].defence  # 8.3.H-1 8.3.H-2
    if not is_artillery(table, unit):
        return Fraction(defence_value(table, unit) * times)
    if interdiction(table, at, table.counters[unit].side):
        return Fraction(rule["lone_gun"])  # 17.2.3.E-2
    if all(is_artillery(table, other) for other in units_at(table, at)):
        return Fraction(rule["lone_gun"] * times)  # 10.4.A-2 RT-28
    return Fraction(defence_value(table, unit))  # 10.4.B-1

"""What the state keeps of The Fall of Tobruk's own, and of its units: typed accessors, the only casts.

``own``: ``wrecks`` [{"n", "side", "hex", "tanks": [{"unit", "turn", "half"}]}] (``half``: the player-turn in which it was lost),
``reserve`` {model: n}, ``opened`` [units in the destroyed box and the refit pool as this player-turn opened],
``gaps`` [{"hexes": [a, b], "engineer"}], ``engaged`` [{"attackers", "defenders", "hexes", "beside", "broken"}], ``shelled`` [hexes
bombarded in this player-turn], ``snapshot`` {hex: antitank factors of its defenders as the antitank segment closed, exact},
``shots`` [shots declared in this segment], ``attacks`` [the attacks of this pass], ``freed`` (the brigade freed on the first day, or ""),
``tobruk`` (the side that holds it), ``exits`` {"tanks", "infantry", "artillery"}, ``committed`` (reserve tanks brought in this
player-turn).

Places: a hex; ``edge:off`` (waits to arrive: ``num`` has ``due``, ``held`` the game-turn in which it was kept back); ``box:setup`` (free
placement, not placed yet); ``box:component`` (a regiment or battalion that is for now part of others); ``box:refit`` (eliminated, may be
refitted); ``box:destroyed``; ``box:wreck`` (a tank under a wreck marker); ``box:exited``.
Marks: ``disrupted``, ``shelled`` (has bombarded: may not move), ``moved``, ``done`` (has shot or fought: finished), ``active`` (moved or
stands in this pass), ``fired`` (has shot in this antitank segment), ``placed`` (came onto the map in this player-turn), ``unsupplied``
(judged so as its move began), ``roused`` (may move on the first day), ``engaged-attacker``, ``engaged-defender``.
``num.spent``: MP spent in this player-turn.  ``num.pass``: the pass in which a unit moved last.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, cast

from scenarios.hexes import Box, Edge
from services.rules.engine import changes as ch
from services.rules.engine.model import Change, Exact, Side
from services.rules.engine.positions import card
from services.rules.engine.table import Table

AXIS, ALLIED = "axis", "allied"
OFF = Edge("off")
SET_UP, COMPONENT, REFIT, DESTROYED, WRECK, EXITED = (Box(name) for name in ("setup", "component", "refit", "destroyed", "wreck", "exited"))
MARKS = frozenset(
    {
        *("disrupted", "shelled", "moved", "done", "active", "fired", "placed", "unsupplied", "roused"),
        *("engaged-attacker", "engaged-defender"),
    }
)
"""Every mark that a unit can bear."""


# -- what is printed -------------------------------------------------------------------------------------------------------------

COLUMNS = {"antitank": "at", "factor": "artillery"}
"""Words of the law -> columns of ``counters.csv``, where they differ."""


def value(table: Table, unit: str, name: str) -> int:
    """A printed number of a unit, 0 where there is none: ``antitank``, ``combat``, ``ma``, ``factor`` and ``range`` of artillery."""
    return int(card(table, unit).values.get(COLUMNS.get(name, name)) or 0)


def combat_value(table: Table, unit: str) -> int:
    """The printed combat factor: what losses are counted by (crt.loss.1)."""
    return value(table, unit, "combat")


def kind_of(table: Table, unit: str) -> str:
    """A unit's type, as its symbol or silhouette says; of a tank its model (``grant``, ``pz-iiih``)."""
    return card(table, unit).kind


def type_of(table: Table, unit: str) -> Mapping[str, Any]:
    """What the package says of a unit's type: ``class``, ``refit``, ``exit``, ``place``, ``fires_moved``, ``first_fire``."""
    kinds: Mapping[str, Mapping[str, Any]] = table.remembered("types", lambda: {row["type"]: row for row in table.data.charts["types"]})
    return kinds[kind_of(table, unit)]


def class_of(table: Table, unit: str) -> str:
    """``infantry``, ``recon``, ``engineer``, ``artillery``, ``spg``, ``flak-88`` or ``tank``."""
    return str(type_of(table, unit)["class"])


def nation_of(table: Table, unit: str) -> str:
    """A unit's nation: ``british``, ``free-french``, ``indian``, ``south-african``, ``german``, ``italian``."""
    return card(table, unit).nation


def size_of(table: Table, unit: str) -> str:
    """``company``, ``battalion`` or ``regiment`` (pieces.2, pieces.3)."""
    return str(card(table, unit).values["size"])


def formation_of(table: Table, unit: str) -> str:
    """The brigade or regiment to which a unit belongs: form B of stacking, and the brigade that is freed."""
    return str(card(table, unit).values["formation"])


def is_tank(table: Table, unit: str) -> bool:
    """Whether a unit is a tank company."""
    return class_of(table, unit) == "tank"


def is_recon(table: Table, unit: str) -> bool:
    """Whether a unit is a reconnaissance unit."""
    return class_of(table, unit) == "recon"


def is_engineer(table: Table, unit: str) -> bool:
    """Whether a unit is an engineer, who opens gaps (gap.1)."""
    return class_of(table, unit) == "engineer"


def is_gun(table: Table, unit: str) -> bool:
    """Whether a unit is artillery for bombardment and what forbids artillery: it has factor and range (artillery.15, FT-24)."""
    return value(table, unit, "range") > 0


def disrupted(table: Table, unit: str) -> bool:
    """Whether a unit is disrupted."""
    return "disrupted" in table.counters[unit].marks


def current(table: Table, unit: str, name: str) -> Exact:
    """A printed number as it stands: halved without rounding if the unit is disrupted (disrupt.10 to disrupt.12)."""
    printed = value(table, unit, name)
    return Fraction(printed, 2) if disrupted(table, unit) else printed  # disrupt.10 disrupt.11 disrupt.12


# -- the game's own --------------------------------------------------------------------------------------------------------------


def wrecks(table: Table) -> Sequence[Mapping[str, Any]]:
    """The wreck markers on the map."""
    return cast(Sequence[Mapping[str, Any]], table.own["wrecks"])


def engagements(table: Table) -> Sequence[Mapping[str, Any]]:
    """The engagements in force."""
    return cast(Sequence[Mapping[str, Any]], table.own["engaged"])


def attacks(table: Table) -> Sequence[Mapping[str, Any]]:
    """The attacks of this pass, in their order."""
    return cast(Sequence[Mapping[str, Any]], table.own["attacks"])


def gaps(table: Table) -> Sequence[Mapping[str, Any]]:
    """The gaps in the minefields."""
    return cast(Sequence[Mapping[str, Any]], table.own["gaps"])


def spent(table: Table, unit: str) -> Exact:
    """MP that a unit has spent in this player-turn."""
    return table.counters[unit].num.get("spent", Fraction(0))


def first_day(table: Table) -> bool:
    """Whether it is the first game-turn (paralysis.1, paralysis.5)."""
    return table.turn == 1


def unmarked(table: Table, unit: str) -> list[Change]:
    """The changes that take all marks and numbers off a unit that leaves the map."""
    counter = table.counters[unit]
    marks = [ch.mark(unit, name, False) for name in sorted(counter.marks)]
    return [*marks, *(ch.number(unit, name, None) for name in sorted(counter.num))]


def phasing_half(table: Table) -> Side:
    """The side whose player-turn it is; the first of the sides outside player-turns."""
    return table.phasing or table.data.sides[0]

"""What the state keeps of Holdfast's own, and of its units: typed accessors, the only casts.

``own``: ``month`` ("1941-03"), ``weather`` ("clear", "poor"), ``rp`` {side: n}, ``spent`` {side: RP of the open build step}, ``malta``
{side: air units committed}, ``air`` {side: {id: "free", "malta", "used"}}, ``leader`` {side: {id: {"move": bool, "attack": bool}}} (True:
used), ``control`` {city hex: side}, ``stepped`` {unit: {"turn", "k": steps bought in it}}, ``blocks`` {alias: unit}, ``next_alias``
{side: n}, ``seen`` {alias: {"unit", "sp", "month"}} (what the other side knows of a block).

Units: ``num`` has ``sp``; while it waits off the board also ``due`` (the game-turn from which it may enter) and ``delayed`` (the
game-turn in which its owner last held it back). Marks: ``moved``, ``attacked``. Places: a hex, ``box:pool-<side>``, or ``edge:off``
for all that wait to enter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from scenarios.hexes import Box, Edge, Hex
from services.rules.engine import changes as ch
from services.rules.engine.model import Change, Counter, Json, Side
from services.rules.engine.positions import card
from services.rules.engine.table import Table

OFF = Edge("off")
PREFIX: Mapping[Side, str] = {"axis": "G", "allied": "V"}
"""The first letter of the aliases of a side's blocks, by their colour: gray, olive. Air units and leaders have none that begins so."""


def pool(side: Side) -> Box:
    """The replacement pool of a side."""
    return Box(f"pool-{side}")


def is_armor(table: Table, unit: str) -> bool:
    """Whether a unit is armor (else it is infantry)."""
    return kind_of(table, unit) == "armor"


def kind_of(table: Table, unit: str) -> str:
    """A unit's type: "infantry" or "armor"."""
    return str(card(table, unit).values["type"])


def value(table: Table, unit: str, name: str) -> int:
    """A printed number of a unit: ``dice``, ``target``, ``ma``, ``max_sp``."""
    return int(card(table, unit).values[name])


def sp(table: Table, unit: str) -> int:
    """Present strength points."""
    return int(table.counters[unit].num["sp"])


def at(table: Table, where: Hex) -> tuple[Counter, ...]:
    """The units in a hex."""
    return tuple(c for c in table.counters.values() if c.place == where)


def waiting(table: Table, side: Side) -> tuple[Counter, ...]:
    """The units of a side that may enter in this game-turn, those held back among them."""
    return tuple(c for c in table.counters.values() if c.side == side and c.place == OFF and int(c.num["due"]) <= table.turn)


# -- the game's own --------------------------------------------------------------------------------------------------------------


def month(table: Table) -> str:
    """The month, as the turn track writes it."""
    return cast(str, table.own["month"])


def clear(table: Table) -> bool:
    """Whether the weather is clear."""
    return bool(table.own["weather"] == "clear")


def rp(table: Table, side: Side) -> int:
    """Resource points left."""
    return cast(int, table.own["rp"][side])


def paid(table: Table, side: Side, k: int) -> Change:
    """The change that spends ``k`` RP."""
    return ch.own("rp", side, rp(table, side) - k)


def committed(table: Table, side: Side) -> int:
    """Air units committed to Malta this month."""
    return cast(int, table.own["malta"].get(side, 0))


def air(table: Table, side: Side) -> Mapping[str, str]:
    """The air units in play and what they do."""
    return cast(Mapping[str, str], table.own["air"][side])


def leader(table: Table, side: Side) -> tuple[str, Mapping[str, bool]] | None:
    """The leader of a side in play, and which of his uses are spent."""
    for name, used in cast(Mapping[str, Mapping[str, bool]], table.own["leader"][side]).items():
        return name, used
    return None


def leader_free(table: Table, side: Side, use: str) -> str | None:
    """The leader's id if he is in play and ``use`` ("move", "attack") is not spent this turn."""
    found = leader(table, side)
    return found[0] if found and not found[1][use] else None


def control(table: Table) -> Mapping[str, Side]:
    """City hex -> the side that controls it."""
    return cast(Mapping[str, Side], table.own["control"])


def stepped(table: Table, unit: str) -> int:
    """Steps bought for a unit in this player-turn."""
    bought = cast("Mapping[str, int] | None", table.own["stepped"].get(unit))
    return bought["k"] if bought and bought["turn"] == table.turn else 0


# -- blocks ----------------------------------------------------------------------------------------------------------------------


def aliases(table: Table) -> Mapping[str, str]:
    """Unit -> the alias of its block on the map."""
    blocks = cast(Mapping[str, str], table.own["blocks"])
    return {unit: alias for alias, unit in blocks.items()}


def alias_of(table: Table, unit: str) -> str:
    """The alias of a unit's block. KeyError off the map."""
    blocks = cast(Mapping[str, str], table.own["blocks"])
    return next(alias for alias, held in blocks.items() if held == unit)


def seen(table: Table, alias: str) -> Mapping[str, Json] | None:
    """What the other side knows of a block: ``unit``, ``sp`` then, ``month``; None if nothing."""
    return cast("Mapping[str, Json] | None", table.own["seen"].get(alias))


def new_block(table: Table, unit: str) -> tuple[str, list[Change]]:
    """The next alias of the unit's side, and the changes that give it to the unit."""
    side = table.counters[unit].side
    n = int(table.own["next_alias"][side])
    alias = f"{PREFIX[side]}{n}"
    return alias, [ch.own("blocks", alias, unit), ch.own("next_alias", side, n + 1)]


def reveal(table: Table, unit: str, strength: int) -> Change:
    """The change by which the other side learns a block's unit and strength."""
    return ch.own("seen", alias_of(table, unit), {"unit": unit, "sp": strength, "month": month(table)})


def block_gone(table: Table, unit: str) -> list[Change]:
    """The changes by which a block leaves the map: its alias dies, and what was known of it."""
    alias = alias_of(table, unit)
    return [ch.own("blocks", alias, None), ch.own("seen", alias, None)]


def each_side(table: Table) -> Iterator[Side]:
    """Both sides in the game's order."""
    yield from table.data.sides

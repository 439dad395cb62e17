"""17.6 Air drops and landings from the sea (optional): paratroops and commandos on the game-turn in which they come."""

from __future__ import annotations

from scenarios.hexes import Hex
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import IllegalOrder, Order, Side
from services.rules.engine.positions import occupied, units_at
from services.rules.engine.sequence import PHASING, Mode, Step, on
from services.rules.engine.table import Table
from services.rules.games.race_for_tunis import arrivals, movement, phases, stacking
from services.rules.games.race_for_tunis.bases import fallen
from services.rules.games.race_for_tunis.ground import ground
from services.rules.games.race_for_tunis.orders import Amph, Drop, Move
from services.rules.games.race_for_tunis.places import take
from services.rules.games.race_for_tunis.state import ALLIED, AXIS, kind_of
from services.rules.games.race_for_tunis.zoc import in_zone

DROPPED_OR_LANDED = ("parachute", "commando")
NO_DROP = frozenset({"city", "swamp", "rugged-crest"})


def played(table: Table) -> bool:
    """Whether landings may be made now: by the Allies, if the option is played."""
    return bool(table.options["landings"]) and table.phasing == ALLIED


def landers(table: Table) -> tuple[str, ...]:
    """The units that wait to come as reinforcements and may be dropped or landed instead: not those bought back (17.6)."""
    return tuple(unit for unit in arrivals.waiting(table, ALLIED) if _may_land(table, unit))


def _may_land(table: Table, unit: str) -> bool:
    return kind_of(table, unit) in DROPPED_OR_LANDED and "bought" not in table.counters[unit].num and not arrivals.held_back(table, unit)


def _check_unit(table: Table, unit: str, kind: str, clause: str) -> None:
    if kind_of(table, unit) != kind:
        raise IllegalOrder(clause, "not-of-the-kind", unit=unit, kind=kind)
    arrivals.check_due(table, unit)  # 17.6-3
    if "bought" in table.counters[unit].num:
        raise IllegalOrder("17.6-4", "came-back", unit=unit)


def _check_room(table: Table, unit: str, at: Hex) -> None:
    if at in occupied(table, AXIS):
        raise IllegalOrder("17.6.2-2" if kind_of(table, unit) == "commando" else "17.6.1.B-2", "enemy-there", hex=str(at))
    if not stacking.fits(table, (unit, *units_at(table, at))):
        raise IllegalOrder("7.0.A-2", "stacking", hex=str(at), units=[unit, *units_at(table, at)])


def check_drop(adj: Adjudication, args: Drop, _: Order) -> None:
    """IllegalOrder unless a parachute unit that comes now may be dropped there (17.6.1)."""
    _check_unit(adj, args.unit, "parachute", "17.6-1")
    kind = ground(adj).kinds[args.hex]  # 17.6.1.A
    if kind in NO_DROP:
        raise IllegalOrder("17.6.1.B-1" if kind == "city" else "17.6.1.B-3", "no-drop-there", hex=str(args.hex), terrain=kind)
    if in_zone(adj, ALLIED, args.hex):
        raise IllegalOrder("17.6.1.B-2", "in-a-zone", hex=str(args.hex))
    _check_room(adj, args.unit, args.hex)


def check_amph(adj: Adjudication, args: Amph, _: Order) -> None:
    """IllegalOrder unless a commando that comes now may land there: on a coast without enemies, in their ZOC or not (17.6.2)."""
    _check_unit(adj, args.unit, "commando", "17.6-2")
    if args.hex not in ground(adj).coastal:
        raise IllegalOrder("17.6.2-1", "no-coast", hex=str(args.hex))
    _check_room(adj, args.unit, args.hex)  # 17.6.2-3


def drop(adj: Adjudication, args: Drop, order: Order) -> None:
    """The unit is dropped."""
    check_drop(adj, args, order)
    _put(adj, args.unit, args.hex, "17.6.1.A")


def amph(adj: Adjudication, args: Amph, order: Order) -> None:
    """The unit lands from the sea."""
    check_amph(adj, args, order)
    _put(adj, args.unit, args.hex, "17.6.2-1")


def _put(adj: Adjudication, unit: str, at: Hex, clause: str) -> None:
    changes = [
        ch.place(unit, at),
        ch.number(unit, "due", None),
        ch.own("landers", unit, 0),
        ch.own("dropped", [*adj.own["dropped"], unit]),
    ]
    adj.record("lander", clause, {"unit": unit, "hex": str(at)}, changes=changes)
    take(adj, ALLIED, (at,))
    fallen(adj, ALLIED, (at,))


def landing_dice(adj: Adjudication) -> None:
    """A die for each that has landed says whether it has MP left; none in an enemy ZOC (17.6.3). The others come in over the edge."""
    for unit in tuple(adj.own["landers"]):
        at = adj.counters[unit].place
        assert isinstance(at, Hex)
        (die,) = adj.roll("17.6.3.A-2", "landing", who=unit, site=str(at))
        row = next(row for row in adj.data.charts["landing"] if row["die"] == die)  # 17.6.3.A-3 17.6.3.A-4 RT-52
        pinned = kind_of(adj, unit) == "commando" and in_zone(adj, ALLIED, at)
        mp = 0 if pinned else int(row["mp"])  # 17.6.3.B
        data = {"unit": unit, "hex": str(at), "die": die, "mp": mp}
        adj.record("landing", "17.6.3.B" if pinned else str(row["clause"]), data, changes=[ch.own("landers", unit, mp)])
    arrivals.enter_by_default(adj, arrivals.waiting(adj, ALLIED))


def last_arrivals(adj: Adjudication) -> None:
    """The movement phase ends: arrivals that nobody named come in where they can; those that may still be landed wait for that (14.0)."""
    if adj.phasing == AXIS:
        arrivals.land_by_default(adj)
    else:
        later = DROPPED_OR_LANDED if played(adj) else ()
        arrivals.enter_by_default(adj, [unit for unit in arrivals.waiting(adj, ALLIED) if kind_of(adj, unit) not in later])


def none_can_move(table: Table, _: Side) -> bool:
    """Whether no unit that has landed has MP left."""
    return not any(mp and "moved" not in table.counters[unit].marks for unit, mp in table.own["landers"].items())


def move(adj: Adjudication, args: Move, order: Order) -> None:
    """A unit that has landed moves with what the die has left it (17.6.3)."""
    strange = [unit for unit in args.units if not adj.own["landers"].get(unit)]
    if strange:
        raise IllegalOrder("17.6.3.A-4", "not-landed-to-move", units=strange)
    movement.move(adj, args, order)


LANDINGS = Step(
    "landings",
    "17.6.3.A-1",
    PHASING,
    Mode.SET,
    accepts=(
        on(Drop, drop, check=check_drop, subject=lambda args: args.unit, units=lambda args: (args.unit,)),
        on(Amph, amph, check=check_amph, subject=lambda args: args.unit, units=lambda args: (args.unit,)),
    ),
    leave=landing_dice,
    when=played,
    idle=lambda table, _: not landers(table),
)
LANDED = Step(
    "landed",
    "17.6.3.A-4",
    PHASING,
    accepts=(on(Move, move, units=lambda args: args.units),),
    when=lambda table: bool(table.own["landers"]),
    idle=none_can_move,
    duty=phases.overfull_stacks,
    meet=phases.thin_out,
)

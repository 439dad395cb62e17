"""The opening of a movement phase: ports and their dice, units sent by sea, companies rejoined (14.0.E-F, 11.2.D); the Allies' points and
the French die."""

from __future__ import annotations

from collections.abc import Mapping

from scenarios.hexes import Hex
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.args import read_args
from services.rules.engine.model import IllegalOrder, Order, Side
from services.rules.engine.positions import hex_of
from services.rules.engine.sequence import PHASING, Mode, Step, on
from services.rules.engine.table import Table
from services.rules.games.race_for_tunis import arrivals, companies, french, replacements
from services.rules.games.race_for_tunis.ground import ground
from services.rules.games.race_for_tunis.orders import Rebuild, Rejoin, Sea
from services.rules.games.race_for_tunis.state import AXIS, COMPONENT, holder

NAME = "opening"


def begin(adj: Adjudication) -> None:
    """What is thrown and received as the movement phase opens."""
    if adj.phasing == AXIS:
        port_dice(adj)
    else:
        replacements.income(adj)
        french.french_die(adj)


# -- ports lost and retaken ------------------------------------------------------------------------------------------------------


def _ports(table: Table) -> Mapping[str, Hex]:
    return {name: at for at, name in ground(table).ports.items()}


def bound_for_ports(table: Table) -> tuple[str, ...]:
    """The Axis units that wait for a port."""
    return tuple(unit for unit in arrivals.waiting(table, AXIS) if arrivals.by_sea(table, unit))


def port_dice(adj: Adjudication) -> None:
    """Both ports lost: nobody lands there. One or both retaken: a die for each limits its landings, until all that waited are ashore
    (14.0.E, RT-47)."""
    ports = _ports(adj)
    held = {name for name, at in ports.items() if holder(adj, at) == AXIS}
    lost = {name for name in ports if adj.own["ports"][name]["lost"]}
    if not held:
        lost = set(ports)  # 14.0.E-2
    units = bound_for_ports(adj)
    if held and lost and not any(arrivals.is_late(adj, unit) for unit in units):
        lost = set()  # 14.0.E-7
    limits: dict[str, int | None] = {name: (0 if name in lost else None) for name in ports}
    for name in sorted(held & lost):  # 14.0.E-3 14.0.E-6
        (limits[name],) = adj.roll("14.0.E-4", "port", site=str(ports[name]))
        adj.record("port_limit", "14.0.E-5", {"port": name, "hex": str(ports[name]), "limit": limits[name], "units": list(units)})
    found = {name: {"lost": name in lost, "limit": limits[name]} for name in ports}
    if found != adj.own["ports"]:
        adj.record("ports", "14.0.E-2", {"lost": sorted(lost)}, changes=[ch.own("ports", found)])


# -- by sea ----------------------------------------------------------------------------------------------------------------------


def check_sea(adj: Adjudication, args: Sea, _: Order) -> None:
    """IllegalOrder unless a due unit that could fly in may be sent to that port (14.0.F)."""
    arrivals.check_due(adj, args.unit)
    if args.port not in ground(adj).ports:
        raise IllegalOrder("14.0.F-2", "no-port", unit=args.unit, hex=str(args.port))
    if arrivals.by_sea(adj, args.unit):
        raise IllegalOrder("14.0.E-1", "goes-by-port-anyway", unit=args.unit)
    if holder(adj, args.port) != AXIS:
        raise IllegalOrder("14.0.E-2", "not-held", unit=args.unit, hex=str(args.port))


def send_by_sea(adj: Adjudication, args: Sea, _: Order) -> None:
    """The unit sails; whether there is room for it at the port the die will tell (RT-48)."""
    name = ground(adj).ports[args.port]
    data = {"unit": args.unit, "port": name, "hex": str(args.port)}
    adj.record("by_sea", "14.0.F-2", data, changes=[ch.own("diverted", args.unit, name)])


def sea_dice(adj: Adjudication) -> None:
    """A die for each port to which units sail limits how many land there; if there is room for all of them they do, in their order."""
    for name, at in _ports(adj).items():
        units = [unit for unit, port in adj.own["diverted"].items() if port == name]
        if not units:
            continue
        (limit,) = adj.roll("14.0.F-3", "sea", site=str(at))
        data = {"port": name, "hex": str(at), "limit": limit, "units": units}
        adj.record("sea_limit", "14.0.F-3", data, changes=[ch.own("limits", name, limit)])
        if len(units) <= limit:
            for unit in units:
                arrivals.put_ashore(adj, unit, at, "by-sea")


# -- rejoining, and the step -----------------------------------------------------------------------------------------------------


def check_rejoin(adj: Adjudication, args: Rejoin, _: Order) -> None:
    """IllegalOrder unless the companies may recombine now, and none of them is named for another battalion (11.2.D)."""
    companies.check_rejoin(adj, args, at_opening=adj.step.name == NAME)
    for order in adj.sets.get(f"{AXIS}/{adj.step.name}", ()):
        other = read_args(Rejoin, order.args) if order.verb == Rejoin.verb else None
        if other and other.battalion != args.battalion and (twice := sorted({*other.units} & {*args.units})):
            raise IllegalOrder("11.2.D-1", "named-twice", units=twice)


def rejoin(adj: Adjudication, args: Rejoin, order: Order) -> None:
    """The companies recombine."""
    check_rejoin(adj, args, order)
    companies.rejoin(adj, args, order)


def may_rejoin(table: Table) -> bool:
    """Whether companies stand together and a battalion that they might become is off the table."""
    rows = [row for row in table.data.charts["companies"] if _is_apart(table, row["battalion"])]
    places = [hex_of(table, unit) for row in table.data.charts["companies"] for unit in row["companies"]]
    standing = [at for at in places if at is not None]
    return bool(rows) and len(standing) > len(set(standing))


def _is_apart(table: Table, battalion: str) -> bool:
    counter = table.counters.get(battalion)
    return counter is not None and counter.place == COMPONENT


def nothing_to_order(table: Table, side: Side) -> bool:
    """Whether a side has nothing to say at the opening: no unit to land, to rejoin or to buy back."""
    if side != AXIS:
        return not replacements.can_be_bought(table)
    return not arrivals.waiting(table, AXIS) and not may_rejoin(table)


OPENING = Step(
    NAME,
    "14.0.E-4",
    PHASING,
    Mode.SET,
    accepts=(
        on(
            Rejoin,
            rejoin,
            check=check_rejoin,
            subject=lambda args: args.battalion,
            units=lambda args: (*args.units, args.battalion),
        ),
        on(Sea, send_by_sea, check=check_sea, subject=lambda args: args.unit, units=lambda args: (args.unit,)),
        on(
            Rebuild,
            replacements.rebuild,
            check=replacements.check_rebuild,
            subject=lambda args: args.unit,
            units=lambda args: (args.unit,),
        ),
    ),
    enter=begin,
    leave=sea_dice,
    idle=nothing_to_order,
)
REJOIN = Step(
    "rejoin",
    "11.2.E-1",
    PHASING,
    Mode.SET,
    accepts=(
        on(
            Rejoin,
            rejoin,
            check=check_rejoin,
            subject=lambda args: args.battalion,
            units=lambda args: (*args.units, args.battalion),
        ),
    ),
    when=lambda table: table.phasing == AXIS,
    idle=lambda table, _: not may_rejoin(table),
)
"""At the end of the movement phase the companies of one battalion may recombine (11.2.E)."""

"""The declaration: the attacks of a pass are ordered in private and declared together; hexes emptied by antitank fire may be occupied."""

from __future__ import annotations

from collections.abc import Sequence

from scenarios.hexes import Hex, parse_hex
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.exact import print_exact
from services.rules.engine.model import IllegalOrder, Order, Side
from services.rules.engine.positions import hex_of, side_at
from services.rules.engine.sequence import PHASING, Mode, Step, on
from services.rules.engine.table import Table
from services.rules.games.fall_of_tobruk import advance, assault, compulsory, duty, engaged, overrun, paralysis, wrecks
from services.rules.games.fall_of_tobruk.assault import changed, draft, label_of, next_to, ordered
from services.rules.games.fall_of_tobruk.fallen import living
from services.rules.games.fall_of_tobruk.odds import column, strengths
from services.rules.games.fall_of_tobruk.orders import Attack, Occupy
from services.rules.games.fall_of_tobruk.state import attacks, is_gun
from services.rules.games.fall_of_tobruk.state import wrecks as markers
from services.rules.games.fall_of_tobruk.zoc import binds

# -- what may be ordered ---------------------------------------------------------------------------------------------------------


def check_attack(adj: Adjudication, args: Attack, order: Order) -> None:
    """IllegalOrder unless the units may attack the hexes together, and none of either is in another attack."""
    side = adj.phasing
    assert side is not None
    if not args.hexes or not args.units:
        raise IllegalOrder("combat.2", "malformed", field="hexes" if not args.hexes else "units")
    for name, things in (("hexes", list(map(str, args.hexes))), ("units", list(args.units))):
        if len(set(things)) != len(things):
            raise IllegalOrder("combat.2", "malformed", field=name)
    for at in args.hexes:
        if side_at(adj, at) != adj.enemy(side):
            raise IllegalOrder("combat.2", "no-enemy-there", hex=str(at))  # combat.2
    for unit in args.units:
        _check_unit(adj, unit, args.hexes)
    if not any(all(next_to(adj, unit, at) for at in args.hexes) for unit in args.units):
        raise IllegalOrder("combat.5", "nobody-next-to-all", hexes=[str(at) for at in args.hexes])  # FT-19
    _check_others(adj, side, args, order)


def _check_unit(table: Table, unit: str, hexes: Sequence[Hex]) -> None:
    here = _check_free(table, unit, "combat.1")
    if is_gun(table, unit):
        raise IllegalOrder("artillery.13", "artillery-attacks", unit=unit)  # artillery.13
    if not any(next_to(table, unit, at) for at in hexes):
        raise IllegalOrder("combat.2", "not-adjacent", unit=unit, **{"from": str(here), "to": str(hexes[0])})  # combat.2


def _check_free(table: Table, unit: str, clause: str) -> Hex:
    """The hex of a unit that takes part in this pass. IllegalOrder if it does not, or is finished."""
    here = hex_of(table, unit)
    if here is None:
        raise IllegalOrder(clause, "not-on-map", unit=unit)
    if "done" in table.counters[unit].marks:
        raise IllegalOrder("seq.8", "finished", unit=unit)  # seq.8
    if "active" not in table.counters[unit].marks:
        raise IllegalOrder(clause, "not-active", unit=unit)  # FT-06
    return here


def _check_others(adj: Adjudication, side: Side, args: Attack, order: Order) -> None:
    """IllegalOrder if a hex, a unit or the name is another order's."""
    own_names = {order.label or assault.subject(args), assault.subject(args)}
    for other in ordered(adj, side, args):
        hexes, units = other.args["hexes"], other.args["units"]
        both = [str(at) for at in args.hexes if str(at) in hexes]
        if both:
            raise IllegalOrder("combat.4", "attacked-already", hex=both[0], battle=label_of(other))  # combat.4
        taken = own_names & {label_of(other), *hexes}
        if taken:
            raise IllegalOrder("combat.5", "label-taken", label=min(taken), battle=label_of(other))  # combat.5
        for unit in args.units:
            if unit in units:
                raise IllegalOrder("combat.5", "attacks-elsewhere", unit=unit, battle=label_of(other))  # combat.5
    occupying = {unit for other in _occupations(adj, side) for unit in other.args["units"]}
    if both_ways := sorted(occupying & set(args.units)):
        raise IllegalOrder("combat.5", "occupies", unit=both_ways[0])  # combat.5


def empty(table: Table, side: Side) -> tuple[Hex, ...]:
    """The hexes that antitank fire of this pass has emptied of the enemies of a side: with wrecks of this player-turn, of which none lay in
    an empty hex as the pass before ended (FT-14)."""
    enemy = table.enemy(side)
    fresh = {
        parse_hex(one["hex"])
        for one in markers(table)
        if one["side"] == enemy and any((tank["turn"], tank["half"]) == (table.turn, table.phasing) for tank in one["tanks"])
    }
    known = set(table.results.get(EMPTY, ()))
    return tuple(sorted(at for at in fresh if side_at(table, at) is None and str(at) not in known))


def emptied(table: Table, side: Side) -> tuple[tuple[Hex, str], ...]:
    """The hexes that antitank fire has emptied, each with the units of a side that could enter it."""
    return tuple((at, unit) for at in empty(table, side) for unit in duty.taking_part(table, side) if next_to(table, unit, at))


EMPTY = "@empty"
"""Where ``results`` notes the hexes with wrecks in which nobody stood as the pass before ended."""
ROBBED = "@robbed"
"""Where ``results`` notes the units that would have had to attack a hex which antitank fire of this pass has emptied (FT-14)."""


def check_occupy(adj: Adjudication, args: Occupy, order: Order) -> None:
    """IllegalOrder unless the units take part in this pass next to a hex that antitank fire has emptied, and attack nobody."""
    side = adj.phasing
    assert side is not None
    if not args.units or len(set(args.units)) != len(args.units):
        raise IllegalOrder("advance.6", "malformed", field="units")
    if args.hex not in empty(adj, side):
        raise IllegalOrder("advance.6", "not-emptied", hex=str(args.hex), hexes=[str(at) for at in empty(adj, side)])  # advance.6
    for unit in args.units:
        _check_free(adj, unit, "advance.6")
    advance.check_way(adj, args.units, (args.hex,))
    attacking = {unit for other in ordered(adj, side) for unit in other.args["units"]}
    elsewhere = {unit for other in _occupations(adj, side) if other.args["hex"] != str(args.hex) for unit in other.args["units"]}
    if busy := sorted(set(args.units) & (attacking | elsewhere)):
        raise IllegalOrder("combat.5", "attacks-elsewhere", unit=busy[0])  # combat.5


def _occupations(table: Table, side: Side) -> list[Order]:
    return [order for order in assault.gathered(table, side) if order.verb == Occupy.verb]


def missing(table: Table, side: Side) -> list[Order]:
    """The attacks that a side has left out and must make."""
    return compulsory.missing(table, side)


# -- carried out as the step closes ----------------------------------------------------------------------------------------------


def declare(adj: Adjudication, _: Attack, order: Order) -> None:
    """The attack is declared, against all who stand in its hexes."""
    one = draft(adj, order)
    from_hexes = {unit: str(hex_of(adj, unit)) for unit in one["units"]}
    shown = {name: one[name] for name in ("label", "hexes", "units", "defenders", "mined", "overrun")}
    attack, defence = strengths(adj, one)
    at = column(adj, one)
    figures = {"attack": print_exact(attack), "defence": print_exact(defence), "odds": at[0] if at else None}
    data = {"side": adj.phasing, **shown, **figures, "from": from_hexes}
    adj.record("declared", "combat.2", data, changes=[ch.own("attacks", [*attacks(adj), one])])
    paralysis.rouse(adj, one["defenders"])  # paralysis.7


def occupy(adj: Adjudication, args: Occupy, order: Order) -> None:
    """The units enter the hex, and are finished (FT-14)."""
    check_occupy(adj, args, order)
    data = {"side": adj.phasing, "units": list(args.units), "hex": str(args.hex)}
    adj.record("occupied", "advance.6", data, changes=[ch.mark(unit, "done") for unit in args.units])
    advance.follow(adj, str(args.hex), args.units, (args.hex,), "advance.6")


def begin(adj: Adjudication) -> None:
    """The declaration begins: engagements are looked over, and who has been robbed of an attack is noted."""
    engaged.review(adj)
    side = adj.phasing
    assert side is not None
    adj.results[ROBBED] = sorted({unit for at, unit in emptied(adj, side) if binds(adj, unit, at)})


def close(adj: Adjudication) -> None:
    """The attacks are declared: overruns are told, and who must attack and can only do so below 1:5 is lost (FT-20)."""
    side = adj.phasing
    assert side is not None
    owing = duty.obliged(adj, side)
    for one in attacks(adj):
        if column(adj, one) is not None:
            if one["overrun"]:
                overrun.told(adj, one)
            continue
        fate = "AE" if adj.options["below_min"] == "eliminate" else assault.VOID
        data = {"label": one["label"], "hexes": one["hexes"]}
        adj.record("attack_void", "combat.11", data, changes=[changed(adj, one["label"], done=True, result=fate)])
        adj.result(one["label"], fate)
        for unit in one["units"] if fate == "AE" else ():
            if unit in owing:
                wrecks.lose_unit(adj, unit, "combat.11", "below-1-5", one["label"])


def idle(table: Table, side: Side) -> bool:
    """Whether a side has nothing to order: nobody who takes part in this pass stands next to an enemy or an emptied hex."""
    units = duty.taking_part(table, side)
    if any(assault.enemies_next_to(table, unit) for unit in units if not is_gun(table, unit)):
        return False
    return not emptied(table, side)


DECLARATION = Step(
    assault.DECLARATION,
    "combat.2",
    PHASING,
    Mode.SET,
    accepts=(
        on(
            Attack,
            declare,
            check=check_attack,
            subject=assault.subject,
            units=lambda args: args.units,
            living=living,
            withdraws=lambda args: str(args.hexes[0]) if args.none else None,
        ),
        on(Occupy, occupy, check=check_occupy, subject=lambda args: f"occupy {args.hex}", units=lambda args: args.units, living=living),
    ),
    enter=begin,
    leave=close,
    idle=idle,
    duty=duty.duties,
    resolves=(wrecks.CROWD,),
    meet=compulsory.meet,
    groups=duty.groups,
)
STEPS: tuple[Step, ...] = (DECLARATION,)

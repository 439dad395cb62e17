"""Retreats: so many hexes, each further from where a unit stood; what mines, enemy zones and crowded hexes do on the way (FT-30 to FT-33).

The work ``Retreats``: ``label``, ``role``, ``hexes`` (how far), ``plan`` {unit: the way it will go} of the units of one hex; units that go
the same way go together. The work ``March``: ``units`` along ``path`` from its hex number ``n`` on; ``crossed``: the mines before that hex
have done what they do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from scenarios.hexes import Hex, distance, neighbours, parse_hex
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.args import read_args
from services.rules.engine.model import Decision, IllegalOrder, Json
from services.rules.engine.positions import adjacent, occupied, units_at
from services.rules.engine.retreat import retreat_routes
from services.rules.engine.sequence import Ask, Work
from services.rules.engine.table import Table
from services.rules.games.fall_of_tobruk import disruption, minefield, stacking
from services.rules.games.fall_of_tobruk.assault import ATTACKER, DEFENDER, Record, changed, find, hexes_of, members
from services.rules.games.fall_of_tobruk.ground import at_of, box_at, ground
from services.rules.games.fall_of_tobruk.losses import present, stranger
from services.rules.games.fall_of_tobruk.mines import gaps_after_move, hinders
from services.rules.games.fall_of_tobruk.orders import Retreat
from services.rules.games.fall_of_tobruk.state import ALLIED, is_gun
from services.rules.games.fall_of_tobruk.victory import taken
from services.rules.games.fall_of_tobruk.wrecks import lose_unit
from services.rules.games.fall_of_tobruk.zoc import in_zone, lone_guns

Way = tuple[Hex, ...]
Plan = Mapping[str, Way]
AVOID = ("ZOC", "MINE", "OVERSTACK")
"""What a retreat avoids by itself, the worst first."""

# -- where to --------------------------------------------------------------------------------------------------------------------


def ways(table: Table, unit: str, one: Record, role: str, hexes: int, *, zones: bool = True) -> tuple[Way, ...]:
    """The ways of a unit to a hex so many hexes off; ``zones`` False: as if enemy zones did not bar it."""
    start, side = at_of(table, unit), table.counters[unit].side
    held = occupied(table, table.enemy(side))
    attacked = hexes_of(one) if role == ATTACKER else ()

    def may_enter(at: Hex, to: Hex) -> bool:
        if to in held:
            return False  # retreat.2
        if role == ATTACKER and zones and in_zone(table, side, to):
            return False  # retreat.4 zoc.12
        return all(distance(to, target) >= distance(at, target) for target in attacked)  # FT-31

    return retreat_routes(start, hexes, lambda at: adjacent(table, at), may_enter)  # retreat.5 retreat.6 crt.dbk.1 crt.abk.1


def living(table: Table, unit: str, one: Record, role: str, hexes: int, plan: Plan) -> tuple[Way, ...]:
    """The ways that a unit may go: an attacker to a hex with room for it, if there is one, as it would die elsewhere (FT-32); artillery
    not alone beside an enemy, if there is another way (FT-25)."""
    found = ways(table, unit, one, role, hexes)
    found = tuple(way for way in found if not _unescorted(table, unit, way, plan)) or found  # artillery.14
    roomy = [way for way in found if _room(table, unit, way[-1], plan)]
    return tuple(roomy) if roomy and role == ATTACKER else found


def _unescorted(table: Table, unit: str, way: Way, plan: Plan) -> bool:
    """Whether artillery would come beside an enemy on its way with none but artillery, to none but artillery."""
    if not is_gun(table, unit) or any(gone == way and not is_gun(table, other) for other, gone in plan.items()):
        return False
    return any(lone_guns(table, (unit,), at) for at in way)


def _room(table: Table, unit: str, at: Hex, plan: Plan) -> bool:
    """Whether a unit has room in a hex beside those that go there before it."""
    coming = [other for other, way in plan.items() if way[-1] == at]
    return stacking.fits(table, {unit, *coming, *units_at(table, at)})


def ranking(table: Table, unit: str, plan: Plan, avoid: Sequence[str] = AVOID) -> Callable[[Way], Any]:
    """How a unit ranks its ways: few enemy zones, few mines, room at the end, towards its own edge of the map, the lowest hex number."""
    start, side = at_of(table, unit), table.counters[unit].side
    own_edge = ground(table).east if side == ALLIED else ground(table).sources
    words = [*avoid, *(word for word in AVOID if word not in avoid)]

    def rank(way: Way) -> Any:
        bad = {
            "ZOC": sum(in_zone(table, side, to) for to in way),
            "MINE": sum(hinders(table, unit, at, to) for at, to in pairwise((start, *way))),
            "OVERSTACK": int(not _room(table, unit, way[-1], plan)),
        }
        return [bad[word] for word in words], min((distance(way[-1], at) for at in own_edge), default=0), way

    return rank


def preferred(table: Table, unit: str, found: Iterable[Way], plan: Plan, avoid: Sequence[str] = AVOID) -> Way:
    """The way of ``found`` that a unit takes of itself."""
    return min(found, key=ranking(table, unit, plan, avoid))


# -- which way -------------------------------------------------------------------------------------------------------------------


def waiting(table: Table, one: Record, role: str) -> tuple[str, ...]:
    """The units of one side of an attack that have not retreated yet; occupants of a Box do not for a result against the defender."""
    left = [unit for unit in members(table, one, role) if unit not in one["moved"]]
    return tuple(unit for unit in left if not (role == DEFENDER and box_at(table, at_of(table, unit))))  # boxes.2


def retreats(adj: Adjudication, work: Mapping[str, Json]) -> None:
    """The units of one hex are asked which way they go, then they go, then those of the next; who has no way is lost."""
    one, role, hexes = find(adj, work["label"]), str(work["role"]), int(work["hexes"])
    left = waiting(adj, one, role)
    if not left:
        return
    plan = _read(work["plan"])
    here = [unit for unit in left if at_of(adj, unit) == at_of(adj, left[0])]
    here.sort(key=lambda unit: is_gun(adj, unit))  # who may be an escort decides first
    undecided = [unit for unit in here if unit not in plan]
    if not undecided:
        _set_out(adj, work, here, plan)
        return
    unit = undecided[0]
    found = living(adj, unit, one, role, hexes, plan)
    if not found:
        _no_way_out(adj, unit, one, role, hexes)
        adj.push("Retreats", **work)
        return
    choices = tuple({"path": [str(at) for at in way]} for way in found)
    best = {"path": [str(at) for at in preferred(adj, unit, found, plan)]}
    context = {**work, "units": undecided, "hex": str(at_of(adj, unit)), "result": one["result"]}
    more = {"rule": {"name": "retreat", "units": undecided, "hex": context["hex"]}, "label": one["label"], "context": context}
    adj.ask("retreat", adj.counters[unit].side, "retreat.1", best, choices=choices, **more)  # retreat.1


def _read(plan: Mapping[str, Json]) -> dict[str, Way]:
    return {unit: tuple(map(parse_hex, way)) for unit, way in plan.items()}


def _written(plan: Plan) -> dict[str, Json]:
    return {unit: [str(at) for at in way] for unit, way in plan.items()}


def _set_out(adj: Adjudication, work: Mapping[str, Json], units: Sequence[str], plan: Plan) -> None:
    """Units of a hex go, those with the same way together; who finds no room at the end of it comes by itself (FT-32)."""
    for way in dict.fromkeys(plan[unit] for unit in units):
        going: tuple[list[str], list[str]] = ([], [])
        for unit in (unit for unit in units if plan[unit] == way):
            fits = stacking.fits(adj, {unit, *going[0], *units_at(adj, way[-1])})
            going[0 if fits else 1].append(unit)
        for group in filter(None, going):
            data = {"label": work["label"], "role": work["role"], "units": group, "path": [str(at) for at in way], "n": 0, "crossed": False}
            adj.push("March", **data)
    at = at_of(adj, units[0])
    if stacking.left_crowded(adj, at, units):
        adj.push("Crowd", hex=str(at))  # stacking.13
    adj.push("Retreats", **{**work, "plan": {}})


def _no_way_out(adj: Adjudication, unit: str, one: Record, role: str, hexes: int) -> None:
    """The unit is lost, and its fate named after what it was forced into."""
    beyond = _beyond(adj, unit, one, role, hexes)
    if role == ATTACKER and ways(adj, unit, one, role, hexes, zones=False):
        clause, cause = "retreat.4", "zone"
    elif any(at not in adj.data.board.sea for at in beyond):
        clause, cause = ("crt.dbk.3" if role == DEFENDER else "retreat.5"), "off-map"
    elif beyond:
        clause, cause = "retreat.6", "sea"
    else:
        clause, cause = "retreat.2", "no-way"
    lose_unit(adj, unit, clause, cause, one["label"])


def _beyond(table: Table, unit: str, one: Record, role: str, hexes: int) -> frozenset[Hex]:
    """The hexes of sea and those off the map to which a way would lead past all enemies, were they land."""
    held = occupied(table, table.enemy(table.counters[unit].side))
    attacked = hexes_of(one) if role == ATTACKER else ()

    def may_enter(at: Hex, to: Hex) -> bool:
        return to not in held and all(distance(to, target) >= distance(at, target) for target in attacked)

    found = retreat_routes(at_of(table, unit), hexes, neighbours, may_enter)
    return frozenset(at for way in found for at in way if at not in table.data.board.terrain)


# -- the answer ------------------------------------------------------------------------------------------------------------------


def chosen(adj: Adjudication, decision: Decision, args: Mapping[str, Json]) -> Plan:
    """The units that an answer sends off and their ways: one that it names, else all of the hex, as far as they can go so. IllegalOrder if
    the first of them may not."""
    answer = read_args(Retreat, args)
    context = decision.context
    one, role, hexes = find(adj, context["label"]), str(context["role"]), int(context["hexes"])
    here = [unit for unit in present(adj, context["units"]) if unit in waiting(adj, one, role)]
    if answer.unit is not None and answer.unit not in here:
        raise stranger(adj, decision, (answer.unit,))
    if unknown := sorted(set(answer.avoid) - set(AVOID)):
        raise IllegalOrder(decision.clause, "malformed", field="avoid", choices=list(AVOID), given=unknown[0])
    plan = dict(_read(context["plan"]))
    sent: dict[str, Way] = {}
    for unit in here if answer.unit is None else [answer.unit]:
        open_ = living(adj, unit, one, role, hexes, {**plan, **sent})
        found = [way for way in open_ if _as_said(answer, at_of(adj, unit), way)]
        if found:
            sent[unit] = preferred(adj, unit, found, {**plan, **sent}, answer.avoid)
        elif not sent:
            ends = sorted({str(way[-1]) for way in open_})
            raise IllegalOrder(decision.clause, "no-such-retreat", unit=unit, length=hexes, hexes=ends)
    return sent


def _as_said(answer: Retreat, start: Hex, way: Way) -> bool:
    """Whether a way is the one that was ordered, or ends where it was ordered to."""
    path = answer.path[1:] if answer.path[:1] == (start,) else answer.path
    return (not path or path == way) and (answer.hex is None or answer.hex == way[-1])


def check_retreat(adj: Adjudication, decision: Decision, args: Mapping[str, Json]) -> None:
    """IllegalOrder unless the answer sends units that must retreat by lawful ways."""
    chosen(adj, decision, args)


def take_retreat(adj: Adjudication, decision: Decision, args: Mapping[str, Json]) -> None:
    """The ways are noted; others of the hex are asked next."""
    sent = chosen(adj, decision, args)
    work = {name: decision.context[name] for name in ("label", "role", "hexes", "plan")}
    adj.push("Retreats", **{**work, "plan": {**work["plan"], **_written(sent)}})


# -- on the way ------------------------------------------------------------------------------------------------------------------


def march(adj: Adjudication, work: Mapping[str, Json]) -> None:
    """A group goes on, hex by hex, up to the next that does something to it: mines before they are crossed, an enemy zone once it is
    entered, its last hex."""
    units = present(adj, work["units"])
    if not units:
        return
    path, n = tuple(map(parse_hex, work["path"])), int(work["n"])
    at, leg, crossed = at_of(adj, units[0]), [], bool(work["crossed"])
    entered = False
    while n < len(path) and not entered:
        hindered = [unit for unit in units if hinders(adj, unit, at, path[n])]
        if hindered and not crossed:
            break
        at, n, crossed = path[n], n + 1, False
        leg.append(at)
        entered = work["role"] == DEFENDER and in_zone(adj, adj.counters[units[0]].side, at)
    if leg:
        _gone(adj, str(work["label"]), units, leg)
    if entered:
        disruption.disrupt(adj, units, "disrupt.7", "zone", work["label"])  # retreat.3 zoc.11 zoc.13 disrupt.7 disrupt.8
    if n < len(path) and not entered:
        _into_mines(adj, {**work, "units": list(units), "n": n}, at, path[n])
    elif n < len(path):
        adj.push("March", **{**work, "units": list(units), "n": n, "crossed": False})
    else:
        adj.push("Halted", label=work["label"], role=work["role"], units=list(units))


def _into_mines(adj: Adjudication, work: Mapping[str, Json], at: Hex, to: Hex) -> None:
    """Units are disrupted by the mines that they cross at once, and tanks are lost in them."""
    hindered = [unit for unit in work["units"] if hinders(adj, unit, at, to)]
    disruption.disrupt(adj, hindered, "minefields.15", "mines", work["label"])  # minefields.15 disrupt.5
    then = ("March", {**work, "crossed": True})
    minefield.cross(adj, minefield.RETREAT, str(work["label"]), hindered, f"{work['label']} {at}/{to}", then)  # minefields.14 minefields.16


def _gone(adj: Adjudication, label: str, units: Sequence[str], leg: Sequence[Hex]) -> None:
    """A group has gone some hexes on its retreat."""
    one, start = find(adj, label), at_of(adj, units[0])
    way = [str(at) for at in (start, *leg)]
    paths = {**one["paths"], **{unit: [*one["paths"].get(unit, way[:1]), *way[1:]] for unit in units}}  # advance.2
    moved = [*one["moved"], *(unit for unit in units if unit not in one["moved"])]
    data = {"label": label, "side": adj.counters[units[0]].side, "units": list(units), "path": way}
    changes = [*(ch.place(unit, leg[-1]) for unit in units), changed(adj, label, paths=paths, moved=moved)]
    adj.record("retreated", "retreat.1", data, changes=changes)
    gaps_after_move(adj, units, (start, *leg))


def halted(adj: Adjudication, work: Mapping[str, Json]) -> None:
    """A group is where its retreat ends: in a hex that is too full attackers die and defenders are disrupted."""
    units = present(adj, work["units"])
    if not units:
        return
    at = at_of(adj, units[0])
    if stacking.fits(adj, units_at(adj, at)):
        taken(adj, adj.counters[units[0]].side, (at,))
    elif work["role"] == ATTACKER:
        for unit in units:
            lose_unit(adj, unit, "stacking.14", "stacking", work["label"])  # stacking.14
    else:
        disruption.disrupt(adj, units, "stacking.13", "stacking", work["label"])  # stacking.13 disrupt.6
        taken(adj, adj.counters[units[0]].side, (at,))


WORKS: tuple[Work, ...] = (Work("Retreats", retreats), Work("March", march), Work("Halted", halted))
ASK_RETREAT: Ask = Ask("retreat", "RETREAT", take_retreat, check_retreat)

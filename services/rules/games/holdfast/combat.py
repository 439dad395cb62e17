"""11.2 Combat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scenarios.hexes import Hex
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.args import read_args
from services.rules.engine.combat import Modifier, total
from services.rules.engine.model import Change, Counter, Decision, IllegalOrder, Json, Order, Side
from services.rules.engine.positions import hex_of
from services.rules.engine.table import Table
from services.rules.games.holdfast import hits
from services.rules.games.holdfast.build_up import warn_entry
from services.rules.games.holdfast.ground import around, ground
from services.rules.games.holdfast.orders import Attack, Lose
from services.rules.games.holdfast.resources import afford, cost
from services.rules.games.holdfast.state import air, alias_of, at, clear, is_armor, leader_free, paid, reveal, sp, value
from services.rules.games.holdfast.supply import eliminate, in_supply
from services.rules.games.holdfast.zoc import in_zoc_of

# -- dice ------------------------------------------------------------------------------------------------------------------------


def unit_modifiers(table: Table, unit: str, target: Hex) -> tuple[Modifier, ...]:
    """The dice that an attacking unit loses: by the defender's terrain, the side it attacks over, and its own supply."""
    found = []
    terrain = table.data.board.terrain[target]
    if lost := ground(table).terrain_dice(terrain, "attack"):  # terrain.1
        found.append(Modifier(lost, terrain, "terrain.13"))  # terrain.2
    if (hex_of(table, unit), target) in ground(table).scarps:
        found.append(Modifier(ground(table).terrain_dice("escarpment", "attack"), "escarpment", "terrain.20"))
    if not in_supply(table, unit):
        found.append(Modifier(-1, "supply", "12k"))
    return tuple(found)


def attack_dice(
    table: Table, units: Sequence[str], target: Hex, air_unit: str | None, leader: str | None
) -> tuple[int, tuple[Modifier, ...]]:
    """Dice of an attack, and how they come to differ from the units' ratings."""
    sums: dict[tuple[str, str], int] = {}
    dice = 0
    by_unit = table.options.get("attack_dice_reading", "unit") == "unit"
    for unit in units:
        changes = unit_modifiers(table, unit, target)
        rating = value(table, unit, "dice")  # units.5 HF-R43
        dice += max(0, rating + total(changes)) if by_unit else rating  # 11.2n HF-R41
        for change in changes:
            key = (change.why, change.clause)
            sums[key] = sums.get(key, 0) + change.n if by_unit else change.n
    modifiers = [Modifier(n, why, clause) for (why, clause), n in sums.items()]
    if not by_unit:
        dice = max(0, dice + total(modifiers))
    support = ground(table).charts["support"]
    if air_unit:
        modifiers.append(Modifier(int(support["air"]["dice"]), "air", "11.2i"))
    if leader:
        modifiers.append(Modifier(int(support["leaders"][leader]["dice"]), "leader", "11.1w"))
    helped = sum(m.n for m in modifiers if m.why in ("air", "leader"))  # 11.2k 11.1y
    return dice + helped, tuple(modifiers)


def defence_dice(table: Table, unit: str) -> tuple[int, tuple[Modifier, ...]]:
    """Dice of a defender: its rating, whatever its strength and supply, and what its terrain gives."""
    where = hex_of(table, unit)
    assert where is not None
    terrain = table.data.board.terrain[where]
    bonus = ground(table).terrain_dice(terrain, "defence")
    clause = "terrain.17" if terrain == "fortified-city" else "terrain.15"
    modifiers = (Modifier(bonus, terrain, clause),) if bonus else ()
    return value(table, unit, "dice") + total(modifiers), modifiers  # 11.2o HF-R44 HF-R79


# -- the order -------------------------------------------------------------------------------------------------------------------


def attack(adj: Adjudication, args: Attack, order: Order) -> None:
    """An attack is declared: who takes part, with which help, for one RP. The defender is turned up only then."""
    side = adj.phasing
    assert side is not None
    check_attack(adj, side, args)
    leader = leader_free(adj, side, "attack") if args.leader else None
    changes: list[Change] = [ch.mark(u, "attacked") for u in args.units]
    if args.air:
        changes.append(ch.own("air", side, args.air, "used"))  # 11.2j
    if leader:
        changes.append(ch.own("leader", side, leader, "attack", True))  # leader.2 11.2j
    k = cost(adj, "activate", "attack")
    changes.append(paid(adj, side, k))
    adj.record("rp_spent", "11.2d", {"side": side, "k": k, "why": "attack"}, changes=changes)
    warn_entry(adj, side)
    label = order.label or str(args.hex)  # G21
    adj.push("Attack", hex=str(args.hex), units=list(args.units), air=args.air, leader=leader, lose=list(args.lose), label=label)


def check_attack(table: Table, side: Side, args: Attack) -> None:
    """IllegalOrder unless the attack may be made."""
    target, units = args.hex, args.units
    if not any(c.side != side for c in at(table, target)):
        raise IllegalOrder("11.2d", "no-enemy-there", hex=str(target))
    if not units or len(set(units)) != len(units):
        raise IllegalOrder("11.2e", "malformed", field="units")
    afford(table, side, cost(table, "activate", "attack"), "11.2d")  # cost.6
    for unit in units:
        check_attacker(table, unit, target)
    for unit in args.lose:
        if unit not in units:
            raise IllegalOrder("11.2u", "not-attacking", unit=unit)
    if args.air is not None:
        _check_air(table, side, args.air)
    if args.leader and leader_free(table, side, "attack") is None:
        raise IllegalOrder("leader.2", "no-leader", use="attack")  # 11.2j leader.2
    if attack_dice(table, units, target, None, None)[0] < 1:
        raise IllegalOrder("terrain.3", "no-dice", units=list(units), hex=str(target))


def check_attacker(table: Table, unit: str, target: Hex) -> None:
    """IllegalOrder unless a unit may join an attack on ``target``."""
    where = hex_of(table, unit) if unit in table.counters else None
    if where is None:
        raise IllegalOrder("11.2e", "not-on-map", unit=unit)
    if "attacked" in table.counters[unit].marks:
        raise IllegalOrder("11b", "attacked-already", unit=unit)  # 11b
    if target not in around(table)(where):
        raise IllegalOrder("11.2e", "not-adjacent", unit=unit, **{"from": str(where), "to": str(target)})  # 11g
    if not in_zoc_of(table, unit, target):
        raise IllegalOrder("zoc.7", "not-in-own-zoc", unit=unit, hex=str(target))  # zoc.7 14e 11h
    by_unit = table.options.get("attack_dice_reading", "unit") == "unit"
    if by_unit and value(table, unit, "dice") + total(unit_modifiers(table, unit, target)) < 1:
        raise IllegalOrder("terrain.3", "no-dice", units=[unit], hex=str(target))  # terrain.3 HF-R42


def _check_air(table: Table, side: Side, name: str) -> None:
    state = air(table, side).get(name)
    if state is None:
        raise IllegalOrder("11.2g", "no-such-air-unit", air=name, units=sorted(air(table, side)))
    if not clear(table):
        raise IllegalOrder("air.2", "no-air-in-poor-weather", air=name)  # air.2 weather.8
    if state == "malta":
        raise IllegalOrder("malta.5", "air-at-malta", air=name)
    if state == "used":
        raise IllegalOrder("11.2j", "air-used", air=name)


# -- resolution --------------------------------------------------------------------------------------------------------------------


def resolve(adj: Adjudication, work: Mapping[str, Json]) -> None:
    """Both sides show their units, roll at once, and take their hits together."""
    adj.reveal()  # G7
    side = adj.phasing
    assert side is not None
    target, units, label = _hex(work), list(work["units"]), work["label"]
    defender = next(c for c in at(adj, target) if c.side != side)
    modifiers_a: tuple[Modifier, ...]
    dice_a, modifiers_a = attack_dice(adj, units, target, work["air"], work["leader"])
    dice_d, modifiers_d = defence_dice(adj, defender.id)
    _show(adj, work, defender, dice_a, dice_d, modifiers_a, modifiers_d)
    wired_a, wired_d = [m.wire() for m in modifiers_a], [m.wire() for m in modifiers_d]
    thrown_a = adj.roll("11.2m", "attack", dice_a, site=str(target), modifiers=wired_a)
    thrown_d = adj.roll("11.2m", "defence", dice_d, site=str(target), modifiers=wired_d)  # HF-R48 HF-R73
    lost = hits.hits_on(thrown_a, value(adj, defender.id, "target"), sp(adj, defender.id))
    _take(adj, label, "defender", {defender.id: lost})
    adj.push("Losses", label=label, units=units, dice=list(thrown_d), lose=work["lose"])
    adj.push("CloseAttack", label=label, hex=str(target), units=[*units, defender.id])


def _show(
    adj: Adjudication,
    work: Mapping[str, Json],
    defender: Counter,
    dice_a: int,
    dice_d: int,
    modifiers_a: Sequence[Modifier],
    modifiers_d: Sequence[Modifier],
) -> None:
    units = list(work["units"])
    shown = {u: {"unit": u, "alias": alias_of(adj, u), "sp": sp(adj, u)} for u in (*units, defender.id)}
    changes: list[Change] = [reveal(adj, u, sp(adj, u)) for u in (*units, defender.id)]  # 11m 11.2l fog.2
    data = {
        "label": work["label"],
        "hex": work["hex"],
        "side": adj.phasing,
        "attackers": [{**shown[u], "from": str(hex_of(adj, u))} for u in units],
        "defender": shown[defender.id],
        "air": work["air"],
        "leader": work["leader"],
        "attack_dice": dice_a,
        "defence_dice": dice_d,
        "hit_on": {"attack": value(adj, defender.id, "target"), "defence": min(value(adj, u, "target") for u in units)},  # 11.2p
        "modifiers": {"attack": [m.wire() for m in modifiers_a], "defence": [m.wire() for m in modifiers_d]},
    }
    adj.record("battle", "11.2d", data, changes=changes)


def losses(adj: Adjudication, work: Mapping[str, Json]) -> None:
    """The attacker's losses: as the dice force them, as the attack said, or as the owner decides now."""
    side = adj.phasing
    assert side is not None
    dice, targets, six_lost = _aim(adj, work)
    ways = hits.choices(dice, targets, six_lost)
    default = hits.allotted(dice, targets, (), (), six_lost)
    if len(ways) == 1:
        _take_hits(adj, work["label"], targets, ways[0])
        return
    if work["lose"]:
        taken = hits.allotted(dice, targets, work["lose"], (), six_lost)
        data = {"kind": "losses", "side": side, "choice": {"units": list(work["lose"])}, "source": "attack"}
        adj.record("decided", "11.2u", data, owner=side)
        _take_hits(adj, work["label"], targets, taken)
        return
    listed = len(ways) <= hits.MOST_CHOICES
    adj.ask(
        "losses",
        side,
        "11.2u",
        {"units": list(default), "spare": []},
        window="LOSSES",
        label=work["label"],
        choices=tuple({"units": list(way), "spare": []} for way in ways) if listed else None,
        rule=None if listed else {"name": "hits", "dice": list(dice)},
        context={"dice": list(dice), "units": [t.unit for t in targets]},
        public=False,
    )


def _aim(table: Table, work: Mapping[str, Json]) -> tuple[list[int], list[hits.Target], bool]:
    targets = [hits.Target(u, is_armor(table, u), value(table, u, "target"), sp(table, u)) for u in work["units"]]
    return list(work["dice"]), targets, table.options.get("six_surplus", "next") == "lost"


def check_lose(_: Adjudication, decision: Decision, args: Mapping[str, Json]) -> None:
    """IllegalOrder unless the answer names a unit of this battle: any order of losses is legal, the dice bind it."""
    lose = read_args(Lose, args)
    if not {*lose.units, *lose.spare} & set(decision.context["units"]):
        raise IllegalOrder("11.2u", "not-attacking", units=[*lose.units, *lose.spare])


def take_losses(adj: Adjudication, decision: Decision, args: Mapping[str, Json]) -> None:
    """The owner has said who takes the hits."""
    lose = read_args(Lose, args)
    dice, targets, six_lost = _aim(adj, decision.context)
    _take_hits(adj, decision.label or "", targets, hits.allotted(dice, targets, lose.units, lose.spare, six_lost))


def _take_hits(adj: Adjudication, label: str, targets: Sequence[hits.Target], taken: hits.Allotment) -> None:
    _take(adj, label, "attackers", {t.unit: taken.count(t.unit) for t in targets})


def _take(adj: Adjudication, label: str, on: str, lost: Mapping[str, int]) -> None:
    left = {u: sp(adj, u) - k for u, k in lost.items()}
    rows = [{"unit": u, "hits": k, "sp": left[u]} for u, k in lost.items()]
    changes: list[Change] = []
    for unit, strength in left.items():
        changes += [ch.number(unit, "sp", strength), reveal(adj, unit, strength)]  # 11.2v HF-R54
    adj.record("hits", "11.2p", {"label": label, "on": on, "units": rows}, changes=changes)


def close(adj: Adjudication, work: Mapping[str, Json]) -> None:
    """Units without strength go to the pool; the others stand up again. Nobody enters the hex."""
    for unit in work["units"]:
        if sp(adj, unit) < 1:
            eliminate(adj, unit, "combat", "11.2w")  # 11.2q 11.2w
    emptied = not at(adj, _hex(work))
    adj.result(work["label"], "eliminated" if emptied else "held")


def _hex(work: Mapping[str, Json]) -> Hex:
    text = str(work["hex"])
    return Hex(int(text[:2]), int(text[2:]))

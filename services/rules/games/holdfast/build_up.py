"""Reinforcements and Replacements."""

from __future__ import annotations

from collections.abc import Mapping

from scenarios.hexes import Hex
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.arrivals import due
from services.rules.engine.dice import hidden_shuffle
from services.rules.engine.model import Change, Counter, Decision, IllegalOrder, Json, Order, Side
from services.rules.engine.positions import hex_of
from services.rules.engine.table import Table
from services.rules.games.holdfast.ground import ground
from services.rules.games.holdfast.orders import Delay, Enter, Rebuild, Step
from services.rules.games.holdfast.resources import afford, cost
from services.rules.games.holdfast.setup import arrivals_in_force
from services.rules.games.holdfast.state import (
    OFF,
    alias_of,
    at,
    block_gone,
    kind_of,
    new_block,
    paid,
    pool,
    rp,
    sp,
    stepped,
    value,
    waiting,
)
from services.rules.games.holdfast.supply import in_supply
from services.rules.games.holdfast.zoc import next_to_enemy


def begin(adj: Adjudication) -> None:
    """The build step opens: air units and leaders of this month's row come into play."""
    side = adj.phasing
    assert side is not None
    month = adj.own["month"]
    for row in arrivals_in_force(adj.data.scenarios[adj.before.scenario], adj.options):
        if row["side"] != side or row["turn"] != month:
            continue
        wings, leaders = list(row.get("air", ())), list(row.get("leaders", ()))
        if wings or leaders:
            changes = [ch.own("air", side, wing, "free") for wing in wings]
            changes += [ch.own("leader", side, name, {"move": False, "attack": False}) for name in leaders]
            adj.record("support_arrived", row["clause"], {"side": side, "air": wings, "leaders": leaders}, changes=changes)


def nothing_to_do(table: Table, side: Side) -> bool:
    """Whether the build step is passed over. It looks at nothing but what both sides see, so that passing it tells nothing."""
    return rp(table, side) == 0 and not waiting(table, side)


# -- arrivals --------------------------------------------------------------------------------------------------------------------


def entry_open(table: Table, side: Side) -> bool:
    """Whether units can be placed in the side's entry city: no enemy unit stands in it (HF-R27)."""
    return not any(c.side != side for c in at(table, ground(table).entry[side]))


def enter(adj: Adjudication, args: Enter, _: Order) -> None:
    """A due arrival enters, at full strength and for no RP, even where others stand."""
    _due(adj, args.unit)
    _open_entry(adj, adj.counters[args.unit].side)
    arrive(adj, args.unit, "ordered")


def delay(adj: Adjudication, args: Delay, _: Order) -> None:
    """A due arrival is held back; only its owner is told."""
    unit = _due(adj, args.unit)
    if delayed(adj, unit):
        raise IllegalOrder("reinf.9", "delayed-already", unit=unit.id)
    adj.record("delayed", "reinf.9", {"unit": unit.id}, owner=unit.side, changes=[ch.number(unit.id, "delayed", adj.turn)])


def delayed(table: Table, unit: Counter) -> bool:
    """Whether a waiting unit is held back in this game-turn."""
    return unit.num.get("delayed") == table.turn


def _due(table: Table, unit: str) -> Counter:
    counter = table.counters.get(unit)
    if counter is None or counter.place != OFF:
        raise IllegalOrder("reinf.1", "not-waiting", unit=unit)
    if int(counter.num["due"]) > table.turn:
        raise IllegalOrder("reinf.1", "not-due", unit=unit, turn=int(counter.num["due"]))
    return counter


def _open_entry(table: Table, side: Side) -> None:
    if not entry_open(table, side):
        raise IllegalOrder("reinf.2" if side == "axis" else "reinf.3", "entry-occupied", hex=str(ground(table).entry[side]))


def arrive(adj: Adjudication, unit: str, how: str) -> None:
    """A waiting unit is placed in its side's entry city, a block of a new alias to the other side."""
    side = adj.counters[unit].side
    place = ground(adj).entry[side]  # reinf.2 reinf.3
    alias, changes = new_block(adj, unit)
    known = {"side": side, "alias": alias, "place": str(place)}
    changes += [ch.place(unit, place), ch.number(unit, "due", None), ch.number(unit, "delayed", None)]  # reinf.5 reinf.6
    data = {**known, "unit": unit, "sp": sp(adj, unit), "how": how}
    adj.record("arrived", "reinf.4", data, owner=side, public=known, changes=changes)
    _hold_entry(adj, side, place)
    warn_entry(adj, side)


def _hold_entry(adj: Adjudication, side: Side, place: Hex) -> None:
    if adj.own["control"][str(place)] != side:  # HF-R27
        data = {"hex": str(place), "name": ground(adj).cities[place], "side": side}
        adj.record("control_changed", "control.2", data, changes=[ch.own("control", str(place), side)])


def close(adj: Adjudication) -> None:
    """The build step closes: due arrivals of which nothing was said enter where they can and the RP to clear the hex are left (G27)."""
    side = adj.phasing
    assert side is not None
    for unit in _by_default(adj, side):
        if entry_open(adj, side) and len(at(adj, ground(adj).entry[side])) <= rp(adj, side):
            arrive(adj, unit, "default")
    spent = int(adj.own["spent"][side])
    if spent:
        adj.record("rp_spent", "malta.9", {"side": side, "k": spent, "why": "build"}, changes=[ch.own("spent", side, 0)])


def _by_default(table: Table, side: Side) -> tuple[str, ...]:
    """Units that enter by default, in an order that tells nobody which is which."""
    silent = {c.id: int(c.num["due"]) for c in waiting(table, side) if not delayed(table, c)}
    track: dict[int, list[str]] = {}
    for unit, turn in silent.items():
        track.setdefault(turn, []).append(unit)
    names = sorted(found.unit for found in due(track, table.turn, silent))
    return hidden_shuffle(table.before.hidden, [table.before.branch, table.turn, "arrivals", side], names)


# -- replacements ------------------------------------------------------------------------------------------------------------------


def rebuild(adj: Adjudication, args: Rebuild, _: Order) -> None:
    """An eliminated unit comes back with one strength point, where and how reinforcements do."""
    unit = args.unit
    counter = adj.counters.get(unit)
    if counter is None or counter.place != pool(counter.side):
        raise IllegalOrder("repl.1", "not-eliminated", unit=unit)
    side = counter.side
    price = cost(adj, "rebuild", kind_of(adj, unit))  # repl.2 cost.3 cost.4
    afford(adj, side, price, "repl.2")
    _open_entry(adj, side)
    place = ground(adj).entry[side]  # repl.3
    alias, changes = new_block(adj, unit)
    changes += [ch.place(unit, place), ch.number(unit, "sp", 1), *_spend(adj, side, price)]  # repl.1
    changes.append(ch.own("seen", alias, {"unit": unit, "sp": 1, "month": adj.own["month"]}))
    adj.record("rebuilt", "repl.1", {"side": side, "unit": unit, "alias": alias, "place": str(place)}, changes=changes)
    _hold_entry(adj, side, place)
    warn_entry(adj, side)


def step(adj: Adjudication, args: Step, _: Order) -> None:
    """Strength points are bought for a unit in supply; next to an enemy one in a player-turn."""
    unit, k = args.unit, args.k
    check_step(adj, unit, k)
    side = adj.counters[unit].side
    price = k * cost(adj, "step", kind_of(adj, unit))  # repl.6 cost.1 cost.2
    changes = [ch.number(unit, "sp", sp(adj, unit) + k), *_bought(adj, unit, k), *_spend(adj, side, price)]
    data = {"unit": unit, "k": k, "sp": sp(adj, unit) + k}
    adj.record("stepped", "repl.6", data, owner=side, changes=changes)  # repl.10
    warn_entry(adj, side)


def check_step(table: Table, unit: str, k: int) -> None:
    """IllegalOrder unless ``k`` steps may be bought for a unit now."""
    place = hex_of(table, unit) if unit in table.counters else None
    if place is None:
        raise IllegalOrder("repl.4", "not-on-map", unit=unit)
    if k < 1:
        raise IllegalOrder("repl.6", "malformed", field="k")
    side, most = table.counters[unit].side, value(table, unit, "max_sp")
    if sp(table, unit) + k > most:
        raise IllegalOrder("repl.5", "above-full-strength", unit=unit, sp=sp(table, unit), max_sp=most)  # repl.5 repl.9
    if next_to_enemy(table, side, place) and stepped(table, unit) + k > 1:
        raise IllegalOrder("repl.8", "next-to-enemy", unit=unit, most=1)  # repl.8 repl.7
    if not in_supply(table, unit):
        raise IllegalOrder("repl.4", "out-of-supply", unit=unit)  # repl.4
    afford(table, side, k * cost(table, "step", kind_of(table, unit)), "repl.6")


def _bought(table: Table, unit: str, k: int) -> list[Change]:
    return [ch.own("stepped", unit, {"turn": table.turn, "k": stepped(table, unit) + k})]


def _spend(table: Table, side: Side, price: int) -> list[Change]:
    return [paid(table, side, price), ch.own("spent", side, int(table.own["spent"][side]) + price)]


# -- too many units in the entry hex -------------------------------------------------------------------------------------------------


def warn_entry(adj: Adjudication, side: Side) -> None:
    """The owner is told, once a packet, when the RP left no longer pay for clearing his entry hex (HF-R28)."""
    place, left = ground(adj).entry[side], rp(adj, side)
    surplus = sum(c.side == side for c in at(adj, place)) - 1
    if surplus > left and all(event.kind != "entry_warning" for event in adj.events):
        adj.record("entry_warning", "reinf.7", {"hex": str(place), "surplus": surplus, "rp": left}, owner=side)  # reinf.8


def overfull(table: Table) -> bool:
    """Whether the phasing side's entry hex holds more than one unit."""
    return table.phasing is not None and len(at(table, ground(table).entry[table.phasing])) > 1


def ask_surplus(adj: Adjudication) -> None:
    """The owner says which unit stays in the overfull entry hex; by default the one that came first."""
    side = adj.phasing
    assert side is not None
    here = at(adj, ground(adj).entry[side])
    units = sorted((c.id for c in here), key=lambda unit: int(alias_of(adj, unit)[1:]))
    choices = tuple({"unit": unit} for unit in units)
    adj.ask("surplus", side, "reinf.7", choices[0], window="SURPLUS", choices=choices, public=False)


def keep(adj: Adjudication, decision: Decision, args: Mapping[str, Json]) -> None:
    """One unit stays; the others go back off the board with their strength and may enter later (or are eliminated, by option)."""
    side = decision.side
    place = ground(adj).entry[side]
    for unit in sorted((c.id for c in at(adj, place) if c.id != args["unit"]), key=lambda u: int(alias_of(adj, u)[1:])):
        alias = alias_of(adj, unit)
        off: list[Change] = [*block_gone(adj, unit), *(ch.mark(unit, mark, False) for mark in sorted(adj.counters[unit].marks))]
        if adj.options.get("surplus", "return") == "eliminate":
            data = {"unit": unit, "alias": alias, "hex": str(place), "cause": "surplus", "to": str(pool(side))}
            adj.record("eliminated", "reinf.7", data, changes=[*off, ch.place(unit, pool(side)), ch.number(unit, "sp", 0)])
            continue
        known = {"side": side, "place": str(place), "alias": alias}
        changes = [*off, ch.place(unit, OFF), ch.number(unit, "due", adj.turn)]  # reinf.7 reinf.9 HF-R28
        adj.record("returned_off", "reinf.7", {**known, "unit": unit}, owner=side, public=known, changes=changes)

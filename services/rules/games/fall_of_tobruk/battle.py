"""Normal combat: the attacks of a pass one after another in their order, mines and stall first, then the table and what its result does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.exact import print_exact
from services.rules.engine.model import Change, Json
from services.rules.engine.positions import hex_of, on_map, side_at, units_at
from services.rules.engine.sequence import PHASING, Mode, Step, Work
from services.rules.engine.table import Table
from services.rules.games.fall_of_tobruk import advance, declaration, duty, engaged, losses, minefield, odds, overrun, retreat
from services.rules.games.fall_of_tobruk.assault import (
    ATTACKER,
    DEFENDER,
    STALL,
    VOID,
    Record,
    across_mines,
    attackers,
    changed,
    defenders,
    find,
    hexes_of,
    live_hexes,
    members,
)
from services.rules.games.fall_of_tobruk.ground import at_of, box_at
from services.rules.games.fall_of_tobruk.state import attacks
from services.rules.games.fall_of_tobruk.state import wrecks as markers
from services.rules.games.fall_of_tobruk.wrecks import CROWD, lose_unit

EVEN_LOSS = "1:2"
"""The column on which an exchange takes all attackers instead of all defenders (crt.exch.5)."""
SPELT = {"AB": "AR", "DB": "DR"}
"""Results of the table -> as orders name them: a side back is a retreat."""

# -- which is next ---------------------------------------------------------------------------------------------------------------


def begin(adj: Adjudication) -> None:
    """The first attack is taken up."""
    for one in attacks(adj):
        if one["done"]:
            adj.push("Settle", label=one["label"])
    adj.push("NextAttack")


def next_attack(adj: Adjudication, _: Mapping[str, Json]) -> None:
    """The next attack in the order declared; each is carried out whole before another."""
    one = next((one for one in attacks(adj) if not one["done"]), None)
    if one is not None:
        adj.push("Attack", label=one["label"])
        adj.push("NextAttack")


def attack(adj: Adjudication, work: Mapping[str, Json]) -> None:
    """An attack is made on the position that those before it have left: mines, the table, then what an overrun adds. Attackers that have
    nobody left beside them have attacked all the same, and may first enter the hexes that were left to them."""
    one = find(adj, work["label"])
    label = str(one["label"])
    ours = tuple(unit for unit in attackers(adj, one) if unit not in one["moved"])  # who has entered such a hex attacks nobody
    theirs = defenders(adj, one)
    left = [str(at) for at in hexes_of(one) if side_at(adj, at) is None]
    if left and ours and theirs and set(ours) != set(members(adj, one, ATTACKER)) and "fighting" not in work:
        adj.push("Advance", label=label, role=ATTACKER, hexes=0, into=left, but=[], fighting=list(ours))  # recon.4
        adj.push("Attack", label=label, fighting=list(ours))
        return
    if not ours or not theirs:
        _nobody_there(adj, one)
        adj.push("Settle", label=label)
        return
    mined = across_mines(adj, ours, live_hexes(adj, one))
    part = changed(adj, label, units=list(ours), defenders=list(theirs), mined=list(mined), done=True)
    idle = [ch.mark(unit, "done") for unit in members(adj, one, ATTACKER) if unit not in ours]  # seq.8
    adj.record("attack", "combat.1", {"label": label, "hexes": one["hexes"]}, changes=[part, *idle])
    minefield.cross(adj, minefield.ATTACK, label, mined, label, ("Resolve", {"label": label}))  # minefields.8
    if one["overrun"]:
        adj.push("Overrun", label=label)
    adj.push("Settle", label=label)


def _nobody_there(adj: Adjudication, one: Record) -> None:
    """Nobody is left to attack, or to be attacked: who has slipped away leaves his hex to the attackers (recon.3, recon.4)."""
    label, slipped = str(one["label"]), not one["defenders"]
    why = "slipped" if slipped else "no-defenders" if not defenders(adj, one) else "no-attackers"
    data = {"label": label, "hexes": one["hexes"], "why": why}
    adj.record("battle_void", "recon.3", data, changes=[changed(adj, label, done=True, result=VOID)])
    adj.result(label, VOID)
    if slipped:
        _may_advance(adj, label, ATTACKER, 0, one["hexes"])  # recon.4


# -- the table -------------------------------------------------------------------------------------------------------------------


def resolve(adj: Adjudication, work: Mapping[str, Json]) -> None:
    """Two dice on the column of the odds as the mines have left them; an attack that has stalled falls back a hex instead."""
    one = find(adj, work["label"])
    label, ours = str(one["label"]), attackers(adj, one)
    if not ours:
        _set_result(adj, label, VOID)
        return
    if one["stalled"]:
        _set_result(adj, label, STALL)
        adj.push("Retreats", label=label, role=ATTACKER, hexes=1, plan={})  # stall.3
        return
    at = odds.column(adj, one)
    adj.record("battle", "combat.7", figures(adj, one, at[0] if at else None), changes=[changed(adj, label, odds=at[0] if at else None)])
    if at is None:
        _too_weak(adj, label, ours)
        return
    printed, column = at
    dice = adj.roll(
        "combat.9",
        "combat",
        count=2,  # combat.9
        site="+".join(one["hexes"]),
    )
    result = looked_up(adj, column, sum(dice))
    data = {"label": label, "hexes": one["hexes"], "odds": printed, "dice": list(dice), "result": result}
    adj.record("result", "combat.9", data, changes=[changed(adj, label, result=result)])
    adj.result(label, result)
    _affect(adj, label, result, printed)


def looked_up(table: Table, column: int, roll: int) -> str:
    """The result of the Combat Results Table, by the index of a column."""
    return spelt(odds.crt(table).result(column, roll))  # crt.1 crt.r2a crt.r2b crt.r2c crt.r2d crt.r2e crt.r2f crt.r2g crt.r3a crt.r3b


def spelt(cell: str) -> str:
    """A result of the table as orders name it: ``DR2`` for DB2, ``CON`` for Con."""
    return SPELT.get(cell[:2], cell[:2]) + cell[2:] if cell[:2] in SPELT else cell.upper()


def _set_result(adj: Adjudication, label: str, result: str) -> None:
    one = find(adj, label)
    data = {"label": label, "hexes": one["hexes"], "odds": None, "dice": [], "result": result}
    adj.record("result", "stall.3" if result == STALL else "combat.1", data, changes=[changed(adj, label, result=result)])
    adj.result(label, result)
    engaged.fought(adj, find(adj, label))


def _too_weak(adj: Adjudication, label: str, ours: Sequence[str]) -> None:
    """The mines have left too little for 1:5: as in the declaration, those are lost who had to attack; by option nobody is (FT-20)."""
    owing = duty.obliged(adj, str(adj.phasing))
    dying = [unit for unit in ours if unit in owing and adj.options["below_min"] == "eliminate"]
    _set_result(adj, label, "AE" if dying else VOID)
    for unit in dying:
        lose_unit(adj, unit, "combat.11", "below-1-5", label)


def figures(table: Table, one: Record, printed: str | None) -> dict[str, Json]:
    """What the event of a battle holds: who fights with what, and the odds (None below 1:5)."""
    attack_, defence = odds.strengths(table, one)
    ours, theirs = attackers(table, one), defenders(table, one)
    return {
        "label": one["label"],
        "hexes": one["hexes"],
        "hex": one["hexes"][0],
        "side": table.phasing,
        "attackers": [
            {"unit": unit, "from": str(at_of(table, unit)), "cf": print_exact(odds.attack_factor(table, unit, one))} for unit in ours
        ],
        "defenders": [
            {"unit": unit, "hex": str(at_of(table, unit)), "cf": print_exact(odds.defence_factor(table, unit))} for unit in theirs
        ],
        "attack": print_exact(attack_),
        "defence": print_exact(defence),
        "mined": [unit for unit in one["mined"] if unit in ours],  # those that the mines have left
        "overrun": one["overrun"],
        "shift": odds.uphill(table, one),
        "odds": printed,
    }


# -- results ---------------------------------------------------------------------------------------------------------------------


def _affect(adj: Adjudication, label: str, result: str, printed: str) -> None:
    """A result falls on all that took part."""
    if result == "ENG":
        engaged.engage(adj, find(adj, label))
        return
    engaged.fought(adj, find(adj, label))
    if result == "AE":
        _attackers_pay(adj, label)
    elif result == "EX":
        _exchange(adj, label, at_half=printed == EVEN_LOSS)  # crt.exch.5
    elif result == "DE":
        one = _with_newcomers(adj, label)
        _all_die(adj, one, DEFENDER, "crt.delim.1")  # crt.delim.1
        _may_advance(adj, label, ATTACKER, 0, one["hexes"])  # crt.delim.2
    elif result[:2] in ("AR", "DR"):
        _retreat(adj, label, int(result[2:]), ATTACKER if result[0] == "A" else DEFENDER)
    # Con: no effect (crt.con.1)


def _attackers_pay(adj: Adjudication, label: str) -> None:
    """Attackers go for at least what the defenders count, all of them if they count less; the others fall back a hex."""
    one = find(adj, label)
    need = int(losses.total(adj, members(adj, one, DEFENDER)))
    left = _hexes(adj, members(adj, one, ATTACKER))
    losses.owe(adj, members(adj, one, ATTACKER), need, "crt.aelim.1", "losses", label=label, result="AE")  # crt.aelim.1
    adj.push("Retreats", label=label, role=ATTACKER, hexes=1, plan={})  # crt.aelim.2
    _may_advance(adj, label, DEFENDER, 0, left)  # FT-34


def _exchange(adj: Adjudication, label: str, *, at_half: bool) -> None:
    """One side goes whole, and the other pays at least what it counted: the defenders, at 1:2 the attackers."""
    one = find(adj, label) if at_half else _with_newcomers(adj, label)
    gone, paying = (ATTACKER, DEFENDER) if at_half else (DEFENDER, ATTACKER)
    clause = "crt.exch.5" if at_half else "crt.exch.1"
    need = int(losses.total(adj, members(adj, find(adj, label), gone)))
    left = _hexes(adj, members(adj, one, gone))
    payers = members(adj, one, paying)
    _all_die(adj, one, gone, clause)  # crt.exch.1
    losses.owe(adj, payers, need, clause if at_half else "crt.exch.2", "losses", label=label, result="EX")  # crt.exch.2 crt.exch.3
    _may_advance(adj, label, paying, 0, left)  # crt.exch.4


def _retreat(adj: Adjudication, label: str, hexes: int, role: str) -> None:
    """One side retreats, and the other may advance a hex less; occupants of a Box stay where they are."""
    one = _with_newcomers(adj, label) if role == DEFENDER else find(adj, label)
    units = members(adj, one, role)
    boxed = [unit for unit in units if box_at(adj, at_of(adj, unit))] if role == DEFENDER else []
    if boxed:
        adj.record("held", "boxes.2", {"label": label, "units": boxed})
    left = _hexes(adj, [unit for unit in units if unit not in boxed])
    adj.push("Retreats", label=label, role=role, hexes=hexes, plan={})  # crt.abk.1 crt.dbk.1
    _may_advance(adj, label, DEFENDER if role == ATTACKER else ATTACKER, hexes - 1, left)  # crt.abk.2 crt.dbk.2


def _may_advance(adj: Adjudication, label: str, role: str, hexes: int, into: Sequence[str]) -> None:
    """Push the advance of the winner: so many hexes along the retreats, or into hexes emptied otherwise."""
    adj.push("Advance", label=label, role=role, hexes=hexes, into=list(into), but=[])


def _all_die(adj: Adjudication, one: Record, role: str, clause: str) -> None:
    for unit in members(adj, one, role):
        lose_unit(adj, unit, clause, "combat", one["label"])


def _hexes(table: Table, units: Sequence[str]) -> list[str]:
    return sorted({str(at_of(table, unit)) for unit in units})


def _with_newcomers(adj: Adjudication, label: str) -> Record:
    """The attack, with units among its defenders that have retreated into a hex of it since it was declared: they have added nothing to the
    defence and share what befalls it."""
    one = find(adj, label)
    hexes = [at for at in hexes_of(one) if side_at(adj, at) == adj.enemy(adj.phasing or "")]
    others = [unit for at in hexes for unit in units_at(adj, at) if unit not in one["defenders"]]
    if others:
        data = {"label": label, "units": others}
        adj.record("shares", "combat.4", data, changes=[changed(adj, label, defenders=[*one["defenders"], *others])])
    return find(adj, label)


def settle(adj: Adjudication, work: Mapping[str, Json]) -> None:
    """The attack is over: who was driven off, or is gone, is engaged no longer."""
    engaged.settle(adj, find(adj, work["label"]))


def finish(adj: Adjudication) -> None:
    """The pass is over: who has shot or attacked in it is finished for this player-turn (seq.8), and who has been robbed of his attack."""
    side = adj.phasing
    assert side is not None
    attacked = {*(unit for one in attacks(adj) for unit in one["units"]), *adj.results.get(declaration.ROBBED, ())}  # FT-14
    found = [unit for unit in on_map(adj, side) if "done" not in unit.marks and (unit.id in attacked or "fired" in unit.marks)]
    if found:
        changes: list[Change] = [ch.mark(unit.id, "done") for unit in found]
        adj.record("finished", "seq.8", {"units": [unit.id for unit in found]}, changes=changes)  # seq.8
    engaged.note_beside(adj)
    empty = sorted({one["hex"] for one in markers(adj)} - {str(hex_of(adj, unit)) for unit in adj.counters})
    adj.results[declaration.EMPTY] = empty


COMBAT = Step(
    "combat",
    "seq.7",
    PHASING,
    Mode.ASK,
    resolves=(
        Work("NextAttack", next_attack),
        Work("Attack", attack),
        Work("Resolve", resolve),
        Work("Settle", settle),
        losses.LOSSES,
        CROWD,
        overrun.OVERRUN,
        *minefield.WORKS,
        *retreat.WORKS,
        *advance.WORKS,
    ),
    asks=(losses.ASK_LOSSES, minefield.ASK_MINE_LOSSES, retreat.ASK_RETREAT, advance.ASK_ADVANCE),
    enter=begin,
    leave=finish,
)
STEPS: tuple[Step, ...] = (COMBAT,)

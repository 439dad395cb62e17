"""8.1, 9.1: the battles of a combat phase, one after another in the order of the package, and what their results do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from services.rules.engine.adjudication import Adjudication
from services.rules.engine.exact import print_exact
from services.rules.engine.model import Json
from services.rules.engine.positions import hex_of, units_at
from services.rules.engine.sequence import PHASING, Ask, Mode, Step, Work
from services.rules.engine.table import Table
from services.rules.games.race_for_tunis import advance, engaged, losses, odds, retreat
from services.rules.games.race_for_tunis.ground import at_of
from services.rules.games.race_for_tunis.losses import ATTACKER, DEFENDER, eliminate, find, members, spelt, total
from services.rules.games.race_for_tunis.package import attackers, changed, defenders, hexes_of, live_hexes
from services.rules.games.race_for_tunis.state import attack_value, battles

Battle = Mapping[str, Any]
VOID = "VOID"
"""The result of a battle that does not take place."""
EVEN_LOSS = "1:2"
"""The column on which an exchange takes all attackers instead of all defenders (9.1.5.B)."""

# -- which is next ---------------------------------------------------------------------------------------------------------------


def begin(adj: Adjudication) -> None:
    """The first battle is taken up; those that came to nothing as they were declared are over."""
    for one in battles(adj):
        if one["done"]:
            adj.push("Settle", label=one["label"])
    adj.push("NextBattle")


def next_battle(adj: Adjudication, _: Mapping[str, Json]) -> None:
    """The next battle in the order of the package; each is carried out whole before another (RT-34)."""
    one = next((one for one in battles(adj) if not one["done"]), None)
    if one is not None:
        adj.push("Battle", label=one["label"])
        adj.push("NextBattle")


# -- one battle ------------------------------------------------------------------------------------------------------------------


def fight(adj: Adjudication, work: Mapping[str, Json]) -> None:
    """A battle is fought on the position that those before it have left: two dice, then the result."""
    one = find(adj, work["label"])
    ours, theirs = attackers(adj, one), defenders(adj, one)
    if not ours or not theirs:
        data = {"label": one["label"], "hexes": one["hexes"], "why": "no-attackers" if theirs else "no-defenders"}
        adj.record("battle_void", "8.0.A-2", data, changes=[changed(adj, one["label"], done=True, result=VOID)])  # RT-34
        adj.result(one["label"], VOID)
    else:
        _resolve(adj, one, ours, theirs)
    adj.push("Settle", label=one["label"])


def _resolve(adj: Adjudication, one: Battle, ours: Sequence[str], theirs: Sequence[str]) -> None:
    at = odds.column(adj, one)
    part = changed(adj, one["label"], units=list(ours), defenders=list(theirs), done=True, moved=[])
    adj.record("battle", "8.1-2", figures(adj, one, ours, theirs, at[0] if at else None), changes=[part])
    label = one["label"]
    if at is None:
        adj.record("outgunned", "8.2.E-N2", {"label": label, "hexes": one["hexes"]}, changes=[changed(adj, label, result="AE")])
        adj.result(label, "AE")
        for unit in ours:
            eliminate(adj, unit, "8.2.E-N2", "below-1-5", label)  # RT-24
        return
    printed, column = at
    number = 2  # 8.1-3 RT-02
    dice = adj.roll("9.1.A-1", "combat", number, site="+".join(one["hexes"]), who=one["only"] or "")
    result = odds.crt(adj).result(column, sum(dice))  # 9.1.A-2
    data = {"label": label, "hexes": one["hexes"], "odds": printed, "dice": list(dice), "result": result}
    adj.record("result", "9.1.A-2", data, changes=[changed(adj, label, result=result)])
    adj.result(label, spelt(result))
    _affect(adj, label, result, printed)


def figures(table: Table, one: Battle, ours: Sequence[str], theirs: Sequence[str], printed: str | None) -> dict[str, Json]:
    """What the event of a battle holds: who fights with what, and the odds (None below 1:5)."""
    attack, defence = odds.strengths(table, one)
    live, hexes = live_hexes(table, one), hexes_of(one)
    firing = [gun for gun in one["support"] if hex_of(table, gun)]
    helping = [gun for gun in one["defence"] if hex_of(table, gun)]
    return {
        "label": one["label"],
        "hexes": one["hexes"],
        "hex": one["hexes"][0],
        "side": table.phasing,
        "attackers": [
            {"unit": unit, "from": str(at_of(table, unit)), "cf": print_exact(odds.attack_factor(table, unit, live))} for unit in ours
        ],
        "defenders": [
            {"unit": unit, "hex": str(at_of(table, unit)), "cf": print_exact(odds.defence_factor(table, unit))} for unit in theirs
        ],
        "support": [{"unit": gun, "factor": print_exact(odds.gun_factor(table, gun, hexes))} for gun in firing],
        "defence_support": [{"unit": gun, "factor": attack_value(table, gun)} for gun in helping],
        "air": list(one["air"]),
        "lower": one["lower"],
        "attack": print_exact(attack),
        "defence": print_exact(defence),
        "odds": printed,
    }


# -- results ---------------------------------------------------------------------------------------------------------------------


def _affect(adj: Adjudication, label: str, result: str, printed: str) -> None:
    """A result falls on all that took part; guns in support suffer nothing (9.1.B, 10.1.F)."""
    if result == "Eng":
        engaged.engage(adj, find(adj, label))
    elif result == "AE":
        _attackers_pay(adj, label)
    elif result == "Ex":
        _exchange(adj, label, at_half=printed == EVEN_LOSS)  # RT-31
    elif result == "DE":
        one = _with_newcomers(adj, label)
        into = [str(at) for at in live_hexes(adj, one)]
        for unit in members(adj, one, DEFENDER):
            eliminate(adj, unit, "9.1.7-1", "combat", label)
        adj.push("Advance", label=label, role=ATTACKER, hexes=1, into=into)  # 9.1.7-2
    elif result[:2] in ("AR", "DR"):
        _retreat(adj, label, int(result[2:]), ATTACKER if result[0] == "A" else DEFENDER)
    # Con: no effect (9.1.3-1)


def _attackers_pay(adj: Adjudication, label: str) -> None:
    """Attackers go for at least what the defenders count, all of them if they count less; the others retreat a hex (9.1.1)."""
    one = find(adj, label)
    need = total(adj, members(adj, one, DEFENDER), DEFENDER)
    adj.push("Losses", label=label, role=ATTACKER, need=need)  # 9.1.1-1
    adj.push("Retreats", label=label, role=ATTACKER, hexes=1)  # 9.1.1-3


def _exchange(adj: Adjudication, label: str, *, at_half: bool) -> None:
    """One side goes whole, and the other pays at least what it counted: the defenders, at 1:2 the attackers (9.1.5)."""
    gone, paying = (ATTACKER, DEFENDER) if at_half else (DEFENDER, ATTACKER)
    need = total(adj, members(adj, find(adj, label), gone), gone)
    one = find(adj, label) if at_half else _with_newcomers(adj, label)
    into = [str(at) for at in live_hexes(adj, one)]
    for unit in members(adj, one, gone):
        eliminate(adj, unit, "9.1.5.B-1" if at_half else "9.1.5.A-1", "combat", label)
    adj.push("Losses", label=label, role=paying, need=need)  # 9.1.5.A-2 9.1.5.B-2
    if not at_half:
        adj.push("Advance", label=label, role=ATTACKER, hexes=1, into=into)  # 9.1.5.A-3


def _retreat(adj: Adjudication, label: str, hexes: int, role: str) -> None:
    """One side retreats, and the other may advance a hex less (9.1.2, 9.1.6)."""
    one = _with_newcomers(adj, label) if role == DEFENDER else find(adj, label)
    left = sorted({str(at_of(adj, unit)) for unit in members(adj, one, role)})
    adj.push("Retreats", label=label, role=role, hexes=hexes)
    if hexes > 1:
        adj.push("Advance", label=label, role=DEFENDER if role == ATTACKER else ATTACKER, hexes=hexes - 1, into=left)


def newcomers(table: Table, one: Battle) -> tuple[str, ...]:
    """Units of the defenders' side that have retreated into a hex of the battle: they add nothing to its defence and share what befalls
    it (RT-34); not where a single battalion is attacked."""
    if one["only"]:
        return ()
    known = {unit for other in battles(table) for unit in other["defenders"] if other["hexes"] == one["hexes"]}
    return tuple(unit for at in live_hexes(table, one) for unit in units_at(table, at) if unit not in known)


def _with_newcomers(adj: Adjudication, label: str) -> Battle:
    """The battle, with those that share its result among the defenders."""
    one = find(adj, label)
    others = newcomers(adj, one)
    if others:
        data = {"label": label, "units": list(others)}
        adj.record("shares", "9.1.6-1", data, changes=[changed(adj, label, defenders=[*one["defenders"], *others])])
    return find(adj, label)


def settle(adj: Adjudication, work: Mapping[str, Json]) -> None:
    """The battle is over: engagements that it renewed end, and who is gone is out of them (9.1.4.B-2)."""
    one = find(adj, work["label"])
    engaged.settle(adj, one, one["result"])


def any_declared(table: Table) -> bool:
    """Whether attacks have been declared."""
    return bool(battles(table))


STEPS = (
    Step(
        "battles",
        "8.1-1",
        PHASING,
        Mode.ASK,
        resolves=(
            Work("NextBattle", next_battle),
            Work("Battle", fight),
            Work("Losses", losses.losses),
            Work("Retreats", retreat.retreats),
            Work("Advance", advance.advance),
            Work("Settle", settle),
        ),
        asks=(
            Ask("losses", "LOSE", losses.take_losses, losses.check_losses),
            Ask("retreat", "RETREAT", retreat.take_retreat, retreat.check_retreat),
            Ask("advance", "ADVANCE", advance.take_advance, advance.check_advance),
        ),
        enter=begin,
        when=any_declared,
    ),
)

"""Battles as the events of a view tell them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scenarios.hexes import Hex, distance
from services.render.happened.kinds import KINDS, OUTCOMES, Fight
from services.render.happened.reading import called, items, number, objects, word
from services.render.views import EventView, hex_or_none, hexes


@dataclass(frozen=True, slots=True)
class Check:
    """A morale check that a unit had to make: its dice, and whether it was passed."""

    unit: str
    dice: tuple[int, ...]
    passed: bool


@dataclass(frozen=True, slots=True)
class Battle:
    """A battle as the events tell it: its label (empty if it is the hex's number), where, from where, hits and dice of either side,
    who fought, air unit and leader included; and where the game has them, the odds, the result and the checks that it brought.
    ``hexes``: all that it is fought for, ``hex`` the first of them. ``declared``: it is to be fought yet."""

    label: str
    hex: Hex
    origins: tuple[Hex, ...]
    on_defender: int | None
    on_attackers: int | None
    attack_dice: tuple[int, ...]
    defence_dice: tuple[int, ...]
    attackers: str
    defender: str
    odds: str = ""
    result: str = ""
    checks: tuple[Check, ...] = ()
    hexes: tuple[Hex, ...] = ()
    declared: bool = False

    @property
    def pairs(self) -> list[tuple[Hex, Hex]]:
        """From which hex which was attacked."""
        targets = self.hexes or (self.hex,)
        return [(origin, at) for origin in self.origins for at in targets if len(targets) == 1 or distance(origin, at) == 1]

    @property
    def score(self) -> str:
        """What is printed of its outcome: odds and result, or hits on the defender and on the attackers; empty if nothing is told."""
        if self.on_defender is not None or self.on_attackers is not None:
            return hits_said(self.on_defender or 0, self.on_attackers or 0)
        return " ".join(said for said in (self.odds, self.result) if said)


def hits_said(dealt: int, taken: int) -> str:
    """Hits dealt and taken, so written that nobody takes them for odds."""
    return f"{dealt} hit{'' if dealt == 1 else 's'} : {taken}"


def battles(events: Iterable[EventView]) -> list[Battle]:
    """The battles among the events of a view, with the dice, odds, hits and results told after them."""
    told = list(events)
    found: list[dict[str, Any]] = []
    for k, event in enumerate(told):
        kind = KINDS.get(event.kind)
        if isinstance(kind, Fight) and not (kind.declared and _taken_up(told[k + 1 :], event.data)):
            said = {"odds": event.data.get("odds"), "result": event.data.get("result")}
            found.append({"data": event.data, "hits": {}, "dice": {}, "checks": [], "at": k, "declared": kind.declared} | said)
    for k, event in enumerate(told):
        data = event.data
        if event.kind == "hits" and (one := _of_label(found, data.get("label"), k)):
            one["hits"][data.get("on")] = sum(number(unit.get("hits")) for unit in objects(data.get("units")))
        elif event.kind == "package":
            _as_declared(found, objects(data.get("battles")), k)
        elif event.kind == "outgunned" and (one := _of_label(found, data.get("label"), k)):
            one["odds"], one["result"] = "below 1:5", "AE"
        elif event.kind in ("odds", "result") and (one := _of_label(found, data.get("label"), k)):
            one[event.kind] = data.get("column", data.get("odds")) if event.kind == "odds" else data.get("result")
        elif of_check(told, k) and (one := _of_label(found, data.get("site"), k)):
            unit, passed = outcome(told, k)
            one["checks"].append(Check(unit, tuple(number(die) for die in items(data.get("dice"))), passed == PASSED))
        elif event.kind == "rolled" and of_battle(event) and (one := _of_label(found, data.get("site"), k)):
            part = "defence" if "defen" in str(data.get("why")) else "attack"
            one["dice"].setdefault(part, []).extend(number(die) for die in items(data.get("dice")))
    return [battle for battle in map(_battle, found) if battle is not None]


ENDS = frozenset({"battle_void", "attack_void"})
"""Kinds of events by which a battle that was declared comes to nothing."""


def _taken_up(later: Iterable[EventView], data: Mapping[str, Any]) -> bool:
    """Whether a battle that was declared has been fought, or has come to nothing; or nobody is told to fight it."""
    if not isinstance(data.get("from"), Mapping):
        return True
    fought = (event for event in later if event.kind in ENDS or isinstance(KINDS.get(event.kind), Fight))
    return any(event.data.get("label") == data.get("label") for event in fought)


def _as_declared(found: list[dict[str, Any]], told: list[Mapping[str, Any]], at: int) -> None:
    """The odds of battles and who defends in them, as it stood when all were declared."""
    for one in found:
        for said in told:
            if one["declared"] and one["at"] < at and said.get("label") == one["data"].get("label"):
                one["odds"], one["against"] = said.get("odds"), said.get("defenders")


def _of_label(found: list[dict[str, Any]], label: Any, at: int) -> dict[str, Any] | None:
    """The battle of that label, or on that hex, last told before the event numbered ``at``; or else the last one before it."""
    before = [one for one in found if one["at"] < at]
    named = [one for one in before if label is not None and label in (one["data"].get("label"), one["data"].get("hex"))]
    if named:
        return named[-1]
    return before[-1] if before else None


def of_battle(event: EventView) -> bool:
    """Whether a roll is a battle's own."""
    why = str(event.data.get("why"))
    return any(part in why for part in ("attack", "defen", "combat"))


def of_check(told: Sequence[EventView], k: int) -> bool:
    """Whether the ``k``-th event is the roll of a morale check that a battle brought."""
    after = told[k + 1] if k + 1 < len(told) else None
    return told[k].kind == "rolled" and after is not None and after.kind == "morale_check" and after.data.get("cause") == "combat"


PASSED, FAILED = "holds", "fails"


def outcome(told: Sequence[EventView], k: int) -> tuple[str, str]:
    """What the event after a roll says of it: for which unit it was, and the result; empty words if it says nothing."""
    after = told[k + 1] if k + 1 < len(told) else None
    keys = OUTCOMES.get(after.kind) if after is not None else None
    if after is None or keys is None:
        return "", ""
    unit, result = (after.data.get(key) for key in keys)
    return word(unit), (PASSED if result else FAILED) if isinstance(result, bool) else word(result).replace("-", "–")


def _battle(one: Mapping[str, Any]) -> Battle | None:
    data = one["data"]
    fought = hexes(data.get("hexes"))
    at = hex_or_none(data.get("hex")) or next(iter(fought), None)
    if at is None:
        return None
    label = str(data.get("label", ""))[:12]
    begun = data.get("from")
    attackers = objects(data.get("attackers")) or (
        [{"unit": unit, "from": start} for unit, start in begun.items()] if isinstance(begun, Mapping) else []
    )
    origins = [hex_or_none(attacker.get("from")) for attacker in attackers]
    defenders = objects(data.get("defenders")) or objects([data.get("defender")]) or [{"unit": unit} for unit in items(one.get("against"))]
    dice = one["dice"]
    return Battle(
        label=label if label != str(at) else "",
        hex=at,
        origins=tuple(dict.fromkeys(origin for origin in origins if origin is not None)),
        on_defender=one["hits"].get("defender"),
        on_attackers=one["hits"].get("attackers"),
        attack_dice=tuple(dice.get("attack", ())),
        defence_dice=tuple(dice.get("defence", ())),
        attackers=_listed([*map(called, attackers), *_helpers(data)]),
        defender=_listed([*map(called, defenders)]),
        odds=word(one.get("odds")),
        result=word(one.get("result")),
        checks=tuple(one["checks"]),
        hexes=tuple(fought),
        declared=one["declared"],
    )


_MOST = 6
"""So many names of a side are told at most."""


def _listed(names: list[str]) -> str:
    shown = names if len(names) <= _MOST else [*names[: _MOST - 1], f"{len(names) - _MOST + 1} more"]
    return ", ".join(shown)


def _helpers(data: Mapping[str, Any]) -> list[str]:
    """The air units and the leader of an attack, by name."""
    named = [(prefix, one) for key, prefix in (("air", "air "), ("leader", "")) for one in items(data.get(key)) or [data.get(key)] if one]
    return [prefix + str(one)[:12] for prefix, one in named]

"""Events -> a battle as a table, by its game's description. Nothing here but what the viewer's events hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from services.mail.battles.layout import Layout, Rows
from services.mail.shape import mapping, mappings, sequence, whole
from services.mail.speech import Speech


@dataclass(slots=True)
class Sentence:
    """One thing that happened, with the clause behind it. ``throws``: the numbers of the throws that it tells, ``#17``."""

    text: str
    clause: str
    throws: str = ""


@dataclass(slots=True)
class Throw:
    """A line of dice. ``amount``: how many, or what came of them, in words; ``rule``: what they must show, in words; ``hit_on``: from
    which number on they may hit; ``modifiers``: why so many; ``clause``: behind what came of them; ``throws``: as of a sentence."""

    name: str
    amount: str
    dice: list[int]
    modifiers: list[str]
    hit_on: int = 0
    rule: str = ""
    clause: str = ""
    throws: str = ""

    @property
    def marked(self) -> list[tuple[int, bool]]:
        """Each die, and whether it may hit; all alike where the number is not known."""
        return [(die, 0 < self.hit_on <= die) for die in self.dice]

    @property
    def told(self) -> str:
        """``5 dice, hit on 5 or more: 3``."""
        hits = f": {sum(hit for _, hit in self.marked)}" if self.dice else ""
        return f"{self.amount}, {self.rule}{hits}" if self.rule else self.amount


@dataclass(frozen=True, slots=True)
class Fighter:
    """A row of a battle: role, name, place he fights from, and in words what he brings to it."""

    role: str
    name: str
    place: str
    strength: str


@dataclass(slots=True)
class Battle:
    """A battle as a table: who fought, dice and modifiers, and what came of it."""

    layout: Layout
    title: str
    clause: str
    fighters: list[Fighter]
    help: list[str]
    throws: list[Throw]
    after: list[Sentence] = field(default_factory=list)

    def takes(self, kind: str) -> bool:
        """Whether an event of that kind belongs to it."""
        return kind in self.layout.below or kind in self.layout.throws


def begin(layout: Layout, event: Mapping[str, Any], title: str, speech: Speech) -> Battle:
    """The table of a battle that begins with ``event``."""
    data = mapping(event.get("data"))
    fighters = [_fighter(rows, one, data, speech) for rows in layout.rows for one in _named(data.get(rows.field))]
    modifiers = data.get("modifiers")
    split = modifiers if isinstance(modifiers, Mapping) else {"attack": modifiers}
    throws = [
        _awaited(name, data[f"{name}_dice"], split.get(name), whole(mapping(data.get("hit_on")).get(name)), speech)
        for name in layout.dice
        if isinstance(data.get(f"{name}_dice"), int | str)
    ]
    told = {m.get("why") for m in mappings(split.get("attack"))}  # help that the dice name is not told twice
    helpers = [
        speech.say("help", key, {**data, "value": data[key]}) if speech.words.has("help", key) else f"{key} {data[key]}"
        for key in layout.help
        if data.get(key) and key not in told
    ]
    battle = Battle(layout, title, str(event.get("clause") or ""), fighters, [text for text in helpers if text], throws)
    if layout.begins in layout.throws:
        add_throw(battle, event, speech)
    return battle


def add_throw(battle: Battle, event: Mapping[str, Any], speech: Speech) -> Throw:
    """The line of an event that carries its dice, as ``die`` or ``dice``."""
    kind, data = str(event.get("kind")), mapping(event.get("data"))
    dice = [die for die in (data.get("die"), *sequence(data.get("dice"))) if isinstance(die, int)]
    caption = speech.say("captions", kind, data) or kind.replace("_", " ")
    clause = str(event.get("clause") or "")
    battle.throws.append(Throw(caption, speech.say("throws", kind, data) or "", dice, [], clause=clause))
    return battle.throws[-1]


def add_rolled(battle: Battle, event: Mapping[str, Any], speech: Speech) -> Throw | None:
    """Dice of a ``rolled`` event where the battle awaits them, or a line of their own; None if they are told in a sentence."""
    data = mapping(event.get("data"))
    if str(data.get("why")) not in battle.layout.dice:
        return None
    name = speech.words.label(str(data["why"]))
    dice = [die for die in sequence(data.get("dice")) if isinstance(die, int)]
    modifiers = speech.modifiers(data.get("modifiers"))
    for throw in battle.throws:
        if throw.name == name and not throw.dice:
            throw.dice = dice
            throw.modifiers = modifiers or throw.modifiers
            return throw
    battle.throws.append(Throw(name, _amount(len(dice), speech), dice, modifiers))
    return battle.throws[-1]


def hits(event: Mapping[str, Any], speech: Speech) -> list[Sentence]:
    """The hits of a side, a sentence a unit."""
    data = mapping(event.get("data"))
    clause = str(event.get("clause") or "")
    units = mappings(data.get("units"))
    said = [
        speech.say("phrases", "hits", {"unit": u.get("unit"), "hits": u.get("hits"), "sp": u.get("sp")}) for u in units if u.get("hits")
    ]
    if not said:
        none = speech.say("phrases", "no_hits", {"on": data.get("on")})
        return [Sentence(none, clause)] if none else []
    return [Sentence(text, clause) for text in said if text]


def _awaited(name: str, number: int | str, modifiers: Any, hit_on: int, speech: Speech) -> Throw:
    rule = (speech.say("phrases", "hit_on", {"least": hit_on}) or "") if hit_on else ""
    return Throw(speech.words.label(name), _amount(number, speech), [], speech.modifiers(modifiers), hit_on, rule)


def _amount(number: Any, speech: Speech) -> str:
    return speech.say("phrases", "dice_count", {"n": number}) or str(number)


def _named(value: Any) -> Iterator[Mapping[str, Any]]:
    """The units that a field names, each as a mapping."""
    if isinstance(value, Mapping):
        if "unit" in value or "alias" in value:
            yield value
        else:
            yield from ({"unit": unit, "n": n} for unit, n in value.items())
    else:
        for one in [value] if isinstance(value, str) else sequence(value):
            if isinstance(one, Mapping):
                yield one
            elif isinstance(one, str):
                yield {"unit": one}


def _fighter(rows: Rows, one: Mapping[str, Any], event: Mapping[str, Any], speech: Speech) -> Fighter:
    unit = one.get("unit")
    name = speech.unit_name(unit) if unit else str(one.get("alias", "?"))
    if unit and one.get("alias") and not speech.owned(unit):
        name += f", {speech.words.label('block')} {one['alias']}"
    several = len(sequence(event.get("hexes"))) > 1  # then it is not plain where a defender stands
    at = one.get("from") or (event.get("hex") if rows.here else one.get("hex") if several else None)
    key = rows.field if speech.words.has("strengths", rows.field) else "any"
    return Fighter(speech.words.label(rows.role), name, speech.at(at) if at else "", speech.say("strengths", key, one) or "")

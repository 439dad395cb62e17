"""Events -> what happened, in order and by step: sentences, and battles as tables. Nothing here but what the viewer's events hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from services.mail.shape import mapping, mappings, sequence, whole
from services.mail.speech import Speech

_IN_BATTLE = frozenset({"rolled", "hits", "eliminated", "decided", "revealed", "strength_lost"})
_SILENT = frozenset({"refused", "line_skipped", "script_stopped"})


@dataclass(slots=True)
class Throw:
    """One side's dice of a battle: how many, what they showed as they were thrown, why so many, and from which number on they may hit.

    ``amount``: how many in words; ``rule``: what they must show, in words.
    """

    name: str
    amount: str
    dice: list[int]
    modifiers: list[str]
    hit_on: int = 0
    rule: str = ""

    @property
    def marked(self) -> list[tuple[int, bool]]:
        """Each die, and whether it may hit; all alike where the number is not known."""
        return [(die, 0 < self.hit_on <= die) for die in self.dice]

    @property
    def told(self) -> str:
        """``5 dice, hit on 5 or more: 3``."""
        hits = f": {sum(hit for _, hit in self.marked)}" if self.dice else ""
        return f"{self.amount}, {self.rule}{hits}" if self.rule else self.amount


@dataclass(slots=True)
class Fighter:
    """A row of a battle: role, name, place he fights from, strength points when it began."""

    role: str
    name: str
    place: str
    sp: str


@dataclass(slots=True)
class Battle:
    """A battle as a table: who fought, dice and modifiers, hits, and what came of it."""

    title: str
    clause: str
    fighters: list[Fighter]
    help: list[str]
    throws: list[Throw]
    after: list[Sentence] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One thing that happened, with the clause behind it."""

    text: str
    clause: str


@dataclass(slots=True)
class Section:
    """A step of the sequence of play and what happened in it."""

    title: str
    items: list[Sentence | Battle]


def tell(
    events: Iterable[Mapping[str, Any]], speech: Speech, turn: Any = None, refused_lines: frozenset[int] = frozenset()
) -> list[Section]:
    """The events of one viewer as sections. ``turn``: the one that the page is headed with; ``refused_lines``: told elsewhere."""
    sections: list[Section] = []
    battle: Battle | None = None
    here: Any = None
    for event in events:
        kind, data = str(event.get("kind", "")), mapping(event.get("data"))
        if kind in _SILENT and data.get("line") in refused_lines:
            continue
        if here is None or event.get("path") != here:
            here = event.get("path")
            battle = None
            title = section_title(here, speech, turn)
            if not sections or sections[-1].title != title:
                sections.append(Section(title, []))
        if kind == "battle":
            battle = _battle(event, speech)
            sections[-1].items.append(battle)
        elif battle is not None and kind in _IN_BATTLE:
            _into(battle, event, speech)
        else:
            sentence = say_event(event, speech)
            battle = battle if not sentence else None
            if sentence:
                sections[-1].items.append(sentence)
    return [section for section in sections if section.items]


def section_title(path: Any, speech: Speech, turn: Any = None) -> str:
    """``Turn 2, April 1941 · Axis player-turn · action`` from a place in the sequence of play, without the turn if it is ``turn``."""
    places = {str(p[0]): p[1] for p in sequence(path) if isinstance(p, list | tuple) and len(p) == 2}
    parts = []
    if "turn" in places and places["turn"] != turn:
        parts.append(turn_name(places["turn"], speech))
    if places.get("player-turn"):
        half = speech.say("phrases", "half", {"side": places["player-turn"]})
        parts.append(half or str(places["player-turn"]))
    step = places.get("step", places.get("setup"))
    if step is not None:
        parts.append(speech.step_name(step))
    title = " · ".join(parts)
    return title[:1].upper() + title[1:]


def turn_name(turn: Any, speech: Speech) -> str:
    """``Turn 2, April 1941``: the number, and what the turn track says beside it."""
    turns = speech.vocabulary.get("turns")
    name = str(speech.words.common["phrases"]["turn"]).replace("{{ turn }}", str(turn))
    if isinstance(turns, list) and isinstance(turn, int) and 1 <= turn <= len(turns):
        return f"{name}, {speech.month_name(turns[turn - 1])}"
    return name


def say_event(event: Mapping[str, Any], speech: Speech) -> Sentence | None:
    """The sentence of an event; None where its kind is told by nothing (a step that opens)."""
    kind, data, clause = str(event.get("kind", "")), mapping(event.get("data")), str(event.get("clause") or "")
    fields = {**data, "clause": clause}
    said = speech.say("events", kind, fields)
    if said is None:  # no words, or a field that they need is missing: say plainly what is known rather than nothing
        known = ", ".join(f"{key}: {value}" for key, value in data.items() if value not in (None, [], {}))
        said = f"{kind.replace('_', ' ')} ({known})" if known else kind.replace("_", " ")
    return Sentence(said, clause) if said else None


def _battle(event: Mapping[str, Any], speech: Speech) -> Battle:
    data = mapping(event.get("data"))
    label = speech.words.label
    fighters = [_fighter(label("attackers"), a, speech) for a in mappings(data.get("attackers"))]
    if data.get("defender"):
        fighters.append(_fighter(label("defender"), {"from": data.get("hex"), **mapping(data["defender"])}, speech))
    sentence = say_event(event, speech)
    modifiers = data.get("modifiers")
    split = modifiers if isinstance(modifiers, Mapping) else {"attack": modifiers}
    throws = [
        _throw(name, str(data[f"{name}_dice"]), split.get(name), whole(mapping(data.get("hit_on")).get(name)), speech)
        for name in ("attack", "defence")
        if isinstance(data.get(f"{name}_dice"), int | str)
    ]
    told = {m.get("why") for m in mappings(split.get("attack"))}  # help that the dice name is not told twice
    helpers = [
        str(speech.say("help", key, {"value": data[key]}) or f"{key} {data[key]}")
        for key in ("air", "leader")
        if data.get(key) and key not in told
    ]
    return Battle(sentence.text if sentence else "", str(event.get("clause") or ""), fighters, helpers, throws)


def _throw(name: str, number: str, modifiers: Any, hit_on: int, speech: Speech) -> Throw:
    rule = (speech.say("phrases", "hit_on", {"least": hit_on}) or "") if hit_on else ""
    return Throw(speech.words.label(name), _amount(number, speech), [], speech.modifiers(modifiers), hit_on, rule)


def _amount(number: Any, speech: Speech) -> str:
    return speech.say("phrases", "dice_count", {"n": number}) or str(number)


def _fighter(role: str, data: Mapping[str, Any], speech: Speech) -> Fighter:
    unit = data.get("unit")
    name = speech.unit_name(unit) if unit else str(data.get("alias", "?"))
    if unit and data.get("alias") and not speech.owned(unit):
        name += f", {speech.words.label('block')} {data['alias']}"
    place = speech.at(data["from"]) if data.get("from") else ""
    return Fighter(role, name, place, "" if data.get("sp") is None else speech.number(data["sp"]))


def _into(battle: Battle, event: Mapping[str, Any], speech: Speech) -> None:
    """Add to a battle what belongs to it: its dice where they were thrown, all else below."""
    data = mapping(event.get("data"))
    if event.get("kind") == "rolled" and str(data.get("why")) in ("attack", "defence"):
        name = speech.words.label(str(data["why"]))
        dice = [die for die in sequence(data.get("dice")) if isinstance(die, int)]
        modifiers = speech.modifiers(data.get("modifiers"))
        for throw in battle.throws:
            if throw.name == name and not throw.dice:
                throw.dice = dice
                throw.modifiers = modifiers or throw.modifiers
                return
        battle.throws.append(Throw(name, _amount(len(dice), speech), dice, modifiers))
        return
    if event.get("kind") == "hits":
        battle.after.extend(_hits(event, speech))
        return
    sentence = say_event(event, speech)
    if sentence:
        battle.after.append(sentence)


def _hits(event: Mapping[str, Any], speech: Speech) -> Sequence[Sentence]:
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

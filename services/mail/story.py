"""Events -> what happened, in order and by step: sentences, and battles as tables. Nothing here but what the viewer's events hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from services.mail.battles.games import layouts_of
from services.mail.battles.table import Battle, Sentence, Throw, add_rolled, add_throw, begin, hits
from services.mail.joined import joined
from services.mail.shape import mapping, sequence
from services.mail.speech import Speech

_SILENT = frozenset({"refused", "line_skipped", "script_stopped"})


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
    thrown: list[str] = []  # numbers of throws that what comes next tells
    layouts = layouts_of(speech.words.game_key)
    for event in joined(events):
        kind, data = str(event.get("kind", "")), mapping(event.get("data"))
        if kind in _SILENT and data.get("line") in refused_lines:
            continue
        if here is None or event.get("path") != here:
            here = event.get("path")
            battle = None
            heading = section_title(here, speech, turn)
            if not sections or sections[-1].title != heading:
                sections.append(Section(heading, []))
        if kind in layouts:
            title = say_event(event, speech)
            battle = begin(layouts[kind], event, title.text if title else "", speech)
            sections[-1].items.append(battle)
            told: Sentence | Throw | None = battle.throws[-1] if kind in battle.layout.throws else None
        elif battle is not None and battle.takes(kind):
            told = _into(battle, event, speech)
        else:
            told = say_event(event, speech)
            battle = battle if not told else None
            if told:
                sections[-1].items.append(told)
        thrown += [f"#{data['number']}"] if kind == "rolled" and isinstance(data.get("number"), int) else []
        if told and thrown:
            told.throws = " ".join(thrown)
            thrown.clear()
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


def _into(battle: Battle, event: Mapping[str, Any], speech: Speech) -> Sentence | Throw | None:
    """Add to a battle what belongs to it: its dice where they were thrown, all else below. What of it tells a throw, if it tells any."""
    kind = str(event.get("kind"))
    if kind in battle.layout.throws:
        return add_throw(battle, event, speech)
    if kind == "hits":
        battle.after.extend(hits(event, speech))
        return None
    if kind == "rolled" and (throw := add_rolled(battle, event, speech)):
        return throw
    sentence = say_event(event, speech)
    if sentence:
        battle.after.append(sentence)
    return sentence

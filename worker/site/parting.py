"""Where one game-turn ends and the next begins within what a packet led to: its events by game-turn, and the position between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from worker.canonical import Json
from worker.desk.archive import turn_of

RECORD = "turn_record"
"""The last event of a game-turn: the marker moves on. It is told there, but what it changes is of the next one."""
UNDECIDED: Json = {"agenda": [], "pending": [], "answers": {}, "asked": {}, "results": {}, "sets": {}, "closing": {}}
"""What waits in no position between two game-turns."""


def parted(number: int, before: Json, events: Sequence[Json], after: Json) -> list[tuple[int, list[Json], Json]]:
    """What lay between two positions by game-turn: its number, its events, the position at its end. ``number``: the game-turn of
    ``before``. One alone where the changes of the events do not make the position that followed.
    """
    groups = [(turn, [event for _, event in group]) for turn, group in groupby(_numbered(number, events), lambda one: one[0])]
    if groups and max(number, turn_of(after)) > groups[-1][0]:
        groups.append((turn_of(after), []))
    states: list[Json] = []
    counters, own, path = before["counters"], before["own"], before["path"]
    for _, group in groups:
        played = [event for event in group if event["kind"] != RECORD]
        counters, own = _changed(counters, own, played)
        path = next((event["path"] for event in reversed(played) if event["path"]), path)
        states.append(after | UNDECIDED | {"counters": counters, "own": own, "path": path})
        counters, own = _changed(counters, own, [event for event in group if event["kind"] == RECORD])
    if len(groups) < 2 or (counters, own) != (after["counters"], after["own"]):
        return [(number, list(events), after)]
    return [(turn, group, state) for (turn, group), state in zip(groups, [*states[:-1], after], strict=True)]


def _numbered(number: int, events: Sequence[Json]) -> Iterator[tuple[int, Json]]:
    """Each event with its game-turn; they do not go back."""
    for event in events:
        number = max(number, int(dict(event["path"]).get("turn", number)))
        yield number, event


def _changed(counters: Json, own: Json, events: Sequence[Json]) -> tuple[Json, Json]:
    """Counters and what is the game's own after the changes of events."""
    counters = dict(counters)
    for change in (change for event in events for change in event["changes"]):
        kind, subject = change[0], change[1]
        if kind == "own":
            own = _set_in(own, subject, change[2])
        elif kind == "add":
            counters[subject] = change[2]
        elif kind == "remove":
            counters.pop(subject, None)
        elif subject in counters:
            counters[subject] = _counter(counters[subject], change)
    return counters, own


def _counter(counter: Json, change: Sequence[Any]) -> Json:
    kind, _, value, *more = change
    if kind == "mark":
        marks = {*counter["marks"], value} if more[0] else {*counter["marks"]} - {value}
        return counter | {"marks": sorted(marks)}
    if kind == "num":
        left = {key: number for key, number in counter["num"].items() if key != value}
        return counter | {"num": left if more[0] is None else left | {value: more[0]}}
    return counter | {kind: value}


def _set_in(tree: Json, keys: Sequence[Any], value: Json) -> Json:
    first, *rest = keys
    copy = dict(tree)
    if rest:
        copy[first] = _set_in(copy.get(first, {}), rest, value)
    elif value is None:
        copy.pop(first, None)
    else:
        copy[first] = value
    return copy

"""The commands that write files for VASSAL: files in, files out, the services in this process."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from worker import local
from worker.canonical import Json
from worker.desk.drawing import between, events_in, numbered, seen_by
from worker.desk.study import read_state, scenario_of
from worker.play.games import UnusableInput, check_scenario
from worker.play.vassal import without_events


def module(scenario: str, theme: str) -> bytes:
    """The module of a scenario's game. ServiceRefused for a scenario that the rules do not play."""
    local.local_rules().scenario(check_scenario(scenario))
    return local.local_render().module({"scenario": check_scenario(scenario), "theme": theme})


def save(state_file: Path, side: str, theme: str) -> bytes:
    """A position as a side sees it."""
    state = read_state(state_file)
    seen = seen_by(local.local_rules(), state, side, None)
    return local.local_render().save(_body(state, without_events(seen), theme))


def log(before_file: Path, events_file: Path, side: str, theme: str) -> bytes:
    """What led from one position to the outcome in ``events_file``, as a side saw it.

    Where the two are apart, the outcomes between them are read from the folder in which both lie, as ``selfplay`` numbers them there.
    UnusableInput, naming what is missing, if these do not lead from the one to the other.
    """
    before, after = read_state(before_file), read_state(events_file)
    for key, what in (("game", "game"), ("scenario", "scenario"), ("hidden", "game"), ("data_digest", "data")):
        if before.get(key) != after.get(key):
            raise UnusableInput(f"{events_file} does not follow {before_file}: it is of another {what}.")
    if before == after:
        raise UnusableInput(f"{events_file} leads nowhere from {before_file}: the two positions are one. For a log give the one before.")
    events = _whole(before_file, events_file)
    rules = local.local_rules()
    was, seen = seen_by(rules, before, side, None), seen_by(rules, after, side, numbered(events))
    return local.local_render().log(_body(before, seen, theme) | {"before": was})


def _whole(before_file: Path, events_file: Path) -> list[Json]:
    """The events of all outcomes from one position to the other."""
    way = between(before_file, events_file)
    gone = [one.name for one in way if not one.exists()]
    if gone:
        raise UnusableInput(f"{events_file} does not follow {before_file} directly, and between them {_listed(gone)} missing.")
    told = [events_in(one) for one in way]
    states = [read_state(one) for one in (before_file, *way)]
    for (was, now), events in zip(pairwise(states), told, strict=True):
        if now.get("hidden") != was.get("hidden"):
            raise UnusableInput(f"Not all outcomes from {before_file} to {events_file} are of one game.")
        apart = max((n - _counted(was).get(side, n) for side, n in _counted(now).items()), default=1)
        if apart < 0:
            raise UnusableInput(f"{events_file} does not follow {before_file}: it is of an earlier moment.")
        if apart > 1 or not _leads(was, events, now):
            raise UnusableInput(_apart(before_file, events_file, apart - 1))
    return [event for events in told for event in events]


def _listed(names: list[str]) -> str:
    if len(names) == 1:
        return f"{names[0]} is"
    in_a_row = int(names[-1][:6]) - int(names[0][:6]) == len(names) - 1
    return f"{names[0]} to {names[-1]} are" if in_a_row else f"{', '.join(names[:12])}{' and more' if len(names) > 12 else ''} are"


def _apart(before_file: Path, events_file: Path, least: int) -> str:
    """``least``: so many outcomes between the two are missing, or more."""
    numbers = [int(one.stem) for one in (before_file, events_file) if one.stem.isdecimal() and len(one.stem) == 6]
    gone = [f"{n:06d}.json" for n in range(numbers[0] + 1, numbers[1])] if len(numbers) == 2 else []
    if not gone and least < 1:
        return f"{events_file} does not follow {before_file}: its events do not lead from the one position to the other."
    missing = _listed(gone) if gone else "an outcome is" if least == 1 else f"{least} outcomes or more are"
    return (
        f"{events_file} does not follow {before_file} directly: between them {missing} missing. "
        "A log over several outcomes needs all of them in one folder, numbered as by selfplay."
    )


def _counted(state: Json) -> dict[str, int]:
    """By side, how often what it sees has changed: by one at most in an outcome."""
    seq = state.get("seq")
    return {side: n for side, n in seq.items() if isinstance(n, int)} if isinstance(seq, dict) else {}


def _leads(was: Json, events: list[Json], now: Json) -> bool:
    """Whether the counters of one position are, by what the events change, where the other has them."""
    at = _places(was)
    for event in events:
        changes = event.get("changes") if isinstance(event, dict) else None
        for change in changes if isinstance(changes, list) else []:
            if isinstance(change, list) and len(change) == 3 and change[0] == "place":
                at[str(change[1])] = change[2]
    return at == _places(now)


def _places(state: Json) -> dict[str, Json]:
    counters = state.get("counters")
    return {key: one.get("place") for key, one in counters.items() if isinstance(one, dict)} if isinstance(counters, dict) else {}


def _body(state: Json, seen: Json, theme: str) -> Json:
    return {"scenario": scenario_of(state), "view": seen, "theme": theme, "secret": str(state.get("hidden"))}

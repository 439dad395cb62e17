"""The commands that write files for VASSAL: files in, files out, the services in this process."""

from __future__ import annotations

from pathlib import Path

from worker import local
from worker.canonical import Json
from worker.drawing import between, events_in, numbered, seen_by
from worker.games import UnusableInput, check_scenario
from worker.study import read_state, scenario_of
from worker.vassal import without_events


def module(scenario: str, theme: str) -> bytes:
    """The module of a scenario's game."""
    return local.local_render().module({"scenario": check_scenario(scenario), "theme": theme})


def save(state_file: Path, side: str, theme: str) -> bytes:
    """A position as a side sees it."""
    state = read_state(state_file)
    seen = seen_by(local.local_rules(), state, side, None)
    return local.local_render().save(_body(state, without_events(seen), theme))


def log(before_file: Path, events_file: Path, side: str, theme: str) -> bytes:
    """What led from one position to the outcome in ``events_file``, as a side saw it.

    In the folder of a self-played game the events of all outcomes between the two are shown.
    """
    before, after = read_state(before_file), read_state(events_file)
    for key, what in (("game", "game"), ("scenario", "scenario"), ("hidden", "game"), ("data_digest", "data")):
        if before.get(key) != after.get(key):
            raise UnusableInput(f"{events_file} does not follow {before_file}: it is of another {what}.")
    if before == after:
        raise UnusableInput(f"{events_file} leads nowhere from {before_file}: the two positions are one. For a log give the one before.")
    events = [event for one in between(before_file, events_file) for event in events_in(one)]
    rules = local.local_rules()
    was, seen = seen_by(rules, before, side, None), seen_by(rules, after, side, numbered(events))
    return local.local_render().log(_body(before, seen, theme) | {"before": was})


def _body(state: Json, seen: Json, theme: str) -> Json:
    return {"scenario": scenario_of(state), "view": seen, "theme": theme, "secret": str(state.get("hidden"))}

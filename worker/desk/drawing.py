"""The commands that draw a position: files in, a picture out, the services in this process."""

from __future__ import annotations

import re
from pathlib import Path

from worker import local
from worker.canonical import Json
from worker.desk.study import check_side, read_json, read_state, scenario_of, umpires_view
from worker.play.games import UnusableInput
from worker.ports import Rules

_CROP = re.compile(r"(\d{4})[:-](\d{4})\Z")
_SHOWN = frozenset({"path", "to", "hex", "place"})
"""What an event must hold for a map to show it."""
_NUMBERED = re.compile(r"\d{6}\.json\Z")


def look(theme: str, scale: int | None, crop: str | None) -> Json:
    """How a picture is asked for. ``crop``: front, or two hexes such as 0407:1211. UnusableInput."""
    found: Json = {"theme": theme} | ({} if scale is None else {"scale": scale})
    if crop is None or crop == "front":
        return found | ({"crop": crop} if crop else {})
    corners = _CROP.match(crop)
    if corners is None:
        raise UnusableInput(f"--crop {crop[:80]!r} is neither front nor two hexes such as 0407:1211.")
    return found | {"crop": "-".join(corners.groups())}


def form_of(out: Path, forms: tuple[str, ...], wanted: str | None = None) -> str:
    """The form of a picture, by the end of its file's name; ``wanted``: what was asked for, else the first of ``forms``. UnusableInput."""
    ending = out.suffix.lower().removeprefix(".")
    form = wanted or (ending if ending in forms else forms[0])
    plain = out.is_file() or not out.exists()  # a device or a pipe may be called anything
    if plain and ending and ending != form:
        several = f"--format {form}" if wanted else f"the picture is {' or '.join(one.upper() for one in forms)}"
        raise UnusableInput(f"{out} ends in .{ending[:20]}, but {several}: name the file {out.stem}.{form}.")
    return form


def turn_map(state_file: Path, side: str | None, events_file: Path | None, looks: Json) -> bytes:
    """The turn map as PNG, from the view of a side, or from all of them for the umpire."""
    state = read_state(state_file)
    events = None if events_file is None else events_in(events_file)
    if looks.get("plan") and events is None:
        raise UnusableInput("--plan needs --events: the outcome of orders with CHECK or HOLD.")
    if looks.get("plan") and not any(_SHOWN & set(event.get("data", {})) for event in events or [] if isinstance(event, dict)):
        raise UnusableInput(f"{events_file} plans nothing that a map could show: a try (CHECK) ends at the first die, secret or decision.")
    seen = seen_by(local.local_rules(), state, side, events)
    return local.local_render().map({"scenario": scenario_of(state), "view": seen} | looks)


def animation(outcome_file: Path, before_file: Path | None, side: str | None, looks: Json) -> bytes:
    """What led from the position in ``before_file`` to that in ``outcome_file``, as a moving picture.

    In the folder of a self-played game the position before is by default the outcome before; and where they lie further apart there, the
    events of all between them are shown.
    """
    before_file = before_file or _one_before(outcome_file)
    state, before = read_state(outcome_file), read_state(before_file)
    if scenario_of(before) != scenario_of(state):
        raise UnusableInput(f"{before_file} is of {scenario_of(before)}, {outcome_file} of {scenario_of(state)}.")
    events = [event for one in between(before_file, outcome_file) for event in events_in(one)]
    rules = local.local_rules()
    was, seen = seen_by(rules, before, side, None), seen_by(rules, state, side, numbered(events))
    return local.local_render().animate({"scenario": scenario_of(state), "before": was, "view": seen} | looks)


def seen_by(rules: Rules, state: Json, side: str | None, events: list[Json] | None) -> Json:
    """The view of a side; without one all that the sides know together. UnusableInput if there is no such side."""
    described = rules.scenario(scenario_of(state))
    if side is None:
        return umpires_view([rules.view(state, one) for one in described["game"]["sides"]], rules.view(state, None, events), events)
    check_side(described, side)
    return rules.view(state, side, events)


def numbered(events: list[Json]) -> list[Json]:
    """Events of several outcomes, numbered anew from 1."""
    return [one | {"n": n} for n, one in enumerate(events, start=1)]


def _one_before(outcome_file: Path) -> Path:
    if _NUMBERED.match(outcome_file.name) and int(outcome_file.stem) > 0:
        found = outcome_file.with_name(f"{int(outcome_file.stem) - 1:06d}.json")
        if found.is_file():
            return found
    raise UnusableInput(f"There is no outcome before {outcome_file} in its folder: give --before.")


def between(before_file: Path, outcome_file: Path) -> list[Path]:
    """The outcomes that lead from one file to the other."""
    numbers = [int(one.stem) for one in (before_file, outcome_file) if _NUMBERED.match(one.name)]
    if before_file.resolve().parent != outcome_file.resolve().parent or len(numbers) < 2:
        return [outcome_file]
    if numbers[0] >= numbers[1]:
        raise UnusableInput(f"{before_file} is no earlier outcome than {outcome_file}.")
    return [outcome_file.with_name(f"{n:06d}.json") for n in range(numbers[0] + 1, numbers[1] + 1)]


def events_in(path: Path) -> list[Json]:
    events = read_json(path).get("events")
    if not isinstance(events, list):
        raise UnusableInput(f"{path} holds no events: it is no outcome.")
    return events

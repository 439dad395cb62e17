"""Real positions for pictures: game-turns of a campaign that the adjutant played against itself, each with all that happened in it.

``python -m tests.render.positions`` plays the campaign again and writes the files anew.
"""

from __future__ import annotations

import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from services.render.views import View, read_view
from worker import local, study
from worker.ports import Rules
from worker.selfplay import play_into

FOLDER = Path(__file__).parent / "states"
SCENARIO, SEED = "holdfast/campaign-1", "07"
CHOSEN = ((5, "allied"), (16, None), (19, "axis"), (20, "axis"), (20, "allied"))
"""Game-turn and viewer (None: the umpire): most movements; most counters; and most of everything (the largest map of the game) with how it
was before."""
NAMES = tuple(f"turn-{turn:02d}-{side or 'umpire'}" for turn, side in CHOSEN)


@cache
def position(name: str) -> View:
    """One of ``NAMES``, as render reads it."""
    return read_view(json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8")))


def main() -> None:
    """Play the campaign and write the chosen game-turns."""
    with tempfile.TemporaryDirectory() as room:
        folder = Path(room) / "game"
        play_into(folder, SCENARIO, SEED, (), None, maps=False)
        rules = local.local_rules()
        outcomes = sorted((folder / "outcomes").glob("*.json"))
        for name, (turn, side) in zip(NAMES, CHOSEN, strict=True):
            written = json.dumps(_whole_turn(rules, outcomes, turn, side), ensure_ascii=False, separators=(",", ":"))
            (FOLDER / f"{name}.json").write_text(written + "\n", encoding="utf-8")


def _whole_turn(rules: Rules, outcomes: list[Path], turn: int, side: str | None) -> dict[str, Any]:
    """The view at a game-turn's end, with every event of the game-turn that the viewer may know."""
    last: dict[str, Any] = {}
    events: list[Any] = []
    for file in outcomes:
        outcome = json.loads(file.read_bytes())
        seen = _seen(rules, outcome["state"], side, outcome["events"])
        if seen["turn"] == turn:
            last = seen
            events += seen["events"]
    return {**last, "events": events}


def _seen(rules: Rules, state: Any, side: str | None, events: Any) -> dict[str, Any]:
    if side is not None:
        return dict(rules.view(state, side, events))
    sides = rules.scenario(SCENARIO)["game"]["sides"]
    return dict(study.umpires_view([rules.view(state, one) for one in sides], rules.view(state, None, events), events))


if __name__ == "__main__":
    main()

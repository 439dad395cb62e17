"""Real positions for pictures: game-turns of games that the adjutant played against itself, each with all that happened in it.

``python -m tests.render.positions`` plays the games again and writes the files anew.
"""

from __future__ import annotations

import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from services.render.views import View, read_view
from worker import local
from worker.desk import study
from worker.desk.selfplay import play_into
from worker.ports import Rules

FOLDER = Path(__file__).parent / "states"
ALL_RULES = ("air=true", "weather=true", "counterbattery=true", "landings=true", "more_replacements=true", "wadi_towns=true")
CHOSEN: dict[tuple[str, str, tuple[str, ...]], tuple[tuple[int, str | None], ...]] = {
    ("holdfast/campaign-1", "07", ()): ((5, "allied"), (16, None), (19, "axis"), (20, "axis"), (20, "allied")),
    ("beda-fomm/historical", "01", ()): ((12, "british"),),
    ("race-for-tunis/standard", "0b", ALL_RULES): ((9, None),),
    ("fall-of-tobruk/gazala", "07", ()): ((3, None),),
}
"""Of a scenario, played with a secret and options: game-turn and viewer (None: the umpire). Holdfast: most movements; most counters; and
most of everything (the largest map of the game) with how it was before. Beda Fomm: barrages, antitank fire, combats and a retreat about
the Pimple, with units still to come. Race for Tunis: attacks fought and declared, aircraft, a drop, losses of both sides. The
Fall of Tobruk: bombardments of Boxes, the tank battle behind the minefields with wrecks of both sides, tanks recovered."""


def name_of(scenario: str, turn: int, side: str | None) -> str:
    """The name of a position: its game stands in front if it is not Holdfast."""
    game = scenario.split("/")[0]
    return f"{'' if game == 'holdfast' else game + '-'}turn-{turn:02d}-{side or 'umpire'}"


NAMES = tuple(name_of(scenario, turn, side) for (scenario, _, _), turns in CHOSEN.items() for turn, side in turns)


@cache
def position(name: str) -> View:
    """One of ``NAMES``, as render reads it."""
    return read_view(json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8")))


def main() -> None:
    """Play the games and write the chosen game-turns."""
    for (scenario, secret, options), turns in CHOSEN.items():
        with tempfile.TemporaryDirectory() as room:
            folder = Path(room) / "game"
            play_into(folder, scenario, secret, options, max(turn for turn, _ in turns), maps=False)
            outcomes = sorted((folder / "outcomes").glob("*.json"))
            for turn, side in turns:
                written = json.dumps(_whole_turn(scenario, outcomes, turn, side), ensure_ascii=False, separators=(",", ":"))
                (FOLDER / f"{name_of(scenario, turn, side)}.json").write_text(written + "\n", encoding="utf-8")


def _whole_turn(scenario: str, outcomes: list[Path], turn: int, side: str | None) -> dict[str, Any]:
    """The view at a game-turn's end, with every event of the game-turn that the viewer may know."""
    rules = local.local_rules()
    last: dict[str, Any] = {}
    events: list[Any] = []
    for file in outcomes:
        outcome = json.loads(file.read_bytes())
        seen = _seen(rules, scenario, outcome["state"], side, outcome["events"])
        if seen["turn"] == turn:
            last = seen
            events += seen["events"]
    return {**last, "events": events}


def _seen(rules: Rules, scenario: str, state: Any, side: str | None, events: Any) -> dict[str, Any]:
    if side is not None:
        return dict(rules.view(state, side, events))
    sides = rules.scenario(scenario)["game"]["sides"]
    return dict(study.umpires_view([rules.view(state, one) for one in sides], rules.view(state, None, events), events))


if __name__ == "__main__":
    main()

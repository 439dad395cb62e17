"""``./test --all=selfplay:GAME:1-50``: whole games of the adjutant against itself, by seed, each checked packet by packet.

Checked: no exception, no order refused or skipped, no impossible position or event (``faults``), and a game played again has the same
digests. Results are kept in ``var/selfplay/<scenario>.json`` and taken up again while law and data are unchanged.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from services.rules.engine.model import GameState, Json, Outcome
from services.rules.engine.module import GameModule
from services.rules.engine.table import Table
from services.rules.registry import load_games
from services.rules.schemas.state import digest_of
from services.rules.selfplay import play
from tests.long.faults import GAMES

ROOT = Path(__file__).resolve().parents[2]
BY_CHANCE = ("beda-fomm", "race-for-tunis", "fall-of-tobruk")
"""Games that are played by options of chance, others by their defaults; and of which no victory level may be the rule."""
POINTS = "points"
"""The level of a game that ends with points alone and has no winner (Operation Eilbote, by its option)."""
MOST = 60
"""Of a hundred such games, how many may end at one level."""


class Impossible(AssertionError):
    """A position that no play may lead to."""


def check_outcome(module: GameModule, start: GameState, outcome: Outcome) -> None:
    """Impossible, with what is wrong, unless the outcome of a packet of the adjutant is as it must be."""
    if outcome.rejections:
        raise Impossible(f"refused: {outcome.rejections[0]}")
    skipped = [event.data for event in outcome.events if event.kind in ("line_skipped", "script_stopped")]
    if skipped:
        raise Impossible(f"not carried out: {skipped[0]}")
    game = GAMES[module.key]
    for fault in (*game.events(module, outcome.events), *game.position(module, start, outcome.state)):
        raise Impossible(fault)


def options_for(module: GameModule, seed: int) -> dict[str, Json]:
    """The options of a game by a seed: every value of each comes up, for games whose rulings the adjutant is to meet either way."""
    if module.key not in BY_CHANCE:
        return {}

    def chosen(key: str, values: Sequence[Json]) -> Json:
        return values[hashlib.sha256(f"{seed} {key}".encode()).digest()[0] % len(values)]

    return {key: chosen(key, spec.values) for key, spec in module.data.options.items()}


def play_through(module: GameModule, scenario: str, seed: int) -> dict[str, Any]:
    """One game with its checks; what came of it."""
    digests = hashlib.sha256()
    started = time.perf_counter()
    packets = 0
    start: GameState | None = None
    for _, outcome in play(module, scenario, options_for(module, seed), f"{seed:064x}"):
        start = start or outcome.state
        check_outcome(module, start, outcome)
        digests.update(digest_of(outcome.state).encode())
        state = outcome.state
        packets += 1
    assert state.over is not None
    return {
        "winner": state.over.winner,
        "level": state.over.level,
        "turns": Table(module, state).turn,
        "packets": packets,
        "digest": digests.hexdigest(),
        "seconds": round(time.perf_counter() - started, 1),
    }


def law() -> str:
    """A digest of everything that a game depends on."""
    found = hashlib.sha256()
    for path in sorted([*(ROOT / "services/rules").rglob("*.py"), *(p for p in (ROOT / "scenarios").rglob("*") if p.is_file())]):
        if "__pycache__" not in path.parts:
            found.update(path.read_bytes())
    return found.hexdigest()


def run(module: GameModule, scenario: str, seeds: range) -> bool:
    """Play the seeds that are not done; print the results. Whether all is well."""
    kept = ROOT / "var/selfplay" / f"{module.key}-{scenario}.json"
    kept.parent.mkdir(parents=True, exist_ok=True)
    now = law()
    done: dict[str, Any] = json.loads(kept.read_text()) if kept.exists() else {}
    games: dict[str, Any] = done["games"] if done.get("law") == now else {}
    for seed in seeds:
        if str(seed) in games:
            continue
        found = play_through(module, scenario, seed)
        if play_through(module, scenario, seed)["digest"] != found["digest"]:
            raise Impossible(f"{scenario} seed {seed}: another game when it is played again")
        games[str(seed)] = found
        kept.write_text(json.dumps({"law": now, "games": games}))
        print(
            f"{module.key}/{scenario} seed {seed}: {found['winner']} {found['level']}, {found['turns']} turns, {found['packets']} packets, "
            f"{found['seconds']} s",
            flush=True,
        )
    return report(module, scenario, [games[str(seed)] for seed in seeds])


def report(module: GameModule, scenario: str, games: list[dict[str, Any]]) -> bool:
    """Print what came of the games. Whether both sides won some, where there were enough of them to tell."""
    results = Counter((game["winner"], game["level"]) for game in games)
    print(f"{module.key}/{scenario}: {len(games)} games")
    for (winner, level), n in sorted(results.items(), key=str):
        print(f"  {winner or 'nobody'} {level}: {n}")
    print(
        f"  {sum(g['turns'] for g in games) / len(games):.1f} turns and {sum(g['packets'] for g in games) / len(games):.0f} packets a game"
    )
    told = [game for game in games if game["level"] != POINTS]
    if len(told) < 50:
        return True
    if {game["winner"] for game in told} != set(module.data.sides):
        print("  one side won them all")
        return False
    if module.key in BY_CHANCE and 100 * max(Counter((game["winner"], game["level"]) for game in told).values()) > MOST * len(told):
        print(f"  more than {MOST} of a hundred ended at one level")
        return False
    return True


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("what", help="GAME:FIRST-LAST, seeds")
    game, _, seeds = parser.parse_args().what.partition(":")
    first, _, last = (seeds or "1-50").partition("-")
    module = load_games()[game]
    good = [run(module, scenario, range(int(first), int(last or first) + 1)) for scenario in module.data.scenarios]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())

"""The archive: what the site of a whole campaign takes, in seconds and in megabytes, of the two longest there are.

Minutes; run only when it is named: ``python -m tests.bench archive``. The adjutant plays the campaigns first, which is not counted.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.harness import Bench
from worker.desk.selfplay import play_into
from worker.site.making import archive_one

CAMPAIGNS = {"Beda Fomm, 28 game-turns": "beda-fomm/historical", "Race for Tunis, 30 game-turns": "race-for-tunis/extended"}
SECONDS, MEGABYTES = 60.0, 40.0


@cache
def of(scenario: str) -> tuple[float, float]:
    """Seconds and megabytes of a campaign's site, made from nothing."""
    with TemporaryDirectory() as room:
        game, site = Path(room) / "game", Path(room) / "site"
        play_into(game, scenario, "03", (), None, maps=False)
        began = time.perf_counter()
        archive_one(str(game), site, None, "", lambda _: None)
        return time.perf_counter() - began, sum(path.stat().st_size for path in site.rglob("*") if path.is_file()) / 1e6


def benches() -> list[Bench]:
    """Each is made once: it is of hundreds of pictures."""
    made = []
    for name, scenario in CAMPAIGNS.items():
        made.append(Bench(f"archive: {name}", SECONDS, "s*", _part(scenario, 0), repeat=1))
        made.append(Bench(f"archive: {name}, its size", MEGABYTES, "MB", _part(scenario, 1), repeat=1))
    return made


def _part(scenario: str, part: int) -> Callable[[], float]:
    return lambda: of(scenario)[part]

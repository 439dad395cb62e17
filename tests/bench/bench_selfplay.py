"""Self-play: a whole campaign of the adjutant against itself into a folder, and its verification."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.harness import Bench
from worker.desk.selfplay import play_into
from worker.desk.verify import verify
from worker.local import local_mail, local_rules


def benches() -> list[Bench]:
    """Campaign 1, which is the longer one, by seed 5."""
    room = TemporaryDirectory()  # taken away with the benchmarks that hold it
    return [
        Bench("self-play, Campaign 1 to its end", 10, "s", lambda: _play(room), repeat=1),
        Bench("verify, the same game", 10, "s", lambda: _verify(room), repeat=1),
    ]


def _play(room: TemporaryDirectory[str]) -> Path:
    folder = Path(room.name) / "game"
    shutil.rmtree(folder, ignore_errors=True)
    play_into(folder, "holdfast/campaign-1", "05", (), None, maps=False)
    return folder


def _verify(room: TemporaryDirectory[str]) -> None:
    folder = Path(room.name) / "game"
    assert verify(folder if folder.is_dir() else _play(room), local_rules(), local_mail()).faults == []

"""The post under load: a thousand mails, four each for 250 games, in the inbox at once; every process real, receipts without pictures."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import func, select, update

from tests.bench.harness import Bench
from worker.app import make_parts
from worker.config import Config
from worker.local import local_rules
from worker.play.games import new_game
from worker.post.context import side_tokens
from worker.post.inboxes import make_maildir
from worker.serve import Running, running
from worker.store.database import open_database, reading, writing
from worker.store.tables import outbox

GAMES = 250
MAILS = ("CHECK\nCOMMIT 0\nEND", "HOLD\nCOMMIT 0\nDONE", "STANDING ON LOSSES LOSE PAVIA\nEND", "COMMIT 0\nEND")
PATIENCE = 600.0
ANN, BRUNO = "ann@player.example", "bruno@player.example"


def benches() -> list[Bench]:
    """Seconds until the last receipt has left, the memory of the largest process, and what all of them took of the two cores."""
    return [
        Bench("post: 1000 mails journaled, read, receipted", 60, "sec", lambda: _load()[0], repeat=1),
        Bench("post: memory of the largest process meanwhile", 300, "MB", lambda: _load()[1], repeat=1),
        Bench("post: processor time of all processes meanwhile", 90, "sec", lambda: _load()[2], repeat=1),
    ]


@cache
def _load() -> tuple[float, float, float]:
    with TemporaryDirectory(prefix="hexpost-bench-") as folder:
        config = Config(home=Path(folder), address="orders@hexpost.example", workers=2, pictures=0, vassal=0)._settled(Path(folder))
        mails = _begin(config)
        with running(config) as found:
            before, begin = _work(found), time.perf_counter()
            for number, raw in enumerate(mails):
                (config.inbox / "new" / f"{number:06d}.bench").write_bytes(raw)
            peak = _wait_for(len(mails), found, begin)
            return time.perf_counter() - begin, peak, _work(found) - before


def _begin(config: Config) -> list[bytes]:
    """The games, their first mails counted as sent, and the mails that are to come in: the first of every game, then the second."""
    make_maildir(config.inbox)
    config.home.mkdir(exist_ok=True)
    ports = replace(make_parts(replace(config, broker="redis://127.0.0.1:1")).ports, rules=local_rules())
    tagged = []
    for _ in range(GAMES):
        game = new_game(ports, "holdfast/campaign-1", {"axis": [ANN], "allied": [BRUNO]}, {})
        token = side_tokens(game)["axis"]
        tagged.append(f"orders+{game.id.lower()}-t{game.turn:02d}-{token}@hexpost.example")
    with writing(ports.journal.engine) as connection:
        connection.execute(update(outbox).values(status="sent"))
    ports.journal.engine.dispose()
    return [_mail(to, n, number, orders) for n, orders in enumerate(MAILS) for number, to in enumerate(tagged)]


def _mail(to: str, n: int, number: int, orders: str) -> bytes:
    head = f"From: {ANN}\nTo: {to}\nSubject: orders\nMessage-ID: <{number}.{n}@player.example>\n\n"
    return (head + orders + "\n").encode()


def _wait_for(count: int, found: Running, begin: float) -> float:
    """Wait until so many receipts have left; the largest memory that a process had, in MB."""
    engine = open_database(found.config.database)
    peak = 0.0
    query = select(func.count()).where(outbox.c.status == "sent", outbox.c.key.like("%/receipt/%"))
    while time.perf_counter() - begin < PATIENCE:
        peak = max(peak, *map(_memory, _family(found)))
        with reading(engine) as connection:
            sent = int(connection.scalar(query) or 0)
        if sent >= count:
            engine.dispose()
            return peak
        time.sleep(0.25)
    raise AssertionError(f"{sent} of {count} receipts left in {PATIENCE:g} s")


def _family(running: Running) -> list[int]:
    """The processes and those that they have started."""
    found = [process.pid for process in running.processes.values()]
    for pid in found:
        with suppress(OSError):
            for task in Path(f"/proc/{pid}/task").iterdir():
                found += [int(child) for child in (task / "children").read_text().split() if int(child) not in found]
    return found


def _work(running: Running) -> float:
    """The seconds of processor time that they have taken so far."""
    ticks = 0
    for pid in _family(running):
        with suppress(OSError):
            ticks += sum(int(one) for one in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13])
    return ticks / os.sysconf("SC_CLK_TCK")


def _memory(pid: int) -> float:
    """The most memory that a process has had, in MB; 0 once it is gone."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    return 0.0

"""The process that calls others: ``python -m worker.caller [HOST:PORT]``. It tells listeners of turns, and gives Discord its answers.

Whoever is called may be slow, and is not to be trusted: so no mail, no game and no deadline waits here. Each call has a thread; one
listener has one at most, one player a few, and there is a bound to them all. The process may be killed at any moment, and several may run:
what is to be told waits in the journal, and who tells it has a lease.
"""

from __future__ import annotations

import logging
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from types import MappingProxyType

from worker.app import make_parts
from worker.bots import calling, notices, sending
from worker.bots.sending import Head
from worker.config import Config
from worker.discord import followups
from worker.hosting.beats import beat
from worker.hosting.broker import check_broker
from worker.hosting.fitness import wait_until_fit
from worker.hosting.health import Health, serve_health
from worker.hosting.processes import begin
from worker.logs import set_up_logging
from worker.tasks import Parts

LANES = MappingProxyType({"enter": 2, "call": 16, "again": 8, "answer": 1})
"""How many may be at it at once: making notices, calling listeners, those that have failed, answering at Discord's. None takes the place of
another.
"""
EACH = 3
"""Calls of a lane at once to the listeners of one player, or to the channels of one game."""
LOOK = 5.0
"""Seconds between two looks at the journal, if nothing rings."""
REST = 0.5
"""Seconds for which something is left alone that another process is at, or that cannot be done yet."""
LONGEST_REST = 60.0
"""And where it ends in an error again and again."""
HANGS = 120.0
"""Seconds without a look after which the process must be started anew."""
GRACE = 4.0
"""Seconds that calls have to end when the process is told to."""
log = logging.getLogger("hexpost.caller")


@dataclass(frozen=True, slots=True)
class Work:
    """Something to do. ``key``: never twice at once; ``lane``: of ``LANES``; ``whose``: at most ``EACH`` at once in a lane;
    ``do``: gives the seconds for which the same is left alone then.
    """

    key: str
    lane: str
    whose: str
    do: Callable[[], float]


class Caller:
    """Finds what is to be told, and has it told. ``post``, ``send``: make the calls; ``looked``: when it last did, forward time."""

    def __init__(self, parts: Parts, post: sending.Post = calling.post, send: followups.Send = followups.send) -> None:
        self._ports, self._queues = parts.ports, parts.queues
        self._post, self._send = post, send
        self._lock = threading.Lock()
        self._running: dict[str, Work] = {}
        self._resting: dict[str, float] = {}
        self._errors: Counter[str] = Counter()
        self._bell = threading.Event()
        self._stopped = threading.Event()
        self.looked = time.monotonic()

    def run(self) -> None:
        """Work until ``stop``."""
        ears = threading.Thread(target=self._hear, name="bell", daemon=True)
        ears.start()
        while not self._stopped.is_set():
            self._bell.clear()
            wait = LOOK
            try:
                wait = self.look()
            except Exception:  # the database is away for a moment
                log.exception("the caller missed a look")
            self._bell.wait(wait)
        ears.join()

    def stop(self) -> None:
        """Begin nothing more, and give what is begun its time to end. What is cut off then is told again, under the same number."""
        self._stopped.set()
        self._bell.set()
        ends = time.monotonic() + GRACE
        while self._running and time.monotonic() < ends:
            time.sleep(0.02)

    def alive(self) -> bool:
        """Whether it looks."""
        return time.monotonic() - self.looked < HANGS

    def look(self) -> float:
        """Begin what can be begun now; the seconds until there may be more."""
        self.looked = now = time.monotonic()
        heads = sending.heads(self._ports.journal.engine)
        found = list(self._found(heads))
        with self._lock:
            keys = {one.key for one in found}
            self._resting = {key: until for key, until in self._resting.items() if until > now}
            self._errors = Counter({key: n for key, n in self._errors.items() if key in keys or key in self._running})
            free = [one for one in found if one.key not in self._running and one.key not in self._resting]
            waits = [self._resting[one.key] - now for one in found if one.key in self._resting]
        for one in free:
            self._begin(one)
        return max(0.05, min([LOOK, *waits, *self._until_next(heads)]))

    def _found(self, heads: Iterable[Head]) -> Iterator[Work]:
        """All that could be done now, what is due longest first."""
        engine, now = self._ports.journal.engine, self._ports.now()
        if followups.waiting(engine, now):
            yield Work("answer", "answer", "", self._answer)
        for game in notices.behind(engine):
            yield Work(f"enter {game}", "enter", game, partial(self._enter, game))
        for head in heads:
            if head.due <= now:
                yield Work(f"call {head.listener}", "again" if head.failing else "call", head.whose, partial(self._call, head.listener))

    def _until_next(self, heads: Iterable[Head]) -> list[float]:
        """The seconds until the next notice is due that is not yet."""
        now = self._ports.now()
        due = [head.due for head in heads if head.due > now]
        return [(datetime.fromisoformat(min(due)) - datetime.fromisoformat(now)).total_seconds()] if due else []

    def _begin(self, work: Work) -> None:
        with self._lock:
            lanes = Counter(one.lane for one in self._running.values())
            whose = Counter(one.whose for one in self._running.values() if one.lane == work.lane)
            if self._stopped.is_set() or lanes[work.lane] >= LANES[work.lane] or whose[work.whose] >= EACH:
                return  # whoever ends rings
            self._running[work.key] = work
        try:
            threading.Thread(target=self._do, args=(work,), name=work.key, daemon=True).start()
        except RuntimeError:  # the machine gives no more threads for now
            del self._running[work.key]
            raise

    def _do(self, work: Work) -> None:
        rest = 0.0
        try:
            rest = work.do()
            self._errors.pop(work.key, None)
        except Exception:  # database, queue or service: nothing is lost, and the others go on
            log.exception("%s", work.key)
            self._queues.meter.failed(work.lane)
            self._errors[work.key] += 1
            rest = min(LONGEST_REST, 2.0 ** min(self._errors[work.key], 10))
        finally:
            with self._lock:
                del self._running[work.key]
                self._resting[work.key] = time.monotonic() + rest
            self._bell.set()

    def _enter(self, game: str) -> float:
        return 0.0 if notices.enter(self._ports, self._queues, game) else REST

    def _call(self, listener: int) -> float:
        return 0.0 if sending.send(self._ports, self._queues, listener, self._post, self._stopped.is_set) else REST

    def _answer(self) -> float:
        followups.answer(self._ports, self._queues, self._send)
        return REST  # an answer may have to wait for its orders

    def _hear(self) -> None:
        """Ring here whenever it rings in Redis."""
        while not self._stopped.is_set():
            try:
                if self._queues.hear(2):
                    self._bell.set()
            except Exception as error:  # Redis is away: until it is back, the looks must do
                log.warning("the bell is away: %s", type(error).__name__)
                self._stopped.wait(1.0)


def run_caller(config: Config, listen: str = "") -> None:
    """Call until SIGTERM or SIGINT. ``listen``: where its health is told (``host:port``; empty: nowhere)."""
    check_broker(config.broker)
    stopped = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopped.set())
    caller = Caller(make_parts(config))
    beat("caller", config.broker)
    thread = threading.Thread(target=caller.run, name="caller", daemon=True)
    health = Health(config, lambda: not health.ready or (thread.is_alive() and caller.alive()), services=("rules", "mail", "render"))
    if listen:
        serve_health(listen, health)
    wait_until_fit(config, stopped)
    thread.start()
    health.ready = True
    stopped.wait()
    caller.stop()


if __name__ == "__main__":
    settings = Config.load()
    set_up_logging(settings)
    begin(lambda: run_caller(settings, *sys.argv[1:2]))

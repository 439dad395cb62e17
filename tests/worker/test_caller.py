"""The process that calls others: events leave at once, whoever is slow holds up only himself, and two callers tell nobody twice."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from time import monotonic, sleep
from typing import Any

import pytest
from redis import Redis

from tests.worker.conftest import Desk
from tests.worker.fakes import ANN, BRUNO
from tests.worker.test_notices import URL, Net, game_of, order
from worker import caller as callers
from worker.bots import listeners, notices, sending
from worker.bots.calling import Answer
from worker.caller import EACH, Caller
from worker.ports import ServiceDown
from worker.store.bottables import notices as entries
from worker.store.database import reading
from worker.store.records import SPECTATOR
from worker.tasks import Parts, register_tasks

BOTH = ("test_two_callers_tell_each_event_once_and_in_order",)
pytestmark = pytest.mark.timeout(60)


class SlowNet(Net):
    """Receivers of which some answer only when they are let."""

    def __init__(self, *slow: str) -> None:
        super().__init__()
        self.gates = {url: threading.Event() for url in slow}
        self.at_once: Counter[str] = Counter()
        self.most: Counter[str] = Counter()
        self.lock = threading.Lock()

    def __call__(self, url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        with self.lock:
            self.at_once[url] += 1
            self.most[url] = max(self.most[url], self.at_once[url])
            answer = super().__call__(url, body, headers)
        if url in self.gates:
            assert self.gates[url].wait(50)
        with self.lock:
            self.at_once[url] -= 1
        return answer

    def told(self, url: str) -> list[str]:
        """The numbers of the events that a receiver was sent, in order."""
        with self.lock:
            return [headers["webhook-id"].rpartition(".")[2] for called, _, headers in self.calls if called == url]


@pytest.fixture
def toy(desk: Desk) -> Desk:
    desk.ports.mail.report = lambda body: {"subject": "turn", "text": "", "html": "", "summary": []}  # type: ignore[method-assign]
    desk.start()
    return desk


def parts_of(desk: Desk) -> Parts:
    return Parts(desk.ports, desk.outbox, desk.queues, desk.inbox)


@contextmanager
def calling(desk: Desk, net: Net, count: int = 1) -> Iterator[list[Caller]]:
    """So many callers, at work."""
    made = [Caller(parts_of(desk), net) for _ in range(count)]
    threads = [threading.Thread(target=one.run, daemon=True) for one in made]
    for thread in threads:
        thread.start()
    try:
        yield made
    finally:
        for one in made:
            one.stop()
        for thread in threads:
            while thread.is_alive():
                desk.queues.ring()
                thread.join(0.05)


def wait_for(true: Callable[[], bool]) -> None:
    ends = monotonic() + 30
    while not true():
        assert monotonic() < ends
        sleep(0.01)


def listen(desk: Desk, side: str, *urls: str) -> None:
    whose = {"axis": ANN, "allied": BRUNO}[side]
    for url in urls:
        listeners.add(desk.ports.journal.engine, game_of(desk), side, whose, "standard", url)


def entered(desk: Desk) -> None:
    """Wait until all that has happened is entered for the listeners."""
    wait_for(lambda: not notices.behind(desk.ports.journal.engine))


def some(name: str, count: int) -> list[str]:
    return [f"https://{name}.example.org/{n}" for n in range(count)]


def test_as_many_events_as_wait_leave_at_once_and_a_slow_listener_holds_up_itself_alone(toy: Desk) -> None:
    """Of eight listeners one hangs: the seven others are told of two turns, mails go on, and then it is told of both in order."""
    slow, *fast = some("bruno", 8)
    listen(toy, "allied", slow, *fast)
    net = SlowNet(slow)
    with calling(toy, net):
        order(toy, "axis", "DONE")
        toy.queues.ring()
        wait_for(lambda: all(net.told(url) == ["1"] for url in (slow, *fast)))
        for side in ("allied", "axis"):  # the mails of the game are handled while it hangs
            order(toy, side, "DONE")
            toy.queues.ring()
            entered(toy)
        wait_for(lambda: {head.listener for head in sending.heads(toy.ports.journal.engine)} == {1})
        told = net.told(fast[0])
        assert len(told) >= 2
        assert [net.told(url) for url in fast] == [told] * 7
        assert net.told(slow) == ["1"]
        net.gates[slow].set()
        wait_for(lambda: net.told(slow) == told)
    assert set(net.most.values()) == {1}


def test_one_players_slow_listeners_take_no_place_of_another_s(toy: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(callers, "LANES", callers.LANES | {"call": EACH + 1})
    slow = some("ann", 8)
    listen(toy, "axis", *slow)
    listen(toy, "allied", URL)
    net = SlowNet(*slow)
    with calling(toy, net):
        for side in ("axis", "allied"):
            order(toy, side, "DONE")
            toy.queues.ring()
            entered(toy)
        wait_for(lambda: sum(net.at_once[url] for url in slow) == EACH)
        before = len(net.told(URL))
        order(toy, "axis", "DONE")
        toy.queues.ring()
        wait_for(lambda: len(net.told(URL)) > before)
        assert sum(net.at_once[url] for url in slow) == EACH
        for gate in net.gates.values():
            gate.set()
        wait_for(lambda: all("1" in net.told(url) for url in slow))


def test_those_that_fail_take_no_place_of_those_that_do_not(toy: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(callers, "LANES", callers.LANES | {"call": 1, "again": 1})
    (dead,) = some("dead", 1)
    net = SlowNet(dead)
    net.answers[dead] = Answer(500, b"")
    listen(toy, "axis", dead)
    net.gates[dead].set()
    with calling(toy, net):
        order(toy, "axis", "DONE")
        order(toy, "allied", "DONE")
        toy.queues.ring()
        wait_for(lambda: [head.due > toy.now for head in sending.heads(toy.ports.journal.engine)] == [True])
        net.gates[dead].clear()
        toy.now = "2026-03-27T20:14:14+00:00"
        toy.queues.ring()
        wait_for(lambda: net.at_once[dead] == 1)  # its second try hangs
        listen(toy, "allied", URL)
        order(toy, "axis", "DONE")
        toy.queues.ring()
        wait_for(lambda: net.told(URL) == ["1"])
        net.gates[dead].set()


def test_two_callers_tell_each_event_once_and_in_order(toy: Desk) -> None:
    urls = some("bruno", 4)
    listen(toy, "allied", *urls)
    net = SlowNet()
    with calling(toy, net, 2):
        for side in ("axis", "allied", "axis", "allied", "axis", "allied"):
            order(toy, side, "DONE")
            toy.queues.ring()
            entered(toy)
        wait_for(lambda: not sending.heads(toy.ports.journal.engine))
    told = [net.told(url) for url in urls]
    assert told == [[str(n) for n in range(1, len(told[0]) + 1)]] * 4
    assert len(told[0]) >= 3
    assert set(net.most.values()) == {1}
    with reading(toy.ports.journal.engine) as connection:
        assert {row["status"] for row in connection.execute(entries.select()).mappings()} == {"sent"}


def test_a_service_that_is_away_is_waited_for(toy: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(callers, "LONGEST_REST", 0.1)
    net, tried, there = SlowNet(), threading.Event(), threading.Event()
    listen(toy, "allied", URL)
    order(toy, "axis", "DONE")
    view = toy.rules.view

    def away(*given: Any) -> Any:
        tried.set()
        if not there.is_set():
            raise ServiceDown("The rules service cannot be reached.")
        return view(*given)

    monkeypatch.setattr(toy.rules, "view", away)
    with calling(toy, net) as (one,):
        assert tried.wait(30)
        assert one.alive()
        there.set()
        wait_for(lambda: net.told(URL) == ["1"])


def test_a_redis_that_is_away_is_waited_for(toy: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bell is out of order: the caller looks by itself."""
    monkeypatch.setattr(callers, "LOOK", 0.1)
    net = SlowNet()
    listen(toy, "allied", URL)

    def broken(seconds: int) -> bool:
        raise ConnectionError

    monkeypatch.setattr(toy.queues, "hear", broken)
    with calling(toy, net):
        order(toy, "axis", "DONE")
        wait_for(lambda: net.told(URL) == ["1"])


def test_a_caller_that_is_told_to_end_begins_nothing_more(toy: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(callers, "GRACE", 0.2)
    net = SlowNet(URL)
    listen(toy, "allied", URL)
    with calling(toy, net) as (one,):
        for side in ("axis", "allied", "axis"):
            order(toy, side, "DONE")
        toy.queues.ring()
        wait_for(lambda: net.told(URL) == ["1"])
        one.stop()  # it does not wait for the call for ever
        net.gates[URL].set()
        sleep(0.1)
    assert net.told(URL) == ["1"]


class Celery:
    """Celery's application, as the tasks use it: what they are, and what they have sent."""

    def __init__(self) -> None:
        self.tasks: dict[str, Any] = {}
        self.sent: list[tuple[str, tuple[str, ...]]] = []

    def task(self, name: str, **_: Any) -> Any:
        return lambda function: self.tasks.setdefault(name, function)

    def send_task(self, name: str, args: tuple[str, ...] = ()) -> None:
        self.sent.append((name, args))


def test_no_task_of_the_mails_calls_anybody_it_rings(toy: Desk, redis: Redis) -> None:
    app: Any = Celery()
    register_tasks(app, lambda: parts_of(toy))
    assert set(app.tasks) == {f"hexpost.{name}" for name in ("take_in", "drain", "post", "sweep")}
    listen(toy, "allied", URL)
    listeners.add(toy.ports.journal.engine, game_of(toy), SPECTATOR, "", "slack", URL)
    order(toy, "axis", "DONE")
    for _ in range(3):
        app.tasks["hexpost.post"]("G1")
    assert app.sent == []
    assert toy.queues.hear(1)
    assert not redis.exists("hexpost:bell")  # it rang once

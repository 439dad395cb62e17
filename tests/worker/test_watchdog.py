"""What tells a worker that has ceased to take tasks from one that has nothing to do, or much."""

from __future__ import annotations

import pytest

from worker.hosting.watchdog import IDLE, STUCK, Watchdog


class Seen:
    """A worker as the watchdog sees it, and a clock that is set by hand."""

    def __init__(self) -> None:
        self.waiting: int | None = 0
        self.busy: list[str] = []
        self.taken = 0
        self.now = 1000.0
        self.dog = Watchdog(lambda: self.waiting, lambda: self.busy, lambda: self.taken, lambda: self.now)

    def after(self, seconds: float) -> str:
        """What is found ``seconds`` later, having looked every five."""
        until = self.now + seconds
        found = self.dog.fault()
        while self.now < until and not found:
            self.now += 5
            found = self.dog.fault()
        return found


@pytest.mark.bug("C03")
def test_tasks_that_wait_for_a_minute_before_an_idle_worker_end_it() -> None:
    seen = Seen()
    assert seen.after(3600) == ""
    seen.waiting = 1
    assert seen.after(IDLE) == ""
    assert "takes none" in seen.after(10)


def test_a_worker_that_takes_tasks_lives_however_many_wait() -> None:
    seen = Seen()
    seen.waiting = 500
    for _ in range(20):
        assert seen.after(IDLE - 10) == ""
        seen.taken += 1
    assert seen.dog.fault() == ""
    assert "takes none" in seen.after(IDLE + 10)


def test_a_queue_that_is_away_says_nothing_of_the_worker() -> None:
    seen = Seen()
    seen.waiting = 3
    seen.after(IDLE - 10)
    seen.waiting = None
    assert seen.after(600) == ""
    seen.waiting = 3
    assert seen.after(IDLE) == ""


def test_one_task_may_take_a_quarter_of_an_hour_and_many_may_take_a_day() -> None:
    seen = Seen()
    seen.waiting = 3
    for number in range(200):
        seen.busy = [f"task {number}"]
        assert seen.after(STUCK - 10) == ""
    seen.busy = ["the last"]
    assert seen.after(STUCK) == ""
    assert "has gone on" in seen.after(10)

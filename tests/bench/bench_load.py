"""Load on one machine: what a packet costs with 50, 500 and 5,000 games, how long its answer takes, and what further workers add.

Ten minutes on two idle cores; run only when it is named: ``python -m tests.bench load``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from tests.bench.harness import Bench
from tests.bench.load import Figures, site

GAMES = (50, 500, 5000)
BURST = 96
ONE_GAME = 16


@cache
def of_games(count: int) -> tuple[Figures, Figures]:
    """With two workers: a burst, and mails at half the burst's pace."""
    with site(count) as found:
        found.burst(8)
        burst = found.burst(BURST)
        return burst, found.burst(BURST, every=2 / burst.rate)


@cache
def of_workers(count: int) -> tuple[Figures, bool]:
    """A burst of 500 games by so many workers; whether a game's packets kept the order of its mails."""
    with site(500, workers=count) as found:
        found.burst(8)
        burst = found.burst(BURST)
        _, order = found.one_game(ONE_GAME)
        return burst, order == sorted(order)


def benches() -> list[Bench]:
    """Each figure is taken once, for it is of dozens of mails."""
    once: dict[str, int] = {"repeat": 1}
    made = [Bench(f"load: {count} games, a packet with its map, two workers", 125, "ms/p", _cost(count), **once) for count in GAMES]
    made += [Bench(f"load: {count} games, mail to reply, 95 of 100", 2, "s p95", _wait(count), **once) for count in GAMES]
    made.append(Bench("load: cost of a packet with 5,000 games to that with 50", 1.2, "x", _flat, **once))
    made += [Bench(f"load: cost of a packet with {count} workers to that with one", 1, "x", _factor(count), **once) for count in (2, 4)]
    made += [Bench(f"load: games out of order with {count} workers", 0, "n", _disorder(count), **once) for count in (2, 4)]
    return made


def _cost(count: int) -> Callable[[], float]:
    return lambda: 1000 / of_games(count)[0].rate


def _wait(count: int) -> Callable[[], float]:
    return lambda: of_games(count)[1].p95


def _flat() -> float:
    return of_games(GAMES[0])[0].rate / of_games(GAMES[-1])[0].rate


def _factor(count: int) -> Callable[[], float]:
    return lambda: of_workers(1)[0].rate / of_workers(count)[0].rate


def _disorder(count: int) -> Callable[[], float]:
    return lambda: float(not of_workers(count)[1])

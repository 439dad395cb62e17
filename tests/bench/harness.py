"""How benchmarks are written and run.

Each ``tests/bench/bench_*.py`` has ``def benches() -> list[Bench]``. ``python -m tests.bench [word ...]`` runs them all, or those whose
name holds one of the words, and prints medians beside goals. Nothing here fails a test: timings depend on the machine.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

_SCALES = {"s": 1.0, "ms": 1e3, "us": 1e6}
_BUDGET = 2.0
"""Seconds that one benchmark may take, the first run apart."""


@dataclass(frozen=True, slots=True)
class Bench:
    """One measurement. ``goal``: the median wanted, in ``unit``.

    ``run``: for ``"s"``, ``"ms"`` and ``"us"`` what is timed, its value ignored; for any other unit (``"kB"``) it returns the measured
    value. ``repeat``: runs at most, after one that warms up; setting up belongs in ``benches()`` or in a closure, not in ``run``.
    """

    name: str
    goal: float
    unit: str
    run: Callable[[], object]
    repeat: int = 30


@dataclass(frozen=True, slots=True)
class Result:
    """A median with the extremes and the number of runs."""

    bench: Bench
    value: float
    low: float
    high: float
    runs: int

    @property
    def met(self) -> bool:
        """Whether the median is within the goal."""
        return self.value <= self.bench.goal

    def line(self) -> str:
        """One line of the table."""
        verdict = "ok" if self.met else "OVER"
        return (
            f"{self.bench.name:<58} {self.value:>10.2f} {self.bench.unit:<3} goal {self.bench.goal:>8g}  {verdict:<4} "
            f"({self.low:.2f} to {self.high:.2f}, {self.runs} runs)"
        )


def measure(bench: Bench) -> Result:
    """Run one benchmark: once to warm up, then until ``repeat`` runs or two seconds are over."""
    bench.run()
    values: list[float] = []
    stop = time.perf_counter() + _BUDGET
    while len(values) < bench.repeat and (time.perf_counter() < stop or not values):
        begin = time.perf_counter()
        returned = bench.run()
        values.append(_value(bench, returned, time.perf_counter() - begin))
    return Result(bench, median(values), min(values), max(values), len(values))


def _value(bench: Bench, returned: object, seconds: float) -> float:
    if bench.unit in _SCALES:
        return seconds * _SCALES[bench.unit]
    if not isinstance(returned, int | float):
        raise TypeError(f"{bench.name}: run() must return the value in {bench.unit}, not {type(returned).__name__}")
    return float(returned)

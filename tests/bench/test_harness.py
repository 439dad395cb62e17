"""The benchmark runner itself: units, verdicts and a run that is counted."""

from __future__ import annotations

import importlib

import pytest

from tests.bench.harness import Bench, Result, measure


def test_a_size_is_what_run_returns_and_a_median_is_taken() -> None:
    sizes = iter([999, 5, 1, 3])  # the first run only warms up
    result = measure(Bench("size", 3, "kB", lambda: next(sizes), repeat=3))
    assert (result.value, result.low, result.high, result.runs) == (3.0, 1.0, 5.0, 3)
    assert result.met


def test_a_time_is_measured_in_its_unit() -> None:
    calls: list[int] = []
    result = measure(Bench("time", 1e9, "us", lambda: calls.append(1), repeat=4))
    assert (len(calls), result.runs) == (5, 4)
    assert result.value > 0


def test_over_the_goal_is_said() -> None:
    line = Result(Bench("map", 100, "ms", int), 100.5, 90, 120, 7).line()
    assert "OVER" in line
    assert "100.50 ms" in line


def test_a_size_that_is_no_number_is_an_error() -> None:
    with pytest.raises(TypeError, match="size: run"):
        measure(Bench("size", 1, "kB", lambda: "x"))


@pytest.mark.parametrize("module", ["bench_adjudicate", "bench_orders", "bench_rules_io"])
def test_a_benchmark_of_the_law_still_runs(module: str) -> None:
    """Once each, untimed: what a change of the law breaks must not be found only by the next who measures."""
    benches = importlib.import_module(f"tests.bench.{module}").benches()
    assert benches
    for bench in benches:
        measure(Bench(bench.name, bench.goal, bench.unit, bench.run, repeat=1))

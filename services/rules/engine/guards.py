"""Guards of contingent orders: what ``IF`` may test in every game, and how a guarded line is read.

A guard sees only what the ordering side's view shows; a game replaces or adds tests by name (``GameModule.guards``).
"""

from __future__ import annotations

from collections.abc import Mapping

from scenarios.hexes import parse_hex
from services.rules.engine.model import Guard, IllegalOrder, Json, Side
from services.rules.engine.module import GameModule, GuardTest
from services.rules.engine.table import Table


def holds(table: Table, side: Side, guards: tuple[Guard, ...], context: Mapping[str, Json] | None = None) -> bool:
    """Whether all of ``guards`` hold for ``side`` now; ``context``: of the decision that an ``ON`` line answers.

    IllegalOrder if a test is unknown to the game, or names a fight that has no result yet (G20).
    """
    tests = {**COMMON, **(table.module.guards or {})}
    for guard in guards:
        if guard.test == "vacated":
            found = bool((context or {}).get("vacated"))
        elif guard.test not in tests:
            raise IllegalOrder("", "no-such-guard", test=guard.test)
        else:
            found = tests[guard.test](table, side, {**(context or {}), **guard.args})
        if found == guard.negated:
            return False
    return True


def check_static(module: GameModule, guards: tuple[Guard, ...]) -> None:
    """IllegalOrder if the game knows no such test."""
    for guard in guards:
        if guard.test != "vacated" and guard.test not in COMMON and guard.test not in (module.guards or {}):
            raise IllegalOrder("", "no-such-guard", test=guard.test)


def _vacant(table: Table, _: Side, args: Mapping[str, Json]) -> bool:
    at = parse_hex(args["hex"])
    return all(counter.place != at for counter in table.counters.values())


def _alive(table: Table, side: Side, args: Mapping[str, Json]) -> bool:
    counter = table.counters.get(args["unit"])
    return counter is not None and counter.side == side and isinstance(counter.place, tuple)


def _at(table: Table, side: Side, args: Mapping[str, Json]) -> bool:
    counter = table.counters.get(args["unit"])
    return counter is not None and counter.side == side and counter.place == parse_hex(args["hex"])


def _result(table: Table, _: Side, args: Mapping[str, Json]) -> bool:
    label = args["label"]
    if label not in table.results:
        raise IllegalOrder("", "no-result-yet", label=label)
    return table.results[label] in args["in"]


COMMON: Mapping[str, GuardTest] = {"vacant": _vacant, "alive": _alive, "at": _at, "result": _result}

"""Legal shots, attacks and slips, for ``legal``: worked out by trying the law."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from services.rules.engine.adjudication import Adjudication
from services.rules.engine.args import read_args
from services.rules.engine.model import IllegalOrder, Json, Order, Side
from services.rules.engine.positions import adjacent, hex_of, occupied, units_at
from services.rules.games.fall_of_tobruk import antitank, declaration, slip
from services.rules.games.fall_of_tobruk.orders import Attack, Fire, Occupy, Slip


def fire(trial: Adjudication, side: Side) -> Iterator[Order]:
    """All that can fire at their best, nobody, and each that can at each tank."""
    yield from (_shot(policy=policy) for policy in ("ALL", "NO"))
    seen = antitank.shooters(trial, side, first=trial.step.name == antitank.FIRST)
    yield from _passing(
        trial, (_shot(units=[unit], targets=[target], hex=str(hex_of(trial, target))) for unit in seen for target in seen[unit])
    )


def _shot(**given: Json) -> Order:
    nothing: dict[str, Json] = {"units": [], "targets": [], "hex": None, "else_targets": [], "policy": None}
    return Order(0, Fire.verb, {**nothing, "by": None, "min": None, "pool": None, **given})


def attacks(trial: Adjudication, side: Side) -> Iterator[Order]:
    """The attacks missing of those that must be made; then hexes that may be attacked, by all that are free for each, then by one; hexes
    that may be occupied."""
    yield from _passing(trial, declaration.missing(trial, side))
    for at in sorted(occupied(trial, trial.enemy(side))):
        near = [unit for to in adjacent(trial, at) for unit in units_at(trial, to) if trial.counters[unit].side == side]
        able = [unit for unit in near if passes(trial, _attack(str(at), [unit]))]
        if len(able) > 1:
            yield from _passing(trial, [_attack(str(at), able)])
        yield from (_attack(str(at), [unit]) for unit in able)
    pairs = declaration.emptied(trial, side)
    yield from _passing(trial, (Order(0, Occupy.verb, {"hex": str(at), "units": [unit]}) for at, unit in pairs))


def _attack(at: str, units: list[str]) -> Order:
    return Order(0, Attack.verb, {"hexes": [at], "units": units})


def slips(trial: Adjudication, side: Side) -> Iterator[Order]:
    """Reconnaissance units and where each may slip back to."""
    yield from (
        Order(0, Slip.verb, {"unit": unit, "hex": str(at), "never": False})
        for unit in slip.entitled(trial, side)
        for at in slip.hexes(trial, unit)
    )


def _passing(trial: Adjudication, orders: Iterable[Order]) -> Iterator[Order]:
    return (one for one in orders if passes(trial, one))


def passes(trial: Adjudication, wanted: Order) -> bool:
    """Whether the check of a step that gathers its orders refuses nothing."""
    taken = trial.step.takes(wanted.verb)
    assert taken is not None
    assert taken.check is not None
    try:
        taken.check(trial, read_args(taken.args, wanted.args), wanted)
    except IllegalOrder:
        return False
    return True


FINDERS: Mapping[str, Callable[[Adjudication, Side], Iterator[Order]]] = {
    antitank.FIRST: fire,
    antitank.SIMULTANEOUS: fire,
    "declaration": attacks,
    "slip": slips,
}
"""Step -> what finds its orders."""

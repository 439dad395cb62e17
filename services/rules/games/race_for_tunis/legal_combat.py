"""Legal orders of the package and of the defender's allotment, for ``legal``: worked out by trying the law."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from services.rules.engine.adjudication import Adjudication
from services.rules.engine.args import read_args
from services.rules.engine.model import IllegalOrder, Json, Order, Side
from services.rules.engine.positions import adjacent, occupied, on_map, units_at
from services.rules.games.race_for_tunis import compulsory, joining
from services.rules.games.race_for_tunis import package as declared
from services.rules.games.race_for_tunis.orders import Air, Attack, CounterBattery, Intercept, JoinBattle, Support
from services.rules.games.race_for_tunis.state import battles, is_artillery

FLYING = ("support", "interdict")


def package(trial: Adjudication, side: Side) -> Iterator[Order]:
    """The attacks missing of those that must be made; hexes that may be attacked, with all the units that are free for each, then with one;
    guns, aircraft and counterbattery for them."""
    whole: dict[str, Json] = {"support": [], "lower": None, "only": None, "rest": False}
    yield from _passing(trial, (replace(one, args={**whole, **one.args}) for one in compulsory.missing(trial, side)))
    enemy = trial.enemy(side)
    for at in sorted(occupied(trial, enemy)):
        near = [unit for to in adjacent(trial, at) for unit in units_at(trial, to) if trial.counters[unit].side == side]
        able = [unit for unit in near if not is_artillery(trial, unit) and passes(trial, _attack(str(at), [unit]))]
        if len(able) > 1:
            yield from _passing(trial, [_attack(str(at), able)])
        yield from (_attack(str(at), [unit]) for unit in able)
    attacked = [one for one in declared.gathered(trial, side) if one.verb == Attack.verb]
    guns, targets = _guns(trial, side), _guns(trial, enemy)
    labels = [declared.label_of(one) for one in attacked]
    yield from _passing(
        trial, (_order(Support.verb, guns=[gun], battle=label, maximise=False, deny=[]) for gun in guns for label in labels)
    )
    yield from _passing(trial, (_order(CounterBattery.verb, guns=[gun], target=target) for gun in guns for target in targets))
    hexes = [(at, "SUPPORT") for one in attacked for at in one.args["hexes"]]
    hexes += [(str(at), "INTERDICT") for at in sorted(occupied(trial, enemy))]
    flights = [unit for unit in trial.own["air"] if trial.counters[unit].side == side]
    yield from _passing(trial, (_order(Air.verb, air=unit, mission=mission, hex=at) for unit in flights for at, mission in hexes))


def allotment(trial: Adjudication, side: Side) -> Iterator[Order]:
    """Guns for the battles that they may support, interceptors for aircraft on missions."""
    labels = [one["label"] for one in battles(trial)]
    guns = _guns(trial, side)
    yield from _passing(
        trial, (_order(Support.verb, guns=[gun], battle=label, maximise=False, deny=[]) for gun in guns for label in labels)
    )
    choices = [(at, one["label"]) for at in joining.undecided(trial) for one in joining.choices(trial, at)]
    yield from _passing(trial, (_order(JoinBattle.verb, battle=label, units=[]) for _, label in choices))
    flights = trial.own["air"]
    ours = [unit for unit in flights if trial.counters[unit].side == side]
    theirs = [unit for unit, one in flights.items() if trial.counters[unit].side != side and one["state"] in FLYING]
    yield from _passing(trial, (_order(Intercept.verb, air=unit, target=target, keep=None) for unit in ours for target in theirs))


def _guns(trial: Adjudication, side: Side) -> list[str]:
    return [unit.id for unit in on_map(trial, side) if is_artillery(trial, unit.id)]


def _attack(at: str, units: list[str]) -> Order:
    return _order(Attack.verb, hexes=[at], units=units, support=[], lower=None, only=None, rest=False)


def _order(verb: str, **args: Json) -> Order:
    return Order(0, verb, args)


def _passing(trial: Adjudication, orders: Iterable[Order]) -> Iterator[Order]:
    return (one for one in orders if passes(trial, one))


def passes(trial: Adjudication, wanted: Order) -> bool:
    """Whether the open step, which takes orders of that verb and looks at each, refuses nothing in one."""
    taken = trial.step.takes(wanted.verb)
    assert taken is not None
    assert taken.check is not None
    try:
        taken.check(trial, read_args(taken.args, wanted.args), wanted)
    except IllegalOrder:
        return False
    return True

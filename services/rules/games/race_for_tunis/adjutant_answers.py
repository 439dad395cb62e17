"""The adjutant's answers: which units are lost, where the beaten go, who advances; and the defender's guns and fighters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scenarios.hexes import Hex, distance, parse_hex
from services.rules.engine.model import IllegalOrder, Json
from services.rules.engine.positions import adjacent, units_at
from services.rules.games.race_for_tunis import advance, interception, stacking
from services.rules.games.race_for_tunis.adjutant_aims import aims, power, prize
from services.rules.games.race_for_tunis.adjutant_ground import FAR, kind, way
from services.rules.games.race_for_tunis.adjutant_move import danger
from services.rules.games.race_for_tunis.adjutant_view import Draft
from services.rules.games.race_for_tunis.losses import choose
from services.rules.games.race_for_tunis.state import is_artillery


def answer(draft: Draft, decision: Mapping[str, Any]) -> None:
    """The answer to an open decision."""
    kind_ = decision["kind"]
    if kind_ == "retreat":
        args: Mapping[str, Json] = _retreat(draft, decision)
    elif kind_ == "advance":
        args = _advance(draft, decision)
    elif kind_ == "losses":
        args = _losses(draft, decision)
    else:
        args = decision["default"]
    draft.add(decision["verb"], **args)


def _losses(draft: Draft, decision: Mapping[str, Any]) -> Mapping[str, Json]:
    """The least sum, or the least worth if that is less."""
    context, default = decision["context"], decision["default"]
    units: Sequence[str] = decision["rule"]["units"]
    cheap = sorted(units, key=lambda unit: (draft.worth(unit), unit))
    lost = choose(draft.table, units, context["role"], decision["rule"]["need"], cheap)
    worth = sum(draft.worth(unit) for unit in lost)
    return {"units": list(lost), "split": True} if worth < sum(draft.worth(unit) for unit in default["units"]) else default


def _retreat(draft: Draft, decision: Mapping[str, Any]) -> Mapping[str, Json]:
    """To where there is least danger, among friends, and not far from what must be held."""
    table = draft.table
    choices: Sequence[Mapping[str, Json]] = decision["choices"]

    def rank(choice: Mapping[str, Json]) -> tuple[int, Any]:
        unit, end = choice["unit"], parse_hex(choice["path"][-1])
        friends = [other for other in units_at(table, end) if other != unit]
        stack = sum(power(draft, other) for other in friends) + power(draft, unit)
        risk = danger(draft, end, stack) * draft.worth(unit) // 100
        ours = [aim for aim in aims(draft) if aim.ours]
        near = min((way(draft, draft.side, kind(table, unit), aim.at).get(end, FAR) for aim in ours), default=0)
        return risk + 4 * min(near, 60) - prize(draft, end) // 4, choice["path"]

    return min(choices, key=rank)


# -- advances --------------------------------------------------------------------------------------------------------------------


def _advance(draft: Draft, decision: Mapping[str, Any]) -> Mapping[str, Json]:
    """As many as may go where that is better than to stay: a place that scores, or ground nearer to one that is safe enough."""
    best: tuple[int, list[str], tuple[Hex, ...]] = (0, [], ())
    for path in _paths(draft, decision["rule"]["into"], int(decision["rule"]["hexes"])):
        units = _able(draft, decision["rule"]["units"], path)
        worth = _worth(draft, units, path[-1])
        if units and worth > best[0]:
            best = worth, units, path
    if not best[1]:
        return {"none": True}
    return {"units": best[1], "hexes": [str(at) for at in best[2]]}


def _paths(draft: Draft, into: Sequence[str], most: int) -> Iterator[tuple[Hex, ...]]:
    table = draft.table
    paths: list[tuple[Hex, ...]] = [(parse_hex(at),) for at in into]
    for _ in range(min(most, 3)):
        yield from paths
        paths = [(*path, to) for path in paths for to in adjacent(table, path[-1]) if to not in path]


def _able(draft: Draft, units: Sequence[str], path: tuple[Hex, ...]) -> list[str]:
    """Those who may go that way together, the strongest first."""
    table = draft.table
    going: list[str] = []
    for unit in sorted(units, key=lambda unit: (-draft.worth(unit), unit)):
        try:
            advance.check_way(table, unit, path)
        except IllegalOrder:
            continue
        if stacking.fits(table, (*units_at(table, path[-1]), *going, unit)):
            going.append(unit)
    return going


def _worth(draft: Draft, units: Sequence[str], at: Hex) -> int:
    """What it is worth that units stand there rather than where they are."""
    table = draft.table
    stack = sum(power(draft, unit) for unit in units) + sum(power(draft, other) for other in units_at(table, at))
    worth = sum(draft.worth(unit) for unit in units)
    risk = danger(draft, at, stack) * worth // 100
    nearer = 0
    for unit in units:
        here = draft.place(unit)
        assert here is not None
        now = sum(power(draft, other) for other in units_at(table, here) if not is_artillery(table, other))
        risk -= danger(draft, here, max(1, now)) * draft.worth(unit) // 100 * 3 // 4
        there: list[tuple[int, int]] = [(distance(aim.at, at), distance(aim.at, here)) for aim in aims(draft) if not aim.ours]
        then, now_ = min(there, default=(0, 0))
        nearer += 15 * (now_ - then)
    held = any(aim.at == at and not aim.ours for aim in aims(draft))
    return (prize(draft, at) if held else 0) + nearer - risk


# -- the defender's guns and fighters --------------------------------------------------------------------------------------------


def allot(draft: Draft) -> None:
    """The guns where they change most, fighters at the best targets, by the rules for both."""
    draft.gather("SUPPORT", guns=[], battle=None, maximise=True, deny=[])
    if interception.can_intercept(draft.table, draft.side):
        draft.gather("INTERCEPT", air=interception.ALL, target=interception.HIGHEST, keep=None)

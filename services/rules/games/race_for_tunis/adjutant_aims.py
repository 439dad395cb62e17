"""What the adjutant wants: places that score, what each needs, and who is sent where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from scenarios.hexes import Hex, distance, parse_hex
from services.rules.engine.positions import on_map
from services.rules.games.race_for_tunis.adjutant_ground import turns_to
from services.rules.games.race_for_tunis.adjutant_view import Draft
from services.rules.games.race_for_tunis.ground import ground
from services.rules.games.race_for_tunis.setup import variant
from services.rules.games.race_for_tunis.state import attack_value, defence_value, holder, is_artillery

POINT = 450
"""Hundredths of a combat factor that a victory point is worth."""
LATE = 4
"""In the last game-turns places count double: what is lost then is not regained."""
NEAR = {0: 100, 1: 100, 2: 60, 3: 35, 4: 15, 5: 8}
"""Hundredths by which an enemy counts for a place that he can reach in so many game-turns."""
FULL = 1600
"""Hundredths of factors that one hex can hold, more or less."""


@dataclass(frozen=True)
class Aim:
    """A place: what it is worth, whether the side holds it, the factors that it needs there, in hundredths."""

    at: Hex
    worth: int
    ours: bool
    need: int


def points_of(draft: Draft) -> Mapping[Hex, int]:
    """The places that score in this scenario -> victory points."""

    def found() -> Mapping[Hex, int]:
        wanted = {"always", variant(draft.table.data, draft.table.before.scenario)["objectives"]}
        rows = draft.table.data.charts["objectives"].values()
        return {parse_hex(row["hex"]): int(row["vp"]) for row in rows if row["when"] in wanted}

    return draft.lasting("points", found)


def prize(draft: Draft, at: Hex) -> int:
    """What it is worth to a side that a hex is its own, in hundredths of a combat factor."""
    score = points_of(draft).get(at, 0) * POINT * (2 if draft.left < LATE else 1)
    fields = ground(draft.table).fields
    return score + (100 if at in fields else 0)


def aims(draft: Draft) -> tuple[Aim, ...]:
    """The places that score, with what they need: to be held against what may come, or to be taken from who is there."""
    return draft.lasting("aims", lambda: tuple(_aim(draft, at) for at in sorted(points_of(draft))))


def _aim(draft: Draft, at: Hex) -> Aim:
    table = draft.table
    ours = holder(table, at) == draft.side
    times = ground(table).terrain[at].defence
    if ours:
        danger = sum(_pressing(draft, unit.id, at) for unit in on_map(table, draft.enemy))
        least = 100 if danger or any(turns_to(draft, unit.id, at) <= 8 for unit in on_map(table, draft.enemy)) else 0
        return Aim(at, prize(draft, at), True, max(least, min(FULL, danger * 2 // (3 * times))))
    held = sum(100 * defence_value(table, unit) * (times if distance(at, here) == 0 else 1) for unit, here in _around(draft, at))
    return Aim(at, prize(draft, at), False, 200 + held * 5 // 2)


def _pressing(draft: Draft, unit: str, at: Hex) -> int:
    if is_artillery(draft.table, unit):
        return 0
    return attack_value(draft.table, unit) * NEAR.get(turns_to(draft, unit, at), 0)


def _around(draft: Draft, at: Hex) -> Iterable[tuple[str, Hex]]:
    """The enemies in a place and beside it."""
    for unit in on_map(draft.table, draft.enemy):
        assert isinstance(unit.place, Hex)
        if distance(unit.place, at) <= 1:
            yield unit.id, unit.place


# -- who goes where --------------------------------------------------------------------------------------------------------------


def power(draft: Draft, unit: str) -> int:
    """Hundredths of factors that a unit brings."""
    return 100 * max(attack_value(draft.table, unit), defence_value(draft.table, unit))


def assign(draft: Draft, far: Mapping[str, Mapping[Hex, int]]) -> Mapping[str, Aim]:
    """Each unit its place; ``far``: game-turns from every unit to every place, in hundredths. First what is held is covered, then the rest
    goes for what promises most."""
    left = dict.fromkeys(sorted(far))
    chosen: dict[str, Aim] = {}
    for aim in sorted((aim for aim in aims(draft) if aim.ours), key=lambda aim: (-aim.worth, aim.at)):
        _cover(draft, aim, far, left, chosen)
    targets = [aim for aim in aims(draft) if not aim.ours]
    while left and targets:
        best = max(targets, key=lambda aim: (_promise(draft, aim, far, left), aim.at))
        targets.remove(best)
        if _promise(draft, best, far, left) > 0:
            _cover(draft, best, far, left, chosen)
    for unit in tuple(left):
        chosen[unit] = min(aims(draft), key=lambda aim: (_pull(draft, aim, far[unit]), aim.at))
    return chosen


def _cover(draft: Draft, aim: Aim, far: Mapping[str, Mapping[Hex, int]], left: dict[str, None], chosen: dict[str, Aim]) -> None:
    """The nearest units are sent to a place until it has what it needs."""
    need = aim.need
    for unit in sorted(left, key=lambda unit: (far[unit][aim.at], unit)):
        if need <= 0:
            break
        if far[unit][aim.at] > 100 * (draft.left + 1):
            continue
        del left[unit]
        chosen[unit] = aim
        need -= power(draft, unit)


def _promise(draft: Draft, aim: Aim, far: Mapping[str, Mapping[Hex, int]], left: Mapping[str, None]) -> int:
    """What a place promises for the factors and the time that it takes; 0 if it is out of reach."""
    need, time = aim.need, 0
    for unit in sorted(left, key=lambda unit: (far[unit][aim.at], unit)):
        need -= power(draft, unit)
        time = far[unit][aim.at]
        if need <= 0:
            break
    if need > 0 or time > 100 * (draft.left + 1):
        return 0
    return aim.worth * 10_000 // (aim.need * (200 + time))


def _pull(draft: Draft, aim: Aim, far: Mapping[Hex, int]) -> int:
    """How little a place draws a unit that nobody needs: its distance, less what it is worth."""
    return far[aim.at] - aim.worth * (1 if aim.ours else 2) // 10

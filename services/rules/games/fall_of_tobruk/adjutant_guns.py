"""The adjutant's artillery: salvoes where they disrupt who is to be attacked, or kill who is disrupted twice."""

from __future__ import annotations

from scenarios.hexes import Hex, distance
from services.rules.engine.positions import hex_of, on_map
from services.rules.games.fall_of_tobruk import artillery
from services.rules.games.fall_of_tobruk.adjutant_ground import near_enemies, reach
from services.rules.games.fall_of_tobruk.adjutant_view import Draft
from services.rules.games.fall_of_tobruk.state import combat_value, disrupted, is_gun, is_tank, value

LEAST = 25
"""What a salvo must promise, in hundredths of a combat factor."""
SHAKEN = 12
"""Hundredths of its worth that it costs a unit to be disrupted, if nobody attacks it."""
ATTACKED = 45
"""The same where it is likely to be attacked."""
SALVO = 18
"""Factors of a salvo, at most."""


def bombard(draft: Draft) -> None:
    """One salvo, the best; the adjutant is asked again after the dice. When none promises enough, the step closes."""
    best = max(_salvoes(draft), key=lambda one: (one[0], one[1], one[2]), default=None)
    if best is None or best[0] < LEAST:
        draft.done()
        return
    draft.add("BARRAGE", guns=list(best[2]), hex=str(best[1]), else_hex=None)


def _salvoes(draft: Draft) -> list[tuple[int, Hex, tuple[str, ...]]]:
    """Salvoes at every hex that can be bombarded: what they promise, at what, with which guns. Guns next to no enemy keep what they could
    do by marching in mind."""
    table = draft.table
    found = []
    for at, guns in artillery.salvos(table, draft.side).items():
        ranked = sorted(guns, key=lambda gun: (-artillery.factor(table, gun, at), -value(table, gun, "factor"), gun))
        for n in range(1, len(ranked) + 1):
            some = tuple(sorted(ranked[:n]))
            factors = artillery.salvo(table, some, at)
            if factors < artillery.least(table):
                continue
            found.append((_gain(draft, at, some) * SALVO // max(SALVO, int(factors)), at, some))
            if factors >= SALVO:
                break
    return found


def _gain(draft: Draft, at: Hex, guns: tuple[str, ...]) -> int:
    """What a salvo may bring."""
    table = draft.table
    column = artillery.column(table, artillery.salvo(table, guns, at))
    assert column is not None
    share = _attackable(draft, at)
    total = 0
    for unit in artillery.targets_in(table, draft.side, at):
        drm = int(table.data.charts["costs"]["artillery"]["tank_drm"]) if is_tank(table, unit) else 0
        chance = sum(artillery.result(table, column, die + drm) for die in range(1, 7))
        price = 100 if disrupted(table, unit) else SHAKEN + (ATTACKED - SHAKEN) * share // 100
        total += draft.worth(unit) * price * chance
    return total // 600


def _attackable(draft: Draft, at: Hex) -> int:
    """Of a hundred, how likely it is that a hex is attacked: what could come next to it against what holds it."""
    table = draft.table
    coming = 0
    for unit in on_map(table, draft.side):
        here = hex_of(table, unit.id)
        if is_gun(table, unit.id) or here is None or distance(here, at) > 9:
            continue
        if any(to in near_enemies(draft) and distance(to, at) == 1 for to in reach(draft, unit.id)):
            coming += combat_value(table, unit.id)
    held = sum(combat_value(table, unit.id) for unit in on_map(table, draft.enemy) if unit.place == at)
    return min(100, 50 * coming // max(1, held * 2))

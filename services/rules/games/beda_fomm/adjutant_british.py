"""The adjutant of the British: Combeforce blocks the road, armor stands in the way of whoever is about to get past, or raids the column."""

from __future__ import annotations

from collections.abc import Iterator

from scenarios.hexes import Hex, neighbours, parse_hex
from services.rules.games.beda_fomm import arrivals, declaration
from services.rules.games.beda_fomm.adjutant_ground import FAR, Reach, Way, exits, reach, reach_in, tolls, way_to
from services.rules.games.beda_fomm.adjutant_italian import TOLLS
from services.rules.games.beda_fomm.adjutant_odds import battle_gain, shot_chance
from services.rules.games.beda_fomm.adjutant_view import Draft, worth
from services.rules.games.beda_fomm.ground import column_of
from services.rules.games.beda_fomm.state import (
    BRITISH,
    ITALIAN,
    class_of,
    combat_factor,
    flag,
    is_armor,
    is_parked,
    occupied,
    on_map,
    units_at,
    value,
)
from services.rules.games.beda_fomm.zoc import enemy_zoc

POSTS = {
    "2RB-A": "1732",
    "2RB-B": "1732",
    "106RHA": "1732",
    "11H-1": "1732",
    "2RB-C": "1631",
    "11H-2": "1631",
    "2RB-D": "1832",
    "KDG-B": "1832",
    "C-4RHA": "1733",
    "2RT-1": "1823",
    "2RT-2": "1823",
    "2RT-3": "1823",
    "J-3RHA": "1923",
    "F-4RHA": "2023",
    "4ARM-HQ": "1923",
}
"""Where units stand when nothing calls them away: the block at Sidi Saleh and the Pimple."""
BLOCK = ("2RB-A", "2RB-B", "2RB-C", "2RB-D", "106RHA", "C-4RHA", "11H-1", "11H-2", "KDG-B")
RESERVE = "1926"
ALARM = 5
"""Game-turns from the way out at which an Italian unit is intercepted."""
LATE = 20
"""From this game-turn on all armor keeps between the Italians and the south edge."""
MOST_CALLS = 12


def move(draft: Draft) -> None:
    """The block first, then who must stop somebody, then raids; the others go to their posts."""
    table = draft.table
    due = list(arrivals.due(table, BRITISH))
    free = [unit.id for unit in on_map(table, BRITISH) if unit.id not in BLOCK]
    for unit in BLOCK:
        if draft.place(unit) is not None:
            _to_post(draft, unit, reach(table, unit))
    ways = {unit: reach(table, unit) for unit in free} | {unit: reach_in(table, unit) for unit in due}
    left = [*free, *due]
    _stop_runners(draft, left, ways)
    _raid(draft, left, ways)
    for unit in left:
        _to_post(draft, unit, ways[unit])


def _march(draft: Draft, unit: str, path: tuple[Hex, ...]) -> bool:
    way = [str(at) for at in path]
    return draft.give("MOVE", units=[unit], path=way, to=None, via=[], road=False, drop=None, drop_at=None)


# -- posts -----------------------------------------------------------------------------------------------------------------------


def _to_post(draft: Draft, unit: str, there: Reach) -> None:
    """A unit goes to its post, or as near as it gets."""
    post = parse_hex(POSTS.get(unit, RESERVE))
    way = draft.table.remembered(("post", post), lambda: _way_to_post(draft, post))
    here = draft.place(unit)
    now = way.of(here) if here is not None else FAR
    zone = enemy_zoc(draft.table, BRITISH)
    for at in sorted((at for at in there if way.of(at) < now), key=lambda at: (at in zone, way.of(at), there[at][0], at)):
        if _march(draft, unit, there[at][1]):
            return


def _way_to_post(draft: Draft, post: Hex) -> Way:
    toll = tolls(enemy_zoc(draft.table, BRITISH), occupied(draft.table, ITALIAN), 6, 6, 60)
    return way_to(draft.table, "british", {post: 0}, toll)


# -- interception ----------------------------------------------------------------------------------------------------------------


def _stop_runners(draft: Draft, left: list[str], ways: dict[str, Reach]) -> None:
    """As long as an Italian unit is near the way out, the unit that can best stand in its way goes there."""
    table = draft.table
    alarm = ALARM if table.turn < LATE else len(table.data.turns) - table.turn + 2
    for _ in range(MOST_CALLS):
        runner = min(_runners(draft), key=lambda found: found[:2], default=None)
        if runner is None or runner[0] > alarm:
            return
        _, at, way = runner
        path = way.path(parse_hex(at), 24)
        if not _stand_in_the_way(draft, left, ways, path):
            return


def _runners(draft: Draft) -> Iterator[tuple[int, str, Way]]:
    """Game-turns that Italian units on the map have to the way out, and where they are."""
    table = draft.table
    found: dict[str, Way] = {}
    for unit in on_map(table, ITALIAN):
        kind = column_of(table, unit.id)
        if kind not in found:
            toll = tolls(enemy_zoc(table, ITALIAN), occupied(table, BRITISH), *TOLLS[kind])
            found[kind] = way_to(table, kind, exits(table, kind), toll)
        assert isinstance(unit.place, Hex)
        if not is_parked(table, unit.id):
            yield found[kind].of(unit.place) // (2 * value(table, unit.id, "ma")), str(unit.place), found[kind]


def _stand_in_the_way(draft: Draft, left: list[str], ways: dict[str, Reach], path: list[Hex]) -> bool:
    """The unit that gets in front of a runner, near him but not next to him if it can be; whether one does."""
    steps = {at: n for n, at in enumerate(path)}
    rows = []
    for unit in left:
        if class_of(draft.table, unit) == "weapons":
            continue
        here = draft.place(unit)
        spots = {**ways[unit], **({here: (0, ())} if here is not None else {})}
        for at, (cost, way) in spots.items():
            if at in steps:
                near = steps[at]
                rows.append((abs(near - 2) + (4 if near == 0 else 0), cost, unit, at, way))
    for _, _, unit, _, way in sorted(rows):
        if not way or _march(draft, unit, way):
            left.remove(unit)
            return True
    return False


# -- raids -----------------------------------------------------------------------------------------------------------------------


def _raid(draft: Draft, left: list[str], ways: dict[str, Reach]) -> None:
    """Armor goes where it can attack what is soft without being shot to pieces for it."""
    for unit in list(left):
        if not is_armor(draft.table, unit):
            continue
        rows = [(_raid_gain(draft, unit, at), at) for at in ways[unit] if _next_to_soft(draft, at)]
        gain, at = max(rows, default=(0, None))
        if at is not None and gain > 0 and _march(draft, unit, ways[unit][at][1]):
            left.remove(unit)


def _next_to_soft(draft: Draft, at: Hex) -> bool:
    return any(declaration.attackable(draft.table, BRITISH, to) for to in neighbours(at))


def _raid_gain(draft: Draft, unit: str, at: Hex) -> int:
    """What a raider may win from a hex, with those that are there already, less what antitank fire may cost."""
    table = draft.table
    targets = [to for to in neighbours(at) if declaration.attackable(table, BRITISH, to)]
    ours = [unit, *(other for other in units_at(table, at) if other != unit)]
    total = sum(combat_factor(table, one) for one in ours)
    gains = []
    for to in targets:
        theirs = units_at(table, to)
        defence = sum(combat_factor(table, one) for one in theirs)
        gains.append(500 if len(theirs) == 1 and is_parked(table, theirs[0]) else battle_gain(draft, total, defence, ours, theirs, 0))
    fire = sum(_fire(draft, other) for to in neighbours(at) for other in units_at(table, to) if table.counters[other].side == ITALIAN)
    loss = shot_chance(draft, fire, value(table, unit, "at")) * worth(draft, unit) * 100 // 6
    return (min(gains) if len(gains) > 1 else gains[0]) - loss


def _fire(draft: Draft, unit: str) -> int:
    return 0 if flag(draft.table, unit, "at_defends") else value(draft.table, unit, "at")

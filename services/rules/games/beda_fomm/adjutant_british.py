"""The adjutant of the British: Combeforce blocks the road, armor stands in the way of whoever is about to get past, or raids the column."""

from __future__ import annotations

from collections.abc import Iterator

from scenarios.hexes import Hex, neighbours, parse_hex
from services.rules.engine.positions import occupied, on_map, units_at
from services.rules.games.beda_fomm import antitank, arrivals, declaration
from services.rules.games.beda_fomm.adjutant_ground import FAR, Reach, Way, exits, reach, reach_in, tolls, way_to
from services.rules.games.beda_fomm.adjutant_italian import TOLLS, march
from services.rules.games.beda_fomm.adjutant_odds import battle_gain, shot_chance
from services.rules.games.beda_fomm.adjutant_view import Draft, worth
from services.rules.games.beda_fomm.state import BRITISH, ITALIAN, class_of, combat_factor, flag, is_armor, is_parked, value
from services.rules.games.beda_fomm.zoc import enemy_zoc

BLOCK = ["2RB-A@1732", "2RB-B@1732", "106RHA@1732", "11H-1@1732", "2RB-C@1832", "2RB-D@1832", "C-4RHA@1733"]
"""The block at Sidi Saleh: who stands where until the end."""
PIMPLE = ["2RT-1@1823", "2RT-2@1823", "2RT-3@1823", "J-3RHA@1923", "4ARM-HQ@1923", "F-4RHA@2023"]
FLANK = ["KDG-B@1832", "11H-2@2032"]
"""Where others stand when nothing calls them away."""
POSTS = dict(post.split("@") for post in (*BLOCK, *PIMPLE, *FLANK))
BLOCKING = [post.split("@")[0] for post in BLOCK]
RESERVE = "1934"
ALARM = 7
"""Game-turns from the way out at which an Italian unit is intercepted."""
LATE = 20
"""From this game-turn on all armor keeps between the Italians and the south edge."""
MOST_CALLS = 20
FASTEST = {"personnel": 20, "armor": 8}
"""Half MP of the fastest Italian units of a class."""
SOON = 4
"""Game-turns from the way out at which an Italian unit's next hexes are interdicted."""
AHEAD = 8
"""Hexes ahead of tanks for which cruisers make that cannot get in front of them yet."""


def move(draft: Draft) -> None:
    """The block first; then cruisers hunt tanks, light tanks bar the way to men on foot, cruisers that to tanks, and who is left raids the
    column or goes to his post."""
    table = draft.table
    due = list(arrivals.due(table, BRITISH))
    free = [unit.id for unit in on_map(table, BRITISH) if unit.id not in BLOCKING]
    for unit in BLOCKING:
        if draft.place(unit) is not None:
            _to_post(draft, unit, reach(table, unit))
    ways = {unit: reach(table, unit) for unit in free} | {unit: reach_in(table, unit) for unit in due}
    left = [*free, *due]
    _hunt(draft, left, ways)
    _stop_runners(draft, left, ways, "personnel")
    _stop_runners(draft, left, ways, "armor")
    if table.turn < LATE:
        _raid(draft, left, ways)
    for unit in left:
        _to_post(draft, unit, ways[unit])


def is_fist(draft: Draft, unit: str) -> bool:
    """Whether a unit is armor that can fire at armor."""
    return is_armor(draft.table, unit) and _fire(draft, unit) > 0


# -- posts -----------------------------------------------------------------------------------------------------------------------


def _to_post(draft: Draft, unit: str, there: Reach) -> None:
    """A unit goes to its post, or as near as it gets."""
    post = parse_hex(POSTS.get(unit, RESERVE))
    way = draft.lasting(("post", post), lambda: _way_to_post(draft, post))
    here = draft.place(unit)
    now = way.of(here) if here is not None else FAR
    zone = enemy_zoc(draft.table, BRITISH)
    for at in sorted((at for at in there if way.of(at) < now), key=lambda at: (at in zone, way.of(at), there[at][0], at)):
        if march(draft, unit, there[at][1]):
            return


def _way_to_post(draft: Draft, post: Hex) -> Way:
    toll = tolls(enemy_zoc(draft.table, BRITISH), occupied(draft.table, ITALIAN), 6, 6, 60)
    return way_to(draft.table, "british", {post: 0}, toll)


# -- interception ----------------------------------------------------------------------------------------------------------------


def _stop_runners(draft: Draft, left: list[str], ways: dict[str, Reach], kind: str) -> None:
    """As long as an Italian unit of a class is near the way out, the unit that can best stand in its way goes there."""
    table = draft.table
    alarm = ALARM if table.turn < LATE else len(table.data.turns) - table.turn + 2
    gone: set[Hex] = set()
    for _ in range(MOST_CALLS):
        way = table.remembered(("runners", kind), lambda: _way_of_runners(draft, kind, alarm + 1))
        rows = [(way.of(at) // (2 * value(table, unit, "ma")), at) for unit, at in _runners(draft, kind) if at not in gone]
        turns, at = min(rows, default=(FAR, None))
        if at is None or turns > alarm:
            return
        if not _stand_in_the_way(draft, left, ways, way.path(at, 24), kind):
            gone.add(at)


def _way_of_runners(draft: Draft, kind: str, turns: int) -> Way:
    """The way out for a class of Italian units as far as it is that many game-turns long."""
    table = draft.table
    toll = tolls(enemy_zoc(table, ITALIAN), occupied(table, BRITISH), *TOLLS[kind])
    return way_to(table, kind, exits(table, kind), toll, most=turns * FASTEST[kind])


def ahead_of_runners(draft: Draft) -> list[Hex]:
    """The next hexes of Italian units that are nearest to the way out, the foremost unit's first: what interdiction may make dear."""
    found: list[tuple[int, list[Hex]]] = []
    for kind in ("armor", "personnel"):
        way = _way_of_runners(draft, kind, SOON)
        found += [(way.of(at), way.path(at, 2)) for _, at in _runners(draft, kind) if way.of(at) <= SOON * FASTEST[kind]]
    return list(dict.fromkeys(at for _, path in sorted(found) for at in path))


def _runners(draft: Draft, kind: str) -> Iterator[tuple[str, Hex]]:
    """The Italian units of a class on the map, and where they are."""
    for unit in on_map(draft.table, ITALIAN):
        if class_of(draft.table, unit.id) == kind:
            assert isinstance(unit.place, Hex)
            yield unit.id, unit.place


def _stand_in_the_way(draft: Draft, left: list[str], ways: dict[str, Reach], path: list[Hex], kind: str) -> bool:
    """The unit that gets in front of a runner goes, near him but not next to him if it can be; whether one does."""
    steps = {at: n for n, at in enumerate(path)}
    zone = enemy_zoc(draft.table, BRITISH)
    rows = []
    for unit in left:
        if not is_armor(draft.table, unit) or is_fist(draft, unit) != (kind == "armor"):
            continue
        here = draft.place(unit)
        spots = {**ways[unit], **({here: (0, ())} if here is not None else {})}
        for at, (cost, way) in spots.items():
            if at in steps:
                rows.append((at in zone, abs(steps[at] - 2), cost, unit, at, way))
    for *_, unit, _, way in sorted(rows):
        if not way or march(draft, unit, way):
            left.remove(unit)
            return True
    return kind == "armor" and bool(path) and _come_nearer(draft, left, ways, path)


def _come_nearer(draft: Draft, left: list[str], ways: dict[str, Reach], path: list[Hex]) -> bool:
    """Cruisers that are too far away yet make for the way of tanks that have got past; whether one does."""
    there = path[min(len(path) - 1, AHEAD)]
    way = draft.lasting(("post", there), lambda: _way_to_post(draft, there))
    rows = [(way.of(at), unit, at) for unit in left if is_fist(draft, unit) for at in ways[unit]]
    for _, unit, at in sorted(rows):
        if march(draft, unit, ways[unit][at][1]):
            left.remove(unit)
            return True
    return False


# -- hunting tanks ---------------------------------------------------------------------------------------------------------------


def _hunt(draft: Draft, left: list[str], ways: dict[str, Reach]) -> None:
    """Cruisers that stand together go together where their fire at tanks brings most for what it may cost."""
    table = draft.table
    troops: dict[str, list[str]] = {}
    for unit in left:
        if is_fist(draft, unit):
            troops.setdefault(str(table.counters[unit].place), []).append(unit)
    for _, troop in sorted(troops.items()):
        here = draft.place(troop[0])
        spots = {at: ways[troop[0]][at][1] for at in ways[troop[0]] if all(at in ways[unit] for unit in troop)}
        if here is not None:
            spots[here] = ()
        rows = [(_hunting(draft, troop, at), at) for at in spots if any(_armor(draft, to) for to in neighbours(at))]
        gain, at = max(rows, default=(0, None))
        if at is None or gain <= 0:
            continue
        for unit in troop:
            if at == here or march(draft, unit, ways[unit][at][1]):
                left.remove(unit)


def _hunting(draft: Draft, troop: list[str], at: Hex) -> int:
    """What the fire of a troop from a hex may bring, less what the fire that it draws may cost."""
    table = draft.table
    fire = sum(_fire(draft, unit) for unit in troop)
    targets = [unit for to in neighbours(at) for unit in _armor(draft, to)]
    gain = max(shot_chance(draft, fire, antitank.defence(table, unit)) * worth(draft, unit) for unit in targets)
    drawn = sum(_fire(draft, other) for to in neighbours(at) for other in units_at(table, to) if table.counters[other].side == ITALIAN)
    ground_ = 2 if table.data.board.terrain[at] != "clear" else 1
    now = 1 if at != draft.place(troop[0]) else ground_
    loss = sum(shot_chance(draft, drawn, value(table, troop[0], "at") * n) for n in (now, ground_)) * worth(draft, troop[0]) // 2
    return (100 * gain - 100 * loss * CAUTION // 100) // 6


CAUTION, RAID_CAUTION = 160, 200
"""Hundredths: what own losses in a hunt and in a raid weigh."""


# -- raids -----------------------------------------------------------------------------------------------------------------------


def _raid(draft: Draft, left: list[str], ways: dict[str, Reach]) -> None:
    """Armor goes where it can attack what is soft without being shot to pieces for it."""
    for unit in list(left):
        if not is_armor(draft.table, unit) or is_fist(draft, unit):
            continue
        rows = [(_raid_gain(draft, unit, at), at) for at in ways[unit] if _next_to_soft(draft, at)]
        gain, at = max(rows, default=(0, None))
        if at is not None and gain > 0 and march(draft, unit, ways[unit][at][1]):
            left.remove(unit)


def _next_to_soft(draft: Draft, at: Hex) -> bool:
    return any(declaration.attackable(draft.table, BRITISH, to) for to in neighbours(at))


def _armor(draft: Draft, at: Hex) -> list[str]:
    """The Italian armor in a hex."""
    return [unit for unit in units_at(draft.table, at) if draft.table.counters[unit].side == ITALIAN and is_armor(draft.table, unit)]


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
    return max(gains) - loss * RAID_CAUTION // 100


def _fire(draft: Draft, unit: str) -> int:
    return 0 if flag(draft.table, unit, "at_defends") else value(draft.table, unit, "at")

"""The adjutant before its first move: set-up, new units, refits and reserve tanks, wrecks, and the brigade that is freed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from scenarios.hexes import Hex, distance, parse_hex
from services.rules.engine.model import Json
from services.rules.engine.positions import occupied, on_map, units_at
from services.rules.games.fall_of_tobruk import opening, paralysis, placement, repair
from services.rules.games.fall_of_tobruk.adjutant_aims import centre, fortress, pressure
from services.rules.games.fall_of_tobruk.adjutant_ground import FAR, fits, way
from services.rules.games.fall_of_tobruk.adjutant_view import Draft
from services.rules.games.fall_of_tobruk.state import ALLIED, AXIS, combat_value, first_day, formation_of, kind_of, size_of, wrecks
from services.rules.games.fall_of_tobruk.victory import holder, quotas

PLACES = {
    "7MTR": "1206 1208 1906",
    "67MTR": "1608 1606 1906",
    "68MTR": "2705 2704 2702",
    "RPS": "2705 2704 2702",
    "DM": "2705 2704 2702",
    "KDG": "1421 1423 1722",
    "12L": "1717 1617 1817",
    "1SP": "1917 2112 2519",
    "88-1": "1223 1222 1023",
    "88-2": "1124 1123 1023",
    "88-3": "1021 1020 0920",
    "288": "1023 0922 0822",
    "605": "1022 0922 0822",
    "7B": "0918 0818 0817",
    "XI-1": "0917 0817 0818",
    "XI-2": "0917 0817 0818",
    "XI-3": "0917 0817 0818",
    "132ENG": "0812 0811 0815",
}
"""Where units of free placement go, the first that is open: behind the Boxes and round Tobruk; with the armor, and by the Trigh el Abd."""


def place_all(draft: Draft) -> None:
    """Units of free placement are set up; one that finds none of its hexes open goes to the first that is."""
    table, friends = draft.table, occupied(draft.table, draft.side)
    near = sorted(table.data.board.terrain, key=lambda at: (min(distance(at, to) for to in friends), at))
    given: dict[Hex, list[str]] = {}
    for unit in placement.to_place(table, draft.side):
        for at in (*map(parse_hex, PLACES.get(unit, "").split()), *near):
            beside = given.setdefault(at, [])
            if fits(draft, (*units_at(table, at), *beside, unit)) and draft.gather("PLACE", unit=unit, hex=str(at)):
                beside.append(unit)
                break


# -- new units ---------------------------------------------------------------------------------------------------------------------


def new_units(draft: Draft) -> None:
    """Whatever can come in does, where it is nearest to where it is wanted."""
    table, side = draft.table, draft.side
    for unit in opening.waiting(table, side):
        _come(draft, unit, opening.entry_of(table, unit), "ENTER", unit=unit)
    for keep, scrap in list(opening.refits(table, side)):
        if opening.in_pool(table, keep) and all(opening.in_pool(table, unit) for unit in scrap):
            _refit(draft, keep)
    for _ in range(2):
        for row, tank in list(opening.reserves(table, side)) if _commits(draft) else ():
            _come(draft, tank, opening.EDGE[side], "RESERVE", model=str(row["model"]).upper())


def _refit(draft: Draft, keep: str) -> None:
    """The best of a kind comes back, the least of it pay for it."""
    table = draft.table
    pool = [c.id for c in table.counters.values() if c.side == draft.side and opening.in_pool(table, c.id)]

    def kin(unit: str) -> tuple[str, str, str]:
        return size_of(table, unit), opening.colour(table, unit), opening.refit_class(table, unit)

    alike = sorted((unit for unit in pool if kin(unit) == kin(keep)), key=lambda unit: (-draft.worth(unit), unit))
    need = opening.price(table, keep)
    if len(alike) > need:
        _come(draft, alike[0], opening.EDGE[draft.side], "REFIT", keep=alike[0], scrap=alike[len(alike) - need :])


def _commits(draft: Draft) -> bool:
    """Whether reserve tanks are sent into battle: of the Allies not when they will be counted in the end."""
    if draft.side == AXIS or (holder(draft.table) == ALLIED and draft.left > 5):
        return True
    tanks = quotas(draft.table)["tanks"]
    return holder(draft.table) == ALLIED and tanks["done"] > tanks["need"]


def _come(draft: Draft, newcomer: str, entry: str, verb: str, **args: Json) -> bool:
    """A unit comes in at the open hex of its entry that lies nearest to where it is wanted."""
    table = draft.table
    goal = fortress(draft) if draft.side == ALLIED else centre(draft, AXIS)
    inland = fortress(draft)
    found = opening.ways_in(table, newcomer, entry)
    if inland in found and pressure(draft, inland, AXIS) > 0:
        found = (inland,)
    near = way(draft, goal)
    return any(draft.give(verb, hex=str(at), **args) for at in sorted(found, key=lambda at: (near.get(at, FAR), at))[:3])


# -- wrecks ------------------------------------------------------------------------------------------------------------------------


def repairs(draft: Draft) -> None:
    """The best wrecks are recovered; an Allied marker that nobody stands on is scrapped for tanks that wait in reserve; enemy wrecks are
    demolished where nothing can be recovered. On the first day the strongest brigade that is not stirred is freed."""
    table, side = draft.table, draft.side
    if side == ALLIED and first_day(table) and not table.own["freed"]:
        _free(draft)
    tanks = sorted(repair.recoverable(table, side), key=lambda tank: (-draft.worth(tank), tank))
    if side == AXIS and tanks:
        draft.gather("RECOVER", tank=tanks[0], mode=repair.AUTO)
        tanks = tanks[1:]
    tried = [tank for tank in tanks if draft.gather("RECOVER", tank=tank, mode=repair.TRY)]
    if side == ALLIED:
        _scrap(draft, tried)
    if not list(repair.recoverable(table, side)):
        for tank, unit in sorted(repair.targets(table, side), key=lambda one: (-draft.worth(one[0]), one))[:1]:
            draft.gather("DEMOLISH", tank=tank, unit=unit)


def _scrap(draft: Draft, tried: Iterable[str]) -> None:
    """Scrap the marker with most tanks for which there is stock and none in the destroyed box, if no friend is near to recover them."""
    table = draft.table
    recoverable = set(repair.recoverable(table, ALLIED))
    stock: Mapping[str, int] = table.own["reserve"]
    ranked = []
    for one in wrecks(table):
        units = [str(tank["unit"]) for tank in one["tanks"]]
        if one["side"] != ALLIED or recoverable & set(units) or set(units) & set(tried):
            continue
        useful = [unit for unit in units if int(stock.get(kind_of(table, unit), 0)) > 0]
        if useful and not any(unit.place == parse_hex(one["hex"]) for unit in on_map(table, ALLIED)):
            ranked.append((len(useful), -int(one["n"])))
    if ranked and _commits(draft):
        draft.gather("SCRAP", wreck=f"W{-max(ranked)[1]}")


def _free(draft: Draft) -> None:
    """Of the brigades near the enemy of which none can move yet the strongest."""
    table = draft.table
    foe = centre(draft, AXIS)
    near = way(draft, foe)
    weight: dict[str, int] = {}
    for unit in on_map(table, ALLIED):
        if isinstance(unit.place, Hex) and not paralysis.may_move(table, unit.id) and near.get(unit.place, FAR) < 60:
            weight[formation_of(table, unit.id)] = weight.get(formation_of(table, unit.id), 0) + combat_value(table, unit.id)
    open_ = [name for name in paralysis.brigades(table) if name in weight]
    if open_:
        draft.gather("FREE", brigade=max(open_, key=lambda name: (weight[name], name)))

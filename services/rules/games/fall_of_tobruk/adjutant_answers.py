"""The adjutant's answers: which units are lost, where the beaten go, who advances, and who slips away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scenarios.hexes import Hex, distance, parse_hex
from services.rules.engine.model import IllegalOrder, Json
from services.rules.engine.positions import units_at
from services.rules.games.fall_of_tobruk import advance, losses, minefield, retreat, slip
from services.rules.games.fall_of_tobruk.adjutant_aims import fed, fortress, mobile
from services.rules.games.fall_of_tobruk.adjutant_goals import focus, prize, rally
from services.rules.games.fall_of_tobruk.adjutant_ground import FAR, danger, fits, others_at, way
from services.rules.games.fall_of_tobruk.adjutant_view import Draft
from services.rules.games.fall_of_tobruk.assault import find
from services.rules.games.fall_of_tobruk.ground import at_of, box_at
from services.rules.games.fall_of_tobruk.mines import hinders
from services.rules.games.fall_of_tobruk.state import ALLIED, AXIS, is_gun, is_tank
from services.rules.games.fall_of_tobruk.victory import tobruk


def answer(draft: Draft, decision: Mapping[str, Any]) -> None:
    """The answer to an open decision."""
    args: Mapping[str, Json] = ANSWERS[decision["kind"]](draft, decision)
    draft.add(decision["verb"], **args)


def _losses(draft: Draft, decision: Mapping[str, Any]) -> Mapping[str, Json]:
    """The least sum, or the least worth if that is less."""
    rule, default = decision["rule"], decision["default"]
    units: Sequence[str] = rule["units"]
    cheap = sorted(units, key=lambda unit: (draft.worth(unit), unit))
    lost = losses.choose(draft.table, units, rule["need"], rule["measure"], cheap)
    less = sum(draft.worth(unit) for unit in lost) < sum(draft.worth(unit) for unit in default["units"])
    return {"units": list(lost), "split": True, "mine": False} if less else default


def _mine_losses(draft: Draft, decision: Mapping[str, Any]) -> Mapping[str, Json]:
    """The tanks of least worth."""
    rule = decision["rule"]
    cheap = sorted(rule["units"], key=lambda unit: (draft.worth(unit), unit))
    return {"units": list(minefield.choose(draft.table, rule["units"], rule["need"], cheap)), "split": None, "mine": True}


def _retreat(draft: Draft, decision: Mapping[str, Any]) -> Mapping[str, Json]:
    """Out of zones and mines, to where there is room, then where there is least danger and not far from where one is wanted."""
    table = draft.table
    unit = decision["rule"]["units"][0]
    plan = {other: tuple(map(parse_hex, path)) for other, path in decision["context"]["plan"].items()}
    rank = retreat.ranking(table, unit, plan)
    home = way(draft, fortress(draft) if draft.side == ALLIED else focus(draft))

    def key(path: tuple[Hex, ...]) -> Any:
        return rank(path)[0], danger(draft, path[-1], {unit, *units_at(table, path[-1])}) + min(home.get(path[-1], FAR), 200) // 4, path

    best = min((tuple(map(parse_hex, choice["path"])) for choice in decision["choices"]), key=key)
    return {"unit": None, "path": [], "hex": str(best[-1]), "avoid": []}


def _advance(draft: Draft, decision: Mapping[str, Any]) -> Mapping[str, Json]:
    """As many as may go where that is better than to stay."""
    table, context = draft.table, decision["context"]
    one = find(table, context["label"])
    best: tuple[int, list[str], Hex | None] = (0, [], None)
    for path in advance.ways(table, one, str(context["role"]), int(context["hexes"]), context["into"]):
        units = _able(draft, decision["rule"]["units"], path)
        worth = _worth(draft, units, path) if units else 0
        if worth > best[0]:
            best = worth, units, path[-1]
    if best[2] is None:
        return {"none": True, "units": [], "hex": None, "max": None}
    return {"units": best[1], "hex": str(best[2]), "none": False, "max": None}


def _able(draft: Draft, units: Sequence[str], path: tuple[Hex, ...]) -> list[str]:
    """Those who may go that way together, the strongest first; no tanks across mines."""
    table = draft.table
    going: list[str] = []
    for unit in sorted(units, key=lambda unit: (is_gun(table, unit), -draft.worth(unit), unit)):
        if is_tank(table, unit) and hinders(table, unit, at_of(table, unit), path[0]) and path[-1] not in tobruk(table):
            continue
        if draft.side == ALLIED and (box_at(table, at_of(table, unit)) or at_of(table, unit) in tobruk(table)):
            continue
        try:
            advance.check_way(table, (*going, unit), path)
        except IllegalOrder:
            continue
        going.append(unit)
    return going


def _worth(draft: Draft, units: Sequence[str], path: tuple[Hex, ...]) -> int:
    """What it is worth that units stand at the end of a way rather than where they are."""
    table, to = draft.table, path[-1]
    if to in tobruk(table):
        return 10_000
    worth = sum(draft.worth(unit) for unit in units)
    found = prize(draft, to) // 4 - danger(draft, to, {*units, *units_at(table, to)}) * worth // 100
    goal = way(draft, focus(draft) if draft.side == AXIS else rally(draft))
    for unit in units:
        here = at_of(table, unit)
        found += danger(draft, here, units_at(table, here)) * draft.worth(unit) // 100
        found += 5 * (min(goal.get(here, FAR), 400) - min(goal.get(to, FAR), 400)) if mobile(draft, unit) else 0
    return found - (0 if fed(draft, to) else worth // 8)


# -- slipping away -----------------------------------------------------------------------------------------------------------------


def slips(draft: Draft) -> None:
    """Reconnaissance units that are attacked go where they are safest; those that hold Tobruk alone stay."""
    table = draft.table
    gone: dict[Hex, list[str]] = {}  # they all leave at once: each needs room beside those before it
    for unit in slip.entitled(table, draft.side):
        at = at_of(table, unit)
        if at in tobruk(table) and len(units_at(table, at)) == 1:
            continue
        open_ = [to for to in slip.hexes(table, unit) if fits(draft, (*others_at(draft, to, ()), *gone.get(to, ()), unit))]

        def key(to: Hex, unit: str = unit) -> Any:
            return danger(draft, to, {unit, *units_at(table, to)}), distance(to, fortress(draft)), to

        for to in sorted(open_, key=key):
            if draft.gather("SLIP", unit=unit, hex=str(to), never=False):
                gone.setdefault(to, []).append(unit)
                break


ANSWERS = {"losses": _losses, "mine losses": _mine_losses, "retreat": _retreat, "advance": _advance}
"""Kind of decision -> its answer."""

"""The adjutant's answers: where a beaten unit retreats, who advances; the rest as the rules would have it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scenarios.hexes import Hex, distance, parse_hex
from services.rules.engine.model import Json
from services.rules.engine.positions import hex_of, occupied
from services.rules.games.beda_fomm.adjutant_italian import way_out
from services.rules.games.beda_fomm.adjutant_view import Draft
from services.rules.games.beda_fomm.stacking import LIMIT, load
from services.rules.games.beda_fomm.state import BRITISH, ITALIAN, class_of, is_armor
from services.rules.games.beda_fomm.zoc import barred_by_type


def answer(draft: Draft, decision: Mapping[str, Any]) -> None:
    """The answer to an open decision."""
    kind = decision["kind"]
    if kind == "retreat":
        args: Mapping[str, Json] = _retreat(draft, decision)
    elif kind == "advance":
        args = _advance(draft, decision["rule"]["units"], parse_hex(decision["rule"]["hex"]))
    else:
        args = decision["default"]
    draft.add(decision["verb"], **args)


def _retreat(draft: Draft, decision: Mapping[str, Any]) -> Mapping[str, Json]:
    """Over the south edge if that scores; else Italians where their way out is shortest, British where they still stand in it."""
    choices: list[Mapping[str, Json]] = decision["choices"]
    unit = choices[0]["unit"]
    if draft.side == ITALIAN:
        leaving = [choice for choice in choices if choice["exit"]]
        if leaving:
            return leaving[0]
        way = way_out(draft, unit)
        return min(choices, key=lambda choice: (way.of(parse_hex(choice["path"][-1])), choice["path"]))
    enemies = occupied(draft.table, ITALIAN)

    def rank(choice: Mapping[str, Json]) -> tuple[int, int, list[str]]:
        end = parse_hex(choice["path"][-1])
        near = min((distance(end, at) for at in enemies), default=9)
        return (near < 2, -end.row, choice["path"])

    return min(choices, key=rank)


def _advance(draft: Draft, able: list[str], at: Hex) -> Mapping[str, Json]:
    """Italians go on where it is nearer to the way out; the British stay where they are but for armor on the road."""
    going: list[str] = []
    nobody: Mapping[str, Json] = {"units": [], "hex": None, "none": True}
    for unit in sorted(able, key=lambda unit: (not is_armor(draft.table, unit), unit)):
        here = hex_of(draft.table, unit)
        if draft.side == BRITISH or here is None or load(draft.table, (*going, unit)) > LIMIT:
            continue
        barred = barred_by_type(draft.table, unit, at, [one for one in going if is_armor(draft.table, one)])
        way = way_out(draft, unit)
        if barred is None and way.of(at) < way.of(here) and class_of(draft.table, unit) != "transport":
            going.append(unit)
    return {"units": going, "hex": str(at), "none": False} if going else nobody

"""Positions for the tests of pictures: the real board of Holdfast, a small one of our own, and views as the rules service gives them."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import Any

from scenarios.data import Board, GameData, HexFeature
from scenarios.hexes import Hex, Hexside, parse_hex, parse_hexside
from scenarios.loader import load_games
from services.render.views import View, read_view


@lru_cache(maxsize=1)
def holdfast() -> GameData:
    """The package that ships."""
    return load_games()["holdfast"]


def islands() -> Board:
    """Eight columns, six rows: land in the south, an island in the sea with a lake on it."""
    sea = {Hex(c, r) for c in range(1, 9) for r in (1, 2, 3)}
    terrain = {Hex(c, r): "clear" for c in range(1, 9) for r in (5, 6)}
    return Board(
        columns=8,
        rows=6,
        terrain=terrain,
        sea=frozenset(sea),
        features={parse_hex("0405"): (HexFeature(parse_hex("0405"), "village", "Bir Test"),)},
        hexsides={"escarpment": frozenset({parse_hexside("0305/0306")})},
        up_side=frozenset({"escarpment"}),
        roads={"road": frozenset(both_ways("0505", "0605", "0705"))},
        names={"BIR TEST": parse_hex("0405")},
        lines={"coast": (((0.0, 4.3), (4.0, 4.4), (9.0, 4.3)), square(5.0, 2.2, 1.4), square(5.0, 2.2, 0.4))},
    )


def square(u: float, v: float, half: float) -> tuple[tuple[float, float], ...]:
    """A closed line around a point, in hex units."""
    corners = ((u - half, v - half), (u + half, v - half), (u + half, v + half), (u - half, v + half))
    return (*corners, corners[0])


def both_ways(*chain: str) -> set[Hexside]:
    """A road along a chain of hexes, as boards store it."""
    hexes = [parse_hex(label) for label in chain]
    pairs = list(pairwise(hexes))
    return {Hexside(a, b) for a, b in pairs} | {Hexside(b, a) for a, b in pairs}


def small_game() -> GameData:
    """Holdfast's counters and style on the small board."""
    return replace(holdfast(), board=islands(), digest="small")


def own(unit: str, place: str, *, side: str = "axis", sp: int = 4, alias: str | None = None, marks: tuple[str, ...] = ()) -> dict[str, Any]:
    """A counter that its viewer knows."""
    num = {"sp": sp}
    return {
        "id": unit,
        "alias": alias or unit,
        "side": side,
        "card": unit,
        "place": place,
        "marks": list(marks),
        "num": num,
        "known": "own",
    }


def block(alias: str, place: str, side: str = "allied") -> dict[str, Any]:
    """An enemy block of which only colour and place are known."""
    return {"id": None, "alias": alias, "side": side, "card": None, "place": place, "marks": [], "num": {}, "known": "no"}


def wire(counters: list[dict[str, Any]], events: list[dict[str, Any]] | None = None, **more: Any) -> dict[str, Any]:
    """A view as JSON. ``more`` replaces its members, and those of ``own`` by name."""
    state: dict[str, Any] = {
        "month": "1941-03",
        "weather": "clear",
        "rp": {"axis": 8, "allied": 10},
        "control": {"0210": "axis", "0504": "allied", "1803": "allied", "2204": "allied", "3907": "allied"},
        "air": {"axis": {"X1": "free"}, "allied": {}},
        "leader": {"axis": {"ROMMEL": {"move": False, "attack": False}}, "allied": {}},
        "held": {"axis": 0, "allied": 0},
        "ezoc": [],
    }
    state |= {key: more.pop(key) for key in list(more) if key in state}
    view: dict[str, Any] = {
        "game": "holdfast",
        "scenario": "campaign-1",
        "side": "axis",
        "options": {},
        "path": [["turn", 1], ["player-turn", "axis"]],
        "turn": 1,
        "phasing": "axis",
        "step": None,
        "seq": 3,
        "counters": counters,
        "own": state,
        "events": [{"n": k + 1, "clause": "", "path": [], **event} for k, event in enumerate(events or [])],
        "pending": [],
        "waiting_for": ["axis"],
        "standing": [],
        "on": [],
        "tail": None,
        "drafts": {},
        "over": None,
    }
    return view | more


def view(counters: list[dict[str, Any]], events: list[dict[str, Any]] | None = None, **more: Any) -> View:
    """A view as render reads it."""
    return read_view(wire(counters, events, **more))


def moved(side: str, alias: str, *path: str) -> dict[str, Any]:
    """A movement as an opponent sees it; the start stands first."""
    return {"kind": "moved", "data": {"side": side, "alias": alias, "path": list(path)}}

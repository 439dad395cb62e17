"""Turn maps: 2400 pixels on the longer side, with warm caches and from nothing, in each theme, and how large the files are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import msgspec

from scenarios.data import GameData
from scenarios.hexes import Hex
from scenarios.loader import load_games
from services.render import turn_map
from services.render.animation import Format, render_animation
from services.render.specimens import PARTS
from services.render.style import style_sheet, styled, themes
from services.render.turn_map import Framing, draw_base, render_map
from services.render.views import View
from tests.bench.harness import Bench
from tests.render.boards import block, holdfast, moved, own, view
from tests.render.positions import position


def benches() -> list[Bench]:
    """The fullest turn of a self-played campaign, and one fuller than any: thirty counters, eight movements, four battles."""
    return [bench for theme in themes("holdfast") for bench in _in_theme(theme)] + [
        Bench("turn map, 2400 pixels, cold base", 1200, "ms", lambda: _cold(holdfast(), busy()), repeat=3),
        *_beda_fomm(),
        *_others(),
    ]


def _in_theme(theme: str) -> Iterator[Bench]:
    data, sheet = holdfast(), style_sheet("holdfast", theme)
    for what, seen in (("played", position("turn-20-axis")), ("fuller", busy())):

        def draw(seen: View = seen) -> bytes:
            return render_map(data, seen, theme=theme)

        def measured(seen: View = seen) -> float:
            return len(render_map(data, seen, theme=theme)) / 1000

        yield Bench(f"turn map, 2400 pixels, {theme}, {what}, warm caches", 100, "ms", draw)
        yield Bench(f"turn map, 2400 pixels, {theme}, {what}, as a file", 500, "kB", measured, repeat=1)
    yield Bench(f"base board, 2400 pixels, {theme}, from nothing", 1000, "ms", lambda: draw_base(data, sheet, 2400), repeat=3)


def _beda_fomm() -> Iterator[Bench]:
    """Every counter on the map, sixty movements, shots, barrages and combats all along the road."""
    data = load_games()["beda-fomm"]
    seen = crowded(data)
    yield Bench("turn map, 2400 pixels, Beda Fomm, all counters, warm caches", 100, "ms", lambda: render_map(data, seen))
    size = partial(render_map, data, seen)
    yield Bench("turn map, 2400 pixels, Beda Fomm, all counters, as a file", 500, "kB", _size_of(size), repeat=1)
    front = partial(render_map, data, seen, scale=800, framing=Framing(crop="front"))
    yield Bench("main front, 800 pixels, Beda Fomm, all counters, warm caches", 100, "ms", front)


def _others() -> Iterator[Bench]:
    """The other pictures of a mail, and the sample sheets."""
    data, seen, front = holdfast(), position("turn-20-axis"), Framing(crop="front")
    before = position("turn-19-axis")
    yield Bench("main front, 800 pixels, warm caches", 100, "ms", lambda: render_map(data, seen, scale=800, framing=front))
    yield Bench(
        "main front, 800 pixels, as a file", 120, "kB", lambda: len(render_map(data, seen, scale=800, framing=front)) / 1000, repeat=1
    )
    forms: tuple[Format, ...] = ("webp", "gif")
    for form in forms:
        animate = partial(render_animation, data, before, seen, form=form)
        yield Bench(f"animation, 800 pixels, {form}", 10, "s", animate, repeat=1)
        yield Bench(f"animation, 800 pixels, {form}, as a file", 1500, "kB", _size_of(animate), repeat=1)
    for part, draw in PARTS.items():
        for game in styled():
            yield Bench(f"sample sheet, 1600 pixels, {game}, {part}, as a file", 500, "kB", _size_of(partial(draw, game, "light", 1600)), 1)


def _size_of(draw: Callable[[], bytes]) -> Callable[[], float]:
    return lambda: len(draw()) / 1000


def _cold(data: GameData, seen: View) -> bytes:
    turn_map._kept.clear()
    return render_map(data, seen)


def crowded(data: GameData) -> View:
    """Italians down the whole road in twos and threes, the British on both sides of its southern half; all have moved or been shot at."""
    road = sorted({one.a for one in data.board.roads["road"]}, key=lambda at: at.row)
    sides = {side: [unit for unit, card in data.cards.items() if card.side == side] for side in data.sides}
    place = {unit: road[3 + k // 3] for k, unit in enumerate(sides["italian"])}
    place |= {unit: Hex(road[16 + k // 2].col + (3 if k % 4 < 2 else -3), road[16 + k // 2].row) for k, unit in enumerate(sides["british"])}
    counters = [
        {"id": unit, "side": data.cards[unit].side, "card": unit, "place": str(at), "marks": ["moved"], "num": {}, "known": "own"}
        for unit, at in place.items()
    ]
    events: list[dict[str, Any]] = []
    for k, (unit, at) in enumerate([*place.items()][:35] + [*place.items()][-25:]):
        side = data.cards[unit].side
        way = [Hex(at.col, at.row + n) for n in (-4, -3, -2, -1, 0)] if k % 2 else [Hex(at.col + n, at.row) for n in (3, 2, 1, 0)]
        path = [str(one) for one in way if one.row > 0]
        events.append({"kind": "moved", "data": {"side": side, "units": [unit], "path": path}})
    for k, unit in enumerate(sides["british"]):
        near = str(road[16 + k // 2])
        shot = {"units": [unit], "target": "T-1", "hex": near, "column": "2:1", "result": "DE" if k % 3 else "-"}
        shelled = {"hex": near, "from": str(place[unit]), "factors": 5}
        attackers = [{"unit": unit, "from": str(place[unit])}]
        fought = {"hex": near, "label": near, "odds": "3:1", "result": "DM2", "attackers": attackers, "defender": {"unit": "T-1"}}
        kind, told = (("shot", shot), ("barrage", shelled), ("battle", fought))[k % 3]
        events += [{"kind": kind, "data": told}, {"kind": "rolled", "data": {"why": "antitank", "dice": [k % 6 + 1], "site": near}}]
        if k % 4 == 0:
            events.append({"kind": "eliminated", "data": {"unit": "T-1", "hex": near}})
    zoc = [str(Hex(at.col + across, at.row)) for at in road[3:30] for across in (-2, -1, 0, 1, 2)]
    shown = view(counters, events, ezoc=zoc, morale={row["parent"]: 7 for row in data.charts["morale"]}, vp=4)
    return msgspec.structs.replace(shown, game="beda-fomm", scenario="historical", side="italian", turn=14, phasing="italian")


def busy() -> View:
    """A turn as full as they come."""
    axis = [unit for unit, card in holdfast().cards.items() if card.side == "axis"]
    counters = [own(unit, f"{k + 5:02d}{8 + k % 3:02d}", marks=("moved", "attacked") if k % 2 else ()) for k, unit in enumerate(axis)]
    counters += [block(f"L{k}", f"{k + 20:02d}{9 + k % 2:02d}") for k in range(14)]
    events = [moved("axis", f"X{k}", *(f"{col:02d}{8 + k % 4:02d}" for col in range(5 + k, 17 + k))) for k in range(8)]
    for k in range(4):
        label, target = f"A{k + 1}", f"{k + 20:02d}{9 + k % 2:02d}"
        attackers = [{"unit": "21PZ", "alias": "G1", "from": f"{k + 19:02d}09", "sp": 4}]
        defender = {"unit": None, "alias": f"L{k}", "sp": 3}
        events.append({"kind": "battle", "data": {"label": label, "hex": target, "attackers": attackers, "defender": defender}})
        for why, dice in (("attack", [1, 2, 3, 4, 5, 6, 6, 5]), ("defence", [6, 5, 4, 3, 2, 1])):
            events.append({"kind": "rolled", "data": {"why": why, "site": target, "dice": dice}})
        events.append({"kind": "hits", "data": {"label": label, "on": "defender", "units": [{"unit": "9AUS", "hits": 2, "sp": 1}]}})
    return view(counters, events, ezoc=[f"{col:02d}10" for col in range(18, 34)])

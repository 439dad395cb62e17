"""Turn maps: 2400 pixels on the longer side, with warm caches and from nothing, in each theme, and how large the files are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from scenarios.data import GameData
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

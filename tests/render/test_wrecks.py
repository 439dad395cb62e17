"""Wrecks and gaps of The Fall of Tobruk on the map and in the panel: markers that lie there until they are taken away."""

from __future__ import annotations

from functools import cache
from io import BytesIO
from typing import Any

import msgspec
import pytest
from PIL import Image, ImageChops

from scenarios.data import GameData
from scenarios.hexes import parse_hex
from scenarios.loader import load_games
from services.render import turn_map
from services.render.counters.pieces import counter_size
from services.render.happened.fire import fires
from services.render.happened.ways import moves
from services.render.panel.chart import chart_rows
from services.render.panel.looks import ChartLook, PoolLook, StockLook
from services.render.panel.rosters import _held, _piles, stock_left
from services.render.style import style_sheet
from services.render.turn_map import Framing, render_map
from services.render.views import CounterView, EventView, View

BARE = Framing(panel=False)
SCALE = 1500
SHEET = style_sheet("fall-of-tobruk", "light")


@cache
def package() -> GameData:
    return load_games()["fall-of-tobruk"]


def tank(unit: str, place: str = "box:wreck") -> CounterView:
    return CounterView(package().cards[unit].side, place, id=unit, card=unit, known="own")


def wreck(side: str, n: int, at: str, *units: str) -> dict[str, Any]:
    return {"n": n, "side": side, "hex": at, "tanks": [{"unit": unit, "turn": 2, "half": "axis"} for unit in units]}


def seen(*counters: CounterView, events: tuple[EventView, ...] = (), **own: Any) -> View:
    return View("fall-of-tobruk", "gazala", "axis", list(counters), own, turn=3, events=list(events))


def drawn(view: View) -> Image.Image:
    return Image.open(BytesIO(render_map(package(), view, scale=SCALE, framing=BARE))).convert("RGB")


def square(label: str, view: View) -> tuple[int, int, int, int, int]:
    """The middle of a hex, and the counter in it: left, right and foot."""
    lattice = turn_map.base_of(package(), view, SHEET, SCALE, BARE).layout.lattice
    (x, y), side = lattice.centre(parse_hex(label)), counter_size(lattice.radius, SHEET.style.counters.width)
    return x, y, x - side // 2, x + side // 2, y + side // 2


@pytest.mark.rule("fall-of-tobruk", "repair.6")
@pytest.mark.parametrize(("side", "ground", "other"), [("axis", "british", "german"), ("allied", "german", "british")])
def test_a_wreck_marker_lies_beneath_the_stack_in_the_colour_of_the_other_side(side: str, ground: str, other: str) -> None:
    counter = tank("5EY", "1815")
    bare, marked = seen(counter), seen(counter, wrecks=[wreck(side, 4, "1815")])
    _, y, left, right, foot = square("1815", bare)
    change = ImageChops.difference(drawn(bare), drawn(marked)).convert("L").point(lambda value: 255 * (value > 0))
    assert change.crop((left + 2, y - (foot - y), right - 2, foot - 3)).getbbox() is None  # the counter hides it
    below = change.crop((left, foot, right, foot + (foot - y) // 2)).getbbox()
    assert below is not None
    piece = drawn(marked).crop((left, foot, right, foot + (foot - y) // 2))
    plain = drawn(bare).crop((left, foot, right, foot + (foot - y) // 2))
    more = {name: _pixels(piece, name) - _pixels(plain, name) for name in (ground, other)}
    assert more[ground] > 20 > more[other]


def _pixels(image: Image.Image, name: str) -> int:
    """How many pixels have a colour of the style sheet."""
    tint = SHEET.palette.named[name]
    return sum(count for count, one in image.getcolors(1_000_000) or () if one == tint)


def test_both_sides_have_a_marker_in_a_hex_and_one_without_counters_shows_it_whole() -> None:
    empty, one, two = (
        seen(wrecks=wrecks) for wrecks in ([], [wreck("axis", 1, "1815")], [wreck("axis", 1, "1815"), wreck("allied", 2, "1815")])
    )
    x, y, left, right, _ = square("1815", empty)
    boxes = []
    for view in (one, two):
        found = ImageChops.difference(drawn(empty), drawn(view)).convert("L").point(lambda value: 255 * (value > 0)).getbbox()
        assert found is not None
        boxes.append(found)
        assert left - 12 <= found[0] < x < found[2] <= right + 12
        assert found[1] < y < found[3]
    assert boxes[1][2] - boxes[1][0] > 1.8 * (boxes[0][2] - boxes[0][0])


def test_a_gap_is_drawn_on_its_hexside_while_it_stands_and_where_it_is_opened() -> None:
    empty = seen()
    standing = seen(gaps=[{"hexes": ["1815", "1816"], "engineer": "33ENG"}])
    opened = seen(events=(EventView("gap_open", {"hexes": ["1815", "1816"], "unit": "33ENG"}),))
    x, y, *_ = square("1815", empty)
    below = square("1816", empty)[1]
    boxes = [
        ImageChops.difference(drawn(empty), drawn(view)).convert("L").point(lambda v: 255 * (v > 0)).getbbox()
        for view in (standing, opened)
    ]
    assert boxes[0] == boxes[1]
    assert boxes[0] is not None
    middle = ((boxes[0][0] + boxes[0][2]) / 2, (boxes[0][1] + boxes[0][3]) / 2)
    assert middle == (pytest.approx(x, abs=2), pytest.approx((y + below) / 2, abs=2))


def test_tanks_lie_in_the_boxes_of_their_markers() -> None:
    (group, *_) = next(box for row in SHEET.style.panel.rows for box in row.boxes if isinstance(box, PoolLook)).groups
    units = ("8PZ-2", "8PZ-3", "132-1")
    markers = [wreck("axis", 2, "1815", "8PZ-2", "132-1"), wreck("axis", 17, "1916", "8PZ-3"), wreck("allied", 1, "1815", "9L-1")]
    view = seen(*map(tank, (*units, "9L-1")), wrecks=markers)
    piles = _piles(group, _held(group, package(), view, SHEET), view)
    assert len(piles) == 17
    assert [(n, [one.id for one in pile.counters]) for n, pile in enumerate(piles, 1) if pile.counters] == [
        (2, ["8PZ-2", "132-1"]),
        (17, ["8PZ-3"]),
    ]
    unknown = msgspec.structs.replace(view, own={})
    rest = _piles(group, _held(group, package(), unknown, SHEET), unknown)
    assert [[one.id for one in pile.counters] for pile in rest[15:]] == [["8PZ-2"], ["8PZ-3"], ["132-1"]]


def test_quotas_are_counted_as_they_are_done() -> None:
    box = next(box for row in SHEET.style.panel.rows for box in row.boxes if isinstance(box, StockLook) and box.key == "quotas")
    quotas = {"tanks": {"done": 14, "need": 18}, "infantry": {"done": 0, "need": 9}}
    assert [stock_left(quotas, row) for row in box.rows] == [14, 0, None]


def test_the_chart_of_combat_writes_results_as_the_map_does() -> None:
    look = next(box for row in SHEET.style.panel.rows for box in row.boxes if isinstance(box, ChartLook) and box.chart == "combat")
    printed = chart_rows(package(), look)[1]
    assert printed == ["2", "AE", "AE", "AE", "DR1", "AE", "AE", "AE", "EX", "ENG", "DE", "DE", "CON"]


def test_advances_begin_where_their_units_stood_and_guns_fire_from_their_hexes() -> None:
    data = {"side": "axis", "label": "A1", "units": ["115", "8PZ-2"], "from": {"115": "1214", "8PZ-2": "1215"}, "path": ["1315"]}
    (one, other) = moves([EventView("advanced", data)], SHEET.style.sides)
    assert {(move.units, tuple(map(str, move.path))) for move in (one, other)} == {
        (("115",), ("1214", "1315")),
        (("8PZ-2",), ("1215", "1315")),
    }
    guns = [{"unit": "33ART-1", "factor": 6}, {"unit": "33ART-2", "factor": 6}]
    shelled = EventView("shelled", {"side": "axis", "hex": "1815", "guns": guns, "factors": 12, "column": 12})
    view = seen(tank("33ART-1", "1513"), tank("33ART-2", "1514"), events=(shelled,))
    assert {(str(fire.source), str(fire.target)) for fire in fires(view)} == {("1513", "1815"), ("1514", "1815")}

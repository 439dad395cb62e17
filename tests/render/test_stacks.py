"""Stacks on crowded maps: beside each a tray that shows every one of its counters whole, and sheets of sample counters."""

from __future__ import annotations

from io import BytesIO
from itertools import combinations, cycle, islice, product

import pytest
from PIL import Image

from scenarios.hexes import Hex, parse_hex
from scenarios.loader import load_games
from services.render.counters.counters import sprite
from services.render.counters.pieces import Pieces, draw_counters, place_counters
from services.render.counters.specimen import samples, specimen
from services.render.counters.trays import Floor, place_tray, shape_of
from services.render.draw.geometry import Lattice
from services.render.draw.ink import Plate
from services.render.draw.room import Area, overlap
from services.render.style import Sheet, style_sheet, themes
from services.render.views import CounterView, EventView, View

GAMES = ("holdfast", "beda-fomm", "fall-of-tobruk", "race-for-tunis")
SHEET = style_sheet("beda-fomm", "light")
WIDE, HIGH = 33, 40


def crowd(radius: int) -> tuple[Pieces, tuple[int, int], Plate]:
    """Twenty stacks of three to six side by side, on a board of Beda Fomm's size, drawn."""
    data = load_games()["beda-fomm"]
    units = cycle(sorted(data.cards))
    counters: list[CounterView] = []
    for k, at in enumerate(map(Hex._make, product(range(14, 19), range(18, 22)))):
        for unit in islice(units, 3 + k % 4):
            marks = ["moved", "fired", "infiltrated"][: len(counters) % 3]
            counters.append(CounterView(data.cards[unit].side, str(at), id=unit, card=unit, marks=marks, known="own"))
    step = radius * 3 // 2
    lattice = Lattice(step, round(step / 3**0.5) * 2, 2 * radius, 2 * radius)
    area = (step * (WIDE + 2), lattice.row * (HIGH + 2))
    pieces = place_counters(data, View("beda-fomm", "historical", None, counters, {}), SHEET, lattice, area)
    plate = Plate(Image.new("L", area, SHEET.palette.index("sand")), SHEET.palette)
    draw_counters(plate, pieces, SHEET)
    return pieces, area, plate


@pytest.mark.parametrize("radius", [32, 16])
def test_on_a_crowded_map_no_tray_lies_over_another_or_over_a_counter(radius: int) -> None:
    pieces, area, _ = crowd(radius)
    trays = [stack.tray for stack in pieces.stacks if stack.tray is not None]
    assert len(trays) == 20
    assert all(min(tray[:2]) >= 0 and tray[2] <= area[0] and tray[3] <= area[1] for tray in trays)
    assert max(overlap(a, b) for a, b in combinations(trays, 2)) == 0
    squares = pieces.areas[: len(pieces.stacks)]
    assert max(overlap(tray, square) for tray, square in product(trays, squares)) == 0


@pytest.mark.parametrize("radius", [32, 16])
def test_each_counter_of_a_stack_is_seen_whole_on_its_tray(radius: int) -> None:
    pieces, _, plate = crowd(radius)
    assert sum(len(stack.looks) for stack in pieces.stacks) >= 60
    for stack in pieces.stacks:
        assert stack.tray is not None
        shape = shape_of(stack.looks, pieces.side)
        tray = plate.image.crop(tuple(map(round, stack.tray)))
        for k, look in enumerate(stack.looks):
            drawn = sprite(look, pieces.side, SHEET)
            left = shape.across + k % shape.columns * (pieces.side + shape.across)
            top = shape.title + shape.across + k // shape.columns * (pieces.side + shape.down)
            spot = tray.crop((left, top, left + drawn.indices.width, top + drawn.indices.height))
            spot.paste(drawn.indices, (0, 0), drawn.mask)
            assert spot.tobytes() == tray.crop((left, top, left + drawn.indices.width, top + drawn.indices.height)).tobytes()


def test_where_all_is_taken_a_tray_still_lies_inside_the_map() -> None:
    shape = shape_of(crowd(16)[0].stacks[0].looks, 23)
    full = Floor((300, 200), 5, [(0, 0, 300, 200)])
    x0, y0, x1, y1 = place_tray(shape, (290, 10), 23, full)
    assert 0 <= x0 < x1 <= 300
    assert 0 <= y0 < y1 <= 200
    tiny = place_tray(shape, (20, 10), 23, Floor((40, 30), 5, []))
    assert tiny[0] < 40
    assert tiny[1] < 30


def test_a_tray_lies_as_near_as_it_can() -> None:
    """Room for it only to the right, beyond a wall of 100 pixels: there it goes, and not farther than it must."""
    shape = shape_of(crowd(16)[0].stacks[0].looks, 20)
    floor = Floor((600, 300), 5, [(0, 0, 300, 300)])
    tray = place_tray(shape, (200, 150), 20, floor)
    assert 300 <= tray[0] <= 300 + 15
    again = place_tray(shape, (200, 150), 20, floor)
    assert overlap(tray, again) == 0


@pytest.mark.parametrize("game", GAMES)
def test_the_sheet_of_samples_has_every_type_state_nation_formation_and_marker(game: str) -> None:
    style = style_sheet(game, "light").style.counters
    rows = [(section, raw) for section in samples(game).sections for raw in section.counters]
    assert {raw.get("type", "") for _, raw in rows} >= set(style.symbols)
    assert {mark for _, raw in rows for mark in raw.get("marks", [])} == set(style.badges)
    assert {raw.get("nation", section.nation) for section, raw in rows} == set(style.nations)
    assert {raw.get("parent") for _, raw in rows} >= set(style.parents)
    assert {one.kind for section in samples(game).sections for one in section.markers} == set(style.markers)


@pytest.mark.parametrize("game", GAMES)
def test_the_sheet_of_samples_is_drawn_alike_each_time(game: str) -> None:
    for theme in themes(game):
        drawn = specimen(game, theme, 700)
        picture = Image.open(BytesIO(drawn))
        assert picture.width == 700
        assert picture.height <= 700
        assert specimen(game, theme, 700) == drawn
        assert _inked(picture, style_sheet(game, theme)) > 0.15


def _inked(picture: Image.Image, sheet: Sheet) -> float:
    """How much of a sheet is not bare paper."""
    return 1 - picture.tobytes().count(sheet.palette.index("paper")) / (picture.width * picture.height)


def test_a_sheet_of_no_game_no_theme_or_no_size_is_refused() -> None:
    with pytest.raises(KeyError):
        specimen("chess", "light", 800)
    with pytest.raises(KeyError):
        specimen("holdfast", "sepia", 800)
    with pytest.raises(ValueError, match="between 400 and 4000"):
        specimen("holdfast", "light", 399)


def test_trays_leave_the_paths_of_movements_free() -> None:
    """A stack beside which something moved: its tray lies on the path when nothing did, and elsewhere then."""
    data, lattice = load_games()["beda-fomm"], Lattice(48, 56, 64, 64)
    pair = [CounterView(data.cards[unit].side, "1010", id=unit, card=unit, known="own") for unit in ("BIG-1", "BIG-2")]

    def tray(events: list[EventView]) -> Area:
        placed = place_counters(data, View("beda-fomm", "historical", None, pair, {}, events=events), SHEET, lattice, (1700, 2300))
        assert placed.stacks[0].tray is not None
        return placed.stacks[0].tray

    still = tray([])
    path = [label for label in (f"{col:02d}{row:02d}" for col in range(6, 15) for row in range(6, 15)) if _inside(lattice, label, still)]
    assert path
    went = tray([EventView("moved", {"unit": "T-1", "path": path})])
    assert not any(_inside(lattice, label, went) for label in path)


def _inside(lattice: Lattice, label: str, area: Area) -> bool:
    x, y = lattice.centre(parse_hex(label))
    return area[0] <= x <= area[2] and area[1] <= y <= area[3]


def test_a_tray_does_not_lie_over_the_title_while_there_is_other_room() -> None:
    data = load_games()["fall-of-tobruk"]
    sheet = style_sheet("fall-of-tobruk", "light")
    pair = [CounterView("allied", "2803", id=unit, card=unit, known="own") for unit in ("1SAP", "2TS", "BLAKE")]
    lattice, seen = Lattice(48, 56, 64, 64), View("fall-of-tobruk", "gazala", None, pair, {})
    (before,) = [stack.tray for stack in place_counters(data, seen, sheet, lattice, (1700, 1700)).stacks]
    assert before is not None
    (after,) = [stack.tray for stack in place_counters(data, seen, sheet, lattice, (1700, 1700), [before]).stacks]
    assert after is not None
    assert overlap(before, after) == 0

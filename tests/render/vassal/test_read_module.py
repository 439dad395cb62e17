"""The modules of both games, as a reader of VASSAL files finds them that knows nothing of the writer."""

from __future__ import annotations

import math
from io import BytesIO

import pytest
from PIL import Image

from scenarios.hexes import Hex
from services.render.counters.faces import all_faces
from services.render.vassal import module, module_version
from services.render.views import View
from tests.render.vassal.codec import expanded
from tests.render.vassal.compare import assert_shows
from tests.render.vassal.modules import archive
from tests.render.vassal.positions import GAMES, module_of, package, seen, sheet, start
from tests.render.vassal.saves import read_save

DATES = {
    "holdfast": ("Mar 1941", "Dec 1942", 22),
    "beda-fomm": ("5 Feb 1200", "7 Feb 1100", 28),
    "race-for-tunis": ("17 Nov", "24 Jan", 45),
}


# The archive


@pytest.mark.bug("V07")
@pytest.mark.parametrize("game", GAMES)
def test_every_picture_that_the_module_asks_for_is_there_by_exact_name_opens_and_none_is_idle(game: str) -> None:
    found = module_of(game)
    assert found.named_pictures() == found.pictures.keys()  # which opens each
    faces = [one for sides in all_faces(package(game), sheet(game)).values() for one in sides if not one.hidden]
    assert len(found.pictures) > len(faces)


@pytest.mark.parametrize("game", GAMES)
def test_equal_input_gives_equal_bytes_and_names_and_versions_agree(game: str) -> None:
    data = package(game)
    found = module_of(game)
    assert archive(module(data)) == found.files
    assert found.version == module_version(data)
    assert found.name == data.title
    assert found.sides == [data.side_names[side] for side in data.sides]


# The grid


def known(game: str) -> set[str]:
    """The numbers of the map's hexes, those that nobody can enter too."""
    board = package(game).board
    return {str(Hex(c, r)) for c in range(1, board.columns + 1) for r in range(1, board.rows + 1)}


def in_zone(corners: list[tuple[int, int]], x: float, y: float) -> bool:
    """Whether a point lies within a polygon."""
    found = False
    for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            found = not found
    return found


@pytest.mark.bug("V01")
@pytest.mark.parametrize("game", GAMES)
def test_the_grid_names_each_hex_at_thirteen_points_and_none_outside(game: str) -> None:
    found, board = module_of(game), package(game).board
    grid, outline = found.grid, found.zones["Map"]
    inside = known(game)
    assert {
        "0101",
        f"{board.columns:02d}{board.rows - (board.columns % 2 == 0 and f'{board.columns:02d}{board.rows:02d}' not in inside):02d}",
    } <= inside
    assert {int(at[:2]) % 2 for at in inside} == {0, 1}
    for at in inside:
        column, row = grid.centre(at)
        x, y = grid.exact(at)
        assert grid.name(column, row) == grid.inside(column, row) == at
        assert max(abs(x - column), abs(y - row)) < 1
        for px, py in grid.points(at):
            assert grid.inside(px, py) == at
            assert in_zone(outline, px, py), at
    beyond = 0
    for at in inside:
        x, y = grid.exact(at)
        for dx, dy in grid.rim()[1::2]:  # two pixels beyond each edge
            px, py = x + dx * 1.06, y + dy * 1.06  # some two pixels
            if grid.inside(px, py) not in inside:
                beyond += 1
                assert not in_zone(outline, px, py), (at, px, py)
    assert beyond > 2 * board.columns


@pytest.mark.bug("V01")
@pytest.mark.parametrize("game", GAMES)
def test_the_hexsides_of_the_picture_lie_where_the_grid_has_them(game: str) -> None:
    """Along the hexsides of the grid the picture is darker or lighter than five pixels beside them; along shifted ones it is less so."""
    found = module_of(game)
    with Image.open(BytesIO(found.files["images/board.png"])) as board:
        picture = board.convert("L")
    edges = [found.grid.rim()[k] for k in range(1, 12, 2)]
    points = [(*found.grid.exact(at), *edge) for at in sorted(known(game))[::5] for edge in edges]

    def contrast(right: int, down: int) -> float:
        total = 0.0
        for x, y, dx, dy in points:
            far = math.hypot(dx, dy)
            on, out, back = (picture.getpixel((round(x + dx * k + right), round(y + dy * k + down))) for k in (1, 1 + 5 / far, 1 - 5 / far))
            total += abs(on - (out + back) / 2)
        return total

    there = contrast(0, 0)
    assert all(contrast(right, down) < 0.8 * there for right, down in ((3, 0), (-3, 0), (0, 2), (0, -2), (2, 2), (-2, -2)))


def test_hexes_stand_as_printed_even_columns_half_a_hex_lower() -> None:
    """0101 is the upper left hex; 0201 lies to its right half a hex lower; 0102 right below."""
    for game in GAMES:
        grid = module_of(game).grid
        (x, y), (right, lower), (same, below) = (grid.exact(at) for at in ("0101", "0201", "0102"))
        assert (right - x, lower - y, same, below - y) == (grid.dx, grid.dy / 2, x, grid.dy)


# What is on it


@pytest.mark.parametrize("game", GAMES)
def test_every_counter_is_in_the_palette_of_its_side_with_all_its_faces(game: str) -> None:
    data, found = package(game), module_of(game)
    slots = {one.markers["Card"]: one for one in found.slots.values() if one.markers.get("Kind") == "counter"}
    slots = {card: expanded(one, found.prototypes) for card, one in slots.items()}
    assert slots.keys() == data.cards.keys()
    for card, faces in all_faces(data, sheet(game)).items():
        piece = slots[card]
        shown = [one for one in faces if not one.hidden]
        if len(shown) > 1:
            assert len(piece.layers["Face"].images) == len(set(piece.layers["Face"].images)) == len(shown), card
        else:
            assert piece.shown(), card
        assert piece.markers["Side"] == data.cards[card].side
        assert piece.name


@pytest.mark.parametrize("game", GAMES)
def test_scenarios_are_predefined_set_ups_that_show_the_positions_of_the_rules(game: str) -> None:
    """Scenario by scenario: what all sides together see of the first state."""
    data, found = package(game), module_of(game)
    assert len(found.scenarios) == len(data.scenarios)
    assert set(found.scenarios) == {one.title for one in data.scenarios.values()}
    for key, scenario in data.scenarios.items():
        state = start(f"{game}/{key}")
        views = [seen(state, side) for side in data.sides]
        own = [counter for view in views for counter in view.counters if counter.known == "own"]
        table = read_save(found.files[found.scenarios[scenario.title]], found)
        together = View(game, key, None, list({one.id: one for one in own}.values()), views[0].own, views[0].turn)
        assert_shows(table, together, ordered=False)


@pytest.mark.parametrize("game", GAMES)
def test_the_turn_track_is_the_games(game: str) -> None:
    found = module_of(game)
    (tracker,) = found.all("turn.TurnTracker")
    names = tracker[0].attrib["list"].split(",")
    first, last, count = DATES[game]
    assert (names[0], names[-1], len(names)) == (first, last, count)
    assert tracker[0][0].attrib["property"] == "Phase"
    boxes = [one for one in found.regions if one.startswith("Turn record: ")]
    assert len(boxes) == count


@pytest.mark.parametrize("game", GAMES)
def test_dice_charts_sides_and_help_are_there(game: str) -> None:
    found = module_of(game)
    assert [(one.attrib["nDice"], one.attrib["nSides"]) for one in found.all("DiceButton")]
    assert {one.attrib["nSides"] for one in found.all("DiceButton")} == {"6"}
    assert found.all("ChartWindow")
    charts = list(found.root.iter("VASSAL.build.widget.Chart"))
    assert charts
    assert {one.attrib["fileName"] for one in charts} <= found.pictures.keys()
    (help_file,) = found.all("documentation.HelpFile")
    assert b"<h1" in found.files[help_file.attrib["fileName"]].lower()

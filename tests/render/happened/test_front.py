"""The main front of the day, and parts of a map as pictures."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from PIL import Image, ImageChops

from scenarios.hexes import Hex, parse_hex
from scenarios.loader import load_games
from services.render.board.furniture import draw_entries
from services.render.compare import render_compare
from services.render.draw.ink import Canvas
from services.render.happened.front import front
from services.render.layout import Window, lay_step, seen_through, shape_of
from services.render.style import style_sheet
from services.render.turn_map import FRONT_COLUMNS, Framing, render_map
from services.render.views import View
from tests.render.boards import block, holdfast, moved, own, view

WIDTHS = tuple(12 + more for more in FRONT_COLUMNS)
SHAPE = shape_of(1200, 150)


def fight(at: str, origin: str) -> dict[str, Any]:
    return {
        "kind": "battle",
        "data": {"label": "", "hex": at, "attackers": [{"unit": "21PZ", "from": origin}], "defender": {"alias": "V1"}},
    }


def shown(seen: View, label: str) -> bool:
    part, at = front(seen, holdfast().board, WIDTHS, SHAPE), parse_hex(label)
    inside = abs(at.col - part.middle[0]) < part.wide / 2
    return inside and abs(at.row + (0 if at.col % 2 else 0.5) - part.middle[1]) < part.high / 2


def test_battles_outweigh_a_long_march_elsewhere() -> None:
    """Two battles at Tobruk count 24; the march from El Agheila ends at 0504 and counts 3."""
    seen = view([], [fight("1803", "1704"), fight("1905", "1906"), moved("axis", "G1", "0210", "0310", "0409", "0504")])
    assert shown(seen, "1803")
    assert shown(seen, "1905")
    assert not shown(seen, "0210")


def test_a_wide_front_is_shown_wider() -> None:
    """Battles fourteen columns apart need all sixteen columns; four apart the twelve; those of thirty apart do not go into one picture."""
    far, near = view([], [fight("1206", "1205"), fight("2606", "2505")]), view([], [fight("1206", "1205"), fight("1606", "1605")])
    assert front(far, holdfast().board, WIDTHS, SHAPE).wide == 16
    assert front(near, holdfast().board, WIDTHS, SHAPE).wide == 12
    assert shown(far, "1206")
    assert shown(far, "2606")
    farthest = view([], [fight("0504", "0505"), fight("3507", "3407"), fight("3508", "3408")])
    assert shown(farthest, "3507")
    assert not shown(farthest, "0504")


def test_on_a_quiet_day_the_front_is_where_the_sides_stand_close() -> None:
    seen = view([own("21PZ", "2405"), block("V1", "2606"), own("ARIETE", "0210"), block("V2", "3907")])
    assert shown(seen, "2405")
    assert shown(seen, "2606")
    assert not shown(seen, "0210")


def test_an_empty_board_has_a_middle() -> None:
    assert shown(view([]), "2007")


def test_the_front_is_four_by_three_and_its_counters_are_large() -> None:
    seen = view([own("21PZ", "1704"), block("V4", "1803")], [fight("1803", "1704")])
    picture = Image.open(BytesIO(render_map(holdfast(), seen, scale=900, framing=Framing("front"))))
    assert picture.size == (900, 675)
    # twelve columns on 900 pixels: a step of 75, so hexes of radius 50 and counters of 68 pixels
    empty = Image.open(
        BytesIO(render_map(holdfast(), view([own("21PZ", "1704")], [fight("1803", "1704")]), scale=900, framing=Framing("front")))
    )
    box = ImageChops.difference(picture.convert("RGB"), empty.convert("RGB")).convert("L").getbbox()
    assert box is not None
    assert box[2] - box[0] >= 64


def test_a_rectangle_is_drawn_as_asked_and_a_counter_outside_leaves_no_trace() -> None:
    part = Framing((parse_hex("1402"), parse_hex("2008")))
    inside, outside = [own("21PZ", "1704")], [own(unit, "0210", alias=unit) for unit in ("ARIETE", "TRENTA", "PAVIA")]
    one = render_map(holdfast(), view(inside), scale=600, framing=part)
    assert render_map(holdfast(), view([*inside, *outside]), scale=600, framing=part) == one
    assert render_map(holdfast(), view([]), scale=600, framing=part) != one
    assert max(Image.open(BytesIO(one)).size) == 600


def test_without_a_panel_the_map_is_wide_and_low() -> None:
    picture = Image.open(BytesIO(render_map(holdfast(), view([]), scale=600, framing=Framing(panel=False))))
    assert picture.width == 600
    assert picture.height < 300


def test_a_part_of_the_map_has_no_entry_arrow_of_an_edge_that_it_does_not_show() -> None:
    """Beda Fomm's Italians come in at 0901 and leave at 1740; between rows 10 and 20 nothing is said of either."""
    sheet, board = style_sheet("beda-fomm", "light"), load_games()["beda-fomm"].board
    middle, top = (seen_through(lay_step(board, 30), Window((600, 450), 30, (12.0, row))) for row in (15.0, 4.0))
    canvas = Canvas((600, 450), sheet.palette, "paper")
    assert draw_entries(canvas, board, middle.lattice, sheet.style.board) == []
    assert len(draw_entries(canvas, board, top.lattice, sheet.style.board)) == 2


def test_a_battle_is_wholly_on_the_front_with_whence_it_was_fought_and_its_own_side() -> None:
    """Every hex of the coast road may be fought for: the middle of the hex and of the attacker's lie more than half a hex inside."""
    board = holdfast().board
    for at, origin in (("0504", "0505"), ("0210", "0310"), ("1402", "1401"), ("3907", "3807"), ("1803", "1704")):
        seen = view([own("21PZ", origin), block("V1", at)], [fight(at, origin), moved("axis", "G1", "2206", "2306", "2407")])
        part = front(seen, board, WIDTHS, SHAPE)
        for label in (at, origin):
            x, y = parse_hex(label).col, parse_hex(label).row + (0 if parse_hex(label).col % 2 else 0.5)
            assert abs(x - part.middle[0]) <= part.wide / 2 - 0.5
            assert abs(y - part.middle[1]) <= part.high / 2 - 0.5


def test_the_first_picture_of_a_side_shows_its_own() -> None:
    """Nobody stands within three hexes of the other: El Agheila and Benghazi, six hexes apart, are the nearest."""
    seen = view([own("21PZ", "0210"), block("V1", "0504"), block("V2", "1103"), block("V3", "1803")])
    assert shown(seen, "0210")
    assert shown(seen, "0504")


def test_the_front_is_not_the_sea() -> None:
    """Tobruk lies on the coast: of twelve columns about it, the picture has more land than water."""
    board = holdfast().board
    part = front(view([own("21PZ", "1804"), block("V4", "1803")], [fight("1803", "1804")]), board, WIDTHS, SHAPE)
    rows = range(round(part.middle[1] - part.high / 2 + 0.5), round(part.middle[1] + part.high / 2))
    seen = [Hex(col, row) for col in range(round(part.middle[0]) - 5, round(part.middle[0]) + 6) for row in rows]
    assert sum(at in board.terrain for at in seen) > len(seen) / 2


def test_the_front_of_beda_fomm_can_be_read_on_a_phone() -> None:
    """Nine columns at 400 pixels: a step of 42, hexes of radius 28, counters of 38 pixels."""
    assert style_sheet("beda-fomm", "light").style.board.front == 9


def test_before_and_after_of_the_whole_map_is_the_whole_map() -> None:
    seen = view([own("21PZ", "1704"), block("V4", "1803")], [fight("1803", "1704")])
    whole, part = (render_compare(holdfast(), seen, seen, scale=900, framing=Framing(crop)) for crop in (None, "front"))
    # 40 columns and 14 rows on 447 pixels: each half is about two and a half times as wide as high; a front is four by three
    sizes = [Image.open(BytesIO(one)).size for one in (whole, part)]
    assert sizes[0][0] / 2 > 2 * sizes[0][1] > 0
    assert sizes[1][0] / 2 < 1.5 * sizes[1][1]

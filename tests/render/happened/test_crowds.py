"""Where much happens in a few hexes: what is drawn keeps clear of figures, losses and the strings of trays."""

from __future__ import annotations

from itertools import combinations

from PIL import Image

from scenarios.hexes import parse_hex
from services.render.counters.pieces import place_counters
from services.render.counters.trays import _meet, string
from services.render.draw.geometry import Lattice
from services.render.draw.ink import Plate
from services.render.draw.room import around, overlap
from services.render.happened.attacks import _crossing
from services.render.happened.overlay import crossed_out
from services.render.happened.tags import draw_notice
from services.render.panel.tracks import turn_box
from services.render.style import style_sheet
from tests.render.boards import holdfast, own, view

LATTICE = Lattice(60, 70, 60, 70)


def test_an_arrow_over_a_slanted_hexside_stands_beside_the_figures() -> None:
    """0402 and 0503 share a slanted hexside: two counters of 54 pixels leave six pixels between them at its middle, more near its ends."""
    a, b = parse_hex("0402"), parse_hex("0503")
    held = {at: around(LATTICE.centre(at), 54, 54) for at in (a, b)}
    (ax, ay), (bx, by) = LATTICE.centre(a), LATTICE.centre(b)
    covered = [
        sum(overlap(around(at, 16, 16), area) for area in held.values())
        for at in (_crossing(LATTICE, a, b, held), ((ax + bx) / 2, (ay + by) / 2))
    ]
    assert covered[0] < covered[1] / 2
    assert _crossing(LATTICE, a, b, {}) == ((ax + bx) / 2, (ay + by) / 2)


def test_a_cross_and_the_names_under_it_take_their_room() -> None:
    """Two losses in 0402, whose middle is 240, 175: the second name stands 12 pixels lower."""
    lost = [{"kind": "eliminated", "data": {"hex": "0402", "alias": name}} for name in ("V1", "V2")]
    (one,) = crossed_out(view([], lost[:1]), LATTICE)
    (both,) = crossed_out(view([], lost), LATTICE)
    assert (one[0], one[2]) == (210, 270)
    assert both[3] == one[3] + 12
    assert crossed_out(view([own("21PZ", "0402")], lost), LATTICE) == []


def test_no_string_of_a_tray_crosses_another() -> None:
    """Six stacks of three in neighbouring hexes, as on a coast road."""
    labels = ("0705", "0805", "0706", "0806", "0605", "0606")
    counters = [own("21PZ", label, alias=f"{label}{k}") for label in labels for k in range(3)]
    sheet = style_sheet("holdfast", "light")
    placed = place_counters(holdfast(), view(counters), sheet, LATTICE, (2400, 1100))
    ties = [(stack.middle, string(stack.tray, stack.middle)) for stack in placed.stacks if stack.tray is not None]
    assert len(ties) == 6
    assert not any(_meet(*one, *other) for one, other in combinations(ties, 2))


def test_the_notice_keeps_clear_of_what_is_printed() -> None:
    """A rose in ink in the upper left corner, and nothing else: the notice goes to another."""
    sheet = style_sheet("holdfast", "light")
    plate = Plate(Image.new("L", (600, 400), sheet.palette.index("sand")), sheet.palette)
    plate.image.paste(sheet.palette.index("ink"), (20, 20, 60, 60))
    before = plate.image.crop((0, 0, 200, 80)).tobytes()
    draw_notice(plate, "Planned", [], (600, 400), 40)
    assert plate.image.crop((0, 0, 200, 80)).tobytes() == before
    assert plate.image.crop((400, 0, 600, 80)).histogram()[sheet.palette.index("paper")] > 500


def test_a_set_up_is_marked_in_the_first_box_of_the_turn_record() -> None:
    assert turn_box(holdfast(), view([], turn=0)) == 0
    assert turn_box(holdfast(), view([], turn=1)) == 0
    assert turn_box(holdfast(), view([], turn=3)) == 2

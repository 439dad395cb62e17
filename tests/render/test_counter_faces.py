"""The faces of counters: every side that each card of a package can show, by name, and as a picture."""

from __future__ import annotations

from collections import Counter
from functools import cache
from io import BytesIO

import pytest
from PIL import Image

from scenarios.data import GameData
from scenarios.loader import load_game
from services.render.counters.faces import Face, all_faces, face_of, face_png, face_sprite, faces
from services.render.counters.look import look_of
from services.render.counters.texts import texts
from services.render.style import style_sheet, themes
from services.render.views import CounterView

HIDDEN = Face("hidden", hidden=True)


@cache
def package(game: str) -> GameData:
    return load_game(None, game)


def test_a_gun_has_a_fired_and_a_transport_a_parked_side_and_no_other_counter_of_beda_fomm_has_two() -> None:
    """Fourteen batteries and eighteen transports of 104 counters."""
    data = package("beda-fomm")
    found = all_faces(data, style_sheet("beda-fomm", "light"))
    assert found.keys() == data.cards.keys()
    assert found["C-4RHA"] == (Face("front"), Face("fired", marks=("fired",)))
    assert found["T-1"] == (Face("front"), Face("parked", marks=("parked",)))
    assert found["2RT-1"] == (Face("front"),)
    kinds = {unit: card.kind for unit, card in data.cards.items()}
    backs = Counter((kinds[unit], one.name) for unit, sides in found.items() for one in sides[1:])
    assert backs == {("artillery", "fired"): 14, ("transport", "parked"): 18}
    assert len(found) == 104


def test_a_block_of_holdfast_has_a_face_for_each_strength_and_one_that_tells_nothing() -> None:
    data, sheet = package("holdfast"), style_sheet("holdfast", "light")
    found = all_faces(data, sheet)
    assert found.keys() == data.cards.keys()
    assert found["21PZ"] == (*(Face(f"strength-{n}", num=(("sp", n),)) for n in (4, 3, 2, 1)), HIDDEN)
    for unit, sides in found.items():
        most = int(data.cards[unit].values.get("max_sp") or 0)
        assert [one.name for one in sides] == ([f"strength-{n}" for n in range(most, 0, -1)] + ["hidden"] if most else ["front"])


@pytest.mark.parametrize("game", ["holdfast", "beda-fomm"])
def test_the_faces_of_a_card_are_all_different_and_a_map_shows_them_so(game: str) -> None:
    """A counter of a view has the face that its marks and numbers choose; the map draws it with the same figures."""
    data = package(game)
    for theme in themes(game):
        sheet = style_sheet(game, theme)
        for unit, card in data.cards.items():
            sides = faces(card, sheet)
            drawn = [face_sprite(card, one, 46, sheet) for one in sides]
            assert len({made.indices.tobytes() for made in drawn}) == len(sides), unit
            assert {made.indices.size for made in drawn} == {(46, 46)}, unit
            for one in sides:
                seen = CounterView(
                    card.side,
                    "0101",
                    "V1",
                    id=unit,
                    card=None if one.hidden else unit,
                    marks=["moved", *one.marks],
                    num=dict(one.num),
                    known="no" if one.hidden else "own",
                )
                assert face_of(seen, data.cards.get(seen.card or ""), sheet) == one
                assert texts(look_of(seen, data, sheet), 46, sheet)


def test_hidden_faces_of_one_side_are_all_alike_and_bear_the_alias() -> None:
    data, sheet = package("holdfast"), style_sheet("holdfast", "light")
    blocks = [card for card in data.cards.values() if HIDDEN in faces(card, sheet)]
    for alias in ("?", "V4"):
        alike = {side: {face_png(card, HIDDEN, 60, sheet, alias) for card in blocks if card.side == side} for side in ("axis", "allied")}
        assert {side: len(pictures) for side, pictures in alike.items()} == {"axis": 1, "allied": 1}
        assert alike["axis"] != alike["allied"]
    assert face_png(blocks[0], HIDDEN, 60, sheet) != face_png(blocks[0], HIDDEN, 60, sheet, "V4")


def test_a_face_as_a_file_is_transparent_about_the_counter_and_without_badges() -> None:
    """An Italian counter has its corners cut off. A fired gun has its factor in brackets, and no badge hangs below it."""
    data, sheet = package("beda-fomm"), style_sheet("beda-fomm", "light")
    front, fired = faces(data.cards["COL-ART"], sheet)
    picture = Image.open(BytesIO(face_png(data.cards["COL-ART"], fired, 120, sheet)))
    assert (picture.mode, picture.size) == ("RGBA", (120, 120))
    assert picture.getpixel((0, 0))[3] == 0
    assert picture.getpixel((60, 60))[3] == 255
    seen = CounterView("italian", "0101", id="COL-ART", card="COL-ART", marks=list(fired.marks), known="own")
    assert "(4)" in [one.text for one in texts(look_of(seen, data, sheet), 120, sheet)]
    assert face_png(data.cards["COL-ART"], fired, 120, sheet) == face_png(data.cards["COL-ART"], fired, 120, sheet)
    assert face_png(data.cards["COL-ART"], front, 120, sheet) != face_png(data.cards["COL-ART"], fired, 120, sheet)

"""Style sheets of boards: what games share and what they change, what a sheet may name, and the specimen sheets of the four games."""

from __future__ import annotations

from io import BytesIO

import msgspec
import pytest
from PIL import Image

from services.render.board.check import check_board
from services.render.board.patterns import PATTERNS
from services.render.board.roads import WATERS
from services.render.board.samples import sample_board
from services.render.board.specimen import specimen
from services.render.board.symbols import SYMBOLS
from services.render.draw.palette import LIMIT, Palette
from services.render.style import Colours, SideLook, Theme, style_sheet, themes

GAMES = ("holdfast", "beda-fomm", "race-for-tunis", "fall-of-tobruk")
THEMES = ("light", "dark", "contrast")


def test_a_game_changes_and_adds_to_the_colours_that_all_share() -> None:
    shared = Colours({"light": Theme({"ink": "#000000", "sand": "#eeddcc"}, {}, [("ink", "sand", 1)]), "dark": Theme({"ink": "#ffffff"})})
    look = SideLook("a", "b", "c", "d", "e")
    game = Colours(
        {"light": Theme({"sand": "#ddccbb"}, {"axis": "#999999"}, [("axis", "ink", 2)]), "own": Theme({"ink": "#111111"})}, {"axis": look}
    )
    both = game.over(shared)
    assert both.themes["light"].colours == {"ink": "#000000", "sand": "#ddccbb"}
    assert both.themes["light"].counters == {"axis": "#999999"}
    assert both.themes["light"].ramps == [("ink", "sand", 1), ("axis", "ink", 2)]
    assert both.themes["dark"].colours == {"ink": "#ffffff"}
    assert both.themes["own"].colours == {"ink": "#111111"}
    assert both.sides == {"axis": look}


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_the_three_themes_and_ground_takes_its_share_of_the_palette(game: str) -> None:
    assert set(themes(game)) == set(THEMES)
    for theme in THEMES:
        chosen = style_sheet(game, theme).style.themes[theme]
        of_ground = [ramp for ramp in chosen.ramps if ramp[0] in chosen.colours and ramp[1] in chosen.colours]
        assert len(Palette(chosen.colours, tuple(of_ground)).colours) <= 36


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"terrain": {"rough": {"tint": "mauve", "name": "Rough"}}}, "terrain rough: there is no colour 'mauve'"),
        (
            {"terrain": {"rough": {"tint": "rough", "name": "", "pattern": "fog", "stroke": "ink"}}},
            "there is no pattern 'fog'",
        ),
        ({"hexsides": {"wall": {"drawing": "wall", "colour": "ink", "name": ""}}}, "hexside wall: there is no drawing 'wall'"),
        ({"lines": {"wadi": {"drawing": "canal", "width": 0.1, "colour": "ink", "name": ""}}}, "line wadi: there is no drawing 'canal'"),
        ({"features": {"mill": {"symbol": "mill", "size": 0.3, "face": "plain"}}}, "place mill: there is no symbol 'mill'"),
        ({"features": {"mill": {"symbol": "dot", "size": 0.3, "face": "gothic"}}}, "place mill: there is no face 'gothic'"),
        (
            {"roads": {"road": {"width": 0.1, "casing": 0.2, "colour": "tar", "edge": "", "name": ""}}},
            "road: there is no colour 'tar'",
        ),
    ],
)
def test_a_sheet_that_names_what_there_is_not_is_refused(change: dict[str, object], said: str) -> None:
    sheet = style_sheet("holdfast", "light")
    good = sheet.style.board
    check_board(good, sheet.palette.named)
    bad = msgspec.convert(msgspec.to_builtins(good) | change, type(good))
    with pytest.raises(ValueError, match=said):
        check_board(bad, sheet.palette.named)
    with pytest.raises(ValueError, match="board: there is no colour 'shade'"):
        check_board(good, sheet.palette.named.keys() - {"shade"})


@pytest.mark.parametrize("game", GAMES)
def test_a_sample_board_shows_every_kind_that_the_sheet_names(game: str) -> None:
    board, style = sample_board(game), style_sheet(game, "light").style.board
    assert {kind for kind, look in style.terrain.items() if look.name} <= set(board.terrain.values())
    assert set(style.roads) == set(board.roads)
    assert set(style.hexsides) == set(board.hexsides)
    assert set(style.lines) <= set(board.lines)
    assert set(style.features) == {one.kind for found in board.features.values() for one in found}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("theme", THEMES)
def test_a_specimen_sheet_is_a_small_picture_of_the_width_asked(game: str, theme: str) -> None:
    made = specimen(game, theme, 700)
    picture = Image.open(BytesIO(made))
    assert picture.width == 700
    assert len(picture.getcolors(LIMIT) or []) > 12
    assert len(made) < 100_000


def test_specimen_sheets_are_the_same_each_time_and_say_what_they_lack() -> None:
    assert specimen("beda-fomm", "light", 500) == specimen("beda-fomm", "light", 500)
    with pytest.raises(KeyError):
        specimen("chess", "light", 700)
    with pytest.raises(KeyError):
        specimen("holdfast", "sepia", 700)
    with pytest.raises(ValueError, match="columns of hexes do not fit into 75 pixels"):
        specimen("holdfast", "light", 100)


def test_every_drawing_says_what_it_is() -> None:
    for registry in (PATTERNS, WATERS, SYMBOLS):
        assert all(draw.__doc__ for draw in registry.values())

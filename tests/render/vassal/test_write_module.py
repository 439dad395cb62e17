"""The module: numbering, zones, pictures, palettes, set-ups, and the version that its content gives it."""

from __future__ import annotations

import math
import zipfile
from dataclasses import replace
from functools import cache
from io import BytesIO
from xml.etree import ElementTree

import pytest
from PIL import Image

from scenarios.data import Board
from scenarios.hexes import Hex
from scenarios.loader import load_games
from services.render.vassal.grid import Numbering, numbering_of, snapped
from services.render.vassal.ground import ELSEWHERE, LATER, lay
from services.render.vassal.kit import formations
from services.render.vassal.module import Module, build, built
from services.render.vassal.setups import setup
from services.render.vassal.stages import stage_of, stages
from tests.render.boards import holdfast, small_game

GAMES = ("holdfast", "beda-fomm", "race-for-tunis", "fall-of-tobruk")
games = pytest.mark.parametrize("game", GAMES)


@cache
def made(game: str) -> Module:
    return built(load_games()[game], "light")


@cache
def entries(game: str) -> dict[str, bytes]:
    archive = zipfile.ZipFile(BytesIO(made(game).content))
    return {name: archive.read(name) for name in archive.namelist()}


@cache
def tree(game: str) -> ElementTree.Element:
    return ElementTree.fromstring(entries(game)["buildFile.xml"].decode())


def found(game: str, kind: str) -> list[ElementTree.Element]:
    return [one for one in tree(game).iter() if one.tag.rpartition(".")[2] == kind]


def engine_name(grid: dict[str, str], numbered: dict[str, str], x: float, y: float) -> str:
    """The name that VASSAL gives to a pixel: its arithmetic for flat-topped hexes, ascending, without stagger."""
    c = math.floor((x - int(grid["x0"])) / float(grid["dx"]) + 0.5)
    low = float(grid["dy"]) / 2 if c % 2 else 0.0
    r = math.floor((y - int(grid["y0"]) - low) / float(grid["dy"]) + 0.5)
    return f"{c + int(numbered['hOff']):02d}{r + int(numbered['vOff']):02d}"


@games
def test_every_hex_has_its_own_number_at_the_pixel_where_the_board_draws_it(game: str) -> None:
    """All hexes: both parities of columns, and so all corners. Engine and board agree on the pixel to the last one.

    (V01 asks for points near the edges too: VASSAL names those by rectangles, as FORMAT says of the engine; that pixels near an edge are
    named right by our own lattice is in test_geometry. Counters always stand in the middle.)
    """
    grid, numbered = found(game, "HexGrid")[0].attrib, found(game, "HexGridNumbering")[0].attrib
    assert (grid["sideways"], numbered["stagger"], numbered["first"], numbered["hLeading"], numbered["vLeading"]) == (
        "false",
        "false",
        "H",
        "1",
        "1",
    )
    board, lattice = made(game).kit.data.board, made(game).kit.ground.lattice
    for col in range(1, board.columns + 1):
        for row in range(1, board.rows + 1):
            at = Hex(col, row)
            x, y = lattice.centre(at)
            assert snapped(lattice, at) == (x, y)
            assert engine_name(grid, numbered, x, y) == board.label(at) == f"{col:02d}{row:02d}"


def test_a_numbering_is_found_from_printed_numbers_or_refused() -> None:
    def board(labels: dict[Hex, str]) -> Board:
        return replace(holdfast().board, labels=labels)

    hexes = [Hex(1, 1), Hex(2, 1), Hex(2, 3)]
    assert numbering_of(board({at: f"{at.col + 10:02d}{at.row + 4:02d}" for at in hexes})) == Numbering("H", "", 11, 5)
    assert numbering_of(board({at: f"{at.row:02d}.{at.col + 2:02d}" for at in hexes})) == Numbering("V", ".", 3, 1)
    with pytest.raises(ValueError, match="cannot number"):
        numbering_of(board({Hex(1, 1): "0101", Hex(2, 1): "0301"}))


@games
def test_zones_lie_apart_and_hold_what_belongs_to_them(game: str) -> None:
    ground = made(game).kit.ground
    boxes = {"Map": ground.map_area, **{name: zone.box for name, zone in ground.zones.items()}}
    names = list(boxes)
    for k, name in enumerate(names):
        x0, y0, x1, y1 = boxes[name]
        assert 0 <= x0 < x1 <= ground.size[0]
        assert 0 <= y0 < y1 <= ground.size[1]
        for other in names[k + 1 :]:
            u0, v0, u1, v1 = boxes[other]
            assert x1 <= u0 or u1 <= x0 or y1 <= v0 or v1 <= y0, (name, other)
    for name, zone in ground.zones.items():
        x0, y0, x1, y1 = zone.box
        for said, area in zone.cells:
            assert x0 <= area[0] < area[2] <= x1, (name, said)
            assert y0 <= area[1] < area[3] <= y1, (name, said)
        half = ground.counter // 2
        for x, _ in ground.slots(name):
            assert x0 <= x - half, name
            assert x + half <= x1, name
    pools = {place: zone for (place, _), zone in ground.places.items() if place.startswith("box:pool")}
    assert pools == ({"box:pool-axis": "Axis replacements", "box:pool-allied": "Allied replacements"} if game == "holdfast" else {})
    wrecks = [ground.zone_of("box:wreck", side) for side in ("axis", "allied")]  # each side numbers its own
    assert wrecks == (["Wrecks (Axis)", "Wrecks (Allied)"] if game == "fall-of-tobruk" else [None, None])
    written = [zone.attrib["name"] for zone in found(game, "Zone")]
    assert written == ["Map", *ground.zones]
    assert ELSEWHERE in written


@games
def test_pictures_are_all_there_all_used_and_all_pictures(game: str) -> None:
    """V07: no missing, none too many, exact case, no ending twice, and each opens."""
    files = {name.removeprefix("images/") for name in entries(game) if name.startswith("images/")}
    text = entries(game)["buildFile.xml"].decode()
    named = {part for piece in made(game).kit.whole.values() for part in piece[0].replace(";", ",").split(",") if part.endswith(".png")}
    named |= {one.attrib["image"] for one in found(game, "Board")} | {one.attrib["fileName"] for one in found(game, "Chart")}
    assert named == files
    assert ".png.png" not in text
    for name in files:
        with Image.open(BytesIO(entries(game)[f"images/{name}"]), formats=("PNG",)) as picture:
            picture.load()
            if name == "board.png":
                assert picture.size == made(game).kit.ground.size


@games
def test_the_build_file_is_what_the_engine_wants(game: str) -> None:
    root = tree(game)
    text = entries(game)["buildFile.xml"].decode()
    assert root[0].tag == "VASSAL.build.module.BasicCommandEncoder"
    assert "CDATA" not in text
    gpids = [int(one.attrib["gpid"]) for one in found(game, "PieceSlot")]
    assert len(gpids) == len(set(gpids)) == len(made(game).kit.pieces)
    assert max(gpids) < int(root.attrib["nextPieceSlotId"])
    prototypes = {one.attrib["name"] for one in found(game, "PrototypeDefinition")}
    used = {part.split("\t")[0].rstrip("\\") for part in text.split("prototype;")[1:]}
    assert {one.partition("\\")[0] for one in used} == prototypes
    order = [one.tag.rpartition(".")[2] for one in root]
    assert order.index("PrototypesContainer") < order.index("PieceWindow") < order.index("Map")
    assert next(iter(found(game, "Map")[0])).tag.endswith("BoardPicker")
    for needed in (
        "PieceMover",
        "MenuDisplayer",
        "KeyBufferer",
        "Zoomer",
        "GlobalMap",
        "TurnTracker",
        "DiceButton",
        "ChartWindow",
        "HelpFile",
    ):
        assert found(game, needed), needed
    data = made(game).kit.data
    assert [one.text for one in found(game, "entry")] == [data.side_names[side] for side in data.sides]
    meta = ElementTree.fromstring(entries(game)["moduledata"].decode())
    assert (meta.findtext("name"), meta.findtext("version")) == (root.attrib["name"], root.attrib["version"])
    assert root.attrib["VassalVersion"] == meta.findtext("VassalVersion") == "3.7.0"
    assert found(game, "HelpFile")[0].attrib["fileName"] in entries(game)
    setups = [one.attrib for one in found(game, "PredefinedSetup")]
    assert {one["file"] for one in setups if one["useFile"] == "true"} == {f"{key}.vsav" for key in data.scenarios} <= set(entries(game))
    assert any(one["useFile"] == "false" for one in setups)


def test_counters_have_all_their_sides_and_blocks_one_unknown_a_side() -> None:
    kit = made("holdfast").kit
    levels = dict(zip(("name", "states"), kit.whole["card:21PZ"], strict=True))["name"]
    assert "21PZ-strength-4.png,21PZ-strength-3.png,21PZ-strength-2.png,21PZ-strength-1.png" in levels
    assert {"unknown:axis", "unknown:allied"} <= set(kit.pieces)
    assert kit.pieces["unknown:allied"].name == "Unknown block (Allied)"
    guns = made("beda-fomm").kit.whole["card:COL-ART"][0]
    assert "COL-ART-front.png,COL-ART-fired.png" in guns
    assert "T-1-front.png,T-1-parked.png" in made("beda-fomm").kit.whole["card:T-1"][0]
    assert not any(key.startswith("unknown:") for key in made("beda-fomm").kit.pieces)
    for mark in ("moved", "fired", "parked", "infiltrated"):
        assert f";Mark_{mark};" in guns


def test_palettes_of_beda_fomm_are_called_by_the_formations_names_and_what_their_counters_bear() -> None:
    lists = {one.attrib["entryName"] for one in found("beda-fomm", "ListWidget")}
    assert {"4th Armoured Brigade (4ARM)", "Combeforce (COM)", "10th Bersaglieri (10B)", "Sabratha (SAB)", "Markers"} <= lists
    assert not {"4ARM", "COM", "10B", "SAB"} & lists
    assert made("beda-fomm").kit.pieces["morale:10B"].name == "10th Bersaglieri (10B): Italian morale"
    assert not formations(holdfast())


def test_the_version_changes_with_any_picture_and_with_nothing_else() -> None:
    kit = made("holdfast").kit
    assert build(kit).content == made("holdfast").content
    changed = replace(kit, images={**kit.images, "21PZ-strength-4.png": kit.images["21PZ-strength-3.png"]})
    assert build(changed).stamp.version != made("holdfast").stamp.version
    assert build(changed).stamp.date != made("holdfast").stamp.date


def test_a_map_too_large_is_refused_and_a_large_one_is_drawn_smaller() -> None:
    """V11: the bound is in the words."""
    data, sheet = small_game(), made("holdfast").kit.sheet
    wide = lay(replace(data, board=replace(data.board, columns=99, rows=99)), sheet)
    assert wide.size[0] * wide.size[1] <= 14_000_000
    assert wide.lattice.column < lay(data, sheet).lattice.column
    with pytest.raises(ValueError, match="at most 14000000 pixels"):
        lay(replace(data, board=replace(data.board, columns=2000, rows=2000)), sheet)


def test_the_set_up_of_a_campaign_is_as_the_package_prints_it() -> None:
    kit = made("holdfast").kit
    seen = {one.id: one for one in setup(kit.data, kit.sheet, "campaign-1").counters}
    assert [seen[unit].place for unit in ("21PZ", "SAVENA", "4IND", "9AUS")] == ["0210", "0210", "3508", "1803"]
    assert (seen["21PZ"].num, seen["9AUS"].num, seen["FF"].num) == ({"sp": 4}, {"sp": 3}, {"sp": 1})
    fomm = made("beda-fomm").kit
    start = setup(fomm.data, fomm.sheet, "historical")
    early = {one.id: one for one in start.counters}
    assert (early["COL-ART"].place, early["COL-ART"].num) == ("edge:off", {"due": 1})
    assert (early["PIA-PARA"].num, early["T-1"].num, early["106RHA"].place) == ({"due": 3}, {}, "box:set-up")
    assert (start.own["vp"], start.own["morale"]["COM"], start.own["morale"]["10B"]) == (0, 11, 9)
    assert fomm.ground.area("Arrivals: Italian", LATER) is not None


def test_the_turn_counter_goes_through_both_player_turns() -> None:
    kit = made("holdfast").kit
    names = [stage.name for stage in stages(kit.data, kit.sheet)]
    sides = [f"{side}: {phase}" for side in ("Axis", "Allied") for phase in ("Build-up", "Action", "Supply")]
    assert names == ["Weather", "Malta", *sides, "Turn record"]
    assert [stage_of(kit.stages, *step) for step in (("malta roll", None), ("action", "axis"), ("action", "allied"), ("?", "allied"))] == [
        1,
        3,
        6,
        5,
    ]
    assert names[stage_of(kit.stages, "weather", None)] == "Weather"
    assert [stage.name for stage in made("beda-fomm").kit.stages][:2] == ["Italian: Movement", "Italian: Barrage"]

"""docs/style-sheets.md tells each key of the style sheets and each drawing that they may name, and none that there is not."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from types import ModuleType

import msgspec
import pytest
from msgspec.structs import fields

from services.render import style
from services.render.board import looks as board
from services.render.counters import looks as counters
from services.render.panel import looks as panel
from services.render.vassal import looks as vassal
from tests.architecture.sources import ROOT
from tests.render.proofs.looks import GAMES, THEMES

PAGE = (ROOT / "docs/style-sheets.md").read_text(encoding="utf-8")
SHAPES: dict[str, type[msgspec.Struct]] = {
    f"{module.__name__.removeprefix('services.render.').removesuffix('.looks')}.{name}": shape
    for module in (style, board, counters, panel, vassal)
    for name, shape in vars(module).items()
    if isinstance(shape, type) and issubclass(shape, msgspec.Struct) and shape.__module__ == module.__name__
}
"""``board.TerrainLook`` -> the shape of a table of a style sheet."""
REGISTRIES = (
    "board.patterns.PATTERNS",
    "board.lines.HEXSIDES",
    "board.roads.WATERS",
    "board.symbols.SYMBOLS",
    "counters.symbols.SYMBOLS",
    "counters.silhouettes.SILHOUETTES",
    "counters.badges.SIGNS",
    "panel.legend.SIGNS",
    "panel.weather.SIGNS",
    "draw.lettering.FACES",
)
"""Where the names of drawings stand, below ``services.render``."""


def told(mark: str) -> str:
    """What stands on the page below ``<!-- mark -->``, up to the next empty line."""
    found = re.findall(rf"<!-- {re.escape(mark)} -->\n\n?(.+?)(?:\n\n|\Z)", PAGE, re.S)
    assert len(found) == 1, f"docs/style-sheets.md must have <!-- {mark} --> once"
    return str(found[0])


def registry(path: str) -> set[str]:
    """The names that a registry in the code has."""
    module, _, name = f"services.render.{path}".rpartition(".")
    loaded: ModuleType = importlib.import_module(module)
    return set(getattr(loaded, name))


@pytest.mark.parametrize("name", SHAPES)
def test_each_key_is_told_and_none_that_there_is_not(name: str) -> None:
    shape = SHAPES[name]
    keys = re.findall(r"^\| `([a-z0-9_]+)` \|", told(name), re.M)
    inherited = {field.name for base in shape.__mro__[1:] if base in SHAPES.values() for field in fields(base)}
    own = [field.name for field in fields(shape) if field.name not in inherited]
    tag = shape.__struct_config__.tag_field
    assert sorted(keys) == sorted([*own, *([tag] if tag and not inherited else [])])
    if inherited:
        assert f'`{tag} = "{shape.__struct_config__.tag}"`' in PAGE


@pytest.mark.parametrize("path", REGISTRIES)
def test_each_drawing_is_told_and_none_that_there_is_not(path: str) -> None:
    names = re.findall(r"`([a-z0-9-]+)`", told(path))
    assert sorted(names) == sorted(registry(path))


def test_nothing_else_is_marked_on_the_page() -> None:
    assert set(re.findall(r"<!-- (\S+) -->", PAGE)) == {*SHAPES, *REGISTRIES}


def used(game: str) -> Iterator[tuple[str, str]]:
    """(registry, name) of each drawing that a game's style sheets name."""
    look = style.style_sheet(game, THEMES[0]).style
    ground = [*look.board.terrain.values(), look.board.waste]
    yield from (("board.patterns.PATTERNS", one.pattern) for one in ground if one.pattern)
    yield from (("board.lines.HEXSIDES", side.drawing) for side in look.board.hexsides.values())
    yield from (("board.roads.WATERS", line.drawing) for line in look.board.lines.values())
    yield from (("board.symbols.SYMBOLS", place.symbol) for place in look.board.features.values())
    yield from (("draw.lettering.FACES", place.face) for place in look.board.features.values())
    yield from (("draw.lettering.FACES", name.face) for name in look.board.lettered)
    signs = (*look.counters.badges.values(), *look.counters.markers.values())
    yield from (("counters.badges.SIGNS", badge.sign) for badge in signs)
    known = registry("counters.silhouettes.SILHOUETTES")
    types = look.counters.symbols.values()
    yield from (("counters.silhouettes.SILHOUETTES" if name in known else "counters.symbols.SYMBOLS", name) for name in types)


@pytest.mark.parametrize("game", GAMES)
def test_the_style_sheets_name_drawings_that_there_are(game: str) -> None:
    named = list(used(game))
    assert len(named) > 15
    assert [(path, name) for path, name in named if name not in registry(path)] == []

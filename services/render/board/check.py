"""What a board's style sheet names, held against what there is: colours of the theme, and the drawings of the registries."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from services.render.board.lines import HEXSIDES
from services.render.board.looks import BoardStyle
from services.render.board.patterns import PATTERNS
from services.render.board.roads import WATERS
from services.render.board.symbols import SYMBOLS
from services.render.draw.lettering import FACES

_ALWAYS = (
    *("paper", "rule", "ink", "halo", "grid", "number", "town", "scarp"),
    *("sand", "sand_lo", "coastal", "shade", "lit"),
    *("sea", "sea_deep", "sea_ink", "shallow", "shore"),
)
"""What is drawn on every sheet, whatever its style names."""


def check_board(style: BoardStyle, colours: Collection[str]) -> None:
    """ValueError, saying where, if a board's style names a colour, drawing or face that there is not."""
    for where, what, name, known in _named(style, colours):
        if name not in known:
            raise ValueError(f"{where}: there is no {what} {name!r}; there are: {', '.join(sorted(known))}")


def _named(style: BoardStyle, colours: Collection[str]) -> Iterator[tuple[str, str, str, Collection[str]]]:
    yield from (("board", "colour", name, colours) for name in _ALWAYS)
    for kind, terrain in [*style.terrain.items(), ("waste", style.waste)]:
        yield f"terrain {kind}", "colour", terrain.tint, colours
        if terrain.pattern:
            yield f"terrain {kind}", "pattern", terrain.pattern, PATTERNS
            yield f"terrain {kind}", "colour", terrain.stroke, colours
    for kind, road in style.roads.items():
        yield f"road {kind}", "colour", road.colour, colours
        if road.edge:
            yield f"road {kind}", "colour", road.edge, colours
    for kind, side in style.hexsides.items():
        yield f"hexside {kind}", "drawing", side.drawing, HEXSIDES
        yield f"hexside {kind}", "colour", side.colour, colours
    for kind, line in style.lines.items():
        yield f"line {kind}", "drawing", line.drawing, WATERS
        yield f"line {kind}", "colour", line.colour, colours
    for kind, place in style.features.items():
        yield f"place {kind}", "symbol", place.symbol, SYMBOLS
        yield f"place {kind}", "face", place.face, FACES
        yield f"place {kind}", "colour", place.colour, colours
    for name in style.lettered:
        yield f"lettering {name.text}", "face", name.face, FACES
        yield f"lettering {name.text}", "colour", name.colour, colours
    for entry in style.entries:
        yield f"entry {entry.text}", "colour", entry.colour, colours

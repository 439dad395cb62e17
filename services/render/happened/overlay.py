"""What happened, in layers: what lies under the counters, and what lies over them. Drawn from a view's events only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from scenarios.hexes import Hex
from services.render.board.names import Placed, draw_names
from services.render.draw.geometry import Lattice
from services.render.draw.ink import Plate
from services.render.draw.room import Area
from services.render.happened.arrows import draw_ends, draw_moves
from services.render.happened.attacks import draw_attacks
from services.render.happened.fights import battles
from services.render.happened.fire import draw_fires, fire_areas, fires, hits
from services.render.happened.flags import changes, draw_flags
from services.render.happened.losses import draw_losses, losses, notes
from services.render.happened.signs import draw_signs
from services.render.happened.tags import draw_notice, draw_tags, tag_lines
from services.render.happened.ways import moves
from services.render.happened.zones import draw_ezoc, draw_supply, draw_unsupplied
from services.render.style import Style
from services.render.views import View, hexes


def draw_under(
    plate: Plate,
    view: View,
    lattice: Lattice,
    style: Style,
    names: Iterable[Placed],
    held: Mapping[Hex, Area],
    planned: bool = False,
) -> None:
    """ZOC, supply lines, movements and lines of fire; upon them the names of places and their flags. ``held``: what counters will hide."""
    draw_ezoc(plate, hexes(view.own.get("ezoc")), lattice)
    look = style.sides.get(view.side or "")
    draw_supply(plate, view.own.get("supply"), lattice, look.ink if look else "ink")
    draw_moves(plate, moves(view.events, style.sides, view.counters, planned), lattice, style, held)
    draw_fires(plate, fires(view), lattice)
    placed = list(names)
    draw_names(plate, placed)
    control = view.own.get("control")
    draw_flags(plate, control if isinstance(control, dict) else {}, changes(view.events), placed, style, lattice)


def crossed_out(view: View, lattice: Lattice) -> list[Area]:
    """The rectangles that losses take in hexes where nobody stands now."""
    held = {one.hex for one in view.counters}
    r = lattice.radius
    gone = Counter(at for at, _ in losses(view.events) if at not in held)
    return [(x - r * 0.75, y - r * 0.6, x + r * 0.75, y + r * (0.55 + 0.3 * n)) for at, n in gone.items() for x, y in [lattice.centre(at)]]


def draw_over(
    plate: Plate,
    view: View,
    lattice: Lattice,
    style: Style,
    hidden: Mapping[Hex, Area],
    taken: Iterable[Area],
    area: tuple[int, int],
    planned: bool = False,
) -> None:
    """Ends of ways that would be ``hidden`` by counters, attacks, signs, losses, and the tags of battles, which keep clear of what is
    ``taken`` and inside the map's ``area``. What was lost in a hex where counters stand now is told on its tag, so that it hides none of
    them."""
    fights = battles(view.events)
    held = frozenset(one.hex for one in view.counters if one.hex is not None)
    lost = losses(view.events)
    draw_ends(plate, moves(view.events, style.sides, view.counters, planned), lattice, style, hidden)
    draw_attacks(plate, fights, lattice, hidden, planned)
    blocks = [*taken, *fire_areas(fires(view), lattice), *crossed_out(view, lattice)]
    signed = draw_signs(plate, view, lattice, held | {at for at, _ in lost}, blocks)
    draw_unsupplied(plate, view.own.get("supply"), lattice)
    draw_losses(plate, (one for one in lost if one[0] not in held), lattice)
    told = [one for one in fights if one.label or one.score or not (planned or one.declared)]
    tags = tag_lines(told, (one for one in lost if one[0] in held), notes(view.events), hits(view))
    draw_tags(plate, tags, lattice, [*blocks, *signed], area)
    if planned:
        draw_notice(plate, "Planned", blocks, area, lattice.radius)

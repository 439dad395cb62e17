"""A position as a save: what one viewer may know, every piece where it stands."""

from __future__ import annotations

from scenarios.data import GameData
from services.render.vassal.ground import turn_name
from services.render.vassal.module import built
from services.render.vassal.places import check_view, read_secret
from services.render.vassal.position import position
from services.render.views import View


def save(data: GameData, view: View, *, secret: str, theme: str = "light") -> bytes:
    """A ``.vsav`` of a view. Equal arguments give equal bytes, and these hold nothing that the view does not.

    ``secret``: 64 hex digits, from which ids are made.  ValueError, saying what is wrong, for the view of another game or of an unknown
    viewer, for one that does not fit the package, and for a secret that is none; KeyError if the game has no such theme.
    """
    module = built(data, theme)
    check_view(module.kit, view)
    return module.stamp.saved(position(module.kit, view, read_secret(secret)), described(data, view))


def described(data: GameData, view: View) -> str:
    """What VASSAL says of a file when it is opened."""
    scenario = data.scenarios[view.scenario]
    k = scenario.first_turn + view.turn - 2
    turn = turn_name(data.turns[k]) if 0 <= k < len(data.turns) else str(view.turn)
    seen = f"as the {data.side_names.get(view.side, view.side)} side sees it" if view.side else "as a spectator sees it"
    return f"{data.title}, {scenario.title}: {turn}, {seen}"

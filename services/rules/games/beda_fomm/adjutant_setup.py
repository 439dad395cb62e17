"""The adjutant's set-up: Combeforce as near to the road as it may stand, and the convoys with the best men in front."""

from __future__ import annotations

from services.rules.games.beda_fomm.adjutant_view import Draft
from services.rules.games.beda_fomm.state import value

PLACES = {"2630": "11H-1 11H-2 2RB-C 106RHA", "2631": "2RB-A 2RB-B 2RB-D KDG-B", "2731": "C-4RHA"}
"""The hexes next to 2731 that lie nearest to the road, by the track and north of it."""


def place_all(draft: Draft) -> None:
    """The blocking force is set up (14.2)."""
    for at, units in PLACES.items():
        for unit in units.split():
            draft.gather("PLACE", unit=unit, hex=at)


def form_all(draft: Draft) -> None:
    """Nine convoys, the strongest battalions first, and transports in the order of their numbers (14.31)."""
    rule = draft.table.data.scenarios[draft.table.before.scenario].tables["convoys"]
    people = sorted(rule["personnel"], key=lambda unit: (-value(draft.table, unit, "cf"), unit))
    people += rule["choice"][: rule["count"] - len(people)]
    for n, unit in enumerate(people, 1):
        draft.gather("CONVOY", n=n, transports=rule["transports"][2 * n - 2 : 2 * n], personnel=unit)

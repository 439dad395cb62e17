"""How large the pictures of a campaign are, and how many: so that its site stays below forty megabytes however long it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

WHOLE, PART, SIDES, MOVING = 2400, 1200, 1600, 600
"""Longer sides, in pixels, where there is room: of the map; of its parts; of what each side saw; of what moves."""
MOST = 38_000_000
"""Bytes that a site may have: two million less than its goal, for an estimate is not exact."""
ONCE, EACH, PAGE = 2_500_000, 150_000, 80_000
"""Bytes of all that is no picture: of the campaign (module, index, book); of a game-turn (page, saves, events); of that without saves."""
PROBE, GROWN = 1200, 2.6
"""A map of so many pixels is drawn first; so many times its weight has one of ``WHOLE``."""
FALL = 1.4
"""A picture's weight goes with this power of its scale: letters and lines weigh more than plain ground."""
PARTS, SIDE = 0.7, 0.57
"""Weight to that of the map: of the front and the two small maps together; of what one side saw."""
MORE = 1.15
"""The maps of later game-turns have more on them than the first."""
LEAST_MOTION, MOST_MOTION, STEP = 150_000, 500_000, 50_000
"""Bytes that a turn in motion may have: fewer are none; the rest goes in steps, so that a game which goes on is not drawn anew."""
SMALLER = (WHOLE, 2000, 1600, 1200, 900)


@dataclass(frozen=True, slots=True)
class Plan:
    """How a campaign is drawn. ``whole``, ``part``, ``sides``: longer sides in pixels; ``motion``: bytes of a turn in motion, 0: there is
    none."""

    whole: int = WHOLE
    motion: int = MOST_MOTION

    @property
    def part(self) -> int:
        """Pixels of a part of the map."""
        return PART * self.whole // WHOLE

    @property
    def sides(self) -> int:
        """Pixels of what a side saw."""
        return SIDES * self.whole // WHOLE

    @property
    def told(self) -> list[str]:
        """What a page says of it."""
        said = []
        if self.whole < WHOLE:
            said.append(f"the maps are {self.whole} pixels large, not {WHOLE}")
        if not self.motion:
            said.append("no game-turn is shown in motion")
        return said

    @classmethod
    def of(cls, turns: int, probe: int, fog: int) -> Self:
        """The plan of a campaign of so many game-turns. ``probe``: bytes of its first map at ``PROBE`` pixels; ``fog``: sides whose own
        views are shown."""
        share = (MOST - ONCE) / max(turns, 1) - EACH
        for whole in SMALLER:
            weight = probe * GROWN * MORE * (whole / WHOLE) ** FALL
            left = share - weight * (1 + PARTS + SIDE * fog)
            if left >= LEAST_MOTION:
                return cls(whole, min(MOST_MOTION, int(left) // STEP * STEP))
        return cls(SMALLER[-1], motion=0)


def room_for_dark(turns: int, made: int, maps: int, pictures: int) -> bool:
    """Whether each map may be there in the dark theme too. ``turns``: that there will be; ``made``: that there are; ``maps``, ``pictures``:
    bytes of their maps, and of all that was drawn for them, files for VASSAL among it."""
    return ONCE + turns * (PAGE + (pictures + maps) / max(made, 1)) <= MOST

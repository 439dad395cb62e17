"""How a game's counters look: the shape of its ``counters.toml``.

Measures are in hex radii (``Lattice.radius``) unless said otherwise, colours are names of the theme's palette.
"""

from __future__ import annotations

import msgspec


class NationLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A nation's label on a block."""

    label: str
    text: str
    frame: str


class CounterLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a counter's figures come from: of a card's ``values`` those in the upper left, upper right and lower right corner (their
    ``names`` in the legend), its greatest strength and its size as a formation; of a counter's ``num`` its strength."""

    corners: tuple[str, str, str]
    names: tuple[str, str, str]
    strength: str
    most: str
    formation: str = ""
    usual_formation: str = ""


class CounterStyle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The counters of a game: the label of each nation, the symbol of each kind, the figures, and the marks that are shown as badges."""

    nations: dict[str, NationLook]
    symbols: dict[str, str]
    counter: CounterLook
    badges: list[str]

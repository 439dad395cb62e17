"""Holdfast's battles: both sides throw dice at once."""

from __future__ import annotations

from services.mail.battles.layout import Layout, Rows

LAYOUTS = (
    Layout(
        "battle",
        rows=(Rows("attackers", "attackers"), Rows("defender", "defender", here=True)),
        help=("air", "leader"),
        dice=("attack", "defence"),
        below=frozenset({"rolled", "hits", "eliminated", "decided", "revealed", "strength_lost"}),
    ),
)

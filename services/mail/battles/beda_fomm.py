"""Beda Fomm's battles: barrages, antitank shots, and regular combats by odds; morale checks and retreats belong to what brought them."""

from __future__ import annotations

from services.mail.battles.layout import Layout, Rows

_SUFFERED = frozenset({"rolled", "decided", "morale_check", "morale_fell", "eliminated", "retreated", "exited", "chain", "chain_ends"})

LAYOUTS = (
    Layout(
        "barrage",
        rows=(Rows("guns", "guns"), Rows("target", "columns")),
        throws=frozenset({"barrage_result"}),
        below=_SUFFERED,
    ),
    Layout(
        "shot",
        rows=(Rows("firing", "units"), Rows("target", "target")),
        throws=frozenset({"shot"}),
        below=_SUFFERED,
    ),
    Layout(
        "battle",
        rows=(
            Rows("attackers", "attackers"),
            Rows("support", "support"),
            Rows("defender", "defenders"),
            Rows("support", "defence_support"),
        ),
        help=("attack", "defence"),
        throws=frozenset({"result"}),
        below=_SUFFERED | {"advanced"},
    ),
)

"""Race for Tunis's battles: counterbattery fire, and battles with guns and aircraft; losses, retreats and advances below."""

from __future__ import annotations

from services.mail.battles.layout import Layout, Rows

LAYOUTS = (
    Layout(
        "counterbattery",
        rows=(Rows("guns", "guns"), Rows("target", "target")),
        throws=frozenset({"counterbattery"}),
        below=frozenset({"rolled"}),
    ),
    Layout(
        "battle",
        rows=(
            Rows("attackers", "attackers"),
            Rows("support", "support"),
            Rows("defender", "defenders"),
            Rows("support", "defence_support"),
        ),
        help=("air", "lower"),
        throws=frozenset({"result"}),
        below=frozenset(
            {
                *("rolled", "decided", "outgunned", "shares", "eliminated", "split", "retreated", "advanced", "control_changed"),
                *("engaged", "disengaged", "engagements", "base_lost", "base_regained"),
            }
        ),
    ),
)

"""The Fall of Tobruk's battles: bombardments, shots at tanks, and attacks by odds with the retreats and advances that they lead to."""

from __future__ import annotations

from services.mail.battles.layout import Layout, Rows

_SHOT = (Rows("firing", "units"), Rows("target", "targets"))
LAYOUTS = (
    Layout(
        "shelled",
        rows=(Rows("guns", "guns"),),
        throws=frozenset({"rolled"}),
        below=frozenset({"roused", "disrupted", "decided", "split", "eliminated", "gap_closed"}),
    ),
    Layout("first_shot", rows=_SHOT, throws=frozenset({"first_shot"}), below=frozenset({"rolled", "wrecked"})),
    Layout("shot", rows=_SHOT, throws=frozenset({"shot"}), below=frozenset({"rolled"})),
    Layout(
        "battle",
        rows=(Rows("attackers", "attackers"), Rows("defender", "defenders")),
        help=("overrun", "mined", "shift"),
        throws=frozenset({"result"}),
        below=frozenset(
            {
                *("rolled", "decided", "split", "eliminated", "wrecked", "disrupted", "shares", "held", "retreated", "advanced"),
                *("mine_roll", "stalled", "not_stalled", "engaged", "gap_open", "gap_closed", "place_taken"),
            }
        ),
    ),
)

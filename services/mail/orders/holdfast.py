"""Holdfast's verbs."""

from __future__ import annotations

from services.mail.orders.verbs import Language, verb

LANGUAGE = Language(
    game="holdfast",
    verbs=(
        verb("COMMIT", "COMMIT n:0..20", "COMMIT TABLE table:pairs", answer=True),
        verb("ENTER", "ENTER unit:unit"),
        verb("DELAY", "DELAY unit:unit", "HOLD unit:unit"),
        verb("REBUILD", "REBUILD unit:unit"),
        verb("STEP", "STEP unit:unit k:1..20=1"),
        verb("MOVE", "MOVE units:one ROUTE [STRATEGIC=strategic] [LEADER=leader]"),
        verb("ATTACK", "ATTACK hex:hex WITH units:units [AIR air:id] [LEADER=leader] [LOSE/LOSS lose:units] [AS label:label]"),
        verb("LOSE", "LOSE/LOSS units:units [SPARE spare:units]", "SPARE spare:units [LOSE/LOSS units:units]", answer=True),
        verb("KEEP", "KEEP unit:unit", answer=True),
    ),
    windows={"MALTA": ("COMMIT",), "LOSSES": ("LOSE",), "SURPLUS": ("KEEP",)},
    weathers=("CLEAR", "POOR"),
    ahead={"malta axis": ("MOVE", "ATTACK"), "build": ("MOVE", "ATTACK")},
)

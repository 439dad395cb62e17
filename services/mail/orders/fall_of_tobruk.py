"""The Fall of Tobruk's verbs."""

from __future__ import annotations

from services.mail.orders.verbs import Language, verb

LANGUAGE = Language(
    game="fall-of-tobruk",
    verbs=(
        verb("PLACE", "PLACE unit:unit AT? hex:hex"),
        verb("ENTER", "ENTER unit:unit [AT hex:hex]"),
        verb("DELAY", "DELAY unit:unit", "HOLD unit:unit"),
        verb("REFIT", "REFIT keep:unit SCRAP scrap:units AT hex:hex"),
        verb("RESERVE", "RESERVE PZKW? model:name AT hex:hex"),
        verb("BARRAGE", "BARRAGE guns:units AT hex:hex [ELSE AT else_hex:hex]", "SHELL hex:hex WITH guns:units [ELSE AT? else_hex:hex]"),
        verb("RECOVER", "RECOVER tank:id mode:AUTO|TRY", "RECOVER mode:AUTO|TRY tank:id"),
        verb("SCRAP", "SCRAP wreck:id"),
        verb("DEMOLISH", "DEMOLISH tank:id BY unit:unit"),
        verb("FREE", "FREE brigade:name"),
        verb("MOVE", "MOVE units:stack ROUTE [DROP drop:unit AT drop_at:hex]"),
        verb("SPLIT", "SPLIT unit:unit"),
        verb("REJOIN", "REJOIN unit:unit"),
        verb("STAND", "STAND units:units"),
        verb("EXIT", "EXIT unit:unit"),
        verb(
            "FIRE",
            "FIRE/SHOOT/FIRST units:units AT targets:targets [IN hex:hex] [ELSE AT else_targets:targets]",
            "FIRE policy:YES|NO|ALL [BY by:AT|TYPE] [MIN min:ratio] [POOL pool:yesno]",
            answer=True,
        ),
        verb("ATTACK", "ATTACK hexes:hexgroup WITH units:units [AS label:label]"),
        verb("OCCUPY", "OCCUPY hex:hex WITH units:units"),
        verb("SLIP", "SLIP unit:unit TO hex:hex", "SLIP NEVER=never", answer=True),
        verb("LOSE", "LOSE/LOSS units:units|CHEAPEST [SPLIT split:yesno]", "MINE=mine LOSE/LOSS units:units|CHEAPEST", answer=True),
        verb(
            "RETREAT",
            "RETREAT unit:unit path:path",
            "RETREAT unit:unit TO hex:hex",
            "RETREAT POLICY AVOID? avoid:names",
            answer=True,
        ),
        verb("ADVANCE", "ADVANCE units:units TO hex:hex", "ADVANCE NEVER/NONE=none", "ADVANCE MAX max:0..99", answer=True),
    ),
    windows={
        "FIRST-FIRE": ("FIRE",),
        "ANTITANK": ("FIRE",),
        "SLIP": ("SLIP",),
        "MINE-LOSSES": ("LOSE",),
        "LOSSES": ("LOSE",),
        "RETREAT": ("RETREAT",),
        "ADVANCE": ("ADVANCE",),
    },
)

"""Beda Fomm's verbs."""

from __future__ import annotations

from services.mail.orders.verbs import Language, verb

LANGUAGE = Language(
    game="beda-fomm",
    verbs=(
        verb("PLACE", "PLACE unit:unit AT? hex:hex"),
        verb("CONVOY", "CONVOY n:0..99 transports:units personnel:unit"),
        verb("ENTER", "ENTER unit:unit [AT hex:hex]", "ENTER CONVOY convoy:0..99 [AT hex:hex]"),
        verb("DELAY", "DELAY unit:unit", "DELAY CONVOY convoy:0..99", "HOLD unit:unit"),
        verb("PARK", "PARK unit:unit"),
        verb("UNPARK", "UNPARK unit:unit"),
        verb("MOVE", "MOVE units:stack ROUTE [DROP drop:unit AT drop_at:hex]"),
        verb("EXIT", "EXIT unit:unit"),
        verb("INTERDICT", "INTERDICT guns:units AT hex:hex"),
        verb(
            "BARRAGE",
            "BARRAGE guns:units AT target:hex|ARMOR|MOST-UNITS [WITHIN within:0..99] [ELSE AT else_target:hex|ARMOR|MOST-UNITS]",
            "BARRAGE HOLD-FIRE=hold_fire",
            "HOLD-FIRE=hold_fire",
            answer=True,
        ),
        verb("FIRE", "FIRE units:units AT target:any|BEST [MASS mass:column]", answer=True),
        verb("ATTACK", "ATTACK hex:hex WITH NONE=none", "ATTACK hex:hex WITH units:units [SUPPORT support:units] [AS label:label]"),
        verb("SUPPORT", "SUPPORT/DEFSUPPORT guns:units AT/-> hex:hex", answer=True),
        verb("RESOLVE", "RESOLVE battle:label", answer=True),
        verb("ADVANCE", "ADVANCE units:units TO hex:hex", "ADVANCE NONE=none", answer=True),
        verb(
            "RETREAT",
            "RETREAT unit:unit EXIT=exit",
            "RETREAT unit:unit path:path [EXIT=exit]",
            "RETREAT unit:unit TO hex:hex",
            "RETREAT parent:id DIRS dirs:names [EXIT exit:yesno] [AVOID avoid:hexes]",
            answer=True,
        ),
        verb("CHECKS", "CHECKS units:units", answer=True),
    ),
    windows={
        "REACTION-BARRAGE": ("BARRAGE",),
        "REACTION-ANTITANK": ("FIRE",),
        "DEFENSIVE-SUPPORT": ("SUPPORT",),
        "COMBAT": ("RESOLVE",),
        "CHECKS": ("CHECKS",),
        "CASUALTY": ("CHECKS",),
        "RETREAT": ("RETREAT",),
        "ADVANCE": ("ADVANCE",),
    },
    gone=("box:exited", "box:eliminated"),
    declined=("REACTION-ANTITANK", "DEFENSIVE-SUPPORT"),
    unsaid={
        "british": ("DELAY", "EXIT"),
        "opening": ("DELAY",),
        "dark": ("INTERDICT", "BARRAGE", "FIRE", "ATTACK"),
        "italian hushed": ("INTERDICT", "BARRAGE", "FIRE", "ATTACK"),
    },
    ahead={
        "parking": ("MOVE", "INTERDICT", "BARRAGE", "FIRE", "ATTACK"),
        "movement": ("INTERDICT", "BARRAGE", "FIRE", "ATTACK"),
        "interdiction": ("BARRAGE", "FIRE", "ATTACK"),
        "barrage": ("FIRE", "ATTACK"),
        "antitank": ("ATTACK",),
    },
)

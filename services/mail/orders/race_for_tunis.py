"""Race for Tunis's verbs."""

from __future__ import annotations

from services.mail.orders.verbs import Language, verb

LANGUAGE = Language(
    game="race-for-tunis",
    verbs=(
        verb("LAND", "LAND unit:unit AT hex:hex", answer=True),
        verb("SEA", "SEA unit:unit AT port:hex"),
        verb("REJOIN", "REJOIN units:units AS battalion:unit"),
        verb("SPLIT", "SPLIT unit:unit"),
        verb("REBUILD", "REBUILD unit:unit"),
        verb(
            "MOVE",
            "MOVE units:stack ROUTE [DROP drop:unit AT drop_at:hex] [BRIDGE bridge:BLOW|MEND bridge_at:hex]",
            shown="MOVE unit TO hex [VIA hex,hex] [BY ROAD] [BRIDGE BLOW|MEND hex] | MOVE unit hex hex ... [BRIDGE BLOW|MEND hex]",
        ),
        verb("ENTER", "ENTER unit:unit [AT hex:hex]"),
        verb("DELAY", "DELAY unit:unit", "HOLD unit:unit"),
        verb("BRIDGE", "BRIDGE act:BLOW|MEND hex:hex BY unit:unit"),
        verb("DROP", "DROP unit:unit AT hex:hex"),
        verb("AMPH", "AMPH unit:unit AT hex:hex"),
        verb(
            "ATTACK",
            "ATTACK hexes:hexgroup WITH NONE=none",
            "ATTACK hexes:hexgroup WITH units:units [SUPPORT support:units] [LOWER lower:0..99] [AS label:label]",
            "ATTACK/SELECT hexes:hexgroup ONLY only:any WITH/BY units:units [SUPPORT support:units] [LOWER lower:0..99] [AS label:label]",
            "ATTACK hexes:hexgroup REST=rest WITH units:units [SUPPORT support:units] [LOWER lower:0..99] [AS label:label]",
            "REST=rest hexes:hexgroup WITH/BY units:units [SUPPORT support:units] [LOWER lower:0..99] [AS label:label]",
            shown="ATTACK hex+hex WITH unit,unit [SUPPORT unit,unit] [LOWER number] [AS label]"
            " | ATTACK hex ONLY unit WITH unit,unit [AS label] | ATTACK hex REST WITH unit,unit [AS label]",
        ),
        verb(
            "SUPPORT",
            "SUPPORT/DEFSUPPORT guns:units FOR/-> battle:label",
            "SUPPORT MAXIMISE=maximise",
            "SUPPORT DENY deny:hexes",
            "DENY deny:hexes",
            answer=True,
        ),
        verb("AIR", "AIR air:id mission:SUPPORT|INTERDICT hex:hex [FOR battle:label]"),
        verb("CB", "CB guns:units AT target:any"),
        verb("INTERCEPT", "INTERCEPT air:id|ALL AT target:id|SUPPORT-FIRST|INTERDICTION-FIRST|HIGHEST [KEEP keep:0..99]", answer=True),
        verb("LOSE", "LOSE/LOSS units:units [SPLIT split:yesno]", answer=True),
        verb(
            "RETREAT",
            "RETREAT units:units|ALL TO rally:hexes [ROAD road:yesno]",
            "RETREAT unit:unit path:path",
            answer=True,
        ),
        verb("ADVANCE", "ADVANCE units:units TO hexes:hexes", "ADVANCE NONE/NEVER=none", "ADVANCE MAX max:0..99", answer=True),
        verb("JOINBATTLE", "JOINBATTLE battle:label|SPREAD [WITH units:units]", answer=True),
    ),
    windows={
        "ALLOTMENT": ("SUPPORT", "INTERCEPT", "JOINBATTLE"),
        "EXCESS": ("LOSE",),
        "LOSSES": ("LOSE",),
        "RETREAT": ("RETREAT",),
        "ADVANCE": ("ADVANCE",),
    },
    weathers=("CLEAR", "RAIN", "HEAVY RAIN"),
    results={
        **dict.fromkeys(("AELIM", "ATTACKERELIMINATED"), "AE"),
        **dict.fromkeys(("DELIM", "DEFENDERELIMINATED"), "DE"),
        **dict.fromkeys(("EXCH", "EXCHANGE"), "EX"),
        "CONTACT": "CON",
        "ENGAGED": "ENG",
    },
    gone=("box:eliminated", "box:component"),
    boxes={"box:air": "at its base"},
    declined=("ALLOTMENT",),
    unsaid={
        "axis": ("ENTER", "DELAY", "REBUILD", "DROP", "AMPH"),
        "allied": ("LAND", "SEA", "REJOIN"),
        "without-air": ("AIR", "INTERCEPT"),
        "without-counterbattery": ("CB",),
        "without-landings": ("DROP", "AMPH"),
    },
    ahead={
        "opening": ("LAND", "ENTER", "MOVE", "DROP", "AMPH", "ATTACK", "SUPPORT", "AIR", "CB"),
        "movement": ("REJOIN", "DROP", "AMPH", "ATTACK", "SUPPORT", "AIR", "CB"),
        "rejoin": ("ATTACK", "SUPPORT", "AIR", "CB"),
        "landings": ("MOVE", "ATTACK", "SUPPORT", "AIR", "CB"),
        "landed": ("ATTACK", "SUPPORT", "AIR", "CB"),
    },
)

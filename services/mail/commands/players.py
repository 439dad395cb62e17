"""The commands that players give: who may, the verb, its patterns, and whether a stranger may knock with it."""

from __future__ import annotations

from typing import Literal

Row = tuple[Literal["open", "address", "player", "master"], str, tuple[str, ...], bool]

COMMANDS: tuple[Row, ...] = (
    ("open", "HELP", ("HELP topic:topic?",), False),
    # Beginning a game
    (
        "open",
        "NEW",
        (
            "NEW OFF=off game:game?",
            "NEW scenario:scenario [AS side:side] [WORD word:diceword] [AGAINST ADJUTANT=alone] [DEADLINE turn:0..10000]"
            " [REACTION reaction:0..10000] [SETUP setup:0..10000] [ABSENCE absence:ADJUTANT|NOTHING|WAIT|MASTER] [WITH options:options]",
        ),
        True,
    ),
    ("open", "JOIN", ("JOIN game:game [AS side:side] [WORD word:diceword]",), True),
    ("open", "INVITE", ("INVITE address:address [TO game:game] [AS side:side]",), False),
    ("open", "ACCEPT", ("ACCEPT code:code? [WORD word:diceword]",), True),
    ("open", "REFUSE", ("REFUSE/DECLINE code:code?",), True),
    # Asking
    ("address", "STATUS", ("STATUS game:game?",), False),
    ("address", "STANDING", ("STANDING LIST? game:game?",), False),
    ("address", "WHO", ("WHO game:game?",), False),
    ("address", "MAP", ("MAP game:game?",), False),
    ("address", "TEMPLATE", ("TEMPLATE game:game?",), False),
    ("address", "LEGAL", ("LEGAL game:game?",), False),
    ("address", "RESEND", ("RESEND MODULE?=module game:game?",), False),
    # Changing the game
    ("player", "UNDO", ("UNDO",), False),
    ("player", "DRAW", ("DRAW OFF?=withdraw",), False),
    # Who plays, and how he is written to
    ("player", "SUBSTITUTE", ("SUBSTITUTE address:address", "SUBSTITUTE OFF=off"), False),
    (
        "player",
        "VACATION",
        ("VACATION days:1..60 DAYS? [FROM since:date]", "VACATION UNTIL until:date [FROM since:date]", "VACATION OFF=off"),
        False,
    ),
    ("open", "SPECTATE", ("SPECTATE OFF?=off game:game?",), True),
    ("player", "ADDRESS", ("ADDRESS ADD=add address:address", "ADDRESS REMOVE=remove address:address", "ADDRESS address:address"), False),
    ("player", "COPY", ("COPY OFF=off address:address?", "COPY address:address"), False),
    (
        "player",
        "NOTIFY",
        ("NOTIFY how:ALL|AWAITED", "NOTIFY REMINDERS=reminders switch:ON|OFF", "NOTIFY DIGEST=digest switch:ON|OFF"),
        False,
    ),
    ("player", "LINK", ("LINK OFF?=off",), False),
    ("player", "SAY", ("SAY TO to:side UNSIGNED?=unsigned text:text?", "SAY UNSIGNED?=unsigned text:text?"), False),
)

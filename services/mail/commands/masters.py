"""The commands that the game master gives: as in ``players``."""

from __future__ import annotations

from services.mail.commands.players import Row

COMMANDS: tuple[Row, ...] = (
    ("master", "PAUSE", ("PAUSE game:game [UNTIL until:date] [BECAUSE reason:text]",), False),
    ("master", "RESUME", ("RESUME game:game [BECAUSE reason:text]",), False),
    (
        "master",
        "EXTEND",
        (
            "EXTEND game:game side:side BY? n:1..999 unit:HOURS|HOUR|DAYS|DAY [BECAUSE reason:text]",
            "EXTEND game:game side:side UNTIL until:date [BECAUSE reason:text]",
            "EXTEND game:game BY? n:1..999 unit:HOURS|HOUR|DAYS|DAY [BECAUSE reason:text]",
            "EXTEND game:game UNTIL until:date [BECAUSE reason:text]",
        ),
        False,
    ),
    (
        "master",
        "ROLLBACK",
        (
            "ROLLBACK game:game TO TURN turn:1..999 [OF side:side] [PHASE phase:words] [CODE code:code] [BECAUSE reason:text]",
            "ROLLBACK game:game TO VERSION version:0..999999 [CODE code:code] [BECAUSE reason:text]",
            "ROLLBACK game:game",
        ),
        False,
    ),
    (
        "master",
        "REPLACE",
        (
            "REPLACE game:game side:side old:address|ADJUTANT BY/WITH? new:address|ADJUTANT [BECAUSE reason:text]",
            "REPLACE OFF=off game:game side:side",
        ),
        False,
    ),
    (
        "master",
        "EDIT",
        (
            "EDIT game:game what:MOVE unit:counter TO? place:spot [BECAUSE reason:text]",
            "EDIT game:game what:REMOVE unit:counter [TO place:spot] [BECAUSE reason:text]",
            "EDIT game:game what:RESTORE unit:counter TO/AT? place:spot [BECAUSE reason:text]",
            "EDIT game:game what:SET unit:counter value:worth [BECAUSE reason:text]",
            "EDIT game:game what:SET unit:counter name:worth TO? value:worth [BECAUSE reason:text]",
        ),
        False,
    ),
)

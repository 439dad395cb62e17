"""The commands about time: as in ``players``."""

from __future__ import annotations

from services.mail.commands.players import Row

_TERMS = "[REACTION reaction:0..10000] [SETUP setup:0..10000] [CONSENT consent:1..10000] [ABSENCE absence:ADJUTANT|NOTHING|WAIT|MASTER]"
COMMANDS: tuple[Row, ...] = (
    ("player", "ZONE", ("ZONE zone:zone?",), False),
    ("player", "POSTPONE", ("POSTPONE days:1..60 DAYS/DAY", "POSTPONE hours:1..1000 HOURS/HOUR?"), False),
    ("player", "DEADLINE", (f"DEADLINE turn:0..10000 HOURS/HOUR? {_TERMS}", f"DEADLINE {_TERMS}"), False),
    ("master", "TERMS", (f"TERMS game:game [DEADLINE turn:0..10000] {_TERMS}",), False),
    ("master", "DECIDE", ("DECIDE game:game side:side how:ADJUTANT|NOTHING",), False),
)

"""Settings that speak of times: what is wrong with them."""

from __future__ import annotations

import re
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

MOST_REMINDERS = 5
_HOURS = re.compile(r"[0-9]{1,4}(?:\.[0-9]{1,2})?\Z")


def fault(reminders: str, digest_hour: int, zone: str) -> str | None:
    """What is wrong with these settings, in words behind "Setting"; None if nothing is."""
    if digest_hour > 23:
        return f"digest_hour must be from 0 to 23, not {digest_hour}."
    words = reminders.split()
    if len(words) > MOST_REMINDERS or not all(_HOURS.match(one) and float(one) > 0 for one in words):
        return f"reminders must be at most {MOST_REMINDERS} numbers of hours, as in '24 4', not {reminders!r}."
    try:
        ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return f"zone must be a time zone such as Europe/Rome, not {zone!r}."
    return None

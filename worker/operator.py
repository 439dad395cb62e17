"""What the operator must know: said in the log, once at a time."""

from __future__ import annotations

import logging
from collections.abc import Callable

Alert = Callable[[str, str], None]
"""Tells the operator: which part, and one sentence."""
log = logging.getLogger("hexpost.alert")


def log_alert(part: str, said: str) -> None:
    """An alert as a line of the log, at the level of errors."""
    log.error("%s: %s", part, said)

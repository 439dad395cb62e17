"""Answers to the question whether a held mail is the player's own: a yes, or a no."""

from __future__ import annotations

from services.mail.checks import Case, has_no_orders
from services.mail.orderlines import normalise

CONFIRMING = frozenset(("CONFIRM", "YES", "YES CONFIRM", "I CONFIRM", "CONFIRMED"))
"""The lines, alone, by which the registered address confirms a mail that was held."""
DENYING = frozenset(("NO", "DENY", "NOT ME", "NO NOT ME", "IT WAS NOT ME", "NO IT WAS NOT ME", "NOT MINE", "NO NOT MINE"))
"""Those by which it says that the mail is not its own."""


def _answer(case: Case) -> str | None:
    """What the registered address says to the question about a held mail: the first of its lines that is one of the answers."""
    if case.identity.asked is None or not case.identity.registered or not has_no_orders(case):
        return None
    own = [normalise(line).replace(",", "").strip(" .!*\"'") for line in case.words.text.split("\n") if line.strip()]
    return next((line for line in own[:5] if line in CONFIRMING | DENYING), None)


def is_confirmation(case: Case) -> bool:
    """The registered address says that the held mail which it was asked about is its own."""
    return _answer(case) in CONFIRMING


def is_denial(case: Case) -> bool:
    """It says that the mail is not its own."""
    return _answer(case) in DENYING

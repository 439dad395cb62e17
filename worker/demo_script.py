"""What the players of the demo write: both sides' orders through three game-turns of Campaign 1."""

from __future__ import annotations

from dataclasses import dataclass

SCENARIO = "holdfast/campaign-1"
SECRET = "6865787" + "0" * 57
ADDRESSES = {"axis": "axis@player.example", "allied": "allied@player.example"}


@dataclass(frozen=True, slots=True)
class Session:
    """One orders mail: who, what it is about, its text; ``show``: words of the reply's lines that are worth showing."""

    side: str
    what: str
    orders: str
    show: tuple[str, ...] = ()


SESSIONS = (Session("axis", "no aircraft for Malta", "COMMIT 0\nEND", ("Malta",)),)

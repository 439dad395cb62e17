"""Who must be told what: read from the sides' views before and after, never from the state."""

from __future__ import annotations

from collections.abc import Mapping

from worker.canonical import Json

Views = Mapping[str, Json]


def sides_to_tell(sender: str, before: Views, after: Views) -> list[str]:
    """The other sides that get a report now: a player-turn has ended, they must decide something new, or the game is over."""
    return [side for side in after if side != sender and _concerns(before[side], after[side], side)]


def _concerns(before: Json, after: Json, side: str) -> bool:
    if after.get("over") and not before.get("over"):
        return True
    if player_turn(before) and player_turn(before) != player_turn(after):
        return True
    if side not in after.get("waiting_for", []):
        return False
    return side not in before.get("waiting_for", []) or bool(_decisions(after, side) - _decisions(before, side))


def player_turn(view: Json) -> list[Json]:
    """Game-turn and player-turn (or set-up) of a view's place in the sequence; empty between player-turns."""
    path = view.get("path", [])
    return path[:2] if any(entry[0] in ("player-turn", "setup") for entry in path) else []


def _decisions(view: Json, side: str) -> set[str]:
    return {one["id"] for one in view.get("pending", []) if one.get("side") == side}


def game_turn(after: Views, before: int) -> int:
    """The game-turn that the views are in; ``before`` where they name none."""
    for view in after.values():
        if isinstance(view.get("turn"), int):
            return int(view["turn"])
    return before


def is_over(after: Views) -> bool:
    """Whether the game has ended."""
    return any(view.get("over") for view in after.values())

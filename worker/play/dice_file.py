"""The file by which players compute throws again: with each report those that it tells, with the last one all of the game."""

from __future__ import annotations

import base64
from dataclasses import dataclass

from worker.canonical import Json, canonical
from worker.play.throws import Throw, published
from worker.store.records import Game, Outgoing

MIME = "application/json"


@dataclass(frozen=True, slots=True)
class DiceFile:
    """A file of throws. ``kind``: dice, or dice_all when the game is over."""

    kind: str
    name: str
    data: bytes

    def described(self) -> Json:
        """What the wording of a mail must know of it."""
        return {"kind": self.kind, "name": self.name}

    def enclosed(self) -> Json:
        """What goes into the mail."""
        return {"name": self.name, "mime": MIME, "data": base64.b64encode(self.data).decode()}


def of_report(game: Game, waiting: Outgoing, found: list[Throw]) -> list[DiceFile]:
    """The file of a report that tells these throws; none where it tells none."""
    standing = [one for one in found if not one.undone]
    if not standing:
        return []
    name = f"{game.id}-t{waiting.data['turn']:02d}-dice-{standing[0].number:04d}-{standing[-1].number:04d}.json"
    return [DiceFile("dice", name, _bytes(published(game, standing, revealed=False)))]


def of_game(game: Game, found: list[Throw]) -> list[DiceFile]:
    """The file of a game that is over: all throws, its secret, and the packets that they fell by."""
    return [DiceFile("dice_all", f"{game.id}-dice.json", _bytes(published(game, found, revealed=True)))]


def _bytes(file: Json) -> bytes:
    return canonical(file) + b"\n"

"""A game that is played without an adjutant: the real rules, and whoever is asked takes the legal order that a plain rule picks."""

from __future__ import annotations

from pathlib import Path

from worker.canonical import Json
from worker.clients import RulesClient
from worker.desk.archive import Played
from worker.desk.selfplay import SelfPlay
from worker.local import AppCall, local_mail, rules_app


class Plodder(RulesClient):
    """The rules service, with an adjutant that attacks when it can, moves its first unit once, and goes on."""

    def __init__(self) -> None:
        super().__init__(AppCall(rules_app(guarded=False)))

    def adjutant(self, state: Json, side: str) -> Json:
        legal = self.legal(state, side)["orders"]
        attacks = [one for one in legal if one["verb"] == "ATTACK"]
        return {"orders": [(attacks or legal)[-1]], "standing": []}


def plod(folder: Path, turns: int, secret: str = "0" * 63 + "1") -> Json:
    """``turns`` game-turns of Holdfast in ``folder``; the result."""
    folder.mkdir(exist_ok=True)
    played = Played("holdfast/campaign-1", "holdfast/campaign-1", {}, secret)
    return SelfPlay(Plodder(), local_mail(), None, played, folder).run(turns)

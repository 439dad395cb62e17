"""Where the dice come from fails: the mail waits and is tried again, no die is invented, and nothing of it is entered.

There is no dice server: a seed comes from the game's own secret, and the rules service throws by it. So it is that service that is away,
slow, full, or answers with somebody's web page; its caller checks each die besides. Nobody is written to meanwhile, as nobody can know how
long it takes; a mail that fails for good is put aside and its player told.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.worker.conftest import SECRET, Desk, reply_to
from tests.worker.fakes import ANN, ToyRules, body, orders_mail
from worker import secrets
from worker.canonical import Json, canonical
from worker.clients import RulesClient
from worker.play.dice import throw
from worker.ports import ServiceDown, ServiceSlow

PAGE = b"<!DOCTYPE html><html><body>This domain is for sale</body></html>"


class Away(ToyRules):
    """The rules, whose adjudications go by ``call`` while there is one."""

    def __init__(self, call: Callable[[str, str, bytes | None], tuple[int, bytes]]) -> None:
        super().__init__()
        self.call: Callable[[str, str, bytes | None], tuple[int, bytes]] | None = call

    def adjudicate(self, body: Json) -> Json:
        return RulesClient(self.call).adjudicate(body) if self.call else super().adjudicate(body)


def down(method: str, path: str, body: bytes | None) -> tuple[int, bytes]:
    raise ServiceDown("The rules service cannot be reached (ConnectionError).")


def slow(method: str, path: str, body: bytes | None) -> tuple[int, bytes]:
    raise ServiceSlow("The rules service did not answer within 30 s.")


def says(status: int, data: bytes) -> Callable[[str, str, bytes | None], tuple[int, bytes]]:
    return lambda method, path, body: (status, data)


@pytest.mark.bug("D01")
@pytest.mark.parametrize("call", [down, slow, says(503, PAGE), says(502, b""), says(200, PAGE), says(500, PAGE), says(200, b"[]")])
def test_orders_wait_until_dice_can_be_thrown_and_then_fall_as_they_would_have(
    desk: Desk, call: Callable[[str, str, bytes | None], tuple[int, bytes]]
) -> None:
    desk.start()
    rules = Away(call)
    desk.ports = replace(desk.ports, rules=rules)
    desk.drop(orders_mail(reply_to(desk, ANN), ANN, "<1@ann>", "ROLL"))
    for _ in range(2):
        desk.sweep_quietly()
    game = desk.ports.journal.game("G1")
    assert (game.version, game.n, game.packets) == (0, 0, 0)
    assert desk.ports.journal.waiting_messages() == [("G1", 1)]
    assert len(desk.mails_to(ANN)) == 1
    rules.call = None
    desk.sweep()
    seed = secrets.seed(SECRET, [], "G1", 0, 1)
    assert desk.ports.journal.chain("G1")[1][1]["seed"] == seed
    assert body(desk.mails_to(ANN)[-1])[:2] == ["receipt", "done"]
    assert desk.ports.journal.waiting_messages() == []


class Loaded(ToyRules):
    """Rules that throw dice: honest ones, or ``loaded`` ones."""

    def __init__(self) -> None:
        super().__init__()
        self.loaded: list[float] | None = None

    def _carry_out(self, state: Json, packet: Json, seed: str, same: Json) -> Json:
        made = super()._carry_out(state, packet, seed, same)
        key: Json = [1, "axis", "attack", len(state["did"])]
        data = {"why": "attack", "site": "", "x": "", "key": key, "sides": 6, "modifiers": []}
        dice = self.loaded if self.loaded is not None else throw(seed, key, 6, 2)
        made["events"].append({"n": 2, "kind": "rolled", "clause": "1", "owner": None, "public": None, "data": data | {"dice": dice}})
        return made


@pytest.mark.bug("D01")
@pytest.mark.parametrize("loaded", [[6, 6], [7, 7], [0], None])
def test_dice_that_the_seed_does_not_give_are_never_entered(desk: Desk, loaded: list[int] | None) -> None:
    desk.start()
    rules = Loaded()
    desk.ports = replace(desk.ports, rules=rules)
    honest = throw(secrets.seed(SECRET, [], "G1", 0, 1), [1, "axis", "attack", 0], 6, 2)
    rules.loaded = [*map(float, honest)] if loaded is None else [*loaded]
    desk.drop(orders_mail(reply_to(desk, ANN), ANN, "<1@ann>", "MOVE A"))
    for _ in range(3):
        desk.sweep_quietly()
    assert desk.ports.journal.game("G1").version == 0
    assert body(desk.mails_to(ANN)[-1])[:2] == ["explain", "refuse:parked"]
    rules.loaded = None
    desk.drop(orders_mail(reply_to(desk, ANN), ANN, "<2@ann>", "MOVE A"))
    desk.sweep()
    rolled = desk.ports.journal.events("G1", 0, 1)[-1]
    assert canonical(rolled["data"]["dice"]) == canonical(honest)

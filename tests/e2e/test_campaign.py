"""A campaign by mail: two correspondents with the whole pipeline between them, one mail of orders a side and game-turn."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from services.rules.engine.adjudication import adjudicate
from services.rules.engine.dice import SeededDice
from services.rules.engine.module import GameModule
from services.rules.engine.view import view
from services.rules.registry import load_games
from services.rules.schemas.state import dump_order, load_state
from services.rules.selfplay import next_packet
from tests.e2e.test_pipeline import DATE
from worker.app import create_app, make_parts
from worker.canonical import Json
from worker.clients import MailClient
from worker.config import Config
from worker.local import local_mail
from worker.play.games import new_game
from worker.post.postbox import Postbox, reply
from worker.serve import running
from worker.tasks import Parts

PLAYERS = {"axis": "axis@player.example", "allied": "allied@player.example"}
STANDING = "STANDING ON MALTA COMMIT TABLE 0:0 1:0 2:1 3:1"
MOST_PACKETS = 60


@dataclass
class Correspondence:
    """Two players at their desks: what each wrote and was sent, by side and game-turn."""

    worker: Parts
    box: Postbox
    module: GameModule = field(default_factory=lambda: load_games()["holdfast"])
    mail: MailClient = field(default_factory=local_mail)
    written: Counter[tuple[str, int]] = field(default_factory=Counter)
    got: Counter[tuple[str, int]] = field(default_factory=Counter)

    def state(self) -> Json:
        """The position."""
        game = self.worker.ports.journal.game("G1")
        return self.worker.ports.journal.state("G1", game.version)[0]

    def seen(self, side: str | None) -> Json:
        """What a side sees of it; None: what everybody sees."""
        return view(self.module, load_state(self.state()), side)

    def plan(self, side: str) -> list[str]:
        """A whole player-turn as the adjutant would play it, thought out beforehand with dice that will not fall so."""
        state, orders = load_state(self.state()), []
        half = view(self.module, state, side)["path"][:2]
        for n in range(MOST_PACKETS):
            packet = next_packet(self.module, state, f"G1-{n:06d}")
            orders += [order for order in packet.orders if order.verb not in ("DONE", "LOSE", "KEEP", "COMMIT")]
            state = adjudicate(self.module, state, packet, SeededDice(n.to_bytes(32, "big"))).state
            seen = view(self.module, state, side)
            if seen["over"] or side not in seen["waiting_for"] or seen["path"][:2] != half:
                break
        return list(self.mail.print_orders("holdfast", [dump_order(order) for order in orders]))

    def write(self, side: str, turn: int, orders: list[str]) -> None:
        """An orders mail in answer to the last one that the side got; it is answered, and all that follows from it has left."""
        own = f"<{self.written.total()}@{side}.example>"
        text = "\n".join(["ANYWAY", "ON FAULT SKIP", *orders, "DONE TURN AUTO", "END"])
        raw = reply(self.box.mails_to(PLAYERS[side])[-1], PLAYERS[side], own, text, DATE)
        self.written[side, turn] += 1
        self.box.deliver(raw)
        subject = str(self.box.wait_for(PLAYERS[side], own)["Subject"])
        assert any(word in subject for word in ("Done:", "Not all done:")), subject
        deadline = time.monotonic() + 20
        while self.worker.outbox.games():
            assert time.monotonic() < deadline
            time.sleep(0.01)
        self.box.look()
        for one, address in PLAYERS.items():
            came = len(self.box.mails_to(address)) - sum(n for (who, _), n in self.got.items() if who == one) - 1
            self.got[one, turn] += came


def play(folder: Path, scenario: str) -> Correspondence:
    """A game by mail, to its end."""
    file = folder / "hexpost.toml"
    settings = 'home = "."\npoll = 0.02\nscale = 400\nvassal = 0\naddress = "orders@desk.example"\nserver = "mx.desk.example"\n'
    file.write_text(settings, encoding="utf-8")
    with running(Config.load(file, {})) as found:
        worker = make_parts(found.config)
        desk = Correspondence(worker, Postbox(found.config.inbox, found.config.outbox))
        new_game(worker.ports, scenario, {side: [address] for side, address in PLAYERS.items()}, {"tempo": "blitz"}, "5e" * 32)
        create_app(found.config).send_task("hexpost.post", ("G1",))
        for address in PLAYERS.values():
            desk.box.wait_for(address)
        while not (seen := desk.seen(None))["over"]:
            (side,) = seen["waiting_for"]
            first = [STANDING] if all(wrote != side for wrote, _ in desk.written) else []
            desk.write(side, seen["turn"], [*first, *desk.plan(side)])
        assert worker.ports.journal.broken_link("G1") is None
        worker.ports.journal.engine.dispose()
    return desk


@pytest.mark.timeout(240)  # a whole campaign
def test_campaign_2_by_mail_takes_one_mail_of_each_side_a_game_turn_and_two_to_it(tmp_path: Path) -> None:
    desk = play(tmp_path, "holdfast/campaign-2")
    for turn in range(1, max(turn for _, turn in desk.written) + 1):
        print(f"game-turn {turn}:", *(f"{side} wrote {desk.written[side, turn]}, got {desk.got[side, turn]};" for side in PLAYERS))
    assert set(desk.written.values()) == {1}
    assert max(desk.got.values()) == 2
    seen = desk.seen("axis")
    assert seen["over"]["winner"] in PLAYERS
    print("over:", seen["over"])

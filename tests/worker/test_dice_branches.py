"""The game master takes a game back: dice fall anew on a branch, those of the old one are kept, and the audit holds."""

from __future__ import annotations

import re
from dataclasses import replace

from tests.worker.conftest import SECRET, Desk
from tests.worker.fakes import ANN
from tests.worker.post import deliver, stamped, told, write
from tests.worker.test_dice_down import Loaded
from worker import secrets
from worker.desk.audit import dice_faults
from worker.play.dice import throw
from worker.play.throws import throws

MASTER = "max@club.example"


def ruled(desk: Desk, line: str) -> str:
    """What the game master is answered."""
    return told(deliver(desk, stamped("orders@toy.example", MASTER, f"<{desk.count}@max>", line)))


def test_after_a_rollback_no_throw_falls_again_and_none_is_forgotten(post: Desk) -> None:
    post.configure(game_master=MASTER)
    post.ports = replace(post.ports, rules=Loaded())
    post.start()
    write(post, ANN, "MOVE 0101")
    write(post, ANN, "MOVE 0102")
    line = re.search(r"(ROLLBACK G1 TO VERSION 0 CODE \w+)", ruled(post, "ROLLBACK G1 TO VERSION 0"))
    ruled(post, line[1])
    write(post, ANN, "MOVE 0101")
    journal = post.ports.journal
    game = journal.game("G1")
    found = throws(journal.engine, game)
    assert [(one.number, one.branch, one.n, one.undone) for one in found] == [(1, 0, 1, True), (2, 0, 2, True), (3, 1, 3, False)]
    first, _, again = (one.event["data"] for one in found)
    assert first["key"] == again["key"]
    assert again["dice"] == throw(secrets.seed(SECRET, [], "G1", 1, 3), first["key"], 6, 2)
    assert again["dice"] != first["dice"]
    assert list(dice_faults(journal, game, found)) == []
    # the record tells how many there were, so the next is numbered without counting again
    assert [record["throws"] for _, record, _ in journal.chain("G1")] == [0, 1, 2, 2, 3]

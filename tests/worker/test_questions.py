"""Held mails with commands, and the answer NO: carried out once it is confirmed, thrown away and told where it was not the player's own."""

from __future__ import annotations

from tests.worker.conftest import Desk, reply_to
from tests.worker.fakes import ANN, BRUNO, headers, orders_mail
from tests.worker.post import MASTER, deliver, told, write
from tests.worker.test_agreeing import did
from worker.hosting import alerts
from worker.post import holds

DENIED = b"Authentication-Results: hexpost.invalid; dmarc=fail header.from=example.org\n"
EVE = "eve@example.com"


def held(desk: Desk, sender: str, *lines: str, key: str = "held") -> bytes:
    """A mail with Ann's tag that is not surely hers; the question that she is mailed."""
    to = reply_to(desk, ANN)
    desk.drop((DENIED if sender == ANN else b"") + orders_mail(to, sender, f"<{key}@x>", *lines))
    desk.run()
    asked = desk.mails_to(ANN)[-1]
    assert "Did you send this mail?" in str(headers(asked)["Subject"])
    return asked


def test_held_commands_are_carried_out_when_they_are_confirmed(post: Desk) -> None:
    post.start()
    write(post, ANN, "MOVE 0101")
    asked = held(post, ANN, "UNDO")
    assert "UNDO" in told(asked)
    assert did(post) == [["axis", "MOVE", "0101"]]
    answer = told(write(post, ANN, "CONFIRM"))
    assert "Your last orders are taken back" in answer
    assert did(post) == []
    assert [(one["verb"], one["status"], one["sender"], one["side"]) for one in post.ports.journal.commands("G1")] == [
        ("UNDO", "done", ANN, "axis")
    ]
    assert holds.open_holds(post.ports.journal.engine, "G1") == []
    # the same answer again does nothing
    write(post, ANN, "MOVE 0202")
    write(post, ANN, "CONFIRM", to=str(headers(asked)["Reply-To"]))
    assert did(post) == [["axis", "MOVE", "0202"]]


def test_commands_from_an_address_that_nobody_knows_are_the_players_who_confirms_them(post: Desk) -> None:
    post.start()
    write(post, ANN, "MOVE 0101")
    asked = held(post, EVE, "UNDO", "SUBSTITUTE dora@example.com")
    assert "SUBSTITUTE dora@example.com" in told(asked)
    write(post, ANN, "CONFIRM")
    assert did(post) == []
    # he who has confirmed it is who asks, and is answered; the stranger never is
    assert "dora@example.com was asked" in told(post.mails_to(ANN)[-1])
    assert ANN in told(post.mails_to("dora@example.com")[-1])
    assert post.mails_to(EVE) == []


def test_a_no_throws_the_mail_away_and_is_an_alert(post: Desk) -> None:
    post.configure(game_master=MASTER)
    post.start()
    asked = held(post, ANN, "MOVE 0707")
    assert "reply with the one word NO" in told(asked)
    assert "thrown away, and the game master hears" in told(write(post, ANN, "No, not me!", "", "> Did you send this mail?"))
    engine = post.ports.journal.engine
    assert holds.open_holds(engine, "G1") == []
    assert [(one.kind, one.game, one.facts) for _, one in alerts.waiting(engine)] == [("forged", "G1", {"side": "axis", "name": ANN})]
    post.sweep()
    alert = post.mails_to(MASTER)[-1]
    assert str(headers(alert)["Subject"]) == "Somebody writes in another's name"
    assert "The player of the Axis side of G1 says that a mail in his name was not his own" in told(alert)
    # it can be confirmed no more, and is not told as unused when the turn ends
    again = write(post, ANN, "NO", to=str(headers(asked)["Reply-To"]))
    assert "was answered before, and that answer stands" in told(again)
    assert "earlier turn" not in told(again)
    write(post, ANN, "CONFIRM", to=str(headers(asked)["Reply-To"]))
    assert did(post) == []
    write(post, ANN, "DONE")
    write(post, BRUNO, "DONE")
    assert "was not confirmed" not in told(post.mails_to(ANN)[-1])


def test_whoever_has_the_tag_alone_can_neither_confirm_nor_deny(post: Desk) -> None:
    post.start()
    asked = str(headers(held(post, EVE, "MOVE 0707"))["Reply-To"])
    for word in ("NO", "CONFIRM"):
        deliver(post, orders_mail(asked, "frank@example.com", f"<{word}@x>", word))
    assert did(post) == []
    assert len(holds.open_holds(post.ports.journal.engine, "G1")) >= 1
    assert alerts.waiting(post.ports.journal.engine) == []

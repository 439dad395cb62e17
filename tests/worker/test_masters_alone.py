"""Who may give the game master's commands: he alone, and only where something vouches for him; else he is asked."""

from __future__ import annotations

from typing import Any

import pytest

from tests.worker.conftest import Desk
from tests.worker.fakes import ANN, headers, orders_mail
from tests.worker.post import DESK, MASTER, deliver, rule, stamped, told, verbs, write
from tests.worker.test_beginning import code_in
from worker.waiting import halts

CARA = "cara@example.com"
LINES = (
    "PAUSE G1",
    "RESUME G1",
    "EXTEND G1 axis 2 DAYS",
    "ROLLBACK G1 TO VERSION 0",
    f"REPLACE G1 axis {ANN} BY {CARA}",
    "EDIT G1 SET VP 7",
)


@pytest.mark.parametrize("line", LINES)
def test_nobody_else_may_give_his_commands(club: Desk, line: str) -> None:
    write(club, ANN, "MOVE 0101")
    before = standing(club)
    # a player, a stranger whom his domain vouches for, one whom nobody vouches for
    assert "only the game master may give" in told(write(club, ANN, line))
    assert "not registered" in told(deliver(club, stamped(DESK, CARA, "<1@cara>", line)))
    assert deliver(club, orders_mail(DESK, "dora@example.com", "<1@dora>", line)) == b""
    assert standing(club) == before
    assert club.mails_to(MASTER) == []


@pytest.mark.parametrize("line", LINES)
def test_his_name_alone_is_not_enough(club: Desk, line: str) -> None:
    """Without a stamp, and with one that denies him, he is asked at his address; nothing is done before he says yes."""
    rule(club, "PAUSE G1") if line == "RESUME G1" else None
    write(club, ANN, "MOVE 0101") if line != "RESUME G1" else None
    before = standing(club)
    denied = b"Authentication-Results: hexpost.invalid; dmarc=fail header.from=club.example\n" + orders_mail(DESK, MASTER, "<2@max>", line)
    for raw in (orders_mail(DESK, MASTER, "<1@max>", line), denied):
        asked = deliver(club, raw)
        assert "Did you send this mail?" in str(headers(asked)["Subject"])
        assert line in told(asked)
        assert standing(club) == before
    assert [raw for raw in club.mails_to(ANN) if "Did you" in str(headers(raw)["Subject"])] == []
    # he says yes, though his mail server still denies him; it is carried out once
    code = code_in(club.mails_to(MASTER)[-1])
    fail = b"Authentication-Results: hexpost.invalid; dmarc=fail header.from=club.example\n"
    deliver(club, fail + orders_mail(DESK, MASTER, "<3@max>", f"ACCEPT {code}"))
    assert line.split(" ")[0] in [verb for verb, status, _ in verbs(club) if status in ("done", "asked")]
    mails, after = len(club.mails_to(MASTER)), standing(club)
    deliver(club, fail + orders_mail(DESK, MASTER, "<4@max>", f"ACCEPT {code}"))
    assert (len(club.mails_to(MASTER)), standing(club)) == (mails, after)


def test_he_says_no_and_it_is_an_alert(club: Desk) -> None:
    asked = deliver(club, orders_mail(DESK, MASTER, "<1@eve>", "PAUSE G1"))
    code = code_in(asked)
    # a code that somebody else has is worth nothing
    deliver(club, stamped(DESK, CARA, "<1@cara>", f"ACCEPT {code}"))
    assert halts.current(club.ports.journal.engine, "G1") is None
    deliver(club, orders_mail(DESK, MASTER, "<2@max>", f"REFUSE {code}"))
    assert any("You have said that a mail in your name, about G1, was not your own" in told(raw) for raw in club.mails_to(MASTER))
    assert halts.current(club.ports.journal.engine, "G1") is None


def test_he_is_not_asked_without_end(club: Desk) -> None:
    for n in range(9):
        deliver(club, orders_mail(DESK, MASTER, f"<{n}@eve>", "PAUSE G1"))
    asked = [raw for raw in club.mails_to(MASTER) if "Did you" in str(headers(raw)["Subject"])]
    assert len(asked) == 6
    assert any("Somebody writes again and again in your name" in told(raw) for raw in club.mails_to(MASTER))


def test_a_game_that_is_not_there_is_told_him_when_he_has_said_yes(club: Desk) -> None:
    code = code_in(deliver(club, orders_mail(DESK, MASTER, "<1@max>", "PAUSE G77")))
    assert "There is no game G77" in told(deliver(club, orders_mail(DESK, MASTER, "<2@max>", f"ACCEPT {code}")))
    assert "There is no game G77" in rule(club, "PAUSE G77")


def test_a_mail_of_his_that_comes_twice_counts_once(club: Desk) -> None:
    rule(club, "EXTEND G1 axis 2 DAYS", key="same")
    rule(club, "EXTEND G1 axis 2 DAYS", key="same")
    assert club.ports.journal.deadlines("G1")["axis"].due == "2026-04-01T20:14:09+00:00"
    rule(club, "EXTEND G1 axis 2 DAYS", key="other")
    assert club.ports.journal.deadlines("G1")["axis"].due == "2026-04-03T20:14:09+00:00"


def test_a_game_master_who_plays_is_asked_as_game_master(club: Desk) -> None:
    club.configure(game_master=ANN)
    asked = write(club, ANN, "PAUSE G1")
    assert "ACCEPT" in told(asked)
    write(club, ANN, f"ACCEPT {code_in(asked)}", to=DESK)
    assert halts.current(club.ports.journal.engine, "G1") is not None


def test_a_game_that_is_over_is_left_alone(club: Desk) -> None:
    write(club, ANN, "CONCEDE CONFIRM")
    for line in LINES:
        assert "The game is over" in rule(club, line)


def standing(desk: Desk) -> Any:
    """All that the commands could change."""
    journal, game = desk.ports.journal, desk.ports.journal.game("G1")
    open_seats = [one["verb"] for one in journal.commands("G1") if one["status"] != "refused"]
    halt = halts.current(journal.engine, "G1")
    return game, journal.addresses("G1"), journal.deadlines("G1"), halt, open_seats

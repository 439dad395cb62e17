"""Hints of double accounts: what is kept of a mail, what it takes, and that nobody but the game master sees any of it."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner
from sqlalchemy import select

from tests.worker.conftest import Desk, reply_to
from tests.worker.fakes import ANN, BRUNO, orders_mail
from tests.worker.post import deliver, told, write
from worker.cli import main
from worker.play.games import new_game
from worker.post import likeness
from worker.store.clocktables import traces
from worker.store.database import reading

HOP = "Received: from [{ip}] (helo=pc) by mail.club.example; Fri, 27 Mar 2026 20:00:00 +0000\n"
TWIN = "anna.miller@example.org"
OTHER = "anna-miller2@example.net"


def sent(post: Desk, who: str, number: int, ip: str, program: str = "Mutt 1.9", zone: str = "+0100") -> None:
    """A question from a player, with the headers that his program and his provider write."""
    head = HOP.format(ip="10.0.0.7") + HOP.format(ip=ip) + f"User-Agent: {program}\nDate: Fri, 27 Mar 2026 20:00:00 {zone}\n"
    head += f"DKIM-Signature: v=1; a=rsa-sha256; d={who.partition('@')[2]}; s=x; b=abc\n"
    deliver(post, head.encode() + orders_mail(reply_to(post, who), who, f"<{number}@{who.partition('@')[2]}>", "STATUS"))


def test_the_signs_of_a_mail_are_those_that_say_something() -> None:
    head = (
        "Received: from mx.provider.example ([192.0.2.1]) by us\nReceived: from pc ([IPv6:2001:db8::7]) by mx.provider.example\n"
        "Message-ID: <abc@PC.home.example>\nX-Mailer: Thunder 9\nDate: Fri, 27 Mar 2026 20:00:00 -0500\n"
        "DKIM-Signature: v=1; d=gmail.com; b=x\nFrom: a@b.example\n\nhello\n"
    )
    assert likeness.signs_of(head.encode()) == {
        "hop": "2001:db8::7",
        "host": "pc.home.example",
        "program": "thunder 9",
        "zone": "-0500",
    }
    assert likeness.signs_of(b"\xff\xfe\x00 nothing to read") == {}


def test_two_players_who_write_from_one_machine_are_hinted_at_and_others_are_not(post: Desk) -> None:
    new_game(post.ports, "toy/one", {"axis": [TWIN], "allied": [OTHER]}, {})
    new_game(post.ports, "toy/one", {"axis": [ANN], "allied": [BRUNO]}, {})
    post.sweep()
    for number, (who, ip, program) in enumerate(
        ((TWIN, "192.0.2.9", "Mutt 1.9"), (OTHER, "192.0.2.9", "Mutt 1.9"), (ANN, "192.0.2.1", "Pine"))
    ):
        sent(post, who, number, ip, program)
    sent(post, BRUNO, 9, "192.0.2.2", "Elm", "+0000")
    (hint,) = likeness.hints(post.ports.journal.engine)
    assert (hint.game, {hint.one, hint.other}) == ("G1", {TWIN, OTHER})
    assert hint.signs == ("hop", "name", "program", "zone")
    # no word of it reaches a player
    assert "common" not in told(write(post, TWIN, "WHO"))
    assert OTHER not in told(write(post, TWIN, "STATUS"))


def test_a_mail_that_is_not_surely_theirs_leaves_no_trace(post: Desk) -> None:
    new_game(post.ports, "toy/one", {"axis": [TWIN], "allied": [OTHER]}, {})
    post.sweep()
    sent(post, TWIN, 1, "192.0.2.9")
    forged = b"Authentication-Results: hexpost.invalid; dmarc=fail header.from=example.net\n" + HOP.format(ip="192.0.2.9").encode()
    deliver(post, forged + orders_mail(reply_to(post, OTHER), OTHER, "<1@forged>", "MOVE 0101"))
    with reading(post.ports.journal.engine) as connection:
        assert OTHER not in set(connection.execute(select(traces.c.address)).scalars())


def test_what_is_kept_is_hashed_bounded_and_forgotten(post: Desk) -> None:
    post.configure(answers_hour=100)
    new_game(post.ports, "toy/one", {"axis": [TWIN], "allied": [OTHER]}, {})
    post.sweep()
    for number in range(likeness.MOST_MARKS + 3):
        post.now = f"2026-03-28T20:{number:02d}:00+00:00"
        sent(post, TWIN, number, f"192.0.2.{number + 1}")
    with reading(post.ports.journal.engine) as connection:
        rows = connection.execute(select(traces).where(traces.c.kind == "hop")).mappings().all()
    assert len(rows) == likeness.MOST_MARKS
    assert all(re.fullmatch("[0-9a-f]{16}", row["mark"]) for row in rows)  # a digest: an address has dots
    assert {row["at"][14:16] for row in rows} == {"03", "04", "05", "06", "07"}
    post.now = "2026-07-01T20:00:00+00:00"
    sent(post, OTHER, 99, "192.0.2.77")
    with reading(post.ports.journal.engine) as connection:
        assert set(connection.execute(select(traces.c.address)).scalars()) == {OTHER, "-"}


def test_a_mark_that_many_bear_says_nothing(post: Desk) -> None:
    sides = [(f"p{n}{'xyzuv'[n]}@a.example", f"q{n}{'abcde'[n]}@b.example") for n in range(3)]
    for axis, allied in sides:
        new_game(post.ports, "toy/one", {"axis": [axis], "allied": [allied]}, {})
    post.sweep()
    for number, who in enumerate(one for pair in sides for one in pair):
        sent(post, who, number, "192.0.2.50")
    assert likeness.hints(post.ports.journal.engine) == []


def test_hexpost_gm_lists_hints_and_reliability(post: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    post.configure(deadline_hours=24.0)
    new_game(post.ports, "toy/one", {"axis": [TWIN], "allied": [OTHER]}, {})
    post.sweep()
    file = post.folder / "hexpost.toml"
    file.write_text(f'home = "{post.folder}"\ndatabase = "sqlite:///{post.folder / "journal.db"}"\n')
    none = CliRunner().invoke(main, ["gm", "hints", "--config", str(file)])
    assert (none.exit_code, "No two players" in none.output) == (0, True)
    for number, who in enumerate((TWIN, OTHER)):
        sent(post, who, number, "192.0.2.9")
    write(post, TWIN, "DONE")
    shown = CliRunner().invoke(main, ["gm", "hints", "--config", str(file)])
    assert shown.exit_code == 0
    assert f"G1: {OTHER} and {TWIN} play against each other" in shown.output or f"G1: {TWIN} and {OTHER} play" in shown.output
    assert "the machine that they were sent from, the names of the addresses" in shown.output
    listed = CliRunner().invoke(main, ["gm", "reliability", "--config", str(file)])
    assert listed.output.splitlines()[1].split() == ["1", "0", "0", TWIN]
    assert CliRunner().invoke(main, ["gm", "reliability", "nobody@x.example", "--config", str(file)]).exit_code == 2

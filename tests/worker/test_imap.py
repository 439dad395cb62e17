"""A mailbox on an IMAP server: each mail taken once, whatever the server does; one bad mail never stops the others."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from tests.worker.conftest import Desk, reply_to
from tests.worker.fakes import ANN, orders_mail
from tests.worker.imap_server import PASSWORD, TOKEN, USER, Moods, serving
from worker import drain
from worker.post import context
from worker.post.imap import Account, ImapInbox
from worker.post.inboxes import SourceAway
from worker.post.intake import FIRST_PAUSE, LONGEST_PAUSE, Watch
from worker.store.arrivals import numbered_before

MAIL = b"From: ann@example.org\r\nTo: orders@hexpost.example\r\nMessage-ID: <%d@example.org>\r\n\r\nMOVE X\r\n"


@dataclass
class Box:
    """A mailbox, and the source over it."""

    moods: Moods
    account: Account
    alerts: list[str]
    before: list[str]

    def __post_init__(self) -> None:
        self.inbox = self.over(self.account)

    def over(self, account: Account, limit: int = 1000) -> ImapInbox:
        """Another source over the same mailbox."""
        return ImapInbox(account, limit, lambda family, prefix: bool(self.before), lambda part, said: self.alerts.append(said))

    def take(self) -> list[bytes]:
        """What is there, journaled and acknowledged."""
        found = []
        for one in self.inbox.unread():
            found.append(one.raw)
            self.inbox.acknowledge(one.place)
        return found


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    (tmp_path / "password").write_text(PASSWORD + "\n", encoding="utf-8")
    moods = Moods()
    with serving(moods) as port:
        account = Account(f"imap+plain://127.0.0.1:{port}", USER, str(tmp_path / "password"), poll=0.2)
        found = Box(moods, account, [], [])
        yield found
        found.inbox.close()


def test_mails_are_taken_in_order_and_moved_when_they_are_acknowledged(box: Box) -> None:
    for n in range(3):
        box.moods.deliver(MAIL % n)
    unread = list(box.inbox.unread())
    assert [one.raw for one in unread] == [MAIL % 0, MAIL % 1, MAIL % 2]
    assert [one.place for one in unread] == [f"imap:{USER}@{box.account.url}/INBOX:100:{uid}" for uid in (1, 2, 3)]
    assert list(box.inbox.unread()) == unread
    for one in unread:
        box.inbox.acknowledge(one.place)
    assert box.moods.moved == [("hexpost-done", MAIL % n) for n in range(3)]
    assert box.take() == []
    assert box.moods.folders == {"INBOX", "hexpost-done", "hexpost-failed"}
    assert box.moods.sessions == 1


def test_a_server_without_move_copies_and_deletes(box: Box) -> None:
    box.moods.capabilities = "IMAP4rev1"
    box.moods.deliver(MAIL % 1)
    assert box.take() == [MAIL % 1]
    assert (box.moods.moved, box.moods.mails) == ([("hexpost-done", MAIL % 1)], {})


@pytest.mark.parametrize("how", ["file", "command"])
def test_it_logs_in_with_a_token_that_is_asked_for_anew_each_time(box: Box, tmp_path: Path, how: str) -> None:
    file = tmp_path / "token"
    account = replace(box.account, password_file="", token_file=str(file))
    if how == "command":
        account = replace(account, token_file="", token_command=f"{sys.executable} -c \"print(open('{file}').read())\"")
    inbox = box.over(account)
    file.write_text("expired", encoding="utf-8")
    with pytest.raises(SourceAway, match="refuses the login") as caught:
        list(inbox.unread())
    assert caught.value.least >= 60
    file.write_text(TOKEN, encoding="utf-8")
    box.moods.deliver(MAIL % 1)
    assert [one.raw for one in inbox.unread()] == [MAIL % 1]
    inbox.close()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"password_file": "/nowhere/at/all"}, "cannot be read"),
        ({"user": "somebody@else.example"}, "refuses the login"),
        ({"password_file": "", "token_command": "/nowhere/at/all"}, "command for the token failed"),
        ({"password_file": "", "token_command": "false"}, "command for the token failed"),
        ({"url": "imap+plain://127.0.0.1:1"}, "cannot be reached"),
        ({"folder": "none"}, "no such folder"),
    ],
)
def test_what_keeps_it_from_reading_is_one_sentence(box: Box, change: dict[str, str], said: str) -> None:
    box.moods.refuse = lambda verb, words: "NO no such folder" if (verb, words) == ("SELECT", '"none"') else None
    with pytest.raises(SourceAway, match=said) as caught:
        list(box.over(replace(box.account, **change)).unread())
    assert PASSWORD not in str(caught.value)


def test_idle_returns_when_a_mail_comes(box: Box) -> None:
    box.inbox = box.over(replace(box.account, poll=30.0))
    assert box.take() == []
    waiting = threading.Thread(target=box.inbox.wait, args=(threading.Event(),))
    waiting.start()
    while "IDLE" not in box.moods.commands:
        time.sleep(0.005)
    box.moods.deliver(MAIL % 1)
    waiting.join(10)
    assert not waiting.is_alive()
    assert box.take() == [MAIL % 1]


def test_a_mail_that_comes_between_the_look_and_idle_is_not_slept_over(box: Box) -> None:
    """The server tells of it with the answer to the search, and would not tell again."""
    box.inbox = box.over(replace(box.account, poll=30.0))
    late = iter([lambda: box.moods.deliver(MAIL % 1)])
    box.moods.after_search = lambda: next(late, int)()
    assert box.take() == []
    box.inbox.wait(threading.Event())
    assert "IDLE" not in box.moods.commands
    assert box.take() == [MAIL % 1]


def test_a_server_without_idle_is_looked_into_after_a_while(box: Box) -> None:
    box.moods.capabilities = "IMAP4rev1 MOVE"
    assert box.take() == []
    box.inbox.wait(threading.Event())
    box.moods.deliver(MAIL % 1)
    assert box.take() == [MAIL % 1]
    assert "IDLE" not in box.moods.commands


def test_after_the_connection_was_lost_it_opens_another(box: Box, tmp_path: Path) -> None:
    moods = Moods()
    with serving(moods) as port:
        inbox = box.over(replace(box.account, url=f"imap+plain://127.0.0.1:{port}"))
        moods.deliver(MAIL % 1)
        unread = list(inbox.unread())
    with pytest.raises(SourceAway):
        inbox.acknowledge(unread[0].place)
    with pytest.raises(SourceAway, match="cannot be reached"):
        list(inbox.unread())
    with serving(moods, port):
        assert [one.place for one in inbox.unread()] == [unread[0].place]
        inbox.acknowledge(unread[0].place)
        inbox.close()
    assert moods.moved == [("hexpost-done", MAIL % 1)]


def test_a_session_that_ends_while_it_idles_is_noticed(box: Box) -> None:
    moods = Moods()
    with serving(moods) as port:
        inbox = box.over(replace(box.account, url=f"imap+plain://127.0.0.1:{port}", poll=30.0))
        list(inbox.unread())
        caught: list[Exception] = []

        def wait() -> None:
            try:
                inbox.wait(threading.Event())
            except SourceAway as error:
                caught.append(error)

        waiting = threading.Thread(target=wait)
        waiting.start()
        while "IDLE" not in moods.commands:
            time.sleep(0.005)
    waiting.join(10)
    assert not waiting.is_alive()
    if not caught:  # the end was read as an end of IDLE: the next call meets it
        with pytest.raises(SourceAway):
            list(inbox.unread())


def test_a_mail_that_cannot_be_moved_stays_and_is_not_taken_again_and_again(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    box.moods.refuse = lambda verb, words: "NO [OVERQUOTA] Quota exceeded" if verb == "UID MOVE" else None
    box.moods.deliver(MAIL % 1)
    box.moods.deliver(MAIL % 2)
    assert len(box.take()) == 2
    assert box.take() == []
    (said,) = box.alerts
    assert "cannot be moved to hexpost-done" in said
    box.moods.refuse = lambda verb, words: None
    assert box.take() == []
    monkeypatch.setattr("worker.post.imap.time.monotonic", lambda: float("inf"))
    assert len(box.take()) == 2  # the journal knows their places
    assert box.moods.mails == {}


# M29: quotas, and mails that are too large


@pytest.mark.bug("M29")
def test_a_mail_that_is_too_large_is_put_aside_with_a_refusal_and_those_behind_it_are_taken(box: Box) -> None:
    huge = MAIL % 1 + b"x" * 1_000_000
    box.moods.deliver(huge)
    box.moods.deliver(MAIL % 2)
    box.moods.deliver(MAIL % 3)
    first, *others = box.take()
    assert first == b"X-Hexpost-Size: %d\n" % len(huge) + (MAIL % 1).partition(b"\r\n\r\n")[0] + b"\n\n"
    assert others == [MAIL % 2, MAIL % 3]
    assert box.moods.moved == [("hexpost-failed", huge), ("hexpost-done", MAIL % 2), ("hexpost-done", MAIL % 3)]


@pytest.mark.bug("M29")
def test_a_server_over_its_quota_is_left_alone_for_a_while_and_the_operator_is_told_once(box: Box) -> None:
    box.moods.deliver(MAIL % 1)
    box.moods.refuse = lambda verb, words: "NO [OVERQUOTA] Account exceeded bandwidth limits" if "BODY" in words else None
    waits: list[float] = []
    watch = Watch(box.inbox, lambda inbox: len(box.take()), lambda part, said: box.alerts.append(said))
    for _ in range(6):
        least = watch.step(threading.Event())
        assert least is not None
        waits.append(watch.next_pause(least))
    assert waits == [60, 120, 240, 300, 300, 300]
    assert len(box.alerts) == 1
    assert "bandwidth" in box.alerts[0]
    box.moods.refuse = lambda verb, words: None
    assert watch.step(threading.Event()) is None  # it is taken: a server's mood is not the mail's fault
    assert watch.step(threading.Event()) is None
    assert box.moods.moved == [("hexpost-done", MAIL % 1)]
    assert box.alerts[1:] == ["It is back; mails come in again."]
    assert watch.pause == 0


def test_pauses_double_up_to_a_bound(box: Box) -> None:
    watch = Watch(box.inbox, lambda inbox: 0, lambda part, said: None)
    waits = [watch.next_pause(0) for _ in range(12)]
    assert waits[:4] == [FIRST_PAUSE, 2, 4, 8]
    assert waits[-1] == LONGEST_PAUSE


@pytest.mark.parametrize("answer", ["NO [SERVERBUG] cannot", "BAD what", "HANG UP"])
def test_a_mail_that_cannot_be_fetched_is_put_aside_after_three_tries_and_the_others_are_taken(box: Box, answer: str) -> None:
    bad = box.moods.deliver(MAIL % 1)
    box.moods.deliver(MAIL % 2)
    box.moods.refuse = lambda verb, words: answer if verb == "UID FETCH" and words.startswith(f"{bad} (BODY") else None
    found: list[bytes] = []
    for _ in range(4):
        try:
            found += box.take()
        except SourceAway:
            continue
    assert found == [MAIL % 2]
    assert box.moods.moved[-1] == ("hexpost-failed", MAIL % 1) or ("hexpost-failed", MAIL % 1) in box.moods.moved
    assert [said for said in box.alerts if "put aside" in said] == [box.alerts[-1]]
    assert box.moods.mails == {}


def test_a_mail_that_somebody_else_has_moved_is_passed_over(box: Box) -> None:
    box.moods.deliver(MAIL % 1)
    box.moods.deliver(MAIL % 2)
    unread = box.inbox.unread()
    assert next(unread).raw == MAIL % 1
    del box.moods.mails[2]
    assert list(unread) == []


# M26: a mailbox that was made anew; through the desk, whose journal tells the mails apart


def taking(desk: Desk, box: Box) -> ImapInbox:
    """A source as the intake makes it."""
    engine = desk.ports.journal.engine
    return ImapInbox(box.account, 100_000, lambda *of: numbered_before(engine, *of), lambda part, said: box.alerts.append(said))


def run(desk: Desk, inbox: ImapInbox) -> None:
    """Take in, then work off."""
    drain.take_in(desk.ports, inbox, desk.queues, desk.wake)
    desk.run()


@pytest.mark.bug("M26")
def test_a_mailbox_that_was_made_anew_brings_new_mails_once_and_the_old_ones_not_again(desk: Desk, box: Box) -> None:
    desk.start()
    inbox = taking(desk, box)
    old = orders_mail(reply_to(desk, ANN), ANN, "<1@example.org>", "MOVE X")
    relayed = b"Received: by another\n" + old
    box.moods.deliver(old)
    run(desk, inbox)
    assert len(desk.rules.adjudicated) == 1
    box.moods.make_anew(101)
    new = orders_mail(reply_to(desk, ANN), ANN, "<2@example.org>", "MOVE Y")
    for raw in (new, old, relayed):
        box.moods.deliver(raw)
    run(desk, inbox)
    inbox.close()
    assert [packet["orders"][0]["args"]["x"] for packet in desk.rules.adjudicated] == ["X", "Y"]
    answers = len(desk.mails_to(ANN))
    assert answers == 3  # the start and two receipts
    assert box.moods.mails == {}
    assert [folder for folder, _ in box.moods.moved] == ["hexpost-done"] * 4


def test_in_a_mailbox_that_numbers_as_before_equal_mails_are_two(desk: Desk, box: Box) -> None:
    """Only a mailbox made anew has its mails looked up by their bytes."""
    inbox = taking(desk, box)
    for _ in range(2):
        box.moods.deliver(MAIL % 1)
    drain.take_in(desk.ports, inbox, desk.queues, desk.wake)
    inbox.close()
    assert len(desk.ports.journal.waiting_messages()) == 2


@pytest.mark.bug("M14")
def test_a_mail_with_headers_beyond_reading_does_not_stop_those_behind_it(desk: Desk, box: Box) -> None:
    desk.start()
    inbox = taking(desk, box)
    bad = 'From: <""@x.example>\nReply-To: "=?UTF-8?B?Zo\xeb?=" <a@b.example>\nTo: \xff\xfe\n\nMOVE Z\n'.encode("latin-1")
    box.moods.deliver(bad)
    for n, where in ((1, "X"), (2, "Y")):
        box.moods.deliver(orders_mail(reply_to(desk, ANN), ANN, f"<{n}@example.org>", f"MOVE {where}"))
    run(desk, inbox)
    inbox.close()
    assert [packet["orders"][0]["args"]["x"] for packet in desk.rules.adjudicated] == ["X", "Y"]
    assert box.moods.mails == {}


@pytest.mark.bug("M14")
def test_a_mail_that_breaks_the_reader_of_headers_is_journaled_and_the_operator_is_told(
    desk: Desk, box: Box, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    usual = context.queue_of

    def broken(journal: object, raw: bytes) -> str:
        if b"breaks" in raw:
            raise IndexError("beyond the parser")
        return usual(journal, raw)

    monkeypatch.setattr(context, "queue_of", broken)
    inbox = taking(desk, box)
    box.moods.deliver(b"Subject: breaks\n\nMOVE X\n")
    box.moods.deliver(MAIL % 2)
    drain.take_in(desk.ports, inbox, desk.queues, desk.wake)
    inbox.close()
    assert [game for game, _ in desk.ports.journal.waiting_messages()] == ["-", "-"]
    assert any("headers that cannot be dealt with" in record.getMessage() for record in caplog.records)

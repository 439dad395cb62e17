"""Sources of mails other than the Maildir: journaled, then acknowledged; tried again when they are away; looked into before a deadline."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from services.mail.app import create_hooks_app
from services.mail.config import Config as MailConfig
from services.mail.spool import Spool
from tests.mail.hooked import NOW, SECRET, orders
from tests.worker.conftest import Desk, make_desk, reply_to
from tests.worker.fakes import ANN, orders_mail
from worker import drain
from worker.config import Config
from worker.local import AppCall, mail_app
from worker.ports import ServiceDown
from worker.post.inboxes import SourceAway
from worker.post.intake import Watch, sources_of
from worker.post.spool import SpoolInbox
from worker.store.database import reading
from worker.store.tables import messages


@pytest.fixture
def spooled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Spool, SpoolInbox]:
    """The spool of a mail service in this process, and the source over it."""
    monkeypatch.setenv("HEXPOST_SPOOL", str(tmp_path / "spool"))
    return Spool(tmp_path / "spool"), SpoolInbox(AppCall(mail_app(guarded=False)), 0.01)


def test_the_spool_is_emptied_into_the_journal(desk: Desk, spooled: tuple[Spool, SpoolInbox]) -> None:
    spool, source = spooled
    desk.start()
    spool.put("lmtp", b"1", orders_mail(reply_to(desk, ANN), ANN, "<1@example.org>", "MOVE X"))
    assert drain.take_in(desk.ports, source, desk.queues, desk.wake) == 1
    assert list(spool.waiting(9, 10**6)) == []
    desk.run()
    assert [packet["orders"][0]["args"]["x"] for packet in desk.rules.adjudicated] == ["X"]
    assert drain.take_in(desk.ports, source, desk.queues, desk.wake) == 0


def test_a_delivery_that_comes_again_after_it_was_journaled_is_known(desk: Desk, spooled: tuple[Spool, SpoolInbox]) -> None:
    spool, source = spooled
    for raw in (b"Subject: one\n\n", b"Subject: another body\n\n"):
        assert spool.put("mailgun", b"token", raw)
        drain.take_in(desk.ports, source, desk.queues, desk.wake)
    assert len(desk.ports.journal.waiting_messages()) == 1
    assert list(spool.waiting(9, 10**6)) == []


def test_killed_between_journal_and_acknowledgement_it_is_journaled_once(
    desk: Desk, spooled: tuple[Spool, SpoolInbox], monkeypatch: pytest.MonkeyPatch
) -> None:
    spool, source = spooled
    spool.put("lmtp", b"1", b"Subject: one\n\n")
    monkeypatch.setattr(source, "acknowledge", lambda place: (_ for _ in ()).throw(SourceAway("killed")))
    with pytest.raises(SourceAway):
        drain.take_in(desk.ports, source, desk.queues, desk.wake)
    monkeypatch.undo()
    monkeypatch.setenv("HEXPOST_SPOOL", "unused")
    assert len(desk.ports.journal.waiting_messages()) == 1
    drain.take_in(desk.ports, source, desk.queues, desk.wake)
    assert len(desk.ports.journal.waiting_messages()) == 1
    assert list(spool.waiting(9, 10**6)) == []


def test_orders_by_webhook_are_played(desk: Desk, spooled: tuple[Spool, SpoolInbox], tmp_path: Path) -> None:
    _, source = spooled
    desk.start()
    config = MailConfig(spool=tmp_path / "spool", hooks={"orders": SECRET})
    body, headers = orders("MOVE X", to=reply_to(desk, ANN), **{"from": ANN})
    client = create_hooks_app(config, now=lambda: NOW).test_client()
    assert client.post("/v1/hooks/orders", data=body, headers=headers).status_code == 200
    drain.take_in(desk.ports, source, desk.queues, desk.wake)
    desk.run()
    assert len(desk.rules.adjudicated) == 1


def down(method: str, path: str, body: bytes | None) -> tuple[int, bytes]:
    raise ServiceDown("The mail service cannot be reached.")


@pytest.mark.parametrize(
    "answer", [(200, b"[]"), (200, b"{}"), (200, b'{"messages": [{"id": "x"}]}'), (200, b"<html>"), (404, b""), (500, b"")]
)
def test_a_spool_that_cannot_be_read_is_away(answer: tuple[int, bytes]) -> None:
    for call in (lambda method, path, body: answer, down):
        with pytest.raises(SourceAway, match="spool cannot be"):
            list(SpoolInbox(call, 0.1).unread())
    with pytest.raises(SourceAway, match="spool cannot be emptied"):
        SpoolInbox(down, 0.1).acknowledge("spool:lmtp:x")


class Fails:
    """A source that fails as often as it is told, and then has nothing."""

    name = "test"

    def __init__(self, *faults: Exception) -> None:
        self.faults = list(faults)
        self.closed = 0

    def unread(self) -> Any:
        if self.faults:
            raise self.faults.pop(0)
        return iter(())

    def acknowledge(self, place: str) -> None: ...

    def wait(self, stopped: threading.Event) -> None:
        stopped.set()

    def close(self) -> None:
        self.closed += 1


def watch(source: Fails, said: list[str], looked: list[str]) -> Watch:
    times = iter(f"T{n}" for n in range(9))
    return Watch(
        source,
        lambda inbox: len(list(inbox.unread())),
        lambda part, text: said.append(text),
        lambda: next(times),
        lambda _, at: looked.append(at),
    )


def test_whatever_fails_is_told_once_and_tried_again() -> None:
    said: list[str] = []
    looked: list[str] = []
    source = Fails(SourceAway("gone"), SourceAway("gone"), RuntimeError("the database"), SourceAway("gone", 5))
    found = watch(source, said, looked)
    stopped = threading.Event()
    assert [found.step(stopped) for _ in range(5)] == [0, 0, 0, 5, None]
    assert said == ["gone", "Mails cannot be journaled: RuntimeError.", "gone", "It is back; mails come in again."]
    assert looked == ["T4"]
    assert source.closed == 1


def test_it_runs_until_it_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("worker.post.intake.FIRST_PAUSE", 0.001)
    said: list[str] = []
    source = Fails(SourceAway("gone"))
    watch(source, said, []).run(threading.Event())
    assert said == ["gone", "It is back; mails come in again."]
    assert source.closed == 1


def test_the_settings_name_the_sources(desk: Desk, tmp_path: Path) -> None:
    def named(**settings: str) -> list[str]:
        return [source.name for source in sources_of(Config(mail="http://127.0.0.1:1", **settings), desk.ports.journal, lambda *_: None)]

    assert named() == []
    assert named(lmtp="unix:/x") == named(hooks="127.0.0.1:8025") == ["the mail service's spool"]
    assert named(imap="imaps://mail.example", imap_user="orders", hooks="127.0.0.1:1") == [
        "orders at imaps://mail.example",
        "the mail service's spool",
    ]


# Deadlines


def waited_for(desk: Desk) -> list[str]:
    return [verdict for verdict in verdicts(desk) if verdict.startswith("absent:")]


def verdicts(desk: Desk) -> list[str]:
    with reading(desk.ports.journal.engine) as connection:
        return [str(one) for one in connection.execute(select(messages.c.verdict).where(messages.c.verdict.is_not(None))).scalars()]


def test_a_deadline_waits_until_every_source_has_been_looked_into_after_it(tmp_path: Path, redis: Any) -> None:
    """A mail that came in time may lie in a mailbox that is out of reach."""
    desk = make_desk(tmp_path, redis, deadline_hours=1.0, imap="imaps://mail.example", absence="nothing")
    desk.start()
    object.__setattr__(desk.ports, "now", lambda: "2026-03-27T22:00:00+00:00")
    desk.queues.looked("mailbox", "2026-03-27T20:30:00+00:00")
    desk.queues.looked("spool", "2026-03-27T21:59:00+00:00")
    desk.sweep()
    assert waited_for(desk) == []
    desk.queues.looked("mailbox", "2026-03-27T21:20:00+00:00")
    desk.sweep()
    assert len(waited_for(desk)) == 1
    desk.ports.journal.engine.dispose()


def test_where_nobody_looks_elsewhere_no_look_is_waited_for(tmp_path: Path, redis: Any) -> None:
    desk = make_desk(tmp_path, redis, deadline_hours=1.0, absence="nothing")
    desk.start()
    desk.queues.looked("of earlier settings", "2026-03-27T20:30:00+00:00")
    object.__setattr__(desk.ports, "now", lambda: "2026-03-27T22:00:00+00:00")
    desk.sweep()
    assert len(waited_for(desk)) == 1
    desk.ports.journal.engine.dispose()

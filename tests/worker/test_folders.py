"""Maildirs and the artifact store: each mail is read once and sent once, each file stored once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.worker.conftest import Desk
from worker.canonical import digest
from worker.post.inboxes import MaildirInbox
from worker.post.outgoing import MaildirSender
from worker.store.artifacts import ArtifactStore
from worker.store.database import open_database


def test_a_mail_is_unread_until_it_is_acknowledged(tmp_path: Path) -> None:
    inbox = MaildirInbox(tmp_path, 100)
    (tmp_path / "new" / "b").write_bytes(b"mail")
    assert inbox.has_unread()
    assert [(one.place, one.raw) for one in inbox.unread()] == [("b", b"mail")]
    assert [one.place for one in inbox.unread()] == ["b"]
    inbox.acknowledge("b")
    inbox.acknowledge("b")
    assert not inbox.has_unread()
    assert (tmp_path / "cur" / "b:2,S").read_bytes() == b"mail"


@pytest.mark.parametrize("name", [b"n\xff", b"n" * 255, b"two\nlines", "drei\u202ezehn".encode()])
def test_a_mail_of_an_odd_name_is_journaled_once_and_put_away(desk: Desk, name: bytes) -> None:
    new = os.fsencode(desk.folder / "in" / "new")
    with open(new + b"/" + name, "wb") as file:
        file.write(b"From: ann@example.org\n\nMOVE X\n")
    desk.drop(b"From: ann@example.org\n\nMOVE Y\n")
    desk.take_in()
    assert os.listdir(new) == []
    assert len(os.listdir(desk.folder / "in" / "cur")) == len(desk.ports.journal.waiting_messages()) == 2


def test_a_second_mail_under_the_same_name_is_journaled(desk: Desk) -> None:
    for said in (b"MOVE X", b"MOVE Y", b"MOVE Y"):  # the last is the second, found again
        (desk.folder / "in" / "new" / "1").write_bytes(b"From: ann@example.org\n\n" + said + b"\n")
        desk.take_in()
    assert os.listdir(desk.folder / "in" / "new") == []
    assert [desk.ports.journal.next_message("-").raw[-7:-1], len(desk.ports.journal.waiting_messages())] == [b"MOVE X", 2]


def test_a_link_in_the_inbox_has_no_other_file_read(tmp_path: Path) -> None:
    inbox = MaildirInbox(tmp_path, 100)
    (tmp_path / "secret").write_bytes(b"mail")
    (tmp_path / "new" / "link").symlink_to(tmp_path / "secret")
    (tmp_path / "new" / "nowhere").symlink_to(tmp_path / "none")
    assert not inbox.has_unread()
    (tmp_path / "new" / "mail").write_bytes(b"mail")
    assert [one.place for one in inbox.unread()] == ["mail"]


def test_of_a_mail_beyond_the_limit_the_headers_are_read_and_its_size_is_told(tmp_path: Path) -> None:
    inbox = MaildirInbox(tmp_path, 41)
    (tmp_path / "new" / "1").write_bytes(b"From: ann@example.org\n\nMOVE X 0101 0102 \n")
    (tmp_path / "new" / "2").write_bytes(b"From: ann@example.org\n\nMOVE X 0101\n" + b"x" * 5_000_000)
    (tmp_path / "new" / "3").write_bytes(b"x" * 1_000_000)
    small, big, headless = (one.raw for one in inbox.unread())
    assert small.endswith(b"0102 \n")
    assert big == b"X-Hexpost-Size: 5000035\nFrom: ann@example.org\n\n"
    assert len(headless) == 64_000 + len(b"X-Hexpost-Size: 1000000\n\n\n")


def test_the_same_message_id_leaves_once_even_when_the_player_has_read_it(tmp_path: Path) -> None:
    sender = MaildirSender(tmp_path)
    sender.send(b"one", "<1@desk>", ["ann@example.org"])
    sender.send(b"one", "<1@desk>", ["ann@example.org"])
    (name,) = (path.name for path in (tmp_path / "new").iterdir())
    (tmp_path / "new" / name).rename(tmp_path / "cur" / f"{name}:2,S")
    MaildirSender(tmp_path).send(b"one", "<1@desk>", ["ann@example.org"])
    sender.send(b"two", "<2@desk>", ["ann@example.org"])
    assert [path.read_bytes() for path in (tmp_path / "new").iterdir()] == [b"two"]
    assert list((tmp_path / "tmp").iterdir()) == []


def test_artifacts_are_stored_by_content_and_checked_when_read(tmp_path: Path) -> None:
    engine = open_database(f"sqlite:///{tmp_path / 'journal.db'}")
    store = ArtifactStore(tmp_path / "artifacts", engine)
    sha = store.put("map", b"png")
    assert sha == digest(b"png") == store.put("map", b"png")
    assert store.get(sha) == b"png"
    (tmp_path / "artifacts" / sha[:2] / sha[2:]).write_bytes(b"other")
    for bad in (sha, "00" * 32, "../../etc/passwd"):
        with pytest.raises(KeyError):
            store.get(bad)
    engine.dispose()


def test_another_mail_that_takes_the_name_of_one_that_is_being_read_is_not_lost(tmp_path: Path) -> None:
    """Between reading and acknowledging: at each step the other one is still to be read, and what was read is not read again."""
    inbox = MaildirInbox(tmp_path, 1000)
    new, seen = tmp_path / "new", tmp_path / "cur"
    (new / "1.mail").write_bytes(b"first")
    [first] = inbox.unread()
    (tmp_path / "tmp" / "x").write_bytes(b"other")
    os.rename(tmp_path / "tmp" / "x", new / "1.mail")  # as large as the first; a mail server that gives names twice
    inbox.acknowledge(first.place)
    assert list(seen.iterdir()) == []
    [other] = inbox.unread()
    assert (other.place, other.raw, other.reusable) == ("1.mail", b"other", True)
    inbox.acknowledge(other.place)
    assert [(path.name, path.read_bytes()) for path in seen.iterdir()] == [("1.mail:2,S", b"other")]
    assert list(inbox.unread()) == []


def test_a_worker_that_ends_while_it_acknowledges_leaves_the_mail_under_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inbox = MaildirInbox(tmp_path, 1000)
    (tmp_path / "new" / "1.mail").write_bytes(b"first")
    [first] = inbox.unread()

    def killed(_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("worker.post.inboxes._identity", killed)
        with pytest.raises(KeyboardInterrupt):
            inbox.acknowledge(first.place)
    assert [path.name.partition(".hx-")[0] for path in (tmp_path / "new").iterdir()] == ["1.mail"]
    again = MaildirInbox(tmp_path, 1000)
    [found] = again.unread()
    assert (found.place, found.raw) == ("1.mail", b"first")  # the journal knows it by that
    again.acknowledge(found.place)
    assert [path.name for path in (tmp_path / "cur").iterdir()] == ["1.mail:2,S"]

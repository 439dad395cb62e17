"""The spool: on disk before yes, once each, oldest first, bounded."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from services.mail.app import create_app
from services.mail.config import Config
from services.mail.spool import Spool, SpoolFull, spool_id

TOKEN = {"Authorization": "Bearer t"}


@pytest.fixture
def spool(tmp_path: Path) -> Spool:
    return Spool(tmp_path / "spool", most_mails=3, most_bytes=100)


@pytest.fixture
def client(tmp_path: Path) -> FlaskClient:
    return create_app(Config(token="t", spool=tmp_path / "spool")).test_client()


def test_messages_wait_in_the_order_of_their_arrival_until_they_are_removed(spool: Spool, tmp_path: Path) -> None:
    for n, raw in enumerate((b"one", b"two", b"three")):
        assert spool.put("lmtp", raw, raw)
        os.utime(tmp_path / "spool" / f"{spool_id('lmtp', raw)}.lmtp", ns=(n, n))
    assert [(one.origin, one.raw) for one in spool.waiting(9, 1000)] == [("lmtp", b"one"), ("lmtp", b"two"), ("lmtp", b"three")]
    spool.remove(spool_id("lmtp", b"two"))
    spool.remove(spool_id("lmtp", b"two"))
    assert [one.raw for one in spool.waiting(9, 1000)] == [b"one", b"three"]
    assert [one.raw for one in spool.waiting(1, 1000)] == [b"one"]


def test_a_page_has_one_message_however_large_and_no_more_than_its_bytes(spool: Spool, tmp_path: Path) -> None:
    for n, raw in enumerate((b"x" * 40, b"y" * 20, b"z" * 20)):
        spool.put("lmtp", raw, raw)
        os.utime(tmp_path / "spool" / f"{spool_id('lmtp', raw)}.lmtp", ns=(n, n))
    assert [len(one.raw) for one in spool.waiting(9, 10)] == [40]
    assert [len(one.raw) for one in spool.waiting(9, 60)] == [40, 20]


def test_a_repeated_delivery_is_the_same_message_whatever_it_brings(spool: Spool) -> None:
    assert spool.put("mailgun", b"token", b"first")
    assert not spool.put("mailgun", b"token", b"another")
    assert spool.put("postmark", b"token", b"its own")
    assert sorted(one.raw for one in spool.waiting(9, 1000)) == [b"first", b"its own"]


def test_nothing_is_taken_beyond_the_number_and_the_bytes(spool: Spool) -> None:
    with pytest.raises(SpoolFull):
        spool.put("lmtp", b"1", b"x" * 101)
    for n in range(3):
        spool.put("lmtp", b"%d" % n, b"x" * 20)
    with pytest.raises(SpoolFull):
        spool.put("lmtp", b"4", b"x")
    spool.remove(spool_id("lmtp", b"0"))
    assert spool.put("lmtp", b"4", b"x")


def test_a_message_is_on_disk_under_its_name_before_yes(spool: Spool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is synced before it gets its name, its name before ``put`` returns."""
    seen: list[str] = []
    sync, rename = os.fsync, os.rename

    def fsync(handle: int) -> None:
        seen.append("sync " + ("folder" if os.path.isdir(f"/proc/self/fd/{handle}") else "file"))
        sync(handle)

    def renamed(*names: Path) -> None:
        seen.append("name")
        rename(*names)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "rename", renamed)
    spool.put("lmtp", b"1", b"raw")
    assert seen == ["sync file", "name", "sync folder"]


def test_a_message_that_the_disk_refuses_leaves_nothing(spool: Spool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        spool.put("lmtp", b"1", b"raw")
    assert list((tmp_path / "spool").iterdir()) == []


def test_a_draft_of_a_process_that_died_is_swept_and_one_that_is_being_written_is_not(spool: Spool, tmp_path: Path) -> None:
    old, new = tmp_path / "spool" / "a.tmp", tmp_path / "spool" / "b.tmp"
    for draft in (old, new):
        draft.write_bytes(b"half")
    os.utime(old, (1, 1))
    again = Spool(tmp_path / "spool")
    assert (old.exists(), new.exists()) == (False, True)
    assert list(again.waiting(9, 100)) == []


def test_the_worker_takes_messages_over_by_http(client: FlaskClient, tmp_path: Path) -> None:
    assert client.get("/v1/spool").status_code == 401
    assert client.get("/v1/spool", headers=TOKEN).get_json() == {"messages": []}
    Spool(tmp_path / "spool").put("lmtp", b"1", b"raw\xff")
    key = spool_id("lmtp", b"1")
    assert client.get("/v1/spool", headers=TOKEN).get_json() == {"messages": [{"id": key, "origin": "lmtp", "raw": "cmF3/w=="}]}
    for _ in range(2):
        assert client.delete(f"/v1/spool/{key}", headers=TOKEN).status_code == 204
    assert client.get("/v1/spool", headers=TOKEN).get_json() == {"messages": []}


def test_without_a_folder_nothing_is_spooled() -> None:
    client = create_app(Config()).test_client()
    assert client.get("/v1/spool").get_json() == {"messages": []}
    assert client.delete("/v1/spool/" + "0" * 64).status_code == 204

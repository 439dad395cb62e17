"""A game goes from one server to another: what is there goes on there, and what stays answers with the new address."""

from __future__ import annotations

import errno
import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from redis import Redis
from sqlalchemy import select

from tests.worker.conftest import Desk, make_desk, reply_to
from tests.worker.fakes import ANN, BRUNO, RealMail, headers, orders_mail
from tests.worker.test_backup import elsewhere, hexpost, spoil
from tests.worker.test_migrations import rows
from worker.canonical import digest
from worker.hosting import moving
from worker.hosting.moving import STAY, own_rows
from worker.hosting.packing import reading_pack
from worker.store.database import reading
from worker.store.tables import deferrals, departed, messages, metadata, outbox

BOTH = ("test_a_game_goes_on_at_another_server_and_the_old_one_answers_with_its_address",)
NEW = "umpire@new.example"
assert elsewhere  # the fixture


@pytest.fixture(autouse=True)
def _toy_data(monkeypatch: pytest.MonkeyPatch) -> None:
    """The new server has the toy game's data, which no package holds."""

    class Rules:
        def games(self) -> Any:
            return {"games": [{"key": "toy", "data_digest": "d"}]}

    monkeypatch.setattr(moving, "local_rules", Rules)


@pytest.fixture
def there(elsewhere: tuple[Path, str], redis: Redis, real_mail: RealMail) -> Desk:
    """A server with two games of its own, so that its numbers are taken."""
    folder, url = elsewhere
    found = make_desk(folder, redis, database=url, address=NEW, former="orders@toy.example", first_game=1001)
    found.ports = replace(found.ports, mail=real_mail)
    found.start("cleo@example.org", "dora@example.org")
    for number in range(3):
        found.drop(orders_mail(reply_to(found, "cleo@example.org"), "cleo@example.org", f"<{number}@cleo>", "STATUS"))
    found.run()
    return found


def play(desk: Desk) -> None:
    """Ann has moved, and a mail of hers is in doubt and asked about."""
    desk.start()
    desk.drop(orders_mail(reply_to(desk, ANN), ANN, "<1@ann>", "ATTACK", "DONE"))
    desk.run()
    desk.drop(orders_mail(reply_to(desk, ANN), "ann@other.example", "<2@ann>", "MOVE B 0101"))
    desk.run()


def settings(desk: Desk) -> tuple[Path, str]:
    return desk.folder, desk.ports.config.database


def test_a_game_goes_on_at_another_server_and_the_old_one_answers_with_its_address(post: Desk, there: Desk, tmp_path: Path) -> None:
    play(post)
    last = post.ports.journal.chain("G1")[-1]
    old = {name: len(kept) for name, kept in rows(post.ports.journal.engine).items()}
    told = hexpost(*settings(post), "game-export", "g1", tmp_path / "g1.zip", "--moved", NEW)
    assert told.exit_code == 0, told.output
    assert told.stdout.splitlines()[0].endswith(f"g1.zip: G1, 2 states, {old['messages']} received and {old['outbox']} sent mails.")

    asked, reply = headers(post.mails_to(ANN)[-1])["Reply-To"], reply_to(post, BRUNO)
    own = rows(there.ports.journal.engine)
    told = hexpost(*settings(there), "game-import", tmp_path / "g1.zip")
    assert told.stdout == "G1 is entered: its hash chain of 2 states holds. 2 players are told that it is kept here now.\n", told.output
    after = rows(there.ports.journal.engine)
    assert all(set(kept) <= set(after[name]) for name, kept in own.items())  # the games that were there are as they were
    there.sweep()
    notices = [there.mails_to(one)[-1] for one in (ANN, BRUNO)]
    assert [headers(one)["Reply-To"].replace(NEW.partition("@")[0], "orders").replace("new.", "toy.") for one in notices][1] == reply
    assert all(b"has moved to this server" in one for one in notices)

    # The token that Bruno has is good at the new address, and so is the question that Ann was asked.
    there.count = 50
    there.drop(orders_mail(str(asked), ANN, "<3@ann>", "CONFIRM"))  # to the old address, which is forwarded
    there.drop(orders_mail(reply_to(there, BRUNO), BRUNO, "<1@bruno>", "ATTACK", "DONE"))
    there.run()
    assert there.ports.journal.game("G1").version == 3
    assert there.ports.journal.broken_link("G1") is None
    assert there.ports.journal.chain("G1")[:2][-1] == last
    assert [verdict_of(there, key) for key in ("<2@ann>", "<3@ann>", "<1@bruno>")] == ["accept", "accept", "accept"]

    # At the old one nothing is done any more.
    post.count = 50
    post.drop(orders_mail(reply, BRUNO, "<2@bruno>", "ATTACK"))
    post.drop(orders_mail(reply_to(post, ANN), ANN, "<4@ann>", "STATUS"))
    post.sweep()
    for address in (ANN, BRUNO):
        answer = post.mails_to(address)[-1]
        assert b"kept by another server now" in answer
        assert str(headers(answer)["Reply-To"]).startswith("hexpost <umpire+g1-t01-")
        assert str(headers(answer)["Reply-To"]).endswith("@new.example>")
        assert b"umpire+g1-t" in answer.partition(b"\r\n\r\n")[2]
    assert post.ports.journal.game("G1").version == 1
    assert "G1 has moved to another server" in hexpost(*settings(post), "game-export", "G1", tmp_path / "again.zip").stderr


def verdict_of(desk: Desk, message: str) -> str | None:
    with reading(desk.ports.journal.engine) as connection:
        return connection.scalar(select(messages.c.verdict).where(messages.c.message_id == message))


def test_what_had_not_left_leaves_from_the_new_server_alone(post: Desk, there: Desk, tmp_path: Path) -> None:
    post.start()
    post.drop(orders_mail(reply_to(post, ANN), ANN, "<1@ann>", "ATTACK", "DONE"))
    post.take_in()
    post.run_drain("G1")  # the receipt and the report wait in the outbox
    post.drop(orders_mail(reply_to(post, ANN), ANN, "<2@ann>", "STATUS"))
    post.take_in()  # and this mail in the journal
    post.woken.clear()
    assert hexpost(*settings(post), "game-export", "G1", tmp_path / "g1.zip", "--moved", NEW).exit_code == 0
    sent = len(post.sender.sent)
    post.sweep()
    assert len(post.sender.sent) == sent
    assert hexpost(*settings(there), "game-import", tmp_path / "g1.zip").exit_code == 0
    before = len(there.sender.sent)
    there.sweep()
    kinds = [mail["to"] for mail in intents(there)[-5:]]
    assert len(there.sender.sent) == before + 5
    assert sorted(kinds) == [ANN, ANN, ANN, BRUNO, BRUNO]  # receipt, report, two notices, and the answer to STATUS


def intents(desk: Desk) -> list[Any]:
    with reading(desk.ports.journal.engine) as connection:
        return list(connection.execute(select(outbox.c.intent).where(outbox.c.game == "G1").order_by(outbox.c.id)).scalars())


def test_a_game_is_marked_as_moved_only_when_its_file_is_safe(post: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play(post)
    before = rows(post.ports.journal.engine)
    target = tmp_path / "g1.zip"

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    for step in ("os.fsync", "os.link"):
        monkeypatch.setattr(f"worker.hosting.packing.{step}", full)
        told = hexpost(*settings(post), "game-export", "G1", target, "--moved", NEW)
        monkeypatch.undo()
        assert (told.exit_code, "g1.zip cannot be written: no space left on device." in told.stderr) == (2, True), told.output
        assert (rows(post.ports.journal.engine), target.exists()) == (before, False), step

    seen: list[bool] = []

    def mark(*_: object) -> None:
        with reading_pack(target, "game") as pack:  # whole, and under its name
            seen.append(pack.manifest["game"] == "G1")
        raise RuntimeError("it dies here")

    monkeypatch.setattr(moving, "_mark", mark)
    assert hexpost(*settings(post), "game-export", "G1", target, "--moved", NEW).exit_code == 1
    assert (seen, rows(post.ports.journal.engine), target.exists()) == ([True], before, False)


def test_without_moved_a_copy_is_written_and_nothing_changes(post: Desk, tmp_path: Path) -> None:
    play(post)
    before = rows(post.ports.journal.engine)
    assert hexpost(*settings(post), "game-export", "G1", tmp_path / "g1.zip").exit_code == 0
    assert rows(post.ports.journal.engine) == before
    for arguments, said in (
        (("G9", tmp_path / "x.zip"), "There is no game 'G9' here."),
        (("G1", tmp_path / "g1.zip"), "g1.zip is there already: choose another name."),
        (("G1", tmp_path / "x.zip", "--moved", "orders+x@toy.example"), "is where this server takes orders"),
        (("G1", tmp_path / "x.zip", "--moved", "nobody"), "'nobody' is not a mail address"),
    ):
        told = hexpost(*settings(post), "game-export", *arguments)
        assert (told.exit_code, said in told.stderr) == (2, True), told.output
    assert not (tmp_path / "x.zip").exists()
    told = hexpost(*settings(post), "game-import", tmp_path / "g1.zip")
    assert "There is a game G1 here already." in told.stderr


def altered(table: str, column: str, value: Callable[[Any], Any]) -> Callable[[dict[str, bytes], dict[str, Any]], None]:
    """A pack whose last row of a table was altered, its digests made anew."""

    def change(members: dict[str, bytes], manifest: dict[str, Any]) -> None:
        name = f"tables/{table}.jsonl"
        *before, last = members[name].splitlines()
        row = json.loads(last)
        row[column] = value(row[column])
        members[name] = b"".join(line + b"\n" for line in (*before, json.dumps(row).encode()))
        manifest["members"][name] = digest(members[name])

    return change


def other(packed: str) -> str:
    return b64encode(
        zlib.compress(zlib.decompress(b64decode(packed)).replace(b'"turn":1', b'"turn":2').replace(b"[{", b'[{"a":1,'))
    ).decode()


FAULTS = [
    (altered("turns", "hash", lambda found: found.replace(found[0], "z")), "its hash does not follow"),
    (altered("turns", "record", lambda found: found.replace('"n":1', '"n":2')), "its hash does not follow"),
    (altered("turns", "version", lambda found: found + 1), "is missing, or another game's"),
    (altered("turns", "events", other), "its events are not those of the chain"),
    (altered("turns", "events", lambda found: "AAAA"), "cannot be read"),
    (altered("snapshots", "state", other), "it is not the state of the chain"),
    (altered("games", "head", lambda found: found[::-1]), "does not end where its hash chain does"),
    (altered("games", "version", lambda found: found + 1), "does not end where its hash chain does"),
    (altered("games", "id", lambda found: "G2"), "holds not the one game that its manifest names"),
    (lambda members, manifest: manifest.update(revision="0001"), "is of revision 0001, and this hexpost works with"),
]


def test_what_does_not_hold_together_is_not_entered(post: Desk, there: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play(post)
    assert hexpost(*settings(post), "game-export", "G1", tmp_path / "g1.zip").exit_code == 0
    before = rows(there.ports.journal.engine)
    for change, said in FAULTS:
        told = hexpost(*settings(there), "game-import", spoil(tmp_path / "g1.zip", change))
        assert (told.exit_code, said in told.stderr) == (2, True), (said, told.output)
    monkeypatch.setattr(moving, "_announce", lambda *_: 1 / 0)
    monkeypatch.setattr("worker.store.loading.PER_INSERT", 1)
    monkeypatch.setattr("worker.store.loading.go_on_after", lambda *_: 1 / 0)  # it dies when all rows are written
    assert hexpost(*settings(there), "game-import", tmp_path / "g1.zip").exit_code == 1
    monkeypatch.undo()
    told = hexpost(*settings(there), "game-import", tmp_path / "g1.zip")
    assert "G1 is played with data d of toy, and here is none: install the hexpost that it comes from first." in told.stderr
    assert rows(there.ports.journal.engine) == before


def test_each_table_is_a_games_own_or_stays(database: str) -> None:
    """A table that is new must say where its rows belong when a game moves."""
    for table in metadata.sorted_tables:
        assert table.name in STAY or own_rows(table, "G1") is not None, table.name
    others = {table.name for table in metadata.sorted_tables if "game" not in table.columns and table.name not in STAY}
    assert others == {"games", "lobbies", departed.name, deferrals.name}


def test_game_ids_go_on_after_games_that_came_and_from_the_first_number(post: Desk, there: Desk, tmp_path: Path) -> None:
    assert there.ports.journal.free_id(1001) == "G1002"
    assert (post.ports.journal.free_id(), post.ports.journal.free_id(1001)) == ("G1", "G1001")
    play(post)
    assert hexpost(*settings(post), "game-export", "G1", tmp_path / "g1.zip").exit_code == 0
    assert hexpost(*settings(there), "game-import", tmp_path / "g1.zip").exit_code == 0
    assert (there.ports.journal.free_id(), there.ports.journal.free_id(1001)) == ("G2", "G1002")

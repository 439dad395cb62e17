"""The journal: nothing twice, nothing half."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import func, insert, select
from sqlalchemy.exc import IntegrityError

from worker.store.commits import link
from worker.store.database import open_database, reading, writing
from worker.store.journal import Journal
from worker.store.records import Closing, Game, Intent, LostRace, NewState, PacketRow, Start
from worker.store.tables import messages, outbox, packets, turns

BOTH = True
AT = "2026-03-27T20:14:09+00:00"


@pytest.fixture
def journal(database: str) -> Iterator[Journal]:
    """A journal with game G1 started."""
    found = Journal(open_database(database))
    game = Game("G1", "toy/one", {}, ("axis", "allied"), "5a" * 32, [], 0, 0, 0, 0, 1, False, "")
    first = NewState(0, {"x": 0}, "d0", {"version": 0}, [{"n": 1, "kind": "start"}], 1, False)
    found.start_game(game, first, Start({"axis": ["ann@example.org"]}, {"axis": "tok"}, (), AT))
    yield found
    found.engine.dispose()


def closing(message: int, version: int = 1) -> Closing:
    """What an orders mail leads to: packet, state, one mail."""
    state = NewState(version, {"x": version}, f"d{version}", {"version": version}, [{"n": 1, "kind": "moved"}], 1, False, version)
    packet = PacketRow(f"G1-{message:06d}", "axis", 1, "done", ["MOVE"], n=version)
    return Closing(
        message, "G1", "accept", "axis", f"<{message}@ann>", "d", packet=packet, state=state, intents=(Intent(f"k{message}", {}, version),)
    )


def add(journal: Journal, place: str) -> int:
    found = journal.add_message(place, b"raw", AT, "G1")
    assert found is not None
    return found


def count(journal: Journal) -> tuple[int, ...]:
    """Rows of turns, packets, mails to send, and mails that wait."""
    with reading(journal.engine) as connection:
        waiting = connection.scalar(select(func.count()).select_from(messages).where(messages.c.status == "new"))
        return (*(connection.scalar(select(func.count()).select_from(one)) or 0 for one in (turns, packets, outbox)), waiting or 0)


def test_a_mail_that_is_polled_again_is_journaled_once(journal: Journal) -> None:
    assert journal.add_message("a", b"raw", AT, "G1") == 1
    assert journal.add_message("a", b"raw", AT, "G1") is None
    assert journal.waiting_messages() == [("G1", 1)]


def test_another_mail_under_a_name_that_is_known_is_journaled_once_too(journal: Journal) -> None:
    place = "n" * 300  # longer than is kept as it is
    for where in ("a", place):
        first = journal.add_received(where, b"raw", AT, "G1")
        other = journal.add_received(where, b"other", AT, "G1")
        assert None not in (first, other)
        assert [journal.add_received(where, raw, AT, "G1") for raw in (b"raw", b"other")] == [None, None]
    assert len(journal.waiting_messages()) == 4


def test_all_that_a_mail_leads_to_is_committed_as_a_whole(journal: Journal) -> None:
    journal.close(closing(add(journal, "a")))
    assert count(journal) == (2, 1, 1, 0)
    assert journal.state("G1", 1) == ({"x": 1}, "d1")
    game = journal.game("G1")
    assert game is not None
    assert (game.version, game.n, game.packets) == (1, 1, 1)
    first, second = {"version": 0, "throws": 0}, {"version": 1, "throws": 0}
    assert [hashed for _, _, hashed in journal.chain("G1")] == [link("", first), link(link("", first), second)]


def test_a_mail_is_closed_once(journal: Journal) -> None:
    message = add(journal, "a")
    journal.close(closing(message))
    with pytest.raises(LostRace):
        journal.close(closing(message, 2))
    assert count(journal) == (2, 1, 1, 0)


def test_a_state_is_committed_only_after_the_one_before(journal: Journal) -> None:
    journal.close(closing(add(journal, "a")))
    late = add(journal, "b")
    for version in (1, 3):
        with pytest.raises(LostRace):
            journal.close(closing(late, version))
        assert count(journal) == (2, 1, 1, 1)  # packet and mail of the loser are gone with it


def test_a_taken_packet_id_or_mail_key_undoes_everything(journal: Journal) -> None:
    journal.close(closing(add(journal, "a")))
    late = add(journal, "b")
    for other in (replace(closing(late, 2), packet=closing(1, 2).packet), replace(closing(late, 2), intents=(Intent("k1", {}, 2),))):
        with pytest.raises(LostRace):
            journal.close(other)
        assert count(journal) == (2, 1, 1, 1)


def test_events_of_several_states_are_numbered_as_one_story(journal: Journal) -> None:
    journal.close(closing(add(journal, "a")))
    journal.close(closing(add(journal, "b"), 2))
    assert journal.events("G1", 0, 2) == [{"n": 1, "kind": "moved"}, {"n": 2, "kind": "moved"}]
    assert [one["kind"] for one in journal.events("G1", -1, 1)] == ["start", "moved"]


def test_a_flood_of_mails_does_not_grow_what_is_kept_in_mind(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("worker.store.several.MOST_SEEN", 2)
    for number in range(3):
        key = journal.add_message(f"flood-{number}", b"raw", AT, "G1")
        assert key is not None
        journal.close(Closing(key, "G1", "refuse:no-token", "axis", f"<{number}@x>", "d"))
    assert [one["message_id"] for one in journal.seen("G1")] == ["<1@x>", "<2@x>"]


def test_headers_are_looked_up_in_the_order_that_they_name_games(journal: Journal) -> None:
    assert journal.games_of_tokens(["nothing", "tok"]) == ["G1"]
    assert journal.games_of_addresses(["ann@example.org"]) == ["G1"]
    assert journal.games_of_addresses(["eve@example.org"]) == []


def test_the_database_is_its_users_only_and_errors_that_may_be_logged_name_no_values(tmp_path: Path) -> None:
    folder = tmp_path / "home"
    engine = open_database(f"sqlite:///{folder / 'journal.db'}")
    row = {"place": "1", "raw": b"MOVE 21PZ", "received_at": "now", "game": "-", "status": "new", "attempts": 0}
    with writing(engine) as connection:
        connection.execute(insert(messages).values(row))
        assert {path.stat().st_mode & 0o77 for path in (folder, *folder.iterdir())} == {0}
    with pytest.raises(IntegrityError) as found, writing(engine) as connection:
        connection.execute(insert(messages).values(row))
    assert "UNIQUE" in str(found.value)
    assert "MOVE" not in str(found.value)
    engine.dispose()

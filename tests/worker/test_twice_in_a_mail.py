"""Commands of one mail that are about the same: the first is carried out, the second told so, and the game goes on."""

from __future__ import annotations

import pytest

from tests.worker.conftest import Desk
from tests.worker.fakes import ANN, BRUNO
from tests.worker.post import told, write
from tests.worker.test_beginning import EVE
from worker import drain
from worker.ports import Ports
from worker.post import received
from worker.store.records import LostRace, Message

ONCE = "none knows what the others do"


@pytest.mark.parametrize(
    "lines",
    [
        ("POSTPONE 2", "POSTPONE 2"),
        ("POSTPONE 12", "VACATION 3 DAYS"),
        ("DEADLINE 96", "DEADLINE 48"),
        ("LINK", "LINK"),
        ("COPY carl@example.com", "COPY carl@example.com"),
        ("ADDRESS carl@example.com", "ADDRESS carl@example.com"),
        ("INVITE carl@example.com", "INVITE carl@example.com"),
    ],
)
def test_of_two_about_the_same_the_first_is_carried_out_and_the_next_mail_is_answered(post: Desk, lines: tuple[str, str]) -> None:
    post.configure(deadline_hours=72.0)
    post.start()
    answer = told(write(post, ANN, *lines))
    assert answer.count(ONCE) <= 1  # none where the first was refused, too
    assert ONCE in answer or "Refused" in answer
    assert "until" in told(write(post, ANN, "STATUS")).lower()


def test_two_letters_of_one_mail_are_two(post: Desk) -> None:
    post.start()
    before = len(post.mails_to(BRUNO))
    write(post, ANN, "SAY the first", "SAY UNSIGNED the second")
    letters = [told(one) for one in post.mails_to(BRUNO)[before:]]
    assert [("the first" in one, "the second" in one) for one in letters] == [(True, False), (False, True)]


def test_yes_and_no_to_one_offer_is_the_first_of_them(post: Desk) -> None:
    post.start()
    write(post, ANN, "DRAW")
    answer = told(write(post, BRUNO, "REFUSE", "ACCEPT"))
    assert ONCE in answer
    game = post.ports.journal.game("G1")
    assert game is not None
    assert not game.over


def test_a_stranger_does_not_stop_the_desk_by_refusing_twice(post: Desk) -> None:
    post.configure(new_games="anyone")
    post.start()
    asked = write(post, EVE, "NEW toy/one", to="orders@toy.example")
    code = next(word for word in told(asked).split() if len(word) > 8 and word.isalnum() and not word.isalpha())
    write(post, EVE, f"REFUSE {code}", f"REFUSE {code}", to="orders@toy.example")
    assert post.ports.journal.next_message("-") is None
    with post.ports.journal.engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT status FROM offers").scalars().all() == ["refused"]


def test_a_mail_none_of_whose_commits_succeeds_is_put_aside_and_the_next_one_goes_on(post: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    post.start()
    real = received.handle

    def handle(ports: Ports, message: Message) -> str | None:
        if b"WHO" in message.raw:
            raise LostRace("always")
        return real(ports, message)

    monkeypatch.setattr(drain, "handle", handle)
    write(post, ANN, "WHO")
    with post.ports.journal.engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT status FROM messages ORDER BY id DESC LIMIT 1").scalar() == "parked"
    assert "until" in told(write(post, ANN, "STATUS")).lower()

"""What listeners answer is their own matter: each try costs them one, whoever takes nothing for days ends, and nobody else feels it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.worker.conftest import NOW, Desk
from tests.worker.fakes import ANN, BRUNO, headers
from tests.worker.test_notices import CHANNEL, URL, Net, game_of, order, tell
from worker.bots import listeners, sending
from worker.bots.calling import Answer, Forbidden, NoAnswer, asked_to_wait
from worker.hosting import alerts
from worker.store.bottables import notices
from worker.store.database import reading
from worker.store.records import SPECTATOR

BOTH = ("test_the_other_side_takes_no_room_and_closes_nothing", "test_what_waits_for_a_listener_that_was_closed_is_dropped")
OTHER = "https://chat.example.net/hook"
HUGE = b'{"retry_after": ' + b"9" * 400 + b"}"


@pytest.fixture
def toy(desk: Desk) -> Desk:
    desk.start()
    return desk


def listen(desk: Desk, side: str, url: str, form: str = "standard") -> int:
    whose = {"axis": ANN, "allied": BRUNO, SPECTATOR: ""}[side]
    return listeners.add(desk.ports.journal.engine, game_of(desk), side, whose, form, url).id


def until_the_end(desk: Desk, net: Net) -> None:
    """Let the time pass until nothing waits any more."""
    tell(desk, net)
    while due := [head.due for head in sending.heads(desk.ports.journal.engine)]:
        desk.now = max(desk.now, min(due))
        tell(desk, net)


def words(raw: bytes) -> str:
    body = headers(raw).get_body(("plain",))
    assert body is not None
    return " ".join(str(body.get_content()).split())


@pytest.mark.parametrize(
    "answer", [Answer(429, HUGE), Answer(429, b'{"retry_after": ' + b"[" * 50_000), Answer(200, b"[" * 50_000), RuntimeError("of ours")]
)
def test_whatever_one_receiver_answers_the_others_event_leaves(toy: Desk, answer: Any) -> None:
    net = Net()
    net.answers[URL] = answer
    listen(toy, "allied", URL)
    listen(toy, SPECTATOR, OTHER, "matrix")
    order(toy, "axis", "DONE")
    tell(toy, net)
    assert {url for url, _, _ in net.calls} == {URL, OTHER}
    toy.now = "2026-03-27T21:14:10+00:00"  # an hour and a second: no receiver is left alone for longer
    taken = isinstance(answer, Answer) and answer.status == 200
    assert [head.due <= toy.now for head in sending.heads(toy.ports.journal.engine)] == ([] if taken else [True])


@pytest.mark.parametrize(
    ("body", "header", "seconds"),
    [
        *((b'{"retry_after": 30.5}', "600", 30.5), (b"rate_limited", "600", 600.0), (b"", " 7 ", 7.0), (b"", "0", 0.0)),
        *((b'{"retry_after": true}', "8", 8.0), (b'{"retry_after": "9"}', "", None), (b"[1]", "", None), (b'{"retry_after": -4}', "", 0.0)),
        *(
            (HUGE, "", 86_400.0),
            (b'{"retry_after": 1e400}', "", None),
            (b"{}", "9" * 400, 86_400.0),
            (b"", "-5", None),
            (b"", "soon", None),
        ),
        *((b"", "Fri, 27 Mar 2026 20:15:09 GMT", 60.0), (b"", "Fri, 27 Mar 2026 20:00:00 GMT", 0.0), (b"", "Fri, 99 Foo 2026", None)),
        *((b"", "Fri, 27 Mar 9999 20:15:09 -2359", 86_400.0), (b"", "\u0663", None), (b"", "Fri, 27 Mar 2026 20:15:09", 60.0)),
    ],
)
def test_the_time_that_an_answer_asks_for(body: bytes, header: str, seconds: float | None) -> None:
    answer = Answer(429, body, {"retry-after": header} if header else {})
    assert asked_to_wait(answer, datetime.fromisoformat(NOW)) == seconds


def test_slack_is_called_again_when_its_header_says(toy: Desk) -> None:
    net = Net()
    net.answers[OTHER] = Answer(429, b"rate_limited", {"retry-after": "600"})
    listen(toy, "allied", OTHER, "slack")
    order(toy, "axis", "DONE")
    tell(toy, net)
    for now in ("2026-03-27T20:15:11+00:00", "2026-03-27T20:24:09+00:00"):
        toy.now = now
        tell(toy, net)
        assert len(net.calls) == 1
    toy.now = "2026-03-27T20:24:10+00:00"
    tell(toy, net)
    assert len(net.calls) == 2


def test_a_server_that_is_busy_may_ask_for_more_time_and_that_is_a_try(toy: Desk) -> None:
    net = Net()
    net.answers[URL] = Answer(503, b"", {"retry-after": "120"})
    listen(toy, "allied", URL)
    order(toy, "axis", "DONE")
    tell(toy, net)
    (head,) = sending.heads(toy.ports.journal.engine)
    assert head.due == "2026-03-27T20:16:10+00:00"  # not after the five seconds of a first try
    with reading(toy.ports.journal.engine) as connection:
        assert connection.execute(notices.select()).mappings().one()["attempts"] == 1


@pytest.mark.parametrize(("answer", "tries"), [(Answer(429, b'{"retry_after": 0}'), 29), (Answer(500, b""), 9), (NoAnswer("away"), 9)])
def test_no_event_is_tried_for_ever(toy: Desk, answer: Any, tries: int) -> None:
    """Nine tries within 99,365 s; twenty times more where each time a second is asked for."""
    net = Net()
    net.answers[URL] = answer
    listen(toy, "allied", URL)
    order(toy, "axis", "DONE")
    until_the_end(toy, net)
    assert len(net.calls) == tries
    passed = datetime.fromisoformat(toy.now) - datetime.fromisoformat(NOW)
    assert passed == timedelta(seconds=99_365 + (20 if tries == 29 else 0))
    assert len(listeners.of_game(toy.ports.journal.engine, "G1")) == 1  # the next event is tried again


def test_a_listener_that_takes_nothing_for_three_days_ends_and_its_player_is_mailed_once(club: Desk) -> None:
    net = Net()
    net.answers[URL] = Answer(500, b"")
    number = listen(club, "allied", URL)
    for side in ("axis", "allied", "axis", "allied", "axis", "allied", "axis"):
        order(club, side, "DONE")
        tell(club, net)
    until_the_end(club, net)
    # The third event fails after 3 times 99,365 s, the first that ends later than three days; the fourth is not tried.
    assert len(net.calls) == 3 * 9
    assert listeners.of_game(club.ports.journal.engine, "G1") == []
    club.sweep()
    club.sweep()
    (told,) = [raw for raw in club.mails_to(BRUNO) if b"listener" in raw]
    assert f"Your listener {number} for game G1, at bot.example.org, is told nothing more" in words(told)
    assert "it has taken nothing since Fri 27 Mar 2026 20:14" in words(told)
    assert "The last call: HTTP 500. Once it works again, add it anew by POST /v1/games/G1/listeners" in words(told)
    assert alerts.waiting(club.ports.journal.engine) == []  # it is no matter of the game master's
    net.answers.clear()
    assert listen(club, "allied", URL) != number
    order(club, "allied", "DONE")
    order(club, "axis", "DONE")
    tell(club, net)
    assert len(net.calls) == 28


def test_one_event_that_is_taken_between_is_enough_to_live_on(toy: Desk) -> None:
    net = Net()
    net.answers[URL] = Answer(500, b"")
    listen(toy, "allied", URL)
    order(toy, "axis", "DONE")
    until_the_end(toy, net)
    toy.now = (datetime.fromisoformat(NOW) + timedelta(days=30)).isoformat()
    order(toy, "allied", "DONE")
    tell(toy, net)
    assert len(listeners.of_game(toy.ports.journal.engine, "G1")) == 1  # one try in vain, whenever the last was, ends nothing
    net.answers[URL] = Answer(204, b"")
    until_the_end(toy, net)
    net.answers[URL] = Answer(500, b"")
    order(toy, "axis", "DONE")
    until_the_end(toy, net)
    assert len(listeners.of_game(toy.ports.journal.engine, "G1")) == 1


@pytest.mark.parametrize("answer", [Answer(410, b""), Forbidden("chat.example.net is no server of the open net.")])
def test_of_a_channel_that_is_gone_the_game_master_hears(club: Desk, answer: Any) -> None:
    net = Net()
    net.answers = {OTHER: answer, URL: answer}
    number = listen(club, SPECTATOR, OTHER, "matrix")
    listen(club, "allied", URL)
    order(club, "axis", "DONE")
    tell(club, net)
    club.sweep()
    ((_, alert),) = alerts.waiting(club.ports.journal.engine)
    assert alert.facts["said"].startswith(f"Listener {number} of G1 (a channel at chat.example.net) is told nothing more")
    assert "add it again: hexpost listeners G1 --form matrix --add URL" in alert.facts["said"]
    (told,) = club.mails_to("max@club.example")
    assert "hexpost listeners G1 --form matrix --add URL" in words(told)
    assert "/hook" not in words(told)  # whoever has a chat's URL can write there
    (mine,) = [raw for raw in club.mails_to(BRUNO) if b"listener" in raw]
    assert "it has taken nothing since" not in words(mine)


def test_the_other_side_takes_no_room_and_closes_nothing(toy: Desk) -> None:
    """Each player has eight of his own, and the channels of a game eight; the same URL may be anybody's."""
    engine = toy.ports.journal.engine
    channel = listen(toy, SPECTATOR, URL, "slack")
    theirs = [listen(toy, "axis", f"{URL}/{n}") for n in range(listeners.MOST)]
    with pytest.raises(listeners.TooMany):
        listen(toy, "axis", f"{URL}/9")
    mine = [listen(toy, "allied", f"{URL}/{n}") for n in range(listeners.MOST - 1)]
    shared = listen(toy, "allied", URL)
    with pytest.raises(listeners.TooMany):
        listen(toy, "allied", f"{URL}/9")
    open_now = {one.id for one in listeners.of_game(engine, "G1")}
    assert open_now == {channel, *theirs, *mine, shared}
    again = listen(toy, "allied", f"{URL}/0")  # his own at that URL it replaces
    assert {one.id for one in listeners.of_game(engine, "G1")} == (open_now - {mine[0]}) | {again}


def test_what_waits_for_a_listener_that_was_closed_is_dropped(toy: Desk) -> None:
    net = Net()
    net.answers[CHANNEL] = Answer(500, b"")
    number = listen(toy, SPECTATOR, CHANNEL, "discord")
    order(toy, "axis", "DONE")
    tell(toy, net)
    assert listeners.close(toy.ports.journal.engine, "G1", number)
    toy.now = datetime(2026, 4, 1, tzinfo=UTC).isoformat()
    tell(toy, net)
    assert len(net.calls) == 1
    assert sending.heads(toy.ports.journal.engine) == []

"""Who is believed, through journal, queues and the real mail service: forgers, leaked tokens, robots, bounces, deputies."""

from __future__ import annotations

import email.policy
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from tests.worker.conftest import SECRET, Desk, make_desk, reply_to
from tests.worker.fakes import ANN, BRUNO, RealMail, headers, orders_mail
from tests.worker.post import told
from worker.hosting import alerts
from worker.local import local_mail
from worker.play.games import new_game
from worker.ports import Mail
from worker.post import bounces, writers
from worker.post.context import side_tokens

SERVER = "mx.toy.example"
FAIL = f"{SERVER}; dmarc=fail header.from=example.org"
PASS = f"{SERVER}; dmarc=pass header.from=example.org"
MASTER = "master@club.example"
EVE = "eve@cheap-host.example"


@pytest.fixture(scope="module")
def mail() -> Mail:
    return RealMail(local_mail())


@pytest.fixture
def post(tmp_path: Path, redis: Redis, mail: Mail) -> Iterator[Desk]:
    """A worker with the real mail service and the rules of the toy game, and a game begun."""
    made = make_desk(tmp_path, redis, server=SERVER, game_master=MASTER)
    made.ports = replace(made.ports, mail=mail)
    made.start()
    yield made
    made.ports.journal.engine.dispose()


def send(desk: Desk, sender: str, *lines: str, to: str | None = None, key: str = "", results: str = "", **more: str) -> list[bytes]:
    """Somebody writes; all mails that leave thereupon."""
    before = len(desk.sender.sent)
    raw = orders_mail(to or reply_to(desk, sender), sender, key or f"<{desk.count}@sender.example>", *lines)
    head = "".join(f"{name.replace('_', '-')}: {value}\n" for name, value in more.items())
    desk.drop((f"Authentication-Results: {results}\n" if results else "").encode() + head.encode() + raw)
    desk.run()
    return [raw for _, _, raw in desk.sender.sent[before:]]


def did(desk: Desk, game: str = "G1") -> list[str]:
    """What was done in a game, as verb and word."""
    found = desk.ports.journal.game(game)
    assert found is not None
    state, _ = desk.ports.journal.state(game, found.version)
    return [" ".join(one[1:]).strip() for one in state["did"]]


def verdicts(desk: Desk) -> list[str]:
    with desk.ports.journal.engine.connect() as connection:
        return [str(one[0]) for one in connection.exec_driver_sql("SELECT verdict FROM messages ORDER BY id")]


def raised(desk: Desk) -> list[str]:
    return [one.kind for _, one in alerts.waiting(desk.ports.journal.engine)]


def question_to(raw: bytes) -> str:
    return str(headers(raw)["Reply-To"])


# Forgers


@pytest.mark.bug("M31")
def test_a_forged_sender_is_held_the_player_is_asked_and_nothing_is_done(post: Desk) -> None:
    (asked,) = send(post, ANN, "MOVE B 0101", "DONE", results=FAIL)
    assert headers(asked)["To"] == ANN
    assert "MOVE B 0101" in told(asked)
    assert (did(post), verdicts(post)) == ([], ["hold:sender-unverified"])


@pytest.mark.bug("M31")
def test_a_held_mail_that_nobody_confirms_is_not_used_and_the_player_is_told_when_its_turn_is_over(post: Desk) -> None:
    send(post, ANN, "MOVE B 0101", results=FAIL)
    game = post.ports.journal.game("G1")
    assert game is not None
    tagged = f"orders+g1-t01-{side_tokens(game)['axis']}@toy.example"
    (receipt, _) = send(post, ANN, "DONE", to=tagged)
    assert "was not confirmed" not in told(receipt)
    send(post, BRUNO, "DONE")
    assert "was not confirmed before its turn was closed" in told(post.mails_to(ANN)[-1])
    assert did(post) == ["DONE", "DONE"]
    again = send(post, ANN, "DONE")
    assert "was not confirmed" not in told(again[0])


def test_a_held_mail_is_carried_out_once_when_the_registered_address_confirms_it(post: Desk) -> None:
    (asked,) = send(post, ANN, "MOVE B 0101", key="<held@ann>", results=FAIL)
    (receipt,) = send(post, ANN, "confirm", "", "> MOVE B 0101", to=question_to(asked), results=FAIL, key="<yes@ann>")
    assert did(post) == ["MOVE B 0101"]
    assert "the mail that you have confirmed" in told(receipt)
    assert "MOVE B 0101" in told(receipt)
    assert send(post, ANN, "confirm", to=question_to(asked), results=FAIL, key="<yes@ann>") == []
    (answer,) = send(post, ANN, "confirm", to=question_to(asked), results=FAIL, key="<yes2@ann>")
    assert "was answered" in told(answer)
    send(post, ANN, "MOVE B 0101", key="<held@ann>", results=PASS)
    assert verdicts(post) == ["accept", "accept", "ignore:duplicate", "refuse:answered-already", "ignore:duplicate"]
    assert did(post) == ["MOVE B 0101"]


def test_the_answer_to_a_question_may_hold_other_orders(post: Desk) -> None:
    (asked,) = send(post, ANN, "MOVE B 0101", results=FAIL)
    send(post, ANN, "MOVE C 0101", to=question_to(asked), results=FAIL)
    assert did(post) == ["MOVE C 0101"]


def test_only_the_registered_address_answers_a_question(post: Desk) -> None:
    (asked,) = send(post, ANN, "MOVE B 0101", results=FAIL)
    for sender in (EVE, BRUNO):
        send(post, sender, "CONFIRM", to=question_to(asked))
    assert did(post) == []


def test_a_new_address_with_a_good_token_is_held_and_can_be_confirmed(post: Desk) -> None:
    (asked,) = send(post, "ann@new.example", "MOVE B 0101", to=reply_to(post, ANN))
    assert headers(asked)["To"] == ANN
    send(post, ANN, "CONFIRM", to=question_to(asked))
    assert did(post) == ["MOVE B 0101"]


def test_a_forger_without_end_fills_no_mailbox_and_the_game_master_hears(post: Desk) -> None:
    to = reply_to(post, ANN)
    asked = [len(send(post, ANN, f"MOVE B 01{n:02d}", to=to, results=FAIL)) for n in range(10)]
    assert asked == [1, 1, 1, 1, 1, 0, 0, 0, 0, 0]
    assert raised(post) == ["held-flood"]


@pytest.mark.bug("M24")
def test_a_forged_mail_that_foresees_a_message_id_does_not_take_the_place_of_the_real_one(post: Desk) -> None:
    tagged = reply_to(post, ANN)
    send(post, ANN, "MOVE B 0101", to=tagged, key="<foreseen@ann>", results=FAIL)
    send(post, ANN, "MOVE B 0101", to="orders@toy.example", key="<foreseen@ann>")
    send(post, ANN, "MOVE B 0101", to="orders+g1-t01-zzzzzzzzzz@toy.example", key="<foreseen@ann>")
    send(post, EVE, "MOVE B 0101", to=tagged, key="<foreseen@ann>")
    assert did(post) == []
    send(post, ANN, "MOVE B 0101", to=tagged, key="<foreseen@ann>", results=PASS)
    assert did(post) == ["MOVE B 0101"]


def test_a_mail_with_an_old_token_does_not_make_that_of_the_open_turn_a_copy(post: Desk) -> None:
    old = reply_to(post, ANN)
    send(post, ANN, "DONE")
    send(post, BRUNO, "DONE")
    (answer,) = send(post, ANN, "MOVE B 0101", to=old, key="<foreseen@ann>")
    assert "earlier turn" in told(answer)
    assert send(post, ANN, "MOVE B 0101", to=old, key="<foreseen@ann>") == []
    send(post, ANN, "MOVE B 0101", to=reply_to(post, ANN), key="<foreseen@ann>")
    assert did(post)[2:] == ["MOVE B 0101"]


def test_the_leaked_token_of_last_turn_and_that_of_another_game_change_nothing(post: Desk) -> None:
    old = reply_to(post, BRUNO)
    send(post, ANN, "DONE")
    send(post, BRUNO, "DONE")
    post.start()
    other = reply_to(post, ANN)
    assert send(post, EVE, "MOVE B 0101", to=old) == []
    assert ["earlier turn" in told(one) for one in send(post, BRUNO, "MOVE B 0101", to=old)] == [True]
    assert send(post, EVE, "MOVE B 0101", to=other.replace("g2", "g1")) == []
    assert (did(post), did(post, "G2")) == (["DONE", "DONE"], [])


def test_a_replayed_mail_does_nothing_a_second_time(post: Desk) -> None:
    to = reply_to(post, ANN)
    for route in ("one", "two", "three"):
        send(post, ANN, "MOVE B 0101", to=to, key="<1@ann>", X_Route=route)
    assert did(post) == ["MOVE B 0101"]
    assert verdicts(post) == ["accept", "ignore:duplicate", "ignore:duplicate"]


@pytest.mark.bug("M24")
def test_one_mail_to_two_games_is_taken_once_in_each(post: Desk) -> None:
    first = reply_to(post, ANN)
    post.start()
    second = reply_to(post, ANN)
    for to in (first, second, first):
        send(post, ANN, "MOVE B 0101", to=to, key="<both@ann>", Delivered_To=to)
    assert (did(post), did(post, "G2")) == (["MOVE B 0101"], ["MOVE B 0101"])
    assert verdicts(post) == ["accept", "accept", "ignore:duplicate"]


# Robots


@pytest.mark.bug("M20")
def test_fifty_absence_replies_are_not_answered(post: Desk) -> None:
    to = reply_to(post, ANN)
    assert [send(post, ANN, "MOVE B 0101", to=to, Auto_Submitted="auto-replied") for _ in range(50)] == [[]] * 50
    assert did(post) == []


@pytest.mark.bug("M20")
def test_a_robot_that_changes_its_address_and_keeps_the_thread_is_answered_a_few_times_only(post: Desk) -> None:
    thread = str(headers(post.mails_to(ANN)[0])["Message-ID"])
    left = [len(send(post, f"robot{n}@x.example", "your mail was", to="orders@toy.example", References=thread)) for n in range(40)]
    assert sum(left) == 5
    assert did(post) == []


@pytest.mark.bug("M20")
def test_two_robots_that_answer_each_other_come_to_an_end(post: Desk) -> None:
    post.ports = replace(post.ports, config=replace(post.ports.config, answers_hour=24))
    count, letters = 0, [post.mails_to(ANN)[-1]]
    while letters and count < 40:
        count += 1
        letters = [one for one in send(post, ANN, "thank you", to=str(headers(letters[-1])["Reply-To"])) if headers(one)["To"] == ANN]
    assert count == 9
    assert raised(post) == ["answers-limit"]
    (letter,) = [raw for _, to, raw in post_all(post) if MASTER in to]
    assert "Two robots may be answering each other" in told(letter)


def post_all(desk: Desk) -> list[tuple[str, tuple[str, ...], bytes]]:
    """All that was sent, with what waits for nobody's queue."""
    desk.sweep()
    return desk.sender.sent


def test_answers_are_counted_by_the_hour_and_orders_are_carried_out_without_one(post: Desk) -> None:
    post.ports = replace(post.ports, config=replace(post.ports.config, answers_hour=6))
    for n in range(4):
        send(post, ANN, f"MOVE B{n} 0101")
    assert len(post.mails_to(ANN)) == 3
    assert did(post) == [f"MOVE B{n} 0101" for n in range(4)]
    assert len(send(post, BRUNO, "CHECK", "MOVE A 0101")) == 1
    post.ports = replace(post.ports, now=lambda: "2026-03-27T21:14:10+00:00")
    (receipt,) = send(post, ANN, "MOVE B4 0101")
    assert headers(receipt)["To"] == ANN


def test_no_more_answers_leave_about_a_game_in_an_hour_than_it_may_have_whoever_writes(post: Desk) -> None:
    post.configure(answers_hour=9)
    before = len(post.sender.sent)
    to = {who: reply_to(post, who) for who in (ANN, BRUNO)}
    for n in range(8):
        for who in (ANN, BRUNO):
            send(post, who, "CHECK", "MOVE A 0101", to=to[who])
        send(post, f"carl{n}@cheap-host.example", "STATUS", to=to[ANN], results=f"{SERVER}; dmarc=pass header.from=cheap-host.example")
        send(post, ANN, f"MOVE C 01{n:02d}", to=to[ANN], results=FAIL)
    answers = [to for _, to, _ in post.sender.sent[before:] if to != (MASTER,)]
    assert [len([one for one in answers if one == (who,)]) for who in (ANN, BRUNO)] == [3, 3]
    assert len(answers) <= 9


def test_a_flood_of_a_sides_own_mails_is_stopped_and_told_once(post: Desk) -> None:
    post.ports = replace(post.ports, config=replace(post.ports.config, mails_hour=3))
    answers = [send(post, ANN, f"MOVE B{n} 0101") for n in range(6)]
    assert did(post) == [f"MOVE B{n} 0101" for n in range(3)]
    assert [len(one) for one in answers] == [1, 1, 1, 1, 0, 0]
    assert "More mails came from your side" in told(answers[3][0])
    assert len(send(post, BRUNO, "CHECK", "MOVE A 0101")) == 1


def test_a_stranger_is_answered_three_times_a_day(post: Desk) -> None:
    stamp = f"{SERVER}; dmarc=pass header.from=cheap-host.example"
    assert [len(send(post, EVE, "hello", to="orders@toy.example", results=stamp)) for _ in range(5)] == [1, 1, 1, 0, 0]
    assert raised(post) == []


# Bounces


def bounce(returned: str, address: str) -> bytes:
    """A delivery failure of ``address`` that returns the mail of that Message-ID."""
    return (
        "Return-Path: <>\nFrom: MAILER-DAEMON@mail.example.org\nTo: orders@toy.example\nSubject: Undelivered Mail Returned to Sender\n"
        f"Message-ID: <b.{address}.{len(returned)}@mail.example.org>\nMIME-Version: 1.0\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\n\n'
        "--b\nContent-Type: text/plain\n\nuser unknown\n--b\nContent-Type: message/delivery-status\n\n"
        f"Reporting-MTA: dns; x\n\nFinal-Recipient: rfc822; {address}\nAction: failed\nStatus: 5.1.1\n\n"
        f"--b\nContent-Type: message/rfc822\n\nFrom: orders@toy.example\nMessage-ID: {returned}\n\nMOVE B 0101\nDONE\n--b--\n"
    ).encode()


def test_a_hard_bounce_pauses_the_address_and_reaches_the_game_master_by_another_way(post: Desk) -> None:
    post.drop(bounce(str(headers(post.mails_to(BRUNO)[0])["Message-ID"]), BRUNO))
    post.run()
    assert bounces.paused_of(post.ports.journal.engine, [ANN, BRUNO]) == {BRUNO}
    send(post, ANN, "MOVE A 0101", "DONE")
    assert len(post.mails_to(BRUNO)) == 1
    assert raised(post) == ["address-dead"]
    letters = [raw for _, to, raw in post_all(post) if MASTER in to]
    assert [f"Mail to {BRUNO}, who plays in G1, comes back" in told(one) for one in letters] == [True]
    assert did(post) == ["MOVE A 0101", "DONE"]


@pytest.mark.bug("M22")
def test_a_bounce_of_our_receipt_orders_nothing_and_is_not_answered(post: Desk) -> None:
    send(post, ANN, "MOVE A 0101")
    before = len(post.sender.sent)
    post.drop(bounce(str(headers(post.mails_to(ANN)[-1])["Message-ID"]), ANN))
    post.run()
    assert did(post) == ["MOVE A 0101"]
    assert [to for _, to, _ in post.sender.sent[before:]] == [(MASTER,)]
    assert raised(post) == ["address-dead"]


def test_who_writes_from_a_paused_address_gets_mail_again_with_all_the_news(post: Desk) -> None:
    to = reply_to(post, BRUNO)
    post.drop(bounce(str(headers(post.mails_to(BRUNO)[0])["Message-ID"]), BRUNO))
    send(post, ANN, "MOVE A 0101", "DONE")
    (receipt,) = [one for one in send(post, BRUNO, "MOVE B 0101", to=to) if headers(one)["To"] == BRUNO]
    assert bounces.paused_of(post.ports.journal.engine, [BRUNO]) == set()
    assert told(receipt).count("0101") >= 1


@pytest.mark.parametrize("returned", ["<forged@toy.example>", "ann's"])
def test_a_forged_bounce_pauses_nobody(post: Desk, returned: str) -> None:
    known = str(headers(post.mails_to(ANN)[0])["Message-ID"]) if returned == "ann's" else returned
    post.drop(bounce(known, BRUNO))
    post.run()
    assert bounces.paused_of(post.ports.journal.engine, [ANN, BRUNO]) == set()


# Several addresses


def test_another_address_of_a_player_and_a_deputy_may_order_and_are_answered(post: Desk) -> None:
    engine = post.ports.journal.engine
    writers.set_writer(engine, "G1", "axis", "Ann@Phone.example", "alias")
    writers.set_writer(engine, "G1", "axis", "dora@example.net", "deputy")
    to = reply_to(post, ANN)
    first = send(post, "ann@phone.example", "MOVE A 0101", to=to)
    second = send(post, "dora@example.net", "MOVE B 0101", to=to)
    assert [sorted(str(headers(one)["To"]) for one in sent) for sent in (first, second)] == [
        [ANN, "ann@phone.example"],
        [ANN, "dora@example.net"],
    ]
    assert ["deputy" in told(one) for one in (first[0], second[0])] == [False, True]
    assert did(post) == ["MOVE A 0101", "MOVE B 0101"]
    writers.set_writer(engine, "G1", "axis", "dora@example.net", None)
    send(post, "dora@example.net", "MOVE C 0101", to=to)
    assert did(post) == ["MOVE A 0101", "MOVE B 0101"]
    assert verdicts(post)[-1] == "hold:sender-unregistered"


def test_the_players_of_a_side_are_asked_and_not_its_deputy(post: Desk) -> None:
    writers.set_writer(post.ports.journal.engine, "G1", "axis", "dora@example.net", "deputy")
    asked = send(post, "dora@example.net", "MOVE B 0101", to=reply_to(post, ANN), results=f"{SERVER}; dmarc=fail")
    assert [str(headers(one)["To"]) for one in asked] == [ANN]


def test_each_player_of_a_side_gets_its_mails_and_may_order(post: Desk) -> None:
    game = new_game(post.ports, "toy/one", {"axis": [ANN, "zoe@example.org"], "allied": [BRUNO]}, {}, SECRET)
    post.wake_post(game.id)
    post.run()
    got: list[Any] = send(post, "zoe@example.org", "MOVE Z 0101")
    assert sorted(str(headers(one)["To"]) for one in got) == [ANN, "zoe@example.org"]
    assert did(post, game.id) == ["MOVE Z 0101"]


def test_a_sender_that_no_parser_likes_stops_nobody_behind_it(post: Desk) -> None:
    to = reply_to(post, ANN)
    odd = b'From: <""@x.example>\nReply-To: "=?UTF-8?B?Zo\xc3\xab?=" <a@b.example>\n' + orders_mail(to, "x", "<odd@x>").partition(b"\n")[2]
    post.drop(odd)
    post.drop(orders_mail(to, ANN, "<1@ann>", "MOVE A 0101"))
    post.drop(orders_mail(to, ANN, "<2@ann>", "MOVE B 0101"))
    post.run()
    assert did(post) == ["MOVE A 0101", "MOVE B 0101"]


def test_all_our_mail_says_that_a_program_wrote_it(post: Desk) -> None:
    send(post, ANN, "MOVE A 0101", "DONE")
    send(post, ANN, "hello", to="orders@toy.example")
    for _, _, raw in post.sender.sent:
        mail = email.message_from_bytes(raw, policy=email.policy.default)
        assert mail["Auto-Submitted"] in ("auto-replied", "auto-generated")
        assert mail["X-Auto-Response-Suppress"] == "All"

"""What cannot be made or handled: it does not stop the rest, leaves without its map where that is all, and has another try later."""

from __future__ import annotations

import pytest

from tests.worker import fakes
from tests.worker.conftest import SECRET, Desk, reply_to
from tests.worker.fakes import ANN, BRUNO, body, orders_mail
from worker.hosting import alerts
from worker.hosting.storage import watched
from worker.play.games import new_game
from worker.ports import ServiceDown, ServiceFailed, ServiceRefused, ServiceShut, ServiceSlow


def test_a_mail_that_cannot_be_made_is_parked_and_the_log_says_which(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(_self: object, _body: object) -> bytes:
        raise ServiceFailed("no words today")

    desk.start()
    with monkeypatch.context() as patch:
        patch.setattr(type(desk.ports.mail), "report", broken)
        desk.drop(orders_mail(reply_to(desk, ANN), ANN, "<1@ann>", "MOVE A"))
        for _ in range(3):
            desk.sweep_quietly()
    assert desk.outbox.games() == []
    assert [record.getMessage() for record in caplog.records if record.name == "hexpost.deliver"] == [
        "mail G1-000001/receipt/1 of G1 is parked"
    ]


@pytest.mark.parametrize(
    ("fault", "tries"),
    [
        (ServiceFailed("/v1/maps: no colour 'sand'"), 3),
        (ServiceRefused({"detail": "/v1/maps: no colour 'sand'"}), 3),
        (ServiceSlow("/v1/maps: no colour 'sand'"), 3),
        (ServiceDown("/v1/maps: no colour 'sand'"), 30),  # it may come back: tried ten times as often
    ],
)
def test_a_report_whose_map_cannot_be_drawn_comes_without_it_and_the_log_says_why(
    desk: Desk, fault: Exception, tries: int, caplog: pytest.LogCaptureFixture
) -> None:
    desk.render.fault = fault
    game = new_game(desk.ports, "toy/one", {"axis": [ANN], "allied": [BRUNO]}, {}, SECRET)
    desk.wake_post(game.id)
    for _ in range(tries - 1):
        desk.sweep_quietly()
    assert desk.mails_to(ANN) == []
    desk.sweep_quietly()
    assert body(desk.mails_to(ANN)[0]) == ["start", "None", "note no_map", ""]
    assert [one.getMessage() for one in caplog.records if one.name == "hexpost.pictures"] == [
        "mail v0/start/axis/1 of G1 leaves without its map: /v1/maps: no colour 'sand'"
    ]
    desk.render.fault = None
    desk.sweep()
    assert body(desk.mails_to(BRUNO)[0]) == ["start", "None", 'map {"shows":[]}', 'front {"crop":"front","shows":[]}', ""]


def test_a_token_that_is_refused_parks_no_mail_and_the_operator_is_told(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def shut(_self: object, _raw: bytes, _context: object) -> None:
        raise ServiceShut("/v1/messages/read: the service refuses the token: HTTP 401")

    desk.start()
    with monkeypatch.context() as patch:
        patch.setattr(type(desk.ports.mail), "read", shut)
        desk.drop(orders_mail(reply_to(desk, ANN), ANN, "<1@ann>", "MOVE A"))
        for _ in range(40):  # more than any mail is tried
            with pytest.raises(ServiceShut), watched(desk.ports):
                desk.sweep()
    [(_, alert)] = alerts.waiting(desk.ports.journal.engine)
    assert "At /v1/messages/read the service refuses the token" in alert.facts["said"]
    desk.sweep()
    assert desk.ports.journal.game("G1").version == 1
    desk.render.fault = ServiceShut("/v1/maps: the service refuses the token: HTTP 401")
    desk.drop(orders_mail(reply_to(desk, BRUNO), BRUNO, "<1@bruno>", "MOVE B", "DONE"))
    sent = len(desk.sender.sent)
    for _ in range(40):
        desk.sweep_quietly()
    desk.render.fault = None
    desk.sweep()
    assert len(desk.sender.sent) > sent
    assert not any(b"no_map" in mail for player in (ANN, BRUNO) for mail in desk.mails_to(player))


def test_a_packet_that_makes_a_service_fail_is_parked_and_the_next_goes_on(desk: Desk) -> None:
    desk.start()
    address = reply_to(desk, ANN)
    desk.drop(orders_mail(address, ANN, "<1@ann>", "CRASH"))
    desk.drop(orders_mail(address, ANN, "<2@ann>", "MOVE A"))
    for _ in range(3):
        desk.sweep_quietly()
    assert [body(mail)[:2] for mail in desk.mails_to(ANN)[1:]] == [["explain", "refuse:parked"], ["receipt", "done"]]
    assert desk.ports.journal.state("G1", 1)[0]["did"] == [["axis", "MOVE", "A"]]


def test_what_was_parked_is_tried_again_when_serve_starts(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_self: object, _body: object) -> bytes:
        raise ServiceFailed("no words today")

    with monkeypatch.context() as patch:
        patch.setattr(type(desk.ports.mail), "report", broken)
        game = new_game(desk.ports, "toy/one", {"axis": [ANN], "allied": [BRUNO]}, {}, SECRET)
        desk.wake_post(game.id)
        for _ in range(6):
            desk.sweep_quietly()
        assert (desk.outbox.games(), desk.sender.sent) == ([], [])
        assert desk.outbox.retry_parked() == 2  # the fault is still there: the same again
        for _ in range(6):
            desk.sweep_quietly()
        assert (desk.outbox.games(), desk.sender.sent) == ([], [])
    assert desk.outbox.retry_parked() == 2
    desk.sweep()
    assert [body(mail)[0] for player in (ANN, BRUNO) for mail in desk.mails_to(player)] == ["start", "start"]
    assert desk.outbox.retry_parked() == 0


def parked_orders(desk: Desk) -> None:
    """A game in which a mail of orders is parked, and its player told so."""
    desk.start()
    desk.drop(orders_mail(reply_to(desk, ANN), ANN, "<1@ann>", "CRASH"))
    for _ in range(3):
        desk.sweep_quietly()
    assert [body(mail)[1] for mail in desk.mails_to(ANN)] == ["None", "refuse:parked"]


def test_parked_orders_have_one_more_try_at_a_start_and_the_player_is_not_told_of_its_failure_twice(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    parked_orders(desk)
    assert desk.ports.journal.retry_parked() == 1
    desk.sweep()
    assert desk.ports.journal.waiting_messages() == []
    assert len(desk.mails_to(ANN)) == 2
    assert desk.ports.journal.retry_parked() == 1
    monkeypatch.setattr(fakes, "CRASHES", "nothing")
    desk.sweep()
    assert body(desk.mails_to(ANN)[-1])[:3] == ["receipt", "done", "crash"]
    assert desk.ports.journal.retry_parked() == 0


def test_parked_orders_that_the_player_has_written_anew_are_left_alone(desk: Desk) -> None:
    parked_orders(desk)
    desk.drop(orders_mail(reply_to(desk, ANN), ANN, "<2@ann>", "MOVE A"))
    desk.run()
    assert desk.ports.journal.retry_parked() == 0

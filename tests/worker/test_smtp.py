"""Mails that leave by SMTP: once, in the end, and never in the clear."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from threading import Barrier

import pytest
from sqlalchemy import Engine

from tests.worker.conftest import Desk
from tests.worker.fakes import ANN, BRUNO
from tests.worker.postgresql import Server as Postgres
from tests.worker.smtp_server import PASSWORD, Server, smtp_server
from worker.hosting import alerts
from worker.post import bounces
from worker.post.outgoing import PutOff, Undeliverable
from worker.post.routes import Routes
from worker.post.smtp import Relay, SmtpSender
from worker.store.database import open_database

MAIL = b"From: orders@toy.example\r\nTo: ann@example.org\r\nMessage-ID: <1@toy.example>\r\n\r\nHello.\r\n.\r\nA dot stands above.\r\n"
ID = "<1@toy.example>"
MASTER = "master@club.example"
START = datetime.fromisoformat("2026-03-27T20:00:00+00:00")


@dataclass
class Way:
    """A sender over a database of its own, with a clock and the operator's ear."""

    relay: Relay
    engine: Engine
    now: datetime = START

    def __post_init__(self) -> None:
        self.alerts: list[str] = []
        self.routes = Routes(self.engine, 30)
        self.sender = self.anew()

    def anew(self) -> SmtpSender:
        """The sender as another process, or this one started again, has it."""
        return SmtpSender(self.relay, self.routes, lambda: self.now.isoformat(), lambda part, said: self.alerts.append(said))

    def later(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)

    def send(self, *to: str, message_id: str = ID) -> str:
        """Send the mail; "sent", "put off" or "refused"."""
        try:
            self.sender.send(MAIL, message_id, to or (ANN,))
        except PutOff:
            return "put off"
        except Undeliverable:
            return "refused"
        return "sent"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with smtp_server(tmp_path) as running:
        yield running


@pytest.fixture
def way(server: Server, tmp_path: Path) -> Iterator[Way]:
    made = Way(Relay(f"smtp+plain://127.0.0.1:{server.port}", "orders@toy.example"), open_database(f"sqlite:///{tmp_path / 'journal.db'}"))
    yield made
    made.sender.close()
    made.engine.dispose()


def test_a_mail_leaves_whole_for_all_its_recipients_and_not_again(server: Server, way: Way) -> None:
    assert way.send(ANN, BRUNO, ANN) == "sent"
    way.sender.close()
    way.sender = way.anew()
    assert way.send(BRUNO, ANN) == "sent"
    (taken,) = server.script.taken
    assert (taken.sender, taken.recipients, taken.raw) == ("orders@toy.example", [ANN, BRUNO], MAIL)


def test_one_connection_serves_several_mails_and_one_that_was_closed_is_opened_again(server: Server, way: Way) -> None:
    assert [way.send(message_id=f"<{n}@toy.example>") for n in range(3)] == ["sent"] * 3
    assert server.script.heard["EHLO"] == 1
    way.sender._server.sock.shutdown(2)  # the server hung up meanwhile
    assert way.send(message_id="<4@toy.example>") == "sent"
    assert (server.script.heard["EHLO"], len(server.script.taken)) == (2, 4)


@pytest.mark.bug("M37")
@pytest.mark.parametrize("verb", ["MAIL", "RCPT", "DATA"])
def test_a_passing_fault_is_tried_again_with_pauses_and_the_mail_sent_once(server: Server, way: Way, verb: str) -> None:
    server.script.says[verb].extend(["421 4.3.2 Service not available, closing"] * 2)
    assert way.send() == "put off"
    assert (way.send(), server.script.heard["MAIL"]) == ("put off", 1)  # within the pause it is not asked again
    way.later(29)
    assert (way.send(), server.script.heard["MAIL"]) == ("put off", 1)
    way.later(1)  # 30 s after the first failure
    assert (way.send(), server.script.heard["MAIL"]) == ("put off", 2)
    way.later(59)  # the second pause is 60 s
    assert (way.send(), server.script.heard["MAIL"]) == ("put off", 2)
    way.later(1)
    assert (way.send(), way.send()) == ("sent", "sent")
    assert len(server.script.taken) == 1
    assert way.alerts == []  # it mended itself


def test_a_fault_that_stays_is_told_after_an_hour_and_once_and_so_is_its_end(server: Server, way: Way) -> None:
    server.script.says["MAIL"].extend(["451 4.3.0 Try again"] * 10)
    for _ in range(10):
        assert way.send() == "put off"
        way.later(3600)
    assert [said[:50] for said in way.alerts] == ["The server takes no mail from orders@toy.example: "]
    assert way.send() == "sent"
    assert way.alerts[1:] == ["It takes mails again."]


def test_pauses_double_up_to_an_hour(tmp_path: Path) -> None:
    routes = Routes(open_database(f"sqlite:///{tmp_path / 'journal.db'}"), 30)
    waits = [(routes.failed("server", START)[0].until - START).total_seconds() for _ in range(10)]
    assert waits == [30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]


def test_an_address_that_is_put_off_keeps_nobody_else_waiting(server: Server, way: Way) -> None:
    server.script.says[ANN].append("450 4.2.0 Greylisted")
    assert way.send(ANN, BRUNO) == "put off"
    assert [one.recipients for one in server.script.taken] == [[BRUNO]]
    assert way.send(BRUNO, message_id="<2@toy.example>") == "sent"
    way.later(30)
    assert way.send(ANN, BRUNO) == "sent"
    assert [one.recipients for one in server.script.taken] == [[BRUNO], [BRUNO], [ANN]]


def test_an_address_is_given_up_after_five_days(server: Server, way: Way) -> None:
    server.script.says[ANN].extend(["450 4.2.0 Greylisted"] * 3)
    assert way.send() == "put off"
    way.later(5 * 86400 - 1)
    assert way.send() == "put off"
    way.later(3600)
    assert way.send() == "refused"


def test_an_address_that_is_not_there_is_refused_and_the_others_get_their_mail(server: Server, way: Way) -> None:
    server.script.says[ANN].append("550 5.1.1 No such user")
    with pytest.raises(Undeliverable, match=r"ann@example.org: 550 5.1.1 No such user"):
        way.sender.send(MAIL, ID, [ANN, BRUNO])
    assert [one.recipients for one in server.script.taken] == [[BRUNO]]
    assert (way.send(BRUNO), len(server.script.taken)) == ("sent", 1)


def test_a_mail_that_is_refused_as_a_whole_is_no_fault_of_the_way(server: Server, way: Way) -> None:
    server.script.says["DATA"].append("554 5.7.1 Looks like spam")
    assert way.send() == "refused"
    server.script.says["MAIL"].append("552 5.3.4 Message too big")
    assert way.send(message_id="<2@toy.example>") == "refused"
    assert way.send(message_id="<3@toy.example>") == "sent"


def test_a_mail_larger_than_the_server_takes_is_not_begun(server: Server, way: Way) -> None:
    with pytest.raises(Undeliverable, match=r"the mail has 40000000 bytes, and the server takes 33554432"):
        way.sender.send(bytes(40_000_000), ID, [ANN])
    assert server.script.heard["MAIL"] == 0


def test_no_domain_gets_more_mails_a_minute_than_it_may(server: Server, way: Way) -> None:
    way.relay = replace(way.relay, minute=2)
    way.sender = way.anew()
    ids = [f"<{n}@toy.example>" for n in range(4)]
    assert [way.send(ANN, message_id=one) for one in ids] == ["sent", "sent", "put off", "put off"]
    assert way.send(BRUNO, message_id=ids[2]) == "sent"  # another domain
    way.later(59)
    assert way.send(ANN, message_id=ids[2]) == "put off"
    way.later(1)
    assert [way.send(ANN, message_id=one) for one in ids] == ["sent", "sent", "sent", "sent"]
    assert len(server.script.taken) == 5


def secure(folder: Path, server: Server, scheme: str = "smtp", **more: str) -> Way:
    named = {"ca_file": str(folder / "cert.pem")} | more
    engine = open_database(f"sqlite:///{folder / 'journal.db'}")
    return Way(Relay(f"{scheme}://127.0.0.1:{server.port}", "orders@toy.example", **named), engine)


@pytest.mark.parametrize("scheme", ["smtp", "smtps"])
def test_mails_leave_over_tls(tmp_path: Path, scheme: str) -> None:
    with smtp_server(tmp_path, starttls=scheme == "smtp", implicit=scheme == "smtps") as server:
        way = secure(tmp_path, server, scheme)
        assert way.send() == "sent"
        assert [(one.raw, one.encrypted) for one in server.script.taken] == [(MAIL, True)]
        way.sender.close()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # smtplib of Python 3.11 leaves a socket to the collector
@pytest.mark.parametrize("scheme", ["smtp", "smtps"])
def test_a_server_that_nobody_vouches_for_gets_nothing_and_the_operator_hears_of_it_at_once(tmp_path: Path, scheme: str) -> None:
    with smtp_server(tmp_path, starttls=scheme == "smtp", implicit=scheme == "smtps") as server:
        way = secure(tmp_path, server, scheme, ca_file="")
        assert way.send() == "put off"
        assert server.script.taken == []
    assert [said.partition(":")[0] for said in way.alerts] == ["No safe connection to the server"]


def test_a_server_without_starttls_gets_nothing(server: Server, tmp_path: Path) -> None:
    way = secure(tmp_path, server, ca_file="")
    assert way.send() == "put off"
    assert server.script.taken == []
    assert way.alerts == ["The server offers no STARTTLS, and mails do not travel in the clear. Mails wait and leave when it is mended."]


@pytest.mark.bug("M37")
def test_a_refused_login_tells_the_operator_once_and_the_mail_leaves_when_it_is_mended(tmp_path: Path) -> None:
    (tmp_path / "password").write_text("wrong\n")
    with smtp_server(tmp_path, starttls=True, login=True) as server:
        way = secure(tmp_path, server, user="desk", password_file=str(tmp_path / "password"))
        for _ in range(3):
            assert way.send() == "put off"
            way.later(3600)
        assert [said[:33] for said in way.alerts] == ["The server refuses the login: 535"]
        assert PASSWORD not in str(way.alerts)
        (tmp_path / "password").write_text(PASSWORD + "\n")
        assert way.send() == "sent"
        assert way.alerts[1:] == ["It takes mails again."]
        assert len(server.script.taken) == 1
        way.sender.close()


def test_a_token_logs_in_too_and_one_that_has_expired_is_told(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("expired\n")
    with smtp_server(tmp_path, starttls=True, login=True) as server:
        way = secure(tmp_path, server, user="desk", token_file=str(tmp_path / "token"))
        assert way.send() == "put off"
        assert [said[:33] for said in way.alerts] == ["The server refuses the login: 535"]
        (tmp_path / "token").write_text(PASSWORD)
        way.later(30)
        assert way.send() == "sent"
        assert server.script.heard["XOAUTH2"] == 2
        way.sender.close()


def test_a_server_that_is_away_is_waited_for(tmp_path: Path) -> None:
    with smtp_server(tmp_path) as server:
        gone = server
    way = Way(Relay(f"smtp+plain://127.0.0.1:{gone.port}", "orders@toy.example"), open_database(f"sqlite:///{tmp_path / 'journal.db'}"))
    with pytest.raises(PutOff, match="cannot be reached: Connection refused"):
        way.sender.send(MAIL, ID, [ANN])


def test_a_password_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with smtp_server(tmp_path, starttls=True, login=True) as server:
        way = secure(tmp_path, server, user="desk", password_file=str(tmp_path / "none"))
        assert way.send() == "put off"
    assert way.alerts[0].startswith(f"{tmp_path / 'none'} cannot be read (FileNotFoundError).")


# Through the worker's outbox


class Fickle:
    """A sender that answers as told, then sends."""

    def __init__(self, desk: Desk, *says: Exception) -> None:
        self.desk, self.says, self.tries = desk, list(says), 0

    def send(self, raw: bytes, message_id: str, recipients: list[str]) -> None:
        self.tries += 1
        if self.says:
            raise self.says.pop(0)
        self.desk.sender.send(raw, message_id, recipients)


def over(desk: Desk, *says: Exception) -> Fickle:
    fickle = Fickle(desk, *says)
    desk.ports = replace(desk.ports, sender=fickle)
    return fickle


@pytest.mark.bug("M37")
def test_a_queue_that_cannot_leave_is_kept_and_leaves_with_the_next_sweep(desk: Desk) -> None:
    fickle = over(desk, PutOff("535", everybody=True), PutOff("421", everybody=True))
    game = desk.start()
    assert (fickle.tries, desk.sender.sent, desk.outbox.games()) == (1, [], [game])  # one try, not one a mail
    desk.sweep()
    assert (fickle.tries, desk.sender.sent) == (2, [])
    desk.sweep()
    desk.sweep()
    assert [to for _, to, _ in desk.sender.sent] == [(ANN,), (BRUNO,)]


def test_one_address_that_is_put_off_does_not_hold_up_the_other_side(desk: Desk) -> None:
    over(desk, PutOff("greylisted"))
    desk.start()
    assert [to for _, to, _ in desk.sender.sent] == [(BRUNO,)]
    desk.sweep()
    assert [to for _, to, _ in desk.sender.sent] == [(BRUNO,), (ANN,)]


def test_a_mail_that_nobody_takes_is_parked_and_told(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    over(desk, Undeliverable({ANN: "552 5.3.4 Too big"}))
    desk.start()
    assert [to for _, to, _ in desk.sender.sent] == [(BRUNO,)]
    assert desk.outbox.games() == []
    assert "is not taken and parked: ann@example.org: 552 5.3.4 Too big." in caplog.text
    assert [(one.kind, one.facts["part"]) for _, one in alerts.waiting(desk.ports.journal.engine)] == [("operator", "sending")]
    assert bounces.paused_of(desk.ports.journal.engine, [ANN]) == set()
    assert desk.outbox.retry_parked() == 1
    desk.sweep()
    assert [to for _, to, _ in desk.sender.sent] == [(BRUNO,), (ANN,)]


def test_an_address_that_takes_no_mail_is_paused_and_the_others_and_the_game_master_get_theirs(desk: Desk) -> None:
    desk.configure(game_master=MASTER)
    over(desk, Undeliverable({ANN: "550 5.1.1 No such user"}, [ANN]))
    desk.start()
    desk.sweep()
    assert [to for _, to, _ in desk.sender.sent] == [(BRUNO,), (MASTER,), (BRUNO,)]  # last: that the other side gets none
    ((_, alert),) = alerts.waiting(desk.ports.journal.engine)
    assert (alert.kind, alert.game, alert.facts["address"], alert.facts["said"]) == ("address-dead", "G1", ANN, "550 5.1.1 No such user")
    assert bounces.paused_of(desk.ports.journal.engine, [ANN, BRUNO]) == {ANN}
    assert desk.outbox.retry_parked() == 0
    assert desk.ports.journal.told("G1", "axis") == 0  # so that the first mail that leaves for him again tells all


def test_a_refusal_of_the_mail_that_tells_an_alert_raises_no_other(desk: Desk) -> None:
    desk.configure(game_master=MASTER)
    over(desk, *[Undeliverable({ANN: "552 5.3.4 Too big", BRUNO: "552 5.3.4 Too big", MASTER: "554 5.7.1 Spam"})] * 9)
    desk.start()
    for _ in range(4):
        desk.sweep()
    assert len(alerts.waiting(desk.ports.journal.engine)) == 1  # for all that are refused within an hour
    assert (desk.outbox.games(), desk.sender.sent) == ([], [])


@pytest.mark.parametrize(
    ("says", "dead"),
    [
        *(("550 5.1.1 No such user", True), ("550 No such user here", True), ("551 5.1.6 Moved", True), ("552 5.2.2 Mailbox full", True)),
        *(("550 5.7.1 Blocked", False), ("554 5.7.26 Unauthenticated", False), ("553 5.1.8 Sender unknown", False)),
        *(("552 5.3.4 Too big", False), ("554 Relay access denied", False), ("550 Message rejected as spam", False)),
        *(("553 sorry, that domain isn't in my list (#5.7.1)", False), ("550 Sender verify failed", False)),
    ],
)
def test_only_what_is_said_of_the_address_makes_it_a_dead_one(server: Server, way: Way, says: str, dead: bool) -> None:
    server.script.says[ANN].append(says)
    with pytest.raises(Undeliverable) as raised:
        way.sender.send(MAIL, ID, [ANN, BRUNO])
    assert raised.value.dead == ({ANN} if dead else set())
    assert list(raised.value.refused) == [ANN]


def test_two_workers_that_note_the_same_at_the_same_moment_are_both_heard(postgresql: Postgres, filled: str) -> None:
    """PostgreSQL lets both look before either has entered its row."""
    name = postgresql.database(filled)
    engine = open_database(postgresql.url(name))
    routes, now = Routes(engine, 30), datetime.fromisoformat("2026-03-27T20:14:09+00:00")
    gate = Barrier(2)

    def work(number: int) -> tuple[int, float]:
        gate.wait(10)
        routes.taken(f"<{number}@x>", [ANN], now)
        gate.wait(10)
        waits = routes.take_turn(f"{number}.example", now, 30)
        gate.wait(10)
        pause, _ = routes.failed(f"to:{number}", now)
        return pause.failures, waits

    with ThreadPoolExecutor(2) as workers:
        for number in range(20):
            found = list(workers.map(work, [number, number]))
            assert sorted(found) == [(1, 0.0), (2, 0.0)]
            assert routes.was_taken(f"<{number}@x>") == {ANN}
    engine.dispose()
    postgresql.drop(name)

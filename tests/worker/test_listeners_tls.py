"""Turn events over real TLS: what a listener's server gets, and what becomes of one that is not what it should be."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import ssl
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.worker.conftest import Desk
from tests.worker.fakes import ANN, BRUNO
from tests.worker.test_calling import ADDRESS, HERE, URL, Authority, Serve, answers, server
from tests.worker.test_notices import due, game_of, order
from worker.bots import calling, listeners, notices, sending
from worker.bots.listeners import Listener
from worker.store.bottables import notices as entries
from worker.store.database import reading

MOVED = b"HTTP/1.1 308 Away\r\nLocation: https://hooks.example.org:8443/other\r\nContent-Length: 0\r\n\r\n"
HUGE = b"HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\n" + b"x" * 200_000
FINE = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("tls"))


@pytest.fixture
def toy(desk: Desk) -> Desk:
    desk.ports.mail.report = lambda body: {"subject": "turn", "text": "", "html": "", "summary": []}  # type: ignore[method-assign]
    desk.start()
    return desk


def told(desk: Desk, authority: Authority, certificate: Path, serve: Serve, meant: Any = (ADDRESS,)) -> tuple[Listener, list[bytes], Any]:
    """A listener's server is told of a turn: the listener, what it was asked, and the notice."""
    engine = desk.ports.journal.engine
    made = listeners.add(engine, game_of(desk), "allied", BRUNO, "standard", URL)
    order(desk, "axis", "DONE")
    trust = ssl.create_default_context(cafile=str(authority.file))
    with server(certificate, serve) as asked:
        assert notices.enter(desk.ports, desk.queues, "G1")
        assert due(desk) == 1
        post = partial(calling.post, resolve=lambda host, port: list(meant), allowed=HERE, trust=trust, longest=5.0)
        assert sending.send(desk.ports, desk.queues, made.id, post)
    with reading(engine) as connection:
        return made, asked, connection.execute(entries.select()).mappings().one()


def test_a_listener_s_server_gets_the_event_signed(toy: Desk, authority: Authority) -> None:
    made, asked, row = told(toy, authority, authority.issued("hooks.example.org"), answers(FINE))
    head, _, body = asked[0].partition(b"\r\n\r\n")
    lines = dict(line.split(": ", 1) for line in head.decode().split("\r\n")[1:])
    assert head.startswith(b"POST /turn?game=1 HTTP/1.1\r\n")
    assert (lines["Host"], lines["Content-Type"]) == ("hooks.example.org:8443", "application/json")
    signed = f"{lines['webhook-id']}.{lines['webhook-timestamp']}.".encode() + body
    wanted = hmac.new(base64.b64decode(made.secret.removeprefix("whsec_")), signed, hashlib.sha256).digest()
    assert lines["webhook-signature"] == "v1," + base64.b64encode(wanted).decode()
    assert json.loads(body)["type"] == "turn.awaited"
    assert (row["status"], len(asked)) == ("sent", 1)
    assert ANN not in head.decode() + body.decode()


@pytest.mark.parametrize(
    ("name", "answer", "said", "calls"),
    [
        ("other.example.org", FINE, "its certificate is not good", 0),
        ("hooks.example.org", MOVED, "HTTP 308", 1),
        ("hooks.example.org", HUGE, "its answer is longer than 100000 bytes", 1),
    ],
)
def test_a_server_that_is_not_what_it_should_be_is_no_listener(
    toy: Desk, authority: Authority, name: str, answer: bytes, said: str, calls: int
) -> None:
    """A certificate for another name, a redirect, an answer beyond measure: each is a try in vain, and nothing else is asked."""
    _, asked, row = told(toy, authority, authority.issued(name), answers(answer))
    assert (row["status"], row["attempts"], len(asked)) == ("waiting", 1, calls)
    assert said in row["said"]


def test_a_name_that_leads_inside_by_now_ends_its_listener_uncalled(toy: Desk, authority: Authority) -> None:
    made, asked, row = told(toy, authority, authority.issued("hooks.example.org"), answers(FINE), (ADDRESS, "10.0.0.7"))
    assert (row["status"], asked) == ("failed", [])
    assert made.id not in [one.id for one in listeners.of_game(toy.ports.journal.engine, "G1")]

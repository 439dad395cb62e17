"""Turn events: whom they tell what, that each is told once under one number, signed, and tried again with pauses."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from tests.architecture.sources import ROOT
from tests.worker.conftest import Desk, make_desk, reply_to
from tests.worker.fakes import ANN, BRUNO, orders_mail
from worker.bots import listeners, notices, sending
from worker.bots.calling import Answer, Forbidden, NoAnswer
from worker.canonical import Json
from worker.desk import botdesk
from worker.play.games import UnusableInput
from worker.store.bottables import accounts
from worker.store.database import writing
from worker.store.records import SPECTATOR, Game
from worker.store.tables import players

BOTH = True
URL = "https://bot.example.org/turns"
CHANNEL = "https://discord.com/api/webhooks/1/x"


class Net:
    """Receivers: what each URL was sent, and what it answers."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, bytes, dict[str, str]]] = []
        self.answers: dict[str, Any] = {}

    def __call__(self, url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        self.calls.append((url, body, dict(headers)))
        answer = self.answers.get(url.partition("?")[0], Answer(200, b"{}"))
        if isinstance(answer, Exception):
            raise answer
        assert isinstance(answer, Answer)
        return answer

    def bodies(self) -> list[Json]:
        return [json.loads(body) for _, body, _ in self.calls]


@pytest.fixture
def toy(desk: Desk) -> Desk:
    desk.ports.mail.report = lambda body: {"subject": f"turn {body['view']['turn']}", "text": "", "html": "", "summary": ["Moved."]}  # type: ignore[method-assign]
    desk.start()
    return desk


def game_of(desk: Desk) -> Game:
    found = desk.ports.journal.game("G1")
    assert found is not None
    return found


def order(desk: Desk, side: str, lines: str) -> None:
    who = {"axis": ANN, "allied": desk.ports.journal.addresses("G1")["allied"][0]}[side]
    raw = orders_mail(reply_to(desk, ANN if side == "axis" else BRUNO), who, f"<{desk.count}@x>", *lines.split("\n"))
    desk.drop(raw)
    desk.run()


def tell(desk: Desk, net: Net) -> None:
    """Enter and send all that is due."""
    for game in notices.behind(desk.ports.journal.engine):
        assert notices.enter(desk.ports, desk.queues, game)
    assert notices.behind(desk.ports.journal.engine) == []
    while due(desk):
        for head in sending.heads(desk.ports.journal.engine):
            assert sending.send(desk.ports, desk.queues, head.listener, net)


def due(desk: Desk) -> int:
    """How many listeners are to be called now."""
    return sum(1 for head in sending.heads(desk.ports.journal.engine) if head.due <= desk.now)


def test_a_side_is_told_when_it_must_order_and_of_nothing_else(toy: Desk) -> None:
    net = Net()
    made = listeners.add(toy.ports.journal.engine, game_of(toy), "allied", BRUNO, "standard", URL)
    order(toy, "axis", "SECRET gun")
    tell(toy, net)
    assert net.calls == []
    order(toy, "axis", "DONE")
    for _ in range(2):
        tell(toy, net)
    (event,) = net.bodies()
    assert (event["type"], event["data"]["side"], event["data"]["awaited"]) == ("turn.awaited", "allied", True)
    url, body, headers = net.calls[0]
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    wanted = hmac.new(base64.b64decode(made.secret.removeprefix("whsec_")), signed, hashlib.sha256).digest()
    assert (url, headers["webhook-signature"]) == (URL, "v1," + base64.b64encode(wanted).decode())
    assert headers["webhook-id"] == f"G1.{made.id}.1"


def test_what_is_hidden_changes_no_event(tmp_path: Path, redis: Redis, toy: Desk) -> None:
    """Two games that differ in what the Axis hid: the Allied are told the same bytes under the same number."""
    told = []
    for name, hidden in (("one", "DONE"), ("two", "SECRET gun\nDONE")):
        redis.flushall()
        (tmp_path / name).mkdir()
        desk, net = make_desk(tmp_path / name, redis), Net()
        desk.ports.mail.report = toy.ports.mail.report  # type: ignore[method-assign]
        desk.start()
        listeners.add(desk.ports.journal.engine, game_of(desk), "allied", BRUNO, "standard", URL)
        order(desk, "axis", hidden)
        tell(desk, net)
        told.append([(body, headers["webhook-id"]) for _, body, headers in net.calls])
    assert len(told[0]) == 1
    assert told[0] == told[1]


def test_an_event_has_the_shape_that_is_promised(toy: Desk) -> None:
    schema = json.loads((ROOT / "docs/turn-event.schema.json").read_text(encoding="utf-8"))
    net = Net()
    listeners.add(toy.ports.journal.engine, game_of(toy), "allied", BRUNO, "standard", URL)
    order(toy, "axis", "DONE")
    tell(toy, net)
    (event,) = net.bodies()
    assert event.keys() == set(schema["required"]) == schema["properties"].keys()
    data = schema["properties"]["data"]
    assert event["data"].keys() == set(data["required"]) == data["properties"].keys()
    assert event["type"] in schema["properties"]["type"]["enum"]


def test_a_receiver_that_is_away_is_told_later_and_under_the_same_number(toy: Desk) -> None:
    net = Net()
    net.answers[URL] = NoAnswer("away")
    listeners.add(toy.ports.journal.engine, game_of(toy), "allied", BRUNO, "standard", URL)
    order(toy, "axis", "DONE")
    tell(toy, net)
    tell(toy, net)  # not due again before five seconds have passed
    assert len(net.calls) == 1
    toy.now = "2026-03-27T20:14:14+00:00"
    assert due(toy) == 1
    net.answers[URL] = Answer(503, b"")
    tell(toy, net)
    toy.now = "2026-03-27T20:15:14+00:00"  # a minute
    net.answers[URL] = Answer(204, b"")
    tell(toy, net)
    assert [headers["webhook-id"] for _, _, headers in net.calls] == [net.calls[0][2]["webhook-id"]] * 3
    assert len({headers["webhook-timestamp"] for _, _, headers in net.calls}) == 3  # each try is signed anew
    assert len({body for _, body, _ in net.calls}) == 1
    toy.now = "2027-01-01T00:00:00+00:00"
    assert due(toy) == 0


def test_a_receiver_that_asks_for_time_gets_it(toy: Desk) -> None:
    net = Net()
    net.answers[URL] = Answer(429, b'{"retry_after": 30.5}')
    listeners.add(toy.ports.journal.engine, game_of(toy), "allied", BRUNO, "slack", URL)
    order(toy, "axis", "DONE")
    tell(toy, net)
    toy.now = "2026-03-27T20:14:39+00:00"
    assert due(toy) == 0
    toy.now = "2026-03-27T20:14:40+00:00"
    assert due(toy) == 1


@pytest.mark.parametrize("answer", [Answer(410, b""), Forbidden("bot.example.org is no server of the open net.")])
def test_a_receiver_that_is_gone_is_called_no_more(toy: Desk, answer: Any) -> None:
    net = Net()
    net.answers[URL] = answer
    listeners.add(toy.ports.journal.engine, game_of(toy), "allied", BRUNO, "standard", URL)
    order(toy, "axis", "DONE")
    tell(toy, net)
    assert listeners.of_game(toy.ports.journal.engine, "G1") == []
    order(toy, "allied", "DONE")
    order(toy, "axis", "DONE")
    tell(toy, net)
    assert len(net.calls) == 1


def test_a_url_within_our_net_is_not_taken(toy: Desk) -> None:
    for url in ("http://bot.example.org/", "https://127.0.0.1/", "https://localhost/"):
        with pytest.raises(Forbidden):
            listeners.add(toy.ports.journal.engine, game_of(toy), "allied", BRUNO, "standard", url)


def test_whoever_left_his_seat_is_told_nothing(toy: Desk) -> None:
    net = Net()
    listeners.add(toy.ports.journal.engine, game_of(toy), "allied", "eve@example.org", "standard", URL)
    order(toy, "axis", "DONE")
    tell(toy, net)
    assert net.calls == []


def linked(desk: Desk, user: str, side: str, address: str) -> None:
    with writing(desk.ports.journal.engine) as connection:
        row = {"place": "discord", "user": user, "game": "G1", "side": side, "address": address, "at": desk.now}
        connection.execute(accounts.insert().values(row))


@pytest.mark.bug("W08")
def test_a_channel_is_told_once_a_turn_and_the_right_person_is_mentioned(toy: Desk, tmp_path: Path) -> None:
    """Two hooks of one channel, a player without a linked account, and one who was replaced."""
    net = Net()
    other = CHANNEL.replace("/1/", "/2/")
    net.answers = {one: Answer(200, b'{"id": "9", "channel_id": "77"}') for one in (CHANNEL, other)}
    file = tmp_path / "hexpost.toml"
    file.write_text(f'database = "{toy.ports.journal.engine.url}"\n')
    list(botdesk.listening("g1", botdesk.Wanted(CHANNEL, "discord", SPECTATOR, ""), file, net))
    with pytest.raises(UnusableInput, match="is told of G1 already"):
        list(botdesk.listening("g1", botdesk.Wanted(other, "discord", SPECTATOR, ""), file, net))
    assert len(listeners.of_game(toy.ports.journal.engine, "G1")) == 1
    assert {headers["User-Agent"].partition(" (https://")[0] for _, _, headers in net.calls} == {"DiscordBot"}
    net.calls.clear()
    linked(toy, "1001", "allied", "carl@example.org")  # played before Bruno, and does not any more
    linked(toy, "1002", "axis", ANN)
    order(toy, "axis", "DONE")
    tell(toy, net)
    (first,) = map(payload_of, net.calls)
    assert first["content"].endswith("– Allied")  # nobody known plays them: named, and not mentioned
    assert first["allowed_mentions"] == {"parse": [], "users": []}
    order(toy, "allied", "DONE")
    tell(toy, net)
    second = payload_of(net.calls[1])
    assert second["content"].endswith("– <@1002>")
    assert second["allowed_mentions"] == {"parse": [], "users": ["1002"]}
    linked(toy, "1003", "allied", "dora@example.org")
    with writing(toy.ports.journal.engine) as connection:  # a substitute takes over
        connection.execute(players.update().where(players.c.side == "allied").values(address="dora@example.org"))
    desk_says = toy.ports.journal.addresses("G1")["allied"]
    assert desk_says == ["dora@example.org"]
    order(toy, "axis", "DONE")
    tell(toy, net)
    assert payload_of(net.calls[2])["content"].endswith("– <@1003>")
    assert len(net.calls) == 3


def payload_of(call: tuple[str, bytes, dict[str, str]]) -> Json:
    """The message of a post, with or without a picture."""
    url, body, headers = call
    assert url.endswith("?wait=true")
    if headers["Content-Type"] == "application/json":
        return json.loads(body)
    assert b"\x89PNG" in body
    return json.loads(body.split(b"\r\n\r\n")[1].split(b"\r\n--")[0])


def test_the_messages_of_chats_have_no_mention_that_is_not_ours(toy: Desk) -> None:
    toy.ports.mail.report = lambda body: {"subject": "<!channel> & @everyone", "text": "", "html": "", "summary": ["*<b>*"]}  # type: ignore[method-assign]
    net = Net()
    for n, form in enumerate(("slack", "matrix"), start=1):
        listeners.add(toy.ports.journal.engine, game_of(toy), "allied", BRUNO, form, f"https://chat.example.org/{n}")
    order(toy, "axis", "DONE")
    tell(toy, net)
    slack, matrix = net.bodies()
    assert slack["text"] == "G1: &lt;!channel&gt; &amp; @everyone"
    assert matrix["html"] == "<strong>G1: &lt;!channel&gt; &amp; @everyone</strong><br>*&lt;b&gt;*"
    assert matrix["text"] == "G1: <!channel> & @everyone\n*<b>*"

"""The players' API over the real rules and words: whose calls are answered, what they are shown, and that orders are those of a mail."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from flask.testing import FlaskClient
from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from tests.worker.whole import AT, Table
from worker.api.app import players_app
from worker.api.limits import Counts, Limit, Shared
from worker.bots import programs
from worker.commands import store
from worker.post import received, writers
from worker.queues import GameQueues
from worker.store.database import writing


class Program:
    """A program of a side's player, and the server that it calls."""

    def __init__(self, table: Table, side: str, limit: Counts | None = None) -> None:
        self.table = table
        self.client: FlaskClient = players_app(table.ports, lambda game, message: None, limit or Limit(1000)).test_client()
        self.token = programs.issue(table.journal.engine, table.game, side, table.addresses[side], AT)

    def __call__(self, method: str, path: str, body: Any = None, token: str | None = None) -> Any:
        headers = {"Authorization": f"Bearer {self.token if token is None else token}"}
        return self.client.open(f"/v1/games/{self.table.game}/{path}", method=method, json=body, headers=headers)

    def work(self) -> None:
        """The worker handles what waits, and sends what follows."""
        while (waiting := self.table.journal.next_message(self.table.game)) is not None:
            assert received.handle(self.table.ports, waiting) is None
        self.table.post(self.table.game)


@pytest.fixture
def axis(tmp_path: Path) -> Iterator[Program]:
    table = Table(tmp_path)
    yield Program(table, "axis")
    table.journal.engine.dispose()


def test_nobody_is_answered_without_a_token_of_the_game(axis: Program) -> None:
    for token in ("", "hxp_" + "0" * 40, axis.token[:-1]):
        answer = axis("GET", "status", token=token)
        assert (answer.status_code, answer.json["code"]) == (401, "no-token")
        assert answer.headers["WWW-Authenticate"] == "Bearer"
    other = axis.client.get("/v1/games/G99/status", headers={"Authorization": f"Bearer {axis.token}"})
    assert (other.status_code, other.json["code"]) == (404, "no-such-game")
    assert axis("GET", "status").status_code == 200


def test_a_token_ends_with_its_revocation_and_with_its_players_seat(axis: Program) -> None:
    engine = axis.table.journal.engine
    second = programs.issue(engine, axis.table.game, "axis", axis.table.addresses["axis"], AT)
    assert programs.revoke(engine, axis.table.game, number=programs.of_game(engine, axis.table.game)[1].id) == 1
    assert axis("GET", "status", token=second).status_code == 401
    stranger = programs.issue(engine, axis.table.game, "axis", "eve@example.org", AT)  # whoever left has a row, and no seat
    assert axis("GET", "status", token=stranger).status_code == 401
    assert axis("GET", "status").status_code == 200


def test_only_the_digest_of_a_token_is_kept(axis: Program, tmp_path: Path) -> None:
    files = [path.read_bytes() for path in tmp_path.glob("journal.db*")]
    assert files
    assert not any(axis.token.encode() in data for data in files)


def test_a_side_is_shown_its_own_view(axis: Program) -> None:
    status = axis("GET", "status").json
    assert (status["game"], status["side"], status["turn"], status["over"]) == (axis.table.game, "axis", 1, None)
    assert status["awaited"] == ("axis" in status["waiting_for"])
    assert status["text"]
    game = axis.table.journal.game(axis.table.game)
    assert game is not None
    state = axis.table.journal.state(game.id, game.version)[0]
    shown = axis("GET", "view").json["view"]
    assert {key: value for key, value in shown.items() if key != "events"} == axis.table.ports.rules.view(state, "axis")
    assert state["hidden"] not in axis("GET", "view").text


def test_the_template_has_what_may_be_ordered(axis: Program) -> None:
    found = axis("GET", "template").json
    assert "COMMIT 0" in found["lines"]
    assert len(found["lines"]) == len(found["orders"])
    assert "COMMIT" in found["text"]


def test_a_try_leaves_nothing_behind(axis: Program) -> None:
    journal = axis.table.journal
    before = journal.game(axis.table.game)
    good, bad = axis("POST", "check", {"text": "COMMIT 0"}).json, axis("POST", "check", {"text": "COMIT 0"}).json
    assert (good["status"], good["understood"]) == ("checked", ["CHECK", "COMMIT 0"])
    assert bad["status"] == "refused"
    assert bad["unread"][0]["line"] == 2  # after CHECK, which heads a try
    assert journal.game(axis.table.game) == before
    assert journal.waiting(axis.table.game) == (0, 0)


def test_orders_are_those_of_a_mail_and_the_receipt_says_so_both_ways(axis: Program) -> None:
    sent = axis("POST", "orders", {"text": "COMMIT 0"})
    assert (sent.status_code, sent.json["status"]) == (202, "waiting")
    axis.work()
    found = axis("GET", f"orders/{sent.json['id']}").json
    assert (found["status"], found["understood"]) == ("done", ["COMMIT 0"])
    mailed = axis.table.mails_to("axis")[-1].get_body(("plain",))
    assert mailed is not None
    assert found["text"].splitlines()[:6] == mailed.get_content().splitlines()[:6]
    assert axis.table.journal.broken_link(axis.table.game) is None


def test_orders_of_one_number_are_taken_once(axis: Program) -> None:
    bodies = [{"text": "COMMIT 0", "id": "turn-1"}, {"text": "COMMIT 1", "id": "turn-1"}]
    sent = [axis("POST", "orders", body).json for body in bodies]
    assert sent[0]["id"] == sent[1]["id"] == "own:turn-1"
    assert axis.table.journal.waiting(axis.table.game)[0] == 1
    axis.work()
    assert axis("POST", "orders", bodies[1]).json["understood"] == ["COMMIT 0"]


def test_orders_that_cannot_be_read_are_refused_in_words(axis: Program) -> None:
    sent = axis("POST", "orders", {"text": "COMIT 0"}).json
    axis.work()
    found = axis("GET", f"orders/{sent['id']}").json
    assert found["status"] == "refused"
    assert "COMIT" in found["text"]


def test_nobody_reads_what_another_token_sent(axis: Program) -> None:
    sent = axis("POST", "orders", {"text": "COMMIT 0"}).json
    allied = programs.issue(axis.table.journal.engine, axis.table.game, "allied", axis.table.addresses["allied"], AT)
    answer = axis("GET", f"orders/{sent['id']}", token=allied)
    assert (answer.status_code, answer.json["code"]) == (404, "no-such-orders")


def test_bodies_with_faults_are_refused_with_the_place_of_them(axis: Program) -> None:
    for body, pointer in (
        ({}, "#/text"),
        ({"text": ""}, "#/text"),
        ({"text": "DONE", "id": "a b"}, "#/id"),
        ({"text": "DONE", "x": 1}, "#/x"),
    ):
        answer = axis("POST", "orders", body)
        assert (answer.status_code, answer.json["errors"][0]["pointer"]) == (422, pointer)
    assert axis("GET", "files/../etc").status_code == 404
    assert axis("GET", "files/state.json").json["code"] == "no-such-file"


def test_files_are_of_the_present_position(axis: Program) -> None:
    names = [one["name"] for one in axis("GET", "files").json["files"]]
    assert names == ["map.png", "position.vsav", "module.vmod"]
    answer = axis("GET", "files/map.png")
    assert (answer.status_code, answer.mimetype) == (200, "image/png")
    assert answer.data.startswith(b"\x89PNG")


def test_a_program_that_calls_too_often_is_told_when_to_come_again(tmp_path: Path) -> None:
    now = [0.0]
    table = Table(tmp_path)
    eager = Program(table, "axis", Limit(2, lambda: now[0]))
    assert [eager("GET", "files").status_code for _ in range(3)] == [200, 200, 429]
    now[0] = 50.0
    answer = eager("GET", "files")
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "10")
    now[0] = 60.0
    assert eager("GET", "files").status_code == 200
    table.journal.engine.dispose()


def test_the_code_of_link_is_worth_one_token(axis: Program) -> None:
    axis.table.play(1, "axis", "LINK")
    body = axis.table.mails_to("axis")[-1].get_body(("plain",))
    assert body is not None
    found = re.search(r"ACCEPT [a-z0-9]{14}\b", body.get_content())
    assert found, body.get_content()
    line = found.group()
    first, second = (axis.client.post("/v1/tokens", json={"code": line}) for _ in range(2))
    assert (first.status_code, first.json["side"]) == (201, "axis")
    assert axis("GET", "status", token=first.json["token"]).status_code == 200
    assert (second.status_code, second.json["code"]) == (404, "no-such-code")


def test_a_new_token_has_nothing_of_one_that_ended(axis: Program) -> None:
    """SQLite gives its number again: neither the orders of the old one, nor their numbers are the new one's."""
    engine = axis.table.journal.engine
    number = programs.of_game(engine, axis.table.game)[-1].id
    axis("POST", "orders", {"text": "HOLD\nCOMMIT 0", "id": "1"})
    axis.work()
    assert programs.revoke(engine, axis.table.game) == 1
    allied = programs.issue(engine, axis.table.game, "allied", axis.table.addresses["allied"], AT)
    assert programs.of_game(engine, axis.table.game)[-1].id == number
    assert axis("GET", "orders/own:1", token=allied).status_code == 404
    sent = axis("POST", "orders", {"text": "HOLD\nDONE", "id": "1"}, token=allied).json
    assert sent["status"] == "waiting"
    axis.work()
    assert axis("GET", "orders/own:1", token=allied).json["understood"] == ["HOLD", "DONE"]


@pytest.mark.parametrize("line", ["LINK", "ADDRESS ADD eve@example.org", "COPY eve@example.org", "SUBSTITUTE eve@example.org"])
def test_a_token_hands_on_no_right_that_outlasts_it(axis: Program, line: str) -> None:
    sent = axis("POST", "orders", {"text": line}).json
    mails = len(axis.table.sender.sent)
    axis.work()
    found = axis("GET", f"orders/{sent['id']}").json
    assert found["status"] == "refused"
    assert "by mail from your registered address" in " ".join(found["text"].split())
    assert not re.search(r"ACCEPT [a-z0-9]{14}", found["text"])
    assert [to for _, to, _ in axis.table.sender.sent[mails:]] == [(axis.table.addresses["axis"],)]  # the receipt alone


def test_link_off_by_a_token_ends_it(axis: Program) -> None:
    said = axis("POST", "orders", {"text": "STATUS", "id": "s"}).json["status"]
    axis.work()
    assert (said, axis("GET", "orders/own:s").json["status"]) == ("waiting", "done")
    axis("POST", "orders", {"text": "LINK OFF"})
    axis.work()
    assert axis("GET", "status").status_code == 401


def test_whoever_comes_back_begins_with_no_token(axis: Program) -> None:
    journal, game = axis.table.journal, axis.table.game
    writers.set_writer(journal.engine, game, "axis", "dep@example.org", "deputy")
    deputys = programs.issue(journal.engine, game, "axis", "dep@example.org", AT)
    address = axis.table.addresses["axis"]
    with writing(journal.engine) as connection:
        store.leaving(game, "axis", address)(connection)
        store.joining(game, "axis", address)(connection)
    assert axis("GET", "status", token=deputys).status_code == 200
    for role in (None, "deputy"):
        writers.set_writer(journal.engine, game, "axis", "dep@example.org", role)
    assert [axis("GET", "status", token=one).status_code for one in (axis.token, deputys)] == [401, 401]
    deputys = programs.issue(journal.engine, game, "axis", "dep@example.org", AT)
    with writing(journal.engine) as connection:
        writers.forgetting(game, "axis")(connection)
    writers.set_writer(journal.engine, game, "axis", "dep@example.org", "deputy")
    assert axis("GET", "status", token=deputys).status_code == 401


def test_a_good_code_is_taken_however_many_bad_ones_come(axis: Program) -> None:
    axis.table.play(1, "axis", "LINK")
    body = axis.table.mails_to("axis")[-1].get_body(("plain",))
    assert body is not None
    found = re.search(r"ACCEPT ([a-z0-9]{14})\b", body.get_content())
    assert found
    tried = [axis.client.post("/v1/tokens", json={"code": code}).status_code for code in ["junk", "23456789abcdef"] * 16]
    assert tried == [404] * 30 + [429] * 2
    assert axis.client.post("/v1/tokens", json={"code": found[1]}).status_code == 201


def test_a_number_that_no_listener_can_have_is_no_listeners(axis: Program) -> None:
    for number in (2**31, 2**63, 10**23):
        assert axis("DELETE", f"listeners/{number}").json["code"] == "no-such-listener"


def test_a_tokens_calls_are_counted_for_all_processes_together(tmp_path: Path, redis: Redis) -> None:
    table = Table(tmp_path)
    one, other = (Program(table, "axis", Shared(GameQueues(redis, 60.0), 3)) for _ in range(2))
    calls = [one("GET", "files"), other("GET", "files", token=one.token), one("GET", "files"), other("GET", "files", token=one.token)]
    assert [answer.status_code for answer in calls] == [200, 200, 200, 429]
    assert 1 <= int(calls[3].headers["Retry-After"]) <= 60
    assert other("GET", "files").status_code == 200  # another token
    (key,) = (name for name in redis.keys("hexpost:calls:*") if redis.zcard(name) == 3)
    seconds, fractions = redis.time()
    oldest = cast("bytes", redis.zrange(key, 0, 0)[0])
    redis.zadd(key, {oldest: (seconds - 60) * 1_000_000 + fractions})  # the first was a minute ago
    assert [program("GET", "files", token=one.token).status_code for program in (one, other)] == [200, 429]
    table.journal.engine.dispose()


def test_while_redis_is_away_a_process_counts_for_itself(tmp_path: Path) -> None:
    table = Table(tmp_path)
    away = GameQueues(Redis(port=9, socket_connect_timeout=0.2, retry=Retry(NoBackoff(), 0)), 60.0)
    eager = Program(table, "axis", Shared(away, 2))
    assert [eager("GET", "files").status_code for _ in range(3)] == [200, 200, 429]
    table.journal.engine.dispose()

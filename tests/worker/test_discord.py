"""Commands from Discord against its double: signatures, three seconds, links of accounts, orders, answers within limits, late ones."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from redis import Redis

from services.mail.app import create_hooks_app
from services.mail.config import Config as MailConfig
from tests.worker.conftest import Desk, make_desk
from tests.worker.discord_club import DEFERRED, START, Club, open_club
from tests.worker.fakes import ANN, BRUNO
from tests.worker.whole import AT
from worker import drain
from worker.bots.calling import Answer
from worker.commands.frame import Refused
from worker.desk.demo_script import SCENARIO, SECRET
from worker.discord import followups, limits
from worker.discord.interactions import Given, seat_of
from worker.play.games import new_game
from worker.ports import ServiceSlow
from worker.store.bottables import accounts
from worker.store.database import writing
from worker.store.tables import players


@pytest.fixture
def club(tmp_path: Path, redis: Redis) -> Iterator[Club]:
    found = open_club(tmp_path, redis)
    yield found
    found.table.journal.engine.dispose()


def test_a_ping_is_answered_and_one_changed_byte_is_refused(club: Club) -> None:
    assert club.discord.signed(b'{"type": 1}').json == {"type": 1}
    stamp = str(int(START))
    signature = club.discord.key.sign(stamp.encode() + b'{"type": 1}').hex()
    for body, given in ((b'{"type":  1}', signature), (b'{"type": 1}', "00" * 64), (b'{"type": 1}', "zz"), (b'{"type": 1}', "")):
        headers = {"X-Signature-Ed25519": given, "X-Signature-Timestamp": stamp}
        assert club.discord.door.post("/v1/hooks/discord", data=body, headers=headers).status_code == 401
    assert club.discord.signed(b'{"type": 1}', at=START - 301).status_code == 401
    assert club.discord.signed(b'{"type": 2, "id": "1"}').status_code == 422
    for name in (b"[]", b"{}", b"null", b"7"):
        assert club.discord.signed(b'{"type": 2, "id": "1", "data": {"name": ' + name + b"}}").status_code == 200
    for data in (b'{"custom_id": "other"}', b'{"custom_id": 7}', b"{}"):
        assert club.discord.signed(b'{"type": 3, "id": "1", "data": ' + data + b"}").status_code == 422
    assert club.discord.signed(b'{"type": 3, "id": "1", "data": {"custom_id": "standing:G1:"}, "message": []}').status_code == 200


def test_the_endpoint_is_closed_without_its_key_and_a_key_that_is_none_keeps_it_from_starting(tmp_path: Path) -> None:
    closed = create_hooks_app(MailConfig(spool=tmp_path)).test_client()
    assert closed.post("/v1/hooks/discord", data=b'{"type": 1}').status_code == 404
    with pytest.raises(ValueError, match="64 hex digits"):
        MailConfig.from_env({"HEXPOST_HOOK_DISCORD": "abc"})


def test_orders_are_asked_for_in_a_form_and_carried_out_as_a_mail(club: Club) -> None:
    linked = club.link("1001", "axis")
    assert "linked with G1" in linked.messages[0]["content"]
    form = club.discord.give("1001", "orders", game="G1")
    assert (form.answer["type"], form.answer["data"]["custom_id"]) == (9, "orders:G1")
    filled = club.discord.give("1001", "orders", text="COMMIT 0", game="G1")
    assert filled.answer == DEFERRED
    club.work()
    packet = club.table.journal.packet("G1-000001")
    assert packet is not None
    assert (packet.side, packet.status, packet.printed) == ("axis", "done", ["COMMIT 0"])
    receipt = club.table.mails_to("axis")[-1].get_body(("plain",))
    assert receipt is not None
    shown = "".join(one["content"] for one in filled.messages)
    assert receipt.get_content().splitlines()[2] in shown
    assert club.discord.refused == []


def test_an_interaction_that_comes_again_is_one_set_of_orders(club: Club) -> None:
    club.link("1001", "axis")
    club.discord.give("1001", "orders", text="COMMIT 0")
    club.work()
    club.discord.signed(json.dumps(club.discord.last).encode())
    club.work()
    assert club.table.journal.packet("G1-000001") is not None
    assert club.table.journal.packet("G1-000002") is None


def test_a_stranger_is_told_how_to_link_and_learns_nothing(club: Club) -> None:
    for name in ("status", "map", "standing"):
        thread = club.discord.give("6666", name, game="G1")
        club.work()
        (message,) = thread.messages
        assert "not linked with G1. Mail LINK" in message["content"]
    guess = club.discord.give("6666", "link", code="23456789abcdef")
    club.work()
    assert "no code of LINK" in guess.messages[0]["content"]
    assert club.table.journal.game("G1").version == 0


def test_a_code_links_one_account(club: Club) -> None:
    club.link("1001", "axis")
    code = next(one for one in (club.discord.last["data"]["options"][0]["value"],))
    second = club.discord.give("6666", "link", code=code)
    club.work()
    assert "no code of LINK" in second.messages[0]["content"]


def test_a_try_and_the_status_leave_nothing_behind(club: Club) -> None:
    club.link("1002", "allied")
    sent = len(club.table.sender.sent)
    status = club.discord.give("1002", "status")
    tried = club.discord.give("1002", "check", text="COMMIT 0")
    club.work()
    assert status.messages
    assert tried.messages
    assert club.table.journal.packet("G1-000001") is None
    assert len(club.table.sender.sent) == sent
    assert club.discord.refused == []


@pytest.mark.bug("W05")
def test_a_map_that_takes_long_is_deferred_at_once_and_follows(club: Club) -> None:
    """The endpoint neither draws nor opens a database: however long these take, it has answered within its second."""
    club.link("1001", "axis")
    drawn = club.discord.give("1001", "map")
    assert (drawn.answer, drawn.seconds < 1.0) == (DEFERRED, True)
    club.table.ports.render.fault = ServiceSlow("The render service did not answer within 8 s.")  # type: ignore[attr-defined]
    club.work()
    assert "cannot be drawn now" in drawn.messages[0]["content"]
    club.table.ports.render.fault = None  # type: ignore[attr-defined]
    again = club.discord.give("1001", "map")
    club.at(10)
    club.work()
    assert again.pictures[0].startswith(b"\x89PNG")
    large = club.discord.give("1001", "map")
    club.table.ports.render.map = lambda body: b"\x89PNG" + bytes(1_000_000)  # type: ignore[method-assign]
    club.table.ports = replace(club.table.ports, config=replace(club.table.ports.config, link_base="https://club.example/hexpost"))
    club.at(20)
    club.work()
    assert "Your map: https://club.example/hexpost/files/" in large.messages[0]["content"]
    assert club.discord.refused == []


def test_what_comes_too_late_for_discord_is_mailed(club: Club) -> None:
    club.link("1001", "axis")
    late = club.discord.give("1001", "status")
    club.discord.down = True
    club.work()
    club.at(901)
    club.discord.down = False
    club.work()
    assert late.messages == []
    waiting = club.table.journal.next_message("G1")
    assert waiting is not None
    assert b"STATUS" in waiting.raw


def test_a_discord_that_is_away_is_tried_again(club: Club) -> None:
    club.link("1001", "axis")
    thread = club.discord.give("1001", "status")
    club.discord.down = True
    club.work()
    club.discord.down = False
    club.work()
    assert thread.messages == []  # two seconds are not over
    club.at(3)
    club.work()
    assert thread.messages


def test_the_rate_limit_is_kept_without_being_told_so(club: Club) -> None:
    club.link("1001", "axis")
    threads = [club.discord.give("1001", "status") for _ in range(8)]
    for second in range(0, 40, 4):
        club.at(second)
        club.work()
    assert all(one.messages for one in threads)
    assert club.discord.refused == []


def test_whoever_lost_his_seat_is_a_stranger(club: Club) -> None:
    club.link("1001", "axis")
    with writing(club.table.journal.engine) as connection:
        connection.execute(players.update().where(players.c.side == "axis").values(address="eve@example.org"))
    thread = club.discord.give("1001", "status")
    club.work()
    assert "not linked" in thread.messages[0]["content"]


def test_an_answer_is_a_block_of_code_and_says_nothing_of_mails(club: Club) -> None:
    """What stands in columns keeps them, and what a player wrote is no markup."""
    club.link("1001", "axis")
    status = club.discord.give("1001", "status")
    orders = club.discord.give("1001", "orders", text="COMMIT 0\n```# big @everyone")
    club.work()
    for thread in (status, orders):
        texts = [one["content"] for one in thread.messages]
        assert texts
        assert all(one.startswith("```\n") and one.endswith("\n```") and one.count("`") == 6 for one in texts)
        whole = "\n".join(texts)
        assert "above this line" not in whole
        assert "Reply to this mail" not in whole
        assert "Orders go to" not in whole
    assert "  1  COMMIT 0" in orders.messages[0]["content"]


def also_in(club: Club, user: str, side: str) -> str:
    """Another game of the demo's players, with which an account of the side's is linked."""
    other = new_game(club.table.ports, SCENARIO, {one: [address] for one, address in club.table.addresses.items()}, {}, "6b" * 32)
    with writing(club.table.journal.engine) as connection:
        row = {"place": "discord", "user": user, "game": other.id, "side": side, "address": club.table.addresses[side], "at": AT}
        connection.execute(accounts.insert().values(row))
    return other.id


def test_orders_are_answered_as_of_the_game_that_they_went_to(club: Club) -> None:
    """The account is linked with a second game between the orders and their answer."""
    club.link("1001", "axis")
    sent = club.discord.give("1001", "orders", text="COMMIT 0")
    drain.take_in(club.table.ports, club.inbox, club.queues, lambda game: None)
    also_in(club, "1001", "axis")
    drain.drain(club.table.ports, club.queues, "G1", lambda game: None)
    club.work()
    assert "  1  COMMIT 0" in sent.messages[0]["content"]


def test_a_game_that_is_over_is_answered_for_where_it_is_named(club: Club) -> None:
    club.link("1001", "axis")
    other = also_in(club, "1001", "axis")
    ended = club.discord.give("1001", "orders", text="CONCEDE CONFIRM", game="G1")
    club.work()
    assert "CONCEDE CONFIRM" in ended.messages[0]["content"]
    assert "not linked" not in ended.messages[0]["content"]
    club.at(10)
    named, unnamed = club.discord.give("1001", "status", game="G1"), club.discord.give("1001", "status")
    club.work()
    assert "The game is over." in named.messages[0]["content"]
    assert f"{other} " in unnamed.messages[0]["content"]  # the one that still runs


@pytest.mark.parametrize(("name", "text", "mailed"), [("status", None, b"STATUS"), ("check", "COMMIT 0", b"CHECK")])
def test_what_discord_does_not_take_any_more_is_mailed(club: Club, name: str, text: str | None, mailed: bytes) -> None:
    club.link("1001", "axis")
    lost = club.discord.give("1001", name, text=text)
    club.discord.gone = True
    club.work()
    assert lost.messages == []
    waiting = club.table.journal.next_message("G1")
    assert waiting is not None
    assert mailed in waiting.raw


@pytest.mark.parametrize(
    ("answer", "after"),
    [
        (Answer(429, b'{"retry_after": 3.2}'), 4),
        (Answer(429, b"rate limited", {"retry-after": "7"}), 8),
        (Answer(429, b'{"retry_after": ' + b"9" * 400 + b"}"), 5),
        (Answer(429, b'{"retry_after": 1e300}'), 601),
        (Answer(429, b'{"retry_after": "soon"}'), 5),
        (Answer(429, b"[]"), 5),
    ],
)
def test_discord_says_when_it_is_called_again(answer: Answer, after: int) -> None:
    assert followups._seconds(answer) == after


def test_discord_is_called_again_when_it_says(club: Club) -> None:
    club.link("1001", "axis")
    asked = club.discord.give("1001", "status")
    club.discord.says = Answer(429, b'{"retry_after": 3.2}')
    club.work()
    club.discord.says = None
    for second, told in ((3, False), (4, True)):
        club.at(second)
        club.work()
        assert bool(asked.messages) == told


def test_an_answer_that_fails_by_our_fault_is_mailed_and_holds_up_no_other(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    club.link("1001", "axis")
    shown = club.discord.give("1001", "map")
    other = club.discord.give("1001", "status")
    monkeypatch.setattr(followups, "_map", lambda *_: 1 / 0)
    club.work()
    assert (shown.messages, bool(other.messages)) == ([], True)
    waiting = club.table.journal.next_message("G1")
    assert waiting is not None
    assert b"MAP" in waiting.raw


def test_whoever_is_linked_is_told_by_mail(club: Club) -> None:
    club.link("1001", "axis")
    body = club.table.mails_to("axis")[-1].get_body(("plain",))
    assert body is not None
    assert "An account of Discord's was linked with you in game G1" in " ".join(body.get_content().split())


def test_an_account_hands_on_no_right_that_outlasts_it(club: Club) -> None:
    club.link("1001", "axis")
    thread = club.discord.give("1001", "orders", text="LINK")
    club.work()
    shown = "".join(one["content"] for one in thread.messages)
    assert "by mail from your registered" in shown
    assert not re.search(r"ACCEPT [a-z0-9]{14}", shown)


def test_texts_are_parted_between_lines_and_lose_nothing() -> None:
    text = "\n".join(f"line {n} " + "x" * (n * 7 % 90) for n in range(200)) + "\n" + "\U0001f5fa" * 1500
    parts = list(limits.split(text))
    assert "".join(parts) == text
    assert all(len(one.encode("utf-16-le")) // 2 <= 2000 for one in parts)
    assert all(one.endswith("\n") for one in parts[:3])
    assert limits.cut("a" * 10, 5) == "aaaa…"
    assert limits.plain("*@here* <@1>") == "\\*\\@here\\* \\<\\@1\\>"


def test_joining_is_asked_by_the_mail_of_the_linked_address(club: Club) -> None:
    nobody = club.discord.give("6666", "join", game="G7", side="axis")
    club.work()
    assert "linked with no address" in nobody.messages[0]["content"]
    club.link("1001", "axis")
    asked = club.discord.give("1001", "join", game="G7", side="axis")
    club.work()
    assert "Asked to join G7" in asked.messages[0]["content"]
    rows = club.table.journal.waiting_messages()
    handled = club.table.journal.commands("-")
    assert rows or [one["verb"] for one in handled] == ["JOIN"]


def test_two_games_ask_which_one(tmp_path: Path, redis: Redis) -> None:
    desk: Desk = make_desk(tmp_path, redis)
    for _ in range(2):
        new_game(desk.ports, "toy/one", {"axis": [ANN], "allied": [BRUNO]}, {}, SECRET)
    with writing(desk.ports.journal.engine) as connection:
        for game in ("G1", "G2"):
            row = {"place": "discord", "user": "1", "game": game, "side": "axis", "address": ANN, "at": AT}
            connection.execute(accounts.insert().values(row))
    with pytest.raises(Refused) as refused:
        seat_of(desk.ports, Given("1", "1", "status", {}, None, AT))
    assert (refused.value.said.key, refused.value.said.fields) == ("which-game", {"games": ["G1", "G2"]})
    assert seat_of(desk.ports, Given("1", "1", "status", {"game": "g2"}, None, AT)).game.id == "G2"

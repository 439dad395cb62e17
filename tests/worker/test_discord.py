"""Commands from Discord against its double: signatures, three seconds, links of accounts, orders, answers within limits, late ones."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from redis import Redis

from services.mail.app import create_hooks_app
from services.mail.config import Config as MailConfig
from services.mail.spool import Spool
from tests.worker.conftest import Desk, make_desk
from tests.worker.discord_double import Discord, Thread
from tests.worker.fakes import ANN, BRUNO
from tests.worker.whole import AT, Table
from worker import drain
from worker.commands.frame import Refused
from worker.desk.demo_script import SCENARIO, SECRET
from worker.discord import followups, limits, standing
from worker.discord.interactions import Given, seat_of
from worker.play.games import new_game
from worker.ports import ServiceSlow
from worker.post.inboxes import Received
from worker.queues import GameQueues
from worker.store.bottables import accounts
from worker.store.database import writing
from worker.store.tables import players

START = datetime.fromisoformat(AT).timestamp()
DEFERRED = {"type": 5, "data": {"flags": 64}}


class SpoolOf:
    """The spool as the worker's intake sees it."""

    def __init__(self, spool: Spool) -> None:
        self.spool = spool

    def unread(self) -> Iterator[Received]:
        yield from [Received(f"spool:{one.origin}:{one.id}", one.raw) for one in self.spool.waiting(100, 10_000_000)]

    def acknowledge(self, place: str) -> None:
        self.spool.remove(place.rpartition(":")[2])


@dataclass
class Club:
    """Discord, the public door, and a worker behind it with the real rules and words."""

    discord: Discord
    table: Table
    queues: GameQueues
    inbox: SpoolOf

    def at(self, seconds: float) -> None:
        """The clocks stand so long after the beginning."""
        self.discord.now = START + seconds
        moment = datetime.fromtimestamp(self.discord.now, UTC).isoformat()
        self.table.ports = replace(self.table.ports, now=lambda: moment)

    def work(self) -> None:
        """The worker does all that there is."""
        ports = self.table.ports
        woken: list[str] = []
        drain.take_in(ports, self.inbox, self.queues, woken.append)
        for game in dict.fromkeys(woken):
            drain.drain(ports, self.queues, game, woken.append)
        for game in self.table.outbox.games():
            self.table.post(game)
        followups.answer(ports, self.queues, self.discord)

    def link(self, user: str, side: str) -> Thread:
        """A player links his account."""
        self.table.play(1000 + len(self.table.sender.sent), side, "LINK")
        body = self.table.mails_to(side)[-1].get_body(("plain",))
        assert body is not None
        found = re.search(r"ACCEPT ([a-z0-9]{14})\b", body.get_content())
        assert found
        thread = self.discord.give(user, "link", code=found.group(1))
        self.work()
        return thread


@pytest.fixture
def club(tmp_path: Path, redis: Redis) -> Iterator[Club]:
    table = Table(tmp_path)
    discord = Discord(FlaskClient(lambda *_: []), START)
    config = MailConfig(spool=tmp_path / "spool", hooks={"discord": discord.public_key}, server="mx.hexpost.example")
    discord.door = create_hooks_app(config, now=lambda: discord.now).test_client()
    yield Club(discord, table, GameQueues(redis, 60.0), SpoolOf(Spool(tmp_path / "spool")))
    table.journal.engine.dispose()


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


def test_standing_orders_are_listed_and_edited_in_their_form(club: Club) -> None:
    club.link("1001", "axis")
    none = club.discord.give("1001", "standing")
    club.work()
    assert none.messages[0]["content"] == "No standing order of yours is in force."
    first = club.discord.fill_in("1001", club.discord.press("1001", none), "on losses lose PAVIA,TRENTA\n\nSTANDING DUTY AUTO\n")
    club.work()
    assert first.answer == DEFERRED
    listed = club.discord.give("1001", "standing")
    club.work()
    lines = ["STANDING ON LOSSES LOSE PAVIA,TRENTA", "STANDING DUTY AUTO"]
    (shown,) = listed.messages
    assert shown["content"] == "\n".join(["2 standing orders of yours are in force:", "```", *lines, "```"])
    club.at(5)
    form = club.discord.press("1001", listed)
    assert form["components"][0]["components"][0]["value"] == "\n".join(lines)
    club.discord.give("1001", "standing", line="on surplus keep 21pz")  # given meanwhile: the form does not know it, and leaves it
    changed = club.discord.fill_in("1001", form, "STANDING ON LOSSES LOSE TRENTA\nSTANDING DUTY AUTO")
    club.work()
    assert changed.messages
    assert standing_of(club, "axis") == [(2, "DUTY"), (3, "ON"), (4, "ON")]
    club.at(10)
    after = club.discord.give("1001", "standing")
    club.work()
    assert [line[:23] for line in after.messages[0]["content"].splitlines()[2:-1]] == [
        "STANDING DUTY AUTO",
        "STANDING ON SURPLUS KEE",
        "STANDING ON LOSSES LOSE",
    ]
    same = club.discord.press("1001", after)
    text = same["components"][0]["components"][0]["value"]
    unchanged = club.discord.fill_in("1001", same, text)
    club.work()
    assert unchanged.messages[0]["content"] == "Nothing was changed."
    assert club.discord.refused == []


def standing_of(club: Club, side: str) -> list[tuple[int, str]]:
    game = club.table.journal.game("G1")
    assert game is not None
    seen = club.table.ports.rules.view(club.table.journal.state(game.id, game.version)[0], side)
    return [(one["n"], one["order"]["verb"]) for one in seen["standing"]]


def test_more_standing_orders_than_a_form_holds_are_listed_with_their_numbers(club: Club) -> None:
    club.link("1001", "axis")
    club.discord.give("1001", "orders", text="\n".join(f"STANDING ON LOSSES LOSE {unit}" for unit in ("PAVIA", "TRENTA") * 8))
    club.work()
    club.at(5)
    listed = club.discord.give("1001", "standing")
    club.work()
    said, lines, room = (one["content"] for one in listed.messages)
    assert said == "16 standing orders of yours are in force:"
    assert lines.splitlines()[15] == "16  STANDING ON LOSSES LOSE TRENTA"
    assert "/orders takes CANCEL and a number" in room
    assert "components" not in listed.messages[-1]
    assert club.discord.refused == []


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("STANDING ON A LOSE X\nELSE LOSE Y\nSTANDING DUTY AUTO", ""),
        ("standing  on a lose x\nelse lose y\nSTANDING DUTY AUTO", ""),
        ("STANDING ON A LOSE X\nSTANDING DUTY AUTO", "CANCEL 1\nSTANDING ON A LOSE X"),
        ("ON A LOSE X\nELSE LOSE Y", "CANCEL 7"),
        ("", "CANCEL 1\nCANCEL 7"),
        ("STANDING ON A LOSE X\nELSE LOSE Y\nSTANDING DUTY AUTO\nDUTY AUTO\nDONE", "STANDING DUTY AUTO\nSTANDING DONE"),
    ],
)
def test_a_list_that_was_edited_becomes_what_takes_back_and_what_is_new(text: str, orders: str) -> None:
    opened = f"1{standing._mark(['STANDING ON A LOSE X', 'ELSE LOSE Y'])},7{standing._mark(['STANDING DUTY AUTO'])}"
    assert standing.edited(opened, text) == orders


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


def test_a_line_of_standing_is_a_standing_order_and_nothing_else(club: Club) -> None:
    club.link("1001", "axis")
    for second, line in enumerate(("DONE AUTO", "HOLD", "COMMIT 0\nDONE")):
        club.at(5 * second)
        refused = club.discord.give("1001", "standing", line=line)
        club.work()
        assert refused.messages
    game = club.table.journal.game("G1")
    assert game is not None
    assert game.version == 0
    assert club.table.journal.draft("G1", "axis", 1) is None
    club.discord.give("1001", "standing", line="duty auto")
    club.work()
    assert standing_of(club, "axis") == [(1, "DUTY")]


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

"""Standing orders in Discord: listed, edited in a form, and nothing else by it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis

from tests.worker.discord_club import DEFERRED, Club, open_club
from worker.discord import standing


@pytest.fixture
def club(tmp_path: Path, redis: Redis) -> Iterator[Club]:
    found = open_club(tmp_path, redis)
    yield found
    found.table.journal.engine.dispose()


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

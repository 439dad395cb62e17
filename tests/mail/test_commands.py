"""Commands: how they are read among a player's words, and who may give which."""

from __future__ import annotations

from typing import Any

import pytest

from services.mail.commands.grammar import MAX_COMMANDS, MAX_LETTER, read_command
from services.mail.commands.table import COMMANDS
from services.mail.intake import read_mail
from services.mail.orderlines import read_lines
from services.mail.orders.parse import parse

ANN, BRUNO, EVE, MASTER = "ann@example.org", "bruno@example.net", "eve@example.com", "master@club.example"
G17 = {
    "axis": {"addresses": [ANN], "token": "k3v9", "old_tokens": ["p0q1"]},
    "allied": {"addresses": [BRUNO], "token": "m2w8"},
}
G18 = {"axis": {"addresses": [BRUNO], "token": "aaaa"}, "allied": {"addresses": ["carl@example.com"], "token": "bbbb"}}
CONTEXT: dict[str, Any] = {
    "server": "mx.desk.example",
    "address": "orders@desk.example",
    "now": "2026-03-27T20:14:09+00:00",
    "masters": [MASTER],
    "games": [{"id": "G17", "turn": 4, "sides": G17}, {"id": "G18", "turn": 1, "sides": G18}],
    "seen": [],
}


def mail(sender: str, *lines: str, to: str = "orders@desk.example", stamp: str = "", subject: str = "hello") -> bytes:
    head = f"Authentication-Results: mx.desk.example; {stamp}\n" if stamp else ""
    return (f"{head}From: {sender}\nTo: {to}\nSubject: {subject}\nMessage-ID: <1@x>\n\n" + "\n".join(lines) + "\n").encode()


def read(*args: str, **more: str) -> Any:
    return read_mail(mail(*args, **more), CONTEXT)


def test_a_zone_of_control_is_no_time_zone() -> None:
    assert read_command("Zone of control") is None


@pytest.mark.parametrize(
    ("line", "verb", "args"),
    [
        ("Status.", "STATUS", {"game": None}),
        ("status g17", "STATUS", {"game": "G17"}),
        ("Standing", "STANDING", {"game": None}),
        ("standing list g17", "STANDING", {"game": "G17"}),
        ("- WHO # and when", "WHO", {"game": None}),
        ("Invite Bob.Smith+war@X.org\u00a0to G17 as Axis", "INVITE", {"address": "bob.smith+war@x.org", "game": "G17", "side": "axis"}),
        ("INVITE <bob@x.org>", "INVITE", {"address": "bob@x.org", "game": None, "side": None}),
        ("ADDRESS bob@x.org<mailto:bob@x.org>", "ADDRESS", {"address": "bob@x.org"}),
        ("ADDRESS ADD bob@x.org", "ADDRESS", {"add": True, "address": "bob@x.org"}),
        ("join G3 word  b\u00e4r", "JOIN", {"game": "G3", "side": None, "word": "b\u00e4r"}),
        (
            "NEW holdfast/campaign-1 WITH tempo=blitz first_turn_weather=roll AGAINST adjutant",
            "NEW",
            {
                "scenario": "holdfast/campaign-1",
                "side": None,
                "word": None,
                "alone": True,
                "turn": None,
                "reaction": None,
                "setup": None,
                "absence": None,
                "options": {"tempo": "blitz", "first_turn_weather": "roll"},
            },
        ),
        ("SAY Hello, #1 friend \u2014 well done!", "SAY", {"unsigned": False, "text": "Hello, #1 friend \u2014 well done!"}),
        ("say to allied unsigned: Boo", "SAY", {"to": "allied", "unsigned": True, "text": "Boo"}),
        ("DECLINE abcdefgh23", "REFUSE", {"code": "abcdefgh23"}),
        ("vacation 7 days from 2026-08-01", "VACATION", {"days": 7, "since": "2026-08-01"}),
        ("VACATION UNTIL 2026-08-31", "VACATION", {"until": "2026-08-31", "since": None}),
        ("NOTIFY awaited", "NOTIFY", {"how": "AWAITED"}),
        ("notify digest off", "NOTIFY", {"digest": True, "switch": "OFF"}),
        ("Zone Europe/Rome", "ZONE", {"zone": "EUROPE/ROME"}),
        ("zone new york", "ZONE", {"zone": "NEW YORK"}),
        ("POSTPONE 48", "POSTPONE", {"hours": 48}),
        ("postpone 2 days", "POSTPONE", {"days": 2}),
        (
            "DEADLINE 72 REACTION 24 ABSENCE master",
            "DEADLINE",
            {"turn": 72, "reaction": 24, "setup": None, "consent": None, "absence": "MASTER"},
        ),
        ("resend module g17", "RESEND", {"module": True, "game": "G17"}),
    ],
)
def test_a_command_is_read_as_typed_by_hand(line: str, verb: str, args: dict[str, Any]) -> None:
    found = read_command(line)
    assert found is not None
    assert (found.verb, found.fault) == (verb, "")
    assert found.args == args


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("INVITE bob", "expected a mail address. Write: INVITE address [TO game] [AS side]"),
        ("STATUS please", '"PLEASE" does not fit here'),
        ("NOTIFY SOMETIMES", "expected ALL, AWAITED, REMINDERS or DIGEST"),
        ("JOIN", "The line ends too early; expected a game such as G17"),
        ("VACATION UNTIL 31.12.2026", "expected a date, written as year, month and day, such as 2026-08-31"),
        ("VACATION UNTIL 2026-02-30", "such as 2026-08-31"),
        ("VACATION 61 DAYS", "a number from 1 to 60"),
        ("ACCEPT abc", "the code that you were mailed"),
        ("NEW chess WITH tempo=blitz", "a scenario such as holdfast/campaign-1"),
        ("NEW a/b WITH tempo=blitz tempo=full", "each option once"),
        ("SAY " + "x" * MAX_LETTER, "longer than"),
    ],
)
def test_a_command_with_a_fault_says_what_was_expected(line: str, fault: str) -> None:
    found = read_command(line)
    assert found is not None
    assert fault in found.fault


@pytest.mark.parametrize(
    "line",
    [
        "Standing by",
        "STANDING ON LOSSES LOSE PAVIA",
        "STANDING DUTY AUTO",
        "New plan for tomorrow",
        "Say, how was it?",
        "map looks good",
        "help me with this",
        "Copy that",
        "MOVE 21PZ",
        "",
    ],
)
def test_a_sentence_that_begins_like_a_command_is_none(line: str) -> None:
    assert read_command(line) is None


def test_a_letter_takes_all_below_it_and_nothing_of_it_is_an_order_or_a_command() -> None:
    reading = read_lines(["Good evening", "SAY", "  Dear Bruno,", "", "MOVE 21PZ TO 0507", "UNDO", "END", "UNDO"])
    assert [(one.verb, one.args["text"]) for one in reading.commands] == [("SAY", "Dear Bruno,\n\nMOVE 21PZ TO 0507\nUNDO")]
    assert reading.lines == ()
    assert [(piece.why, piece.text) for piece in reading.cut] == [("chatter", "Good evening"), ("after-end", "UNDO")]
    empty = read_lines(["SAY", "", "END"])
    assert "expected words" in empty.commands[0].fault


def test_among_orders_a_command_is_a_fault_and_part_of_a_sentence_is_chatter() -> None:
    reading = read_lines(["MOVE 21PZ TO 0507", "UNDO", "say hello to Bruno"])
    assert reading.lines == ("MOVE 21PZ TO 0507", "UNDO")
    assert reading.commands == ()
    assert [piece.text for piece in reading.cut] == ["say hello to Bruno"]
    assert [(one.line, one.code) for one in parse("holdfast", list(reading.lines)).diagnostics] == [(2, "campaign-command")]


def test_a_mail_may_hold_so_many_commands_and_no_more() -> None:
    assert len(read_lines(["WHO"] * MAX_COMMANDS).commands) == MAX_COMMANDS
    assert read_lines(["WHO"] * (MAX_COMMANDS + 1)).too_many


def test_quoted_commands_are_none() -> None:
    assert read(ANN, "> UNDO", "> STATUS", to="orders+g17-t04-k3v9@desk.example")["verdict"] == "refuse:no-orders"


@pytest.mark.parametrize(
    ("sender", "lines", "more", "verdict", "about", "trust"),
    [
        # a player with the token of the open turn
        (ANN, ("UNDO",), {"to": "orders+g17-t04-k3v9@desk.example"}, "accept", ("G17", "axis"), "token"),
        (ANN, ("UNDO",), {"subject": "Re: [G17 T04 #k3v9] x"}, "accept", ("G17", "axis"), "token"),
        # what changes a game needs it
        (ANN, ("UNDO",), {}, "refuse:no-token", None, None),
        (ANN, ("UNDO",), {"to": "orders+g17-t03-p0q1@desk.example"}, "refuse:stale-turn", None, None),
        (ANN, ("UNDO",), {"to": "orders+g17-t04-m2w8@desk.example"}, "refuse:wrong-side", None, None),
        (EVE, ("UNDO",), {"to": "orders+g17-t04-k3v9@desk.example"}, "hold:sender-unregistered", None, None),
        (EVE, ("UNDO",), {}, "drop:unknown-sender", None, None),
        # a question needs only the address, and that it is clear which game is meant
        (ANN, ("STATUS",), {}, "accept", ("G17", "axis"), "address"),
        (ANN, ("STATUS",), {"to": "orders+g17-t03-p0q1@desk.example"}, "accept", ("G17", "axis"), "address"),
        (BRUNO, ("STATUS",), {}, "refuse:no-token", None, None),
        (BRUNO, ("STATUS G18",), {}, "accept", ("G18", "axis"), "address"),
        (BRUNO, ("STATUS G18",), {"to": "orders+g17-t04-m2w8@desk.example"}, "accept", ("G18", "axis"), "address"),
        (ANN, ("STATUS G18",), {}, "refuse:foreign-game", None, None),
        (ANN, ("STATUS", "UNDO"), {}, "refuse:no-token", None, None),
        (EVE, ("STATUS G17",), {"stamp": "dmarc=pass"}, "refuse:unknown-sender", None, None),
        # a name that our own server doubts asks nothing, either
        (ANN, ("STATUS",), {"stamp": "dmarc=fail"}, "hold:sender-unverified", None, None),
        # strangers: those who are vouched for, and those who only knock
        (EVE, ("HELP",), {}, "drop:unknown-sender", None, None),
        (EVE, ("HELP",), {"stamp": "dmarc=pass"}, "accept", (None, None), "stranger"),
        (EVE, ("JOIN G17",), {}, "accept", (None, None), "stranger"),
        (EVE, ("JOIN G17", "HELP"), {}, "drop:unknown-sender", None, None),
        (EVE, ("JOIN",), {}, "drop:unknown-sender", None, None),
        (EVE, ("JOIN G17",), {"stamp": "dmarc=fail"}, "drop:unknown-sender", None, None),
        (EVE, ("ACCEPT abcdefgh23",), {"to": "orders+g17-t04-k3v9@desk.example"}, "accept", (None, None), "stranger"),
    ],
)
def test_who_may_give_which_command(
    sender: str, lines: tuple[str, ...], more: dict[str, str], verdict: str, about: tuple[str, str] | None, trust: str | None
) -> None:
    found = read(sender, *lines, **more)
    assert found["verdict"] == verdict
    if about is not None:
        assert (found["game"], found["side"]) == about
        assert found["trust"] == trust
        assert [one["verb"] for one in found["commands"]] == [line.split()[0] for line in lines]
        assert found["lines"] == []
    else:
        assert found["commands"] == []


def test_robots_that_say_a_command_are_dropped_all_the_same() -> None:
    raw = mail(ANN, "STATUS", to="orders+g17-t04-k3v9@desk.example").replace(b"Subject:", b"Auto-Submitted: auto-replied\nSubject:")
    assert read_mail(raw, CONTEXT)["verdict"] == "drop:auto-reply"


def test_a_second_copy_of_a_question_is_silent() -> None:
    first = read(ANN, "STATUS")
    seen = [{"game": "G17", "side": "axis", "message_id": "<1@x>", "digest": first["digest"]}]
    assert read_mail(mail(ANN, "STATUS"), CONTEXT | {"seen": seen})["verdict"] == "ignore:duplicate"


def test_no_command_is_open_to_knocking_that_does_more_than_ask() -> None:
    assert {name for name, one in COMMANDS.items() if one.knocks} == {"NEW", "JOIN", "ACCEPT", "REFUSE", "SPECTATE"}
    assert all(one.needs == "open" for one in COMMANDS.values() if one.knocks)


@pytest.mark.bug("M31")
@pytest.mark.parametrize("line", ["STATUS", "INVITE eve@example.com TO G17", "JOIN G18"])
def test_with_a_token_of_an_earlier_turn_a_forger_gives_no_command_that_needs_none(line: str) -> None:
    old = "orders+g17-t03-p0q1@desk.example"
    assert read(ANN, line, to=old)["verdict"] == "accept"
    assert read(ANN, line, to=old, stamp="dmarc=fail")["verdict"] == "hold:sender-unverified"
    # what is of no use if it is his own is refused, and nobody is asked
    assert read(ANN, "MOVE 21PZ 0805", to=old, stamp="dmarc=fail")["verdict"] == "refuse:stale-turn"
    assert read(ANN, "UNDO", to=old, stamp="dmarc=fail")["verdict"] == "refuse:stale-turn"

"""Who may order what: tokens, senders, results of the own server, copies, robots."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest

from services.mail.context import ContextError, read_context
from services.mail.intake import read_mail

PASS = "mx.pbem.example.com; dkim=pass header.d=mail.example.org; dmarc=pass header.from=mail.example.org"
ANN = "Ann Carter <ann.carter@mail.example.org>"
TAGGED = "orders+g17-t04-k3v9@pbem.example.com"
ORDERS = "MOVE 10B-I TO 0907\r\nEND\r\n"


def side(addresses: list[str], token: str, old: list[str], mails: list[str]) -> dict[str, Any]:
    return {"addresses": addresses, "token": token, "old_tokens": old, "mails": mails}


def context(**more: Any) -> dict[str, Any]:
    g17 = {
        "allied": side(
            ["Ann.Carter@Mail.example.org"],
            "k3v9",
            ["p0q1"],
            ["<g17.t04.allied.k3v9@pbem.example.com>", "<g17.t03.allied.p0q1@pbem.example.com>", "<hash1@pbem.example.com>"],
        )
        | {"old_mails": ["<hash0@pbem.example.com>"]},
        "axis": side(["bruno.keller@post.example.net"], "w7x2", [], ["<g17.t04.axis.w7x2@pbem.example.com>"]),
    }
    g18 = {
        "allied": side(["carl@work.example.net"], "aaaa", [], []),
        "axis": side(["dora@work.example.net", "ann.carter@mail.example.org"], "bbbb", ["cccc"], []),
    }
    games = [{"id": "G17", "turn": 4, "sides": g17}, {"id": "G18", "turn": 9, "sides": g18}]
    return {"server": "mx.pbem.example.com", "address": "orders@pbem.example.com", "games": games, "seen": [], **more}


def mail(body: str = ORDERS, *, to: str = TAGGED, sender: str = ANN, subject: str = "orders", results: str = PASS, **headers: str) -> bytes:
    lines = [f"Delivered-To: {to}"]
    if results:
        lines.append(f"Authentication-Results: {results}")
    lines += [f"From: {sender}", f"To: {to}", f"Subject: {subject}", "Message-ID: <m1@mail.example.org>"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n" + body).encode()


def read(raw: bytes, **more: Any) -> dict[str, Any]:
    return read_mail(raw, context(**more))


def test_the_tag_of_the_address_says_game_side_and_turn() -> None:
    got = read(mail())
    assert (got["verdict"], got["game"], got["side"], got["turn"], got["reply"]) == ("accept", "G17", "allied", 4, "receipt")


def test_addresses_are_compared_without_case() -> None:
    assert read(mail(to=TAGGED.upper(), sender="ANN.CARTER@MAIL.EXAMPLE.ORG"))["verdict"] == "accept"


@pytest.mark.parametrize("header", ["In_Reply_To", "References"])
def test_the_thread_says_it_where_the_tag_was_stripped(header: str) -> None:
    got = read(mail(to="orders@pbem.example.com", **{header: "<x@y.example> <g17.t04.allied.k3v9@pbem.example.com>"}))
    assert (got["verdict"], got["side"]) == ("accept", "allied")


def test_the_subject_says_it_last() -> None:
    assert read(mail(to="orders@pbem.example.com", subject="Re: [G17 T04 #k3v9] turn"))["verdict"] == "accept"


@pytest.mark.parametrize(
    "raw",
    [
        mail(to="orders+g17-t03-p0q1@pbem.example.com"),
        mail(to="orders+g17-t03-p0q1@pbem.example.com", subject="[G17 T04 #k3v9]"),
        mail(to="orders@pbem.example.com", In_Reply_To="<g17.t03.allied.p0q1@pbem.example.com>"),
        mail(to="orders@pbem.example.com", subject="[G17 T03 #p0q1] turn"),
        mail(to="orders@pbem.example.com", subject="[G17 T03 #p0q1] turn", In_Reply_To="<hash1@pbem.example.com>"),
        mail(to="orders@pbem.example.com", In_Reply_To="<hash0@pbem.example.com>"),
    ],
    ids=["address", "address-outweighs-subject", "thread", "subject", "thread-and-subject", "old-mail"],
)
def test_the_token_of_a_closed_turn_is_answered_kindly(raw: bytes) -> None:
    got = read(raw)
    assert (got["verdict"], got["game"], got["side"], got["lines"], got["reply"]) == ("refuse:stale-turn", "G17", "allied", [], "explain")


@pytest.mark.parametrize(
    "raw",
    [
        mail(to="orders+g99-t01-zzzz@pbem.example.com"),
        mail(to="orders+g18-t09-aaaa@pbem.example.com", sender="bruno.keller@post.example.net"),
        mail(subject="[G18 T09 #bbbb]"),
    ],
    ids=["no such game", "a game of others", "address and subject differ"],
)
def test_a_foreign_game_is_refused(raw: bytes) -> None:
    assert read(raw)["verdict"] == "refuse:foreign-game"


def test_the_token_of_the_other_side_is_refused() -> None:
    got = read(mail(to="orders+g17-t04-w7x2@pbem.example.com"))
    assert (got["verdict"], got["lines"]) == ("refuse:wrong-side", [])


@pytest.mark.parametrize("to", ["orders+g17-t04-zzzz@pbem.example.com", "orders@pbem.example.com"])
def test_a_mail_without_a_good_token_is_refused(to: str) -> None:
    assert read(mail(to=to))["verdict"] == "refuse:no-token"


def test_one_address_in_two_games_is_told_apart_by_the_tag() -> None:
    got = read(mail(to="orders+g18-t09-bbbb@pbem.example.com"))
    assert (got["verdict"], got["game"], got["side"]) == ("accept", "G18", "axis")


@pytest.mark.parametrize(
    "results",
    [
        "mx.pbem.example.com; dmarc=fail header.from=mail.example.org",
        "mx.pbem.example.com; dkim=fail header.d=mail.example.org; dmarc=none",
        "mx.pbem.example.com; dkim=fail header.d=mail.example.org; dmarc=pass header.from=mail.example.org",
        "MX.PBEM.EXAMPLE.COM; dmarc=fail header.from=mail.example.org",
        "mx.pbem.example.com; dmarc=(pass) fail header.from=mail.example.org",
        'mx.pbem.example.com; spf=pass smtp.mailfrom="a;dmarc=pass"@x.example; dmarc=fail header.from=mail.example.org',
        "mx.pbem.example.com; ((((",
    ],
)
def test_a_failure_stamped_by_the_own_server_holds_the_orders(results: str) -> None:
    got = read(mail(results=results))
    assert (got["verdict"], got["lines"], got["reply"]) == ("hold:sender-unverified", [], "confirm-to-registered-address")


def test_a_result_that_another_server_claims_is_not_believed() -> None:
    forged = "mx.pbem.example.com; dmarc=fail header.from=mail.example.org\r\nAuthentication-Results: mx.pbem.example.com; dmarc=pass"
    assert read(mail(results=forged))["verdict"] == "hold:sender-unverified"
    assert read(mail(results="mail.example.org; dmarc=pass"), demand_pass=True)["verdict"] == "hold:sender-unverified"
    below = "relay.example.com; dmarc=none\r\nAuthentication-Results: mx.pbem.example.com; dmarc=pass header.from=mail.example.org"
    assert read(mail(results=below), demand_pass=True)["verdict"] == "hold:sender-unverified"


def test_without_results_a_good_token_is_enough_unless_a_pass_is_demanded() -> None:
    assert read(mail(results=""))["verdict"] == "accept"
    assert read(mail(results=""), demand_pass=True)["verdict"] == "hold:sender-unverified"
    assert read(mail(), demand_pass=True)["verdict"] == "accept"


def test_a_mail_that_the_registered_address_confirmed_is_taken() -> None:
    doubted = mail(results="mx.pbem.example.com; dmarc=fail header.from=mail.example.org")
    assert read(doubted, confirmed=["<m1@mail.example.org>"])["verdict"] == "accept"


def test_a_good_token_from_a_new_address_is_held_and_the_registered_one_asked() -> None:
    got = read(mail(sender="ann@new.example.com"))
    assert (got["verdict"], got["game"], got["side"], got["sender"]) == ("hold:sender-unregistered", "G17", "allied", "ann@new.example.com")


def test_a_stranger_is_answered_only_if_it_is_surely_he() -> None:
    proven = "mx.pbem.example.com; dmarc=pass header.from=else.example.com"
    assert read(mail(to="orders@pbem.example.com", sender="eve@else.example.com", results=proven))["verdict"] == "refuse:unknown-sender"
    got = read(mail(to="orders@pbem.example.com", sender="eve@else.example.com", results=""))
    assert (got["verdict"], got["reply"]) == ("drop:unknown-sender", "none")


@pytest.mark.parametrize("sender", ["", "not an address", "a@b.example, ann.carter@mail.example.org", '"ann.carter@mail.example.org" <>'])
def test_one_sender_is_wanted(sender: str) -> None:
    assert read(mail(sender=sender))["verdict"] in ("drop:no-sender", "drop:unknown-sender")


def test_a_second_from_header_is_not_chosen_from() -> None:
    assert read(mail(From=ANN))["verdict"] == "drop:no-sender"


def taken(got: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {**{key: got[key] for key in ("game", "side", "message_id", "digest")}, **more}


def test_a_copy_is_ignored_in_silence_by_whatever_route() -> None:
    seen = [taken(read(mail()))]
    got = read(mail(X_Route="other"), seen=seen)
    assert (got["verdict"], got["reply"], got["lines"]) == ("ignore:duplicate", "none", [])
    assert read(mail(body=ORDERS.replace("\r\n", "\n")), seen=seen)["verdict"] == "ignore:duplicate"


def test_a_copy_is_known_by_the_bytes_of_its_body_by_its_lines_and_by_its_id_alone() -> None:
    got = read(mail())
    for digest in (sha256(ORDERS.encode()), sha256(ORDERS.replace("\r\n", "\n").encode()), sha256(b"MOVE 10B-I TO 0907\nEND")):
        assert read(mail(), seen=[taken(got, digest=digest.hexdigest())])["verdict"] == "ignore:duplicate"
    assert read(mail(), seen=[taken(got, digest=None)])["verdict"] == "ignore:duplicate"
    assert read(mail(), seen=[taken(got, digest="0" * 64)])["verdict"] == "accept"


def test_a_copy_is_known_when_the_turn_is_over() -> None:
    stale = mail(to="orders+g17-t03-p0q1@pbem.example.com")
    assert read(stale, seen=[taken(read(stale))])["verdict"] == "ignore:duplicate"


def test_the_same_id_with_other_words_or_in_another_game_is_no_copy() -> None:
    seen = [taken(read(mail()))]
    assert read(mail(body="MOVE 10B-I TO 0908\r\nEND\r\n"), seen=seen)["verdict"] == "accept"
    assert read(mail(to="orders+g18-t09-bbbb@pbem.example.com"), seen=seen)["verdict"] == "accept"


def test_a_forged_mail_cannot_take_the_place_of_a_real_one() -> None:
    forged = read(mail(results="mx.pbem.example.com; dmarc=fail header.from=mail.example.org"))
    assert forged["verdict"] == "hold:sender-unverified"
    assert read(mail(), seen=[])["verdict"] == "accept"


@pytest.mark.parametrize(
    ("headers", "verdict"),
    [
        ({"Auto_Submitted": "auto-generated (rejected)"}, "drop:auto-reply"),
        ({"Auto_Submitted": "no"}, "accept"),
        ({"X_Autoreply": "yes"}, "drop:auto-reply"),
        ({"Precedence": "auto_reply"}, "drop:auto-reply"),
        ({"Precedence": "bulk"}, "drop:list"),
        ({"List_Id": "<x.example.org>"}, "drop:list"),
        ({"Return_Path": "<>"}, "drop:auto-reply"),
        ({"Subject_": "x"}, "accept"),
    ],
)
def test_robots_are_never_answered(headers: dict[str, str], verdict: str) -> None:
    got = read(mail(**headers))
    assert got["verdict"] == verdict
    assert (got["reply"] == "none") == verdict.startswith("drop")


@pytest.mark.parametrize("subject", ["Automatic reply: turn 4", "Automatische Antwort: Zug 4", "Out of Office: away"])
def test_an_absence_reply_without_any_header_is_known_by_its_subject(subject: str) -> None:
    assert read(mail(subject=subject))["verdict"] == "drop:auto-reply"


def test_our_own_mail_coming_back_is_dropped() -> None:
    assert read(mail(sender="Turn Desk <orders+g17-t04-k3v9@pbem.example.com>"))["verdict"] == "drop:own-mail"


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ("Hello, what shall I do?\r\n", "refuse:no-orders"),
        ("", "refuse:no-orders"),
        ("> MOVE 10B-I TO 0907\r\n> END\r\n", "refuse:quoted-only"),
        ("\r\n-----Original Message-----\r\nFrom: x\r\n\r\nMOVE 10B-I TO 0907\r\nEND\r\n", "refuse:quoted-only"),
        ("fyi\r\n\r\nBegin forwarded message:\r\n\r\nMOVE 10B-I TO 0907\r\nEND\r\n", "refuse:forwarded-only"),
        ("STEP ARIETE\r\n" * 501, "refuse:too-big"),
        ("x" * 500_000, "refuse:too-big"),
        ("\r\n" * 200_001, "refuse:too-big"),
        ("hello\r\n" * 4_001, "refuse:too-big"),
        ("\r\n" * 20_001, "refuse:too-big"),
        ("MOVE A,\r\n" + "B,\r\n" * 600, "refuse:too-big"),
    ],
)
def test_a_mail_without_usable_orders_is_explained(body: str, verdict: str) -> None:
    got = read(mail(body=body))
    assert (got["verdict"], got["lines"], got["reply"], got["side"]) == (verdict, [], "explain", "allied")


@pytest.mark.parametrize(
    ("broken", "where"),
    [
        ([], "the context"),
        ({"server": "mx", "address": "a@b.example", "games": {}}, "games"),
        ({"server": "", "address": "a@b.example"}, "server"),
        ({"server": "mx", "address": "a@b.example", "games": [{"id": "G1", "turn": True, "sides": {}}]}, "games[0].turn"),
        (
            {"server": "mx", "address": "a@b.example", "games": [{"id": "G1", "turn": 1, "sides": {"axis": {"addresses": [3]}}}]},
            "axis.addresses",
        ),
        ({"server": "mx", "address": "a@b.example", "seen": [{"game": "G1"}]}, "seen[0].side"),
    ],
)
def test_a_context_that_is_none_says_where(broken: Any, where: str) -> None:
    with pytest.raises(ContextError) as error:
        read_context(broken)
    assert where in str(error.value)

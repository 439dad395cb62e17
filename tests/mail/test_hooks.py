"""The webhooks: genuine calls of each provider are spooled once, whatever repeats them; anything else is refused and leaves nothing."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.mail.app import create_app, create_hooks_app
from services.mail.config import Config
from services.mail.message import read_message
from tests.mail import hooked
from tests.mail.hooked import NOW, RAW, SERVER, TO, Call, Door

TOP = f"Delivered-To: {TO}\r\n".encode()
DOORS: dict[str, Callable[[], Call]] = {
    "mailgun/mime": hooked.mailgun,
    "postmark": hooked.postmark,
    "sendgrid": hooked.sendgrid,
    "ses": lambda: hooked.sns(hooked.received()),
    "orders": hooked.orders,
}


@pytest.mark.parametrize("hook", DOORS)
def test_a_genuine_call_is_spooled_once_however_often_it_comes(door: Door, hook: str) -> None:
    body, headers = DOORS[hook]()
    assert [door.post(hook, body, headers) for _ in range(3)] == [(200, {"status": "taken"}), *[(200, {"status": "known"})] * 2]
    (raw,) = door.spooled()
    assert raw.startswith(TOP)
    assert b"MOVE 21PZ 0310" in raw


@pytest.mark.parametrize("hook", DOORS)
def test_a_hook_without_its_setting_is_closed(tmp_path: Path, hook: str) -> None:
    door = Door(tmp_path / "spool")
    closed = create_hooks_app(Config(spool=tmp_path / "spool"), door.net, lambda: NOW).test_client()
    body, headers = DOORS[hook]()
    answer = closed.post(f"/v1/hooks/{hook}", data=body, headers=headers)
    assert (answer.status_code, json.loads(answer.data)["code"]) == (404, "no-such-hook")
    assert door.spooled() == []


@pytest.mark.parametrize("hook", ["sendgrid", "orders", "ses"])
def test_one_changed_byte_of_what_is_signed_is_refused(door: Door, hook: str) -> None:
    body, headers = DOORS[hook]()
    at = body.index(b"MOVE") if hook != "ses" else body.index(b'\\"content\\": \\"') + 20
    changed = body[:at] + (b"N" if body[at : at + 1] != b"N" else b"O") + body[at + 1 :]
    status, problem = door.post(hook, changed, headers)
    assert (status, problem["code"]) == (401, "bad-signature")
    assert door.spooled() == []


@pytest.mark.parametrize("hook", DOORS)
def test_without_proof_nothing_is_taken(door: Door, hook: str) -> None:
    body, headers = DOORS[hook]()
    bare = {"Content-Type": headers["Content-Type"]}
    if hook == "mailgun/mime":
        body = hooked.mailgun(signature="0" * 64)[0]
    if hook == "ses":
        body = body.replace(b'"Signature": "', b'"Signature": "AAAA')
    status, problem = door.post(hook, body, bare)
    assert (status, problem["code"]) == (401, "bad-signature")
    assert door.spooled() == []


@pytest.mark.parametrize("hook", ["mailgun/mime", "sendgrid", "orders", "ses"])
@pytest.mark.parametrize("seconds", [2 * 86_400, -3600])
def test_a_call_that_was_signed_long_ago_or_ahead_is_refused(door: Door, hook: str, seconds: float) -> None:
    door.now = NOW + seconds
    status, problem = door.post(hook, *DOORS[hook]())
    assert (status, problem["code"]) == (401, "bad-signature")


@pytest.mark.parametrize("hook", DOORS)
@pytest.mark.parametrize("body", [b"", b"{}", b"[]", b"\xff\x00", b"--xYzZY\r\n", b"a=b&" * 200, b"[" * 5000])
def test_rubbish_is_answered_and_not_taken(door: Door, hook: str, body: bytes) -> None:
    kinds = (
        "application/json",
        "multipart/form-data; boundary=xYzZY",
        "multipart/form-data",
        "application/x-www-form-urlencoded",
        "text/plain",
    )
    for kind in kinds:
        status, _ = door.post(hook, body, {"Content-Type": kind} | DOORS[hook]()[1] | {"Content-Type": kind})
        assert 400 <= status < 500
    assert door.spooled() == []


@pytest.mark.parametrize("hook", DOORS)
def test_a_full_spool_has_the_sender_come_again(door: Door, hook: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.mail.spool.os.fsync", lambda handle: (_ for _ in ()).throw(OSError(28, "No space left")))
    answer = door.client.post(f"/v1/hooks/{hook}", data=DOORS[hook]()[0], headers=DOORS[hook]()[1])
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "300")
    monkeypatch.undo()
    assert door.post(hook, *DOORS[hook]())[1] == {"status": "taken"}


def test_the_bytes_of_a_message_stay_as_they_were(door: Door) -> None:
    """Its charset is Latin-1: nothing on the way takes it for UTF-8."""
    door.post("mailgun/mime", *hooked.mailgun())
    door.post("ses", *hooked.sns(hooked.received()))
    door.post("sendgrid", *hooked.sendgrid())
    plain, *stamped = sorted(door.spooled(), key=len)
    assert plain == TOP + RAW
    assert all(one.endswith(RAW) for one in stamped)


def test_a_call_of_mailguns_as_a_plain_form(door: Door) -> None:
    body, headers = hooked.mailgun()
    fields = dict(zip(["recipient", "timestamp", "token", "signature"], [TO, f"{NOW:.0f}"], strict=False))
    token = "2b90a03befc0b98ae2b641b0080850cada918a2d2f670e0141"
    signature = body.partition(b'name="signature"\r\n\r\n')[2][:64].decode()
    fields |= {"token": token, "signature": signature, "body-mime": RAW.decode("latin-1")}
    text = urlencode(fields, encoding="latin-1").encode()
    assert door.post("mailgun/mime", text, {"Content-Type": "application/x-www-form-urlencoded"})[0] == 200
    assert door.spooled() == [TOP + RAW]
    assert headers["Content-Type"].startswith("multipart/")


def test_a_token_of_mailguns_brings_in_one_message_only(door: Door) -> None:
    """Its signature covers no body: who overheard one call could send another body with it."""
    assert door.post("mailgun/mime", *hooked.mailgun())[1] == {"status": "taken"}
    forged = RAW.replace(b"MOVE 21PZ 0310", b"CONCEDE")
    assert door.post("mailgun/mime", *hooked.mailgun(forged))[1] == {"status": "known"}
    assert door.spooled() == [TOP + RAW]


def test_postmark_with_another_password_is_refused(door: Door) -> None:
    assert door.post("postmark", *hooked.postmark(login="hexpost:another password"))[0] == 401


@pytest.mark.parametrize(
    ("dkim", "stamp"),
    [
        ("{@mail.example.org : pass}", b"dkim=pass header.d=mail.example.org"),
        ("{@other.example : pass, @example.org : pass}", b"dkim=pass header.d=example.org"),
        ("{@mail.example.org : fail}", b"dkim=fail header.d=mail.example.org"),
        ("{@other.example : pass}", None),
        ("none", None),
    ],
)
def test_sendgrids_dkim_counts_for_the_senders_own_domain(door: Door, dkim: str, stamp: bytes | None) -> None:
    door.post("sendgrid", *hooked.sendgrid(dkim=dkim))
    found = read_message(door.spooled()[0]).first("authentication-results")
    assert found == ("" if stamp is None else f"{SERVER}; {stamp.decode()}")


@pytest.mark.bug("W01")
def test_a_signature_is_over_the_bytes_that_came_and_no_others(door: Door) -> None:
    told = f'{{"from":"ann@mail.example.org", "to":"{TO}","text":"MOVE X 0101"}}'
    data = '{"b":1,   "type" : "orders", "a":"ü", "data":' + told + "}"
    body, headers = hooked.signed(data.encode())
    assert json.dumps(json.loads(body)).encode() != body
    assert door.post("orders", body, headers)[0] == 200
    changed = body.replace(b'"b":1,   ', b'"b":1,  ')
    assert door.post("orders", changed, headers)[0] == 401


@pytest.mark.bug("W03")
def test_an_event_that_is_sent_again_with_another_body_is_one_set_of_orders(door: Door) -> None:
    """Each attempt is signed anew and has another time inside; its number is signed too."""
    told = {"from": "ann@mail.example.org", "to": TO, "text": "MOVE X 0101"}
    answers = []
    for attempt in range(3):
        door.now = NOW + 60 * attempt
        body = json.dumps({"type": "orders", "timestamp": f"2026-05-28T20:2{attempt}:00Z", "data": told}).encode()
        answers.append(door.post("orders", *hooked.signed(body, "msg_7", door.now)))
    assert answers == [(200, {"status": "taken"}), (200, {"status": "known"}), (200, {"status": "known"})]
    assert len(door.spooled()) == 1


def test_the_same_orders_under_two_numbers_are_two(door: Door) -> None:
    """DONE in one step and DONE in the next are the same words, and both are meant."""
    for number in ("msg_1", "msg_2"):
        assert door.post("orders", *hooked.orders("DONE", number))[1] == {"status": "taken"}
    ids = [read_message(raw).first("message-id") for raw in door.spooled()]
    assert len(set(ids)) == 2


def test_orders_by_the_generic_hook_are_a_mail_of_the_player_that_the_secret_vouches_for(door: Door) -> None:
    door.post("orders", *hooked.orders("MOVE 21PZ 0310\n# für Ann"))
    mail = read_message(door.spooled()[0])
    assert (mail.first("from"), mail.first("to"), mail.first("subject")) == ("ann@mail.example.org", TO, "orders")
    assert mail.first("authentication-results").startswith(f"{SERVER}; dmarc=pass ")
    assert mail.parts[0].text.splitlines() == ["MOVE 21PZ 0310", "# für Ann"]


def test_a_raw_mail_by_the_generic_hook_is_vouched_for_by_nobody(door: Door) -> None:
    stamp = f"Authentication-Results: {SERVER}; dmarc=pass\r\n".encode()
    data = {"raw": base64.b64encode(stamp + RAW).decode(), "recipient": TO}
    door.post("orders", *hooked.signed(json.dumps({"type": "message", "data": data}).encode()))
    assert door.spooled() == [TOP + b"X-Foreign-" + stamp + RAW]


@pytest.mark.parametrize(
    ("data", "pointer"),
    [
        ({"from": "ann@mail.example.org\r\nBcc: x@y.example"}, "#/data/from"),
        ({"to": "nobody"}, "#/data/to"),
        ({"subject": "a\nb"}, "#/data/subject"),
        ({"subject": "a\u2028b"}, "#/data/subject"),
        ({"subject": "a\u2029b"}, "#/data/subject"),
        ({"subject": "a\x85b"}, "#/data/subject"),
        ({"text": ""}, "#/data/text"),
    ],
)
def test_orders_with_a_fault_are_refused_with_the_place_of_it(door: Door, data: dict[str, str], pointer: str) -> None:
    status, problem = door.post("orders", *hooked.orders(**data))
    assert (status, [one["pointer"] for one in problem["errors"]]) == (422, [pointer])


def test_a_secret_is_changed_without_losing_a_call(tmp_path: Path) -> None:
    door = Door(tmp_path / "spool")
    new = "whsec_" + base64.b64encode(b"n" * 32).decode()
    both = Config(spool=tmp_path / "spool", hooks={"orders": f"{new}, {hooked.SECRET}"})
    client = create_hooks_app(both, door.net, lambda: NOW).test_client()
    for number, secret in (("msg_1", new), ("msg_2", hooked.SECRET)):
        data = json.dumps({"type": "orders", "data": {"from": "a@b.example", "to": TO, "text": "DONE"}}).encode()
        body, headers = hooked.signed(data, number, secret=secret)
        assert client.post("/v1/hooks/orders", data=body, headers=headers).status_code == 200


def test_a_mail_that_is_too_large_is_told_of_and_not_kept(tmp_path: Path) -> None:
    door = Door(tmp_path / "spool")
    small = Config(spool=tmp_path / "spool", hooks={"mailgun": hooked.MAILGUN_KEY}, max_mail=1000)
    body, headers = hooked.mailgun(RAW + b"x" * 1000)
    assert (
        create_hooks_app(small, door.net, lambda: NOW).test_client().post("/v1/hooks/mailgun/mime", data=body, headers=headers).status_code
        == 200
    )
    (raw,) = door.spooled()
    assert f"X-Hexpost-Size: {len(RAW) + 1000}\r\n".encode() in raw
    assert b"MOVE" not in raw


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("HEXPOST_HOOK_POSTMARK", "hexpost:short"),
        ("HEXPOST_HOOK_POSTMARK", ":no user at all"),
        ("HEXPOST_HOOK_SENDGRID", "no key"),
        ("HEXPOST_HOOK_SENDGRID", base64.b64encode(b"no key").decode()),
        ("HEXPOST_HOOK_SES", "orders"),
        ("HEXPOST_HOOK_ORDERS", "whsec_c2hvcnQ="),
        ("HEXPOST_HOOK_MAILGUN", "short"),
        ("HEXPOST_MAX_MAIL", "many"),
    ],
)
def test_a_setting_that_proves_nothing_keeps_the_service_from_starting(name: str, value: str) -> None:
    with pytest.raises(ValueError, match=name):
        Config.from_env({name: value})


@given(st.sampled_from(sorted(DOORS)), st.integers(0, 10**6), st.binary(max_size=6), st.integers(0, 8))
@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_damaged_call_is_never_our_fault(door: Door, hook: str, at: int, put: bytes, cut: int) -> None:
    """Whatever was changed on the way, the answer is a yes or a refusal; the same of what is signed anew with it inside."""
    body, headers = DOORS[hook]()
    at %= len(body)
    damaged = body[:at] + put + body[at + cut :]
    signed = {
        "orders": lambda: hooked.signed(damaged),
        "sendgrid": lambda: (damaged, headers | hooked.sendgrid_signature(damaged, f"{NOW:.0f}")),
    }
    for call in ((damaged, headers), signed.get(hook, lambda: (damaged, headers))()):
        assert door.post(hook, *call)[0] in (200, 400, 401, 403, 415, 422, 502)


@pytest.mark.parametrize("odd", ["\\ud800", "\\u0000", "\\udfff\\ud800"])
def test_odd_characters_in_json_are_answered(door: Door, odd: str) -> None:
    body, headers = hooked.postmark()
    assert door.post("postmark", body.replace(b"MOVE 21PZ 0310\\r", f"MOVE {odd}\\r".encode()), headers)[0] in (200, 400)
    told = b'{"type":"orders","data":{"from":"ann@mail.example.org","to":"' + TO.encode() + f'","text":"{odd}"}}}}'.encode()
    assert door.post("orders", *hooked.signed(told))[0] in (200, 400)
    notified = hooked.sns("MESSAGE")[0].replace(b"MESSAGE", odd.encode())
    assert door.post("ses", notified, {})[0] in (400, 401)


def test_the_public_door_has_nothing_but_hooks(door: Door) -> None:
    client = create_hooks_app(door.config).test_client()
    whole = {str(rule) for rule in create_app(door.config).url_map.iter_rules()}
    assert {f"/v1/hooks/{hook}" for hook in DOORS} <= whole
    paths = {str(rule) for rule in client.application.url_map.iter_rules()}
    assert {path for path in paths if path.startswith("/v1/")} == {f"/v1/hooks/{hook}" for hook in (*DOORS, "mailgun", "discord")}
    assert client.post("/v1/messages/read").status_code == 401
    assert client.get("/v1/spool").status_code == 401
    assert client.post("/v1/hooks/postmark").status_code == 401

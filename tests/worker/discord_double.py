"""A double of Discord: it signs interactions, waits three seconds for an answer, and takes follow-ups within its documented limits."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from flask.testing import FlaskClient

from worker.bots.calling import Answer
from worker.canonical import Json

BASE = "https://discord.com/api/v10/webhooks"
APPLICATION = "4242"
EPOCH = 1_420_070_400
PATIENCE = 3.0
LIFE = 900
"""Seconds for which the token of an interaction is good."""
BUCKET = (5, 2.0)
"""Calls of one webhook in so many seconds."""


@dataclass
class Thread:
    """An interaction as its giver sees it. ``answer``: what came at once; ``messages``: what he was shown after that."""

    at: float
    answer: Json
    seconds: float
    messages: list[Json] = field(default_factory=list)
    pictures: list[bytes] = field(default_factory=list)


class Discord:
    """``now``: seconds since 1970, set by the test. ``down``: it answers 500; ``gone``: it knows no interaction any more;
    ``says``: what it answers to all.
    """

    def __init__(self, door: FlaskClient, now: float) -> None:
        self.door = door
        self.now = now
        self.down = False
        self.gone = False
        self.says: Answer | None = None
        self.key = Ed25519PrivateKey.generate()
        self.threads: dict[str, Thread] = {}
        self.refused: list[str] = []
        self._calls: list[float] = []
        self._count = 0

    @property
    def public_key(self) -> str:
        return self.key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()

    def signed(self, body: bytes, at: float | None = None) -> Any:
        """Call the endpoint as Discord does."""
        stamp = str(int(self.now if at is None else at))
        headers = {"X-Signature-Ed25519": self.key.sign(stamp.encode() + body).hex(), "X-Signature-Timestamp": stamp}
        return self.door.post("/v1/hooks/discord", data=body, content_type="application/json", headers=headers)

    def give(self, user: str, name: str, text: str | None = None, **options: str) -> Thread:
        """A user gives a command, or fills in its form with ``text``."""
        number, token = self._named()
        data: Json = {"name": name, "options": [{"name": key, "type": 3, "value": value} for key, value in options.items()]}
        if text is not None:
            row = {"type": 1, "components": [{"type": 4, "custom_id": "text", "value": text}]}
            data = {"custom_id": f"{name}:{options.get('game', '')}", "components": [row]}
        return self._sent(number, token, user, 2 if text is None else 5, data)

    def press(self, user: str, thread: Thread) -> Json:
        """A user presses the one button of an answer: the form that opens."""
        shown = thread.messages[-1]
        ((button,),) = (row["components"] for row in shown["components"])
        data = {"component_type": 2, "custom_id": button["custom_id"]}
        answer = self._sent(*self._named(), user, 3, data, {"message": {"id": "5", "content": shown["content"]}}).answer
        assert answer["type"] == 9
        return answer["data"]

    def fill_in(self, user: str, form: Json, text: str) -> Thread:
        """A user sends a form off with this text."""
        row = {"type": 1, "components": [{"type": 4, "custom_id": "text", "value": text}]}
        return self._sent(*self._named(), user, 5, {"custom_id": form["custom_id"], "components": [row]})

    def _named(self) -> tuple[str, str]:
        self._count += 1
        return str((int((self.now - EPOCH) * 1000) << 22) + self._count), f"token-{self._count}"

    def _sent(self, number: str, token: str, user: str, kind: int, data: Json, more: Json = None) -> Thread:
        body = {"id": number, "application_id": APPLICATION, "type": kind, "token": token, "version": 1}
        body |= {"data": data, "member": {"user": {"id": user, "username": "Somebody"}}, "channel_id": "77"} | (more or {})
        began = monotonic()
        answer = self.signed(json.dumps(body).encode())
        assert answer.status_code == 200, answer.text
        fault = form_fault(answer.json["data"]) if answer.json["type"] == 9 else ""
        assert not fault, fault
        self.threads[token] = thread = Thread(self.now, answer.json, monotonic() - began)
        assert thread.seconds < PATIENCE, "the interaction is lost"
        self.last = body
        return thread

    def __call__(self, method: str, url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        """A follow-up (``followups.Send``)."""
        if self.down:
            return Answer(500, b"")
        if self.says is not None:
            return self.says
        application, token, *rest = url.removeprefix(BASE + "/").split("/")
        thread = self.threads.get(token)
        if not re.match(r"DiscordBot \(https?://[^ ,]+, [0-9a-z.]+\)", headers.get("User-Agent", "")):
            self.refused.append("nameless")
            return Answer(403, b"")
        if self.gone or application != APPLICATION or thread is None or self.now > thread.at + LIFE:
            return Answer(404, b'{"code": 10015, "message": "Unknown Webhook"}')
        most, seconds = BUCKET
        self._calls = [one for one in self._calls if one > self.now - seconds]
        if len(self._calls) >= most:
            self.refused.append("rate")
            return Answer(429, json.dumps({"retry_after": self._calls[0] + seconds - self.now, "global": False}).encode())
        self._calls.append(self.now)
        message, picture = _parsed(body, headers["Content-Type"])
        fault = self._fault(thread, method, rest, message, picture)
        if fault:
            self.refused.append(fault)
            return Answer(400, fault.encode())
        thread.messages.append(message)
        thread.pictures += [picture] if picture else []
        left = {"x-ratelimit-remaining": str(most - len(self._calls)), "x-ratelimit-reset-after": str(seconds)}
        return Answer(200, b'{"id": "1"}', left)

    @staticmethod
    def _fault(thread: Thread, method: str, rest: list[str], message: Json, picture: bytes) -> str:
        """What is against the documents in a message; empty: nothing."""
        first = not thread.messages
        if first and (method, rest) != ("PATCH", ["messages", "@original"]):
            return "the answer that was put off is edited first"
        if not first and (method, rest) != ("POST", []):
            return "what follows is posted"
        if not first and message.get("flags") != 64:
            return "not for the giver's eyes alone"
        if not message["content"] or len(message["content"].encode("utf-16-le")) // 2 > 2000:
            return "content"
        for one in (one for row in message.get("components", []) for one in row["components"]):
            if (one["type"], len(one["label"]) <= 80, len(one["custom_id"]) <= 100) != (2, True, True):
                return "button"
        if len(picture) > 10_000_000 or (picture and message["attachments"][0]["filename"] != "map.png"):
            return "attachment"
        return ""


def form_fault(form: Json) -> str:
    """What is against the documents in a form; empty: nothing."""
    fields = [one for row in form["components"] for one in row["components"]]
    if not (1 <= len(form["components"]) <= 5 and all(row["type"] == 1 and len(row["components"]) == 1 for row in form["components"])):
        return "rows"
    if not (1 <= len(form["title"]) <= 45 and 1 <= len(form["custom_id"]) <= 100):
        return "title"
    if not all(one["type"] == 4 and one["style"] in (1, 2) and 1 <= len(one["label"]) <= 45 for one in fields):
        return "label"
    if not all(1 <= one["max_length"] <= 4000 and len(one.get("value", "")) <= 4000 for one in fields):
        return "text"
    return ""


def _parsed(body: bytes, kind: str) -> tuple[Json, bytes]:
    if kind == "application/json":
        return json.loads(body), b""
    edge = kind.partition("boundary=")[2].encode()
    start, described, picture, end = body.split(b"--" + edge)
    assert (start, end) == (b"", b"--\r\n")
    heads, _, payload = described.partition(b"\r\n\r\n")
    assert b'name="payload_json"' in heads
    heads, _, data = picture.partition(b"\r\n\r\n")
    assert b'name="files[0]"' in heads
    return json.loads(payload), data[:-2]

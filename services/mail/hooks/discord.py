"""Discord's interactions: the signature is checked over the bytes that came, then the caller is answered at once; the work is the worker's.

A command that asks for text is answered with a form to write it in; every other one, and a form that was filled in, is spooled and its
answer put off. All answers are for the giver's eyes alone: something may be hidden from whoever else reads the channel.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from services.mail.hooks.common import Call, Delivery, check_age, json_object, refused, unusable, whole_number

Json = Any
TOLERANCE = 300.0
PING, COMMAND, FORM = 1, 2, 5
PONG, DEFERRED, ASK = 1, 5, 9
EPHEMERAL = 64
MOST_TEXT = 4000
"""Characters of a text in a form: Discord takes no more."""
FORMS: Mapping[str, str] = MappingProxyType({"orders": "Orders", "check": "Orders to try"})
"""Commands that ask for text -> the title of the form."""


@dataclass(frozen=True, slots=True)
class Interaction:
    """``answer``: what Discord is told now; ``delivery``: what is spooled before that, if anything is."""

    answer: Json
    delivery: Delivery | None = None


def public_key(text: str) -> Ed25519PublicKey:
    """The key of an application, 64 hex digits. ValueError if it is none."""
    return Ed25519PublicKey.from_public_bytes(bytes.fromhex(text))


def read(call: Call, key: str) -> Interaction:
    """What a call leads to. ``key``: the application's. Problem 401 if it is not signed with it, 400 or 422 if it is no interaction."""
    stamp = call.headers.get("x-signature-timestamp", "")
    try:
        public_key(key).verify(bytes.fromhex(call.headers.get("x-signature-ed25519", "")), stamp.encode() + call.body)
    except (InvalidSignature, ValueError):
        raise refused("The signature is not Discord's over this body.") from None
    check_age(whole_number(stamp), call.now, TOLERANCE)
    found = json_object(call.body)
    if found.get("type") == PING:
        return Interaction({"type": PONG})
    data, number = found.get("data"), found.get("id")
    if found.get("type") not in (COMMAND, FORM) or not isinstance(data, dict) or not (isinstance(number, str) and number.isdecimal()):
        raise unusable("This is neither a command nor a form.")
    if found["type"] == COMMAND and data.get("name") in FORMS:
        return Interaction(_form(str(data["name"]), _game(data)))
    return Interaction({"type": DEFERRED, "data": {"flags": EPHEMERAL}}, Delivery(number.encode(), call.body))


def _game(data: Mapping[str, Json]) -> str:
    options = data.get("options")
    named = [one for one in options if isinstance(one, dict) and one.get("name") == "game"] if isinstance(options, list) else []
    return str(named[0].get("value", ""))[:32] if named else ""


def _form(name: str, game: str) -> Json:
    field = {"type": 4, "custom_id": "text", "style": 2, "label": "An order a line", "max_length": MOST_TEXT, "required": True}
    data = {"custom_id": f"{name}:{game}", "title": FORMS[name], "components": [{"type": 1, "components": [field]}]}
    return {"type": ASK, "data": data}

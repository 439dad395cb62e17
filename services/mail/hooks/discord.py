"""Discord's interactions: the signature is checked over the bytes that came, then the caller is answered at once; the work is the worker's.

A command that asks for text, or the button below a list, is answered with a form to write it in; every other command, and a form that
was filled in, is spooled and its answer put off. All answers are for the giver's eyes alone: something may be hidden from whoever else
reads the channel.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from services.mail.hooks.common import Call, Delivery, check_age, json_object, refused, unusable, whole_number
from services.mail.wording import Wording, load_wording

Json = Any
TOLERANCE = 300.0
PING, COMMAND, BUTTON, FORM = 1, 2, 3, 5
PONG, DEFERRED, ASK = 1, 5, 9
EPHEMERAL = 64
MOST_TEXT = 4000
"""Characters of a text in a form: Discord takes no more."""
MOST_TITLE = 45
"""Characters of the title of a form, and of the label of its text."""
FORMS: Mapping[str, str] = MappingProxyType({"orders": "form-orders", "check": "form-check"})
"""Commands that ask for text -> the title of the form, by its key in the wording's table ``chat``."""
LIST = "standing:"
"""How the button below the list of standing orders is known (worker/discord/standing.py)."""
_SHOWN = re.compile(r"```\n(.*?)\n?```", re.DOTALL)


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
    if not isinstance(number, str) or not re.fullmatch(r"[0-9]{1,20}", number):
        raise unusable("This has no number.")
    if found.get("type") not in (COMMAND, BUTTON, FORM) or not isinstance(data, dict):
        raise unusable("This is neither a command nor a form.")
    if found["type"] == COMMAND and str(data.get("name")) in FORMS:
        return Interaction(_form(f"{data['name']}:{_game(data)}", FORMS[str(data["name"])], "form-lines"))
    if found["type"] == BUTTON:
        return Interaction(_list_form(data, found.get("message")))
    return Interaction({"type": DEFERRED, "data": {"flags": EPHEMERAL}}, Delivery(number.encode(), call.body))


def _game(data: Mapping[str, Json]) -> str:
    options = data.get("options")
    named = [one for one in options if isinstance(one, dict) and one.get("name") == "game"] if isinstance(options, list) else []
    return str(named[0].get("value", ""))[:32] if named else ""


def _form(name: str, title: str, label: str, **more: Json) -> Json:
    """The answer that opens a form. ``name``: comes back with it; ``title``, ``label``: by their keys."""
    heading, above = (str(words().find("chat", key))[:MOST_TITLE] for key in (title, label))
    field = {"type": 4, "custom_id": "text", "style": 2, "label": above, "max_length": MOST_TEXT, "required": True} | more
    return {"type": ASK, "data": {"custom_id": name, "title": heading, "components": [{"type": 1, "components": [field]}]}}


def _list_form(data: Mapping[str, Json], message: Json) -> Json:
    """The form for a list: it has the lines that the message shows above its button. Problem 422 if the button is none of ours."""
    name = data.get("custom_id")
    if not (isinstance(name, str) and name.startswith(LIST)):
        raise unusable("This is no button of ours.")
    content = message.get("content") if isinstance(message, dict) else ""
    shown = _SHOWN.search(content if isinstance(content, str) else "")
    return _form(name, "form-standing", "form-standing-lines", required=False, **({"value": shown[1][:MOST_TEXT]} if shown else {}))


def words() -> Wording:
    """Those of the forms."""
    return load_wording("en", "")

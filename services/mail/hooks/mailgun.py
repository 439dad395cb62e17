"""Mailgun, a route's ``forward("https://.../v1/hooks/mailgun/mime")``: a form with the raw message in ``body-mime``.

Where the URL does not end in ``mime`` there are the parts of the message, and it is put together from them: its signature proves nothing.

The signature is over ``timestamp`` and ``token`` alone, and a token is good once: it numbers the delivery, so what was signed for one
message cannot bring in another.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Mapping

from services.http import decode
from services.mail.hooks.built import MAX_HEADERS, built
from services.mail.hooks.common import Call, Delivery, File, check_age, form_fields, refused, text, unusable, whole_number


def read(call: Call, key: str) -> Delivery:
    """The message of a call. ``key``: the webhook signing key. Problem 401 if it was not signed with that, 422 if no message can be made
    of it.
    """
    files: list[File] = []
    fields = form_fields(call, files)
    stamp, token, signature = (text(fields, name) for name in ("timestamp", "token", "signature"))
    wanted = hmac.new(key.encode(), (stamp + token).encode(), hashlib.sha256).hexdigest()
    if not (token and hmac.compare_digest(signature.encode(), wanted.encode())):
        raise refused("The signature is not Mailgun's for this timestamp and token.")
    check_age(whole_number(stamp), call.now)
    if "body-mime" not in fields and "message-headers" not in fields:
        raise unusable("There is no body-mime: let the URL of the route end in /mime, then Mailgun sends the raw message.")
    recipients = tuple(one.strip() for one in text(fields, "recipient").split(","))
    raw = fields["body-mime"] if "body-mime" in fields else _from_parts(fields, files)
    return Delivery(token.encode(), raw, recipients)


def _from_parts(fields: Mapping[str, bytes], files: Iterable[File]) -> bytes:
    found = decode(fields["message-headers"])
    if not isinstance(found, list) or not all(isinstance(one, list) and len(one) == 2 for one in found):
        raise unusable("message-headers is no list of names and values.")
    headers = [(str(name), str(value)) for name, value in found[:MAX_HEADERS]]
    return built(headers, text(fields, "body-plain"), text(fields, "body-html"), files)

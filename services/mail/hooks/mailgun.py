"""Mailgun, a route's ``forward("https://.../v1/hooks/mailgun/mime")``: a form with the raw message in ``body-mime``.

The signature is over ``timestamp`` and ``token`` alone, and a token is good once: it numbers the delivery, so what was signed for one
message cannot bring in another.
"""

from __future__ import annotations

import hashlib
import hmac

from services.mail.hooks.common import Call, Delivery, check_age, form_fields, refused, text, unusable, whole_number


def read(call: Call, key: str) -> Delivery:
    """The message of a call. ``key``: the webhook signing key. Problem 401 if it was not signed with that, 422 without a raw message."""
    fields = form_fields(call)
    stamp, token, signature = (text(fields, name) for name in ("timestamp", "token", "signature"))
    wanted = hmac.new(key.encode(), (stamp + token).encode(), hashlib.sha256).hexdigest()
    if not (token and hmac.compare_digest(signature.encode(), wanted.encode())):
        raise refused("The signature is not Mailgun's for this timestamp and token.")
    check_age(whole_number(stamp), call.now)
    if "body-mime" not in fields:
        raise unusable("There is no body-mime: let the URL of the route end in /mime, then Mailgun sends the raw message.")
    recipients = tuple(one.strip() for one in text(fields, "recipient").split(","))
    return Delivery(token.encode(), fields["body-mime"], recipients)

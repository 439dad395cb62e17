"""The webhooks under ``/v1/hooks``: who calls proves it, then the message is spooled, then he is told yes. A caller is never told more.

Each hook is open only where its setting is there. What a hook reads is one function of the call's bytes in the file of its name.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import requests
from flask import Response, current_app, request
from marshmallow import Schema, fields

from services.http import Endpoints, Problem, encode
from services.mail.config import Config
from services.mail.hooks import discord, mailgun, orders, postmark, sendgrid, ses
from services.mail.hooks.common import Call, Delivery
from services.mail.spool import Spool, SpoolFull
from services.mail.trace import traced

PUBLIC = "/v1/hooks/"
MOST_CERTIFICATES = 20
MOST_FETCHED = 100_000
"""Bytes of a certificate, or of the answer to a confirmation."""
Reader = Callable[[Call, str], Delivery | None]


class TakenAnswer(Schema):
    """What a caller is told."""

    status = fields.String(required=True, metadata={"description": "taken; known: it was here already; confirmed: a subscription"})


def readers(server: str, fetch: ses.Fetch) -> Mapping[str, Reader]:
    """Hook -> what reads its calls with its setting."""
    return {
        "mailgun": mailgun.read,
        "postmark": postmark.read,
        "sendgrid": sendgrid.read,
        "ses": lambda call, topics: ses.read(call, topics, fetch),
        "orders": lambda call, secrets: orders.read(call, secrets, server),
    }


def hooks_api(config: Config, spool: Spool | None, fetch: ses.Fetch | None = None, now: Callable[[], float] = time.time) -> Endpoints:
    """The blueprint of the webhooks. ``spool`` None: there is no place to keep anything, and every hook is closed."""
    api = Endpoints("hooks", __name__, url_prefix="/v1/hooks", description="Messages in, from mail providers and programs")
    reading = readers(config.server, fetch or Fetcher())

    def take(name: str) -> Any:
        setting = config.hooks.get(name)
        if spool is None or not setting:
            raise Problem(404, "no-such-hook", f"The hook {name} is not open here: its setting is empty.")
        call = Call(request.get_data(), {key.lower(): value for key, value in request.headers.items()}, now())
        try:
            found = reading[name](call, setting)
        except Problem as problem:
            current_app.logger.warning("hook %s refused: %s %s", name, problem.status, problem.code)
            raise
        if found is None:
            return {"status": "confirmed"}
        raw = traced(found.raw, config.server, found.recipients, found.results, limit=config.max_mail)
        try:
            new = spool.put(name, found.number, raw)
        except (SpoolFull, OSError) as error:
            current_app.logger.error("hook %s: a message could not be spooled: %s", name, error)
            return Problem(503, "spool-full", "The message cannot be kept now; deliver it again later.").response({"Retry-After": "300"})
        return {"status": "taken" if new else "known"}

    @api.call("POST", "/mailgun/mime", gives=TakenAnswer)
    def hooks_mailgun() -> Any:
        """A raw message from a route of Mailgun's."""
        return take("mailgun")

    @api.call("POST", "/mailgun", gives=TakenAnswer)
    def hooks_mailgun_parsed() -> Any:
        """A message of a route of Mailgun's that takes it apart."""
        return take("mailgun")

    @api.call("POST", "/postmark", gives=TakenAnswer)
    def hooks_postmark() -> Any:
        """A raw message from Postmark's inbound webhook."""
        return take("postmark")

    @api.call("POST", "/sendgrid", gives=TakenAnswer)
    def hooks_sendgrid() -> Any:
        """A raw message from SendGrid's Inbound Parse."""
        return take("sendgrid")

    @api.call("POST", "/ses", gives=TakenAnswer)
    def hooks_ses() -> Any:
        """A raw message from Amazon SES by SNS, or the confirmation of a subscription."""
        return take("ses")

    @api.call("POST", "/orders", gives=TakenAnswer)
    def hooks_orders() -> Any:
        """Orders or a raw mail from a program of the operator's, signed after Standard Webhooks."""
        return take("orders")

    return api


def discord_api(config: Config, spool: Spool | None, now: Callable[[], float] = time.time) -> Endpoints:
    """The blueprint of Discord's interactions, which want an answer of their own kind."""
    discord.words()  # read before the first command: it is answered within its second
    api = Endpoints("discord", __name__, url_prefix="/v1/hooks", description="Commands from Discord")

    @api.call("POST", "/discord", content_type="application/json")
    def hooks_discord() -> Any:
        """An interaction of Discord's: answered at once, carried out later."""
        key = config.hooks.get("discord")
        if spool is None or not key:
            raise Problem(404, "no-such-hook", "The hook discord is not open here: its setting is empty.")
        call = Call(request.get_data(), {name.lower(): value for name, value in request.headers.items()}, now())
        found = discord.read(call, key)
        try:
            if found.delivery is not None:
                spool.put("discord", found.delivery.number, found.delivery.raw)
        except (SpoolFull, OSError) as error:
            current_app.logger.error("hook discord: an interaction could not be spooled: %s", error)
            return Problem(503, "spool-full", "The interaction cannot be kept now.").response()
        return Response(encode(found.answer), mimetype="application/json")

    return api


class Fetcher:
    """``ses.Fetch`` over the network; certificates are kept, for SNS signs many messages with one."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def __call__(self, url: str) -> bytes:
        if url in self._kept:
            return self._kept[url]
        with requests.get(url, timeout=(3.05, 10), allow_redirects=False, stream=True) as answer:
            content = answer.raw.read(MOST_FETCHED + 1, decode_content=True)
        if answer.status_code != 200 or len(content) > MOST_FETCHED:
            raise OSError(f"HTTP {answer.status_code}, {len(content)} bytes")
        if url.endswith(".pem") and len(self._kept) < MOST_CERTIFICATES:
            self._kept[url] = content
        return bytes(content)

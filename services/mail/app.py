"""The mail service as a Flask application, and its public door alone, for a process that strangers can reach."""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib.metadata import version

from flask import Flask

from services.http import Endpoints, create_service
from services.mail.api import mail_api, spool_api
from services.mail.config import Config
from services.mail.hooks.api import PUBLIC, discord_api, hooks_api
from services.mail.hooks.ses import Fetch
from services.mail.report import templates
from services.mail.signatures import Resolve, resolver
from services.mail.spool import Spool
from services.mail.wording import all_words
from services.mail.words_api import words_api


def create_app(config: Config, resolve: Resolve | None = None) -> Flask:
    """The service. Its words and templates are read here and never again. ValueError, naming the file, if one is at fault.

    ``resolve``: looks up the keys of DKIM signatures, where a mail is to be checked here; by default the name servers of this machine do.
    """
    all_words()
    templates()
    spool = _spool(config)
    calls = [mail_api(resolve or resolver()), words_api(), spool_api(spool)]
    return _service("hexpost mail", config, [*calls, hooks_api(config, spool), discord_api(config, spool)])


def create_hooks_app(config: Config, fetch: Fetch | None = None, now: Callable[[], float] = time.time) -> Flask:
    """The webhooks and nothing else, over the same spool.

    ``fetch``: gets what a notification of SNS names; over the network where none is given. ``now``: seconds since 1970.
    """
    spool = _spool(config)
    return _service("hexpost hooks", config, [hooks_api(config, spool, fetch, now), discord_api(config, spool, now)])


def _service(title: str, config: Config, blueprints: list[Endpoints]) -> Flask:
    limits = config.max_body, config.token
    return create_service(title, version("hexpost"), blueprints, ready=list, max_body=limits[0], token=limits[1], public=(PUBLIC,))


def _spool(config: Config) -> Spool | None:
    return None if config.spool is None else Spool(config.spool)

"""The mail service as a Flask application."""

from __future__ import annotations

from importlib.metadata import version

from flask import Flask

from services.http import create_service
from services.mail.api import mail_api
from services.mail.config import Config
from services.mail.report import templates
from services.mail.signatures import Resolve, resolver
from services.mail.wording import all_words


def create_app(config: Config, resolve: Resolve | None = None) -> Flask:
    """The service. Its words and templates are read here and never again. ValueError, naming the file, if one is at fault.

    ``resolve``: looks up the keys of DKIM signatures, where a mail is to be checked here; by default the name servers of this machine do.
    """
    all_words()
    templates()
    return create_service(
        "hexpost mail", version("hexpost"), [mail_api(resolve or resolver())], ready=list, max_body=config.max_body, token=config.token
    )

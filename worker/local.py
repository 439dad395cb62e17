"""The one place where services and worker meet in a process: the services as WSGI applications, called without a network.

Gunicorn takes its applications from here too (``worker.local:rules_app()``), and ``python -m worker.local`` listens for LMTP.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from worker.clients import MailClient, RenderClient, RulesClient
from worker.ports import ServiceFailed

if TYPE_CHECKING:
    from flask import Flask


def rules_app(*, guarded: bool = True, overlays: Path | None = None) -> Flask:
    """The rules service, settings from the environment. ``guarded`` False: without its token, for calls from this process.

    ``overlays``: the owner's; without them those that the environment names.
    """
    from services.rules.app import create_app
    from services.rules.config import Config

    config = Config.from_env()
    config = replace(config, overlays=overlays or config.overlays)
    return create_app(config if guarded else replace(config, token=None))


def mail_app(*, guarded: bool = True) -> Flask:
    """The mail service, as ``rules_app``."""
    from services.mail.app import create_app
    from services.mail.config import Config

    config = Config.from_env()
    return create_app(config if guarded else replace(config, token=None))


def hooks_app() -> Flask:
    """The webhooks of the mail service alone, settings from the environment."""
    from services.mail.app import create_hooks_app
    from services.mail.config import Config

    return create_hooks_app(Config.from_env())


def render_app(*, guarded: bool = True, overlays: Path | None = None) -> Flask:
    """The render service, as ``rules_app``."""
    from services.render.app import create_app
    from services.render.config import Config

    config = Config.from_env()
    config = replace(config, overlays=overlays or config.overlays)
    return create_app(config if guarded else replace(config, token=None))


def check_service(name: str, env: Mapping[str, str]) -> None:
    """ConfigError where the environment keeps a service (``rules``, ``mail`` or ``render``) or a door of one (``hooks``, ``lmtp``) from
    starting: the secret of a webhook that can prove nothing, say.
    """
    from worker.config import ConfigError

    try:
        found: Any = _reader(name)(env)
    except ValueError as error:
        raise ConfigError(f"{error}.") from None
    overlays = getattr(found, "overlays", None)
    if overlays is not None and not overlays.is_dir():
        raise ConfigError(f"Setting overlays: there is no folder {overlays}.")


def _reader(name: str) -> Callable[[Mapping[str, str]], object]:
    if name == "rules":
        from services.rules.config import Config as RulesConfig

        return RulesConfig.from_env
    if name == "render":
        from services.render.config import Config as RenderConfig

        return RenderConfig.from_env
    from services.mail.config import Config as MailConfig

    return MailConfig.from_env


class AppCall:
    """Calls a Flask application in this process (``clients.Call``)."""

    def __init__(self, app: Flask) -> None:
        self._app = app

    def __call__(self, method: str, path: str, body: bytes | None) -> tuple[int, bytes]:
        keywords: dict[str, Any] = {} if body is None else {"data": body, "content_type": "application/json"}
        answer = self._app.test_client().open(path, method=method, **keywords)
        return answer.status_code, answer.data


def local_rules() -> RulesClient:
    """The rules service in this process."""
    return RulesClient(AppCall(rules_app(guarded=False, overlays=overlays_here())))


def local_mail() -> MailClient:
    """The mail service in this process. ServiceFailed where its words or templates are at fault."""
    with _begins("mail"):
        return MailClient(AppCall(mail_app(guarded=False)))


def local_render() -> RenderClient:
    """The render service in this process. ServiceFailed where its style sheets or fonts are at fault."""
    with _begins("render"):
        return RenderClient(AppCall(render_app(guarded=False, overlays=overlays_here())))


@contextmanager
def _begins(name: str) -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        raise ServiceFailed(f"The {name} service cannot start: {error}.") from error


def overlays_here() -> Path | None:
    """The overlays that the settings of the current folder name. ConfigError if the settings cannot be used."""
    from worker.config import Config

    found = Config.load().overlays
    return Path(found) if found else None


def check_scenarios(name: str | None, overlays: Path | None = None) -> list[str]:
    """Every fault of the package of ``name`` (a game or a scenario; None: of all) and its overlay, as ``file:line: reason``."""
    from scenarios.check import check
    from scenarios.loader import load_games, package_keys

    keys = package_keys()
    game, _, scenario = (name or "").partition("/")
    if name is not None and game not in keys:
        return [f"There is no package {game[:60]!r}; there are: {', '.join(keys)}."]
    faults = [str(fault) for fault in check(None, None if name is None else game, overlays)]
    if not faults and scenario:
        found = load_games(None, overlays)[game]
        if scenario not in found.scenarios:
            faults.append(f"{found.title} has no scenario {scenario[:60]!r}; it has: {', '.join(found.scenarios)}.")
    return faults


def run_lmtp() -> None:
    """Listen for LMTP by the settings of the environment, until SIGTERM or SIGINT."""
    import asyncio

    from services.mail import lmtp
    from services.mail.config import Config as MailConfig
    from worker.config import Config
    from worker.hosting.processes import CannotServe, begin
    from worker.logs import set_up_logging

    def listen() -> None:
        try:
            found = MailConfig.from_env()
        except ValueError as error:
            raise CannotServe(f"{error}.") from None
        try:
            asyncio.run(lmtp.run(found))
        except OSError as error:
            raise CannotServe(f"Nothing can listen at {config.lmtp}: {(error.strerror or str(error)).lower()}.") from None

    config = Config.load()
    set_up_logging(config)
    begin(listen)


if __name__ == "__main__":
    run_lmtp()

"""The players' API as a Flask application. Who calls proves it by a token (worker/bots/programs.py), and sees what its side may see."""

from __future__ import annotations

import logging
from collections.abc import Callable
from importlib.metadata import version

from flask import Flask, Response, g, request
from redis import RedisError

from services.http import Endpoints, Problem, create_service
from worker.api.calls import games_api, listeners_api, me_api, tokens_api
from worker.api.limits import Counts, Limit, Shared
from worker.app import create_app, make_parts
from worker.bots import programs
from worker.config import Config
from worker.hosting.beats import beat
from worker.ports import Ports, ServiceDown, ServiceFailed, ServiceRefused
from worker.store.database import answers

Ring = Callable[[str, int], None]
"""Says that a game has a mail to be handled."""
MOST_BODY = 300_000
WRONG_MINUTE = 30
"""Codes that are worth nothing and told so in a minute, to all callers together. A good one is always taken."""
HEADERS = {"Cache-Control": "private, no-store", "X-Robots-Tag": "noindex, nofollow", "X-Content-Type-Options": "nosniff"}
log = logging.getLogger("hexpost.api")


def players_app(ports: Ports, ring: Ring, limit: Counts | None = None, codes: Counts | None = None) -> Flask:
    """The application. ``ring``: told of each mail that was entered; ``limit``: of each token; ``codes``: of wrong codes."""
    often, wrong = limit or Limit(ports.config.api_minute), codes or Limit(WRONG_MINUTE)

    def known() -> None:
        """Whose call it is; a Problem if it is nobody's."""
        kind, _, token = request.headers.get("Authorization", "").partition(" ")
        found = programs.find(ports.journal, token.strip()) if kind.lower() == "bearer" else None
        if found is None:
            raise Problem(401, "no-token", "Send the token of a player: Authorization: Bearer hxp_...; this is none, or not any more.")
        _patient(often.wait(found.mark))
        if (request.view_args or {}).get("game", found.game).upper() != found.game.upper():
            raise Problem(404, "no-such-game", f"The token is for {found.game} alone.")
        g.program = found

    theirs = [games_api(ports, ring), listeners_api(ports), me_api()]
    for one in theirs:
        one.before_request(known)
    return _service(ports, [*theirs, tokens_api(ports, lambda: _patient(wrong.wait("codes")))])


def _patient(wait: int) -> None:
    if wait:
        raise Problem(429, "too-many-calls", f"Too many calls in a minute: call again in {wait} s.", retry_after=wait)


def _service(ports: Ports, blueprints: list[Endpoints]) -> Flask:
    def ready() -> list[str]:
        return [] if answers(ports.journal.engine) else ["The database is away."]

    public = ("/v1/", "/openapi.json")
    app = create_service("hexpost players", version("hexpost"), blueprints, ready=ready, max_body=MOST_BODY, token=None, public=public)

    @app.errorhandler(Problem)
    def told(problem: Problem) -> Response:
        after = problem.members.get("retry_after")
        kind = {"WWW-Authenticate": "Bearer"} if problem.status == 401 else {}
        return problem.response(kind | ({"Retry-After": str(after)} if after else {}))

    @app.errorhandler(ServiceDown)
    @app.errorhandler(ServiceFailed)
    def away(error: Exception) -> Response:
        log.error("%s: %s", request.path, error)
        return Problem(503, "not-now", "A part of the server does not answer: call again in a minute.").response({"Retry-After": "60"})

    @app.errorhandler(ServiceRefused)
    def refused(error: ServiceRefused) -> Response:
        return Problem(422, "unusable", str(error)[:500]).response()

    @app.after_request
    def guarded(answer: Response) -> Response:
        answer.headers.update(HEADERS)
        return answer

    return app


def api_app() -> Flask:
    """The application of an installation, settings from the environment."""
    config = Config.load()
    parts, celery = make_parts(config), create_app(config)
    beat("api", config.broker)

    def ring(game: str, message: int) -> None:
        try:
            parts.queues.push(game, message)
            celery.send_task("hexpost.drain", (game,))
        except (RedisError, OSError) as error:  # it is journaled: the next sweep finds it
            log.warning("message %s of %s waits for the sweep: %s", message, game, type(error).__name__)

    return players_app(parts.ports, ring, Shared(parts.queues, config.api_minute), Shared(parts.queues, WRONG_MINUTE))

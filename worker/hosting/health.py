"""Whether a process that has no web address of its own lives and can work: ``/healthz`` and ``/readyz`` over a small HTTP server."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from redis import Redis
from redis.exceptions import RedisError
from sqlalchemy import Engine

from worker.clients import HttpCall, ask
from worker.config import Config, ConfigError
from worker.hosting.broker import redis_url
from worker.hosting.processes import CannotServe
from worker.ports import ServiceDown, ServiceFailed, ServiceRefused, ServiceShut
from worker.store.database import answers, connect

ANSWER = 2.0
"""Seconds that a service may take to say whether it lets us in."""
PATIENCE = 10.0
"""Seconds that a probe may take to say what it wants."""


class Health:
    """Of one process. ``ready``: it has begun; ``alive``: whether it does what it is for (a process that is not must be started anew);
    ``services``: those that it calls, which must take its token.
    """

    def __init__(self, config: Config, alive: Callable[[], bool] = lambda: True, services: Collection[str] = ()) -> None:
        self._config = config
        self._services = services
        self.alive = alive
        self.ready = False
        self._engine: Engine | None = None

    def faults(self) -> list[str]:
        """What keeps the process from work, a word or two each."""
        checks: tuple[tuple[str, Callable[[], bool]], ...] = (
            ("it has not begun", lambda: self.ready),
            ("the database is away", self._database),
            ("the queue is away", self._broker),
        )
        return [said for said, good in checks if not good()] + self._shut()

    def _shut(self) -> list[str]:
        """The services that refuse the token. One that is away says so itself."""
        with ThreadPoolExecutor(max(1, len(self._services))) as pool:  # one that hangs does not hold the next
            let_in = pool.map(self._lets_in, self._services)
            return [f"the {name} service refuses the token" for name, good in zip(self._services, let_in, strict=True) if not good]

    def _lets_in(self, service: str) -> bool:
        call = HttpCall(service, getattr(self._config, service), self._config.token, ANSWER)
        try:
            ask(call, "GET", "/v1")  # whoever is let in is told that there is nothing
        except ServiceShut:
            return False
        except (ServiceDown, ServiceFailed, ServiceRefused):
            return True
        return True

    def _database(self) -> bool:
        try:
            self._engine = self._engine or connect(self._config.database)
        except ConfigError:
            return False
        return answers(self._engine)

    def _broker(self) -> bool:
        client = Redis.from_url(redis_url(self._config.broker), socket_connect_timeout=3, socket_timeout=3)
        try:
            return bool(client.ping())
        except (RedisError, OSError):
            return False
        finally:
            client.close()


def serve_health(listen: str, health: Health) -> ThreadingHTTPServer:
    """Answer probes at ``host:port`` from threads of this process. CannotServe if the place is taken."""
    host, _, port = listen.rpartition(":")

    class Probe(BaseHTTPRequestHandler):
        timeout = PATIENCE

        def do_GET(self) -> None:
            faults = {"/healthz": lambda: [] if health.alive() else ["it hangs"], "/readyz": health.faults}.get(self.path)
            found = ["there is nothing here"] if faults is None else faults()
            body = ("; ".join(found) or "ok").encode() + b"\n"
            self.send_response(404 if faults is None else 503 if found else 200)
            self.send_header("Content-Type", "text/plain")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Probes are not told in the log."""

    try:
        server = ThreadingHTTPServer((host.strip("[]"), int(port)), Probe)
    except (OSError, OverflowError) as error:
        raise CannotServe(f"Nothing can listen at {listen}: {getattr(error, 'strerror', None) or error}.") from None
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, name="health", daemon=True).start()
    return server

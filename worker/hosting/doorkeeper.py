"""How the doors to the net serve: gunicorn's threads, with an end to each request, however slowly its caller sends or reads.

Without one, as many callers as a door has threads could hold it shut by sending a byte now and then.
"""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from typing import Any

from gunicorn.workers.gthread import ThreadWorker


class Doorkeeper(ThreadWorker):
    """A worker that hangs up on a request that is not read, answered and sent within the seconds of ``--timeout``."""

    def handle(self, conn: Any) -> Any:
        """One request on a connection, in a thread of the pool."""
        watch = threading.Timer(self.cfg.timeout, _hang_up, (conn.sock,))
        watch.daemon = True
        watch.start()
        try:
            return super().handle(conn)  # type: ignore[no-untyped-call]
        finally:
            watch.cancel()


def _hang_up(sock: socket.socket) -> None:
    # Whoever waits for a byte of it then reads the end.
    with suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)

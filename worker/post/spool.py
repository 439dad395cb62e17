"""The mail service's spool as a source: what came in there by webhook or LMTP is journaled here, and then forgotten there."""

from __future__ import annotations

import base64
import threading
from collections.abc import Iterator

from worker.clients import Call, ask, ask_json
from worker.ports import ServiceDown, ServiceFailed, ServiceRefused
from worker.post.inboxes import Received, SourceAway


class SpoolInbox:
    """A source over the mail service (``inboxes.Source``). ``poll``: seconds between two looks."""

    name = "the mail service's spool"

    def __init__(self, call: Call, poll: float) -> None:
        self._call = call
        self._poll = poll

    def unread(self) -> Iterator[Received]:
        """The oldest messages of the spool."""
        try:
            found = ask_json(self._call, "GET", "/v1/spool")["messages"]
            waiting = [Received(f"spool:{one['origin']}:{one['id']}", base64.b64decode(one["raw"], validate=True)) for one in found]
        except (ServiceDown, ServiceFailed, ServiceRefused, KeyError, TypeError, ValueError) as error:
            raise SourceAway(f"The spool cannot be read: {error}") from None
        yield from waiting

    def acknowledge(self, place: str) -> None:
        """Delete the message from the spool."""
        try:
            ask(self._call, "DELETE", f"/v1/spool/{place.rpartition(':')[2]}")
        except (ServiceDown, ServiceFailed, ServiceRefused) as error:
            raise SourceAway(f"The spool cannot be emptied: {error}") from None

    def wait(self, stopped: threading.Event) -> None:
        """A pause: a look is cheap."""
        stopped.wait(self._poll)

    def close(self) -> None:
        """Nothing is open between two calls."""

"""The three services as seen from the worker: JSON over HTTP, or over anything else that takes a call and gives an answer."""

from __future__ import annotations

import base64
import time
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Protocol
from urllib.parse import urlsplit

from worker.canonical import Json, canonical, decode
from worker.ports import ServiceBroke, ServiceDown, ServiceFailed, ServiceRefused, ServiceShut, ServiceSlow

PATIENCE = 3.05
"""Seconds for a connection."""
FRESH = 60.0
"""Seconds for which what a service says of a scenario is taken as said: it is read when the service starts."""


class Call(Protocol):
    """Carries one request to a service: method, path, JSON body -> HTTP status and bytes. Raises ServiceDown."""

    def __call__(self, method: str, path: str, body: bytes | None) -> tuple[int, bytes]: ...


class HttpCall:
    """A service at a base URL. ``token``: its bearer token or empty; ``timeout``: seconds to wait for an answer.

    Each call has a connection of its own and no proxy between: the services are near, and a worker makes a dozen calls a mail.
    """

    def __init__(self, name: str, url: str, token: str, timeout: float) -> None:
        self._name = name
        self._where = urlsplit(url)
        self._timeout = timeout
        self._headers = {"Connection": "close"} | ({"Authorization": f"Bearer {token}"} if token else {})

    def __call__(self, method: str, path: str, body: bytes | None) -> tuple[int, bytes]:
        headers = self._headers | ({"Content-Type": "application/json"} if body is not None else {})
        connection = self._connected()
        try:
            assert connection.sock is not None
            connection.sock.settimeout(self._timeout)
            connection.request(method, self._where.path.rstrip("/") + path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        except TimeoutError:
            raise ServiceSlow(f"The {self._name} service did not answer within {self._timeout:g} s.") from None
        except (OSError, HTTPException) as error:
            raise ServiceBroke(f"The {self._name} service broke off ({type(error).__name__}).") from None
        finally:
            connection.close()

    def _connected(self) -> HTTPConnection:
        kind = HTTPSConnection if self._where.scheme == "https" else HTTPConnection
        try:
            connection = kind(self._where.hostname or "", self._where.port, timeout=PATIENCE)
            connection.connect()
        except (OSError, HTTPException, ValueError) as error:
            raise self._away(error) from None
        return connection

    def _away(self, error: Exception) -> ServiceDown:
        return ServiceDown(f"The {self._name} service cannot be reached ({type(error).__name__}).")


def ask(call: Call, method: str, path: str, body: Json = None) -> bytes:
    """The answer's bytes. Raises ServiceDown (ServiceShut), ServiceFailed, ServiceRefused."""
    status, content = call(method, path, None if body is None else canonical(body))
    if status < 300:
        return content
    try:
        problem = decode(content)
    except ValueError:
        problem = {}
    if not isinstance(problem, dict):
        problem = {}
    if status == 401 or problem.get("code") == "no-token-set":
        raise ServiceShut(f"{path}: the service refuses the token: {problem.get('detail') or f'HTTP {status}'}")
    if 400 <= status < 500:
        raise ServiceRefused({"status": status, "title": f"HTTP {status}"} | problem)
    sentence = problem.get("detail") or f"HTTP {status}"
    if status in (502, 503, 504):
        raise ServiceDown(f"{path}: {sentence}")
    raise ServiceFailed(f"{path}: {sentence} {problem.get('incident', '')}".rstrip())


def ask_json(call: Call, method: str, path: str, body: Json = None) -> Json:
    """The answer as JSON; raises like ``ask``."""
    try:
        return decode(ask(call, method, path, body))
    except ValueError as error:
        raise ServiceFailed(f"{path}: the answer is not JSON ({error})") from None


class RulesClient:
    """``ports.Rules`` over a call."""

    def __init__(self, call: Call) -> None:
        self._call = call
        self._scenarios: dict[str, tuple[float, Json]] = {}

    def new_state(self, scenario: str, options: Json, secret: str, words: Json = ()) -> Json:
        """The first state of a game: ``state``, ``digest``, ``events``. ``words``: those of its players for the dice."""
        body = {"scenario": scenario, "options": options, "secret": secret, "words": list(words)}
        return ask_json(self._call, "POST", "/v1/states", body)

    def adjudicate(self, body: Json) -> Json:
        """The outcome of a packet."""
        return ask_json(self._call, "POST", "/v1/adjudications", body)

    def edit(self, body: Json) -> Json:
        """The outcome of what the umpire sets right by hand."""
        return ask_json(self._call, "POST", "/v1/edits", body)

    def view(self, state: Json, side: str | None, events: list[Json] | None = None) -> Json:
        """What a side may know; with ``events``, what it may know of them."""
        body = {"state": state, "side": side} | ({} if events is None else {"events": events})
        return ask_json(self._call, "POST", "/v1/views", body)

    def legal(self, state: Json, side: str, most: int = 100, packet: Json = None, unit: str | None = None) -> Json:
        """Legal orders of a side, at most so many: ``orders``, ``more``; those after the lines of a packet, and then ``foreseen``; those
        that name a unit (empty: none)."""
        body = {"state": state, "side": side, "most": most} | ({} if packet is None else {"packet": packet})
        body |= {} if unit is None else {"unit": unit}
        return ask_json(self._call, "POST", "/v1/legal-orders", body)

    def adjutant(self, state: Json, side: str) -> Json:
        """What the adjutant orders for a side now: ``orders``, ``standing``."""
        return ask_json(self._call, "POST", "/v1/adjutant", {"state": state, "side": side})

    def games(self) -> Json:
        """The games and their scenarios."""
        return ask_json(self._call, "GET", "/v1/games")

    def scenario(self, scenario: str) -> Json:
        """Titles, sides, options and vocabulary of a scenario; whoever asks does not change it."""
        kept = self._scenarios.get(scenario)
        if kept is None or time.monotonic() - kept[0] > FRESH:
            kept = self._scenarios[scenario] = time.monotonic(), ask_json(self._call, "GET", f"/v1/scenarios/{scenario}")
        return kept[1]


class MailClient:
    """``ports.Mail`` over a call."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def read(self, raw: bytes, context: Json) -> Json:
        """What a raw mail is and says: the verdict."""
        return ask_json(self._call, "POST", "/v1/messages/read", {"raw": base64.b64encode(raw).decode(), "context": context})

    def parse(self, body: Json) -> Json:
        """Order lines -> ``packet``, ``diagnostics``, ``printed``."""
        return ask_json(self._call, "POST", "/v1/orders/parse", body)

    def print_orders(self, game: str, orders: Json) -> list[str]:
        """Orders -> canonical lines."""
        return [str(line) for line in ask_json(self._call, "POST", "/v1/orders/print", {"game": game, "orders": orders})["lines"]]

    def say(self, body: Json) -> list[str]:
        """Sentences by their keys -> the sentences."""
        return [str(one) for one in ask_json(self._call, "POST", "/v1/sentences", body)["sentences"]]

    def report(self, body: Json) -> Json:
        """Events -> ``subject``, ``text``, ``html``."""
        return ask_json(self._call, "POST", "/v1/reports", body)

    def board(self, body: Json) -> Json:
        """A live board in words."""
        return ask_json(self._call, "POST", "/v1/boards", body)

    def chronicle(self, body: Json) -> Json:
        """A game-turn in words and numbers, in parts of which a page is made."""
        return ask_json(self._call, "POST", "/v1/chronicles", body)

    def compose(self, body: Json) -> Json:
        """A mail: ``raw`` (base64), ``message_id``."""
        return ask_json(self._call, "POST", "/v1/messages/compose", body)


class RenderClient:
    """``ports.Render`` over a call."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def map(self, body: Json) -> bytes:
        """A turn map as PNG: the whole of it or a crop, what happened or what is planned."""
        return ask(self._call, "POST", "/v1/maps", body)

    def grid(self, body: Json) -> Json:
        """Where the hexes lie on a turn map without its panel: ``size``, ``hex``, ``hexes``; with a view ``trays``."""
        return ask_json(self._call, "POST", "/v1/grids", body)

    def compare(self, body: Json) -> bytes:
        """Before and after side by side, as PNG."""
        return ask(self._call, "POST", "/v1/compares", body)

    def animate(self, body: Json) -> bytes:
        """What happened as a moving picture, WebP or GIF."""
        return ask(self._call, "POST", "/v1/animations", body)

    def specimen(self, body: Json) -> bytes:
        """A sheet of all that a game's maps can show of one kind, as PNG."""
        return ask(self._call, "POST", "/v1/specimens", body)

    def module(self, body: Json) -> bytes:
        """A game's module for VASSAL."""
        return ask(self._call, "POST", "/v1/modules", body)

    def save(self, body: Json) -> bytes:
        """A view as a save for VASSAL."""
        return ask(self._call, "POST", "/v1/saves", body)

    def log(self, body: Json) -> bytes:
        """What happened between two views of a side as a log for VASSAL."""
        return ask(self._call, "POST", "/v1/logs", body)

    def styles(self) -> list[tuple[str, str]]:
        """Key and title of each game that has style sheets."""
        return [(str(one["key"]), str(one["title"])) for one in ask_json(self._call, "GET", "/v1/styles")["games"]]

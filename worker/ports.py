"""What the use cases need of the world, as protocols: the three services, a way out for mails, a clock. Tests pass their own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from worker.canonical import Json
from worker.config import Config
from worker.post.outgoing import Sender
from worker.store.artifacts import ArtifactStore
from worker.store.journal import Journal


class ServiceDown(Exception):
    """A service cannot be reached, or is not ready: try again later. The message names it."""


class ServiceSlow(ServiceDown):
    """A service was reached and did not answer in time."""


class ServiceBroke(ServiceDown):
    """A service was reached and broke off: it was ended, or died of what it was asked."""


class ServiceShut(ServiceDown):
    """A service does not let this caller in: its token is another one, or it has none. The operator's fault, and no mail's."""


class ServiceFailed(Exception):
    """A service answered what it should not: our bug. The message is for the operator."""


class ServiceRefused(Exception):
    """A service says that the input is unusable (HTTP 4xx). ``problem``: the problem report; the message is one sentence."""

    def __init__(self, problem: Json) -> None:
        faults = problem.get("errors") or []
        listed = "; ".join(_fault(str(one.get("pointer", "")), str(one.get("detail", ""))) for one in faults[:5])
        super().__init__(listed or str(problem.get("detail") or problem.get("title") or "refused"))  # the faults say it all
        self.problem = problem


def _fault(pointer: str, detail: str) -> str:
    """Where and what; an option or a setting of a picture goes by its name, as whoever typed it knows it."""
    kind, _, name = pointer.removeprefix("#/").partition("/")
    if kind == "options" and name:
        return detail if repr(name) in detail else f"option {name}: {detail[:1].lower()}{detail[1:]}"
    return detail if pointer == "#/theme" else f"{pointer}: {detail}"


class Rules(Protocol):
    """The rules service. Shapes: docs/decisions/0002-shapes.md."""

    def new_state(self, scenario: str, options: Json, secret: str, words: Json = ()) -> Json: ...
    def adjudicate(self, body: Json) -> Json: ...
    def edit(self, body: Json) -> Json: ...
    def view(self, state: Json, side: str | None, events: list[Json] | None = None) -> Json: ...
    def legal(self, state: Json, side: str, most: int = 100, packet: Json = None, unit: str | None = None) -> Json: ...
    def adjutant(self, state: Json, side: str) -> Json: ...
    def games(self) -> Json: ...
    def scenario(self, scenario: str) -> Json: ...


class Mail(Protocol):
    """The mail service."""

    def read(self, raw: bytes, context: Json) -> Json: ...
    def parse(self, body: Json) -> Json: ...
    def print_orders(self, game: str, orders: Json) -> list[str]: ...
    def say(self, body: Json) -> list[str]: ...
    def report(self, body: Json) -> Json: ...
    def board(self, body: Json) -> Json: ...
    def compose(self, body: Json) -> Json: ...


class Render(Protocol):
    """The render service."""

    def map(self, body: Json) -> bytes: ...
    def grid(self, body: Json) -> Json: ...
    def compare(self, body: Json) -> bytes: ...
    def animate(self, body: Json) -> bytes: ...
    def specimen(self, body: Json) -> bytes: ...
    def module(self, body: Json) -> bytes: ...
    def save(self, body: Json) -> bytes: ...
    def log(self, body: Json) -> bytes: ...
    def styles(self) -> list[tuple[str, str]]: ...


@dataclass(frozen=True, slots=True)
class Ports:
    """Everything that a use case works with. ``now``: the time in UTC, ISO 8601."""

    config: Config
    journal: Journal
    artifacts: ArtifactStore
    rules: Rules
    mail: Mail
    render: Render
    sender: Sender
    now: Callable[[], str]

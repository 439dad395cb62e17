"""Games by mail without mail: what a side orders before the other must decide goes as one text, as the adjutant would have it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from services.mail.orders.parse import parse
from services.mail.orders.printing import print_orders
from services.mail.orders.template import template
from services.mail.report import ReportRequest, make_report
from services.mail.speech import Speech
from services.mail.wording import load_wording
from services.rules.engine.adjudication import adjudicate
from services.rules.engine.dice import SeededDice
from services.rules.engine.model import Event, GameState, Order, Packet
from services.rules.engine.module import GameModule
from services.rules.engine.opening import opening
from services.rules.engine.table import Table
from services.rules.engine.view import view
from services.rules.registry import load_games
from services.rules.schemas.game import schemas_of
from services.rules.schemas.packet import PacketSchema, with_args
from services.rules.schemas.state import dump_order
from services.rules.schemas.verbs import COMMON
from services.rules.schemas.vocabulary import dump_scenario

MOST_PACKETS = 400
LEGAL = 100


@dataclass(frozen=True)
class Mail:
    """One side's orders up to the moment at which the other must decide, as text; the position before and after; what happened."""

    side: str
    turn: int
    orders: tuple[Order, ...]
    seed: bytes
    before: GameState
    after: GameState
    events: tuple[Event, ...]


@dataclass(frozen=True)
class Post:
    """A scenario that is played by mail."""

    game: str
    scenario: str

    @cached_property
    def module(self) -> GameModule:
        return load_games()[self.game]

    @cached_property
    def words(self) -> Mapping[str, Any]:
        return dump_scenario(self.module, self.module.data.scenarios[self.scenario])

    def start(self, **options: Any) -> GameState:
        return opening(self.module, self.scenario, options, "5e" * 32).state

    def turn(self, state: GameState) -> int:
        return Table(self.module, state).turn

    def waited_for(self, state: GameState) -> str | None:
        return None if state.over is not None else str(view(self.module, state, None)["waiting_for"][0])

    def correspondence(self, state: GameState, turns: int | None = None) -> Iterator[Mail]:
        """The mails of a game that the adjutant plays with himself, to its end or for so many game-turns."""
        last = None if turns is None else self.turn(state) + turns
        number, play = 0, self.module.adjutant
        assert play is not None
        while (side := self.waited_for(state)) is not None and (last is None or self.turn(state) < last):
            number += 1
            seed, before, orders, events = number.to_bytes(32, "big"), state, list[Order](), list[Event]()
            for n in range(MOST_PACKETS):
                ordered = play(self.module, view(self.module, state, side))
                if n and ordered[0].verb == "DONE":  # it closes the step that is open now, not the one whose decision was answered last
                    orders.append(Order(0, "PHASE", {"name": str(dict(state.path)["step"])}))
                outcome = adjudicate(self.module, state, Packet(f"m{number}-{n}", side, ordered), SeededDice(seed))
                assert outcome.status == "done", outcome.rejections
                state = outcome.state
                orders += ordered
                events += outcome.events
                if self.waited_for(state) != side:
                    break
            yield Mail(side, self.turn(before), tuple(orders), seed, before, state, tuple(events))

    def text(self, mail: Mail) -> list[str]:
        return print_orders(self.game, [dump_order(order) for order in mail.orders])

    def take(self, state: GameState, side: str, text: Sequence[str], seed: bytes) -> GameState:
        """The position after a text was read and adjudicated as one packet."""
        parsed = parse(self.game, list(text), {**self.words, "side": side})
        assert parsed.diagnostics == []
        packet = PacketSchema().load({"id": "one", "side": side, **parsed.packet})
        outcome = adjudicate(self.module, state, with_args(packet, {**COMMON, **schemas_of(self.game).verbs}), SeededDice(seed))
        assert outcome.status == "done", outcome.rejections
        return outcome.state

    def sent(self, mail: Mail) -> GameState:
        """The position after a mail's text was sent as a whole."""
        return self.take(mail.before, mail.side, self.text(mail), mail.seed)

    def untold(self, mail: Mail, *, whole: bool) -> list[str]:
        """Kinds of events that a mail's reader would find no words for. ``whole``: the report and its template are made too, and held to
        their measure."""
        side = self.waited_for(mail.after) or mail.side
        seen = view(self.module, mail.after, side, mail.events)
        speech = Speech(load_wording("en", self.game), self.words, side)
        unsaid = [event["kind"] for event in seen["events"] if speech.say("events", event["kind"], {**event["data"], "clause": ""}) is None]
        if whole:
            legal = [dump_order(order) for order in self.module.legal(Table(self.module, mail.after), side)][:LEGAL]
            lines = template(self.game, seen, legal, self.words)
            examples = [line.lstrip("# ") for line in lines if line.startswith("#     ")]
            assert parse(self.game, examples, {**self.words, "side": side}).diagnostics == []
            assert len(lines) < 90
            told = {"side": side, "view": seen, "events": seen["events"], "vocabulary": self.words, "legal": legal}
            assert len(make_report(ReportRequest(self.game, "turn", "G1", **told)).html) < 88_000
        return unsaid


def mean(mails: Sequence[Mail]) -> float:
    """Mails a game-turn, the set-up apart."""
    counted = Counter(mail.turn for mail in mails if mail.turn)
    return sum(counted.values()) / len(counted)


def most(mails: Sequence[Mail]) -> int:
    """The most mails of a game-turn."""
    return max(Counter(mail.turn for mail in mails if mail.turn).values())

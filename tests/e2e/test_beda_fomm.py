"""Beda Fomm by mail: what a side orders before the other must decide goes as one text, and each text does what its lines did one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import pytest

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
from services.rules.schemas import beda_fomm
from services.rules.schemas.packet import PacketSchema, with_args
from services.rules.schemas.state import dump_order
from services.rules.schemas.verbs import COMMON
from services.rules.schemas.vocabulary import dump_scenario

MOST_PACKETS = 400
LEGAL = 100


@cache
def module() -> GameModule:
    return load_games()["beda-fomm"]


@cache
def words() -> Mapping[str, Any]:
    return dump_scenario(module(), module().data.scenarios["historical"])


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

    @property
    def text(self) -> list[str]:
        return print_orders("beda-fomm", [dump_order(order) for order in self.orders])


def waited_for(state: GameState) -> str | None:
    return None if state.over is not None else str(view(module(), state, None)["waiting_for"][0])


def correspondence(state: GameState, turns: int | None = None) -> Iterator[Mail]:
    """The mails of a game that the adjutant plays with himself, to its end or for so many game-turns."""
    last = None if turns is None else Table(module(), state).turn + turns
    number, play = 0, module().adjutant
    assert play is not None
    while (side := waited_for(state)) is not None and (last is None or Table(module(), state).turn < last):
        number += 1
        seed, before, orders, events = number.to_bytes(32, "big"), state, list[Order](), list[Event]()
        for n in range(MOST_PACKETS):
            ordered = play(module(), view(module(), state, side))
            if n and ordered[0].verb == "DONE":  # it closes the step that is open now, not the one whose decision was answered last
                orders.append(Order(0, "PHASE", {"name": str(dict(state.path)["step"])}))
            outcome = adjudicate(module(), state, Packet(f"m{number}-{n}", side, ordered), SeededDice(seed))
            assert outcome.status == "done", outcome.rejections
            state = outcome.state
            orders += ordered
            events += outcome.events
            if waited_for(state) != side:
                break
        yield Mail(side, Table(module(), before).turn, tuple(orders), seed, before, state, tuple(events))


def sent(mail: Mail) -> GameState:
    """The position after a mail's text was read and adjudicated as one packet."""
    parsed = parse("beda-fomm", mail.text, {**words(), "side": mail.side})
    assert parsed.diagnostics == []
    packet = PacketSchema().load({"id": "one", "side": mail.side, **parsed.packet})
    outcome = adjudicate(module(), mail.before, with_args(packet, {**COMMON, **beda_fomm.VERBS}), SeededDice(mail.seed))
    assert outcome.status == "done", outcome.rejections
    return outcome.state


def mean(mails: list[Mail]) -> float:
    """Mails a game-turn, the set-up apart."""
    counted = Counter(mail.turn for mail in mails if mail.turn)
    return sum(counted.values()) / len(counted)


def at_tempo(state: GameState, tempo: str) -> GameState:
    return replace(state, options={**state.options, "tempo": tempo})


@pytest.fixture(scope="module")
def game() -> list[Mail]:
    return list(correspondence(opening(module(), "historical", {"tempo": "normal"}, "5e" * 32).state))


def test_a_whole_game_takes_six_mails_a_game_turn_at_most(game: list[Mail]) -> None:
    assert Table(module(), game[-1].before).turn == 28 or game[-1].after.own["vp"] >= 11
    assert game[-1].after.over is not None
    print(f"normal: {mean(game):.2f} mails a game-turn; over: {game[-1].after.over}")
    assert mean(game) <= 6


def test_what_was_ordered_bit_by_bit_may_as_well_be_sent_as_one_text(game: list[Mail]) -> None:
    for mail in game:
        state = sent(mail)
        assert (state.path, state.own, state.counters) == (mail.after.path, mail.after.own, mail.after.counters), mail.text


def test_every_tempo_has_its_number_of_mails(game: list[Mail]) -> None:
    """Two game-turns in the midst of the fighting, from the same position."""
    start = next(mail.before for mail in game if mail.turn == game[-1].turn // 2)
    found = {tempo: mean(list(correspondence(at_tempo(start, tempo), 2))) for tempo in ("blitz", "full")}
    print({tempo: round(mails, 2) for tempo, mails in found.items()})
    assert found["blitz"] == 2


def test_everything_that_happens_is_told_in_words_and_every_template_can_be_used(game: list[Mail]) -> None:
    whole = words()
    for number, mail in enumerate(game):
        side = waited_for(mail.after) or mail.side
        seen = view(module(), mail.after, side, mail.events)
        speech = Speech(load_wording("en", "beda-fomm"), whole, side)
        unsaid = [event["kind"] for event in seen["events"] if speech.say("events", event["kind"], {**event["data"], "clause": ""}) is None]
        assert unsaid == []
        if number % 8 == 0:
            legal = [dump_order(order) for order in module().legal(Table(module(), mail.after), side)][:LEGAL]
            lines = template("beda-fomm", seen, legal, whole)
            examples = [line.lstrip("# ") for line in lines if line.startswith("#     ")]
            assert parse("beda-fomm", examples, {**whole, "side": side}).diagnostics == []
            assert len(lines) < 90
            told = {"side": side, "view": seen, "events": seen["events"], "vocabulary": whole, "legal": legal}
            assert len(make_report(ReportRequest("beda-fomm", "turn", "G1", **told)).html) < 88_000

"""States as play makes them, with scripts, sealed answers, standing orders and decisions in them, travel unchanged too."""

from __future__ import annotations

import hashlib
import json

import pytest
from marshmallow import ValidationError

from services.rules.engine.model import Event, GameState
from services.rules.schemas.events import dump_event, load_events
from services.rules.schemas.outcome import dump_outcome
from services.rules.schemas.state import load_state, state_bytes
from tests.rules.engine.match import DONE, DONE_TURN, Match, on, order


def _travels(match: Match) -> GameState:
    state = match.state
    assert load_state(json.loads(state_bytes(state))) == state
    return state


def test_every_state_of_a_match_comes_back_as_it_was() -> None:
    match = Match(tempo="full", placed=False)
    assert _travels(match).path == (("setup", "red placement"),)
    match.send("red", order("PLACE", unit="R2", hex="0304"))
    assert _travels(match).sets
    match.send("red", DONE, order("MOVE", unit="R1", path=["0302"]))
    assert _travels(match).tails
    match.send("blue", order("PLACE", unit="B3", hex="0805"), DONE, standing=[on(None, window="RETREAT")], dice=[1])
    assert _travels(match).standing
    match.send("red", DONE_TURN, dice=[1] * 9)
    assert _travels(match).drawn


def test_events_come_back_as_they_were_but_for_their_changes() -> None:
    match = Match()
    events = match.last.events
    assert {event.kind for event in events} >= {"placed", "rolled"}
    loaded = load_events(json.loads(json.dumps([dump_event(event) for event in events])))
    without = [Event(e.kind, e.clause, dict(e.data), e.owner, e.public, (), e.path, e.n) for e in events]
    assert [Event(e.kind, e.clause, dict(e.data), e.owner, e.public, (), e.path, e.n) for e in loaded] == without


def test_the_digest_of_an_outcome_is_that_of_the_state_in_it() -> None:
    dumped = dump_outcome(Match().last)
    assert dumped["digest"] == hashlib.sha256(bytes(dumped["state"])).hexdigest()


@pytest.mark.parametrize("raw", [None, {}, [None], [{"n": 1}], [[]]])
def test_what_is_no_list_of_events_is_refused(raw: object) -> None:
    with pytest.raises(ValidationError):
        load_events(raw)


@pytest.mark.parametrize("part", ["data", "public", "changes"])
def test_an_event_with_a_number_that_is_not_whole_is_refused_by_its_place(part: str) -> None:
    good = json.loads(json.dumps(dump_event(Match().last.events[0])))
    bad = {**good, part: [["num", "R1", "mp", 1.5]] if part == "changes" else {"mp": 1.5}}
    with pytest.raises(ValidationError) as caught:
        load_events([good, bad])
    assert list(caught.value.messages_dict) == ["1"]
    assert "whole" in json.dumps(caught.value.messages)

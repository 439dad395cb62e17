"""Who does not write: deadlines by a clock of the test's own, what is played when one passes, and sides that the adjutant plays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from celery import Celery
from redis import Redis
from sqlalchemy import select

from tests.worker.conftest import SECRET, Desk, make_desk
from tests.worker.fakes import ANN, BRUNO, ToyRules
from tests.worker.whole import Table
from worker.canonical import Json
from worker.play.games import UnusableInput, new_game
from worker.post.postbox import parts
from worker.store.database import reading
from worker.store.tables import messages, packets
from worker.tasks import Parts, register_tasks
from worker.waiting import absent

START = "2026-03-01T12:00:00+00:00"


@dataclass
class Clocked:
    """A worker whose clock the test turns, with a game of 72 hours a side."""

    desk: Desk
    now: str = START
    sent: int = 0

    def write(self, side: str, orders: str) -> None:
        """A mail of a side is handled."""
        address = {"axis": ANN, "allied": BRUNO}[side]
        to = next(line.partition(": ")[2] for line in self.desk.mails_to(address)[-1].decode().splitlines() if line.startswith("Reply-To"))
        self.sent += 1
        self.desk.drop(f"From: {address}\nTo: {to}\nMessage-ID: <{self.sent}@x>\n\n{orders}\n".encode())
        self.desk.run()

    def sweep(self, now: str) -> None:
        """The clock shows ``now``, and a sweep comes by."""
        self.now = now
        self.desk.sweep()

    def did(self) -> list[list[str]]:
        """What was done in the toy game."""
        game = self.desk.ports.journal.game("G1")
        found: list[list[str]] = self.desk.ports.journal.state("G1", game.version)[0]["did"]
        return found

    def verdicts(self) -> list[str]:
        """What became of the calls."""
        query = select(messages.c.verdict).where(messages.c.place.like("ours/%")).order_by(messages.c.id)
        with reading(self.desk.ports.journal.engine) as connection:
            return list(connection.execute(query).scalars())

    def due(self) -> dict[str, str]:
        """Until when the sides are waited for."""
        return {side: one.due for side, one in self.desk.ports.journal.deadlines("G1").items()}


class SuppliedToy(ToyRules):
    """The toy game, in which ending a player-turn costs a unit for want of supply."""

    def adjudicate(self, body: Json) -> Json:
        outcome = super().adjudicate(body)
        if any(one["verb"] == "DONE" for one in body["packet"]["orders"]):
            outcome["events"].append({"n": 9, "kind": "supply_lost", "data": {"unit": "U1", "x": ""}, "owner": None, "public": None})
        return outcome

    def scenario(self, scenario: str) -> Json:
        return super().scenario(scenario) | {"units": {"U1": {"side": "axis"}}}


class StoppingToy(ToyRules):
    """The toy game, in which orders stop at their first die."""

    def adjudicate(self, body: Json) -> Json:
        orders = body["packet"]["orders"]
        ends = next((n for n, one in enumerate(orders, 1) if one["verb"] == "ROLL"), len(orders))
        return super().adjudicate(body | {"packet": body["packet"] | {"orders": orders[:ends]}})


def clocked(folder: Path, redis: Any, sides: dict[str, list[str]] | None = None, **settings: Any) -> Clocked:
    """A game that has begun."""
    found = Clocked(make_desk(folder, redis, **({"deadline_hours": 72.0, "reminders": ""} | settings)))
    found.desk.ports = replace(found.desk.ports, now=lambda: found.now)
    new_game(found.desk.ports, "toy/one", sides or {"axis": [ANN], "allied": [BRUNO]}, {}, SECRET)
    found.desk.sweep()
    return found


@pytest.fixture
def desk(tmp_path: Path, redis: Redis) -> Iterator[Clocked]:
    """A game of two players with deadlines."""
    found = clocked(tmp_path, redis)
    yield found
    found.desk.ports.journal.engine.dispose()


def test_a_side_has_its_time_from_when_it_is_waited_for(desk: Clocked) -> None:
    assert desk.due() == {"axis": "2026-03-04T12:00:00+00:00"}
    desk.now = "2026-03-02T08:00:00+00:00"
    desk.write("axis", "MOVE one")
    assert desk.due() == {"axis": "2026-03-04T12:00:00+00:00"}
    desk.write("axis", "DONE")
    assert desk.due() == {"allied": "2026-03-05T08:00:00+00:00"}
    desk.write("allied", "CONCEDE")
    assert desk.due() == {}


def test_before_the_deadline_nothing_is_played(desk: Clocked) -> None:
    desk.sweep("2026-03-04T11:59:59+00:00")
    assert (desk.did(), desk.verdicts()) == ([], [])


def test_the_last_draft_is_played_first_and_both_sides_are_told(desk: Clocked) -> None:
    desk.write("axis", "HOLD\nMOVE early")
    desk.write("axis", "HOLD\nMOVE draft")
    desk.write("axis", "MOVE x\nILLEGAL")
    before = len(desk.desk.mails_to(ANN)), len(desk.desk.mails_to(BRUNO))
    desk.sweep("2026-03-04T12:00:00+00:00")
    assert desk.did() == [["axis", "MOVE", "draft"], ["axis", "DONE", "TURN AUTO"]]
    assert desk.verdicts() == ["absent:draft"]
    assert (len(desk.desk.mails_to(ANN)), len(desk.desk.mails_to(BRUNO))) == (before[0] + 1, before[1] + 1)
    assert desk.due() == {"allied": "2026-03-07T12:00:00+00:00"}
    assert desk.desk.ports.journal.chain("G1")[-1][1]["absent"] == "draft"
    desk.sweep("2026-03-04T13:00:00+00:00")
    assert len(desk.verdicts()) == 1


def test_then_the_last_refused_orders_as_far_as_they_are_legal(desk: Clocked) -> None:
    desk.write("axis", "MOVE good\nBAD line\nDONE")
    assert desk.did() == []
    desk.sweep("2026-03-04T12:00:00+00:00")
    assert desk.did() == [["axis", "MOVE", "good"], ["axis", "DONE", "TURN AUTO"]]
    assert desk.verdicts() == ["absent:refused"]


def test_refused_orders_count_no_more_when_others_were_done_since(desk: Clocked) -> None:
    desk.write("axis", "MOVE good\nBAD line")
    desk.write("axis", "MOVE better")
    desk.sweep("2026-03-04T12:00:00+00:00")
    assert desk.did() == [["axis", "MOVE", "better"], ["axis", "MOVE", "adjutant"], ["axis", "DONE", ""]]


@pytest.mark.parametrize("after", ["CHECK\nMOVE tried", "CHECK\nMOVE tried\nBAD line"])
def test_a_try_is_never_played_and_hides_no_refused_orders(desk: Clocked, after: str) -> None:
    desk.write("axis", "MOVE good\nBAD line")
    desk.write("axis", after)
    desk.sweep("2026-03-04T12:00:00+00:00")
    assert desk.did() == [["axis", "MOVE", "good"], ["axis", "DONE", "TURN AUTO"]]


def test_else_the_adjutant_plays_to_the_end_of_the_player_turn_and_each_side_gets_one_mail(desk: Clocked) -> None:
    before = len(desk.desk.mails_to(ANN)), len(desk.desk.mails_to(BRUNO))
    desk.sweep("2026-03-05T00:00:00+00:00")
    assert desk.did() == [["axis", "MOVE", "adjutant"], ["axis", "DONE", ""]]
    assert desk.verdicts() == ["absent:adjutant", "absent:adjutant"]
    assert (len(desk.desk.mails_to(ANN)), len(desk.desk.mails_to(BRUNO))) == (before[0] + 1, before[1] + 1)
    assert "move adjutant" in desk.desk.mails_to(ANN)[-1].decode()
    with reading(desk.desk.ports.journal.engine) as connection:
        rows = connection.execute(select(packets.c.status, packets.c.side, packets.c.lines)).all()
    assert [tuple(row) for row in rows] == [("done", "axis", ["MOVE"]), ("done", "axis", ["DONE"])]


def test_a_mail_that_comes_before_the_call_is_handled_makes_it_void(desk: Clocked) -> None:
    desk.now = "2026-03-04T12:00:00+00:00"
    desk.desk.ports.journal.add_message("ours/deadline/G1/axis/2026-03-01T00:00:00+00:00", b"", desk.now, "G1")
    desk.desk.ports.journal.add_message("ours/on/G1/axis/7", b"", desk.now, "G1")
    desk.desk.sweep()
    assert desk.verdicts() == ["absent:in-time", "absent:in-time", "absent:adjutant", "absent:adjutant"]


def test_absence_nothing_ends_the_player_turn(tmp_path: Path, redis: Redis) -> None:
    desk = clocked(tmp_path, redis, absence="nothing")
    desk.sweep("2026-03-04T12:00:00+00:00")
    assert desk.did() == [["axis", "DONE", "TURN AUTO"]]
    assert desk.verdicts() == ["absent:nothing"]


def test_absence_wait_does_nothing_but_with_a_draft(tmp_path: Path, redis: Redis) -> None:
    desk = clocked(tmp_path, redis, absence="wait")
    desk.sweep("2026-03-04T12:00:00+00:00")
    desk.sweep("2026-03-14T12:00:00+00:00")
    assert (desk.did(), desk.verdicts()) == ([], ["absent:wait"])
    desk.write("axis", "MOVE late\nDONE")
    desk.write("allied", "HOLD\nMOVE draft")
    desk.sweep("2026-03-24T12:00:00+00:00")
    assert desk.did()[2:] == [["allied", "MOVE", "draft"], ["allied", "DONE", "TURN AUTO"]]


def test_a_draft_that_stops_at_a_die_ends_the_player_turn_even_with_absence_wait(tmp_path: Path, redis: Redis) -> None:
    desk = clocked(tmp_path, redis, absence="wait")
    desk.desk.ports = replace(desk.desk.ports, rules=StoppingToy())
    desk.write("axis", "HOLD\nROLL\nMOVE lost")
    desk.sweep("2026-03-04T12:00:00+00:00")
    assert [one[:2] for one in desk.did()] == [["axis", "ROLL"], ["axis", "DONE"]]
    assert list(desk.due()) == ["allied"]


def test_an_end_that_would_cost_units_for_supply_is_put_off_once_and_told(tmp_path: Path, redis: Redis) -> None:
    desk = clocked(tmp_path, redis, absence="nothing")
    desk.desk.ports = replace(desk.desk.ports, rules=SuppliedToy())
    before = len(desk.desk.mails_to(ANN)), len(desk.desk.mails_to(BRUNO))
    desk.sweep("2026-03-04T12:00:00+00:00")
    assert (desk.did(), desk.verdicts()) == ([], ["absent:extended"])
    assert desk.due() == {"axis": "2026-03-07T12:00:00+00:00"}
    assert (len(desk.desk.mails_to(ANN)), len(desk.desk.mails_to(BRUNO))) == (before[0] + 1, before[1])
    desk.sweep("2026-03-07T12:00:00+00:00")
    assert desk.did() == [["axis", "DONE", "TURN AUTO"]]
    assert desk.verdicts() == ["absent:extended", "absent:nothing"]


def test_a_deadline_shorter_than_a_second_stops_no_game(tmp_path: Path, redis: Redis) -> None:
    desk = clocked(tmp_path, redis, deadline_hours=0.0001, absence="nothing")  # 0.36 s
    for second in range(4):
        desk.sweep(f"2026-03-01T12:00:0{second}+00:00")
    assert [side for side, *_ in desk.did()] == ["axis", "allied", "axis"]
    assert desk.due() == {"allied": "2026-03-01T12:00:04+00:00"}


def test_a_side_of_the_adjutants_is_played_at_once_and_never_mailed(tmp_path: Path, redis: Redis) -> None:
    desk = clocked(tmp_path, redis, {"axis": [ANN], "allied": ["adjutant"]}, deadline_hours=0.0)
    desk.write("axis", "MOVE one\nDONE")
    assert desk.did()[2:] == [["allied", "MOVE", "adjutant"], ["allied", "DONE", ""]]
    assert {to for _, recipients, _ in desk.desk.sender.sent for to in recipients} == {ANN}
    game = desk.desk.ports.journal.game("G1")
    assert (game.turn, desk.due()) == (2, {})
    assert desk.verdicts() == ["absent:adjutant", "absent:adjutant"]
    desk.write("axis", "DONE")
    assert desk.did()[-1] == ["allied", "DONE", ""]


def test_a_side_of_the_adjutants_that_begins_is_played_from_the_start(tmp_path: Path, redis: Redis) -> None:
    desk = clocked(tmp_path, redis, {"axis": ["adjutant"], "allied": [BRUNO]})
    assert desk.did() == [["axis", "MOVE", "adjutant"], ["axis", "DONE", ""]]
    assert desk.due() == {"allied": "2026-03-04T12:00:00+00:00"}
    assert len(desk.desk.mails_to(BRUNO)) == 2


@pytest.mark.parametrize(
    ("sides", "said"),
    [
        ({"axis": ["adjutant", ANN], "allied": [BRUNO]}, "by the adjutant or by players"),
        ({"axis": ["adjutant"], "allied": ["Adjutant"]}, "hexpost selfplay"),
    ],
)
def test_who_cannot_play_so_is_told(tmp_path: Path, redis: Redis, sides: dict[str, list[str]], said: str) -> None:
    with pytest.raises(UnusableInput, match=said):
        clocked(tmp_path, redis, sides)


def test_the_adjutant_plays_a_real_player_turn_and_its_reader_is_told_so(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.ports = replace(table.ports, config=replace(table.ports.config, deadline_hours=24.0, absence="adjutant"))
    table.play(1, "axis", "COMMIT 0")
    due = table.journal.deadlines(table.game)["axis"].due
    assert due == "2026-01-02T00:00:00+00:00"
    assert "Until: Fri 2 Jan 2026 00:00 UTC" in str(parts(table.mails_to("axis")[-1])[0])
    got = len(table.mails_to("axis")), len(table.mails_to("allied"))
    table.ports = replace(table.ports, now=lambda: due)
    absent.call_overdue(table.ports)
    packets = 0
    while (call := table.journal.next_message(table.game)) is not None:
        absent.handle(table.ports, call)
        packets += 1
    table.post(table.game)
    assert packets > 1
    assert (len(table.mails_to("axis")), len(table.mails_to("allied"))) == (got[0] + 1, got[1] + 1)
    own, theirs = (" ".join(str(parts(table.mails_to(side)[-1])[0]).split()) for side in ("axis", "allied"))
    assert "Your deadline passed: the adjutant played for you" in own
    assert "The other side's deadline passed without orders" in theirs
    assert "Awaited: Allied (Allied player-turn" in theirs, theirs[:900]
    assert "Until: Sat 3 Jan 2026 00:00 UTC" in theirs
    assert table.journal.broken_link(table.game) is None
    table.journal.engine.dispose()


def test_a_mail_that_lies_in_the_inbox_when_the_deadline_is_looked_at_is_in_time(desk: Clocked) -> None:
    """The server was away: what came in meanwhile is journaled before anybody is played for."""
    to = next(line.partition(": ")[2] for line in desk.desk.mails_to(ANN)[-1].decode().splitlines() if line.startswith("Reply-To"))
    desk.desk.drop(f"From: {ANN}\nTo: {to}\nMessage-ID: <late@x>\n\nMOVE mine\nDONE\n".encode())
    desk.now = "2026-03-09T12:00:00+00:00"
    app = Celery("test", broker="memory://", set_as_current=False)
    register_tasks(app, lambda: Parts(desk.desk.ports, desk.desk.outbox, desk.desk.queues, desk.desk.inbox))
    app.tasks["hexpost.sweep"]()
    desk.desk.sweep()
    assert desk.did() == [["axis", "MOVE", "mine"], ["axis", "DONE", ""]]
    assert desk.verdicts() == ["absent:in-time"]

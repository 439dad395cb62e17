"""What comes with time alone: reminders, the weekly mail, sides that no mail reaches, and games that nobody joins."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import insert, select

from tests.worker.conftest import Desk
from tests.worker.fakes import ANN, BRUNO, RealMail, ToyRules, headers, orders_mail
from tests.worker.post import deliver, of_game, stamped, told, write
from tests.worker.test_beginning import EVE, ORDERS, code_in
from worker import drain
from worker.canonical import Json
from worker.play.games import new_game
from worker.store.database import reading, writing
from worker.store.tables import messages, paused
from worker.waiting import absent, weekly

MASTER = "desk@club.example"
MONDAY = "2026-03-23T12:00:00+00:00"


def subjects(post: Desk, who: str) -> list[str]:
    """The subjects of what somebody got, without their tags."""
    return [str(headers(raw)["Subject"]).rpartition("] ")[2] for raw in post.mails_to(who)]


def sweep_at(post: Desk, now: str) -> None:
    """The clock shows ``now``, and a sweep comes by."""
    post.now = now
    post.sweep()


# Reminders


class LegalToy(ToyRules):
    """The toy game, in which one order is legal."""

    def legal(self, state: Json, side: str, most: int = 100, packet: Json = None, unit: str | None = None) -> Json:
        return {"orders": [{"line": 1, "verb": "DONE", "args": {}}], "more": False}


def test_a_side_is_reminded_once_at_each_time_in_its_thread_with_what_is_awaited(post: Desk) -> None:
    post.configure(deadline_hours=48.0)
    post.now = MONDAY
    post.start()
    post.ports = replace(post.ports, rules=LegalToy())
    sweep_at(post, "2026-03-24T11:59:59+00:00")
    assert len(post.mails_to(ANN)) == 1
    for now in ("2026-03-24T12:00:00+00:00", "2026-03-24T12:00:30+00:00", "2026-03-25T07:59:00+00:00"):
        sweep_at(post, now)
    assert subjects(post, ANN)[1:] == ["Reminder, 24 hours left: Turn 1, Axis player-turn"]
    for now in ("2026-03-25T08:00:10+00:00", "2026-03-25T09:00:00+00:00"):
        sweep_at(post, now)
    assert subjects(post, ANN)[2:] == ["Reminder, 4 hours left: Turn 1, Axis player-turn"]
    assert len(post.mails_to(BRUNO)) == 1
    first, last = (headers(post.mails_to(ANN)[n]) for n in (0, 2))
    assert first["Message-ID"] in str(last["References"])
    assert last["Reply-To"] == first["Reply-To"]
    assert last["Auto-Submitted"] == "auto-generated"
    said = told(post.mails_to(ANN)[2])
    assert "You are waited for until Wed 25 Mar 2026 12:00 UTC: 4 hours are left (Axis player-turn)" in said
    assert "Awaited: Axis (Axis player-turn)" in said
    assert "without one the adjutant plays for you. POSTPONE 24 gives you more time." in said
    # it is answered like any other mail
    write(post, ANN, "MOVE 0101", "DONE")
    assert post.ports.journal.game("G1").version == 1


def test_nobody_is_reminded_of_a_time_that_was_no_longer_from_the_start(post: Desk) -> None:
    post.configure(deadline_hours=24.0)
    post.now = MONDAY
    post.start()
    sweep_at(post, "2026-03-23T12:00:30+00:00")
    sweep_at(post, "2026-03-24T07:00:00+00:00")
    assert len(post.mails_to(ANN)) == 1
    sweep_at(post, "2026-03-24T08:00:00+00:00")
    assert subjects(post, ANN)[1:] == ["Reminder, 4 hours left: Turn 1, Axis player-turn"]


def test_a_server_that_was_away_reminds_once_and_not_of_what_has_passed(post: Desk) -> None:
    post.configure(deadline_hours=48.0)
    post.now = MONDAY
    post.start()
    sweep_at(post, "2026-03-25T10:00:00+00:00")
    assert subjects(post, ANN)[1:] == ["Reminder, 2 hours left: Turn 1, Axis player-turn"]
    sweep_at(post, "2026-03-25T12:00:00+00:00")
    assert not any(one.startswith("Reminder") for one in subjects(post, ANN)[2:])


def test_who_is_away_has_written_or_wants_none_is_not_reminded(post: Desk) -> None:
    post.configure(deadline_hours=48.0, reminders="24")
    post.now = MONDAY
    post.start()
    write(post, ANN, "NOTIFY REMINDERS OFF")
    sweep_at(post, "2026-03-24T12:00:00+00:00")
    assert not any(one.startswith("Reminder") for one in subjects(post, ANN))
    write(post, ANN, "DONE")
    write(post, BRUNO, "VACATION 3 DAYS FROM 2026-03-26")
    sweep_at(post, "2026-03-26T12:00:00+00:00")  # he is away until the 29th
    assert not any(one.startswith("Reminder") for one in subjects(post, BRUNO))
    sweep_at(post, "2026-03-29T00:00:00+00:00")
    assert [one for one in subjects(post, BRUNO) if one.startswith("Reminder")] == ["Reminder, 12 hours left: Turn 1, Allied player-turn"]


def test_a_deadline_that_is_put_off_is_reminded_of_anew(post: Desk) -> None:
    post.configure(deadline_hours=48.0, reminders="24")
    post.now = MONDAY
    post.start()
    sweep_at(post, "2026-03-24T12:00:00+00:00")
    write(post, ANN, "POSTPONE 24")
    sweep_at(post, "2026-03-24T13:00:00+00:00")
    assert sum(one.startswith("Reminder") for one in subjects(post, ANN)) == 1
    sweep_at(post, "2026-03-25T12:00:00+00:00")
    assert sum(one.startswith("Reminder") for one in subjects(post, ANN)) == 2


# The weekly mail


@pytest.mark.parametrize(
    ("now", "zone", "hour"),
    [
        ("2026-03-29T15:59:00+00:00", "Europe/Rome", "2026-03-22T17:00"),  # 18:00 CET a week before
        ("2026-03-29T16:00:00+00:00", "Europe/Rome", "2026-03-29T16:00"),  # 18:00 CEST on the day of the change
        ("2026-10-25T17:00:00+00:00", "Europe/Rome", "2026-10-25T17:00"),  # and back
        ("2026-03-29T16:00:00+00:00", "America/New_York", "2026-03-22T22:00"),
        ("2026-03-29T08:30:00+00:00", "Pacific/Auckland", "2026-03-29T05:00"),
    ],
)
def test_its_hour_is_that_of_the_readers_clock(now: str, zone: str, hour: str) -> None:
    found = weekly.hour_before(now, ZoneInfo(zone), 6, 18)
    assert found.astimezone(UTC) == datetime.fromisoformat(f"{hour}:00+00:00")


def test_everybody_is_mailed_once_a_week_how_all_his_games_stand(post: Desk) -> None:
    post.configure(digest_day="sunday", deadline_hours=300.0, reminders="", game_master=MASTER)
    post.now = MONDAY
    for _ in range(2):
        new_game(post.ports, "toy/one", {"axis": [ANN], "allied": [BRUNO]}, {})
    post.sweep()
    write(post, ANN, "MOVE 0101", "DONE", to=of_game(post, ANN, "G2"))
    write(post, ANN, "ZONE Europe/Rome", to=of_game(post, ANN, "G2"))
    counts = {who: len(post.mails_to(who)) for who in (ANN, BRUNO, MASTER)}
    sweep_at(post, "2026-03-29T16:00:00+00:00")
    assert {who: len(post.mails_to(who)) - n for who, n in counts.items()} == {ANN: 1, BRUNO: 0, MASTER: 0}
    for now in ("2026-03-29T18:00:00+00:00", "2026-03-29T18:00:30+00:00", "2026-03-30T12:00:00+00:00"):
        sweep_at(post, now)
    assert {who: len(post.mails_to(who)) - n for who, n in counts.items()} == {ANN: 1, BRUNO: 1, MASTER: 1}
    assert subjects(post, ANN)[-1] == "Your games this week"
    said = told(post.mails_to(ANN)[-1])
    assert "G1 · TOY/ONE · AXIS Turn 1. You are waited for, until Sun 5 Apr 2026 02:00 CEST, 00:00 UTC. Nothing has happened" in said
    assert "G2 · TOY/ONE · AXIS Turn 1. Allied must act, until Sun 5 Apr 2026 02:00 CEST, 00:00 UTC." in said
    assert "NOTIFY DIGEST OFF" in said
    assert BRUNO not in said
    assert headers(post.mails_to(ANN)[-1])["Reply-To"] is None
    write(post, ANN, "NOTIFY DIGEST OFF", to=of_game(post, ANN, "G1"))
    count = len(post.mails_to(ANN))
    sweep_at(post, "2026-04-04T18:00:00+00:00")
    sweep_at(post, "2026-04-05T18:00:00+00:00")
    assert subjects(post, ANN)[count:].count("Your games this week") == 0
    assert subjects(post, BRUNO).count("Your games this week") == 2


class Telling(RealMail):
    """The real mail service, but that what happened in the toy game is told in one sentence."""

    def report(self, body: Json) -> Json:
        events = ", ".join(one["data"]["x"] for one in body.get("events", []))
        return super().report(body) | ({"summary": [f"{events} came about."]} if events else {})


def test_it_tells_no_more_than_the_side_has_been_told(post: Desk) -> None:
    post.configure(digest_day="sunday")
    assert isinstance(post.ports.mail, RealMail)
    post.ports = replace(post.ports, mail=Telling(post.ports.mail.real))
    post.now = MONDAY
    post.start()
    write(post, ANN, "MOVE 0505", "ENTER 0909")  # her turn is still open: the other side is not told yet
    sweep_at(post, "2026-03-29T18:00:00+00:00")
    mine, theirs = (told(post.mails_to(who)[-1]) for who in (ANN, BRUNO))
    assert "0505, 0909 came about." in mine
    assert "Nothing has happened in it this week" in theirs
    assert "0505" not in theirs
    post.now = "2026-03-29T18:00:10+00:00"
    write(post, ANN, "DONE", to=of_game(post, ANN, "G1"))
    sweep_at(post, "2026-04-05T18:00:00+00:00")
    assert "0505, came about." in told(post.mails_to(BRUNO)[-1])


def test_the_game_master_sees_first_what_stands_still(post: Desk) -> None:
    post.configure(digest_day="sunday", game_master=MASTER, zone="Europe/Berlin")
    post.now = "2026-03-10T12:00:00+00:00"
    new_game(post.ports, "toy/one", {"axis": [ANN], "allied": [BRUNO]}, {})
    post.sweep()
    deliver(post, stamped(ORDERS, ANN, "<9@ann>", "NEW toy/one"))
    post.now = "2026-03-27T12:00:00+00:00"
    new_game(post.ports, "toy/one", {"axis": [ANN], "allied": ["adjutant"]}, {})
    sweep_at(post, "2026-03-29T16:00:00+00:00")
    (mail,) = post.mails_to(MASTER)
    said = told(mail)
    assert subjects(post, MASTER) == ["The games this week"]
    assert said.index("G1 · TOY/ONE: STANDS STILL") < said.index("G3 · TOY/ONE") < said.index("G2 · TOY/ONE It waits for Allied")
    assert f"* Axis: {ANN}" in said


def test_a_game_that_has_just_begun_brings_no_weekly_mail(post: Desk) -> None:
    post.configure(digest_day="sunday")
    post.now = "2026-03-29T20:00:00+00:00"
    post.start()
    post.sweep()
    assert len(post.mails_to(ANN)) == 1


def test_a_new_installation_mails_no_digest_before_the_first_that_is_due_after_its_first_game(post: Desk) -> None:
    post.configure(digest_day="monday", digest_hour=0, game_master=MASTER)
    post.now = "2026-03-30T09:00:00+00:00"  # a Monday, nine hours after the hour of the digest
    deliver(post, stamped(ORDERS, ANN, "<9@ann>", "NEW toy/one"))
    post.start()
    sweep_at(post, "2026-03-30T09:00:30+00:00")
    assert post.mails_to(MASTER) == []
    sweep_at(post, "2026-04-06T00:00:30+00:00")
    assert subjects(post, MASTER) == ["The games this week"]


# Sides that no mail reaches, or that nobody plays


def dead(post: Desk, address: str) -> None:
    """Mail to an address comes back."""
    with writing(post.ports.journal.engine) as connection:
        connection.execute(insert(paused).values(address=address, at=post.now))


@pytest.mark.bug("S10")
def test_a_dead_address_starts_the_absence_rule_and_the_others_are_told(post: Desk) -> None:
    post.configure(silent_hours=24.0)  # and no deadline
    post.now = MONDAY
    post.start()
    post.sweep()
    assert post.ports.journal.deadlines("G1") == {}
    dead(post, ANN)
    post.sweep()
    assert post.ports.journal.deadlines("G1")["axis"].due == "2026-03-24T12:00:00+00:00"
    said = told(post.mails_to(BRUNO)[-1])
    assert "Mail to the Axis side comes back as undeliverable" in said
    assert "until Tue 24 Mar 2026 12:00 UTC, the adjutant plays for it" in said
    assert ANN not in said
    sweep_at(post, "2026-03-24T12:00:00+00:00")
    assert post.ports.journal.state("G1", 2)[0]["did"] == [["axis", "MOVE", "adjutant"], ["axis", "DONE", ""]]
    assert post.ports.journal.deadlines("G1") == {}  # the other side has its time, as ever
    write(post, BRUNO, "DONE")
    assert list(post.ports.journal.deadlines("G1")) == ["axis"]
    count = len(post.mails_to(BRUNO))
    post.sweep()
    assert len(post.mails_to(BRUNO)) == count
    # whoever writes is there again
    deliver(post, orders_mail(ORDERS, ANN, "<1@back>", "WHO"))
    deliver(post, orders_mail(of_game(post, ANN, "G1"), ANN, "<2@back>", "DONE"))
    write(post, BRUNO, "DONE")
    assert post.ports.journal.deadlines("G1") == {}


@pytest.mark.bug("S10")
def test_a_side_with_another_address_that_mail_reaches_is_not_silent(post: Desk) -> None:
    post.start()
    write(post, ANN, "INVITE carl@example.com")
    deliver(post, orders_mail(ORDERS, "carl@example.com", "<1@yes>", f"ACCEPT {code_in(post.mails_to('carl@example.com')[-1])}"))
    dead(post, ANN)
    count = len(post.mails_to(BRUNO))
    post.sweep()
    assert len(post.mails_to(BRUNO)) == count


@pytest.mark.bug("S10")
def test_a_side_of_the_robots_never_blocks_and_is_never_mailed(post: Desk) -> None:
    post.configure(deadline_hours=24.0, digest_day="sunday")
    post.now = MONDAY
    new_game(post.ports, "toy/one", {"axis": [ANN], "allied": ["adjutant"]}, {})
    post.sweep()
    write(post, ANN, "DONE")
    assert post.ports.journal.game("G1").turn == 2
    sweep_at(post, "2026-03-24T12:00:00+00:00")
    sweep_at(post, "2026-03-29T18:00:00+00:00")
    assert {to for _, recipients, _ in post.sender.sent for to in recipients} == {ANN}
    assert list(post.ports.journal.deadlines("G1")) == ["axis"]


@pytest.mark.bug("C01")
def test_three_workers_that_look_at_once_resolve_a_turn_once(post: Desk) -> None:
    """No task is planned ahead that a queue could hand out twice: deadlines stand in the journal, and a sweep enters one call for each."""
    post.configure(deadline_hours=26.0, absence="nothing", reminders="4")
    post.now = MONDAY
    post.start()
    post.now = "2026-03-24T14:00:00+00:00"
    with ThreadPoolExecutor(3) as workers:
        found = list(workers.map(lambda _: absent.call_overdue(post.ports), range(3)))
        assert sorted(len(one) for one in found) == [0, 0, 1]
        for game, key in (one for some in found for one in some * 3):  # handed out again and again
            post.queues.push(game, key)
        list(workers.map(lambda _: drain.drain(post.ports, post.queues, "G1", post.wake), range(3)))
    post.run()
    assert post.ports.journal.state("G1", 1)[0]["did"] == [["axis", "DONE", "TURN AUTO"]]
    assert post.ports.journal.game("G1").version == 1
    with reading(post.ports.journal.engine) as connection:
        calls = connection.execute(select(messages.c.verdict).where(messages.c.place.like("ours/%"))).scalars().all()
    assert calls == ["absent:nothing"]


# Games that nobody joins


def test_a_game_that_waits_too_long_is_given_up_and_told_to_who_has_a_seat(post: Desk) -> None:
    post.configure(lobby_days=10)
    post.now = MONDAY
    deliver(post, stamped(ORDERS, ANN, "<1@ann>", "NEW toy/one AS axis"))
    write(post, ANN, f"INVITE {BRUNO}")
    code = code_in(post.mails_to(BRUNO)[-1])
    sweep_at(post, "2026-04-02T11:59:59+00:00")
    assert post.lobby("G1") is not None
    sweep_at(post, "2026-04-02T12:00:00+00:00")
    sweep_at(post, "2026-04-02T12:00:30+00:00")
    assert post.lobby("G1") is None
    assert subjects(post, ANN)[-1] == "Your game did not begin"
    assert subjects(post, ANN).count("Your game did not begin") == 1
    assert "Game G1 (toy/one) has waited for Allied since Mon 23 Mar 2026 12:00 UTC" in told(post.mails_to(ANN)[-1])
    deliver(post, stamped(ORDERS, BRUNO, "<1@bruno>", f"ACCEPT {code}"))
    assert post.ports.journal.game("G1") is None


# Who wants which reports


class EndingToy(ToyRules):
    """The toy game, in which each move of the Allies ends a part of the turn: the other side is told of it, and nothing is wanted of it."""

    def view(self, state: Json, side: str | None, events: list[Json] | None = None) -> Json:
        seen = super().view(state, side, events)
        seen["path"][0][1] += sum(did[:2] == ["allied", "MOVE"] for did in state["did"])
        return seen


def test_each_player_of_a_side_gets_the_reports_that_he_wants_and_is_told_what_he_missed(post: Desk) -> None:
    post.start()
    write(post, ANN, f"INVITE {EVE}")
    deliver(post, orders_mail(ORDERS, EVE, "<1@yes>", f"ACCEPT {code_in(post.mails_to(EVE)[-1])}"))
    write(post, EVE, "NOTIFY AWAITED")
    write(post, ANN, "MOVE 0101", "DONE")  # receipts go to both, as ever
    count = len(post.mails_to(ANN)), len(post.mails_to(EVE))
    post.ports = replace(post.ports, rules=EndingToy())
    write(post, BRUNO, "MOVE 0202")
    assert (len(post.mails_to(ANN)), len(post.mails_to(EVE))) == (count[0] + 1, count[1])
    assert "0202" in told(post.mails_to(ANN)[-1])
    write(post, BRUNO, "MOVE 0303", "DONE")
    assert "Your orders, please" in str(headers(post.mails_to(EVE)[-1])["Subject"])
    last, fellow = told(post.mails_to(EVE)[-1]), told(post.mails_to(ANN)[-1])
    assert "0202" in last
    assert "0303" in last
    assert "0202" not in fellow
    assert "0303" in fellow

"""Time as players and the game master set it: zones, deadlines by class and by game, more time, and who decides when it is over."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from tests.worker.conftest import Desk
from tests.worker.fakes import ANN, BRUNO, headers, orders_mail
from tests.worker.post import deliver, of_game, stamped, told, write
from tests.worker.test_beginning import ORDERS, code_in
from tests.worker.whole import services
from worker.canonical import Json
from worker.desk.selfplay import PLAIN
from worker.play.games import new_game
from worker.store.database import writing
from worker.store.records import Deadline
from worker.waiting import deadlines, halts, terms, waits, zones

MASTER = "desk@club.example"
START = "2026-03-27T20:14:09+00:00"
"""The Friday before the clocks of Europe go forward, on Sunday the 29th at 01:00 UTC."""


def due(post: Desk) -> dict[str, str]:
    """Until when the sides are waited for."""
    return {side: one.due[:16] for side, one in post.ports.journal.deadlines("G1").items()}


def to_master(post: Desk, *lines: str) -> str:
    """The game master gives a command; what he is answered."""
    return told(deliver(post, stamped(ORDERS, MASTER, f"<{post.count}@desk>", *lines)))


# Zones


def test_times_are_told_by_the_readers_own_clock_and_in_utc_on_both_sides_of_the_change(post: Desk) -> None:
    post.configure(deadline_hours=24.0)
    post.start()
    assert "Until: Sat 28 Mar 2026 20:14 UTC" in told(post.mails_to(ANN)[-1])
    answer = told(write(post, ANN, "ZONE europe/rome"))
    assert "in the zone Europe/Rome, in all your mails; there it was Fri 27 Mar 2026 21:14 CET, 20:14 UTC" in answer
    assert "Until: Sat 28 Mar 2026 21:14 CET, 20:14 UTC" in answer
    post.now = "2026-03-28T20:00:00+00:00"
    write(post, ANN, "DONE")
    post.now = "2026-03-28T22:30:00+00:00"
    write(post, BRUNO, "DONE")  # Ann is waited for until a time of summer, an hour further on by her clock
    assert "Until: Mon 30 Mar 2026 00:30 CEST, Sun 29 Mar 22:30 UTC" in told(post.mails_to(ANN)[-1])
    assert "Until: Sun 29 Mar 2026 22:30 UTC" in told(post.mails_to(BRUNO)[-1])
    assert f"* Axis: {ANN}, awaited until Mon 30 Mar 2026 00:30 CEST, Sun 29 Mar 22:30 UTC" in told(write(post, ANN, "WHO"))


def test_the_hour_that_comes_twice_in_autumn_is_told_apart_by_its_name(post: Desk) -> None:
    post.configure(deadline_hours=24.0)
    post.now = "2026-10-24T00:30:00+00:00"
    post.start()
    write(post, ANN, "ZONE Rome")
    first = "Until: Sun 25 Oct 2026 02:30 CEST, 00:30 UTC"
    assert first in told(write(post, ANN, "STATUS"))
    assert "to Sun 25 Oct 2026 02:30 CET, 01:30 UTC" not in first
    write(post, ANN, "POSTPONE 1")
    assert "waited for until Sun 25 Oct 2026 02:30 CET, 01:30 UTC" in told(post.mails_to(ANN)[-1])


@pytest.mark.parametrize(
    ("typed", "until"),
    [
        ("POSTPONE 12", "Sun 29 Mar 2026 08:14 UTC"),
        ("VACATION 2 DAYS", "Mon 30 Mar 2026 20:14 UTC"),
        ("DEADLINE 48", "Sun 29 Mar 2026 20:14 UTC"),
    ],
)
def test_a_new_deadline_stands_on_top_of_the_answer_and_of_the_notice_too(post: Desk, typed: str, until: str) -> None:
    post.configure(deadline_hours=24.0, vacation_days=10, grace_hours=24.0, grace_once=12.0)
    post.start()
    answer = write(post, ANN, typed)
    if typed.startswith("DEADLINE"):
        write(post, BRUNO, f"ACCEPT {code_in(post.mails_to(BRUNO)[-1])}")
        answer = post.mails_to(ANN)[-1]
    for one in (answer, post.mails_to(BRUNO)[-1]):
        assert f"Until: {until}" in told(one)
        assert "Until: Sat 28" not in told(one)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (
            "CET",
            "CET says what time it is and not where: nobody could know when your clocks are changed. Name a place that has your time, ",
        ),
        ("est", "as in ZONE America/New_York (or America/Toronto)"),
        ("UTC+2", "UTC+2 does not say when your clocks are changed"),
        ("Europe/Vieena", "There is no time zone EUROPE/VIEENA; did you mean Europe/Vienna"),
        ("Qwxyz", "There is no time zone QWXYZ. Zones are named by places"),
    ],
)
def test_what_names_no_place_is_refused_with_advice(post: Desk, typed: str, said: str) -> None:
    post.start()
    assert said in told(write(post, ANN, f"ZONE {typed}"))
    assert zones.zone_of(post.ports.journal.engine, post.ports.config, ANN) == "UTC"


@pytest.mark.parametrize("typed", ["EUROPE/ROME", "rome", "ROME"])
def test_a_zone_is_known_whatever_its_capitals_and_by_its_city(typed: str) -> None:
    assert zones.find(typed) == "Europe/Rome"
    assert zones.find("new york") == "America/New_York"
    assert zones.find("gmt") == "UTC"


def test_another_address_of_a_player_has_his_zone(post: Desk) -> None:
    post.start()
    write(post, ANN, "ZONE Europe/Rome")
    write(post, ANN, "ADDRESS ADD carl@example.com")
    code = code_in(post.mails_to("carl@example.com")[-1])
    deliver(post, orders_mail(ORDERS, "carl@example.com", "<1@carl>", f"ACCEPT {code}"))
    assert "in the zone Europe/Rome; there it was" in told(write(post, "carl@example.com", "ZONE"))
    assert "in the zone UTC; there it was" in told(write(post, BRUNO, "ZONE"))


# Deadlines by class, and of one game


def seen(side: str, *path: list[Any], pending: Json = ()) -> Json:
    """A view of a side that is waited for."""
    return {"side": side, "waiting_for": [side], "path": [["turn", 1], *path], "pending": list(pending)}


@pytest.mark.parametrize(
    ("view", "kind"),
    [
        (seen("axis", ["player-turn", "axis"]), "turn"),
        (seen("axis", ["player-turn", "allied"]), "reaction"),
        (seen("axis", ["setup", "axis"]), "setup"),
        (seen("axis"), "turn"),
        (seen("axis", ["player-turn", "axis"], pending=[{"side": "axis", "deadline": "reaction"}]), "reaction"),
        (seen("axis", ["player-turn", "axis"], pending=[{"side": "axis", "deadline": "normal"}]), "turn"),
    ],
)
def test_each_class_of_decision_has_its_own_time(view: Json, kind: str) -> None:
    times = terms.Terms(72, 24, 96, 48, "adjutant")
    found = deadlines.following({}, {}, {"axis": view}, START, times.hours)["axis"]
    until = {"turn": "2026-03-30T20:14:09", "reaction": "2026-03-28T20:14:09", "setup": "2026-03-31T20:14:09"}[kind]
    assert found == Deadline(f"{until}+00:00", since=START, kind=kind)


@pytest.mark.parametrize(
    ("scenario", "packets", "kinds"),
    [
        ("holdfast/campaign-1", 0, {"axis": "turn"}),
        ("fall-of-tobruk/gazala", 0, {"allied": "setup"}),
        ("beda-fomm/historical", 0, {"british": "setup"}),
        ("race-for-tunis/standard", 12, {"axis": "turn", "allied": "reaction"}),
    ],
)
def test_the_classes_are_found_in_what_the_games_show(scenario: str, packets: int, kinds: dict[str, str]) -> None:
    rules, _ = services()
    state = rules.new_state(scenario, {}, "00" * 32)["state"]
    found: dict[str, str] = {}
    for number in range(packets + 1):
        views = {side: rules.view(state, side) for side in rules.scenario(scenario)["game"]["sides"]}
        waiting = {side: view for side, view in views.items() if deadlines.awaited(view)}
        found |= {side: deadlines.kind_of(view) for side, view in waiting.items()}
        if number == packets or set(kinds.items()) <= set(found.items()):
            break
        side = next(iter(waiting))
        packet = PLAIN | {"id": f"x-{number}", "side": side, "seq": None} | rules.adjutant(state, side)
        state = rules.adjudicate({"state": state, "packet": packet, "seed": "11" * 32})["state"]
    assert {side: found[side] for side in kinds} == kinds


def test_a_game_by_mail_has_the_deadlines_that_its_founder_names_and_everybody_is_told_them(post: Desk) -> None:
    answer = told(deliver(post, stamped(ORDERS, ANN, "<1@ann>", "NEW toy/one AS axis DEADLINE 72 REACTION 24 ABSENCE nothing")))
    said = "Each side has 3 days for the orders of its player-turn, 24 hours for a decision in the other side's."
    assert said in answer
    assert "its player-turn ends" in answer
    deliver(post, stamped(ORDERS, BRUNO, "<1@bruno>", "JOIN G1"))
    assert due(post) == {"axis": "2026-03-30T20:14"}
    assert said in told(post.mails_to(BRUNO)[-1])
    assert said in told(write(post, BRUNO, "STATUS", to=of_game(post, BRUNO, "G1")))
    # the settings know no deadline, and yet it is acted on
    post.now = "2026-03-30T20:14:09+00:00"
    post.sweep()
    assert post.ports.journal.state("G1", 1)[0]["did"] == [["axis", "DONE", "TURN AUTO"]]


def test_the_founder_settles_them_until_somebody_joins(post: Desk) -> None:
    deliver(post, stamped(ORDERS, ANN, "<1@ann>", "NEW toy/one AS axis"))
    assert "Each side has 2 days for" in told(write(post, ANN, "DEADLINE 48 HOURS"))
    deliver(post, stamped(ORDERS, BRUNO, "<1@bruno>", "JOIN G1"))
    assert due(post) == {"axis": "2026-03-29T20:14"}


def test_other_deadlines_need_the_other_sides_consent_within_its_time(post: Desk) -> None:
    post.configure(deadline_hours=48.0, consent_hours=24.0)
    post.start()
    assert "The other side is asked" in told(write(post, ANN, "DEADLINE 96 ABSENCE wait"))
    asked = told(post.mails_to(BRUNO)[-1])
    assert "The Axis side proposes other deadlines. Each side has 4 days for the orders of its player-turn" in asked
    assert "until Sat 28 Mar 2026 20:14 UTC; after that nothing comes of it" in asked
    assert due(post) == {"axis": "2026-03-29T20:14"}
    post.now = "2026-03-28T20:14:10+00:00"
    assert "Nothing waits for your answer" in told(write(post, BRUNO, "ACCEPT"))
    write(post, ANN, "DEADLINE 96 ABSENCE wait")
    assert "From now on: Each side has 4 days" in told(write(post, BRUNO, "ACCEPT"))
    assert due(post) == {"axis": "2026-03-31T20:14"}
    assert "From now on: Each side has 4 days" in told(post.mails_to(ANN)[-1])
    assert terms.of(post.ports.journal.engine, post.ports.config, "G1").absence == "wait"
    assert "Each side has 4 days" in told(write(post, ANN, "DEADLINE"))


def test_a_deadline_that_is_brought_forward_leaves_a_day(post: Desk) -> None:
    post.configure(deadline_hours=96.0, game_master=MASTER)
    post.start()
    post.now = "2026-03-29T20:14:09+00:00"  # two days have gone
    assert "From now on: Each side has 2 days" in to_master(post, "TERMS G1 DEADLINE 48")
    assert due(post) == {"axis": "2026-03-30T20:14"}
    for who in (ANN, BRUNO):
        assert "Other deadlines from now on" in str(headers(post.mails_to(who)[-1])["Subject"])
    to_master(post, "TERMS G1 DEADLINE 0")
    assert due(post) == {}
    to_master(post, "TERMS G1 DEADLINE 12")
    assert due(post) == {"axis": "2026-03-30T08:14"}


def test_nobody_but_the_game_master_settles_them_alone(post: Desk) -> None:
    post.configure(deadline_hours=96.0, game_master=MASTER)
    post.start()
    write(post, ANN, "TERMS G1 DEADLINE 1")
    deliver(post, orders_mail(ORDERS, "eve@example.com", "<1@eve>", "TERMS G1 DEADLINE 1"))
    forged = b"Authentication-Results: hexpost.invalid; dmarc=fail header.from=club.example\n"
    deliver(post, forged + orders_mail(ORDERS, MASTER, "<1@forged>", "TERMS G1 DEADLINE 1"))
    assert due(post) == {"axis": "2026-03-31T20:14"}


def test_hexpost_new_takes_terms(post: Desk) -> None:
    new_game(post.ports, "toy/one", {"axis": [ANN], "allied": [BRUNO]}, {}, agreed={"turn": "24", "absence": "master"})
    assert due(post) == {"axis": "2026-03-28T20:14"}
    assert terms.of(post.ports.journal.engine, post.ports.config, "G1").absence == "master"


def test_deadlines_are_shifted_and_those_of_a_game_that_stands_still_do_not_pass(post: Desk) -> None:
    post.configure(deadline_hours=24.0)
    post.start()
    with writing(post.ports.journal.engine) as connection:
        halts.shifted(connection, "G1", "allied", timedelta(hours=9))
        halts.shifted(connection, "G1", None, timedelta(hours=5))
        connection.exec_driver_sql("INSERT INTO halts VALUES ('G1', '2026-03-27T20:14:09+00:00', NULL, '')")
    assert due(post) == {"axis": "2026-03-29T01:14"}
    post.now = "2026-03-30T00:00:00+00:00"
    count = len(post.mails_to(ANN))
    post.sweep()
    assert post.ports.journal.game("G1").version == 0
    assert len(post.mails_to(ANN)) == count
    with writing(post.ports.journal.engine) as connection:
        connection.exec_driver_sql("DELETE FROM halts")
    post.sweep()
    assert post.ports.journal.game("G1").version > 0


# Time that a side gives itself


def test_a_side_postpones_its_deadline_within_limits_and_the_other_side_is_told(post: Desk) -> None:
    post.configure(deadline_hours=48.0, grace_hours=40.0, grace_once=24.0, game_master=MASTER)
    post.start()
    assert "16 hours more are left" in told(write(post, ANN, "POSTPONE 24 HOURS"))
    assert due(post) == {"axis": "2026-03-30T20:14"}
    assert "The Axis side needs more time, and has put its deadline off by 24 hours, to Mon 30 Mar 2026 20:14 UTC" in told(
        post.mails_to(BRUNO)[-1]
    )
    answer = told(write(post, ANN, "POSTPONE 1 DAY"))
    assert "24 hours at a time, and 16 hours are left to you in this game: by 16 hours at most now" in answer
    assert "SAY TO MASTER" in answer
    assert "with DEADLINE and other hours for both" in answer
    write(post, ANN, "POSTPONE 16")
    assert due(post) == {"axis": "2026-03-31T12:14"}
    assert "Nothing is left to you" in told(write(post, ANN, "POSTPONE 1"))
    assert "No deadline of yours runs" in told(write(post, BRUNO, "POSTPONE 1"))
    assert due(post) == {"axis": "2026-03-31T12:14"}


# When it is over


def test_the_game_master_decides_where_the_game_has_it_so(post: Desk) -> None:
    post.configure(deadline_hours=24.0, absence="master", game_master=MASTER)
    post.start()
    post.now = "2026-03-28T20:14:09+00:00"
    post.sweep()
    post.sweep()
    assert post.ports.journal.game("G1").version == 0
    (asked,) = post.mails_to(MASTER)
    assert "A deadline has passed: you decide" in str(headers(asked)["Subject"])
    assert "| DECIDE G1 axis ADJUTANT | DECIDE G1 axis NOTHING | EXTEND G1 axis 24 HOURS" in told(asked)
    assert "Nothing is played for you: the game master has been asked" in told(post.mails_to(ANN)[-1])
    assert "The deadline of the Axis side has passed, Sat 28 Mar 2026 20:14 UTC" in told(post.mails_to(BRUNO)[-1])
    assert "does not wait for Allied" in to_master(post, "DECIDE G1 allied ADJUTANT")
    assert "The adjutant plays Axis of game G1" in to_master(post, "DECIDE G1 axis ADJUTANT")
    assert post.ports.journal.state("G1", 2)[0]["did"] == [["axis", "MOVE", "adjutant"], ["axis", "DONE", ""]]
    assert "Your deadline passed: the adjutant played for you" in told(post.mails_to(ANN)[-1])
    assert "Your orders, please" in str(headers(post.mails_to(BRUNO)[-1])["Subject"])


def test_he_may_give_it_more_time_and_is_asked_again(post: Desk) -> None:
    post.configure(deadline_hours=24.0, absence="master", game_master=MASTER)
    post.start()
    post.now = "2026-03-28T20:14:09+00:00"
    for _ in range(2):  # what is for nobody's game leaves with the next sweep
        post.sweep()
    to_master(post, "EXTEND G1 axis 24 HOURS")
    assert due(post)["axis"] >= "2026-03-29T20:14"
    asked = sum("you decide" in str(headers(raw)["Subject"]) for raw in post.mails_to(MASTER))
    assert asked == 1
    post.now = f"{due(post)['axis']}:30+00:00"
    for _ in range(2):
        post.sweep()
    assert sum("you decide" in str(headers(raw)["Subject"]) for raw in post.mails_to(MASTER)) == 2


def test_he_may_end_the_player_turn_and_a_side_that_writes_first_is_not_played_for(post: Desk) -> None:
    post.configure(deadline_hours=24.0, absence="master", game_master=MASTER)
    post.start()
    post.now = "2026-03-28T20:14:09+00:00"
    post.sweep()
    to_master(post, "DECIDE G1 axis NOTHING")
    assert post.ports.journal.state("G1", 1)[0]["did"] == [["axis", "DONE", "TURN AUTO"]]
    post.now = "2026-03-29T20:14:09+00:00"
    post.sweep()
    post.drop(stamped(ORDERS, MASTER, "<late@desk>", "DECIDE G1 allied NOTHING"))
    post.drop(orders_mail(of_game(post, BRUNO, "G1"), BRUNO, "<late@bruno>", "MOVE 0101"))
    post.run()
    assert post.ports.journal.game("G1").version in (2, 3)
    game = post.ports.journal.game("G1")
    did = post.ports.journal.state("G1", game.version)[0]["did"]
    assert ["allied", "MOVE", "0101"] in did


def test_a_draft_is_played_before_anybody_decides(post: Desk) -> None:
    post.configure(deadline_hours=24.0, absence="master", game_master=MASTER)
    post.start()
    write(post, ANN, "HOLD", "MOVE 0404")
    post.now = "2026-03-28T20:14:09+00:00"
    post.sweep()
    assert post.ports.journal.state("G1", 1)[0]["did"] == [["axis", "MOVE", "0404"], ["axis", "DONE", "TURN AUTO"]]
    assert post.mails_to(MASTER) == []


# How reliable


def test_who_writes_in_time_late_or_not_at_all_is_counted_for_his_address(post: Desk) -> None:
    post.configure(deadline_hours=24.0, absence="wait")
    post.start()
    write(post, ANN, "MOVE 0101", "DONE")
    post.now = "2026-03-29T20:14:10+00:00"
    post.sweep()
    write(post, BRUNO, "DONE")
    post.configure(absence="nothing")
    post.now = "2026-03-31T20:14:10+00:00"
    post.sweep()
    answer = told(write(post, ANN, "WHO"))
    assert f"You, {ANN}, in all your games here: 1 times in time, 0 late, 1 played for" in answer
    assert "* Allied: 1 address, awaited until Wed 1 Apr 2026 20:14 UTC; in all games here 0 times in time, 1 late, 0 played for" in answer
    assert BRUNO not in answer
    # orders that a side adds to its open step end no wait
    write(post, BRUNO, "MOVE 0202")
    assert "0 times in time, 1 late, 0 played for" in told(write(post, BRUNO, "WHO"))


def test_no_deadline_no_record(post: Desk) -> None:
    post.start()
    write(post, ANN, "DONE")
    assert "in time" not in told(write(post, ANN, "WHO"))
    assert waits.silent_sides(post.ports.journal.engine) == {}

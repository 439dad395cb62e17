"""Leave that is counted by the player's own clock, over its changes too."""

from __future__ import annotations

import pytest

from tests.worker.conftest import Desk
from tests.worker.fakes import ANN, BRUNO
from tests.worker.post import told, write


def test_days_of_leave_begin_at_midnight_by_the_players_clock(post: Desk) -> None:
    post.configure(deadline_hours=72.0)
    post.start()
    write(post, BRUNO, "ZONE Europe/Rome")
    write(post, BRUNO, "VACATION UNTIL 2026-03-30 FROM 2026-03-29")
    (away,) = post.ports.journal.engine.connect().exec_driver_sql("SELECT since, until FROM vacations").all()
    # from midnight by winter time to midnight by summer time: 47 hours
    assert tuple(away) == ("2026-03-28T23:00:00+00:00", "2026-03-30T22:00:00+00:00")
    assert "away from Sat 28 Mar 2026 23:00 UTC until Mon 30 Mar 2026 22:00 UTC" in told(post.mails_to(ANN)[-1])


@pytest.mark.parametrize(
    ("typed", "until"),
    [
        ("VACATION 1 DAYS FROM 2026-03-28", "2026-03-28T23:00:00+00:00"),  # 24 hours, before the change
        ("VACATION 1 DAYS FROM 2026-03-29", "2026-03-29T22:00:00+00:00"),  # Sunday has 23 hours
        ("VACATION 3 DAYS", "2026-03-30T19:14:09+00:00"),  # at 21:14:09 by the clock, as it began
        ("VACATION 1 DAYS FROM 2026-10-25", "2026-10-25T23:00:00+00:00"),  # 25 hours
    ],
)
def test_a_number_of_days_of_leave_ends_at_the_hour_by_the_players_clock_at_which_it_began(post: Desk, typed: str, until: str) -> None:
    post.configure(deadline_hours=72.0)
    post.start()
    write(post, BRUNO, "ZONE Europe/Berlin")
    write(post, BRUNO, typed)
    (away,) = post.ports.journal.engine.connect().exec_driver_sql("SELECT until FROM vacations").all()
    assert away[0] == until


def test_the_hour_that_the_clocks_are_put_back_costs_no_leave(post: Desk) -> None:
    post.configure(deadline_hours=72.0, vacation_days=3)
    post.now = "2026-10-24T08:00:00+00:00"
    post.start()
    write(post, BRUNO, "ZONE Europe/Berlin")
    answer = told(write(post, BRUNO, "VACATION 2 DAYS FROM 2026-10-25"))  # 49 hours
    assert "1 day is left to you" in answer

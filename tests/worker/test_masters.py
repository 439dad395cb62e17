"""What the game master does by mail: PAUSE RESUME EXTEND ROLLBACK REPLACE EDIT, each told to both sides."""

from __future__ import annotations

import re

from tests.worker.conftest import Desk, reply_to
from tests.worker.fakes import ANN, BRUNO, headers, orders_mail
from tests.worker.post import DESK, MASTER, deliver, rule, stamped, subject, told, verbs, write
from tests.worker.test_agreeing import did
from tests.worker.test_beginning import code_in
from worker.post.context import side_tokens
from worker.post.links import links_of
from worker.secrets import seed
from worker.waiting import halts

CARA = "cara@example.com"


def both(desk: Desk) -> list[str]:
    """The last mails of both sides."""
    return [told(desk.mails_to(one)[-1]) for one in (ANN, BRUNO)]


# Standing still


def test_a_pause_keeps_orders_and_time_and_both_are_given_back(club: Desk) -> None:
    assert "Game G1 is paused. Orders are kept and answered" in rule(club, "PAUSE G1 BECAUSE my holidays")
    for one in (ANN, BRUNO):
        assert subject(club.mails_to(one)[-1]) == "The game is paused"
        assert "His reason: my holidays" in told(club.mails_to(one)[-1])
    # a fault is told at once; what would change the game is kept, and answered
    assert "Refused" in str(headers(write(club, ANN, "REBUILD X1"))["Subject"])
    assert "Your orders (1 line) are kept, and carried out when the game goes on" in told(write(club, ANN, "MOVE 0101"))
    assert "Your orders (2 lines) are kept" in told(write(club, ANN, "ATTACK 0102", "DONE"))
    assert did(club) == []
    assert "The game is paused (my holidays)" in told(write(club, ANN, "STATUS"))
    # ten days later no deadline has passed
    club.now = "2026-04-06T20:14:09+00:00"
    club.sweep()
    assert did(club) == []
    assert "Game G1 goes on. 2 mails with orders that were kept are carried out now." in rule(club, "RESUME G1")
    assert [one[:2] for one in did(club)] == [["axis", "MOVE"], ["axis", "ROLL"], ["axis", "DONE"]]
    assert [subject(raw).split(":")[0] for raw in club.mails_to(ANN)[-2:]] == ["Done", "Done"]
    # the allied side has its time from then on
    assert club.ports.journal.deadlines("G1")["allied"].due == "2026-04-09T20:14:09+00:00"
    assert verbs(club)[0] == ("PAUSE", "done", MASTER)
    assert club.ports.journal.broken_link("G1") is None


def test_time_that_was_left_is_left_after_the_pause(club: Desk) -> None:
    assert club.ports.journal.deadlines("G1")["axis"].due == "2026-03-30T20:14:09+00:00"
    club.now = "2026-03-28T20:14:09+00:00"
    rule(club, "PAUSE G1 UNTIL 2026-03-31")
    assert "until Wed 1 Apr 2026 00:00 UTC" in told(club.mails_to(ANN)[-1])
    club.now = "2026-03-31T23:59:00+00:00"
    club.sweep()
    assert halts.current(club.ports.journal.engine, "G1") is not None
    # it goes on by itself: two days of three were left
    club.now = "2026-04-01T00:00:09+00:00"
    club.sweep()
    assert halts.current(club.ports.journal.engine, "G1") is None
    assert club.ports.journal.deadlines("G1")["axis"].due == "2026-04-03T00:00:09+00:00"
    assert [subject(club.mails_to(one)[-1]) for one in (ANN, BRUNO)] == ["The game goes on"] * 2
    assert "Fri 3 Apr 2026 00:00 UTC" in told(club.mails_to(ANN)[-1])
    club.sweep()
    assert len([raw for raw in club.mails_to(ANN) if "goes on" in subject(raw)]) == 1


def test_nothing_changes_a_paused_game_but_the_game_master(club: Desk) -> None:
    write(club, ANN, "MOVE 0101")
    rule(club, "PAUSE G1")
    assert "nothing can change it until it goes on" in told(write(club, ANN, "UNDO"))
    assert did(club) == [["axis", "MOVE", "0101"]]
    assert "paused already" in rule(club, "PAUSE G1")
    assert "1 edit is made" in rule(club, "EDIT G1 SET VP 5")
    rule(club, "RESUME G1")
    assert "not paused" in rule(club, "RESUME G1")


def test_the_adjutant_waits_too_and_plays_when_the_game_goes_on(club: Desk) -> None:
    game = club.start(allied="adjutant")
    rule(club, f"PAUSE {game}")
    write(club, ANN, "DONE")
    rule(club, f"EDIT {game} SET VP 5")
    assert club.ports.journal.game(game).turn == 1
    rule(club, f"RESUME {game}")
    assert club.ports.journal.game(game).turn == 2


# More time


def test_more_time_is_given_and_told(club: Desk) -> None:
    assert "Axis until Wed 1 Apr 2026 20:14 UTC" in rule(club, "EXTEND G1 axis BY 2 DAYS BECAUSE the post was slow")
    assert club.ports.journal.deadlines("G1")["axis"].due == "2026-04-01T20:14:09+00:00"
    assert all("more time: Axis until Wed 1 Apr 2026 20:14 UTC. His reason: the post was slow" in one for one in both(club))
    rule(club, "EXTEND G1 UNTIL 2026-04-05")
    assert club.ports.journal.deadlines("G1")["axis"].due == "2026-04-06T00:00:00+00:00"
    assert "not later than the deadline" in rule(club, "EXTEND G1 UNTIL 2026-04-01")
    assert "No deadline runs for Allied" in rule(club, "EXTEND G1 allied 4 HOURS")
    assert "There is no side italian" in rule(club, "EXTEND G1 italian 4 HOURS")
    assert "too far away" in rule(club, "EXTEND G1 axis 999 DAYS")
    assert club.ports.journal.deadlines("G1")["axis"].due == "2026-04-06T00:00:00+00:00"


# Back


def back(desk: Desk, *where: str) -> str:
    """The line that takes the game back, as the answer to the first mail brings it."""
    found = re.search(r"(ROLLBACK G1 TO VERSION \d+ CODE \w+)", rule(desk, *where))
    assert found is not None
    return found[1]


def test_a_rollback_shows_what_is_lost_and_is_done_by_its_code_alone(club: Desk) -> None:
    write(club, ANN, "MOVE 0101")
    write(club, ANN, "ATTACK 0102")
    write(club, BRUNO, "MOVE 0909", "HOLD")
    write(club, ANN, "DONE")
    journal = club.ports.journal
    thrown = journal.state("G1", 2)[0]["did"][1][2]
    old = {one: str(headers(club.mails_to(one)[-1])["Reply-To"]) for one in (ANN, BRUNO)}
    shown = rule(club, "ROLLBACK G1 TO VERSION 1")
    assert "Nothing was done yet. Back to version 1, turn 1, Axis player-turn, the game would lose 2 things" in shown
    assert "version 2: 1 line of Axis in turn 1 * version 3: 1 line of Axis in turn 1" in shown.replace("\u2022", "*")
    assert journal.game("G1").version == 3
    line = re.search(r"(ROLLBACK G1 TO VERSION 1 CODE \w+)", shown)[1]
    # a slip in the code, or a game that has gone on, shows it anew
    assert "That code is not of the game as it stands now" in rule(club, "ROLLBACK G1 TO VERSION 1 CODE abcdefgh23")
    done = rule(club, f"{line} BECAUSE of a wrong map")
    assert "The game is back in turn 1, Axis player-turn; 2 things are taken back" in done
    game = journal.game("G1")
    assert (game.version, game.branch, game.n) == (4, 1, 3)
    assert did(club) == [["axis", "MOVE", "0101"]]
    for one in (ANN, BRUNO):
        assert subject(club.mails_to(one)[-1]) == "The game goes back: Axis player-turn"
        assert "His reason: of a wrong map" in told(club.mails_to(one)[-1])
    # the old branch stays, and the chain holds
    assert [record.get("rollback") for _, record, _ in journal.chain("G1")] == [None, None, None, None, {"version": 1}]
    assert journal.broken_link("G1") is None
    assert [journal.packet(f"G1-{n:06d}").status for n in (1, 2, 3, 4)] == ["done", "undone", "void", "undone"]
    # orders to mails of before are refused, and the die falls anew
    assert "closed" in told(write(club, ANN, "MOVE 0202", to=old[ANN]))
    write(club, ANN, "ATTACK 0102")
    record = journal.chain("G1")[5][1]
    assert (record["branch"], record["n"]) == (1, 4)
    assert record["seed"] == seed(game.secret, game.words, "G1", 1, 4)
    assert record["seed"] not in [one[1].get("seed") for one in journal.chain("G1")[:5]]
    assert thrown in "123456"
    # Bruno's draft of the other branch counts no more
    assert journal.draft("G1", "allied", 1) is None
    assert club.ports.journal.deadlines("G1")["axis"].due == "2026-03-30T20:14:09+00:00"


def test_a_rollback_finds_turn_and_player_turn(club: Desk) -> None:
    for turn in (1, 2):
        write(club, ANN, f"MOVE 0{turn}01", "DONE", "END")  # END is none of the lines that a receipt counts
        write(club, BRUNO, f"MOVE 0{turn}09", "DONE")
    assert "has not been in turn 9" in rule(club, "ROLLBACK G1 TO TURN 9")
    assert "Back to version 2, turn 2, Axis player-turn" in rule(club, "ROLLBACK G1 TO TURN 2")
    points = rule(club, "ROLLBACK G1")
    assert "version 3: turn 2, Allied player-turn (after 2 lines of Axis)" in points
    assert "ROLLBACK G1 TO VERSION 3" in points
    rule(club, back(club, "ROLLBACK G1 TO TURN 1 OF allied"))
    assert did(club) == [["axis", "MOVE", "0101"], ["axis", "DONE", ""]]
    assert set(club.ports.journal.deadlines("G1")) == {"allied"}
    # what was lost can be reached no more, and the game goes on
    assert "counts no more" in rule(club, "ROLLBACK G1 TO VERSION 3")
    write(club, BRUNO, "MOVE 0808", "DONE")
    assert club.ports.journal.game("G1").turn == 2


def test_a_code_is_of_the_game_as_it_stood(club: Desk) -> None:
    write(club, ANN, "MOVE 0101")
    line = back(club, "ROLLBACK G1 TO VERSION 0")
    write(club, ANN, "MOVE 0202")
    assert "it may have gone on since" in rule(club, line)
    assert len(did(club)) == 2


def test_an_answer_in_the_thread_of_a_mail_of_the_old_branch_is_late(club: Desk) -> None:
    write(club, ANN, "MOVE 0101")
    last = str(headers(club.mails_to(ANN)[-1])["Message-ID"])
    rule(club, back(club, "ROLLBACK G1 TO VERSION 0"))
    raw = orders_mail(DESK, ANN, "<late@ann>", "MOVE 0505").replace(b"Message-ID", f"In-Reply-To: {last}\nMessage-ID".encode())
    assert "closed" in told(deliver(club, raw))
    assert did(club) == []


# Who plays


def test_a_seat_is_offered_and_who_had_it_is_out(club: Desk) -> None:
    write(club, ANN, "MOVE 0101", "HOLD")
    old = str(headers(club.mails_to(ANN)[-1])["Reply-To"])
    assert f"{CARA} is asked to play Axis in place of {ANN}" in rule(club, f"REPLACE G1 axis {ANN} BY {CARA} BECAUSE he does not write")
    assert all("asks somebody else to take over a seat of the Axis side. His reason: he does not write" in one for one in both(club))
    assert CARA not in " ".join(both(club))
    assert "asked already" in rule(club, f"REPLACE G1 axis {ANN} BY dora@example.com")
    assert str(headers(club.mails_to(CARA)[-1])["Subject"]) == "Will you take over a side?"
    code = code_in(club.mails_to(CARA)[-1])
    # nobody else can take it
    write(club, BRUNO, f"ACCEPT {code}", to=DESK)
    assert club.ports.journal.addresses("G1")["axis"] == [ANN]
    deliver(club, stamped(DESK, CARA, "<1@cara>", f"ACCEPT {code}"))
    assert club.ports.journal.addresses("G1")["axis"] == [CARA]
    assert club.ports.journal.game("G1").epochs == {"axis": 1}
    assert "given your seat (Axis, game G1) to somebody else. His reason: he does not write" in told(club.mails_to(ANN)[-1])
    assert "another player from now on, by the game master's hand" in told(club.mails_to(BRUNO)[-1])
    assert f"{CARA} plays Axis of game G1 in place of {ANN}" in told(club.mails_to(MASTER)[-1])
    # his token, his draft and his links are dead
    write(club, ANN, "MOVE 0202", to=old)
    assert did(club) == []
    assert club.ports.journal.draft("G1", "axis", 1) is None
    assert [one for one in links_of(club.ports.journal.engine, "G1") if one.address == ANN and not one.revoked] == []
    write(club, CARA, "MOVE 0303")
    assert did(club) == [["axis", "MOVE", "0303"]]
    assert side_tokens(club.ports.journal.game("G1"))["axis"] in str(headers(club.mails_to(CARA)[-1])["Reply-To"])


def test_a_seat_that_is_refused_or_taken_back_stays_as_it_is(club: Desk) -> None:
    assert f"its players are {ANN}" in rule(club, f"REPLACE G1 axis {CARA} BY dora@example.com")
    assert "plays in this game already" in rule(club, f"REPLACE G1 axis {ANN} BY {BRUNO}")
    rule(club, f"REPLACE G1 axis {ANN} BY {CARA}")
    deliver(club, stamped(DESK, CARA, "<1@cara>", f"REFUSE {code_in(club.mails_to(CARA)[-1])}"))
    assert f"{CARA} says no" in told(club.mails_to(MASTER)[-1])
    rule(club, f"REPLACE G1 axis {ANN} BY {CARA}")
    code = code_in(club.mails_to(CARA)[-1])
    assert "Nobody is asked any more" in rule(club, "REPLACE OFF G1 axis")
    assert "Nothing waits for an answer" in told(deliver(club, stamped(DESK, CARA, "<2@cara>", f"ACCEPT {code}")))
    assert club.ports.journal.addresses("G1")["axis"] == [ANN]


def test_the_adjutant_takes_a_side_over_and_gives_it_back(club: Desk) -> None:
    assert "The adjutant plays Axis from now on" in rule(club, f"REPLACE G1 axis {ANN} BY ADJUTANT BECAUSE he is silent")
    # it plays at once; who played is out, the other side is told
    assert did(club) == [["axis", "MOVE", "adjutant"], ["axis", "DONE", ""]]
    assert "given your seat (Axis, game G1) to somebody else. His reason: he is silent." in told(club.mails_to(ANN)[-1])
    assert any("another player from now on, by the game master's hand" in told(raw) for raw in club.mails_to(BRUNO))
    assert club.ports.journal.addresses("G1")["axis"] == ["adjutant"]
    assert set(club.ports.journal.deadlines("G1")) == {"allied"}
    assert "not both sides" in rule(club, f"REPLACE G1 allied {BRUNO} BY ADJUTANT")
    assert "in place of the adjutant" in rule(club, f"REPLACE G1 axis ADJUTANT BY {CARA}")
    deliver(club, stamped(DESK, CARA, "<1@cara>", f"ACCEPT {code_in(club.mails_to(CARA)[-1])}"))
    write(club, BRUNO, "DONE")
    assert len(did(club)) == 3
    assert set(club.ports.journal.deadlines("G1")) == {"axis"}
    write(club, CARA, "MOVE 0303")
    assert did(club)[-1] == ["axis", "MOVE", "0303"]


# The position


def test_an_edit_is_a_version_of_its_own_and_told_to_both(club: Desk) -> None:
    write(club, ANN, "MOVE 0101")
    answer = rule(club, "EDIT G1 SET VP 7 BECAUSE I counted wrong", "EDIT G1 SET RP 3")
    assert "2 edits are made" in answer
    journal = club.ports.journal
    assert did(club) == [["axis", "MOVE", "0101"], ["umpire", "vp", "7"], ["umpire", "rp", "3"]]
    game = journal.game("G1")
    assert (game.version, game.n, game.branch) == (2, 1, 0)
    record = journal.chain("G1")[2][1]
    edits = [{"verb": "SET", "unit": "vp", "value": "7"}, {"verb": "SET", "unit": "rp", "value": "3"}]
    assert (record["edit"], record["n"], record["seed"], record["packet"]) == (edits, None, None, None)
    assert journal.broken_link("G1") is None
    for one in (ANN, BRUNO):
        assert subject(club.mails_to(one)[-1]) == "The position was set right"
        said = told(club.mails_to(one)[-1])
        assert "His reason: I counted wrong" in said
        assert "Set right by the game master: VP is 7 now (it was 0)." in said
    # the tag of the turn is good still, nothing is told twice, and no player takes it back
    write(club, ANN, "MOVE 0202", "DONE")
    assert "Set right" not in told(club.mails_to(BRUNO)[-1])
    rule(club, back(club, "ROLLBACK G1 TO VERSION 2"))
    assert "nothing that could be taken back" in told(write(club, ANN, "UNDO"))


def test_edits_of_a_mail_are_made_together_or_not_at_all(club: Desk) -> None:
    refused = rule(club, "EDIT G1 SET VP 7", "EDIT G1 MOVE X1 TO 0407")
    assert "Nothing was changed. Edit 2: X1 takes part in a fight" in refused
    assert "another of them cannot be read" in rule(club, "EDIT G1 SET VP 7", "EDIT G1 FLY X1")
    assert did(club) == []
    assert len(club.mails_to(ANN)) == len(club.mails_to(BRUNO)) == 1


def test_who_watches_hears_of_it_too(club: Desk) -> None:
    deliver(club, stamped(DESK, CARA, "<1@cara>", "SPECTATE G1"))
    rule(club, "PAUSE G1 BECAUSE of snow")
    assert "of snow" in told(club.mails_to(CARA)[-1])
    rule(club, "EDIT G1 SET VP 7")
    assert "Set right by the game master: VP is 7 now" in told(club.mails_to(CARA)[-1])
    assert "What you can see of it is below" in told(club.mails_to(ANN)[-1])
    assert "What you can see of it" not in told(club.mails_to(CARA)[-1])
    assert "+g1-" not in str(headers(club.mails_to(CARA)[-1])["Reply-To"])


# Which game is meant


def test_a_faulty_command_is_answered_as_of_the_game_that_it_names_and_not_of_one_in_which_the_master_plays(club: Desk) -> None:
    rule(club, "NEW toy/one AS axis")
    seat = reply_to(club, MASTER)
    assert "+g2-" in seat
    for to, line, said in (
        (seat, "EXTEND G1 axis BY -1 DAYS", "Refused"),
        (DESK, "EXTEND G1 axis BY -1 DAYS", "Refused"),
        (seat, "EDIT G99 SET RP axis 1", "There is no game G99."),
        (DESK, "DECIDE G99 axis NOTHING", "There is no game G99."),
    ):
        answer = deliver(club, stamped(to, MASTER, f"<{club.count}@max>", line))
        assert said in told(answer) or said in str(headers(answer)["Subject"])
        assert line in told(answer)
        assert "[G2 " not in str(headers(answer)["Subject"])
        assert "+g2-" not in str(headers(answer)["Reply-To"])
        assert seat.partition("@")[0].rpartition("-")[2] not in answer.decode()
    assert "must be about one game" in rule(club, "PAUSE G1", "PAUSE G2")
    assert "The game has not begun" in rule(club, "PAUSE G2")


def test_nobody_is_played_for_while_the_game_is_paused(club: Desk) -> None:
    rule(club, "PAUSE G1")
    assert "Give RESUME first" in rule(club, "DECIDE G1 axis NOTHING")
    rule(club, "RESUME G1")
    assert did(club) == []
    rule(club, "DECIDE G1 axis NOTHING")
    assert did(club) == [["axis", "DONE", "TURN AUTO"]]

"""Who plays, who looks on, who is written to, and who is away: SUBSTITUTE ADDRESS LINK COPY NOTIFY SPECTATE SAY VACATION, and questions."""

from __future__ import annotations

import re

import pytest

from tests.worker.conftest import Desk, reply_to
from tests.worker.fakes import ANN, BRUNO, headers, orders_mail
from tests.worker.post import deliver, of_game, stamped, told, write
from tests.worker.test_beginning import EVE, ORDERS, code_in
from worker.play import turn
from worker.post import holds, links, writers

CARL = "carl@example.com"
DORA = "dora@example.com"
MASTER = "master@club.example"
NOW = "2026-03-27T20:14:09+00:00"


def accept(post: Desk, who: str) -> bytes:
    """Somebody says yes to what he was mailed last."""
    return deliver(post, orders_mail(ORDERS, who, f"<{post.count}@yes>", f"ACCEPT {code_in(post.mails_to(who)[-1])}"))


@pytest.mark.bug("S03")
def test_drafts_of_a_player_who_is_replaced_are_not_carried_out_at_the_deadline(post: Desk) -> None:
    post.configure(deadline_hours=24.0, absence="nothing")
    post.start()
    write(post, ANN, "HOLD", "MOVE 0404")
    write(post, ANN, "MOVE 0505", "REBUILD 21PZ")
    old = reply_to(post, ANN)
    said = told(write(post, ANN, f"SUBSTITUTE {EVE}"))
    assert "you are told of the answer." in said
    assert "the game begins" not in said
    # nothing has changed before the yes
    assert post.ports.journal.addresses("G1")["axis"] == [ANN]
    welcome = told(accept(post, EVE))
    assert "You play Axis in game G1 from now on" in welcome
    assert "Drafts and refused orders of whoever played before you count no more" in welcome
    assert "plays Axis of game G1 in your place" in told(post.mails_to(ANN)[-1])
    assert "The Axis side has another player" in told(post.mails_to(BRUNO)[-1])
    assert EVE not in told(post.mails_to(BRUNO)[-1])
    # the old player has no right any more, nor does his token name anybody
    before = len(post.mails_to(EVE))
    deliver(post, orders_mail(old, ANN, "<9@ann>", "MOVE 0606"))
    assert post.ports.journal.game("G1").version == 0
    assert reply_to(post, EVE) != old
    post.now = "2026-03-28T20:14:10+00:00"
    post.sweep()
    assert post.ports.journal.state("G1", 1)[0]["did"] == [["axis", "DONE", "TURN AUTO"]]
    assert "Your deadline passed: your player-turn was ended" in told(post.mails_to(EVE)[-1])
    assert len(post.mails_to(EVE)) == before + 1


def test_nothing_that_a_replaced_player_had_opens_the_game_to_him(post: Desk) -> None:
    post.configure(link_base="https://club.example", pictures=1)  # every picture is linked to
    post.start()
    engine = post.ports.journal.engine
    writers.set_writer(engine, "G1", "axis", CARL, "alias")
    old = reply_to(post, ANN)
    doubted = b"Authentication-Results: hexpost.invalid; dmarc=fail header.from=example.org\n" + orders_mail(
        old, ANN, "<1@ann>", "MOVE 0404"
    )
    question = str(headers(deliver(post, doubted))["Reply-To"])
    assert len(holds.open_holds(engine, "G1")) == 1
    write(post, ANN, f"SUBSTITUTE {EVE}", to=old)
    assert {one.revoked for one in links.links_of(engine, "G1")} == {False}
    accept(post, EVE)
    assert holds.open_holds(engine, "G1") == []
    found = {(one.address, one.revoked) for one in links.links_of(engine, "G1")}
    assert found - {(EVE, False)} == {(ANN, True), (BRUNO, False)}
    # neither his other address, nor his answer to a question, nor the new player's own answer to it gives orders
    before = len(post.mails_to(CARL))
    for number, who in enumerate((CARL, ANN, EVE)):
        deliver(post, orders_mail(old, who, f"<{number}@more>", "MOVE 0505"))
        deliver(post, orders_mail(question, who, f"<{number}@yes>", "CONFIRM"))
    assert post.ports.journal.game("G1").version == 0
    assert len(post.mails_to(CARL)) == before


def test_a_substitute_who_is_asked_no_more_comes_too_late(post: Desk) -> None:
    post.start()
    write(post, ANN, f"SUBSTITUTE {EVE}")
    write(post, ANN, "SUBSTITUTE OFF")
    deliver(post, stamped(ORDERS, EVE, "<1@eve>", f"ACCEPT {code_in(post.mails_to(EVE)[0])}"))
    assert post.ports.journal.addresses("G1")["axis"] == [ANN]


def test_an_address_changes_when_the_new_one_has_answered(post: Desk) -> None:
    post.start()
    write(post, ANN, f"ADDRESS {CARL}")
    assert post.ports.journal.addresses("G1")["axis"] == [ANN]
    accept(post, CARL)
    assert post.ports.journal.addresses("G1")["axis"] == [CARL]
    assert f"{CARL} is your address for game G1 from now on" in told(post.mails_to(ANN)[-1])
    write(post, CARL, f"ADDRESS ADD {EVE}")
    accept(post, EVE)
    assert post.ports.journal.addresses("G1")["axis"] == [CARL, EVE]
    write(post, EVE, f"ADDRESS REMOVE {CARL}")
    assert post.ports.journal.addresses("G1")["axis"] == [EVE]
    assert "only address of your side" in told(write(post, EVE, f"ADDRESS REMOVE {EVE}"))
    assert "not one of your addresses" in told(write(post, EVE, f"ADDRESS REMOVE {BRUNO}"))


@pytest.mark.parametrize("line", [f"SUBSTITUTE {EVE}", f"ADDRESS {EVE}", f"ADDRESS REMOVE {ANN}", "LINK"])
def test_a_deputy_orders_and_asks_and_gives_nobody_a_place(post: Desk, line: str) -> None:
    post.start()
    writers.set_writer(post.ports.journal.engine, "G1", "axis", CARL, "deputy")
    assert "G1" in told(write(post, CARL, "STATUS", to=reply_to(post, ANN)))
    assert "is not the address of one of its players" in told(write(post, CARL, line, to=reply_to(post, ANN)))
    assert post.mails_to(EVE) == []


def test_another_address_that_has_become_a_players_gets_one_answer(post: Desk) -> None:
    post.start()
    writers.set_writer(post.ports.journal.engine, "G1", "axis", CARL, "alias")
    write(post, ANN, f"ADDRESS ADD {CARL}")
    accept(post, CARL)
    assert post.ports.journal.addresses("G1")["axis"] == [ANN, CARL]
    before = len(post.mails_to(CARL))
    write(post, CARL, "MOVE 0101")
    assert len(post.mails_to(CARL)) == before + 1


def test_a_player_beside_another_cannot_take_his_address_away(post: Desk) -> None:
    post.start()
    write(post, ANN, f"INVITE {EVE}")
    accept(post, EVE)
    assert "not one of your addresses" in told(write(post, EVE, f"ADDRESS REMOVE {ANN}"))


def test_a_code_links_another_account_once(post: Desk) -> None:
    post.start()
    code = code_in(write(post, ANN, "LINK"))
    deliver(post, orders_mail(ORDERS, EVE, "<1@eve>", f"ACCEPT {code}"))
    deliver(post, orders_mail(ORDERS, CARL, "<1@carl>", f"ACCEPT {code}"))
    assert post.ports.journal.addresses("G1")["axis"] == [ANN, EVE]
    code = code_in(write(post, ANN, "LINK"))
    write(post, ANN, "LINK OFF")
    deliver(post, orders_mail(ORDERS, CARL, "<2@carl>", f"ACCEPT {code}"))
    later = code_in(write(post, ANN, "LINK"))
    post.now = "2026-03-28T20:14:10+00:00"
    deliver(post, orders_mail(ORDERS, CARL, "<3@carl>", f"ACCEPT {later}"))
    assert post.ports.journal.addresses("G1")["axis"] == [ANN, EVE]


def test_copies_bear_no_right_to_order_and_end_on_both_sides_wish(post: Desk) -> None:
    post.start()
    write(post, ANN, f"COPY {CARL}")
    asked = post.mails_to(CARL)[-1]
    write(post, ANN, "MOVE 0101")
    assert post.mails_to(CARL)[-1] == asked
    accept(post, CARL)
    quoted = [f"> {line}" for line in str(headers(post.mails_to(ANN)[-1])["Reply-To"]).split()]
    write(post, ANN, "MOVE 0202", "", "On Friday the desk <orders@toy.example> wrote at 10:00:", *quoted)
    copy, own = post.mails_to(CARL)[-1], post.mails_to(ANN)[-1]
    token = re.search(r"#(\w+)]", str(headers(own)["Subject"]))[1]
    assert "0202" in told(copy)
    assert token in told(own).partition("quoted")[2]
    assert token.encode() not in copy
    assert headers(copy)["Reply-To"] is None
    assert headers(copy)["Message-ID"] != headers(own)["Message-ID"]
    # what is between a player and the desk is not copied
    count = len(post.mails_to(CARL))
    write(post, ANN, "STATUS")
    assert len(post.mails_to(CARL)) == count
    deliver(post, orders_mail(ORDERS, CARL, "<8@carl>", f"REFUSE {code_in(asked)}"))
    count = len(post.mails_to(CARL))
    write(post, ANN, "MOVE 0303")
    assert len(post.mails_to(CARL)) == count
    assert "Nobody gets such copies" in told(write(post, ANN, "COPY OFF"))


def test_who_wants_only_reports_that_want_something_gets_the_rest_with_them(post: Desk) -> None:
    post.start()
    write(post, BRUNO, "NOTIFY AWAITED")
    write(post, ANN, "NOTIFY AWAITED")
    write(post, ANN, "MOVE 0101", "DONE")
    assert "Your orders, please" in str(headers(post.mails_to(BRUNO)[-1])["Subject"])
    count = len(post.mails_to(ANN))
    write(post, BRUNO, "MOVE 0202")
    assert len(post.mails_to(ANN)) == count
    write(post, ANN, "NOTIFY ALL")
    write(post, BRUNO, "MOVE 0303", "DONE")
    assert "0202" in told(post.mails_to(ANN)[-1])


@pytest.mark.parametrize("note", ["draft_lapsed", "held_unused"])
def test_what_has_come_to_nothing_is_told_even_to_who_wants_only_reports_that_want_something(post: Desk, note: str) -> None:
    post.start()
    write(post, BRUNO, "NOTIFY AWAITED")
    game, seen = post.ports.journal.game("G1"), {"waiting_for": ["axis"]}
    assert turn.turn_report(post.ports, game, "allied", NOW, {"notes": ["other_absent"]}, seen) == []
    (told_of,) = turn.turn_report(post.ports, game, "allied", NOW, {"notes": [note]}, seen)
    assert told_of.data["to"] == BRUNO


def test_whoever_watches_sees_what_both_know_when_a_player_turn_ends(post: Desk) -> None:
    post.start()
    first = deliver(post, orders_mail(ORDERS, EVE, "<1@eve>", "SPECTATE G1"))
    assert "wants to watch game G1" in told(first)
    accept(post, EVE)
    assert "You watch game G1" in told(post.mails_to(EVE)[-1])
    write(post, ANN, "MOVE 0101", "ENTER 0909")
    count = len(post.mails_to(EVE))
    assert count == 2
    write(post, ANN, "MOVE 0202", "DONE")
    seen = post.mails_to(EVE)[-1]
    assert "0101" in told(seen)
    assert "0909" not in seen.decode()
    assert headers(seen)["Reply-To"] is None
    assert "#" not in str(headers(seen)["Subject"])
    assert told(write(post, ANN, "WHO")).count("1 person watches") == 1
    assert EVE not in told(post.mails_to(ANN)[-1])
    deliver(post, stamped(ORDERS, EVE, "<2@eve>", "SPECTATE OFF"))
    count = len(post.mails_to(EVE))
    write(post, BRUNO, "DONE")
    assert len(post.mails_to(EVE)) == count
    assert "plays in this game already" in told(write(post, ANN, "SPECTATE G1"))


def test_letters_reach_the_other_side_and_no_address_is_told(post: Desk) -> None:
    post.configure(game_master=CARL)
    post.start()
    write(post, ANN, "SAY", "Dear Bruno,", "", "MOVE 21PZ TO 0507 was a bluff.", "END", "Ann")
    letter = post.mails_to(BRUNO)[-1]
    assert "A letter from the Axis side (game G1): | Dear Bruno, | | MOVE 21PZ TO 0507 was a bluff." in told(letter)
    assert ANN.encode() not in letter
    assert post.ports.journal.game("G1").version == 0
    # sent back as it stands, it orders nothing
    write(post, BRUNO, *told(letter).splitlines())
    assert post.ports.journal.game("G1").packets == 0
    write(post, BRUNO, "SAY UNSIGNED Beware of # the ides")
    assert "A letter, unsigned (game G1): | Beware of # the ides" in told(post.mails_to(ANN)[-1])
    assert "llied" not in told(post.mails_to(ANN)[-1]).partition("unsigned")[2].partition("HOW TO")[0]
    assert "Your letter is sent to the game master." in told(write(post, ANN, "SAY TO MASTER help us"))
    assert "A letter from the Axis side (game G1): | help us" in told(post.mails_to(CARL)[-1])
    count = len(post.mails_to(BRUNO))
    for line in (f"SAY TO {BRUNO} hello", f"Say to <{BRUNO}>", f"SAY UNSIGNED TO {BRUNO} hello"):
        assert "A letter goes to a side and not to an address" in told(write(post, ANN, line))
    assert len(post.mails_to(BRUNO)) == count
    assert "no side moon" in told(write(post, ANN, "SAY TO moon hello"))
    assert "sent to Allied" in told(write(post, ANN, "Say hello"))
    for number in range(20):
        answer = told(write(post, ANN, f"SAY {number}"))
    assert "more can be sent tomorrow" in answer


def test_a_vacation_puts_the_deadline_off_within_its_limit(post: Desk) -> None:
    post.configure(deadline_hours=72.0, vacation_days=10)
    post.start()
    answer = told(write(post, ANN, "VACATION 7 DAYS"))
    assert "You are waited for until Mon 6 Apr 2026 20:14 UTC" in answer
    assert post.ports.journal.deadlines("G1")["axis"].due == "2026-04-06T20:14:09+00:00"
    assert "The Axis side is away from Fri 27 Mar 2026 20:14 UTC until Fri 3 Apr 2026 20:14 UTC" in told(post.mails_to(BRUNO)[-1])
    assert "away until Fri 3 Apr 2026 20:14 UTC" in told(write(post, BRUNO, "WHO"))
    assert "already" in told(write(post, ANN, "VACATION 1 DAYS"))
    post.now = "2026-03-29T20:14:09+00:00"
    assert "Your vacation is over. You are waited for until Wed 1 Apr 2026 20:14 UTC" in told(write(post, ANN, "VACATION OFF"))
    assert "8 are left" in told(write(post, ANN, "VACATION 9"))
    # one to come counts for deadlines that begin before it or in it
    write(post, ANN, "VACATION UNTIL 2026-04-02 FROM 2026-04-01")
    assert post.ports.journal.deadlines("G1")["axis"].due == "2026-04-03T20:14:09+00:00"
    write(post, ANN, "DONE")
    write(post, BRUNO, "DONE")
    assert post.ports.journal.deadlines("G1")["axis"].due == "2026-04-03T20:14:09+00:00"
    assert "has passed" in told(write(post, BRUNO, "VACATION UNTIL 2026-01-01"))
    assert "a date, written as year, month and day, such as 2026-08-31" in told(write(post, BRUNO, "VACATION UNTIL 31.12.2026"))


def test_questions_tell_the_sender_what_is_his(post: Desk) -> None:
    post.configure(deadline_hours=72.0)
    post.start()
    write(post, ANN, "HOLD", "MOVE 0404")
    answer = told(write(post, ANN, "STATUS", "WHO", "TEMPLATE", "LEGAL"))
    assert "Turn 1 is open; Axis must act." in answer
    assert "A draft (HOLD) of yours waits: 2 lines, shown below" in answer
    assert "| MOVE 0404" in answer
    assert f"* Axis: {ANN}, awaited until Mon 30 Mar 2026 20:14 UTC" in answer
    assert "* Allied: 1 address, not awaited now" in answer
    other = told(write(post, BRUNO, "STATUS", "WHO", "LEGAL"))
    assert "0404" not in other
    assert ANN not in other
    assert "Nothing is wanted from you now; the game waits for Axis" in other


def test_a_report_that_was_lost_comes_again_and_tells_no_more_than_it_did(post: Desk) -> None:
    post.start()
    write(post, ANN, "MOVE 0101", "DONE")
    first = post.mails_to(BRUNO)[-1]
    write(post, BRUNO, "ENTER 0909")
    write(post, BRUNO, "MOVE 0202")
    # Ann has lost her receipt; her old thread still reaches the desk
    again = write(post, ANN, "RESEND", to=ORDERS)
    again = next(raw for raw in post.mails_to(ANN)[-2:] if "sent again as you asked" in told(raw))
    assert "0101" in told(again)
    assert "0202" not in told(again)
    assert "sent again as you asked" not in told(first)
    ids = [str(headers(raw)["Message-ID"]) for raw in post.mails_to(ANN)]
    assert len(set(ids)) == len(ids)
    assert post.mails_to(BRUNO)[-1] != again


@pytest.mark.bug("S05")
def test_orders_of_another_turn_or_game_and_for_one_that_is_over_change_nothing(post: Desk) -> None:
    post.start()
    old = reply_to(post, ANN)
    write(post, ANN, "HOLD", "MOVE 0404")
    post.start()
    assert "closed" not in told(write(post, ANN, "MOVE 0101", to=old))
    write(post, ANN, "DONE", to=old)
    write(
        post,
        BRUNO,
        "DONE",
        to=of_game(post, BRUNO, "G1"),
    )
    # turn 2 is open: the tag of turn 1 is refused, with the address that counts now
    draft = post.ports.journal.packet("G1-000001").status
    answer = write(post, ANN, "MOVE 0505", to=old)
    assert "Turn 2 is open now; your stored orders are untouched" in told(answer)
    assert "orders+g1-t02-" in told(answer)
    assert post.ports.journal.packet("G1-000001").status == draft
    # the subject names one game, the address another
    fresh = str(headers(answer)["Reply-To"])
    raw = orders_mail(fresh, ANN, "<mixed@ann>", "MOVE 0606").replace(b"Subject: orders", b"Subject: Re: [G2 T01 #abcdefghjk] orders")
    assert "two different games" in told(deliver(post, raw))
    write(post, ANN, "DRAW", to=fresh)
    write(
        post,
        BRUNO,
        "ACCEPT",
        to=of_game(post, BRUNO, "G1"),
    )
    assert post.ports.journal.game("G1").over
    assert "The game is over" in told(write(post, ANN, "UNDO", to=fresh))


@pytest.mark.bug("S11")
def test_capitals_in_an_address_are_the_same_player_and_dots_are_not(post: Desk) -> None:
    post.start(axis="Ann.Carter@Mail.Example.org")
    me = "ann.carter@mail.example.org"
    to = reply_to(post, me)
    deliver(post, orders_mail(to, me, "<1@ann>", "MOVE 0101"))
    deliver(post, orders_mail(to, "ANN.CARTER@MAIL.EXAMPLE.ORG", "<2@ann>", "MOVE 0202"))
    assert post.ports.journal.game("G1").version == 2
    deliver(post, orders_mail(to, "anncarter@mail.example.org", "<3@ann>", "MOVE 0303"))
    deliver(post, orders_mail(to, "ann.carter+x@mail.example.org", "<4@ann>", "UNDO"))
    assert post.ports.journal.game("G1").version == 2
    assert "Did you send this mail?" in str(headers(post.mails_to(me)[-1])["Subject"])


# Who gets nothing more

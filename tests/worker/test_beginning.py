"""Games that begin by mail: NEW, JOIN, INVITE, ACCEPT, REFUSE; who is asked first, and what the dice are mixed with."""

from __future__ import annotations

import re

from tests.worker.conftest import Desk
from tests.worker.fakes import ANN, BRUNO, headers, orders_mail
from tests.worker.post import deliver, of_game, stamped, told, write
from worker import secrets

ORDERS = "orders@toy.example"
EVE = "eve@example.com"


def code_in(raw: bytes) -> str:
    """The code of the offer that a mail makes."""
    found = re.search(r"ACCEPT ([a-z0-9]{14})", told(raw))
    assert found is not None
    return found[1]


def test_a_game_begins_when_its_last_side_has_joined_and_its_dice_are_mixed_with_the_words(post: Desk) -> None:
    answer = told(deliver(post, stamped(ORDERS, ANN, "<1@ann>", "NEW toy/one AS axis WORD Kettle")))
    assert "is game G1, and you are to play Axis" in answer
    lobby = post.lobby("G1")
    assert f"SHA-256 is {secrets.commitment(lobby.secret)}" in answer
    assert post.ports.journal.game("G1") is None
    deliver(post, stamped(ORDERS, BRUNO, "<1@bruno>", "Join G1 word pot"))
    game = post.ports.journal.game("G1")
    assert game.words == [["axis", "kettle"], ["allied", "pot"]]
    assert game.secret == lobby.secret
    assert post.ports.journal.addresses("G1") == {"axis": [ANN], "allied": [BRUNO]}
    assert [str(headers(raw)["Subject"]).partition("] ")[2] for raw in post.mails_to(ANN)] == ["NEW", "toy: you play Axis"]
    assert "mixed with the words that came after that: kettle (Axis), pot (Allied)." in told(post.mails_to(ANN)[-1])
    # the first die is that of the secret and both words
    write(post, ANN, "ATTACK 0101")
    record = post.ports.journal.chain("G1")[1][1]
    assert record["seed"] == secrets.seed(lobby.secret, [["axis", "kettle"], ["allied", "pot"]], "G1", 0, 1)
    assert record["seed"] != secrets.seed(lobby.secret, [], "G1", 0, 1)


def test_whoever_is_not_vouched_for_is_asked_at_his_address_first(post: Desk) -> None:
    asked = deliver(post, orders_mail(ORDERS, ANN, "<1@ann>", "NEW toy/one WORD tea"))
    assert "If it was you, answer this mail" in told(asked)
    assert post.lobby("G1") is None
    deliver(post, orders_mail(ORDERS, ANN, "<2@ann>", f"ACCEPT {code_in(asked)}"))
    assert [(one.side, one.address, one.word) for one in post.lobby("G1").seats] == [("axis", ANN, "tea")]
    # once answered, the code is worth nothing more
    deliver(post, orders_mail(ORDERS, ANN, "<3@ann>", f"ACCEPT {code_in(asked)}"))
    assert post.lobby("G2") is None
    joining = deliver(post, orders_mail(ORDERS, BRUNO, "<1@bruno>", "JOIN G1"))
    assert post.ports.journal.game("G1") is None
    deliver(post, orders_mail(ORDERS, BRUNO, "<2@bruno>", f"ACCEPT {code_in(joining)} WORD pot"))
    assert post.ports.journal.game("G1").words == [["axis", "tea"], ["allied", "pot"]]


def test_a_stranger_can_make_the_server_write_to_an_address_three_times_and_no_more(post: Desk) -> None:
    for number, scenario in enumerate(("one", "two", "three", "four", "five")):
        post.drop(orders_mail(ORDERS, EVE, f"<{number}@eve>", f"NEW toy/{scenario}"))
        post.drop(orders_mail(ORDERS, EVE, f"<again{number}@eve>", f"NEW toy/{scenario}"))
    post.drop(orders_mail(ORDERS, EVE, "<x@eve>", "JOIN G99"))
    post.drop(orders_mail(ORDERS, EVE, "<y@eve>", "NEW elsewhere/one"))
    post.drop(orders_mail(ORDERS, EVE, "<z@eve>", "ACCEPT aaaaaaaaaaaaaa"))
    post.run()
    assert len(post.mails_to(EVE)) == 3


def test_an_invitation_is_accepted_by_its_address_alone_and_a_refusal_is_told_to_the_host(post: Desk) -> None:
    deliver(post, stamped(ORDERS, ANN, "<1@ann>", "NEW toy/one AS allied"))
    write(post, ANN, f"INVITE {BRUNO}", f"INVITE {EVE}")
    invitation = post.mails_to(BRUNO)[-1]
    assert f"{ANN} invites you to a game by mail" in told(invitation)
    assert "you would play Axis" in told(invitation)
    assert "toy.example" in str(headers(invitation)["From"])
    assert headers(invitation)["Reply-To"] is None
    assert headers(invitation)["Auto-Submitted"] == "auto-generated"
    deliver(post, stamped(ORDERS, EVE, "<1@eve>", f"ACCEPT {code_in(invitation)}"))
    assert "mailed to another address" in told(post.mails_to(EVE)[-1])
    deliver(post, stamped(ORDERS, EVE, "<2@eve>", f"REFUSE {code_in(post.mails_to(EVE)[0])}"))
    assert f"{EVE} says no: your invitation was not accepted" in told(post.mails_to(ANN)[-1])
    assert post.ports.journal.game("G1") is None
    deliver(post, orders_mail(ORDERS, BRUNO, "<1@bruno>", f"> ACCEPT nothing\nACCEPT {code_in(invitation)} WORD Dune"))
    assert post.ports.journal.addresses("G1") == {"axis": [BRUNO], "allied": [ANN]}


def test_a_player_beside_another_gets_the_position_and_may_order(post: Desk) -> None:
    post.start()
    write(post, ANN, f"INVITE {EVE} AS axis")
    deliver(post, orders_mail(ORDERS, EVE, "<1@eve>", f"ACCEPT {code_in(post.mails_to(EVE)[-1])}"))
    welcome = post.mails_to(EVE)[-1]
    assert "You play Axis in game G1 from now on" in told(welcome)
    assert f"{EVE} has accepted" in told(post.mails_to(ANN)[-1])
    assert post.mails_to(BRUNO) == post.mails_to(BRUNO)[:1]
    write(post, EVE, "MOVE X")
    assert post.ports.journal.state("G1", 1)[0]["did"] == [["axis", "MOVE", "X"]]


def test_taken_sides_and_wrong_scenarios_are_named(post: Desk) -> None:
    assert "What can be played: toy/one" in told(deliver(post, stamped(ORDERS, ANN, "<1@ann>", "NEW chess/one")))
    assert "no side east in this game; there are axis and allied" in told(
        deliver(post, stamped(ORDERS, ANN, "<2@ann>", "NEW toy/one AS east"))
    )
    founded = deliver(post, stamped(ORDERS, ANN, "<3@ann>", "NEW toy/one"))
    assert "Axis has a player already; Allied is free" in told(deliver(post, stamped(ORDERS, EVE, "<1@eve>", "JOIN G1 AS axis")))
    assert "You have a side of G1 already: Axis" in told(deliver(post, stamped(ORDERS, ANN, "<4@ann>", "JOIN G1")))
    assert "no game G7 that waits" in told(deliver(post, stamped(ORDERS, ANN, "<5@ann>", "JOIN G7")))
    # nor are there orders before it begins
    assert "has not begun" in told(write(post, ANN, "MOVE 21PZ TO 0507", to=str(headers(founded)["Reply-To"])))


def test_a_founder_gives_up_what_has_not_begun(post: Desk) -> None:
    deliver(post, stamped(ORDERS, ANN, "<1@ann>", "NEW toy/one"))
    write(post, ANN, f"INVITE {EVE}")
    assert "given up" in told(write(post, ANN, "NEW OFF"))
    assert post.lobby("G1") is None
    deliver(post, stamped(ORDERS, EVE, "<1@eve>", f"ACCEPT {code_in(post.mails_to(EVE)[-1])}"))
    assert post.ports.journal.game("G1") is None
    assert "no game G1 that waits" in told(post.mails_to(EVE)[-1])


def test_nobody_is_asked_without_end(post: Desk) -> None:
    post.start()
    for _ in range(8):
        write(post, ANN, f"SUBSTITUTE {EVE}")
        write(post, ANN, "SUBSTITUTE OFF")
    assert len(post.mails_to(EVE)) == 6
    before = len(post.mails_to(BRUNO))
    for _ in range(8):
        write(post, ANN, "DRAW")
        answer = told(write(post, ANN, "DRAW OFF"))
    assert len(post.mails_to(BRUNO)) == before + 6
    assert "have not proposed" in answer


def test_a_right_in_one_game_is_none_in_another(post: Desk) -> None:
    post.start()
    post.start(axis=BRUNO, allied=EVE)
    # Eve would take orders back in G2, and Bruno must agree; Ann, who has the same side in G1, and the code, is not asked
    write(post, BRUNO, "DONE", to=of_game(post, BRUNO, "G2"))
    write(post, EVE, "ATTACK 0101")
    write(post, EVE, "UNDO")
    code = code_in(post.mails_to(BRUNO)[-1])
    assert "reply to the newest mail" in told(write(post, ANN, f"ACCEPT {code}"))
    assert "about game G2. Answer it in a mail of its own" in told(write(post, ANN, "STATUS", f"ACCEPT {code}"))
    assert post.ports.journal.game("G2").branch == 0
    # an invitation to another game makes nobody a player of the one that he answers from
    write(post, EVE, f"INVITE {ANN}")
    code = code_in(next(raw for raw in reversed(post.mails_to(ANN)) if "asks you to play that side" in told(raw)))
    write(post, ANN, f"ACCEPT {code}")
    assert post.ports.journal.addresses("G1") == {"axis": [ANN], "allied": [BRUNO]}
    assert post.ports.journal.addresses("G2") == {"axis": [BRUNO], "allied": [ANN, EVE]}


def test_a_game_against_the_adjutant_begins_at_once(post: Desk) -> None:
    deliver(post, stamped(ORDERS, ANN, "<1@ann>", "NEW toy/one AS allied AGAINST adjutant WITH tempo=blitz"))
    post.sweep()
    assert post.ports.journal.addresses("G1") == {"axis": ["adjutant"], "allied": [ANN]}
    assert post.ports.journal.game("G1").options == {"tempo": "blitz"}
    assert post.ports.journal.state("G1", 2)[0]["did"] == [["axis", "MOVE", "adjutant"], ["axis", "DONE", ""]]


def test_only_whom_the_settings_allow_begins_games(post: Desk) -> None:
    post.configure(new_games="players")
    assert "not by everybody" in told(deliver(post, stamped(ORDERS, EVE, "<1@eve>", "NEW toy/one")))
    post.configure(new_games="nobody", game_master=EVE)
    deliver(post, stamped(ORDERS, EVE, "<2@eve>", "NEW toy/one"))
    assert post.lobby("G1").founder == EVE


def test_ids_of_games_by_mail_and_by_the_umpire_do_not_meet(post: Desk) -> None:
    deliver(post, stamped(ORDERS, ANN, "<1@ann>", "NEW toy/one"))
    assert post.start() == "G2"
    deliver(post, stamped(ORDERS, BRUNO, "<1@bruno>", "JOIN G1"))
    assert post.start() == "G3"

"""UNDO and DRAW: what a player may do alone, what needs the other side, and that nothing taken back is told or thrown again."""

from __future__ import annotations

from tests.worker.conftest import Desk
from tests.worker.fakes import ANN, BRUNO, headers
from tests.worker.post import told, write
from tests.worker.test_beginning import code_in
from worker.canonical import Json


def did(post: Desk) -> Json:
    """What has been done on the board."""
    game = post.ports.journal.game("G1")
    return post.ports.journal.state("G1", game.version)[0]["did"]


def test_a_slip_is_taken_back_at_once_and_is_never_told(post: Desk) -> None:
    post.start()
    write(post, ANN, "MOVE 0101")
    write(post, ANN, "MOVE 0202")
    assert "Your last orders are taken back" in told(write(post, ANN, "UNDO"))
    assert did(post) == [["axis", "MOVE", "0101"]]
    game = post.ports.journal.game("G1")
    assert (game.version, game.branch, game.n) == (3, 0, 2)
    assert post.ports.journal.packet("G1-000002").status == "undone"
    # the one before, too, and then nothing is left
    write(post, ANN, "UNDO")
    assert did(post) == []
    assert "nothing that could be taken back" in told(write(post, ANN, "UNDO"))
    assert len(post.mails_to(BRUNO)) == 1
    write(post, ANN, "MOVE 0303", "DONE")
    # what Bruno is told next is what counts alone
    events = post.ports.journal.events("G1", 0, post.ports.journal.game("G1").version)
    assert [one["data"]["x"] for one in events] == ["0303", ""]
    assert post.ports.journal.broken_link("G1") is None


def test_a_die_is_taken_back_by_consent_alone_and_falls_anew(post: Desk) -> None:
    post.start()
    write(post, ANN, "ATTACK 0101")
    first = post.ports.journal.chain("G1")[1][1]["seed"]
    assert "Since a die was thrown, your orders are taken back only if the other side agrees" in told(write(post, ANN, "UNDO"))
    assert did(post) != []
    asked = post.mails_to(BRUNO)[-1]
    assert str(headers(asked)["Subject"]).endswith("May the last orders be taken back?")
    assert "for a die was thrown" in told(asked)
    assert "0101" not in told(asked)
    assert "asked already" in told(write(post, ANN, "UNDO"))
    write(post, BRUNO, "ACCEPT")
    assert did(post) == []
    game = post.ports.journal.game("G1")
    assert (game.version, game.branch) == (2, 1)
    assert "By agreement of both sides the last orders of the Axis side are taken back" in told(post.mails_to(ANN)[-1])
    write(post, ANN, "ATTACK 0101")
    record = post.ports.journal.chain("G1")[3][1]
    assert (record["branch"], record["n"]) == (1, 2)
    assert record["seed"] != first


def test_orders_that_the_other_side_was_told_of_are_not_taken_back_alone(post: Desk) -> None:
    post.start()
    write(post, ANN, "MOVE 0101", "DONE")
    assert "Since the other side was told" in told(write(post, ANN, "UNDO"))
    code = code_in(post.mails_to(BRUNO)[-1])
    lines = [line.strip() for line in headers(post.mails_to(BRUNO)[-1]).get_body(("plain",)).get_content().splitlines()]
    assert {f"| ACCEPT {code}", f"| REFUSE {code}"} <= set(lines)
    assert "needs your consent, for you were told of them" in told(post.mails_to(BRUNO)[-1])
    write(post, BRUNO, f"REFUSE {code}")
    assert "The Allied side says no: your orders are not taken back" in told(post.mails_to(ANN)[-1])
    for word in ("ACCEPT", "REFUSE"):
        assert "That question was answered before, with a no" in told(write(post, BRUNO, f"{word} {code}"))
    assert "Nothing waits for an answer under" in told(write(post, ANN, f"REFUSE {code}"))
    # asked again, and answered when the game has gone on
    write(post, ANN, "UNDO")
    code = code_in(post.mails_to(BRUNO)[-1])
    write(post, BRUNO, "MOVE 0707")
    assert "too late" in told(write(post, BRUNO, f"ACCEPT {code}"))
    assert "not your own orders" in told(write(post, ANN, "UNDO"))


def test_consent_to_an_undo_is_the_other_sides_alone(post: Desk) -> None:
    post.start()
    write(post, ANN, "ATTACK 0101")
    write(post, ANN, "UNDO")
    code = code_in(post.mails_to(BRUNO)[-1])
    assert "reply to the newest mail" in told(write(post, ANN, f"ACCEPT {code}"))
    assert did(post) != []
    write(post, BRUNO, f"ACCEPT {code}", to="orders@toy.example")
    assert did(post) != []


def test_an_undone_turns_end_brings_back_turn_and_deadline(post: Desk) -> None:
    post.configure(deadline_hours=72.0)
    post.start()
    write(post, ANN, "DONE")
    write(post, BRUNO, "DONE")
    assert post.ports.journal.game("G1").turn == 2
    old = str(headers(post.mails_to(ANN)[-1])["Reply-To"])
    write(post, BRUNO, "UNDO")
    write(post, ANN, "ACCEPT")
    assert post.ports.journal.game("G1").turn == 1
    assert set(post.ports.journal.deadlines("G1")) == {"allied"}
    # tokens of the branch that is given up are dead
    write(post, ANN, "MOVE 0101", to=old)
    assert did(post) == [["axis", "DONE", ""]]
    write(post, BRUNO, "MOVE 0202")
    assert did(post)[-1] == ["allied", "MOVE", "0202"]


def test_a_draw_needs_both(post: Desk) -> None:
    post.start()
    assert "The other side is asked" in told(write(post, ANN, "DRAW"))
    assert "The Axis side proposes to end the game as a draw" in told(post.mails_to(BRUNO)[-1])
    write(post, ANN, "DRAW OFF")
    assert "The other side is asked" in told(write(post, BRUNO, "DRAW"))
    assert not post.ports.journal.game("G1").over
    write(post, ANN, "DRAW")
    assert post.ports.journal.game("G1").over
    assert post.ports.journal.state("G1", 1)[0]["over"] == {"winner": None}
    assert post.ports.journal.packet("G1-000001").lines == ["DRAW"]
    assert all("The game is over" in str(headers(post.mails_to(one)[-1])["Subject"]) for one in (ANN, BRUNO))
    assert "The game is over" in told(write(post, BRUNO, "DRAW"))


def test_one_mail_changes_a_game_once(post: Desk) -> None:
    post.start()
    write(post, ANN, "MOVE 0101")
    write(post, ANN, "MOVE 0202")
    assert "another came before" in told(write(post, ANN, "UNDO", "UNDO"))
    assert did(post) == [["axis", "MOVE", "0101"]]


def test_the_adjutant_agrees_to_nothing(post: Desk) -> None:
    post.start(allied="adjutant")
    write(post, ANN, "ATTACK 0101")
    assert "Your orders stand: a die was thrown, and the other side, who would have to agree, is the adjutant" in told(
        write(post, ANN, "UNDO")
    )
    assert "agrees to nothing" in told(write(post, ANN, "DRAW"))
    write(post, ANN, "MOVE 0202")
    assert "are taken back" in told(write(post, ANN, "UNDO"))

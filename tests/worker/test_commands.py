"""Commands to the campaign, through journal and outbox with the real mail service: who may, what is entered, what is answered."""

from __future__ import annotations

from tests.worker.conftest import Desk, reply_to
from tests.worker.fakes import ANN, BRUNO, headers, orders_mail
from tests.worker.post import told, write


def test_a_question_is_answered_to_its_sender_in_his_thread_and_changes_nothing(post: Desk) -> None:
    post.start()
    first = headers(post.mails_to(ANN)[-1])
    answer = write(post, ANN, "Hello,", "map", "Ann")
    assert headers(answer)["In-Reply-To"] == "<0@ann>"
    assert headers(answer)["Auto-Submitted"] == "auto-replied"
    assert headers(answer)["Reply-To"] == first["Reply-To"]
    assert "> map -- done The map below is the position now" in told(answer)
    assert "not an order: | Hello," in told(answer)
    assert len(post.mails_to(BRUNO)) == 1
    assert post.ports.journal.game("G1").version == 0
    (entered,) = post.ports.journal.commands("G1")
    assert (entered["verb"], entered["side"], entered["sender"], entered["status"]) == ("MAP", "axis", ANN, "done")


def test_a_command_that_cannot_be_read_is_told_with_the_way_to_write_it(post: Desk) -> None:
    post.start()
    answer = told(write(post, ANN, "INVITE bob"))
    assert "INVITE bob -- refused" in answer
    assert "expected a mail address. Did you mean" not in answer
    assert "expected a mail address. Write: INVITE address [TO game] [AS side]" in answer
    assert post.ports.journal.commands("G1")[0]["status"] == "refused"


def test_a_question_from_an_old_thread_or_without_token_is_answered_to_the_registered_address(post: Desk) -> None:
    post.start()
    answer = write(post, ANN, "HELP UNDO", to="orders@toy.example")
    assert "takes your last orders back" in told(answer)


def test_a_stranger_is_not_answered(post: Desk) -> None:
    post.start()
    post.drop(orders_mail("orders@toy.example", "eve@example.com", "<1@eve>", "HELP"))
    post.drop(orders_mail(reply_to(post, ANN), "eve@example.com", "<2@eve>", "MAP"))
    post.run()
    assert post.mails_to("eve@example.com") == []
    # her mail with Ann's token is asked about at Ann's address
    assert "Did you send this mail?" in str(headers(post.mails_to(ANN)[-1])["Subject"])

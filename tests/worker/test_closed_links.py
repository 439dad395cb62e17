"""What ends with the right to it: links, copies and reports of an address that is paused, removed or replaced."""

from __future__ import annotations

from sqlalchemy import insert

from tests.worker.conftest import Desk, reply_to
from tests.worker.fakes import ANN, BRUNO, orders_mail
from tests.worker.post import deliver, stamped, told, write
from tests.worker.test_beginning import EVE, ORDERS, code_in
from tests.worker.test_people import accept
from worker.post import bounces, links, writers
from worker.store.database import writing
from worker.store.tables import paused

CARL = "carl@example.com"
DORA = "dora@example.com"
MASTER = "master@club.example"
NOW = "2026-03-27T20:14:09+00:00"


def test_a_paused_address_gets_no_mail_of_any_kind_until_its_owner_writes(post: Desk) -> None:
    post.configure(game_master=MASTER)
    post.start()
    write(post, ANN, f"COPY {CARL}")
    accept(post, CARL)
    deliver(post, orders_mail(ORDERS, EVE, "<1@eve>", "SPECTATE G1"))
    accept(post, EVE)
    for address in (CARL, EVE, DORA, MASTER):
        with writing(post.ports.journal.engine) as connection:
            connection.execute(insert(paused).values(address=address, at=NOW))
    before = len(post.sender.sent)
    assert f"Mail to {DORA} comes back as undeliverable" in told(write(post, ANN, f"SUBSTITUTE {DORA}"))  # an offer
    write(post, ANN, "SAY TO MASTER help us")  # a letter
    write(post, ANN, "MOVE 0101", "DONE")  # a copy, and a report to who watches
    assert {to for _, to, _ in post.sender.sent[before:]} == {(ANN,), (BRUNO,)}
    deliver(post, stamped(ORDERS, EVE, "<2@eve>", "SPECTATE G1"))
    count = len(post.mails_to(EVE))
    write(post, BRUNO, "MOVE 0202", "DONE")
    assert len(post.mails_to(EVE)) == count + 1
    assert "0202" in told(post.mails_to(EVE)[-1])
    assert bounces.paused_of(post.ports.journal.engine, [CARL, EVE]) == {CARL}


def open_links(post: Desk, address: str) -> set[bool]:
    return {not one.revoked for one in links.links_of(post.ports.journal.engine, "G1") if one.address == address}


def linking(post: Desk) -> None:
    post.configure(link_base="https://club.example", pictures=1)  # every picture is linked to
    post.start()


def test_links_of_copies_end_with_the_copies(post: Desk) -> None:
    linking(post)
    for how in ("COPY OFF", f"COPY OFF {CARL}", "refusal"):
        write(post, ANN, f"COPY {CARL}")
        asked = post.mails_to(CARL)[-1]
        accept(post, CARL)
        write(post, ANN, "MOVE 0101", "DONE")
        write(post, BRUNO, "DONE")
        assert True in open_links(post, CARL)
        if how == "refusal":
            deliver(post, orders_mail(ORDERS, CARL, "<8@carl>", f"REFUSE {code_in(asked)}"))
        else:
            write(post, ANN, how)
        assert open_links(post, CARL) == {False}
        assert True in open_links(post, ANN)


def test_links_of_an_address_end_when_it_is_removed_or_another_takes_its_place(post: Desk) -> None:
    linking(post)
    write(post, ANN, f"ADDRESS ADD {CARL}")
    accept(post, CARL)
    write(post, ANN, "MOVE 0101")
    assert (open_links(post, ANN), open_links(post, CARL)) == ({True}, {True})
    write(post, ANN, f"ADDRESS REMOVE {CARL}")
    assert (open_links(post, ANN), open_links(post, CARL)) == ({True}, {False})
    write(post, ANN, f"ADDRESS {EVE}")
    accept(post, EVE)
    write(post, EVE, "MOVE 0202")
    assert (open_links(post, ANN), open_links(post, EVE)) == ({False}, {True})


def test_links_of_who_watches_and_of_who_wrote_for_a_side_end_with_that(post: Desk) -> None:
    linking(post)
    engine = post.ports.journal.engine
    deliver(post, orders_mail(ORDERS, EVE, "<1@eve>", "SPECTATE G1"))
    accept(post, EVE)
    writers.set_writer(engine, "G1", "axis", CARL, "deputy")
    write(post, CARL, "MOVE 0101", "DONE", to=reply_to(post, ANN))
    assert (open_links(post, EVE), open_links(post, CARL)) == ({True}, {True})
    writers.set_writer(engine, "G1", "axis", CARL, None)
    deliver(post, stamped(ORDERS, EVE, "<2@eve>", "SPECTATE OFF"))
    assert (open_links(post, EVE), open_links(post, CARL)) == ({False}, {False})


def test_copies_that_a_replaced_player_had_sent_end_and_so_do_the_links_of_his_deputies(post: Desk) -> None:
    linking(post)
    writers.set_writer(post.ports.journal.engine, "G1", "axis", DORA, "deputy")
    write(post, ANN, f"COPY {CARL}")
    accept(post, CARL)
    write(post, DORA, "MOVE 0101", to=reply_to(post, ANN))
    assert (open_links(post, CARL), open_links(post, DORA)) == ({True}, {True})
    write(post, ANN, f"SUBSTITUTE {EVE}")
    accept(post, EVE)
    assert (open_links(post, CARL), open_links(post, DORA)) == ({False}, {False})
    count = len(post.mails_to(CARL))
    write(post, EVE, "MOVE 0202")
    assert len(post.mails_to(CARL)) == count


def test_a_report_that_has_not_left_does_not_reach_who_is_removed_meanwhile_nor_open_a_closed_link(post: Desk) -> None:
    linking(post)
    write(post, ANN, f"ADDRESS ADD {CARL}")
    accept(post, CARL)
    post.drop(orders_mail(reply_to(post, ANN), ANN, "<a@ann>", "MOVE 0909"))
    post.take_in()
    post.run_drain("G1")  # decided on, and not sent
    post.drop(orders_mail(reply_to(post, ANN), ANN, "<b@ann>", f"ADDRESS REMOVE {CARL}"))
    post.run()
    assert "0909" in told(post.mails_to(ANN)[-2]) + told(post.mails_to(ANN)[-1])
    assert all(b"0909" not in raw for raw in post.mails_to(CARL))
    assert True not in open_links(post, CARL)

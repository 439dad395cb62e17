"""Orders handed in at a live board: with which code, from which page, and by whom."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import select

from tests.worker.boards import SIDES, browser, code_mailed, further_link, hand_in, handle_waiting, link_of, seen_on, table
from tests.worker.whole import AT, Table
from worker.board import codes, handing
from worker.post.links import find
from worker.post.writers import set_writer
from worker.store.database import reading
from worker.store.tables import metadata
from worker.waiting import halts


def after(**time: float) -> str:
    return (datetime.fromisoformat(AT) + timedelta(**time)).isoformat()


def test_orders_are_handed_in_with_the_code_that_was_mailed_once(tmp_path: Path) -> None:
    found = table(tmp_path, demand_pass=True)
    client, path = browser(found), link_of(found, "allied")
    asked = client.post(path, data={"do": "code", "orders": "DONE"})
    assert "A code is on its way" in asked.get_data(as_text=True)
    assert ">DONE</textarea>" in asked.get_data(as_text=True)  # what was written is kept
    handle_waiting(found)
    mail = found.mails_to("allied")[-1]
    assert str(mail["To"]) == SIDES["allied"]
    code = code_mailed(found, "allied")
    wrong = hand_in(client, path, "wrong")
    assert wrong.status_code == 422
    assert found.journal.next_message(found.game) is None
    right = hand_in(client, path, f" {code.upper()} ", "DELAY 56REC\r\nDONE")
    assert "handed in" in right.get_data(as_text=True)
    handle_waiting(found)
    receipt = found.mails_to("allied")[-1]
    text = receipt.get_body(("plain",))
    assert text is not None
    assert "DELAY 56REC" in text.get_content()
    with reading(found.journal.engine) as connection:
        packets = metadata.tables["packets"]
        rows = connection.execute(select(packets.c.side, packets.c.lines)).all()
    assert [(side, lines) for side, lines in rows] == [("allied", ["DELAY 56REC", "DONE"])]
    again = hand_in(client, path, code)
    assert again.status_code == 422
    assert found.journal.next_message(found.game) is None


def ask_for_code(game: Table, path: str, minutes: float = 0) -> str:
    """Ask for a code at a board, and what is mailed to the Allied player; the sentence that the page says."""
    answer = browser(game, after(minutes=minutes)).post(path, data={"do": "code"})
    handle_waiting(game)
    assert answer.status_code == 200
    return answer.get_data(as_text=True).partition('class="told good">')[2].partition("</p>")[0]


def test_a_code_works_for_an_hour_and_there_is_another_once_it_is_used_or_too_old(tmp_path: Path) -> None:
    found = table(tmp_path)
    path = link_of(found, "allied")
    assert ask_for_code(found, path).startswith("A code is on its way")
    first = code_mailed(found, "allied")
    assert ask_for_code(found, path, 59).startswith("The code that was mailed to your address last still works")
    assert code_mailed(found, "allied") == first
    assert hand_in(browser(found, after(minutes=60)), path, first).status_code == 422  # too old
    assert ask_for_code(found, path, 60).startswith("A code is on its way")
    second = code_mailed(found, "allied")
    assert hand_in(browser(found, after(minutes=61)), path, second, "CHECK\nDONE").status_code == 200
    assert ask_for_code(found, path, 61).startswith("A code is on its way")  # at once
    third = code_mailed(found, "allied")
    assert len({first, second, third}) == 3
    assert hand_in(browser(found, after(minutes=62)), path, second).status_code == 422
    assert hand_in(browser(found, after(minutes=62)), path, third).status_code == 200


def test_a_code_works_at_each_link_of_its_address_and_at_no_other(tmp_path: Path) -> None:
    found = table(tmp_path)
    ask_for_code(found, link_of(found, "allied"))
    code = code_mailed(found, "allied")
    client, newer = browser(found), further_link(found, "allied", SIDES["allied"])
    assert hand_in(client, link_of(found, "axis"), code).status_code == 422
    assert hand_in(client, newer, code).status_code == 200


def test_who_was_passed_a_link_can_neither_spoil_the_players_code_nor_use_up_his_day(tmp_path: Path) -> None:
    found = table(tmp_path)
    path = link_of(found, "allied")
    link = find(found.journal.engine, path.rpartition("/")[2])
    assert link is not None
    for minute in range(0, 3 * 60, 10):
        codes.ask(found.journal, link, after(minutes=minute))
    handle_waiting(found)
    assert [recipients for _, recipients, _ in found.sender.sent[2:]] == [(SIDES["allied"],)] * 3  # one an hour
    client, code = browser(found, after(hours=2, minutes=30)), code_mailed(found, "allied")
    for guess in range(6):
        assert hand_in(client, path, f"guess{guess}").status_code == 422
    assert "which always works" in hand_in(client, path, "guess").get_data(as_text=True)
    assert hand_in(client, path, code).status_code == 200


def test_a_page_that_is_out_of_date_hands_nothing_in_and_keeps_code_and_lines(tmp_path: Path) -> None:
    found = table(tmp_path, "holdfast/campaign-1")
    client, path = browser(found), link_of(found, "axis")
    old = seen_on(client, path)
    ask_for_code(found, path)
    code = code_mailed(found, "axis")
    found.play(1, "axis", "COMMIT 0")
    late = client.post(path, data={"do": "send", "orders": "DONE TURN AUTO", "code": code, "seen": old})
    shown = late.get_data(as_text=True)
    assert late.status_code == 409
    assert "it has changed since you opened this page" in shown
    assert ">DONE TURN AUTO</textarea>" in shown
    assert f'value="{code}"' in shown
    assert found.journal.next_message(found.game) is None
    assert client.post(path, data={"do": "send", "orders": "DONE TURN AUTO", "code": code}).status_code == 409  # one that says nothing
    game = found.journal.game(found.game)
    assert game is not None
    for number, side in enumerate(("axis", "allied"), start=2):
        found.play(number, side, "DONE TURN AUTO")
    later = found.journal.game(found.game)
    assert later is not None
    assert (game.turn, later.turn) == (1, 2)
    # Had the game-turn ended between reading it and handing in: as late as a mail of that game-turn.
    link = find(found.journal.engine, path.rpartition("/")[2])
    assert link is not None
    assert handing.hand_in(found.journal.engine, found.ports.config, link, game, ["DONE TURN AUTO"], code, AT)
    handle_waiting(found)
    now = found.journal.game(found.game)
    assert now is not None
    assert now.version == later.version


def test_a_deputy_hands_in_at_his_own_link_until_he_is_none_any_more(tmp_path: Path) -> None:
    found = table(tmp_path)
    deputy = "deputy@player.example"
    path = further_link(found, "allied", deputy)
    client = browser(found)
    assert "<form" not in client.get(path).get_data(as_text=True)
    set_writer(found.journal.engine, found.game, "allied", deputy, "deputy")
    client.post(path, data={"do": "code"})
    handle_waiting(found)
    assert found.sender.sent[-1][1] == (deputy,)
    found.addresses = {**found.addresses, "deputy": deputy}
    code = code_mailed(found, "deputy")
    assert hand_in(client, path, code, "DELAY 56REC\nDONE").status_code == 200
    handle_waiting(found)
    receipt = found.mails_to("allied")[-1].get_body(("plain",))
    assert receipt is not None
    assert "sent by your side's deputy" in " ".join(receipt.get_content().split())
    set_writer(found.journal.engine, found.game, "allied", deputy, None)
    assert client.get(path).status_code == 410  # his links are closed with it


def test_a_game_masters_command_is_not_given_by_a_code_though_he_plays(tmp_path: Path) -> None:
    found = table(tmp_path, game_master=SIDES["allied"])
    path = link_of(found, "allied")
    ask_for_code(found, path)
    assert hand_in(browser(found), path, code_mailed(found, "allied"), f"PAUSE {found.game}").status_code == 200
    handle_waiting(found)
    assert halts.current(found.journal.engine, found.game) is None
    answer = found.mails_to("allied")[-1].get_body(("plain",))
    assert answer is not None
    assert "a command that only the game master may give" in " ".join(answer.get_content().split())


def test_what_cannot_be_handed_in_is_told_and_who_does_not_play_gives_no_orders(tmp_path: Path) -> None:
    found = table(tmp_path)
    path, engine = link_of(found, "allied"), found.journal.engine
    client = browser(found)
    assert "There are no orders" in client.post(path, data={"do": "send", "orders": " \n", "code": "x"}).get_data(as_text=True)
    assert client.post(path, data={"do": "send", "orders": "DONE\n" * 601, "code": "x"}).status_code == 422
    assert client.post(path, data={"do": "send", "orders": "x" * 300_000}).status_code == 413
    with engine.begin() as connection:  # another has his place now
        players = metadata.tables["players"]
        connection.execute(players.update().where(players.c.address == SIDES["allied"]).values(address="new@player.example"))
    assert "<form" not in client.get(path).get_data(as_text=True)
    assert client.post(path, data={"do": "code"}).status_code == 403
    assert found.journal.next_message(found.game) is None

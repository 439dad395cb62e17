"""What the worker does with a received mail, seen in the journal and in what leaves."""

from __future__ import annotations

import hashlib
import hmac

import pytest

from tests.worker.conftest import SECRET, Desk, reply_to
from tests.worker.fakes import ANN, BRUNO, body, headers, orders_mail
from worker.canonical import canonical
from worker.ports import ServiceDown
from worker.store.records import Game


def game_of(desk: Desk, key: str = "G1") -> Game:
    found = desk.ports.journal.game(key)
    assert found is not None
    return found


def test_a_game_starts_with_a_mail_to_each_side_bearing_a_token_of_its_own(desk: Desk) -> None:
    assert desk.start() == "G1"
    (ann,), (bruno,) = desk.mails_to(ANN), desk.mails_to(BRUNO)
    assert body(ann)[0] == body(bruno)[0] == "start"
    assert headers(ann)["Reply-To"] != headers(bruno)["Reply-To"]
    record = desk.ports.journal.chain("G1")[0][1]
    assert record["commitment"] == hashlib.sha256(bytes.fromhex(SECRET)).hexdigest()


def test_the_secret_of_the_dice_is_published_when_the_game_is_over_and_not_before(desk: Desk) -> None:
    desk.start()
    desk.drop(orders_mail(reply_to(desk, ANN), ANN, "<1@ann>", "ROLL"))
    desk.run()
    assert f"secret {SECRET}" not in body(desk.mails_to(ANN)[-1])
    desk.drop(orders_mail(reply_to(desk, ANN), ANN, "<2@ann>", "CONCEDE"))
    desk.run()
    assert all(f"secret {SECRET}" in body(desk.mails_to(player)[-1]) for player in (ANN, BRUNO))


def test_orders_move_the_game_and_are_answered_in_the_thread(desk: Desk) -> None:
    desk.start()
    desk.drop(orders_mail(reply_to(desk, ANN), ANN, "<1@ann>", "MOVE A"))
    desk.run()
    game = game_of(desk)
    assert (game.version, game.n, game.packets, game.turn) == (1, 1, 1, 1)
    answer = desk.mails_to(ANN)[-1]
    assert body(answer)[:3] == ["receipt", "done", "move A"]
    assert headers(answer)["In-Reply-To"] == "<1@ann>"
    assert len(desk.mails_to(BRUNO)) == 1  # no player-turn ended, nothing to decide: he is not told yet


def test_the_seed_is_the_documented_function_of_secret_game_branch_and_number(desk: Desk) -> None:
    desk.start()
    desk.drop(orders_mail(reply_to(desk, ANN), ANN, "<1@ann>", "ROLL"))
    desk.run()
    key = hmac.new(bytes.fromhex(SECRET), b"[]", "sha256").digest()
    seed = hmac.new(key, b'["G1",0,1]', "sha256").hexdigest()
    assert desk.ports.journal.chain("G1")[1][1]["seed"] == seed


def test_the_other_side_gets_one_report_of_all_when_the_player_turn_ends(desk: Desk) -> None:
    desk.start()
    for number, line in enumerate(("MOVE A", "SECRET S", "DONE"), start=1):
        desk.drop(orders_mail(reply_to(desk, ANN), ANN, f"<{number}@ann>", line))
        desk.run()
    start, report = desk.mails_to(BRUNO)
    assert body(report)[:4] == ["turn", "None", "move A", "done"]
    assert headers(report)["In-Reply-To"] == headers(start)["Message-ID"]


def test_private_packets_take_no_number_and_leave_the_seed_of_the_next_alone(desk: Desk) -> None:
    desk.start()
    for number, line in enumerate(("SECRET S", "ROLL"), start=1):
        desk.drop(orders_mail(reply_to(desk, ANN), ANN, f"<{number}@ann>", line))
        desk.run()
    _, private, rolled = (record for _, record, _ in desk.ports.journal.chain("G1"))
    assert (private["n"], private["seed"], rolled["n"]) == (None, None, 1)
    assert game_of(desk).version == 2


def test_a_refused_packet_is_kept_and_changes_nothing(desk: Desk) -> None:
    desk.start()
    desk.drop(orders_mail(reply_to(desk, ANN), ANN, "<1@ann>", "MOVE A", "ILLEGAL"))
    desk.run()
    assert game_of(desk).version == 0
    kept = desk.ports.journal.packet("G1-000001")
    assert kept is not None
    assert (kept.status, kept.lines) == ("refused", ["MOVE A", "ILLEGAL"])
    assert "refused illegal" in body(desk.mails_to(ANN)[-1])


def test_a_line_that_cannot_be_read_refuses_the_packet_unless_anyway_drops_it(desk: Desk) -> None:
    desk.start()
    desk.drop(orders_mail(reply_to(desk, ANN), ANN, "<1@ann>", "MOVE A", "BAD"))
    desk.run()
    assert game_of(desk).version == 0
    assert desk.rules.adjudicated == []
    desk.drop(orders_mail(reply_to(desk, ANN), ANN, "<2@ann>", "ANYWAY", "MOVE A", "BAD"))
    desk.run()
    assert game_of(desk).version == 1
    assert body(desk.mails_to(ANN)[-1])[1:4] == ["done", "move A", "refused unknown-verb"]


def test_check_tells_what_would_happen_and_changes_nothing(desk: Desk) -> None:
    desk.start()
    desk.drop(orders_mail(reply_to(desk, ANN), ANN, "<1@ann>", "CHECK", "MOVE A"))
    desk.run()
    assert body(desk.mails_to(ANN)[-1])[:3] == ["receipt", "checked", "move A"]
    assert game_of(desk).version == 0


def test_of_drafts_the_last_counts_and_done_alone_carries_it_out(desk: Desk) -> None:
    desk.start()
    for number, lines in enumerate((("HOLD", "MOVE A"), ("HOLD", "MOVE B"), ("DONE",)), start=1):
        desk.drop(orders_mail(reply_to(desk, ANN), ANN, f"<{number}@ann>", *lines))
        desk.run()
    state, _ = desk.ports.journal.state("G1", 1)
    assert state["did"] == [["axis", "MOVE", "B"], ["axis", "DONE", ""]]
    assert desk.ports.journal.draft("G1", "axis", 1) is None


def test_done_without_a_draft_closes_the_step(desk: Desk) -> None:
    desk.start()
    desk.drop(orders_mail(reply_to(desk, ANN), ANN, "<1@ann>", "DONE"))
    desk.run()
    assert desk.ports.journal.state("G1", 1)[0]["did"] == [["axis", "DONE", ""]]


def test_tokens_die_with_the_turn_and_a_stale_one_is_answered_kindly(desk: Desk) -> None:
    desk.start()
    old = reply_to(desk, ANN)
    desk.drop(orders_mail(old, ANN, "<1@ann>", "DONE"))
    desk.run()
    desk.drop(orders_mail(reply_to(desk, BRUNO), BRUNO, "<1@bruno>", "DONE"))
    desk.run()
    assert game_of(desk).turn == 2
    new = reply_to(desk, ANN)
    assert new != old
    desk.drop(orders_mail(old, ANN, "<2@ann>", "MOVE A"))
    desk.run()
    answer = desk.mails_to(ANN)[-1]
    assert body(answer)[0] == "explain"
    assert headers(answer)["Reply-To"] == new
    assert game_of(desk).version == 2


def test_a_doubled_mail_is_ignored_in_silence(desk: Desk) -> None:
    desk.start()
    mail = orders_mail(reply_to(desk, ANN), ANN, "<1@ann>", "MOVE A")
    desk.drop(mail)
    desk.drop(mail)
    desk.run()
    desk.drop(mail)
    desk.run()
    assert (game_of(desk).version, game_of(desk).packets) == (1, 1)
    assert len(desk.mails_to(ANN)) == 2


def test_mails_of_strangers_are_kept_and_not_answered(desk: Desk) -> None:
    desk.start()
    desk.drop(orders_mail("orders@toy.example", "eve@example.com", "<1@eve>", "MOVE A"))
    desk.run()
    assert len(desk.sender.sent) == 2
    assert desk.ports.journal.waiting_messages() == []


def test_a_service_that_is_away_costs_nothing_but_time(desk: Desk) -> None:
    desk.start()
    desk.rules.down = True
    desk.drop(orders_mail(reply_to(desk, ANN), ANN, "<1@ann>", "MOVE A"))
    with pytest.raises(ServiceDown, match="cannot be reached"):
        desk.run()
    for _ in range(5):
        desk.sweep_quietly()
    assert game_of(desk).version == 0
    desk.rules.down = False
    desk.sweep()
    assert game_of(desk).version == 1


def test_a_draft_that_dies_with_its_turn_is_told_once_to_its_side_alone(desk: Desk) -> None:
    desk.start()
    said = []
    for number, (player, *lines) in enumerate(
        [(BRUNO, "HOLD", "MOVE B"), (ANN, "HOLD", "MOVE A"), (ANN, "MOVE C", "DONE"), (BRUNO, "DONE"), (ANN, "DONE"), (BRUNO, "DONE")]
    ):
        desk.drop(orders_mail(reply_to(desk, player), player, f"<{number}@x>", *lines))
        desk.run()
        said.append([body(desk.mails_to(one)[-1]).count("note draft_lapsed") for one in (ANN, BRUNO)])
    # Bruno's draft is carried out by his DONE, which ends the turn; Ann's is passed over and dies then.
    assert said == [[0, 0], [0, 0], [0, 0], [1, 0], [0, 0], [0, 0]]


def test_a_draft_is_told_as_dead_to_the_player_whose_own_orders_end_the_turn(desk: Desk) -> None:
    desk.start()
    for number, (player, *lines) in enumerate([(ANN, "DONE"), (BRUNO, "HOLD", "MOVE B"), (BRUNO, "MOVE C", "DONE")]):
        desk.drop(orders_mail(reply_to(desk, player), player, f"<{number}@x>", *lines))
        desk.run()
    assert "note draft_lapsed" in body(desk.mails_to(BRUNO)[-1])
    assert "note draft_lapsed" not in body(desk.mails_to(ANN)[-1])


def test_two_games_of_one_player_do_not_mix(desk: Desk) -> None:
    desk.start()
    first = reply_to(desk, ANN)
    desk.start()
    second = reply_to(desk, ANN)
    desk.drop(orders_mail(second, ANN, "<1@ann>", "MOVE B"))
    desk.drop(orders_mail(first, ANN, "<2@ann>", "MOVE A"))
    desk.run()
    assert desk.ports.journal.state("G1", 1)[0]["did"] == [["axis", "MOVE", "A"]]
    assert desk.ports.journal.state("G2", 1)[0]["did"] == [["axis", "MOVE", "B"]]


def test_the_hash_chain_holds_and_shows_where_it_was_broken(desk: Desk) -> None:
    desk.start()
    for number in (1, 2):
        desk.drop(orders_mail(reply_to(desk, ANN), ANN, f"<{number}@ann>", "ROLL"))
        desk.run()
    assert desk.ports.journal.broken_link("G1") is None
    with desk.ports.journal.engine.begin() as connection:
        record = desk.ports.journal.chain("G1")[1][1] | {"seed": "00" * 32}
        connection.exec_driver_sql("UPDATE turns SET record = ? WHERE version = 1", (canonical(record).decode(),))
    assert desk.ports.journal.broken_link("G1") == 1

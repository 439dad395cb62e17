"""Who plays a game: which addresses are taken, and what each of them gets."""

from __future__ import annotations

import pytest

from tests.worker.conftest import SECRET, Desk, reply_to
from tests.worker.fakes import ANN, BRUNO, body, headers, orders_mail
from worker.play.games import UnusableInput, new_game


def test_every_player_of_a_side_is_told(desk: Desk) -> None:
    game = new_game(desk.ports, "toy/one", {"axis": [ANN, "carla@example.org"], "allied": [BRUNO]}, {}, SECRET)
    desk.wake_post(game.id)
    desk.run()
    desk.drop(orders_mail(reply_to(desk, "carla@example.org"), "carla@example.org", "<1@carla>", "MOVE A"))
    desk.run()
    for player in (ANN, "carla@example.org"):
        assert [body(mail)[0] for mail in desk.mails_to(player)] == ["start", "receipt"]
    assert len({message_id for message_id, _, _ in desk.sender.sent}) == 5


SLIPS = (
    "Bruno <bruno@example.net>",
    "bruno@@example.net",
    "bruno@example..net",
    "bruno@example.net.",
    "bruno@-example.net",
    "bruno.@example.net",
    ".bruno@example.net",
    "bru..no@example.net",
    "brünö@example.net",
    "bruno@",
    "b" * 65 + "@example.net",
    "bruno@" + "a" * 64 + ".net",
)


@pytest.mark.parametrize(
    ("addresses", "said"),
    [
        ({"axis": [ANN]}, "allied has no player"),
        ({"axis": [ANN], "allied": [BRUNO], "french": ["x@example.org"]}, "no side 'french'"),
        ({"axis": ["ann"], "allied": [BRUNO]}, "not a mail address"),
        ({"axis": ["ann@example.org\nBcc: eve@example.com"], "allied": [BRUNO]}, "not a mail address"),
        *(({"axis": [ANN], "allied": [slip]}, "not a mail address") for slip in SLIPS),
        ({"axis": [ANN] * 9, "allied": [BRUNO]}, "at most 8"),
        ({"axis": [ANN], "allied": ["orders@toy.example"]}, "is where this server takes orders"),
        ({"axis": ["Orders+g1-t1-abc@Toy.example", ANN], "allied": [BRUNO]}, "is where this server takes orders"),
    ],
)
def test_players_that_cannot_be_mailed_start_no_game(desk: Desk, addresses: dict[str, list[str]], said: str) -> None:
    with pytest.raises(UnusableInput, match=said):
        new_game(desk.ports, "toy/one", addresses, {}, SECRET)
    assert desk.ports.journal.game("G1") is None


@pytest.mark.parametrize(
    "player", ["b@localhost", "bruno+hexpost@example.net", "o'brien@a-b.example", "reorders@toy.example", "orders@example.net"]
)
def test_an_address_that_can_be_mailed_is_taken(desk: Desk, player: str) -> None:
    game = new_game(desk.ports, "toy/one", {"axis": [ANN], "allied": [player]}, {}, SECRET)
    assert desk.ports.journal.addresses(game.id)["allied"] == [player]


def test_one_address_may_play_both_sides_and_each_mail_orders_for_the_side_that_it_answers(desk: Desk) -> None:
    new_game(desk.ports, "toy/one", {"axis": [ANN], "allied": [ANN]}, {}, SECRET)
    desk.wake_post("G1")
    desk.run()
    axis, allied = (str(headers(mail)["Reply-To"]) for mail in desk.mails_to(ANN))
    for number, address in enumerate((axis, allied)):
        desk.drop(orders_mail(address, ANN, f"<{number}@ann>", "DONE"))
        desk.run()
    assert desk.ports.journal.state("G1", 2)[0]["did"] == [["axis", "DONE", ""], ["allied", "DONE", ""]]
    assert [body(mail)[0] for mail in desk.mails_to(ANN)] == ["start", "start", "receipt", "turn", "receipt", "turn"]

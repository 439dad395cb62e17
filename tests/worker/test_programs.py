"""Tokens and listeners at the command line, by mail and by the API; the API's door as an installation has it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from redis import Redis

from tests.worker.conftest import Desk, make_desk
from tests.worker.fakes import ANN, BRUNO
from tests.worker.whole import AT, Table
from worker.api.app import api_app, players_app
from worker.bots import listeners, programs
from worker.cli import main
from worker.store.bottables import accounts
from worker.store.database import writing

URL = "https://bot.example.org/turns?key=abc"


@pytest.fixture
def toy(tmp_path: Path, redis: Redis) -> Iterator[Desk]:
    desk = make_desk(tmp_path, redis)
    desk.start()
    (tmp_path / "hexpost.toml").write_text(f'database = "{desk.ports.journal.engine.url}"\n')
    yield desk
    desk.ports.journal.engine.dispose()


def hexpost(desk: Desk, *words: str) -> Result:
    return CliRunner().invoke(main, [*words, "--config", str(desk.folder / "hexpost.toml")])


def test_the_operator_issues_lists_and_revokes_tokens(toy: Desk) -> None:
    made = hexpost(toy, "programs", "g1", "--issue", f"axis={ANN.upper()}")
    found = programs.find(toy.ports.journal, made.stdout.strip())
    assert found is not None
    assert (found.side, found.address) == ("axis", ANN)
    assert hexpost(toy, "programs", "G1").stdout.startswith(f"{found.id}\taxis\t{ANN}\tsince ")
    assert hexpost(toy, "programs", "G1", "--revoke", str(found.id)).stdout == "1 token of G1 revoked.\n"
    assert programs.find(toy.ports.journal, made.stdout.strip()) is None
    assert hexpost(toy, "programs", "G1").stdout == "No program acts in G1.\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["programs", "G7"], "There is no game 'G7'"),
        (["programs", "G1", "--issue", f"axis={BRUNO}"], "does not write for axis"),
        (["programs", "G1", "--issue", "umpire=x"], "There is no side 'umpire'"),
        (["programs", "G1", "--revoke", "9"], "has no token of '9'"),
        (["programs", "G1", "--revoke", "x"], "is no number of a token"),
        (["listeners", "G1", "--add", "http://x.example/"], "must begin with https://"),
        (["listeners", "G1", "--add", URL, "--form", "telex"], "There is no form 'telex'"),
        (["listeners", "G1", "--add", URL, "--side", "axis", "--for", BRUNO], "does not write for axis"),
        (["listeners", "G1", "--add", URL, "--side", "axis", "--for", ANN, "--form", "discord"], "what all may know"),
        (["listeners", "G1", "--close", "9"], "has no listener 9"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(toy: Desk, words: list[str], said: str) -> None:
    result = hexpost(toy, *words)
    assert (result.exit_code, said in result.stderr) == (2, True), result.output


def test_the_operator_adds_and_closes_listeners_and_is_not_shown_their_urls(toy: Desk) -> None:
    made = hexpost(toy, "listeners", "G1", "--add", URL)
    assert "Its secret is whsec_" in made.stdout
    assert hexpost(toy, "listeners", "G1").stdout == "1\tspectator\tstandard\t-\tbot.example.org\n"
    assert hexpost(toy, "listeners", "G1", "--close", "1").exit_code == 0
    assert hexpost(toy, "listeners", "G1").stdout == "Nobody is told of G1 by a POST.\n"


def test_a_player_has_at_most_ten_tokens(toy: Desk) -> None:
    engine = toy.ports.journal.engine
    made = [programs.issue(engine, "G1", "axis", ANN, AT) for _ in range(11)]
    assert [programs.find(toy.ports.journal, one) is not None for one in made] == [False, *[True] * 10]


def test_a_program_sees_and_closes_its_players_listeners_alone(tmp_path: Path) -> None:
    table = Table(tmp_path)
    engine, players = table.journal.engine, table.addresses
    client = players_app(table.ports, lambda game, message: None).test_client()
    axis, allied = (
        {"Authorization": f"Bearer {programs.issue(engine, table.game, side, players[side], AT)}"} for side in ("axis", "allied")
    )
    path = f"/v1/games/{table.game}/listeners"
    made = client.post(path, json={"url": URL}, headers=axis)
    assert (made.status_code, made.json["secret"][:6]) == (201, "whsec_")
    assert client.get(path, headers=axis).json == {"listeners": [{"id": made.json["id"], "url": URL, "form": "standard"}]}
    assert client.get(path, headers=allied).json == {"listeners": []}
    assert client.delete(f"{path}/{made.json['id']}", headers=allied).status_code == 404
    assert client.post(path, json={"url": "https://10.0.0.1/"}, headers=axis).json["code"] == "no-such-url"
    assert client.post(path, json={"url": URL, "form": "discord"}, headers=axis).status_code == 422
    for n in range(listeners.MOST):
        answer = client.post(path, json={"url": f"https://bot.example.org/{n}"}, headers=axis)
    assert answer.json["code"] == "too-many-listeners"
    assert client.delete(f"{path}/{made.json['id']}", headers=axis).status_code == 204
    engine.dispose()


def test_link_off_ends_all_that_acts_for_a_player_elsewhere(tmp_path: Path) -> None:
    table = Table(tmp_path)
    engine, address = table.journal.engine, table.addresses["axis"]
    token = programs.issue(engine, table.game, "axis", address, AT)
    theirs = programs.issue(engine, table.game, "allied", table.addresses["allied"], AT)
    game = table.journal.game(table.game)
    assert game is not None
    listeners.add(engine, game, "axis", address, "standard", URL)
    with writing(engine) as connection:
        row = {"place": "discord", "user": "1", "game": game.id, "side": "axis", "address": address, "at": AT}
        connection.execute(accounts.insert().values(row))
    table.play(1, "axis", "LINK OFF")
    body = table.mails_to("axis")[-1].get_body(("plain",))
    assert body is not None
    assert "Ended: 3 codes, programs, accounts and listeners of yours." in " ".join(body.get_content().split())
    assert programs.find(table.journal, token) is None
    assert programs.find(table.journal, theirs) is not None
    assert listeners.of_game(engine, game.id) == []
    table.play(2, "axis", "LINK OFF")
    again = table.mails_to("axis")[-1].get_body(("plain",))
    assert again is not None
    assert "nothing is linked by one" in " ".join(again.get_content().split())
    engine.dispose()


def test_the_door_of_an_installation_queues_what_it_is_sent(toy: Desk, broker: str, monkeypatch: pytest.MonkeyPatch) -> None:
    token = programs.issue(toy.ports.journal.engine, "G1", "axis", ANN, AT)
    for name, value in (("HEXPOST_DATABASE", str(toy.ports.journal.engine.url)), ("BROKER_URL", broker), ("HEXPOST_HOME", str(toy.folder))):
        monkeypatch.setenv(name, value)
    for name in ("RULES", "MAIL", "RENDER"):
        monkeypatch.setenv(f"HEXPOST_{name}", "http://127.0.0.1:9")
    client = api_app().test_client()
    bearer = {"Authorization": f"Bearer {token}"}
    assert client.get("/readyz").status_code == 200
    assert client.get("/v1/me").json["code"] == "no-token"
    assert client.get("/v1/me", headers=bearer).json == {"game": "G1", "side": "axis"}
    assert client.get("/v1/games/G1/status", headers=bearer).json["code"] == "not-now"  # no rules service is there
    assert client.post("/v1/games/G1/orders", json={"text": "DONE"}, headers=bearer).status_code == 202
    waiting = toy.ports.journal.next_message("G1")
    assert waiting is not None
    assert toy.queues.head("G1") == waiting.id

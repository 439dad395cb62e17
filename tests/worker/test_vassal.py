"""The files for VASSAL of a mail: which it brings, when the module comes, that they have room, and that none of them ever stops it."""

from __future__ import annotations

import base64
import io
import json
import zipfile
from dataclasses import replace

import pytest

from tests.worker.conftest import SECRET, Desk, reply_to
from tests.worker.fakes import ANN, BRUNO, ToyMail, body, orders_mail
from worker.canonical import Json
from worker.commands import store
from worker.play.games import new_game
from worker.ports import ServiceDown, ServiceFailed, ServiceRefused
from worker.store.database import writing

ROOM = 1_000_000


class Kept(ToyMail):
    """Keeps what mails are told and composed of."""

    def __init__(self) -> None:
        self.told: list[Json] = []
        self.sent: list[Json] = []

    def report(self, body: Json) -> Json:
        self.told.append(body)
        return super().report(body)

    def compose(self, body: Json) -> Json:
        self.sent.append(body)
        return super().compose(body)


@pytest.fixture
def post(desk: Desk) -> Kept:
    """The mails of a desk that makes files for VASSAL."""
    mail = Kept()
    desk.ports = replace(desk.ports, mail=mail, config=replace(desk.ports.config, vassal=ROOM))
    return mail


def setting(desk: Desk, **settings: object) -> None:
    desk.ports = replace(desk.ports, config=replace(desk.ports.config, **settings))


def write(desk: Desk, player: str, number: int, *lines: str) -> None:
    desk.drop(orders_mail(reply_to(desk, player), player, f"<{number}@x>", *lines))
    desk.run()


def names(letter: Json) -> list[str]:
    return [one["name"] for one in letter["attachments"]]


def said(letter: Json, ending: str) -> Json:
    """What an enclosed toy file was made from."""
    (data,) = (base64.b64decode(one["data"]) for one in letter["attachments"] if one["name"].endswith(ending))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return json.loads(archive.read("said"))


def test_the_first_mail_brings_position_and_module_and_each_later_one_the_position_and_what_happened(desk: Desk, post: Kept) -> None:
    desk.start()
    write(desk, ANN, 1, "MOVE A")
    write(desk, ANN, 2, "DONE")
    assert [names(one) for one in post.sent] == [
        ["G1-t01-axis-0000.vsav", "toy-1.0-light.vmod"],
        ["G1-t01-allied-0000.vsav", "toy-1.0-light.vmod"],
        ["G1-t01-axis-0001.vsav", "G1-t01-axis-0001.vlog"],
        ["G1-t01-axis-0002.vsav", "G1-t01-axis-0002.vlog"],
        ["G1-t01-allied-0002.vsav", "G1-t01-allied-0002.vlog"],
    ]
    assert {one["mime"] for letter in post.sent for one in letter["attachments"]} == {"application/octet-stream"}
    assert [[one["kind"] for one in told["files"]] for told in post.told][1:3] == [["save", "module"], ["save", "log"]]
    assert post.told[2]["files"][0]["module"] == "toy-1.0-light.vmod"
    assert [kind for kind, _ in desk.render.asked].count("module") == 1  # it is kept for the next mail


def test_a_log_leads_from_what_the_side_was_told_last_to_the_position_of_the_mail(desk: Desk, post: Kept) -> None:
    desk.start()
    write(desk, ANN, 1, "MOVE A")
    write(desk, ANN, 2, "SECRET S", "DONE")
    log, save = said(post.sent[-1], ".vlog"), said(post.sent[-1], ".vsav")
    assert log["before"]["did"] == []  # the other side was told nothing since the start
    assert [one["kind"] for one in log["view"]["events"]] == ["moved", "done"]
    assert (save["view"]["side"], save["view"]["did"]) == ("allied", [["axis", "MOVE", "A"], ["axis", "DONE", ""]])
    assert "events" not in save["view"]
    assert save["secret"] == log["secret"] == "7b" * 32
    assert SECRET not in json.dumps([save, log])  # that of the dice is nobody's else


@pytest.mark.parametrize("lines", [("CHECK", "MOVE A"), ("HOLD", "MOVE A"), ("ILLEGAL",)])
def test_a_mail_without_news_brings_none(desk: Desk, post: Kept, lines: tuple[str, ...]) -> None:
    desk.start()
    write(desk, ANN, 1, *lines)
    assert names(post.sent[-1]) == []


def test_the_module_comes_again_when_it_has_changed_once_for_each_player(desk: Desk, post: Kept) -> None:
    desk.start()
    write(desk, ANN, 1, "MOVE A")
    desk.render.module_version = "1.1"
    write(desk, ANN, 2, "MOVE B")
    write(desk, ANN, 3, "DONE")
    assert ["toy-1.1-light.vmod" in names(one) for one in post.sent] == [False, False, False, True, False, True]
    assert {one.name for one in (desk.ports.config.home / "vassal").iterdir()} == {"toy-1.0-light.vmod", "toy-1.1-light.vmod"}


def test_each_side_has_the_module_of_its_own_look_even_at_one_address(desk: Desk, post: Kept) -> None:
    game = new_game(desk.ports, "toy/one", {"axis": [ANN], "allied": [ANN]}, {}, SECRET, {"allied": "dark"})
    desk.wake_post(game.id)
    desk.run()
    write(desk, ANN, 1, "DONE")
    found = [[one for one in names(letter) if one.endswith(".vmod")] for letter in post.sent]
    assert found == [["toy-1.0-light.vmod"], ["toy-1.0-dark.vmod"], [], []]


@pytest.mark.parametrize(("url", "told"), [("https://files.example/v/", "https://files.example/v/toy-1.0-light.vmod"), ("", "")])
def test_a_module_that_has_no_room_is_named_once_and_kept_for_the_operator(desk: Desk, post: Kept, url: str, told: str) -> None:
    setting(desk, vassal_url=url)
    desk.render.sizes["module"] = ROOM
    desk.start()
    write(desk, ANN, 1, "MOVE A")
    assert names(post.sent[0]) == ["G1-t01-axis-0000.vsav"]
    assert post.told[0]["files"][1:] == [{"kind": "module_elsewhere", "name": "toy-1.0-light.vmod", "module": "", "url": told}]
    assert "module_elsewhere" not in [one["kind"] for one in post.told[-1]["files"]]
    assert (desk.ports.config.home / "vassal" / "toy-1.0-light.vmod").stat().st_size > ROOM


def test_the_position_has_room_first_then_what_happened_then_the_module(desk: Desk, post: Kept) -> None:
    desk.render.sizes = {"save": 3000, "log": 2000, "module": 1000}
    desk.start()
    kinds = []
    for number, room in enumerate((20_000, 7_000, 5_000, 1_000)):
        desk.render.module_version = f"1.{number + 1}"
        setting(desk, vassal=room)
        write(desk, ANN, number, f"MOVE {number}")
        kinds.append([one.rpartition(".")[2] for one in names(post.sent[-1])])
    assert kinds == [["vsav", "vlog", "vmod"], ["vsav", "vlog"], ["vsav"], []]


def test_the_setting_nought_makes_none(desk: Desk, post: Kept) -> None:
    setting(desk, vassal=0)
    desk.start()
    assert [kind for kind, _ in desk.render.asked if kind in ("module", "save", "log")] == []
    assert [(names(one), told["files"]) for one, told in zip(post.sent, post.told, strict=True)] == [([], [])] * 2


@pytest.mark.parametrize("call", ["save", "log", "module"])
@pytest.mark.parametrize("fault", [ServiceFailed("no ink"), ServiceRefused({"detail": "no ink"}), ServiceDown("away")])
def test_files_that_cannot_be_made_stop_no_mail_and_come_with_the_next(desk: Desk, post: Kept, call: str, fault: Exception) -> None:
    setting(desk, attempts=2)
    desk.start()
    desk.render.module_version = "1.1"
    desk.render.faults[call] = fault
    desk.drop(orders_mail(reply_to(desk, ANN), ANN, "<1@ann>", "MOVE A"))
    for _ in range(25):
        desk.sweep_quietly()
    assert desk.outbox.games() == []
    assert names(post.sent[-1]) == []
    assert "note no_vassal" in body(desk.mails_to(ANN)[-1])
    desk.render.faults.clear()
    write(desk, ANN, 2, "MOVE B")
    assert [one.rpartition(".")[2] for one in names(post.sent[-1])] == ["vsav", "vlog", "vmod"]
    assert "note no_vassal" not in body(desk.mails_to(ANN)[-1])


def test_what_is_no_file_for_vassal_or_of_another_version_is_not_sent(desk: Desk, post: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk.render, "save", lambda body: b"no archive")
    game = new_game(desk.ports, "toy/one", {"axis": [ANN], "allied": [BRUNO]}, {}, SECRET)
    desk.wake_post(game.id)
    for _ in range(desk.ports.config.attempts * 2):
        desk.sweep_quietly()
    assert [names(one) for one in post.sent] == [[], []]
    assert not (desk.ports.config.home / "vassal").exists()


def test_who_watches_gets_the_files_of_what_both_sides_know(desk: Desk, post: Kept) -> None:
    desk.start()
    with writing(desk.ports.journal.engine) as connection:
        store.watching("G1", "eve@example.com", on=True)(connection)
    write(desk, ANN, 1, "SECRET S", "MOVE A", "DONE")
    write(desk, BRUNO, 2, "SECRET T", "MOVE B", "DONE")
    first, second = (one for one in post.sent if one["to"] == "eve@example.com")
    assert names(first) == ["G1-t01-spectator-0001.vsav", "G1-t01-spectator-0001.vlog", "toy-1.0-light.vmod"]
    assert names(second) == ["G1-t02-spectator-0002.vsav", "G1-t02-spectator-0002.vlog"]
    save, log = said(second, ".vsav"), said(second, ".vlog")
    both = [["axis", "MOVE", "A"], ["axis", "DONE", ""], ["allied", "MOVE", "B"], ["allied", "DONE", ""]]
    assert (save["view"]["side"], save["view"]["did"], log["view"]["did"]) == (None, both, both)
    assert (log["before"]["side"], log["before"]["did"]) == (None, both[:2])
    assert [one["kind"] for one in log["view"]["events"]] == ["moved", "done"]

"""The live board: whose view it is, what one can compose on it, what a code hands in, and that looking at it changes nothing."""

from __future__ import annotations

from datetime import datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from sqlalchemy import Engine, select

from tests.worker.boards import BASE, SIDES, browser, code_mailed, handle_waiting, link_of, table
from tests.worker.whole import AT, Table
from worker.board import codes
from worker.desk.linking import close_links, link_lines
from worker.post.links import BOARD, enter, find, links_of, revoke
from worker.store.database import reading
from worker.store.records import SPECTATOR
from worker.store.tables import metadata


def everything(engine: Engine) -> list[list[Any]]:
    """All rows of all tables."""
    with reading(engine) as connection:
        return [sorted(map(repr, connection.execute(select(one)))) for one in metadata.sorted_tables]


def after(**time: float) -> str:
    return (datetime.fromisoformat(AT) + timedelta(**time)).isoformat()


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Table:
    return table(tmp_path_factory.mktemp("game"))


def test_each_report_links_to_a_board_of_its_own_and_none_without_a_base_or_where_it_is_off(tmp_path: Path, game: Table) -> None:
    found = [link_of(game, side, 0) for side in SIDES]
    assert len(set(found)) == 2
    html = game.mails_to("allied")[0].get_body(("html",))
    assert html is not None
    assert f'href="{BASE}{found[1]}"' in html.get_content().replace("=\n", "")
    for name, more in (("base", {"link_base": ""}), ("off", {"board": False})):
        without = table(tmp_path / name, **more)
        assert links_of(without.journal.engine, without.game) == []
        assert all(b"/board/" not in raw for _, _, raw in without.sender.sent)


def test_the_page_shows_the_readers_own_view_and_its_map(game: Table) -> None:
    client, path = browser(game), link_of(game, "allied", 0)
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer.headers["X-Robots-Tag"].startswith("noindex")
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
    assert "unsafe" not in answer.headers["Content-Security-Policy"]
    page = answer.get_data(as_text=True)
    assert 'aria-label="Bizerta (0216): 10B-16 (16th Bersaglieri), 10B-34 (34th Bersaglieri), 10B-63 (63th Bersaglieri)"' in page
    assert 'data-own="56REC"' in page
    assert 'data-own="10B-16"' not in page  # the other side's
    picture = client.get(f"{path}.png")
    assert picture.content_type == "image/png"
    with Image.open(BytesIO(picture.data)) as image:
        assert f'width="{image.size[0]}" height="{image.size[1]}"' in page


def test_the_hexes_of_the_page_lie_where_the_map_has_them(game: Table) -> None:
    client, path = browser(game), link_of(game, "allied", 0)
    page = client.get(path).get_data(as_text=True)
    with Image.open(BytesIO(client.get(f"{path}.png").data)) as image:
        drawn = image.convert("RGB")
        # Axis counters are gray, and stand in the middle of their hexes; hex 0216 has three of them.
        corners = page.partition('data-hex="0216"')[2].partition('points="')[2].partition('"')[0]
        points = [tuple(map(float, one.split(","))) for one in corners.split()]
        middle = tuple(round(sum(axis) / 6) for axis in zip(*points, strict=True))
        assert 0 <= middle[0] < drawn.size[0]
        around = {drawn.getpixel((middle[0] + dx, middle[1] + dy)) for dx in range(-4, 5) for dy in range(-4, 5)}
    assert len(points) == 6
    assert len(around) > 1  # ink: an empty hex is of one colour


def test_a_units_legal_orders_are_those_of_the_rules_and_go_to_hexes(game: Table) -> None:
    client, path = browser(game), link_of(game, "allied", 0)
    found = client.get(f"{path}.json?unit=56REC").get_json()
    lines = [one["line"] for one in found["orders"]]
    assert "ENTER 56REC AT 1225" in lines
    assert {"line": "ENTER 56REC AT 1225", "hex": "1225"} in found["orders"]
    assert all("56REC" in line for line in lines)
    assert "DONE" in [one["line"] for one in client.get(f"{path}.json?unit=").get_json()["orders"]]
    assert client.get(f"{path}.json?unit=10B-16").get_json() == {"more": False, "orders": []}  # not his
    axis = link_of(game, "axis", 0)
    assert client.get(f"{axis}.json?unit=10B-16").get_json() == {"more": False, "orders": []}  # not awaited
    assert client.get(f"{path}.json?unit=%3Cscript%3E").status_code == 404


def test_looking_changes_nothing_whatever_is_asked(game: Table) -> None:
    client, path = browser(game), link_of(game, "allied", 0)
    before = everything(game.journal.engine)
    for end in ("", ".png", ".json?unit=56REC", "?do=code", "?do=send&orders=DONE&code=x"):
        for method in ("GET", "HEAD"):
            assert client.open(path + end, method=method).status_code == 200
    for method in ("PUT", "PATCH", "DELETE"):
        assert client.open(path, method=method).status_code == 405
    assert client.post("/files/" + path[-40:]).status_code == 405
    assert client.get("/files/" + path[-40:]).status_code == 404
    assert everything(game.journal.engine) == before


def test_a_board_ends_with_its_time_and_when_it_is_revoked(tmp_path: Path) -> None:
    found = table(tmp_path)
    path = link_of(found, "allied")
    assert browser(found, after(days=30, seconds=-1)).get(path).status_code == 200
    for end in ("", ".png", ".json"):
        assert browser(found, after(days=30)).get(path + end).status_code == 410
    assert browser(found).get(path[:-1] + ("0" if path[-1] != "0" else "1")).status_code == 404
    assert revoke(found.journal.engine, found.game, SIDES["allied"]) == 1
    for answer in (browser(found).get(path), browser(found).get(f"{path}.png"), browser(found).post(path, data={"do": "code"})):
        assert answer.status_code == 410
    assert browser(found).get(link_of(found, "axis")).status_code == 200


def test_the_operator_sees_the_boards_among_the_links_and_closes_them(tmp_path: Path) -> None:
    found = table(tmp_path)
    settings = tmp_path / "hexpost.toml"
    settings.write_text(f'database = "sqlite:///{tmp_path / "journal.db"}"\nlink_base = "{BASE}"\n', encoding="utf-8")
    lines = [line.split("\t") for line in link_lines(found.game, settings)]
    assert {(address, name, url) for address, name, _, url in lines} == {
        (address, "board", BASE + link_of(found, side)) for side, address in SIDES.items()
    }
    assert list(close_links(found.game, SIDES["axis"], settings)) == [f"1 link of {found.game} closed."]
    assert browser(found).get(link_of(found, "axis")).status_code == 410


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
    wrong = client.post(path, data={"do": "send", "orders": "DONE", "code": "wrong"})
    assert wrong.status_code == 422
    assert found.journal.next_message(found.game) is None
    right = client.post(path, data={"do": "send", "orders": "DELAY 56REC\r\nDONE", "code": f" {code.upper()} "})
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
    again = client.post(path, data={"do": "send", "orders": "DONE", "code": code})
    assert again.status_code == 422
    assert found.journal.next_message(found.game) is None


def test_five_wrong_codes_an_hour_and_a_newer_one_make_a_code_worthless(tmp_path: Path) -> None:
    found = table(tmp_path)
    path = link_of(found, "allied")
    send = {"do": "send", "orders": "DONE"}

    def fresh(minutes: int) -> str:
        assert browser(found, after(minutes=minutes)).post(path, data={"do": "code"}).status_code == 200
        handle_waiting(found)
        return code_mailed(found, "allied")

    first = fresh(0)
    second = fresh(10)
    assert browser(found, after(minutes=11)).post(path, data=send | {"code": first}).status_code == 422
    for _ in range(4):
        browser(found, after(minutes=11)).post(path, data=send | {"code": "guess"})
    assert browser(found, after(minutes=12)).post(path, data=send | {"code": second}).status_code == 422  # five were wrong
    third = fresh(20)
    assert browser(found, after(minutes=81)).post(path, data=send | {"code": third}).status_code == 422  # too old
    assert browser(found, after(minutes=79)).post(path, data=send | {"code": third}).status_code == 200


def test_codes_are_mailed_to_the_player_alone_and_not_without_end(tmp_path: Path) -> None:
    found = table(tmp_path)
    path = link_of(found, "allied")
    for _ in range(3):  # at once: one
        browser(found).post(path, data={"do": "code"})
    handle_waiting(found)
    assert [recipients for _, recipients, _ in found.sender.sent[2:]] == [(SIDES["allied"],)]
    link = find(found.journal.engine, path.rpartition("/")[2])
    assert link is not None
    assert [codes.ask(found.journal, link, after(minutes=10 * k)) for k in range(20)] == [False, *[True] * 19]
    handle_waiting(found)
    assert len(found.sender.sent) - 2 == codes.MOST_A_DAY


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


def test_a_board_tells_nothing_of_what_the_other_side_keeps_to_itself(tmp_path: Path) -> None:
    shown = []
    for name, held in (("left", "HOLD\nMOVE 10B-16 TO 0317"), ("right", "HOLD\nMOVE 10B-34 TO 0317\nDONE")):
        found = table(tmp_path / name, "race-for-tunis/standard")
        found.play(1, "axis", held)
        client, path = browser(found), link_of(found, "allied", 0)
        shown.append([client.get(path + end).data for end in ("", ".png", ".json?unit=56REC", ".json?unit=10B-16")])
    assert shown[0] == shown[1]


def test_a_spectator_sees_what_both_sides_know_and_orders_nothing(tmp_path: Path) -> None:
    found = table(tmp_path, "holdfast/campaign-1")
    token = "0a" * 20
    row = {"token": token, "game": found.game, "side": SPECTATOR, "address": "watcher@player.example", "sha": "", "name": BOARD}
    enter(found.ports, [row | {"mime": "text/html", "expires": after(days=1), "revoked": False}])
    client = browser(found)
    page = client.get(f"/board/{token}").get_data(as_text=True)
    state, _ = found.journal.state(found.game, 0)
    seen = found.ports.rules.view(state, None)["counters"]
    known = {one["id"] for one in seen if one["id"]}
    own = {one["id"] for side in SIDES for one in found.ports.rules.view(state, side)["counters"] if one["id"]}
    hidden = own - known
    assert hidden  # blocks that only their owner knows
    assert not {unit for unit in hidden if f"{unit} (" in page or f"{unit}:" in page}
    assert "gray block G1" in page
    assert "2SA (2nd Infantry SA): SP 1" in page  # seen by both
    assert "<form" not in page
    assert client.get(f"/board/{token}.json?unit=").get_json() == {"more": False, "orders": []}
    assert client.post(f"/board/{token}", data={"do": "code"}).status_code == 403

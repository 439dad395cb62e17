"""The live board: whose view it is, what one can compose on it, and that looking at it changes nothing."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from sqlalchemy import Engine, insert, select

from tests.worker.boards import BASE, SIDES, browser, link_of, table
from tests.worker.whole import AT, Table
from worker.board import page
from worker.board.seen import target
from worker.desk.linking import close_links, link_lines
from worker.post.context import side_tokens
from worker.post.links import BOARD, enter, links_of, revoke
from worker.store.clocktables import deadlines
from worker.store.database import reading, writing
from worker.store.records import SPECTATOR
from worker.store.tables import metadata


def everything(engine: Engine) -> list[list[Any]]:
    """All rows of all tables."""
    with reading(engine) as connection:
        return [sorted(map(repr, connection.execute(select(one)))) for one in metadata.sorted_tables]


NOTHING = {"orders": [], "more": False, "line": 0, "why": ""}


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
    shown = answer.get_data(as_text=True)
    assert 'aria-label="Bizerta (0216): 10B-16 (16th Bersaglieri), 10B-34 (34th Bersaglieri), 10B-63 (63th Bersaglieri)"' in shown
    assert 'data-own="56REC"' in shown
    assert 'data-own="10B-16"' not in shown  # the other side's
    picture = client.get(f"{path}.png")
    assert picture.content_type == "image/png"
    with Image.open(BytesIO(picture.data)) as image:
        assert f'width="{image.size[0]}" height="{image.size[1]}"' in shown


def test_the_hexes_of_the_page_lie_where_the_map_has_them(game: Table) -> None:
    client, path = browser(game), link_of(game, "allied", 0)
    shown = client.get(path).get_data(as_text=True)
    with Image.open(BytesIO(client.get(f"{path}.png").data)) as image:
        drawn = image.convert("RGB")
        # Axis counters are gray, and stand in the middle of their hexes; hex 0216 has three of them.
        corners = shown.partition('data-hex="0216"')[2].partition('points="')[2].partition('"')[0]
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
    assert client.get(f"{path}.json?unit=10B-16").get_json() == NOTHING  # not his
    axis = link_of(game, "axis", 0)
    assert client.get(f"{axis}.json?unit=10B-16").get_json() == NOTHING  # not awaited
    assert client.get(f"{path}.json?unit=%3Cscript%3E").status_code == 404


@pytest.mark.parametrize(
    ("args", "at"),
    [
        ({"units": ["6CDO"], "to": "0822", "path": []}, "0822"),
        ({"units": ["6CDO"], "to": None, "path": ["0822", "0823"]}, "0823"),
        ({"hexes": ["0814", "0815"], "units": ["6CDO"]}, "0814"),
        ({"guns": ["COL-ART"], "target": "1622"}, "1622"),
        ({"units": ["2RT-2"], "target": "104"}, "0709"),  # a unit, by the hex in which it is seen
        ({"units": ["2RT-2"], "target": "G7"}, ""),  # a block of which no hex is known
        ({"battle": "1215", "guns": ["78FA"]}, "1215"),
        ({"unit": "BRN-III", "port": "0711"}, "0711"),
        ({"units": ["1-1A-I"]}, ""),
    ],
)
def test_an_order_is_about_the_hex_where_it_goes_or_is_aimed_at(args: dict[str, Any], at: str) -> None:
    assert target({"verb": "ANY", "args": args}, {"104": "0709", "BRN-III": "edge:off"}) == at


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


def test_legal_orders_are_those_after_the_lines_of_the_draft_and_trying_changes_nothing(game: Table) -> None:
    client, path = browser(game), link_of(game, "allied", 0)
    before = everything(game.journal.engine)

    def asked(unit: str, *lines: str) -> Any:
        return client.post(f"{path}.json", data={"unit": unit, "orders": "\r\n".join(lines)}).get_json()

    assert asked("6CDO") == client.get(f"{path}.json?unit=6CDO").get_json()
    ways = {one["hex"] for one in asked("6CDO")["orders"]}
    further = asked("6CDO", "MOVE 6CDO TO 0822")
    assert (further["line"], further["why"]) == (0, "")
    assert {one["hex"] for one in further["orders"]} != ways
    entered = asked("56REC", "ENTER 56REC AT 1225")
    assert "ENTER 56REC AT 1225" not in [one["line"] for one in entered["orders"]]
    assert "MOVE 56REC TO 1224" in [one["line"] for one in entered["orders"]]  # it has come in, and goes on
    for lines, line, why in (
        (("MOVE 6CDO TO 0822", "MOVE 6CDO TO 0216"), 2, "fault"),  # Axis units stand there
        (("MOVE 6CDO TO 0822", "MOVE 6CDO TO 9999"), 2, "fault"),  # no hex
        (("MOVE 6CDO TO 0822", "DONE TURN AUTO"), 2, "chance"),
    ):
        assert asked("6CDO", *lines) == further | {"line": line, "why": why}
    assert asked("10B-16", "DONE")["orders"] == []  # not his
    shown = client.post(path, data={"do": "check", "orders": "MOVE 6CDO TO 0822\nMOVE 6CDO TO 0216"}).get_data(as_text=True)
    assert '<p role="status"' not in shown
    assert "Not all of these lines can be carried out" in shown
    assert "Enemy units stand in Bizerta (0216)." in shown
    shown = client.post(path, data={"do": "check", "orders": "MOVE 6CDO TO 0822"}).get_data(as_text=True)
    assert "These lines can be carried out" in shown
    assert "<li>6CDO moves from hex 0922 to hex 0822: 1 MP.</li>" in shown
    assert ">MOVE 6CDO TO 0822</textarea>" in shown
    tokens = [word for one in found_tokens(game) for word in one]
    assert tokens
    assert not [word for word in tokens if word in shown]  # nothing by which orders could be sent
    assert everything(game.journal.engine) == before


def found_tokens(game: Table) -> list[list[str]]:
    """The reply tokens of both sides."""
    now = game.journal.game(game.game)
    assert now is not None
    return [[token] for token in side_tokens(now).values()]


def test_trying_is_bounded_and_not_for_him_who_is_not_awaited(game: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "TRIES_MINUTE", 4)
    path, engine = link_of(game, "allied", 0), game.journal.engine
    before = everything(engine)
    client = browser(game)
    assert client.post(f"{path}.json", data={"unit": "6CDO", "orders": "DONE\n" * 501}).status_code == 404
    assert client.post(path, data={"do": "check", "orders": "DONE\n" * 501}).status_code == 422
    assert client.post(f"{path}.json", data={"unit": "<script>", "orders": "DONE"}).status_code == 404
    axis = link_of(game, "axis", 0)
    assert client.post(f"{axis}.json", data={"unit": "10B-16", "orders": "DONE"}).get_json()["orders"] == []
    tried = [client.post(f"{path}.json", data={"unit": "", "orders": "PASS"}).status_code for _ in range(5)]
    assert tried == [200] * 4 + [429]
    assert client.post(f"{path}.json", data={"unit": "", "orders": ""}).status_code == 200  # what is kept already is not counted
    often = client.post(path, data={"do": "check", "orders": "DONE"})
    assert (often.status_code, "Wait a minute" in often.get_data(as_text=True)) == (429, True)
    assert everything(engine) == before


def test_the_page_says_who_is_awaited_how_the_game_ended_and_leads_to_no_mail_that_would_be_refused(tmp_path: Path) -> None:
    found = table(tmp_path)
    client, path = browser(found), link_of(found, "allied")
    shown = client.get(path).get_data(as_text=True)
    assert "<b>Awaited:</b> Allied (Allied player-turn · movement)<br><b>Until:</b> no deadline is set" in shown
    assert "mailto:" not in shown
    with writing(found.journal.engine) as connection:
        connection.execute(insert(deadlines).values(game=found.game, side="allied", due="2026-01-04T18:00:00+00:00", extended=False))
    for side in SIDES:  # until when who is awaited is told to both
        assert "<b>Until:</b> Sun 4 Jan 2026" in browser(found).get(link_of(found, side, 0)).get_data(as_text=True)
    found.play(1, "allied", "CONCEDE CONFIRM")
    for side in SIDES:
        shown = browser(found).get(link_of(found, side, 0)).get_data(as_text=True)
        assert "The game is over: the Axis win" in shown
        assert "gives no orders here" not in shown
        assert "<form" not in shown


def test_each_counter_of_a_stack_that_is_fanned_out_has_its_box(game: Table) -> None:
    client, path = browser(game), link_of(game, "allied", 0)
    shown = client.get(path).get_data(as_text=True)
    boxes = re.findall(
        r'<a href="#at-(\d{4})" data-hex="\d{4}"(?: data-unit="([^"]*)")? class="tray" tabindex="-1" aria-label="([^"]*)">', shown
    )
    assert [(unit, text) for place, unit, text in boxes if place == "0923"] == [
        ("15S-I", "15S-I (I 15th Senegalese)"),
        ("15S-II", "15S-II (II 15th Senegalese)"),
    ]
    assert next((unit, text) for place, unit, text in boxes if place == "0216") == ("", "10B-16 (16th Bersaglieri)")  # not his
    assert {"1022", "1219", "1317"} <= {place for place, _, _ in boxes}


def test_a_board_tells_nothing_of_what_the_other_side_keeps_to_itself(tmp_path: Path) -> None:
    shown = []
    for name, held in (("left", "HOLD\nMOVE 10B-16 TO 0317"), ("right", "HOLD\nMOVE 10B-34 TO 0317\nDONE")):
        found = table(tmp_path / name, "race-for-tunis/standard")
        found.play(1, "axis", held)
        client, path = browser(found), link_of(found, "allied", 0)
        shown.append([client.get(path + end).data for end in ("", ".png", ".json?unit=56REC", ".json?unit=10B-16")])
        draft = {"orders": "ENTER 56REC AT 1225\nMOVE 6CDO TO 0822"}
        shown[-1] += [client.post(f"{path}.json", data=draft | {"unit": unit}).data for unit in ("56REC", "", "10B-16")]
        checked = client.post(path, data=draft | {"do": "check"})
        shown[-1].append(checked.data.replace(path.encode(), b""))
    assert shown[0] == shown[1]


def test_a_spectator_sees_what_both_sides_know_and_orders_nothing(tmp_path: Path) -> None:
    found = table(tmp_path, "holdfast/campaign-1")
    token = "0a" * 20
    row = {"token": token, "game": found.game, "side": SPECTATOR, "address": "watcher@player.example", "sha": "", "name": BOARD}
    enter(found.ports, [row | {"mime": "text/html", "expires": after(days=1), "revoked": False}])
    client = browser(found)
    shown = client.get(f"/board/{token}").get_data(as_text=True)
    state, _ = found.journal.state(found.game, 0)
    seen = found.ports.rules.view(state, None)["counters"]
    known = {one["id"] for one in seen if one["id"]}
    own = {one["id"] for side in SIDES for one in found.ports.rules.view(state, side)["counters"] if one["id"]}
    hidden = own - known
    assert hidden  # blocks that only their owner knows
    assert not {unit for unit in hidden if f"{unit} (" in shown or f"{unit}:" in shown}
    assert "gray block G1" in shown
    assert "2SA (2nd Infantry SA): SP 1" in shown  # seen by both
    assert "<form" not in shown
    assert client.get(f"/board/{token}.json?unit=").get_json() == NOTHING
    assert client.post(f"/board/{token}", data={"do": "code"}).status_code == 403

"""Links to files without room in a mail: whose they are, what they show, that they end, and that looking at them changes nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient
from redis import Redis
from sqlalchemy import Engine, select

from tests.worker.conftest import SECRET, Desk, make_desk, reply_to
from tests.worker.fakes import ANN, BRUNO, orders_mail, said_by
from worker.cli import main
from worker.post.deliver import deliver_next
from worker.post.links import links_of, revoke
from worker.store.database import reading
from worker.store.tables import metadata
from worker.web import web_app

BASE = "https://club.example/hexpost"
NOW = "2026-03-27T20:14:09+00:00"


def told_desk(folder: Path, redis: Redis, **settings: Any) -> tuple[Desk, list[dict[str, Any]]]:
    """A desk whose pictures have no room, and all that its reports were made from."""
    desk = make_desk(folder, redis, **{"link_base": BASE, "pictures": 1, "board": False} | settings)
    bodies: list[dict[str, Any]] = []
    report = desk.ports.mail.report

    def told(body: dict[str, Any]) -> Any:
        bodies.append(body)
        return report(body)

    desk.ports.mail.report = told  # type: ignore[method-assign]
    return desk, bodies


def browser(desk: Desk, now: str = NOW) -> FlaskClient:
    return web_app(desk.ports.journal.engine, desk.ports.artifacts, lambda: now).test_client()


def path_of(link: dict[str, Any]) -> str:
    assert link["url"].startswith(BASE + "/files/")
    return str(link["url"].removeprefix(BASE))


def everything(engine: Engine) -> list[list[Any]]:
    """All rows of all tables."""
    with reading(engine) as connection:
        return [sorted(map(repr, connection.execute(select(table)))) for table in metadata.sorted_tables]


def test_a_picture_without_room_is_linked_to_for_its_addressee_alone(tmp_path: Path, redis: Redis) -> None:
    desk, bodies = told_desk(tmp_path, redis)
    desk.start()
    first, second = ([one for one in body["links"] if one["kind"] == "map"] for body in bodies)
    assert [(one["kind"], one["name"]) for one in first + second] == [("map", "G1-t01-axis-map.png"), ("map", "G1-t01-allied-map.png")]
    assert {body["links_until"] for body in bodies} == {"2026-04-26T20:14:09+00:00"}  # 30 days on
    assert first[0]["url"] != second[0]["url"]
    answer = browser(desk).get(path_of(first[0]))
    assert (answer.status_code, answer.content_type, len(answer.data)) == (200, "image/png", first[0]["size"])
    assert said_by(answer.data)
    assert answer.headers["Content-Disposition"] == 'inline; filename="G1-t01-axis-map.png"'
    whose = {(one.address, one.side, one.name) for one in links_of(desk.ports.journal.engine, "G1") if one.name.endswith("-map.png")}
    assert whose == {(ANN, "axis", "G1-t01-axis-map.png"), (BRUNO, "allied", "G1-t01-allied-map.png")}


def test_what_has_room_is_not_linked_to_and_nothing_is_without_an_address_for_it(tmp_path: Path, redis: Redis) -> None:
    for settings in ({"pictures": 900_000}, {"link_base": ""}):
        desk, bodies = told_desk(tmp_path / next(iter(settings)), redis, **settings)
        desk.start()
        assert len(bodies) == 2
        assert all("links" not in body for body in bodies)
        assert links_of(desk.ports.journal.engine, "G1") == []


def test_the_same_mail_made_again_has_the_same_links(tmp_path: Path, redis: Redis) -> None:
    desk, bodies = told_desk(tmp_path, redis)
    fails = iter([OSError("killed before it was sent")])

    class Killed:
        def send(self, *mail: Any) -> None:
            for error in fails:
                raise error
            desk.sender.send(*mail)

    desk.ports = replace(desk.ports, sender=Killed())
    with pytest.raises(OSError, match="killed"):
        desk.start()
    kept = desk.ports.journal.engine
    with reading(kept) as connection:
        tokens = sorted(connection.execute(select(metadata.tables["links"].c.token)).scalars())
    with kept.begin() as connection:
        connection.execute(metadata.tables["outbox"].update().values(status="waiting", raw=None))
    assert deliver_next(desk.ports, desk.outbox, "G1")
    assert sorted(one.token for one in links_of(kept, "G1")) == tokens
    assert bodies[0]["links"] == bodies[1]["links"]


def test_what_the_other_side_does_in_secret_changes_no_link(tmp_path: Path, redis: Redis) -> None:
    found = []
    for secret in ("SECRET left", "SECRET right"):
        desk, bodies = told_desk(tmp_path / secret, redis)
        desk.start()
        desk.drop(orders_mail(reply_to(desk, ANN), ANN, "<1@example.org>", f"{secret}\nMOVE X\nDONE"))
        desk.run()
        found.append([one for body in bodies if body["side"] == "allied" for one in body["links"]])
    assert len(found[0]) >= 4
    assert found[0] == found[1]


@pytest.mark.bug("M35")
def test_no_robot_that_opens_a_link_changes_anything(tmp_path: Path, redis: Redis) -> None:
    desk, bodies = told_desk(tmp_path, redis)
    desk.start()
    path, visitor = path_of(bodies[0]["links"][0]), browser(desk)
    before = everything(desk.ports.journal.engine)
    assert any(before)
    head = visitor.head(path)
    assert (head.status_code, head.data) == (200, b"")
    assert [visitor.get(path).status_code for _ in range(2)] == [200, 200]
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        assert visitor.open(path, method=method, data={"confirm": "yes"}).status_code == 405
    assert everything(desk.ports.journal.engine) == before
    assert head.headers["Referrer-Policy"] == "no-referrer"
    assert head.headers["X-Robots-Tag"].startswith("noindex")
    assert head.headers["Cache-Control"] == "private, no-store"
    assert "Set-Cookie" not in head.headers
    assert b"Disallow: /" in visitor.get("/robots.txt").data


def test_a_link_ends_with_its_time(tmp_path: Path, redis: Redis) -> None:
    desk, bodies = told_desk(tmp_path, redis, link_days=2)
    desk.start()
    path = path_of(bodies[0]["links"][0])
    assert browser(desk, "2026-03-29T20:14:08+00:00").get(path).status_code == 200
    closed = browser(desk, "2026-03-29T20:14:09+00:00").get(path)
    assert closed.status_code == 410
    assert b"This link is closed" in closed.data


def test_a_link_can_be_revoked_alone_or_with_all_of_an_addressee(tmp_path: Path, redis: Redis) -> None:
    desk, bodies = told_desk(tmp_path, redis)
    desk.start()
    engine, visitor = desk.ports.journal.engine, browser(desk)
    anns, brunos = ([path_of(one) for one in body["links"]] for body in bodies)
    assert len(anns) == len(brunos) == 2  # the map, and the front
    assert revoke(engine, "G1", token=anns[0].rpartition("/")[2]) == 1
    assert [visitor.get(path).status_code for path in anns + brunos] == [410, 200, 200, 200]
    assert revoke(engine, "G1", address=ANN) == 1
    assert revoke(engine, "G2") == 0
    assert [visitor.get(path).status_code for path in anns + brunos] == [410, 410, 200, 200]


@pytest.mark.parametrize("token", ["", "x", "0" * 40, "0" * 39, "../" * 5, "%2e%2e%2fhexpost.db", "0" * 5000])
def test_a_token_that_is_none_of_ours_shows_nothing(tmp_path: Path, redis: Redis, token: str) -> None:
    desk, _ = told_desk(tmp_path, redis)
    answer = browser(desk).get(f"/files/{token}")
    assert answer.status_code == 404
    assert b"no such file" in answer.data
    assert answer.headers["Referrer-Policy"] == "no-referrer"


def test_a_file_that_was_cleared_away_is_no_fault_of_ours(tmp_path: Path, redis: Redis) -> None:
    desk, bodies = told_desk(tmp_path, redis)
    desk.start()
    (link, *_) = [one for one in links_of(desk.ports.journal.engine, "G1") if one.address == ANN and one.name.endswith("-map.png")]
    (tmp_path / "artifacts" / link.sha[:2] / link.sha[2:]).unlink()
    assert browser(desk).get(path_of(next(one for one in bodies[0]["links"] if one["kind"] == "map"))).status_code == 410


def test_files_for_vassal_without_room_are_linked_to_and_saved_not_shown(tmp_path: Path, redis: Redis) -> None:
    desk, bodies = told_desk(tmp_path, redis, vassal=1, pictures=900_000)
    desk.start()
    assert [one["kind"] for one in bodies[0]["links"]] == ["save", "module"]
    assert bodies[0]["files"] == []
    answer = browser(desk).get(path_of(bodies[0]["links"][1]))
    assert (answer.status_code, answer.content_type) == (200, "application/octet-stream")
    assert answer.headers["Content-Disposition"].startswith("attachment; filename=")


def test_the_operator_sees_the_links_and_closes_them(tmp_path: Path, redis: Redis) -> None:
    desk, _ = told_desk(tmp_path, redis)
    desk.start()
    settings = tmp_path / "hexpost.toml"
    settings.write_text(f'home = "."\ndatabase = "sqlite:///{tmp_path / "journal.db"}"\nlink_base = "{BASE}"\n')

    def call(*words: str) -> tuple[int, str]:
        done = CliRunner().invoke(main, ["links", *words, "--config", str(settings)])
        return done.exit_code, done.output

    code, listed = call("g1")
    assert code == 0
    assert len(listed.splitlines()) == 4
    assert f"\t{BASE}/files/" in listed
    assert call("G1", "--revoke", BRUNO) == (0, "2 links of G1 closed.\n")
    assert call("G1")[1].count("\trevoked\t") == 2
    assert call("G1", "--revoke", BRUNO)[0] != 0
    assert "no open link of" in call("G1", "--revoke", BRUNO)[1]
    assert call("G1", "--revoke", "all") == (0, "2 links of G1 closed.\n")
    assert "no game 'G9'" in call("G9")[1]
    assert SECRET not in listed

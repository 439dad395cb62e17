"""The site of a campaign: every game-turn has its page, every link leads somewhere, and what it gives away for download is whole."""

from __future__ import annotations

import hashlib
import io
import json
import re
import shutil
import zipfile
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import lxml.html
import pytest
from PIL import Image

from tests.worker.site.sites import SCENARIO, Site, site_of
from tests.worker.test_cli import hexpost, refused
from worker.canonical import decode
from worker.desk.selfplay import play_into
from worker.desk.verify import verify
from worker.local import local_mail, local_rules
from worker.site import reading
from worker.site.feed import feed

ATOM = "{http://www.w3.org/2005/Atom}"

pytestmark = pytest.mark.timeout(180)


def pages(site: Site) -> list[Path]:
    return sorted(site.folder.glob("*.html"))


def test_each_game_turn_has_a_page_and_the_pages_lead_from_one_to_the_next(over: Site) -> None:
    numbers = [one.number for one in over.campaign.turns]
    assert numbers == [1, 2, 3, 4]  # the fourth has just begun
    names = {f"t{number:02d}.html" for number in numbers}
    assert {one.name for one in pages(over)} == names | {"index.html", "dice.html", "search.html", "book.html"}
    way, name = [], f"t{numbers[0]:02d}.html"
    while name:
        way.append(name)
        following = lxml.html.fromstring(over.page(name)).xpath("//a[@rel='next']/@href")
        name = str(following[0]) if following else ""
    assert way == sorted(names)


@pytest.mark.parametrize("which", ["over", "running"])
def test_every_link_picture_and_file_is_there_and_none_is_left_over(over: Site, running: tuple[Site, Site], which: str) -> None:
    site = over if which == "over" else running[0]
    asked = set()
    for path in pages(site):
        page = lxml.html.parse(str(path))
        for attribute in ("href", "src", "srcset"):
            for target in page.xpath(f"//@{attribute}"):
                assert not re.match(r"[a-z]+:|/", str(target)), target
                file, _, anchor = str(target).partition("#")
                asked.add(file or path.name)
                if anchor:
                    other = lxml.html.parse(str(site.folder / (file or path.name)))
                    assert other.xpath(f"//*[@id='{anchor}']"), target
        for one in page.iter("img"):
            with Image.open(site.folder / str(one.get("src"))) as picture:
                assert picture.size == (int(str(one.get("width"))), int(str(one.get("height"))))
            assert len(str(one.get("alt"))) > 20
    there = {name for name in site.files() if not name.startswith(".")}
    assert asked == there


def test_no_page_needs_a_script_or_anything_from_elsewhere_and_all_are_strict(over: Site) -> None:
    for path in pages(over):
        text = path.read_text(encoding="utf-8")
        page = lxml.html.fromstring(text)
        policy = str(page.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")[0])
        assert policy.startswith("default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'")
        assert not page.xpath("//script[not(@src)] | //style | //@style | //iframe | //form")
        assert not [name for one in page.iter() for name in one.attrib if str(name).startswith("on")]
        assert len(page.xpath("//h1")) == 1
        assert page.get("lang") == "en"
    index = lxml.html.fromstring(over.page("search.html")).xpath("//ul[@id='list']/li")
    assert len(index) == len(over.book.entries)


def test_a_page_tells_what_the_mails_told(over: Site) -> None:
    turn = over.book.leaves[1].told
    text = " ".join(lxml.html.fromstring(over.page(turn.page)).xpath("string()").split())
    report = local_mail().report(
        {"game": "race-for-tunis", "kind": "turn", "view": turn.view, "events": turn.view["events"]}
        | {"vocabulary": local_rules().scenario(SCENARIO)}
    )
    assert report["summary"]
    for sentence in report["summary"]:
        assert " ".join(sentence.split()) in text
    battles = [item for one in turn.words["sections"] for item in one["items"] if item["kind"] == "battle"]
    assert battles
    for item in battles:
        assert " ".join(item["title"].split()) in text
        assert f"{item['title']} {item['clause']}".strip() in report["html"].replace("&#39;", "'") or item["clause"] in text


@pytest.mark.timeout(180)
def test_the_game_that_is_downloaded_is_verified(tmp_path: Path) -> None:
    play_into(tmp_path / "game", SCENARIO, "07", (), None, maps=False)
    campaign = reading.of_folder(tmp_path / "game")
    assert campaign.over["why"] == "18.3.C-2"
    with zipfile.ZipFile(io.BytesIO(campaign.files["race-for-tunis-eilbote.zip"])) as packed:
        packed.extractall(tmp_path)
    found = verify(tmp_path / "race-for-tunis-eilbote", local_rules(), local_mail())
    assert found.faults == []
    assert found.again == found.packets == len(list((tmp_path / "game" / "packets").glob("*.json")))


def test_the_dice_are_computed_again_by_what_the_page_says(over: Site, running: tuple[Site, Site]) -> None:
    for site in (over, running[0]):
        file = json.loads((site.folder / f"files/{site.campaign.key}-dice.json").read_text(encoding="utf-8"))
        rows = lxml.html.fromstring(site.page("dice.html")).xpath("//table[@class='throws']/tbody/tr")
        assert len(rows) == len(file["throws"]) > 3
        for row, one in zip(rows, file["throws"], strict=True):
            cells = [" ".join(cell.xpath("string()").split()) for cell in row]
            assert cells[:3] == [f"#{one['number']}", ", ".join(map(str, one["dice"])), str(one["sides"])]
            assert cells[5] == one["seed"]
            for die, fell in enumerate(one["dice"]):
                text = json.dumps([one["seed"], *one["key"], die, 0], separators=(",", ":"), ensure_ascii=False)
                assert int(hashlib.sha256(text.encode()).hexdigest(), 16) % one["sides"] + 1 == fell
    assert hashlib.sha256(bytes.fromhex(over.campaign.secret)).hexdigest() in over.page("dice.html")
    assert "secret" not in file


def test_orders_and_events_are_those_of_the_turn(over: Site) -> None:
    for one in over.book.leaves:
        events = decode((over.folder / f"files/{one.told.stem}-events.json").read_bytes())
        assert [event["kind"] for event in events] == [event["kind"] for event in one.told.turn.events]
    orders = [path.read_text(encoding="utf-8") for path in sorted((over.folder / "files").glob("*-orders.txt"))]
    written = [line for text in orders for line in text.splitlines() if line and not line.startswith("#")]
    sent = [path.read_text(encoding="utf-8").splitlines() for path in sorted((over.source / "packets").glob("*.txt"))]
    assert written == [line for lines in sent for line in lines if not line.startswith("#")]


def test_the_feed_has_an_entry_for_each_game_turn_that_is_over(over: Site, running: tuple[Site, Site]) -> None:
    for site in (over, running[0]):
        root = ElementTree.fromstring((site.folder / "feed.xml").read_bytes())
        done = [one.page for one in (leaf.told for leaf in site.book.leaves) if one.turn.done]
        links = [str(one.find(f"{ATOM}link").get("href")) for one in root.iter(f"{ATOM}entry")]
        assert links == [f"https://archive.example/x/{name}" for name in reversed(done)]
        ids = [one.text for one in root.iter(f"{ATOM}id")]
        assert len(set(ids)) == len(ids) == len(done) + 1
        times = [str(one.text) for one in root.iter(f"{ATOM}updated")]
        assert times[0] == max(times)
    assert not running[0].book.last.told.turn.done  # and it has none


def test_the_index_is_a_script_that_names_every_part(over: Site) -> None:
    text = (over.folder / "search-index.js").read_text(encoding="utf-8")
    assert "</" not in text
    rows = json.loads(text.removeprefix("window.hexpostIndex=").rstrip(";\n"))
    assert [row[0] for row in rows] == [one.url for one in over.book.entries]
    assert any("Tebourba" in row[3] or "Medjez" in row[3] or "hex" in row[3] for row in rows)


def test_the_dice_of_a_battle_are_found_by_their_result_and_clause(over: Site) -> None:
    thrown = [
        one
        for leaf in over.book.leaves
        for part in leaf.told.words["sections"]
        for item in part["items"]
        for one in item.get("throws") or []
    ]
    told = [one for one in thrown if isinstance(one, dict)]
    assert told
    for one in told:
        assert any(one["told"] in found.text and one["clause"] in found.text for found in over.book.entries)


def test_two_games_of_one_secret_have_no_id_in_common(over: Site) -> None:
    other = replace(over.campaign, scenario="race-for-tunis/standard", game="race-for-tunis/standard")
    files = [feed(one, "x", [leaf.told for leaf in over.book.leaves], "") for one in (over.campaign, other)]
    ids = [{found.text for found in ElementTree.fromstring(file).iter(f"{ATOM}id")} for file in files]
    assert len(ids[0]) == len(ids[1]) > 3
    assert not ids[0] & ids[1]


def test_made_again_nothing_is_drawn_and_every_byte_is_the_same(over: Site, tmp_path: Path) -> None:
    shutil.copytree(over.folder, tmp_path / "site")
    for name in ("pictures/t99-map.webp", "t99.html", "b1-t03.html"):
        (tmp_path / "site" / name).write_bytes(b"of an earlier time")
    again = site_of(reading.of_folder(over.source), tmp_path / "site")
    assert over.made == 7 * 3 + 4  # two maps, front, before and after, motion, save and log of three game-turns; of the fourth no pictures
    assert again.made == 0
    assert again.files() == over.files()


def test_it_goes_into_no_folder_that_is_not_its_own(tmp_path: Path, over: Site) -> None:
    (tmp_path / "letters").write_text("mine")
    assert "was not made by hexpost archive" in refused(hexpost("archive", over.source, "--out", tmp_path))
    assert [one.name for one in tmp_path.iterdir()] == ["letters"]
    assert "Name a game or a folder" in refused(hexpost("archive", "--out", tmp_path / "x"))
    assert "not both" in refused(hexpost("archive", "G1", "--club", "--out", tmp_path / "x"))
    assert "does not begin with https://" in refused(hexpost("archive", over.source, "--url", "ftp", "--out", tmp_path / "x"))
    (tmp_path / "empty").mkdir()
    assert "result.json" in refused(hexpost("archive", tmp_path / "empty", "--out", tmp_path / "x"))
    (tmp_path / "empty" / "result.json").write_text('{"game": 1}')
    assert "holds no game" in refused(hexpost("archive", tmp_path / "empty", "--out", tmp_path / "x"))
    assert "x/y/result.json: no such file" in refused(hexpost("archive", "x/y", "--out", tmp_path / "z"))

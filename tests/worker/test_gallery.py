"""The gallery: a page that opens anywhere, every picture of which is there."""

from __future__ import annotations

import re
from pathlib import Path

import lxml.html
import pytest
from PIL import Image

from tests.worker.fakes import ToyRender
from worker import local
from worker.desk.gallery import make_gallery
from worker.desk.moments import busiest, played
from worker.ports import ServiceRefused

SCENARIO = "holdfast/campaign-2"
PARTS = ("terrain", "counters", "tracks")
THEMES = ("light", "dark", "contrast")


@pytest.fixture(scope="module")
def gallery(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small one of one scenario."""
    folder = tmp_path_factory.mktemp("gallery")
    said: list[str] = []
    make_gallery(folder, 1, 400, said.append, [SCENARIO])
    pictures = sum(1 for _ in (folder / "images").iterdir())
    assert re.fullmatch(rf"{pictures} pictures in \d+ s; open {re.escape(str(folder))}/index\.html\.", said[-1])
    return folder


def test_each_picture_of_the_page_is_there_in_the_size_that_it_says_and_none_is_left_over(gallery: Path) -> None:
    page = lxml.html.parse(str(gallery / "index.html"))
    shown = [str(one.get("src")) for one in page.iter("img")]
    linked = [str(one.get("href")) for one in page.iter("a") if not str(one.get("href")).startswith("#")]
    dark = [str(one.get("srcset")) for one in page.iter("source")]
    files = {f"images/{one.name}" for one in (gallery / "images").iterdir()}
    assert set(shown) | set(linked) | set(dark) == files
    for one in page.iter("img"):
        with Image.open(gallery / str(one.get("src"))) as picture:
            assert picture.size == (int(str(one.get("width"))), int(str(one.get("height"))))
        assert len(str(one.get("alt"))) > 10
    anchors = {str(one.get("id")) for one in page.iter("section")}
    assert {str(one.get("href"))[1:] for one in page.iter("a") if str(one.get("href")).startswith("#")} == anchors


def test_it_shows_both_sides_three_themes_the_front_what_changed_the_plan_and_the_sheets(gallery: Path) -> None:
    kinds = [
        "umpire",
        "axis",
        "allied",
        "whole-dark",
        "whole-contrast",
        *(f"front-{theme}" for theme in THEMES),
        "plan",
        "t01",
        "before-after",
    ]
    sheets = [f"holdfast-{part}-{theme}.png" for part in ("terrain", "counters", "tracks") for theme in THEMES]
    moving = ["holdfast-campaign-2-turn.webp", "holdfast-campaign-2-turn.gif"]
    files = {one.name for one in (gallery / "images").iterdir()}
    assert files == {*(f"holdfast-campaign-2-{kind}.png" for kind in kinds), *sheets, *moving}
    page = (gallery / "index.html").read_text(encoding="utf-8")
    assert "After game-turn 1." in page
    assert re.search(r'alt="Map of [^"]+ after the (Axis|Allied) player-turn of game-turn 1, as seen by: Allied"', page)
    assert "Reconstructed by us, not the printed game&#39;s: the map, the full strengths of the units." in page


def test_it_shows_every_scenario_and_every_game_that_can_be_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    render = ToyRender(said=lambda kind, body: kind)
    monkeypatch.setattr(local, "local_render", lambda: render)
    make_gallery(tmp_path, 1, 400, lambda said: None)
    page = lxml.html.parse(str(tmp_path / "index.html"))
    sections = [str(one.get("id")) for one in page.iter("section")]
    there = [one["id"].replace("/", "-") for game in local.local_rules().games()["games"] for one in game["scenarios"]]
    assert sections == [*there, "sheets-toy", "sheets-other-toy"]
    assert {"holdfast-campaign-1", "holdfast-campaign-2"} <= set(there)
    sheets = [(body["game"], body["part"], body["theme"]) for kind, body in render.asked if kind == "specimen"]
    assert sheets == [
        (game, part, theme) for game in ("toy", "other-toy") for part in ("terrain", "counters", "tracks") for theme in THEMES
    ]
    sides = [body["view"]["side"] for kind, body in render.asked if kind == "map" and body["scenario"] == SCENARIO]
    assert {None, "axis", "allied"} == set(sides)


def test_the_page_needs_no_script_and_nothing_from_elsewhere(gallery: Path) -> None:
    page = (gallery / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"<script|https?:|//|javascript:", page)
    assert "prefers-color-scheme: dark" in page
    assert 'name="viewport"' in page


def test_a_gallery_is_made_anew_in_its_own_folder_and_in_no_other(tmp_path: Path) -> None:
    from click.testing import CliRunner

    from worker.cli import main

    (tmp_path / "mine").write_text("letters")
    result = CliRunner().invoke(main, ["gallery", "--out", str(tmp_path)])
    assert result.exit_code == 2
    assert "was not made by hexpost gallery" in result.stderr
    result = CliRunner().invoke(main, ["gallery", "--out", str(tmp_path / "new"), "holdfast/campaign-9"])
    assert result.exit_code == 2
    assert "no scenario 'holdfast/campaign-9'" in result.stderr
    assert [one.name for one in tmp_path.iterdir()] == ["mine"]


def test_a_game_without_an_adjutant_is_shown_as_it_is_laid_out() -> None:
    rules = local.local_rules()

    class NoAdjutant:
        def __getattr__(self, name: str) -> object:
            return getattr(rules, name)

        def adjutant(self, state: object, side: str) -> object:
            raise ServiceRefused({"detail": "This game has no adjutant."})

    (only,) = played(NoAdjutant(), "holdfast/campaign-1", "0" * 64, 3)
    assert (only.before == only.after, only.events, busiest([only]) is only) == (True, [], True)

"""The archive in a browser, opened as files: at the width of a phone and of a desk, with scripts and without, on paper."""

from __future__ import annotations

import base64
import re
from pathlib import Path

import pytest

from tests.browser.chromium import SHOTS, WIDTHS, Chromium, Page, page
from tests.worker.site.sites import Site, Small, journal_game, over_site, site_of
from tests.worker.test_fog import as_it_is
from worker.site import reading

PAGES = ("index", "t02", "dice", "search", "book")

pytestmark = pytest.mark.timeout(180)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """A campaign that is over, with small maps."""
    return over_site(tmp_path_factory.mktemp("archive"), Small())


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """A game in fog that still runs, with small maps."""
    folder = tmp_path_factory.mktemp("live")
    table = journal_game(folder / "home", as_it_is, other=False)
    found = site_of(reading.of_journal(table.journal, "G1"), folder / "site", render=Small())
    table.journal.engine.dispose()
    return found


def show(one: Page, site: Site, name: str) -> None:
    one.open(f"file://{site.folder}/{name}")


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", PAGES)
def test_a_page_opens_as_a_file_without_a_fault(chromium: Chromium, site: Site, name: str, width: str) -> None:
    with page(chromium, width) as one:
        show(one, site, f"{name}.html")
        assert one.run("document.documentElement.scrollWidth <= innerWidth")  # nothing is cut off
        one.run("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
        one.until("[...document.images].every((image) => image.loading === 'lazy' || image.complete && image.naturalWidth > 0)")
        if name in ("index", "t02"):
            one.keep(f"archive-{name}-{width}")
        assert one.problems() == []  # before axe, which asks for what the policy forbids
        assert one.faults() == []


@pytest.mark.parametrize("width", WIDTHS)
def test_the_pages_of_a_game_that_runs_open_without_a_fault(chromium: Chromium, live: Site, width: str) -> None:
    assert not live.campaign.over
    with page(chromium, width) as one:
        for name in (*PAGES, live.book.last.told.stem):
            show(one, live, f"{name}.html")
            assert one.run("document.documentElement.scrollWidth <= innerWidth")
            one.run("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
            one.until("[...document.images].every((image) => image.loading === 'lazy' || image.complete && image.naturalWidth > 0)")
            if name == "index":
                one.keep(f"archive-running-{width}")
                assert "awaited: " in one.run("document.querySelector('.result').textContent")
        assert one.problems() == []  # before axe, which asks for what the policy forbids
        for name in ("index", "t02"):
            show(one, live, f"{name}.html")
            assert one.faults() == []


def test_on_a_dark_screen_it_is_dark_and_as_clean(chromium: Chromium, site: Site) -> None:
    with page(chromium, "phone") as one:
        one.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        for name in ("index", "t02"):
            show(one, site, f"{name}.html")
            assert one.run("getComputedStyle(document.body).backgroundColor") == "rgb(31, 29, 25)"
            assert one.run("document.querySelector('.pane img').currentSrc").endswith("-dark.webp")
            assert one.faults() == []
        one.keep("archive-t02-phone-dark")


def test_the_map_comes_nearer_and_moves_by_buttons_and_keys(chromium: Chromium, site: Site) -> None:
    with page(chromium, "desktop") as one:
        show(one, site, "t02.html")
        form = "document.querySelector('.pane img').style.transform"
        one.click(".tools button[aria-label='Nearer']")
        first = one.run(form)
        assert "scale(1.5)" in first
        one.run("document.querySelector('.pane').focus()")
        one.call("Input.dispatchKeyEvent", type="keyDown", key="ArrowRight")
        moved = one.run(form)
        left = [float(re.search(r"translate\((-?[0-9.]+)px", found)[1]) for found in (first, moved)]
        assert left[0] - left[1] == pytest.approx(60)
        one.click(".tools button[aria-label='All of the map']")
        assert "scale(1)" in one.run(form)
        assert one.problems() == []


def test_the_slider_leads_to_another_game_turn(chromium: Chromium, site: Site) -> None:
    with page(chromium, "phone") as one:
        show(one, site, "t02.html")
        said = "document.querySelector('.slider output').textContent"
        assert one.run(said).startswith("Turn 2")
        assert one.run("document.querySelector('.slider .go').checkVisibility()") is False
        one.run("document.getElementById('turn').focus()")
        for _ in range(2):
            key = {"key": "ArrowRight", "code": "ArrowRight", "windowsVirtualKeyCode": 39}
            one.call("Input.dispatchKeyEvent", type="keyDown", **key)
            one.call("Input.dispatchKeyEvent", type="keyUp", **key)
        assert one.run(said).startswith("Turn 4")  # two steps by the keyboard, and the page and the focus are where they were
        assert one.run("document.activeElement.id") == "turn"
        assert one.run("document.querySelector('.slider .go').checkVisibility()") is True
        assert one.run("location.pathname").endswith("t02.html")
        key = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13}
        one.call("Input.dispatchKeyEvent", type="keyDown", **key)
        number = site.book.leaves[3].told.page
        one.until(f"location.pathname.endsWith('{number}') && !!document.querySelector('h1')")
        show(one, site, "t02.html")
        one.click(f".strip a[href='{site.book.leaves[2].told.page}']")
        one.until(f"location.pathname.endsWith('{site.book.leaves[2].told.page}') && !!document.querySelector('h1')")


def test_words_are_found_and_all_must_be_there(chromium: Chromium, site: Site) -> None:
    with page(chromium, "desktop") as one:
        show(one, site, "search.html")
        everything = one.run("document.querySelectorAll('#list li').length")
        assert everything == len(site.book.entries)
        entry = next(found for found in site.book.entries if found.part and len(found.text.split()) > 8)
        words = " ".join([*entry.text.split()[:4]])
        search = "(() => {{ const box = document.getElementById('words'); box.value = {!r}; box.dispatchEvent(new Event('input')); }})()"
        one.run(search.format(words))
        links = one.run("[...document.querySelectorAll('#list a')].map((link) => link.getAttribute('href'))")
        texts = {found.url: f"{found.page} {found.part} {found.text}".lower() for found in site.book.entries}
        assert links == [url for url, text in texts.items() if all(word in text for word in words.lower().split())][:100]
        assert 0 < len(links) < everything
        one.run(search.format("nothing-of-the-kind"))
        assert one.run("document.getElementById('found').textContent") == "0 parts"
        one.run(search.format(""))
        assert one.run("document.querySelectorAll('#list li').length") == everything
        assert one.problems() == []


def test_without_scripts_all_is_read_and_every_game_turn_is_reached(chromium: Chromium, site: Site) -> None:
    with page(chromium, "phone", scripts=False) as one:
        show(one, site, "search.html")
        assert one.run("document.getElementById('search').hidden")
        show(one, site, "t02.html")
        assert one.run("document.querySelector('figure.zoom img').naturalWidth") > 400
        assert one.run("document.querySelector('.slider')") is None
        one.click("a[rel='next']")
        one.until("location.pathname.endsWith('t03.html')")
        assert one.problems() == []


def test_it_is_printed_as_a_book(chromium: Chromium, site: Site) -> None:
    with page(chromium, "desktop") as one:
        show(one, site, "book.html")
        made = base64.b64decode(one.call("Page.printToPDF", preferCSSPageSize=True)["data"])
    SHOTS.mkdir(parents=True, exist_ok=True)
    Path(SHOTS / "archive-book.pdf").write_bytes(made)
    sheets = [float(number) for number in re.findall(rb"/MediaBox\s*\[\s*0 0 ([0-9.]+) ", made)]
    assert len(sheets) > len(site.book.leaves)  # a cover, and a sheet at least for each game-turn
    assert {round(width) for width in sheets} == {595}  # A4

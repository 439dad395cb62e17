"""The live board in a browser: at the width of a phone and of a desk, with scripts and without."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from werkzeug.serving import make_server

from tests.browser.chromium import WIDTHS, Chromium, page
from tests.worker.boards import application, link_of, table
from tests.worker.whole import Table


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Table, str]]:
    """A game, and where its boards are."""
    game = table(tmp_path, "race-for-tunis/standard", scale=1200)
    server = make_server("127.0.0.1", 0, application(game), threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield game, f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join(10)


@pytest.mark.parametrize("width", WIDTHS)
def test_a_board_is_read_and_orders_are_composed_by_clicks(chromium: Chromium, served: tuple[Table, str], width: str) -> None:
    game, base = served
    with page(chromium, width) as one:
        one.open(base + link_of(game, "allied", 0))
        assert one.run("document.querySelector('.board img').naturalWidth") == one.run(
            "Number(document.querySelector('.board img').getAttribute('width'))"
        )
        assert one.run("document.documentElement.scrollWidth <= innerWidth")  # nothing is cut off
        assert one.faults() == []
        one.click("button[data-unit='56REC']")
        assert one.until("document.querySelectorAll('.target').length") == 3  # 1225, 2125, 2225
        assert one.faults() == []
        one.keep(f"board-{width}")
        one.click(".target[aria-label='ENTER 56REC AT 1225']")
        assert one.run("document.getElementById('orders').value") == "ENTER 56REC AT 1225\n"
        one.click("#legal button[data-unit='']")
        one.until("[...document.querySelectorAll('#choices .line')].some((one) => one.textContent === 'DONE')")
        one.run("[...document.querySelectorAll('#choices .line')].find((one) => one.textContent === 'DONE').click()")
        assert one.run("document.getElementById('orders').value") == "ENTER 56REC AT 1225\nDONE\n"
        assert one.problems() == []
        one.click("button[value='code']")
        assert "on its way" in one.until("document.querySelector('.told.good')?.textContent")
        assert one.run("document.getElementById('orders').value.trim()") == "ENTER 56REC AT 1225\nDONE"
        assert one.problems() == []


SEEN = """[...document.querySelectorAll('.target')].filter((one) => {
  const [at, frame] = [one, document.querySelector('.frame')].map((part) => part.getBoundingClientRect());
  return at.left >= frame.left && at.right <= frame.right && at.top >= frame.top && at.bottom <= Math.min(frame.bottom, innerHeight);
}).length"""
"""How many of the marked hexes can be seen."""


@pytest.mark.parametrize("width", WIDTHS)
def test_what_is_chosen_on_the_map_stays_in_sight_and_orders_follow_the_lines(
    chromium: Chromium, served: tuple[Table, str], width: str
) -> None:
    game, base = served
    with page(chromium, width) as one:
        one.open(base + link_of(game, "allied", 0))
        one.click(".stack[data-hex='0922']", scroll=False)
        assert one.until("document.querySelectorAll('.target').length") == 44  # as far as 6CDO comes
        one.until(f"{SEEN} > 20")
        assert one.run("scrollY") == 0
        assert one.run("document.querySelector('.target').getBoundingClientRect().width") >= 24  # can be hit with a finger
        one.keep(f"board-targets-{width}")
        for unit in ("15S-II", "15S-I"):  # fanned out beside their stack
            one.click(f".tray[data-unit='{unit}']")
            one.until(f"document.getElementById('chosen').textContent === 'Legal orders of {unit}'")
            assert one.run("document.getElementById('h-here').textContent") == "Hex 0923"
        one.click(".target[aria-label='MOVE 15S-I TO 0822']")
        one.until("!document.getElementById('after').hidden")
        assert one.run("document.querySelector('#written code').textContent") == "MOVE 15S-I TO 0822"
        assert "MOVE 15S-I TO 0822" not in one.run("[...document.querySelectorAll('#choices .line')].map((line) => line.textContent)")
        one.click("#back")
        one.until("document.getElementById('after').hidden && document.querySelectorAll('#choices .line').length > 0")
        assert one.run("document.getElementById('orders').value") == ""
        one.run("document.getElementById('orders').value = 'MOVE 15S-I TO 0822\\nMOVE 15S-I TO 0216'")
        one.click("button[value='check']")
        assert "Enemy units stand in Bizerta" in one.until("document.querySelector('.lines .bad')?.textContent")
        top, foot = one.run(
            "(() => { const at = document.querySelector('#answer').getBoundingClientRect(); return [at.top, innerHeight]; })()"
        )
        assert 0 <= top < foot
        assert one.faults() == []
        one.keep(f"board-checked-{width}")
        assert one.problems() == []


def test_a_stack_is_told_beside_the_map_and_without_scripts_leads_to_its_description(chromium: Chromium, served: tuple[Table, str]) -> None:
    game, base = served
    for scripts in (True, False):
        with page(chromium, "desktop", scripts=scripts) as one:
            one.open(base + link_of(game, "allied", 0))
            one.click(".stack[data-hex='0216']")
            if scripts:
                assert one.until("document.getElementById('h-here').textContent") == "Bizerta (0216)"
                assert "16th Bersaglieri" in one.run("document.getElementById('counters').textContent")
                assert one.run("location.hash") == ""
            else:
                one.until("location.hash === '#at-0216'")
                assert "16th Bersaglieri" in one.run("document.querySelector(':target').textContent")
            assert one.run("getComputedStyle(document.querySelector('.tools')).display === 'none'") is not scripts
            assert one.problems() == []


def test_the_board_of_a_side_that_is_not_awaited_is_as_clean_on_a_dark_screen(chromium: Chromium, served: tuple[Table, str]) -> None:
    game, base = served
    with page(chromium, "phone") as one:
        one.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        one.open(base + link_of(game, "axis", 0))
        assert "not awaited" in one.run("document.querySelector('#legal').textContent")
        assert one.faults() == []
        one.keep("board-phone-dark")
        assert one.problems() == []

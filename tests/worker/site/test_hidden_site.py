"""While a game with hidden things runs, its site holds nothing of them: not in a page, a feed, a name, a file or a picture."""

from __future__ import annotations

import re

import pytest

from tests.worker.site.sites import Site
from tests.worker.test_hidden import HIDDEN
from worker.canonical import canonical, decode

pytestmark = pytest.mark.timeout(180)


@pytest.mark.bug("S07")
def test_two_games_that_differ_in_what_one_side_sees_have_the_same_site_to_the_byte(running: tuple[Site, Site]) -> None:
    one, two = running
    states = [canonical(site.campaign.turns[-1].after) for site in running]
    assert states[0] != states[1]
    first, second = one.files(), two.files()
    assert first.keys() == second.keys()
    assert [name for name in first if first[name] != second[name]] == []
    assert len(first) > 20  # the digests of what each picture is drawn from are among them, in the list of the site


@pytest.mark.bug("S07")
def test_while_it_runs_there_is_neither_secret_nor_order_nor_what_a_side_saw(running: tuple[Site, Site], over: Site) -> None:
    site = running[0]
    assert site.campaign.secret == ""
    assert not [name for name in site.files() if "orders" in name or name.endswith(".zip")]
    assert "secret" not in decode(site.files()["files/g1-dice.json"])
    assert not [leaf for leaf in site.book.leaves if leaf.sides]
    assert "published when the game is over" in site.page("dice.html")
    assert [name for name in over.files() if name.endswith("-orders.txt")]
    assert over.campaign.secret == "07".rjust(64, "0")
    assert over.campaign.secret in over.page("dice.html")


@pytest.mark.bug("S07")
def test_no_hidden_unit_is_named(running: tuple[Site, Site]) -> None:
    seen = {one.get("id") for leaf in running[0].book.leaves for one in leaf.told.view["counters"]}
    for name, data in running[0].files().items():
        if name.endswith((".html", ".xml", ".js", ".json", ".txt")):
            words = set(re.findall(r"[A-Z]+", data.decode()))
            assert words & (HIDDEN - seen) == set(), name

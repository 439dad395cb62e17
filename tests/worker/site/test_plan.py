"""How large and how many the pictures of a site are, so that it stays below forty megabytes; and who draws them."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from tests.worker.site.sites import SCENARIO, Site
from worker.local import local_render, local_rules
from worker.site.hands import Hands, Job
from worker.site.plan import EACH, FALL, GROWN, MORE, MOST, ONCE, PARTS, PROBE, SIDE, SMALLER, WHOLE, Plan, room_for_dark


def test_a_campaign_of_thirty_game_turns_by_the_weight_of_its_map() -> None:
    # (38,000,000 - 2,500,000) / 30 - 150,000 = 1,033,333 bytes a game-turn; a map of 2400 pixels is 2.6 times a probe, and 1.15 times more
    assert Plan.of(30, 100_000, 0) == Plan(2400, 500_000)  # 299,000 x 1.7 = 508,300: 525,033 are left, and half a million is the most
    assert Plan.of(30, 160_000, 0) == Plan(2400, 200_000)  # 478,400 x 1.7 = 813,280: 220,053 are left, in steps of 50,000
    smaller = Plan.of(30, 200_000, 0)  # 598,000 x 1.7 = 1,016,600: 16,733 are too few for motion; of 2000 pixels 787,600
    assert smaller == Plan(2000, 200_000)
    assert (smaller.part, smaller.sides) == (1000, 1333)
    assert smaller.told == ["the maps are 2000 pixels large, not 2400"]
    assert Plan.of(30, 160_000, 2).whole < 2400  # two sides' own views besides
    assert Plan.of(30, 100_000, 0).told == []
    assert Plan.of(400, 100_000, 0) == Plan(SMALLER[-1], 0)
    assert Plan.of(400, 100_000, 0).told[-1] == "no game-turn is shown in motion"


@pytest.mark.parametrize("fog", [0, 2])
def test_no_plan_is_larger_than_its_room(fog: int) -> None:
    for turns in range(1, 120):
        for probe in range(20_000, 320_000, 50_000):
            plan = Plan.of(turns, probe, fog)
            weight = probe * GROWN * MORE * (plan.whole / WHOLE) ** FALL * (1 + PARTS + SIDE * fog)
            assert plan.motion == 0 or ONCE + turns * (EACH + weight + plan.motion) <= MOST


def test_dark_maps_are_there_where_all_maps_fit_twice() -> None:
    # 2,500,000 + 30 x 80,000 = 4,900,000; 33,100,000 are left for what is drawn and for the maps once more
    assert room_for_dark(30, 30, 11_000_000, 22_100_000)
    assert not room_for_dark(30, 30, 11_000_000, 22_200_000)
    assert room_for_dark(30, 15, 5_500_000, 11_000_000)  # half of it is played
    assert not room_for_dark(30, 15, 5_500_000, 11_100_000)


def test_the_map_is_dark_on_a_dark_screen_and_light_on_paper(over: Site) -> None:
    page = over.page("t02.html")
    assert '<source srcset="pictures/t02-dark.webp" media="screen and (prefers-color-scheme: dark)">' in page
    assert "t02-dark" not in over.page("book.html")


def test_processes_draw_what_this_one_draws() -> None:
    state = local_rules().new_state(SCENARIO, {}, "0" * 64)["state"]
    body = {"scenario": SCENARIO, "view": local_rules().view(state, None), "scale": PROBE // 2}
    jobs = [Job(f"pictures/t{turn:02d}-map.webp", "map", body | {"theme": theme}) for turn, theme in ((1, "light"), (2, "dark"))]
    jobs.append(Job("files/t01.vsav", "save", {"scenario": SCENARIO, "view": body["view"], "secret": "0" * 64}))
    with Hands() as hands:
        found = {job.name: data for job, data in hands.made(jobs)}
    with Hands(local_render()) as alone:
        assert found == {job.name: data for job, data in alone.made(jobs)}
    with Image.open(io.BytesIO(found["pictures/t02-map.webp"])) as dark, Image.open(io.BytesIO(found["pictures/t01-map.webp"])) as light:
        means = [picture.convert("L").resize((1, 1)).tobytes()[0] for picture in (dark, light)]
    assert means[0] < 100 < means[1]

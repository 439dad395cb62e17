"""The yardsticks of these proofs are right: published figures come out of them."""

from __future__ import annotations

import pytest

from tests.render.proofs.colours import EYES, apart, ciede2000, contrast, lab


@pytest.mark.parametrize(
    ("one", "other", "figure"),
    [  # from the table of Sharma, Wu and Dalal (2005): blue, hue across 0, large, greenish, dark
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 2.5, 0.0), (50.0, 0.0, -2.5), 4.3065),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
        ((50.0, 2.5, 0.0), (56.0, -27.0, -3.0), 31.9030),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
        ((50.0, 0.0, 0.0), (50.0, -1.0, 2.0), 2.3669),
    ],
)
def test_ciede2000_gives_the_published_figures(one: tuple[float, float, float], other: tuple[float, float, float], figure: float) -> None:
    assert ciede2000(one, other) == pytest.approx(figure, abs=1e-4)
    assert ciede2000(other, one) == pytest.approx(figure, abs=1e-4)


def test_lab_and_contrast_of_known_colours() -> None:
    assert lab((255, 0, 0)) == pytest.approx((53.24, 80.09, 67.20), abs=0.02)
    assert contrast((255, 255, 255), (0, 0, 0)) == pytest.approx(21)
    assert contrast((118, 118, 118), (255, 255, 255)) == pytest.approx(4.54, abs=0.01)
    assert apart((0, 0, 0), (255, 255, 255)) == pytest.approx(100, abs=0.01)


def test_what_colour_blind_eyes_lose_is_lost_and_the_rest_stays() -> None:
    for name, seen in EYES.items():
        assert seen((255, 255, 255)) == (255, 255, 255), name
        assert seen((0, 0, 0)) == (0, 0, 0), name
    olive, brown = (132, 120, 60), (156, 108, 60)  # as good as one to deutan eyes, not to tritan ones
    assert apart(olive, brown) > 10
    assert apart(EYES["deutan"](olive), EYES["deutan"](brown)) < 2
    assert apart(EYES["tritan"](olive), EYES["tritan"](brown)) > 10
    assert EYES["protan"]((255, 0, 0)) == (109, 95, 0)  # a dark yellow
    level = EYES["grey"]((200, 30, 90))
    assert level[0] == level[1] == level[2]

"""Pictures look as they did when they were last looked at; ``python -m tests.render.goldens`` renews what changed on purpose."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from services.render.draw.lettering import font
from tests.render import goldens
from tests.render.goldens import FOLDER, PICTURES, compare, holds, saved

FIGURE = 10
"""The size at which figures of seven pixels are written."""


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_as_it_was_looked_at(name: str, tmp_path: Path) -> None:
    said = compare(name, PICTURES[name](), tmp_path)
    assert not said, said


def test_golden_pictures_are_small_and_none_is_left_over() -> None:
    files = sorted(FOLDER.glob("*.png"))
    assert {file.stem for file in files} == set(PICTURES)
    assert sum(file.stat().st_size for file in files) < 2_000_000


def written(text: str, shift: float = 0.0) -> Image.Image:
    """Figures as they stand on a counter, ``shift`` pixels to the right."""
    fine = Image.new("L", (400, 160), 230)
    ImageDraw.Draw(fine).text((40 + 8 * shift, 30), text, font=font("bold", 8 * FIGURE), fill=30)
    return fine.reduce(8).convert("RGB")


def test_letters_whose_edges_move_a_little_hold_and_another_figure_does_not() -> None:
    assert holds(written("3-5"), written("3-5"))
    assert holds(written("3-5"), written("3-5", 0.2))
    for other in ("8-5", "3-6", "5-5", "3-8", "2-5", "3 5", "3-"):
        assert not holds(written("3-5"), written(other)), other


def test_what_differs_is_shown_beside_the_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "golden").mkdir()
    monkeypatch.setattr(goldens, "FOLDER", tmp_path / "golden")
    assert compare("x", written("3-5"), tmp_path) == f"there is no golden picture x; this is what was drawn: {tmp_path / 'x.actual.png'}"
    written("3-5").save(tmp_path / "golden/x.png")
    assert compare("x", written("3-5"), tmp_path) == ""
    said = compare("x", written("8-5"), tmp_path)
    assert said.startswith("x differs from the golden picture at (")
    marked = saved(tmp_path / "x.differs.png")
    assert marked.getpixel((49, 19)) == (230, 230, 230)
    assert (255, 0, 160) in {colour for _, colour in marked.getcolors() or ()}
    written("3-5").crop((0, 0, 40, 20)).save(tmp_path / "golden/x.png")
    assert compare("x", written("3-5"), tmp_path).startswith("x is 50 x 20 pixels, the golden picture 40 x 20: ")

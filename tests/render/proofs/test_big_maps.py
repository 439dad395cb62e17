"""Big maps: a sheet of 10275 x 6675 pixels is drawn in 512 MB of memory; what is larger is refused, and the limit is told."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from scenarios.check import check
from services.render.app import create_app
from services.render.config import Config
from tests.architecture.sources import ROOT
from tests.render.boards import block, holdfast, wire
from tests.scenarios.test_overlays import png

SHEET = (10275, 6675)
MEMORY = 512 * 1024
"""In kB."""
ART = 'file = "sheet.png"\nsize = [{}, {}]\norigin = [330, 330]\nspacing = [243, 421]\n'
DRAW = """
import sys
from pathlib import Path
from scenarios.loader import load_games
from services.render.turn_map import render_map
from services.render.views import View
data = load_games(None, Path(sys.argv[1]))["holdfast"]
picture = render_map(data, View("holdfast", "campaign-1", None, [], {}), scale=2400)
# the peak of this program alone: what getrusage tells is inherited from whoever started it
print(len(picture), next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1])
"""


def overlay(folder: Path, size: tuple[int, int]) -> Path:
    (folder / "holdfast").mkdir()
    (folder / "holdfast/map-art.toml").write_text(ART.format(*size), encoding="utf-8")
    return folder


@pytest.mark.bug("V11")
def test_a_sheet_of_69_million_pixels_is_drawn_in_512_megabytes(tmp_path: Path) -> None:
    sheet = Image.new("RGB", SHEET, (201, 178, 130))
    sheet.paste((120, 170, 190), (0, 0, SHEET[0], 1200))
    sheet.save(overlay(tmp_path, SHEET) / "holdfast/sheet.png", compress_level=1)
    done = subprocess.run([sys.executable, "-c", DRAW, str(tmp_path)], capture_output=True, text=True, cwd=ROOT, timeout=50, check=False)
    assert done.returncode == 0, done.stderr
    length, memory = (int(word) for word in done.stdout.split())
    assert 10_000 < length < 500_000
    assert 68_600_000 * 4 / 1024 < memory < MEMORY  # it was read whole, and only once


@pytest.mark.bug("V11")
def test_a_larger_sheet_is_refused_with_the_limit_and_before_it_is_read(tmp_path: Path) -> None:
    path = overlay(tmp_path, (32000, 20000)) / "holdfast/sheet.png"
    path.write_bytes(png(32000, 20000))  # the head of the file alone: there is nothing behind it that could be read
    (fault,) = check(None, "holdfast", tmp_path)
    assert (fault.line, fault.reason) == (2, "sheet.png is 32000 x 20000 pixels: at most 70000000 pixels are drawn")


@pytest.mark.bug("V11")
def test_a_larger_picture_is_refused_with_the_limit() -> None:
    client = create_app(Config(), {"holdfast": holdfast()}).test_client()
    for scale in (10275, 32000):
        answer = client.post("/v1/maps", json={"scenario": "holdfast/campaign-1", "view": wire([block("V1", "0504")]), "scale": scale})
        assert answer.status_code == 422
        assert "less than or equal to 4000" in answer.get_data(as_text=True)

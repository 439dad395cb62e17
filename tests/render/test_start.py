"""Style sheets and fonts are read when the service starts: never later, and a bad file is a reason not to start."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.render import style
from services.render.app import create_app
from services.render.config import Config
from services.render.draw import lettering
from tests.render.boards import block, holdfast, own, wire

CACHES = (style._styles, style.style_sheet, lettering._file, lettering.font)
PACKAGE = Path(style.__file__).parent


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder in place of the package's own, with a copy of its files; nothing is read yet, and what a test reads is not kept."""
    for name in ("styles", "fonts"):
        shutil.copytree(PACKAGE / name, tmp_path / name)
    for module in (style, lettering):
        monkeypatch.setattr(module, "files", lambda _: tmp_path)
    for cached in CACHES:
        cached.cache_clear()
    yield tmp_path
    for cached in CACHES:
        cached.cache_clear()


def test_after_the_start_no_file_is_read_again(disk: Path) -> None:
    client = create_app(Config(), {"holdfast": holdfast()}).test_client()
    for name in ("styles", "fonts"):
        shutil.rmtree(disk / name)
    body = {"scenario": "holdfast/campaign-1", "view": wire([own("21PZ", "0310"), block("V4", "1803")]), "scale": 630}
    assert client.post("/v1/maps", json=body).status_code == 200


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("styles/holdfast/board.toml", b"title = \n", r"style sheet of holdfast, board.toml: "),
        ("styles/holdfast/board.toml", b"title = '\xff'\n", r"style sheet of holdfast, board.toml: "),
        ("styles/holdfast/board.toml", b"title = 'x'\n", r"style sheet of holdfast, board.toml: .*missing required field"),
        ("fonts/EBGaramond12-Italic.ttf", b"no font", r"font EBGaramond12-Italic\.ttf: "),
    ],
)
def test_a_file_at_fault_stops_the_start(file: str, text: bytes, said: str, disk: Path) -> None:
    (disk / file).write_bytes(text)
    with pytest.raises(ValueError, match=said):
        create_app(Config(), {})


def test_a_palette_at_fault_stops_the_start(disk: Path) -> None:
    sheet = disk / "styles" / "holdfast" / "colours.toml"
    lines = sheet.read_text(encoding="utf-8").split("\n")
    first = next(n for n, line in enumerate(lines) if "#" in line and "=" in line and not line.startswith("#"))
    lines[first] = lines[first].replace("#", "?", 1)
    sheet.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(ValueError, match="style sheet of holdfast, theme light: "):
        create_app(Config(), {})

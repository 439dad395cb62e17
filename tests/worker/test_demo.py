"""What the demo leaves: mails as they came, and reports that can be opened where they lie."""

from __future__ import annotations

import base64
from pathlib import Path

from worker.desk.demo import Desk, prepare_folder
from worker.desk.demo_script import ADDRESSES
from worker.post.postbox import Postbox

HEAD = f"To: {ADDRESSES['axis']}\nMessage-ID: <1@x.example>\nMIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n"
PART = "--b\nContent-Type: {}\n{}\n"
HTML = (
    PART.format("text/html; charset=utf-8", "") + '<p><img src="cid:front@hexpost" alt="front"><img src="cid:map@hexpost" alt="map"></p>\n'
)
SHOWN = "Content-ID: <{}@hexpost>\nContent-Disposition: inline; filename=G1-t01-axis-{}.png\nContent-Transfer-Encoding: base64\n"
FILE = "Content-Disposition: attachment; filename=G1-t01-axis-animation.webp\nContent-Transfer-Encoding: base64\n"
SAVE = "Content-Disposition: attachment; filename=G1-t01-axis-0001.vsav\nContent-Transfer-Encoding: base64\n"


def enclosed(mime: str, about: str, data: bytes) -> str:
    return PART.format(mime, about) + base64.b64encode(data).decode() + "\n"


def test_the_pictures_of_a_report_are_the_files_beside_it(tmp_path: Path) -> None:
    config = prepare_folder(tmp_path)
    for folder in (config.inbox, config.outbox):
        (folder / "new").mkdir(parents=True)
    pictures = [enclosed("image/png", SHOWN.format(kind, kind), kind.encode()) for kind in ("map", "front")]
    film = enclosed("image/webp", FILE, b"film")
    save = enclosed("application/octet-stream", SAVE, b"save")
    (config.outbox / "new" / "1").write_text(HEAD + HTML + "".join(pictures) + film + save + "--b--\n", encoding="utf-8")
    Desk(Postbox(config.inbox, config.outbox), tmp_path).file_new()
    shown = (tmp_path / "reports/01-axis.html").read_text(encoding="utf-8")
    assert '<img src="../maps/01-axis-front.png" alt="front"><img src="../maps/01-axis-map.png" alt="map">' in shown
    files = {one.name: one.read_bytes() for one in (tmp_path / "maps").iterdir()}
    assert files == {"01-axis-front.png": b"front", "01-axis-map.png": b"map", "01-axis-animation.webp": b"film"}
    assert [(one.name, one.read_bytes()) for one in (tmp_path / "vassal").iterdir()] == [("G1-t01-axis-0001.vsav", b"save")]

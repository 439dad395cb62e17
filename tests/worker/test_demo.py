"""What the demo leaves: mails as they came, and reports that can be opened where they lie."""

from __future__ import annotations

import base64
from pathlib import Path

from services.mail.compose import MAP_ID
from worker.demo import Desk, prepare_folder
from worker.demo_script import ADDRESSES
from worker.postbox import Postbox

HEAD = f"To: {ADDRESSES['axis']}\nMessage-ID: <1@x.example>\nMIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n"
PART = "--b\nContent-Type: {}\n{}\n"
HTML = PART.format("text/html; charset=utf-8", "") + f'<p><img src="cid:{MAP_ID}" alt="map"></p>\n'
ABOUT = f"Content-ID: <{MAP_ID}>\nContent-Disposition: inline; filename=G1-t01-axis.png\nContent-Transfer-Encoding: base64\n"
PICTURE = PART.format("image/png", ABOUT) + base64.b64encode(b"a picture").decode()


def test_the_picture_of_a_report_is_the_map_beside_it(tmp_path: Path) -> None:
    config = prepare_folder(tmp_path)
    for folder in (config.inbox, config.outbox):
        (folder / "new").mkdir(parents=True)
    (config.outbox / "new" / "1").write_text(HEAD + HTML + PICTURE + "\n--b--\n", encoding="utf-8")
    Desk(Postbox(config.inbox, config.outbox), tmp_path).file_new()
    assert '<img src="../maps/01-axis.png"' in (tmp_path / "reports/01-axis.html").read_text(encoding="utf-8")
    assert (tmp_path / "reports/../maps/01-axis.png").read_bytes() == b"a picture"

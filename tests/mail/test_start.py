"""Words and templates are read when the service starts: never later, and a bad file is a reason not to start."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import jinja2
import pytest

from services.mail import report, wording
from services.mail.app import create_app
from services.mail.config import Config
from services.mail.report import make_report
from tests.mail.reports import RECEIPT

CACHES = (wording.all_words, wording.load_wording, wording._compiled, report.templates)


@pytest.fixture(autouse=True)
def _as_in_a_new_process() -> Iterator[None]:
    """Nothing is read yet, and what a test reads is not kept."""
    for cached in CACHES:
        cached.cache_clear()
    yield
    for cached in CACHES:
        cached.cache_clear()


def test_after_the_start_no_file_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = make_report(RECEIPT)
    for cached in CACHES:
        cached.cache_clear()
    client = create_app(Config()).test_client()

    def gone(*_: object, **__: object) -> None:
        raise AssertionError("read after the start")

    for reads in ("read_text", "read_bytes", "open", "is_file"):
        monkeypatch.setattr(Path, reads, gone)
    monkeypatch.setattr(wording, "_FOLDER", tmp_path)
    monkeypatch.setattr(jinja2.PackageLoader, "get_source", gone)
    assert make_report(RECEIPT) == wanted
    for game in ("holdfast", "beda-fomm"):
        assert client.post("/v1/reports", json={"game": game, "kind": "receipt"}).status_code == 200


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("common.toml", "[events\n", r"en/common\.toml cannot be read: .*line 1"),
        ("holdfast.toml", '[events]\nmoved = "{% if %}"\n', r"en/holdfast\.toml: \[events\] moved: "),
        ("holdfast.toml", b'[events]\nmoved = "\xff"\n'.decode("latin-1"), r"en/holdfast\.toml cannot be read"),
    ],
)
def test_words_at_fault_stop_the_start(file: str, text: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(wording._FOLDER, tmp_path / "words")
    (tmp_path / "words" / "en" / file).write_bytes(text.encode("latin-1"))
    monkeypatch.setattr(wording, "_FOLDER", tmp_path / "words")
    with pytest.raises(ValueError, match=said):
        create_app(Config())


def test_a_template_at_fault_stops_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        jinja2, "PackageLoader", lambda *_: jinja2.DictLoader({"report.txt.j2": "fine", "report.html.j2": "one\n{% for %}"})
    )
    with pytest.raises(ValueError, match=r"template report\.html\.j2, line 2: "):
        create_app(Config())

"""What the page for bot writers shows can be done: its command lines and its program run as they stand, its calls and shapes exist."""

from __future__ import annotations

import json
import re
import runpy
import shlex
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from werkzeug.serving import make_server

from services.rules.app import create_app
from services.rules.config import Config as RulesConfig
from tests.architecture.sources import ROOT
from tests.worker.whole import Table
from worker.api.app import players_app
from worker.cli import main

PAGE = (ROOT / "docs/bot-writers.md").read_text(encoding="utf-8")
BLOCKS: list[tuple[str, str]] = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.M | re.S)
LINES = [[line for line in text.splitlines() if line] for kind, text in BLOCKS if not kind and re.match("hexpost ", text)]


def typed(line: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One command line, as a shell takes it."""
    monkeypatch.chdir(folder)
    words = shlex.split(line, comments=True)
    if words[0] == "echo":
        text, arrow, file = words[1:]
        assert arrow == ">"
        (folder / file).write_text(f"{text}\n")
        return
    assert words[0] == "hexpost"
    quick = ["--turns", "1"] if words[1] == "selfplay" else []
    result = CliRunner().invoke(main, [*words[1:], *quick])
    assert result.exit_code == 0, f"{line}: {result.output}"


def test_the_command_lines_run_and_make_what_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a reader types them, one block below the other."""
    assert [len(block) for block in LINES] == [6, 2]
    for block in LINES:
        for line in block:
            typed(line, tmp_path, monkeypatch)
    assert {"state.json", "view.json", "orders.txt", "out.json", "report.txt", "game"} <= {path.name for path in tmp_path.iterdir()}


def test_every_block_of_the_page_is_looked_at() -> None:
    kinds = [(kind, text[:12]) for kind, text in BLOCKS if not re.match("hexpost ", text)]
    assert kinds == [("", '{"type": "tu'), ("", '{"text": "G1'), ("python", "import json\n")]


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Path]:
    """The rules service over HTTP, and the file that says where."""
    server = make_server("127.0.0.1", 0, create_app(RulesConfig(token="t" * 40)), threaded=False)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    (tmp_path / "var").mkdir()
    found = {"rules": f"http://127.0.0.1:{server.server_port}", "token": "t" * 40}
    (tmp_path / "var/serve.json").write_text(json.dumps(found))
    try:
        yield tmp_path
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_the_program_plays_a_hundred_packets(serving: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    (text,) = (text for kind, text in BLOCKS if kind == "python")
    monkeypatch.chdir(serving)
    (serving / "program.py").write_text(text)
    runpy.run_path(str(serving / "program.py"))
    told = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [int(line[0]) for line in told] == list(range(1, 101))
    assert {line[1] for line in told} == {"axis", "allied"}
    assert sum(line[-1] == "done" for line in told) > 90


def test_the_calls_of_the_table_are_there(tmp_path: Path) -> None:
    table = Table(tmp_path)
    rules = players_app(table.ports, lambda game, message: None).url_map.bind("x")
    told = PAGE.partition("| call | gives |")[2].partition("\n\n")[0]
    found = []
    for cell in re.findall(r"^\| (.+?) \| ", told, re.M):
        pieces = re.findall(r"`(?:(GET|POST|DELETE)\b ?)?([^`]*)`", cell)
        start = next(path for _, path in pieces if path.startswith("/"))
        methods: list[str] = []
        for method, path in pieces:
            methods = [*methods, method] if method else methods or ["GET"]
            if path:
                whole = path.replace("...", start.rpartition("/")[0]) if path.startswith("...") else path
                found += [(one, whole.replace("/ID", "/7")) for one in methods]
                methods = []
    assert len(found) == 12
    for method, path in found:
        assert rules.match(path, method)[0]
    table.journal.engine.dispose()


def test_the_shapes_that_are_shown_are_json_and_the_event_is_the_schemas() -> None:
    event, chats = (text for kind, text in BLOCKS if not kind and text.startswith("{"))
    schema = json.loads((ROOT / "docs/turn-event.schema.json").read_text(encoding="utf-8"))
    shown = json.loads(event)
    assert (shown.keys(), shown["data"].keys()) == (set(schema["required"]), set(schema["properties"]["data"]["required"]))
    assert shown["type"] in schema["properties"]["type"]["enum"]
    assert [set(json.loads(line)) for line in chats.splitlines()] == [{"text", "blocks"}, {"text", "html", "username"}]

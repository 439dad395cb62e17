"""The log: a line a happening with game and mail, and nothing in it that is the players' own."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy.exc import IntegrityError, OperationalError

from tests.worker.conftest import Desk, reply_to
from tests.worker.fakes import ANN, BRUNO, orders_mail
from worker.cli import main
from worker.config import Config
from worker.logs import JsonLines, TextLines, about, error_words, scrubbed
from worker.ports import ServiceDown, ServiceFailed, ServiceRefused
from worker.serve import Running

ORDER = "MOVE SECRETLY 0310"


def line(said: str, *values: object, error: Exception | None = None, **extra: Any) -> dict[str, Any]:
    """A record as JSON."""
    info = None
    if error is not None:
        try:
            raise error
        except Exception:
            info = sys.exc_info()
    record = logging.LogRecord("hexpost.x", logging.WARNING, "x.py", 1, said, values, info)
    record.__dict__.update(extra)
    found: dict[str, Any] = json.loads(JsonLines().format(record))
    return found


def test_a_line_tells_what_it_is_about_within_its_block_only() -> None:
    with about(game="G1", message=12):
        with about(mail=7):
            inner = line("one")
        outer = line("two")
    assert {key: inner[key] for key in ("game", "message", "mail", "level", "logger", "said")} == {
        "game": "G1",
        "message": "12",
        "mail": "7",
        "level": "warning",
        "logger": "hexpost.x",
        "said": "one",
    }
    assert ("mail" in outer, outer["game"]) == (False, "G1")
    assert set(line("three")) == {"time", "level", "logger", "said"}


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("ann@player.example: 550 no", "<address> 550 no"),
        ("refused (<bruno.b@x.example>)", "refused (<<address>>)"),
        ("to desk+g1-t03-abcdefghjk@desk.example now", "to <address> now"),
        ("subject [G1-t03-abcdefghjk]", "subject [G1-<token>]"),
        ("redis://:sesame@queue/0 is away", "<address> is away"),
        ("secret " + "5a" * 32, "secret <hex>"),
        ("message 12 of G1 at 2026-03-27T20:14:09+00:00", "message 12 of G1 at 2026-03-27T20:14:09+00:00"),
    ],
)
def test_addresses_tokens_and_secrets_are_struck_out(text: str, left: str) -> None:
    assert scrubbed(text) == left
    assert line("%s", text)["said"] == left


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ValueError(ORDER), "ValueError"),
        (KeyError(ORDER), "KeyError"),
        (ServiceRefused({"detail": ORDER}), "ServiceRefused"),
        (IntegrityError("INSERT", {}, Exception(f"Key (line)=({ORDER}) exists")), "IntegrityError"),
        (
            ServiceDown("The rules service cannot be reached (ConnectTimeout)."),
            "ServiceDown: The rules service cannot be reached (ConnectTimeout).",
        ),
        (ServiceFailed("/v1/maps: internal 12ab"), "ServiceFailed: /v1/maps: internal 12ab"),
        (OSError(28, "No space left on device"), "OSError: [Errno 28] No space left on device"),
    ],
)
def test_of_an_error_its_words_are_told_only_where_they_are_our_own_or_the_systems(error: Exception, words: str) -> None:
    found = line("it failed", error=error)
    assert (error_words(error), found["error"]) == (words, words)
    assert found["places"][-1].endswith(" line")
    assert ORDER not in json.dumps(found)


def test_a_database_that_is_away_is_told() -> None:
    assert "database is locked" in error_words(OperationalError("SELECT", {}, Exception("database is locked")))


def test_celery_s_words_on_a_task_that_failed_do_not_repeat_the_error() -> None:
    data = {"name": "hexpost.drain", "description": "raised unexpected", "exc": repr(ValueError(ORDER)), "args": ORDER}
    found = line("Task %(name)s raised: %(exc)s", data, error=ValueError(ORDER), data=data)
    assert (found["said"], found["error"]) == ("task hexpost.drain raised unexpected", "ValueError")


def test_a_text_line_says_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    with about(game="G1", message=3):
        record = logging.LogRecord("hexpost.x", logging.ERROR, "x.py", 1, "sent to %s", ("a@b.example",), None)
        record.created = 0.0
        assert TextLines().format(record) == "1970-01-01T00:00:00.000+00:00 ERROR hexpost.x [game=G1 message=3]: sent to <address>"


def test_whatever_a_worker_logs_of_a_game_that_goes_wrong_names_its_mails_and_tells_nothing_of_them(
    desk: Desk, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG)
    game = desk.start()
    token = reply_to(desk, ANN)
    fails = (ServiceRefused({"detail": f"no such unit: {ORDER} of {ANN}"}), ServiceFailed(f"for {BRUNO}"), RuntimeError(ORDER))
    lines: list[str] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(JsonLines().format(record))

    handler = Kept()
    logging.getLogger().addHandler(handler)
    for number, fault in enumerate(fails):

        def broken(*_: object, raised: Exception = fault) -> Any:
            raise raised

        with monkeypatch.context() as patch:
            patch.setattr(type(desk.rules), "adjudicate", broken)
            desk.drop(orders_mail(token, ANN, f"<{number}@ann>", ORDER))
            for _ in range(4):
                desk.sweep_quietly()
    desk.sender.sent.clear()
    logging.getLogger().removeHandler(handler)
    found = [json.loads(one) for one in lines]
    parked = [one for one in found if one["said"].endswith("is parked")]
    assert [(one["game"], one["error"].partition(":")[0]) for one in parked] == [
        (game, "ServiceRefused"),
        (game, "ServiceFailed"),
        (game, "RuntimeError"),
    ]
    assert all(one["message"].isdecimal() for one in parked)
    secrets = (ANN, BRUNO, ORDER, token.partition("@")[0].rpartition("-")[2], "5a" * 32)
    assert [one for one in lines for secret in secrets if secret in one] == []


@pytest.fixture
def own_log() -> Iterator[None]:
    """The log is set up within the test only."""
    root, ours = logging.getLogger(), logging.getLogger("hexpost")
    kept = (list(root.handlers), root.level, ours.level)
    yield
    logging.captureWarnings(False)
    root.handlers[:], level, own = kept
    root.setLevel(level)
    ours.setLevel(own)


@pytest.mark.parametrize("form", ["json", "text"])
def test_what_serve_says_and_why_it_ends_is_in_the_log(form: str, own_log: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def quickly(config: Config) -> Iterator[Running]:
        with subprocess.Popen([sys.executable, "-c", ""]) as ended:
            ended.wait()
            yield Running(config, tmp_path, {"worker": ended})

    monkeypatch.setattr("worker.serve.running", quickly)
    monkeypatch.setattr("signal.signal", lambda *_: None)
    (tmp_path / "hexpost.toml").write_text(f'log_format = "{form}"\noutbox = "ann@player.example"\n')
    result = CliRunner().invoke(main, ["serve", "--config", str(tmp_path / "hexpost.toml")])
    assert result.exit_code == 2
    assert ("ann@player.example" in result.stderr, result.stderr.count("<address>")) == (False, 1)
    begins, first, last = result.stderr.splitlines()
    assert "hexpost begins to serve" in begins
    if form == "json":
        told = [json.loads(one) for one in (first, last)]
        assert [(one["level"], one["logger"]) for one in told] == [("warning", "hexpost.serve"), ("critical", "hexpost.process")]
        assert told[1]["said"].startswith("worker ended with exit code 0; its log is")
    else:
        assert " WARNING hexpost.serve: hexpost serves " in first
        assert last.startswith("hexpost: worker ended with exit code 0; its log is")

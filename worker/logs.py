"""The log of every process: a line a happening, as text or as JSON, with the game and the mail that it is about.

Nothing that belongs to players gets in: addresses are struck out, and of an error only its kind is told unless its words are our own or the
system's. Orders, tokens and secrets stand in no message of ours, and could stand in those of others.
"""

from __future__ import annotations

import json
import logging
import re
import sys
import traceback
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

from redis.exceptions import RedisError
from sqlalchemy.exc import InterfaceError, OperationalError

from worker.config import Config, ConfigError
from worker.hosting.processes import CannotServe
from worker.ports import ServiceDown, ServiceFailed

_ABOUT: dict[str, ContextVar[str]] = {name: ContextVar(name) for name in ("game", "message", "mail")}
_SPEAKING = (OSError, RedisError, OperationalError, InterfaceError, ServiceDown, ServiceFailed, ConfigError, CannotServe)
"""Errors whose words tell nothing of what players wrote."""
_ADDRESS = re.compile(r"[^\s<>\"'(),;]+@[^\s<>\"'(),;]+")
_TAG = re.compile(r"\b(g[0-9]+)-t[0-9]+-[0-9a-z]{6,}\b", re.IGNORECASE)
_LONG = re.compile(r"\b[0-9a-f]{32,}\b", re.IGNORECASE)


@contextmanager
def about(**known: object) -> Iterator[None]:
    """What is logged in the block is about this: ``game``, ``message`` (a received mail's id), ``mail`` (one that leaves: its id)."""
    with ExitStack() as stack:
        for name, value in known.items():
            token = _ABOUT[name].set(str(value))
            stack.callback(_ABOUT[name].reset, token)
        yield


def known() -> dict[str, str]:
    """What is logged now is about these."""
    return {name: value for name, variable in _ABOUT.items() if (value := variable.get(""))}


def scrubbed(text: str) -> str:
    """``text`` without addresses, without the tokens of reply addresses, and without what may be a secret or a digest."""
    return _LONG.sub("<hex>", _TAG.sub(r"\1-<token>", _ADDRESS.sub("<address>", text)))


def error_words(error: BaseException) -> str:
    """An error's kind, and its words where they may be told."""
    kind = type(error).__qualname__
    return f"{kind}: {scrubbed(' '.join(str(error).split()))}" if isinstance(error, _SPEAKING) and str(error) else kind


def _said(record: logging.LogRecord) -> str:
    data = getattr(record, "data", None)
    if isinstance(data, dict) and {"name", "description"} <= set(data):  # Celery: its own words repeat those of the error
        return f"task {data['name']} {data['description']}"
    return scrubbed(record.getMessage())


def _error(record: logging.LogRecord) -> tuple[str, list[str]]:
    """The error of a record and the places that it came through, outermost first."""
    error = record.exc_info[1] if record.exc_info else None
    if error is None:
        return "", []
    return error_words(error), [f"{one.filename}:{one.lineno} {one.name}" for one in traceback.extract_tb(error.__traceback__)]


class TextLines(logging.Formatter):
    """``time level logger [game message]: words``; of an error, the places that it came through."""

    def format(self, record: logging.LogRecord) -> str:
        """A record as it is written."""
        facts = " ".join(f"{name}={value}" for name, value in known().items())
        head = f"{_time(record)} {record.levelname} {record.name}{f' [{facts}]' if facts else ''}: {_said(record)}"
        error, places = _error(record)
        return "\n".join([head, *(f"    {place}" for place in places), *([f"    {error}"] if error else [])])


class JsonLines(logging.Formatter):
    """An object a line: ``time``, ``level``, ``logger``, ``said``; where they are known ``game``, ``message``, ``mail``, ``error``,
    ``places``.
    """

    def format(self, record: logging.LogRecord) -> str:
        """A record as it is written."""
        line: dict[str, Any] = {"time": _time(record), "level": record.levelname.lower(), "logger": record.name, "said": _said(record)}
        error, places = _error(record)
        return json.dumps(line | known() | ({"error": error, "places": places} if error else {}), ensure_ascii=False)


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")


def set_up_logging(config: Config) -> None:
    """Have this process log to stderr by the settings: warnings of all, and what ours tell of their work."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if config.log_format == "json" else TextLines())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.captureWarnings(True)
    logging.getLogger("hexpost").setLevel(logging.INFO)

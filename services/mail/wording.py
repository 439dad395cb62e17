"""The words of one language, from ``wording/<language>/``: a sentence an event kind, a rejection code, a refusal of a mail.

A game's own file may give any table of ``common.toml`` further words, which come first.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import jinja2

_FOLDER = Path(__file__).parent / "wording"
_KEY = re.compile(r"[a-z][a-z-]{1,40}\Z")


class UnknownLanguage(ValueError):
    """There are no words of that language."""


@dataclass(frozen=True)
class Wording:
    """Tables of words: the game's, then those of every game."""

    language: str
    game: Mapping[str, Mapping[str, Any]]
    common: Mapping[str, Mapping[str, Any]]

    def find(self, table: str, key: str) -> Any:
        """The entry of a table, the game's before the common one, or None."""
        found = self.game.get(table, {}).get(key)
        return self.common.get(table, {}).get(key) if found is None else found

    def has(self, table: str, key: str) -> bool:
        """Whether there are words for something."""
        return self.find(table, key) is not None

    def label(self, key: str) -> str:
        """A caption of the report."""
        return str(self.common["labels"][key])

    def say(self, table: str, key: str, fields: Mapping[str, Any]) -> str | None:
        """The sentence of a table with its fields filled in; None if there is none, or if the fields do not fit it."""
        source = self.find(table, key)
        if source is None:
            return None
        try:
            return " ".join(_compiled(str(source)).render(**fields).split())
        except (jinja2.TemplateError, TypeError, ValueError, KeyError, IndexError, AttributeError):
            return None


@lru_cache(maxsize=1)
def environment() -> jinja2.Environment:
    environment = jinja2.Environment(autoescape=False)
    environment.filters["capitalize_first"] = lambda text: str(text)[:1].upper() + str(text)[1:]
    return environment


@lru_cache(maxsize=4096)
def _compiled(source: str) -> jinja2.Template:
    return environment().from_string(source)


@lru_cache(maxsize=16)
def load_wording(language: str, game: str) -> Wording:
    """The words of a language for a game. UnknownLanguage if there are none; a game without words of its own has the common ones."""
    folder = _FOLDER / language if _KEY.match(language) else None
    if folder is None or not (folder / "common.toml").is_file():
        raise UnknownLanguage(f"no words for language {language[:40]!r}; there are: {', '.join(languages())}")
    common = tomllib.loads((folder / "common.toml").read_text(encoding="utf-8"))
    own = folder / f"{game}.toml" if _KEY.match(game) else None
    mine = tomllib.loads(own.read_text(encoding="utf-8")) if own is not None and own.is_file() else {}
    return Wording(language, mine, common)


def languages() -> list[str]:
    """The languages that there are words of."""
    return sorted(path.parent.name for path in _FOLDER.glob("*/common.toml"))

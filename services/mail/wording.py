"""The words of one language, from ``wording/<language>/``: a sentence an event kind, a rejection code, a refusal of a mail.

A game's own file may give any table of ``common.toml`` further words, which come first.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import jinja2

_FOLDER = Path(__file__).parent / "wording"


class UnknownLanguage(ValueError):
    """There are no words of that language."""


@dataclass(frozen=True)
class Wording:
    """Tables of words: the game's, then those of every game. ``game_key``: which game's."""

    language: str
    game: Mapping[str, Mapping[str, Any]]
    common: Mapping[str, Mapping[str, Any]]
    game_key: str = ""

    def find(self, table: str, key: str) -> Any:
        """The entry of a table, the game's before the common one, or None."""
        found = self.game.get(table, {}).get(key)
        return self.common.get(table, {}).get(key) if found is None else found

    def has(self, table: str, key: str) -> bool:
        """Whether there are words for something."""
        return self.find(table, key) is not None

    def label(self, key: str) -> str:
        """A caption of the report. KeyError if there is none (our bug)."""
        found = self.find("labels", key)
        if found is None:
            raise KeyError(key)
        return str(found)

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
    found = all_words().get(language)
    if found is None:
        raise UnknownLanguage(f"no words for language {language[:40]!r}; there are: {', '.join(languages())}")
    return Wording(language, found.get(game, {}), found["common"], game)


def languages() -> list[str]:
    """The languages that there are words of."""
    return sorted(all_words())


@lru_cache(maxsize=1)
def all_words() -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
    """The tables by language and file (``common``, or a game), all read at once: what changes on disk later is for the next start.

    ValueError, naming the file, if one cannot be read or a sentence of it is malformed.
    """
    return {
        common.parent.name: {path.stem: _read(path) for path in sorted(common.parent.glob("*.toml"))}
        for common in sorted(_FOLDER.glob("*/common.toml"))
    }


def _read(path: Path) -> Mapping[str, Any]:
    where = f"{path.parent.name}/{path.name}"
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as fault:
        raise ValueError(f"the words of {where} cannot be read: {fault}") from fault
    for table, entries in found.items():
        for key, text in entries.items() if isinstance(entries, dict) else ():
            try:
                environment().parse(text if isinstance(text, str) else "")
            except jinja2.TemplateError as fault:
                raise ValueError(f"the words of {where}: [{table}] {key}: {fault}") from fault
    return found

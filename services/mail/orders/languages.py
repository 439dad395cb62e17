"""The order languages by game; the only file here that names all four."""

from __future__ import annotations

from services.mail.orders import beda_fomm, fall_of_tobruk, holdfast, race_for_tunis
from services.mail.orders.verbs import Language

LANGUAGES: dict[str, Language] = {
    language.game: language for language in (holdfast.LANGUAGE, beda_fomm.LANGUAGE, race_for_tunis.LANGUAGE, fall_of_tobruk.LANGUAGE)
}


class UnknownGame(ValueError):
    """There is no order language of that name."""


def language_of(game: str) -> Language:
    """The order language of a game. UnknownGame if there is none."""
    found = LANGUAGES.get(game)
    if found is None:
        raise UnknownGame(f"unknown game {game[:40]!r}; known: {', '.join(LANGUAGES)}")
    return found

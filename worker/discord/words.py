"""What is said in Discord, by its keys in the wording's table ``chat``: the words are the mail service's."""

from __future__ import annotations

from worker.commands.frame import Said
from worker.ports import Mail


def say(mail: Mail, game: str, *said: Said) -> list[str]:
    """The sentences, in order. ``game``: the key of the game whose names are used, or empty. Raises what the mail service raises."""
    return mail.say({"game": game, "table": "chat", "sentences": [one.as_json() for one in said]})

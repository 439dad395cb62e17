"""The commands to the campaign, by the same patterns as the verbs of the games. The only file that names all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from services.mail.commands import clocks, masters, players
from services.mail.orders.verbs import Verb, verb

Needs = Literal["open", "address", "player", "master"]
LEVELS: tuple[Needs, ...] = ("open", "address", "player", "master")
"""Who may give a command, the easiest first: anybody; whoever writes from a player's address (the answer goes there alone); a player with
the token of the open turn; the game master."""


@dataclass(frozen=True)
class Command:
    """A command: how it is written, and who may give it. ``knocks``: a stranger may, whose domain does not vouch for him: all that he can
    bring about by it is one mail to the address that he gives as his own."""

    verb: Verb
    needs: Needs
    knocks: bool = False


def _commands() -> dict[str, Command]:
    made: dict[str, Command] = {}
    for needs, name, patterns, knocks in (*players.COMMANDS, *clocks.COMMANDS, *masters.COMMANDS):
        made[name] = Command(verb(name, *patterns), needs, knocks)
    return made


COMMANDS = _commands()

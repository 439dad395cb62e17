"""How a game describes its battles: which event begins a table, who its rows are, where dice are told, and what belongs below them.

A game's descriptions are data (``battles/<game>.py``); the words of the cells stand in its wording:

* ``[events]`` the title, by the kind of the event that begins the table;
* ``[labels]`` the roles;
* ``[strengths]`` what a row shows at its end, by the field that names the row's units (or ``any``);
* ``[captions]`` and ``[throws]`` a line of dice, by the kind of the event that carries them: its caption, and what came of it;
* ``[help]`` a line of what helped a side, by its field.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of one role, one a unit. ``field``: where the event names them: a list of ids, or of mappings with ``unit`` and maybe ``from``;
    one id or one such mapping; or a mapping from ids to numbers. ``here``: they stand in the hex that is fought over."""

    role: str
    field: str
    here: bool = False


@dataclass(frozen=True, slots=True)
class Layout:
    """A kind of battle. ``begins``: the event that begins its table.  ``rows``: who fights.  ``help``: fields of that event that are told
    as help.  ``dice``: labels of throws of which the event tells the number (``attack_dice``) and ``rolled`` the dice.  ``throws``: kinds
    of events that carry dice of their own, each a line.  ``below``: kinds of events that belong to the battle, told under its dice."""

    begins: str
    rows: tuple[Rows, ...]
    help: tuple[str, ...] = ()
    dice: tuple[str, ...] = ()
    throws: frozenset[str] = frozenset()
    below: frozenset[str] = frozenset()

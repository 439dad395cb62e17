"""What was agreed on for one game besides the options of its rules: how long a side is waited for, and what is done when that is over.

Where nothing was agreed on, the settings count.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from sqlalchemy import Connection, Engine, delete, insert, select

from worker.canonical import Json
from worker.config import Config
from worker.store.clocktables import terms
from worker.store.database import reading
from worker.store.records import Write
from worker.waiting.deadlines import kind_of

KEYS = ("turn", "reaction", "setup", "consent", "absence")
OFFER_HOURS = 14 * 24.0
"""How long the other side may think about a proposal, unless something else is set."""


@dataclass(frozen=True, slots=True)
class Terms:
    """Hours by the class of a decision (0: for ever; ``consent``: for the answer to a proposal), and ``absence`` as in the settings."""

    turn: float
    reaction: float
    setup: float
    consent: float
    absence: str

    def hours(self, view: Json) -> float:
        """The hours that the side of a view has for what it is waited for."""
        return float(getattr(self, kind_of(view)))

    @property
    def timed(self) -> bool:
        """Whether there are deadlines at all."""
        return bool(self.turn or self.reaction or self.setup)

    def with_(self, agreed: Mapping[str, str]) -> Terms:
        """These, but for what was agreed on. Who agrees on the hours of a turn alone means those of the other decisions too."""
        hours = {key: float(agreed[key]) for key in KEYS[:4] if key in agreed}
        rest = {key: hours["turn"] for key in ("reaction", "setup") if "turn" in hours and key not in hours}
        return replace(self, **hours, **rest, absence=agreed.get("absence", self.absence))

    def as_json(self) -> Json:
        """As the wording takes them."""
        return {key: getattr(self, key) for key in KEYS}


def default(config: Config) -> Terms:
    """The terms of the settings."""
    turn = config.deadline_hours
    return Terms(turn, config.reaction_hours or turn, config.setup_hours or turn, config.consent_hours or OFFER_HOURS, config.absence)


def agreed(engine: Engine, game: str) -> dict[str, str]:
    """What was agreed on for a game, running or waiting for players."""
    with reading(engine) as connection:
        rows = connection.execute(select(terms.c.key, terms.c.value).where(terms.c.game == game))
        return {str(key): str(value) for key, value in rows}


def of(engine: Engine, config: Config, game: str) -> Terms:
    """The terms of a game."""
    return default(config).with_(agreed(engine, game))


def agreeing(game: str, values: Mapping[str, str]) -> Write:
    """Enter what was agreed on, in place of what was before."""

    def write(connection: Connection) -> None:
        for key, value in values.items():
            connection.execute(delete(terms).where(terms.c.game == game, terms.c.key == key))
            connection.execute(insert(terms).values(game=game, key=key, value=value))

    return write

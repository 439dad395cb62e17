"""How long each side of a game is waited for: by the terms of the game, its leave, and whether any mail reaches it."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Engine, select

from worker.canonical import Json
from worker.config import Config
from worker.play.news import Views
from worker.ports import Ports
from worker.store.database import reading
from worker.store.records import Deadline, Game
from worker.store.tables import games, paused, players
from worker.waiting import deadlines, terms, vacations
from worker.waiting.deadlines import ADJUTANT


def following(ports: Ports, game: Game, was: Views, after: Views, at: str) -> dict[str, Deadline | None]:
    """How the deadlines of a game change where the views change, leave granted. ``was``: empty where the game begins; ``after``: without
    the sides of the adjutant.
    """
    stored = ports.journal.deadlines(game.id)
    changed = deadlines.following(stored, was, after, at, hours(ports, game.id))
    return vacations.excused(ports.journal.engine, game.id, changed, at)


def hours(ports: Ports, game: str) -> deadlines.Hours:
    """How long a side is waited for in a game, by its view."""
    agreed, silent = terms.of(ports.journal.engine, ports.config, game), silent_sides(ports.journal.engine, game)

    def of(view: Json) -> float:
        return agreed.hours(view) or (ports.config.silent_hours if view.get("side") in silent.get(game, {}) else 0)

    return of


def hours_again(ports: Ports, game: str, deadline: Deadline) -> float:
    """How long a side had whose deadline has passed."""
    return float(getattr(terms.of(ports.journal.engine, ports.config, game), deadline.kind)) or ports.config.silent_hours


def silent_sides(engine: Engine, game: str | None = None) -> dict[str, dict[str, str]]:
    """The sides of running games none of whose addresses mail reaches, and since when: game -> side -> moment."""
    query = select(players.c.game, players.c.side, paused.c.at).join(games, games.c.id == players.c.game)
    query = query.outerjoin(paused, paused.c.address == players.c.address).where(games.c.over.is_(False), players.c.address != ADJUTANT)
    touched = select(players.c.game).join(paused, paused.c.address == players.c.address)
    query = query.where(players.c.game == game if game is not None else players.c.game.in_(touched))
    found: dict[tuple[str, str], list[str | None]] = {}
    with reading(engine) as connection:
        for key, side, at in connection.execute(query):
            found.setdefault((key, side), []).append(at)
    made: dict[str, dict[str, str]] = {}
    for (key, side), moments in sorted(found.items()):
        if all(moments):
            made.setdefault(key, {})[side] = max(str(one) for one in moments)
    return made


def are_acted_on(ports: Ports, game: str, silent: Mapping[str, Mapping[str, str]]) -> bool:
    """Whether the deadlines of a game count: not where its time was unlimited since."""
    return count(ports.journal.engine, ports.config, game, silent)


def count(engine: Engine, config: Config, game: str, silent: Mapping[str, Mapping[str, str]]) -> bool:
    """As ``are_acted_on``, for who has no ports."""
    return terms.of(engine, config, game).timed or game in silent

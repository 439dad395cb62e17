"""What the journal knows of several games, in one query for all of them: a mail's headers may touch twenty, and each is looked into."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import fields
from typing import Any

from sqlalchemy import Connection, func, or_, select

from worker.canonical import Json
from worker.store.records import Game
from worker.store.tables import epochs, games, messages, outbox, players, tokens

MOST_SEEN = 2_000
"""Mails of a game that are kept in mind as possible originals of a copy: whoever floods a game must not make its every mail dear."""
_GAME = [one.name for one in fields(Game) if one.name != "epochs"]


def games_in(connection: Connection, keys: Collection[str]) -> dict[str, Game]:
    """The games of these ids that there are."""
    rows = connection.execute(select(*(games.c[name] for name in _GAME)).where(games.c.id.in_(keys))).mappings().all()
    replaced: dict[str, dict[str, int]] = {}
    for game, side, n in connection.execute(select(epochs.c.game, epochs.c.side, epochs.c.n).where(epochs.c.game.in_(keys))):
        replaced.setdefault(game, {})[side] = n
    found: list[dict[str, Any]] = [dict(row) | {"sides": tuple(row["sides"]), "epochs": replaced.get(row["id"], {})} for row in rows]
    return {one["id"]: Game(**one) for one in found}


def players_in(connection: Connection, keys: Collection[str]) -> dict[str, dict[str, list[str]]]:
    """Game -> side -> the registered addresses of its players."""
    query = select(players.c.game, players.c.side, players.c.address).where(players.c.game.in_(keys)).order_by(players.c.address)
    return _by_side(connection.execute(query))


def tokens_in(connection: Connection, keys: Collection[str]) -> dict[str, dict[str, list[str]]]:
    """Game -> side -> every token that it has had, oldest first."""
    return _by_side(
        connection.execute(select(tokens.c.game, tokens.c.side, tokens.c.token).where(tokens.c.game.in_(keys)).order_by(tokens.c.turn))
    )


def mails_in(connection: Connection, keys: Collection[str], side: str | None = None) -> dict[str, dict[str, list[tuple[str, int]]]]:
    """Game -> side -> the mails that it got, oldest first: Message-ID and the game-turn of the token that it bears."""
    mine = outbox.c.side.is_not(None) if side is None else outbox.c.side == side
    turn = outbox.c.intent["turn"].as_integer()
    query = select(outbox.c.game, outbox.c.side, outbox.c.message_id, turn).where(outbox.c.game.in_(keys), mine)
    rows = connection.execute(query.where(outbox.c.message_id.is_not(None)).order_by(outbox.c.id))
    return _by_side((game, whose, (str(key), int(turn))) for game, whose, key, turn in rows)


def seen_in(connection: Connection, keys: Collection[str]) -> dict[str, list[Json]]:
    """Game -> the last ``MOST_SEEN`` of its mails that were surely a side's, for telling duplicates: game, side, message_id, digest, and
    whether their turn was closed when they came.
    """
    number = func.row_number().over(partition_by=messages.c.game, order_by=messages.c.id.desc()).label("number")
    kept = [messages.c[name] for name in ("id", "game", "side", "message_id", "digest", "verdict")]
    last = (
        select(*kept, number)
        .where(
            messages.c.game.in_(keys),
            messages.c.status != "new",
            messages.c.side.is_not(None),
            or_(messages.c.verdict.in_(("accept", "parked")), messages.c.verdict.like("refuse:%")),
        )
        .subquery()
    )
    found: dict[str, list[Json]] = {}
    for row in connection.execute(select(last).where(last.c.number <= MOST_SEEN).order_by(last.c.id)):
        one = {"game": row.game, "side": row.side, "message_id": row.message_id, "digest": row.digest}
        found.setdefault(row.game, []).append(one | {"closed": row.verdict == "refuse:stale-turn"})
    return found


def _by_side(rows: Any) -> dict[str, dict[str, list[Any]]]:
    found: dict[str, dict[str, list[Any]]] = {}
    for game, side, one in rows:
        found.setdefault(game, {}).setdefault(side, []).append(one)
    return found

"""The SQL journal: the truth about every game. One transaction a message: packet, state, turn record and outgoing mails, or nothing."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import fields
from typing import Any

from sqlalchemy import Connection, Engine, and_, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from worker.canonical import Json, decode, digest
from worker.store.commits import add_commands, add_packet, advance, enter_game, lapsed, link, queue_mails
from worker.store.database import reading, writing
from worker.store.records import STRAY, UNSENT, Closing, Deadline, Game, LostRace, Message, NewState, PacketRow, Start
from worker.store.several import games_in, mails_in, players_in, seen_in, tokens_in
from worker.store.tables import (
    commands,
    deferrals,
    games,
    lobbies,
    looks,
    messages,
    moved,
    outbox,
    packets,
    players,
    snapshots,
    tokens,
    turns,
    undone,
)
from worker.waiting import deadlines

MOST_PLACE = 255
"""The longest place that is kept as it is; of a longer one its beginning and its digest."""


class Journal:
    """Reads and writes of the journal over one database."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    # Games

    def start_game(self, game: Game, state: NewState, start: Start) -> None:
        """Enter a new game with its first state. LostRace if its id is taken."""
        with _fenced(self.engine) as connection:
            enter_game(connection, game, state, start)

    def free_id(self, first: int = 1) -> str:
        """The next game id: ``G1``, ``G2``, ..., from ``first`` on; after the last, but for games that came with higher numbers."""
        with reading(self.engine) as connection:
            taken = {*connection.execute(select(games.c.id)).scalars(), *connection.execute(select(lobbies.c.id)).scalars()}
        number = max(first, len(taken))
        while f"G{number}" in taken:
            number += 1
        return f"G{number}"

    def moved_to(self, game: str) -> str | None:
        """Where another server takes the orders of a game that moved there; None: it is kept here."""
        with reading(self.engine) as connection:
            return connection.scalar(select(moved.c.address).where(moved.c.game == game))

    def game(self, key: str) -> Game | None:
        """A game as it stands, or None."""
        with reading(self.engine) as connection:
            return games_in(connection, [key]).get(key)

    def addresses(self, game: str) -> dict[str, list[str]]:
        """Side -> the registered addresses of its players."""
        with reading(self.engine) as connection:
            return players_in(connection, [game]).get(game, {})

    def theme(self, game: str, side: str) -> str | None:
        """The look of a side's pictures; None: that of the settings."""
        with reading(self.engine) as connection:
            return connection.scalar(select(looks.c.theme).where(looks.c.game == game, looks.c.side == side))

    def set_themes(self, game: str, themes: Mapping[str, str]) -> None:
        """Give sides another look from their next mails on."""
        with writing(self.engine) as connection:
            connection.execute(delete(looks).where(looks.c.game == game, looks.c.side.in_(list(themes))))
            connection.execute(insert(looks), [{"game": game, "side": side, "theme": theme} for side, theme in themes.items()])

    def tokens(self, game: str) -> dict[str, list[str]]:
        """Every token that each side has had, oldest first."""
        with reading(self.engine) as connection:
            return tokens_in(connection, [game]).get(game, {})

    def state(self, game: str, version: int) -> tuple[Json, str]:
        """A stored state and its digest. KeyError if there is none."""
        with reading(self.engine) as connection:
            row = connection.execute(select(snapshots.c.state, snapshots.c.digest).where(_at(snapshots, game, version))).first()
        if row is None:
            raise KeyError((game, version))
        return decode(zlib.decompress(row[0])), row[1]

    def events(self, game: str, after: int, upto: int) -> list[Json]:
        """The events of the states ``after + 1`` to ``upto``, in order, numbered anew from 1; without those that were taken back."""
        gone = select(undone.c.version).where(undone.c.game == game)
        where = and_(turns.c.game == game, turns.c.version > after, turns.c.version <= upto, turns.c.version.not_in(gone))
        with reading(self.engine) as connection:
            stored = connection.execute(select(turns.c.events).where(where).order_by(turns.c.version)).scalars().all()
        found = [one for packed in stored for one in decode(zlib.decompress(packed))]
        return [one | {"n": n} for n, one in enumerate(found, start=1)]

    def chain(self, game: str) -> list[tuple[int, Json, str]]:
        """The turn records: version, record, hash."""
        with reading(self.engine) as connection:
            rows = connection.execute(
                select(turns.c.version, turns.c.record, turns.c.hash).where(turns.c.game == game).order_by(turns.c.version)
            )
            return [(version, decode(record), found) for version, record, found in rows]

    def broken_link(self, game: str) -> int | None:
        """The first version at which the hash chain does not hold, or None."""
        before = ""
        for version, record, found in self.chain(game):
            if link(before, record) != found:
                return version
            before = found
        return None

    def deadlines(self, game: str) -> dict[str, Deadline]:
        """Until when each side is waited for."""
        with reading(self.engine) as connection:
            return deadlines.of(connection, game)

    def overdue(self, now: str) -> list[tuple[str, str, str]]:
        """Game, side and due time of every deadline that has passed, oldest first."""
        with reading(self.engine) as connection:
            return deadlines.before(connection, now)

    # Received mails

    def add_message(self, place: str, raw: bytes, received_at: str, game: str) -> int | None:
        """Enter a received mail; its id, or None where the inbox's ``place`` is known already."""
        row = {"place": _kept(place), "raw": raw, "received_at": received_at, "game": game, "status": "new", "attempts": 0}
        try:
            with writing(self.engine) as connection:
                return int(connection.execute(insert(messages).values(row).returning(messages.c.id)).scalar_one())
        except IntegrityError:
            return None

    def add_received(self, place: str, raw: bytes, received_at: str, game: str) -> int | None:
        """As ``add_message``, for a mail of an inbox in which names may be used again: other bytes under a known place are another mail."""
        if (key := self.add_message(place, raw, received_at, game)) is not None:
            return key
        with reading(self.engine) as connection:
            same = connection.execute(select(messages.c.id).where(messages.c.place == _kept(place), messages.c.raw == raw)).first()
        return None if same is not None else self.add_message(f"{place}#{digest(raw)}", raw, received_at, game)

    def next_message(self, game: str, now: str = "") -> Message | None:
        """The oldest mail of a game that waits. ``now``: none that is put off longer, nor a call (worker/waiting/absent.py) behind one."""
        query = select(messages, deferrals.c.until).outerjoin(deferrals, deferrals.c.message == messages.c.id)
        query = query.where(messages.c.game == game, messages.c.status == "new").order_by(messages.c.id)
        off = and_(deferrals.c.until.is_not(None), deferrals.c.until > now)
        with reading(self.engine) as connection:
            row = connection.execute(query.limit(1)).mappings().first()
            if row is not None and now and row["until"] is not None and row["until"] > now:
                row = connection.execute(query.where(~off, ~messages.c.place.startswith(deadlines.OURS)).limit(1)).mappings().first()
        kept = ("id", "game", "raw", "received_at", "verdict", "place")
        return None if row is None else Message(**{key: row[key] for key in kept})

    def waiting_messages(self, now: str = "") -> list[tuple[str, int]]:
        """Game and id of every mail that waits, oldest first. ``now``: but none that is put off longer."""
        query = select(messages.c.game, messages.c.id).outerjoin(deferrals, deferrals.c.message == messages.c.id)
        query = query.where(messages.c.status == "new").order_by(messages.c.id)
        due = or_(deferrals.c.until.is_(None), deferrals.c.until <= now)
        with reading(self.engine) as connection:
            rows = connection.execute(query.where(due) if now else query)
            return [(game, key) for game, key in rows]

    def waiting(self, game: str) -> tuple[int, int]:
        """How many mails wait to be handled: of a game, and of all games."""
        count = select(func.count()).where(messages.c.status == "new")
        with reading(self.engine) as connection:
            return int(connection.scalar(count.where(messages.c.game == game)) or 0), int(connection.scalar(count) or 0)

    def reassign(self, message: int, game: str) -> None:
        """Put a waiting mail into another game's queue."""
        with writing(self.engine) as connection:
            connection.execute(update(messages).where(messages.c.id == message, messages.c.status == "new").values(game=game))

    def failed_attempt(self, message: int) -> int:
        """Count a failure to handle a mail; how many there are now."""
        with writing(self.engine) as connection:
            connection.execute(update(messages).where(messages.c.id == message).values(attempts=messages.c.attempts + 1))
            return int(connection.scalar(select(messages.c.attempts).where(messages.c.id == message)) or 0)

    def retry_parked(self) -> int:
        """Have parked mails wait again; how many. Not those after which their game took orders: the player has written them anew.

        A mail keeps the count of its attempts: it has one more, and is parked again if that fails.
        """
        later = messages.alias()
        taken = select(later.c.id).where(later.c.game == messages.c.game, later.c.id > messages.c.id, later.c.verdict == "accept")
        with writing(self.engine) as connection:
            parked = update(messages).where(messages.c.status == "parked", ~taken.exists())
            return connection.execute(parked.values(status="new")).rowcount

    def seen(self, game: str) -> list[Json]:
        """The mails of a game that were surely of a side's, for telling duplicates (``several.seen_in``)."""
        with reading(self.engine) as connection:
            return seen_in(connection, [game]).get(game, [])

    # What headers name

    def commands(self, game: str) -> list[Json]:
        """The commands about a game, oldest first."""
        with reading(self.engine) as connection:
            rows = connection.execute(select(commands).where(commands.c.game == game).order_by(commands.c.message, commands.c.place))
            return [dict(row) for row in rows.mappings()]

    def games_of_tokens(self, words: Iterable[str]) -> list[str]:
        """The games of those words that are tokens, in the order of the words."""
        asked = list(dict.fromkeys(words))
        with reading(self.engine) as connection:
            found = {
                row.token: row.game for row in connection.execute(select(tokens.c.token, tokens.c.game).where(tokens.c.token.in_(asked)))
            }
        return list(dict.fromkeys(found[word] for word in asked if word in found))

    def games_of_mails(self, ids: Iterable[str]) -> list[str]:
        """The games in whose mails these Message-IDs left."""
        asked = list(dict.fromkeys(ids))
        query = select(outbox.c.message_id, outbox.c.game).where(outbox.c.message_id.in_(asked), outbox.c.game != STRAY)
        with reading(self.engine) as connection:
            found = {row.message_id: row.game for row in connection.execute(query)}
        return list(dict.fromkeys(found[key] for key in asked if key in found))

    def games_of_addresses(self, addresses: Iterable[str]) -> list[str]:
        """The games that still run and have a player of one of these addresses, newest last."""
        query = select(players.c.game).join(games, games.c.id == players.c.game)
        query = query.where(players.c.address.in_(list(addresses)), games.c.over.is_(False), games.c.id.not_in(select(moved.c.game)))
        query = query.order_by(games.c.created_at, games.c.id)
        with reading(self.engine) as connection:
            return list(dict.fromkeys(connection.execute(query).scalars()))

    # Packets

    def draft(self, game: str, side: str, turn: int) -> PacketRow | None:
        """The last draft of a side in a game-turn that was not carried out."""
        where = and_(packets.c.game == game, packets.c.side == side, packets.c.turn == turn, packets.c.status == "held")
        with reading(self.engine) as connection:
            row = connection.execute(select(packets).where(where).order_by(packets.c.id.desc()).limit(1)).mappings().first()
        return None if row is None else _packet_row(row)

    def has_lapsed_draft(self, game: str, side: str, turn: int) -> bool:
        """Whether a side has a draft of a game-turn before ``turn`` that was never carried out, and was not told so."""
        with reading(self.engine) as connection:
            return connection.execute(select(packets.c.id).where(lapsed(game, turn), packets.c.side == side).limit(1)).first() is not None

    def last_refused(self, game: str, side: str, turn: int) -> PacketRow | None:
        """The last packet of a side in a game-turn, if it was refused; a try (``CHECK``) does not count, refused or not."""
        sent = and_(packets.c.game == game, packets.c.side == side, packets.c.turn == turn)
        with reading(self.engine) as connection:
            rows = connection.execute(select(packets).where(sent).order_by(packets.c.id.desc())).mappings()
            row = next((one for one in rows if not (one["packet"] or {}).get("check")), None)
        return None if row is None or row["status"] != "refused" else _packet_row(row)

    def packet(self, key: str) -> PacketRow | None:
        """A packet by its id."""
        with reading(self.engine) as connection:
            row = connection.execute(select(packets).where(packets.c.id == key)).mappings().first()
        return None if row is None else _packet_row(row)

    def told(self, game: str, side: str) -> int:
        """The version up to which a side has been told of its game."""
        query = select(func.max(outbox.c.version)).where(outbox.c.game == game, outbox.c.side == side, outbox.c.status != UNSENT)
        with reading(self.engine) as connection:
            return int(connection.scalar(query) or 0)

    def told_to(self, game: str, side: str) -> dict[str, int]:
        """The version up to which each address of a side has been told, of those that have been told anything."""
        here = (outbox.c.game == game, outbox.c.side == side, outbox.c.status != UNSENT)
        query = select(outbox.c.version, outbox.c.intent).where(*here)
        found: dict[str, int] = {}
        with reading(self.engine) as connection:
            for version, intent in connection.execute(query):
                if intent["facts"].get("news"):
                    found[intent["to"]] = max(version, found.get(intent["to"], 0))
        return found

    def mails_to(self, game: str, side: str) -> list[tuple[str, int]]:
        """The mails that a side got, oldest first: Message-ID and the game-turn of the token that it bears."""
        with reading(self.engine) as connection:
            return mails_in(connection, [game], side).get(game, {}).get(side, [])

    def mails_with(self, game: str, side: str, tokens: Collection[str]) -> set[str]:
        """The Message-IDs of those mails to a side that bear one of these tokens."""
        query = select(outbox.c.message_id, outbox.c.intent).where(outbox.c.game == game, outbox.c.side == side)
        with reading(self.engine) as connection:
            rows = connection.execute(query.where(outbox.c.message_id.is_not(None)))
            return {str(key) for key, intent in rows if intent.get("token") in tokens}

    def close(self, closing: Closing) -> None:
        """Commit all that a received mail leads to. LostRace if the mail is closed already, or the game's state has moved on."""
        with _fenced(self.engine) as connection:
            values = {
                "status": closing.status,
                "verdict": closing.verdict,
                "game": closing.game,
                "side": closing.side,
                "message_id": closing.message_id,
                "digest": closing.digest,
            }
            done = connection.execute(update(messages).where(messages.c.id == closing.message, messages.c.status == "new").values(values))
            if done.rowcount != 1:
                raise LostRace(f"message {closing.message} is closed already")
            if closing.packet is not None:
                add_packet(connection, closing, closing.packet)
                now = closing.state.turn if closing.state is not None else closing.packet.turn
                told = and_(lapsed(closing.game, now), packets.c.side.in_(closing.lapsed))
                connection.execute(update(packets).where(told).values(status="lapsed"))
            if closing.state is not None:
                advance(connection, closing, closing.state)
            queue_mails(connection, closing.game, closing.intents)
            deadlines.keep(connection, closing.game, closing.deadlines)
            deadlines.call(connection, closing.game, closing.calls, closing.at)
            add_commands(connection, closing)
            for write in closing.also:
                write(connection)


class _fenced:  # noqa: N801 - used as a context manager, like those it wraps
    """A writing transaction in which a taken key means that somebody else was first."""

    def __init__(self, engine: Engine) -> None:
        self._context = writing(engine)

    def __enter__(self) -> Connection:
        return self._context.__enter__()

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self._context.__exit__(kind, error, trace)
        if isinstance(error, IntegrityError):
            raise LostRace(str(error.orig)) from error


def _kept(place: str) -> str:
    """A place as it stands in the journal."""
    if len(place) <= MOST_PLACE:
        return place
    return f"{place[: MOST_PLACE - 65]}#{digest(place.encode(errors='surrogateescape'))}"


def _at(table: Any, game: str, version: int) -> Any:
    return and_(table.c.game == game, table.c.version == version)


def _packet_row(row: Any) -> PacketRow:
    return PacketRow(**{one.name: row[one.name] for one in fields(PacketRow)})

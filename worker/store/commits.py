"""What a commit is made of: each function writes one part of it, in the transaction of the journal's that it is given."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

from sqlalchemy import Connection, and_, insert, select, update

from worker.canonical import Json, canonical, digest
from worker.play.throws import rolled_in, thrown
from worker.store.records import Closing, Game, Intent, LostRace, NewState, PacketRow, Start
from worker.store.tables import commands, games, looks, outbox, packets, players, snapshots, tokens, turns, undone
from worker.waiting import deadlines


def link(before: str, record: Json) -> str:
    """The hash of a turn record that follows the one of hash ``before``."""
    return digest(before.encode() + canonical(record))


def enter_game(connection: Connection, game: Game, state: NewState, start: Start) -> None:
    """Enter a new game with its first state, players, tokens and mails."""
    values = {one.name: getattr(game, one.name) for one in fields(game) if one.name != "epochs"}
    values |= {"sides": list(game.sides), "head": "", "created_at": start.at}
    connection.execute(insert(games).values(values))
    for side, addresses in start.addresses.items():
        for address in addresses:
            connection.execute(insert(players).values(game=game.id, side=side, address=address))
    for side, theme in start.themes.items():
        connection.execute(insert(looks).values(game=game.id, side=side, theme=theme))
    add_tokens(connection, game.id, state.turn, start.tokens)
    append(connection, game.id, "", state, "")
    queue_mails(connection, game.id, start.mails)
    deadlines.keep(connection, game.id, start.deadlines)
    deadlines.call(connection, game.id, start.calls, start.at)
    for write in start.also:
        write(connection)


def lapsed(game: str, turn: int) -> Any:
    """The drafts of a game that are of a game-turn before ``turn``, and not announced as such."""
    return and_(packets.c.game == game, packets.c.status == "held", packets.c.turn < turn)


def add_tokens(connection: Connection, game: str, turn: int, live: Mapping[str, str]) -> None:
    for side, token in live.items():
        connection.execute(insert(tokens).values(token=token, game=game, side=side, turn=turn))


def queue_mails(connection: Connection, game: str, mails: Iterable[Intent]) -> None:
    for mail in mails:
        row = {
            "game": game,
            "key": mail.key,
            "side": mail.side,
            "intent": mail.data,
            "version": mail.version,
            "message_id": mail.message_id,
        }
        connection.execute(insert(outbox).values(row | {"status": "waiting", "attempts": 0}))


def append(connection: Connection, game: str, before: str, new: NewState, packet: str) -> str:
    record = new.record | {"throws": thrown(connection, game, new.version - 1) + len(rolled_in(new.events))}
    hashed = link(before, record)
    connection.execute(
        insert(turns).values(
            game=game,
            version=new.version,
            packet=packet,
            record=canonical(record).decode(),
            events=zlib.compress(canonical(new.events)),
            hash=hashed,
        )
    )
    stored = {"state": zlib.compress(canonical(new.state)), "digest": new.digest}
    connection.execute(insert(snapshots).values(game=game, version=new.version, **stored))
    connection.execute(update(games).where(games.c.id == game).values(head=hashed))
    return hashed


def add_packet(connection: Connection, closing: Closing, packet: PacketRow) -> None:
    row = {one.name: getattr(packet, one.name) for one in fields(packet)}
    connection.execute(insert(packets).values(game=closing.game, message=closing.message, **row))
    connection.execute(update(games).where(games.c.id == closing.game).values(packets=games.c.packets + 1))
    if closing.played is not None:
        drafts = and_(packets.c.game == closing.game, packets.c.side == packet.side, packets.c.status == "held")
        connection.execute(update(packets).where(drafts).values(status="played"))


def advance(connection: Connection, closing: Closing, new: NewState) -> None:
    head = connection.scalar(select(games.c.head).where(games.c.id == closing.game))
    moved = update(games).where(games.c.id == closing.game, games.c.version == new.version - 1)
    values: dict[str, Any] = {"version": new.version, "turn": new.turn, "over": new.over}
    if new.n is not None:
        values["n"] = new.n
    if new.branch is not None:
        values["branch"] = new.branch
    for version in new.undone:
        connection.execute(insert(undone).values(game=closing.game, version=version, by=new.version))
    if connection.execute(moved.values(values)).rowcount != 1:
        raise LostRace(f"{closing.game} is not at version {new.version - 1} any more")
    append(connection, closing.game, str(head), new, closing.packet.id if closing.packet else "")
    add_tokens(connection, closing.game, new.turn, closing.tokens)


def add_commands(connection: Connection, closing: Closing) -> None:
    for place, command in enumerate(closing.commands):
        row = {one.name: getattr(command, one.name) for one in fields(command)}
        connection.execute(insert(commands).values(message=closing.message, place=place, game=closing.game, at=closing.at, **row))

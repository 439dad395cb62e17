"""What commands keep in the journal: offers that wait for a yes, lobbies, copies, watchers, preferences. Writes are made for a closing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, Engine, and_, delete, func, insert, or_, select, update

from worker.bots.ending import ending
from worker.canonical import Json, decode
from worker.post.links import revoking
from worker.store.commits import add_tokens
from worker.store.database import reading
from worker.store.records import LostRace, Write
from worker.store.tables import (
    copies,
    epochs,
    lobbies,
    modules,
    offers,
    outbox,
    packets,
    players,
    preferences,
    seats,
    spectators,
    turns,
    undone,
)
from worker.waiting.deadlines import later

DAYS = 14
"""How long an offer stands."""


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that waits for a yes. ``address``: of the one who must say it, or None: the players of ``side`` must."""

    code: str
    kind: str
    game: str
    side: str | None
    address: str | None
    asker: str
    data: Json
    at: str

    def written(self, days: float = DAYS) -> Write:
        """Enter it."""
        row = {name: getattr(self, name) for name in self.__slots__}
        row |= {"status": "open", "expires": later(self.at, 24 * days)}

        def write(connection: Connection) -> None:
            connection.execute(insert(offers).values(row))

        return write

    def settled(self, status: str) -> Write:
        """Close it: ``taken``, ``refused`` or ``void``. LostRace if somebody else was first."""

        def write(connection: Connection) -> None:
            mine = update(offers).where(offers.c.code == self.code, offers.c.status == "open")
            if connection.execute(mine.values(status=status)).rowcount != 1:
                raise LostRace(f"offer {self.code} is settled already")

        return write


def offer(engine: Engine, code: str, now: str) -> Offer | None:
    """The open offer of a code, if it has not lapsed."""
    return next(iter(_offers(engine, now, offers.c.code == code)), None)


def answered(engine: Engine, code: str, address: str, game: str, side: str) -> str | None:
    """``taken`` or ``refused``: what an offer to an address, or to a side, was answered with; None where it waits, or there is none."""
    asked = or_(offers.c.address == address, and_(offers.c.address.is_(None), offers.c.game == game, offers.c.side == side))
    query = select(offers.c.status).where(offers.c.code == code, offers.c.status.in_(("taken", "refused")), asked)
    with reading(engine) as connection:
        return connection.scalar(query)


def home_of(engine: Engine, code: str) -> str | None:
    """The game that an offer is about, settled or not."""
    with reading(engine) as connection:
        return connection.scalar(select(offers.c.game).where(offers.c.code == code))


def taken_copy(engine: Engine, code: str, address: str) -> Offer | None:
    """The offer of copies that an address has accepted under a code."""
    query = select(*(offers.c[name] for name in Offer.__slots__)).where(offers.c.code == code, offers.c.address == address)
    with reading(engine) as connection:
        row = connection.execute(query.where(offers.c.kind == "copy", offers.c.status == "taken")).mappings().first()
    return None if row is None else Offer(**row)


def offers_to(engine: Engine, now: str, game: str, side: str) -> list[Offer]:
    """The open offers that the players of a side may answer."""
    return _offers(engine, now, offers.c.game == game, offers.c.side == side, offers.c.address.is_(None), offers.c.kind != "link")


def offers_in(engine: Engine, now: str, game: str, kind: str) -> list[Offer]:
    """The open offers of a kind in a game."""
    return _offers(engine, now, offers.c.game == game, offers.c.kind == kind)


def offers_for(engine: Engine, now: str, address: str) -> list[Offer]:
    """The open offers to an address."""
    return _offers(engine, now, offers.c.address == address)


def offers_since(engine: Engine, since: str, kinds: tuple[str, ...]) -> int:
    """How many offers of some kinds were made since a moment."""
    with reading(engine) as connection:
        return int(connection.scalar(select(func.count()).select_from(offers).where(offers.c.at >= since, offers.c.kind.in_(kinds))) or 0)


def offers_lately(engine: Engine, since: str, *, address: str | None = None, game: str = "", kind: str = "", side: str = "") -> int:
    """How many offers were made since a moment, settled or not: to an address, or of a kind to the players of a side."""
    of = [offers.c.address == address] if address else [offers.c.game == game, offers.c.kind == kind, offers.c.side == side]
    with reading(engine) as connection:
        return int(connection.scalar(select(func.count()).select_from(offers).where(offers.c.at >= since, *of)) or 0)


def _offers(engine: Engine, now: str, *where: object) -> list[Offer]:
    names = [offers.c[name] for name in Offer.__slots__]
    query = select(*names).where(offers.c.status == "open", offers.c.expires > now, *where).order_by(offers.c.at, offers.c.code)  # type: ignore[arg-type]
    with reading(engine) as connection:
        return [Offer(**row) for row in connection.execute(query).mappings()]


# What was done last


def last_records(engine: Engine, game: str, most: int = 40) -> list[tuple[int, str, Json]]:
    """The newest turn records of a game that were not taken back: version, packet and record, the newest first."""
    gone = select(undone.c.version).where(undone.c.game == game)
    query = select(turns.c.version, turns.c.packet, turns.c.record).where(turns.c.game == game, turns.c.version.not_in(gone))
    with reading(engine) as connection:
        rows = connection.execute(query.order_by(turns.c.version.desc()).limit(most))
        return [(version, packet, decode(record)) for version, packet, record in rows]


def last_news(engine: Engine, game: str, side: str) -> Json | None:
    """What the last report of a side that told it something new was made of."""
    query = select(outbox.c.intent).where(outbox.c.game == game, outbox.c.side == side, outbox.c.status != "parked")
    with reading(engine) as connection:
        rows = connection.execute(query.order_by(outbox.c.id.desc())).scalars()
        return next((one for one in rows if one["facts"].get("news") and one.get("token")), None)


def forgetting_modules(game: str, address: str) -> Write:
    """Nobody remembers which module for VASSAL an address has: it is sent with its next mail."""

    def write(connection: Connection) -> None:
        connection.execute(delete(modules).where(modules.c.game == game, modules.c.address == address))

    return write


def taking_back(packet: str) -> Write:
    """A packet is undone."""

    def write(connection: Connection) -> None:
        connection.execute(update(packets).where(packets.c.id == packet).values(status="undone"))

    return write


# Games that wait for players


@dataclass(frozen=True, slots=True)
class Seat:
    """Who has taken a side, and his word for the dice."""

    side: str
    address: str
    word: str
    token: str


@dataclass(frozen=True, slots=True)
class Lobby:
    """A game that waits for players."""

    id: str
    scenario: str
    options: Json
    sides: tuple[str, ...]
    secret: str
    founder: str
    seats: tuple[Seat, ...] = ()

    @property
    def free(self) -> list[str]:
        """The sides that nobody has taken."""
        taken = {one.side for one in self.seats}
        return [side for side in self.sides if side not in taken]

    def seat_of(self, address: str) -> Seat | None:
        """The seat of an address."""
        return next((one for one in self.seats if one.address == address), None)

    def opened(self, at: str) -> Write:
        """Enter it, without its seats. LostRace if its id is taken."""
        row = {name: getattr(self, name) for name in ("id", "scenario", "options", "secret", "founder")}
        row |= {"sides": list(self.sides), "status": "open", "created_at": at}

        def write(connection: Connection) -> None:
            connection.execute(insert(lobbies).values(row))

        return write

    def closed(self, status: str) -> Write:
        """It is ``started`` or ``dropped``. LostRace if it waits no more."""

        def write(connection: Connection) -> None:
            mine = update(lobbies).where(lobbies.c.id == self.id, lobbies.c.status == "open")
            if connection.execute(mine.values(status=status)).rowcount != 1:
                raise LostRace(f"{self.id} waits for players no more")

        return write

    def seated(self, seat: Seat) -> Write:
        """Enter who takes a side. LostRace if another was first."""

        def write(connection: Connection) -> None:
            row = {"game": self.id, "side": seat.side, "address": seat.address, "word": seat.word, "token": seat.token}
            if connection.scalar(select(lobbies.c.status).where(lobbies.c.id == self.id)) != "open":
                raise LostRace(f"{self.id} waits for players no more")
            connection.execute(insert(seats).values(row))

        return write


def lobby(engine: Engine, key: str) -> Lobby | None:
    """A game that waits for players, or None."""
    with reading(engine) as connection:
        row = connection.execute(select(lobbies).where(lobbies.c.id == key, lobbies.c.status == "open")).mappings().first()
        taken = connection.execute(select(seats).where(seats.c.game == key).order_by(seats.c.side)).mappings().all()
    if row is None:
        return None
    found = tuple(Seat(one["side"], one["address"], one["word"], one["token"]) for one in taken)
    return Lobby(row["id"], row["scenario"], row["options"], tuple(row["sides"]), row["secret"], row["founder"], found)


def lobbies_of(engine: Engine, *, founder: str | None = None, address: str | None = None, tokens: list[str] | None = None) -> list[str]:
    """The open lobbies of a founder, in which an address has a seat, or to which tokens belong; the newest last."""
    query = select(lobbies.c.id).where(lobbies.c.status == "open").order_by(lobbies.c.created_at, lobbies.c.id)
    if founder is not None:
        query = query.where(lobbies.c.founder == founder)
    if address is not None:
        query = query.where(lobbies.c.id.in_(select(seats.c.game).where(seats.c.address == address)))
    if tokens is not None:
        query = query.where(lobbies.c.id.in_(select(seats.c.game).where(seats.c.token.in_(tokens))))
    with reading(engine) as connection:
        return list(connection.execute(query).scalars())


# Who else is written to


def spectators_of(engine: Engine, game: str) -> list[str]:
    """Who watches a game."""
    with reading(engine) as connection:
        return list(
            connection.execute(select(spectators.c.address).where(spectators.c.game == game).order_by(spectators.c.address)).scalars()
        )


def watched_by(engine: Engine, address: str) -> list[str]:
    """The games that an address watches."""
    with reading(engine) as connection:
        return list(connection.execute(select(spectators.c.game).where(spectators.c.address == address)).scalars())


def watching(game: str, address: str, *, on: bool) -> Write:
    """Have somebody watch a game, or no more."""
    here = (spectators.c.game == game, spectators.c.address == address)

    def write(connection: Connection) -> None:
        connection.execute(delete(spectators).where(*here))
        if on:
            connection.execute(insert(spectators).values(game=game, address=address))

    return write


def copies_of(engine: Engine, game: str, side: str) -> list[str]:
    """Who gets copies of a side's mails."""
    with reading(engine) as connection:
        query = select(copies.c.address).where(copies.c.game == game, copies.c.side == side).order_by(copies.c.address)
        return list(connection.execute(query).scalars())


def copying(game: str, side: str, address: str | None, *, on: bool) -> Write:
    """Have somebody get copies, or no more; ``address`` None: nobody does."""
    here = [copies.c.game == game, copies.c.side == side, *([copies.c.address == address] if address else [])]

    def write(connection: Connection) -> None:
        connection.execute(delete(copies).where(*here))
        if on and address:
            connection.execute(insert(copies).values(game=game, side=side, address=address))

    return write


def ending_copies(game: str, side: str, asker: str) -> Write:
    """End the copies that a player of a side has had sent to somebody, and close their links."""

    def write(connection: Connection) -> None:
        asked = (offers.c.game == game, offers.c.side == side, offers.c.kind == "copy", offers.c.status == "taken", offers.c.asker == asker)
        for address in connection.execute(select(offers.c.address).where(*asked).distinct()).scalars().all():
            copying(game, side, address, on=False)(connection)
            revoking(game, side, address)(connection)

    return write


def preferences_in(engine: Engine, game: str, key: str) -> dict[str, str]:
    """Address -> what it has chosen."""
    with reading(engine) as connection:
        query = select(preferences.c.address, preferences.c.value).where(preferences.c.game == game, preferences.c.key == key)
        return {str(address): str(value) for address, value in connection.execute(query)}


def preferring(game: str, address: str, key: str, value: str | None) -> Write:
    """Enter what somebody has chosen; None: he has chosen nothing."""
    here = (preferences.c.game == game, preferences.c.address == address, preferences.c.key == key)

    def write(connection: Connection) -> None:
        connection.execute(delete(preferences).where(*here))
        if value is not None:
            connection.execute(insert(preferences).values(game=game, address=address, key=key, value=value))

    return write


# Who plays


def joining(game: str, side: str, address: str) -> Write:
    """Enter one more player of a side."""

    def write(connection: Connection) -> None:
        connection.execute(insert(players).values(game=game, side=side, address=address))

    return write


def leaving(game: str, side: str, address: str) -> Write:
    """A player of a side is one no more; what acts for him elsewhere ends."""

    def write(connection: Connection) -> None:
        gone = delete(players).where(players.c.game == game, players.c.side == side, players.c.address == address)
        if connection.execute(gone).rowcount != 1:
            raise LostRace(f"{address} plays {side} of {game} no more")
        ending(game, side, address)(connection)

    return write


def voiding_drafts(game: str, side: str) -> Write:
    """What a side has stored and sent in vain counts no more: its player was replaced."""

    def write(connection: Connection) -> None:
        stored = (packets.c.game == game, packets.c.side == side, or_(packets.c.status == "held", packets.c.status == "refused"))
        connection.execute(update(packets).where(*stored).values(status="void"))

    return write


def renewing_tokens(game: str, side: str, epoch: int, turn: int, tokens: Mapping[str, str]) -> Write:
    """A side has new tokens from now on, as its ``epoch`` is another."""

    def write(connection: Connection) -> None:
        connection.execute(delete(epochs).where(epochs.c.game == game, epochs.c.side == side))
        connection.execute(insert(epochs).values(game=game, side=side, n=epoch))
        add_tokens(connection, game, turn, {side: tokens[side]})

    return write

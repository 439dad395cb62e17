"""Games that have waited too long for their players are given up; whoever has a seat is told."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import Connection, select, update

from worker.commands import store
from worker.ports import Ports
from worker.store.database import reading, writing
from worker.store.records import LostRace, Write
from worker.store.tables import lobbies, offers
from worker.waiting import telling


def give_up(ports: Ports) -> list[str]:
    """Close the games that have waited longer than the settings allow; their ids."""
    if not ports.config.lobby_days:
        return []
    now = ports.now()
    first = (datetime.fromisoformat(now) - timedelta(days=ports.config.lobby_days)).isoformat()
    query = select(lobbies.c.id, lobbies.c.created_at).where(lobbies.c.status == "open", lobbies.c.created_at <= first)
    with reading(ports.journal.engine) as connection:
        rows = [(str(key), str(at)) for key, at in connection.execute(query.order_by(lobbies.c.created_at))]
    return [key for key, at in rows if _given_up(ports, key, at, now)]


def _given_up(ports: Ports, key: str, since: str, now: str) -> bool:
    lobby = store.lobby(ports.journal.engine, key)
    if lobby is None:
        return False
    said = telling.said("lobby-lapsed", game=key, scenario=lobby.scenario, free=lobby.free, since=since)
    told = [telling.to_anybody(one.address, f"lapsed/{key}/{one.side}", now, telling.part(said)) for one in lobby.seats]
    try:
        with writing(ports.journal.engine) as connection:
            for write in (lobby.closed("dropped"), _void(key), *told):
                write(connection)
    except LostRace:  # its last player has come just now
        return False
    return True


def _void(key: str) -> Write:
    """Nobody who was invited can accept any more."""

    def write(connection: Connection) -> None:
        connection.execute(update(offers).where(offers.c.game == key, offers.c.status == "open").values(status="void"))

    return write

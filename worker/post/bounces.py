"""Mails of ours that did not arrive, or were not even taken: the address is paused, and the game master told, for its owner cannot be."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from sqlalchemy import Connection, Engine, delete, insert, select

from worker.canonical import Json
from worker.hosting.alerts import Alert, entering
from worker.ports import Ports
from worker.store.database import reading, writing
from worker.store.records import STRAY, Message, Outgoing, Write
from worker.store.tables import outbox, paused


def writes_of(ports: Ports, message: Message, seen_as: Json) -> tuple[Write, ...]:
    """What a hard bounce leads to, in the transaction that closes it.

    Anybody can write one: it counts only if it returns a mail of ours, whose Message-ID but its addressee nobody knows, and an address is
    paused only if that mail went there.
    """
    if seen_as["verdict"] != "drop:bounce-hard":
        return ()
    failed = {str(one).lower() for one in seen_as.get("bounced", [])}
    found: list[Write] = []
    for game, address in _addressees(ports.journal.engine, seen_as.get("returned", [])):
        dead = address in failed
        kind, about = ("address-dead", address) if dead else ("not-arrived", f"{address} {message.received_at[:10]}")
        facts = {"address": address, "failed": sorted(failed)[:3]}
        if dead and address in paused_of(ports.journal.engine, [address]):
            continue
        found += [_pausing(address, message.received_at)] if dead else []
        found.append(entering(ports.config, Alert(kind, f"{about} {message.id if dead else ''}", message.received_at, game, facts)))
    return tuple(found)


def refusing(ports: Ports, waiting: Outgoing, why: str) -> tuple[Write, ...]:
    """What follows where the mail server says that the address of a mail takes none: as with a bounce. ``why``: what it said."""
    address, now = str(waiting.data["to"]).lower(), ports.now()
    if address in paused_of(ports.journal.engine, [address]):
        return ()
    game = waiting.game if waiting.game != STRAY else None
    facts = {"address": address, "failed": [address], "said": why[:300]}
    return _pausing(address, now), entering(ports.config, Alert("address-dead", f"{address} mail {waiting.id}", now, game, facts))


def _addressees(engine: Engine, ids: Iterable[str]) -> list[tuple[str, str]]:
    """Game and address of the mails of these ids that went to players."""
    query = select(outbox.c.game, outbox.c.intent).where(outbox.c.message_id.in_(list(ids)[:20]), outbox.c.game != STRAY)
    with reading(engine) as connection:
        return list(dict.fromkeys((game, str(intent["to"]).lower()) for game, intent in connection.execute(query)))


def _pausing(address: str, at: str) -> Write:
    def write(connection: Connection) -> None:
        connection.execute(delete(paused).where(paused.c.address == address))
        connection.execute(insert(paused).values(address=address, at=at))

    return write


def paused_of(engine: Engine, addresses: Collection[str]) -> set[str]:
    """Those of the addresses that are paused."""
    with reading(engine) as connection:
        return set(connection.execute(select(paused.c.address).where(paused.c.address.in_(list(addresses)))).scalars())


def resume(engine: Engine, address: str) -> bool:
    """Mail goes to an address again; whether it was paused."""
    if not address or not paused_of(engine, [address]):
        return False
    with writing(engine) as connection:
        return connection.execute(delete(paused).where(paused.c.address == address)).rowcount > 0

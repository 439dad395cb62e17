"""An installation with so many games, and so many mails of orders at once: packets a second, and how long a player waits for his answer.

The games are copies of one that was begun in the usual way, under ids, secrets of dice and tokens of their own. The mails give standing
orders: each is a packet that changes its game, and is answered with a report and its map.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, insert, select

from tests.chaos.world import World, installation, services
from worker.app import make_parts
from worker.play.games import new_game
from worker.post.context import side_tokens
from worker.post.postbox import Postbox
from worker.store.database import open_database, reading, writing
from worker.store.journal import Journal
from worker.store.records import Game
from worker.store.tables import games, outbox, packets, players, snapshots, tokens, turns

SCENARIO = "holdfast/campaign-1"
ORDERS = "STANDING ON LOSSES LOSE PAVIA\nEND\n"
OTHER = "STANDING ON LOSSES LOSE TRENTO\nEND\n"
PATIENCE = 300.0
SETTINGS: dict[str, Any] = {"scale": 2400, "lease": 60.0, "sweep": 30.0, "shards": 4}


@dataclass(frozen=True, slots=True)
class Figures:
    """Of one load: packets a second, and seconds from a mail's arrival to its answer's, sorted."""

    rate: float
    waits: Sequence[float]

    @property
    def p95(self) -> float:
        """What 95 of a hundred players wait at most."""
        return self.waits[min(len(self.waits) - 1, len(self.waits) * 95 // 100)]


@dataclass
class Site:
    """An installation under load. ``games``: all there are."""

    world: World
    games: list[Game]
    box: Postbox

    def burst(self, mails: int, every: float = 0.0) -> Figures:
        """As many mails, each of another game, at once or ``every`` so many seconds; returns when all are answered."""
        step = max(1, len(self.games) // mails)
        chosen = [self.games[number * step % len(self.games)] for number in range(mails)]
        return self._measured([(game, ORDERS) for game in chosen], every)

    def one_game(self, mails: int) -> tuple[Figures, list[int]]:
        """As many mails of one game at once, and the journal's numbers of those mails in the order of their packets."""
        found = self._measured([(self.games[-1], (ORDERS, OTHER)[number % 2]) for number in range(mails)], 0.0)
        engine = open_database(self.world.config.database)
        query = select(packets.c.message).where(packets.c.game == self.games[-1].id).order_by(packets.c.id)
        with reading(engine) as connection:
            order = [int(one) for one in connection.execute(query).scalars()]
        engine.dispose()
        return found, order

    def _measured(self, mails: Sequence[tuple[Game, str]], every: float) -> Figures:
        begun: dict[str, float] = {}
        waits: dict[str, float] = {}
        began = time.time()
        for number, (game, text) in enumerate(mails):
            self._until(began + number * every, begun, waits)
            key = f"<load.{time.time_ns()}.{number}@player.example>"
            begun[key] = time.time()
            self.box.deliver(orders_mail(game, text, key))
        self._until(began + PATIENCE, begun, waits, all_of_them=True)
        assert len(waits) == len(mails), f"{len(mails) - len(waits)} of {len(mails)} mails have no answer after {PATIENCE:g} s"
        ended = max(begun[key] + wait for key, wait in waits.items())
        return Figures(len(mails) / (ended - began), sorted(waits.values()))

    def _until(self, moment: float, begun: dict[str, float], waits: dict[str, float], *, all_of_them: bool = False) -> None:
        """Note when answers come, up to a moment, or until all are there."""
        while time.time() < moment and not (all_of_them and len(waits) == len(begun)):
            for mail in self.box.look():
                key = str(mail["In-Reply-To"]).strip()
                if key in begun:
                    waits[key] = time.time() - begun[key]
            time.sleep(0.01)


@contextmanager
def site(count: int, workers: int = 2) -> Iterator[Site]:
    """An installation with ``count`` games and so many workers, ended with the block."""
    names = tuple(f"worker-{number}" for number in range(workers))
    with (
        tempfile.TemporaryDirectory(prefix="hexpost-load-") as base,
        tempfile.TemporaryDirectory(prefix="hexpost-load-") as folder,
        services(Path(base), workers=2) as served,
        installation(served, Path(folder), workers=names, **SETTINGS) as found,
    ):
        box = Postbox(found.config.inbox, found.config.outbox)
        made = begin_games(found, count)
        yield Site(found, made, box)


def begin_games(found: World, count: int) -> list[Game]:
    """``count`` games of which all start mails are sent."""
    ports = make_parts(found.config).ports
    first = new_game(ports, SCENARIO, {"axis": [address("G1", "axis")], "allied": [address("G1", "allied")]}, {})
    journal, engine = Journal(ports.journal.engine), ports.journal.engine
    until = time.monotonic() + PATIENCE
    while sum(1 for _ in (found.config.outbox / "new").iterdir()) < 2:
        assert time.monotonic() < until, "the first game's mails do not leave"
        time.sleep(0.05)
    game = journal.game(first.id)
    assert game is not None
    made = [game]
    with writing(engine) as connection:
        rows = {table: _rows(connection, table, first.id) for table in (games, turns, snapshots, outbox)}
        for number in range(2, count + 1):
            made.append(_copied(connection, rows, replace(game, id=f"G{number}")))
    engine.dispose()
    return made


def _rows(connection: Connection, table: Any, game: str) -> list[dict[str, Any]]:
    key = table.c.id if table is games else table.c.game
    return [dict(row) for row in connection.execute(select(table).where(key == game)).mappings()]


def _copied(connection: Connection, rows: dict[Any, list[dict[str, Any]]], game: Game) -> Game:
    for table, found in rows.items():
        for row in found:
            own = {"id": game.id} if table is games else {"game": game.id}
            own |= {"message_id": f"<{game.id}.{row['id']}@hexpost.example>"} if table is outbox else {}
            kept = {name: value for name, value in row.items() if name != "id"}
            connection.execute(insert(table).values(kept | own))
    for side, token in side_tokens(game).items():
        connection.execute(insert(players).values(game=game.id, side=side, address=address(game.id, side)))
        connection.execute(insert(tokens).values(token=token, game=game.id, side=side, turn=game.turn))
    return game


def address(game: str, side: str) -> str:
    """A player's address."""
    return f"{side}.{game.lower()}@player.example"


def orders_mail(game: Game, text: str, key: str) -> bytes:
    """Orders of the Axis player of a game."""
    lines = (
        f"From: {address(game.id, 'axis')}",
        f"To: orders+{game.id.lower()}-t{game.turn:02d}-{side_tokens(game)['axis']}@hexpost.example",
        "Subject: orders",
        f"Date: {format_datetime(datetime.now(UTC))}",
        f"Message-ID: {key}",
        "",
        text,
    )
    return "\r\n".join(lines).encode()

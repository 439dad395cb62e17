"""The weekly mail: to each player of all his games, to the game master of all games, at an hour of his own clock.

It is made of what the reader's side has been told already, and of whom the game waits for, which everybody may ask.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import func, select

from worker.canonical import Json, digest
from worker.config import DAYS
from worker.play import news
from worker.ports import Ports, ServiceRefused
from worker.post import likeness
from worker.post.bounces import paused_of
from worker.store.database import reading, writing
from worker.store.records import STRAY, Game, Write
from worker.store.tables import games, lobbies, messages, outbox, packets, players, turns
from worker.waiting import reliability, telling, vacations, zones
from worker.waiting.deadlines import ADJUTANT

LATE_HOURS = 24
"""So long after its hour the mail is still sent, if the server was away then."""
AT_ONCE = 50
"""Mails that one sweep makes."""
MOST_GAMES = 90
WEEK = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Somebody whose mail is due: ``day``: of his calendar; ``since``: from when on it tells, ISO 8601, UTC; ``at``: now."""

    address: str
    day: date
    since: str
    at: str

    def key(self, kind: str) -> str:
        """That of his mail in the outbox: one a week."""
        return f"{kind}/{digest(self.address.encode())[:16]}/{self.day.isoformat()}"


def enter_digests(ports: Ports) -> list[str]:
    """Enter the weekly mails that are due and are not entered yet; the keys of those that were entered now."""
    if ports.config.digest_day == "never":
        return []
    now = ports.now()
    made: list[tuple[str, Write]] = []
    for kind, reader in _due(ports, now):
        parts = _of_master(ports, reader) if kind == "digest-master" else _of_player(ports, reader)
        if parts:
            key = reader.key(kind)
            made.append((key, telling.to_anybody(reader.address, key, now, *parts)))
    for _, write in made:
        with writing(ports.journal.engine) as connection:
            write(connection)
    return [key for key, _ in made]


def hour_before(now: str, zone: ZoneInfo, day: int, hour: int) -> datetime:
    """The last time that a weekday (0: Monday) had this hour by the clocks of a zone."""
    moment = datetime.fromisoformat(now)
    local = moment.astimezone(zone)
    first = local.date() - timedelta(days=(local.weekday() - day) % 7)
    found = [datetime(one.year, one.month, one.day, hour, tzinfo=zone) for one in (first, first - WEEK)]
    return next(one for one in found if one.astimezone(UTC) <= moment)


def _due(ports: Ports, now: str) -> list[tuple[str, _Reader]]:
    """Whose mail is due and not entered, and of which kind."""
    engine, config = ports.journal.engine, ports.config
    with reading(engine) as connection:
        query = select(players.c.address).join(games, games.c.id == players.c.game)
        here = {*connection.execute(query.where(games.c.over.is_(False), players.c.address != ADJUTANT)).scalars()}
    here -= paused_of(engine, here)
    chosen, unwilling = zones.wishes_for(engine, "zone", here), zones.wishes_for(engine, "digest", here)
    wanted = [("digest", one) for one in sorted(here) if unwilling.get(one) != "off"]
    wanted += [("digest-master", config.game_master.lower())] if config.game_master else []
    found, first = [], _first(ports)
    for kind, address in wanted:
        known = chosen.get(address) if kind == "digest" else zones.zone_of(engine, config, address)
        hour = hour_before(now, ZoneInfo(known or config.zone), DAYS.index(config.digest_day), config.digest_hour)
        if kind == "digest-master" and (first is None or hour < first):
            continue  # a server tells nothing of the week before its first game
        if datetime.fromisoformat(now) - hour.astimezone(UTC) < timedelta(hours=LATE_HOURS):
            since = (hour.astimezone(UTC) - WEEK).isoformat()
            found.append((kind, _Reader(address, hour.date(), since, now)))
    keys = [reader.key(kind) for kind, reader in found]
    with reading(engine) as connection:
        there = (
            {*connection.execute(select(outbox.c.key).where(outbox.c.game == STRAY, outbox.c.key.in_(keys))).scalars()} if keys else set()
        )
    return [(kind, reader) for kind, reader in found if reader.key(kind) not in there][:AT_ONCE]


# To a player


def _of_player(ports: Ports, reader: _Reader) -> list[Json]:
    """A part for each game in which he plays."""
    parts = []
    for key in ports.journal.games_of_addresses([reader.address])[:MOST_GAMES]:
        game = ports.journal.game(key)
        assert game is not None
        begun = _created(ports, key)
        if begun > (datetime.fromisoformat(reader.since) + WEEK).isoformat():
            continue  # its first mail is fresh
        sides = [side for side, found in ports.journal.addresses(key).items() if reader.address in found]
        parts += [_part(ports, reader, game, side, begun) for side in sides]
    return [*parts, telling.part(telling.said("digest-end"))] if parts else []


def _part(ports: Ports, reader: _Reader, game: Game, side: str, begun: str) -> Json:
    view = ports.rules.view(ports.journal.state(game.id, game.version)[0], side)
    waiting = [str(one) for one in view.get("waiting_for", [])]
    stored = ports.journal.deadlines(game.id)
    until = min((stored[one].due for one in waiting if one in stored), default=None)
    before = _version_at(ports, game.id, reader.since)
    turn = game.turn if begun > reader.since else _turn_of(ports, game, side, before)
    fields = {"turn": game.turn, "before": turn, "mine": side in waiting, "waiting_for": waiting, "until": until}
    fields["late"] = until is not None and until <= reader.at
    happened = [telling.said("digest-happened", text=one) for one in _happened(ports, game, side, reader.since)]
    said = [telling.said("digest-stands", **fields), *(happened or [telling.said("digest-quiet")])]
    return telling.part(*said[:18], title=telling.said("digest-game", game=game.id, title=_title(ports, game.scenario), side=side))


def _turn_of(ports: Ports, game: Game, side: str, version: int) -> int:
    return news.game_turn({side: ports.rules.view(ports.journal.state(game.id, version)[0], side)}, game.turn)


def _happened(ports: Ports, game: Game, side: str, since: str) -> list[str]:
    """What the side has been told since a moment, in the few sentences that stand first in a report."""
    told = ports.journal.told(game.id, side)
    before = _told_by(ports, game.id, side, since)
    events = ports.journal.events(game.id, before, told) if before < told else []
    if not events:
        return []
    view = ports.rules.view(ports.journal.state(game.id, told)[0], side, events)
    body = {"game": game.rules, "kind": "turn", "game_id": game.id, "side": side, "view": view, "events": view.get("events", [])}
    report = ports.mail.report(body | {"vocabulary": ports.rules.scenario(game.scenario)})
    return [str(one) for one in report.get("summary", [])]


# To the game master


def _of_master(ports: Ports, reader: _Reader) -> list[Json]:
    """A part for each game, those that stand still first; games that wait for players; what double accounts there may be."""
    with reading(ports.journal.engine) as connection:
        running = list(connection.execute(select(games.c.id).where(games.c.over.is_(False)).order_by(games.c.created_at)).scalars())
        waiting = list(connection.execute(select(lobbies).where(lobbies.c.status == "open").order_by(lobbies.c.created_at)).mappings())
    told = sorted((_for_master(ports, reader, key) for key in running), key=lambda one: (not one[0], one[1]))
    parts = [part for *_, part in told[:MOST_GAMES]] + [_lobby(ports, row) for row in waiting[: max(0, MOST_GAMES - len(told))]]
    hints = [telling.said("digest-hint", **one.as_json()) for one in likeness.hints(ports.journal.engine)]
    return parts + ([telling.part(title=telling.said("digest-hints"), listed=hints)] if hints else [])


def _for_master(ports: Ports, reader: _Reader, key: str) -> tuple[bool, str, Json]:
    """Whether a game stands still, since when nobody has written, and what is told of it."""
    game, engine = ports.journal.game(key), ports.journal.engine
    assert game is not None
    last, stored = _last_orders(ports, key), ports.journal.deadlines(key)
    state = ports.journal.state(key, game.version)[0]
    views = {side: ports.rules.view(state, side) for side in game.sides}
    waiting = [side for side, view in views.items() if side in view.get("waiting_for", [])]
    until = min((stored[one].due for one in waiting if one in stored), default=None)
    late = until is not None and until <= reader.at
    quiet = last or _created(ports, key)
    still = late or quiet <= (datetime.fromisoformat(reader.at) - WEEK).isoformat()
    title = telling.said("digest-stalled" if still else "digest-game", game=key, title=_title(ports, game.scenario), side=None)
    said = telling.said("digest-last", turn=game.turn, waiting_for=waiting, until=until, late=late, last=last)
    listed = []
    for side, addresses in ports.journal.addresses(key).items():
        away = vacations.current(engine, key, side, reader.at)
        record = reliability.of_side(engine, addresses).as_json()
        listed.append(telling.said("digest-record", side=side, addresses=addresses, record=record, away=away.until if away else None))
    return still, quiet, telling.part(said, title=title, listed=listed)


def _lobby(ports: Ports, row: Mapping[Any, Any]) -> Json:
    from worker.commands import store  # commands build on what this file is built on

    lobby = store.lobby(ports.journal.engine, row["id"])
    title = telling.said("digest-game", game=row["id"], title=_title(ports, row["scenario"]), side=None)
    free = lobby.free if lobby is not None else []
    return telling.part(telling.said("digest-lobby", free=free, since=row["created_at"]), title=title)


# Look-ups


def _title(ports: Ports, scenario: str) -> str:
    try:
        return str(ports.rules.scenario(scenario)["game"].get("title") or scenario)
    except ServiceRefused:  # it was taken away since
        return scenario


def _first(ports: Ports) -> datetime | None:
    """Since when there has been a game here, or one that waited for players."""
    with reading(ports.journal.engine) as connection:
        found = [connection.scalar(select(func.min(one.c.created_at))) for one in (games, lobbies)]
    return min((datetime.fromisoformat(one) for one in found if one), default=None)


def _created(ports: Ports, key: str) -> str:
    with reading(ports.journal.engine) as connection:
        return str(connection.scalar(select(games.c.created_at).where(games.c.id == key)))


def _version_at(ports: Ports, key: str, moment: str) -> int:
    """The version of a game at a moment, as far as orders led to it."""
    return max((version for version, at in _dated(ports, key) if at <= moment), default=0)


def _told_by(ports: Ports, key: str, side: str, moment: str) -> int:
    """The version up to which a side had been told of its game at a moment."""
    query = select(outbox.c.version, outbox.c.intent).where(outbox.c.game == key, outbox.c.side == side)
    with reading(ports.journal.engine) as connection:
        rows = connection.execute(query).all()
    return max((int(version) for version, intent in rows if intent["facts"].get("news") and intent["date"] <= moment), default=0)


def _last_orders(ports: Ports, key: str) -> str | None:
    """When the last orders came that changed anything."""
    return max((at for _, at in _dated(ports, key)), default=None)


def _dated(ports: Ports, key: str) -> Iterable[tuple[int, str]]:
    query = select(turns.c.version, messages.c.received_at).join(packets, packets.c.id == turns.c.packet)
    query = query.join(messages, messages.c.id == packets.c.message).where(turns.c.game == key)
    with reading(ports.journal.engine) as connection:
        return [(int(version), str(at)) for version, at in connection.execute(query)]

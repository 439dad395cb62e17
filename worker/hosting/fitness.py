"""Whether the games that run can go on with the hexpost that is installed: their data is what they were begun with, and packets lead to the
same states as before.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Engine, and_, select

from worker import local, secrets
from worker.canonical import Json, canonical, decode, digest
from worker.clients import HttpCall, RulesClient
from worker.config import Config
from worker.hosting.processes import CannotServe
from worker.play.games import UnusableInput
from worker.ports import Rules, ServiceDown, ServiceFailed, ServiceRefused
from worker.store.database import open_database, open_to_read, reading
from worker.store.journal import Journal
from worker.store.records import Game
from worker.store.tables import games, moved, turns

AGAIN = 0.5
"""Seconds between looks for a rules service that is away."""
LAST = 20
"""Packets of each game that are tried again."""
log = logging.getLogger("hexpost.fitness")


@dataclass(frozen=True, slots=True)
class Running:
    """A game that runs here. ``data``: the digest of the data package that its last state was made with."""

    game: str
    scenario: str
    data: str


def running_games(engine: Engine) -> list[Running]:
    """The games that are not over and have not moved, by their order of beginning."""
    last = and_(turns.c.game == games.c.id, turns.c.version == games.c.version)
    query = select(games.c.id, games.c.scenario, turns.c.record).join(turns, last)
    query = query.where(games.c.over.is_(False), games.c.id.not_in(select(moved.c.game))).order_by(games.c.created_at, games.c.id)
    with reading(engine) as connection:
        return [Running(game, scenario, str(decode(record).get("data"))) for game, scenario, record in connection.execute(query)]


def unfit(found: list[Running], rules: Rules) -> list[str]:
    """What keeps games from going on with this rules service, a line each."""
    here = {str(one["key"]): str(one["data_digest"]) for one in rules.games()["games"]}
    lines = []
    for one in found:
        name = one.scenario.partition("/")[0]
        if here.get(name) != one.data:
            lines.append(f"{one.game} ({one.scenario}): begun with data {one.data[:12]}, and here is {here.get(name, 'none')[:12]}")
    return lines


def demand_fit(found: list[Running], rules: Rules) -> None:
    """CannotServe, which names them, if games that run were begun with other data: charts or maps would change under them."""
    lines = unfit(found, rules)
    if lines:
        raise CannotServe(
            "Games that run were begun with other data than what is installed, overlays included:\n"
            + "\n".join(lines)
            + "\nInstall the hexpost and the overlays that they were begun with until they are over, or move them with hexpost game-export."
        )


def wait_until_fit(config: Config, stopped: threading.Event) -> None:
    """Return once the rules service of the settings says that the games that run can go on with it, or ``stopped`` is set. One that is away
    is waited for: nothing of a game may be touched before. CannotServe if they cannot; ConfigError where the database cannot be used.
    """
    engine = open_database(config.database)
    try:
        found = running_games(engine)
    finally:
        engine.dispose()
    rules = RulesClient(HttpCall("rules", config.rules, config.token, config.timeout))
    told = False
    while found and not stopped.is_set():
        try:
            demand_fit(found, rules)
            return
        except ServiceDown as error:
            if not told:
                log.warning("it is waited for the rules service, to see whether its data are those of the games that run: %s", error)
            told = True
            stopped.wait(AGAIN)


def check_games(names: tuple[str, ...], last: int, file: Path | None) -> Iterator[tuple[bool, str]]:
    """Try the last packets of the games that run (``names``: of these) again with what is installed here; for each game whether all is
    well, and a sentence. Nothing is changed. UnusableInput for a game that does not run here.
    """
    config = Config.load(file)
    engine = open_to_read(config.database)
    journal = Journal(engine)
    rules = RulesClient(local.AppCall(local.rules_app(guarded=False, overlays=Path(config.overlays) if config.overlays else None)))
    try:
        found = running_games(engine)
        known = {one.game for one in found}
        for name in (one.upper() for one in names):
            if name not in known:
                raise UnusableInput(f"No game {name[:40]!r} runs here.")
        for one in found:
            if not names or one.game in {name.upper() for name in names}:
                yield _checked(journal, rules, one, last)
    finally:
        engine.dispose()
    if not found:
        yield True, "No game runs here."


def _checked(journal: Journal, rules: Rules, one: Running, last: int) -> tuple[bool, str]:
    odd = unfit([one], rules)
    if odd:
        return False, f"{odd[0]}."
    game = journal.game(one.game)
    assert game is not None
    tried = 0
    for version, record, _ in journal.chain(one.game)[-last:]:
        if not record.get("packet"):
            continue  # the beginning, or what was agreed on: no orders led there
        fault = _tried_again(journal, rules, game, version, record)
        if fault:
            return False, f"{one.game} ({one.scenario}): state {version}: {fault}."
        tried += 1
    return True, f"{one.game} ({one.scenario}): its last {tried} packets lead to the same states."


def _tried_again(journal: Journal, rules: Rules, game: Game, version: int, record: Json) -> str:
    """What is wrong with a packet's outcome, adjudicated anew; empty: nothing."""
    before, known = journal.state(game.id, version - 1)
    # What took no number threw no dice: any seed will do.
    seed = record["seed"] or secrets.seed(game.secret, game.words, game.id, record["branch"], 0)
    try:
        outcome = rules.adjudicate({"state": before, "packet": record["packet"], "seed": seed, "digest": known})
    except (ServiceRefused, ServiceFailed) as error:
        return f"its packet cannot be adjudicated any more: {error}"
    if outcome["digest"] != record["state"]:
        return "its packet leads to another state now"
    if digest(canonical(outcome["events"])) != record["events"]:
        return "its packet leads to the same state with other events now"
    return ""

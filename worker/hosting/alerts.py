"""What the operator and game master must hear of, by another way than the post of the players: the log, ``hexpost alerts``, and mail to
his address.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from sqlalchemy import Connection, Engine, insert, select, update
from sqlalchemy.exc import SQLAlchemyError

from worker.canonical import Json, digest
from worker.config import Config
from worker.store.database import reading, writing
from worker.store.records import STRAY, Write
from worker.store.tables import alerts, outbox

Tell = Callable[[str, str], None]
"""Tells the operator of a part that fails, or works again: which part, and one sentence. Never raises."""
FAMILY = "alert/"
"""How the keys of the mails begin that tell alerts."""
log = logging.getLogger("hexpost.alerts")


@dataclass(frozen=True, slots=True)
class Alert:
    """``kind``: its sentence is ``alert-<kind>`` in the wording's table ``commands``; ``about``: the same is told once; ``facts``: what the
    sentence speaks of, and ``lines`` that stand below it; ``at``: ISO 8601, UTC.
    """

    kind: str
    about: str
    at: str
    game: str | None = None
    facts: Json = field(default_factory=dict)


def entering(config: Config, alert: Alert) -> Write:
    """What enters an alert, and the mail that tells it, in a transaction. One that is known already is not told again."""

    def write(connection: Connection) -> None:
        key = digest(f"{alert.kind} {alert.about}".encode())
        if connection.execute(select(alerts.c.id).where(alerts.c.key == key)).first() is not None:
            return
        row = {"key": key, "at": alert.at, "kind": alert.kind, "game": alert.game, "facts": alert.facts, "done": False}
        made = connection.execute(insert(alerts).values(row).returning(alerts.c.id)).scalar_one()
        log.warning("alert %s: %s%s; see hexpost alerts", made, alert.kind, f" in {alert.game}" if alert.game else "")
        if config.game_master:
            data: Json = {"kind": "notice", "to": config.game_master, "date": alert.at, "facts": told(alert)}
            data |= {"subject": "", "in_reply_to": None, "references": []}
            mail = {"game": STRAY, "key": f"{FAMILY}{made}", "side": None, "intent": data, "version": 0}
            connection.execute(insert(outbox).values(mail | {"message_id": None, "status": "waiting", "attempts": 0}))

    return write


def raise_alert(engine: Engine, config: Config, alert: Alert) -> None:
    """Enter an alert by itself."""
    with writing(engine) as connection:
        entering(config, alert)(connection)


def teller(engine: Engine, config: Config, now: Callable[[], str], about: str = "") -> Tell:
    """What tells the operator: a line of the log at the level of errors, and an alert. The same sentence is one once an hour, or
    any ``about`` the same; the log has them all.
    """

    def tell(part: str, said: str) -> None:
        log.error("%s: %s", part, said)
        at = now()
        try:
            raise_alert(engine, config, Alert("operator", f"{part} {at[:13]} {about or said}", at, None, {"part": part, "said": said}))
        except SQLAlchemyError as error:  # perhaps that is what is wrong: the log has it
            log.error("the alert cannot be entered: %s", type(error).__name__)

    return tell


def told(alert: Alert) -> Json:
    """An alert as the wording takes it."""
    said = {"key": f"alert-{alert.kind}", "fields": {"game": alert.game, "at": alert.at, **alert.facts}}
    return {"answers": [{"line": "", "status": "done", "said": [said], "listed": [], "text": alert.facts.get("lines", []), "hint": ""}]}


def waiting(engine: Engine) -> list[tuple[int, Alert]]:
    """The alerts that nobody has seen to, oldest first, by number."""
    query = select(alerts).where(alerts.c.done.is_(False)).order_by(alerts.c.id)
    with reading(engine) as connection:
        rows = connection.execute(query).mappings()
        return [(row["id"], Alert(row["kind"], row["key"], row["at"], row["game"], row["facts"])) for row in rows]


def settle(engine: Engine, numbers: Iterable[int]) -> None:
    """These alerts have been seen to."""
    with writing(engine) as connection:
        connection.execute(update(alerts).where(alerts.c.id.in_(list(numbers))).values(done=True))

"""Interactions of Discord's as they come out of the spool: whose account gave the command, in which game, and what he is answered.

Orders become a mail of the player's to whom the account is linked; a question is answered from his side's view, and leaves no trace.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP

from sqlalchemy import delete, insert, select
from sqlalchemy.exc import IntegrityError

from worker.bots.programs import may_write
from worker.canonical import Json, decode
from worker.commands import store
from worker.commands.frame import Refused, Said
from worker.commands.store import Offer
from worker.discord import standing
from worker.discord.posts import PLACE
from worker.ports import Ports
from worker.post import replies
from worker.post.inboxes import Received
from worker.post.replies import Reply, Writer
from worker.store.bottables import accounts, interactions
from worker.store.database import reading, writing
from worker.store.records import STRAY, Game, LostRace
from worker.store.tables import outbox

MARK = "spool:discord:"
EPOCH = 1_420_070_400_000
"""From when Discord's ids count milliseconds, since 1970."""
QUESTIONS = {"status": "STATUS", "map": "MAP", "standing": "STANDING"}
FILLED = frozenset({"orders", "check", "standing"})
"""Commands that have a form."""
log = logging.getLogger("hexpost.discord")


@dataclass(frozen=True, slots=True)
class Given:
    """A command as it was given. ``user``: who gave it; ``values``: its options; ``text``: of a form that was filled in, None without one;
    ``at``: when, ISO 8601, UTC.
    """

    id: str
    user: str
    name: str
    values: dict[str, str]
    text: str | None
    at: str

    @classmethod
    def of(cls, body: Json) -> Given:
        """Out of what Discord sent. Fields that are missing are empty."""
        data = body["data"]
        user = (body.get("member") or {}).get("user") or body.get("user") or {}
        name, values, text = str(data.get("name", "")), dict[str, str](), None
        if body.get("type") == 5:
            name, values["game"], values["shown"] = (*str(data.get("custom_id", "")).split(":", 2), "", "")[:3]
            fields = [one for row in data.get("components", []) for one in row.get("components", [])]
            text = next((str(one.get("value", "")) for one in fields if one.get("custom_id") == "text"), "")
        for one in data.get("options") or []:
            values[str(one.get("name"))] = str(one.get("value", ""))
        made = datetime.fromtimestamp((int(body["id"]) >> 22) / 1000 + EPOCH / 1000, UTC)
        return cls(str(body["id"]), str(user.get("id", "")), name, values, text, made.replace(microsecond=0).isoformat())


@dataclass(frozen=True, slots=True)
class Seat:
    """What an account is linked to."""

    game: Game
    writer: Writer


def is_one(place: str) -> bool:
    """Whether what lies at a place is an interaction, and no mail."""
    return place.startswith(MARK)


def enter(ports: Ports, received: Received) -> tuple[str, int | None]:
    """Enter an interaction that waits for its answer, and the mail that it becomes, if it is orders; the game that has work, and the mail.

    One that was entered before, or of which nothing can be made, is only left: ``STRAY`` then.
    """
    try:
        body = decode(received.raw)
        given = Given.of(body)
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError):
        log.exception("the interaction at %s cannot be read", received.place)
        return STRAY, None
    kept = {"application": str(body.get("application_id", "")), "token": str(body.get("token", "")), "interaction": body}
    home, message, said, seat = STRAY, None, None, None
    try:
        home, message, said, seat = _carried_out(ports, given)
    except Refused as refusal:
        said = refusal.said
    kept |= {"said": said.as_json()} if said else {}
    kept |= {"seat": [seat.game.id, seat.writer.side, seat.writer.address]} if seat else {}
    row = {"id": given.id, "body": kept, "message": message, "at": given.at}
    try:
        with writing(ports.journal.engine) as connection:
            connection.execute(insert(interactions).values(row | {"status": "waiting", "attempts": 0, "due": ports.now()}))
    except IntegrityError:
        log.info("interaction %s came again", given.id)
    return home, message


def _carried_out(ports: Ports, given: Given) -> tuple[str, int | None, Said | None, Seat | None]:
    """What is entered for a command: the game, the mail that it becomes, what is said at once, and whose orders it was. Raises Refused."""
    if given.name == "link":
        return STRAY, None, _linked(ports, given), None
    if given.name == "join":
        return *_joined(ports, given), None
    text = _orders_of(given)
    if not text:
        return STRAY, None, None, None
    seat = seat_of(ports, given)
    place = f"{MARK}{given.id}/orders"
    message, _ = replies.enter(ports, seat.game, replies.as_mail(ports, seat.game, seat.writer, text, place), place)
    return seat.game.id, message, None, seat


def _orders_of(given: Given) -> str:
    """The orders that a command is; empty: it is none. Raises Refused."""
    if given.name == "orders":
        return given.text or ""
    if given.name == "standing" and given.text is not None:
        text = standing.edited(given.values.get("shown", ""), given.text)
        if not text:
            raise Refused("standing-unchanged")
        return text
    line = " ".join(given.values.get("line", "").split()).upper()
    return standing.as_standing(line) if given.name == "standing" and line else ""


def seats_of(ports: Ports, user: str) -> list[Seat]:
    """The seats that an account is linked to, while their players write for them."""
    query = select(accounts).where(accounts.c.place == PLACE, accounts.c.user == user).order_by(accounts.c.game)
    with reading(ports.journal.engine) as connection:
        rows = connection.execute(query).mappings().all()
    found = []
    for row in rows:
        game = ports.journal.game(row["game"])
        if game is not None and may_write(ports.journal, game.id, row["side"], row["address"]):
            found.append(Seat(game, Writer(row["side"], row["address"])))
    return found


def seat_of(ports: Ports, given: Given) -> Seat:
    """The seat that a command is about: that in the game which it names, or the one in a game that still runs. Raises Refused where that
    is none, or not clear.
    """
    found = seats_of(ports, given.user)
    wanted = given.values.get("game", "").strip().upper()
    meant = [one for one in found if (one.game.id.upper() == wanted if wanted else not one.game.over)]
    found = meant if wanted else meant or found
    if not found:
        raise Refused("not-linked", game=wanted[:32], address=ports.config.address)
    if len(found) > 1:
        raise Refused("which-game", games=[one.game.id for one in found])
    return found[0]


def _linked(ports: Ports, given: Given) -> Said:
    """Link the account to the player whose code it has."""
    code = given.values.get("code", "").strip().lower().removeprefix("accept").strip()
    offer = store.offer(ports.journal.engine, code, ports.now())
    if offer is None or offer.kind != "link" or offer.side is None or not given.user:
        return Said("no-code")
    if not may_write(ports.journal, offer.game, offer.side, offer.asker):
        return Said("no-code")
    row = {"place": PLACE, "user": given.user, "game": offer.game, "side": offer.side, "address": offer.asker, "at": ports.now()}

    mine = (accounts.c.place == PLACE, accounts.c.user == given.user, accounts.c.game == offer.game)
    try:
        with writing(ports.journal.engine) as connection:
            offer.settled("taken")(connection)
            connection.execute(delete(accounts).where(*mine))
            connection.execute(insert(accounts).values(row))
            connection.execute(insert(outbox).values(_told_by_mail(ports, given, offer)))
    except LostRace:
        return Said("code-used")
    return Said("linked", {"game": offer.game})


def _told_by_mail(ports: Ports, given: Given, offer: Offer) -> Json:
    """The mail by which a player learns that an account was linked with him: the answer may not arrive, and it may not be his account."""
    said = {"key": "account-linked", "fields": {"game": offer.game, "side": offer.side}}
    answer = {"line": "", "status": "done", "said": [said], "listed": [], "text": [], "hint": ""}
    data: Json = {"kind": "notice", "to": offer.asker, "date": ports.now(), "facts": {"answers": [answer]}}
    data |= {"subject": "", "in_reply_to": None, "references": []}
    mail = {"game": STRAY, "key": f"{PLACE}/{given.id}/linked", "side": None, "intent": data, "version": 0}
    return mail | {"message_id": None, "status": "waiting", "attempts": 0}


def _joined(ports: Ports, given: Given) -> tuple[str, int | None, Said]:
    """JOIN as a mail of the player's whom the account knows: a game wants an address that it can write to."""
    found = seats_of(ports, given.user)
    game, side = given.values.get("game", "").strip(), given.values.get("side", "").strip()
    if not found:
        raise Refused("join-by-mail", game=game[:20], address=ports.config.address)
    if not (game.isalnum() and len(game) <= 32 and (not side or side.replace("-", "").isalnum())):
        raise Refused("join-names")
    writer = found[0].writer
    mail = EmailMessage(policy=SMTP)
    domain = writer.address.rpartition("@")[2]
    mail["Authentication-Results"] = f"{ports.config.server}; dmarc=pass (by his linked account) header.from={domain}"
    mail["From"], mail["To"], mail["Subject"] = writer.address, ports.config.address, "join"
    mail["Date"], mail["Message-ID"] = datetime.fromisoformat(ports.now()), f"<{given.id}.discord@{ports.config.server}>"
    mail.set_content(f"JOIN {game}{f' AS {side}' if side else ''}\n")
    message = ports.journal.add_message(f"{MARK}{given.id}/join", mail.as_bytes(), ports.now(), STRAY)
    return STRAY, message, Said("join-asked", {"game": game.upper()})


def entered_for(ports: Ports, given: Given, seat: list[str]) -> Seat:
    """The seat whose orders were entered, whatever the account is linked to by now. Raises Refused if its player has left it."""
    game, side, address = seat
    found = ports.journal.game(game)
    if found is None or not may_write(ports.journal, game, side, address):
        raise Refused("not-linked", game=game, address=ports.config.address)
    return Seat(found, Writer(side, address))


def answer_of(ports: Ports, given: Given, message: int | None, seat: Seat) -> Reply | None:
    """The reply to a command; None while its orders wait. Raises Refused."""
    if message is not None:
        reply = replies.reply_to(ports, seat.game, seat.writer, message, chat=True)
        return None if reply.status == "waiting" else reply
    if given.name == "check":
        return replies.tried(ports, seat.game, seat.writer, given.text or "", chat=True)
    if given.name not in QUESTIONS:
        raise Refused("no-such-command")
    return replies.asked(ports, seat.game, seat.writer, QUESTIONS[given.name], chat=True)

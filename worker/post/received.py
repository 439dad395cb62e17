"""A received mail, from reading to commit: orders to ``turn``, commands to ``commands``, and a word to whoever may have one."""

from __future__ import annotations

import logging
from dataclasses import replace

from worker.board.handing import is_handed_in
from worker.canonical import Json
from worker.commands import frame, store
from worker.commands.store import Lobby
from worker.play import turn
from worker.ports import Ports
from worker.post import bounces, context, holds, likeness, limits, questions, unanswered
from worker.store.records import Closing, Game, Intent, Message
from worker.waiting import halts, pausing
from worker.waiting.deadlines import next_due

log = logging.getLogger("hexpost.worker")


def handle(ports: Ports, message: Message) -> str | None:
    """Carry out one waiting mail. Returns the game that it belongs to where that is another queue's, else None.

    Everything is decided first and committed in one transaction: killed anywhere before, nothing has happened. Raises LostRace where
    another worker was first, and what the services raise.
    """
    seen_as = turn.build_and_read(ports, message)
    if seen_as["verdict"].startswith("later:"):
        until = unanswered.put_off(ports.journal.engine, message.id, ports.now())
        log.info("message %s is put off until %s: %s", message.id, until, seen_as["verdict"])
        return None
    commanded = seen_as["verdict"] == "accept" and bool(seen_as.get("commands"))
    # A right in one game is none in another: who answers an offer of another game has no side there until he is given one.
    wanted = (frame.game_of(ports, seen_as) if commanded else None) or seen_as.get("game")
    game = ports.journal.game(wanted) if wanted else None
    lobby = store.lobby(ports.journal.engine, wanted) if wanted and game is None else None
    home = game or lobby
    if home is not None and home.id != message.game:
        ports.journal.reassign(message.id, home.id)
        return home.id
    if commanded and seen_as.get("game") not in (None, wanted):
        seen_as |= {
            "side": None,
            "game": None,
            "trust": "stranger" if seen_as.get("trust") == "stranger" else "address",
            "authentic": False,
        }
    sender = context.sender_of(message.raw) or ""
    if seen_as.get("authentic") or (seen_as["verdict"] == "accept" and seen_as.get("proven")):
        bounces.resume(ports.journal.engine, sender)
    if seen_as.get("authentic"):
        seen_as = limits.taken_from(ports, home, seen_as, message) if home is not None else seen_as
    decided = _told_anew(ports, _decided(ports, message, seen_as, game, lobby), game)
    closing = limits.within(ports, message, sender, decided, home, sure=bool(seen_as.get("authentic")))
    also = bounces.writes_of(ports, message, seen_as)
    also += likeness.noting(ports.journal.engine, sender, message.raw, message.received_at) if _came_by_mail(message, seen_as) else ()
    ports.journal.close(replace(closing, also=(*closing.also, *also)))
    return closing.game if (seen_as.get("commands") or closing.intents) and closing.game != message.game else None


def _told_anew(ports: Ports, closing: Closing, game: Game | None) -> Closing:
    """``closing`` with the deadline that is set by it in each mail that was put together with the one before."""
    if game is None or not closing.deadlines:
        return closing
    stored = ports.journal.deadlines(game.id)
    before, due = next_due(stored, {}), next_due(stored, closing.deadlines)
    return replace(closing, intents=tuple(_dated(one, before, due) for one in closing.intents))


def _dated(intent: Intent, before: str | None, due: str | None) -> Intent:
    facts = intent.data.get("facts", {})
    if "deadline" not in facts or facts["deadline"] != before or "paused" in facts.get("notes", ()):
        return intent
    return replace(intent, data=intent.data | {"facts": facts | {"deadline": due}})


def _came_by_mail(message: Message, seen_as: Json) -> bool:
    """Whether a mail is surely its sender's, and came from his mail server: what is handed in at a live board says nothing of that."""
    return bool(seen_as.get("authentic")) and not is_handed_in(message)


def _decided(ports: Ports, message: Message, seen_as: Json, game: Game | None, lobby: Lobby | None) -> Closing:
    """What follows from a mail."""
    if game is not None and seen_as.get("reply", "none") != "none" and ports.journal.moved_to(game.id) is not None:
        seen_as = seen_as | {"verdict": "refuse:moved", "reply": "explain", "lines": [], "commands": [], "confirms": None}
    stale = game if seen_as["verdict"] == "refuse:stale-turn" else None
    if stale is not None and holds.is_answered(ports.journal.engine, stale.id, context.words_of_address(message.raw)):
        seen_as = seen_as | {"verdict": "refuse:answered-already"}
    accepted = seen_as["verdict"] == "accept"
    if seen_as["verdict"] == "hold:master-unverified":
        return questions.asked_master(ports, message, seen_as)
    if accepted and seen_as.get("denies") and game is not None:
        return questions.denied(ports, message, seen_as, game)
    if accepted and seen_as.get("confirms") and game is not None:
        return _unless_halted(ports, message, _confirmed(ports, message, seen_as, game), game)
    if accepted and seen_as.get("commands"):
        return _commanded(ports, message, seen_as, game, lobby)
    if accepted and game is not None:
        return _unless_halted(ports, message, turn.accepted(ports, message, seen_as, game), game)
    if accepted and lobby is not None:
        seen_as = seen_as | {"verdict": "refuse:not-begun", "reply": "explain"}
    closing = turn.unaccepted(ports, message, seen_as, game)
    return closing if lobby is None else replace(closing, game=lobby.id)


def _unless_halted(ports: Ports, message: Message, closing: Closing, game: Game) -> Closing:
    """What follows from orders; in a game that stands still nothing that changes it: they are kept."""
    halt = halts.current(ports.journal.engine, game.id) if closing.state is not None else None
    return closing if halt is None else pausing.kept(ports, message, closing, game, halt)


def _commanded(ports: Ports, message: Message, seen_as: Json, game: Game | None, lobby: Lobby | None) -> Closing:
    """What follows from commands; those that the game master says are his, where he was asked about them."""
    if seen_as.get("trust") == "master" and questions.is_repeated(ports.journal.engine, message, seen_as):
        return replace(turn.closing_of(message, seen_as, game), verdict="ignore:duplicate")
    vouched = questions.masters_own(ports, message, seen_as)
    if vouched is None:
        return frame.carry_out(ports, message, seen_as, game, lobby)
    again, offer = vouched
    if again["verdict"] != "accept":
        closing = turn.unaccepted(ports, message, again, game)
    else:
        closing = frame.carry_out(ports, message, again, game, lobby)
    return replace(closing, also=(*closing.also, offer.settled("taken")))


def _confirmed(ports: Ports, message: Message, seen_as: Json, game: Game) -> Closing:
    """What follows from the mail that was held, now that the registered address says that it is its own."""
    found = holds.held(ports.journal.engine, game.id, int(seen_as["confirms"]))
    if found is None:  # settled since it was read: the copy of an answer
        return turn.closing_of(message, seen_as, game)
    known = context.build_context(ports.journal, ports.config, found.raw, message.received_at, game.id)
    again = ports.mail.read(found.raw, known | {"vouched": True})
    own = {key: seen_as[key] for key in ("message_id", "digest", "game", "side")}
    if (again["game"], again["side"]) != (own["game"], own["side"]):
        again = again | {"verdict": "refuse:foreign-game"}
    again = again | own | {"authentic": True, "notes": ["confirmed"], "confirms": None}
    if again["verdict"] == "accept" and again.get("commands"):  # they are his who has confirmed them, and he is answered
        again |= {"sender": seen_as["sender"], "trust": "token", "proven": True}
        closing = frame.carry_out(ports, message, again, game)
    elif again["verdict"] == "accept":
        closing = turn.accepted(ports, message, again, game)
    else:
        closing = turn.unaccepted(ports, message, again | {"reply": "explain"}, game)
    return replace(closing, also=(*closing.also, holds.settling(found.id, again["verdict"])))

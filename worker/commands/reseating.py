"""REPLACE: the game master gives a player's seat to somebody else, who must say yes, or to the adjutant, which is asked nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sqlalchemy import Connection

from worker.commands import store
from worker.commands.frame import Carry, Command, Desk, Effect, Refused, Said, notice, to_outsider
from worker.commands.masters import everybody, reason_of, running
from worker.commands.offering import Accept, offered_to, usable
from worker.commands.people import SHOWN, replaced
from worker.commands.store import Offer
from worker.store.records import Deadline, Game, Intent
from worker.waiting import halts, waits
from worker.waiting.deadlines import ADJUTANT, call, calls, following


def replace_player(desk: Desk, command: Command) -> Effect:
    """REPLACE game side old BY new: the new address is offered the seat, and has it when it says yes. REPLACE OFF takes the offer back.

    With ADJUTANT as the new one the adjutant plays at once; with it as the old one somebody takes over from it.
    """
    game, side = running(desk, command), command.args["side"]
    if side not in game.sides:
        raise Refused("no-such-side", side=side, sides=list(game.sides))
    open_offers = [one for one in store.offers_in(desk.ports.journal.engine, desk.at, game.id, "replace") if one.side == side]
    if command.args.get("off"):
        if not open_offers:
            raise Refused("no-substitute-asked")
        return Effect((Said("substitute-off"),), writes=tuple(one.settled("void") for one in open_offers))
    old, new = command.args["old"].lower(), command.args["new"].lower()
    players = desk.ports.journal.addresses(game.id)
    if old not in players[side]:
        raise Refused("not-a-player", address=old, side=side, players=[one for one in players[side] if one != ADJUTANT])
    if any(one.data["old"] == old for one in open_offers):
        raise Refused("proposed-already", kind="replace")
    if new == ADJUTANT:
        return _to_the_adjutant(desk, game, side, old, reason_of(command))
    usable(desk, new)
    if any(new in found for found in players.values()):
        raise Refused("plays-already", address=new)
    return _seat_offered(desk, game, side, (old, new), reason_of(command))


def _seat_offered(desk: Desk, game: Game, side: str, who: tuple[str, str], reason: str) -> Effect:
    old, new = who
    title = desk.ports.rules.scenario(game.scenario)["game"].get("title") or game.scenario
    said = Said("asked-to-replace", {"game": game.id, "title": title, "side": side, "turn": game.turn})
    made = Offer(desk.code("replace", new), "replace", game.id, side, new, desk.sender, {"old": old, "because": reason}, desk.at)
    asked = offered_to(desk, made, said)
    told = everybody(desk, game, "replacing", Said("replacing", {"side": side, "because": reason}))
    return replace(asked, said=(Said("replace-asked", {"address": new, "side": side, "old": old}),), intents=(*asked.intents, *told))


def _to_the_adjutant(desk: Desk, game: Game, side: str, old: str, reason: str) -> Effect:
    """The adjutant plays a side from now on that had one player, and at once where it is waited for."""
    players = desk.ports.journal.addresses(game.id)
    others = [one for one in game.sides if one != side]
    if players[side] != [old] or old == ADJUTANT or all(players[one] == [ADJUTANT] for one in others):
        raise Refused("not-for-the-adjutant", side=side)
    writes, after = replaced(game, side, old, ADJUTANT)
    view = desk.ports.rules.view(desk.ports.journal.state(game.id, game.version)[0], side)
    places = calls(game.id, game.version, {side: view}, {side})

    def called(connection: Connection) -> None:
        call(connection, game.id, places, desk.at)

    told = _told_of_another(desk, game, after, side, old, reason)
    done = Said("adjutant-plays", {"side": side, "old": old})
    return Effect((done,), writes=(*writes, called), intents=tuple(told), deadlines={side: None}, after=after)


def accept_replace(desk: Desk, command: Command, offer: Offer) -> Effect:
    """Somebody takes the seat that the game master has offered him: who had it sees and orders no more."""
    game, old, new = desk.game, str(offer.data["old"]), str(offer.address)
    if game is None or game.over or offer.side is None:
        raise Refused("game-over")
    players = desk.ports.journal.addresses(game.id)
    if old not in players.get(offer.side, []) or any(new in found for found in players.values()):
        raise Refused("no-such-offer", code=offer.code)
    writes, after = replaced(game, offer.side, old, new)
    told = _told_of_another(desk, game, after, offer.side, old, str(offer.data["because"]))
    taken = Said("replace-taken", {"new": new, "old": old, "side": offer.side, "game": game.id})
    told.append(to_outsider(desk, offer.asker, "taken", taken))
    return Effect(
        (Said("you-play", {"game": game.id, "side": offer.side}), Said("drafts-void")),
        shows=SHOWN,
        writes=(offer.settled("taken"), *writes),
        intents=tuple(told),
        deadlines=_times(desk, game, offer.side) if old == ADJUTANT else {},
        after=after,
        side=offer.side,
    )


def _told_of_another(desk: Desk, game: Game, after: Game, side: str, old: str, reason: str) -> list[Intent]:
    """The players who stay are told, and the one who has left."""
    told = []
    for one, found in desk.ports.journal.addresses(game.id).items():
        addresses = [address for address in found if address not in (ADJUTANT, old)]
        said = Said("replaced-other", {"side": side, "because": reason})
        told += notice(desk, one, f"replaced/{one}", said, to=addresses, game=after) if addresses else []
    left = Said("replaced-by-master", {"game": game.id, "side": side, "because": reason})
    return [*told, *([to_outsider(desk, old, "left", left)] if old != ADJUTANT else [])]


def _times(desk: Desk, game: Game, side: str) -> Mapping[str, Deadline | None]:
    """Until when a side is waited for that the adjutant has played so far."""
    view = desk.ports.rules.view(desk.ports.journal.state(game.id, game.version)[0], side)
    halt = halts.current(desk.ports.journal.engine, game.id)
    return following({}, {}, {side: view}, halt.since if halt else desk.at, waits.hours(desk.ports, game.id))


TABLE: Mapping[str, Carry] = {"REPLACE": replace_player}
ACCEPTED: Mapping[str, Accept] = {"replace": accept_replace}

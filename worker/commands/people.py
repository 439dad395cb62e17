"""Who plays a side, and who else is written to: SUBSTITUTE ADDRESS COPY NOTIFY SPECTATE. Whoever is new is asked at his address first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from worker.bots import ending
from worker.commands import store
from worker.commands.frame import Carry, Command, Desk, Effect, Refused, Said, notice, to_outsider
from worker.commands.offering import Accept, asked_for, knock, offer_side, usable
from worker.commands.store import Offer
from worker.play.games import MAX_PLAYERS
from worker.post import holds, links, writers
from worker.post.context import side_tokens
from worker.store.records import SPECTATOR, Game, Write
from worker.waiting import zones
from worker.waiting.deadlines import ADJUTANT

MOST_WATCHERS = 50
MOST_COPIES = 5
SHOWN = frozenset({"map", "template", "position"})


def _playing(desk: Desk) -> tuple[Game, str]:
    if desk.game is None or desk.side is None:
        raise Refused("not-begun")
    return desk.game, desk.side


def _as_player(desk: Desk) -> tuple[Game, str]:
    """Of a side's own players alone: a deputy, or another address that may write for it, gives nobody a place."""
    game, side = _playing(desk)
    if desk.sender not in desk.ports.journal.addresses(game.id)[side]:
        raise Refused("players-only", address=desk.sender)
    return game, side


# Another player


def substitute(desk: Desk, command: Command) -> Effect:
    """SUBSTITUTE address: somebody is asked to take the sender's place. SUBSTITUTE OFF: not any more."""
    game, _ = _as_player(desk)
    if game.over:
        raise Refused("game-over")
    if command.args.get("off"):
        mine = [one for one in store.offers_in(desk.ports.journal.engine, desk.at, game.id, "substitute") if one.asker == desk.sender]
        if not mine:
            raise Refused("no-substitute-asked")
        return Effect((Said("substitute-off"),), writes=tuple(one.settled("void") for one in mine))
    usable(desk, command.args["address"])
    return offer_side(desk, game, command.args["address"], "substitute", "asked-to-substitute")


def accept_substitute(desk: Desk, command: Command, offer: Offer) -> Effect:
    """Somebody takes a player's place: from now on he sees and orders, and who leaves does neither."""
    game = desk.game
    if game is None or game.over or offer.side is None:
        raise Refused("game-over")
    if offer.asker not in desk.ports.journal.addresses(game.id).get(offer.side, []):
        raise Refused("no-such-offer", code=offer.code)
    writes, after = replaced(game, offer.side, offer.asker, str(offer.address))
    others = [side for side in game.sides if side != offer.side and desk.ports.journal.addresses(game.id)[side] != [ADJUTANT]]
    beside = [one for one in desk.ports.journal.addresses(game.id)[offer.side] if one != offer.asker]
    told = [one for side in others for one in notice(desk, side, f"new/{side}", Said("other-player", {"side": offer.side}), game=after)]
    if beside:
        said = Said("replaced-beside", {"old": offer.asker, "new": offer.address})
        told += notice(desk, offer.side, "beside", said, to=beside, game=after)
    told.append(to_outsider(desk, offer.asker, "left", Said("replaced-you", {"new": offer.address, "game": game.id, "side": offer.side})))
    return Effect(
        (Said("you-play", {"game": game.id, "side": offer.side}), Said("drafts-void")),
        shows=SHOWN,
        writes=(offer.settled("taken"), *writes),
        intents=tuple(told),
        after=after,
        side=offer.side,
    )


def replaced(game: Game, side: str, old: str, new: str) -> tuple[tuple[Write, ...], Game]:
    """What is written where a player gives his place to another, and the game as it stands then.

    Drafts, refused and held orders of the side count no more, so that nobody's wishes are played who has left; its tokens are new, his
    links are closed, the copies that he had sent to others end, and the other addresses and deputies that wrote for the side, which may be
    his, do so no more.
    """
    epoch = game.epochs.get(side, 0) + 1
    after = replace(game, epochs={**game.epochs, side: epoch})
    writes = (
        store.leaving(game.id, side, old),
        store.joining(game.id, side, new),
        store.voiding_drafts(game.id, side),
        holds.voiding(game.id, side),
        links.revoking_writers(game.id, side),
        writers.forgetting(game.id, side),
        store.ending_copies(game.id, side, old),
        links.revoking(game.id, side, old),
        store.renewing_tokens(game.id, side, epoch, game.turn, side_tokens(after)),
    )
    return writes, after


# Other addresses


def address(desk: Desk, command: Command) -> Effect:
    """ADDRESS new; ADDRESS ADD new; ADDRESS REMOVE one of the sender's own."""
    game, side = _as_player(desk)
    wanted = command.args["address"]
    players = desk.ports.journal.addresses(game.id)
    if command.args.get("remove"):
        return _removed(desk, game, side, wanted)
    usable(desk, wanted)
    if any(wanted in found for found in players.values()):
        raise Refused("plays-already", address=wanted)
    if command.args.get("add") and len(players[side]) >= MAX_PLAYERS:
        raise Refused("too-many-players", most=MAX_PLAYERS)
    data = {"add": bool(command.args.get("add"))}
    fields = {"game": game.id, "side": side, "old": desk.sender, "add": data["add"]}
    return asked_for(desk, game, wanted, "address", data, Said("asked-address", fields))


def _removed(desk: Desk, game: Game, side: str, wanted: str) -> Effect:
    """An address of the sender's own counts no more."""
    players = desk.ports.journal.addresses(game.id)[side]
    known = store.preferences_in(desk.ports.journal.engine, game.id, "person")
    if wanted not in players or known.get(wanted, wanted) != known.get(desk.sender, desk.sender):
        raise Refused("not-your-address", address=wanted)
    if len(players) == 1:
        raise Refused("last-address")
    writes = (store.leaving(game.id, side, wanted), links.revoking(game.id, side, wanted))
    return Effect((Said("address-removed", {"address": wanted}),), writes=writes)


def accept_address(desk: Desk, command: Command, offer: Offer) -> Effect:
    """The new address has answered: it is the player's."""
    game, side, new = desk.game, str(offer.side), str(offer.address)
    if game is None:
        raise Refused("game-over")
    players = desk.ports.journal.addresses(game.id)
    if offer.asker not in players.get(side, []) or any(new in found for found in players.values()):
        raise Refused("no-such-offer", code=offer.code)
    person = store.preferences_in(desk.ports.journal.engine, game.id, "person").get(offer.asker, offer.asker)
    writes = [offer.settled("taken"), store.joining(game.id, side, new), store.preferring(game.id, new, "person", person)]
    writes.append(zones.inheriting(offer.asker, new))
    told = Said("address-taken", {"new": new, "add": offer.data["add"], "game": game.id})
    if offer.data["add"]:
        left = notice(desk, side, "address", told, to=[offer.asker])
    else:
        writes += [store.leaving(game.id, side, offer.asker), links.revoking(game.id, side, offer.asker)]
        left = [to_outsider(desk, offer.asker, "address", told)]
    said = Said("you-play", {"game": game.id, "side": side})
    return Effect((said,), shows=SHOWN, writes=tuple(writes), intents=tuple(left), after=game, side=side)


def link(desk: Desk, command: Command) -> Effect:
    """LINK: a code with which another account of the sender's becomes his, within a day. LINK OFF: his codes are worth nothing more,
    nor what he linked by them: tokens of programs, accounts, and where he is told of turns.
    """
    game, side = _as_player(desk)
    mine = [one for one in store.offers_in(desk.ports.journal.engine, desk.at, game.id, "link") if one.asker == desk.sender]
    void = tuple(one.settled("void") for one in mine)
    if command.args.get("off"):
        count = ending.count(desk.ports.journal.engine, game.id, side, desk.sender)
        if not (mine or count):
            raise Refused("no-codes")
        return Effect((Said("link-off", {"n": len(mine) + count}),), writes=(*void, ending.ending(game.id, side, desk.sender)))
    made = Offer(desk.code("link"), "link", game.id, side, None, desk.sender, {"add": True}, desk.at)
    return Effect((Said("link", {"address": desk.ports.config.address}),), text=(f"ACCEPT {made.code}",), writes=(*void, made.written(1)))


def accept_link(desk: Desk, command: Command, offer: Offer) -> Effect:
    """Whoever writes has the code that a player was mailed: his address is the player's, too."""
    if desk.game is not None and len(desk.ports.journal.addresses(desk.game.id)[str(offer.side)]) >= MAX_PLAYERS:
        raise Refused("too-many-players", most=MAX_PLAYERS)
    return accept_address(desk, command, replace(offer, address=desk.sender))


# Copies


def copy(desk: Desk, command: Command) -> Effect:
    """COPY address; COPY OFF [address]."""
    game, side = _playing(desk)
    engine, wanted = desk.ports.journal.engine, command.args.get("address")
    known = store.copies_of(engine, game.id, side)
    if command.args.get("off"):
        if not known or (wanted and wanted not in known):
            raise Refused("no-copies")
        gone = [wanted] if wanted else known
        writes = (store.copying(game.id, side, wanted, on=False), links.revoking(game.id, side, *gone))
        return Effect((Said("copies-off", {"addresses": gone}),), writes=writes)
    usable(desk, wanted)
    if wanted in known or any(wanted in found for found in desk.ports.journal.addresses(game.id).values()):
        raise Refused("plays-already", address=wanted)
    if len(known) >= MOST_COPIES:
        raise Refused("too-many-copies", most=MOST_COPIES)
    fields = {"game": game.id, "side": side, "host": desk.sender}
    return asked_for(desk, game, wanted, "copy", {}, Said("asked-copy", fields))


def accept_copy(desk: Desk, command: Command, offer: Offer) -> Effect:
    """Somebody wants the copies that he was offered."""
    game, side, new = desk.game, str(offer.side), str(offer.address)
    if game is None or any(new in found for found in desk.ports.journal.addresses(game.id).values()):
        raise Refused("no-such-offer", code=offer.code)
    writes = (offer.settled("taken"), store.copying(game.id, side, new, on=True))
    told = notice(desk, side, "copy", Said("copy-taken", {"address": new}))
    said = Said("you-get-copies", {"game": game.id, "side": side, "code": offer.code})
    return Effect((said,), writes=writes, intents=tuple(told), after=game, side="")


def notify(desk: Desk, command: Command) -> Effect:
    """NOTIFY ALL: every report. NOTIFY AWAITED: only those that ask for orders. What answers a mail is always sent.

    NOTIFY REMINDERS OFF, NOTIFY DIGEST OFF: none of these, in all of the sender's games; ON: again.
    """
    kind = next((one for one in ("reminders", "digest") if command.args.get(one)), None)
    if kind is not None:
        on = command.args["switch"] == "ON"
        wish = zones.wishing(desk.sender, kind, "on" if on else "off")
        return Effect((Said(f"notify-{kind}", {"on": on}),), writes=(wish,))
    game, _ = _playing(desk)
    how = command.args["how"].lower()
    return Effect((Said("notify", {"how": how}),), writes=(store.preferring(game.id, desk.sender, "notify", how),))


# Watching


def spectate(desk: Desk, command: Command) -> Effect:
    """SPECTATE game: what both sides may know is mailed when a player-turn ends. SPECTATE OFF [game]."""
    engine, key = desk.ports.journal.engine, command.args.get("game") or (desk.game.id if desk.game else None)
    if command.args.get("off"):
        watched = [one for one in store.watched_by(engine, desk.sender) if key in (None, one)]
        if not watched:
            raise Refused("watch-nothing")
        writes = [store.watching(one, desk.sender, on=False) for one in watched]
        writes += [links.revoking(one, SPECTATOR, desk.sender) for one in watched]
        return Effect((Said("watch-off", {"games": watched}),), writes=tuple(writes))
    game = desk.ports.journal.game(key) if key else None
    if game is None:
        raise Refused("no-such-game", game=key)
    if game.over:
        raise Refused("game-over")
    if any(desk.sender in found for found in desk.ports.journal.addresses(game.id).values()):
        raise Refused("plays-already", address=desk.sender)
    if len(store.spectators_of(engine, game.id)) >= MOST_WATCHERS:
        raise Refused("too-many-watchers", most=MOST_WATCHERS)
    if not desk.sure:
        return knock(desk, "spectate", {"game": game.id}, home=game.id, game=game.id)
    return _watching(desk, game, ())


def _watching(desk: Desk, game: Game, writes: tuple[Write, ...]) -> Effect:
    said = Said("watch-on", {"game": game.id, "turn": game.turn, "address": desk.ports.config.address})
    return Effect((said,), writes=(*writes, store.watching(game.id, desk.sender, on=True)))


def accept_spectate(desk: Desk, command: Command, offer: Offer) -> Effect:
    """A stranger has said that it was he who wants to watch."""
    if desk.game is None or desk.game.over:
        raise Refused("game-over")
    return _watching(desk, desk.game, (offer.settled("taken"),))


TABLE: Mapping[str, Carry] = {
    "SUBSTITUTE": substitute,
    "ADDRESS": address,
    "COPY": copy,
    "NOTIFY": notify,
    "SPECTATE": spectate,
    "LINK": link,
}
ACCEPTED: Mapping[str, Accept] = {
    "substitute": accept_substitute,
    "address": accept_address,
    "link": accept_link,
    "copy": accept_copy,
    "spectate": accept_spectate,
}

"""ACCEPT and REFUSE: what was offered is found by its code, or as the only thing that the sender's side is asked."""

from __future__ import annotations

from collections.abc import Mapping

from worker.commands import agreeing, beginning, clocks, people, reseating, store
from worker.commands.frame import Carry, Command, Desk, Effect, Refused, Said, notice, to_outsider
from worker.commands.offering import Accept
from worker.commands.store import Offer
from worker.hosting.alerts import entering
from worker.post import links
from worker.post.questions import forged
from worker.store.records import STRAY, Intent


def _alone(desk: Desk, command: Command, offer: Offer) -> Effect:
    """What the game master was asked about is carried out in place of the mail that says yes: so that holds nothing else."""
    raise Refused("accept-alone")


ACCEPTED: Mapping[str, Accept] = {
    **beginning.ACCEPTED,
    **agreeing.ACCEPTED,
    **people.ACCEPTED,
    **clocks.ACCEPTED,
    **reseating.ACCEPTED,
    "master": _alone,
}


def accept(desk: Desk, command: Command) -> Effect:
    """ACCEPT [code] [WORD word]."""
    offer = _offer(desk, command)
    return ACCEPTED[offer.kind](desk, command, offer)


def refuse(desk: Desk, command: Command) -> Effect:
    """REFUSE [code]: who asked is told. Whoever gets copies is rid of them by it, too."""
    taken = store.taken_copy(desk.ports.journal.engine, str(command.args.get("code")), desk.sender)
    if taken is not None:
        game, side = taken.game, str(taken.side)
        writes = (store.copying(game, side, desk.sender, on=False), links.revoking(game, side, desk.sender))
        return Effect((Said("no-more-copies"),), writes=writes)
    offer = _offer(desk, command)
    if offer.kind == "master":
        alert = forged(None if offer.game == STRAY else offer.game, int(offer.data["message"]), desk.at, side=None, name=str(offer.address))
        return Effect((Said("master-denied"),), writes=(offer.settled("refused"), entering(desk.ports.config, alert)))
    said = Said("refused-by", {"kind": offer.kind, "address": offer.address, "side": offer.side, "game": offer.game})
    return Effect(
        (Said("refusal-sent", {"kind": offer.kind}),), writes=(offer.settled("refused"),), intents=tuple(_to_asker(desk, offer, said))
    )


def _to_asker(desk: Desk, offer: Offer, said: Said) -> list[Intent]:
    """A word to whoever asked; not to himself."""
    if offer.asker == desk.sender:
        return []
    if desk.game is not None:
        side = next((side for side, found in desk.ports.journal.addresses(desk.game.id).items() if offer.asker in found), None)
        if side is not None:
            return notice(desk, side, "refused", said)
    return [to_outsider(desk, offer.asker, "refused", said)]


def _offer(desk: Desk, command: Command) -> Offer:
    """The offer that is meant, and that the sender may answer."""
    engine, code = desk.ports.journal.engine, command.args.get("code")
    if code is None:
        playing = desk.game is not None and desk.side is not None and desk.trust == "token"
        found = store.offers_to(engine, desk.at, str(desk.game and desk.game.id), str(desk.side)) if playing else []
        if len(found) != 1:
            raise Refused("which-offer", n=len(found))
        return found[0]
    offer = store.offer(engine, code, desk.at)
    if offer is None:
        if known := store.answered(engine, code, desk.sender, str(desk.game and desk.game.id), str(desk.side)):
            raise Refused("offer-answered", taken=known == "taken")
        raise Refused("no-such-offer", code=code)
    home = desk.game or desk.lobby
    if offer.game != STRAY and home is None:
        raise Refused("no-open-game", game=offer.game)
    if home is not None and offer.game not in (STRAY, home.id):
        raise Refused("offer-elsewhere", game=offer.game)
    if offer.kind == "link":  # whoever has the code may use it: it went to nobody but the player
        return offer
    if offer.address is None and (desk.trust != "token" or desk.side != offer.side or desk.game is None or desk.game.id != offer.game):
        raise Refused("need-token")
    if offer.address is not None and offer.address != desk.sender:
        raise Refused("offer-not-yours")
    return offer


TABLE: Mapping[str, Carry] = {"ACCEPT": accept, "REFUSE": refuse}

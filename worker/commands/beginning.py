"""Games that begin by mail: NEW, JOIN, INVITE, and what accepting an invitation leads to.

The game's secret is drawn with NEW and its SHA-256 told at once; the words for the dice come after it, so that neither the server nor a
player can choose a throw.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from worker import secrets
from worker.canonical import Json
from worker.commands import store
from worker.commands.frame import Carry, Command, Desk, Effect, Refused, Said, notice, to_outsider
from worker.commands.offering import Accept, knock, offer_side, offered_to, usable
from worker.commands.store import Lobby, Offer, Seat
from worker.desk.study import read_options
from worker.play.games import Wanted, begin
from worker.ports import ServiceRefused
from worker.store.commits import add_tokens, enter_game
from worker.store.records import Write
from worker.waiting import terms
from worker.waiting.deadlines import ADJUTANT

MOST_WAITING = 3
"""Games of one founder that wait for players."""
MOST_INVITED = 20
"""Invitations to one such game that wait for an answer."""


def new(desk: Desk, command: Command) -> Effect:
    """NEW scenario [AS side] [WORD word] [WITH options] [AGAINST ADJUTANT]; NEW OFF gives a game up that has not begun."""
    if command.args.get("off"):
        return _given_up(desk)
    asked = _asked(desk, command.args)
    if len(store.lobbies_of(desk.ports.journal.engine, founder=desk.sender)) >= MOST_WAITING:
        raise Refused("too-many-games", most=MOST_WAITING)
    if not desk.sure:
        return knock(desk, "new", dict(command.args), scenario=asked.scenario)
    return _founded(desk, asked, command.args)


def _given_up(desk: Desk) -> Effect:
    """Who has a seat is told."""
    lobby = desk.lobby
    if lobby is None or desk.trust != "token":
        raise Refused("need-token")
    if lobby.founder != desk.sender:
        raise Refused("not-founder", founder=lobby.founder)
    said = Said("given-up", {"game": lobby.id, "host": desk.sender})
    told = tuple(to_outsider(desk, one.address, f"off/{one.side}", said) for one in lobby.seats if one.address != desk.sender)
    return Effect((Said("founded-off", {"game": lobby.id}),), writes=(lobby.closed("dropped"),), intents=told)


def _asked(desk: Desk, args: Json) -> Lobby:
    """The game that is asked for, as a lobby without seats."""
    allowed = desk.ports.config.new_games
    master = desk.sender == desk.ports.config.game_master.lower()
    if not master and (allowed == "nobody" or (allowed == "players" and desk.trust == "stranger")):
        raise Refused("no-new-games")
    scenario, options = args["scenario"], read_options(tuple(f"{key}={value}" for key, value in (args.get("options") or {}).items()))
    secret = secrets.new_secret()
    try:
        sides = tuple(str(side) for side in desk.ports.rules.scenario(scenario)["game"]["sides"])
        desk.ports.rules.new_state(scenario, options, secret)
    except ServiceRefused as refusal:
        raise Refused("cannot-begin", why=str(refusal)[:300], scenarios=_scenarios(desk)) from None
    side = args.get("side")
    if side is not None and side not in sides:
        raise Refused("no-such-side", side=side, sides=list(sides))
    return Lobby(desk.ports.journal.free_id(desk.ports.config.first_game), scenario, options, sides, secret, desk.sender)


def _scenarios(desk: Desk) -> list[str]:
    games = desk.ports.rules.games()["games"]
    return [str(one["id"]) for game in games for one in game.get("scenarios", [])]


def _founded(desk: Desk, asked: Lobby, args: Json) -> Effect:
    seat = _seat(asked, args.get("side") or asked.sides[0], desk.sender, args.get("word"))
    lobby = replace(asked, seats=(seat,))
    wished = {key: str(args[key]).lower() for key in terms.KEYS if args.get(key) is not None}
    agreeing = (terms.agreeing(lobby.id, wished),) if wished else ()
    if args.get("alone"):
        return _begun(desk, lobby, [], wished)
    said = Said("founded", _described(desk, lobby) | {"side": seat.side})
    return Effect(
        (said, *_clocks(desk, wished)), writes=(lobby.opened(desk.at), lobby.seated(seat), *agreeing), after=lobby, side=seat.side
    )


def _clocks(desk: Desk, agreed: Mapping[str, str]) -> tuple[Said, ...]:
    """The deadlines of a game that waits, where it has any."""
    found = terms.default(desk.ports.config).with_(agreed)
    return (Said("terms-now", found.as_json()),) if found.timed else ()


def _described(desk: Desk, lobby: Lobby) -> Json:
    title = desk.ports.rules.scenario(lobby.scenario)["game"].get("title") or lobby.scenario
    fields = {"game": lobby.id, "scenario": lobby.scenario, "title": title, "options": lobby.options, "free": lobby.free}
    return fields | {"commitment": secrets.commitment(lobby.secret), "address": desk.ports.config.address}


def _seat(lobby: Lobby, side: str, address: str, word: str | None) -> Seat:
    return Seat(side, address, word or "", secrets.token(lobby.secret, lobby.id, 0, 0, side))


def join(desk: Desk, command: Command) -> Effect:
    """JOIN game [AS side] [WORD word]."""
    lobby = store.lobby(desk.ports.journal.engine, command.args["game"])
    if lobby is None:
        raise Refused("no-open-game", game=command.args["game"])
    _free_side(lobby, desk.sender, command.args.get("side"))
    if not desk.sure:
        return knock(desk, "join", dict(command.args), home=lobby.id, game=lobby.id)
    return _seated(desk, lobby, command.args.get("side"), command.args.get("word"), [])


def _free_side(lobby: Lobby, address: str, side: str | None) -> str:
    """The side that an address can take."""
    seat = lobby.seat_of(address)
    if seat is not None:
        raise Refused("seat-yours", game=lobby.id, side=seat.side, free=lobby.free)
    if side is not None and side not in lobby.sides:
        raise Refused("no-such-side", side=side, sides=list(lobby.sides))
    if side is not None and side not in lobby.free:
        raise Refused("seat-taken", side=side, free=lobby.free)
    return side or lobby.free[0]


def _seated(desk: Desk, lobby: Lobby, side: str | None, word: str | None, writes: list[Write]) -> Effect:
    """Somebody takes a side; where it was the last one, the game begins."""
    seat = _seat(lobby, _free_side(lobby, desk.sender, side), desk.sender, word)
    full = replace(lobby, seats=(*lobby.seats, seat))
    if not full.free:
        return _begun(desk, full, [lobby.seated(seat), lobby.closed("started"), *writes])
    said = Said("seated", _described(desk, full) | {"side": seat.side})
    clocks = _clocks(desk, terms.agreed(desk.ports.journal.engine, lobby.id))
    return Effect((said, *clocks), writes=(lobby.seated(seat), *writes), after=full, side=seat.side)


def _begun(desk: Desk, lobby: Lobby, writes: list[Write], wished: Mapping[str, str] | None = None) -> Effect:
    """All sides have their player, or the adjutant: the game begins, and mails its players. ``wished``: its terms, if none are kept yet."""
    seats = {one.side: one for one in lobby.seats}
    addresses = {side: [seats[side].address if side in seats else ADJUTANT] for side in lobby.sides}
    words = [[side, seats[side].word] for side in lobby.sides if side in seats and seats[side].word]
    wanted = Wanted(lobby.scenario, lobby.options, lobby.sides, lobby.secret, addresses, words=words, agreed=wished)
    game, state, start = begin(desk.ports, wanted, lobby.id, desk.at)

    def enter(connection: object) -> None:
        enter_game(connection, game, state, start)  # type: ignore[arg-type]
        add_tokens(connection, game.id, 0, {one.side: one.token for one in lobby.seats})  # type: ignore[arg-type]

    side = next(one.side for one in lobby.seats if one.address == desk.sender)
    said = Said("begun", {"game": game.id, "side": side, "words": words})
    return Effect((said,), writes=(*writes, enter), begun=game.id)


def invite(desk: Desk, command: Command) -> Effect:
    """INVITE address [TO game] [AS side]: to a side of a game that waits, or to play on one's own in a game that runs."""
    address, side = command.args["address"], command.args.get("side")
    usable(desk, address)
    home = desk.game or desk.lobby
    if desk.trust != "token" or desk.side is None or home is None or (command.args.get("game") or home.id) != home.id:
        raise Refused("need-token")
    if isinstance(home, Lobby):
        offered = _free_side(home, address, side)
        said = Said("invited", _described(desk, home) | {"side": offered, "host": desk.sender})
        made = Offer(desk.code("seat", address), "seat", home.id, offered, address, desk.sender, {}, desk.at)
        clocks = _clocks(desk, terms.agreed(desk.ports.journal.engine, home.id))
        return offered_to(desk, made, said, *clocks, most=MOST_INVITED, word=True)
    if side not in (None, desk.side):
        raise Refused("other-side", side=side)
    return offer_side(desk, home, address, "player", "invited-beside")


# What a yes leads to


def accept_new(desk: Desk, command: Command, offer: Offer) -> Effect:
    """A stranger has said that it was he who wants a new game."""
    asked = _asked(replace(desk, proven=True), offer.data)
    found = _founded(replace(desk, proven=True), asked, offer.data | _word(command))
    return replace(found, writes=(offer.settled("taken"), *found.writes))


def accept_join(desk: Desk, command: Command, offer: Offer) -> Effect:
    """A stranger has said that it was he who wants to join."""
    lobby = store.lobby(desk.ports.journal.engine, offer.game)
    if lobby is None:
        raise Refused("no-open-game", game=offer.game)
    args = offer.data | _word(command)
    return _seated(desk, lobby, args.get("side"), args.get("word"), [offer.settled("taken")])


def accept_seat(desk: Desk, command: Command, offer: Offer) -> Effect:
    """Somebody accepts an invitation to a game that waits."""
    lobby = store.lobby(desk.ports.journal.engine, offer.game)
    if lobby is None:
        raise Refused("no-open-game", game=offer.game)
    side = offer.side if offer.side in lobby.free else None
    return _seated(desk, lobby, side, command.args.get("word"), [offer.settled("taken")])


def accept_player(desk: Desk, command: Command, offer: Offer) -> Effect:
    """Somebody accepts to play beside the players of a side."""
    game = desk.game
    if game is None or game.over or offer.side is None:
        raise Refused("game-over")
    if any(offer.address in found for found in desk.ports.journal.addresses(game.id).values()):
        raise Refused("plays-already", address=offer.address)
    told = notice(desk, offer.side, "beside", Said("plays-beside", {"address": offer.address, "side": offer.side}))
    return Effect(
        (Said("you-play", {"game": game.id, "side": offer.side}),),
        shows=frozenset({"map", "template", "position"}),
        writes=(offer.settled("taken"), store.joining(game.id, offer.side, str(offer.address))),
        intents=tuple(told),
        after=game,
        side=offer.side,
    )


def _word(command: Command) -> Json:
    return {"word": command.args["word"]} if command.args.get("word") else {}


TABLE: Mapping[str, Carry] = {"NEW": new, "JOIN": join, "INVITE": invite}
ACCEPTED: Mapping[str, Accept] = {"new": accept_new, "join": accept_join, "seat": accept_seat, "player": accept_player}

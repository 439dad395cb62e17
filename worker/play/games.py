"""Starting a game: its first state, its players, its secret and commitment, and the mails that tell them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from worker import secrets
from worker.canonical import Json, canonical, digest
from worker.config import THEMES
from worker.play import news
from worker.play.turn import mails, provenance
from worker.ports import Ports
from worker.post.context import ADDRESS, side_tokens
from worker.store.records import Game, LostRace, NewState, Start
from worker.waiting import terms
from worker.waiting.deadlines import ADJUTANT, adjutants, calls, following, next_due, without

SCENARIO = re.compile(r"[a-z0-9-]{1,40}/[a-z0-9-]{1,40}\Z")
MAX_PLAYERS = 8
# Stricter than what is answered: what a mail comes from has been an address somewhere, what is typed may be a slip.
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_TYPED = re.compile(rf"(?![.])(?!.*[.][.@]){ADDRESS.pattern.partition('@')[0]}@{_LABEL}(?:\.{_LABEL})*\Z")


class UnusableInput(Exception):
    """What was asked for cannot be done as it was asked; the message is one clear sentence. Nothing was changed."""


def check_scenario(scenario: str) -> str:
    """``scenario`` if it is spelt like an id. UnusableInput if not."""
    if not SCENARIO.match(scenario):
        raise UnusableInput(f"{scenario[:100]!r} is not a scenario id; they look like holdfast/campaign-1 (see hexpost scenarios).")
    return scenario


def new_game(
    ports: Ports,
    scenario: str,
    addresses: Mapping[str, list[str]],
    options: Json,
    secret: str | None = None,
    themes: Mapping[str, str] | None = None,
    agreed: Mapping[str, str] | None = None,
) -> Game:
    """Start a game of ``scenario`` and put the start mails into the outbox. ``addresses``: side -> its players' addresses.

    ``themes``: the look of its pictures by side, ``""`` for all sides; without one they have that of the settings. ``agreed``: its terms
    (worker/waiting/terms.py), where they are not those of the settings. Raises UnusableInput, and what the rules service raises.
    """
    described = ports.rules.scenario(check_scenario(scenario))
    sides = [str(side) for side in described["game"]["sides"]]
    _check_players(addresses, sides)
    _check_addresses(addresses, ports.config.address)
    looks = looks_of(themes or {}, sides)
    wanted = Wanted(scenario, options, tuple(sides), secret or secrets.new_secret(), addresses, looks, agreed=agreed or {})
    for _ in range(20):
        begun = begin(ports, wanted, ports.journal.free_id(ports.config.first_game), ports.now())
        try:
            ports.journal.start_game(*begun)
        except LostRace:
            continue  # somebody else took the id
        return begun[0]
    raise UnusableInput("No game id is free; try again.")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A game that is to begin. ``words``: those of the players that the dice are mixed with, ``[[side, word], ...]`` in side order.

    ``agreed``: its terms, by their keys; None: those that were entered for it already.
    """

    scenario: str
    options: Json
    sides: tuple[str, ...]
    secret: str
    addresses: Mapping[str, list[str]]
    looks: Mapping[str, str] = field(default_factory=dict)
    words: list[list[str]] = field(default_factory=list)
    agreed: Mapping[str, str] | None = None


def begin(ports: Ports, wanted: Wanted, key: str, at: str) -> tuple[Game, NewState, Start]:
    """The game, its first state, and all that it starts with, to be entered in one transaction. Raises what the rules service raises."""
    made = ports.rules.new_state(wanted.scenario, wanted.options, wanted.secret, wanted.words)
    views = {side: ports.rules.view(made["state"], side) for side in wanted.sides}
    game = Game(
        id=key,
        scenario=wanted.scenario,
        options=wanted.options,
        sides=wanted.sides,
        secret=wanted.secret,
        words=wanted.words,
        branch=0,
        version=0,
        n=0,
        packets=0,
        turn=news.game_turn(views, 1),
        over=False,
        head="",
    )
    record = {
        "game": game.id,
        "version": 0,
        "branch": 0,
        "n": None,
        "scenario": game.scenario,
        "commitment": secrets.commitment(game.secret),
        "words": game.words,
        "state": made["digest"],
        "events": digest(canonical(made["events"])),
    } | ({"mixed": True} if wanted.words else {})  # what was thrown at the opening, too
    state = NewState(0, made["state"], made["digest"], record | provenance(made["state"]), made["events"], game.turn, False)
    known = {side: list(dict.fromkeys(address.lower() for address in wanted.addresses[side])) for side in game.sides}
    absent = adjutants(known)
    entered = terms.agreed(ports.journal.engine, key) if wanted.agreed is None else wanted.agreed
    agreed = terms.default(ports.config).with_(entered)
    due = following({}, {}, without(views, absent), at, agreed.hours)
    facts = {
        "news": True,
        "commitment": secrets.commitment(game.secret),
        "deadline": next_due({}, due),
        "dice_words": game.words,
        "terms": agreed.as_json(),
    }
    data = {"kind": "start", "date": at, "facts": facts, "subject": "", "after": -1, "in_reply_to": None, "references": []}
    first = tuple(one for side in game.sides for one in mails(ports, game, side, known[side], data, f"v0/start/{side}", 0))
    also = (terms.agreeing(key, wanted.agreed),) if wanted.agreed else ()
    start = Start(known, side_tokens(game), first, at, due, calls(game.id, 0, views, absent), wanted.looks, also)
    return game, state, start


def looks_of(themes: Mapping[str, str], sides: list[str]) -> dict[str, str]:
    """The theme of each side that has one of its own. UnusableInput if there is no such side or theme."""
    for side, theme in themes.items():
        if side and side not in sides:
            raise UnusableInput(f"There is no side {side[:80]!r}; this scenario has {', '.join(sides)}.")
        if theme not in THEMES:
            raise UnusableInput(f"There is no theme {theme[:80]!r}; there are {', '.join(THEMES)}.")
    found = {side: themes.get(side, themes.get("")) for side in sides}
    return {side: theme for side, theme in found.items() if theme is not None}


def _check_players(addresses: Mapping[str, list[str]], sides: list[str]) -> None:
    named = ", ".join(sides)
    for side in addresses:
        if side not in sides:
            raise UnusableInput(f"There is no side {side!r}; this scenario has {named}.")
    for side in sides:
        if not addresses.get(side):
            raise UnusableInput(f"Side {side} has no player: give --side {side}=ADDRESS (sides: {named}).")
        adjutant = ADJUTANT in (one.lower() for one in addresses[side])
        if adjutant and len(addresses[side]) > 1:
            raise UnusableInput(f"Side {side} is played by the adjutant or by players, not by both.")
        if len(addresses[side]) > MAX_PLAYERS:
            raise UnusableInput(f"Side {side} has {len(addresses[side])} players; at most {MAX_PLAYERS} can share a side.")
    if all(one.lower() == ADJUTANT for players in addresses.values() for one in players):
        raise UnusableInput("The adjutant alone plays no game by mail; that is hexpost selfplay.")


def _check_addresses(addresses: Mapping[str, list[str]], own: str) -> None:
    """One address may play several sides: that is how a game is played alone."""
    for address in (one for players in addresses.values() for one in players if one.lower() != ADJUTANT):
        check_address(address, own)


def check_address(address: str, own: str) -> None:
    """UnusableInput unless it is a mail address, and not that of the server (``own``)."""
    if len(address) > 254 or not _TYPED.match(address):
        raise UnusableInput(f"{address[:100]!r} is not a mail address; one looks like name@example.org, without a name before it.")
    if is_own(address.lower(), own.lower()):
        raise UnusableInput(
            f"{address} is where this server takes orders; a player there would never read his mails: name his own address."
        )


def is_own(address: str, own: str) -> bool:
    """Whether a mail to ``address`` comes back to the server: to the order address itself, or to a tagged form of it."""
    local, _, domain = address.rpartition("@")
    own_local, _, own_domain = own.rpartition("@")
    return domain == own_domain and (local == own_local or local.startswith(f"{own_local}+"))

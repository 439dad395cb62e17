"""What the reader of a mail is told about the receiving server and the open games. Plain frozen values, made from JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


class ContextError(ValueError):
    """The context is not what ``hexpost read`` takes; the text says where."""


@dataclass(frozen=True, slots=True)
class SideContext:
    """A side of a game: its players' addresses (lower case), the token of its open turn, tokens of closed ones, ids of mails sent to it.

    ``old_mails``: those of the mails that belong to closed turns, where their ids do not bear the token of that turn.
    ``asked``: by the token of a question whether a held mail is the player's own, and by the id of the mail that put it: the key of the
    held mail.
    """

    addresses: frozenset[str]
    token: str
    old_tokens: frozenset[str]
    mails: frozenset[str]
    old_mails: frozenset[str] = frozenset()
    asked: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GameContext:
    """An open game and its game-turn."""

    id: str
    turn: int
    deadline: str | None
    sides: Mapping[str, SideContext]


@dataclass(frozen=True, slots=True)
class Seen:
    """A message that was taken before. ``digest`` None: its Message-ID alone identifies it. ``closed``: it was of a closed turn even then,
    and so makes no mail of the open turn a copy.
    """

    game: str
    side: str
    message_id: str
    digest: str | None
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Context:
    """``server``: the name under which our own mail server stamps results.  ``address``: the address for orders, without a tag; ``former``:
    those of the servers that games came from, whose tags are good here.

    ``demand_pass``: orders need a DMARC or DKIM pass.  ``confirmed``: ids of held mails that the registered address has confirmed;
    ``vouched``: it has confirmed this very mail.  ``check_dkim``: signatures are checked here where that server has stamped nothing;
    ``keys``: the TXT records to check them with, by name, where they are not to be looked up.
    ``masters``: the addresses of game masters, lower case.  ``patient``: the mail can be read again later, when its key may be had.
    """

    server: str
    address: str
    games: tuple[GameContext, ...]
    seen: tuple[Seen, ...] = ()
    demand_pass: bool = False
    confirmed: frozenset[str] = frozenset()
    vouched: bool = False
    check_dkim: bool = False
    keys: Mapping[str, str] | None = None
    masters: frozenset[str] = frozenset()
    former: tuple[str, ...] = ()
    patient: bool = False

    def game(self, name: str) -> GameContext | None:
        """The open game of that id, in any case."""
        return next((game for game in self.games if game.id.lower() == name.lower()), None)


def read_context(data: Any) -> Context:
    """The context from its JSON form (``docs/decisions``: ``hexpost read``). ContextError says what is wrong and where."""
    top = _mapping(data, "the context")
    games = tuple(_game(item, f"games[{n}]") for n, item in enumerate(_list(top, "games", "the context")))
    seen = tuple(_seen(item, f"seen[{n}]") for n, item in enumerate(_list(top, "seen", "the context")))
    return Context(
        _text(top, "server", "the context"),
        _text(top, "address", "the context").lower(),
        games,
        seen,
        bool(top.get("demand_pass", False)),
        frozenset(_texts(top, "confirmed", "the context")),
        bool(top.get("vouched", False)),
        bool(top.get("check_dkim", False)),
        _named(top, "keys") if top.get("keys") is not None else None,
        frozenset(one.strip().lower() for one in _texts(top, "masters", "the context")),
        tuple(one.strip().lower() for one in _texts(top, "former", "the context")),
        bool(top.get("patient", False)),
    )


def _game(data: Any, where: str) -> GameContext:
    game = _mapping(data, where)
    turn = game.get("turn")
    if not isinstance(turn, int) or isinstance(turn, bool):
        raise ContextError(f"{where}.turn: a whole number is wanted")
    sides = {str(name): _side(side, f"{where}.sides.{name}") for name, side in _mapping(game.get("sides"), f"{where}.sides").items()}
    deadline = game.get("deadline")
    return GameContext(_text(game, "id", where), turn, deadline if isinstance(deadline, str) else None, sides)


def _side(data: Any, where: str) -> SideContext:
    side = _mapping(data, where)
    return SideContext(
        frozenset(address.strip().lower() for address in _texts(side, "addresses", where)),
        str(side.get("token") or "").lower(),
        frozenset(token.lower() for token in _texts(side, "old_tokens", where)),
        frozenset(bare_id(found) for found in _texts(side, "mails", where)),
        frozenset(bare_id(found) for found in _texts(side, "old_mails", where)),
        {bare_id(key).lower() if "@" not in key else bare_id(key): held for key, held in _named(side, "asked", where).items()},
    )


def _seen(data: Any, where: str) -> Seen:
    seen = _mapping(data, where)
    digest = seen.get("digest")
    return Seen(
        _text(seen, "game", where),
        _text(seen, "side", where),
        str(seen.get("message_id") or ""),
        digest if isinstance(digest, str) else None,
        bool(seen.get("closed", False)),
    )


def bare_id(message_id: str) -> str:
    """A Message-ID without blanks and angle brackets, for comparing."""
    return message_id.strip().strip("<>")


def _mapping(data: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(data, Mapping):
        raise ContextError(f"{where}: an object is wanted")
    return data


def _list(data: Mapping[str, Any], key: str, where: str) -> list[Any]:
    value = data.get(key, [])
    if not isinstance(value, list):
        raise ContextError(f"{where}.{key}: a list is wanted")
    return value


def _texts(data: Mapping[str, Any], key: str, where: str) -> list[str]:
    values = _list(data, key, where)
    if not all(isinstance(value, str) for value in values):
        raise ContextError(f"{where}.{key}: a list of texts is wanted")
    return values


def _named(data: Mapping[str, Any], key: str, where: str = "the context") -> Mapping[str, str]:
    value = _mapping(data.get(key, {}), f"{where}.{key}")
    if not all(isinstance(name, str) and isinstance(one, str) for name, one in value.items()):
        raise ContextError(f"{where}.{key}: texts by name are wanted")
    return value


def _text(data: Mapping[str, Any], key: str, where: str) -> str:
    value = data.get(key)
    if not isinstance(value, str) or not value:
        raise ContextError(f"{where}.{key}: a text is wanted")
    return value

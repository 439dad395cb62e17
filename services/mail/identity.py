"""Who a mail is from, and of which game, side and game-turn it speaks: by recipient tag, then by thread, then by subject tag."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from services.mail.addresses import Tag, addresses, message_ids, read_address, read_subject
from services.mail.context import Context, GameContext, bare_id
from services.mail.message import InboundMessage

_RECIPIENTS = ("delivered-to", "x-original-to", "envelope-to", "x-envelope-to", "to", "cc")


@dataclass(frozen=True, slots=True)
class Identity:
    """``sender``: the one address of ``From:``, or empty.  ``game`` and ``side``: what the token names, or as far as it is known.

    ``how``: ``address``, ``thread`` or ``subject``, None without a token that was ever good.  ``stale``: the token's turn is closed.
    ``named``: the game that the mail names, open or not.  ``clash``: address and subject name two games.
    ``asked``: it answers the question about the held mail of this key, None: it does not.
    """

    sender: str
    game: GameContext | None
    side: str | None
    turn: int | None
    how: str | None
    stale: bool
    named: str | None
    clash: bool
    asked: str | None = None

    @property
    def registered(self) -> bool:
        """The sender is registered for the side that the token names."""
        return self.game is not None and self.side is not None and self.sender in self.game.sides[self.side].addresses


def identify(message: InboundMessage, context: Context) -> Identity:
    """Look the mail's tokens up. The recipient's tag outweighs the thread, and that the subject's."""
    sender = sender_of(message)
    tags = _address_tags(message, context)
    subject = read_subject(message.first("subject"))
    names = {tag.game for tag in tags} | ({subject.game} if subject else set())
    clash = len(names) > 1
    for how, tag in (("address", tags[0] if tags else None), ("thread", None), ("subject", subject)):
        found = _by_thread(message, context) if how == "thread" else _by_tag(tag, context)
        if found is not None:
            game, side, stale, asked = found
            if how == "thread" and not stale and _by_tag(subject, context) == (game, side, True, None):
                stale = True  # the thread may be an old one that its id does not betray; the subject does
            turn = game.turn if not stale else (tag.turn if tag else None)
            return Identity(sender, game, side, turn, how, stale, game.id, clash, asked)
        if tag is not None and how == "address":
            break  # a tag that leads nowhere is not mended by what else the mail says
    return _by_name(sender, tags[0] if tags else subject, context, clash)


def sender_of(message: InboundMessage) -> str:
    """The address of ``From:`` in lower case; empty if there is none, or more than one."""
    found = addresses(*message.all("from"))
    return found[0] if len(found) == 1 and len(message.all("from")) == 1 else ""


def sides_of(sender: str, context: Context) -> list[tuple[GameContext, str]]:
    """The sides for which an address is registered."""
    return [(game, name) for game in context.games for name, side in game.sides.items() if sender and sender in side.addresses]


def _address_tags(message: InboundMessage, context: Context) -> list[Tag]:
    for header in _RECIPIENTS:
        values = message.all(header)
        found = [read_address(one, own) for one in addresses(*values) for own in (context.address, *context.former)]
        tags = list(dict.fromkeys(tag for tag in found if tag is not None))
        if tags:
            # Of a chain of deliveries the last one, which stands on top, is ours.
            return tags if header in ("to", "cc") else tags[:1]
    return []


Found = tuple[GameContext, str, bool, str | None]
"""Game, side, whether its turn is closed, and the key of the held mail that is spoken of."""


def _by_tag(tag: Tag | None, context: Context) -> Found | None:
    game = context.game(tag.game) if tag and tag.token else None
    if tag is None or tag.token is None or game is None:
        return None
    for name, side in game.sides.items():
        if tag.token == side.token or tag.token in side.asked:
            return game, name, False, side.asked.get(tag.token)
    for name, side in game.sides.items():
        if tag.token in side.old_tokens:
            return game, name, True, None
    return None


def _by_thread(message: InboundMessage, context: Context) -> Found | None:
    references = list(reversed(message_ids(*message.all("references"))))
    for found in map(bare_id, [*message_ids(*message.all("in-reply-to")), *references]):
        for game in context.games:
            for name, side in game.sides.items():
                if found in side.mails or found in side.old_mails or found in side.asked:
                    old = found in side.old_mails or _speaks_of_old(found, side.old_tokens)
                    return game, name, old, side.asked.get(found) if not old else None
    return None


def _speaks_of_old(message_id: str, old: Iterable[str]) -> bool:
    """Whether one of our own ids bears the token of a closed turn (``g17.t03.allied.p0q1@...``)."""
    return not set(message_id.partition("@")[0].lower().split(".")).isdisjoint(old)


def _by_name(sender: str, tag: Tag | None, context: Context, clash: bool) -> Identity:
    """Without a good token a mail may still name a game, or its sender play in just one."""
    game = context.game(tag.game) if tag else None
    sides = [pair for pair in sides_of(sender, context) if game is None or pair[0] is game]
    if tag is None and len(sides) == 1:
        game = sides[0][0]
    side = sides[0][1] if game is not None and len(sides) == 1 else None
    return Identity(sender, game, side, tag.turn if tag else None, None, False, game.id if game else (tag.game if tag else None), clash)

"""A game's secret and what is derived from it: commitment, packet seeds, tokens of a turn, Message-IDs, links.

Everything here is a function of the secret, so that a task that is run again makes the same mail with the same dice.
"""

from __future__ import annotations

import hashlib
import hmac
import os

from worker.canonical import Json, canonical

_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # nothing that is misread when a player types it


def new_secret() -> str:
    """32 bytes of the system's randomness, in hex."""
    return os.urandom(32).hex()


def commitment(secret: str) -> str:
    """SHA-256 of the secret's bytes, in hex: published when the game starts."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def game_key(secret: str, words: list[list[str]]) -> bytes:
    """HMAC-SHA256 of the secret over the players' words, ``[[side, word], ...]`` in side order."""
    return _hmac(bytes.fromhex(secret), words)


def seed(secret: str, words: list[list[str]], game: str, branch: int, n: int) -> str:
    """The seed of committed packet ``n``, in hex."""
    return _hmac(game_key(secret, words), [game, branch, n]).hex()


def token(secret: str, game: str, branch: int, turn: int, side: str, epoch: int = 0) -> str:
    """The token in the reply address of ``side``'s mails of a game-turn: 10 characters, new each turn.

    ``epoch``: how often the side's players were replaced; the token is new then, too.
    """
    return _drawn(secret, ["token", game, branch, turn, side, *([epoch] if epoch else [])], 10)


def code(secret: str, *about: Json) -> str:
    """The code of something that somebody must agree to: 14 characters."""
    return _drawn(secret, ["code", *about], 14)


def _drawn(secret: str, about: Json, length: int) -> str:
    """A word that cannot be guessed without the secret."""
    number = int.from_bytes(_hmac(bytes.fromhex(secret), about), "big")
    drawn = ""
    for _ in range(length):
        number, digit = divmod(number, len(_ALPHABET))
        drawn += _ALPHABET[digit]
    return drawn


def question(secret: str, game: str, message: int) -> str:
    """The token of the question whether a held mail is the player's own: 12 characters."""
    number = int.from_bytes(_hmac(bytes.fromhex(secret), ["question", game, message]), "big")
    return "".join(_ALPHABET[number // len(_ALPHABET) ** k % len(_ALPHABET)] for k in range(12))


def message_id(secret: str, game: str, key: str, domain: str) -> str:
    """The Message-ID of an outgoing mail, from its key (``side/number``, by what that side got). It tells nothing of the other sides."""
    return f"<{game.lower()}.{_hmac(bytes.fromhex(secret), ['mail', game, key]).hex()[:32]}@{domain}>"


def link_token(secret: str, game: str, key: str, address: str, name: str) -> str:
    """The token in the link to a file of a mail (``key``: the mail's in the outbox) for one addressee, in hex: 160 bits."""
    return _hmac(bytes.fromhex(secret), ["link", game, key, address, name]).hex()[:40]


def _hmac(key: bytes, value: Json) -> bytes:
    return hmac.new(key, canonical(value), hashlib.sha256).digest()

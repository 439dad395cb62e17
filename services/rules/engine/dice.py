"""Dice as keyed draws: the same seed and key give the same throw on every machine, and one draw more never shifts another.

Nothing here is random. The worker derives a packet's seed from the game's secret; hidden draws (an alias shuffle) are keyed by
a secret of the state instead, as a packet's seed is published.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

from services.rules.engine.canonical import canonical
from services.rules.engine.model import Json, Side

T = TypeVar("T")
_SPAN = 1 << 256
MAX_SIDES = 1000
MAX_COUNT = 1000


class DiceError(Exception):
    """Dice that cannot be thrown; the text is fit to show."""


class DiceExhausted(DiceError):
    """A script of dice that is too short for the throw asked of it."""


class Dice(Protocol):
    """Where throws come from."""

    def throw(self, key: tuple[Json, ...], sides: int, count: int) -> tuple[int, ...]:
        """``count`` dice of ``sides`` faces (1 to ``sides``) for the draw that ``key`` names. A key must not be used twice."""
        ...


class SeededDice:
    """Dice by SHA-256 of ``[seed, key fields..., die ordinal, attempt]`` in canonical JSON; both last fields count from 0."""

    def __init__(self, seed: bytes | str) -> None:
        """``seed``: bytes, or hex digits of any case. ValueError if it is not hex."""
        self._seed = (bytes.fromhex(seed) if isinstance(seed, str) else seed).hex()

    def throw(self, key: tuple[Json, ...], sides: int, count: int) -> tuple[int, ...]:
        _check_throw(sides, count)
        return tuple(_draw(sides, lambda attempt, die=die: _sha256([self._seed, *key, die, attempt])) for die in range(count))


class ScriptedDice:
    """Dice that fall as written, for tests and study; whatever is thrown takes the next ones."""

    def __init__(self, faces: Iterable[int]) -> None:
        self._faces = tuple(faces)
        self._used = 0

    def throw(self, key: tuple[Json, ...], sides: int, count: int) -> tuple[int, ...]:
        _check_throw(sides, count)
        left = len(self._faces) - self._used
        where = "/".join(str(field) for field in key)
        if count > left:
            raise DiceExhausted(f"the throw {where} takes {count} dice, and {left} of the {len(self._faces)} scripted are left")
        taken = self._faces[self._used : self._used + count]
        for face in taken:
            if not 1 <= face <= sides:
                raise DiceError(f"the throw {where} takes dice of 1 to {sides}, and the next scripted one shows {face}")
        self._used += count
        return taken

    @property
    def left(self) -> int:
        """How many scripted dice were not thrown yet."""
        return len(self._faces) - self._used


def game_key(secret: bytes | str, words: Sequence[tuple[Side, str]]) -> bytes:
    """The key of a game: HMAC-SHA256 of its secret over the players' words, ``[[side, word], ...]`` in the game's side order."""
    return hmac.digest(_bytes(secret), canonical([list(pair) for pair in words]), "sha256")


def packet_seed(key: bytes | str, game: str, branch: int, n: int) -> bytes:
    """The seed of committed packet ``n`` of a game: HMAC-SHA256 of the game key over ``[game, branch, n]``."""
    return hmac.digest(_bytes(key), canonical([game, branch, n]), "sha256")


def hidden_shuffle(hidden: bytes | str, fields: Sequence[Json], items: Sequence[T]) -> tuple[T, ...]:
    """``items`` in an order that only the holder of ``hidden`` can foresee; ``fields`` name the draw. Every order is as likely."""
    key = _bytes(hidden)
    pool = list(items)
    for last in range(len(pool) - 1, 0, -1):
        pick = _draw(last + 1, lambda attempt, last=last: _hmac(key, ["hidden", *fields, last, attempt])) - 1
        pool[last], pool[pick] = pool[pick], pool[last]
    return tuple(pool)


def _draw(sides: int, number: _Numbers) -> int:
    # Numbers past the last whole multiple of `sides` would favour the low faces, so they are drawn again.
    limit = _SPAN - _SPAN % sides
    attempt = 0
    while (drawn := number(attempt)) >= limit:
        attempt += 1
    return drawn % sides + 1


class _Numbers(Protocol):
    def __call__(self, attempt: int, /) -> int: ...


def _sha256(fields: list[Json]) -> int:
    return int.from_bytes(hashlib.sha256(canonical(fields)).digest(), "big")


def _hmac(key: bytes, fields: list[Json]) -> int:
    return int.from_bytes(hmac.digest(key, canonical(fields), "sha256"), "big")


def _bytes(value: bytes | str) -> bytes:
    return bytes.fromhex(value) if isinstance(value, str) else value


def _check_throw(sides: int, count: int) -> None:
    if not 2 <= sides <= MAX_SIDES or not 0 <= count <= MAX_COUNT:
        raise DiceError(f"cannot throw {count} dice of {sides} sides")

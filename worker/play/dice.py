"""How dice fall by a packet's seed, written down a second time: whoever verifies a game need not believe the rules service."""

from __future__ import annotations

from worker.canonical import Json, canonical, digest

_SPAN = 1 << 256
MAX_DICE = 1000


def throw(seed: str, key: list[Json], sides: int, count: int) -> list[int]:
    """``count`` dice of ``sides`` faces for the draw ``key`` under a seed in hex: SHA-256 of ``[seed, key fields..., die, attempt]``."""
    return [_draw(seed, [*key, die], sides) for die in range(count)]


def _draw(seed: str, fields: list[Json], sides: int) -> int:
    # Numbers past the last whole multiple of `sides` would favour the low faces, so they are drawn again.
    limit = _SPAN - _SPAN % sides
    attempt = 0
    while (drawn := int(digest(canonical([seed, *fields, attempt])), 16)) >= limit:
        attempt += 1
    return drawn % sides + 1


def wrong_throw(seed: str, event: Json) -> bool:
    """Whether the dice of a ``rolled`` event are others than its seed and key give, or none at all can be made of it."""
    data = event["data"]
    dice, key, sides = data["dice"], data["key"], data["sides"]
    if not (isinstance(dice, list) and isinstance(key, list) and type(sides) is int and 2 <= sides <= MAX_DICE and len(dice) <= MAX_DICE):
        return True
    return any(type(die) is not int for die in dice) or throw(seed, key, sides, len(dice)) != dice

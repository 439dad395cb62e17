"""What a player may have meant: the unit, place, hex or word nearest to one that is not known."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches

from services.mail.orders.vocabulary import Vocabulary, key

_LOOKALIKES = str.maketrans({"O": "0", "I": "1", "L": "1", "S": "5", "B": "8"})
_MAX_LENGTH = 40
_AT_MOST = 3
_NEAR = 0.7
"""How like a word must be to be suggested (1: the same); of a shorter likeness most guesses are wrong."""
_NEAR_UNIT = 0.75


def words(said: str, known: Iterable[str]) -> list[str]:
    """The known words nearest to ``said``, best first."""
    return get_close_matches(said[:_MAX_LENGTH], sorted(set(known)), n=_AT_MOST, cutoff=_NEAR)


def windows(said: str, known: Iterable[str]) -> list[str]:
    """The windows nearest to ``said``, by the whole name or its first word (``REACTION`` of ``REACTION-BARRAGE``), best first."""
    wanted = key(said)[:_MAX_LENGTH]
    scores = {w: max(SequenceMatcher(None, key(part), wanted, False).ratio() for part in (w, w.partition("-")[0])) for w in known}
    return sorted((w for w, score in scores.items() if score >= _NEAR), key=lambda w: -scores[w])[:_AT_MOST]


def units(said: str, vocabulary: Vocabulary, *, own: bool) -> list[str]:
    """The ids of the units whose id or name is nearest to ``said``; only the reader's own with ``own``."""
    wanted = key(said)[:_MAX_LENGTH]
    scores: dict[str, float] = {}
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(wanted)
    for name, ids in vocabulary.by_key.items():
        matcher.set_seq1(name)
        if matcher.real_quick_ratio() < _NEAR_UNIT or matcher.quick_ratio() < _NEAR_UNIT:
            continue
        score = matcher.ratio()
        for unit in ids:
            if score >= _NEAR_UNIT and (not own or vocabulary.is_own(unit)):
                scores[unit] = max(score, scores.get(unit, 0.0))
    return sorted(scores, key=lambda unit: (-scores[unit], unit))[:_AT_MOST]


def hexes(said: str, vocabulary: Vocabulary) -> list[str]:
    """Hexes of the map that differ from ``said`` by two neighbouring digits exchanged or one digit changed."""
    if vocabulary.hexes is None:
        return []
    tries = [said[:i] + said[i + 1] + said[i] + said[i + 2 :] for i in range(len(said) - 1)]
    tries += [said[:i] + digit + said[i + 1 :] for i in reversed(range(len(said))) for digit in "0123456789"]
    return list(dict.fromkeys(t for t in tries if t in vocabulary.hexes and t != said))[:_AT_MOST]


def _each_once(names: Iterable[str], vocabulary: Vocabulary) -> list[str]:
    """Names of places, the nearest first; of two names of one place only that one."""
    found: dict[str, str] = {}
    for name in names:
        found.setdefault(vocabulary.places.get(name, name), vocabulary.place_names[name])
    return list(found.values())


def places(said: str, vocabulary: Vocabulary, stops: Iterable[str] = ()) -> list[str]:
    """What an unknown hex or place may mean: letters typed for digits, a digit too few or too many, a place's name, a word of the form."""
    digits = said.translate(_LOOKALIKES)
    known = vocabulary.hexes or frozenset()
    if digits.isascii() and digits.isdigit():
        tries = [digits, *(digits[:i] + digits[i + 1 :] for i in range(len(digits))), "0" + digits]
        tries += [digits[:i] + "0" + digits[i:] for i in range(len(digits) + 1)]
        found = list(dict.fromkeys(t for t in tries if t in known))
        return found[:_AT_MOST] or (hexes(digits, vocabulary) if len(digits) == 4 else [])
    names = get_close_matches(key(said)[:_MAX_LENGTH], sorted(vocabulary.place_names), n=_AT_MOST, cutoff=_NEAR)
    return _each_once(names, vocabulary) or words(said, stops)

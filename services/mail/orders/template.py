"""The orders template: units that can be ordered now with place and values, and legal examples that want only their ``#`` taken off.

Short enough for a telephone: one line a unit, a few examples of each verb, one form of it.
Every line but ``END`` is a comment, so a template sent back as it is orders nothing.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from services.mail.orders.common import COMMON
from services.mail.orders.languages import language_of
from services.mail.orders.printing import order_lines
from services.mail.orders.verbs import Language

Json = Any
Object = Mapping[str, Json]
MAX_EXAMPLES = 2
"""Examples given of one unit, each of another verb."""
MAX_OF_VERB = 4
"""Examples given of one verb."""
MANY = 24
"""Units of a side beyond which those without an example are listed by their places, not a line each."""
MAX_LINE = 120
NARROW = 44
"""Characters that a telephone shows on a line, about."""
_INDENT = "#     "
_SAID = frozenset({"ma"})
"""Printed values that a player wants at hand when he writes orders; the others stand on the map."""
_UNSAID = frozenset({"due", "delayed"})


def template(game: str, view: Object, legal: Sequence[Object], vocabulary: Object | None = None) -> list[str]:
    """The lines of the template for the side of ``view``.

    ``legal``: orders that are legal now, as JSON (the first that names a unit becomes its example). ``vocabulary``: names and
    printed values of units, names of places. UnknownGame if the game has no order language; ValueError if a legal order has no form in it.
    """
    language = language_of(game)
    words = vocabulary or {}
    step = view.get("step") or {}
    asked = _decisions(language, view)
    if view.get("path") and view["path"][0][0] == "setup":
        return [*_head(view, step), *_set_up(language, legal), *_forms(language, view), "# DONE", "END"]
    others = [line for line in _others(language, view, legal) if line not in asked]  # what counts anyway is not offered again
    rest = [order for order in legal if not {*_commented(language, order)} & {*asked}]
    forms = [*_forms(language, view), *_ahead(language, view)]
    return [*_head(view, step), *asked, *_units(language, view, rest, words), *others, *forms, "# DONE", "END"]


def _forms(language: Language, view: Object) -> list[str]:
    """One form of each verb that the side's own step takes."""
    step = view.get("step") or {}
    verbs = step.get("accepts", ()) if step.get("mine") else ()
    return [f"# {_form(language, verb)}" for verb in verbs if verb not in _unsaid(language, view)]


def _form(language: Language, verb: str) -> str:
    """The form of a verb that says most."""
    return max(hints(language.game, [verb]), key=len) if verb == "ATTACK" else hints(language.game, [verb])[0]


def _unsaid(language: Language, view: Object) -> set[str]:
    """Verbs that would be refused: of this side, or while something holds."""
    own = view.get("own") or {}
    true = {view.get("side"), *(name for name, value in own.items() if value is True)}
    true |= {f"without-{name}" for name, value in (view.get("options") or {}).items() if value is False}
    return {verb for names, verbs in language.unsaid.items() if true.issuperset(names.split()) for verb in verbs}


def _ahead(language: Language, view: Object) -> list[str]:
    """The forms of orders of later steps: nobody would guess that the same mail may bring them."""
    step = view.get("step") or {}
    mine = step.get("mine") or any(decision.get("side") == view.get("side") for decision in view.get("pending", ()))
    names = [name for name in language.ahead.get(str(step.get("name")), ()) if name not in _unsaid(language, view)]
    forms = [_form(language, name) for name in names]
    return ["# Orders of later steps may follow at once:", *(f"# {form}" for form in forms)] if mine and forms else []


def _set_up(language: Language, legal: Sequence[Object]) -> Iterator[str]:
    """One legal order of each unit or number that is to be set up; the first unit at its first place, the second at its second ..., so
    that they do not crowd one hex."""
    found: dict[str, list[Object]] = {}
    for order in legal:
        if order["verb"] not in COMMON.by_name:
            found.setdefault(str(order["args"].get("unit") or order["args"].get("n")), []).append(order)
    for n, orders in enumerate(found.values()):
        yield from _commented(language, orders[n % len(orders)])


def hints(game: str, verbs: Sequence[str]) -> list[str]:
    """How each of ``verbs`` is written, one a line; a verb that the game has not is left out. UnknownGame as above."""
    language = language_of(game)
    found = (language.by_name.get(name) or COMMON.by_name.get(name) for name in verbs)
    return [form for verb in found if verb for form in verb.hint.split(" | ")]


def _head(view: Object, step: Object) -> list[str]:
    turn, name = view.get("turn"), str(step.get("name", "")).upper()
    where = f"turn {turn}" + (f", step {name}" if name else "")
    return [f"# {str(view.get('side') or '').upper()}, {where}.", "# Take the # off a line to have it read."]


def _decisions(language: Language, view: Object) -> list[str]:
    """What the side is asked now, with what counts if it does not answer."""
    lines: list[str] = []
    for decision in view.get("pending", ()):
        if decision.get("side") != view.get("side"):
            continue
        lines.append(f"# {decision.get('window')}: this counts if you do not answer:")
        lines += _commented(language, {"verb": decision["verb"], "args": decision["default"]})
    return lines


def _units(language: Language, view: Object, legal: Sequence[Object], words: Object) -> Iterator[str]:
    named = {at: name.title() for name, at in reversed(list(words.get("places", {}).items()))} | dict(words.get("names", {}))
    named = {at: name for at, name in named.items() if not name.lower().startswith("to ")}  # where a road goes is no place
    named |= language.boxes
    own = [c for c in _own(view) if _in_play(c, view)]
    given: Counter[str] = Counter()
    idle: list[str] = []
    stacks: dict[str, list[str]] = {}
    told: list[Object] = []
    own = sorted((c for c in own if str(c["place"]) not in language.gone), key=lambda c: (str(c["place"]), str(c["id"])))
    found = _apart(own, legal, _enemies(view))
    crowded = sum(map(bool, found.values())) > MANY
    for counter in own:
        examples = found[str(counter["id"])]
        if not examples:
            idle.append(str(counter["id"]))
            continue
        shown = [order for order in examples if given[order["verb"]] < MAX_OF_VERB and order not in told]
        told += shown
        given.update(order["verb"] for order in shown)
        if crowded and not shown:
            stacks.setdefault(_where(counter, named), []).append(str(counter["id"]))
            continue
        yield _unit_line(counter, named, words.get("units", {}).get(counter["id"], {}))
        for order in shown:
            yield from _commented(language, order, _INDENT)
    for where, units in stacks.items():
        yield from _listed(f"{where[:1].upper()}{where[1:]}", units)
    if idle:
        more = [f"and {len(idle) - MANY // 2} more"] if len(idle) > MANY else []
        yield from _listed("Your other units" if given else "Your units", [*(idle[: MANY // 2] if more else idle), *more])


def _listed(caption: str, units: Sequence[str]) -> list[str]:
    text = f"# {caption}: {', '.join(units)}"
    return textwrap.wrap(text, NARROW, subsequent_indent="#   ", break_long_words=False, break_on_hyphens=False)


def _own(view: Object) -> list[Object]:
    """The counters of the side; where everything is open, the other's are known as well as these."""
    return [c for c in view.get("counters", ()) if c.get("known") == "own" and c.get("id") and c.get("side") == view.get("side")]


def _in_play(counter: Object, view: Object) -> bool:
    """Whether a counter is on the map, in a box, or due to enter by now; one that waits and is not due at all is not."""
    due = (counter.get("num") or {}).get("due")
    if due is None and str(counter["place"]).startswith("edge:"):
        return False
    return not isinstance(due, int) or due <= int(view.get("turn") or 0)


def _where(counter: Object, named: Mapping[str, str]) -> str:
    at = str(counter["place"])
    if at.startswith("box:") and at in named:
        return named[at]
    return f"at {named[at]} ({at})" if at in named else f"at {at}" if at[:1].isdigit() else "off the map"


def _unit_line(counter: Object, named: Mapping[str, str], entry: Object) -> str:
    where = _where(counter, named)
    printed = {k: v for k, v in (entry.get("values") or {}).items() if k in _SAID}
    values = [f"{k.upper()} {v}" for k, v in {**counter.get("num", {}), **printed}.items() if k not in _UNSAID]
    said = ", ".join([*values, *(str(mark).replace("-", " ") for mark in counter.get("marks", ()))])
    return f"# {counter['id']} {where}{': ' + said if said else ''}"[:MAX_LINE]


def _apart(own: Sequence[Object], legal: Sequence[Object], enemies: Sequence[str]) -> dict[str, list[Object]]:
    """Unit -> its examples. Those that go somewhere go each to a hex of its own, where there is one, so that all can be sent together."""
    taken: set[str] = set()
    found: dict[str, list[Object]] = {}
    for unit in (str(c["id"]) for c in own):
        found[unit] = _examples(unit, legal, taken, enemies)
        taken |= {to for order in found[unit] if (to := _target(order))}
    return found


def _examples(unit: str, legal: Sequence[Object], taken: set[str], enemies: Sequence[str]) -> list[Object]:
    """Legal orders of a unit, each of another verb: the first, and of moves by target the nearest to the enemy that is not ``taken``."""
    found: dict[str, list[Object]] = {}
    for order in legal:
        if _names(order["args"], unit) and (order["verb"] in found or len(found) < MAX_EXAMPLES):
            found.setdefault(order["verb"], []).append(order)
    return [min(orders, key=lambda order: _worth(order, taken, enemies)) for orders in found.values()]


def _target(order: Object) -> str:
    """The hex that a unit is told to go to by ``TO``."""
    to = str(order["args"].get("to") or "")
    return to if to.isdigit() else ""


def _worth(order: Object, taken: set[str], enemies: Sequence[str]) -> tuple[bool, int]:
    """What makes an example a worse one: a target that is taken, and its columns and rows from the nearest enemy."""
    to = _target(order)
    return to in taken, min((_apart_by(to, at) for at in enemies), default=0) if to else 0


def _apart_by(one: str, other: str) -> int:
    return max(abs(int(one[:2]) - int(other[:2])), abs(int(one[2:]) - int(other[2:])))


def _enemies(view: Object) -> list[str]:
    """The hexes where counters of another side are known to stand."""
    return [at for c in view.get("counters", ()) if c.get("side") != view.get("side") and (at := str(c["place"])).isdigit()]


def _names(args: Object, unit: str) -> bool:
    return any(value == unit or (isinstance(value, list) and unit in value) for value in args.values())


def _others(language: Language, view: Object, legal: Sequence[Object]) -> list[str]:
    """Legal orders that name no unit of the map: arrivals, replacements, commitments; one of each verb and unit."""
    own = [c["id"] for c in _own(view)]
    seen: set[tuple[str, str]] = set()
    lines: list[str] = []
    for order in legal:
        kind = (order["verb"], str(order["args"].get("unit", "")))
        if kind in seen or order["verb"] in COMMON.by_name or any(_names(order["args"], unit) for unit in own):
            continue
        seen.add(kind)
        lines += _commented(language, order)
    return lines


def _commented(language: Language, order: Object, indent: str = "# ") -> list[str]:
    return [indent + line for line in order_lines(language, order)]

"""How a game declares its verbs: patterns as data, which the grammar matches, the printer prints and the hints show.

A pattern is words apart by blanks, the verb's head first:

* ``WITH`` a word that must stand there; ``WITH/BY`` either, the first is printed; ``AT?`` may be left out (and is not printed);
* ``LEADER=leader`` a word that sets the argument ``leader`` true (false where it is missing);
* ``unit:unit`` an argument and its kind; ``k:1..20=1`` a number from 1 to 20 that may be left out and is then 1; ``label:label?`` too,
  then null;
* ``units:units|ALL`` a word in capitals is taken as it stands; the value is then that word;
* ``[LOSE lose:units]`` a clause: begins with a word, clauses come in any order after the rest; left out, its list is empty and
  everything else null.

Kinds are in ``services.mail.orders.kinds``. The argument ``label`` of a clause ``[AS label:label]`` becomes the order's label.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

Json = Any
LISTS = frozenset({"units", "stack", "targets", "hexes", "hexgroup", "path", "one", "pairs", "names", "perils", "results"})
_SHOWN = {
    "unit": "unit",
    "any": "unit",
    "one": "unit",
    "units": "unit,unit",
    "targets": "unit,unit",
    "stack": "unit+unit",
    "hex": "hex",
    "hexes": "hex,hex",
    "hexgroup": "hex+hex",
    "path": "hex hex ...",
    "pairs": "0:0 1:0 ...",
    "ratio": "3:1",
    "column": "3:1",
    "yesno": "YES|NO",
    "results": "(result,result)",
    "names": "name,name",
    "perils": "ZOC,MINE,OVERSTACK",
    "id": "id",
    "verb": "verb",
    "topic": "verb",
    "options": "option=value ...",
    "date": "2026-08-31",
    "scenario": "game/scenario",
    "diceword": "word",
    "zone": "Europe/Rome",
    "counter": "unit",
    "spot": "hex|box",
}


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the language: the spellings taken (the first is printed), and the argument that it sets, if any."""

    spellings: tuple[str, ...]
    flag: str | None = None
    optional: bool = False

    @property
    def shown(self) -> str:
        return self.spellings[0]


@dataclass(frozen=True, slots=True)
class Argument:
    """A typed argument: kinds tried in order, after the words that are taken as they stand."""

    name: str
    kinds: tuple[str, ...]
    words: tuple[str, ...] = ()
    optional: bool = False
    default: Json = None

    @property
    def shown(self) -> str:
        said = {**_SHOWN, "text": self.name, "worth": self.name}
        text = "|".join((*("number" if kind[0].isdigit() else said.get(kind, kind) for kind in self.kinds), *self.words))
        return f"[{text}]" if self.optional else text

    @property
    def missing(self) -> Json:
        """The value of the argument where it was left out."""
        return [] if self.default is None and not self.optional and self.kinds and self.kinds[0] in LISTS else self.default


Item = Word | Argument


@dataclass(frozen=True)
class Form:
    """One way to write a verb. ``fixed``: arguments that this way of writing implies."""

    verb: str
    items: tuple[Item, ...]
    clauses: tuple[tuple[Item, ...], ...]
    fixed: Mapping[str, Json] = field(default_factory=dict)

    @cached_property
    def head(self) -> Word:
        """The first word."""
        first = self.items[0]
        assert isinstance(first, Word)
        return first

    @cached_property
    def words(self) -> frozenset[str]:
        """All fixed words of the form after its head: no name of a unit or place runs over one."""
        found: set[str] = set()
        for item in (*self.items[1:], *(i for clause in self.clauses for i in clause)):
            found.update(item.spellings if isinstance(item, Word) else item.words)
        return frozenset(found)

    @cached_property
    def blank(self) -> dict[str, Json]:
        """The arguments with nothing written that may be left out."""
        args: dict[str, Json] = dict(self.fixed)
        for item in self.items:
            if isinstance(item, Argument):
                args[item.name] = item.missing
            elif item.flag:
                args[item.flag] = False
        for clause in self.clauses:
            for item in clause:
                if isinstance(item, Argument):
                    args[item.name] = item.missing
                elif item.flag:
                    args[item.flag] = False
        return args

    @cached_property
    def hint(self) -> str:
        """The form as shown to a player: ``MOVE unit TO hex [VIA hex,hex] [BY ROAD]``."""
        shown = [f"[{item.shown}]" if isinstance(item, Word) and item.optional else item.shown for item in self.items]
        shown += ["[" + " ".join(item.shown for item in clause) + "]" for clause in self.clauses]
        return " ".join(shown)


@dataclass(frozen=True)
class Verb:
    """An order: its name on the wire and the forms it may be written in. ``answer``: it may follow ``ON`` (a decision's answer).
    ``shown``: the forms that a player should know, apart by a bar, where they are not to be read off ``forms``."""

    name: str
    forms: tuple[Form, ...]
    answer: bool = False
    shown: str = ""

    @cached_property
    def hint(self) -> str:
        """The forms that a player should know, apart by a bar."""
        return self.shown or " | ".join(form.hint for form in self.forms if form.head.shown == self.name) or self.forms[0].hint


@dataclass(frozen=True)
class Language:
    """The order language of one game.

    ``windows``: the decisions that ``ON`` may answer by name, each with the verbs that answer it (``PASS`` always does); ``weathers``:
    what ``IF WEATHER`` may test, nothing where the game has no weather. ``results``: other spellings of results of battles, blanks left
    out, and the game's own. ``gone``: places from which no unit comes back. ``boxes``: how a template speaks of a unit in a box that is
    not simply off the map. ``ahead``: of a step by name, verbs of later steps whose lines may follow in the same text, shown in its
    template. ``unsaid``: of a side, of flags of the view's ``own`` that are up, of options that are not played (``without-air``), or of
    several of these, verbs that its template leaves out since they would be refused. ``declined``: windows with a default that does
    something, so that ``ON window DONE`` can say that nothing is to be done.
    """

    game: str
    verbs: tuple[Verb, ...]
    windows: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    weathers: tuple[str, ...] = ()
    results: Mapping[str, str] = field(default_factory=dict)
    gone: tuple[str, ...] = ()
    boxes: Mapping[str, str] = field(default_factory=dict)
    ahead: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unsaid: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    declined: tuple[str, ...] = ()

    @cached_property
    def answers(self) -> tuple[str, ...]:
        """The verbs that may follow ``ON`` where no window is named."""
        return tuple(verb.name for verb in self.verbs if verb.answer)

    @cached_property
    def heads(self) -> dict[str, tuple[tuple[Verb, Form], ...]]:
        """First word of a line -> the forms that begin with it."""
        found: dict[str, list[tuple[Verb, Form]]] = {}
        for verb in self.verbs:
            for form in verb.forms:
                for word in form.head.spellings:
                    found.setdefault(word, []).append((verb, form))
        return {word: tuple(forms) for word, forms in found.items()}

    @cached_property
    def by_name(self) -> dict[str, Verb]:
        """Name on the wire -> verb."""
        return {verb.name: verb for verb in self.verbs}


_PART = re.compile(r"\[([^\]]*)\]|(\S+)")


def verb(name: str, *patterns: str, answer: bool = False, shown: str = "") -> Verb:
    """A verb from its patterns. A pattern with ``ROUTE`` stands for two: to a hex, and hex by hex. ``shown``: how its forms are shown to
    players, if not as they are."""
    forms: list[Form] = []
    for pattern in patterns:
        if " ROUTE" in pattern:
            to_hex = pattern.replace(" ROUTE", " TO to:hex [VIA via:hexes] [BY ROAD=road]")
            forms.append(form(name, to_hex, {"path": []}))
            forms.append(form(name, pattern.replace(" ROUTE", " path:path"), {"to": None}))
        else:
            forms.append(form(name, pattern))
    return Verb(name, tuple(forms), answer, shown)


def form(name: str, pattern: str, fixed: Mapping[str, Json] | None = None) -> Form:
    """A form of the verb ``name`` from one pattern. ValueError if the pattern is not well made."""
    items: list[Item] = []
    clauses: list[tuple[Item, ...]] = []
    for match in _PART.finditer(pattern):
        if match.group(1) is not None:
            clauses.append(tuple(_item(part) for part in match.group(1).split()))
        else:
            items.append(_item(match.group(2)))
    if any(not isinstance(clause[0], Word) for clause in clauses):
        raise ValueError(f"{name}: a form and its clauses begin with a word: {pattern}")
    return Form(name, tuple(items), tuple(clauses), dict(fixed or {}))


def _item(text: str) -> Item:
    if text.startswith(">"):
        return Word(tuple(text.split("/")))
    if text.split(":")[0].islower() and ":" in text:
        return _argument(text)
    word, _, flag = text.partition("=")
    return Word(tuple(word.rstrip("?").split("/")), flag or None, word.endswith("?"))


def _argument(text: str) -> Argument:
    name, _, rest = text.partition(":")
    kinds, _, default = rest.partition("=")
    optional = bool(default) or kinds.endswith("?")
    choices = kinds.rstrip("?").split("|")
    value = int(default) if default.isdigit() else None
    words = tuple(choice for choice in choices if choice.isupper())
    return Argument(name, tuple(choice for choice in choices if choice not in words), words, optional, value)

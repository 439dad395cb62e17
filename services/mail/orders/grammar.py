"""The grammar of one line: matches tokens with the forms that a game declares.

Forms are tried one by one and the best match counts: a whole match with the fewest unknown names, else the one that came furthest,
whose expectations make the diagnostic. Nothing here raises on any text; faults are noted in the ``Cursor``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from services.mail.orders import nearest
from services.mail.orders.common import ANY_LINE, COMMON, GUARDS, WEATHER
from services.mail.orders.cursor import Cursor, Fault, Mismatch
from services.mail.orders.kinds import reader, result
from services.mail.orders.lines import Token
from services.mail.orders.verbs import Argument, Form, Item, Language, Verb
from services.mail.orders.vocabulary import Vocabulary, key

Json = Any
MAX_GUARDS = 10
_NESTED = ("IF", "ON", "ELSE", "STANDING")
"""Words that begin a line and never an order inside one."""
_UNIT_KINDS = frozenset({"unit", "any", "units", "targets", "one", "stack"})


@dataclass(slots=True)
class Statement:
    """One order as read from a line, before it is put into the packet."""

    order: dict[str, Json]
    standing: bool = False
    otherwise: bool = False


def read_form(cursor: Cursor, form: Form) -> dict[str, Json]:
    """The arguments of ``form`` at the cursor, which then stands behind them. Mismatch if the tokens do not have the form."""
    args = dict(form.blank)
    _read_items(cursor, form.items, args)
    left = list(form.clauses)
    while left:
        clause = next((c for c in left if _opens(cursor, c)), None)
        if clause is None:
            cursor.expect(*(c[0].shown for c in left))
            break
        left.remove(clause)
        _read_items(cursor, clause, args)
    return args


def _opens(cursor: Cursor, clause: Sequence[Item]) -> bool:
    """Whether the words that a clause begins with follow."""
    for offset, item in enumerate(clause):
        if isinstance(item, Argument):
            return True
        at = cursor.at + offset
        if at >= len(cursor.tokens) or cursor.tokens[at].text not in item.spellings:
            return offset > 0 and item.optional
    return True


def _read_items(cursor: Cursor, items: Sequence[Item], args: dict[str, Json]) -> None:
    for index, item in enumerate(items):
        if isinstance(item, Argument):
            follows = items[index + 1] if index + 1 < len(items) else None
            cursor.loose = not (isinstance(follows, Argument) and bool(_UNIT_KINDS.intersection(follows.kinds)))
            args[item.name] = _read_argument(cursor, item)
        elif cursor.take(*item.spellings):
            if item.flag:
                args[item.flag] = True
        elif not item.optional:
            raise cursor.miss(item.shown)


def _read_argument(cursor: Cursor, item: Argument) -> Json:
    for word in item.words:
        if cursor.take(word):
            return word
    cursor.expect(*item.words)
    start, faults = cursor.at, len(cursor.faults)
    for kind in item.kinds:
        try:
            return reader(kind)(cursor)
        except Mismatch:
            cursor.at = start
            del cursor.faults[faults:]
    if item.optional:
        return item.missing
    raise Mismatch


@dataclass(frozen=True, slots=True)
class Match:
    """The best of several forms: where it ended, and its faults."""

    verb: Verb | None
    form: Form
    args: dict[str, Json]
    end: int
    faults: list[Fault]


def best(cursor: Cursor, forms: Iterable[tuple[Verb | None, Form]], *, whole: bool) -> Match | None:
    """The best match of ``forms`` at the cursor, or None (then the cursor knows what was expected, and how far it came).

    ``whole``: a form that reaches the end of the order is preferred to one that leaves words over.
    """
    forms = tuple(forms)
    cursor.stops = ANY_LINE.union(*(form.words for _, form in forms))
    start, kept = cursor.at, list(cursor.faults)
    found: tuple[tuple[int, int, int], Match] | None = None
    for verb, form in forms:
        cursor.at, cursor.faults = start, []
        try:
            args = read_form(cursor, form)
        except Mismatch:
            continue
        rest = 0 if not whole or order_ends(cursor) else 1
        score = (rest, len(cursor.faults), -cursor.at)
        if found is None or score < found[0]:
            found = score, Match(verb, form, args, cursor.at, cursor.faults)
    cursor.at, cursor.faults = start, kept
    if found is None:
        return None
    cursor.at = found[1].end
    cursor.faults = kept + found[1].faults
    return found[1]


def order_ends(cursor: Cursor) -> bool:
    """Whether an order may end here: at the line's end, before ``IF``, ``CONFIRM``, or an ``ELSE`` on the same line."""
    token = cursor.peek()
    return token is None or token.text in ("IF", "CONFIRM", "|") or (token.text == "ELSE" and not _else_at(cursor))


def _else_at(cursor: Cursor) -> bool:
    return cursor.at + 1 < len(cursor.tokens) and cursor.tokens[cursor.at + 1].text == "AT"


class LineReader:
    """Reads the statements of one line for one language. ``above``: the order that an ``ELSE`` line belongs to.

    ``doubt``: the fault of an ``ON`` line whose label may be none; it is one unless an order of the same text has that label.
    """

    def __init__(
        self,
        language: Language,
        vocabulary: Vocabulary | None,
        line: int,
        tokens: Sequence[Token],
        above: Mapping[str, Json] | None = None,
    ) -> None:
        self.language = language
        self.line = line
        self.cursor = Cursor(tokens, vocabulary)
        self.hint = ""
        self.doubt: Fault | None = None
        self._answers = self._answers_to(above["args"]) if above is not None and above["verb"] == "ON" else None

    def statements(self) -> list[Statement]:
        """The order of the line, and the ``ELSE`` order where it stands on the same line. Empty after a fault of form."""
        found: list[Statement] = []
        try:
            found.append(self._statement())
            while self._more():
                found.append(self._else())
        except Mismatch:
            self._note()
            return []
        return found

    def _more(self) -> bool:
        cursor = self.cursor
        if cursor.peek() is None:
            return False
        cursor.take("|")
        if cursor.is_word("ELSE"):
            return True
        raise cursor.miss("ELSE")

    def _note(self) -> None:
        """The mismatch as a fault, at the furthest token that was reached."""
        cursor = self.cursor
        if cursor.far < len(cursor.tokens):
            token = cursor.tokens[cursor.far]
            known = [w for w in cursor.expected if w.isupper()]
            fault = Fault(
                "unexpected", token.start, token.end, token.text, tuple(cursor.expected), lambda said: nearest.words(said, known), self.hint
            )
        else:
            end = cursor.tokens[-1].end
            fault = Fault("incomplete", end, end + 1, "", tuple(cursor.expected), None, self.hint)
        if not any(f.code == "unknown-verb" for f in cursor.faults):
            cursor.faults.append(fault)

    def _statement(self) -> Statement:
        cursor = self.cursor
        if cursor.is_word("ELSE"):
            return self._else()
        self._answers = None
        if cursor.take("STANDING"):
            self.hint = "STANDING ON window order"
            if cursor.is_word("DUTY"):
                return Statement(self._order(), standing=True)
            if not cursor.take("ON"):
                raise cursor.miss("ON")
            return Statement(self._on(standing=True), standing=True)
        if cursor.take("ON"):
            return Statement(self._on())
        if cursor.take("IF"):
            self.hint = "IF guard [AND guard] order"
            guards = self._guards()
            cursor.take("THEN", ":", ",")
            return Statement(self._order(guards))
        return Statement(self._order())

    def _else(self) -> Statement:
        cursor = self.cursor
        cursor.take("ELSE")
        cursor.take(":", ",")
        order = self._order(answers=self._answers)
        if order["guard"]:
            cursor.fault("no-nesting", 0, 1, ["an order without IF"])
        return Statement(order, otherwise=True)

    def _blank(self) -> dict[str, Json]:
        return {"line": self.line, "verb": "", "args": {}, "label": None, "guard": [], "else": None, "confirm": False}

    def _order(self, guards: list[dict[str, Json]] | None = None, *, answers: Sequence[str] | None = None) -> dict[str, Json]:
        cursor = self.cursor
        token = cursor.peek()
        if token is None:
            raise cursor.miss("an order")
        if token.text in _NESTED:
            cursor.fault("no-nesting", cursor.at, cursor.at + 1, ["an order"])
            cursor.at = len(cursor.tokens)
            return self._blank()
        forms = self.language.heads.get(token.text, ()) + COMMON.heads.get(token.text, ())
        if not forms:
            raise self._unknown_verb(token)
        self.hint = forms[0][0].hint
        first = cursor.at
        match = best(cursor, forms, whole=True)
        if match is None:
            raise Mismatch
        assert match.verb is not None
        self.hint = match.verb.hint
        if answers is not None and match.verb.name not in (*answers, "PASS"):
            cursor.fault("no-answer", first, first + 1, [*answers, "PASS"])
        order = self._blank() | {"verb": match.verb.name, "args": match.args, "guard": list(guards or [])}
        if "label" in match.args and any(c[-1].name == "label" for c in match.form.clauses if isinstance(c[-1], Argument)):
            order["label"] = match.args.pop("label")
        self._tail(order)
        return order

    def _tail(self, order: dict[str, Json]) -> None:
        """A guard behind the order, and ``CONFIRM``."""
        cursor = self.cursor
        while True:
            if cursor.take("IF"):
                order["guard"].extend(self._guards())
            elif cursor.take("CONFIRM"):
                order["confirm"] = True
            elif order_ends(cursor):
                return
            else:
                cursor.expect("the end of the line")
                raise Mismatch

    def _unknown_verb(self, token: Token) -> Mismatch:
        heads = [*self.language.heads, *COMMON.heads]
        if self.cursor.at == 0:
            heads += ["ON", "IF", "STANDING", "END", "CHECK", "HOLD", "ANYWAY", "APPEND"]
        start, end = token.start, token.end
        near = nearest.words(token.text, heads)
        hint = "ON window ASK" if token.text == "ASK" else ""
        forms = self.language.heads.get(near[0], ()) + COMMON.heads.get(near[0], ()) if near else ()
        if forms:
            hint = forms[0][0].hint
        self.cursor.faults.append(Fault("unknown-verb", start, end, token.text, ("an order",), lambda _: near, hint))
        return Mismatch()

    def _guards(self) -> list[dict[str, Json]]:
        found = [self._guard()]
        while self.cursor.take("AND", "&"):
            if len(found) == MAX_GUARDS:
                raise self.cursor.miss(f"at most {MAX_GUARDS} guards")
            found.append(self._guard())
        return found

    def _guard(self) -> dict[str, Json]:
        cursor = self.cursor
        negated = cursor.take("NOT")
        if cursor.take("WEATHER"):
            return {"not": negated, "test": "weather", "is": self._weather()}
        forms = (*GUARDS, WEATHER) if self.language.weathers else GUARDS
        match = best(cursor, ((None, form) for form in forms), whole=False)
        if match is None:
            raise Mismatch
        args = match.args | ({"in": self._known(match.args["in"])} if match.form.verb == "result" else {})
        return {"not": negated, "test": match.form.verb, **args}

    def _weather(self) -> str:
        """A weather of the game, in small letters; the ``WEATHER`` is taken already."""
        cursor, weathers = self.cursor, self.language.weathers
        found, token = self._named(weathers), cursor.peek()
        if found is not None:
            return found.lower()
        if token is None or token.op or token.text in ANY_LINE:
            raise cursor.miss(*weathers)
        cursor.at += 1
        code = "unknown-weather" if weathers else "no-weather"
        cursor.fault(code, cursor.at - 1, cursor.at, weathers, lambda said: nearest.words(said, weathers))
        return token.text.lower()

    def _on(self, *, standing: bool = False) -> dict[str, Json]:
        """``ON window|label|ANY [result IN (..)] [IF guard] order``, or ``ON window ASK``; the ``ON`` is taken already."""
        cursor = self.cursor
        self.hint = "ON window|label|ANY [IN (result,result)] [IF guard] order"
        order = self._blank() | {"verb": "ON", "args": {"window": None, "label": None, "results": [], "ask": False}, "then": None}
        args = order["args"]
        self._subject(args, standing=standing)
        args["results"] = self._results()
        if cursor.take("ASK"):
            args["ask"] = True
            return order
        if cursor.take("IF"):
            order["guard"] = self._guards()
            cursor.take("THEN", ":", ",")
        cursor.expect("ASK", "IF")
        self._answers = self._answers_to(args)
        then = self._order(answers=self._answers)
        order["guard"] += then["guard"]
        order["then"] = then | {"guard": []}
        return order

    def _answers_to(self, args: Mapping[str, Json]) -> Sequence[str]:
        """The verbs that answer what an ``ON`` line is about."""
        answers = self.language.windows.get(args["window"] or "", self.language.answers)
        return (*answers, "DONE") if args["window"] in self.language.declined else answers

    def _subject(self, args: dict[str, Json], *, standing: bool) -> None:
        cursor = self.cursor
        if cursor.take("ANY"):
            args["label"] = "ANY"
            return
        args["window"] = self._named(self.language.windows)
        if args["window"] is None:
            cursor.expect(*self.language.windows, "ANY")
            cursor.stops = ANY_LINE.union(_NESTED)
            first = cursor.at
            args["label"] = reader("label")(cursor)
            self._doubt(first, args["label"], standing=standing)

    def _named(self, names: Iterable[str]) -> str | None:
        """Steps over one of ``names``, in as many words as the player likes; None if none of them follows."""
        cursor, known = self.cursor, {key(name): name for name in names}
        for width in (3, 2, 1):
            words = cursor.tokens[cursor.at : cursor.at + width]
            whole = len(words) == width and not any(t.op for t in words)
            found = known.get("".join(key(t.text) for t in words)) if whole else None
            if found:
                cursor.at += width
                return found
        return None

    def _doubt(self, first: int, label: str, *, standing: bool) -> None:
        """Notes a label that is no hex of the map where it may be a window misspelt, or where it would stand for ever."""
        words, windows = self.cursor.vocabulary, self.language.windows
        hexes = words.hexes if words is not None else None
        if label in hexes if hexes is not None else label.isdigit():
            return
        near = nearest.windows(label, windows)
        if not near and (words is None or not standing):
            return
        start, end = self.cursor.columns(first, first + 1)
        expected = (*windows, "ANY", "a hex", "a label that AS gives in the same mail")
        find = (lambda said: nearest.places(said, words)) if words is not None and not near else (lambda _: near)
        self.doubt = Fault("unknown-window", start, end, label, expected, find)

    def _results(self) -> list[str]:
        """Results of a battle: ``RESULT IN (DR2, DE)``, ``IN (DR2)``, or the words alone; blanks inside a result are dropped."""
        cursor = self.cursor
        named = cursor.take("RESULT")
        cursor.stops = ANY_LINE | {"ASK", *_NESTED, *self.language.heads, *COMMON.heads}
        if cursor.take("IN"):
            return self._known(reader("results")(cursor))
        token = cursor.peek()
        if not named and (token is None or token.op or token.text in cursor.stops):
            return []
        return self._known([result(cursor)])

    def _known(self, results: Iterable[str]) -> list[str]:
        """Results of a battle as the game spells them."""
        return [self.language.results.get(result, result) for result in results]

"""Orders printed back in their canonical spelling: reading the printed line again gives the same order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from services.mail.orders.common import COMMON, GUARDS, WEATHER
from services.mail.orders.languages import language_of
from services.mail.orders.spelling import results, spell
from services.mail.orders.verbs import Argument, Form, Item, Language, Word

Json = Any
Args = Mapping[str, Json]
T = TypeVar("T")


def print_orders(game: str, orders: Sequence[Mapping[str, Json]]) -> list[str]:
    """The lines of some orders; an ``ELSE`` has a line of its own. UnknownGame, or ValueError if an order has no form in the language."""
    language = language_of(game)
    return [line for order in orders for line in order_lines(language, order)]


def packet_lines(language: Language, packet: Mapping[str, Json], *, ended: bool = False) -> list[str]:
    """The lines of a whole packet: directives first, then the standing orders, then the script."""
    lines = [word for word in ("CHECK", "HOLD", "APPEND", "ANYWAY") if packet[word.lower()]]
    if packet["fault"] == "skip":
        lines.append("ON FAULT SKIP")
    for order in packet["standing"]:
        first, *rest = order_lines(language, order)
        lines += ["STANDING " + first, *rest]
    for order in packet["orders"]:
        lines += order_lines(language, order)
    return [*lines, "END"] if ended else lines


def order_lines(language: Language, order: Mapping[str, Json]) -> list[str]:
    """One order as its line, and the line of its ``ELSE``. ValueError if it has no form in the language."""
    if _field(order, "verb", str) == "ON":
        line = _on_line(language, order)
    else:
        guards = _guards(language, order)
        line = (f"IF {guards} " if guards else "") + _plain(language, order)
    other = order.get("else")
    return [line] if other is None else [line, "ELSE " + _plain(language, other)]


def _field(order: Json, name: str, kind: type[T], default: T | None = None) -> T:
    """A field of an order. ValueError if it is not of its kind, or missing with no default."""
    value = order.get(name, default) if isinstance(order, Mapping) else None
    if not isinstance(value, kind):
        raise ValueError(f"an order needs {name}")
    return value


def _on_line(language: Language, order: Mapping[str, Json]) -> str:
    args = _field(order, "args", dict)
    subject = spell("label", args.get("window") or args.get("label"))
    if subject is None:
        raise ValueError("an ON line needs a window or a label")
    words = ["ON", subject]
    if args.get("results"):
        found = results(args["results"])
        if found is None:
            raise ValueError("an ON line needs its results as words")
        words += ["IN", found]
    if args.get("ask"):
        return " ".join([*words, "ASK"])
    guards = _guards(language, order)
    if guards:
        words += ["IF", guards]
    return " ".join([*words, _plain(language, order.get("then"))])


def _plain(language: Language, order: Json) -> str:
    name = _field(order, "verb", str)
    verb = language.by_name.get(name) or COMMON.by_name.get(name)
    if verb is None:
        raise ValueError(f"{language.game} has no order {name[:20]!r}")
    args = dict(_field(order, "args", dict, {}))
    if order.get("label") is not None:
        args["label"] = order["label"]
    line = _first_fit(verb.forms, args)
    if line is None:
        raise ValueError(f"{verb.name}: these arguments have no form in the order language")
    return line + (" CONFIRM" if order.get("confirm") else "")


def _guards(language: Language, order: Mapping[str, Json]) -> str:
    shown = []
    for guard in _field(order, "guard", list, []):
        test = _field(guard, "test", str)
        args = {name: value for name, value in guard.items() if name not in ("not", "test")}
        forms = [form for form in (*GUARDS, *((WEATHER,) if language.weathers else ())) if form.verb == test]
        line = _first_fit(forms, args)
        if line is None:
            raise ValueError(f"no such guard: {test[:20]!r}")
        shown.append("NOT " + line if guard.get("not") else line)
    return " AND ".join(shown)


def _first_fit(forms: Sequence[Form], args: Args) -> str | None:
    for form in forms:
        line = print_form(form, args)
        if line is not None:
            return line
    return None


def print_form(form: Form, args: Args) -> str | None:
    """The arguments in this form, or None if it cannot say them all."""
    blank = form.blank
    if any(args.get(name, value) != value for name, value in form.fixed.items()):
        return None
    if any(name not in blank and not _empty(value) for name, value in args.items()):
        return None
    head = _items(form.items, args, whole=True)
    if head is None:
        return None
    parts = [head]
    for clause in form.clauses:
        part = _items(clause, args, whole=False)
        if part is None and any(not _empty(args.get(_name(item))) for item in clause):
            return None
        if part is not None:
            parts.append(part)
    return " ".join(parts).replace(" >= ", ">=")


def _name(item: Item) -> str:
    return item.name if isinstance(item, Argument) else item.flag or ""


def _empty(value: Json) -> bool:
    return value is None or value is False or value == []


def _items(items: Sequence[Item], args: Args, *, whole: bool) -> str | None:
    """The words of a form or clause; None where a needed argument is missing, or a clause has nothing to say."""
    shown: list[str] = []
    for item in items:
        if isinstance(item, Word):
            if item.flag and not args.get(item.flag):
                return None
            if not item.optional:
                shown.append(item.shown)
            continue
        text = _argument(item, args.get(item.name))
        if text is None:
            if not item.optional:
                return None
            continue
        shown.append(text)
    return " ".join(shown) if whole or shown else None


def _argument(item: Argument, value: Json) -> str | None:
    if value is None or value == []:
        return None
    if isinstance(value, str) and value in item.words:
        return value
    return next((text for kind in item.kinds if (text := spell(kind, value)) is not None), None)

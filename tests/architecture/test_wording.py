"""Rules speak codes, mail speaks words: every code and every kind of event that the rules can send has its sentence."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from typing import Any

import jinja2
import jinja2.meta
import pytest

from services.mail.commands.grammar import HEADS, ORDERS_TOO
from services.mail.commands.table import COMMANDS
from services.mail.intake import INTAKE
from services.mail.orders.common import CAMPAIGN
from services.mail.speech import Speech
from services.mail.wording import environment, languages, load_wording
from tests.architecture.sources import ROOT, inside, name, tree
from worker.commands.table import TABLE

GAMES = {"holdfast": "holdfast", "beda_fomm": "beda-fomm", "race_for_tunis": "race-for-tunis", "fall_of_tobruk": "fall-of-tobruk"}
ALWAYS = frozenset(("data", "clause", "loop"))


def literals(node: ast.expr) -> Iterator[str]:
    """The texts that an expression may be: a literal, or the arms of a condition."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from literals(node.body)
        yield from literals(node.orelse)


def argument(call: ast.Call, place: int, keyword: str) -> ast.expr | None:
    named = next((k.value for k in call.keywords if k.arg == keyword), None)
    return named if named is not None else call.args[place] if len(call.args) > place else None


Found = dict[tuple[str, str], set[str] | None]
"""(game or "common", code or kind) -> the names of its fields, None where they are not all written out."""


def game_of(path: str) -> str:
    folder = path.partition("services/rules/games/")[2].partition("/")[0]
    return GAMES.get(folder, "common")


def note(found: Found, key: tuple[str, str], fields: set[str] | None) -> None:
    known = found.get(key, set())
    found[key] = None if fields is None or known is None else known | fields


def keys_of(node: ast.expr | None) -> set[str] | None:
    if not isinstance(node, ast.Dict) or not all(isinstance(k, ast.Constant) for k in node.keys):
        return None
    return {str(k.value) for k in node.keys if isinstance(k, ast.Constant)}


@cache
def said_by_the_rules() -> tuple[Found, Found]:
    """Codes and kinds of event, found where they are written: in calls that make a refusal, a duty or an event."""
    codes: Found = {}
    kinds: Found = {}
    for path in inside("services"):
        if not name(path).startswith("services/rules/"):
            continue
        game = game_of(name(path))
        for call in (n for n in ast.walk(tree(path)) if isinstance(n, ast.Call)):
            callee = call.func.attr if isinstance(call.func, ast.Attribute) else call.func.id if isinstance(call.func, ast.Name) else ""
            if callee == "IllegalOrder":
                given = {k.arg for k in call.keywords}
                code = argument(call, 1, "code")
                for found in literals(code) if code is not None else ():
                    note(codes, (game, found), None if None in given else {str(g) for g in given})
            elif callee in ("Rejection", "Duty"):
                code = argument(call, 1 if callee == "Rejection" else 0, "code")
                for found in literals(code) if code is not None else ():
                    note(codes, (game, found), keys_of(argument(call, 3 if callee == "Rejection" else 2, "details")))
            elif callee in ("record", "Event"):
                kind = argument(call, 0, "kind")
                for found in literals(kind) if kind is not None else ():
                    note(kinds, (game, found), keys_of(argument(call, 2, "data")))
    return codes, kinds


def missing(table: str, found: Found) -> list[str]:
    lacking = []
    for language in languages():
        for game, key in sorted(found):
            for played in GAMES.values() if game == "common" else (game,):
                if not load_wording(language, played).has(table, key):
                    lacking.append(f"{language}/{played}.toml [{table}] {key}")
    return lacking


def test_the_rules_are_read_at_all() -> None:
    codes, kinds = said_by_the_rules()
    assert {("common", "not-yours"), ("common", "needs-confirm"), ("common", "unread")} <= set(codes)
    assert {("common", "rolled"), ("common", "decided"), ("common", "script_stopped"), ("common", "line_skipped")} <= set(kinds)


def test_every_code_has_its_sentence() -> None:
    assert missing("codes", said_by_the_rules()[0]) == []


def test_every_kind_of_event_has_its_sentence() -> None:
    assert missing("events", said_by_the_rules()[1]) == []


def test_every_disposition_of_a_mail_has_its_words() -> None:
    lacking = []
    for language in languages():
        words = load_wording(language, "holdfast")
        for _, disposition in INTAKE:
            tables = {"refuse": ("refusals", "advice"), "hold": ("confirm",)}.get(disposition.act, ())
            lacking += [f"{language} [{table}] {disposition.why}" for table in tables if not words.has(table, disposition.why)]
    assert lacking == []


def sentences() -> Iterator[tuple[str, str, str, str]]:
    for language in languages():
        for game in ("", *GAMES.values()):
            words = load_wording(language, game)
            tables = words.game if game else words.common
            for table, entries in tables.items():
                for key, text in entries.items():
                    if isinstance(text, str):
                        yield game or "common", table, key, text


def fields_of(text: str) -> set[str]:
    return set(jinja2.meta.find_undeclared_variables(environment().parse(text)))


def test_every_sentence_is_well_formed() -> None:
    for _, table, key, text in sentences():
        try:
            fields_of(text)
        except jinja2.TemplateError as error:
            pytest.fail(f"[{table}] {key}: {error}")


@pytest.mark.parametrize(("table", "index"), [("codes", 0), ("events", 1)])
def test_no_sentence_speaks_of_a_field_that_the_rules_do_not_send(table: str, index: int) -> None:
    helpers = set(Speech(load_wording("en", ""), {}).helpers)
    wrong = []
    for game, where, key, text in sentences():
        if where != table:
            continue
        sent = said_by_the_rules()[index]
        found = [fields for (of, code), fields in sent.items() if code == key and (of == game or game == "common" or of == "common")]
        if not found or None in found:
            continue
        strange = fields_of(text) - helpers - ALWAYS - set().union(*(f for f in found if f is not None))
        if strange:
            wrong.append(f"{game} [{table}] {key}: {sorted(strange)}")
    assert wrong == []


# What commands say


def said_in(folder: str) -> Iterator[tuple[str, ast.Call]]:
    """The keys that the files of a folder say or refuse with, and the calls; a key made of parts has a ``*`` in place of each part."""
    for path in inside("worker"):
        if not name(path).startswith(folder):
            continue
        for call in (node for node in ast.walk(tree(path)) if isinstance(node, ast.Call)):
            if isinstance(call.func, ast.Name) and call.func.id in ("Said", "Refused") and call.args:
                key = call.args[0]
                if isinstance(key, ast.JoinedStr):
                    parts = (str(part.value) if isinstance(part, ast.Constant) else "*" for part in key.values)
                    yield "".join(parts), call
                for found in literals(key):
                    yield found, call


def test_everything_that_commands_say_has_its_words() -> None:
    keys = {key for key, _ in said_in("worker/commands/")}
    assert {"which-game", "undone", "knock-*", "letter-unsigned"} <= keys
    for language in languages():
        known = load_wording(language, "holdfast").common["commands"]
        lacking = {key for key in keys if not any(fnmatch(one, key) for one in known)}
        assert lacking == set()
        # and every word is said somewhere: by a literal, as one of those made of parts, or as an alert by its kind
        literal = {found for path in inside("worker") for found in texts_in(path)}
        unsaid = {one for one in known if one not in literal and not any("*" in key and fnmatch(one, key) for key in keys)}
        assert {one for one in unsaid if not (one.startswith("alert-") and one.removeprefix("alert-") in literal)} <= {"help-unknown"}


def test_everything_that_is_said_in_discord_has_its_words_and_no_word_is_left_over() -> None:
    keys = {key for key, _ in said_in("worker/discord/")} | set(texts_in(ROOT / "services/mail/hooks/discord.py"))
    assert {"not-linked", "form-orders"} <= keys
    for language in languages():
        known = set(load_wording(language, "").common["chat"])
        assert known <= keys
        assert {key for key, _ in said_in("worker/discord/")} <= known


def texts_in(path: Any) -> set[str]:
    return {n.value for n in ast.walk(tree(path)) if isinstance(n, ast.Constant) and isinstance(n.value, str)}


def test_what_a_refusal_speaks_of_is_sent_with_it() -> None:
    helpers = set(Speech(load_wording("en", ""), {}).helpers)
    wrong = []
    told = [(table, *one) for table, folder in (("commands", "worker/commands/"), ("chat", "worker/discord/")) for one in said_in(folder)]
    for table, key, call in told:
        words = load_wording("en", "").common[table].get(key)
        if (
            not (isinstance(call.func, ast.Name) and call.func.id == "Refused")
            or words is None
            or any(k.arg is None for k in call.keywords)
        ):
            continue
        strange = fields_of(words) - helpers - ALWAYS - {str(k.arg) for k in call.keywords}
        wrong += [f"{key}: {sorted(strange)}"] if strange else []
    assert wrong == []


def test_no_field_hides_behind_a_word_of_the_language() -> None:
    helpers = set(Speech(load_wording("en", ""), {}).helpers)
    keys = {
        str(key.value)
        for path in inside("worker")
        if name(path).startswith("worker/commands/")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Dict)
        for key in node.keys
        if isinstance(key, ast.Constant)
    }
    assert {"side", "game", "mine"} <= keys
    assert keys & helpers == {"at", "player"}  # fields of a mail, and a kind of offer


def test_every_command_has_its_help_and_somebody_who_carries_it_out() -> None:
    assert set(TABLE) == set(COMMANDS)
    assert set(HEADS) <= CAMPAIGN | ORDERS_TOO
    for language in languages():
        assert set(load_wording(language, "").common["command_help"]) == {*COMMANDS, "orders"}

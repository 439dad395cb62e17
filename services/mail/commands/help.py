"""HELP: what can be written, made from the tables that read it."""

from __future__ import annotations

from dataclasses import dataclass, field

from services.mail.commands.table import COMMANDS
from services.mail.orders import nearest
from services.mail.orders.common import COMMON, DIRECTIVES
from services.mail.orders.languages import LANGUAGES
from services.mail.orders.verbs import Verb
from services.mail.speech import Speech


@dataclass(frozen=True, slots=True)
class Help:
    """Sentences (none: those of the command itself), a list, and the forms as they are written."""

    sentences: list[str] = field(default_factory=list)
    listed: list[str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)


def help_on(game: str, topic: str, speech: Speech) -> Help:
    """Help with ``topic``: a command, or an order of the game (of every game, where the mail is about none); without one, the commands."""
    if not topic:
        each = ((name, speech.say("command_help", name, {})) for name in COMMANDS)
        orders = speech.say("command_help", "orders", {})
        return Help(listed=[*(f"{name}: {text}" for name, text in each if text), *([orders] if orders else [])])
    forms = _forms(game, topic)
    if not forms:
        near = nearest.words(topic, {*COMMANDS, *(verb.name for verb in _verbs(game))})
        return Help(sentences=[speech.say("commands", "help-unknown", {"topic": topic, "near": near}) or topic])
    said = speech.say("command_help", topic, {}) if topic in COMMANDS else None
    return Help(listed=[said] if said else [], text=forms)


def _forms(game: str, topic: str) -> list[str]:
    if topic in COMMANDS:
        return [form.hint for form in COMMANDS[topic].verb.forms]
    if topic in DIRECTIVES:
        return [topic]
    found = [form.hint for verb in _verbs(game) for form in verb.forms if topic in (verb.name, form.head.shown)]
    return list(dict.fromkeys(found))


def _verbs(game: str) -> list[Verb]:
    languages = [LANGUAGES[game]] if game in LANGUAGES else list(LANGUAGES.values())
    return [verb for language in (*languages, COMMON) for verb in language.verbs]

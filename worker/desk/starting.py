"""``hexpost new``: a game is started in the journal of this installation; whoever serves it sends the mails."""

from __future__ import annotations

import re
from pathlib import Path

from worker.app import create_app, make_parts
from worker.config import ABSENCE, Config
from worker.desk.study import read_options
from worker.play.games import UnusableInput, looks_of, new_game
from worker.serve import running_config
from worker.store.database import open_database
from worker.store.journal import Journal
from worker.waiting import terms


def start_game(
    scenario: str,
    sides: tuple[str, ...],
    options: tuple[str, ...],
    file: Path | None,
    themes: tuple[str, ...] = (),
    agreed: tuple[str, ...] = (),
) -> str:
    """Start a game; the sentence that says so. UnusableInput if something about it is wrong."""
    addresses = _addresses(sides)
    chosen = read_options(options)
    looks = _themes(themes)
    clocks = _terms(agreed)
    config = Config.load(file)
    served = running_config(config) or config
    if not (served.rules and served.broker):
        raise UnusableInput(
            f"Nothing serves {config.home} yet: start hexpost serve there and wait until it says that it serves, "
            "or name rules and broker in hexpost.toml."
        )
    parts = make_parts(served)
    game = new_game(parts.ports, scenario, addresses, chosen, themes=looks, agreed=clocks)
    app = create_app(served)
    app.send_task("hexpost.post", (game.id,))
    app.send_task("hexpost.sweep")  # where the adjutant begins, it is called at once
    return f"{game.id}: {scenario} is started; the players are mailed."


def change_theme(key: str, themes: tuple[str, ...], file: Path | None) -> str:
    """Give the sides of a game another theme from their next mails on; the sentence that says so. UnusableInput as for a new game."""
    asked = _themes(themes)
    config = Config.load(file)
    served = running_config(config) or config
    journal = Journal(open_database(served.database))
    game = journal.game(key) or journal.game(key.upper())
    if game is None:
        raise UnusableInput(f"There is no game {key[:40]!r} here.")
    found = looks_of(asked, list(game.sides))
    journal.set_themes(game.id, found)
    told = ", ".join(f"{side} {theme}" for side, theme in found.items())
    return f"{game.id}: from the next mail on, {told}."


def _addresses(sides: tuple[str, ...]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for one in sides:
        side, equals, address = one.partition("=")
        if not side or not equals or not address:
            raise UnusableInput(f"--side {one[:80]!r} is not of the form SIDE=ADDRESS.")
        found.setdefault(side, []).append(address)
    return found


def _terms(given: tuple[str, ...]) -> dict[str, str]:
    """``deadline=72``, ``absence=master`` and the like, as terms are kept. UnusableInput if there is no such term."""
    found: dict[str, str] = {}
    for one in given:
        name, equals, value = one.partition("=")
        key = "turn" if name == "deadline" else name
        known = value in ABSENCE if key == "absence" else re.fullmatch(r"[0-9]{1,4}", value) and (key != "consent" or int(value))
        if key not in terms.KEYS or name == "turn" or not equals or not known or key in found:
            raise UnusableInput(
                f"--term {one[:80]!r} is none: there are deadline, reaction, setup and consent, with hours behind the equals sign, "
                f"and absence with {', '.join(ABSENCE)}; each once."
            )
        found[key] = value
    return found


def _themes(given: tuple[str, ...]) -> dict[str, str]:
    """``THEME`` or ``SIDE=THEME`` arguments by side; that of all sides under the empty name."""
    found: dict[str, str] = {}
    for one in given:
        side, equals, theme = one.rpartition("=")
        if (equals and not side) or side in found:
            raise UnusableInput(f"--theme {one[:80]!r} is not of the form THEME or SIDE=THEME, or comes twice.")
        found[side] = theme
    return found

"""What the documents show can be typed: the orders on the players' page are read, the commands of the other pages exist."""

from __future__ import annotations

import re

import pytest
from click import Context, Group

from services.mail.orderlines import read_lines
from services.mail.orders.parse import parse
from services.rules.registry import load_games
from services.rules.schemas.vocabulary import dump_scenario
from tests.architecture.sources import ROOT
from tests.players.pages import game_of
from worker.cli import main

PLAYERS = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs/players").glob("*.md"))]
FENCE = re.compile(r"^```\n((?:(?!^```).*\n)+)^```$(?=\n\n|\n?\Z)", re.M)
ORDERS = [(game_of(page), text) for page in PLAYERS for text in FENCE.findall(page)]
PAGES = ["docs/game-masters.md", "docs/bot-writers.md", "docs/scenario-authors.md"]
PAGES += sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs/hosting").glob("*.md"))


@pytest.mark.parametrize(("scenario", "text"), ORDERS)
def test_the_orders_on_the_players_pages_are_read(scenario: str, text: str) -> None:
    if commands := read_lines(text.split("\n")).commands:
        assert [(one.line, one.fault) for one in commands] == [(line, "") for line in text.strip().split("\n")]
        return
    key, _, name = scenario.partition("/")
    game = load_games()[key]
    words = dump_scenario(game, game.data.scenarios[name])
    read = [parse(key, text, words | {"side": side}) for side in game.data.sides]
    parsed = min(read, key=lambda one: len(one.diagnostics))  # whose orders they are does not stand there
    assert [(d.line, d.code) for d in parsed.diagnostics] == []
    assert parsed.packet["orders"] or parsed.packet["standing"]


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_a_page_exist_with_their_options(page: str) -> None:
    group: Group = main
    for line in re.findall(r"(?:^|[`/]|&& )hexpost ([a-z][^`\n#&|]*)", (ROOT / page).read_text(encoding="utf-8"), re.M):
        words = line.split()
        command = group.get_command(Context(group), words.pop(0))
        if isinstance(command, Group):
            command = command.get_command(Context(command), words.pop(0))
        assert command is not None, f"{page}: hexpost {line}"
        known = {option for parameter in command.params for option in parameter.opts}
        used = {word for word in words if re.match(r"--?[a-z]", word)}
        assert used <= known, f"{page}: hexpost {line}"


def test_the_table_of_holdfast_s_sequence_is_its_sequence() -> None:
    text = (ROOT / "docs/decisions/0003-sequences-of-play.md").read_text(encoding="utf-8")
    section = text.partition("## Holdfast")[2].partition("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line.startswith("| ")][1:]
    shown = [(name, clause.partition(",")[0], sorted(filter(None, orders.split(", ")))) for name, clause, _, _, orders, *_ in rows]
    played = {
        step.name: (
            step.name,
            step.clause,
            sorted({on.verb for on in step.accepts} | ({ask.verb for ask in step.asks} if not step.accepts else set())),
        )
        for step in load_games()["holdfast"].sequence.steps
    }
    assert shown == list(played.values())

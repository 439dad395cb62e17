"""The counters of which the proofs are made: each sample, and each card of each package in each state, as wide as on a mailed map."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product

from scenarios.data import Board, Card, GameData
from scenarios.hexes import Hex
from scenarios.loader import load_games
from services.render.counters.look import Look, look_of_card
from services.render.counters.pieces import counter_size
from services.render.counters.specimen import sample_of, samples
from services.render.layout import lay_out
from services.render.style import Sheet, style_sheet
from services.render.views import CounterView
from tests.render.boards import holdfast

MAIL = 2400
"""Pixels on the longer side of a map as it is mailed."""
BOARDS = {"race-for-tunis": (23, 25), "fall-of-tobruk": (34, 27)}
"""Columns and rows of the boards of games that have no package yet."""


@cache
def board_of(game: str) -> GameData:
    """A game's package; Holdfast's on an empty board as large as the game's if there is none yet."""
    found = load_games().get(game)
    if found is not None:
        return found
    columns, rows = BOARDS[game]
    terrain = {Hex(col, row): "clear" for col, row in product(range(1, columns + 1), range(1, rows + 1))}
    board = Board(columns, rows, terrain, frozenset(), {}, {}, frozenset(), {}, {}, {})
    return replace(holdfast(), board=board, digest=f"empty {game}")


@cache
def mailed_width(game: str, theme: str) -> int:
    """The width in pixels of a counter on a mailed map."""
    sheet = style_sheet(game, theme)
    return counter_size(lay_out(board_of(game), sheet, MAIL).lattice.radius, sheet.style.counters.width)


def looks(game: str, sheet: Sheet) -> dict[Look, None]:
    """All counters of a game: the samples, and those of its package in every state, and unknown ones of both sides."""
    found = [look_of_card(*sample_of(raw, section), sheet) for section in samples(game).sections for raw in section.counters]
    found += [look for card in board_of(game).cards.values() if game in load_games() for look in _states(card, sheet)]
    found += [Look(side, alias, badges=badges) for side in sheet.style.sides for alias in ("V4", "X12") for badges in ((), _some(sheet))]
    return dict.fromkeys(found)


def _some(sheet: Sheet) -> tuple[str, ...]:
    return tuple(sheet.style.counters.badges)[:2]


def _states(card: Card, sheet: Sheet) -> Iterator[Look]:
    style = sheet.style.counters
    for known, strength in (("own", 4), ("own", 1), ("seen", 2), ("seen", 0)) if style.counter.strength else (("own", 0),):
        num: dict[str, int | str] = {style.counter.strength: strength} if strength else {}
        for marks in ([], *([mark] for mark in style.faces), list(style.badges)[:1]):
            view = CounterView(card.side, "0505", "V1", card.id, card.id, list(marks), num, known)
            yield look_of_card(view, card, sheet)


def nations_of(game: str, side: str) -> set[str]:
    """The nations of a side, by its samples and by its package."""
    found = {raw.get("nation", one.nation) for one in samples(game).sections if one.side == side for raw in one.counters}
    if game in load_games():
        found |= {card.nation for card in board_of(game).cards.values() if card.side == side}
    return {nation for nation in found if nation}

"""Plain text that stands well in a mail program of fixed pitch: folded to 72 columns, tables with their columns under each other."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from services.mail.battles.table import Battle, Throw
    from services.mail.lines import OrderLine

WIDTH = 72
"""Columns of a line; what cannot be broken (an address, a line of orders, a digest) may be longer."""
GAP = "  "
_ROLE = 8
_DIE = re.compile(r"\[([0-9])\] ?")


def fold(text: object, first: str = "", rest: str | None = None, width: int = WIDTH) -> str:
    """A paragraph in lines of at most ``width`` columns: ``first`` before the first of them, ``rest`` before the others."""
    hanging = " " * len(first) if rest is None else rest
    lines = textwrap.wrap(str(text), width, initial_indent=first, subsequent_indent=hanging, break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines) or first.rstrip()


def pieces(line: str, width: int) -> list[tuple[int, str]]:
    """A line broken at blanks, each piece with its place in the line (from 0); blanks at a break are left out."""
    found, at = [], 0
    while len(line) - at > width:
        cut = line.rfind(" ", at + 1, at + width + 1)
        cut = line.find(" ", at + width) if cut < 0 else cut
        if cut < 0:
            break
        found.append((at, line[at:cut].rstrip()))
        at = cut + len(line[cut:]) - len(line[cut:].lstrip(" "))
    return [*found, (at, line[at:])]


def order_line(line: OrderLine) -> str:
    """A line of orders under its number, its fate behind it, its notes below.

    What does not fit goes on below as a quotation, so that a mail sent back without quotation marks orders nothing.
    """
    indent = " " * 5
    parts = pieces(line.text, WIDTH - len(indent))
    out = []
    for index, (at, part) in enumerate(parts):
        out.append((f"{line.number:3d}  " if index == 0 else "   | ") + part)
        if index == len(parts) - 1 and line.mark:
            behind = f"{out[-1]}   -- {line.mark}"
            out[-1:] = [behind] if len(behind) <= WIDTH else [out[-1], f"{indent}-- {line.mark}"]
        here = [note for note in line.notes if note.column and _stands_in(note.column - 1, index, parts)]
        out += [indent + " " * (note.column - 1 - at) + "^" * _carets(note.column, note.end, at + len(part)) for note in here]
    return "\n".join([*out, *(fold(note.text, indent) for note in line.notes)])


def _stands_in(place: int, index: int, parts: Sequence[tuple[int, str]]) -> bool:
    """Whether a place of a line (from 0) lies in one of its pieces; what lies behind the end lies in the last."""
    following = parts[index + 1][0] if index + 1 < len(parts) else None
    return parts[index][0] <= place and (following is None or place < following)


def _carets(column: int, end: int, last: int) -> int:
    return max(1, min(end, last + 1) - column)


def battle_rows(battle: Battle) -> str:
    """Who fought, from where, with what strength."""
    roles = [fighter.role for fighter in battle.fighters]
    told = ["" if index and roles[index - 1] == role else role for index, role in enumerate(roles)]
    placed = any(one.place for one in battle.fighters)
    table = [
        [role.ljust(_ROLE), one.name, *([one.place] if placed else []), one.strength]
        for role, one in zip(told, battle.fighters, strict=True)
    ]
    return rows(table, "      ")


def throw_rows(throw: Throw) -> str:
    """One side's dice as they fell, those that hit in brackets (all of them where that is not known), and what made their number."""
    dice = " ".join(f"[{die}]" if hit or not throw.rule else str(die) for die, hit in throw.marked)
    first = f"      {throw.name:<{_ROLE}}{GAP}"
    came = f"{throw.told} [{throw.clause}]" if throw.clause else f"({throw.told})" if dice else throw.told
    came += f" {throw.throws}" if throw.throws else ""
    said = [fold(f"{dice}  {came}" if dice else came, first, " " * len(first))]
    return "\n".join([*said, *(fold(text, " " * len(first)) for text in throw.modifiers)])


def split_dice(text: str) -> list[tuple[str, bool]]:
    """A sentence in pieces, each with whether it is a die: ``[3]``."""
    return [(part, n % 2 == 1) for n, part in enumerate(_DIE.split(text)) if part]


def figure_rows(figures: Sequence[tuple[str, Sequence[str]]], sides: Sequence[str]) -> str:
    """The turn in figures, a column a side."""
    return rows([["", *sides], *([caption, *cells] for caption, cells in figures)], "  ", head=True)


def rows(table: Sequence[Sequence[object]], indent: str = "", head: bool = False) -> str:
    """A table: columns as wide as their longest cell while there is room, long cells folded. ``head``: the first row is ruled off."""
    cells = [[str(cell) for cell in row] for row in table]
    count = max((len(row) for row in cells), default=0)
    cells = [[*row, *[""] * (count - len(row))] for row in cells]
    widths = _widths(cells, WIDTH - len(indent))
    out: list[str] = []
    for number, row in enumerate(cells):
        folded = [fold(cell, width=width).split("\n") for cell, width in zip(row, widths, strict=True)]
        for at in range(max(map(len, folded), default=0)):
            line = GAP.join((part[at] if at < len(part) else "").ljust(width) for part, width in zip(folded, widths, strict=True))
            out.append(f"{indent}{line}".rstrip())
        if head and number == 0:
            out.append(indent + GAP.join("-" * width for width in widths))
    return "\n".join(out)


def _widths(cells: Sequence[Sequence[str]], room: int) -> list[int]:
    """The width of each column: its longest cell, but that the widest give way until all fit."""
    widths = [max((len(row[column]) for row in cells), default=1) or 1 for column in range(len(cells[0]) if cells else 0)]
    room -= len(GAP) * (len(widths) - 1)
    while sum(widths) > room and max(widths) > 8:
        widths[widths.index(max(widths))] -= 1
    return widths

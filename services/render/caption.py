"""The line under a picture without a panel: which game and turn it shows, and for whom."""

from __future__ import annotations

from scenarios.data import GameData
from services.render.draw.ink import Plate, Stencil
from services.render.draw.lettering import cap_height, fitted, width, write
from services.render.panel.tracks import short_turn, turn_box
from services.render.views import View


def bar_height(longer: int) -> int:
    """Pixels of the line on a picture whose longer side is given."""
    return max(round(longer * 0.036), 18)


def caption_of(data: GameData, view: View) -> tuple[str, str]:
    """What stands at the left (the turn) and at the right (whose player-turn or how it ended, and whose view it is)."""
    left = f"{data.title}, {turn_of(data, view)}"
    right = []
    if view.over is not None:
        winner = data.side_names.get(view.over.winner or "")
        right.append(f"{winner} victory" if winner else "Game over")
    elif view.phasing in data.side_names:
        right.append(f"{data.side_names[view.phasing or '']} player-turn")
    if view.side is not None:
        right.append(f"as seen by: {data.side_names.get(view.side, view.side)}")
    return left, "   |   ".join(right)


def turn_of(data: GameData, view: View) -> str:
    """The game-turn of a view: its number and its box of the turn record."""
    box = turn_box(data, view)
    turn = " ".join(part for part in short_turn(data.turns[box]) if part) if 0 <= box < len(data.turns) else ""
    return (f"turn {view.turn}" if view.turn else "set-up") + (f": {turn}" if turn else "")


def draw_caption(plate: Plate, said: tuple[str, str], box: tuple[int, int, int, int]) -> None:
    """The line in its box: a strip of paper under a rule."""
    x0, y0, x1, y1 = box
    high = y1 - y0
    for top, colour in ((y0, "ink"), (y0 + max(high // 16, 1), "paper")):
        strip = Stencil(box, 1)
        strip.polygon([(x0, top), (x1, top), (x1, y1), (x0, y1)])
        strip.onto(plate, colour)
    size = max(round(high * 0.56), 9)
    y, pad, room = y0 + high * 0.54, high * 0.4, x1 - x0 - high
    right, small = fitted(said[1], "plain", size, round(room * 0.55))
    left, large = fitted(said[0], "bold", size, round(room - width(right, "plain", small) - high))
    foot = y + cap_height("bold", size) / 2
    write(plate, (x0 + pad, foot), left, "bold", large, "ink", anchor="ls")
    write(plate, (x1 - pad, foot), right, "plain", small, "ink", anchor="rs")

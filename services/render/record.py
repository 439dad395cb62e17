"""The dice of the turn: each battle with its dice and hits, and the other rolls with what they were for."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from scenarios.data import GameData
from services.render.geometry import Point
from services.render.ink import Plate, Stencil, Surface
from services.render.lettering import fitted, width, write
from services.render.overlay import Battle, battles, burst, other_rolls
from services.render.style import Sheet
from services.render.views import View

Rect = tuple[int, int, int, int]
_PIPS = {1: (4,), 2: (0, 8), 3: (0, 4, 8), 4: (0, 2, 6, 8), 5: (0, 2, 4, 6, 8), 6: (0, 2, 3, 5, 6, 8)}


@lru_cache(maxsize=64)
def _die(value: int, size: int) -> tuple[Image.Image, Image.Image, Image.Image]:
    """Masks of a die: outline, face, pips."""
    box = (0, 0, size, size)
    rim, face, pips = Stencil(box), Stencil(box), Stencil(box)
    rim.rounded(box, size * 0.2)
    face.rounded((1, 1, size - 1, size - 1), size * 0.16)
    for k in _PIPS.get(value, ()):
        pips.disc((size * (0.25 + 0.25 * (k % 3)), size * (0.25 + 0.25 * (k // 3))), max(size * 0.095, 0.8))
    return rim.mask(), face.mask(), pips.mask()


def draw_die(surface: Surface, corner: Point, size: int, value: int, colour: str, pip: str) -> None:
    """One die, seen from above."""
    at = (round(corner[0]), round(corner[1]))
    rim, face, pips = _die(value, size)
    surface.ink(rim, at, "ink")
    surface.ink(face, at, colour)
    surface.ink(pips, at, pip)


def draw_record(plate: Plate, box: Rect, data: GameData, view: View, sheet: Sheet, unit: int) -> None:
    """Rolls of the view's events, a line each; what does not fit is counted in the last line."""
    fights = battles(view.events)
    rolls = other_rolls(view.events)
    x0, y0, x1, y1 = box
    high = max(round(unit * 0.62), 8)
    per_column = max((y1 - y0) // high, 1)
    lines: list[Battle | tuple[str, tuple[int, ...]]] = [*rolls, *fights]
    if not lines:
        write(plate, ((x0 + x1) / 2, (y0 + y1) / 2), "No dice were rolled", "italic", max(round(unit * 0.4), 6), "faint", anchor="mm")
        return
    shown = lines if len(lines) <= per_column else lines[: per_column - 1]
    for k, line in enumerate(shown):
        y = y0 + (k + 0.5) * high
        if isinstance(line, Battle):
            _battle_line(plate, (x0, x1), y, line, unit, high)
        else:
            _roll_line(plate, (x0, x1), y, line, unit, high)
    if len(shown) < len(lines):
        rest = f"and {len(lines) - len(shown)} more in the report"
        write(plate, (x0, y0 + (len(shown) + 0.5) * high), rest, "italic", max(round(unit * 0.36), 6), "faint", anchor="lm")


def _roll_line(plate: Plate, across: tuple[int, int], y: float, roll: tuple[str, tuple[int, ...]], unit: int, high: int) -> None:
    why, dice = roll
    size = max(round(high * 0.78), 6)
    room = across[1] - across[0]
    taken = len(dice) * (size + 2)
    text, letters = fitted(why, "plain", max(round(unit * 0.38), 6), max(room - taken - unit, unit), 6)
    write(plate, (across[0], y), text, "plain", letters, "ink", anchor="lm")
    _dice(plate, (across[1] - taken, y), dice, size, "white", "ink")


def _battle_line(plate: Plate, across: tuple[int, int], y: float, battle: Battle, unit: int, high: int) -> None:
    size = max(round(high * 0.78), 6)
    burst(plate, (across[0] + high * 0.4, y), high * 0.4)
    letters = max(round(unit * 0.36), 6)
    score = "" if battle.on_defender is None and battle.on_attackers is None else f"{battle.on_defender or 0}:{battle.on_attackers or 0}"
    right = across[1] - round(unit * 1.0)
    write(plate, (across[1], y), score, "bold", letters, "red", anchor="rm")
    dice = len(battle.attack_dice) + len(battle.defence_dice)
    room = right - across[0] - round(unit * 1.4) - round(high)
    step = min(size + 2, max(room * 0.6 / max(dice, 1), 4))
    side = min(size, max(round(step) - 1, 3))
    start = right - step * dice - (unit * 0.3 if battle.defence_dice else 0)
    _dice(plate, (start, y), battle.attack_dice, side, "red", "white", step)
    _dice(plate, (start + step * len(battle.attack_dice) + unit * 0.3, y), battle.defence_dice, side, "white", "ink", step)
    said = f"{battle.label}  {battle.attackers} → {battle.defender}"
    left = across[0] + high
    text, letters = fitted(said, "plain", letters, max(round(start - left - unit * 0.3), unit), 6)
    if width(text, "plain", letters):
        write(plate, (left, y), text, "plain", letters, "ink", anchor="lm")


def _dice(plate: Plate, at: Point, dice: tuple[int, ...], size: int, colour: str, pip: str, step: float | None = None) -> None:
    for k, value in enumerate(dice):
        draw_die(plate, (at[0] + k * (step or size + 2), at[1] - size / 2), size, value, colour, pip)

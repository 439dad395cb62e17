"""The dice of the turn: each battle with its dice and hits, and the other rolls with what they were for."""

from __future__ import annotations

from functools import lru_cache

from scenarios.data import GameData
from services.render.draw.geometry import Point
from services.render.draw.ink import Canvas, Plate, Sprite, Stencil
from services.render.draw.lettering import fitted, write
from services.render.happened.overlay import Battle, battles, burst, other_rolls
from services.render.style import Sheet
from services.render.views import View

Rect = tuple[int, int, int, int]
Roll = tuple[str, tuple[int, ...]]
_PIPS = {1: (4,), 2: (0, 8), 3: (0, 4, 8), 4: (0, 2, 6, 8), 5: (0, 2, 4, 6, 8), 6: (0, 2, 3, 5, 6, 8)}


@lru_cache(maxsize=256)
def die(value: int, size: int, colour: str, pip: str, sheet: Sheet) -> Sprite:
    """A die seen from above, ``size`` pixels wide; one without pips for a value that no die has."""
    canvas = Canvas((size, size), sheet.palette, "ink")
    box = (0, 0, size, size)
    rim, face, pips = Stencil(box), Stencil(box), Stencil(box)
    rim.rounded(box, size * 0.2)
    face.rounded((1, 1, size - 1, size - 1), size * 0.16)
    face.onto(canvas, colour)
    for k in _PIPS.get(value, ()):
        pips.disc((size * (0.25 + 0.25 * (k % 3)), size * (0.25 + 0.25 * (k // 3))), max(size * 0.095, 0.8))
    pips.onto(canvas, pip)
    return Sprite(sheet.palette.flatten(canvas.image), rim.mask().point([0] * 128 + [255] * 128).convert("1"))


def draw_record(plate: Plate, box: Rect, data: GameData, view: View, sheet: Sheet, unit: int) -> None:
    """Rolls of the view's events, a line each; what does not fit is counted in the last line."""
    fights = battles(view.events)
    rolls = other_rolls(view.events, data.side_names)
    x0, y0, x1, y1 = box
    high = max(round(unit * 0.63), 8)
    room = max((y1 - y0) // high, 1)
    if not fights and not rolls:
        write(plate, ((x0 + x1) / 2, (y0 + y1) / 2), "No dice were rolled", "italic", max(round(unit * 0.4), 6), "faint", anchor="mm")
        return
    y = float(y0 + high / 2)
    for k in range(0, len(rolls), 2):  # other rolls two to a line
        middle = (x0 + x1) // 2
        for roll, across in zip(rolls[k : k + 2], ((x0, middle - unit // 3), (middle + unit // 3, x1)), strict=False):
            _roll_line(plate, across, y, roll, unit, high, sheet)
        y += high
    left = room - (len(rolls) + 1) // 2
    tall = left >= 2 * len(fights)
    fit = len(fights) if tall or len(fights) <= left else max(left - 1, 0)
    for battle in fights[:fit]:
        _battle_line(plate, (x0, x1), y, battle, _where(battle, data), unit, high if tall else -high, sheet)
        y += high * (2 if tall else 1)
    if fit < len(fights):
        rest = f"and {len(fights) - fit} more in the report"
        write(plate, (x0, y), rest, "italic", max(round(unit * 0.36), 6), "faint", anchor="lm")


def _where(battle: Battle, data: GameData) -> str:
    """A battle's label, or else the name or number of its hex."""
    return battle.label or data.board.name_of(battle.hex) or data.board.label(battle.hex)


def _roll_line(
    plate: Plate, across: tuple[int, int], y: float, roll: tuple[str, tuple[int, ...]], unit: int, high: int, sheet: Sheet
) -> None:
    why, dice = roll
    size = max(round(high * 0.78), 6)
    room = across[1] - across[0]
    step = min(size + 2, room * 0.6 / max(len(dice), 1))
    text, letters = fitted(why, "plain", max(round(unit * 0.38), 6), max(round(room - step * len(dice) - 4), unit), 6)
    write(plate, (across[0], y), text, "plain", letters, "ink", anchor="lm")
    _dice(plate, (across[1] - step * len(dice), y), dice, min(size, max(round(step) - 1, 3)), "white", "ink", step, sheet)


def _battle_line(plate: Plate, across: tuple[int, int], y: float, battle: Battle, where: str, unit: int, line: int, sheet: Sheet) -> None:
    """A battle on one line, or who fought on the first and the dice on the second; ``line``: a line's height, negative for one line."""
    tall, high = line > 0, abs(line)
    letters = max(round(unit * 0.38), 6)
    burst(plate, (across[0] + high * 0.4, y), high * 0.4)
    left, right = across[0] + high, across[1] - round(unit * 1.1)
    if battle.on_defender is not None or battle.on_attackers is not None:
        write(plate, (across[1], y), f"{battle.on_defender or 0}:{battle.on_attackers or 0}", "bold", letters, "red", anchor="rm")
    count = len(battle.attack_dice) + len(battle.defence_dice)
    gap = unit * 0.3
    room = (across[1] - left if tall else (right - left) * 0.6) - gap
    step = min(high * 0.84, room / max(count, 1))
    side = min(round(high * 0.78), max(round(step) - 1, 3))
    start = left if tall else right - step * count - gap
    dice_y = y + high if tall else y
    _dice(plate, (start, dice_y), battle.attack_dice, side, "red", "white", step, sheet)
    _dice(plate, (start + step * len(battle.attack_dice) + gap, dice_y), battle.defence_dice, side, "white", "ink", step, sheet)
    said = f"{where}:  {battle.attackers} – {battle.defender}"
    text, letters = fitted(said, "plain", letters, max(round((right if tall else start) - left - gap), unit), 6)
    write(plate, (left, y), text, "plain", letters, "ink", anchor="lm")


def _dice(plate: Plate, at: Point, dice: tuple[int, ...], size: int, colour: str, pip: str, step: float, sheet: Sheet) -> None:
    for k, value in enumerate(dice):
        plate.stamp(die(value, size, colour, pip, sheet), (round(at[0] + k * step), round(at[1] - size / 2)))

"""The dice of the turn: each battle with its dice, reasons and result, and the other rolls with what they were for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from scenarios.data import GameData
from services.render.draw.geometry import Point
from services.render.draw.ink import Canvas, Plate, Sprite, Stencil, bounds
from services.render.draw.lettering import width
from services.render.happened.attacks import burst
from services.render.happened.fights import FAILED, PASSED, Battle, Check, battles, of_battle, of_check, outcome
from services.render.panel.frames import Rect, dark, entries, letters, printed, say, table, whole, words
from services.render.panel.legend import wrapped
from services.render.style import Sheet
from services.render.views import EventView, View

_MOST_DICE = 40
"""So many dice of a side in one battle are drawn at most."""
_PIPS = {1: (4,), 2: (0, 8), 3: (0, 4, 8), 4: (0, 2, 6, 8), 5: (0, 2, 4, 6, 8), 6: (0, 2, 3, 5, 6, 8)}


@dataclass(frozen=True, slots=True)
class Roll:
    """A roll that belongs to no battle: what for and by whom, the dice, its modifiers and clause in small print, and what it came to."""

    why: str
    dice: tuple[int, ...]
    small: str
    result: str = ""


def rolls(events: Iterable[EventView], side_names: Mapping[str, str]) -> list[Roll]:
    """The rolls of a view that belong to no battle."""
    out = []
    told = list(events)
    for k, event in enumerate(told):
        if event.kind != "rolled" or of_battle(event) or of_check(told, k):
            continue
        key = event.data.get("key")
        named = [side_names[part] for part in (key if isinstance(key, list) else [])[5:] if isinstance(part, str) and part in side_names]
        called, site = words(event.data.get("why")), printed(event.data.get("site"), 12)
        dice = event.data.get("dice")
        thrown = tuple(whole(die) or 0 for die in dice)[:20] if isinstance(dice, list) else ()
        small = "  ".join(filter(None, (reasons(event.data.get("modifiers")), event.clause)))
        unit, result = outcome(told, k)
        whom = [unit, f"({site})"] if unit and site else [unit or site]
        why = ", ".join(filter(None, [called[:1].upper() + called[1:], *([] if unit else named[:1]), " ".join(whom)]))
        out.append(Roll(why, thrown, small, result))
    return out


def reasons(modifiers: Any) -> str:
    """Modifiers with their reasons and clauses: ``"+2 air (11.2i), −3 rough (terrain.13)"``."""
    out = []
    for one in entries(modifiers)[:8]:
        number, clause = whole(one.get("n")), words(one.get("clause"), 14)
        sign = f"{number:+d} ".replace("-", "−") if number is not None else ""
        out.append(f"{sign}{words(one.get('why'), 24)}" + (f" ({clause})" if clause else ""))
    return ", ".join(out)


def battle_reasons(events: Iterable[EventView]) -> dict[str, str]:
    """Of each battle, by its label or hex, the modifiers of both sides' dice and its clause, in small print."""
    out: dict[str, str] = {}
    for event in events:
        if event.kind != "battle":
            continue
        told = event.data.get("modifiers")
        parts = [reasons(told)] if isinstance(told, list) else []
        parts += [f"{words(part)} {said}" for part, value in table(told).items() if (said := reasons(value))]
        parts += _strengths(event.data)
        out[str(event.data.get("label") or event.data.get("hex"))] = "; ".join(filter(None, (*parts, event.clause)))
    return out


def _strengths(data: Mapping[str, Any]) -> list[str]:
    """The strengths that made the odds, and the guns that support either side with theirs."""
    attack, defence = whole(data.get("attack")), whole(data.get("defence"))
    parts = [f"{attack} against {defence}"] if attack is not None and defence is not None else []
    for key, side in (("support", "attack"), ("defence_support", "defence")):
        guns = [f"{printed(one.get('unit'), 12)} {printed(one.get('factor'), 4)}" for one in entries(data.get(key))[:6]]
        parts += [f"{side} supported by {', '.join(guns)}"] if guns else []
    return parts


@lru_cache(maxsize=256)
def die(value: int, size: int, colour: str, pip: str, sheet: Sheet) -> Sprite:
    """A die seen from above, ``size`` pixels wide; one without pips for a value that no die has."""
    canvas = Canvas((size, size), sheet.palette, dark(sheet))
    box = (0, 0, size, size)
    rim, face, pips = Stencil(box), Stencil(box), Stencil(box)
    rim.rounded(box, size * 0.2)
    face.rounded((1, 1, size - 1, size - 1), size * 0.16)
    face.onto(canvas, colour)
    for k in _PIPS.get(value, ()):
        pips.disc((size * (0.25 + 0.25 * (k % 3)), size * (0.25 + 0.25 * (k // 3))), max(size * 0.095, 0.8))
    pips.onto(canvas, pip)
    return Sprite(sheet.palette.flatten(canvas.image), rim.mask().point([0] * 128 + [255] * 128).convert("1"))


@dataclass(frozen=True, slots=True)
class _Sheet:
    """What the lines of a record are drawn on and with: ``line`` is a line's height."""

    plate: Plate
    sheet: Sheet
    unit: int
    line: int


def draw_record(plate: Plate, box: Rect, data: GameData, view: View, sheet: Sheet, unit: int) -> None:
    """Rolls of the view's events, then its battles, as fully as the room allows; what does not fit is counted in the last line."""
    fights, others = battles(view.events), rolls(view.events, data.side_names)
    x0, y0, x1, y1 = box
    on = _Sheet(plate, sheet, unit, max(round(unit * 0.62), 8))
    if not fights and not others:
        say(plate, ((x0 + x1) / 2, (y0 + y1) / 2), "No dice were rolled", "italic", letters(unit, 0.4), "faint", x1 - x0, "mm")
        return
    room = max((y1 - y0) // on.line, 1)
    across = 2 if x1 - x0 >= unit * 12 else 1
    theirs = max(room // 2, room - 3 * len(fights), 1)
    y = _draw_rolls(on, box, others, across if len(others) * 3 > room or x1 - x0 >= unit * 16 else 1, theirs)
    if not fights:
        return
    left = max((y1 - y) // on.line, 1)
    small = battle_reasons(view.events)
    most = 2 + max((len(_small_lines(on, said, x1 - x0)) for said in small.values() if said), default=0)
    columns, lines = _manner(len(fights), left, across, most)
    fit = len(fights) if columns * (left // lines) >= len(fights) else max(columns * (left // lines) - 1, 0)
    wide = (x1 - x0 + unit * 0.6) / columns
    each = max(left // lines, 1)
    for k, battle in enumerate(fights[:fit]):
        x, top = x0 + wide * (k // each), y + on.line * lines * (k % each)
        said = small.get(battle.label or str(battle.hex), "")
        _draw_battle(on, (round(x), round(x + wide - unit * 0.6)), top, battle, _where(battle, data), said, lines)
    for k in range(1, columns):
        _divider(on, x0 + wide * k - unit * 0.3, y, y1)
    if fit < len(fights):
        rest = f"and {len(fights) - fit} more in the report"
        at = (x0 + wide * (fit // each), y + on.line * (lines * (fit % each) + 0.5))
        say(plate, at, rest, "italic", letters(unit, 0.34), "faint", wide - unit * 0.6)


def _manner(count: int, left: int, across: int, most: int) -> tuple[int, int]:
    """In how many columns and with how many lines, at ``most``, each battle is told: the fullest manner in which all find room."""
    for lines in range(most, 0, -1):
        for columns in range(1, across + 1):
            if columns * (left // lines) >= count:
                return columns, lines
    return across, 1


def _divider(on: _Sheet, x: float, y0: float, y1: float) -> None:
    rule = Stencil(bounds([(x, y0), (x, y1)], 1), 2)
    rule.line([(x, y0), (x, y1)], 1)
    rule.onto(on.plate, "rule")


def _where(battle: Battle, data: GameData) -> str:
    """A battle's label, or else the name or number of its hex."""
    return battle.label or data.board.name_of(battle.hex) or data.board.label(battle.hex)


def _draw_rolls(on: _Sheet, box: Rect, found: list[Roll], across: int, allowed: int) -> int:
    """The other rolls, ``across`` to a line, on so many lines at most; where the next line begins."""
    x0, y0, x1, _ = box
    wide = (x1 - x0) / across
    most = allowed * across
    shown = found if len(found) <= most else found[: most - 1]
    for k, roll in enumerate(shown):
        x, y = x0 + wide * (k % across), y0 + on.line * (k // across + 0.5)
        size = max(round(on.line * 0.8), 6)
        step = min(size + 2.0, wide * 0.5 / max(len(roll.dice), 1))
        _dice(on, (x, y), roll.dice, min(size, max(round(step) - 1, 3)), "white", dark(on.sheet), step)
        x += step * max(len(roll.dice), 1) + on.unit * 0.16
        left = x0 + wide * (k % across + 1) - on.unit * 0.3 - x
        kept = width(roll.result, "bold", letters(on.unit, 0.38)) + on.unit * 0.2 if roll.result else 0.0
        x += say(on.plate, (x, y), roll.why, "plain", letters(on.unit, 0.38), "ink", left - kept) + on.unit * 0.2
        if roll.result:
            x += say(on.plate, (x, y), roll.result, "bold", letters(on.unit, 0.38), "red", left) + on.unit * 0.2
        left = x0 + wide * (k % across + 1) - on.unit * 0.3 - x
        if left > on.unit:
            say(on.plate, (x, y + on.unit * 0.03), roll.small, "plain", _small_size(on.unit), "faint", left, "lm", _small_size(on.unit))
    lines = -(-len(shown) // across)
    if len(shown) < len(found):
        x, y = x0 + wide * (len(shown) % across), y0 + on.line * (len(shown) // across + 0.5)
        say(on.plate, (x, y), f"and {len(found) - len(shown)} more", "italic", letters(on.unit, 0.34), "faint", wide)
        lines = len(shown) // across + 1
    return y0 + on.line * lines + (round(on.unit * 0.12) if lines else 0)


def _draw_battle(on: _Sheet, across: tuple[int, int], top: float, battle: Battle, where: str, small: str, lines: int) -> None:
    """A battle on one line; or who fought, and under it the dice; or these and the reasons in small print."""
    unit, line, y = on.unit, on.line, top + on.line / 2
    size = letters(unit, 0.38)
    burst(on.plate, (across[0] + line * 0.4, y), line * 0.4)
    left, right = across[0] + line, float(across[1])
    if battle.score:
        right -= say(on.plate, (right, y), battle.score, "bold", size, "red", unit * 3.5, "rm") + unit * 0.3
    attack, defence = battle.attack_dice[:_MOST_DICE], battle.defence_dice[:_MOST_DICE]
    count = len(attack) + len(defence)
    gap = unit * 0.3
    room = across[1] - left - gap if lines > 1 else (right - left) * 0.55 - gap
    step = min(line * 0.84, room / max(count, 1))
    die_size = min(max(round(line * 0.78), 4), max(round(step) - 1, 3))
    start = float(left) if lines > 1 else right - step * count - gap
    dice_y = y + line if lines > 1 else y
    _dice(on, (start, dice_y), attack, die_size, "red", "white", step)
    _dice(on, (start + step * len(attack) + gap, dice_y), defence, die_size, "white", dark(on.sheet), step)
    if lines > 1:
        _draw_checks(on, (start + step * count + gap, dice_y), battle.checks, die_size, float(across[1]))
    room = (right if lines > 1 else start) - left - gap
    say(on.plate, (left, y), _fought(battle, where, room, size), "plain", size, "ink", room)
    if lines > 2:
        size = _small_size(unit)
        told_small = _small_lines(on, small, across[1] - left)
        for k, said in enumerate(told_small if len(told_small) <= lines - 2 else [small]):
            say(on.plate, (left, y + line * (1.9 + 0.8 * k)), said, "plain", size, "faint", across[1] - left, "lm", size)


def _fought(battle: Battle, where: str, room: float, size: int) -> str:
    """Where, and who fought whom: as many names as can be read in the room."""
    told = f"{where}:  {battle.attackers} – {battle.defender}"
    for most in (4, 3, 2, 1):
        if width(told, "plain", size) * _LEAST <= room:
            break
        told = f"{where}:  {_first(battle.attackers, most)} – {_first(battle.defender, most)}"
    return told


_LEAST = 0.7
"""Letters of a battle's line are no smaller than this share of the others, if leaving out names helps."""


def _first(names: str, most: int) -> str:
    """The first names of a list, and how many more there are."""
    told = names.split(", ")
    left = sum(int(one.split()[0]) if one.endswith(" more") else 1 for one in told[most:])
    return names if left == 0 else f"{', '.join(told[:most])} +{left}"


def _small_size(unit: int) -> int:
    """The size of the reasons' letters: none is so small that it is lost in a mail."""
    return max(letters(unit, 0.32), min(letters(unit, 0.38), 10))


def _small_lines(on: _Sheet, said: str, room: float) -> list[str]:
    """Reasons in two lines at most; what finds no room in the second is cut with an ellipsis."""
    lines = wrapped(said, "plain", _small_size(on.unit), round(room))
    return lines if len(lines) < 3 else [lines[0], " ".join(lines[1:])]


def _draw_checks(on: _Sheet, at: Point, checks: tuple[Check, ...], size: int, right: float) -> None:
    """The morale checks of a battle, each with its dice, its unit and whether it holds, as far as the room goes."""
    x, y = at
    for k, check in enumerate(checks):
        said = f"{check.unit} {PASSED if check.passed else FAILED}"
        wide = (size + 2.0) * len(check.dice) + on.unit * 0.12
        if right - x - wide < width(said, "plain", letters(on.unit, 0.3)):
            say(on.plate, (x, y), f"and {len(checks) - k} more", "italic", letters(on.unit, 0.3), "faint", right - x)
            return
        _dice(on, (x, y), check.dice, size, "white", dark(on.sheet), size + 2.0)
        used = say(on.plate, (x + wide, y), said, "plain", letters(on.unit, 0.34), "ink" if check.passed else "red", right - x - wide)
        x += wide + used + on.unit * 0.3


def _dice(on: _Sheet, at: Point, dice: tuple[int, ...], size: int, colour: str, pip: str, step: float) -> None:
    for k, value in enumerate(dice):
        on.plate.stamp(die(value, size, colour, pip, on.sheet), (round(at[0] + k * step), round(at[1] - size / 2)))

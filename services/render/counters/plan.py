"""Where the letters of a counter stand, before anything is drawn: drawing follows this plan, and proofs of legibility read it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from services.render.counters.look import Look
from services.render.counters.looks import Dress, FactorLook, LayoutLook, NationLook, RowLook, TextLook
from services.render.draw.lettering import Anchor, cap_height, width
from services.render.style import Sheet

Rect = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Line:
    """A text to be written at a place: with letters of ``size``, made narrower if they are wider than ``room``.

    ``grounds``: the colours that it may stand on.
    """

    text: str
    at: tuple[float, float]
    anchor: Anchor
    face: str
    size: int
    room: int
    colour: str
    grounds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Box:
    """A box behind letters, or a rule under them, with its corners' radius."""

    box: Rect
    radius: float
    colour: str


@dataclass(frozen=True, slots=True)
class Plan:
    """The label of a counter: its square in pixels, the boxes below the letters, and the letters."""

    label: Rect
    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]

    @property
    def inner(self) -> float:
        """The label's width."""
        return self.label[2] - self.label[0]

    def point(self, x: float, y: float) -> tuple[float, float]:
        """A place on the label, given in shares, in pixels."""
        return self.label[0] + x * self.inner, self.label[1] + y * self.inner


def nation_of(look: Look, sheet: Sheet) -> NationLook:
    """The colours of a counter's nation; of its side, if the sheet does not know the nation."""
    side = sheet.style.sides[look.side]
    return sheet.style.counters.nations.get(look.nation) or NationLook(side.face, side.on, side.dark)


def edge_of(size: int, sheet: Sheet) -> int:
    """How thick the right and lower edge of a counter is that is ``size`` pixels wide."""
    return max(round(size * (0.06 if sheet.style.counters.make == "block" else 0.045)), 1)


def label_of(size: int, sheet: Sheet) -> Rect:
    """Where the label lies on a counter ``size`` pixels wide: inside the face of a block; the whole face of a printed counter."""
    face = size - edge_of(size, sheet)
    inset = max(round(face * 0.075), 2) if sheet.style.counters.make == "block" and face >= 34 else 1
    return inset, inset, face - inset, face - inset


@lru_cache(maxsize=256)
def letter_size(face: str, high: float) -> int:
    """The smallest size of a face with capitals at least ``high`` pixels high."""
    return next(size for size in range(4, 400) if cap_height(face, size) >= round(high))


@lru_cache(maxsize=4096)
def plan_of(look: Look, size: int, sheet: Sheet) -> Plan:
    """The plan of a counter ``size`` pixels wide."""
    if not look.nation:
        return _alias_plan(look, size, sheet)
    layout = sheet.style.counters.layout(size)
    plan = Plan(label_of(size, sheet), (), ())
    boxes: list[Box] = []
    lines: list[Line] = []
    for text in layout.texts:
        for part in _text(look, text, layout, plan, sheet):
            if isinstance(part, Box):
                boxes.append(part)
            else:
                lines.append(part)
    for row in layout.rows:
        more, written = _Row(look, row, layout, plan, sheet).placed()
        boxes += more
        lines += written
    return Plan(plan.label, tuple(boxes), tuple(lines))


def _alias_plan(look: Look, size: int, sheet: Sheet) -> Plan:
    """An unknown counter: its alias on a slip."""
    face = size - edge_of(size, sheet)
    letters = max(letter_size("bold", face * 0.3), 6)
    room = max(round(face * 0.74), 6)
    half = max(min(width(look.name, "bold", letters), room) / 2 + face * 0.09, face * 0.24)
    middle, high = face / 2, cap_height("bold", letters) / 2 + face * 0.1
    slip = (middle - half, middle - high, middle + half, middle + high)
    inside = (slip[0] + 1, slip[1] + 1, slip[2] - 1, slip[3] - 1)
    boxes = (Box(slip, face * 0.07, sheet.style.sides[look.side].dark), Box(inside, face * 0.06, "paper"))
    line = Line(look.name, (middle, middle), "mm", "bold", letters, room, "ink", ("paper",))
    return Plan((0, 0, face, face), boxes, (line,))


def dressed(look: Look, dresses: list[Dress], usual: str = "") -> str:
    """The colour of the first rule that fits a counter."""
    return next((dress.colour for dress in dresses if look.has(dress.when)), usual)


def _shown(look: Look, when: list[str], unless: list[str]) -> bool:
    return (not when or look.has(when)) and not look.has(unless)


def ink_on(ground: str, nation: NationLook) -> str:
    """The colour of what is printed on a ground."""
    return nation.text if ground in ("label", nation.label) else "print"


def _grounds(on: str, look: Look, nation: NationLook, sheet: Sheet) -> tuple[str, ...]:
    if on == "stripe":
        parent = sheet.style.counters.parents.get(look.parent)
        if parent is not None:
            return (parent.colour, parent.second) if parent.second else (parent.colour,)
    return (nation.label,) if on in ("label", "stripe") else (on,)


def _text(look: Look, text: TextLook, layout: LayoutLook, plan: Plan, sheet: Sheet) -> Iterator[Line | Box]:
    said = look.value(text.value)
    if not said or not _shown(look, text.when, text.unless):
        return
    said = text.prefix + said
    nation = nation_of(look, sheet)
    size = letter_size(text.face, max(text.high * plan.inner, layout.letters))
    room = max(round(text.room * plan.inner), 4)
    at = plan.point(*text.at)
    grounds = _grounds(text.box or text.on, look, nation, sheet)
    colour = dressed(look, text.dresses, text.colour)
    if text.box:
        wide, high = min(width(said, text.face, size), room), cap_height(text.face, size)
        left = at[0] - {"l": 0.0, "m": wide / 2, "r": float(wide)}[text.anchor[0]]
        top = at[1] - {"m": high / 2, "s": float(high), "t": 0.0}[text.anchor[1]]
        yield Box((left - 1.5, top - 1.5, left + wide + 1.5, top + high + 1.5), high * 0.3, text.box)
    yield Line(said, at, text.anchor, text.face, size, room, ink_on(grounds[0], nation) if colour == "text" else colour, grounds)


@dataclass(frozen=True, slots=True)
class _Run:
    text: str
    factor: FactorLook | None


class _Row:
    """A row of factors while it is placed."""

    def __init__(self, look: Look, row: RowLook, layout: LayoutLook, plan: Plan, sheet: Sheet) -> None:
        self.look, self.row, self.plan, self.nation = look, row, plan, nation_of(look, sheet)
        self.runs: list[_Run] = []
        for factor in row.factors if _shown(look, row.when, row.unless) else ():
            said = look.value(factor.value)
            if not said:
                continue
            if self.runs:
                self.runs.append(_Run(row.join, None))
            bracketed = f"({said})" if look.has(factor.brackets) and not said.startswith("(") else said
            self.runs.append(_Run(bracketed, factor))
        self.room = row.room * plan.inner
        self.least = letter_size("bold", layout.letters)
        self.size = letter_size("bold", max(row.high * plan.inner, layout.letters))
        while self.size > self.least and self._total() > self.room:
            self.size -= 1
        self.squeeze = min(self.room / max(self._total(), 1), 1.0)

    def _circled(self, run: _Run) -> bool:
        return run.factor is not None and self.look.has(run.factor.circle)

    def _wide(self, run: _Run) -> float:
        pad = cap_height("bold", self.size) * 0.55 if self._circled(run) else 0.0
        return width(run.text, "bold", self.size) + pad

    def _total(self) -> float:
        return sum(map(self._wide, self.runs))

    def placed(self) -> tuple[list[Box], list[Line]]:
        """The boxes and the letters of the row."""
        boxes: list[Box] = []
        lines: list[Line] = []
        if not self.runs:
            return boxes, lines
        high = cap_height("bold", self.size)
        total = self._total() * self.squeeze
        middle, foot = self.plan.point(*self.row.at)
        x = middle - total / 2
        ground = dressed(self.look, self.row.boxes)
        if ground:
            label = self.plan.label
            box = (max(x - 2.5, label[0]), foot - high - 2, min(x + total + 2.5, label[2]), foot + 2)
            boxes.append(Box(box, high * 0.18, ground))
        for run in self.runs:
            wide = self._wide(run) * self.squeeze
            on, colour = ground or self.nation.label, self.row.boxed_text if ground else self.nation.text
            if self._circled(run):
                on, colour = "white", "print"
                grow = max(high * 0.22, 1.5)
                half = max(wide / 2, high / 2 + grow)
                boxes.append(Box((x + wide / 2 - half, foot - high - grow, x + wide / 2 + half, foot + grow), high, "white"))
            if run.factor is not None and self.look.has(run.factor.underline):
                boxes.append(Box((x, foot + max(high * 0.13, 1), x + wide, foot + max(high * 0.13, 1) + max(high * 0.14, 1)), 0, colour))
            room = max(round(width(run.text, "bold", self.size) * self.squeeze), 3)
            lines.append(Line(run.text, (x + wide / 2, foot), "ms", "bold", self.size, room, colour, (on,)))
            x += wide
        return boxes, lines

"""A view on the board: every counter and token as a piece with its id, its states and its pixel, and nothing that the view does not say."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from scenarios.hexes import Hex
from services.render.counters.faces import face_of
from services.render.happened.reading import objects, word
from services.render.panel.frames import printed, table, whole
from services.render.panel.looks import AirLook, MoraleLook, PhaseLook, SitesLook, StockLook, SupportLook, TrackLook, TurnsLook, WeatherLook
from services.render.panel.rosters import stock_left
from services.render.panel.tracks import turn_box
from services.render.vassal.codec import ident, plain, seq
from services.render.vassal.grid import snapped
from services.render.vassal.ground import ELSEWHERE, LATER, stock_cell
from services.render.vassal.kit import LAID, Kit
from services.render.vassal.pieces import MAP, OFF, ON
from services.render.vassal.stages import stage_of
from services.render.views import CounterView, View, hex_or_none, hexes

SECRET = re.compile(r"[0-9a-f]{64}")
READY = ("", "free", "move", "attack")
_PLACE = re.compile(r"(?:[0-9]{4}|(?:box|edge):[a-z0-9-]{1,34})")


@dataclass(frozen=True, slots=True)
class Stand:
    """A piece on the board: its id, its kind in the kit, the states of its traits, where it stands, whether in a stack."""

    id: str
    kind: str
    states: tuple[str, ...]
    at: tuple[int, int]
    stacks: bool = True


def read_secret(secret: str) -> bytes:
    """A secret in hex. ValueError, which does not repeat it, for anything else."""
    if not isinstance(secret, str) or not SECRET.fullmatch(secret):
        raise ValueError("the secret must be 64 hex digits")
    return bytes.fromhex(secret)


def check_view(kit: Kit, view: View) -> None:
    """ValueError, naming what is wrong, for the view of another game, of an unknown viewer, or one that does not fit the package."""
    data = kit.data
    if view.game != data.key:
        raise ValueError(f"the view is of another game: {view.game}, not {data.key}")
    if view.scenario not in data.scenarios:
        raise ValueError(f"{data.title} has no scenario {view.scenario!r}; it has: {', '.join(sorted(data.scenarios))}")
    if view.side is not None and view.side not in data.sides:
        raise ValueError(f"no viewer {view.side!r}: sides are {', '.join(data.sides)}, and null for a spectator")
    if turn_box(data, view) > len(data.turns):
        raise ValueError(f"no game-turn {view.turn}: the track of {data.title} ends with {data.turns[-1]}")
    names: Counter[str] = Counter()
    for one in view.counters:
        _check_counter(kit, one)
        names[_name(one)] += 1
    for name, count in names.items():
        if count > 1:
            raise ValueError(f"the view has {count} counters {name}")


def _check_counter(kit: Kit, one: CounterView) -> None:
    data = kit.data
    said = one.id or one.alias or "without a name"
    if one.side not in data.sides:
        raise ValueError(f"counter {said}: no side {one.side!r}")
    if not _PLACE.fullmatch(one.place):
        raise ValueError(f"counter {said}: not a place: {one.place!r}")
    at = one.hex
    if at is not None and not (1 <= at.col <= data.board.columns and 1 <= at.row <= data.board.rows):
        raise ValueError(f"counter {said}: the map has no hex {one.place}")
    if one.card is None:
        if not one.alias or f"unknown:{one.side}" not in kit.pieces:
            raise ValueError(f"counter {said} has neither card nor alias, or this game hides no counters")
        return
    card = data.cards.get(one.card)
    if card is None or card.side != one.side:
        raise ValueError(f"counter {said}: {one.side} has no card {one.card!r} in this package")


def _name(one: CounterView) -> str:
    return f"{one.id or one.card}" if one.card else f"{one.side} {one.alias}"


def counter_id(one: CounterView, secret: bytes) -> str:
    """The id of a counter: of its unit if that is known, else of the viewer's alias alone."""
    return ident(secret, "unit", one.id or one.card) if one.card else ident(secret, "alias", one.side, one.alias)


def stand(kit: Kit, one: CounterView, at: tuple[int, int], secret: bytes) -> Stand:
    """A counter as a piece at a pixel."""
    kind = f"card:{one.card}" if one.card else f"unknown:{one.side}"
    card = kit.data.cards[one.card] if one.card else None
    states = []
    shown = kit.cards[one.card].index(face_of(one, card, kit.sheet)) + 1 if one.card else 0
    for trait in kit.whole[kind][1]:
        word, _, mark = trait.name.partition(":")
        if word == "mark":
            past = mark == "seen" and one.known == "seen" and one.hex is not None
            states.append(ON if past or mark in one.marks else OFF)
        elif word == "face":
            states.append(str(shown))
        elif word in ("alias", "label"):
            states.append(plain(one.alias or "?", 40))
        else:
            states.append(trait.state)
    return Stand(counter_id(one, secret), kind, tuple(states), at)


class Places:
    """Where counters go, asked one after the other: hexes take any number, boxes a counter a slot as long as there are slots."""

    def __init__(self, kit: Kit, view: View) -> None:
        self.kit = kit
        self.view = view
        self.count: Counter[str] = Counter()

    def of(self, one: CounterView) -> tuple[int, int]:
        """The pixel of a counter."""
        at = one.hex
        if at is not None:
            return snapped(self.kit.ground.lattice, at)
        ground = self.kit.ground
        if (flying := self._flying(one)) is not None:
            return flying
        zone = ground.zone_of(one.place, one.side)
        if zone is None and one.place in ground.entering and one.side in ground.arrivals:
            zone, due = ground.arrivals[one.side], self._due(one)
            return self._next(f"{zone}/{due}", ground.slots(zone, due))
        zone = zone or ELSEWHERE
        return self._next(zone, ground.slots(zone))

    def flies(self, one: CounterView) -> bool:
        """Whether a counter is that of an air unit."""
        return any(one.place == look.place for look in self._of_aircraft())

    def _of_aircraft(self) -> Iterator[AirLook]:
        """The boxes of aircraft whose counters can be taken up."""
        boxes = (box for row in self.kit.sheet.style.panel.rows for box in row.boxes)
        return (box for box in boxes if isinstance(box, AirLook) and box.place)

    def _flying(self, one: CounterView) -> tuple[int, int] | None:
        """The pixel of an air unit: over the hex of its mission, or in the cell of its base; None of any other counter."""
        for look in (look for look in self._of_aircraft() if look.place == one.place):
            at = hex_or_none(table(table(self.view.own.get(look.key)).get(one.id or "")).get("hex"))
            if at is not None and _on_board(self.kit, at):
                return snapped(self.kit.ground.lattice, at)
            card = self.kit.data.cards.get(one.card or "")
            base = next((base for base in look.bases if card is not None and card.values.get("base") == base.key), None)
            slots = self.kit.ground.slots(look.title, base.name) if base is not None else []
            if base is not None and slots:
                return self._next(f"{look.title}/{base.name}", slots)
        return None

    def _next(self, key: str, slots: list[tuple[int, int]]) -> tuple[int, int]:
        self.count[key] += 1
        return slots[(self.count[key] - 1) % len(slots)]

    def _due(self, one: CounterView) -> str:
        """The cell of arrivals: the game-turn from which a counter may enter."""
        due = whole(one.num.get("due"))
        scenario = self.kit.data.scenarios[self.view.scenario]
        k = scenario.first_turn + due - 2 if due is not None else -1
        return self.kit.data.turns[k] if 0 <= k < len(self.kit.data.turns) else LATER


def stands(kit: Kit, view: View, secret: bytes) -> list[Stand]:
    """All pieces of a view: the tokens, then the counters place by place, in a stack the lowest first. The first of a view lies on top, and
    above it what flies there."""
    places = Places(kit, view)
    spots: dict[tuple[int, int], list[Stand]] = {}
    for one in sorted(view.counters, key=lambda one: not places.flies(one)):
        at = places.of(one)
        spots.setdefault(at, []).append(stand(kit, one, at, secret))
    return [*tokens(kit, view, secret), *(one for stack in spots.values() for one in reversed(stack))]


def tokens(kit: Kit, view: View, secret: bytes) -> list[Stand]:
    """The pieces of tracks and places, as far as the view tells where they stand."""
    out: list[Stand] = []
    for box in (box for row in kit.sheet.style.panel.rows for box in row.boxes):
        for key, instance, at, states in _of_box(kit, view, box):
            if at is not None and kit.token(key):
                out.append(_token(kit, key, instance, at, states, secret))
    for side, at, number in _wrecks(view):
        if kit.token(f"wreck:{side}") and _on_board(kit, at):
            out.append(_token(kit, f"wreck:{side}", number, _foot(kit, at, side), {"label": number}, secret))
    for key in LAID:
        for at, said in _laid(view.own.get(key)):
            if kit.token(f"laid:{key}") and _on_board(kit, at):
                out.append(_token(kit, f"laid:{key}", str(at), _corner(kit, at), {"label": said}, secret))
    return list({one.id: one for one in out}.values())


Told = tuple[str, str, tuple[int, int] | None, dict[str, str]]
"""A token's kind, which one of them it is, where it stands, the states of its named traits."""


def _of_box(kit: Kit, view: View, box: Any) -> Iterator[Told]:
    ground, data, value = kit.ground, kit.data, view.own.get(getattr(box, "key", ""))
    match box:
        case TurnsLook():
            now = turn_box(data, view)
            if 0 <= now < len(data.turns):
                yield "turn", "", ground.cell(box.title, data.turns[now]), {}
        case TrackLook():
            found = [("", whole(value))] if whole(value) is not None else [(side, whole(table(value).get(side))) for side in data.sides]
            for k, (side, number) in enumerate(found):
                if number is not None:
                    shown = min(max(number, box.first), box.last)
                    at = _row(ground.cell(box.title, str(shown)), k, len(found), round(ground.lattice.radius * 0.56))
                    yield f"track:{box.key}:{side}", "", at, {"label": str(number) if number != shown else ""}
        case StockLook():
            for row in box.rows:
                left = stock_left(table(value), row)
                if left is not None:
                    there = ground.cell(box.title, stock_cell(row, min(left, row.last)))
                    yield f"stock:{box.key}:{row.key}", "", there, {"label": str(left) if left > row.last else ""}
        case MoraleLook():
            yield from _morale(kit, box, table(value))
        case WeatherLook():
            now_kind = next((kind.name for kind in box.kinds if kind.key == value), "")
            yield "weather", "", _aside(kit, box.title, now_kind), {}
        case PhaseLook():
            step = str((view.step or {}).get("name"))
            name = next((phase.name for phase in box.phases if step in phase.steps), "")
            yield "phase", "", _aside(kit, box.title, name), {}
        case SitesLook():
            yield from _control(kit, table(value))
        case SupportLook():
            yield from _support(kit, view, box.title)
        case _:
            pass


def _aside(kit: Kit, zone: str, name: str) -> tuple[int, int] | None:
    """In the upper left corner of a cell, so that what is printed in it is seen."""
    area, unit = kit.ground.area(zone, name), kit.ground.lattice.radius
    return None if area is None else (round(area[0] + unit * 0.32), round(area[1] + unit * 0.34))


def _row(middle: tuple[int, int] | None, k: int, count: int, step: int) -> tuple[int, int] | None:
    """The ``k``-th of several tokens of one cell, one below the other."""
    return None if middle is None else (middle[0], middle[1] + round((k - (count - 1) / 2) * step))


def _morale(kit: Kit, box: MoraleLook, levels: Any) -> Iterator[Told]:
    """The chips of formations; those of one level below each other, in two columns if they are many."""
    held: dict[int, list[tuple[str, str]]] = {}
    for key in box.names:
        level = whole(levels.get(key))
        if level is not None:
            shown = min(max(level, box.first), box.last)
            held.setdefault(shown, []).append((key, str(level) if level != shown else ""))
    step = round(kit.ground.lattice.radius * 0.5)
    for level, keys in held.items():
        middle = kit.ground.cell(box.title, str(level))
        lines = min(len(keys), 6)
        for k, (key, said) in enumerate(keys):
            at = _row(middle, k % lines, lines, step)
            yield f"morale:{key}", "", at and (at[0] + k // lines * 4, at[1] + k // lines * 4), {"label": said}


def _control(kit: Kit, held: Any) -> Iterator[Told]:
    """A flag at the name of each place that is held."""
    for label, side in held.items():
        at = hex_or_none(label)
        if at is None or side not in kit.data.sides or not _on_board(kit, at):
            continue
        where = kit.flags.get(at) or _corner(kit, at)
        yield "control", label, where, {"face": str(kit.data.sides.index(side) + 1), "place": label}


def _support(kit: Kit, view: View, zone: str) -> Iterator[Told]:
    for side in kit.data.sides:
        found = [("air", name, state) for name, state in _named(view.own.get("air"), side)]
        found += [("leader", name, state) for name, state in _named(view.own.get("leader_used", view.own.get("leader")), side)]
        for k, (kind, name, state) in enumerate(found[:16]):
            at = _across(kit, zone, kit.data.side_names.get(side, side), k)
            yield f"{kind}:{side}", name, at, _spent(name, state in READY, state)


def _spent(name: str, free: bool, state: str) -> dict[str, str]:
    said = f"{name} {state}" if state and state not in ("free", "used") else name
    return {"face": "1" if free else "2", "label": plain(said, 24), "title": plain(name, 12)}


def _across(kit: Kit, zone: str, name: str, k: int) -> tuple[int, int] | None:
    """The ``k``-th place from the left in a cell, a little above its middle: the name stands below."""
    area, unit = kit.ground.area(zone, name), kit.ground.lattice.radius
    if area is None:
        return None
    return round(area[0] + unit * (0.8 + 1.45 * k)), round((area[1] + area[3]) / 2 - unit * 0.12)


def _named(value: Any, side: str) -> list[tuple[str, str]]:
    """The air units or leaders of a side with their state."""
    mine = table(value).get(side)
    if isinstance(mine, list):
        return [(printed(name, 12), "free") for name in mine]
    return [(printed(name, 12), _state(state)) for name, state in sorted(table(mine).items())]


def _state(value: Any) -> str:
    if isinstance(value, dict):
        left = [str(use)[:8] for use, spent in sorted(value.items()) if spent is not True]
        return "free" if len(left) == len(value) else left[0] if left else "used"
    return str(value)[:8] if isinstance(value, str) else "free"


def _wrecks(view: View) -> Iterator[tuple[str, Hex, str]]:
    """The wreck markers: side, hex and number."""
    for one in objects(view.own.get("wrecks")):
        at = hex_or_none(one.get("hex"))
        if at is not None:
            yield word(one.get("side")), at, word(one.get("n"))


def _foot(kit: Kit, at: Hex, side: str) -> tuple[int, int]:
    """The foot of a hex, on the left of the counters that lie upon it or right of there, by the side."""
    (x, y), unit = kit.ground.lattice.centre(at), kit.ground.lattice.radius
    return x - round(unit * (0.46 - 0.72 * kit.data.sides.index(side))), y + round(unit * 0.7)


def _laid(value: Any) -> Iterator[tuple[Hex, str]]:
    """The hexes of markers, each with the figure on it."""
    for label in value if isinstance(value, list | dict) else ():
        at = next(iter(hexes(label.get("hexes"))), None) if isinstance(label, dict) else hex_or_none(label)
        if at is not None:
            said = value[label] if isinstance(value, dict) else label.get("engineer", "") if isinstance(label, dict) else ""
            yield at, printed(table(said).get("factors", "") if isinstance(said, dict) else said, 5)


def _corner(kit: Kit, at: Hex) -> tuple[int, int]:
    """The upper right of a hex."""
    (x, y), unit = kit.ground.lattice.centre(at), kit.ground.lattice.radius
    return x + round(unit * 0.5), y - round(unit * 0.45)


def _on_board(kit: Kit, at: Hex) -> bool:
    return 1 <= at.col <= kit.data.board.columns and 1 <= at.row <= kit.data.board.rows


def _token(kit: Kit, key: str, instance: str, at: tuple[int, int], states: dict[str, str], secret: bytes) -> Stand:
    known = tuple(states.get(trait.name, trait.state) if trait.name else trait.state for trait in kit.whole[key][1])
    return Stand(ident(secret, "token", key, instance), key, known, at, stacks=False)


def boards() -> str:
    """The command that lays the board."""
    return f"{MAP}BoardPicker\tBoard\t0\t0"


def counter_of_turns(kit: Kit, view: View) -> str:
    """The command that sets the turn counter."""
    data, found = kit.data, kit.stages
    now = min(max(turn_box(data, view), 0), len(data.turns) - 1)
    stage = stage_of(found, str((view.step or {}).get("name")), view.phasing)
    inner = seq(";", stage, 0, 0, seq(",", *(["true"] * len(found))))
    outer = seq(";", now, 0, 0, seq(",", *(["true"] * len(data.turns))), inner)
    return "TURNTurnTracker0\t" + seq("|", 0, outer)

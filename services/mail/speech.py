"""The small words that sentences are made with: names of units, places and sides, numbers, dice, lists, times."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from services.mail.orders import nearest
from services.mail.shape import mapping, mappings, sequence
from services.mail.wording import Wording

_NUMBER = re.compile(r"[0-9]+")
_FRACTIONS = {(1, 2): "½", (1, 3): "⅓", (2, 3): "⅔", (1, 4): "¼", (3, 4): "¾", (1, 8): "⅛"}


@dataclass(frozen=True)
class Speech:
    """How one viewer is spoken to. ``vocabulary``: the game's units, places and turns; ``viewer``: his side, or None; ``zone``: the time
    zone of his clock, None: UTC.
    """

    words: Wording
    vocabulary: Mapping[str, Any]
    viewer: str | None = None
    zone: str | None = None

    def say(self, table: str, key: str, fields: Mapping[str, Any]) -> str | None:
        """A sentence about ``fields``, which may use every word of this class."""
        return self.words.say(table, key, {**fields, "data": fields, **self.helpers})

    @cached_property
    def helpers(self) -> dict[str, Callable[..., Any]]:
        names = (
            "unit_name unit_list owned own who block at route side_name sides_named player party number count list_of any_of month_name"
            " dice_shown drm reason reason_of decision_name choice_shown choices_shown source_shown step_name level_shown cause_shown"
            " mode_shown place_name all_at in_order by_turn formation of_sides printed moment_shown span like"
        )
        return {name: getattr(self, name) for name in names.split()}

    # -- names -----------------------------------------------------------------------------------------------------------------

    def unit_name(self, unit: Any) -> str:
        """``21PZ (21st Panzer)``; the id alone where the name says no more."""
        name = str(mapping(self._units.get(str(unit))).get("name", ""))
        return f"{unit} ({name})" if name and _plain(name) != _plain(str(unit)) else str(unit)

    def unit_list(self, units: Iterable[Any]) -> str:
        return self.list_of([self.unit_name(unit) for unit in units])

    def owned(self, unit: Any) -> bool:
        """Whether a unit is the viewer's."""
        return self.viewer is not None and mapping(self._units.get(str(unit))).get("side") == self.viewer

    def printed(self, unit: Any, value: str) -> Any:
        """What is printed on a unit as ``value``; None where there is no such thing."""
        return mapping(mapping(self._units.get(str(unit))).get("values")).get(value)

    def side_of(self, unit: Any) -> str | None:
        """The side of a unit, where the vocabulary has it."""
        side = mapping(self._units.get(str(unit))).get("side")
        return str(side) if side else None

    def own(self, side: Any) -> bool:
        return side is not None and side == self.viewer

    def who(self, data: Mapping[str, Any]) -> str:
        """The mover as the viewer may know him: his units, or a block by its alias."""
        units = sequence(data.get("units")) or ([data["unit"]] if data.get("unit") else [])
        if units:
            return self.unit_list(units)
        return self.block(data.get("side"), data.get("alias"))

    def block(self, side: Any, alias: Any) -> str:
        """``gray block G5``: what a viewer calls an enemy's piece that he does not know."""
        return f"{self.words.find('blocks', str(side)) or 'block'} {alias}"

    def at(self, place: Any) -> str:
        """``Tobruk (1803)``, ``hex 1204``, or the words for a box."""
        text = str(place)
        named = self.words.find("places", text)
        if named:
            return str(named)
        if text.startswith(("box:", "edge:")):
            return text.partition(":")[2].replace("-", " ")
        name = self._place_names.get(text)
        return f"{name} ({self._label(text)})" if name else f"hex {self._label(text)}"

    def all_at(self, places: Any, last: str = "and") -> str:
        """Several places, each as ``at`` has it."""
        return self.list_of([self.at(place) for place in sequence(places)], last)

    def place_name(self, place: Any) -> str:
        """The name of a place alone, or its number where it has none."""
        return self._place_names.get(str(place)) or self.at(place)

    def route(self, path: Any, most: int = 12) -> str:
        """``from 0210 by 0310, Agedabia to Msus (0410)``: what lies between by name or else number, the middle of a way of more than
        ``most`` left out."""
        hexes = [str(place) for place in sequence(path)]
        if len(hexes) < 2:
            return f"to {self.at(hexes[0])}" if hexes else ""
        middle = [self._place_names.get(h) or self._label(h) for h in hexes[1:-1]]
        ends = max(1, most // 4)
        left_out = f"… {len(middle) - 2 * ends} more …"
        shown = middle if len(middle) <= most else [*middle[:ends], left_out, *middle[-ends:]]
        by = f" by {', '.join(shown)}" if shown else ""
        return f"from {self.at(hexes[0])}{by} to {self.at(hexes[-1])}"

    def side_name(self, side: Any) -> str:
        return str(self.words.find("sides", str(side)) or self._sides.get(str(side)) or str(side).capitalize())

    def party(self, side: Any) -> str:
        """``the Allies``: those who play a side."""
        return str(self.words.find("players", str(side)) or self.side_name(side))

    def player(self, side: Any) -> str:
        """``The Allies``, to begin a sentence with; nobody is called "you", for both sides read the same event."""
        name = self.party(side)
        return name[:1].upper() + name[1:]

    def in_order(self, by_side: Any) -> list[tuple[str, Any]]:
        """What is kept by side, in the game's order of sides."""
        order = [str(side) for side in sequence(mapping(self.vocabulary.get("game")).get("sides"))]
        return sorted(mapping(by_side).items(), key=lambda one: (order.index(one[0]) if one[0] in order else len(order), one[0]))

    def by_turn(self, kept: Any) -> list[tuple[str, Any]]:
        """What is kept by the number of a game-turn, in their order."""
        return sorted(((str(turn), one) for turn, one in mapping(kept).items()), key=lambda one: (len(one[0]), one[0]))

    def sides_named(self, sides: Iterable[Any]) -> str:
        return self.list_of([self.side_name(side) for side in sides]) or str(self.words.common["phrases"]["nobody"])

    def formation(self, parent: Any) -> str:
        """The name of a formation, where the game's words have one, with the id by which orders call it: ``Babini (BAB)``."""
        name = self.words.find("formations", str(parent))
        return f"{name} ({parent})" if name else str(parent)

    def of_sides(self, by_name: Any, value: str = "parent") -> list[tuple[str, list[tuple[str, Any]]]]:
        """What is kept by the name of a formation, by side and in the game's order of sides: a name is of the side of the units on which
        it is printed as ``value``."""
        sides = {str(mapping(unit.get("values")).get(value)): str(unit.get("side")) for unit in map(mapping, self._units.values())}
        found: dict[str, list[tuple[str, Any]]] = {}
        for name, one in mapping(by_name).items():
            found.setdefault(sides.get(name, ""), []).append((name, one))
        return self.in_order(found)

    def month_name(self, month: Any) -> str:
        """``1941-06`` as ``June 1941``; any other label of the turn track as it is."""
        year, _, number = str(month).partition("-")
        months = self.words.common["calendar"]["months"]
        return f"{months[int(number) - 1]} {year}" if number.isdigit() and 1 <= int(number) <= 12 and year.isdigit() else str(month)

    def step_name(self, step: Any) -> str:
        return str(self.words.find("steps", str(step)) or step)

    def decision_name(self, kind: Any) -> str:
        return str(self.words.find("decisions", str(kind)) or str(kind).replace("-", " "))

    def level_shown(self, level: Any) -> str:
        return str(self.words.find("levels", str(level)) or level or "")

    def cause_shown(self, cause: Any) -> str:
        return str(self.words.find("causes", str(cause)) or cause)

    def source_shown(self, source: Any) -> str:
        found = self.words.find("decided_by", str(source))
        return f" ({found})" if found else ""

    def reason_of(self, code: Any, clause: Any, details: Any) -> str:
        """Why a line was not carried out, with its clause."""
        fields = mapping(details)
        said = self.say("codes", str(code), fields) or f"{str(code).replace('-', ' ')}{self._fields(fields)}."
        return f"{said} [{clause}]" if clause else said

    # -- numbers and lists ---------------------------------------------------------------------------------------------------------

    def number(self, value: Any) -> str:
        """An exact number: ``"7/2"`` as ``3½``."""
        top, slash, bottom = str(value).partition("/")
        if not slash or not bottom.isdigit() or not top.lstrip("-").isdigit() or int(bottom) == 0:
            return str(value)
        whole, rest = divmod(abs(int(top)), int(bottom))
        sign = "-" if top.startswith("-") else ""
        part = _FRACTIONS.get((rest, int(bottom)), f" {rest}/{bottom}")
        return f"{sign}{whole or ''}{part}".replace("- ", "-").strip() if rest else f"{sign}{whole}"

    def count(self, n: Any, one: str, many: str) -> str:
        return f"{n} {one if str(n) == '1' else many}"

    def list_of(self, items: Any, last: str = "and") -> str:
        """``a, b and c``; more than a dozen are counted, not listed."""
        lone = isinstance(items, str | Mapping) or not isinstance(items, Iterable)
        shown = [str(items)] if lone else [self.number(item) for item in items]
        if len(shown) > 12:
            shown = [*shown[:11], f"{len(shown) - 11} more"]
        joiner = f" {self.words.common['phrases'][last]} "
        return joiner.join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else "".join(shown)

    def any_of(self, items: Any) -> str:
        return self.list_of(items, "or")

    def like(self, said: Any, known: Any) -> list[str]:
        """Those of the known names that a word may have been meant for: those of the same number, else the nearest by spelling."""
        names = [str(name) for name in sequence(known)]
        number = _NUMBER.match(str(said))
        same = [name for name in names if number and (found := _NUMBER.match(name)) and found[0] == number[0]]
        return same or nearest.words(str(said), names)

    def dice_shown(self, dice: Any) -> str:
        """``[3] [5]``."""
        return " ".join(f"[{die}]" for die in sequence(dice)) or self.words.label("none")

    def drm(self, modifiers: Any) -> str:
        """`` (-1 rough terrain.13)``: each modifier with its reason and clause."""
        shown = self.modifiers(modifiers)
        return f" ({', '.join(shown)})" if shown else ""

    def modifiers(self, modifiers: Any) -> list[str]:
        """Each modifier of a throw: number, reason, clause."""
        return [f"{_signed(m.get('n', 0))} {self._why(m.get('why'))}{_clause(m.get('clause'))}" for m in mappings(modifiers)]

    def _why(self, why: Any) -> str:
        return str(self.words.find("why_drm", str(why)) or str(why).replace("-", " "))

    def reason(self, why: Any, side: Any = None) -> str:
        """What dice were thrown for, to begin a sentence with."""
        found = str(self.words.find("why", str(why)) or str(why).replace("-", " "))
        said = f"{found}, {self.side_name(side)}" if isinstance(side, str) and side else found
        return said[:1].upper() + said[1:]

    def choice_shown(self, choice: Any) -> str:
        """The arguments of an answer in a few words."""
        if not isinstance(choice, Mapping):
            return str(choice)
        shown = [
            self.list_of(v) if isinstance(v, list) else key.upper().replace("_", "-") if v is True else self.number(v)
            for key, v in choice.items()
            if v is not False and v not in (None, [], {}, "")
        ]
        return ", ".join(shown) or str(self.words.label("none"))

    def choices_shown(self, choices: Any) -> str:
        return self.any_of([self.choice_shown(choice) for choice in choices])

    def mode_shown(self, mode: Any) -> str:
        words = [str(self.words.find("modes", str(m)) or m) for m in sequence(mode)]
        return f" ({', '.join(words)})" if words else ""

    # -- times ---------------------------------------------------------------------------------------------------------------------

    def when(self, moment: str, zone: str | None) -> str:
        """A moment in the player's zone, and in UTC behind it; the zone is always written out."""
        try:
            utc = datetime.fromisoformat(moment).astimezone(UTC)
        except (ValueError, OverflowError):
            return moment
        try:
            local = utc.astimezone(ZoneInfo(zone)) if zone else utc
        except (ZoneInfoNotFoundError, ValueError, OSError):
            local = utc
        if local.tzname() == "UTC":
            return f"{self._day(utc)} {utc.year} {utc:%H:%M} UTC"
        there = f"{utc:%H:%M} UTC" if local.date() == utc.date() else f"{self._day(utc)} {utc:%H:%M} UTC"
        shown = f"{self._day(local)} {local.year} {local:%H:%M} {_zone_name(local)}"
        return self.say("phrases", "moment", {"local": shown, "utc": there}) or moment

    def moment_shown(self, moment: Any) -> str:
        """A moment in a sentence, as ``when`` has it."""
        return self.when(str(moment), self.zone)

    def _day(self, at: datetime) -> str:
        calendar = self.words.common["calendar"]
        return f"{calendar['days'][at.weekday()]} {at.day} {calendar['short_months'][at.month - 1]}"

    def span(self, n: Any) -> str:
        """``2 days``, ``36 hours``, ``1 hour``: a length of time."""
        hours = float(n)
        whole = int(hours) if hours == int(hours) else round(hours, 1)
        if whole and whole % 24 == 0 and whole >= 48:
            return self.count(int(whole) // 24, "day", "days")
        return self.count(whole, "hour", "hours")

    # -- look-ups ------------------------------------------------------------------------------------------------------------------

    @cached_property
    def _units(self) -> Mapping[str, Any]:
        return mapping(self.vocabulary.get("units"))

    @cached_property
    def _sides(self) -> Mapping[str, Any]:
        return mapping(mapping(self.vocabulary.get("game")).get("side_names"))

    @property
    def title(self) -> str:
        """What the game is called."""
        return str(mapping(self.vocabulary.get("game")).get("title") or "")

    @cached_property
    def _place_names(self) -> Mapping[str, str]:
        """Place -> the name printed there where the vocabulary has it (``names``), else the longest of those that orders may use; what
        says where a road goes (``to Soluch``) is no name of the place."""
        found: dict[str, str] = {}
        for name, place in mapping(self.vocabulary.get("places")).items():
            if len(str(name)) > len(found.get(str(place), "")):
                found[str(place)] = _title(str(name))
        found |= {str(place): str(name) for place, name in mapping(self.vocabulary.get("names")).items()}
        return {place: name for place, name in found.items() if not name.lower().startswith("to ")}

    def _label(self, at: str) -> str:
        return str(mapping(self.vocabulary.get("labels")).get(at, at))

    def _fields(self, fields: Mapping[str, Any]) -> str:
        return f" ({', '.join(f'{key} {value}' for key, value in fields.items())})" if fields else ""


def _zone_name(at: datetime) -> str:
    """What the time is called: ``CEST``; where it has but a number, ``UTC-03``."""
    name = str(at.tzname())
    return f"UTC{name}" if name[:1] in "+-" else name


def _plain(name: str) -> str:
    return "".join(c for c in name.upper() if c.isalnum())


def _title(name: str) -> str:
    return " ".join(word.capitalize() for word in name.split()) if name.isupper() else name


def _signed(value: Any) -> str:
    text = str(value)
    return text if text.startswith("-") else f"+{text}"


def _clause(clause: Any) -> str:
    return f" [{clause}]" if clause else ""

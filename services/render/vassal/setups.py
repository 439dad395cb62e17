"""Each scenario's position before the first move, from the package alone: what the rulebook prints, and no roll of dice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scenarios.data import GameData
from services.render.panel.looks import AirLook, GroupLook, MoraleLook, PoolLook, TrackLook, WeatherLook
from services.render.style import Sheet
from services.render.vassal.stages import stages
from services.render.views import CounterView, View


def setup(data: GameData, sheet: Sheet, key: str) -> View:
    """The start of a scenario: units in their hexes, those that are placed or built by orders beside the map, those to come by their
    game-turn."""
    strength, most = sheet.style.counters.counter.strength, sheet.style.counters.counter.most
    found: dict[str, CounterView] = {}

    def put(units: Any, place: str, num: Mapping[str, int | str] | None = None, sp: int | None = None) -> None:
        for unit in units:
            card = data.cards.get(unit)
            if card is None or unit in found:
                continue
            full = card.values.get(most) if strength else None
            has = {strength: min(sp or full, full)} if isinstance(full, int) else {}
            found[unit] = CounterView(card.side, place, id=unit, card=unit, num={**has, **(num or {})}, known="own")

    scenario = data.scenarios[key]
    tables = scenario.tables
    for row in tables.get("setup", ()):
        put(row.get("units", ()), str(row.get("hex")), sp=row.get("sp"))
    for row in tables.get("placements", ()):
        put(row.get("units", ()), _place(sheet, row.get("side", ""), ("set-up", "set up"), ELSE))
    for side, units in table(tables.get("pool")).items():
        put(units, f"box:pool-{side}")
    for row in tables.get("arrivals", ()):
        if not row.get("option") or data.options[row["option"]].default is True:
            due = data.turns.index(row["turn"]) + 2 - scenario.first_turn
            put(row.get("units", ()), OFF, {"due": due})
    for row in (row for row in data.charts.get("companies", ()) if isinstance(row, Mapping)):
        put((row.get("battalion"), *row.get("companies", ())), COMPONENT)
    convoys = table(tables.get("convoys"))
    for group in ("transports", "personnel", "choice"):
        put(convoys.get(group, ()), OFF)
    own = _tracks(data, sheet)
    if "control" in tables:
        own["control"] = {at: side for side, held in table(tables["control"]).items() for at in held}
    for kind in ("air", "leaders"):
        if kind in tables:
            own[kind.removesuffix("s") if kind == "leaders" else kind] = {side: list(names) for side, names in table(tables[kind]).items()}
    flown = [box for row in sheet.style.panel.rows for box in row.boxes if isinstance(box, AirLook) and box.place]
    for box in (box for box in flown if box.key not in data.options or data.options[box.key].default is True):
        flying = [unit for units in table(tables.get("available")).values() for unit in units]
        put(flying, box.place)
        own[box.key] = {unit: {} for unit in flying}
    counters = sorted(found.values(), key=lambda one: (one.place, one.id or ""))
    first = next((stage for stage in stages(data, sheet) if stage.steps), None)
    step = {"name": first.steps[0]} if first else None
    return View(data.key, key, None, counters, own, phasing=data.sides[0], step=step)


def _tracks(data: GameData, sheet: Sheet) -> dict[str, Any]:
    """Where the markers of tracks start: at the level that a chart prints, else on the first box. A track whose bands favour one side or
    the other has a single marker."""
    own: dict[str, Any] = {}
    for box in (box for row in sheet.style.panel.rows for box in row.boxes):
        match box:
            case TrackLook():
                own[box.key] = box.first if box.bands else dict.fromkeys(data.sides, box.first)
            case WeatherLook() if box.kinds:
                own[box.key] = box.kinds[0].key
            case MoraleLook():
                rows = data.charts.get(box.key, ())
                levels = (
                    {row.get("parent"): row.get("level") for row in rows if isinstance(row, Mapping)}
                    if isinstance(rows, list | tuple)
                    else {}
                )
                own[box.key] = {**own.get(box.key, {}), **{name: levels[name] for name in box.names if name in levels}}
            case _:
                pass
    return own


OFF, ELSE, COMPONENT = "edge:off", "box:elsewhere", "box:component"


def _place(sheet: Sheet, side: str, words: tuple[str, ...], usual: str) -> str:
    """The place of a group of the panel's boxes that says one of these words."""
    for group in _groups(sheet):
        for place in group.places:
            if any(word in place for word in words):
                return place
    return usual


def _groups(sheet: Sheet) -> Iterator[GroupLook]:
    for row in sheet.style.panel.rows:
        for box in row.boxes:
            if isinstance(box, PoolLook):
                yield from box.groups


def table(value: Any) -> Mapping[str, Any]:
    """A table of a package; empty for anything else."""
    return value if isinstance(value, Mapping) else {}

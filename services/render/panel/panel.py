"""The panel beside the map: what is printed in its boxes for ever, and what a turn puts into them."""

from __future__ import annotations

from scenarios.data import GameData
from services.render.draw.ink import Canvas, Plate
from services.render.draw.lettering import width
from services.render.panel.air import draw_air, draw_support
from services.render.panel.boxes import Panel, no_panel, panel_of
from services.render.panel.chart import draw_chart
from services.render.panel.frames import draw_box, letters, say, title_height, title_width
from services.render.panel.legend import draw_legend
from services.render.panel.looks import (
    AirLook,
    AnyBox,
    ChartLook,
    LegendLook,
    MoraleLook,
    PhaseLook,
    PoolLook,
    RecordLook,
    SitesLook,
    StockLook,
    SupportLook,
    TrackLook,
    TurnsLook,
    WeatherLook,
)
from services.render.panel.morale import draw_morale, draw_morale_ground
from services.render.panel.phase import awaited, draw_phases, draw_phases_ground
from services.render.panel.record import draw_record
from services.render.panel.rosters import draw_pool, draw_sites, draw_stock
from services.render.panel.tracks import draw_track, draw_track_ground, draw_turns, draw_turns_ground
from services.render.panel.weather import draw_weather, draw_weather_ground, weather_now
from services.render.style import Sheet
from services.render.views import View

__all__ = ["Panel", "draw_panel", "draw_panel_ground", "no_panel", "panel_of"]


def draw_panel_ground(canvas: Canvas, panel: Panel, data: GameData, sheet: Sheet) -> None:
    """All of the panel that is the same in every turn."""
    unit = panel.unit
    for name, look in panel.looks.items():
        box = panel.inner(name)
        draw_box(canvas, panel.boxes[name], look.title, unit)
        match look:
            case TurnsLook():
                draw_turns_ground(canvas, box, look, data, unit)
            case TrackLook():
                draw_track_ground(canvas, box, look, sheet, unit)
            case MoraleLook():
                draw_morale_ground(canvas, box, look, unit)
            case WeatherLook():
                draw_weather_ground(canvas, box, look, unit)
            case PhaseLook():
                draw_phases_ground(canvas, box, look, unit)
            case ChartLook():
                draw_chart(canvas, box, look, data, unit)
            case LegendLook():
                draw_legend(canvas, box, look, data, sheet, unit)
            case _:
                pass


def draw_panel(plate: Plate, panel: Panel, data: GameData, view: View, sheet: Sheet) -> None:
    """What a view puts into the panel."""
    for name, look in panel.looks.items():
        _draw(plate, panel, name, look, data, view, sheet)


def _draw(plate: Plate, panel: Panel, name: str, look: AnyBox, data: GameData, view: View, sheet: Sheet) -> None:
    box, unit = panel.inner(name), panel.unit
    match look:
        case TurnsLook():
            now = weather_now(weather_look(sheet), view)
            draw_turns(plate, box, look, data, view, sheet, unit, now[1] if now else "")
            _draw_heading(plate, panel, name, data, view)
        case TrackLook():
            draw_track(plate, box, look, view, sheet, unit)
        case MoraleLook():
            draw_morale(plate, box, look, view, sheet, unit)
        case WeatherLook():
            draw_weather(plate, box, look, view, unit)
        case PhaseLook():
            draw_phases(plate, box, look, data, view, sheet, unit)
        case PoolLook():
            draw_pool(plate, box, look, data, view, sheet, unit)
        case StockLook():
            draw_stock(plate, box, look, data, view, sheet, unit)
        case SupportLook():
            draw_support(plate, box, data, view, sheet, unit)
        case AirLook():
            draw_air(plate, box, look, data, view, sheet, unit)
        case SitesLook():
            draw_sites(plate, box, look, data, view, sheet, unit)
        case RecordLook():
            draw_record(plate, box, data, view, sheet, unit)
        case ChartLook() | LegendLook():
            pass


def weather_look(sheet: Sheet) -> WeatherLook | None:
    """The game's box of weather, if it has one."""
    return next((box for row in sheet.style.panel.rows for box in row.boxes if isinstance(box, WeatherLook)), None)


_DISPENSABLE = ("scenario", "options", "phasing", "awaited")
"""Parts of the heading, in the order in which they give way."""


def _draw_heading(plate: Plate, panel: Panel, name: str, data: GameData, view: View) -> None:
    """At the right of the turn record's title: the scenario, whose player-turn it is or how the game ended, who is awaited, the options
    that are not the usual ones, whose view this is. What finds no room in letters of a fair size is left out, the scenario first."""
    x0, y0, x1, _ = panel.boxes[name]
    told = {
        "scenario": data.scenarios[view.scenario].title if view.scenario in data.scenarios else "",
        "phasing": _phasing(data, view),
        "awaited": awaited(data, view),
        "options": options(data, view),
        "side": f"as seen by: {data.side_names.get(view.side, view.side)}" if view.side is not None else "",
    }
    size, room = letters(panel.unit, 0.36), x1 - x0 - title_width(panel.looks[name].title, panel.unit) - panel.unit
    for left_out in ("", *_DISPENSABLE):
        told.pop(left_out, None)
        said = "   |   ".join(filter(None, told.values()))
        if width(said, "plain", max(round(size * 0.85), 6)) <= room:
            break
    at = (x1 - panel.unit * 0.28, y0 + title_height(panel.unit) * 0.5)
    say(plate, at, said, "plain", size, "ink", room, "rm")


def _phasing(data: GameData, view: View) -> str:
    """Whose player-turn it is; empty in a phase of none and after the end."""
    name = data.side_names.get(view.phasing or "")
    return f"{name} player-turn" if name and view.over is None else ""


def options(data: GameData, view: View) -> str:
    """The options that are not as printed or ruled, by name; empty if all are."""
    changed = [(key, view.options[key]) for key, spec in data.options.items() if key in view.options and view.options[key] != spec.default]
    said = [f"{key.replace('_', ' ')} {_value(value)}" for key, value in changed]
    return f"Options: {', '.join(said)}" if said else ""


def _value(value: object) -> str:
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)[:20]

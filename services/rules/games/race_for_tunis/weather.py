"""17.4 Weather (optional): a die at the start of each game-turn from the second."""

from __future__ import annotations

from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.table import Table
from services.rules.games.race_for_tunis.setup import by_date


def on(table: Table) -> bool:
    """Whether a die is thrown for the weather: the option is played, and the game has begun with a clear day (17.4.C)."""
    return bool(table.options["weather"]) and table.turn > 1


def weather_die(adj: Adjudication) -> None:
    """The weather of this game-turn, for both player-turns (17.4.A, RT-45)."""
    drm = int(by_date(adj, "weather_drm")["drm"])  # 17.4.A-2
    modifiers = [{"n": drm, "why": "date", "clause": "17.4.A-2"}] if drm else []
    (die,) = adj.roll("17.4.A-1", "weather", modifiers=modifiers)
    row = [row for row in adj.data.charts["weather"] if int(row["least"]) <= die + drm][-1]
    data = {"die": die, "modifier": drm, "weather": row["weather"]}
    adj.record("weather", "17.4.B-1", data, changes=[ch.own("weather", row["weather"])])

"""Holdfast's own words, as the rules give them to the order language."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from scenarios.loader import load_game


@lru_cache(maxsize=2)
def holdfast_words(side: str = "axis") -> dict[str, Any]:
    """The vocabulary of the whole counter mix and map for one side."""
    data = load_game(None, "holdfast")
    units = {c.id: {"name": c.name, "aliases": list(c.aliases), "side": c.side} for c in data.cards.values()}
    places = {name: str(at) for name, at in data.board.names.items()}
    return {"units": units, "places": places, "hexes": sorted(str(at) for at in data.board.terrain), "side": side}


SMALL: dict[str, Any] = {
    "units": {
        "21PZ": {"name": "21st Panzer", "aliases": ["21 Pz"], "side": "axis"},
        "15PZ": {"name": "15th Panzer", "aliases": ["Desert Foxes"], "side": "axis"},
        "PAVIA": {"name": "Pavia", "aliases": [], "side": "axis"},
        "TRENTA": {"name": "Trenta", "aliases": ["Trento"], "side": "axis"},
        "51PARA": {"name": "51st Para", "aliases": ["Desert Foxes"], "side": "axis"},
        "7ARM": {"name": "7th Armoured", "aliases": [], "side": "allied"},
    },
    "places": {"TOBRUK": "1803", "EL AGHEILA": "0210", "MERSA MATRUH": "2804", "MATRUH": "2804"},
    "hexes": ["0210", "0310", "0409", "0410", "1307", "1308", "1803", "2804"],
    "side": "axis",
}
"""A few words with cases that the real mix has not: an alias of two units, a place of two names."""


def bare(order: Any) -> Any:
    """An order without its line numbers, for comparing what two texts say."""
    if isinstance(order, dict):
        return {name: bare(value) for name, value in order.items() if name != "line"}
    return [bare(item) for item in order] if isinstance(order, list) else order

"""Orders of Holdfast read with a vocabulary: the JSON that the rules get, worked out by hand."""

from __future__ import annotations

from typing import Any

from services.mail.orders.parse import parse

WORDS: dict[str, Any] = {
    "units": {
        "21PZ": {"name": "21st Panzer", "aliases": ["21 Pz"], "side": "axis"},
        "PAVIA": {"name": "Pavia", "aliases": [], "side": "axis"},
        "7ARM": {"name": "7th Armoured", "aliases": [], "side": "allied"},
    },
    "places": {"TOBRUK": "1803", "EL AGHEILA": "0210"},
    "hexes": ["0210", "0409", "0410", "1307", "1803"],
    "side": "axis",
}


def test_a_move_hex_by_hex_and_one_to_a_named_place() -> None:
    parsed = parse("holdfast", ["move 21-pz 0410 0409  # north", "", "MOVE 21st Panzer TO El Agheila", "DONE", "END", "see you"], WORDS)
    assert parsed.diagnostics == []
    first, second, done = parsed.packet["orders"]
    assert first == {
        "line": 1,
        "verb": "MOVE",
        "args": {"units": ["21PZ"], "path": ["0410", "0409"], "to": None, "strategic": False, "leader": False},
        "label": None,
        "guard": [],
        "else": None,
        "confirm": False,
    }
    assert second["args"] == {"units": ["21PZ"], "path": [], "to": "0210", "via": [], "road": False, "strategic": False, "leader": False}
    assert (done["line"], done["verb"], done["args"]) == (4, "DONE", {"turn": False, "auto": False})
    assert parsed.ended == 5
    assert parsed.printed == ["MOVE 21PZ 0410 0409", "MOVE 21PZ TO 0210", "DONE", "END"]

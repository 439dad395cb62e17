"""What should lie on the table, from a view, and what does, from a save: both in the same words."""

from __future__ import annotations

from services.render.counters.faces import face_of, faces
from services.render.views import CounterView, View
from tests.render.vassal.codec import Piece, must
from tests.render.vassal.modules import Module
from tests.render.vassal.positions import package, sheet
from tests.render.vassal.saves import Table

BOXES = {
    "box:pool-axis": "Axis replacements",
    "box:pool-allied": "Allied replacements",
    "box:set-up": "To be set up",
    "box:exited": "Left the map",
    "box:eliminated": "Out of the battle",
    "box:setup": "To be set up",
    "box:refit": "To be refitted",
    "box:destroyed": "Destroyed",
}
"""The zones of places off the map; those who wait at the edge are in that of their side's arrivals, in the box of their game-turn."""
FIRST = {"campaign-2": 11, "standard": 9, "extended": 9, "eilbote": 39}
"""The box of the turn record with which a scenario begins, if it is not the first: January 1942; 25 November 1942, 18 January 1943."""
BASES = {
    "JU87": "Djedeida",
    "FW190": "Sidi Ahmed",
    "ME109": "El Aouina",
    "MC202": "Kairouan",
    "SPIT": "Bone",
    "BISLEY": "Bone",
    "P38": "Tebessa",
    "BOSTON": "Tebessa field",
    "P40": "Thelepte",
}
"""The bases of Race for Tunis's air units."""


def counters_of(table: Table) -> list[Piece]:
    """The counters on the table, its markers and signs left out."""
    return [one for one in table.pieces.values() if one.markers.get("Kind") in ("counter", "unknown")]


def spot(module: Module, view: View, counter: CounterView) -> tuple[str, str]:
    """Where a counter belongs: the name of the zone, and in it that of the hex or of the box ("" where the zone has none)."""
    if counter.hex is not None:
        return "Map", counter.place
    if counter.place == "box:wreck":  # each side numbers its own
        return f"Wrecks ({package(view.game).side_names[counter.side]})", ""
    if counter.place in BOXES:
        return BOXES[counter.place], ""
    if counter.place == "box:air" and counter.id:
        flown = view.own["air"][counter.id]["hex"]
        zone = "Air units at their bases"
        return ("Map", flown) if flown else (zone, f"{zone}: {BASES[counter.id]}")
    if counter.place != "edge:off":
        return "Elsewhere", ""
    zone = f"Arrivals: {package(view.game).side_names[counter.side]}"
    boxes = [one for one in module.regions if one.startswith(f"{zone}: ")]
    due = counter.num.get("due")
    return zone, boxes[FIRST.get(view.scenario, 1) + due - 2] if isinstance(due, int) else boxes[-1]


def found_at(module: Module, piece: Piece) -> tuple[str, str]:
    """Where a piece lies, in the same words."""
    x, y = piece.at[1] - module.origin[0], piece.at[2] - module.origin[1]
    zones = [name for name, corners in module.zones.items() if name != "Map" and within(corners, x, y)]
    if not zones:
        name = module.grid.name(x, y)
        assert module.grid.centre(name) == (x, y), f"{piece.name} is not in the middle of {name}"
        return "Map", name
    (zone,) = zones
    boxes = {name: at for name, at in module.regions.items() if name.startswith(f"{zone}: ")}
    nearest = min(boxes, key=lambda name: (boxes[name][0] - x) ** 2 + (boxes[name][1] - y) ** 2) if boxes else ""
    return zone, nearest


def within(corners: list[tuple[int, int]], x: int, y: int) -> bool:
    xs, ys = [at[0] for at in corners], [at[1] for at in corners]
    return min(xs) < x < max(xs) and min(ys) < y < max(ys)


def looks(view: View, counter: CounterView) -> tuple[str, str, str, str, frozenset[str]]:
    """Kind, side, unit, face and marks of a counter of a view."""
    data = package(view.game)
    card = data.cards.get(counter.card or "")
    if card is None:
        return "unknown", counter.side, "?", "hidden", frozenset(set(counter.marks) & badges(view.game))
    face = face_of(counter, card, sheet(view.game))
    marks = set(counter.marks) & badges(view.game) - set(face.marks) | ({"seen"} if counter.known == "seen" and counter.hex else set())
    return "counter", counter.side, card.id, face.name, frozenset(marks)


def badges(game: str) -> set[str]:
    return set(sheet(game).style.counters.badges)


def shows(game: str, piece: Piece) -> tuple[str, str, str, str, frozenset[str]]:
    """The same of a piece."""
    marks = frozenset(name.removeprefix("Mark_") for name, one in piece.layers.items() if name.startswith("Mark_") and one.shown)
    if piece.markers["Kind"] == "unknown":
        assert "Face" not in piece.layers
        assert "Card" not in piece.markers
        return "unknown", piece.markers["Side"], piece.markers["Unit"], "hidden", marks
    card = package(game).cards[piece.markers["Card"]]
    sides = [one for one in faces(card, sheet(game)) if not one.hidden]
    face = sides[piece.layers["Face"].level - 1] if "Face" in piece.layers else sides[0]
    return "counter", piece.markers["Side"], card.id, face.name, marks - set(face.marks)


def assert_shows(table: Table, view: View, *, ordered: bool = True) -> None:
    """Every counter of the view is on the table, and no other: place, side, face, marks; and of each hex the order, the first on top."""
    module = table.module
    told = sorted((*spot(module, view, one), *looks(view, one)[:-1], sorted(looks(view, one)[-1])) for one in view.counters)
    lie = sorted((*found_at(module, one), *shows(view.game, one)[:-1], sorted(shows(view.game, one)[-1])) for one in counters_of(table))
    must(lie == told, f"too much: {[one for one in lie if one not in told]}; missing: {[one for one in told if one not in lie]}")
    if not ordered:
        return
    stacks: dict[str, list[tuple[str, str]]] = {}
    for one in sorted(view.counters, key=lambda one: one.place != "box:air"):  # aircraft lie on top
        zone, place = spot(module, view, one)
        if zone == "Map":
            stacks.setdefault(place, []).append((looks(view, one)[2], one.alias if one.card is None else ""))
    for at, pieces in table.lying().items():
        x, y = at[1] - module.origin[0], at[2] - module.origin[1]
        name = module.grid.name(x, y)
        if module.grid.centre(name) == (x, y) and name in stacks:
            lying = [(one.markers.get("Card", "?"), one.markers.get("Alias", "")) for one in pieces]
            assert [(unit, alias if unit == "?" else "") for unit, alias in reversed(lying)] == stacks.pop(name)
    assert not stacks

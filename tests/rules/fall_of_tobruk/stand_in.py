"""Counters and charts by hand, in the shapes of the package, until the package is there."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import scenarios
from scenarios.cards import read_cards
from scenarios.data import Board, Card, GameData, OptionSpec, ScenarioData
from scenarios.faults import Faults
from scenarios.package import Package

ROWS = """
5EY allied british infantry 69BDE - battalion 1 5 5
6GH allied british infantry 69BDE - battalion 1 5 5
7GH allied british infantry 69BDE - battalion 1 5 5
4EY allied british infantry 150BDE - battalion 1 5 5
4GH allied british infantry 150BDE - battalion 1 5 5
2SG allied british motorised 201GDS - battalion 2 6 6
3CG allied british motorised 201GDS - battalion 2 6 6
9RB allied british motorised 201GDS - battalion 2 5 6
1RB allied british motorised 2ARM - battalion 2 5 6
2HLI allied british infantry 10BDE - battalion 1 5 5
74ART allied british artillery 69BDE - battalion 6 1 6 8 3
72ART allied british artillery 150BDE - battalion 6 1 6 8 3
2RGH-1 allied british grant 22ARM - company 3 4 7
2RGH-2 allied british crusader 22ARM - company 2 3 8
2RGH-3 allied british crusader 22ARM - company 2 3 8
3CLY-1 allied british grant 22ARM - company 3 4 7
3CLY-2 allied british crusader 22ARM - company 2 3 8
8H-1 allied british stuart 4ARM - company 2 3 9
8RTR-1 allied british valentine 1TANK - company 2 4 5
7RTR-1 allied british matilda 32TANK - company 2 4 4
7RTR-2 allied british matilda 32TANK - company 2 4 4
KDG allied british recon 7MOT - battalion 1 2 10
12L allied british recon 2ARM - battalion 1 2 10
1SP allied british self-propelled-gun 1ARMD - company 6 1 7
8PZ-1 axis german pz-ii 8PZ - company 1 3 7
8PZ-2 axis german pz-iiih 8PZ - company 3 4 7
8PZ-3 axis german pz-iiih 8PZ - company 3 4 7
8PZ-4 axis german pz-iiih 8PZ - company 3 4 7
8PZ-5 axis german pz-iiih 8PZ - company 3 4 7
8PZ-6 axis german pz-iiih 8PZ - company 3 4 7
8PZ-7 axis german pz-iiij 8PZ - company 5 4 7
8PZ-8 axis german pz-iv 8PZ - company 4 5 7
5PZ-2 axis german pz-iiih 5PZ - company 3 4 7
115 axis german panzergrenadier 115 - regiment 6 15 7
115-I axis german panzergrenadier 115 115 battalion 2 5 7
115-II axis german panzergrenadier 115 115 battalion 2 5 7
115-III axis german panzergrenadier 115 115 battalion 2 5 7
104 axis german panzergrenadier 104 - regiment 6 15 7
104-I axis german panzergrenadier 104 104 battalion 2 5 7
104-II axis german panzergrenadier 104 104 battalion 2 5 7
104-III axis german panzergrenadier 104 104 battalion 2 5 7
33ART-1 axis german artillery 33ART - battalion 2 1 7 8 4
33ART-3 axis german artillery 33ART - battalion 2 1 7 12 5
33ENG axis german engineer 33ENG - battalion 1 5 7
33AA axis german recon 33AA - battalion 2 4 10
580AA axis german recon 580AA - battalion 2 4 10
88-1 axis german flak-88 135FLAK - company 12 2 7
88-2 axis german flak-88 135FLAK - company 12 2 7
88-3 axis german flak-88 135FLAK - company 12 2 7
605 axis german self-propelled-gun 605 - company 5 1 7
19 axis italian infantry 19 - regiment 0 9 3
20 axis italian infantry 20 - regiment 0 9 3
86 axis italian infantry 86 - regiment 0 6 3
55ART-1 axis italian artillery 55ART - battalion 2 1 5 6 4
55ART-2 axis italian artillery 55ART - battalion 2 1 5 6 4
132ENG axis italian engineer 132ENG - battalion 0 3 5
132-1 axis italian m14 132ARM - company 1 3 6
132-2 axis italian m14 132ARM - company 1 3 6
132-3 axis italian m14 132ARM - company 1 3 6
132-4 axis italian m14 132ARM - company 1 3 6
8BERS axis italian bersaglieri 8BERS - regiment 3 12 6
8BERS-I axis italian bersaglieri 8BERS 8BERS battalion 1 4 6
8BERS-II axis italian bersaglieri 8BERS 8BERS battalion 1 4 6
8BERS-III axis italian bersaglieri 8BERS 8BERS battalion 1 4 6
12 axis italian bersaglieri 12 - regiment 3 12 6
"""
TYPES = """
infantry infantry infantry infantry battalion no no
motorised infantry infantry infantry battalion no no
machine-gun infantry infantry infantry battalion no no
panzergrenadier infantry infantry infantry battalion no no
bersaglieri infantry infantry infantry battalion no no
engineer engineer infantry none battalion no no
recon recon infantry none battalion yes no
artillery artillery artillery artillery artillery no no
self-propelled-gun spg self-propelled none artillery yes yes
flak-88 flak-88 artillery none artillery no yes
grant tank tank tanks battalion yes no
crusader tank tank tanks battalion yes no
stuart tank tank tanks battalion yes no
valentine tank tank tanks battalion yes no
matilda tank tank tanks battalion yes no
pz-ii tank tank none battalion yes no
pz-iiih tank tank none battalion yes no
pz-iiij tank tank none battalion yes no
pz-iv tank tank none battalion yes no
m14 tank tank none battalion yes no
"""
ODDS = ("1:5", "1:4", "1:3", "1:2", "1:1", *(f"{n}:1" for n in range(2, 9)))
PRINTED = {2: "AE AE AE DB1 AE AE AE Ex Eng DE DE Con", 3: "AE AE AE Con AB1 AB1 Con Con DB1 DB2 DB2 DE"}
OTHERS = "AB3 AB2 AB1 AB1 Con Con DB1 DB1 DB2 DB3 DB4 DE"
OPTIONS: dict[str, tuple[Any, ...]] = {
    "tempo": ("normal", "full", "blitz"),
    "split_move": (False, True),
    "below_min": ("eliminate", "no-attack"),
    "escarpment_move": ("free", "forbidden", "+1", "+2"),
    "multi_salvo": (True, False),
    "markers_off": ("all", "own"),
    "gap_moves": (False, True),
    "voluntary_overstack": ("refuse", "disrupt"),
    "chart_tank_refit": (False, True),
    "last_day": ("24 June", "26 June"),
}


def _cards() -> dict[str, Card]:
    found = dict(read_cards(Package(Path(scenarios.__file__).parent / "fall-of-tobruk", Faults()), ("axis", "allied")))
    if found:
        return found
    for line in ROWS.split("\n"):
        if not line:
            continue
        unit, side, nation, kind, formation, regiment, size, at, combat, ma, *gun = line.split()
        values: dict[str, Any] = {
            "formation": formation,
            "regiment": "" if regiment == "-" else regiment,
            "size": size,
            "at": int(at),
            "combat": int(combat),
            "ma": int(ma),
        }
        if gun:
            values |= {"artillery": int(gun[0]), "range": int(gun[1])}
        found[unit] = Card(unit, side, unit, kind, nation, values)
    return found


def _rows(names: str, text: str) -> tuple[dict[str, Any], ...]:
    return tuple(dict(zip(names.split(), line.split(), strict=True)) for line in text.split("\n") if line)


def stand_in() -> GameData:
    """The package as far as positions on the field need it."""
    days = [f"{n} May" for n in range(26, 32)] + [f"{n} June" for n in range(1, 27)]
    terrain = {"clear": (1, 0), "high-ground": (2, 1), "track": (Fraction(1, 2), 0), "road": (Fraction(1, 4), 0)}
    crt = {roll: PRINTED.get(roll, OTHERS).split() for roll in range(2, 13)}
    at_from = {1: "1:2", 2: "1:1", 3: "2:1", 4: "4:1", 5: "6:1", 6: "8:1", 7: "10:1", 8: ""}
    at_columns = ("1:2", "1:1", "2:1", "3:1", "4:1", "6:1", "8:1", "10:1")
    art_from = {1: 6, 2: 8, 3: 12, 4: 16, 5: 18, 6: 99}
    cards = _cards()
    brigades = {c.values["formation"]: c.side for c in cards.values()}
    charts: dict[str, Any] = {
        "terrain": {name: {"mp": mp, "shift": shift} for name, (mp, shift) in terrain.items()},
        "combat": tuple({"roll": roll, **dict(zip(ODDS, cells, strict=True))} for roll, cells in crt.items()),
        "antitank": tuple(
            {"die": die, **{c: "X" if start and at_columns.index(c) >= at_columns.index(start) else "-" for c in at_columns}}
            for die, start in at_from.items()
        ),
        "artillery": tuple(
            {"die": die, **{str(c): "D" if c >= least else "-" for c in (6, 8, 12, 16, 18)}} for die, least in art_from.items()
        ),
        "ranges": _rows("range halved_from", "2 never\n3 2\n4 3\n5 3"),
        "mines": tuple({"die": die, "losses": lost} for die, lost in enumerate((0, 0, 0, 1, 1, 2), 1)),
        "stall": tuple({"die": die, "result": "stalls" if die <= 3 else "goes-on"} for die in range(1, 7)),
        "repair": tuple(
            {"die": die, "axis": "recovered" if die <= 4 else "lost", "allied": "recovered" if die <= 3 else "lost"} for die in range(1, 7)
        ),
        "reserve": tuple(
            {"model": model, "side": side, "stock": stock, "track": 6, "label": model}
            for model, side, stock in (
                ("grant", "allied", 4),
                ("crusader", "allied", 6),
                ("stuart", "allied", 4),
                ("valentine", "allied", 0),
                ("matilda", "allied", 0),
                ("pz-iiih", "axis", 2),
                ("pz-iiij", "axis", 1),
                ("pz-iv", "axis", 1),
            )
        ),
        "types": _rows("type class refit exit place fires_moved first_fire", TYPES),
        "nations": _rows(
            "nation colour",
            "british british\nfree-french british\nindian commonwealth\nsouth-african commonwealth\ngerman german\nitalian italian",
        ),
        "formations": {
            name: {"side": side, "label": name, "kind": "brigade" if side == "allied" else "regiment"} for name, side in brigades.items()
        },
        "stacking": {
            "limits": {"battalions": 2, "german": 3, "artillery": 1, "companies": 1, "regiment": 3},
            "company": {"allied": 3, "italian": 3, "german": 4, "flak-88": 3},
        },
        "costs": {
            "artillery": {"least": 6, "most": 18, "tank_drm": 2},
            "antitank": {"mine_drm": 2},
            "supply": {"mp": 20, "box": 2, "ma": 3, "factor": Fraction(1, 2)},
            "repair": {"axis_auto": 1, "axis_tries": 2, "allied_tries": 2, "scrap": 1, "demolish": 1},
            "reserve": {"a_turn": 2},
            "refit": {"scrapped": 2, "chart_german_tanks": 1},
            "wrecks": {"boxes": 15},
            "quotas": {"tanks": 18, "infantry": 9, "artillery": 5},
            "modifiers": {"mines": Fraction(1, 2), "disrupted": Fraction(1, 2), "overrun": 2, "matilda": 2},
        },
        "victory": _rows("holder quotas winner level", "axis short axis total\naxis met axis marginal\nallied any allied total"),
    }
    board = Board(1, 1, {}, frozenset(), {}, {}, frozenset({"escarpment"}), {}, {}, {})
    options = {key: OptionSpec(key, values, values[0], "", key) for key, values in OPTIONS.items()}
    gazala = ScenarioData("gazala", "Gazala", 1, 32, {"control": {"allied": ("1802",)}, "setup": (), "placements": (), "arrivals": ()})
    return GameData(
        "fall-of-tobruk",
        "The Fall of Tobruk",
        "",
        ("axis", "allied"),
        {"axis": "Axis", "allied": "Allied"},
        board,
        cards,
        charts,
        {"gazala": gazala},
        options,
        tuple(days),
        {},
        "0" * 64,
    )

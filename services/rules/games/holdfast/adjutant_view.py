"""What the adjutant knows: the view of its side, made whole by plain assumptions, as a table on which it tries its moves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from scenarios.hexes import Hex, parse_hex, parse_place
from services.rules.engine.exact import parse_exact
from services.rules.engine.model import Counter, GameState, Json, Side
from services.rules.engine.module import GameModule
from services.rules.engine.table import T, Table
from services.rules.games.holdfast.setup import arrivals_in_force
from services.rules.games.holdfast.state import rp

Seen = Mapping[str, Json]


class Sketch(Table):
    """The position as one side sees it, on which its moves can be tried. Enemy zones are those that it is told, where it is told them."""

    def __init__(self, module: GameModule, seen: Seen) -> None:
        super().__init__(module, completed(module, seen))
        self.side: Side = seen["side"]
        told = bool(self.options.get("ezoc_public", True))
        self.kept: dict[Any, Any] = {}
        self.zones = frozenset(parse_hex(at) for at in seen["own"]["ezoc"]) if told else None
        self.forget()

    def forget(self) -> None:
        """A counter has moved: only what is told of enemy zones stays, for no enemy moves while the side plans."""
        self.memo = {}
        if self.zones is not None:
            self.memo["ezoc", self.side] = self.zones

    def lasting(self, key: Any, work_out: Callable[[], T]) -> T:
        """``work_out()``, remembered whatever the side moves: for what hangs on the enemy alone."""
        if key not in self.kept:
            self.kept[key] = work_out()
        found: T = self.kept[key]
        return found

    def put(self, unit: str, to: Hex) -> None:
        """A move is made on the sketch, for one RP."""
        before = self.counters[unit]
        moved = Counter(unit, before.side, before.card, to, marks=before.marks | {"moved"}, num=before.num)
        self.counters = {**self.counters, unit: moved}
        self.own = {**self.own, "rp": {**self.own["rp"], self.side: rp(self, self.side) - 1}}
        self.forget()

    def after(self, moves: Iterable[tuple[str, Hex]], see: Callable[[], T]) -> T:
        """What is to be seen after moves that are only tried."""
        counters, own, memo = self.counters, self.own, self.memo
        for unit, to in moves:
            self.put(unit, to)
        found = see()
        self.counters, self.own, self.memo = counters, own, memo
        return found


def completed(module: GameModule, seen: Seen) -> GameState:
    """A state that looks as ``seen`` does. Of an enemy block never turned up it is assumed that it is one of the units that the order of
    battle leaves for it, infantry before armor, at full strength."""
    rows = [dict(row) for row in seen["counters"]]
    spare = _not_accounted_for(module, seen, rows)
    cards = module.data.cards
    counters: dict[str, Counter] = {}
    blocks: dict[str, str] = {}
    for row in sorted(rows, key=lambda r: int((r["alias"] or "X0")[1:])):
        unit = row["id"] or next(spare)
        num = {key: parse_exact(n) for key, n in row["num"].items()} or {"sp": 0 if row["id"] else int(cards[unit].values["max_sp"])}
        counters[unit] = Counter(unit, row["side"], unit, parse_place(row["place"]), marks=frozenset(row["marks"]), num=num)
        if row["alias"]:
            blocks[row["alias"]] = unit
    own = seen["own"]
    sides = module.data.sides
    return GameState(
        seen["game"],
        seen["scenario"],
        module.data.digest,
        seen["options"],
        tuple((str(name), number) for name, number in seen["path"]),
        counters,
        {
            **{key: own[key] for key in ("month", "weather", "rp", "malta", "control", "air")},
            "leader": own["leader_used"],
            "spent": dict.fromkeys(sides, 0),
            "stepped": {unit: {"turn": int(seen["turn"]), "k": k} for unit, k in own["stepped"].items()},
            "blocks": blocks,
            "next_alias": dict.fromkeys(sides, len(module.data.cards) * len(module.data.turns)),
            "seen": {},
        },
        "",
    )


def _not_accounted_for(module: GameModule, seen: Seen, rows: Sequence[Seen]) -> Iterator[str]:
    """Enemy units that may stand behind unknown blocks: those that can have come by now first, infantry before armor."""
    scenario, cards = module.data.scenarios[seen["scenario"]], module.data.cards
    known = {row["id"] for row in rows}
    came = {unit for row in scenario.tables["setup"] for unit in row["units"]}
    for row in arrivals_in_force(scenario, seen["options"]):
        if row["turn"] <= seen["own"]["month"]:
            came.update(row.get("units", ()))
    able = [unit for unit, card in cards.items() if card.side != seen["side"] and "type" in card.values and unit not in known]
    return iter(sorted(able, key=lambda unit: (unit not in came, cards[unit].values["type"] == "armor", unit)))

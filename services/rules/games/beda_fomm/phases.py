"""The beginning and the end of a player-turn: what comes on, what comes off, and the duties of the movement phase (8.2)."""

from __future__ import annotations

from scenarios.hexes import Hex
from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import Change, Order, Side
from services.rules.engine.sequence import Duty
from services.rules.engine.table import Table
from services.rules.games.beda_fomm import arrivals, movement, opening
from services.rules.games.beda_fomm.orders import Move
from services.rules.games.beda_fomm.state import ITALIAN, interdicted, on_map
from services.rules.games.beda_fomm.state import opening as in_opening
from services.rules.games.beda_fomm.zoc import enemy_zoc

MOVEMENT_MARKS = ("done", "in-zoc")


def begin_movement(adj: Adjudication) -> None:
    """Which units begin the movement phase in an enemy ZOC is noted: only they may leave one, or infiltrate (5.32, 9.12)."""
    side = adj.phasing
    assert side is not None
    zone = enemy_zoc(adj, side)
    inside = [unit.id for unit in on_map(adj, side) if unit.place in zone and "in-zoc" not in unit.marks]
    if inside:
        adj.record("movement_begins", "5.32b", {"in_zoc": inside}, changes=[ch.mark(unit, "in-zoc") for unit in inside])


def duties(table: Table, side: Side) -> tuple[Duty, ...]:
    """Before the movement phase may close: who must come in has, who must go down the road has (15.21d, 16.12b, 16.13b)."""
    found = []
    if side == ITALIAN and (n := arrivals.convoys_wanting(table)):
        found.append(Duty("convoy-must-enter", "16.12b", {"count": n}))
    if units := opening.wanting(table) if side == ITALIAN else []:
        found.append(Duty("six-mp", "16.13b", {"units": units}))
    if units := list(arrivals.must_enter(table, side)):
        found.append(Duty("must-enter", "16.12b" if in_opening(table) else "15.21d", {"units": units}))
    return tuple(found)


def meet_duties(adj: Adjudication, side: Side) -> None:
    """Duties met by the umpire: in the opening the foremost go down the road first, then who is due comes in and goes on (``AUTO``)."""
    if side != ITALIAN:
        return
    _walk_all(adj)
    while arrivals.convoys_wanting(adj):
        arrivals.call(adj, arrivals.next_convoy(adj))
    while units := arrivals.must_enter(adj, side):
        arrivals.put_in(adj, units[0], arrivals.ways_in(adj, units[0])[0], how="default")
        _walk_all(adj)


def _walk_all(adj: Adjudication) -> None:
    """All that are bound to go on do, the foremost first: who goes makes room for those behind."""
    tried: set[str] = set()
    while left := [unit for unit in opening.wanting(adj) if unit not in tried]:
        tried.add(left[0])
        _walk(adj, left[0])


def _walk(adj: Adjudication, unit: str) -> None:
    """A unit goes down the road as far as it is bound to."""
    while opening.bound_to_go_on(adj, unit):
        here = adj.counters[unit].place
        to = opening.next_down(adj, here) if isinstance(here, Hex) else None
        path = [to] if to else []
        while path and (further := opening.next_down(adj, path[-1])) is not None and len(path) < opening.LEAST:
            path.append(further)
        if not any(_stepped(adj, unit, path[:n]) for n in range(len(path), 0, -1)):
            return


def _stepped(adj: Adjudication, unit: str, path: list[Hex]) -> bool:
    """Whether a unit could go along a path; nothing of it is kept if it could not."""
    return adj.attempt(lambda: movement.move(adj, Move((unit,), tuple(path)), Order(0, "MOVE"))) is None


def end_movement(adj: Adjudication) -> None:
    """Arrivals that nobody named come in where they can; who began in a ZOC and who had finished is forgotten."""
    side = adj.phasing
    assert side is not None
    if not in_opening(adj):
        arrivals.enter_by_default(adj, side)
        arrivals.lose_the_blocked(adj)
    changes: list[Change] = [
        ch.mark(unit.id, name, False) for unit in adj.counters.values() for name in MOVEMENT_MARKS if name in unit.marks
    ]
    changes += [ch.number(unit.id, "spent", None) for unit in adj.counters.values() if "spent" in unit.num]
    changes.append(ch.own("moving", []))
    adj.record("movement_ends", "8.2c", {"side": side}, changes=changes)


def interdiction_off(adj: Adjudication) -> None:
    """The interdiction that the phasing side has moved under comes off (8.2d)."""
    side = adj.phasing
    gone = sorted(at for at, one in interdicted(adj).items() if one["side"] != side)
    if gone:
        adj.record("marker_off", "8.2d", {"hexes": gone}, changes=[ch.own("interdicted", at, None) for at in gone])  # 8.2k 10.42b


def moved_off(adj: Adjudication) -> None:
    """The phasing side's Moved markers come off, and what says who has fired antitank (8.2f)."""
    gone = [ch.mark(unit.id, name, False) for unit in adj.counters.values() for name in ("moved", "shot", "shot-at") if name in unit.marks]
    if gone:
        adj.record("moved_off", "8.2f", {"side": adj.phasing}, changes=gone)  # 8.2m


def clean_up(adj: Adjudication) -> None:
    """The end of a player-turn: Infiltrate markers off, guns of both sides ready, barrage and support markers off; the phasing side's
    interdiction stays (8.2h, 8.2i, 8.2j, 8.2n)."""
    changes: list[Change] = []
    for unit in adj.counters.values():
        changes += [ch.mark(unit.id, name, False) for name in ("infiltrated", "moved", "shot", "shot-at") if name in unit.marks]  # 8.2h
        if unit.face == "fired":
            changes.append(ch.face(unit.id, ""))  # 8.2i
    changes += [ch.own("barraged", {}), ch.own("declared", [])]  # 8.2j
    adj.record("marks_off", "8.2h", {"side": adj.phasing}, changes=changes)  # 8.2n

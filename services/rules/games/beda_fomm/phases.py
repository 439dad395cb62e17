"""The beginning and the end of a player-turn: what comes on, what comes off, and the duties of the movement phase (8.2)."""

from __future__ import annotations

from services.rules.engine import changes as ch
from services.rules.engine.adjudication import Adjudication
from services.rules.engine.model import Change, Order, Side
from services.rules.engine.positions import on_map
from services.rules.engine.sequence import Duty
from services.rules.engine.table import Table
from services.rules.games.beda_fomm import arrivals, entering, movement, opening
from services.rules.games.beda_fomm.orders import Move
from services.rules.games.beda_fomm.state import ITALIAN, interdicted
from services.rules.games.beda_fomm.state import opening as in_opening
from services.rules.games.beda_fomm.zoc import enemy_zoc

MOVEMENT_MARKS = ("done", "in-zoc")


def begin_movement(adj: Adjudication) -> None:
    """Which units begin the movement phase in an enemy ZOC is noted: they have no hex that they may always enter (9.12, BF-R117)."""
    side = adj.phasing
    assert side is not None
    zone = enemy_zoc(adj, side)
    inside = [unit.id for unit in on_map(adj, side) if unit.place in zone and "in-zoc" not in unit.marks]
    if inside:
        adj.record("movement_begins", "9.12a", {"in_zoc": inside}, changes=[ch.mark(unit, "in-zoc") for unit in inside])


def duties(table: Table, side: Side) -> tuple[Duty, ...]:
    """Before the movement phase may close: who must come in has, who must go down the road has (15.21d, 16.12b, 16.13b)."""
    found = []
    if side == ITALIAN and (n := arrivals.convoys_wanting(table)):
        found.append(Duty("convoy-must-enter", "16.12b", {"count": n}))
    if side == ITALIAN and (units := opening.wanting(table)):
        found.append(Duty("six-mp", "16.13b", {"units": units}))
    if late := list(arrivals.must_enter(table, side)):
        found.append(Duty("must-enter", "16.12b" if in_opening(table) else "15.21d", {"units": late}))
    return tuple(found)


def meet_duties(adj: Adjudication, side: Side) -> None:
    """Duties met by the umpire: in the opening the foremost go down the road first, then who is due comes in and goes on (``AUTO``)."""
    _walk_all(adj)
    while arrivals.convoys_wanting(adj):
        arrivals.call(adj, arrivals.uncalled(adj)[0])
    while units := arrivals.must_enter(adj, side):
        entering.put_in(adj, units[:1], arrivals.ways_in(adj, units[:1])[0], how="default")
        _walk_all(adj)


def _walk_all(adj: Adjudication) -> None:
    """All that are bound to go on do, who is on the way first, then the foremost: who goes makes room for those behind."""
    while _one_walks(adj):
        pass


def _one_walks(adj: Adjudication) -> bool:
    """Whether those in the course of their movement could go on together, or one of them; else the foremost of the others."""
    left = opening.on_its_way(adj) or opening.wanting(adj)[:1]
    together = (tuple(left), *((unit,) for unit in left)) if left else ()
    return any(_walked(adj, units) for units in together)


def _walked(adj: Adjudication, units: tuple[str, ...]) -> bool:
    """Whether units could go down the road together as far as all of them are bound to."""
    way = min((opening.way_down(adj, unit) for unit in units), key=len)
    return adj.attempt(lambda: movement.move(adj, Move(units, way), Order(0, "MOVE"))) is None


def nothing_to_move(table: Table, side: Side) -> bool:
    """Whether a side has no unit on the map, none that is due and no convoy to call: the step is passed over."""
    return not (on_map(table, side) or arrivals.due(table, side) or (side == ITALIAN and arrivals.callable_convoys(table) > 0))


def end_movement(adj: Adjudication) -> None:
    """Arrivals that nobody named come in where they can; who began in a ZOC and who had finished is forgotten."""
    side = adj.phasing
    assert side is not None
    if not in_opening(adj):
        entering.enter_by_default(adj, side)
        entering.lose_the_blocked(adj)
    entering.tell_the_kept_out(adj, side)
    changes: list[Change] = [
        ch.mark(unit.id, name, False) for unit in adj.counters.values() for name in MOVEMENT_MARKS if name in unit.marks
    ]
    changes += [ch.number(unit.id, "spent", None) for unit in adj.counters.values() if "spent" in unit.num]  # 9.0c
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

"""Sequence of Play."""

from __future__ import annotations

from services.rules.engine.model import IllegalOrder, Order, Side
from services.rules.engine.sequence import NOBODY, Loop, PlayerTurn, Sequence, Step
from services.rules.engine.table import Table
from services.rules.games.fall_of_tobruk import (
    antitank,
    artillery,
    battle,
    declaration,
    opening,
    orders,
    overrun,
    phases,
    placement,
    repair,
    slip,
    victory,
)
from services.rules.games.fall_of_tobruk.ground import ground
from services.rules.games.fall_of_tobruk.state import ALLIED, AXIS


def static(table: Table, side: Side, order: Order) -> None:
    """Refuse what no position can mend: hexes that are not on the board, answers that name units of others. IllegalOrder."""
    for name in ("hex", "to", "drop_at", "else_hex"):
        _on_board(table, order.args.get(name))
    for name in ("path", "via", "hexes"):
        for at in order.args.get(name) or ():
            _on_board(table, at)
    if order.verb in (orders.Lose.verb, orders.Retreat.verb, orders.Advance.verb):
        _own_units(table, side, order)


def _own_units(table: Table, side: Side, order: Order) -> None:
    """The answers of an attack name units of their side, whichever attack they will be for."""
    several = order.args.get("units") or ()
    for unit in (*([] if isinstance(several, str) else several), *filter(None, [order.args.get("unit")])):
        card = table.data.cards.get(unit)
        if card is None or card.side != side:
            raise IllegalOrder("", "unknown-unit" if card is None else "not-yours", unit=unit)


def _on_board(table: Table, text: str | None) -> None:
    if text is not None and text not in ground(table).hexes:
        raise IllegalOrder("tec.8", "cannot-enter", hex=text)  # tec.8


PASS = (
    phases.MOVEMENT,
    *antitank.STEPS,  # seq.6
    overrun.SNAPSHOT,
    *declaration.STEPS,
    *slip.STEPS,
    *battle.STEPS,  # seq.7
)
PLAYER_TURN = (
    opening.NEW_UNITS,  # seq.2
    artillery.BOMBARDMENT,  # seq.3
    repair.REPAIR,  # seq.5
    Loop("sequence", PASS, until=phases.closed, needs=("MOVE", "STAND", "EXIT")),  # seq.11
    phases.MARKERS_OFF,
)
SEQUENCE_OF_PLAY = Sequence(
    setup=tuple(placement.STEPS),
    turn=(
        PlayerTurn(AXIS, PLAYER_TURN),  # seq.1
        PlayerTurn(ALLIED, PLAYER_TURN),  # seq.13
        Step("turn record", "calendar.1", NOBODY, enter=victory.turn_record),
    ),
)

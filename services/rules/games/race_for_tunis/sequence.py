"""4. Sequence of Play."""

from __future__ import annotations

from services.rules.engine.model import IllegalOrder, Order, Side
from services.rules.engine.sequence import NOBODY, PHASING, PlayerTurn, Sequence, Step, on
from services.rules.engine.table import Table
from services.rules.games.race_for_tunis import (
    air,
    arrivals,
    artillery,
    battle,
    companies,
    counterbattery,
    declaration,
    interception,
    landings,
    movement,
    opening,
    orders,
    phases,
    retreat,
    setup,
    supply,
    victory,
    weather,
)
from services.rules.games.race_for_tunis.ground import ground
from services.rules.games.race_for_tunis.state import ALLIED, AXIS


def static(table: Table, side: Side, order: Order) -> None:
    """Refuse what no position can mend: hexes that are not on the board, answers that name units of others. IllegalOrder."""
    for name in ("hex", "to", "port", "drop_at", "bridge_at"):
        _on_board(table, order.args.get(name))
    for name in ("path", "via", "hexes", "rally", "deny"):
        for at in order.args.get(name) or ():
            _on_board(table, at)
    if order.verb in (orders.Lose.verb, orders.Retreat.verb, orders.Advance.verb):
        _own_units(table, side, order)


def _own_units(table: Table, side: Side, order: Order) -> None:
    """The answers of a battle name units of their side, whichever battle they will be for."""
    several = order.args.get("units") or ()
    for unit in (*([] if several == retreat.ALL else several), *filter(None, [order.args.get("unit")])):
        card = table.data.cards.get(unit)
        if card is None or card.side != side:
            raise IllegalOrder("", "unknown-unit" if card is None else "not-yours", unit=unit)


def _on_board(table: Table, text: str | None) -> None:
    if text is not None and text not in ground(table).hexes:
        raise IllegalOrder("6.0.C-1", "cannot-enter", hex=text)


MOVEMENT = Step(
    "movement",
    "4.1-1",
    PHASING,
    accepts=(
        on(orders.Move, arrivals.march, units=lambda args: args.units),
        on(orders.Land, arrivals.land, units=lambda args: (args.unit,)),
        on(orders.Enter, arrivals.enter, units=lambda args: (args.unit,)),
        on(orders.Delay, arrivals.delay, units=lambda args: (args.unit,)),
        on(orders.Bridge, movement.bridge, units=lambda args: (args.unit,)),
    ),
    enter=supply.judge,
    leave=landings.last_arrivals,
    idle=phases.nothing_to_move,
    duty=phases.duties,
    meet=phases.meet_duties,
)
PLAYER_TURN = (
    opening.OPENING,
    MOVEMENT,
    opening.REJOIN,
    landings.LANDINGS,
    landings.LANDED,
    phases.MOVEMENT_ENDS,
    *declaration.STEPS,
    *counterbattery.STEPS,
    *artillery.STEPS,
    *interception.STEPS,
    *battle.STEPS,
    phases.END,
)
SPLIT = on(orders.Split, companies.split, units=lambda args: (args.unit,))
"""Taken at any time, in either player-turn (11.2.B)."""
SEQUENCE_OF_PLAY = Sequence(
    turn=(
        Step("weather", "17.4.A-1", NOBODY, enter=weather.weather_die, when=weather.on),
        *air.TURN_STEPS,
        PlayerTurn(AXIS, PLAYER_TURN, when=setup.axis_plays),  # 4.0.A-1 15.0-1
        PlayerTurn(ALLIED, PLAYER_TURN),  # 4.0.B-1
        Step("turn record", "16.0.B-1", NOBODY, enter=victory.turn_record),  # 3.0.B-2
    ),
)

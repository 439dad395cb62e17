"""8. Sequence of Play."""

from __future__ import annotations

from services.rules.engine.model import IllegalOrder, Order, Side
from services.rules.engine.sequence import NOBODY, PHASING, PlayerTurn, Sequence, Step, on
from services.rules.engine.table import Table
from services.rules.games.beda_fomm import antitank, barrage, combat, entering, exits, guns, orders, parking, phases, victory
from services.rules.games.beda_fomm.ground import ground
from services.rules.games.beda_fomm.setup import SET_UP_STEPS
from services.rules.games.beda_fomm.state import BRITISH, ITALIAN, dark, opening


def parking_time(table: Table) -> bool:
    """Whether transports may park now: in the Italian player-turn, once first contact has been made (9.41, 16.16)."""
    return table.phasing == ITALIAN and not opening(table)  # 16.16a 8.2k


def static(table: Table, side: Side, order: Order) -> None:
    """Refuse what no position can mend: hexes that are not on the board, attacks in a player-turn without any. IllegalOrder."""
    if table.phasing == side:
        _in_time(table, side, order)
    for name in ("hex", "to", "drop_at"):
        _on_board(table, order.args.get(name))
    if order.verb == orders.Fire.verb and order.args["target"] in table.data.cards and not _armored(table, order.args["target"]):
        raise IllegalOrder("11.0a", "not-armored", unit=order.args["target"])
    if order.verb == orders.Barrage.verb:
        for aim in (order.args.get("target"), order.args.get("else_target")):
            _on_board(table, aim if aim and aim.isdecimal() else None)
    for name in ("path", "via", "avoid"):
        for at in order.args.get(name) or ():
            _on_board(table, at)


def _in_time(table: Table, side: Side, order: Order) -> None:
    """Attacks and interdiction are refused where this player-turn has no step for them, and are not kept for the next."""
    if order.verb in (orders.Park.verb, orders.Unpark.verb) and side == ITALIAN and opening(table):
        raise IllegalOrder("16.16a", "no-parking-yet", unit=order.args["unit"])
    allowed = {orders.Attack.verb: combat.may_attack_now, orders.Interdict.verb: guns.fire_allowed}.get(order.verb)
    if allowed is None or allowed(table):
        return
    if dark(table):
        raise IllegalOrder("13.0c", "in-the-dark", verb=order.verb)
    raise IllegalOrder("16.2a", "opening-silence", verb=order.verb)


def _armored(table: Table, unit: str) -> bool:
    return bool(table.data.cards[unit].values["class"] == "armor")


def _on_board(table: Table, text: str | None) -> None:
    if text is not None and text not in ground(table).hexes:
        raise IllegalOrder("9.12b", "cannot-enter", hex=text)


PARKING = Step(
    "parking",
    "8.2a",
    PHASING,
    accepts=(
        on(orders.Park, parking.park, units=lambda args: (args.unit,)),
        on(orders.Unpark, parking.unpark, units=lambda args: (args.unit,)),
    ),
    when=parking_time,
    idle=parking.no_transport,
)
MOVEMENT = Step(
    "movement",
    "8.2c",  # 8.2b 8.2k
    PHASING,
    accepts=(
        on(orders.Enter, entering.enter, units=lambda args: (args.unit,) if args.unit else ()),
        on(orders.Delay, entering.delay, units=lambda args: (args.unit,) if args.unit else ()),
        on(orders.Move, entering.march, units=lambda args: args.units),
        on(orders.Exit, exits.leave, units=lambda args: (args.unit,)),
    ),
    enter=phases.begin_movement,
    leave=phases.end_movement,
    idle=phases.nothing_to_move,
    duty=phases.duties,
    meet=phases.meet_duties,
)
PLAYER_TURN = (
    PARKING,
    MOVEMENT,
    Step("interdiction off", "8.2d", NOBODY, enter=phases.interdiction_off),
    *barrage.STEPS,  # 8.2e 8.2l
    *antitank.STEPS,  # 8.2f 8.2m
    *combat.STEPS,  # 8.2g 8.2n
    Step("cleanup", "8.2h", NOBODY, enter=phases.clean_up),
)
SEQUENCE_OF_PLAY = Sequence(
    setup=SET_UP_STEPS,
    turn=(
        PlayerTurn(ITALIAN, PLAYER_TURN),  # 8.1a 16.11a
        PlayerTurn(BRITISH, PLAYER_TURN),
        Step("turn record", "4.3b", NOBODY, enter=victory.turn_record),
    ),
)

"""Sequence of Play."""

from __future__ import annotations

from collections.abc import Mapping

from services.rules.engine.args import read_args
from services.rules.engine.model import IllegalOrder, Order, Side
from services.rules.engine.positions import on_map
from services.rules.engine.sequence import NOBODY, PHASING, Ask, Duty, Mode, PlayerTurn, Sequence, Step, Work, on
from services.rules.engine.table import Table
from services.rules.games.holdfast import build_up, combat, movement, orders, resources, supply, victory, weather
from services.rules.games.holdfast.ground import ground
from services.rules.games.holdfast.state import clear, rp


def _unit(args: orders.OneUnit | orders.Step) -> tuple[str, ...]:
    return (args.unit,)


def over(table: Table, side: Side) -> bool:
    """Whether the action step is over: no RP left, or no unit on the map. Both are seen by all."""
    return rp(table, side) < 1 or not on_map(table, side)  # malta.10


def duties(table: Table, side: Side) -> tuple[Duty, ...]:
    """Before the action step may close: the entry hex holds one unit, if the others can leave; loss for want of supply is confirmed."""
    found = []
    surplus = movement.surplus_can_leave(table, side)
    if surplus:
        found.append(Duty("entry-overfull", "reinf.7", {"hex": str(ground(table).entry[side]), "units": list(surplus)}))
    lost = supply.without_supply(table, side)
    if lost:
        found.append(Duty("out-of-supply-at-end", "12m", {"units": list(lost)}, confirmable=True))
    return tuple(found)


_ANSWERS: Mapping[str, type[orders.Commit | orders.Lose | orders.Keep]] = {
    "COMMIT": orders.Commit,
    "LOSE": orders.Lose,
    "KEEP": orders.Keep,
}


def static(table: Table, side: Side, order: Order) -> None:
    """Refuse what no position can mend: hexes that are not on the board, answers that are none. IllegalOrder."""
    if order.verb in _ANSWERS:
        read_args(_ANSWERS[order.verb], order.args)
        if side == "axis" and order.args.get("table") is not None:
            raise IllegalOrder("rp.10", "table-not-here")  # rp.10: the Axis commits first, and can answer nothing
    elif order.verb == "ATTACK":
        _on_board(table, order.args["hex"])
    elif order.verb == "MOVE":
        for at in (order.args.get("to"), *order.args.get("path", ()), *order.args.get("via", ())):
            if at is not None:
                _on_board(table, at)


def _on_board(table: Table, text: str) -> None:
    if text not in ground(table).hexes:
        raise IllegalOrder("11.1d", "cannot-enter", hex=text)


BUILD = Step(
    "build",
    "seq.6",  # seq.9 for the Allies
    PHASING,
    accepts=(
        on(orders.Enter, build_up.enter, units=_unit),
        on(orders.Delay, build_up.delay, units=_unit),
        on(orders.Rebuild, build_up.rebuild, units=_unit),
        on(orders.Step, build_up.step, units=_unit),
    ),
    enter=build_up.begin,
    leave=build_up.close,
    idle=build_up.nothing_to_do,
)
ACTION = Step(
    "action",
    "seq.7",  # seq.10 for the Allies
    PHASING,
    accepts=(
        on(orders.Move, movement.move, units=lambda args: args.units),
        on(orders.Attack, combat.attack, units=lambda args: (*args.units, *args.lose)),
    ),
    resolves=(Work("Attack", combat.resolve), Work("Losses", combat.losses), Work("CloseAttack", combat.close)),
    asks=(Ask("losses", "LOSE", combat.take_losses, combat.check_lose),),
    idle=over,
    duty=duties,
    meet=movement.clear_entry,
)
HALF = (
    BUILD,
    ACTION,
    Step(
        "surplus",
        "reinf.7",
        PHASING,
        Mode.ASK,
        asks=(Ask("surplus", "KEEP", build_up.keep),),
        enter=build_up.ask_surplus,
        when=build_up.overfull,
    ),
    Step("supply", "12l", NOBODY, enter=supply.check),  # seq.8 seq.11
    Step("cities", "13d", NOBODY, enter=victory.end_of_player_turn),
)


def _malta(side: Side) -> tuple[Ask, ...]:
    return (Ask(f"malta-{side}", "COMMIT", resources.commit, resources.check_commit, actor=side),)


SEQUENCE_OF_PLAY = Sequence(
    turn=(
        Step("weather", "weather.1", NOBODY, enter=weather.new_month),  # seq.4
        Step("malta axis", "rp.11", "axis", Mode.ASK, asks=_malta("axis"), enter=resources.ask_axis, when=clear),  # seq.5 weather.10
        Step("malta allied", "rp.12", "allied", Mode.ASK, asks=_malta("allied"), enter=resources.ask_allied, when=clear),
        Step("malta roll", "malta.1", NOBODY, enter=resources.malta_roll),
        PlayerTurn("axis", HALF),
        PlayerTurn("allied", HALF),
        Step("turn record", "seq.1", NOBODY, enter=victory.next_month),  # seq.2
    ),
)

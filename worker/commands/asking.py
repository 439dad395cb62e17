"""Questions: HELP STATUS WHO MAP TEMPLATE LEGAL RESEND. They change nothing, and are answered to the address that they came from."""

from __future__ import annotations

from collections.abc import Mapping

from worker.commands.frame import Carry, Command, Desk, Effect, Refused, Said


def help_with(desk: Desk, command: Command) -> Effect:
    """HELP, HELP verb: the commands, or how an order or a command is written."""
    topic = command.args.get("topic")
    game = desk.game.rules if desk.game else ""
    return Effect((Said("help-topic" if topic else "help", {"topic": topic, "game": game}),))


def show_map(desk: Desk, command: Command) -> Effect:
    """MAP: the position as the side sees it now."""
    if desk.game is None or desk.side is None:
        raise Refused("which-game")
    return Effect((Said("map"),), shows=frozenset({"map", "position"}))


TABLE: Mapping[str, Carry] = {"HELP": help_with, "MAP": show_map}

"""Moments worth a picture: player-turns of a game that the adjutant plays against itself, with the position before and after each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from worker.canonical import Json
from worker.desk.archive import Played, turn_of
from worker.desk.selfplay import PLAIN, adjutants_packet
from worker.play.pictures import untried
from worker.ports import Rules, ServiceFailed, ServiceRefused

MOST_PACKETS = 2_000
"""Far above what some game-turns take."""
_WEIGHTS = {"battle": 5, "control_changed": 3, "eliminated": 3, "arrived": 2, "moved": 1}


@dataclass
class Moment:
    """One player-turn (or a part of the game-turn that is nobody's): the position before it and after it, and its events.

    ``side``: whose it is; ``packets``: each packet that was given in it, with the state to which it was given.
    """

    turn: int
    side: str | None
    before: Json
    after: Json
    events: list[Json] = field(default_factory=list)
    packets: list[tuple[Json, Json]] = field(default_factory=list)

    @property
    def weight(self) -> int:
        """How much there is to see."""
        return sum(_WEIGHTS.get(event["kind"], 0) for event in self.events)


def played(rules: Rules, scenario: str, secret: str, turns: int) -> list[Moment]:
    """The player-turns of the first game-turns of a scenario; only its first position where the game has no adjutant.

    Raises ServiceFailed where the adjutant does not come to an end.
    """
    first = rules.new_state(scenario, {}, secret)
    found = [_moment(first["state"])]
    try:
        for state, packet, outcome in _outcomes(rules, first["state"], Played(scenario, scenario, {}, secret), turns):
            if _place(state) != _place(found[-1].before):
                found.append(_moment(state))
            found[-1].packets.append((state, packet))
            found[-1].events += outcome["events"]
            found[-1].after = outcome["state"]
    except ServiceRefused:  # this game has none
        return found
    return found


def _outcomes(rules: Rules, state: Json, game: Played, turns: int) -> Iterator[tuple[Json, Json, Json]]:
    """Each packet with the state that it is given to, and its outcome."""
    n = 0
    for number in range(1, MOST_PACKETS):
        if state.get("over") or turn_of(state) > turns:
            return
        packet = adjutants_packet(rules, state, f"gallery-{number:06d}")
        outcome = rules.adjudicate({"state": state, "packet": packet, "seed": game.seed(n + 1)})
        if outcome["status"] != "done" or outcome["state"] == state:
            raise ServiceFailed(f"The adjutant's packet {packet['id']} was not carried out: {str(outcome['rejections'])[:500]}")
        n += bool(outcome["ran"])
        yield state, packet, outcome
        state = outcome["state"]
    raise ServiceFailed(f"The adjutant does not come to an end: {MOST_PACKETS} packets were played.")


def _moment(state: Json) -> Moment:
    parts = [name for kind, name in state["path"] if kind == "player-turn"]
    return Moment(turn_of(state), str(parts[0]) if parts else None, state, state)


def _place(state: Json) -> Json:
    """Game-turn and player-turn."""
    return [part for part in state["path"] if part[0] in ("turn", "player-turn", "setup")]


def busiest(moments: list[Moment]) -> Moment:
    """The one with most to see, not in the first game-turn where there are later ones: a position in the middle of a game."""
    later = [one for one in moments if one.turn > 1 and one.side]
    return max(later or moments, key=lambda one: one.weight)


def ends_of_turns(moments: list[Moment]) -> list[Moment]:
    """The last of each game-turn."""
    return list({one.turn: one for one in moments}.values())


def planned(rules: Rules, moment: Moment) -> tuple[Json, list[Json]] | None:
    """All moves and attacks of a player-turn as if they had been tried (CHECK) before the first of them: the view of its side with what the
    try tells, and the orders that it does not carry out. None where nothing moves.
    """
    moving = [(state, one) for state, packet in moment.packets for one in packet["orders"] if "units" in one["args"]]
    if not moving or moment.side is None:
        return None
    orders = [one | {"line": line} for line, (_, one) in enumerate(moving, start=1)]
    state = moving[0][0]
    packet = PLAIN | {"id": "gallery-plan", "side": moment.side, "orders": orders, "anyway": True, "check": True}
    outcome = rules.adjudicate({"state": state, "packet": packet})
    return rules.view(state, moment.side, outcome["events"]), untried(orders, outcome["events"])

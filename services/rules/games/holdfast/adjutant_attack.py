"""The adjutant's attacks: which enemy to attack, who goes where for it, with which help."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from scenarios.hexes import Hex
from services.rules.engine.model import Json, Order
from services.rules.games.holdfast.adjutant_ground import reach, supplied, worth
from services.rules.games.holdfast.adjutant_odds import Attacker, hits, losses
from services.rules.games.holdfast.adjutant_view import Sketch
from services.rules.games.holdfast.combat import defence_dice
from services.rules.games.holdfast.ground import around, ground
from services.rules.games.holdfast.state import air, clear, control, hex_of, is_armor, leader_free, occupied, on_map, rp, sp, value
from services.rules.games.holdfast.supply import without_supply

KILL = 2000
"""What it is worth to eliminate a unit, beyond its strength."""
CITY = 7000
"""What it is worth to have a city emptied of its defender."""
RELIEF = 4000
"""What it is worth, a unit, to open a way for supply."""
HELP = 2
"""Dice that an air unit or a leader adds."""
STAND = 600
"""What remains of the worth of an attack must come to this."""


@dataclass(frozen=True, slots=True)
class Place:
    """A unit that can take part: where from (None: where it stands), its dice there, whether a leader takes it there."""

    unit: str
    at: Hex
    move: bool
    led: bool
    fights: Attacker


@dataclass(frozen=True, slots=True)
class Plan:
    """An attack: the gain expected, in thousandths of an RP, the target, those who take part, and the help."""

    gain: int
    target: Hex
    places: tuple[Place, ...]
    air: str | None
    leader: bool

    def orders(self) -> Iterator[Order]:
        """The moves, then the attack."""
        for place in self.places:
            if place.move:
                yield move(place.unit, place.at, led=place.led)
        units = [place.unit for place in self.places]
        yield Order(0, "ATTACK", {"hex": str(self.target), "units": units, "air": self.air, "leader": self.leader, "lose": []})


def move(unit: str, to: Hex, *, strategic: bool = False, led: bool = False) -> Order:
    """A move to a hex by the cheapest way."""
    args: Mapping[str, Json] = {"units": [unit], "path": [], "to": str(to), "via": [], "road": False, "strategic": strategic, "leader": led}
    return Order(0, "MOVE", args)


def best(sketch: Sketch, spare: int) -> Plan | None:
    """The attack that promises most of those that promise enough, for at most the RP that are not kept back; None if none does."""
    money = rp(sketch, sketch.side) - spare
    if money < 1:
        return None
    plans = []
    for target in sorted(occupied(sketch, sketch.enemy(sketch.side))):
        plan = _plan(sketch, target, money)
        if plan is not None and plan.gain >= STAND:
            plans.append(plan)
    plans.sort(key=lambda p: (-p.gain, p.target))
    return next((plan for plan in plans if _keeps_supply(sketch, plan)), None)


def _keeps_supply(sketch: Sketch, plan: Plan) -> bool:
    """Whether no more units are out of supply when the moves are made than before; the position is left as it was."""
    before = len(without_supply(sketch, sketch.side))
    moved = [sketch.put(place.unit, place.at) for place in plan.places if place.move]
    after = len(without_supply(sketch, sketch.side))
    for counter in reversed(moved):
        sketch.back(counter)
    return after <= before


def _plan(sketch: Sketch, target: Hex, money: int) -> Plan | None:
    """The best that can be brought to bear on a hex: attackers are added one by one as long as they add to the gain."""
    wing = next((name for name, use in sorted(air(sketch, sketch.side).items()) if use == "free"), None) if clear(sketch) else None
    chief = leader_free(sketch, sketch.side, "attack") is not None
    able = sorted(_places(sketch, target), key=lambda p: (p.move, p.led, -p.fights.dice, p.fights.worth, p.at, p.unit))
    bonus, help_ = _bonus(sketch, target), HELP * (wing is not None) + HELP * chief
    chosen: list[Place] = []
    gain = -FAILED
    while True:
        found = [(_gain(sketch, target, [*chosen, place], money, bonus, help_), place) for place in able if _free(place, chosen)]
        if not found:
            break
        most = max(worth_ for worth_, _ in found)
        if most <= gain:
            break
        gain = most
        chosen.append(next(place for worth_, place in found if worth_ == most))
    return Plan(gain, target, tuple(chosen), wing, chief) if chosen else None


FAILED = 10**9


def _free(place: Place, chosen: list[Place]) -> bool:
    return all(place.unit != other.unit and place.at != other.at and not (place.led and other.led) for other in chosen)


def _gain(sketch: Sketch, target: Hex, places: list[Place], money: int, bonus: int, help_: int) -> int:
    """What an attack is worth less what it costs; very little if it cannot be paid."""
    price = 1 + sum(place.move for place in places)
    if price > money:
        return -FAILED
    defender = next(c.id for c in on_map(sketch, sketch.enemy(sketch.side)) if c.place == target)
    dice = sum(place.fights.dice for place in places) + help_
    expected, kill = hits(dice, value(sketch, defender, "target"), sp(sketch, defender))
    lost = losses(defence_dice(sketch, defender)[0], [place.fights for place in places])
    return expected * worth(sketch, defender) + kill * (KILL + bonus) // 1000 - lost - 500 * price


def _bonus(sketch: Sketch, target: Hex) -> int:
    """What the hex is worth to the side without its defender: an enemy city, a way for supply."""
    found = CITY if control(sketch).get(str(target)) not in (None, sketch.side) else 0
    lost = without_supply(sketch, sketch.side)
    if lost:
        near = {to for at in [target] for to in around(sketch)(at)}
        if near & set(sketch.data.board.road_neighbours):
            found += RELIEF * len(lost)
    return found


def _places(sketch: Sketch, target: Hex) -> Iterator[Place]:
    """The units that can attack a hex, each with the hexes from which it can."""
    spots = [at for at in around(sketch)(target) if at not in occupied(sketch, sketch.enemy(sketch.side))]
    safe = supplied(sketch, sketch.side)
    for counter in on_map(sketch, sketch.side):
        here = counter.place
        assert isinstance(here, Hex)
        if "attacked" in counter.marks:
            continue
        if here in spots:
            yield from _place(sketch, counter.id, here, target, False, False)
        elif "moved" not in counter.marks:
            plain, led = reach(sketch, counter.id), reach(sketch, counter.id, leader=True)
            for at in spots:
                if at in safe and (at in plain or at in led):
                    yield from _place(sketch, counter.id, at, target, True, at not in plain)


def _place(sketch: Sketch, unit: str, at: Hex, target: Hex, moves: bool, led: bool) -> Iterator[Place]:
    """The unit in the attack from a hex, if it has dice there (terrain.3) and its zone reaches across (zoc.7)."""
    scarp = (at, target) in ground(sketch).scarps
    if scarp and is_armor(sketch, unit):
        return
    lost = ground(sketch).terrain_dice(sketch.data.board.terrain[target], "attack")
    lost += ground(sketch).terrain_dice("escarpment", "attack") if scarp else 0
    lost -= at not in supplied(sketch, sketch.side) and hex_of(sketch, unit) == at
    dice = value(sketch, unit, "dice") + lost
    if dice > 0:
        yield Place(unit, at, moves, led, Attacker(dice, value(sketch, unit, "target"), sp(sketch, unit), worth(sketch, unit)))

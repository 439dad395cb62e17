"""The adjutant's attacks: which enemy to attack, who goes where for it, with which help."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from scenarios.hexes import Hex
from services.rules.engine.model import IllegalOrder, Json, Order
from services.rules.engine.positions import hex_of, occupied, on_map
from services.rules.games.holdfast.adjutant_ground import city_worth, desperate, garrisoned, is_last, lost, reach, supplied, worth
from services.rules.games.holdfast.adjutant_odds import Attacker, hits, losses
from services.rules.games.holdfast.adjutant_view import Sketch
from services.rules.games.holdfast.combat import check_attack, defence_dice
from services.rules.games.holdfast.ground import around, ground
from services.rules.games.holdfast.orders import Attack
from services.rules.games.holdfast.state import air, clear, is_armor, leader_free, rp, sp, value

KILL = 4000
"""What it is worth to eliminate a unit, beyond its strength."""
RELIEF = 4000
"""What it is worth, a unit, to open a way for supply."""
HELP = 2
"""Dice that an air unit or a leader adds."""
LEFT = 7000
"""What it costs to take the garrison out of a city that the enemy can enter."""
FAILED = 10**9
STAND = 800
"""What remains of the worth of an attack must come to this."""


@dataclass(frozen=True, slots=True)
class Place:
    """A unit that can take part: where from (None: where it stands), its dice there, whether a leader takes it there."""

    unit: str
    at: Hex
    move: bool
    led: bool
    leaves: bool
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
    return next((plan for plan in plans if can_be_done(sketch, plan)), None)


def can_be_done(sketch: Sketch, plan: Plan) -> bool:
    """Whether every order of the plan is legal in its turn, and no more units are out of supply after them than before."""
    before = len(lost(sketch))

    def found() -> bool:
        for place in plan.places:
            if place.move:
                if place.at not in reach(sketch, place.unit, leader=place.led):
                    return False
                sketch.put(place.unit, place.at)
        units = tuple(place.unit for place in plan.places)
        try:
            check_attack(sketch, sketch.side, Attack(plan.target, units, plan.air, plan.leader))
        except IllegalOrder:
            return False
        return len(lost(sketch)) <= before

    return sketch.after((), found)


def _plan(sketch: Sketch, target: Hex, money: int) -> Plan | None:
    """The best that can be brought to bear on a hex: attackers are added one by one as long as they add to the gain."""
    wing = next((name for name, use in sorted(air(sketch, sketch.side).items()) if use == "free"), None) if clear(sketch) else None
    chief = leader_free(sketch, sketch.side, "attack") is not None
    aim = _aim(sketch, target, money, HELP * (wing is not None) + HELP * chief)
    able = sorted(_places(sketch, target), key=lambda p: (p.move, p.led, -p.fights.dice, p.fights.worth, p.at, p.unit))
    chosen: list[Place] = []
    gain = -FAILED
    while True:
        found = [(aim.gain([*chosen, place]), place) for place in able if _free(place, chosen)]
        most = max((gained for gained, _ in found), default=-FAILED)
        if most <= gain:
            break
        gain = most
        chosen.append(next(place for gained, place in found if gained == most))
    return Plan(gain, target, tuple(chosen), wing, chief) if chosen else None


def _free(place: Place, chosen: list[Place]) -> bool:
    return all(place.unit != other.unit and place.at != other.at and not (place.led and other.led) for other in chosen)


@dataclass(frozen=True, slots=True)
class Aim:
    """An enemy unit to attack: what hits it, its strength, the RP's worth of a point of it, its dice; what its hex is worth when empty.

    ``walkers``: the side's units that could enter the hex then. ``risk``: by what own losses are divided: near the end they count less.
    """

    money: int
    help: int
    number: int
    sp: int
    worth: int
    dice: int
    city: int
    relief: int
    walkers: frozenset[str]
    risk: int

    def gain(self, places: Sequence[Place]) -> int:
        """What an attack is worth less what it costs; very little if it cannot be paid."""
        moving = {place.unit for place in places if place.move}
        price = 1 + len(moving)
        if price > self.money:
            return -FAILED
        expected, kill = hits(sum(place.fights.dice for place in places) + self.help, self.number, self.sp)
        prize = KILL + self.relief
        prize += self.city if self.walkers - moving and price < self.money else self.city // 3
        cost = losses(self.dice, [place.fights for place in places]) // self.risk
        return expected * self.worth + kill * prize // 1000 - cost - 500 * price - sum(LEFT for place in places if place.leaves)


def _aim(sketch: Sketch, target: Hex, money: int, help_: int) -> Aim:
    defender = next(c.id for c in on_map(sketch, sketch.enemy(sketch.side)) if c.place == target)
    near = frozenset(around(sketch)(target))
    cut_off = lost(sketch) if near & set(sketch.data.board.road_neighbours) else ()
    unmoved = [c for c in on_map(sketch, sketch.side) if "moved" not in c.marks]
    return Aim(
        money,
        help_,
        value(sketch, defender, "target"),
        sp(sketch, defender),
        worth(sketch, defender),
        defence_dice(sketch, defender)[0],
        city_worth(sketch, target, sketch.side),
        RELIEF * len(cut_off),
        frozenset(c.id for c in unmoved if c.place in near or near & set(reach(sketch, c.id))),
        4 if is_last(sketch) else 2 if desperate(sketch) else 1,
    )


def _places(sketch: Sketch, target: Hex) -> Iterator[Place]:
    """The units that can attack a hex, each with the hexes from which it can."""
    spots = [at for at in around(sketch)(target) if at not in occupied(sketch, sketch.enemy(sketch.side))]
    safe = supplied(sketch, sketch.side)
    for counter in on_map(sketch, sketch.side):
        here = counter.place
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
    dice = value(sketch, unit, "dice") + ground(sketch).terrain_dice(sketch.data.board.terrain[target], "attack")
    dice += ground(sketch).terrain_dice("escarpment", "attack") if scarp else 0
    dice -= at not in supplied(sketch, sketch.side)
    here = hex_of(sketch, unit)
    guards = here is not None and garrisoned(sketch, here) and len(_here(sketch, here)) == 1
    if dice > 0:
        price = worth(sketch, unit) + 2 * (guards and not moves)
        yield Place(unit, at, moves, led, guards and moves, Attacker(dice, value(sketch, unit, "target"), sp(sketch, unit), price))


def _here(sketch: Sketch, here: Hex) -> list[str]:
    return [c.id for c in on_map(sketch, sketch.side) if c.place == here]

"""Race for Tunis: what the state keeps of the game's own, and its work (docs/decisions/0002-shapes.md); its verbs are in ``_orders``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from scenarios.data import GameData
from scenarios.hexes import Edge, Hex, Place
from services.rules.engine.model import Counter, GameState, Side
from services.rules.schemas.common import HEX
from services.rules.schemas.race_for_tunis_orders import MAX_PATH, MAX_UNITS, VERBS
from services.rules.schemas.wire import Label, Strict, UnitId, Word

__all__ = ["CONTEXTS", "FRAMES", "VERBS", "Own", "check"]
TunisSide = Literal["axis", "allied"]
HexNumber = Annotated[str, Meta(pattern=HEX)]
Units = Annotated[list[UnitId], Meta(max_length=MAX_UNITS)]
Hexes = Annotated[list[HexNumber], Meta(max_length=MAX_PATH)]
Result = Annotated[str, Meta(pattern=r"\A(?:AE|AR[1-9]|Con|Eng|Ex|DR[1-9]|DE|VOID)\Z")]
Spelt = Annotated[str, Meta(pattern=r"\A(?:AE|AR[1-9]|CON|ENG|EX|DR[1-9]|DE)\Z")]
Role = Literal["attacker", "defender"]
Length = Annotated[int, Meta(ge=1, le=9)]
Points = Annotated[int, Meta(ge=0, le=1000)]


# -- the game's own --------------------------------------------------------------------------------------------------------------


class Port(Strict):
    """A port: whether both were lost and its landings are diced for, and how many may still land."""

    lost: bool
    limit: Points | None


class Flight(Strict):
    """An air unit: what it does, where, and the game-turn in which it returns."""

    state: Word
    hex: HexNumber | None
    back: Points | None


class Engagement(Strict):
    """Units engaged with one another; ``beside``: units of the defenders' side that stood beside the attackers already, and where;
    ``broken``: the newcomers that have broken it in this combat phase."""

    attackers: Units
    defenders: Units
    hexes: Hexes
    beside: dict[UnitId, HexNumber] = field(default_factory=dict)
    broken: Units = field(default_factory=list)


class French(Strict):
    """Whether the French fight freely, and whether the Axis has attacked one of them."""

    free: bool
    attacked: bool


class Battle(Strict):
    """A declared battle."""

    label: Label
    hexes: Hexes
    units: Units
    support: Units
    lower: Points | None
    only: UnitId | None
    rest: bool
    defenders: Units
    defence: Units
    air: Units
    done: bool
    result: Result | None
    moved: Units = field(default_factory=list)


class Fire(Strict):
    """Guns that fire at an enemy one (17.3)."""

    guns: Units
    target: UnitId


class Own(Strict):
    """What the state keeps of Race for Tunis's own (``games.race_for_tunis.state`` says what each is)."""

    places: dict[HexNumber, TunisSide]
    rp: Points
    weather: Literal["clear", "rain", "heavy-rain"]
    blown: Hexes
    worked: Hexes
    moving: Annotated[str, Meta(pattern=r"\A[A-Z0-9-]{0,8}\Z")]
    ports: dict[Word, Port]
    diverted: dict[UnitId, Word]
    limits: dict[Word, Points]
    air: dict[UnitId, Flight]
    engaged: Annotated[list[Engagement], Meta(max_length=200)]
    french: French
    battles: Annotated[list[Battle], Meta(max_length=200)]
    silenced: Units
    fires: Annotated[list[Fire], Meta(max_length=200)]
    landers: dict[UnitId, Points]
    dropped: Units


# -- work and decisions ----------------------------------------------------------------------------------------------------------


class ExcessWork(Strict):
    """A hex over the stacking limits at the end of a player-turn; ``driven``: the units in it that have retreated."""

    side: TunisSide
    hex: HexNumber
    driven: Units


class ExcessContext(Strict):
    """The hex, and the units in it of which some must go."""

    hex: HexNumber
    units: Units


class NextBattleWork(Strict):
    """The next battle is taken up."""


class BattleWork(Strict):
    """A battle to be fought, or to be settled."""

    label: Label


class LossesWork(Strict):
    """One side of a battle removes units that count so much."""

    label: Label
    role: Role
    need: Points


class RetreatsWork(Strict):
    """One side of a battle retreats so many hexes."""

    label: Label
    role: Role
    hexes: Length


class AdvanceWork(Strict):
    """One side of a battle may advance so many hexes, the first one of these."""

    label: Label
    role: Role
    hexes: Length
    into: Hexes


class LossesContext(LossesWork):
    """The result that takes the units."""

    result: Spelt


class RetreatContext(RetreatsWork):
    """The unit that is asked for, and the result that drives it."""

    unit: UnitId
    result: Spelt


class AdvanceContext(AdvanceWork):
    """The units that can advance, and the result that lets them."""

    units: Units
    vacated: bool
    result: Spelt


class Interception(Strict):
    """An air unit intercepts an enemy one."""

    unit: UnitId
    target: UnitId


class Scramble(Strict):
    """All air units of the other side intercept, by a rule, but for those kept back."""

    rank: Literal["SUPPORT-FIRST", "INTERDICTION-FIRST", "HIGHEST"]
    keep: Points | None


FRAMES: Mapping[str, type[Struct]] = {
    "Counterbattery": Fire,
    "Interception": Interception,
    "Scramble": Scramble,
    "NextBattle": NextBattleWork,
    "Battle": BattleWork,
    "Losses": LossesWork,
    "Retreats": RetreatsWork,
    "Advance": AdvanceWork,
    "Settle": BattleWork,
    "Excess": ExcessWork,
}
CONTEXTS: Mapping[str, type[Struct]] = {
    "losses": LossesContext,
    "retreat": RetreatContext,
    "advance": AdvanceContext,
    "excess": ExcessContext,
}


def check(state: GameState, data: GameData) -> dict[str, Any]:
    """Faults of a well-formed state that the rules could not work with: units as no play leaves them, both sides in one hex."""
    counters = {key: fault for key, counter in state.counters.items() if (fault := _unit_fault(key, counter, data))}
    faults: dict[str, Any] = {"counters": counters} if counters else {}
    if state.own["ports"].keys() != data.charts["ports"].keys():
        faults["own"] = {"ports": ["Each port, and nothing else, must be there."]}
    if state.own["places"].keys() != {str(at) for at in data.board.marks["held"]}:
        faults["own"] = {"places": ["Each place that is held, and nothing else, must have a side."]}
    held: dict[Place, Side] = {}
    for key, counter in state.counters.items():
        if isinstance(counter.place, Hex) and held.setdefault(counter.place, counter.side) != counter.side:  # 6.3-1
            faults.setdefault("counters", {}).setdefault(key, {"place": ["Units of both sides are there."]})
    return faults


def _unit_fault(key: str, counter: Counter, data: GameData) -> dict[str, Any] | None:
    card = data.cards[counter.card]
    if key != counter.card:
        return {"card": ["Must be the unit's own."]}
    if counter.side != card.side:
        return {"side": [f"The unit is of the side {card.side}."]}
    if counter.face:
        return {"face": ["The unit has no such side."]}
    if isinstance(counter.place, Hex) and (counter.place not in data.board.terrain or card.values["class"] == "air"):
        return {"place": ["No unit can stand there."]}
    if isinstance(counter.place, Edge) and counter.place.name != "off":
        return {"place": ["Units wait at edge:off."]}
    return None

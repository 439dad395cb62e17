"""The state as it lies on the wire (``format`` 1), typed and bounded for msgspec. ``schemas.state`` makes model values of it, and back.

Free JSON (``own``, ``args``, ...) is ``Any`` here and looked through by ``common.check_json``.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from services.rules.schemas.common import DIGEST, LABEL, MAX_INT, MAX_ORDERS, SIDE, UNIT, VERB

SideName = Annotated[str, Meta(pattern=SIDE)]
ScriptKey = Annotated[str, Meta(pattern=SIDE.removesuffix(r"\Z") + r"(/window)?\Z")]
UnitId = Annotated[str, Meta(pattern=UNIT)]
Verb = Annotated[str, Meta(pattern=VERB)]
Label = Annotated[str, Meta(pattern=LABEL)]
Digest = Annotated[str, Meta(pattern=DIGEST)]
Word = Annotated[str, Meta(min_length=1, max_length=64)]
Text = Annotated[str, Meta(max_length=200)]
Count = Annotated[int, Meta(ge=0, le=MAX_INT)]
Small = Annotated[int, Meta(ge=0, le=100_000)]
Json = Any
JsonObject = Annotated[dict[str, Any], Meta(max_length=50)]
Path = Annotated[list[tuple[Word, Word | Small]], Meta(max_length=8)]


class Strict(Struct, forbid_unknown_fields=True):
    """A record that refuses fields that it does not know."""


class CounterWire(Strict):
    side: SideName
    card: Word
    place: Text
    face: Annotated[str, Meta(max_length=64)]
    parts: Annotated[list[UnitId], Meta(max_length=50)]
    marks: Annotated[list[Word], Meta(max_length=50)]
    num: Annotated[dict[Word, int | str], Meta(max_length=50)]


Guards = Annotated[list[dict[str, Any]], Meta(max_length=10)]


class SimpleOrderWire(Strict):
    """An order under another, which has none under it: so no body is deeper than the stack."""

    line: Small
    verb: Verb
    args: JsonObject
    label: Label | None
    guard: Guards
    confirm: bool
    otherwise: None = field(name="else")
    then: None = None


class OrderWire(Strict):
    line: Small
    verb: Verb
    args: JsonObject
    label: Label | None
    guard: Guards
    confirm: bool
    otherwise: SimpleOrderWire | None = field(name="else")
    then: SimpleOrderWire | None = None


Orders = Annotated[list[OrderWire], Meta(max_length=MAX_ORDERS)]


class StandingWire(Strict):
    n: Small
    order: OrderWire


class TailWire(Strict):
    orders: Orders
    fault: Literal["stop", "skip"]
    anyway: bool
    last: Path
    spent: bool = False


class DecisionWire(Strict):
    id: Word
    kind: Word
    window: Word
    side: SideName
    clause: Text
    verb: Verb
    default: JsonObject
    choices: Annotated[list[JsonObject], Meta(max_length=1000)] | None
    rule: JsonObject | None
    group: Text | None
    sealed: bool
    label: Label | None
    context: JsonObject
    deadline: Word
    public: bool


class OverWire(Strict):
    winner: SideName | None
    level: Word
    why: Text


class StateWire(Strict):
    format: Literal[1]
    game: Word
    scenario: Word
    data_digest: Digest
    options: JsonObject
    branch: Small
    path: Path
    seq: dict[SideName, Count]
    counters: Annotated[dict[UnitId, CounterWire], Meta(max_length=1000)]
    agenda: Annotated[list[tuple[Word, JsonObject]], Meta(max_length=2000)]
    pending: Annotated[list[DecisionWire], Meta(max_length=200)]
    answers: Annotated[dict[Word, JsonObject], Meta(max_length=200)]
    sets: Annotated[dict[Text, Orders], Meta(max_length=50)]
    standing: dict[SideName, Annotated[list[StandingWire], Meta(max_length=MAX_ORDERS)]]
    on: dict[SideName, Orders]
    tails: dict[ScriptKey, TailWire]
    drawn: Annotated[dict[Annotated[str, Meta(max_length=500)], Small], Meta(max_length=20_000)]
    asked: dict[SideName, Text]
    closing: dict[SideName, Literal["own", "own-auto", "other", "other-auto"]]
    results: Annotated[dict[Text, Json], Meta(max_length=500)]
    opened: dict[SideName, Count]
    ids: dict[SideName, Count]
    hidden: Digest
    own: Annotated[dict[str, Any], Meta(max_length=200)]
    over: OverWire | None


class EventWire(Strict):
    """An event as it comes back to be cut down to a side's view."""

    n: Small
    kind: Word
    clause: Text
    path: Path
    data: JsonObject
    owner: SideName | None
    public: JsonObject | None
    changes: Annotated[list[list[Json]], Meta(max_length=2000)]

"""Events to and from JSON."""

from __future__ import annotations

import msgspec
from marshmallow import ValidationError

from services.rules.engine.model import Change, Counter, Event, Json
from services.rules.schemas.common import check_json, from_msgspec, placed, plain
from services.rules.schemas.state import dump_counter, load_path
from services.rules.schemas.wire import EventWire

MAX_EVENTS = 20_000


def dump_event(event: Event) -> dict[str, Json]:
    """An event with all that it holds: the umpire's form."""
    return {
        "n": event.n,
        "kind": event.kind,
        "clause": event.clause,
        "path": plain(event.path),
        "data": plain(event.data),
        "owner": event.owner,
        "public": plain(event.public),
        "changes": [_dump_change(change) for change in event.changes],
    }


def load_events(raw: Json) -> tuple[Event, ...]:
    """Events as ``dump_event`` wrote them; their ``changes`` stay plain JSON. ValidationError, placed by index."""
    if not isinstance(raw, list) or len(raw) > MAX_EVENTS:
        raise ValidationError(f"Must be a list of at most {MAX_EVENTS} events.")
    return tuple(_load_event(event, n) for n, event in enumerate(raw))


def _load_event(raw: Json, n: int) -> Event:
    try:
        wire = msgspec.convert(raw, EventWire)
        for value in (wire.data, wire.public, wire.changes):
            check_json(value)
    except msgspec.ValidationError as error:
        raise placed((n,), from_msgspec(error)) from None
    except ValidationError as error:
        raise placed((n,), error) from None
    return Event(
        kind=wire.kind,
        clause=wire.clause,
        data=wire.data,
        owner=wire.owner,
        public=wire.public,
        changes=tuple(tuple(change) for change in wire.changes),
        path=load_path(wire.path),
        n=wire.n,
    )


def _dump_change(change: Change) -> list[Json]:
    return [dump_counter(part) if isinstance(part, Counter) else plain(part) for part in change]

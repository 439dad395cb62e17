"""Outcomes to JSON. The state is encoded once: its digest is taken over the very bytes that leave."""

from __future__ import annotations

import hashlib

import msgspec

from services.rules.engine.model import Json, Outcome, Rejection
from services.rules.schemas.common import plain
from services.rules.schemas.events import dump_event
from services.rules.schemas.state import dump_decision, state_bytes


def dump_outcome(outcome: Outcome) -> dict[str, Json]:
    """An outcome with the canonical bytes of its state in place (``msgspec.Raw``) and their SHA-256."""
    state = state_bytes(outcome.state)
    return {
        "status": outcome.status,
        "state": msgspec.Raw(state),
        "digest": hashlib.sha256(state).hexdigest(),
        "events": [dump_event(event) for event in outcome.events],
        "rejections": [dump_rejection(rejection) for rejection in outcome.rejections],
        "pending": [dump_decision(decision) for decision in outcome.state.pending],
        "ran": outcome.ran,
    }


def dump_rejection(rejection: Rejection) -> dict[str, Json]:
    """An order that was not carried out, as JSON."""
    return {
        "line": rejection.line,
        "code": rejection.code,
        "clause": rejection.clause,
        "details": plain(rejection.details),
        "fate": rejection.fate,
    }

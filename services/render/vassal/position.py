"""A view as the commands of a save."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from services.render.vassal.codec import ident, seq
from services.render.vassal.kit import Kit
from services.render.vassal.pieces import stack_state, state_at
from services.render.vassal.places import Stand, boards, counter_of_turns, stands
from services.render.views import View


def position(kit: Kit, view: View, secret: bytes) -> list[str]:
    """The commands of a whole position."""
    found = stands(kit, view, secret)
    return ["begin_save", *added(kit, found), *stacked(found, secret), boards(), counter_of_turns(kit, view), "end_save"]


def added(kit: Kit, found: Iterable[Stand]) -> Iterator[str]:
    """The commands that bring the pieces."""
    for one in found:
        written, _ = kit.whole[one.kind]
        state = state_at(one.states, one.id, kit.pieces[one.kind].gpid, one.at)
        yield "+/" + seq("/", one.id) + "/" + written + "/" + seq("/", state)


def stacked(found: Iterable[Stand], secret: bytes) -> Iterator[str]:
    """The commands that lay the stacks."""
    spots: dict[tuple[int, int], list[str]] = {}
    for one in found:
        if one.stacks:
            spots.setdefault(one.at, []).append(one.id)
    for at, ids in spots.items():
        yield "+/" + seq("/", stack_id(secret, at), "stack", stack_state(at, ids))


def stack_id(secret: bytes, at: tuple[int, int]) -> str:
    """The id of the stack that stands somewhere in a save."""
    return ident(secret, "stack", *at)

"""The board while a log runs: which piece lies where, and the commands that change it."""

from __future__ import annotations

from collections.abc import Iterable

from services.render.vassal.codec import ident, seq
from services.render.vassal.kit import Kit
from services.render.vassal.pieces import MAP, stack_state, state_at
from services.render.vassal.places import Stand
from services.render.vassal.position import added, stack_id

Spot = tuple[int, int]


class Table:
    """Pieces and stacks as VASSAL has them after the commands so far. Every change returns its commands."""

    def __init__(self, kit: Kit, found: Iterable[Stand], secret: bytes) -> None:
        self.kit = kit
        self.secret = secret
        self.on: dict[str, Stand] = {}
        self.stacks: dict[Spot, tuple[str, list[str]]] = {}
        self._made = 0
        for one in found:
            self.on[one.id] = one
            if one.stacks:
                self.stacks.setdefault(one.at, (stack_id(secret, one.at), []))[1].append(one.id)

    def add(self, one: Stand) -> list[str]:
        """A new piece, on top of what lies there."""
        out = [*added(self.kit, [one])]
        self.on[one.id] = one
        if one.stacks:
            stack, ids = self._stack(one.at, out)
            ids.append(one.id)
            # A piece that is new stands in no stack yet: it is moved onto the stack in its place.
            out.append(_move(one.id, one.at, one.at, stack, "null"))
        return out

    def put(self, one: Stand) -> list[str]:
        """A piece stands there with these states, whether it is new or not."""
        if one.id in self.on:
            return [*self.move(one.id, one.at), *self.turn(one.id, one.states)]
        return self.add(one)

    def remove(self, ident_: str) -> list[str]:
        """A piece goes."""
        one = self.on.pop(ident_)
        return [f"-/{ident_}", *self._leave(one)]

    def move(self, ident_: str, to: Spot) -> list[str]:
        """A piece lies on top of what is there now; nothing if it does already lie there."""
        one = self.on[ident_]
        if one.at == to:
            return []
        self.on[ident_] = Stand(one.id, one.kind, one.states, to, one.stacks)
        if not one.stacks:
            return [_move(ident_, to, one.at, "null", "null")]
        out: list[str] = []
        stack, ids = self._stack(to, out)
        ids.append(ident_)
        out.append(_move(ident_, to, one.at, stack, self.stacks[one.at][0]))
        return [*out, *self._leave(one)]

    def turn(self, ident_: str, states: tuple[str, ...]) -> list[str]:
        """The states of a piece's traits; nothing if they are so."""
        one = self.on[ident_]
        if one.states == states:
            return []
        self.on[ident_] = Stand(one.id, one.kind, states, one.at, one.stacks)
        return ["D/" + seq("/", ident_, state_at(states, ident_, self.kit.pieces[one.kind].gpid, one.at))]

    def become(self, found: list[Stand]) -> list[str]:
        """Whatever it takes to have just these pieces, in these places, with these states, in this order of stacks."""
        wanted = {one.id: one for one in found}
        out: list[str] = []
        for gone in [ident_ for ident_ in self.on if ident_ not in wanted]:
            out += self.remove(gone)
        for one in found:
            out += self.put(one)
        order: dict[Spot, list[str]] = {}
        for one in found:
            if one.stacks:
                order.setdefault(one.at, []).append(one.id)
        for at, ids in order.items():
            stack, now = self.stacks[at]
            if now != ids:
                now[:] = ids
                out.append("D/" + seq("/", stack, stack_state(at, ids)))
        return out

    def _stack(self, at: Spot, out: list[str]) -> tuple[str, list[str]]:
        """The stack in a place; a new one, with its command, if there is none."""
        if at not in self.stacks:
            self._made += 1
            made = ident(self.secret, "stack", *at, self._made)
            out.append("+/" + seq("/", made, "stack", stack_state(at, ())))
            self.stacks[at] = (made, [])
        return self.stacks[at]

    def _leave(self, one: Stand) -> list[str]:
        """A piece is no longer in its stack; a stack without pieces goes."""
        if not one.stacks:
            return []
        stack, ids = self.stacks[one.at]
        ids.remove(one.id)
        if ids:
            return []
        del self.stacks[one.at]
        return [f"-/{stack}"]


def _move(ident_: str, to: Spot, old: Spot, under: str, old_under: str) -> str:
    return "M/" + seq("/", ident_, MAP, *to, under, MAP, *old, old_under, "null")

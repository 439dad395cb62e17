"""A VASSAL save or log as the program reads it, against its module; and a log played step by step."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from tests.render.vassal.codec import ESC, TAB, Malformed, Piece, must, piece, plain, split
from tests.render.vassal.modules import Module, archive

SETUP = "VASSAL.build.module.map.SetupStack"


@dataclass(frozen=True, slots=True)
class Stack:
    """A stack; ``pieces``: ids from the bottom to the top."""

    id: str
    at: tuple[str, int, int]
    pieces: tuple[str, ...]


@dataclass
class Table:
    """What lies on the table, and all else that a save says. ``steps``: those of a log, each its commands."""

    module: Module
    meta: ET.Element
    pieces: dict[str, Piece] = field(default_factory=dict)
    stacks: dict[str, Stack] = field(default_factory=dict)
    turns: dict[str, str] = field(default_factory=dict)
    properties: dict[str, str] = field(default_factory=dict)
    boards: dict[str, list[tuple[str, int, int]]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    chat: list[str] = field(default_factory=list)
    steps: list[list[str]] = field(default_factory=list)
    text: str = ""
    set_up: bool = False

    # Commands

    def do(self, command: str) -> None:
        """Carry out one command. Malformed for one that the program would drop."""
        word, _, rest = command.partition("/")
        if word == "+":
            self._add(command)
        elif word == "-":
            self._drop(rest)
        elif word == "D":
            self._change(command)
        elif word == "M":
            self._move(command)
        elif command.startswith("CHAT"):
            self.chat.append(command[4:])
        else:
            self._other(command)

    def _add(self, command: str) -> None:
        items = split(command, "/")
        must(len(items) == 4, f"no piece: {command[:80]!r}")
        _, one, kind, state = items
        must(one not in self.pieces and one not in self.stacks, f"the id {one} twice")
        if kind == "stack":
            self.stacks[one] = self._stack(one, state)
            return
        found = piece(one, kind, state)
        must(not found.of("prototype"), f"{one}: a prototype that nobody unfolds")
        must(found.at[0] in ("null", *self.module.maps), f"{one}: no map {found.at[0]!r}")
        named = {name for name in found.images() if not name.startswith("/")}
        must(named <= self.module.pictures.keys(), f"{one}: no pictures {named - self.module.pictures.keys()}")
        must(found.gpid in self.module.slots, f"{one}: no slot {found.gpid} in the module")
        self.pieces[one] = found

    def _stack(self, one: str, state: str) -> Stack:
        items = split(state, ";")
        where, x, y, *ids, layer = items
        must(where in self.module.maps, f"stack {one}: no map {where!r}")
        must(layer.startswith("@@"), f"stack {one}: {layer!r} is no layer")
        for child in ids:
            must(child in self.pieces, f"stack {one}: its piece {child} is not there yet")
            must(self._stack_of(child) is None, f"piece {child} in two stacks")
            must(self.pieces[child].at == (where, int(x), int(y)), f"piece {child} is not where its stack is")
        return Stack(one, (where, int(x), int(y)), tuple(ids))

    def _stack_of(self, one: str) -> Stack | None:
        return next((stack for stack in self.stacks.values() if one in stack.pieces), None)

    def _leave(self, one: str) -> None:
        stack = self._stack_of(one)
        if stack is not None:
            self.stacks[stack.id] = replace(stack, pieces=tuple(child for child in stack.pieces if child != one))

    def _drop(self, one: str) -> None:
        if one in self.stacks:
            must(not self.stacks.pop(one).pieces, f"stack {one} is dropped with pieces in it")
            return
        must(one in self.pieces, f"no piece {one} to drop")
        self._leave(one)
        del self.pieces[one]

    def _change(self, command: str) -> None:
        items = split(command, "/")
        must(len(items) in (3, 4), f"no change: {command[:80]!r}")
        if items[1] in self.stacks:
            self._restack(*items[1:])
            return
        must(items[1] in self.pieces, f"no piece to change: {command[:80]!r}")
        old = self.pieces[items[1]]
        must(len(items) == 3 or items[3] == old.state, f"{old.id} has not the state that is changed: {items[3:]} {old.state!r}")
        new = piece(old.id, old.type, items[2])
        must(new.at == old.at, f"{old.id} jumps: a change of state is no move")
        self.pieces[old.id] = new

    def _restack(self, one: str, state: str, old: str | None = None) -> None:
        """Another order of a stack, or other pieces in it."""
        gone = self.stacks.pop(one)
        must(old is None or self._stack(one, old) == gone, f"stack {one} has not the state that is changed")
        self.stacks[one] = self._stack(one, state)
        must(self.stacks[one].at == gone.at, f"stack {one} jumps")
        must(set(gone.pieces) <= set(self.stacks[one].pieces), f"stack {one} loses pieces, which lie in no stack then")

    def _move(self, command: str) -> None:
        items = split(command, "/")
        must(len(items) == 11, f"no move: {command!r}")
        _, one, where, x, y, under, old, old_x, old_y, old_under, player = items
        must(one in self.pieces, f"no piece {one} to move")
        must(player in ("", "null"), "a password")
        found, to = self.pieces[one], (where, int(x), int(y))
        must(found.at == (old, int(old_x), int(old_y)), f"{one} is not where it is moved from: {found.at} {items[6:9]}")
        must(old_under == "null" or old_under in self.stacks or old_under in self.pieces, f"{one} was over nothing: {old_under}")
        must(where in self.module.maps, f"no map {where!r}")
        self._leave(one)
        self.pieces[one] = found.moved_to(*to)
        if any(trait.field(3) == "R" for trait in found.of("immob")):
            must(under == "null", f"{one} does not stack")
            return
        if under == "null":
            under = next((stack.id for stack in self.stacks.values() if stack.at == to), "null")
        elif under in self.pieces:
            stack = self._stack_of(under)
            must(stack is not None and stack.at == to, f"{one}: {under} does not lie there")
            assert stack is not None
            place = stack.pieces.index(under) + 1
            self.stacks[stack.id] = replace(stack, pieces=(*stack.pieces[:place], one, *stack.pieces[place:]))
            return
        must(under in self.stacks, f"{one}: no stack {under}; it would lie outside every stack")
        must(self.stacks[under].at == to, f"{one}: stack {under} is at {self.stacks[under].at}")
        self.stacks[under] = replace(self.stacks[under], pieces=(*self.stacks[under].pieces, one))

    def _other(self, command: str) -> None:
        word, _, rest = command.partition(TAB)
        if word == "SETUP_STACK":
            self.set_up = True
        elif word.startswith("TURN"):
            must(word[4:] in trackers(self.module), f"no turn tracker {word[4:]!r}")
            self.turns[word[4:]] = rest
        elif word == "GlobalProperty":
            must(rest.startswith(";"), f"a property without its mark: {command!r}")
            name, value, where = split(rest[1:], ";")
            must(where in ("Module", "", *self.module.maps), f"no holder {where!r} of {name}")
            self.properties[name] = value
        elif word == "MutableProperty":
            name, old, value, where = split(rest, TAB)
            must(self.properties.get(name, old) == old, f"{name} was not {old!r}")
            self.properties[name] = value
        elif word.endswith("BoardPicker"):
            self._lay(word.removesuffix("BoardPicker"), split(rest, TAB))
        elif word in ("NOTES", "PNOTES"):
            must(self.module.all("NotesWindow"), "notes without a window")
            self.notes.append(rest)
        elif (word, rest) not in (("UNMASK", "null"), ("SEMAIL", "null")):
            raise Malformed(f"a command that nothing takes: {command[:80]!r}")

    def _lay(self, where: str, items: Sequence[str]) -> None:
        must(where in self.module.maps, f"no map {where!r}")
        must(len(items) % 3 == 0, f"boards: {items}")
        found = [(items[k], int(items[k + 1]), int(items[k + 2])) for k in range(0, len(items), 3)]
        must(all(name.removesuffix("/rev") in self.module.boards for name, _, _ in found), f"a board that is not there: {found}")
        self.boards[where] = found

    # What can be asked

    def lying(self) -> dict[tuple[str, int, int], list[Piece]]:
        """The pieces on maps by place, each from the bottom to the top of its stack; one that is in no stack is at fault."""
        found: dict[tuple[str, int, int], list[Piece]] = {}
        for stack in self.stacks.values():
            if stack.pieces:
                must(stack.at not in found, f"two stacks at {stack.at}")
                found[stack.at] = [self.pieces[one] for one in stack.pieces]
        held = {one.id for pieces in found.values() for one in pieces}
        free = {one.id for one in self.pieces.values() if one.at[0] == "null" or any(t.field(3) == "R" for t in one.of("immob"))}
        loose = self.pieces.keys() - held - free
        must(not loose, f"in no stack: {loose}")
        return found

    def location(self, x: int, y: int) -> tuple[int, int]:
        """A place of the map in pixels of its board."""
        return x - self.module.origin[0], y - self.module.origin[1]

    def play(self, steps: int | None = None) -> None:
        """Step through the log."""
        for step in self.steps[:steps]:
            for command in step:
                self.do(command)


def trackers(module: Module) -> Mapping[str, ET.Element]:
    """The turn trackers by the id that saves use."""
    return {f"TurnTracker{n}": one for n, one in enumerate(module.all("turn.TurnTracker"))}


def read_save(data: bytes, module: Module) -> Table:
    """A save or a log with its steps not yet played."""
    files = archive(data)
    must(set(files) == {"savedGame", "savedata", "moduledata"}, f"entries: {sorted(files)}")
    about = ET.fromstring(files["moduledata"])
    for key in ("name", "version", "VassalVersion"):  # the program asks or warns where these differ
        must(about.findtext(key) == module.data.findtext(key), f"the module data of another module: {key}")
    meta = ET.fromstring(files["savedata"])
    must(meta.find("name") is None and meta.findtext("version") == module.version, "save data of another version")
    table = Table(module, meta, text=plain(files["savedGame"]))
    commands = split(table.text, ESC)
    must(commands[0] == "begin_save", "no beginning")
    end = commands.index("end_save") if "end_save" in commands else 0
    must(end, "no end")
    for command in commands[1:end]:
        for one in split(command, ESC):
            if one:
                table.do(one)
    for step in commands[end + 1 :]:
        parts = split(step, ESC)
        must(all(one.startswith("LOG" + TAB) for one in parts), f"a step with a part that is none: {step[:80]!r}")
        table.steps.append([one[4:] for one in parts])
    must(table.set_up or not list(module.root.iter(SETUP)), "every at-start piece would come again")
    return table

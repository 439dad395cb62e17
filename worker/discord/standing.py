"""Standing orders in a chat: the list of those in force, and the form that edits it.

The form shows the list as lines. What is taken out of it is cancelled, what is new is given; a line that is changed is both. Which orders
it was opened with, by number and mark, comes back with it: what was given elsewhere meanwhile is left alone.
"""

from __future__ import annotations

import hashlib
import re
from base64 import urlsafe_b64encode
from collections.abc import Iterator

from worker.canonical import Json
from worker.commands.asking import standing_lines
from worker.commands.frame import Said
from worker.discord import limits, words
from worker.ports import Ports
from worker.post.replies import Writer
from worker.store.records import Game

FENCE = "```"
_SHOWN = re.compile(r"([0-9]{1,6})([A-Za-z0-9_-]{6})")


def shown(ports: Ports, game: Game, writer: Writer) -> tuple[list[str], list[Json]]:
    """The parts of the answer that lists a side's standing orders, and the button that opens the form: none where it has no room."""
    seen = ports.rules.view(ports.journal.state(game.id, game.version)[0], writer.side)
    found = standing_lines(ports, game, seen)
    lines = [line for _, given in found for line in given]
    sentences = (Said("standing", {"n": len(found)}), Said("edit-standing"), Said("standing-no-room"))
    said, edit, no_room = words.say(ports.mail, game.rules, *sentences)
    block = "\n".join([FENCE, *lines, FENCE]) if lines else ""
    text = "\n".join(filter(None, (said, block)))
    opens = f"standing:{game.id}:" + ",".join(f"{n}{_mark(given)}" for n, given in found)
    if game.over:
        return [text], []
    if limits.units(text) > limits.CONTENT or limits.units(opens) > limits.CUSTOM_ID:
        listed = "\n".join(f"{n}  {line}" for n, given in found for line in given)
        return [said, *limits.split(listed, limits.CONTENT), no_room], []
    button = {"type": 2, "style": 2, "label": limits.cut(edit, limits.BUTTON), "custom_id": opens}
    return [text], [{"type": 1, "components": [button]}]


def edited(opened: str, text: str) -> str:
    """The orders that make of the standing orders that the form was opened with those that it has now; empty: nothing was changed."""
    known: list[tuple[str, str]] = _SHOWN.findall(opened)
    new = [(_mark(given), given) for given in _given(text)]
    orders = []
    for number, mark in known:
        kept = next((at for at, (one, _) in enumerate(new) if one == mark), None)
        if kept is None:
            orders.append(f"CANCEL {number}")
        else:
            del new[kept]
    return "\n".join([*orders, *(line for _, given in new for line in given)])


def _given(text: str) -> Iterator[list[str]]:
    """The standing orders of a text, each with its ``ELSE``."""
    given: list[str] = []
    for raw in text.splitlines():
        line = " ".join(raw.split()).upper()
        if not line:
            continue
        if line.split()[0] == "ELSE" and given:
            given.append(line)
            continue
        if given:
            yield given
        given = [as_standing(line)]
    if given:
        yield given


def as_standing(line: str) -> str:
    """A line as a standing order, whether the word is there or not."""
    return line if line.split()[:1] == ["STANDING"] else f"STANDING {line}"


def _mark(given: list[str]) -> str:
    return urlsafe_b64encode(hashlib.sha256("\n".join(given).encode()).digest())[:6].decode()

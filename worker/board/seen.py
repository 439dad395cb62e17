"""What the reader of a live board sees: his side's view of the game as it stands now, its map, his legal orders, and what a draft of his
would lead to.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from worker.board.codes import may_order
from worker.canonical import Json, canonical, digest
from worker.config import Config
from worker.play.orders import Written, adjudicate, read_orders
from worker.ports import Mail, Render, Rules
from worker.post.links import Link
from worker.store.journal import Journal
from worker.store.records import Game, viewer
from worker.waiting import halts
from worker.waiting.deadlines import next_due
from worker.waiting.zones import zone_of

MOST_KEPT = 24
"""Maps, and lists of legal orders, that are kept between requests."""
MOST_OF_UNIT = 300
"""Legal orders of one unit that are shown."""
DRAFT = "board"
"""The id of a packet that is only tried."""
_AIMS = ("to", "hex", "hexes", "target", "battle", "path", "port")
"""Arguments of orders that say where they are aimed at, the surest first."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Seen:
    """One reader's game as it stands. ``key``: a digest of all that his side sees; ``orders``: whether he may give any here."""

    game: Game
    side: str | None
    state: Json
    view: Json
    theme: str
    key: str
    orders: bool


class _Kept:
    """The last things that were made, by key, for as long as there is room."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._found: OrderedDict[str, Any] = OrderedDict()

    def get(self, key: str, make: Callable[[], T]) -> T:
        with self._lock:
            if key in self._found:
                self._found.move_to_end(key)
                found: T = self._found[key]
                return found
        made = make()
        with self._lock:
            self._found[key] = made
            while len(self._found) > MOST_KEPT:
                self._found.popitem(last=False)
        return made


@dataclass(frozen=True)
class Boards:
    """Makes the boards of an installation from its journal and the three services. It writes nothing."""

    config: Config
    journal: Journal
    rules: Rules
    mail: Mail
    render: Render
    _maps: _Kept = field(default_factory=_Kept)
    _grids: _Kept = field(default_factory=_Kept)
    _legal: _Kept = field(default_factory=_Kept)

    def seen(self, link: Link) -> Seen | None:
        """What the reader of a link sees; None where the game is not here any more. Raises what the services raise."""
        game = self.journal.game(link.game)
        if game is None or self.journal.moved_to(game.id) is not None:
            return None
        side = viewer(link.side)
        state, _ = self.journal.state(game.id, game.version)
        view = self.rules.view(state, side)
        theme = self.journal.theme(game.id, link.side) or self.config.theme
        may = side is not None and may_order(self.journal, game, link)
        return Seen(game, side, state, view, theme, digest(canonical([game.scenario, theme, view])), may)

    def words(self, seen: Seen, address: str, draft: Sequence[str] | None = None) -> Json:
        """The board in words (``POST /boards`` of the mail service). ``draft``: lines that are checked, which changes nothing."""
        deadlines = self.journal.deadlines(seen.game.id)
        own = deadlines.get(seen.side or "")
        due = own.due if own else next_due(deadlines, {})
        halted = halts.current(self.journal.engine, seen.game.id) is not None
        awaited = seen.side in seen.view.get("waiting_for", [])
        body = {
            "game": seen.game.rules,
            "game_id": seen.game.id,
            "side": seen.side,
            "view": seen.view,
            "vocabulary": self.rules.scenario(seen.game.scenario),
            "legal": self._template(seen, seen.side) if seen.side and seen.orders and awaited else None,
            "deadline": due if not halted else None,
            "notes": ["paused"] if halted and not seen.game.over else [],
            "zone": zone_of(self.journal.engine, self.config, address),
            "tried": self._tried(seen, seen.side, draft) if draft is not None and seen.side else None,
        }
        return self.mail.board(body)

    def grid(self, seen: Seen) -> Json:
        """Where the hexes and the boxes of stacks that are fanned out lie on the map."""
        body = {"scenario": seen.game.scenario, "scale": self.config.scale, "theme": seen.theme, "view": seen.view}
        return self._grids.get(seen.key, lambda: self.render.grid(body))

    def map(self, seen: Seen) -> bytes:
        """The map as PNG."""
        body = {"scenario": seen.game.scenario, "view": seen.view, "theme": seen.theme, "scale": self.config.scale, "panel": False}
        return self._maps.get(seen.key, lambda: self.render.map(body))

    def legal(self, seen: Seen, unit: str, draft: Sequence[str] = ()) -> Json:
        """The legal orders of one of the reader's units, or of none (empty), after the lines of his draft.

        ``orders``: each its ``line`` and the ``hex`` that it is about (or empty); ``more`` if there are others; ``line``: the first line of
        the draft that they do not come after (0: none), and ``why``: ``fault``, ``chance`` or ``later``.
        """
        if seen.side is None or not seen.orders or seen.side not in seen.view.get("waiting_for", []):
            return {"orders": [], "more": False, "line": 0, "why": ""}
        side, given = seen.side, list(draft)
        found = self._legal.get(digest(canonical([seen.key, given, unit])), lambda: self._after(seen, side, given, unit))
        lines = self.mail.print_orders(seen.game.rules, found["orders"]) if found["orders"] else []
        places = {str(one["id"]): str(one["place"]) for one in seen.view.get("counters", []) if one.get("id")}
        aims: dict[str, str] = {}
        if len(lines) == len(found["orders"]):
            for line, one in zip(lines, found["orders"], strict=True):
                aims.setdefault(line, target(one, places))
        orders = [{"line": line, "hex": at} for line, at in aims.items()]
        return {"orders": orders, "more": bool(found["more"]), "line": found["line"], "why": found["why"]}

    def _template(self, seen: Seen, side: str) -> Json:
        """The legal orders of which the template is made."""
        return self._legal.get(f"template {seen.key}", lambda: self.rules.legal(seen.state, side))["orders"]

    def _after(self, seen: Seen, side: str, draft: list[str], unit: str) -> Json:
        """The legal orders of a unit after the lines of a draft; where one cannot be read, after those before it."""
        packet, unread = None, 0
        if draft:
            written = self._read(seen, side, draft)
            unread = min((int(one.get("line", 0)) for one in written.diagnostics), default=0)
            packet = written.packet | {"id": DRAFT, "side": side, "seq": None}
            if written.diagnostics:
                packet |= {key: [one for one in packet[key] if one["line"] < unread] for key in ("orders", "standing") if key in packet}
        found = self.rules.legal(seen.state, side, MOST_OF_UNIT, packet, unit)
        told = found.get("foreseen") or {"line": 0, "why": ""}
        if not told["line"] and draft and written.diagnostics:
            told = {"line": unread, "why": "fault"}
        return {"orders": found["orders"], "more": found["more"]} | told

    def _tried(self, seen: Seen, side: str, draft: Sequence[str]) -> Json:
        """What a draft would lead to, up to the first die, as the mail service has it told."""
        written = self._read(seen, side, list(draft))
        who = {"id": DRAFT, "side": side, "seq": None}
        outcome = adjudicate(self.rules, seen.state, written, who, {"dry_run": True})
        events = outcome["events"] if outcome["status"] in ("checked", "held") else []
        return {
            "status": outcome["status"],
            "lines": list(draft),
            "printed": written.printed,
            "events": self.rules.view(seen.state, side, events)["events"] if events else [],
            "rejections": outcome["rejections"],
            "diagnostics": written.diagnostics,
        }

    def _read(self, seen: Seen, side: str, draft: list[str]) -> Written:
        return read_orders(self.mail, seen.game.rules, draft, self.rules.scenario(seen.game.scenario), side)


def target(order: Mapping[str, Json], places: Mapping[str, str]) -> str:
    """The hex that an order is about: where it goes, or what it is aimed at; empty where there is none. ``places``: unit -> its hex."""
    args = order.get("args", {})
    for name in _AIMS:
        found = args.get(name)
        if isinstance(found, list):
            found = found[-1 if name == "path" else 0] if found else ""
        if isinstance(found, str) and found:
            found = places.get(found, found)
            return found if found.isdigit() else ""
    return ""

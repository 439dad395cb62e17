"""A campaign in words and numbers: what each page says, from what its reader may know. While a game runs that is what all may know."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from worker.canonical import Json, canonical
from worker.desk.drawing import seen_by
from worker.play.throws import Throw, numbered, rolled_in
from worker.ports import Rules
from worker.site.campaign import Campaign, GameTurn


class Teller(Protocol):
    """That of the mail service which the site needs."""

    def chronicle(self, body: Json) -> Json: ...


@dataclass(frozen=True)
class Told:
    """A game-turn as it is told. ``before``, ``view``: positions, the latter with the events; ``by_side``: as each side saw them at its
    end, before and after, only when the game is over and only where they saw not all; ``words``: the chronicle; ``throws``: those told.
    """

    turn: GameTurn
    before: Json
    view: Json
    by_side: dict[str, tuple[Json, Json]]
    words: Json
    throws: list[Throw]

    @property
    def title(self) -> str:
        """The heading of its page."""
        return f"{self.words['title']}{' (given up)' if self.turn.given_up else ''}"

    @property
    def page(self) -> str:
        """The name of its page."""
        return f"{self.stem}.html"

    @property
    def stem(self) -> str:
        """What the names of all its files begin with."""
        way = f"b{self.turn.given_up}-" if self.turn.given_up else ""
        return f"{way}t{self.turn.number:02d}"


def tell(campaign: Campaign, rules: Rules, mail: Teller) -> Iterator[Told]:
    """The game-turns of a campaign, in their order; then those that were given up."""
    described = rules.scenario(campaign.scenario)
    for turn in [*campaign.turns, *(one for way in campaign.given_up for one in way.turns)]:
        thrown = [one for one in campaign.throws if one.version in turn.versions]
        events = numbered(turn.events, [replace(one, undone=False) for one in thrown])  # of one way no two have the same key
        before, view = (
            _seen(rules, turn.before, None, bool(campaign.over)),
            _ended(turn, _seen(rules, turn.after, events, bool(campaign.over))),
        )
        shown_by_side = campaign.over and not turn.given_up
        by_side = _by_side(rules, turn, events, described["game"]["sides"], view) if shown_by_side else {}
        body = {"game": campaign.scenario.partition("/")[0], "turn": turn.number, "view": view, "events": view["events"]}
        words = mail.chronicle(body | {"vocabulary": described})
        shown = {canonical(one["data"]["key"]) for one in rolled_in(view["events"])}
        throws = [one for one in thrown if canonical(one.event["data"]["key"]) in shown]
        yield Told(turn, before, view, by_side, words, throws)


def _seen(rules: Rules, state: Json, events: list[Json] | None, over: bool) -> Json:
    """All of a position, if the game is over; else what all may know of it."""
    return seen_by(rules, state, None, events) if over else rules.view(state, None, events)


def _ended(turn: GameTurn, view: Json) -> Json:
    """The view at the end of a game-turn that is over: nobody's player-turn, and nobody is awaited."""
    return view | {"phasing": None, "step": None, "waiting_for": []} if turn.done else view


def _by_side(rules: Rules, turn: GameTurn, events: list[Json], sides: list[str], whole: Json) -> dict[str, tuple[Json, Json]]:
    """What each side saw at the time; nothing where both saw all."""
    found = {side: (rules.view(turn.before, side), _ended(turn, rules.view(turn.after, side, events))) for side in sides}
    ids = {one.get("id") for one in whole["counters"]}
    fog = any({one.get("id") for one in after["counters"]} != ids for _, after in found.values())
    return found if fog else {}

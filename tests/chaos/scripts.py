"""What the players of four games write: three game-turns of each, made by the adjutant, as texts that the journal's dice will carry out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from worker import secrets
from worker.canonical import Json
from worker.desk.archive import turn_of
from worker.desk.selfplay import adjutants_packet
from worker.play import orders
from worker.ports import Mail, Rules

GAME_TURNS = 3
MOST_PIECES = 60
GIBBERISH = "ADVANCE GLORIOUSLY"


@dataclass(frozen=True, slots=True)
class Letter:
    """Orders that a side mails."""

    side: str
    text: str


@dataclass(frozen=True)
class Cast:
    """A game that is played by script. ``key``: the id that the journal will give it."""

    key: str
    scenario: str
    options: Json

    @cached_property
    def secret(self) -> str:
        return f"{self.key[1:]:0>64}"

    def address(self, side: str) -> str:
        """A player is of one game, so that no mail can be taken for one of another."""
        return f"{side}.{self.key.lower()}@player.example"


CASTS = (
    Cast("G1", "holdfast/campaign-1", {}),
    Cast("G2", "beda-fomm/historical", {"tempo": "normal"}),
    Cast("G3", "race-for-tunis/standard", {}),
    Cast("G4", "fall-of-tobruk/gazala", {}),
)


def letters(cast: Cast, rules: Rules, mail: Mail, game_turns: int = GAME_TURNS) -> list[Letter]:
    """The game's mails in order. The first is one that nobody can read: it is refused, and changes nothing."""
    return list(_letters(cast, rules, mail, game_turns))


def _letters(cast: Cast, rules: Rules, mail: Mail, game_turns: int) -> Iterator[Letter]:
    state = rules.new_state(cast.scenario, cast.options, cast.secret)["state"]
    vocabulary = rules.scenario(cast.scenario)
    last, n = turn_of(state) + game_turns, 0
    yield Letter(_asked(rules, state), GIBBERISH)
    while not state.get("over") and turn_of(state) < last:
        side, seed = _asked(rules, state), secrets.seed(cast.secret, [], cast.key, 0, n + 1)
        for text in _longest_first(rules, mail, state, side, seed):
            written = orders.read_orders(mail, state["game"], text.splitlines(), vocabulary, side)
            outcome = orders.adjudicate(rules, state, written, {"id": "one", "side": side, "seq": None}, {"seed": seed})
            if not written.diagnostics and not outcome["rejections"] and outcome["status"] == "done":
                break
        else:
            raise AssertionError(f"{cast.key}: the adjutant's orders cannot be mailed: {written.diagnostics or outcome['rejections']}")
        yield Letter(side, text)
        state = outcome["state"]
        n += bool(outcome["ran"])


def _asked(rules: Rules, state: Json) -> str:
    return str(rules.view(state, None)["waiting_for"][0])


def _longest_first(rules: Rules, mail: Mail, state: Json, side: str, seed: str) -> Iterator[str]:
    """All that a side would order until the other must decide, as one text; where that cannot be said in one, its first packet alone."""
    texts: list[str] = []
    position = state
    while len(texts) < MOST_PIECES and not position.get("over") and _asked(rules, position) == side:
        packet = adjutants_packet(rules, position, f"piece-{len(texts)}", side)
        lines = mail.print_orders(state["game"], [*packet["standing"], *packet["orders"]])
        texts.append("\n".join(lines))
        outcome = rules.adjudicate({"state": position, "packet": packet, "seed": seed})
        assert outcome["status"] == "done", outcome["rejections"]
        position = outcome["state"]
    yield "\n".join(texts)
    yield texts[0]

"""``hexpost selfplay``: the adjutant plays both sides to the end, into a folder that ``hexpost verify`` can check."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from worker import local
from worker.canonical import Json, digest
from worker.desk import archive
from worker.desk.archive import MAPS, RESULT, Chain, Played, as_file
from worker.desk.study import padded, read_options, umpires_view
from worker.play.games import UnusableInput, check_scenario
from worker.ports import Mail, Render, Rules, ServiceFailed

MAP_SCALE = 1200
MOST_PACKETS = 20_000  # far above any game: whoever needs more is stuck
PLAIN: Json = {"seq": None, "standing": [], "fault": "stop", "anyway": False, "check": False, "hold": False, "append": False}


@dataclass
class SelfPlay:
    """A game that plays itself into a folder. ``render``: draws the map at the end of each game-turn; None: no maps."""

    rules: Rules
    mail: Mail
    render: Render | None
    played: Played
    folder: Path
    chain: Chain = field(default_factory=Chain)
    maps: dict[str, str] = field(default_factory=dict)
    n: int = 0

    def run(self, turns: int | None) -> Json:
        """Play until the game is over, or ``turns`` game-turns have been played; the result, written last. Raises ServiceFailed."""
        outcome = self.rules.new_state(self.played.scenario, self.played.options, self.played.secret)
        for name in (*archive.FOLDERS, *([MAPS] if self.render else [])):
            (self.folder / name).mkdir(parents=True)
        self._keep(outcome, archive.record_of(self.played, 0, outcome))
        state, events = outcome["state"], list(outcome["events"])
        while not state.get("over") and (turns is None or archive.turn_of(state) <= turns):
            if len(self.chain.records) > MOST_PACKETS:
                raise ServiceFailed(f"The adjutant does not come to an end: {MOST_PACKETS} packets were played.")
            outcome = self._packet(state)
            events += outcome["events"]
            if self.render and (outcome["state"].get("over") or archive.turn_of(outcome["state"]) != archive.turn_of(state)):
                self._draw(archive.turn_of(state), outcome["state"], events)
                events = []
            state = outcome["state"]
        result = archive.result_of(self.played, self.chain, state, self.maps)
        (self.folder / RESULT).write_bytes(as_file(result))
        return result

    def _packet(self, state: Json) -> Json:
        number = len(self.chain.records)
        packet = adjutants_packet(self.rules, state, f"selfplay-{number:06d}")
        text = archive.orders_text(packet["side"], self.mail.print_orders(state["game"], [*packet["standing"], *packet["orders"]]))
        outcome = self.rules.adjudicate({"state": state, "packet": packet, "seed": self.played.seed(self.n + 1)})
        if outcome["status"] != "done" or outcome["state"] == state:
            raise ServiceFailed(f"The adjutant's packet {packet['id']} was not carried out: {str(outcome['rejections'])[:500]}")
        self.n += bool(outcome["ran"])
        (self.folder / archive.path_of("packets", number)).write_bytes(as_file(packet))
        (self.folder / archive.path_of("packets", number, "txt")).write_bytes(text)
        self._keep(outcome, archive.record_of(self.played, number, outcome, packet, text, self.n if outcome["ran"] else None))
        return outcome

    def _keep(self, outcome: Json, record: Json) -> None:
        (self.folder / archive.path_of("outcomes", len(self.chain.records))).write_bytes(as_file(outcome))
        self.chain.add(record)

    def _draw(self, turn: int, state: Json, events: list[Json]) -> None:
        assert self.render is not None
        numbered = [one | {"n": n} for n, one in enumerate(events, start=1)]
        sides = [self.rules.view(state, side) for side in self.rules.scenario(self.played.scenario)["game"]["sides"]]
        seen = umpires_view(sides, self.rules.view(state, None, numbered), numbered)
        png = self.render.map({"scenario": self.played.scenario, "view": seen, "scale": MAP_SCALE})
        name = f"{MAPS}/t{turn:02d}.png"
        (self.folder / name).write_bytes(png)
        self.maps[name] = digest(png)


def adjutants_packet(rules: Rules, state: Json, key: str, side: str | None = None) -> Json:
    """What the adjutant orders for ``side``, or for the first side that is waited for. Raises ServiceFailed where nobody is."""
    if side is None:
        waiting = rules.view(state, None)["waiting_for"]
        if not waiting:
            raise ServiceFailed("The game is not over, and waits for nobody.")
        side = str(waiting[0])
    answer = rules.adjutant(state, side)
    return PLAIN | {"id": key, "side": side, "orders": answer["orders"], "standing": answer.get("standing", [])}


def prepare_folder(folder: Path) -> None:
    """UnusableInput unless ``folder`` is new or empty."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UnusableInput(f"{folder} is not an empty folder; name another.")


def play_into(folder: Path, scenario: str, seed: str, options: tuple[str, ...], turns: int | None, *, maps: bool) -> str:
    """``hexpost selfplay``; a sentence that says how it ended. UnusableInput."""
    prepare_folder(folder)
    played = Played(check_scenario(scenario), scenario, read_options(options), padded(seed, "The seed"))
    render = local.local_render() if maps else None
    result = SelfPlay(local.local_rules(), local.local_mail(), render, played, folder).run(turns)
    return f"{scenario}: {how_it_ended(result)}; all of it is in {folder}."


def how_it_ended(result: Json) -> str:
    """The result in words."""
    if not result["over"]:
        return f"not over in game-turn {result['turns']}, after {result['packets']} packets"
    drawn = "drawn" if str(result["level"]).startswith("draw") else "over without a winner"
    ended = drawn if result["winner"] is None else f"{result['winner']} wins, {result['level']}"
    return f"{ended} ({result['why']}) in game-turn {result['turns']}, after {result['packets']} packets"

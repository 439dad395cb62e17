"""The fog of war on the whole way: what one side may not know leaves no trace in any byte of any mail that it gets."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.worker.fakes import ToyRender
from tests.worker.whole import Table
from worker.canonical import Json
from worker.clients import RulesClient
from worker.desk.demo_script import ADDRESSES
from worker.local import local_render, local_rules
from worker.post.postbox import parts

Change = Callable[[Json], None]


class Dealt:
    """The rules, with a position of ours at the start: some units weaker, two of them due; then ``change``, which only the Axis sees."""

    def __init__(self, change: Change) -> None:
        self._rules: RulesClient = local_rules()
        self._change = change

    def new_state(self, scenario: str, options: Json, secret: str, words: Json = ()) -> Json:
        made = self._rules.new_state(scenario, options, secret, words)
        units = made["state"]["counters"]
        for unit in ("SAVENA", "TRENTA", "PAVIA", "BOLOGNA", "BRESCIA"):
            units[unit]["num"]["sp"] = 2
        for unit in ("FASCISTS", "TRIESTE"):
            units[unit]["num"]["due"] = 1
        self._change(made["state"])
        return made | {"digest": self.digest(made["state"])}

    def digest(self, state: Json) -> str:
        """What the rules call the state."""
        packet: Json = {"id": "G0-1", "side": "axis", "seq": None, "orders": [], "standing": [], "check": True}
        return str(self._rules.adjudicate({"state": state, "packet": packet, "seed": "0" * 64})["digest"])

    def adjudicate(self, body: Json) -> Json:
        return self._rules.adjudicate(body)

    def view(self, state: Json, side: str | None, events: list[Json] | None = None) -> Json:
        return self._rules.view(state, side, events)

    def legal(self, state: Json, side: str, most: int = 100, packet: Json = None, unit: str | None = None) -> Json:
        return self._rules.legal(state, side)

    def adjutant(self, state: Json, side: str) -> Json:
        return self._rules.adjutant(state, side)

    def games(self) -> Json:
        return self._rules.games()

    def scenario(self, scenario: str) -> Json:
        return self._rules.scenario(scenario)


def as_it_is(_: Json) -> None:
    """Nothing is otherwise."""


def dealt_otherwise(state: Json) -> None:
    """Two blocks of El Agheila are other units, one is weaker, and all hidden draws will fall otherwise."""
    blocks = state["own"]["blocks"]
    swap = {"PAVIA": "BOLOGNA", "BOLOGNA": "PAVIA"}
    state["own"]["blocks"] = {alias: swap.get(unit, unit) for alias, unit in blocks.items()}
    state["counters"]["BRESCIA"]["num"]["sp"] = 1
    state["hidden"] = "cd" * 32


SESSIONS = (
    ("axis", "COMMIT 0"),
    ("allied", "CHECK\nMOVE 2ARM 0806"),
    ("axis", "STEP SAVENA 2\nSTEP BOLOGNA 2\nSTEP BRESCIA 1\nENTER TRIESTE\nDELAY FASCISTS\nMOVE 21PZ TO 0507 BY ROAD"),
    ("allied", "STANDING DUTY AUTO"),
    ("allied", "CHECK\nIF 0409 HOLDS ARMOR MOVE 2ARM 0806\nATTACK 0409 WITH 2ARM"),
    ("axis", "MOVE PAVIA TO 0409 BY ROAD\nMOVE ARIETE TO 0508 BY ROAD\nMOVE BOLOGNA TO 0310"),
    ("axis", "ANYWAY\nMOVE SAVENA TO Tobruk\nMOVE BRESCIA TO 0509 BY ROAD\nMOVE TRIESTE TO 0311"),
    ("axis", "KEEP TRENTA"),
    ("allied", "MOVE 2ARM TO 0409"),
    ("allied", "CHECK\nSTEP 9AUS 1\nMOVE 2ARM TO 0606\nATTACK 0507 WITH 2ARM\nMOVE 4IND TO 3408"),
    ("allied", "HOLD\nMOVE 4IND TO 3408"),
    ("allied", "STEP 9AUS 1\nIF 0509 HOLDS INFANTRY MOVE 2ARM TO 0706\nELSE MOVE 2ARM TO 0606\nATTACK 0507 WITH 2ARM"),
    ("allied", "DONE TURN AUTO"),
    ("axis", "COMMIT 0\nMOVE BRESCIA 0508\nDONE TURN AUTO"),
    ("allied", "DONE TURN AUTO"),
)
OTHER_NAMES = {"PAVIA": "BOLOGNA", "BOLOGNA": "PAVIA", "FASCISTS": "TRIESTE", "TRIESTE": "FASCISTS"}


def renamed(orders: str) -> str:
    """The same to the eye of the enemy: the same blocks, the same ways, the same RP; other units."""
    words = re.sub(r"[A-Z]+", lambda word: OTHER_NAMES.get(word[0], word[0]), orders)
    return words.replace("STEP SAVENA", "STEP TRENTA")


def got(table: Table, side: str) -> list[bytes]:
    """Every byte that a side was sent."""
    return [raw for _, recipients, raw in table.sender.sent if ADDRESSES[side] in recipients]


def played(folder: Path, change: Change, word: Callable[[str], str] = str, private: tuple[str, ...] = ()) -> Table:
    """The sessions, the Axis ones as ``word`` has them, with ``private`` mails of the Axis before each of its own."""
    folder.mkdir()
    table = Table(folder, Dealt(change), local_render())
    for number, (side, orders) in enumerate(SESSIONS):
        for count, more in enumerate(private if side == "axis" else ()):
            table.play(1000 + 10 * number + count, side, more)
        table.play(number, side, word(orders) if side == "axis" else orders)
    table.journal.engine.dispose()
    return table


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """The game as it is, for comparison."""
    return played(tmp_path_factory.mktemp("plain") / "game", as_it_is)


def test_the_sessions_show_the_enemy_what_they_are_to_show(plain: Table) -> None:
    mails = plain.mails_to("allied")
    texts = [str(parts(mail)[0]) for mail in mails]
    whole = "\n".join(texts)
    for said in (" block G8 arrives", "off the board", "spend 5 RP on the build-up", "Attack on Beda", "-- not tried", "-- refused"):
        assert said in whole
    kinds = Counter(picture.name.split("-", 3)[-1].partition(".")[0] for mail in mails for picture in parts(mail)[2])
    assert min(kinds[kind] for kind in ("map", "front", "before-after", "animation", "plan")) >= 3, kinds
    hidden = {"BRESCIA", "TRENTA", "SAVENA", "PAVIA", "BOLOGNA", "FASCISTS", "TRIESTE"}
    assert hidden.isdisjoint(re.findall(r"[A-Z]+", whole.upper()))


def test_other_units_behind_the_blocks_change_no_byte_of_what_the_enemy_gets(plain: Table, tmp_path: Path) -> None:
    other = played(tmp_path / "game", dealt_otherwise, renamed)
    assert got(other, "axis") != got(plain, "axis")
    assert got(other, "allied") == got(plain, "allied")


def test_what_a_side_does_in_private_changes_no_byte_of_what_the_enemy_gets(plain: Table, tmp_path: Path) -> None:
    private = ("HOLD\nMOVE SAVENA TO 0310", "CHECK\nDONE TURN AUTO", "MOVE SAVENA TO Tobruk", "STANDING ON LOSSES LOSE 21PZ")
    other = played(tmp_path / "game", as_it_is, private=private)
    assert len(got(other, "axis")) > len(got(plain, "axis")) + 10
    assert got(other, "allied") == got(plain, "allied")


def test_an_answer_to_a_stranger_does_not_tell_how_many_mails_came_in(tmp_path: Path) -> None:
    stamp = "Authentication-Results: mx.hexpost.example; dmarc=pass header.from=elsewhere.example\n"
    asked = f"{stamp}From: eve@elsewhere.example\nTo: orders@hexpost.example\nMessage-ID: <1@elsewhere.example>\n\nMOVE 21PZ 0310\n"
    answers = []
    for name in ("quiet", "busy"):
        (tmp_path / name).mkdir()
        table = Table(tmp_path / name)
        if name == "busy":
            table.play(1, "axis", "CHECK\nCOMMIT 0")
        table.take("eve", asked.encode())
        answers.append([raw for _, recipients, raw in table.sender.sent if recipients == ("eve@elsewhere.example",)])
        table.journal.engine.dispose()
    assert len(answers[0]) == 1
    assert answers[0] == answers[1]


def views(pictures: ToyRender) -> list[Json]:
    """The views that the whole maps were asked to be drawn from."""
    return [body["view"] for kind, body in pictures.asked if kind == "map" and "crop" not in body]


def test_the_last_mails_and_their_maps_open_every_counter(tmp_path: Path) -> None:
    pictures = ToyRender(said=lambda kind, body: "")
    table = Table(tmp_path, render=pictures)
    table.play(1, "axis", "COMMIT 0")
    assert any(counter["known"] == "no" for seen in views(pictures) for counter in seen["counters"] if seen["side"] == "allied")
    before = "\n".join(str(parts(mail)[0]) for mail in table.mails_to("allied"))
    assert "PAVIA" not in before.upper()
    pictures.asked.clear()
    table.play(2, "axis", "CONCEDE CONFIRM")
    for side, other in (("allied", "Axis"), ("axis", "Allied")):
        last = str(parts(table.mails_to(side)[-1])[0])
        assert f"{other} counters " in last
        assert ("PAVIA" if side == "allied" else "22GDS") in last
    assert {view["side"] for view in views(pictures)} == {"axis", "allied"}
    known = {view["side"]: {counter["known"] for counter in view["counters"]} for view in views(pictures)}
    assert known == {"axis": {"own", "open"}, "allied": {"own", "open"}}
    assert all(counter["id"] for view in views(pictures) for counter in view["counters"])
    table.journal.engine.dispose()


def test_a_fight_reveals_a_block_and_hides_it_again_in_map_report_and_refusal(tmp_path: Path) -> None:
    pictures = ToyRender(said=lambda kind, body: "")
    table = Table(tmp_path, render=pictures)

    def shown() -> Json:
        """The block of the 21st Panzer on the last map of the Allies."""
        seen = [view for view in views(pictures) if view["side"] == "allied"][-1]
        (block,) = (counter for counter in seen["counters"] if counter["side"] == "axis" and counter["id"] is not None)
        return block

    table.play(1, "axis", "COMMIT 0\nMOVE 21PZ TO 0505 BY ROAD\nATTACK Benghazi WITH 21PZ\nDONE TURN AUTO")
    fought = str(parts(table.mails_to("allied")[-1])[0])
    assert "21PZ (21st Panzer), block G" in fought
    block = shown()
    assert (block["id"], block["known"], block["since"], block["place"]) == ("21PZ", "seen", "1941-03", "0505")
    strength = block["num"]["sp"]
    table.play(2, "allied", "DONE TURN AUTO")
    table.play(3, "axis", "COMMIT 0\nMOVE 21PZ TO 0507 BY ROAD\nDONE TURN AUTO")
    later = str(parts(table.mails_to("allied")[-1])[0])
    assert re.search(rf"[Gg]ray block {block['alias']} moves from hex 0505 ", later)
    assert not re.search(r"21PZ|Panzer", later, re.IGNORECASE)
    now = shown()
    assert (now["alias"], now["place"], now["since"], now["num"]) == (block["alias"], "0507", "1941-03", {"sp": strength})
    assert table.play(4, "allied", "MOVE 21PZ TO 0508").startswith("Refused")
    refusal = str(parts(table.mails_to("allied")[-1])[0])
    assert "gray block" not in refusal
    assert not re.search(r"Panzer| SP|0507", refusal.partition("POSITION")[0])
    table.journal.engine.dispose()

"""The fog of war over self-played games: at each moment and on every artefact, what a side may not know leaves no trace."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from tests.worker.fakes import ToyRender
from tests.worker.whole import Table
from worker.canonical import Json, canonical
from worker.clients import RulesClient
from worker.desk.demo_script import ADDRESSES
from worker.desk.selfplay import adjutants_packet
from worker.local import local_mail, local_render, local_rules

OTHER = {"axis": "allied", "allied": "axis"}
SEED = "07" * 32


def drawn(*fields: Json) -> int:
    """A number that is the same in every run."""
    return int.from_bytes(hashlib.sha256(canonical(list(fields))).digest()[:4], "big")


def moments(rules: RulesClient) -> list[tuple[Json, Json]]:
    """A self-played game: each state before its end, with the events that led to it."""
    outcome = rules.new_state("holdfast/campaign-1", {}, SEED)
    found = []
    while not outcome["state"]["over"]:
        found.append((outcome["state"], outcome["events"]))
        packet = adjutants_packet(rules, outcome["state"], f"X-{len(found):06d}")
        seed = f"{len(found):064x}"
        outcome = rules.adjudicate({"state": outcome["state"], "packet": packet, "seed": seed})
        assert (outcome["status"], outcome["rejections"]) == ("done", [])
    return found


def dealt_otherwise(rules: RulesClient, state: Json, side: str, known: Json, number: int) -> Json:
    """The same to the eyes of ``side``: other units behind the enemy's unknown blocks, of other strength, other plans and hidden draws."""
    enemy, own, units = OTHER[side], state["own"], state["counters"]
    strange = sorted(alias for alias, unit in own["blocks"].items() if units[unit]["side"] == enemy and alias not in own["seen"])
    other = state | {"hidden": "cd" * 32, "standing": state["standing"] | {enemy: standing()}}
    for turn in range(3):
        if len(strange) < 2:
            break
        a, b = strange[drawn(number, turn, "a") % len(strange)], strange[drawn(number, turn, "b") % len(strange)]
        first, second = other["own"]["blocks"][a], other["own"]["blocks"][b]
        places = {first: other["counters"][second]["place"], second: other["counters"][first]["place"]}
        swapped = {unit: other["counters"][unit] | {"place": place} for unit, place in places.items()}
        blocks = other["own"]["blocks"] | {a: second, b: first}
        tried = other | {"counters": other["counters"] | swapped, "own": other["own"] | {"blocks": blocks}}
        # whether the zones of control are the same is known to all, and so is what of a block is marked
        if rules.view(tried, side)["own"]["ezoc"] == known["own"]["ezoc"] and units[first]["marks"] == units[second]["marks"]:
            other = tried
    weaker = {
        unit: counter | {"num": counter["num"] | {"sp": 1 + drawn(number, unit) % min(4, counter["num"]["sp"])}}
        for unit, counter in other["counters"].items()
        if counter["side"] == enemy and unit in own["blocks"].values() and counter["num"]["sp"]
    }
    return other | {"counters": other["counters"] | weaker}


def standing() -> Json:
    """A standing order of the enemy."""
    return [
        {"n": 1, "order": {"line": 1, "verb": "DUTY", "args": {"auto": True}, "label": None, "guard": [], "else": None, "confirm": False}}
    ]


def test_at_no_moment_of_a_game_does_anything_that_a_side_gets_tell_what_it_may_not_know() -> None:
    rules, mail, render = local_rules(), local_mail(), local_render()
    vocabulary = rules.scenario("holdfast/campaign-1")
    changed = 0
    for number, (state, events) in enumerate(moments(rules)):
        side = ("axis", "allied")[number % 2]
        if state["pending"] or number % 3 == 2:  # between the dice and the losses of a fight both sides are known
            continue
        seen = rules.view(state, side, events)
        other = dealt_otherwise(rules, state, side, seen, number)
        changed += other["counters"] != state["counters"]
        assert rules.view(other, side, events) == seen, number
        assert rules.legal(other, side) == rules.legal(state, side), number
        if number % 4 == 0:
            assert rules.adjutant(other, side) == rules.adjutant(state, side), number
        if number % 40 == 0:
            bodies = [{"scenario": "holdfast/campaign-1", "view": rules.view(one, side, events), "scale": 400} for one in (state, other)]
            assert render.map(bodies[0]) == render.map(bodies[1])
            reports = [
                mail.report({"game": "holdfast", "kind": "turn", "side": side, "view": one["view"], "events": one["view"]["events"]})
                for one in ({**body, "vocabulary": vocabulary} for body in bodies)
            ]
            assert reports[0] == reports[1]
    assert changed > 30


def sealed(kind: str, body: Json) -> str:
    """In place of a picture, the digest of all that it would be drawn from: what differs there differs in the mail."""
    return f"{kind} {hashlib.sha256(canonical(body)).hexdigest()}"


PRIVATE = ("CHECK\nDONE TURN AUTO", "HOLD\nDONE AUTO", "MOVE 21PZ TO Alexandria\nMOVE 2ARM TO 0210", "STANDING DUTY AUTO\nCANCEL ALL")
TURNS = 2


def played(folder: Path, private: str | None = None) -> tuple[dict[str, list[bytes]], int]:
    """What each side got in two game-turns by mail between two adjutants; the side ``private`` also does things that nobody else sees."""
    folder.mkdir()
    table = Table(folder, render=ToyRender(sealed))
    sent = number = 0
    while True:
        game = table.journal.game(table.game)
        state, _ = table.journal.state(table.game, game.version)
        if game.over or game.turn > TURNS:
            break
        packet = adjutants_packet(table.ports.rules, state, "X-000001")
        side = packet["side"]
        if private:
            sent += 1
            table.play(10_000 + number, private, PRIVATE[number % len(PRIVATE)])
        number += 1
        orders = table.ports.mail.print_orders("holdfast", packet["orders"])
        if side == private and packet["orders"][0]["verb"] == "DONE":
            orders = ["CANCEL ALL", *orders]  # a mail of DONE alone would carry an earlier draft out
        answer = table.play(number, side, "\n".join([*orders, "END"]))
        assert answer.startswith("Done: "), answer
    table.journal.engine.dispose()
    return {one: [raw for _, to, raw in table.sender.sent if ADDRESSES[one] in to] for one in ADDRESSES}, sent


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[bytes]]:
    """The mails of the game in which nothing is done in private."""
    return played(tmp_path_factory.mktemp("plain") / "game")[0]


@pytest.mark.parametrize("side", ["axis", "allied"])
def test_what_a_side_does_in_private_is_in_no_byte_of_the_other_sides_mails(
    tmp_path: Path, plain: dict[str, list[bytes]], side: str
) -> None:
    busy, sent = played(tmp_path / "busy", side)
    assert len(busy[side]) == len(plain[side]) + sent
    assert busy[OTHER[side]] == plain[OTHER[side]]
    assert len(plain[OTHER[side]]) > 5

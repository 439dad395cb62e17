"""Saves and logs: what they hold, piece for piece, and what they must not hold."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable
from io import BytesIO
from typing import Any

import msgspec
import pytest
from flask.testing import FlaskClient

from scenarios.loader import load_games
from services.render.app import create_app
from services.render.config import Config
from services.render.vassal import log, module_version, save
from services.render.vassal.places import counter_id
from services.render.views import CounterView, View, read_view
from tests.render.boards import block, holdfast, own, view, wire

SECRET = "5a" * 32
ESC = "\x1b"


def text_of(file: bytes) -> str:
    raw = zipfile.ZipFile(BytesIO(file)).read("savedGame")
    key = int(raw[5:7], 16)
    return bytes(byte ^ key for byte in bytes.fromhex(raw[7:].decode())).decode()


def commands(file: bytes) -> list[str]:
    return re.split(rf"(?<!\\){ESC}", text_of(file))


def steps(file: bytes) -> list[list[str]]:
    """The commands of each step of a log."""
    return [[part.removeprefix("LOG\t") for part in one.split(f"\\{ESC}")] for one in commands(file) if one.startswith("LOG\t")]


class Board:
    """Pieces and stacks after commands: id -> (type, state without its place), id -> pixel, stack -> ids from the lowest."""

    def __init__(self) -> None:
        self.pieces: dict[str, tuple[str, str]] = {}
        self.at: dict[str, tuple[str, str]] = {}
        self.stacks: dict[str, list[str]] = {}

    def do(self, command: str) -> None:
        kind, _, rest = command.partition("/")
        fields = re.split(r"(?<!\\)/", rest)
        if kind == "+" and fields[1] == "stack":
            self._lay(fields[0], fields[2])
        elif kind == "+":
            self.pieces[fields[0]] = (fields[1], self._place(fields[0], fields[2]))
        elif kind == "D" and fields[0] in self.stacks:
            self._lay(fields[0], fields[1])
        elif kind == "D":
            self.pieces[fields[0]] = (self.pieces[fields[0]][0], self._place(fields[0], fields[1]))
        elif kind == "M":
            self._move(fields)
        elif kind == "-":
            assert rest in self.pieces or not self.stacks[rest], "a stack goes only when it is empty"
            for ids in self.stacks.values():
                ids[:] = [one for one in ids if one != rest]
            self.pieces.pop(rest, None)
            self.stacks.pop(rest, None)

    def _place(self, ident: str, state: str) -> str:
        head, _, place = state.rpartition("Map;")
        x, y = place.split(";")[:2]
        self.at[ident] = (x, y)
        return head

    def _lay(self, ident: str, state: str) -> None:
        _, x, y, *ids, layer = state.split(";")
        assert layer == "@@1"
        assert all(self.at[one] == (x, y) for one in ids), "a stack of pieces that stand elsewhere"
        self.stacks[ident], self.at[ident] = ids, (x, y)

    def _move(self, fields: list[str]) -> None:
        ident, _, x, y, under, _, old_x, old_y, _, player = fields
        assert player == "null"
        assert self.at[ident] == (old_x, old_y)
        self.at[ident] = (x, y)
        for ids in self.stacks.values():
            ids[:] = [one for one in ids if one != ident]
        if under != "null":
            assert self.at[under] == (x, y)
            self.stacks[under].append(ident)

    def shown(self) -> dict[str, Any]:
        """Each piece with its type, states, pixel and what lies below it in its stack."""
        below = {one: tuple(ids[:k]) for ids in self.stacks.values() for k, one in enumerate(ids)}
        return {ident: (*piece, self.at[ident], below.get(ident)) for ident, piece in self.pieces.items()}


def board_of(file: bytes, run: bool = False) -> Board:
    board = Board()
    for command in [*(one for one in commands(file) if one[:2] == "+/"), *(one for step in steps(file) for one in step if run)]:
        board.do(command)
    return board


def ident(unit: str | None, alias: str = "", side: str = "allied") -> str:
    known = CounterView(side, "", id=unit, card=unit) if unit else CounterView(side, "", alias)
    return counter_id(known, bytes.fromhex(SECRET))


def holds(seen: View) -> bytes:
    return save(holdfast(), seen, secret=SECRET)


def test_a_save_names_its_module_and_lays_the_board() -> None:
    """V05: the three entries, the name and the version of the module that is needed."""
    made = holds(view([own("21PZ", "0310")]))
    archive = zipfile.ZipFile(BytesIO(made))
    assert archive.namelist() == ["savedGame", "savedata", "moduledata"]
    for entry in ("savedata", "moduledata"):
        assert f"<version>{module_version(holdfast())}</version>" in archive.read(entry).decode()
    assert "<name>Holdfast: North Africa 1941-42</name>" in archive.read("moduledata").decode()
    said = commands(made)
    assert (said[0], said[-1]) == ("begin_save", "end_save")
    assert "MapBoardPicker\tBoard\t0\t0" in said
    assert holds(view([own("21PZ", "0310")])) == made


def test_a_counter_stands_on_its_hex_with_its_strength_and_its_marks() -> None:
    made = board_of(holds(view([own("21PZ", "0310", sp=3, marks=("moved",)), own("15PZ", "0402")])))
    # Columns lie 84 pixels apart and rows 96; hex 0101 stands at 108, 100; even columns half a row lower.
    assert made.at[ident("21PZ")] == (str(108 + 2 * 84), str(100 + 9 * 96))
    assert made.at[ident("15PZ")] == (str(108 + 3 * 84), str(100 + 96 + 48))
    level = [part.strip("\\") for part in made.pieces[ident("21PZ")][1].split("\t")]
    assert level[1:6] == ["2", "1", "1", "1", "null;"], "moved, not attacked, not arrived, not seen once, not hidden"
    assert level[6] == "2", "the second face: three of four"


def test_the_first_of_a_view_lies_on_top() -> None:
    made = board_of(holds(view([own("21PZ", "0210"), own("15PZ", "0210"), own("ARIETE", "0210"), own("BRESCIA", "0310")])))
    assert sorted(made.stacks.values()) == sorted([[ident("ARIETE"), ident("15PZ"), ident("21PZ")], [ident("BRESCIA")]])


def test_of_an_unknown_block_only_side_place_and_alias_are_there() -> None:
    """V03: no name, picture, strength or id of a hidden unit, in clear or behind the mask; two blocks are of one type."""
    made = holds(view([own("21PZ", "0310"), block("V4", "1803"), block("V11", "1804"), block("V2", "2204")]))
    board = board_of(made)
    first, second = board.pieces[ident(None, "V4")], board.pieces[ident(None, "V11")]
    assert first[0] == second[0]
    assert "Unknown block (Allied)" in first[0]
    assert first[1].replace("V4", "V11") == second[1].replace("\t33", "\t33")
    hidden = [card for card in holdfast().cards.values() if card.side == "allied"]
    for seen in (text_of(made), made.decode("latin-1")):
        for card in hidden:
            assert not re.search(rf"\b{card.id}\b", seen), card.id
            assert card.name not in seen
        assert "PLAYER" not in seen
        assert SECRET not in seen


def test_ids_follow_unit_and_secret_and_an_unknown_one_the_alias() -> None:
    seen = {**own("4IND", "1803", side="allied"), "known": "seen", "since": "1941-03"}
    first = set(board_of(holds(view([seen, block("V4", "1804")]))).pieces)
    later = set(board_of(holds(view([{**seen, "place": "2204", "num": {"sp": 1}}, block("V5", "1804")]))).pieces)
    other = set(board_of(save(holdfast(), view([seen]), secret="00" * 32)).pieces)
    assert ident("4IND") in first & later
    assert ident(None, "V4") in first - later
    assert ident(None, "V5") in later - first
    assert not first & other


def test_tracks_places_and_boxes() -> None:
    seen = view(
        [{**own("PAVIA", "edge:off"), "num": {"sp": 4, "due": 3}}, own("BRESCIA", "box:pool-axis"), own("TRENTA", "box:nowhere")],
        turn=3,
        rp={"axis": 17, "allied": 2},
    )
    made = board_of(holds(seen))
    ground = load_ground()
    assert inside(made.at[ident("PAVIA")], ground.area("Arrivals: Axis", "1941-05"))
    assert inside(made.at[ident("BRESCIA")], ground.zones["Axis replacements"].box)
    assert inside(made.at[ident("TRENTA")], ground.zones["Elsewhere"].box)
    tokens = {key: piece for key, piece in made.pieces.items() if "immob;" in piece[0]}
    at = {re.search(r";([^;]*)$", piece[0])[1]: made.at[key] for key, piece in tokens.items()}
    assert inside(at["Game-turn"], ground.area("Turn record", "1941-05"))
    assert inside(at["Resource points (Allied)"], ground.area("Resource points", "2"))
    assert inside(at["Resource points (Axis)"], ground.area("Resource points", "14")), "beyond the end it stands on the last box"
    over = next(piece[1] for piece in tokens.values() if piece[0].endswith("Resource points (Axis)"))
    assert "17" in over, "and says its number"
    assert sum(piece[0].endswith("Control") for piece in tokens.values()) == 5
    turn = next(one for one in commands(holds(seen)) if one.startswith("TURN"))
    assert turn.startswith("TURNTurnTracker0\t0|2;0;0;true,"), "the third box of the record"


def load_ground() -> Any:
    from services.render.vassal.module import built

    return built(holdfast(), "light").kit.ground


def inside(at: tuple[str, str], area: Any) -> bool:
    return bool(area[0] <= int(at[0]) <= area[2] and area[1] <= int(at[1]) <= area[3])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda raw: raw.update(game="chess"), "of another game: chess"),
        (lambda raw: raw.update(scenario="campaign-9"), "no scenario 'campaign-9'"),
        (lambda raw: raw.update(side="french"), "no viewer 'french'"),
        (lambda raw: raw["counters"][0].update(card="9ARM"), "no card '9ARM'"),
        (lambda raw: raw["counters"][0].update(card="4IND"), "no card '4IND'"),
        (lambda raw: raw["counters"][0].update(place="9901"), "no hex 9901"),
        (lambda raw: raw["counters"][0].update(place="box:../x"), "not a place"),
        (lambda raw: raw["counters"].append(raw["counters"][0]), "2 counters 21PZ"),
        (lambda raw: raw["counters"].append({**block("V4", "1803"), "alias": None}), "neither card nor alias"),
    ],
)
def test_a_view_that_does_not_fit_is_refused_in_words(change: Callable[[dict[str, Any]], None], words: str) -> None:
    raw = wire([own("21PZ", "0310")])
    change(raw)
    with pytest.raises(ValueError, match=re.escape(words)):
        holds(read_view(raw))


def test_a_secret_that_is_none_is_refused_and_not_repeated() -> None:
    with pytest.raises(ValueError, match="64 hex digits") as fault:
        save(holdfast(), view([]), secret="dead-beef")
    assert "beef" not in str(fault.value)


# Logs. V09 (a log made on top of an older one) does not apply to the files themselves: each begins with the whole position before it, so
# that none depends on another; what players send are orders, never logs.

MOVED = {
    "kind": "moved",
    "clause": "11.1d",
    "data": {"side": "axis", "alias": "G1", "units": ["21PZ"], "path": ["0310", "0409", "0509", "0608"], "cost": 3},
}
ROLLED = {
    "kind": "rolled",
    "clause": "11.2m",
    "data": {"why": "attack", "site": "0708", "dice": [6, 2], "sides": 6, "modifiers": [{"n": -1, "why": "rough", "clause": "terrain.13"}]},
}
BATTLE = {
    "kind": "battle",
    "clause": "11.2d",
    "data": {
        "label": "0708", "hex": "0708", "side": "axis", "attackers": [{"unit": "21PZ", "alias": "G1", "from": "0608", "sp": 4}],
        "defender": {"unit": "4IND", "alias": "V4", "sp": 2}, "air": None, "leader": None, "attack_dice": 2, "defence_dice": 2,
        "hit_on": {"attack": 5, "defence": 5}, "modifiers": {"attack": [], "defence": []},
    },
}  # fmt: skip
LOST = {
    "kind": "eliminated",
    "clause": "11.2w",
    "data": {"unit": "4IND", "alias": "V4", "hex": "0708", "cause": "combat", "to": "box:pool-allied"},
}
BEFORE = view([own("21PZ", "0310", alias="G1"), own("15PZ", "0310"), block("V4", "0708"), block("V5", "1803")])


def after(*events: dict[str, Any], **more: Any) -> View:
    pool = {**own("4IND", "box:pool-allied", side="allied"), "known": "seen", "num": {}}
    return view([own("21PZ", "0608", alias="G1", marks=("moved",)), own("15PZ", "0310"), block("V5", "1803"), pool], list(events), **more)


def logged(*events: dict[str, Any]) -> bytes:
    return log(holdfast(), BEFORE, after(*events), secret=SECRET)


def test_a_log_starts_at_the_save_before_and_ends_at_the_save_after() -> None:
    made = logged(MOVED, BATTLE, ROLLED, LOST)
    assert board_of(made).shown() == board_of(holds(BEFORE)).shown()
    assert board_of(made, run=True).shown() == board_of(holds(after())).shown()
    assert made == logged(MOVED, BATTLE, ROLLED, LOST)


def test_a_movement_goes_hex_by_hex_and_is_told_with_its_clause() -> None:
    made = steps(logged(MOVED))
    ways = [re.findall(rf"^M/{ident('21PZ')}/Map/(\d+)/(\d+)/", "\n".join(step), re.MULTILINE) for step in made]
    x, y = 108 + 2 * 84, 100 + 9 * 96
    assert [way for way in ways if way] == [[(str(x + 84), str(y - 48))], [(str(x + 168), str(y - 96))], [(str(x + 252), str(y - 144))]]
    assert made[0][0] == "CHAT- Axis 21PZ moves: 0310 Mersa Brega to 0608 Agedabia (3 hexes), 3 MP [11.1d]"


def test_a_roll_is_told_with_its_dice_modifiers_and_clauses() -> None:
    assert ["CHAT- Dice for attack at 0708: 6, 2; -1 rough [terrain.13] [11.2m]"] in steps(logged(ROLLED))


def test_a_block_is_unknown_until_the_event_that_tells_who_it_is() -> None:
    made = logged(MOVED, BATTLE, LOST)
    told = next(k for k, step in enumerate(steps(made)) if any("0708" in one and "attacks" in one for one in step))
    whole = commands(made)
    first = "\n".join(one for one in whole[: len(whole) - len(steps(made)) + told])
    assert "4IND" not in first
    assert f"-/{ident(None, 'V4')}" in steps(made)[told]
    assert any(one.startswith(f"+/{ident('4IND')}/") for one in steps(made)[told])
    board = Board()
    for command in [*(one for one in whole if one[:2] == "+/"), *(one for step in steps(made)[: told + 1] for one in step)]:
        board.do(command)
    # Half strength of four: the third face; it stands where the block stood.
    assert board.pieces[ident("4IND")][1].split("\t")[6].strip("\\") == "3"
    assert board.at[ident("4IND")] == board_of(holds(BEFORE)).at[ident(None, "V4")]


def test_what_the_views_do_not_tell_is_not_in_a_log() -> None:
    made = logged(MOVED, BATTLE, LOST)
    for card in holdfast().cards.values():
        if card.side == "allied" and card.id != "4IND":
            assert not re.search(rf"\b{card.id}\b", text_of(made)), card.id
    assert "PLAYER" not in text_of(made)
    assert SECRET not in text_of(made)


def test_events_of_any_shape_are_told_and_harm_nothing() -> None:
    odd = [
        {"kind": "moved", "data": {"units": ["NOBODY"], "path": ["0310", "9999", "x"]}},
        {"kind": "moved", "data": {"units": ["21PZ"], "path": "0310"}},
        {"kind": "arrived", "data": {"unit": 7, "place": {}}},
        {"kind": "eliminated", "data": {}},
        {"kind": "unheard-of", "data": {"hex": "1803", "deep": {"a": [1, {"b": None}]}, "text": "a\\"}},
    ]
    made = logged(*odd)
    assert board_of(made, run=True).shown() == board_of(holds(after())).shown()
    assert any("Unheard of: hex 1803 Tobruk" in one for step in steps(made) for one in step)


def test_views_that_do_not_belong_together_are_refused() -> None:
    for wrong, words in (
        (after(side="allied"), "another side's: axis, not allied"),
        (after(scenario="campaign-2"), "another scenario: campaign-1, not campaign-2"),
        (after(turn=0), "a later game-turn: 1"),
    ):
        with pytest.raises(ValueError, match=words):
            log(holdfast(), BEFORE, wrong, secret=SECRET)


def test_sides_of_printed_counters_turn_in_a_log() -> None:
    data = load_games()["beda-fomm"]

    def seen(marks: list[str], events: list[dict[str, Any]]) -> View:
        one = {"id": "T-1", "side": "italian", "card": "T-1", "place": "1519", "marks": marks, "num": {}, "known": "own"}
        raw = {
            "game": "beda-fomm",
            "scenario": "historical",
            "side": "british",
            "counters": [one],
            "own": {"vp": 3, "morale": {"BER": 6}},
            "turn": 2,
        }
        return read_view({**raw, "events": events})

    parked = {"kind": "parked", "clause": "9.41a", "data": {"unit": "T-1", "hex": "1519"}}
    made = log(data, seen([], []), seen(["parked"], [parked]), secret=SECRET)
    turned = [one for one in steps(made)[0] if one.startswith(f"D/{ident('T-1')}/")]
    assert len(turned) == 1
    assert steps(made)[0][0] == "CHAT- T-1 parks: 1519 [9.41a]"
    assert board_of(made, run=True).shown() == board_of(save(data, seen(["parked"], []), secret=SECRET)).shown()


# The HTTP edge.


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app(Config(), {"holdfast": holdfast()}).test_client()


def body(**more: Any) -> dict[str, Any]:
    return {"scenario": "holdfast/campaign-1", "view": wire([own("21PZ", "0310")]), "secret": SECRET, **more}


def test_the_calls_give_the_same_bytes_and_the_version(client: FlaskClient) -> None:
    made = client.post("/v1/saves", json=body())
    assert (made.status_code, made.content_type, made.headers["X-Module-Version"]) == (200, "application/zip", module_version(holdfast()))
    assert made.data == holds(view([own("21PZ", "0310")]))
    told = client.post("/v1/logs", json=body(before=wire([own("21PZ", "0210")])))
    assert told.data == log(holdfast(), view([own("21PZ", "0210")]), view([own("21PZ", "0310")]), secret=SECRET)
    module = client.post("/v1/modules", json={"scenario": "holdfast/campaign-2"})
    assert "buildFile.xml" in zipfile.ZipFile(BytesIO(module.data)).namelist()


@pytest.mark.parametrize(
    ("call", "change", "status", "pointer"),
    [
        ("modules", {"scenario": "chess/a"}, 404, None),
        ("modules", {"theme": "neon"}, 422, "#/theme"),
        ("saves", {"secret": "5a"}, 422, "#/secret"),
        ("saves", {"view": {**wire([]), "side": "french"}}, 422, "#/view"),
        ("saves", {"view": {**wire([]), "game": "chess"}}, 422, "#/view/game"),
        ("saves", {"view": {"format": 1, "hidden": "00"}}, 422, "#/view"),
        ("logs", {}, 422, "#/before"),
        ("logs", {"before": {**wire([]), "side": "allied"}}, 422, "#/before/side"),
    ],
)
def test_what_cannot_be_made_is_a_problem(client: FlaskClient, call: str, change: dict[str, Any], status: int, pointer: str | None) -> None:
    sent = {"scenario": "holdfast/campaign-1", **change} if call == "modules" else body(**change)
    answer = client.post(f"/v1/{call}", json=sent)
    assert answer.status_code == status
    if pointer is not None:
        assert [one["pointer"] for one in answer.get_json()["errors"]] == [pointer]


def test_the_same_view_gives_the_same_bytes_whatever_else_it_holds() -> None:
    """Of a view only counters, tracks, turn and events are told: orders, drafts and options leave no trace."""
    seen = view([own("21PZ", "0310"), block("V4", "1803")])
    assert holds(msgspec.structs.replace(seen, options={"littorio": True}, waiting_for=["allied"])) == holds(seen)

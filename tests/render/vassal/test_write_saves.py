"""Saves and logs: what they hold, piece for piece, and what they must not hold."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable
from io import BytesIO
from typing import Any

import msgspec
import pytest

from scenarios.loader import load_games
from services.render.vassal import module_version, save
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


def test_a_morale_beyond_its_track_stands_at_the_end_and_says_its_number() -> None:
    raw = {"game": "beda-fomm", "scenario": "historical", "side": "british", "counters": [], "turn": 2}
    seen = read_view({**raw, "own": {"morale": {"BER": 13, "10B": 12}}, "events": []})
    pieces = board_of(save(load_games()["beda-fomm"], seen, secret=SECRET)).pieces.values()
    over, last = (next(piece for piece in pieces if piece[0].endswith(f"{name}: Italian morale")) for name in ("(BER)", "(10B)"))
    assert "13" in over[1].split("\t")[1]
    assert not re.search(r"\d", last[1].split("\t")[1]), "12 is the last box, and needs no label"


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


def test_the_same_view_gives_the_same_bytes_whatever_else_it_holds() -> None:
    """Of a view only counters, tracks, turn and events are told: orders, drafts and options leave no trace."""
    seen = view([own("21PZ", "0310"), block("V4", "1803")])
    assert holds(msgspec.structs.replace(seen, options={"littorio": True}, waiting_for=["allied"])) == holds(seen)

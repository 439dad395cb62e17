"""Self-play and verification: a game that played itself is found whole, and a changed byte anywhere is found and named."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.worker.plodder import Plodder, plod
from worker.canonical import Json, decode, digest
from worker.cli import main
from worker.desk import archive, selfplay, verify
from worker.desk.archive import Chain, Played, as_file
from worker.local import local_mail
from worker.play import dice
from worker.play.games import UnusableInput

ROLLED = {"n": 1, "kind": "rolled", "data": {"dice": [5, 2, 3, 4, 4, 6, 4], "sides": 6, "key": ["attack", 3, None]}}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of two game-turns."""
    folder = tmp_path_factory.mktemp("whole") / "game"
    plod(folder, 2)
    return folder


@pytest.fixture
def game(whole: Path, tmp_path: Path) -> Path:
    """A copy of it, to be changed."""
    return Path(shutil.copytree(whole, tmp_path / "game"))


def faults(folder: Path) -> list[str]:
    """What verification finds."""
    return verify.verify(folder, Plodder(), local_mail()).faults


def test_a_game_is_played_into_files_and_verified(whole: Path) -> None:
    result = decode((whole / "result.json").read_bytes())
    assert (result["over"], result["winner"], result["turns"], result["scenario"]) == (False, None, 3, "holdfast/campaign-1")
    numbers = range(1, result["packets"] + 1)
    assert {one.name for one in (whole / "packets").iterdir()} == {f"{n:06d}.{end}" for n in numbers for end in ("json", "txt")}
    assert {one.name for one in (whole / "outcomes").iterdir()} == {f"{n:06d}.json" for n in (0, *numbers)}
    assert (whole / "packets" / "000001.txt").read_text() == "# axis\nCOMMIT 1\n"
    found = verify.verify(whole, Plodder(), local_mail())
    assert (found.faults, found.packets, found.again, found.others) == ([], len(numbers), len(numbers), {})


def test_the_same_seed_is_the_same_game_and_another_is_not(whole: Path, tmp_path: Path) -> None:
    again = plod(tmp_path / "again", 2)
    assert as_file(again) == (whole / "result.json").read_bytes()
    other = plod(tmp_path / "other", 2, "0" * 63 + "2")
    assert other["chain"][-1]["hash"] != again["chain"][-1]["hash"]


def test_dice_follow_from_seed_and_key() -> None:
    # SHA-256 of ["00..00","attack",3,null,0,0] modulo 6, plus 1, and so on for the dice 1 to 6
    seed = "0" * 64
    texts = [f'["{seed}","attack",3,null,{die},0]' for die in range(7)]
    by_hand = [int(digest(text.encode()), 16) % 6 + 1 for text in texts]
    assert dice.throw(seed, ["attack", 3, None], 6, 7) == by_hand
    assert not dice.wrong_throw(seed, {"data": ROLLED["data"] | {"dice": by_hand}})
    for wrong in ({"dice": [by_hand[0] % 6 + 1, *by_hand[1:]]}, {"dice": 3}, {"sides": 1}, {"sides": True}, {"key": None}):
        assert dice.wrong_throw(seed, {"data": ROLLED["data"] | {"dice": by_hand} | wrong})


def first_rolled(folder: Path) -> tuple[Path, int]:
    """The first outcome of a packet with dice in it, and the number of its event."""
    for path in sorted((folder / "outcomes").iterdir())[1:]:
        for event in decode(path.read_bytes())["events"]:
            if event["kind"] == "rolled":
                return path, event["n"]
    raise AssertionError("nothing was rolled")


def edit(path: Path, change: Callable[[Json], None]) -> None:
    """Change a JSON file and write it as it was written."""
    value = decode(path.read_bytes())
    change(value)
    path.write_bytes(as_file(value))


def flip(path: Path) -> None:
    """Another byte in the middle."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))


@pytest.mark.parametrize("name", ["packets/000004.json", "packets/000004.txt", "outcomes/000004.json", "outcomes/000000.json"])
def test_a_changed_byte_of_a_file_is_found_and_named(game: Path, name: str) -> None:
    flip(game / name)
    assert faults(game)[0].startswith(f"{name}: it was changed")


def test_every_byte_of_the_result_counts(game: Path) -> None:
    file = game / "result.json"
    data = file.read_bytes()
    step = len(data) // 12
    for at in [*range(0, len(data), step), len(data) - 1]:
        changed = bytearray(data)
        changed[at] ^= 1
        file.write_bytes(bytes(changed))
        try:
            found = faults(game)
        except UnusableInput as error:
            found = [str(error)]
        assert found, at
        assert any("result.json" in one for one in found), (at, found)


@pytest.mark.parametrize(
    ("key", "value"), [("winner", "axis"), ("level", "decisive"), ("turns", 22), ("packets", 3), ("data", "0" * 64), ("more", 1)]
)
def test_a_result_that_the_game_does_not_give_is_named(game: Path, key: str, value: Json) -> None:
    edit(game / "result.json", lambda result: result.update({key: value}))
    assert faults(game) == [f"result.json: {key} is not what the game gives"]


def relink(folder: Path, number: int, change: Callable[[Json], None]) -> None:
    """Forge a record, and every hash after it."""
    result = decode((folder / "result.json").read_bytes())
    chain = Chain()
    for at, entry in enumerate(result["chain"]):
        if at == number:
            change(entry["record"])
        chain.add(entry["record"])
    result["chain"] = chain.entries()
    (folder / "result.json").write_bytes(as_file(result))


def forge(folder: Path, path: Path) -> None:
    """Make the chain agree with a changed outcome."""
    outcome = decode(path.read_bytes())
    made = archive.record_of(Played("holdfast/campaign-1", "holdfast/campaign-1", {}, "0" * 64), 0, outcome)
    relink(folder, int(path.stem), lambda record: record.update({key: made[key] for key in ("outcome", "events")}))


def test_forged_dice_are_found_though_all_digests_agree(game: Path) -> None:
    path, n = first_rolled(game)

    def other_face(outcome: Json) -> None:
        rolled = outcome["events"][n - 1]["data"]["dice"]
        rolled[0] = rolled[0] % 6 + 1

    edit(path, other_face)
    forge(game, path)
    assert faults(game) == [f"outcomes/{path.name}: event {n}: its dice do not follow from the packet's seed and the key"]


def test_a_forged_outcome_is_found_by_adjudicating_again(game: Path) -> None:
    path = game / "outcomes" / "000003.json"
    edit(path, lambda outcome: outcome["events"][0].update(clause="forged"))
    forge(game, path)
    assert faults(game) == ["outcomes/000003.json: adjudicated again, its packet leads to something else"]


def test_forged_seeds_numbers_and_orders_are_named(game: Path) -> None:
    relink(game, 3, lambda record: record.update(seed="1" * 64))
    assert faults(game) == ["result.json: record 3: its seed does not follow from the game's secret"]
    relink(game, 3, lambda record: record.update(n=9))
    assert "result.json: record 3: its packet number is 9, not 3" in faults(game)


@pytest.mark.parametrize(
    ("number", "key", "value"),
    [(0, "state", "0" * 64), (0, "words", [["axis", "luck"]]), (0, "more", 1), (2, "options", {}), (2, "more", None)],
)
def test_a_forged_record_is_named_though_the_hashes_follow(game: Path, number: int, key: str, value: Json) -> None:
    relink(game, number, lambda record: record.update({key: value}))
    assert faults(game)[0].startswith((f"result.json: record {number}: ", f"outcomes/00000{number}.json: "))


@pytest.mark.parametrize("value", [None, 3, [], {"a": 1}, "x", "a/b/c"])
def test_a_result_of_another_shape_is_unusable_input_or_a_fault(game: Path, value: Json) -> None:
    result = decode((game / "result.json").read_bytes())
    for key in ("game", "scenario", "asked", "secret", "chain", "maps", "options"):
        (game / "result.json").write_bytes(as_file(result | {key: value}))
        with suppress(UnusableInput):
            assert faults(game), key


def test_orders_that_say_something_else_than_their_packet_are_named(game: Path) -> None:
    text = b"# axis\nCOMMIT 0\n"
    (game / "packets" / "000001.txt").write_bytes(text)
    relink(game, 1, lambda record: record.update(orders=digest(text)))
    assert faults(game) == ["packets/000001.txt: it does not say what its packet orders"]


def test_a_broken_chain_is_named(game: Path) -> None:
    edit(game / "result.json", lambda result: result["chain"][5].update(hash="0" * 64))
    assert faults(game) == ["result.json: the hash of record 5 is not that of the record and the one before it"]


def test_missing_and_foreign_files_are_named(game: Path) -> None:
    (game / "packets" / "000002.txt").unlink()
    (game / "outcomes" / "extra.json").write_bytes(b"{}")
    assert faults(game) == [
        "packets/000002.txt: it cannot be read: no such file or directory",
        "outcomes/extra.json: the chain knows no such file",
    ]


def test_packets_of_another_version_are_not_adjudicated_again_and_the_version_is_named(game: Path) -> None:
    for number in range(decode((game / "result.json").read_bytes())["packets"] + 1):
        relink(game, number, lambda record: record.update(rules="0.0.7"))
    edit(game / "result.json", lambda result: result.update(rules=["0.0.7"]))
    found = verify.verify(game, Plodder(), local_mail())
    assert (found.faults, found.again) == ([], 0)
    assert f"To adjudicate packets 0 to {found.packets} again ({found.packets + 1} of them), hexpost 0.0.7 is needed." in found.lines()
    path, _ = first_rolled(game)
    edit(path, lambda outcome: outcome["events"][0].update(clause="forged"))
    assert faults(game)[0] == f"outcomes/{path.name}: it was changed: its SHA-256 is not the one in the chain"


@pytest.mark.parametrize(
    "content", ["{}", '{"chain": []}', '{"secret": "zz"}', "[", '{"game": 1, "scenario": 2, "asked": 3, "secret": "", "chain": [1]}']
)
def test_a_folder_that_holds_no_game_is_unusable_input(tmp_path: Path, content: str) -> None:
    (tmp_path / "result.json").write_text(content)
    answer = CliRunner().invoke(main, ["verify", str(tmp_path)])
    assert answer.exit_code == 2
    assert answer.output.startswith("hexpost: ")
    assert len(answer.output.splitlines()) == 1


def test_verify_on_the_command_line(game: Path) -> None:
    answer = CliRunner().invoke(main, ["verify", str(game)])
    assert (answer.exit_code, len(answer.output.splitlines())) == (0, 2)
    flip(game / "packets" / "000001.json")
    answer = CliRunner().invoke(main, ["verify", str(game)])
    assert answer.exit_code == 2
    assert answer.stderr.startswith("packets/000001.json: it was changed")


def test_misshapen_outcomes_are_faults_and_no_failures(game: Path) -> None:
    file = game / "outcomes" / "000002.json"
    for content in (b"[]", b"{}", b'{"state": 1, "events": [1]}', b'{"state": {}, "events": {}}', b"null"):
        file.write_bytes(content)
        found = faults(game)
        assert found
        assert {one.partition(":")[0] for one in found} <= {"outcomes/000002.json", "result.json"}


def test_selfplay_takes_no_folder_that_holds_something(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("kept")
    answer = CliRunner().invoke(main, ["selfplay", "holdfast/campaign-1", "--out", str(tmp_path)])
    assert (answer.exit_code, answer.output) == (2, f"hexpost: {tmp_path} is not an empty folder; name another.\n")
    for scenario, seed in (("holdfast/none", ""), ("nonsense", ""), ("holdfast/campaign-1", "xyz")):
        answer = CliRunner().invoke(main, ["selfplay", scenario, "--seed", seed, "--out", str(tmp_path / "new")])
        assert answer.exit_code == 2
        assert not (tmp_path / "new").exists()


def test_the_adjutant_plays_on_the_command_line_and_the_game_is_verified(tmp_path: Path) -> None:
    call = ["selfplay", "holdfast/campaign-2", "--seed", "07", "--turns", "1", "--option", "tempo=blitz", "--maps", "--out"]
    answer = CliRunner().invoke(main, [*call, str(tmp_path / "game")])
    assert (answer.exit_code, answer.stderr) == (0, "")
    result = decode((tmp_path / "game" / "result.json").read_bytes())
    assert answer.stdout.startswith("holdfast/campaign-2: not over in game-turn 2, after ")
    assert (result["asked"], result["options"]["tempo"], result["secret"]) == ({"tempo": "blitz"}, "blitz", "07".rjust(64, "0"))
    assert set(result["maps"]) == {"maps/t01.png"}
    assert (tmp_path / "game" / "maps" / "t01.png").read_bytes().startswith(b"\x89PNG")
    assert not any(decode(one.read_bytes())["rejections"] for one in (tmp_path / "game" / "outcomes").glob("00000[1-9].json"))
    assert CliRunner().invoke(main, ["verify", str(tmp_path / "game")]).exit_code == 0
    flip(tmp_path / "game" / "maps" / "t01.png")
    assert "maps/t01.png: it was changed" in CliRunner().invoke(main, ["verify", str(tmp_path / "game")]).stderr


def test_how_a_game_ended_in_words() -> None:
    result = {"over": True, "winner": "axis", "level": "decisive", "why": "13c", "turns": 22, "packets": 300}
    assert selfplay.how_it_ended(result) == "axis wins, decisive (13c) in game-turn 22, after 300 packets"
    assert json.loads(as_file(result)) == result
    points = result | {"winner": None, "level": "points"}
    assert selfplay.how_it_ended(points).startswith("over without a winner (13c)")

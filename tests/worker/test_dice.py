"""Dice that players can check: the page for them is run as it stands over the mails of a game that was played with an UNDO; a throw,
secret, seed or journal that was changed is found; dice are fair.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import zlib
from dataclasses import dataclass
from email.message import EmailMessage
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import update

from services.rules.engine.dice import SeededDice
from tests.architecture.sources import ROOT
from tests.worker.whole import AT, Table
from worker import secrets
from worker.canonical import Json, canonical, digest
from worker.cli import main
from worker.desk.audit import table
from worker.desk.demo_script import ADDRESSES
from worker.play.dice import throw
from worker.play.fairness import Tally, chi_square_chance, tally
from worker.play.throws import throws
from worker.post import received
from worker.post.context import queue_of
from worker.post.postbox import parts
from worker.store.commits import link
from worker.store.database import writing
from worker.store.tables import games, turns

PAGE = (ROOT / "docs/players/dice.md").read_text(encoding="utf-8")
ORDERS = "orders@hexpost.example"
PLAYED = (
    ("axis", "COMMIT 0"),
    ("axis", "MOVE 21PZ TO 0505 BY ROAD\nATTACK Benghazi WITH 21PZ AIR X1 LEADER"),
    ("axis", "UNDO"),
    ("allied", "ACCEPT {code}"),
    ("axis", "MOVE 21PZ TO 0505 BY ROAD\nATTACK Benghazi WITH 21PZ AIR X1 LEADER\nDONE TURN AUTO"),
    ("allied", "DONE TURN AUTO"),
    ("allied", "CONCEDE CONFIRM"),
)


@dataclass
class Played:
    """A game that is over: its table, its id, and the folder with the files of throws that the Axis was sent."""

    table: Table
    game: str
    files: list[Path]
    mails: list[EmailMessage]
    config: Path


def text(mail: EmailMessage) -> str:
    """The plain text of a mail."""
    return parts(mail)[0]


def begin(table: Table) -> str:
    """A game begun by mail, with a word of each side."""
    stamp = b"Authentication-Results: mx.hexpost.example; dmarc=pass header.from=player.example\n"
    for number, (side, line) in enumerate((("axis", "NEW holdfast/campaign-1 AS axis WORD Kettle"), ("allied", "JOIN G2 WORD pot"))):
        head = f"From: {table.addresses[side]}\nTo: {ORDERS}\nSubject: x\nMessage-ID: <b{number}@player.example>\n\n"
        take(table, f"b{number}", stamp + f"{head}{line}\n".encode())
    return "G2"


def take(table: Table, place: str, raw: bytes) -> None:
    """A mail that may belong into another queue than the one that its headers name."""
    queue: str | None = queue_of(table.journal, raw)
    table.journal.add_message(place, raw, AT, str(queue))
    while queue is not None and (waiting := table.journal.next_message(queue)) is not None:
        queue = received.handle(table.ports, waiting)
    for game in table.outbox.games():
        table.post(game)


def attached(mails: list[EmailMessage], folder: Path) -> list[Path]:
    """The files of throws of some mails."""
    folder.mkdir()
    found = []
    for mail in mails:
        for one in mail.iter_attachments():
            if str(one.get_filename()).startswith("G2-") and str(one.get_filename()).endswith(".json"):
                found.append(folder / str(one.get_filename()))
                found[-1].write_bytes(one.get_content())
    return found


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """The game."""
    folder = tmp_path_factory.mktemp("dice")
    made = Table(folder, addresses={"axis": "ada@player.example", "allied": "bob@player.example"})  # G1
    made.addresses = ADDRESSES
    with pytest.MonkeyPatch.context() as patch:  # the same dice each time
        patch.setattr(secrets, "new_secret", lambda: "3c" * 32)
        game = begin(made)
    for number, (side, orders) in enumerate(PLAYED):
        code = re.search(r"ACCEPT ([a-z0-9]{14})", text(made.mails_to("allied")[-1]))
        made.play(number, side, orders.format(code=code[1] if code else ""))
    mails = [mail for mail in made.mails_to("axis") if "[G2" in str(mail["Subject"])]
    config = folder / "hexpost.toml"
    config.write_text(f'home = "{folder}"\ndatabase = "sqlite:///{folder / "journal.db"}"\n')
    return Played(made, game, attached(mails, folder / "got"), mails, config)


def checked(folder: Path, *files: Path) -> tuple[int, list[str]]:
    """What the lines on the page say of these files."""
    (folder / "dice.py").write_text(re.search(r"^```python\n(.*?)^```$", PAGE, re.M | re.S)[1], encoding="utf-8")
    run = subprocess.run([sys.executable, str(folder / "dice.py"), *map(str, files)], capture_output=True, text=True, timeout=30)
    assert run.stderr == ""
    return run.returncode, run.stdout.splitlines()


def copy(folder: Path, source: Path, **changes: Any) -> Path:
    """A file of throws with other members."""
    made = folder / source.name
    made.write_text(json.dumps(json.loads(source.read_text()) | changes))
    return made


def lines_of(played: Played, *more: str) -> tuple[int, str]:
    """What ``hexpost dice`` says."""
    run = CliRunner().invoke(main, ["dice", played.game, "--config", str(played.config), *more])
    return run.exit_code, run.output


# What players get


@pytest.mark.bug("D03")
def test_a_player_computes_every_throw_of_a_game_again_by_the_lines_on_the_page(played: Played, tmp_path: Path) -> None:
    assert [one.name for one in played.files] == [
        "G2-t01-dice-0001-0001.json",
        "G2-t01-dice-0002-0003.json",
        "G2-t01-dice-0004-0005.json",
        "G2-t02-dice-0006-0006.json",
        "G2-dice.json",
    ]
    code, said = checked(tmp_path, *played.files)
    game = played.table.journal.game("G2")
    assert (code, said[-1]) == (0, "All of it holds.")
    rows = json.loads(played.files[-1].read_text())["throws"]
    fell = [sum(row["dice"].count(face) for row in rows) for face in range(1, 7)]
    assert said[-2].endswith(
        f"6 throws, faces 1 to 6 {fell} times; commitment {secrets.commitment(game.secret)}, words [['axis', 'kettle'], ['allied', 'pot']]"
    )
    # the commitment stood in the answer to NEW, before anybody had given a word
    assert secrets.commitment(game.secret) in text(played.mails[0]).replace("\n", " ")


@pytest.mark.bug("D03")
def test_a_throw_secret_or_word_that_was_changed_afterwards_is_found_by_these_lines(played: Played, tmp_path: Path) -> None:
    *reports, last = played.files
    rows = json.loads(last.read_text())["throws"]
    other = [{**rows[0], "dice": [rows[0]["dice"][0] % 6 + 1]}, *rows[1:]]
    assert checked(tmp_path, copy(tmp_path, last, throws=other))[1][1:] == ["#1 fell otherwise"]
    # with another seed that fits the dice, the secret gives it away
    forged = [{**rows[0], "seed": "0" * 64, "dice": throw("0" * 64, rows[0]["key"], 6, 1)}, *rows[1:]]
    assert checked(tmp_path, copy(tmp_path, last, throws=forged))[1][1:] == ["the seed of #1 is not that of the secret"]
    assert "the secret is not the one of the commitment" in checked(tmp_path, copy(tmp_path, last, secret="5a" * 32))[1]
    assert "the seed of #1 is not that of the secret" in checked(tmp_path, copy(tmp_path, last, words=[["axis", "kettle"]]))[1]
    assert "throws are missing" in checked(tmp_path, copy(tmp_path, last, throws=rows[1:]))[1]
    # a whole other game, true in itself, is not the one whose reports were sent
    lied = copy(tmp_path, reports[0], commitment="00" * 32)
    assert checked(tmp_path, lied, last)[1][-1] == "#1 was told otherwise before"


def test_no_file_of_a_game_that_is_not_over_tells_the_secret_or_how_many_packets_there_were(played: Played) -> None:
    secret = played.table.journal.game("G2").secret
    for one in played.files[:-1]:
        told = json.loads(one.read_text())
        assert set(told) == {"format", "game", "scenario", "commitment", "words", "throws"}
        assert all(set(row) == {"number", "clause", "why", "key", "sides", "dice", "seed"} for row in told["throws"])
        assert secret not in one.read_text()
    assert all(secret not in mail.as_string() for mail in played.mails[:-1])
    assert secret in text(played.mails[-1])


def test_each_throw_in_a_report_bears_its_number_and_its_reason(played: Played) -> None:
    fight = next(mail for mail in played.mails if "#4" in text(mail))
    lines = [line.split() for line in text(fight).splitlines() if re.search(r"#[0-9]+$", line)]
    assert [line[-1] for line in lines] == ["#4", "#5"]
    assert lines[1][0] == "defence"
    assert "The throws told here (#) can be computed again from G2-t01-dice-0004-0005.json" in " ".join(text(fight).split())
    assert parts(fight)[1].count(">#4<") == 1
    assert "All throws of the game" in " ".join(text(played.mails[-1]).split())


def test_after_an_agreed_undo_dice_fall_anew_in_a_branch_and_those_taken_back_are_kept(played: Played) -> None:
    rows = json.loads(played.files[-1].read_text())["throws"]
    assert [(row["number"], row["branch"], row["taken_back"], row["why"]) for row in rows] == [
        (1, 0, False, "malta"),
        (2, 0, True, "attack"),
        (3, 0, True, "defence"),
        (4, 1, False, "attack"),
        (5, 1, False, "defence"),
        (6, 1, False, "weather"),
    ]
    assert rows[1]["key"] == rows[3]["key"]
    assert rows[1]["dice"] != rows[3]["dice"]
    assert rows[1]["n"] < rows[3]["n"]


def test_throws_are_counted_in_games_of_before_they_were(played: Played) -> None:
    engine = played.table.journal.engine
    game = played.table.journal.game("G2")
    usual = [one.number for one in throws(engine, game, after=3)]
    kept = played.table.journal.chain("G2")
    with writing(engine) as connection:
        for version, record, _ in kept:
            old = canonical({key: value for key, value in record.items() if key != "throws"}).decode()
            connection.execute(update(turns).where(turns.c.game == "G2", turns.c.version == version).values(record=old))
    assert [one.number for one in throws(engine, game, after=3)] == usual
    with writing(engine) as connection:
        for version, record, _ in kept:
            old = canonical(record).decode()
            connection.execute(update(turns).where(turns.c.game == "G2", turns.c.version == version).values(record=old))


# What the desk can say


def test_the_desk_audits_a_game_and_shows_how_its_dice_fell(played: Played, tmp_path: Path) -> None:
    code, said = lines_of(played, "--out", str(tmp_path / "all.json"))
    rows = json.loads(played.files[-1].read_text())["throws"]
    dice = [die for row in rows for die in row["dice"]]
    assert code == 0
    assert f"G2: 6 throws of {len(dice)} dice, of which 2 throws were taken back." in said
    assert "every die from its seed and key" in said
    counts = "".join(f"{dice.count(face):>6}" for face in range(1, 7))
    assert re.search(rf"^all +{counts} +{len(dice)} +{sum(dice) / len(dice):.2f} ", said, re.M)
    assert (tmp_path / "all.json").read_bytes() == played.files[-1].read_bytes()
    assert lines_of(Played(played.table, "G77", [], [], played.config)) == (2, "hexpost: There is no game 'G77' here.\n")


def test_of_a_game_that_runs_the_desk_gives_no_secret(played: Played, tmp_path: Path) -> None:
    running = Played(played.table, "g1", [], [], played.config)
    code, said = lines_of(running, "--out", str(tmp_path / "all.json"))
    secret = played.table.journal.game("G1").secret
    assert (code, said.splitlines()[0]) == (0, "G1: 0 throws of 0 dice.")
    assert secret not in said + (tmp_path / "all.json").read_text()


def changed(played: Played, version: int, **values: Any) -> list[str]:
    """What the audit finds after a change of the database that is taken back again."""
    engine = played.table.journal.engine
    where = (turns.c.game == "G2", turns.c.version == version)
    with engine.connect() as connection:
        before = dict(connection.execute(turns.select().where(*where)).mappings().one())
    with writing(engine) as connection:
        connection.execute(update(turns).where(*where).values(values))
    code, said = lines_of(played)
    with writing(engine) as connection:
        connection.execute(update(turns).where(*where).values({key: before[key] for key in values}))
    assert code == 2
    return [line for line in said.splitlines() if line.startswith(("record", "throw", "the last", "G2: what"))]


@pytest.mark.bug("D03")
def test_a_journal_that_was_changed_fails(played: Played) -> None:
    chain = played.table.journal.chain("G2")
    version, record, hashed = next(one for one in chain if one[1]["n"] == 1)
    events = played.table.journal.events("G2", version - 1, version)
    rolled = next(one for one in events if one["kind"] == "rolled")
    rolled["data"]["dice"] = [rolled["data"]["dice"][0] % 6 + 1]
    packed = zlib.compress(canonical(events))
    found = changed(played, version, events=packed)
    assert f"record {version}: what happened is not what the record says" in found
    assert "throw #1: its dice do not follow from its seed and key" in found
    # with record and hash made to fit, the next record and the dice tell
    lie = record | {"events": digest(canonical(events))}
    before = chain[version - 1][2]
    found = changed(played, version, events=packed, record=canonical(lie).decode(), hash=link(before, lie))
    assert found == [
        f"record {version + 1}: its hash is not that of it and the record before it",
        "throw #1: its dice do not follow from its seed and key",
    ]
    assert hashed != link(before, lie)
    lie = record | {"seed": "0" * 64}
    assert f"record {version}: its seed does not follow from the secret, the words and its number" in changed(
        played, version, record=canonical(lie).decode()
    )
    assert f"record {version}: its packet number is 3, not 1" in changed(played, version, record=canonical(record | {"n": 3}).decode())
    assert "record 1: it counts 5 throws, and there are 1" in changed(played, version, record=canonical(record | {"throws": 5}).decode())
    assert changed(played, version, record="{") == ["G2: what is stored of it cannot be read any more"]


@pytest.mark.parametrize(
    ("column", "value", "fault"),
    [
        ("secret", "5a" * 32, "record 0: the secret is not the one that was committed to"),
        ("words", [["axis", "other"]], "record 0: the players' words are not those that the game began with"),
        ("head", "00", "the last record is not the one that the game ends with"),
    ],
)
def test_another_secret_word_or_end_is_found(played: Played, column: str, value: Json, fault: str) -> None:
    engine = played.table.journal.engine
    game = played.table.journal.game("G2")
    with writing(engine) as connection:
        connection.execute(update(games).where(games.c.id == "G2").values({column: value}))
    code, said = lines_of(played)
    with writing(engine) as connection:
        connection.execute(update(games).where(games.c.id == "G2").values({column: getattr(game, column)}))
    assert code == 2
    assert fault in said.splitlines()


# Fair dice


@pytest.mark.bug("D03")
@pytest.mark.parametrize("sides", [2, 6, 10, 20])
def test_a_hundred_thousand_dice_are_even_and_the_worker_throws_as_the_rules_do(sides: int) -> None:
    fell: list[int] = []
    for n in range(1, 101):
        seed = secrets.seed("5a" * 32, [["axis", "kettle"]], "G1", 0, n)
        key = (n // 10, "axis", "action", 0, "11.2m", "0504", "", "attack", n % 3)
        fell += SeededDice(seed).throw(key, sides, 1000)
        if n % 25 == 0:
            assert throw(seed, list(key), sides, 1000) == fell[-1000:]
    found = tally("all", sides, fell)
    assert found.count == 100_000
    assert 0.001 < found.chance < 0.999


def test_dice_in_a_row_do_not_hang_together() -> None:
    pairs = [0] * 36
    for n in range(1, 41):
        fell = throw(secrets.seed("5a" * 32, [], "G1", 0, n), ["combat", n], 6, 901)
        for first, second in pairwise(fell):
            pairs[6 * (first - 1) + second - 1] += 1
    assert 0.001 < Tally("pairs", tuple(pairs)).chance < 0.999


def test_the_chance_is_that_of_the_printed_tables() -> None:
    # the 5 % and 1 % points of chi-square: 5 degrees 11.070 and 15.086, 1 degree 3.841, 19 degrees 30.144, 5 degrees 95 % 1.145
    for found, freedom, chance in ((11.070, 5, 0.05), (15.086, 5, 0.01), (3.841, 1, 0.05), (30.144, 19, 0.05), (1.145, 5, 0.95)):
        assert chi_square_chance(found, freedom) == pytest.approx(chance, abs=2e-4)
    assert chi_square_chance(0, 5) == 1.0


def test_loaded_dice_are_pointed_out_and_few_dice_are_not_judged() -> None:
    assert tally("six", 6, [6] * 20 + [1, 2, 3, 4, 5] * 4).chance < 0.001
    assert tally("few", 6, [6] * 29).chance is None
    assert tally("none", 6, []).mean == 0.0


def test_the_table_tells_dice_by_size_player_turn_and_purpose(played: Played) -> None:
    said = list(table(throws(played.table.journal.engine, played.table.journal.game("G2"))))
    assert [line[:24].strip() for line in said[1:-3]] == [
        "Dice of 6",
        "all",
        "axis player-turns",
        "between",
        "attack",
        "defence",
        "malta",
        "weather",
    ]

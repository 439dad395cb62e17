"""What a side may not know is in nothing that it can fetch: state, history, what was taken back, exports, files, refusals, pictures.

Two games differ in what the Axis alone sees (other units behind the blocks, and so other orders); all that the Allies get must be equal to
the byte. That of mails with their maps is tests/worker/test_fog.py's; a site of the game does not exist yet.
"""

from __future__ import annotations

import json
import re
import struct
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.worker.fakes import ToyRender
from tests.worker.test_fog import Change, Dealt, got, renamed
from tests.worker.whole import Table
from worker.canonical import Json, canonical
from worker.cli import main
from worker.local import local_render, local_rules
from worker.play.vassal import module_version
from worker.post.postbox import parts

HIDDEN = {"BRESCIA", "TRENTA", "SAVENA", "PAVIA", "BOLOGNA", "FASCISTS", "TRIESTE"}
PICTURES = frozenset({b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"})
"""What a PNG must hold to be shown: no text, no time, no camera."""
ASKED = "STATUS\nWHO\nTEMPLATE\nLEGAL\nRESEND"
SESSIONS = (
    ("axis", "COMMIT 0"),
    ("axis", "STEP SAVENA 2\nSTEP BOLOGNA 2\nENTER TRIESTE\nDELAY FASCISTS"),
    ("axis", "MOVE PAVIA TO 0409 BY ROAD"),
    ("axis", "UNDO"),
    ("axis", "MOVE PAVIA TO 0409 BY ROAD\nMOVE BOLOGNA TO 0310\nMOVE 21PZ TO 0507 BY ROAD\nDONE TURN AUTO"),
    ("allied", ASKED),
    ("allied", "UNDO"),
    ("allied", "MOVE PAVIA TO 0310"),
    ("allied", "MOVE 2ARM TO 0409"),
    ("allied", "IF 0409 HOLDS ARMOR MOVE 2ARM 0806"),
    ("allied", "STEP 9AUS 1\nMOVE 2ARM TO 0606\nATTACK 0507 WITH 2ARM"),
)
FILES_FROM = 4
pytestmark = pytest.mark.timeout(180)


def dealt_otherwise(state: Json) -> None:
    """Two blocks of El Agheila are other units, and one is weaker."""
    swap = {"PAVIA": "BOLOGNA", "BOLOGNA": "PAVIA"}
    state["own"]["blocks"] = {alias: swap.get(unit, unit) for alias, unit in state["own"]["blocks"].items()}
    state["counters"]["BRESCIA"]["num"]["sp"] = 1


class Files(ToyRender):
    """The real saves and logs; a module that is none, as it takes long to draw and holds nothing of a game; no pictures."""

    def __init__(self) -> None:
        super().__init__(said=lambda kind, body: "")
        self._real = local_render()
        self._version = ""

    def save(self, body: Json) -> bytes:
        made = self._real.save(body)
        self._version = module_version(made)
        return made

    def log(self, body: Json) -> bytes:
        return self._real.log(body)

    def module(self, body: Json) -> bytes:
        out = BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            archive.writestr(zipfile.ZipInfo("moduledata"), f"<data><version>{self._version}</version></data>")
        return out.getvalue()


def played(folder: Path, change: Change, *, other: bool) -> Table:
    """The sessions, with files for VASSAL from ``FILES_FROM`` on."""
    folder.mkdir()
    table = Table(folder, Dealt(change), Files())
    for number, (side, orders) in enumerate(SESSIONS):
        if number == FILES_FROM:
            table.ports = replace(table.ports, config=replace(table.ports.config, vassal=5_000_000))
        table.play(number, side, renamed(orders) if other and side == "axis" else orders)
    return table


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> tuple[Table, Table]:
    """Both games."""
    folder = tmp_path_factory.mktemp("hidden")
    return played(folder / "one", lambda state: None, other=False), played(folder / "two", dealt_otherwise, other=True)


@pytest.mark.bug("S07")
def test_mails_answers_refusals_saves_logs_and_throws_are_equal_to_the_byte(tables: tuple[Table, Table]) -> None:
    one, two = tables
    assert got(one, "axis") != got(two, "axis")
    assert got(one, "allied") == got(two, "allied")
    names = {str(part.get_filename()) for mail in one.mails_to("allied") for part in mail.iter_attachments()}
    assert {name.rpartition(".")[2] for name in names} >= {"vsav", "vlog", "vmod", "json"}
    said = " ".join(" ".join(parts(mail)[0].split()) for mail in one.mails_to("allied"))
    for asked in ("not your unit", "The last thing that happened", "WHO", "sent again"):
        assert asked in said, asked


@pytest.mark.bug("S07")
def test_no_name_of_a_hidden_unit_is_in_any_part_of_a_mail_but_where_the_player_wrote_it(tables: tuple[Table, Table]) -> None:
    for mail in tables[0].mails_to("allied"):
        written = "PAVIA" if "MOVE PAVIA" in parts(mail)[0] else ""
        for part in mail.walk():
            if part.get_content_maintype() == "text":
                words = set(re.findall(r"[A-Z]+", str(part.get_content()).upper()))
                assert words & HIDDEN <= {written}


@pytest.mark.bug("S07")
def test_no_picture_holds_more_than_itself(tables: tuple[Table, Table]) -> None:
    state = tables[0].journal.state("G1", tables[0].journal.game("G1").version)[0]
    drawn = local_render().map({"scenario": "holdfast/campaign-1", "view": local_rules().view(state, "allied", []), "scale": 400})
    assert set(_chunks(drawn)) <= PICTURES


def _chunks(data: bytes) -> Iterator[bytes]:
    at = 8
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        yield data[at + 4 : at + 8]
        at += 12 + length


@pytest.mark.bug("S07")
def test_views_history_and_legal_orders_by_http_are_equal_at_every_state_the_first_and_those_taken_back_among_them(
    tables: tuple[Table, Table],
) -> None:
    rules = local_rules()
    versions = tables[0].journal.game("G1").version
    assert versions == tables[1].journal.game("G1").version
    for version in range(versions + 1):
        seen = []
        for table in tables:
            state = table.journal.state("G1", version)[0]
            events = table.journal.events("G1", -1, version)
            for side in ("allied", None):
                seen.append(canonical(rules.view(state, side, events)))
            seen.append(canonical(rules.legal(state, "allied")))
        assert seen[:3] == seen[3:], version
        assert not any(re.search(rb'"(hidden|drawn|agenda|secret)"', one) for one in seen)


@pytest.mark.bug("S07")
@pytest.mark.parametrize("command", ["view", "save", "log", "legal", "refusal"])
def test_exports_and_refusals_at_the_command_line_are_equal(tables: tuple[Table, Table], command: str, tmp_path: Path) -> None:
    made = [_exported(table, command, tmp_path / str(number)) for number, table in enumerate(tables)]
    assert made[0] == made[1]
    assert made[0]


def _exported(table: Table, command: str, folder: Path) -> bytes:
    """What the command makes of the last position."""
    folder.mkdir()
    last = table.journal.game("G1").version
    (before, _), (state, _) = (table.journal.state("G1", version) for version in (last - 1, last))
    for name, value in (
        ("before", before),
        ("state", state),
        ("out", {"state": state, "events": table.journal.events("G1", last - 1, last)}),
    ):
        (folder / f"{name}.json").write_bytes(json.dumps(value).encode())
    (folder / "orders").write_text("MOVE PAVIA TO 0310\nATTACK 0310 WITH 2ARM\n")
    out, state_file = folder / "made", str(folder / "state.json")
    arguments = {
        "view": ["view", state_file, "--side", "allied", "-o", str(out)],
        "save": ["export", "save", state_file, "--side", "allied", "-o", str(out)],
        "log": ["export", "log", str(folder / "before.json"), "--events", str(folder / "out.json"), "--side", "allied", "-o", str(out)],
        "legal": ["legal", state_file, "--side", "allied"],
        "refusal": [
            "adjudicate",
            state_file,
            "--side",
            "allied",
            "--orders",
            str(folder / "orders"),
            "-o",
            str(folder / "o"),
            "--report",
            str(out),
        ],
    }
    run = CliRunner().invoke(main, arguments[command])
    assert run.exit_code in (0, 3), run.output
    return out.read_bytes() if out.exists() else run.output.encode()

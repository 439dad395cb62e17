"""The hexpost command: exit codes, files, and one clear sentence for whatever is unusable."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.worker.whole import Table
from worker.cli import main


def hexpost(*arguments: object) -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(main, [str(one) for one in arguments], prog_name="hexpost")


def refused(result: Result) -> str:
    """The one sentence of a call with unusable input."""
    assert result.exit_code == 2, result.output
    lines = result.stderr.strip().splitlines()
    assert "Traceback" not in result.output
    return lines[-1]


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The initial state of Campaign 1."""
    path = tmp_path_factory.mktemp("state") / "start.json"
    assert hexpost("state", "new", "holdfast/campaign-1", "--seed", "2a", "-o", path).exit_code == 0
    return path


def orders(folder: Path, *lines: str) -> Path:
    path = folder / "orders.txt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_help_imports_nothing_that_is_slow() -> None:
    code = "import sys; import worker.cli; print(sorted({'flask', 'sqlalchemy', 'celery', 'PIL', 'requests', 'redis'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_scenarios_are_listed_one_a_line() -> None:
    lines = hexpost("scenarios").stdout.splitlines()
    of_tunis = [f"race-for-tunis/{key}" for key in ("standard", "early-start", "extended", "eilbote")]
    others = ["beda-fomm/historical", "fall-of-tobruk/gazala", "holdfast/campaign-1", "holdfast/campaign-2"]
    assert [line.split("\t")[0] for line in lines] == [*others, *of_tunis]


def test_a_packet_that_stands_moves_the_game(start: Path, tmp_path: Path) -> None:
    out, report = tmp_path / "out.json", tmp_path / "report.txt"
    result = hexpost("adjudicate", start, "--side", "axis", "--orders", orders(tmp_path, "COMMIT 0"), "-o", out, "--report", report)
    assert result.exit_code == 0, result.output
    outcome = json.loads(out.read_text())
    assert (outcome["status"], outcome["rejections"]) == ("done", [])
    assert outcome["state"] != json.loads(start.read_text())
    assert report.read_text().strip()


def test_an_outcome_stands_wherever_a_state_does(start: Path, tmp_path: Path) -> None:
    out, more = tmp_path / "out.json", tmp_path / "more.json"
    hexpost("adjudicate", start, "--side", "axis", "--orders", orders(tmp_path, "COMMIT 0"), "-o", out)
    assert hexpost("legal", out, "--side", "axis").exit_code == 0
    assert hexpost("view", out, "--side", "allied", "-o", more).exit_code == 0
    assert json.loads(more.read_text())["side"] == "allied"


def test_refused_orders_exit_3_and_leave_the_state_as_it_was(start: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    result = hexpost("adjudicate", start, "--side", "axis", "--orders", orders(tmp_path, "MOVE 21PX 0310", "COMMIT 9"), "-o", out)
    assert result.exit_code == 3
    outcome = json.loads(out.read_text())
    assert outcome["status"] == "refused"
    assert outcome["state"] == json.loads(start.read_text())
    assert {one["line"] for one in outcome["rejections"]} == {1, 2} or outcome["rejections"][0]["line"] == 1
    assert "line 1" in result.stderr


def test_an_unknown_option_is_told_in_its_own_words_alone(tmp_path: Path) -> None:
    said = refused(hexpost("state", "new", "holdfast/campaign-1", "--option", "foo=1", "-o", tmp_path / "state.json"))
    assert said.startswith("hexpost: The game has no option 'foo'. It has: ")


def test_a_report_of_too_long_and_too_many_lines_is_written_all_the_same(start: Path, tmp_path: Path) -> None:
    out, report = tmp_path / "out.json", tmp_path / "report.txt"
    for lines in (["A" * 3000], [*[""] * 700, "MOVE"]):
        result = hexpost("adjudicate", start, "--side", "axis", "--orders", orders(tmp_path, *lines), "-o", out, "--report", report)
        assert result.exit_code == 3, result.output
        assert "nothing has changed" in report.read_text(encoding="utf-8")


def test_scripted_dice_that_do_not_suffice_are_unusable(start: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    sentence = refused(hexpost("adjudicate", start, "--side", "axis", "--orders", orders(tmp_path, "COMMIT 0"), "--dice", "7,x", "-o", out))
    assert "3,5,1" in sentence
    assert not out.exists()


def test_what_is_unusable_is_said_in_a_sentence_and_writes_nothing(start: Path, tmp_path: Path) -> None:
    out, rubbish, huge = tmp_path / "out.json", tmp_path / "rubbish", tmp_path / "huge"
    rubbish.write_bytes(bytes(range(128, 256)) * 40)
    huge.write_bytes(b"MOVE 21PZ 0310\n" * 70_000)
    drawn, moving = tmp_path / "out.png", tmp_path / "out.webp"
    good = orders(tmp_path, "COMMIT 0")
    state = json.loads(start.read_text())
    broken = tmp_path / "broken.json"
    broken.write_text(json.dumps(state | {"counters": {"21PZ": {"side": "axis"}}}))
    numbers = tmp_path / "numbers.json"
    numbers.write_text('{"events": [1]}')
    for call, said in {
        ("adjudicate", tmp_path / "none.json", "--side", "axis", "--orders", good, "-o", out): "no such file",
        ("adjudicate", rubbish, "--side", "axis", "--orders", good, "-o", out): "not JSON",
        ("adjudicate", broken, "--side", "axis", "--orders", good, "-o", out): "counters",
        ("adjudicate", start, "--side", "french", "--orders", good, "-o", out): "axis, allied",
        ("adjudicate", start, "--side", "axis", "--orders", rubbish, "-o", out): "not text",
        ("adjudicate", start, "--side", "axis", "--orders", huge, "-o", out): "too large",
        ("adjudicate", start, "--side", "axis", "--orders", good, "--seed", "xyz", "-o", out): "hexadecimal",
        ("adjudicate", start, "--side", "axis", "--orders", good, "--seed", "1", "--dice", "1", "-o", out): "not both",
        ("adjudicate", start, "--side", "axis", "--orders", good, "-o", out, "--report", tmp_path / "no" / "r"): "cannot be written",
        ("adjudicate", start, "--side", "axis", "--orders", good, "-o", out, "--report", f"{tmp_path}/./out.json"): "one file",
        ("adjudicate", "-", "--side", "axis", "--orders", "-", "-o", out): "standard input",
        ("state", "new", "holdfast/campaign-9", "-o", out): "campaign-2",
        ("state", "new", "../etc/passwd", "-o", out): "not a scenario id",
        ("state", "new", "holdfast/campaign-1", "--option", "tempo", "-o", out): "KEY=VALUE",
        ("state", "new", "holdfast/campaign-1", "--option", "no-such=1", "-o", out): ": The game has no option 'no-such'.",
        ("state", "new", "holdfast/campaign-1", "--option", "tempo=slow", "-o", out): "option tempo: must be one of: normal, full, blitz",
        ("view", start, "--side", "french", "-o", out): "axis, allied",
        ("legal", good, "--side", "axis"): "not JSON",
        ("view", start, "--side", "axis", "-o", ""): "cannot be written",
        ("render", good, "-o", drawn): "not JSON",
        ("render", start, "--events", start, "-o", drawn): "no events",
        ("render", start, "--theme", "pink", "-o", drawn): ": There is no such theme; there are: light, dark, contrast",
        ("render", start, "--crop", "0407", "-o", drawn): "0407:1211",
        ("render", start, "--crop", "9999:0101", "-o", drawn): "crop",
        ("render", start, "--side", "axis", "--plan", "-o", drawn): "needs --events",
        ("render", start, "-o", tmp_path / "map.jpg"): "the picture is PNG: name the file map.png",
        ("animate", start, "-o", moving): "give --before",
        ("animate", start, "--before", start, "-o", moving): "no events",
        ("animate", tmp_path / "none.json", "--before", start, "-o", moving): "no such file",
        ("animate", start, "--before", start, "-o", tmp_path / "turn.mp4"): "WEBP or GIF: name the file turn.webp",
        ("animate", start, "--before", start, "--format", "gif", "-o", moving): "--format gif: name the file out.gif",
        ("gallery", "--out", tmp_path): "not empty",
        ("render", start, "--events", numbers, "-o", drawn): "#/events/0",
        ("read", tmp_path / "none.eml"): "no such file",
        ("read", good, "--context", start): "context",
        ("scenario", "check", "holdfast/campaign-9"): "campaign-1, campaign-2",
        ("new", "holdfast/campaign-1", "--side", "axis"): "SIDE=ADDRESS",
    }.items():
        assert said in refused(hexpost(*call)), call
        assert not any(one.exists() for one in (out, drawn, moving)), call


def test_a_file_of_a_service_that_is_at_fault_is_named_in_a_sentence(start: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def at_fault() -> None:
        raise ValueError("style sheet of holdfast: no colour")

    monkeypatch.setattr("services.render.app.load_styles", at_fault)
    monkeypatch.setattr("services.mail.app.templates", at_fault)
    said = refused(hexpost("render", start, "-o", tmp_path / "map.png"))
    assert said == "hexpost: The render service cannot start: style sheet of holdfast: no colour."
    said = refused(hexpost("adjudicate", start, "--side", "axis", "--orders", orders(tmp_path, "COMMIT 0"), "-o", tmp_path / "out.json"))
    assert said == "hexpost: The mail service cannot start: style sheet of holdfast: no colour."


def test_what_is_no_plain_file_is_written_through_and_never_replaced(start: Path, tmp_path: Path) -> None:
    pipe, target, link = tmp_path / "pipe", tmp_path / "target", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(target)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert hexpost("view", start, "--side", "axis", "-o", pipe).exit_code == 0
        assert pipe.is_fifo()
        assert json.loads(os.read(reader, 60_000))["side"] == "axis"
    finally:
        os.close(reader)
    assert hexpost("view", start, "--side", "allied", "-o", link).exit_code == 0
    assert link.is_symlink()
    assert json.loads(target.read_text())["side"] == "allied"


def test_a_turn_map_is_a_picture_of_the_asked_size(start: Path, tmp_path: Path) -> None:
    from PIL import Image

    for name, extra in (("axis", ["--side", "axis"]), ("umpire", [])):
        out = tmp_path / f"{name}.png"
        assert hexpost("render", start, *extra, "--scale", 800, "-o", out).exit_code == 0
        with Image.open(out) as picture:
            assert max(picture.size) == 800


def test_the_umpire_sees_each_counter_once_whether_it_is_known_to_one_side_or_to_both() -> None:
    from worker.desk.study import umpires_view

    tank, lorry = ({"id": unit, "place": "0101", "known": "own"} for unit in ("TANK", "LORRY"))
    block = {"id": None, "alias": "G1", "place": "0101", "known": "no"}
    for sides in ([[tank, lorry], [tank, lorry]], [[tank, block], [block, lorry]]):
        assert umpires_view([{"counters": one} for one in sides], {}, None)["counters"] == [lorry, tank]


@pytest.fixture(scope="module")
def march(start: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of outcomes, numbered as those of a self-played game: the start, its first step, and a move."""
    folder = tmp_path_factory.mktemp("march")
    (folder / "000000.json").write_bytes(start.read_bytes())
    for number, line in enumerate(("COMMIT 0", "MOVE 21PZ TO 0507 BY ROAD")):
        found = folder / f"{number:06d}.json"
        call = ("adjudicate", found, "--side", "axis", "--orders", orders(folder, line), "-o", folder / f"{number + 1:06d}.json")
        assert hexpost(*call).exit_code == 0
    return folder


def test_a_map_is_cropped_themed_and_shows_what_is_planned(start: Path, march: Path, tmp_path: Path) -> None:
    from PIL import Image

    tried = tmp_path / "tried.json"
    lines = orders(tmp_path, "CHECK", "MOVE ARIETE TO 0508 BY ROAD")
    assert hexpost("adjudicate", march / "000002.json", "--side", "axis", "--orders", lines, "-o", tried).exit_code == 0
    looks = {
        "whole": (),
        "dark": ("--theme", "dark"),
        "front": ("--crop", "front"),
        "corner": ("--crop", "0207:0712"),
        "fact": ("--crop", "0207:0712", "--events", tried),
        "plan": ("--crop", "0207:0712", "--events", tried, "--plan"),
    }
    found = {}
    for name, extra in looks.items():
        out = tmp_path / f"{name}.png"
        result = hexpost("render", march / "000002.json", "--side", "axis", "--scale", 400, *extra, "-o", out)
        assert result.exit_code == 0, result.output
        with Image.open(out) as picture:
            assert max(picture.size) == 400
            found[name] = picture.convert("RGB").tobytes()
    assert len(set(found.values())) == len(looks)


def test_a_plan_with_nothing_in_it_is_no_picture(start: Path, tmp_path: Path) -> None:
    tried, out = tmp_path / "tried.json", tmp_path / "plan.png"
    lines = orders(tmp_path, "CHECK", "COMMIT 0", "MOVE 21PZ TO 0505 BY ROAD")  # the die of Malta comes before the move
    assert hexpost("adjudicate", start, "--side", "axis", "--orders", lines, "-o", tried).exit_code == 0
    assert "plans nothing that a map could show" in refused(
        hexpost("render", start, "--side", "axis", "--events", tried, "--plan", "-o", out)
    )
    assert not out.exists()


def test_an_outcome_is_a_moving_map_from_the_position_before_it(start: Path, march: Path, tmp_path: Path) -> None:
    from PIL import Image

    one, two, two_steps = tmp_path / "one.webp", tmp_path / "two.webp", tmp_path / "steps.gif"
    last = march / "000002.json"
    assert hexpost("animate", last, "--side", "allied", "--scale", 400, "-o", one).exit_code == 0
    assert hexpost("animate", last, "--side", "allied", "--scale", 400, "--before", march / "000001.json", "-o", two).exit_code == 0
    assert one.read_bytes() == two.read_bytes()  # the outcome before it is found by its number
    call = ("animate", last, "--before", march / "000000.json", "--scale", 400, "-o", two_steps)  # its form: by its name
    assert hexpost(*call).exit_code == 0
    for file, form in ((one, "WEBP"), (two_steps, "GIF")):
        with Image.open(file) as picture:
            assert (picture.format, getattr(picture, "n_frames", 1) > 1, max(picture.size)) == (form, True, 400)
    assert "no earlier outcome" in refused(hexpost("animate", march / "000001.json", "--before", last, "-o", tmp_path / "x.webp"))


def test_a_mail_is_read_with_and_without_context(tmp_path: Path) -> None:
    mail = tmp_path / "mail.eml"
    mail.write_bytes(
        b"From: ann@example.org\nTo: orders+g1-t01-abcdefghjk@desk.example\nMessage-ID: <1@ann>\nSubject: orders\n\nCOMMIT 0\nEND\n"
    )
    side = {"addresses": ["ann@example.org"], "token": "abcdefghjk", "old_tokens": [], "mails": []}
    games = [{"id": "G1", "turn": 1, "deadline": None, "sides": {"axis": side}}]
    context = {
        "server": "mx.desk.example",
        "address": "orders@desk.example",
        "now": "2026-03-27T20:14:09+00:00",
        "games": games,
        "seen": [],
    }
    known = tmp_path / "context.json"
    known.write_text(json.dumps(context))
    accepted = json.loads(hexpost("read", mail, "--context", known).stdout)
    assert (accepted["verdict"], accepted["game"], accepted["side"]) == ("accept", "G1", "axis")
    assert accepted["lines"] == ["COMMIT 0", "END"]
    assert json.loads(hexpost("read", mail).stdout)["lines"] == []


def test_scenario_check_finds_no_fault_in_what_comes_with_hexpost() -> None:
    result = hexpost("scenario", "check")
    assert (result.exit_code, result.stdout.strip()) == (0, "All packages: no fault found.")


def test_the_look_of_a_running_game_is_changed_on_the_command_line(tmp_path: Path) -> None:
    table = Table(tmp_path, animation="off")
    settings = tmp_path / "hexpost.toml"
    settings.write_text(f'home = "{tmp_path}"\ndatabase = "sqlite:///{tmp_path}/journal.db"\n')
    changed = hexpost("theme", "g1", "light", "allied=dark", "--config", settings)
    assert (changed.exit_code, changed.stdout) == (0, "G1: from the next mail on, axis light, allied dark.\n")
    assert [table.journal.theme("G1", side) for side in ("axis", "allied")] == ["light", "dark"]
    for call, said in ((("G9", "dark"), "no game 'G9'"), (("G1", "pink"), "no theme 'pink'"), (("G1", "french=dark"), "axis, allied")):
        assert said in refused(hexpost("theme", *call, "--config", settings))
    table.journal.engine.dispose()

"""The game master at the command line: alerts, who writes for a side, paused addresses."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from tests.worker.conftest import Desk
from tests.worker.fakes import ANN, BRUNO, headers
from tests.worker.test_identity import bounce
from worker.cli import main
from worker.post import writers


def test_the_game_master_lists_alerts_and_settles_them_lets_people_write_and_resumes_an_address(post: Desk, tmp_path: Path) -> None:
    post.configure(game_master="master@club.example")
    post.start()
    settings = tmp_path / "hexpost.toml"
    settings.write_text(f'database = "{post.ports.journal.engine.url}"\naddress = "orders@toy.example"\n')

    def hexpost(*arguments: str) -> str:
        found = CliRunner().invoke(main, [*arguments, "--config", str(settings)], catch_exceptions=False)
        return f"{found.exit_code} {found.output}"

    assert hexpost("alerts") == "0 There is nothing that you have not seen to.\n"
    post.drop(bounce(str(headers(post.mails_to(BRUNO)[0])["Message-ID"]), BRUNO))
    post.run()
    assert f"G1  Mail to {BRUNO}, who plays in G1, comes back as undeliverable." in hexpost("alerts", "--done")
    assert "nothing" in hexpost("alerts")
    assert hexpost("resume", BRUNO) == f"0 Mail goes to {BRUNO} again.\n"
    assert hexpost("resume", BRUNO) == f"2 hexpost: '{BRUNO}' is not paused.\n"
    assert hexpost("writer", "g1", "axis", "dora@example.net", "--deputy") == "0 G1: dora@example.net may write for axis as its deputy.\n"
    assert writers.writers_of(post.ports.journal.engine, "G1") == {"axis": {"dora@example.net": "deputy"}}
    assert hexpost("writer", "G1", "axis", "dora@example.net", "--remove").endswith("does not write for axis any more.\n")
    for wrong in (("G9", "axis", "d@x.example"), ("G1", "west", "d@x.example"), ("G1", "axis", "d@"), ("G1", "axis", ANN)):
        assert hexpost("writer", *wrong).startswith("2 hexpost: ")
    assert writers.writers_of(post.ports.journal.engine, "G1") == {}

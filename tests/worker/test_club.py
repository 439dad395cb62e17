"""A club run by mail alone: a game of Holdfast begun, halted, prolonged, set right, taken back and handed over."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import update

from tests.worker.conftest import Desk
from tests.worker.fakes import ANN, BRUNO, ToyRender, headers
from tests.worker.post import DESK, MASTER, deliver, rule, stamped, told, write
from tests.worker.test_beginning import code_in
from tests.worker.whole import services
from worker.canonical import Json, canonical
from worker.cli import main
from worker.desk.proving import proved, versions_of
from worker.store.tables import turns

CARA = "cara@example.com"


@pytest.fixture
def club(desk: Desk) -> Desk:
    """A desk with the real rules and words, and a game master."""
    rules, mail = services()
    desk.ports = replace(desk.ports, rules=rules, mail=mail, render=ToyRender(said=lambda kind, body: ""))
    desk.configure(game_master=MASTER, deadline_hours=72.0)
    return desk


def state(desk: Desk) -> Json:
    game = desk.ports.journal.game("G1")
    return desk.ports.journal.state("G1", game.version)[0]


def place(desk: Desk, unit: str) -> str:
    return str(state(desk)["counters"][unit]["place"])


def dice(desk: Desk) -> list[Json]:
    game = desk.ports.journal.game("G1")
    return [one["data"]["dice"] for one in desk.ports.journal.events("G1", game.version - 1, game.version) if one["kind"] == "rolled"]


def test_a_club_by_mail(club: Desk) -> None:
    journal = club.ports.journal
    # NEW, INVITE, ACCEPT
    deliver(club, stamped(DESK, ANN, "<1@ann>", "NEW holdfast/campaign-1 AS axis WORD sand"))
    write(club, ANN, f"INVITE {BRUNO} AS allied")
    deliver(club, stamped(DESK, BRUNO, "<1@bruno>", f"ACCEPT {code_in(club.mails_to(BRUNO)[-1])} WORD sea"))
    assert journal.game("G1").words == [["axis", "sand"], ["allied", "sea"]]
    # orders
    write(club, ANN, "COMMIT 0", "DONE")
    # PAUSE, orders that are kept, RESUME a week later
    due = journal.deadlines("G1")["axis"].due
    rule(club, "PAUSE G1 BECAUSE of the summer break")
    assert "are kept, and carried out when the game goes on" in told(write(club, ANN, "MOVE 21PZ TO 0507 BY ROAD"))
    assert place(club, "21PZ") == "0210"
    club.now = "2026-04-03T20:14:09+00:00"
    club.sweep()
    rule(club, "RESUME G1")
    assert place(club, "21PZ") == "0507"
    assert (due, journal.deadlines("G1")["axis"].due) == ("2026-03-30T20:14:09+00:00", "2026-04-06T20:14:09+00:00")
    # EXTEND
    rule(club, "EXTEND G1 axis 1 DAY")
    assert journal.deadlines("G1")["axis"].due == "2026-04-07T20:14:09+00:00"
    # EDIT: each side is told what it may know
    assert "2 edits are made" in rule(club, "EDIT G1 MOVE 21PZ TO 0505 BECAUSE the road was cut", "EDIT G1 SET RP axis 20")
    assert (place(club, "21PZ"), state(club)["own"]["rp"]["axis"]) == ("0505", 20)
    ours, theirs = told(club.mails_to(ANN)[-1]), told(club.mails_to(BRUNO)[-1])
    assert "His reason: the road was cut" in ours
    assert "21PZ (21st Panzer), from" in ours
    assert "21PZ" not in theirs
    assert re.search(r"the block G\d+, from .*0507.* to .*0505", theirs)
    # ROLLBACK: the dice of an attack fall anew
    write(club, ANN, "ATTACK Benghazi WITH 21PZ AIR X1 LEADER")
    thrown, version = dice(club), journal.game("G1").version
    shown = rule(club, f"ROLLBACK G1 TO VERSION {version - 1}")
    assert "the game would lose 1 thing" in shown
    rule(club, re.search(r"(ROLLBACK G1 TO VERSION \d+ CODE \w+)", shown)[1])
    assert place(club, "21PZ") == "0505"
    assert "may be taken back" not in told(club.mails_to(BRUNO)[-1])
    write(club, ANN, "ATTACK Benghazi WITH 21PZ AIR X1 LEADER")
    assert thrown
    assert dice(club)
    assert dice(club) != thrown
    # REPLACE
    rule(club, f"REPLACE G1 allied {BRUNO} BY {CARA} BECAUSE he has moved")
    deliver(club, stamped(DESK, CARA, "<1@cara>", f"ACCEPT {code_in(club.mails_to(CARA)[-1])}"))
    assert journal.addresses("G1") == {"axis": [ANN], "allied": [CARA]}
    write(club, ANN, "DONE TURN AUTO")
    assert "Your orders, please" in str(headers(club.mails_to(CARA)[-1])["Subject"])
    write(club, CARA, "DONE TURN AUTO")
    # all of it is in the journal, and holds: chain, seeds, dice, packets, edits, both branches
    found = proved(journal.game("G1"), versions_of(journal.engine, "G1"), club.ports.rules)
    assert found.faults == []
    assert (found.again, found.packets) == (found.packets, len([one for one in journal.chain("G1") if one[1].get("packet")]))
    assert [one[1]["branch"] for one in journal.chain("G1")] == sorted(one[1]["branch"] for one in journal.chain("G1"))
    given = [one["verb"] for one in journal.commands("G1") if one["sender"] == MASTER]
    assert given == ["PAUSE", "RESUME", "EXTEND", "EDIT", "ROLLBACK", "ROLLBACK", "REPLACE"]
    verified = ["verify", "G1", "--config", str(settings(club))]
    assert "hold" in CliRunner().invoke(main, verified, catch_exceptions=False).output
    spoil(club)
    failed = CliRunner().invoke(main, verified)
    assert (failed.exit_code, "its hash is not that of its record" in failed.output) == (2, True)
    unknown = CliRunner().invoke(main, ["verify", "G9", "--config", str(settings(club))])
    assert (unknown.exit_code, "neither a folder nor a game 'G9'" in unknown.output) == (2, True)


def settings(desk: Desk) -> Path:
    """The desk's journal as that of an installation."""
    file = desk.folder / "hexpost.toml"
    file.write_text(f'home = "."\ndatabase = "{desk.ports.journal.engine.url}"\n', encoding="utf-8")
    return file


def spoil(desk: Desk) -> None:
    """What was changed afterwards is found, on the branch that was given up too."""
    journal, rules = desk.ports.journal, desk.ports.rules
    number = next(version for version, record, _ in journal.chain("G1") if record.get("edit"))
    with journal.engine.begin() as connection:
        record = next(one for at, one, _ in journal.chain("G1") if at == number)
        forged = record | {"edit": [record["edit"][0] | {"place": "1803"}, *record["edit"][1:]]}
        text = canonical(forged).decode()
        connection.execute(update(turns).where(turns.c.game == "G1", turns.c.version == number).values(record=text))
    faults = proved(journal.game("G1"), versions_of(journal.engine, "G1"), rules).faults
    assert f"version {number}: its hash is not that of its record and the one before it" in faults

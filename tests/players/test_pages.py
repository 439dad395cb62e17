"""What the players' pages show is what a game sends, and no verb, switch or window of the language is without its answer."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from services.mail.orders.languages import LANGUAGES
from services.mail.orders.parse import parse
from services.mail.wording import load_wording
from tests.players.pages import FENCE, FOLDER, answers, game_of, options_of, pages
from worker.local import local_rules


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.stem)
def test_the_answers_on_a_page_are_those_that_the_game_gives(page: Path, tmp_path: Path) -> None:
    for answer in answers(page, tmp_path):
        assert answer.shown == answer.given, f"{answer.where} differs; python -m tests.players.pages writes it anew"


def test_every_verb_and_switch_is_shown_with_its_answer() -> None:
    texts = [text for page in pages() if game_of(text := page.read_text(encoding="utf-8")).startswith("holdfast/")]
    fences = [fence.groups() for text in texts for fence in FENCE.finditer(text)]
    sent = "\n".join(text for kind, _, _, text in fences if kind == "orders")
    words = set(re.findall(r"[A-Z]+", sent))
    verbs = {verb.name for verb in LANGUAGES["holdfast"].verbs}
    assert sorted(verbs - words) == []
    switches = {"CHECK", "HOLD", "ANYWAY", "SKIP", "APPEND", "CONFIRM", "AUTO", "IF", "ELSE", "ON", "STANDING", "ASK", "TABLE", "END"}
    switches |= {"VIA", "ROAD", "STRATEGIC", "LEADER", "AIR", "AS", "LOSE", "CANCEL", "ALL", "VACANT"}
    assert sorted(switches - words) == []
    for (kind, side, _, text), (then, who, *_) in pairwise(fences):
        assert kind == "answer" or (then, who) == ("answer", side), f"no answer is shown to: {text}"


def test_the_page_on_deadlines_says_what_the_mails_say() -> None:
    page = " ".join((FOLDER / "deadlines.md").read_text(encoding="utf-8").split())
    notes = load_wording("en", "holdfast").common["notes"]
    told = {name: words for name, words in notes.items() if name == "other_absent" or name.startswith(("absent_", "deadline_"))}
    assert len(told) >= 6
    assert [name for name, words in told.items() if str(words) not in page] == []


def test_the_page_of_beda_fomm_names_every_verb_and_window() -> None:
    page = (FOLDER / "beda-fomm.md").read_text(encoding="utf-8")
    language = LANGUAGES["beda-fomm"]
    assert [verb.name for verb in language.verbs if f"`{verb.name}" not in page] == []
    assert [window for window in language.windows if f"`{window}`" not in page] == []
    sent = "\n".join(fence[4] for fence in FENCE.finditer(page) if fence[1] == "orders")
    assert {"PLACE", "CONVOY", "MOVE", "BARRAGE", "FIRE", "ATTACK", "ADVANCE", "RETREAT", "STANDING", "IF", "ELSE", "CHECK"} <= set(
        re.findall(r"[A-Z]+", sent)
    )


def test_the_examples_of_windows_on_that_page_can_be_sent_as_they_stand() -> None:
    page = (FOLDER / "beda-fomm.md").read_text(encoding="utf-8")
    examples = dict(re.findall(r"^\| `([A-Z-]+)` \|.*\| `([^`]+)` \|$", page, re.M))
    assert examples.keys() == LANGUAGES["beda-fomm"].windows.keys()
    words = local_rules().scenario("beda-fomm/historical")
    attacks = ["ATTACK 1729 WITH 2RB-A AS A1", "ATTACK 1728 WITH 2RB-B AS A2"]
    for side, own in (("british", True), ("italian", False)):
        lines = [line for line in examples.values() if any(unit in line for unit in ("2RB", "RHA", "A2")) == own]
        parsed = parse("beda-fomm", [*(attacks if own else ()), *lines], {**words, "side": side})
        assert parsed.diagnostics == []
        assert len(parsed.packet["orders"]) + len(parsed.packet["standing"]) == len(lines) + 2 * own


def test_the_page_of_race_for_tunis_names_every_verb_and_window() -> None:
    page = (FOLDER / "race-for-tunis.md").read_text(encoding="utf-8")
    language = LANGUAGES["race-for-tunis"]
    assert [verb.name for verb in language.verbs if f"`{verb.name}" not in page] == []
    assert [window for window in language.windows if f"`{window}`" not in page] == []
    sent = "\n".join(fence[4] for fence in FENCE.finditer(page) if fence[1] == "orders")
    words = {
        "REJOIN",
        "SEA",
        "LAND",
        "REBUILD",
        "ENTER",
        "MOVE",
        "ATTACK",
        "ONLY",
        "REST",
        "SUPPORT",
        "AIR",
        "INTERCEPT",
        "ADVANCE",
        "STANDING",
    }
    assert words | {"CHECK", "LOSE", "RETREAT", "IN"} <= set(re.findall(r"[A-Z]+", sent))
    played = options_of(page)
    assert [key for key in played if key not in local_rules().new_state("race-for-tunis/standard", {}, "00" * 32)["state"]["options"]] == []


def test_the_orders_that_page_shows_outside_its_game_can_be_sent_as_they_stand() -> None:
    page = (FOLDER / "race-for-tunis.md").read_text(encoding="utf-8")
    windows = dict(re.findall(r"^\| `([A-Z]+)` \|.*\| `([^`]+)` \|$", page, re.M))
    assert windows.keys() == LANGUAGES["race-for-tunis"].windows.keys()
    in_window = re.findall(r"^\| `((?:SUPPORT|INTERCEPT|JOINBATTLE) [^`|]*[A-Z0-9])` \|", page, re.M)
    assert len(in_window) == 6
    ahead = "".join(re.findall(r"^```\n((?:SEA|DROP) .*?)^```$", page, re.M | re.S))
    said = re.findall(r"`((?:RETREAT|ADVANCE|DENY|STANDING|ON ALLOTMENT|SELECT|REST) [A-Z0-9][^`]*[A-Z0-9])`", page)
    assert len(said) >= 9
    words = local_rules().scenario("race-for-tunis/standard")
    axis = ("190PZ", "5-I", "FW190", "SM ", "BRN")
    lines = [*windows.values(), *in_window, *ahead.splitlines(), *said]
    for line in lines:
        side = "axis" if any(unit in line for unit in axis) else "allied"
        before = ["ATTACK 1216 WITH 1ES AS A1", "ATTACK 1217 WITH 1ES AS A2"] if side == "allied" else []
        found = parse("race-for-tunis", [*before, line.replace("...", "ADVANCE NONE")], {**words, "side": side})
        assert found.diagnostics == [], line


def test_the_page_of_the_fall_of_tobruk_names_every_verb_window_and_tempo() -> None:
    page = (FOLDER / "fall-of-tobruk.md").read_text(encoding="utf-8")
    language = LANGUAGES["fall-of-tobruk"]
    assert [verb.name for verb in language.verbs if f"`{verb.name}" not in page] == []
    assert [window for window in language.windows if f"`{window}`" not in page] == []
    sent = "\n".join(fence[4] for fence in FENCE.finditer(page) if fence[1] == "orders")
    words = set(re.findall(r"[A-Z]+", sent))
    played = {"PLACE", "BARRAGE", "RECOVER", "SCRAP", "FREE", "RESERVE", "MOVE", "STAND", "FIRE", "ATTACK", "OCCUPY", "ADVANCE", "LOSE"}
    assert played | {"STANDING", "CHECK", "IF", "ELSE", "IN", "AUTO", "SLIP", "RETREAT"} <= words


def test_what_that_page_does_not_play_is_played_on_a_page_of_its_own() -> None:
    played = [(FOLDER / name).read_text(encoding="utf-8") for name in ("fall-of-tobruk.md", "fall-of-tobruk-examples.md")]
    sent = "\n".join(fence[4] for page in played for fence in FENCE.finditer(page) if fence[1] == "orders")
    verbs = {verb.name for verb in LANGUAGES["fall-of-tobruk"].verbs}
    assert verbs - set(re.findall(r"[A-Z]+", sent)) == {"ENTER", "DELAY"}  # nobody is due in the first days
    assert "has opened a gap in the mines" in played[1]


def test_the_orders_of_the_fall_of_tobruk_that_are_shown_outside_its_game_can_be_sent_as_they_stand() -> None:
    page = (FOLDER / "fall-of-tobruk.md").read_text(encoding="utf-8")
    windows = dict(re.findall(r"^\| `([A-Z-]+)` \|.*\| `([^`]+)` \|$", page, re.M))
    assert windows.keys() == LANGUAGES["fall-of-tobruk"].windows.keys()
    said = re.findall(r"`((?:FIRE|SLIP|LOSE|RETREAT|ADVANCE|FREE|IF) [A-Z0-9][^`.]*[A-Z0-9])`", page)
    assert len(said) >= 11
    words = local_rules().scenario("fall-of-tobruk/gazala")
    for line in [*windows.values(), *said]:
        found = []
        for side in ("axis", "allied"):
            own = "115" if side == "axis" else "2SG"
            found.append(parse("fall-of-tobruk", [f"ATTACK 1422 WITH {own} AS A1", line], {**words, "side": side}).diagnostics)
        assert [] in found, line

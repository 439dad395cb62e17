"""How a report looks: colours that can be read everywhere, pictures that keep their place, words that screen readers and lists can use."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from services.mail.body import read_words
from services.mail.colours import BARS, PAPER
from services.mail.message import read_message
from services.mail.report import MAX_HTML, ReportRequest, make_report
from tests.mail.colours import TURNED, contrast, pairs
from tests.mail.reports import ATTACK, RECEIPT, VIEW, event, page, shown, text

ENOUGH = 4.5
"""The contrast that WCAG 2 asks of words (AA)."""
PICTURES = [
    {"name": "a.gif", "kind": "animation", "width": 800, "height": 400},
    {"name": "p.png", "kind": "plan", "width": 1200, "height": 600},
    {"name": "m.png", "kind": "map", "width": 2400, "height": 1200},
    {"name": "f.png", "kind": "front", "width": 800, "height": 800},
    {"name": "b.png", "kind": "before-after", "width": 600, "height": 200},
]
HIT = ATTACK[0] | {"data": ATTACK[0]["data"] | {"hit_on": {"attack": 5, "defence": 6}}}
FAULT = {"line": 1, "column": 6, "end": 11, "code": "unknown-unit", "text": 'There is no unit "PAVIO".'}
FULL = replace(
    RECEIPT,
    events=[*RECEIPT.events[:1], HIT, *ATTACK[1:], event("tail_stored", "", lines=[2])],
    lines=["STEP PAVIO 1", "ATTACK 0805 WITH 21PZ AS A1", "DONE"],
    diagnostics=[FAULT],
    rejections=[{"line": 0, "code": "game-over", "clause": "13a", "details": {}}],
    view={**VIEW, "pending": [{"kind": "losses", "verb": "LOSE", "side": "axis", "choices": None, "default": {"units": ["21PZ"]}}]},
    template=["# MOVE 21PZ 0805", "END"],
    cut=[{"why": "chatter", "text": "Dear Bruno"}],
    sources=[{"name": "body", "lines": ["PASS"]}],
    pictures=PICTURES,
)
ASKED: dict[str, Any] = {
    "said": [{"key": "undo-asked", "fields": {"side": "axis", "against": ["die", "told"]}}, {"key": "offer-answer", "fields": {}}],
    "text": ["ACCEPT k7m2p9x4q1w8za", "REFUSE k7m2p9x4q1w8za"],
}
ANSWERS = [
    {"line": "STATUS", "status": "done", "said": [{"key": "status-draft", "fields": {"lines": 2}}], "text": ["HOLD", "MOVE 21PZ 0805"]},
    {"line": "UNDO", "status": "asked", "said": [{"key": "undo-asked", "fields": {"side": "axis", "against": ["die"]}}]},
    {"line": "NEW one", "status": "refused", "said": [{"key": "no-new-games", "fields": {}}], "hint": "NEW SCENARIO"},
]
TERMS: dict[str, Any] = {"turn": 72, "reaction": 24, "setup": 72, "absence": "adjutant", "grace": 24}
DIGEST: list[dict[str, Any]] = [
    {
        "title": {"key": "digest-game", "fields": {"game": f"G{n}", "title": "Holdfast: North Africa 1941-42", "side": "axis"}},
        "said": [
            {
                "key": "digest-stands",
                "fields": {
                    "turn": 4,
                    "before": 2,
                    "mine": n == 1,
                    "waiting_for": ["allied"],
                    "until": "2026-04-01T10:00:00+00:00",
                    "late": False,
                },
            },
            {"key": "digest-happened", "fields": {"text": "The Axis attacked Tobruk. Losses: the Allies 2 SP."}},
        ],
    }
    for n in (1, 2)
]
KINDS = {
    "receipt": FULL,
    "refused": replace(FULL, status="refused"),
    "turn": replace(FULL, kind="turn", side="allied"),
    "start": replace(FULL, kind="start", commitment="ab" * 32),
    "explain": replace(FULL, kind="explain", verdict="refuse:no-orders"),
    "confirm": replace(FULL, kind="confirm", verdict="hold:sender-unverified"),
    "answer": replace(FULL, kind="answer", events=[], answers=ANSWERS, shows=["map", "position"]),
    "notice": replace(FULL, kind="notice", side="allied", events=[], answers=[ASKED]),
    "reminder": replace(
        FULL, kind="reminder", events=[], lines=[], diagnostics=[], rejections=[], cut=[], sources=[], pictures=[], hours=24, terms=TERMS
    ),
    "digest": ReportRequest(game="none", kind="notice", answers=DIGEST, zone="Europe/Rome"),
    "stranger": ReportRequest(game="none", kind="explain", verdict="refuse:unknown-sender", subject="hello"),
}


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_all_words_stand_out_from_their_ground(kind: str, dark: bool) -> None:
    found = list(pairs(page(KINDS[kind]), dark))
    assert len(found) >= 4
    assert [(word, round(contrast(ink, ground), 2)) for word, ink, ground in found if contrast(ink, ground) < ENOUGH] == []


@pytest.mark.parametrize("turn", TURNED, ids=lambda turn: turn.__name__)
def test_they_do_where_a_mail_program_turns_the_light_colours_round(turn: Any) -> None:
    found = list(pairs(page(FULL)))
    assert [(word, round(contrast(*turn(ink, ground)), 2)) for word, ink, ground in found if contrast(*turn(ink, ground)) < ENOUGH] == []


def test_a_dark_screen_gets_light_words_on_dark_and_the_sides_keep_their_colour() -> None:
    light, dark = list(pairs(page(FULL))), list(pairs(page(FULL), dark=True))
    assert [word for word, *_ in light] == [word for word, *_ in dark]
    heads = {"Holdfast: North Africa 1941-42", "G1 · Turn 1, March 1941 · Axis"}
    for (word, _, ground), (_, ink, black) in zip(light, dark, strict=True):
        assert (ground == black) if word in heads else (max(black) < 0.25 or word in ("5", "6")), (word, ink, black)


def test_each_side_of_each_game_has_its_own_header() -> None:
    assert {"axis", "allied", "italian", "british"} <= set(BARS)
    assert len(set(BARS.values())) == len(BARS)
    for side, colour in BARS.items():
        (header,) = page(replace(RECEIPT, side=side or None)).xpath("//h1/..")
        assert f"background-color:{colour}" in header.get("style")
    assert "background-color:#4a4436" in make_report(replace(RECEIPT, side="strange")).html


def test_every_class_has_its_light_colours_beside_it() -> None:
    for element in page(FULL).xpath("//*[@class]"):
        assert "color:#" in element.get("style")


def test_pictures_stand_in_their_order_with_words_and_measures_and_an_animation_is_a_file() -> None:
    found = [(p.get("src"), p.get("width"), p.get("height")) for p in page(FULL).xpath("//img")]
    assert found == [
        ("cid:plan@hexpost", "648", "324"),
        ("cid:front@hexpost", "520", "520"),
        ("cid:map@hexpost", "648", "324"),
        ("cid:before-after@hexpost", "600", "200"),
    ]
    alts = [p.get("alt") for p in page(FULL).xpath("//img")]
    assert alts[0] == "Map of the moves and attacks that your orders plan; they have not been carried out."
    assert alts[1] == "The front at Msus, cut out of the map, Turn 1, March 1941."
    assert alts[2].startswith("Map of the whole position, Turn 1, March 1941, as the Axis see it.")
    assert all(alts)
    for said in (text(FULL), shown(FULL)):
        assert "The turn as a moving picture is attached as a.gif." in said
        assert "The map is attached as m.png." in said
    mine = [{**PICTURES[2], "alt": 'Where "all" began'}]
    assert [p.get("alt") for p in page(replace(FULL, pictures=mine)).xpath("//img")] == ['Where "all" began']
    assert page(replace(FULL, pictures=[])).xpath("//img") == []


def test_the_page_can_be_heard() -> None:
    whole = page(FULL)
    assert whole.get("lang") == "en"
    levels = [int(h.tag[1]) for h in whole.xpath("//h1|//h2|//h3|//h4")]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    for table in whole.xpath("//table"):
        assert (table.get("role") == "presentation") != bool(table.xpath(".//th"))
    assert all(th.get("scope") in ("row", "col") for th in whole.xpath("//th"))


def test_lists_of_mails_show_how_things_are_before_anything_else() -> None:
    (hidden,) = page(RECEIPT).xpath("//div[contains(@style, 'display:none')]")
    assert hidden is page(RECEIPT).body[0] or hidden.getprevious() is None
    assert hidden.text == "Your orders were carried out. The Axis attacked Msus (not over yet). Awaited: Axis (Axis player-turn · action)."
    assert len(page(replace(RECEIPT, title="x" * 500)).xpath("//div[contains(@style, 'display:none')]")[0].text) <= 200


HUGE: dict[str, dict[str, Any]] = {
    "events": {"events": [event("stepped", "repl.6", unit=f"U{n}", k=1, sp=3) for n in range(3000)]},
    "battles": {"events": [event(e["kind"], e["clause"], **e["data"]) for _ in range(300) for e in ATTACK]},
    "lines": {"lines": ['MOVE "21PZ" & <b> ' * 100] * 600, "events": []},
    "printed": {"printed": ['"<&>" ' * 300] * 1200},
    "faults": {"rejections": [{"line": 0, "code": "<odd>", "clause": None, "details": {"x": '"' * 3000}}] * 500},
    "template": {"template": ['# "<&>"' * 200] * 400},
    "cut": {"cut": [{"why": f'"{n}"', "text": '"<&>" ' * 400} for n in range(200)]},
    "sources": {"sources": [{"name": str(n), "lines": ['"<&>" ' * 300] * 600} for n in range(20)]},
    "open": {
        "view": {
            **VIEW,
            "over": {"winner": "axis"},
            "counters": [{"id": f'"{n}"' * 20, "side": "axis", "place": "0805"} for n in range(500)],
        }
    },
    "decisions": {
        "view": {**VIEW, "pending": [{"side": "axis", "kind": '"' * 900, "verb": "LOSE", "choices": [], "default": {}}] * 300},
    },
}


@pytest.mark.parametrize("part", HUGE)
def test_however_much_there_is_the_page_stays_below_what_programs_clip_and_says_so(part: str) -> None:
    report = make_report(replace(RECEIPT, **HUGE[part]))
    assert len(report.html.encode()) <= MAX_HTML < 90_000
    assert "Awaited" in report.html or part == "open"
    assert "left out here to keep this mail short" in report.html or "…" in report.html


def test_all_of_it_at_once_is_shortened_too() -> None:
    everything = {key: value for one in HUGE.values() for key, value in one.items()}
    assert len(make_report(replace(RECEIPT, **everything)).html.encode()) <= MAX_HTML


@pytest.mark.parametrize("kind", KINDS)
def test_plain_text_keeps_to_72_columns(kind: str) -> None:
    assert [line for line in text(KINDS[kind]).split("\n") if len(line) > 72] == []


def test_a_long_line_of_orders_is_folded_and_its_fault_is_pointed_at_where_it_stands() -> None:
    order = "MOVE 21PZ TO 1803 VIA 0310 0409 0509 0508 0507 0506 0505 0504 0603 0702 0802 LEEDER"
    fault = {"line": 1, "column": 78, "end": 84, "code": "unexpected", "text": "What is that?"}
    said = text(replace(RECEIPT, status="refused", events=[], lines=[order], diagnostics=[fault]))
    assert (
        "  1  MOVE 21PZ TO 1803 VIA 0310 0409 0509 0508 0507 0506 0505 0504 0603\n"
        "   | 0702 0802 LEEDER   -- refused\n"
        "               ^^^^^^\n"
        "     What is that?\n"
    ) in said


@pytest.mark.parametrize("kind", KINDS)
def test_a_report_that_comes_back_without_a_mark_of_quotation_orders_nothing_of_its_own(kind: str) -> None:
    report = make_report(KINDS[kind])
    for subtype, body, own in (("plain", report.text, "{}\n"), ("html", report.html, "<div>{}</div>")):
        head = f"MIME-Version: 1.0\nContent-Type: text/{subtype}; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n"
        back = read_words(read_message((head + body).encode()))
        assert (back.lines, back.commands) == ((), ()), subtype
        answered = read_words(read_message((head + own.format("MOVE 21PZ 0805") + body).encode()))
        assert answered.lines == ("MOVE 21PZ 0805",), subtype
        assert answered.cut[-1].why == "history"


def test_a_page_with_dark_pictures_is_dark_on_every_screen() -> None:
    light, dark = (make_report(replace(RECEIPT, theme=theme)).html for theme in ("contrast", "dark"))
    assert f"background-color:{PAPER['light']}" in light
    assert 'name="color-scheme" content="light dark"' in light
    assert f"background-color:{PAPER['light']}" not in dark
    assert f"background-color:{PAPER['dark']}" in dark
    assert 'name="color-scheme" content="dark"' in dark

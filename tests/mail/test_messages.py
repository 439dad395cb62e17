"""Mails as real programs send them: each with what must come out of it."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from services.mail.intake import read_mail

MESSAGES = Path(__file__).parent / "messages"


def context(**more: Any) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((MESSAGES / "context.json").read_text())
    return {**read, **more}


def index() -> list[dict[str, str]]:
    with (MESSAGES / "index.tsv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def test_the_index_names_every_message() -> None:
    assert sorted(row["file"] for row in index()) == sorted(path.name for path in MESSAGES.glob("*.eml"))


@pytest.mark.parametrize("row", index(), ids=lambda row: row["file"])
def test_message(row: dict[str, str]) -> None:
    seen = []
    if row["verdict"] == "ignore:duplicate":
        first = read_mail((MESSAGES / "a01-qp-soft-break.eml").read_bytes(), context())
        seen = [{key: first[key] for key in ("game", "side", "message_id", "digest")}]
    got = read_mail((MESSAGES / row["file"]).read_bytes(), context(seen=seen))
    assert got["verdict"] == row["verdict"]
    assert got["lines"] == ([] if row["expected_lines"] == "-" else row["expected_lines"].split(" | "))
    assert got["reply"] == row["reply"]
    for forbidden in row["must_not_be_executed"].split(" ; "):
        assert forbidden not in got["lines"]


@pytest.mark.parametrize("row", [row for row in index() if row["verdict"] == "accept"], ids=lambda row: row["file"])
def test_an_accepted_message_names_game_side_and_turn(row: dict[str, str]) -> None:
    got = read_mail((MESSAGES / row["file"]).read_bytes(), context())
    assert (got["game"], got["side"], got["turn"]) == ("G17", "allied", 4)


@pytest.mark.parametrize(
    ("file", "why", "words"),
    [
        ("a03-format-flowed.eml", "chatter", "My window is narrow"),
        ("a04-html-only-outlook.eml", "history", "MOVE 7A-II TO 1011"),
        ("a06-top-post-gmail.eml", "quotation", "> BARRAGE RHA-B AT 1617"),
        ("a07-original-message-unquoted.eml", "history", "MOVE 7A-II TO 1011"),
        ("a09-signature-lookalike.eml", "signature", "BARRAGE RHA-C AT 9999"),
        ("a20-gateway-banner-footer.eml", "after-end", "MOVE it to the bin"),
    ],
)
def test_what_was_cut_is_told_with_its_reason(file: str, why: str, words: str) -> None:
    got = read_mail((MESSAGES / file).read_bytes(), context())
    assert any(piece["why"] == why and words in piece["text"] for piece in got["cut"])


def test_both_sets_are_shown_back_when_body_and_attachment_differ() -> None:
    got = read_mail((MESSAGES / "a13-body-and-attachment-differ.eml").read_bytes(), context())
    assert [source["lines"][0] for source in got["sources"]] == ["MOVE 10B-I TO 0907", "MOVE 10B-I TO 0908"]


def test_a_bounce_names_the_address_that_failed() -> None:
    assert read_mail((MESSAGES / "a16-bounce-hard.eml").read_bytes(), context())["bounced"] == ["ann.carter@mail.example.org"]

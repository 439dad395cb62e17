"""Ten seconds of made-up mails (an hour of them, in parts: ``./test --all=fuzz-mail:MINUTES``), and that the search finds what is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.long import fuzz_mail


def test_ten_seconds_of_made_up_mails_find_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert fuzz_mail.main([str(10 / 60), "--folder", str(tmp_path)]) == 0
    said = capfd.readouterr()
    assert "found: nothing" in said.out or "hypothesis makes the mails" in said.out


@pytest.mark.parametrize("seed", range(0, 98, 7))
def test_the_seeds_of_the_search_are_read(seed: int) -> None:
    fuzz_mail.reader()(fuzz_mail.seeds()[seed])


def test_what_no_input_may_bring_about_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.mail.intake.read_mail", lambda raw, context: {"lines": ["END"], "verdict": "hold:x"})
    with pytest.raises(fuzz_mail.Wrong, match="not accepted"):
        fuzz_mail.reader()(b"END")


def test_without_the_guided_search_the_seeds_are_spoilt_by_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[bytes] = []
    monkeypatch.setattr(fuzz_mail, "reader", lambda: tried.append)
    assert fuzz_mail.blind(1) == 0
    assert len(tried) >= 200

"""The sender's lines in his receipt: only orders are said to be done."""

from __future__ import annotations

from services.mail.lines import order_lines
from services.mail.report import ReportRequest
from services.mail.speech import Speech
from services.mail.wording import load_wording


def test_comments_empty_lines_and_directives_are_not_called_done() -> None:
    request = ReportRequest("holdfast", "receipt", lines=["# to the front", "  ; and on", "", "end", "DONE"])
    marks = [line.mark for line in order_lines(request, Speech(load_wording("en", "holdfast"), {}, "axis"))]
    assert marks == ["", "", "", "", "done"]

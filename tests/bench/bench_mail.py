"""The mail service: a mail read, a report made, a mail composed."""

from __future__ import annotations

import json
from pathlib import Path

from services.mail.compose import compose
from services.mail.intake import read_mail
from services.mail.report import make_report
from tests.bench.harness import Bench
from tests.mail.reports import RECEIPT
from tests.mail.test_compose import LETTER

_MESSAGES = Path(__file__).parents[1] / "mail" / "messages"


def benches() -> list[Bench]:
    """A plain mail, an HTML one, a hostile one of 10 MB; a receipt with a battle; a mail with a picture."""
    context = json.loads((_MESSAGES / "context.json").read_text(encoding="utf-8"))
    plain = (_MESSAGES / "a06-top-post-gmail.eml").read_bytes()
    html = (_MESSAGES / "a04-html-only-outlook.eml").read_bytes()
    big = plain.partition(b"\r\n\r\n")[0] + b"\r\n\r\n" + b"MOVE a b c\r\n" * 190_000
    return [
        Bench("a mail read", 5, "ms", lambda: read_mail(plain, context)),
        Bench("an HTML mail read", 10, "ms", lambda: read_mail(html, context)),
        Bench("a mail of 2 MB of orders refused", 1000, "ms", lambda: read_mail(big, context)),
        Bench("a receipt in text and HTML", 20, "ms", lambda: make_report(RECEIPT)),
        Bench("a mail composed", 10, "ms", lambda: compose(LETTER)),
    ]

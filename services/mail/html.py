"""An HTML part -> its lines as a reader sees them, without what it quotes."""

from __future__ import annotations

import re
from typing import Any

import inscriptis
import lxml.etree
import lxml.html
from inscriptis.css_profiles import CSS_PROFILES
from inscriptis.model.config import ParserConfig

from services.mail.orderlines import Cut

MAX_TAGS = 50_000
"""Tags beyond which an HTML text is not read; the long history of an office program has some thousands."""
MAX_TAKEN = 100
"""Quotations of which the words are kept; further ones are taken out all the same."""
_QUOTES = (
    "//blockquote | //*[contains(concat(' ', @class, ' '), ' gmail_quote ') or contains(concat(' ', @class, ' '), ' gmail_extra ')"
    " or contains(@class, 'yahoo_quoted') or contains(@class, 'protonmail_quote') or contains(@class, 'moz-cite-prefix')"
    " or contains(@class, 'gmail_attr') or contains(@class, 'zmail_extra') or @type='cite' or @name='quote']"
)
_SIGNATURES = "//*[contains(@class, 'gmail_signature') or contains(@class, 'moz-signature') or @id='Signature' or @id='signature']"
_STRUCK = "//del | //s | //strike | //*[contains(translate(@style, 'LINETHROUG', 'linethroug'), 'line-through')]"
_BELOW = "//*[@id='divRplyFwdMsg' or @id='appendonsend' or @id='reply-intro' or contains(@class, 'OutlookMessageHeader')]"
_UNSEEN = "//script | //style | //head | //title | //template | //noscript | //comment() | //object | //svg"
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|font-size\s*:\s*0(?:px|pt)?\s*(?:;|\Z)", re.IGNORECASE)
_FORWARDED = re.compile(
    r"forwarded message|weitergeleitete nachricht|message transféré|mensaje reenviado|messaggio inoltrato", re.IGNORECASE
)
_SPANS = {"td": "span", "th": "span", "tr": "div", "table": "div", "tbody": "div", "thead": "div", "tfoot": "div"}


_UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that the parser reads, written as numbers, and that it refuses to write."""


def html_lines(text: str) -> tuple[list[str], list[Cut]]:
    """The lines of an HTML text, and the quotations that were taken out of it. Never raises: what cannot be read gives no lines."""
    try:
        tree = lxml.html.document_fromstring(re.sub(r"^\s*<\?xml[^>]*\?>", "", text))
    except (lxml.etree.LxmlError, ValueError):
        return [], []
    cut: list[Cut] = []
    for element in _found(tree, _UNSEEN):
        _drop(element)
    for element in _found(tree, "//*[@style or @hidden]"):
        if element.get("hidden") is not None or _HIDDEN.search(element.get("style") or ""):
            _drop(element)
    for below in _found(tree, _BELOW)[:1]:
        for element in [*below.itersiblings(), below]:
            _take(element, "history", cut)
    gone: set[Any] = set()
    for path, why in ((_QUOTES, "quotation"), (_SIGNATURES, "signature"), (_STRUCK, "struck")):
        for element in _found(tree, path):
            if element not in gone:  # a quotation within a quotation goes with it
                gone.update(element.iter())
                _take(element, why, cut)
    return _text(tree).split("\n"), cut


def _found(tree: Any, path: str) -> list[Any]:
    found = tree.xpath(path)
    return list(found) if isinstance(found, list) else []


def _drop(element: Any) -> None:
    if element.getparent() is None:
        return
    # By hand, for comments and processing instructions have no drop_tree: the words behind the element stay.
    parent, before, tail = element.getparent(), element.getprevious(), element.tail or ""
    if before is not None:
        before.tail = _writable((before.tail or "") + tail)
    else:
        parent.text = _writable((parent.text or "") + tail)
    element.tail = None
    parent.remove(element)


def _writable(text: str) -> str:
    return _UNWRITABLE.sub(" ", text)


def _take(element: Any, why: str, cut: list[Cut]) -> None:
    text = _text(element).strip() if len(cut) < MAX_TAKEN else ""
    if text:
        cut.append(Cut("forward" if _FORWARDED.search(text) else why, text))
    _drop(element)


def _text(tree: Any) -> str:
    """Layout as text. Attributes go first (sizes and spans in them could blow it up), and cells become words of one line."""
    copy: Any = lxml.html.fromstring(lxml.html.tostring(tree, encoding="unicode", with_tail=False) or "<p></p>")
    for element in copy.iter():
        if not isinstance(element.tag, str):
            continue
        element.attrib.clear()
        if element.tag in ("td", "th"):
            element.tail = _writable(" " + (element.tail or ""))
        if element.tag in _SPANS or not element.tag.isalnum():  # what a parser takes for a tag may be no name that one can bear
            element.tag = _SPANS.get(element.tag, "span")
    config = ParserConfig(css=CSS_PROFILES["strict"].copy())
    rendered = inscriptis.get_text(lxml.html.tostring(copy, encoding="unicode"), config)
    return str(rendered)

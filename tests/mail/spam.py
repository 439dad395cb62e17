"""What keeps a mail out of spam folders, as a list of what a finished mail does wrong.

Gathered from what the filters publish: the rules of SpamAssassin that look at headers, MIME and HTML, the sender guidelines of the large
web mailers, RFC 5322 and RFC 2045. It reads bytes, as a filter does, and knows nothing of how they were made.
"""

from __future__ import annotations

import email
import email.policy
import re
from collections.abc import Iterator
from email.message import EmailMessage
from email.utils import getaddresses, parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

import lxml.html

ONCE = ("From", "To", "Subject", "Date", "Message-ID", "MIME-Version", "Content-Type", "Reply-To", "In-Reply-To", "References")
NEEDED = ("From", "To", "Subject", "Date", "Message-ID", "MIME-Version", "Auto-Submitted")
BULK = ("Precedence", "X-Priority", "Importance", "X-Mailer", "Return-Receipt-To", "Disposition-Notification-To")
MAX_HTML = 90_000
MAX_MAIL = 10_000_000
MOST_HIDDEN = 200
LEAST_ALIKE = 0.6
"""Of the words of the HTML part so many must stand in the plain part."""
LEAST_WORDS = 20
"""Words of text beside pictures: a mail that is all picture hides what it says."""
SMALLEST = 12  # pixels of a letter
RUNNABLE = re.compile(r"\.(?:exe|com|bat|cmd|scr|pif|js|vbs|jar|msi|html?|svg|zip|rar|7z|iso|docm|xlsm)\Z", re.IGNORECASE)
ACTIVE = ("script", "form", "iframe", "object", "embed", "applet", "video", "audio", "input", "button", "link", "base", "meta[@http-equiv]")
_WORD = re.compile(r"[A-Za-z0-9]{3,}")
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|opacity\s*:\s*0(?:\.0+)?(?:;|\Z)", re.IGNORECASE)
_SIZE = re.compile(r"font-size\s*:\s*([0-9.]+)px")


def spam_faults(raw: bytes, link_hosts: tuple[str, ...] = ()) -> list[str]:
    """What a mail does that filters hold against it. ``link_hosts``: the hosts that its links may lead to."""
    mail = email.message_from_bytes(raw, policy=email.policy.default)
    assert isinstance(mail, EmailMessage)
    return [*_bytes(raw), *_headers(raw, mail), *_parts(mail), *_words(mail), *_html(mail, link_hosts)]


def _bytes(raw: bytes) -> Iterator[str]:
    if re.search(rb"(?<!\r)\n|\r(?!\n)", raw):
        yield "a line does not end with CRLF"
    if b"\0" in raw:
        yield "a NUL"
    if any(byte > 127 for byte in raw):
        yield "8-bit bytes, which some servers do not take"
    if any(len(line) > 998 for line in raw.split(b"\r\n")):
        yield "a line of more than 998 bytes"
    if len(raw) > MAX_MAIL:
        yield "more bytes than servers take"


def _headers(raw: bytes, mail: EmailMessage) -> Iterator[str]:
    head = raw.partition(b"\r\n\r\n")[0]
    for name in ONCE:
        if len(mail.get_all(name, [])) > 1:
            yield f"{name} stands twice"
    for name in NEEDED:
        if not str(mail.get(name, "")).strip():
            yield f"{name} is missing or empty"
    for name in BULK:
        if name in mail:
            yield f"{name} marks bulk mail or begs for attention"
    if any(len(line) > 100 for line in head.split(b"\r\n")):
        yield "a header line of more than 100 bytes"
    if re.search(rb"=\?[^?]*\?[^?]*\?[^?]{76,}\?=", head):
        yield "an encoded word of more than 75 bytes"
    yield from _sender(mail)
    subject = str(mail["Subject"] or "")
    letters = [one for one in re.sub(r"\[[^\]]*\]", "", subject) if one.isalpha()]
    if len(letters) > 10 and all(one.isupper() for one in letters):
        yield "a subject in capitals"
    if re.search(r"[!?]{2}|\$\$|!\s*\Z", subject):
        yield "a subject that shouts"
    if re.match(r"(?:re|fwd?)\s*:", subject, re.IGNORECASE) and not mail["References"]:
        yield "a subject that claims an answer, outside a thread"
    if mail["Auto-Submitted"] not in ("auto-replied", "auto-generated"):
        yield "Auto-Submitted does not say that a machine wrote it"


def _sender(mail: EmailMessage) -> Iterator[str]:
    senders = getaddresses([str(mail.get("From", ""))])
    if len(senders) != 1 or not senders[0][0] or "@" in senders[0][0]:
        yield "From is not one address with a name of its own"
    domain = senders[0][1].rpartition("@")[2].lower() if senders else ""
    answers = getaddresses([str(one) for one in mail.get_all("Reply-To", [])])
    if any(address.rpartition("@")[2].lower() != domain for _, address in answers):
        yield "answers go to another domain than the sender's"
    if not re.fullmatch(rf"<[^<>\s@]+@{re.escape(domain)}>", str(mail.get("Message-ID", "")).strip()):
        yield "the Message-ID is not one of the sender's domain"
    try:
        if parsedate_to_datetime(str(mail["Date"])).tzinfo is None:
            yield "the date has no zone"
    except (TypeError, ValueError):
        yield "the date cannot be read"


def _parts(mail: EmailMessage) -> Iterator[str]:
    kinds = [part.get_content_type() for part in mail.walk() if not part.is_multipart()]
    if kinds[:2] != ["text/plain", "text/html"]:
        yield "it is not plain text first and HTML second"
    for part in mail.walk():
        if part.get_content_maintype() == "text":
            if str(part.get_content_charset()).lower() != "utf-8":
                yield "a text part without charset utf-8"
            if str(part["Content-Transfer-Encoding"]).lower() == "base64":
                yield "text in base64"
        name = part.get_filename()
        if name is not None and (RUNNABLE.search(name) or not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name)):
            yield f"a file that filters fear: {name!r}"
        if name is not None and (part.get_content_type() == "application/zip" or part.get_content_maintype() in ("text", "message")):
            yield f"a file of a type that filters open: {name!r}"


def _plain_and_tree(mail: EmailMessage) -> tuple[str, Any]:
    plain, html = mail.get_body(("plain",)), mail.get_body(("html",))
    return (plain.get_content() if plain else ""), (lxml.html.document_fromstring(html.get_content()) if html else None)


def _shown(tree: Any) -> str:
    for element in tree.xpath("//head | //style"):
        element.drop_tree()
    return " ".join(tree.itertext())


def _words(mail: EmailMessage) -> Iterator[str]:
    plain, tree = _plain_and_tree(mail)
    if tree is None:
        return
    hidden = " ".join(" ".join(one.itertext()) for one in tree.xpath("//*[@style or @hidden]") if _is_hidden(one))
    if len(hidden) > MOST_HIDDEN:
        yield f"{len(hidden)} characters that nobody sees"
    shown, said = set(_WORD.findall(_shown(tree))), set(_WORD.findall(plain))
    if shown and len(shown & said) < LEAST_ALIKE * len(shown):
        yield "the plain part does not say what the HTML part says"
    if len(_WORD.findall(plain)) < LEAST_WORDS:
        yield "hardly a word"


def _is_hidden(element: Any) -> bool:
    return element.get("hidden") is not None or bool(_HIDDEN.search(element.get("style") or ""))


def _html(mail: EmailMessage, link_hosts: tuple[str, ...]) -> Iterator[str]:
    html = mail.get_body(("html",))
    if html is None:
        return
    source = html.get_content()
    if len(source.encode()) >= MAX_HTML:
        yield "HTML that web mailers clip"
    if not re.match(r"\s*<!DOCTYPE html>\s*<html[ >]", source, re.IGNORECASE) or source.count("<body") != 1:
        yield "HTML without doctype, html or body"
    tree = lxml.html.document_fromstring(source)
    if not (tree.findtext(".//title") or "").strip():
        yield "HTML without a title"
    for name in ACTIVE:
        if tree.xpath(f"//{name}"):
            yield f"an element {name}"
    if tree.xpath("//@*[starts-with(name(), 'on')]") or re.search(r"javascript:|@import|url\(", source, re.IGNORECASE):
        yield "something that runs or is fetched"
    sizes = [float(size) for style in tree.xpath("//body//@style") for size in _SIZE.findall(style)]
    if any(size < SMALLEST for size in sizes):
        yield f"letters of less than {SMALLEST} pixels"
    yield from _images(mail, tree)
    for one in tree.xpath("//a"):
        yield from _link(str(one.get("href") or ""), " ".join("".join(one.itertext()).split()), link_hosts)


def _images(mail: EmailMessage, tree: Any) -> Iterator[str]:
    given = {str(part["Content-ID"]).strip("<> ") for part in mail.walk() if part["Content-ID"]}
    used = set()
    for one in tree.xpath("//img"):
        source = str(one.get("src") or "")
        if not source.startswith("cid:"):
            yield f"a picture from elsewhere: {source[:60]}"
        used.add(source.removeprefix("cid:"))
        if not (one.get("alt") or "").strip() or not one.get("width"):
            yield "a picture without words or measures"
    if used - given:
        yield "a picture that is not there"
    if given - used:
        yield "a picture in the page that the page does not show"


def _link(href: str, said: str, link_hosts: tuple[str, ...]) -> Iterator[str]:
    found = urlsplit(href)
    if found.scheme == "mailto":
        return
    host = (found.hostname or "").lower()
    if found.scheme != "https":
        yield f"a link that is not https: {href[:60]}"
    if re.fullmatch(r"[0-9.]+|\[?[0-9a-f:]+\]?", host) or found.username:
        yield f"a link to a number or with a name before the host: {href[:60]}"
    if host not in link_hosts:  # one that shortens URLs, above all
        yield f"a link to another host: {host[:60]}"
    if re.match(r"(?:https?://|www\.)", said) and said.rstrip("/") != href.rstrip("/"):
        yield f"a link that says it leads elsewhere: {said[:60]}"
    if not said:
        yield "a link without words"

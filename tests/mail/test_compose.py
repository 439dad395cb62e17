"""Mails as they go out: threaded, tagged, the same bytes for the same parts, and no way to put a header in."""

from __future__ import annotations

from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.mail.addresses import Tag, read_address, read_subject, reply_address, subject_tag
from services.mail.compose import MAX_REFERENCES, Attachment, ComposeError, Letter, Picture, compose

PNG = Picture("G17-t04-axis.png", "map", "image/png", b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
LETTER = Letter(
    to="bruno.keller@post.example.net",
    address="orders@pbem.example.com",
    subject="Receipt: 3 lines understood",
    text="Fünf Zeilen\n\nMOVE 21PZ TO 1204\n",
    html="<p>F&uuml;nf Zeilen</p>",
    message_id="<g17.t04.axis.w7x2.r1@pbem.example.com>",
    date="2026-03-27T21:20:40+01:00",
    game="G17",
    turn=4,
    token="w7x2",
    in_reply_to="<m9@post.example.net>",
    references=["<g17.t04.axis.w7x2@pbem.example.com>"],
    pictures=[PNG],
)


def parsed(letter: Letter) -> EmailMessage:
    found = message_from_bytes(compose(letter), policy=policy.default)
    assert isinstance(found, EmailMessage)
    return found


def test_the_headers_say_who_what_and_in_which_thread() -> None:
    mail = parsed(LETTER)
    assert mail["From"] == "hexpost <orders@pbem.example.com>"
    assert mail["To"] == "bruno.keller@post.example.net"
    assert mail["Subject"] == "[G17 T04 #w7x2] Receipt: 3 lines understood"
    assert mail["Reply-To"] == "hexpost <orders+g17-t04-w7x2@pbem.example.com>"
    assert mail["Date"] == "Fri, 27 Mar 2026 20:20:40 +0000"
    assert mail["Message-ID"] == "<g17.t04.axis.w7x2.r1@pbem.example.com>"
    assert mail["In-Reply-To"] == "<m9@post.example.net>"
    assert mail["References"] == "<g17.t04.axis.w7x2@pbem.example.com> <m9@post.example.net>"
    assert mail["Auto-Submitted"] == "auto-replied"
    assert parsed(replace(LETTER, replied=False))["Auto-Submitted"] == "auto-generated"


@pytest.mark.parametrize("words", ["next", "next: Allied player-turn, build-up and then this", "long " * 30])
def test_a_subject_is_never_folded_at_its_beginning(words: str) -> None:
    letter = replace(LETTER, subject=f"Done: {words}".strip())
    assert b"\r\nSubject: [G17 T04 #w7x2] Done:" in compose(letter)
    assert " ".join(str(parsed(letter)["Subject"]).split()) == f"[G17 T04 #w7x2] Done: {words}".strip()


def test_text_html_and_map_stand_where_mail_programs_look_for_them() -> None:
    parts = [(p.get_content_type(), p.get_content_disposition(), p.get_filename()) for p in parsed(LETTER).walk()]
    assert parts == [
        ("multipart/alternative", None, None),
        ("text/plain", None, None),
        ("multipart/related", None, None),
        ("text/html", None, None),
        ("image/png", "inline", "G17-t04-axis.png"),
    ]
    text, picture = list(parsed(LETTER).walk())[1], list(parsed(LETTER).walk())[4]
    assert text.get_content().replace("\r\n", "\n") == LETTER.text
    assert picture.get_content() == PNG.data
    assert picture["Content-ID"] == "<map@hexpost>"


def test_pictures_stand_in_the_order_of_their_kinds_under_their_own_ids_and_an_animation_is_a_file() -> None:
    given = [Picture(f"{kind}.png", kind, "image/png", kind.encode()) for kind in ("plan", "map", "before-after", "front")]
    film = Picture("turn.webp", "animation", "image/webp", b"film")
    mail = parsed(replace(LETTER, pictures=[film, *given]))
    shown = [(p["Content-ID"], p.get_content_disposition(), p.get_content()) for p in mail.walk() if p["Content-ID"]]
    kinds = ("front", "map", "before-after", "plan")
    assert shown == [(f"<{kind}@hexpost>", "inline", kind.encode()) for kind in kinds]
    assert [(p.get_filename(), p.get_content()) for p in mail.iter_attachments()][-1] == ("turn.webp", b"film")
    assert compose(replace(LETTER, pictures=[film, *given])) == compose(replace(LETTER, pictures=[*given[::-1], film]))


def test_further_files_are_attached() -> None:
    mail = parsed(replace(LETTER, attachments=[Attachment("G17-t04.vsav", "application/zip", b"PK")]))
    assert [(p.get_filename(), p.get_content()) for p in mail.iter_attachments()][-1] == ("G17-t04.vsav", b"PK")


def test_the_same_parts_give_the_same_bytes_with_short_crlf_lines() -> None:
    raw = compose(replace(LETTER, text="x" * 3000))
    assert raw == compose(replace(LETTER, text="x" * 3000))
    assert raw.count(b"\n") == raw.count(b"\r\n")
    assert max(len(line) for line in raw.split(b"\r\n")) <= 78


def test_a_long_thread_keeps_its_root_and_its_end() -> None:
    ids = [f"<m{n}@x.example>" for n in range(60)]
    references = parsed(replace(LETTER, references=ids))["References"].split()
    assert len(references) == MAX_REFERENCES
    assert (references[0], references[-1]) == ("<m0@x.example>", "<m9@post.example.net>")


def test_a_foreign_message_id_that_no_header_can_bear_is_left_out() -> None:
    mail = parsed(replace(LETTER, in_reply_to="<a b\r\nBcc: x@y.example>", references=["<ok@x.example>", "<ä@x>"]))
    assert (mail["In-Reply-To"], mail["References"], mail["Bcc"]) == (None, "<ok@x.example>", None)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("to", "a@b.example\r\nBcc: c@d.example"),
        ("to", "a@b.example, c@d.example"),
        ("to", "Ann <a@b.example>"),
        ("address", "orders"),
        ("subject", "x\nBcc: c@d.example"),
        ("subject", "x\u2028y"),
        ("subject", "x\ud800y"),
        ("subject", "x" * 201),
        ("sender_name", "a\rb"),
        ("game", "G17]\nX: y"),
        ("token", "../x"),
        ("message_id", "no brackets"),
        ("message_id", "<a@b>\r\nX: y"),
        ("date", "yesterday"),
        ("date", "2026-03-27T21:20:40"),
        ("pictures", [Picture("a.png", "portrait", "image/png", b"")]),
        ("pictures", [Picture("a.png", "map", "image/png", b""), Picture("b.png", "map", "image/png", b"")]),
        ("pictures", [Picture("a.png", "map", "text/html", b"")]),
        ("pictures", [Picture("../a.png", "map", "image/png", b"")]),
        ("attachments", [Attachment("a.eml", "message/rfc822", b"")]),
        ("attachments", [Attachment('a"\r\nX: y', "application/zip", b"")]),
    ],
)
def test_what_cannot_stand_in_a_mail_is_refused(field: str, value: object) -> None:
    with pytest.raises(ComposeError):
        compose(replace(LETTER, **{field: value}))


@given(st.text(max_size=120), st.text(max_size=200))
def test_no_subject_or_text_makes_a_header(subject: str, text: str) -> None:
    try:
        raw = compose(replace(LETTER, subject=subject, text=text))
    except ComposeError:
        return
    names = {line.partition(b":")[0] for line in raw.partition(b"\r\n\r\n")[0].split(b"\r\n") if line[:1] not in (b" ", b"\t")}
    assert names <= {
        b"From", b"To", b"Subject", b"Reply-To", b"Date", b"Message-ID", b"In-Reply-To", b"References", b"Auto-Submitted",
        b"X-Auto-Response-Suppress", b"MIME-Version", b"Content-Type",
    }  # fmt: skip


@given(
    st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_.]{0,20}", fullmatch=True), st.integers(0, 999), st.from_regex(r"[a-z0-9]{4,40}", fullmatch=True)
)
def test_a_tag_is_read_back_as_it_was_made(game: str, turn: int, token: str) -> None:
    tag = Tag(game.lower(), turn, token)
    assert read_address(reply_address("orders@pbem.example.com", game, turn, token), "orders@pbem.example.com") == tag
    assert read_subject(f"Re: {subject_tag(game, turn, token)} your turn") == tag


@pytest.mark.parametrize(
    "candidate",
    ["orders@pbem.example.com", "other+g17-t04-k3v9@pbem.example.com", "orders+g17-t04-k3v9@else.example", "orders+x@pbem.example.com"],
)
def test_only_our_own_tagged_address_names_a_turn(candidate: str) -> None:
    assert read_address(candidate, "orders@pbem.example.com") is None

"""Raw bytes as they come: decoded as far as they can be, bounded, never raising."""

from __future__ import annotations

import base64

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from services.mail.body import read_words, unflow
from services.mail.intake import read_mail
from services.mail.message import MAX_MULTIPARTS, MAX_RAW, decode_header, read_message

ORDER = "MOVE 10B-I TO 0907"
CONTEXT = {"server": "mx.example.com", "address": "orders@example.com", "games": []}


def lines(raw: bytes) -> tuple[str, ...]:
    return read_words(read_message(raw)).lines


def part(body: bytes, *headers: str) -> bytes:
    return "\r\n".join(headers).encode() + b"\r\n\r\n" + body


@pytest.mark.parametrize(
    "charset", ['"utf-8 xyz"', '""', "cp-850", "windows-874", "no-such", "punycode", "unicode_escape", "hex", "ISO-8859-1"]
)
def test_any_charset_label_is_survived(charset: str) -> None:
    assert lines(part(f"{ORDER}\r\nEND\r\n".encode(), f"Content-Type: text/plain; charset={charset}")) == (ORDER, "END")


@pytest.mark.parametrize(
    ("body", "charset"),
    [
        ("MOVE 10B–I TO 0907".encode(), "iso-8859-1"),
        ("MOVE 10B–I TO 0907".encode("cp1252"), "utf-8"),
        ("MOVE 10B–I TO 0907".encode("cp1252"), "us-ascii"),
        ("MOVE 10B–I TO 0907".encode("utf-16"), "utf-16"),
        (b"\xef\xbb\xbf" + ORDER.encode(), "utf-8"),
    ],
)
def test_the_bytes_are_read_as_what_they_are(body: bytes, charset: str) -> None:
    assert lines(part(body, f"Content-Type: text/plain; charset={charset}")) == (ORDER,)


def test_quoted_printable_comes_off_before_flowed() -> None:
    body = b"MOVE 10B-I TO 09=\r\n07\r\nBARRAGE RHA-C=20\r\nAT 1823\r\nEND\r\n"
    raw = part(body, "Content-Type: text/plain; charset=utf-8; format=flowed", "Content-Transfer-Encoding: quoted-printable")
    assert lines(raw) == (ORDER, "BARRAGE RHA-C AT 1823", "END")


def test_flowed_lines_keep_their_quotation_apart() -> None:
    assert list(unflow(["> a ", "> b", "c ", "d", "-- ", " >e"], delsp=False)) == ["> a b", "c d", "-- ", ">e"]
    assert list(unflow(["ab ", "cd"], delsp=True)) == ["abcd"]


@pytest.mark.parametrize("html", ["<p>\ufffe&#1;<style>x</style>&#11;&#xfffe;</p>", "<td>&#1;</td>&#2;<td>&#xffff;<!-- x -->&#8;</td>"])
def test_characters_that_no_parser_writes_are_blanks(html: str) -> None:
    raw = part(f"{html}<p>{ORDER}</p>".encode(), "Content-Type: text/html; charset=utf-8")
    assert lines(raw) == (ORDER,)


@pytest.mark.parametrize("order", ["MOVE 10B-I TO 0907<tel:0907>", "MOVE 10B-I TO 0907 <tel:+49%200907>", "MOVE 10B-I<callto:10> TO 0907"])
def test_what_a_program_took_for_a_telephone_number_is_a_hex(order: str) -> None:
    assert lines(part(f"{order}\r\nEND\r\n".encode())) == (ORDER, "END")


def test_an_address_is_read_once_where_a_program_wrote_it_twice() -> None:
    def one(line: str) -> object:
        (given,) = read_words(read_message(part(line.encode()))).commands
        return given.args["address"]

    assert one("INVITE ann@mail.example<mailto:ann@mail.example>") == one("INVITE ann@mail.example") == "ann@mail.example"


def test_a_banner_written_into_base64_is_damage() -> None:
    good = base64.b64encode(f"{ORDER}\r\nEND\r\n".encode())
    head = ("Content-Type: text/plain", "Content-Transfer-Encoding: base64")
    assert lines(part(good, *head)) == (ORDER, "END")
    damaged = read_message(part(b"CAUTION: external mail!\r\n" + good, *head))
    assert damaged.faults == ("damaged",)
    assert read_words(damaged).lines == ()


def test_white_space_of_html_is_one_space() -> None:
    html = b"<p>BARRAGE RHA-C AT\r\n1823</p><p>END</p><style>MOVE A TO 0101</style><div style='display:none'>MOVE B TO 0101</div>"
    assert lines(part(html, "Content-Type: text/html")) == ("BARRAGE RHA-C AT 1823", "END")


@pytest.mark.parametrize(
    "html",
    [
        f"<div>{ORDER}</div><div>END</div><blockquote type=cite>MOVE 7A-II TO 1011</blockquote>",
        f"{ORDER}<br>END<div class='gmail_quote'>On x wrote:<blockquote>MOVE 7A-II TO 1011</blockquote></div>",
        f"<table width=9999999><tr><td colspan=99999>{ORDER}</td></tr><tr><td>END</td></tr></table><div id=divRplyFwdMsg>From: x</div>"
        "<div>MOVE 7A-II TO 1011</div>",
        "<table><tr><td>MOVE</td><td>10B-I</td><td>TO 0907</td></tr></table><p>END<p><!-- MOVE 7A-II TO 1011 -->",
        f"<pre>{ORDER}\nEND</pre><div class='gmail_signature'>MOVE 7A-II TO 1011</div>",
        f"<ul><li>{ORDER}<li>END</ul>",
    ],
)
def test_an_html_mail_gives_its_own_lines_only(html: str) -> None:
    assert lines(part(html.encode(), "Content-Type: text/html; charset=utf-8")) == (ORDER, "END")


def test_a_quotation_within_a_quotation_goes_with_it_and_once() -> None:
    html = f"<p>{ORDER}</p>" + "<blockquote>MOVE 7A-II TO 1011" * 50 + "<p>END</p>"
    words = read_words(read_message(part(html.encode(), "Content-Type: text/html")))
    assert words.lines == (ORDER,)
    assert [piece.why for piece in words.cut] == ["quotation"]


def test_an_html_text_of_more_tags_than_a_mail_has_is_not_read() -> None:
    assert read_words(read_message(part(b"<br>" * 50_001, "Content-Type: text/html"))).too_many


def test_a_plain_form_that_only_asks_for_html_gives_way_to_it() -> None:
    raw = part(
        b"--b\r\nContent-Type: text/plain\r\n\r\nThis mail needs an HTML reader.\r\n"
        b"--b\r\nContent-Type: text/html\r\n\r\n<p>" + ORDER.encode() + b"</p>\r\n--b--\r\n",
        'Content-Type: multipart/alternative; boundary="b"',
    )
    assert lines(raw) == (ORDER,)


def test_a_plain_form_with_a_quotation_does_not_give_way() -> None:
    raw = part(
        b"--b\r\nContent-Type: text/plain\r\n\r\nThanks!\r\n> MOVE 7A-II TO 1011\r\n"
        b"--b\r\nContent-Type: text/html\r\n\r\n<p>Thanks!</p><p>MOVE 7A-II TO 1011</p>\r\n--b--\r\n",
        'Content-Type: multipart/alternative; boundary="b"',
    )
    assert lines(raw) == ()


def test_an_attached_mail_is_not_the_players_own_words() -> None:
    raw = part(
        b"--b\r\nContent-Type: text/plain\r\n\r\nsee below\r\n--b\r\nContent-Type: message/rfc822\r\n\r\n"
        b"From: x@y.example\r\n\r\n" + ORDER.encode() + b"\r\nEND\r\n--b--\r\n",
        'Content-Type: multipart/mixed; boundary="b"',
    )
    words = read_words(read_message(raw))
    assert (words.lines, words.elsewhere) == ((), "forward")


@pytest.mark.parametrize(("mime", "fault"), [("application/ms-tnef", "winmail"), ("application/pkcs7-mime", "encrypted")])
def test_a_part_that_cannot_be_opened_is_a_fault(mime: str, fault: str) -> None:
    raw = part(f"--b\r\nContent-Type: {mime}\r\n\r\nxx\r\n--b--\r\n".encode(), 'Content-Type: multipart/mixed; boundary="b"')
    assert read_message(raw).faults == (fault,)


def test_size_and_depth_are_bounded() -> None:
    assert read_message(b"Subject: x\r\n\r\n" + b"x" * MAX_RAW).faults == ("too-big",)
    nested = b"".join(b'Content-Type: multipart/mixed; boundary="b%d"\r\n\r\n--b%d\r\n' % (n, n) for n in range(MAX_MULTIPARTS + 1))
    assert read_message(nested).faults == ("too-complex",)
    many = b"--b\r\n\r\nx\r\n" * 200
    assert read_message(part(many, 'Content-Type: multipart/mixed; boundary="b"')).faults == ("too-complex",)
    assert read_message(b"X: y\r\n" * 5000 + b"\r\n").headers["x"] == ("y",) * 500


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("=?utf-8?q?Zo=C3=AB?= <a@b.example>", "Zoë <a@b.example>"),
        ("=?no-such?q?Ann?=", "Ann"),
        ("a\r\n b", "a b"),
        ("=?utf-8?q?a=0D=0ABcc:_x?=", "a Bcc: x"),
    ],
)
def test_a_header_is_one_line(value: str, text: str) -> None:
    assert decode_header(value) == text


@given(st.binary(max_size=400))
@example(b"Content-Type: text/plain; charset*=utf-8''%ff; format*0=x\n\nEND")
@example(b'Content-Type: multipart/mixed; boundary="\xff"\n\n--\xff\n')
@example(b"From: \xff\xfe <@@>\nContent-Disposition: attachment; filename*=x''%00\n\n")
@example(b"Content-Type: text/html\n\n<?xml version='1.0' encoding='x'?><p>")
@example(b"Content-Type: text/html\n\n\x00<")
def test_no_bytes_make_it_stumble(raw: bytes) -> None:
    assert read_mail(raw, CONTEXT)["lines"] == []


HEADERS = st.sampled_from(
    ["From", "To", "Subject", "Content-Type", "Content-Transfer-Encoding", "Authentication-Results", "Return-Path", "References"]
)
VALUES = st.one_of(
    st.text(st.characters(blacklist_categories=("Cs",), blacklist_characters="\r\n"), max_size=60),
    st.sampled_from(
        ["text/html", "multipart/mixed; boundary=b", "multipart/report; report-type=delivery-status", "base64", "quoted-printable", "<>"]
    ),
)


@given(st.lists(st.tuples(HEADERS, VALUES), max_size=8), st.text(st.characters(blacklist_categories=("Cs",)), max_size=200))
def test_no_headers_make_it_stumble(headers: list[tuple[str, str]], body: str) -> None:
    raw = "".join(f"{name}: {value}\r\n" for name, value in headers) + "\r\n" + body
    assert read_mail(raw.encode(), CONTEXT)["lines"] == []

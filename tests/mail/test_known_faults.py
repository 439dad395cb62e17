"""Faults that other mail gateways had, each with its reduced input. Those of loops, bounces, copies and forged senders want a journal and
are in tests/worker/test_identity.py (M20, M22, M24, M31).
"""

from __future__ import annotations

import base64

import pytest

from services.mail.intake import read_mail
from tests.mail.test_intake import context, mail

TWO = ["MOVE 10B-I TO 0907", "END"]


def read(body: bytes | str, *headers: str) -> dict[str, object]:
    raw = body.encode() if isinstance(body, str) else body
    head, gap, _ = mail(body="").partition(b"\r\n\r\n")
    found = read_mail(head + b"\r\n" + "\r\n".join(headers).encode() + gap + raw, context())
    return {key: found[key] for key in ("verdict", "lines", "cut", "sources")}


def lines(body: bytes | str, *headers: str) -> object:
    found = read(body, *headers)
    assert found["verdict"] == "accept"
    return found["lines"]


@pytest.mark.bug("M01")
def test_quoted_printable_is_undone_first_and_flowed_second() -> None:
    head = ("Content-Type: text/plain; charset=utf-8; format=flowed", "Content-Transfer-Encoding: quoted-printable")
    assert lines("MOVE 10B-I TO 09=\r\n07\r\nEND", *head) == TWO


@pytest.mark.bug("M02")
@pytest.mark.parametrize(
    "struck",
    [
        "<del>{}</del>",
        "<s>{}</s>",
        "<STRIKE>{}</STRIKE>",
        "<span style='text-decoration:line-through'>{}</span>",
        "<span style='Text-Decoration: Line-Through red'>{}</span>",
    ],
)
def test_what_is_struck_out_in_html_is_no_order(struck: str) -> None:
    html = f"<div>{struck.format('MOVE 21PZ TO 0507')}</div><div>BARRAGE RHA-C AT {struck.format('1822')} 1823</div><div>END</div>"
    assert lines(html, "Content-Type: text/html; charset=utf-8") == ["BARRAGE RHA-C AT 1823", "END"]


def test_a_line_break_in_the_source_of_html_is_a_blank() -> None:
    html = "<p>BARRAGE RHA-C AT\r\n1823</p><p>END</p>"
    assert lines(html, "Content-Type: text/html; charset=utf-8") == ["BARRAGE RHA-C AT 1823", "END"]


ATTRIBUTIONS = {
    "English": "On Thu, 26 Mar 2026 at 18:02, X <x@y.example> wrote:",
    "German": "Am Do., 26. März 2026 um 18:02 Uhr schrieb X <x@y.example>:",
    "Swedish": "tors 26 mars 2026 kl 18:02 skrev X <x@y.example>:",
    "Norwegian": "tor. 26. mars 2026 kl. 18:02 skrev X <x@y.example>:",
    "Danish": "Den tors. 26. mar. 2026 kl. 18.02 skrev X <x@y.example>:",
    "Finnish": "to 26. maalisk. 2026 klo 18.02 X (x@y.example) kirjoitti:",
    "Portuguese": "Em qui., 26 de mar. de 2026 às 18:02, X <x@y.example> escreveu:",
    "Spanish": "El jue, 26 mar 2026 a las 18:02, X (<x@y.example>) escribió:",
    "French": "Le jeu. 26 mars 2026 à 18:02, X <x@y.example> a écrit :",
    "Italian": "Il giorno gio 26 mar 2026 alle ore 18:02 X <x@y.example> ha scritto:",
    "Dutch": "Op do 26 mrt 2026 om 18:02 schreef X <x@y.example>:",
    "Polish": "czw., 26 mar 2026 o 18:02 X <x@y.example> napisał(a):",
    "Czech": "čt 26. 3. 2026 v 18:02 odesílatel X <x@y.example> napsal:",
    "Russian": "чт, 26 мар. 2026 г. в 18:02, X <x@y.example>:",
    "Ukrainian": "чт, 26 бер. 2026 р. о 18:02 X <x@y.example> пише:",
    "Greek": "Στις Πέμ 26 Μαρ 2026 στις 18:02, ο χρήστης X έγραψε:",
    "Hungarian": "X <x@y.example> ezt írta (időpont: 2026. márc. 26., Cs, 18:02):",
    "Turkish": "X <x@y.example>, 26 Mar 2026 Per, 18:02 tarihinde şunu yazdı:",
    "Chinese": "X <x@y.example> 于2026年3月26日周四 18:02写道：",
    "Japanese": "2026年3月26日(木) 18:02 X <x@y.example>:",
    "Korean": "2026년 3월 26일 (목) 오후 6:02, X <x@y.example>님이 작성:",
    "Arabic": "في الخميس، ٢٦ مارس ٢٠٢٦ في 18:02 كتب X <x@y.example>:",
    "Hebrew": "בתאריך יום ה׳, 26 במרץ 2026 ב-18:02 מאת X <x@y.example>:",
}


@pytest.mark.bug("M05")
@pytest.mark.parametrize("attribution", ATTRIBUTIONS.values(), ids=ATTRIBUTIONS)
@pytest.mark.parametrize("mark", ["> ", ""], ids=["marked", "unmarked"])
def test_the_answered_mail_is_history_in_any_language(attribution: str, mark: str) -> None:
    old = "".join(f"{mark}{line}\r\n" for line in ("MOVE 7A-II TO 1011", "BARRAGE RHA-B AT 1617"))
    body = f"MOVE 10B-I TO 0907\r\n\r\n{attribution}\r\n{old}"
    assert lines(body, "Content-Type: text/plain; charset=utf-8") == ["MOVE 10B-I TO 0907"]


@pytest.mark.bug("M05")
def test_in_a_language_that_nobody_knows_the_end_line_stops_the_reading() -> None:
    body = "MOVE 10B-I TO 0907\r\nEND\r\n\r\nhe qo'wIj 26 X ghItlh\r\nMOVE 7A-II TO 1011\r\nBARRAGE RHA-B AT 1617\r\n"
    assert lines(body) == TWO


@pytest.mark.bug("M07")
def test_orders_inside_a_forward_are_seen_and_refused_with_the_reason() -> None:
    found = read("---------- Forwarded message ---------\r\nFrom: X <x@y.example>\r\n\r\nMOVE 10B-I TO 0907\r\nEND\r\n")
    assert (found["verdict"], found["lines"]) == ("refuse:forwarded-only", [])
    assert "MOVE 10B-I TO 0907" in str(found["cut"])


@pytest.mark.bug("M09")
def test_a_reply_between_quoted_lines_is_the_orders() -> None:
    body = "> what does the brigade do?\r\nMOVE 10B-I TO 0907\r\n> and the guns?\r\nBARRAGE RHA-C AT 1823\r\n> thanks\r\nEND\r\n"
    assert lines(body) == ["MOVE 10B-I TO 0907", "BARRAGE RHA-C AT 1823", "END"]


@pytest.mark.bug("M11")
def test_any_run_of_blanks_is_one_space() -> None:
    assert lines("MOVE\u00a010B-I TO\u00a0 0907\r\nEND\r\n", "Content-Type: text/plain; charset=utf-8") == TWO


@pytest.mark.bug("M12")
@pytest.mark.parametrize("charset", ["cp-850", '"utf-8 xyz"', '""', "windows-874", '"\x00utf-8"', "utf-8\x00"])
def test_no_charset_label_keeps_orders_from_being_read(charset: str) -> None:
    assert lines("MOVE 10B-I TO 0907\r\nEND\r\n", f"Content-Type: text/plain; charset={charset}") == TWO


@pytest.mark.bug("M17")
def test_a_byte_order_mark_at_the_start_of_an_attachment_is_no_part_of_the_first_line() -> None:
    body = (
        b"--b\r\nContent-Type: text/plain\r\n\r\n\r\n"
        b'--b\r\nContent-Type: text/plain; name="o.txt"\r\nContent-Disposition: attachment\r\n\r\n'
        b"\xef\xbb\xbfMOVE 10B-I TO 0907\r\nEND\r\n--b--\r\n"
    )
    assert lines(body, 'Content-Type: multipart/mixed; boundary="b"') == TWO


@pytest.mark.bug("M19")
def test_a_mail_that_is_a_winmail_dat_is_refused_with_advice_and_not_empty() -> None:
    body = "--b\r\nContent-Type: text/plain\r\n\r\n \r\n--b\r\nContent-Type: application/ms-tnef; name=winmail.dat\r\n\r\nxx\r\n--b--\r\n"
    assert read(body, 'Content-Type: multipart/mixed; boundary="b"')["verdict"] == "refuse:winmail"


@pytest.mark.bug("M33")
def test_a_banner_above_the_orders_is_chatter_and_one_inside_base64_is_damage() -> None:
    orders = "MOVE 10B-I TO 0907\r\nEND\r\n"
    assert lines("[EXTERNAL] Do not CHECK links in this mail.\r\n\r\n" + orders) == TWO
    packed = base64.b64encode(orders.encode()).decode()
    found = read(f"CAUTION: external mail\r\n{packed}\r\n", "Content-Type: text/plain", "Content-Transfer-Encoding: base64")
    assert (found["verdict"], found["lines"]) == ("refuse:damaged", [])

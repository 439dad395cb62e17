"""``./test --all=fuzz-mail:MINUTES``: made-up mails and orders, guided by what code they reach, read as the gateway reads them.

Nothing may raise, take more than ``SECONDS`` or more memory than ``MEGABYTES``; what was understood must be bounded, and orders that are
printed must be read as the same orders again. What reaches new code is kept in ``var/fuzz-mail/corpus`` and taken up by the next run, so
an hour may be run in parts; what fails is kept in ``var/fuzz-mail/found``. Where atheris is not to be had (it is for Linux on x86-64),
hypothesis makes the mails, guided by nothing.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
MESSAGES = ROOT / "tests" / "mail" / "messages"
SECONDS = 10
MEGABYTES = 1024
LONGEST = 60_000
MOST = 2_000_000
"""Bytes of what is answered about a mail."""
GAMES = ("holdfast", "beda-fomm", "race-for-tunis", "fall-of-tobruk")
WORDS = (
    *(
        "multipart/mixed; boundary=b",
        "multipart/alternative; boundary=b",
        "multipart/report; report-type=delivery-status",
        "message/rfc822",
    ),
    *(
        "text/html",
        "text/plain; format=flowed; delsp=yes",
        "charset=utf-16",
        "base64",
        "quoted-printable",
        "filename*0*=utf-8''a.txt",
        "--b",
    ),
    *("=?utf-8?q?", "?=", "Return-Path: <>", "Auto-Submitted: auto-replied", "Authentication-Results: mx.pbem.example.com; dmarc=pass"),
    *("MOVE 10B-I TO 0907", "ATTACK 0907 WITH A,B AS X", "ON LOSSES IF 0907 VACANT LOSE A", "ELSE PASS", "IF ", "STANDING ", "CANCEL ALL"),
    *(
        "HOLD",
        "CHECK",
        "ANYWAY",
        "END",
        "DONE TURN",
        "CONFIRM",
        "HELP MOVE",
        "<blockquote>",
        "<table><tr><td>",
        "<br>",
        "-- ",
        "> ",
        "wrote:",
    ),
    *("-----Original Message-----", "---------- Forwarded message ---------", "&nbsp;", "\u00a0", "\u200b", "\u202e"),
)
"""What a fuzzer would be long in finding by itself."""


class Wrong(AssertionError):
    """Something that no input may bring about."""


def reader() -> Callable[[bytes], None]:
    """What is tried with each input. The modules are imported here, so that whoever calls can have them instrumented."""
    from services.mail.intake import read_mail
    from services.mail.orderlines import MAX_LINE, MAX_ORDER_LINES
    from services.mail.orders.parse import parse

    context = json.loads((MESSAGES / "context.json").read_text(encoding="utf-8"))
    known = (MESSAGES / "a01-qp-soft-break.eml").read_bytes().partition(b"\r\n\r\n")[0]

    def one(data: bytes) -> None:
        """Read ``data`` as a mail if it has headers; else as the body of a good one, and as orders of each game."""
        headed = b"\n\n" in data[:8_000] or b"\r\n\r\n" in data[:8_000]
        raw = data if headed and b":" in data[:100] else known + b"\r\n\r\n" + data
        found = read_mail(raw, context)
        lines = found["lines"]
        if len(lines) > MAX_ORDER_LINES or any(len(line) > MAX_LINE for line in lines) or len(json.dumps(found)) > MOST:
            raise Wrong("more was understood than any mail holds")
        if lines and found["verdict"] != "accept":
            raise Wrong("orders of a mail that was not accepted")
        text = data.decode("utf-8", "replace")[:20_000] if raw is not data else "\n".join(lines)
        for game in GAMES if text else ():
            read = parse(game, text)
            if not read.diagnostics and parse(game, read.printed).printed != read.printed:
                raise Wrong(f"orders of {game} are not what was read when they are printed and read again")

    return one


def seeds() -> list[bytes]:
    """What the search begins with: real mails, and orders."""
    return [path.read_bytes() for path in sorted(MESSAGES.glob("*.eml"))] + ["\n".join(WORDS).encode()]


def guided(folder: Path, seconds: int) -> int:
    """Have libFuzzer search; its exit code. Whatever it leaves lies in ``folder``."""
    folder = folder.resolve()
    corpus, found = folder / "corpus", folder / "found"
    for one in (corpus, found):
        one.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds()):
        (corpus / f"seed-{number:03d}").write_bytes(seed)
    words = folder / "words"
    spelt = ("".join(f"\\x{byte:02x}" for byte in word.encode()) for word in WORDS)
    words.write_text("".join(f'"{word}"\n' for word in spelt), encoding="ascii")
    options = [f"-max_total_time={seconds}", f"-timeout={SECONDS}", f"-rss_limit_mb={MEGABYTES}", f"-max_len={LONGEST}", f"-dict={words}"]
    options += [f"-artifact_prefix={found}/", "-print_final_stats=1", str(corpus)]
    command = [sys.executable, "-m", "tests.long.fuzz_mail", "--within", *options]
    return subprocess.run(command, cwd=found, env=os.environ | {"PYTHONPATH": str(ROOT)}, check=False).returncode  # noqa: TID251


def within(options: list[str]) -> None:
    """The process that searches; it does not return."""
    atheris: Any = importlib.import_module("atheris")  # not everywhere to be had
    with atheris.instrument_imports(
        include=["services.mail", "email", "authres", "flufl.bounce", "inscriptis"], enable_loader_override=False
    ):
        one = reader()
    atheris.Setup(["fuzz_mail", *options], one)
    atheris.Fuzz()


def blind(seconds: int) -> int:
    """Have hypothesis spoil the seeds until the time is over; 0 if nothing went wrong, else it raises."""
    from hypothesis import HealthCheck, given, settings
    from hypothesis import strategies as st

    one, stop, first = reader(), time.monotonic() + seconds, seeds()
    noise = st.binary(max_size=8) | st.sampled_from([word.encode() for word in WORDS])

    @settings(max_examples=200, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(st.sampled_from(first), st.lists(st.tuples(st.integers(0, 4_000), st.integers(0, 20), noise), max_size=12))
    def spoilt(seed: bytes, cuts: list[tuple[int, int, bytes]]) -> None:
        for at, gone, put in cuts:
            seed = seed[: at % (len(seed) + 1)] + put + seed[at % (len(seed) + 1) + gone :]
        begin = time.monotonic()
        one(seed)
        if time.monotonic() - begin > SECONDS:
            raise Wrong("it took too long")

    while time.monotonic() < stop:
        spoilt()
    return 0


def main(arguments: list[str]) -> int:
    """Search for a while; 0 if nothing was found."""
    if arguments[:1] == ["--within"]:
        within(arguments[1:])
    options = argparse.ArgumentParser(prog="tests.long.fuzz_mail")
    options.add_argument("minutes", type=float)
    options.add_argument("--folder", type=Path, default=ROOT / "var" / "fuzz-mail")
    chosen: Any = options.parse_args(arguments)
    seconds = max(1, round(chosen.minutes * 60))
    if importlib.util.find_spec("atheris") is None:
        print("atheris is not here: hypothesis makes the mails")
        return blind(seconds)
    code = guided(chosen.folder, seconds)
    left = sorted(path.name for path in (chosen.folder / "found").iterdir())
    kept = sum(1 for _ in (chosen.folder / "corpus").iterdir())
    print(f"{seconds} s more; {kept} inputs kept in {chosen.folder / 'corpus'}; found: {', '.join(left) or 'nothing'}", flush=True)
    return 1 if code or left else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

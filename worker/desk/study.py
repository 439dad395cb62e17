"""The commands that study a position: files in, files out, the services in this process. Nothing is written before all is well."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

from worker import local
from worker.canonical import Json, canonical, decode
from worker.play.games import UnusableInput, check_scenario
from worker.play.orders import MAX_TEXT, Written, read_orders, with_unread
from worker.play.orders import adjudicate as carry_out
from worker.post.deliver import MAX_LINE, MAX_LINES

MAX_FILE = 20_000_000
_HEX = re.compile(r"[0-9a-fA-F]{0,64}\Z")
_SAID = ("refused", "dropped", "skipped", "stopped", "unread")


def scenario_lines() -> Iterator[str]:
    """``game/scenario`` ids, one a line, with title."""
    for game in local.local_rules().games()["games"]:
        for one in game["scenarios"]:
            yield f"{one['id']}\t{game['title']}: {one['title']}"


def read_options(given: tuple[str, ...]) -> dict[str, Json]:
    """``K=V`` arguments as options: numbers and ``true``/``false`` as such, all else as text. UnusableInput."""
    options: dict[str, Json] = {}
    for one in given:
        key, equals, value = one.partition("=")
        if not key or not equals:
            raise UnusableInput(f"Option {one[:80]!r} is not of the form KEY=VALUE.")
        if key in options:
            raise UnusableInput(f"Option {key[:80]!r} is given twice.")
        truth = {"true": True, "false": False}.get(value.lower())
        options[key] = truth if truth is not None else int(value) if re.fullmatch(r"-?\d{1,9}", value) else value
    return options


def padded(seed: str, what: str) -> str:
    """Hex digits, left-padded with zeros to 64. UnusableInput."""
    if not _HEX.match(seed):
        raise UnusableInput(f"{what} {seed[:80]!r} is not up to 64 hexadecimal digits.")
    return seed.lower().rjust(64, "0")


def draws(seed: str, dice: str | None) -> Json:
    """How dice fall: ``{"dice": [...]}`` where they are scripted, else ``{"seed": ...}``. UnusableInput."""
    if dice is None:
        return {"seed": padded(seed, "The seed")}
    if seed:
        raise UnusableInput("Give --seed or --dice, not both.")
    found = [one.strip() for one in dice.split(",")] if dice.strip() else []
    if not all(re.fullmatch(r"[0-9]{1,3}", one) for one in found):
        raise UnusableInput(f"--dice {dice[:80]!r} is not a list of numbers such as 3,5,1.")
    return {"dice": [int(one) for one in found]}


def new_state(scenario: str, options: tuple[str, ...], seed: str) -> Json:
    """The initial state of a scenario."""
    return local.local_rules().new_state(check_scenario(scenario), read_options(options), padded(seed, "The seed"))["state"]


def adjudicate(state_file: Path, side: str, orders: Path, draw: Json, *, wants_report: bool) -> tuple[Json, str]:
    """The outcome of the orders in a file, and the side's report as text (empty where none is wanted)."""
    if str(state_file) == str(orders) == "-":
        raise UnusableInput("State and orders cannot both come from standard input.")
    state = read_state(state_file)
    text = _read_text(orders)
    rules, mail = local.local_rules(), local.local_mail()
    vocabulary = rules.scenario(scenario_of(state))
    check_side(vocabulary, side)
    written = read_orders(mail, state["game"], text.splitlines(), vocabulary, side)
    outcome = carry_out(rules, state, written, {"id": "study-000001", "side": side, "seq": None}, draw)
    if not wants_report:
        return with_unread(outcome, written), ""
    view = rules.view(outcome["state"], side, outcome["events"])
    report = mail.report(report_body(state["game"], "receipt", view, vocabulary, outcome, written, text.splitlines()))
    return with_unread(outcome, written), str(report["text"])


def report_body(game: str, kind: str, view: Json, vocabulary: Json, outcome: Json, written: Written, lines: list[str]) -> Json:
    """What a receipt's wording is made from, for an outcome that is in no journal."""
    return {
        "game": game,
        "kind": kind,
        "view": view,
        "events": view.get("events", []),
        "vocabulary": vocabulary,
        "status": outcome["status"],
        "lines": [line[:MAX_LINE] for line in lines[:MAX_LINES]],
        "printed": [line[:MAX_LINE] for line in written.printed[: 2 * MAX_LINES]],
        "diagnostics": written.diagnostics,
        "rejections": outcome["rejections"],
    }


def some_refused(outcome: Json) -> bool:
    """Whether some orders did not stand."""
    return outcome["status"] in ("refused", "stale") or bool(outcome["rejections"])


def refusal_lines(outcome: Json) -> Iterator[str]:
    """One line for each order that did not stand: its line, the fate, the code, the clause, the facts."""
    for one in outcome["rejections"]:
        details = one.get("details") or {}
        said = details.get("text") if "column" in details else None
        facts = said or ", ".join(f"{key} {_short(value)}" for key, value in details.items())
        clause = f" [{one['clause']}]" if one.get("clause") else ""
        yield f"line {one['line']}: {one['fate']}: {one['code']}{clause}{f': {facts}' if facts else ''}"


def _short(value: Json) -> str:
    return value if isinstance(value, str) else canonical(value).decode()


def legal_lines(state_file: Path, side: str) -> Iterator[str]:
    """Legal orders of a side as text; a comment at the end where there are more."""
    state = read_state(state_file)
    rules = local.local_rules()
    check_side(rules.scenario(scenario_of(state)), side)
    found = rules.legal(state, side)
    yield from local.local_mail().print_orders(state["game"], found["orders"])
    if found.get("more"):
        yield "# There are more legal orders than these."


def view(state_file: Path, side: str) -> Json:
    """What a side may know."""
    state = read_state(state_file)
    rules = local.local_rules()
    check_side(rules.scenario(scenario_of(state)), side)
    return rules.view(state, side)


def umpires_view(sides: list[Json], spectator: Json, events: list[Json] | None) -> Json:
    """All that the sides know together: each side's own counters and every event whole, on the ground of what everybody sees."""
    own = {one.get("id"): one for seen in sides for one in seen["counters"] if one.get("known") == "own"}
    counters = sorted(own.values(), key=lambda one: (str(one["place"]), str(one.get("alias")), str(one.get("id"))))
    whole = [{key: one.get(key) for key in ("n", "kind", "clause", "path", "data")} for one in events or []]
    return spectator | {"counters": counters} | ({} if events is None else {"events": whole})


def read_mail(mail_file: Path, context_file: Path | None) -> Json:
    """What the gateway makes of a raw mail."""
    raw = _read_bytes(mail_file)
    known = {"server": "localhost", "address": "orders@localhost", "now": "1970-01-01T00:00:00+00:00", "games": [], "seen": []}
    return local.local_mail().read(raw, known if context_file is None else read_json(context_file))


def read_state(path: Path) -> Json:
    """The state in a file, or the ``state`` of an outcome in it. UnusableInput if it is neither."""
    found = read_json(path)
    state = found["state"] if isinstance(found.get("state"), dict) and "format" not in found else found
    if not isinstance(state.get("game"), str) or not isinstance(state.get("scenario"), str):
        raise UnusableInput(f"{path} holds no state: it names no game and scenario.")
    return state


def scenario_of(state: Json) -> str:
    """The id of a state's scenario. UnusableInput if it names none."""
    return check_scenario(f"{state['game']}/{state['scenario']}")


def check_side(described: Json, side: str) -> None:
    """UnusableInput unless a scenario, as the rules service describes it, has this side."""
    sides = described["game"]["sides"]
    if side not in sides:
        raise UnusableInput(f"There is no side {side[:80]!r}; this scenario has {', '.join(sides)}.")


def read_json(path: Path) -> Json:
    """A file that holds one JSON object. UnusableInput if it does not."""
    try:
        found = decode(_read_bytes(path))
    except ValueError:
        raise UnusableInput(f"{path} is not JSON. Positions come from hexpost state new, and from adjudicate with -o.") from None
    if not isinstance(found, dict):
        raise UnusableInput(f"{path} holds no JSON object.")
    return found


def _read_bytes(path: Path, limit: int = MAX_FILE) -> bytes:
    if str(path) == "-":
        data = sys.stdin.buffer.read(limit + 1)
    else:
        with open(path, "rb") as file:
            data = file.read(limit + 1)
    if len(data) > limit:
        raise UnusableInput(f"{path} is too large: at most {limit} bytes are read.")
    return data


def _read_text(path: Path) -> str:
    try:
        text = _read_bytes(path, MAX_TEXT).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UnusableInput(f"{path} is not text in UTF-8.") from None
    if "\0" in text:
        raise UnusableInput(f"{path} is not text: it holds NUL characters.")
    return text


def as_json(value: Json) -> bytes:
    """A value as it stands in a file: canonical JSON and a line end."""
    return canonical(value) + b"\n"


def write_files(*files: tuple[Path, bytes]) -> None:
    """Write files: all of them whole, or none; a link stays one, and into a device or a pipe it is written. UnusableInput."""
    through = {path for path, _ in files if path.exists() and not path.is_file()}
    found = {path if path in through else Path(os.path.realpath(path)): data for path, data in files}
    if len(found) < len(files):
        raise UnusableInput(f"{files[0][0]} cannot be written twice: two outputs name one file.")
    drafts: dict[Path, Path] = {}
    try:
        for path in found.keys() - through:
            drafts[path] = path.with_name(f".{path.name}.{os.getpid()}")
            drafts[path].write_bytes(found[path])
        for path in through:
            path.write_bytes(found[path])
        for path, draft in drafts.items():
            os.replace(draft, path)
    except OSError as error:
        raise UnusableInput(f"{path} cannot be written: {(error.strerror or str(error)).lower()}.") from None
    finally:
        for draft in drafts.values():
            draft.unlink(missing_ok=True)


def pretty(value: Json) -> str:
    """A value as JSON for reading."""
    return msgspec.json.format(canonical(value), indent=2).decode()

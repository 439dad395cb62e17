"""Stand-ins for the three services, of a toy game: enough to see what the worker does with their answers, and nothing of their own law.

Toy game: sides axis and allied; ``MOVE X`` is seen by all, ``SECRET X`` by its owner alone, ``ROLL`` throws a die, ``DONE`` ends the
player-turn, and the game-turn after the allied one; ``CONCEDE`` and ``DRAW`` end the game; ``BAD`` cannot be read; ``ILLEGAL`` is refused;
``CRASH`` makes the rules fail; ``LATER X`` is kept for later; a try ends before ``ROLL``.
"""

from __future__ import annotations

import base64
import email
import email.policy
import hashlib
import zipfile
from collections import defaultdict
from collections.abc import Callable
from io import BytesIO
from typing import Any

from PIL import Image
from PIL.PngImagePlugin import PngInfo

from worker.canonical import Json, canonical, digest
from worker.clients import MailClient
from worker.ports import ServiceDown, ServiceFailed, ServiceRefused

SIDES = ("axis", "allied")
CRASHES = "CRASH"
ANN = "ann@example.org"
BRUNO = "bruno@example.net"


class ToyRules:
    """``ports.Rules`` for the toy game. ``down`` True: it cannot be reached."""

    def __init__(self) -> None:
        self.down = False
        self.adjudicated: list[Json] = []

    def new_state(self, scenario: str, options: Json, secret: str, words: Json = ()) -> Json:
        state = {"game": "toy", "scenario": "one", "data_digest": "d", "options": options, "turn": 1, "phasing": "axis", "did": []}
        state["hidden"] = "7b" * 32
        return {"state": state, "digest": digest(canonical(state)), "events": []}

    def adjudicate(self, body: Json) -> Json:
        if self.down:
            raise ServiceDown("The rules service cannot be reached.")
        state, packet = body["state"], body["packet"]
        assert body["digest"] == digest(canonical(state))
        self.adjudicated.append(packet)
        same = {"state": state, "digest": body["digest"], "events": [], "rejections": [], "pending": [], "ran": False}
        verbs = [one["verb"] for one in packet["orders"]]
        if CRASHES in verbs:
            raise ServiceFailed("internal")
        if "ILLEGAL" in verbs:
            rejection = {"line": verbs.index("ILLEGAL") + 1, "code": "illegal", "clause": "1", "details": {}, "fate": "refused"}
            return same | {"status": "refused", "rejections": [rejection]}
        return self._carry_out(state, packet, body["seed"], same)

    def _carry_out(self, state: Json, packet: Json, seed: str, same: Json) -> Json:
        events: list[Json] = []
        new = state | {"did": list(state["did"])}
        for k, order in enumerate(packet["orders"]):
            if order["verb"] == "ROLL" and (packet["check"] or packet["hold"]):
                lines = [one["line"] for one in packet["orders"][k:]]
                events.append({"n": len(events) + 1, "kind": "checked_to", "data": {"x": "", "lines": lines}, "owner": packet["side"]})
                break
            if order["verb"] == "LATER":
                new["later"] = [*new.get("later", []), [packet["side"], order]]
                continue
            did = [packet["side"], order["verb"], order["args"].get("x", "")]
            if order["verb"] == "ROLL":
                new["drawn"] = new.get("drawn", 0) + 1
                did[2] = str(int(hashlib.sha256(seed.encode()).hexdigest(), 16) % 6 + 1)
            owner = packet["side"] if order["verb"] == "SECRET" else None
            kind = "moved" if order["verb"] == "MOVE" else order["verb"].lower()
            events.append({"n": len(events) + 1, "kind": kind, "data": {"x": did[2]}, "owner": owner, "public": None})
            new["did"].append(did)
            if order["verb"] == "DONE":
                new["turn"] += state["phasing"] == "allied"
                new["phasing"] = "allied" if state["phasing"] == "axis" else "axis"
            if order["verb"] == "CONCEDE":
                new["over"] = {"winner": "allied"}
            if order["verb"] == "DRAW":
                assert order["confirm"]
                new["over"] = {"winner": None}
        if packet["check"] or packet["hold"]:
            return same | {"status": "held" if packet["hold"] else "checked", "events": events}
        ran = any(one["owner"] is None for one in events)
        return same | {"status": "done", "state": new, "digest": digest(canonical(new)), "events": events, "ran": ran}

    def edit(self, body: Json) -> Json:
        """``SET x y``: what was done is forgotten, but for that the umpire did it; any other edit is refused."""
        state = body["state"]
        assert body["digest"] == digest(canonical(state))
        same = {"state": state, "digest": body["digest"], "events": [], "rejections": [], "pending": [], "ran": False}
        bad = [line for line, one in enumerate(body["edits"], start=1) if one["verb"] != "SET"]
        if bad:
            fault = {"code": "edit-busy", "clause": "", "details": {"unit": "X1"}, "fate": "refused"}
            return same | {"status": "refused", "rejections": [{"line": line} | fault for line in bad]}
        did = [["umpire", one["unit"], one["value"]] for one in body["edits"]]
        events = [
            {"n": n, "kind": "edited", "data": {"verb": "SET", "name": who, "key": "", "was": 0, "value": x, "x": x}, "owner": None}
            for n, (_, who, x) in enumerate(did, start=1)
        ]
        new = state | {"did": [*state["did"], *did]}
        return same | {"status": "done", "state": new, "digest": digest(canonical(new)), "events": events}

    def view(self, state: Json, side: str | None, events: list[Json] | None = None) -> Json:
        path = [["turn", state["turn"]], ["player-turn", state["phasing"]]]
        seen = {"turn": state["turn"], "path": path, "waiting_for": [state["phasing"]], "pending": [], "side": side}
        seen["over"] = state.get("over")
        mine = [did for did in state["did"] if did[1] != "SECRET" or did[0] == side]
        visible = [one for one in events or [] if one["owner"] in (None, side)]
        seen["counters"] = [{"side": who, "alias": x, "place": "0101"} for who, verb, x in mine if verb == "MOVE"]
        seen["tail"] = [order for who, order in state.get("later", []) if who == side] or None
        return seen | {"did": mine} | ({} if events is None else {"events": visible})

    def legal(self, state: Json, side: str, most: int = 100, packet: Json = None, unit: str | None = None) -> Json:
        return {"orders": [], "more": False}

    def adjutant(self, state: Json, side: str) -> Json:
        # one move, then the end of the player-turn: two packets
        moved = state["did"][-1:] == [[side, "MOVE", "adjutant"]]
        orders = [{"line": 1, "verb": "DONE", "args": {}} if moved else {"line": 1, "verb": "MOVE", "args": {"x": "adjutant"}}]
        return {"orders": orders, "standing": []}

    def games(self) -> Json:
        return {"games": [{"key": "toy", "scenarios": [{"id": "toy/one", "title": "The Toy"}]}]}

    def scenario(self, scenario: str) -> Json:
        if not scenario.startswith("toy/"):
            raise ServiceRefused({"detail": f"there is no scenario {scenario}"})
        return {"id": scenario, "game": {"sides": list(SIDES)}}


class ToyMail:
    """``ports.Mail``: tokens are looked for in ``To``, order lines are the whole body, reports list what they were given."""

    def read(self, raw: bytes, context: Json) -> Json:
        mail = email.message_from_bytes(raw, policy=email.policy.default)
        words = str(mail["To"]).replace("@", "-").split("-")
        none = {
            "verdict": "drop:unknown-sender",
            "game": None,
            "side": None,
            "lines": [],
            "reply": "none",
            "message_id": mail["Message-ID"],
        }
        body = str(mail.get_content())
        none["digest"] = digest(body.encode())
        for game in context["games"]:
            for side, known in game["sides"].items():
                stale = any(word in known["old_tokens"] for word in words)
                if known["token"] not in words and not stale:
                    continue
                found = none | {"game": game["id"], "side": side}
                if any(one["message_id"] == mail["Message-ID"] and one["digest"] == none["digest"] for one in context["seen"]):
                    return found | {"verdict": "ignore:duplicate"}
                if stale:
                    return found | {"verdict": "refuse:stale-turn", "reply": "explain"}
                return found | {"verdict": "accept", "reply": "receipt", "lines": body.strip().splitlines()}
        return none

    def parse(self, body: Json) -> Json:
        packet: Json = {"orders": [], "standing": [], "anyway": False, "check": False, "hold": False}
        faults = []
        for number, line in enumerate(body["lines"], start=1):
            verb, _, rest = line.partition(" ")
            if verb in ("HOLD", "CHECK", "ANYWAY"):
                packet[verb.lower()] = True
            elif verb == "BAD":
                faults.append({"line": number, "column": 1, "code": "unknown-verb", "text": "BAD"})
            else:
                packet["orders"].append({"line": number, "verb": verb, "args": {"x": rest, "to": rest} if rest else {}})
        return {"packet": packet, "diagnostics": faults, "printed": body["lines"]}

    def print_orders(self, game: str, orders: Json) -> list[str]:
        return [str(one["verb"]) for one in orders]

    def say(self, body: Json) -> list[str]:
        return [str(one["fields"].get("side", one["key"])).capitalize() for one in body["sentences"]]

    def report(self, body: Json) -> Json:
        did = ["{kind} {x}".format(kind=one["kind"], x=one["data"]["x"]).strip() for one in body.get("events", [])]
        did = [one.replace("moved", "move") for one in did]
        refused = [str(one["code"]) for one in [*body.get("diagnostics", []), *body.get("rejections", [])]]
        lines = [body["kind"], str(body.get("status", body.get("verdict"))), *did, *(f"refused {code}" for code in refused)]
        lines += [f"secret {body['secret']}"] if "secret" in body else []
        lines += [f"note {one}" for one in body.get("notes", [])]
        return {"subject": f"[toy] {body['kind']}", "text": "\n".join(lines), "html": ""}

    def board(self, body: Json) -> Json:
        places = [{"hex": "", "name": "did", "counters": [{"unit": "", "side": "", "text": str(one)} for one in body["view"]["did"]]}]
        none: Json = {"under": "", "awaited": "", "until": "", "map": "", "position": [], "decisions": [], "template": []}
        return none | {"title": "toy", "places": places, "say": defaultdict(str)}

    def compose(self, body: Json) -> Json:
        head = {"Message-ID": body["message_id"], "To": body["to"], "Subject": body["subject"]}
        head["Reply-To"] = f"orders+{body['game'].lower()}-t{body['turn']}-{body['token']}@toy.example" if "token" in body else "none"
        head["In-Reply-To"] = body["in_reply_to"] or ""
        text = "".join(f"{key}: {value}\n" for key, value in head.items()) + "\n" + body["text"] + "\n"
        text += "".join(f"{one['kind']} {said_by(base64.b64decode(one['data']))}\n" for one in body["pictures"])
        return {"raw": base64.b64encode(text.encode()).decode(), "message_id": body["message_id"]}


class RealMail(ToyMail):
    """The real mail service; only orders are those of the toy game: ``ATTACK``, ``ENTER``, ``REBUILD`` stand for ``ROLL``, ``SECRET``,
    ``ILLEGAL``, as its reader knows no such verbs.
    """

    def __init__(self, real: MailClient) -> None:
        self.real = real

    def read(self, raw: bytes, context: Json) -> Json:
        return self.real.read(raw, context)

    def say(self, body: Json) -> list[str]:
        return self.real.say(body)

    def report(self, body: Json) -> Json:
        return self.real.report(body)

    def parse(self, body: Json) -> Json:
        known = {"ATTACK": "ROLL", "ENTER": "SECRET", "REBUILD": "ILLEGAL"}
        lines = [" ".join(known.get(word, word) for word in line.split(" ")) for line in body["lines"] if line != "END"]
        return super().parse(body | {"lines": lines})

    def compose(self, body: Json) -> Json:
        return self.real.compose(body)


def picture(said: str) -> bytes:
    """A PNG of one pixel that bears a text."""
    told, out = PngInfo(), BytesIO()
    told.add_text("said", said)
    Image.new("1", (1, 1)).save(out, "PNG", pnginfo=told)
    return out.getvalue()


def said_by(data: bytes) -> str:
    """The text of such a picture."""
    with Image.open(BytesIO(data)) as image:
        return str(image.info["said"])


def shows(kind: str, body: Json) -> str:
    """A toy picture: what it is, and what stands in the views that it is drawn from."""
    before = {"before": body["before"]["did"]} if "before" in body else {}
    plan: Json = {}
    if body.get("plan"):
        plan = {
            "events": [one["data"]["x"] for one in body["view"]["events"]],
            "orders": [one["args"].get("x", "") for one in body["orders"]],
        }
    crop = {"crop": body["crop"]} if "crop" in body and not plan else {}
    return canonical({"shows": body["view"]["did"]} | before | plan | crop).decode()


class ToyRender:
    """``ports.Render``: a picture is one pixel with a text, by default what it shows. ``faults``: what is raised instead, by the kind of
    call; ``fault``: for all of them. ``asked``: the calls, in order.
    """

    def __init__(self, said: Callable[[str, Json], str] = shows) -> None:
        self.fault: Exception | None = None
        self.faults: dict[str, Exception] = {}
        self.asked: list[tuple[str, Json]] = []
        self.module_version = "1.0"
        self.sizes: dict[str, int] = {}
        self._said = said

    def _draw(self, kind: str, body: Json) -> bytes:
        self.asked.append((kind, body))
        fault = self.fault or self.faults.get(kind)
        if fault is not None:
            raise fault
        return picture(self._said(kind, body))

    def map(self, body: Json) -> bytes:
        return self._draw("map", body)

    def grid(self, body: Json) -> Json:
        return {"size": [1, 1], "hex": [1, 1], "hexes": {"0101": [0, 0]}}

    def compare(self, body: Json) -> bytes:
        return self._draw("compare", body)

    def animate(self, body: Json) -> bytes:
        return self._draw("animate", body)

    def specimen(self, body: Json) -> bytes:
        return self._draw("specimen", body)

    def _vassal(self, kind: str, body: Json) -> bytes:
        """A file for VASSAL: an archive that names the module's version, says what it is made from, and is as large as ``sizes`` says."""
        self.asked.append((kind, body))
        fault = self.fault or self.faults.get(kind)
        if fault is not None:
            raise fault
        out = BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            archive.writestr("moduledata", f"<data><version>{self.module_version}-{body['theme']}</version></data>")
            archive.writestr("said", canonical(body))
            archive.writestr("padding", b"0" * self.sizes.get(kind, 0))
        return out.getvalue()

    def module(self, body: Json) -> bytes:
        return self._vassal("module", body)

    def save(self, body: Json) -> bytes:
        return self._vassal("save", body)

    def log(self, body: Json) -> bytes:
        return self._vassal("log", body)

    def styles(self) -> list[tuple[str, str]]:
        return [("toy", "The Toy"), ("other-toy", "The Other Toy")]


def orders_mail(reply_to: str, sender: str, message_id: str, *lines: str) -> bytes:
    """A plain orders mail as it comes in."""
    head = f"From: {sender}\nTo: {reply_to}\nSubject: orders\nMessage-ID: {message_id}\n\n"
    return (head + "\n".join(lines) + "\n").encode()


def headers(raw: bytes) -> Any:
    """The headers of a mail that was sent."""
    return email.message_from_bytes(raw, policy=email.policy.default)


def body(raw: bytes) -> list[str]:
    """The lines of a mail that was sent."""
    return str(headers(raw).get_content()).split("\n")

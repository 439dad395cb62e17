"""What the mail service takes and gives (marshmallow). Unknown fields are refused; sizes are bounded."""

from __future__ import annotations

import base64
import binascii
from typing import Any

from marshmallow import INCLUDE, RAISE, Schema, ValidationError, fields, validate

from services.mail.answers import ANSWERED, SHOWS
from services.mail.orders.lines import MAX_TEXT
from services.mail.pictures import FILES, LINKED
from services.mail.pictures import KINDS as PICTURES
from services.mail.report import KINDS, NOTES

MAX_LINES = 600
URL = "https?://[!-~]{3,500}"
MAX_LINE = 2000
GAME = validate.Regexp(r"\A[a-z][a-z0-9-]{0,40}\Z", error="a game's key: small letters, digits and hyphens")


class Base64(fields.Field[bytes]):
    """Bytes as base64 text."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bytes:
        try:
            return base64.b64decode(value, validate=True)
        except (TypeError, ValueError, binascii.Error):
            raise ValidationError("Not base64.") from None

    def _serialize(self, value: bytes | None, attr: str | None, obj: Any, **kwargs: Any) -> str | None:
        return None if value is None else base64.b64encode(value).decode("ascii")


class Strict(Schema):
    """A body in which every field must be known."""

    class Meta:
        unknown = RAISE


def words(most: int, **more: Any) -> fields.String:
    """A text of at most ``most`` characters."""
    return fields.String(validate=validate.Length(max=most), **more)


def texts(most: int, length: int = MAX_LINE, **more: Any) -> fields.List[Any]:
    """A list of at most ``most`` texts."""
    return fields.List(words(length), validate=validate.Length(max=most), **more)


def objects(most: int, **more: Any) -> fields.List[Any]:
    """A list of at most ``most`` objects."""
    return fields.List(fields.Dict(keys=fields.String()), validate=validate.Length(max=most), **more)


def thing(**more: Any) -> fields.Dict:
    """An object of another service, taken as it is."""
    return fields.Dict(keys=fields.String(), **more)


class Told(Schema):
    """A diagnostic or a rejection: a line, what is said of it, perhaps its columns (from 1; 0: the whole line); more goes as it is."""

    class Meta:
        unknown = INCLUDE

    line = fields.Integer(strict=True, validate=validate.Range(0, 1_000_000))
    code = words(100)
    column = fields.Integer(strict=True, validate=validate.Range(0, MAX_TEXT + 1))
    end = fields.Integer(strict=True, validate=validate.Range(0, MAX_TEXT + 1))


class ReadBody(Strict):
    """A raw mail and the context of ``hexpost read``."""

    raw = Base64(required=True, metadata={"description": "the mail as it was received, in base64"})
    context = thing(
        required=True,
        metadata={"description": "that of hexpost read: server, address, now, games, seen, and what may be added"},
    )


class ReadAnswer(Schema):
    """What the gateway makes of a mail."""

    verdict = fields.String(required=True)
    game = fields.String(allow_none=True)
    side = fields.String(allow_none=True)
    turn = fields.Integer(allow_none=True)
    lines = fields.List(fields.String(), required=True)
    commands = fields.List(fields.Dict())
    named = fields.String(allow_none=True)
    trust = fields.String()
    proven = fields.Boolean()
    cut = fields.List(fields.Dict())
    reply = fields.String(required=True)
    message_id = fields.String()
    digest = fields.String()
    sender = fields.String()
    subject = fields.String()
    references = fields.List(fields.String())
    sources = fields.List(fields.Dict())
    bounced = fields.List(fields.String())
    returned = fields.List(fields.String())
    authentic = fields.Boolean()
    confirms = fields.String(allow_none=True)
    denies = fields.String(allow_none=True)


class ParseBody(Strict):
    """Orders as lines or as one text; the vocabulary of the scenario, with the ordering ``side`` in it if names are to be his own."""

    game = fields.String(required=True, validate=GAME)
    lines = fields.List(fields.String(), validate=validate.Length(max=20_000))
    text = fields.String()
    vocabulary = thing(allow_none=True, load_default=None)


class ParseAnswer(Schema):
    """The packet without id, side and seq; what could not be read; the canonical lines of what could."""

    packet = fields.Dict(required=True)
    diagnostics = fields.List(fields.Dict(), required=True)
    printed = fields.List(fields.String(), required=True)


class PrintBody(Strict):
    """Orders as JSON, to be written out."""

    game = fields.String(required=True, validate=GAME)
    orders = objects(MAX_LINES, required=True)


class PrintAnswer(Schema):
    """Canonical order lines."""

    lines = fields.List(fields.String(), required=True)


class ShownBody(Strict):
    """A picture that goes with the mail: file name, kind, pixels; what it shows in words, if not those that its kind has."""

    name = words(100, required=True)
    kind = fields.String(required=True, validate=validate.OneOf(PICTURES))
    width = fields.Integer(required=True, strict=True, validate=validate.Range(1, 10_000))
    height = fields.Integer(required=True, strict=True, validate=validate.Range(1, 10_000))
    alt = words(500, load_default="")


class FileBody(Strict):
    """A file for VASSAL: one that goes with the mail, and the module that it opens with; or a module that lies elsewhere, and its URL."""

    name = words(100, required=True)
    kind = fields.String(required=True, validate=validate.OneOf(FILES))
    url = words(500, load_default="")
    module = words(100, load_default="")


class LinkBody(Strict):
    """A file without room in the mail: what it is, its name, where it is fetched, and its bytes."""

    name = words(100, required=True)
    kind = fields.String(required=True, validate=validate.OneOf(LINKED))
    url = fields.String(required=True, validate=validate.Regexp(rf"\A{URL}\Z", error="a URL that begins with https://"))
    size = fields.Integer(required=True, strict=True, validate=validate.Range(0, 10**10))


class SaidBody(Strict):
    """A sentence by its key in the table ``commands``, and what it speaks of."""

    key = words(60, required=True)
    fields_ = thing(data_key="fields", attribute="fields", load_default=dict)


class AnswerBody(Strict):
    """What a command led to; without a line: what somebody else's led to. ``title``: of a part of a mail, a sentence too."""

    line = words(MAX_LINE, load_default="")
    title = fields.Nested(SaidBody, load_default=None, allow_none=True)
    status = fields.String(load_default="done", validate=validate.OneOf(ANSWERED))
    said = fields.List(fields.Nested(SaidBody), validate=validate.Length(max=20), load_default=list)
    listed = fields.List(fields.Nested(SaidBody), validate=validate.Length(max=100), load_default=list)
    text = texts(MAX_LINES, 10_000, load_default=list)
    hint = words(500, load_default="")


class ReportBody(Strict):
    """What a report is made of: only what its reader may know."""

    game = fields.String(required=True, validate=GAME)
    kind = fields.String(required=True, validate=validate.OneOf(KINDS))
    game_id = words(40, load_default="")
    title = words(200, load_default="")
    side = words(20, allow_none=True, load_default=None)
    status = fields.String(load_default="done", validate=validate.OneOf(("done", "refused", "checked", "held", "stale")))
    view = thing(load_default=dict)
    events = objects(20_000, load_default=list)
    rejections = fields.List(fields.Nested(Told), validate=validate.Length(max=2_000), load_default=list)
    lines = texts(MAX_LINES, load_default=list)
    printed = texts(2 * MAX_LINES, load_default=list)
    diagnostics = fields.List(fields.Nested(Told), validate=validate.Length(max=2_000), load_default=list)
    cut = objects(200, load_default=list)
    sources = objects(20, load_default=list)
    vocabulary = thing(load_default=dict)
    template = texts(MAX_LINES, load_default=list)
    legal = objects(1_000, allow_none=True, load_default=None)
    deadline = words(60, allow_none=True, load_default=None)
    zone = words(60, allow_none=True, load_default=None)
    address = words(300, load_default="")
    pictures = fields.List(fields.Nested(ShownBody), validate=validate.Length(max=len(PICTURES)), load_default=list)
    files = fields.List(fields.Nested(FileBody), validate=validate.Length(max=len(FILES)), load_default=list)
    links = fields.List(fields.Nested(LinkBody), validate=validate.Length(max=len(LINKED)), load_default=list)
    links_until = words(60, allow_none=True, load_default=None)
    board = fields.String(load_default="", validate=validate.Regexp(rf"\A(?:{URL})?\Z", error="a URL that begins with https://"))
    board_until = words(60, allow_none=True, load_default=None)
    verdict = words(60, load_default="")
    sender = words(300, load_default="")
    subject = words(400, load_default="")
    commitment = words(64, load_default="")
    secret = words(64, load_default="")
    dice_words = fields.List(texts(2, 40), validate=validate.Length(max=20), load_default=list)
    theme = words(20, load_default="light")
    kept = objects(MAX_LINES, load_default=list)
    reconstructed = texts(50, 60, load_default=list)
    answers = fields.List(fields.Nested(AnswerBody), validate=validate.Length(max=100), load_default=list)
    shows = fields.List(fields.String(validate=validate.OneOf(SHOWS)), validate=validate.Length(max=len(SHOWS)), load_default=list)
    notes = fields.List(fields.String(validate=validate.OneOf(NOTES)), validate=validate.Length(max=len(NOTES)), load_default=list)
    copy = fields.Boolean(load_default=False, truthy={True}, falsy={False})
    chat = fields.Boolean(load_default=False, truthy={True}, falsy={False})
    terms = thing(load_default=dict)
    hours = fields.Float(allow_none=True, load_default=None)
    language = words(20, load_default="en")


class ReportAnswer(Schema):
    """Subject without the game's tag, plain text, HTML under 90 kB; what happened in a few sentences."""

    subject = fields.String(required=True)
    text = fields.String(required=True)
    html = fields.String(required=True)
    summary = fields.List(fields.String())


class TriedBody(Strict):
    """What a draft led to when it was checked: as of a report about orders."""

    status = words(20, required=True)
    lines = texts(MAX_LINES, required=True)
    printed = texts(2 * MAX_LINES, load_default=list)
    events = objects(20_000, load_default=list)
    rejections = fields.List(fields.Nested(Told), validate=validate.Length(max=2_000), load_default=list)
    diagnostics = fields.List(fields.Nested(Told), validate=validate.Length(max=2_000), load_default=list)


class BoardBody(Strict):
    """What a live board is made of: only what its reader may know. ``tried``: what came of his draft, where he has it checked."""

    game = fields.String(required=True, validate=GAME)
    game_id = words(40, load_default="")
    side = words(20, allow_none=True, load_default=None)
    view = thing(required=True)
    vocabulary = thing(load_default=dict)
    legal = objects(1_000, allow_none=True, load_default=None)
    deadline = words(60, allow_none=True, load_default=None)
    zone = words(60, allow_none=True, load_default=None)
    notes = fields.List(fields.String(validate=validate.OneOf(NOTES)), validate=validate.Length(max=len(NOTES)), load_default=list)
    tried = fields.Nested(TriedBody, allow_none=True, load_default=None)
    language = words(20, load_default="en")


class StandingBody(Schema):
    """A counter in words. ``unit``: its id where it is the reader's own, else empty."""

    unit = fields.String(required=True)
    side = fields.String(required=True)
    text = fields.String(required=True)


class PlaceBody(Schema):
    """What stands in a place. ``hex``: its number, empty off the map."""

    hex = fields.String(required=True)
    name = fields.String(required=True)
    counters = fields.List(fields.Nested(StandingBody), required=True)


class TriedLine(Schema):
    """A line of a draft. ``tone``: good, bad, wait or plain; ``mark``: what became of it; ``notes``: what was said of it."""

    text = fields.String(required=True)
    tone = fields.String(required=True)
    mark = fields.String(required=True)
    notes = fields.List(fields.String(), required=True)


class WouldBody(Schema):
    """What would happen in a step."""

    title = fields.String(required=True)
    texts = fields.List(fields.String(), required=True)


class TriedAnswer(Schema):
    """What a draft would lead to, up to the first die, in words. ``good``: nothing is wrong with it."""

    good = fields.Boolean(required=True)
    sentences = fields.List(fields.String(), required=True)
    lines = fields.List(fields.Nested(TriedLine), required=True)
    would = fields.List(fields.Nested(WouldBody), required=True)


class BoardAnswer(Schema):
    """A live board in words; ``say``: the sentences of the page itself, by key."""

    title = fields.String(required=True)
    under = fields.String(required=True)
    awaited = fields.String(required=True)
    until = fields.String(required=True)
    over = fields.String(required=True, metadata={"description": "how the game ended; empty while it goes on"})
    map = fields.String(required=True, metadata={"description": "what the map shows, for who does not see it"})
    places = fields.List(fields.Nested(PlaceBody), required=True)
    position = fields.List(fields.List(fields.String()), required=True)
    decisions = fields.List(fields.String(), required=True)
    template = fields.List(fields.String(), required=True)
    tried = fields.Nested(TriedAnswer, allow_none=True, required=True)
    say = fields.Dict(required=True)


class SpooledAnswer(Schema):
    """A received message."""

    id = fields.String(required=True, metadata={"description": "what DELETE takes"})
    origin = fields.String(required=True, metadata={"description": "lmtp, or the hook that it came by"})
    raw = Base64(required=True)


class SpoolAnswer(Schema):
    """Messages that wait, oldest first."""

    messages = fields.List(fields.Nested(SpooledAnswer), required=True)

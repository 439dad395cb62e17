"""The bodies of the players' API."""

from __future__ import annotations

from marshmallow import RAISE, Schema, fields, validate

MOST_TEXT = 200_000


class _Strict(Schema):
    class Meta:
        unknown = RAISE


class OrdersBody(_Strict):
    """Orders as they are mailed, an order a line. ``id``: the caller's own number for them: sent twice, they are taken once."""

    text = fields.String(required=True, validate=validate.Length(1, MOST_TEXT))
    id = fields.String(load_default=None, validate=validate.Regexp(r"[A-Za-z0-9._:-]{1,80}\Z", error="Letters, digits and . _ : - alone."))


class CheckBody(_Strict):
    """Orders to be tried."""

    text = fields.String(required=True, validate=validate.Length(1, MOST_TEXT))


class CodeBody(_Strict):
    """The code that LINK mailed."""

    code = fields.String(required=True, validate=validate.Length(1, 100))


class ListenerBody(_Strict):
    """Where the caller wants to be told of turns, and in which form."""

    url = fields.String(required=True, validate=validate.Length(1, 2000))
    form = fields.String(load_default="standard", validate=validate.OneOf(("standard", "slack", "matrix")))


class ListenerAnswer(Schema):
    """Who is told. ``secret``: of the signatures; it is shown once."""

    id = fields.Integer(required=True)
    url = fields.String(required=True)
    form = fields.String(required=True)
    secret = fields.String()


class ListenersAnswer(Schema):
    """The caller's own listeners."""

    listeners = fields.List(fields.Nested(ListenerAnswer), required=True)


class TokenAnswer(Schema):
    """A token; it is shown once."""

    token = fields.String(required=True)
    game = fields.String(required=True)
    side = fields.String(required=True)


class MeAnswer(Schema):
    """Whom a token stands for."""

    game = fields.String(required=True)
    side = fields.String(required=True)


class StatusAnswer(Schema):
    """How the game stands for the caller's side."""

    game = fields.String(required=True)
    scenario = fields.String(required=True)
    side = fields.String(required=True)
    turn = fields.Integer(required=True)
    over = fields.Raw(required=True, metadata={"description": "null, or how it ended"})
    waiting_for = fields.List(fields.String(), required=True)
    awaited = fields.Boolean(required=True, metadata={"description": "the caller's side must order now"})
    deadline = fields.String(required=True, allow_none=True, metadata={"description": "until when, UTC"})
    paused = fields.Boolean(required=True)
    pending = fields.Raw(required=True, metadata={"description": "open decisions of the side"})
    draft = fields.List(fields.String(), required=True, allow_none=True, metadata={"description": "lines that HOLD kept"})
    text = fields.String(required=True, metadata={"description": "the same in words, as STATUS is answered by mail"})


class ViewAnswer(Schema):
    """What the side may know, and what it saw happen since it was last told."""

    view = fields.Raw(required=True)


class TemplateAnswer(Schema):
    """What may be ordered now: as JSON, as lines, and as the template of the mails."""

    orders = fields.Raw(required=True)
    lines = fields.List(fields.String(), required=True)
    more = fields.Boolean(required=True, metadata={"description": "there are more than these"})
    text = fields.String(required=True)


class OrdersAnswer(Schema):
    """What became of orders, or would."""

    id = fields.String(metadata={"description": "under which GET .../orders/<id> tells more; not of a try"})
    status = fields.String(
        required=True, metadata={"description": "waiting, done, refused, checked, held, asked, or why a mail was not used"}
    )
    understood = fields.List(fields.String(), required=True)
    unread = fields.Raw(required=True, metadata={"description": "lines that could not be read"})
    rejections = fields.Raw(required=True, metadata={"description": "orders that were refused"})
    text = fields.String(required=True, metadata={"description": "the receipt in words"})


class FileAnswer(Schema):
    """A file of the present position."""

    name = fields.String(required=True)
    url = fields.String(required=True)
    mime = fields.String(required=True)


class FilesAnswer(Schema):
    """The files that there are."""

    files = fields.List(fields.Nested(FileAnswer), required=True)

"""What ``POST /messages/compose`` takes and gives."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from services.mail.pictures import KINDS as PICTURES
from services.mail.schemas import Base64, Strict, texts, words


class AttachmentBody(Strict):
    """A file to send."""

    name = words(100, required=True)
    mime = words(120, load_default="application/octet-stream")
    data = Base64(required=True)


class PictureBody(Strict):
    """A picture to send."""

    name = words(100, required=True)
    kind = fields.String(required=True, validate=validate.OneOf(PICTURES))
    mime = words(120, load_default="image/png")
    data = Base64(required=True)


class ComposeBody(Strict):
    """A mail's parts."""

    to = words(320, required=True)
    address = words(320, required=True, metadata={"description": "the order address, without a tag"})
    orders = words(320, load_default="", metadata={"description": "where replies go, without a tag; empty: to the order address"})
    subject = words(200, required=True)
    text = words(2_000_000, required=True)
    html = words(200_000, required=True)
    message_id = words(300, required=True)
    date = words(60, required=True, metadata={"description": "ISO moment with its zone"})
    sender_name = words(100, load_default="hexpost")
    game = words(40, load_default="")
    turn = fields.Integer(load_default=0, validate=validate.Range(0, 999), strict=True)
    token = words(64, load_default="")
    in_reply_to = words(1000, allow_none=True, load_default=None)
    references = texts(100, 1000, load_default=list)
    replied = fields.Boolean(load_default=True, truthy={True}, falsy={False})
    pictures = fields.List(fields.Nested(PictureBody), validate=validate.Length(max=len(PICTURES)), load_default=list)
    attachments = fields.List(fields.Nested(AttachmentBody), validate=validate.Length(max=10), load_default=list)


class ComposeAnswer(Schema):
    """The mail as it is sent."""

    raw = Base64(required=True)
    message_id = fields.String(required=True)

"""Packets: what one side sends at once. The shape is every game's; ``with_args`` then holds each order's arguments against its verb."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from marshmallow import Schema, ValidationError, fields, post_load, validates_schema

from services.rules.engine.model import Order, Packet
from services.rules.schemas.common import (
    MAX_ORDERS,
    VERB,
    JsonObject,
    ShortList,
    StrictBoolean,
    StrictInteger,
    StrictSchema,
    StrictText,
    one_of,
    side,
)
from services.rules.schemas.verbs import GuardField, label, load_args

MAX_GUARDS = 10
PACKET_ID = r"\A[A-Za-z0-9][A-Za-z0-9:._-]{0,63}\Z"


class _Line(StrictSchema):
    line = StrictInteger(0, 100_000, required=True)
    verb = StrictText(VERB, "a verb in capitals", required=True)
    args = JsonObject(load_default=dict)
    label = label(load_default=None, allow_none=True)
    confirm = StrictBoolean(load_default=False)

    @post_load
    def _order(self, data: dict[str, Any], **kwargs: Any) -> Order:
        return Order(**{**data, "guard": tuple(data["guard"])})


class SimpleOrderSchema(_Line):
    """An order that stands under another (``ELSE``, or what an ``ON`` line does): without guard and without ``else``."""

    guard = ShortList(GuardField(), most=0, load_default=list)
    otherwise = fields.Raw(data_key="else", load_default=None, allow_none=True)
    then = fields.Raw(load_default=None, allow_none=True)

    @validates_schema
    def _simple(self, data: Mapping[str, Any], **kwargs: Any) -> None:
        if data.get("otherwise") is not None or data.get("then") is not None:
            raise ValidationError("An order under another has no else and no then.")
        if data.get("verb") == "ON":
            raise ValidationError({"verb": ["An order under another is no ON line."]})


class OrderSchema(_Line):
    """One order line as JSON; ``then`` is what an ``ON`` line does (null for ``ASK``)."""

    guard = ShortList(GuardField(), most=MAX_GUARDS, load_default=list)
    otherwise = fields.Nested(SimpleOrderSchema, data_key="else", load_default=None, allow_none=True)
    then = fields.Nested(SimpleOrderSchema, load_default=None, allow_none=True)

    @validates_schema(skip_on_field_errors=True)
    def _on(self, data: Mapping[str, Any], **kwargs: Any) -> None:
        if data["verb"] != "ON":
            if data["then"] is not None:
                raise ValidationError({"then": ["Only an ON line has it."]})
        elif data["args"].get("ask") is True:
            if data["then"] is not None or data["otherwise"] is not None:
                raise ValidationError({"then": ["An ON line that asks does nothing else."]})
        elif data["then"] is None:
            raise ValidationError({"then": ["An ON line says what is done, or asks."]})


class PacketSchema(StrictSchema):
    """What one side sends at once. ``seq``: that of the view which the player answered, or null."""

    id = StrictText(PACKET_ID, "an id of at most 64 letters, digits and : . _ -", required=True)
    side = side(required=True)
    seq = StrictInteger(0, 2**53 - 1, load_default=None, allow_none=True)
    orders = ShortList(fields.Nested(OrderSchema), most=MAX_ORDERS, required=True)
    standing = ShortList(fields.Nested(OrderSchema), most=MAX_ORDERS, load_default=list)
    fault = one_of("stop", "skip", load_default="stop")
    anyway = StrictBoolean(load_default=False)
    check = StrictBoolean(load_default=False)
    hold = StrictBoolean(load_default=False)
    append = StrictBoolean(load_default=False)

    @validates_schema(skip_on_field_errors=True)
    def _lasting(self, data: Mapping[str, Any], **kwargs: Any) -> None:
        wrong = {
            str(n): {"verb": ["Only ON lines and DUTY can stand."]} for n, o in enumerate(data["standing"]) if o.verb not in ("ON", "DUTY")
        }
        if wrong:
            raise ValidationError({"standing": wrong})

    @post_load
    def _packet(self, data: dict[str, Any], **kwargs: Any) -> Packet:
        return Packet(**{**data, "orders": tuple(data["orders"]), "standing": tuple(data["standing"])})


def with_args(packet: Packet, verbs: Mapping[str, type[Schema]]) -> Packet:
    """``packet`` with the arguments of every order as its verb takes them. ValidationError, all faults placed."""
    faults: dict[str, Any] = {}
    loaded: dict[str, tuple[Order, ...]] = {}
    for name in ("orders", "standing"):
        try:
            loaded[name] = orders_with_args(getattr(packet, name), verbs)
        except ValidationError as error:
            faults[name] = error.messages
    if faults:
        raise ValidationError(faults)
    return replace(packet, orders=loaded["orders"], standing=loaded["standing"])


def orders_with_args(orders: tuple[Order, ...], verbs: Mapping[str, type[Schema]]) -> tuple[Order, ...]:
    """``orders`` with arguments as their verbs take them. ValidationError, all faults placed by index."""
    faults: dict[str, Any] = {}
    loaded = []
    for n, order in enumerate(orders):
        try:
            loaded.append(_with_args(order, verbs))
        except ValidationError as error:
            faults[str(n)] = error.messages
    if faults:
        raise ValidationError(faults)
    return tuple(loaded)


def _with_args(order: Order, verbs: Mapping[str, type[Schema]]) -> Order:
    faults: dict[str, Any] = {}
    args: dict[str, Any] = {}
    below: dict[str, Order | None] = {"else": order.otherwise, "then": order.then}
    try:
        args = load_args(verbs, order.verb, order.args)
    except ValidationError as error:
        faults.update(error.messages_dict)
    for name, under in below.items():
        if under is not None:
            try:
                below[name] = _with_args(under, verbs)
            except ValidationError as error:
                faults[name] = error.messages
    if faults:
        raise ValidationError(faults)
    return replace(order, args=args, otherwise=below["else"], then=below["then"])

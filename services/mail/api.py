"""The calls of the mail service, under ``/v1``: load, call, dump. Nothing is kept between calls but in the spool."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from services.http import Endpoints, Problem
from services.mail import schemas
from services.mail.board import make_board
from services.mail.compose import Attachment, ComposeError, Letter, Picture, compose
from services.mail.context import ContextError
from services.mail.intake import read_mail
from services.mail.letter_schemas import ComposeAnswer, ComposeBody
from services.mail.orders.languages import UnknownGame
from services.mail.orders.parse import parse
from services.mail.orders.printing import print_orders
from services.mail.report import ReportRequest, make_report
from services.mail.signatures import Resolve
from services.mail.spool import Spool
from services.mail.wording import UnknownLanguage

Body = Mapping[str, Any]
SPOOL_PAGE = 50
SPOOL_PAGE_BYTES = 20_000_000


def mail_api(resolve: Resolve | None = None) -> Endpoints:
    """The blueprint of the mail service. ``resolve``: looks up the keys of DKIM signatures."""
    api = Endpoints("mail", __name__, url_prefix="/v1", description="Mails in, orders out; events in, words out")

    @api.call("POST", "/messages/read", takes=schemas.ReadBody, gives=schemas.ReadAnswer)
    def messages_read(body: Body) -> Any:
        """What the gateway makes of a raw mail: verdict, sender's side, order lines, what was cut away, what may be answered."""
        try:
            return read_mail(body["raw"], body["context"], resolve)
        except ContextError as error:
            raise Problem(422, "invalid-context", str(error)) from None

    @api.call("POST", "/orders/parse", takes=schemas.ParseBody, gives=schemas.ParseAnswer)
    def orders_parse(body: Body) -> Any:
        """Orders text to orders, with a diagnostic for everything that could not be read."""
        if ("lines" in body) == ("text" in body):
            raise Problem(422, "invalid-body", "Send either lines or text.")
        try:
            return parse(body["game"], body["lines"] if "lines" in body else body["text"], body["vocabulary"]).as_json()
        except UnknownGame as error:
            raise Problem(404, "unknown-game", str(error)) from None
        except ValueError as error:
            raise Problem(422, "invalid-vocabulary", str(error)) from None

    @api.call("POST", "/orders/print", takes=schemas.PrintBody, gives=schemas.PrintAnswer)
    def orders_print(body: Body) -> Any:
        """Orders as the lines that a player would write."""
        try:
            return {"lines": print_orders(body["game"], body["orders"])}
        except UnknownGame as error:
            raise Problem(404, "unknown-game", str(error)) from None
        except (ValueError, KeyError, TypeError) as error:
            raise Problem(422, "invalid-orders", f"An order has no form in the language of this game: {error}") from None

    @api.call("POST", "/reports", takes=schemas.ReportBody, gives=schemas.ReportAnswer)
    def reports(body: Body) -> Any:
        """A report for one viewer, in plain text and HTML."""
        try:
            return make_report(ReportRequest(**body))
        except UnknownLanguage as error:
            raise Problem(404, "unknown-language", str(error)) from None

    @api.call("POST", "/boards", takes=schemas.BoardBody, gives=schemas.BoardAnswer)
    def boards(body: Body) -> Any:
        """A live board for one viewer, in words."""
        try:
            return make_board(**body)
        except UnknownLanguage as error:
            raise Problem(404, "unknown-language", str(error)) from None

    @api.call("POST", "/messages/compose", takes=ComposeBody, gives=ComposeAnswer)
    def messages_compose(body: Body) -> Any:
        """A mail as it is sent, the same bytes for the same parts."""
        try:
            return {"raw": compose(_letter(body)), "message_id": body["message_id"]}
        except ComposeError as error:
            raise Problem(422, "invalid-letter", str(error), [(f"#/{error.field}", error.reason)]) from None

    return api


def spool_api(spool: Spool | None) -> Endpoints:
    """The calls by which the worker takes over what came in by webhook or LMTP. ``spool`` None: nothing ever does."""
    api = Endpoints("spool", __name__, url_prefix="/v1", description="Received messages, until they are journaled")

    @api.call("GET", "/spool", gives=schemas.SpoolAnswer)
    def spool_waiting() -> Any:
        """The oldest messages that wait. They stay until they are deleted."""
        found = [] if spool is None else spool.waiting(SPOOL_PAGE, SPOOL_PAGE_BYTES)
        return {"messages": list(found)}

    @api.call("DELETE", "/spool/<string(length=64):key>", status=204)
    def spool_delete(key: str) -> None:
        """The message is journaled. Harmless when repeated."""
        if spool is not None:
            spool.remove(key)

    return api


def _letter(body: Body) -> Letter:
    parts = {
        "pictures": [Picture(**one) for one in body["pictures"]],
        "attachments": [Attachment(**one) for one in body["attachments"]],
    }
    return Letter(**{**body, **parts})

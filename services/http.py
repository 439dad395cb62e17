"""What the three services' HTTP edges share: JSON in and out, problem+json for every error, health, service token, OpenAPI.

``create_service`` makes the Flask application; ``Endpoints`` is the blueprint on which a service hangs its calls.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
from collections.abc import Callable, Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, NoReturn, TypeVar

import marshmallow
import msgspec
from flask import Flask, Request, Response, current_app, request
from flask.json.provider import JSONProvider
from flask_smorest import Api
from flask_smorest.blueprint import Blueprint
from marshmallow import Schema, fields
from webargs.core import is_json
from webargs.flaskparser import FlaskParser
from werkzeug.exceptions import HTTPException, InternalServerError, RequestEntityTooLarge

Json = Any
F = TypeVar("F", bound=Callable[..., Any])

PROBLEM_JSON = "application/problem+json"
MAX_ERRORS = 50
"""Faults listed in one problem; a body with more of them is told how many more."""
_OPEN_PATHS = ("/healthz", "/readyz")


class Problem(Exception):
    """An error that the caller is told about: HTTP status, a stable code of words and hyphens, one exact sentence, further members.

    ``errors``: pairs of a JSON pointer into the body (``"#/packet/orders/3/verb"``) and what is wrong there.
    """

    def __init__(self, status: int, code: str, detail: str, errors: Iterable[tuple[str, str]] = (), **members: Json) -> None:
        super().__init__(f"{status} {code}: {detail}")
        self.status = status
        self.code = code
        self.detail = detail
        self.errors = tuple(errors)
        self.members = members

    def response(self, headers: Mapping[str, str] | None = None) -> Response:
        """The problem as it leaves the service (RFC 9457)."""
        body: dict[str, Json] = {
            "type": "about:blank",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "code": self.code,
            "detail": self.detail,
            **self.members,
        }
        if self.errors:
            body["errors"] = [{"pointer": pointer, "detail": detail} for pointer, detail in self.errors[:MAX_ERRORS]]
        if len(self.errors) > MAX_ERRORS:
            body["more_errors"] = len(self.errors) - MAX_ERRORS
        return Response(encode(body), self.status, headers, mimetype=PROBLEM_JSON)


class ProblemSchema(Schema):
    """An error (RFC 9457), for the OpenAPI document."""

    type = fields.String(required=True, metadata={"description": "always about:blank; code tells the kinds apart"})
    title = fields.String(required=True, metadata={"description": "the HTTP status in words"})
    status = fields.Integer(required=True, metadata={"description": "the HTTP status"})
    code = fields.String(required=True, metadata={"description": "a stable word for the kind of error"})
    detail = fields.String(required=True, metadata={"description": "what is wrong with this request"})
    errors = fields.List(
        fields.Dict(keys=fields.String(), values=fields.String()),
        metadata={"description": "each fault of the body: pointer (JSON pointer) and detail"},
    )
    more_errors = fields.Integer(metadata={"description": "faults beyond those listed"})
    incident = fields.String(metadata={"description": "of a 500: the id under which the service logged it"})


def encode(value: Json) -> bytes:
    """``value`` as JSON with sorted keys and no blanks: equal values give equal bytes."""
    return msgspec.json.encode(value, order="sorted")


def decode(body: bytes) -> Json:
    """JSON text as plain values. Problem 400 if it is not JSON, or nests beyond reason."""
    try:
        return msgspec.json.decode(body)
    except RecursionError:
        raise Problem(400, "nested-too-deep", "The body nests lists or objects too deeply.") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Problem(400, "not-json", f"The body is not JSON: {error}.") from None


class _Json(JSONProvider):
    """Flask's JSON, by ``encode`` and ``decode``."""

    def dumps(self, obj: Json, **kwargs: Any) -> str:
        return encode(obj).decode()

    def loads(self, s: str | bytes, **kwargs: Any) -> Json:
        return decode(s.encode() if isinstance(s, str) else s)

    def response(self, *args: Any, **kwargs: Any) -> Response:
        return Response(encode(self._prepare_response_obj(args, kwargs)), mimetype="application/json")


class _Parser(FlaskParser):
    """Bodies by ``decode``, and the faults that a schema finds as one Problem with a pointer to each."""

    def _raw_load_json(self, req: Request) -> Json:
        if not is_json(req.mimetype):
            raise Problem(415, "not-json", "Send the body as application/json.")
        return decode(req.get_data())

    def handle_error(self, error: marshmallow.ValidationError, req: Request, schema: Schema, **kwargs: Any) -> NoReturn:
        by_location = error.messages if isinstance(error.messages, dict) else {"json": error.messages}
        raise invalid(list(by_location.values())) from None


def invalid(messages: Json, at: str = "#") -> Problem:
    """A problem 422 of a schema's messages (lists of sentences, in objects by field), found at the JSON pointer ``at``."""
    return Problem(422, "invalid-body", "The body is not what this call takes; errors says where.", _flatten(at, messages))


def _flatten(pointer: str, messages: Json) -> Iterable[tuple[str, str]]:
    if isinstance(messages, dict):
        for key, below in messages.items():
            step = "" if key == "_schema" else "/" + str(key).replace("~", "~0").replace("/", "~1")[:80]
            yield from _flatten(pointer + step, below)
    elif isinstance(messages, list):
        for below in messages:
            yield from _flatten(pointer, below)
    else:
        yield pointer, str(messages)


class Endpoints(Blueprint):
    """A group of calls under one prefix (``Endpoints("rules", __name__, url_prefix="/v1", description="...")``)."""

    ARGUMENTS_PARSER = _Parser()

    def __init__(self, name: str, import_name: str, *, url_prefix: str | None = None, description: str = "") -> None:
        make: Any = super().__init__  # flask-smorest has no types
        make(name, import_name, url_prefix=url_prefix, description=description)

    def call(
        self,
        method: str,
        rule: str,
        *,
        takes: type[Schema] | None = None,
        gives: type[Schema] | None = None,
        status: int = 200,
        content_type: str | None = None,
        query: type[Schema] | None = None,
    ) -> Callable[[F], F]:
        """Make a function the view of ``method rule``.

        It gets the loaded body (``takes``), then the loaded query string (``query``), then the path's parts by name. It returns what
        ``gives`` dumps, or a ready Response (whose ``content_type`` is documented).
        """

        def decorate(view: F) -> F:
            on: Any = self
            decorated: Any = view
            documented: Any = gives if content_type is None else {"type": "string", "contentMediaType": content_type}
            decorated = on.response(status, documented, content_type=content_type)(decorated)
            if query is not None:
                decorated = on.arguments(query, location="query")(decorated)
            if takes is not None:
                decorated = on.arguments(takes)(decorated)
                for code in (400, 413, 415):
                    decorated = on.alt_response(code, HTTPStatus(code).name)(decorated)
            on.route(rule, methods=[method])(decorated)
            return view

        return decorate


class _Api(Api):
    """flask-smorest with problem+json, said so in the OpenAPI document too."""

    ERROR_SCHEMA: Any = ProblemSchema

    def _register_responses(self) -> None:
        usual = self.DEFAULT_RESPONSE_CONTENT_TYPE
        self.DEFAULT_RESPONSE_CONTENT_TYPE = PROBLEM_JSON
        register: Any = super()._register_responses
        try:
            register()
        finally:
            self.DEFAULT_RESPONSE_CONTENT_TYPE = usual

    def handle_http_exception(self, error: HTTPException) -> Response:
        headers = {key: value for key, value in error.get_headers() if key.lower() not in ("content-type", "content-length")}
        return _as_problem(error).response(headers)


def _as_problem(error: HTTPException) -> Problem:
    if isinstance(error, InternalServerError):
        # Named by what was asked, not at random: the same request fails under the same id, here and in the log.
        asked = b"\0".join((request.method.encode(), request.full_path.encode(), request.get_data()))
        incident = hashlib.sha256(asked).hexdigest()[:16]
        current_app.logger.error("incident %s: %s %s", incident, request.method, request.path)
        return Problem(500, "internal", "The service failed; the operator finds the cause under the incident's id.", incident=incident)
    if isinstance(error, RequestEntityTooLarge):
        return Problem(413, "too-large", f"The body is too large: at most {request.max_content_length} bytes.")
    status = error.code or 500
    details = {404: f"There is nothing at {request.path[:200]}.", 405: f"{request.method} is not for {request.path[:200]}."}
    return Problem(status, HTTPStatus(status).phrase.lower().replace(" ", "-"), details.get(status, error.description or ""))


def create_service(
    title: str,
    version: str,
    blueprints: Sequence[Endpoints],
    *,
    ready: Callable[[], list[str]],
    max_body: int,
    token: str | None,
    public: tuple[str, ...] = (),
) -> Flask:
    """A Flask application with the calls of ``blueprints``, ``/healthz``, ``/readyz`` and ``/openapi.json``.

    ``ready``: what keeps the service from work, a sentence each (empty: ready).  ``max_body``: bytes.  ``token``: the bearer token that
    every call must bear, but for health and paths that begin with one of ``public``; None asks for none, and then only this machine is
    answered: a service that was put on a network without its token is not open to it.
    """
    app = Flask(title, static_folder=None)
    app.json = _Json(app)
    app.config.update(
        API_TITLE=title,
        API_VERSION=version,
        OPENAPI_VERSION="3.1.0",
        OPENAPI_URL_PREFIX="/",
        MAX_CONTENT_LENGTH=max_body,
        PROPAGATE_EXCEPTIONS=False,
    )
    app.url_map.strict_slashes = False
    bearer = {"components": {"securitySchemes": {"service": {"type": "http", "scheme": "bearer"}}}, "security": [{"service": []}]}
    make_api: Any = _Api
    api = make_api(app, spec_kwargs=bearer if token else None)
    app.register_error_handler(Problem, Problem.response)
    app.before_request(_gate(token, (*_OPEN_PATHS, *public), max_body))
    for blueprint in (_health(ready), *blueprints):
        api.register_blueprint(blueprint)
    return app


def _gate(token: str | None, public: tuple[str, ...], max_body: int) -> Callable[[], Response | None]:
    wanted = f"Bearer {token}".encode()

    def gate() -> Response | None:
        if (request.content_length or 0) > max_body:
            raise RequestEntityTooLarge
        if request.path.startswith(public):
            return None
        if token is None:
            if _is_here(request.remote_addr):
                return None
            return Problem(403, "no-token-set", "This service has no token, so it answers calls from its own machine alone.").response()
        given = request.headers.get("Authorization", "").encode()
        if hmac.compare_digest(given, wanted):
            return None
        refusal = Problem(401, "no-token", "This service wants its token: Authorization: Bearer <token>.")
        return refusal.response({"WWW-Authenticate": "Bearer"})

    return gate


def _is_here(address: str | None) -> bool:
    """Whether a caller is on this machine: a socket file has no address."""
    try:
        return not address or ipaddress.ip_address(address.removeprefix("::ffff:")).is_loopback
    except ValueError:
        return False


class _StatusSchema(Schema):
    status = fields.String(required=True)


def _health(ready: Callable[[], list[str]]) -> Endpoints:
    health = Endpoints("health", __name__, description="Is the service alive, and can it work?")

    @health.call("GET", "/healthz", gives=_StatusSchema)
    def healthz() -> Json:
        """The process answers."""
        return {"status": "ok"}

    @health.call("GET", "/readyz", gives=_StatusSchema)
    def readyz() -> Json:
        """The service can do its work; 503 lists what keeps it from it."""
        faults = ready()
        if faults:
            raise Problem(503, "not-ready", "; ".join(faults))
        return {"status": "ready"}

    return health

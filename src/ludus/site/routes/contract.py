"""Request and response types of the HTTP routes, read from the handlers' annotations, and the OpenAPI document of them.

A handler receives the validated request body in a parameter `Sent[Model]`, and returns a struct or an `Answer` of one.
"""

import functools
import inspect
import re
from collections.abc import Awaitable, Callable
from operator import or_
from typing import Annotated, Any, Generic, NamedTuple, TypeVar, get_args, get_origin
from urllib.parse import quote

import msgspec
from fastapi import APIRouter, Depends, FastAPI, Request, Response
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute, iter_route_contexts
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from ludus.errors import LudusError
from ludus.site.faults import TooOften, status_of
from ludus.site.messages.evaluation import BarMessage, ToBar
from ludus.site.messages.inbox import InboxMessage, ToInbox
from ludus.site.messages.incoming import ToLive, ToSite
from ludus.site.messages.lists import LiveMessage, LobbyMessage
from ludus.site.messages.page import Fault, PageMessage
from ludus.site.messages.reading import read_as
from ludus.site.safety.limits import whole_seconds

REF = "#/components/schemas/{name}"
FROM_SOCKETS = {
    "FromSite": PageMessage,
    "FromBar": BarMessage,
    "FromLobby": LobbyMessage,
    "FromLive": LiveMessage,
    "FromInbox": InboxMessage,
}
"""The site's messages over the sockets of games, evaluation bars, the lobby, the running games, and inboxes."""
TO_SOCKETS = (ToSite, ToBar, ToLive, ToInbox)
_PYDANTIC_REF = REF.replace("name", "model")


class Body(NamedTuple):
    """Marks the handler parameter that holds the parsed request body."""

    called: str = "request"
    """The name of the body in error messages: "The `called` cannot be read"."""
    may_be_empty: bool = False


_Model = TypeVar("_Model", bound=BaseModel)
Sent = Annotated[_Model, Body()]


class Routes(APIRouter):
    """A router that takes request and response types from the annotations of its handlers."""

    def add_api_route(self, path: str, endpoint: Callable[..., Awaitable[Any]], **options: Any) -> None:  # noqa: ANN401
        """Add a route, and describe its request and response types in the OpenAPI document."""
        status, told = options.pop("status_code", None) or 200, answer_of(endpoint)
        ok: dict[str, Any] = {"description": "Done"}
        if told is not None:
            (schema,), _ = msgspec.json.schema_components([told], ref_template=REF)
            ok["content"] = {"application/json": {"schema": schema}}
        fault = {"description": "Refused", "content": _json(Fault)}
        extra = options.pop("openapi_extra", None) or {}
        if body := body_of(endpoint):
            extra |= {"requestBody": {"required": not body[1].may_be_empty, "content": _json(body[0])}}
        declared: dict[str, Any] = {
            "response_model": None,
            "response_class": TextFile if _returned(endpoint) is TextFile else Response,
            "status_code": status,
            "responses": {status: ok, "default": fault},
            "openapi_extra": extra,
        }
        super().add_api_route(path, _handler(endpoint, status), **options | declared)


def queries(*names: str) -> dict[str, Any]:
    """Return the OpenAPI declaration of optional query parameters that a handler reads from the request itself."""
    return {"parameters": [{"in": "query", "name": name, "schema": {"type": "string"}} for name in names]}


def answer_of(endpoint: Callable[..., Any]) -> Any:  # noqa: ANN401 - a struct, or a union of them
    """Return the type of a handler's successful JSON response; None if it returns a file or no content."""
    told = _returned(endpoint)
    if get_origin(told) is Answer:
        told = functools.reduce(
            or_, (part for part in get_args(get_args(told)[0]) or get_args(told) if part is not Fault)
        )
    return None if isinstance(told, type) and issubclass(told, Response) else told


def _returned(endpoint: Callable[..., Any]) -> Any:  # noqa: ANN401
    return inspect.signature(endpoint, eval_str=True).return_annotation


def body_of(endpoint: Callable[..., Any]) -> tuple[type[BaseModel], Body] | None:
    """Return the model and the mark of a handler's request body; None if it has no body."""
    parameters = inspect.signature(endpoint, eval_str=True).parameters.values()
    return next(filter(None, map(_read_as, parameters)), None)


def _read_as(parameter: inspect.Parameter) -> tuple[type[BaseModel], Body] | None:
    marks = (mark for mark in getattr(parameter.annotation, "__metadata__", ()) if isinstance(mark, Body))
    return next(((parameter.annotation.__origin__, mark) for mark in marks), None)


def document(app: FastAPI) -> dict[str, Any]:
    """Return FastAPI's OpenAPI document with the schemas of requests, responses and socket messages."""
    endpoints = [
        inspect.unwrap(each.original_route.endpoint)
        for each in iter_route_contexts(app.routes)
        if isinstance(each.original_route, APIRoute) and each.original_route.include_in_schema
    ]
    told = [answer for answer in map(answer_of, endpoints) if answer is not None]
    schemas, structs = msgspec.json.schema_components([*told, Fault, *FROM_SOCKETS.values()], ref_template=REF)
    for schema in structs.values():
        _require_what_is_written(schema)
    models = dict.fromkeys([*TO_SOCKETS, *(body[0] for body in map(body_of, endpoints) if body)])
    _, heard = models_json_schema([(model, "validation") for model in models], ref_template=_PYDANTIC_REF)
    structs |= zip(FROM_SOCKETS, schemas[-len(FROM_SOCKETS) :], strict=True)
    both = structs.keys() & heard["$defs"].keys()
    assert not both, f"incoming and outgoing messages share a schema name: {', '.join(sorted(both))}"
    found = get_openapi(title=app.title, version=app.version, routes=app.routes)
    return found | {"components": {"schemas": dict(sorted((structs | heard["$defs"]).items()))}}


def _require_what_is_written(schema: dict[str, Any]) -> None:
    """Mark fields with defaults as required in a struct's schema, because the site always sends them."""
    fields = schema.get("properties", {})
    written = [name for name, field in fields.items() if name in schema.get("required", ()) or "default" in field]
    schema["required"] = written
    for field in fields.values():
        field.pop("default", None)


def _json(model: type) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": REF.format(name=model.__name__)}}}


def _handler(endpoint: Callable[..., Awaitable[Any]], status: int) -> Callable[..., Awaitable[Response]]:
    """Wrap a handler for FastAPI: parse the request body with `read_as`, and encode the response as JSON."""

    @functools.wraps(endpoint)
    async def handler(*args: Any, **named: Any) -> Response:  # noqa: ANN401
        told = await endpoint(*args, **named)
        return told if isinstance(told, Response) else Answer(told, status)

    signature = inspect.signature(endpoint, eval_str=True)
    parameters = [
        parameter.replace(annotation=Annotated[found[0], Depends(_reader(*found))])
        if (found := _read_as(parameter))
        else parameter
        for parameter in signature.parameters.values()
    ]
    handler.__dict__["__signature__"] = signature.replace(parameters=parameters, return_annotation=Response)
    return handler


def _reader(model: type[BaseModel], body: Body) -> Callable[[Request], Awaitable[BaseModel]]:
    async def read(request: Request) -> BaseModel:
        text = await request.body()
        return read_as(model, text or b"{}" if body.may_be_empty else text, body.called)

    return read


UNKEPT = {"Cache-Control": "no-store"}
"""Headers of a response for one person, which proxies and browsers must not cache."""
_Content = TypeVar("_Content")


class Answer(Response, Generic[_Content]):
    """A JSON response with a status, headers or cookies of its own; other handlers return the struct alone."""

    media_type = "application/json"

    def __init__(self, content: _Content, status: int = 200, headers: dict[str, str] | None = None) -> None:
        super().__init__(msgspec.json.encode(content), status, headers)


class TextFile(Response):
    """A text response that browsers download as a file."""

    media_type = "text/plain"


def refusal(error: LudusError) -> Response:
    """Return the HTTP error response for an error, with `Retry-After` if the client has to wait."""
    wait_s = error.wait_s if isinstance(error, TooOften) else None
    headers = None if wait_s is None else {"Retry-After": str(whole_seconds(wait_s))}
    return Answer(Fault(str(error)), status_of(error), headers)


def as_file(text: str, name: str) -> TextFile:
    """Return a response that browsers save under this file name; old browsers get an ASCII version (RFC 6266)."""
    plain = re.sub(r"[^A-Za-z0-9.-]", "_", name)
    told = f'attachment; filename="{plain}"' + ("" if plain == name else f"; filename*=UTF-8''{quote(name, safe='')}")
    return TextFile(text.encode(), 200, {"Content-Disposition": told}, "text/plain; charset=utf-8")


def share_url(request: Request, game_id: str) -> str:
    """Return the URL of a game's page."""
    return f"{request.base_url}game/{game_id}"

"""The OpenAPI document: every route declares its response, and every struct the fields that the site sends."""

import asyncio
from typing import Any

import httpx
import pytest
from fastapi import FastAPI, Request
from msgspec import UNSET, Struct, UnsetType
from pydantic import BaseModel

from ludus.errors import BadMessage, LudusError
from ludus.site.app import create_app
from ludus.site.messages.reading import MAX_ERRORS, read_as
from ludus.site.routes.contract import Answer, Routes, Sent, document, refusal


class Found(Struct, rename="camel"):
    best_of: int
    note: str | None = None
    more: int | UnsetType = UNSET


class Asked(BaseModel):
    number: int


class Many(BaseModel):
    numbers: list[int]


def _app() -> FastAPI:
    app, routes = FastAPI(), Routes()

    @routes.post("/api/found", status_code=201)
    async def found(request: Request, asked: Sent[Asked]) -> Found:
        return Found(asked.number)

    @routes.get("/api/kept")
    async def kept() -> Answer[Found]:
        return Answer(Found(1, more=2), headers={"Cache-Control": "no-store"})

    app.include_router(routes)

    @app.exception_handler(LudusError)
    async def fault(_request: Request, error: LudusError):
        return refusal(error)

    return app


@pytest.fixture
def described() -> dict[str, Any]:
    return document(create_app())


def test_every_route_declares_its_response(described):
    undeclared = [
        f"{method} {path}"
        for path, operations in described["paths"].items()
        for method, operation in operations.items()
        for status, answer in operation["responses"].items()
        if status != "204" and not all(each.get("schema") for each in answer.get("content", {"none": {}}).values())
    ]
    assert not undeclared
    assert {"/api/catalogue", "/api/me", "/api/archive/{game_id}/text"} <= described["paths"].keys()


def test_every_schema_that_is_referenced_is_defined(described):
    named = {text.split('"')[0] for text in str(described).replace("'", '"').split("#/components/schemas/")[1:]}
    assert named <= described["components"]["schemas"].keys()
    assert "Fault" in named


def test_the_annotations_of_a_handler_are_the_documented_schemas():
    app = _app()
    operations = document(app)["paths"]
    reference = {"application/json": {"schema": {"$ref": "#/components/schemas/Found"}}}
    assert operations["/api/found"]["post"]["responses"]["201"]["content"] == reference
    assert operations["/api/kept"]["get"]["responses"]["200"]["content"] == reference
    assert operations["/api/found"]["post"]["requestBody"]["required"]
    with_all = document(app)["components"]["schemas"]["Found"]
    assert with_all["required"] == ["bestOf", "note"]  # defaults are always sent, unset fields are not


@pytest.mark.parametrize(
    ("body", "status", "answer"),
    [
        ('{"number": 3}', 201, {"bestOf": 3, "note": None}),
        ('{"number": "x"}', 400, None),
        ("", 400, None),
    ],
)
def test_an_invalid_body_is_refused_with_an_error_message(body, status, answer):
    async def ask() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=_app()), base_url="http://site") as client:
            return await client.post("/api/found", content=body)

    found = asyncio.run(ask())
    assert found.status_code == status
    assert found.json() == answer if answer else found.json()["error"].startswith("The request cannot be read: ")


@pytest.mark.parametrize("socket", ["FromSite", "FromBar", "FromLobby", "FromLive", "ToSite", "ToBar"])
def test_every_message_of_a_socket_has_a_type_of_its_own(described, socket):
    schemas = described["components"]["schemas"]
    (messages,) = [schemas[socket][key] for key in ("anyOf", "oneOf") if key in schemas[socket]]
    kinds = [schemas[message["$ref"].rsplit("/", 1)[1]]["properties"]["type"] for message in messages]
    assert len({str(kind) for kind in kinds}) == len(messages) > 1


@pytest.mark.parametrize(
    ("num_wrong", "told"),
    [(MAX_ERRORS, r"cannot be read: numbers\.0: Input should be"), (MAX_ERRORS + 1, f"it has {MAX_ERRORS + 1} errors")],
)
def test_many_errors_of_an_input_are_only_counted(num_wrong, told):
    wrong = ",".join(["[]"] * num_wrong)
    with pytest.raises(BadMessage, match=told):
        read_as(Many, f'{{"numbers": [{wrong}]}}')

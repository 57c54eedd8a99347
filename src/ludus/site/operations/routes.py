"""The routes for whoever runs the site: `/healthz`, `/readyz`, `/metrics`."""

import hashlib
import hmac
from collections.abc import Awaitable, Callable

import msgspec
from fastapi import APIRouter, Request, Response

from ludus.site.operations.health import Probe
from ludus.site.operations.metrics import Metrics
from ludus.site.safety.limits import is_this_machine

ASKED = ["GET", "HEAD"]
"""How machines ask; to a HEAD that no route takes, the page would say that all is well."""
FORWARDED = ("x-forwarded-for", "forwarded", "x-real-ip", "via")
"""Headers by which a proxy on this machine says that it asks for somebody else."""


def operations_routes(
    probe: Probe, metrics: Metrics, ready: Callable[[], Awaitable[str | None]], metrics_token: str | None
) -> APIRouter:
    """Return the routes.

    Args:
        probe: asks the bots.
        metrics: the figures.
        ready: says why the site is not ready; None if it is.
        metrics_token: the secret with which other machines may see the figures; None: they may not.
    """
    routes = APIRouter()
    wanted = None if metrics_token is None else _digest(metrics_token)

    @routes.api_route("/healthz", methods=ASKED)
    async def healthz() -> Response:  # pyright: ignore[reportUnusedFunction] - FastAPI calls it
        health = await probe.health()
        return _answer(msgspec.json.encode(health), 200 if health.status == "ok" else 503)

    @routes.api_route("/readyz", methods=ASKED)
    async def readyz() -> Response:  # pyright: ignore[reportUnusedFunction]
        reason = await ready()
        if reason is None:
            return _answer(b'{"status":"ready"}')
        return _answer(msgspec.json.encode({"status": "not ready", "reason": reason}), 503)

    @routes.api_route("/metrics", methods=ASKED)
    async def figures(request: Request) -> Response:  # pyright: ignore[reportUnusedFunction]
        if not (_is_local(request) or (wanted is not None and hmac.compare_digest(_digest(_bearer(request)), wanted))):
            return _answer(b'{"error":"The figures are for whoever runs this site."}', 403)
        return Response(metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    return routes


def _is_local(request: Request) -> bool:
    local = request.client is not None and is_this_machine(request.client.host)
    return local and not any(name in request.headers for name in FORWARDED)


def _bearer(request: Request) -> str:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token if scheme.lower() == "bearer" else ""


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def _answer(body: bytes, status: int = 200) -> Response:
    return Response(body, status, media_type="application/json", headers={"Cache-Control": "no-store"})

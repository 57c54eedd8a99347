"""The routes for monitoring: their statuses and contents, and who may read the metrics."""

import asyncio
from types import SimpleNamespace

import httpx
import pytest
from fastapi import FastAPI

from ludus.site.operations.metrics import CountErrors, SiteMetrics
from ludus.site.routes.operations import Health, operations_routes


def asked(path, health=None, reason=None, token=None, address="127.0.0.1", headers=None, metrics=None, method="GET"):
    async def probe():
        return health or Health("ok")

    async def ready():
        return reason

    app = FastAPI()
    app.include_router(operations_routes(SimpleNamespace(health=probe), metrics or SiteMetrics(), ready, token))

    async def go():
        transport = httpx.ASGITransport(app, client=(address, 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://home") as http:
            return await http.request(method, path, headers=headers)

    return asyncio.run(go())


def test_a_healthy_site_responds_with_status_200():
    answer = asked("/healthz", Health("ok", "c:b", 0.25))
    assert (answer.status_code, answer.json()) == (200, {"status": "ok", "bot": "c:b", "roundTripS": 0.25})


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_a_head_request_gets_the_status_of_a_get_request(path):
    for status, health, reason in ((200, None, None), (503, Health("unwell"), "The site is being stopped.")):
        assert asked(path, health, reason, method="HEAD").status_code == status


def test_an_unwell_site_responds_with_status_503_and_the_reason():
    answer = asked("/healthz", Health("unwell", "c:b", reason="c:b did not answer"))
    assert answer.status_code == 503
    assert answer.json()["reason"] == "c:b did not answer"


@pytest.mark.parametrize(("reason", "status"), [(None, 200), ("The site is being stopped.", 503)])
def test_a_site_that_is_not_ready_responds_with_the_reason(reason, status):
    answer = asked("/readyz", reason=reason)
    assert answer.status_code == status
    assert answer.json().get("reason") == reason


@pytest.mark.parametrize(
    ("address", "headers", "status"),
    [
        ("127.0.0.1", {}, 200),
        ("::1", {}, 200),
        ("::ffff:127.0.0.1", {}, 200),
        ("::ffff:192.0.2.1", {}, 403),
        ("192.0.2.1", {}, 403),
        ("127.0.0.1", {"X-Forwarded-For": "192.0.2.1"}, 403),
        ("192.0.2.1", {"Authorization": "Bearer right"}, 200),
        ("192.0.2.1", {"Authorization": "Bearer wrong"}, 403),
        ("192.0.2.1", {"Authorization": "Basic right"}, 403),
        ("192.0.2.1", {"Authorization": "Bearer"}, 403),
    ],
)
def test_metrics_are_served_to_this_machine_and_to_holders_of_the_token(address, headers, status):
    assert asked("/metrics", token="right", address=address, headers=headers).status_code == status


@pytest.mark.parametrize("token", [None, ""])
def test_without_a_configured_token_every_token_is_refused(token):
    for header in ("Bearer ", "Bearer None", "Bearer"):
        answer = asked("/metrics", token=token, address="192.0.2.1", headers={"Authorization": header})
        assert answer.status_code == 403


def test_metrics_have_the_text_format_of_prometheus():
    metrics = SiteMetrics()
    metrics.games.set_function(lambda: 7)
    metrics.bots.set_function(lambda: 2)
    metrics.moves.observe(0.004)
    metrics.bot_answered("evaluate_position", 0.3)
    metrics.bot_faults.inc()
    metrics.lag.set(0.01)
    metrics.answered("BREW", 418, 0.1)
    CountErrors(metrics).emit(None)
    text = asked("/metrics", metrics=metrics).text
    for line in (
        "ludus_games 7.0",
        "ludus_bots 2.0",
        "ludus_move_seconds_count 1.0",
        'ludus_bot_answer_seconds_bucket{le="0.5",question="evaluate_position"} 1.0',
        "ludus_bot_faults_total 1.0",
        "ludus_errors_total 1.0",
        'ludus_requests_total{method="other",status="4xx"} 1.0',
        "ludus_loop_lag_seconds 0.01",
    ):
        assert line in text
    assert "process_resident_memory_bytes" in text

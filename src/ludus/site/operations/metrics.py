"""Metrics of a running site for Prometheus: few names, and labels of few values."""

import logging
from contextlib import AbstractContextManager

import prometheus_client as prometheus
from prometheus_client import Counter, Gauge, Histogram

SOCKETS = ("custom-bot", "games", "play", "eval", "lobby", "live-games")
"""The kinds of sockets that are told apart."""
METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE")
FAST = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
SLOW = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class SiteMetrics:
    """The metrics of one site."""

    def __init__(self) -> None:
        self.registry = prometheus.CollectorRegistry()
        registry = self.registry
        prometheus.ProcessCollector(registry=registry)
        prometheus.PlatformCollector(registry=registry)
        prometheus.GCCollector(registry=registry)
        self._sockets = Gauge("ludus_sockets", "Open sockets.", ["kind"], registry=registry)
        self.heard = Counter("ludus_socket_messages", "Messages of sockets.", registry=registry)
        self._refused = Counter("ludus_refused", "What was turned away at the door.", ["why"], registry=registry)
        self._requests = Counter("ludus_requests", "HTTP requests.", ["method", "status"], registry=registry)
        self._answers = Histogram(
            "ludus_request_seconds", "How long HTTP requests took.", buckets=FAST, registry=registry
        )
        self.games = Gauge("ludus_games", "Games that are being played.", registry=registry)
        self.bots = Gauge("ludus_bots", "Bots that are attached.", registry=registry)
        self.moves = Histogram(
            "ludus_move_seconds",
            "From a move's arrival until it is sent to everybody.",
            buckets=FAST,
            registry=registry,
        )
        self._bot_answers = Histogram(
            "ludus_bot_answer_seconds", "How long bots took to answer.", ["question"], buckets=SLOW, registry=registry
        )
        self.bot_faults = Counter("ludus_bot_faults", "Games that bots lost by a fault.", registry=registry)
        self.errors = Counter("ludus_errors", "Errors that were logged.", registry=registry)
        self.lag = Gauge("ludus_loop_lag_seconds", "How late the event loop was, last time.", registry=registry)

    def answered(self, method: str, status: int, seconds: float) -> None:
        """Count a request."""
        self._requests.labels(method if method in METHODS else "other", f"{status // 100}xx").inc()
        self._answers.observe(seconds)

    def refused(self, why: str) -> None:
        """Count a refusal: `origin`, `crowd`, `rate`, `flood` or `slow`."""
        self._refused.labels(why).inc()

    def socket(self, kind: str) -> AbstractContextManager[None]:
        """Count a socket for as long as it is open."""
        return self._sockets.labels(kind if kind in SOCKETS else "other").track_inprogress()

    def bot_answered(self, question: str, seconds: float) -> None:
        """Record how long a bot took over a request of this `type`."""
        self._bot_answers.labels(question).observe(seconds)

    def text(self) -> bytes:
        """Return all metrics as Prometheus reads them."""
        return prometheus.generate_latest(self.registry)


class CountErrors(logging.Handler):
    """Counts everything that is logged as an error."""

    def __init__(self, metrics: SiteMetrics) -> None:
        super().__init__(logging.ERROR)
        self._metrics = metrics

    def emit(self, record: logging.LogRecord) -> None:  # noqa: ARG002 - that it came is all that counts
        """Count it."""
        self._metrics.errors.inc()

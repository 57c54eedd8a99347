"""The figures of a running site, for Prometheus: few names, and labels of few values."""

import contextlib
import logging
from collections.abc import Callable, Generator

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)

SOCKETS = ("custom-bot", "games", "play", "eval", "lobby", "live-games")
"""The kinds of sockets that are told apart."""
METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE")
FAST = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
SLOW = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class SiteMetrics:
    """Counts what happens; each site has its own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        registry = self.registry
        ProcessCollector(registry=registry)
        PlatformCollector(registry=registry)
        GCCollector(registry=registry)
        self._sockets = Gauge("ludus_sockets", "Open sockets.", ["kind"], registry=registry)
        self._heard = Counter("ludus_socket_messages", "Messages of sockets.", registry=registry)
        self._refused = Counter("ludus_refused", "What was turned away at the door.", ["why"], registry=registry)
        self._requests = Counter("ludus_requests", "HTTP requests.", ["method", "status"], registry=registry)
        self._answers = Histogram(
            "ludus_request_seconds", "How long HTTP requests took.", buckets=FAST, registry=registry
        )
        self._games = Gauge("ludus_games", "Games that are being played.", registry=registry)
        self._bots = Gauge("ludus_bots", "Bots that are attached.", registry=registry)
        self._moves = Histogram(
            "ludus_move_seconds",
            "From a move's arrival until it is sent to everybody.",
            buckets=FAST,
            registry=registry,
        )
        self._bot_answers = Histogram(
            "ludus_bot_answer_seconds", "How long bots took to answer.", ["question"], buckets=SLOW, registry=registry
        )
        self._bot_faults = Counter("ludus_bot_faults", "Games that bots lost by a fault.", registry=registry)
        self._errors = Counter("ludus_errors", "Errors that were logged.", registry=registry)
        self._lag = Gauge("ludus_loop_lag_seconds", "How late the event loop was, last time.", registry=registry)

    def answered(self, method: str, status: int, seconds: float) -> None:
        """Count a request."""
        self._requests.labels(method if method in METHODS else "other", f"{status // 100}xx").inc()
        self._answers.observe(seconds)

    def heard(self) -> None:
        """Count a message of a socket."""
        self._heard.inc()

    def refused(self, why: str) -> None:
        """Count what was turned away: `origin`, `crowd`, `rate`, `flood` or `slow`."""
        self._refused.labels(why).inc()

    @contextlib.contextmanager
    def socket(self, kind: str) -> Generator[None]:
        """Count a socket for as long as it is open."""
        gauge = self._sockets.labels(kind if kind in SOCKETS else "other")
        gauge.inc()
        try:
            yield
        finally:
            gauge.dec()

    def moved(self, seconds: float) -> None:
        """Note how long a move took from its arrival until it was sent to everybody."""
        self._moves.observe(seconds)

    def bot_answered(self, question: str, seconds: float) -> None:
        """Note how long a bot took over a question of the protocol, by its `type`."""
        self._bot_answers.labels(question).observe(seconds)

    def bot_failed(self) -> None:
        """Count a game that a bot lost by a fault."""
        self._bot_faults.inc()

    def erred(self) -> None:
        """Count an error of ours."""
        self._errors.inc()

    def lagged(self, seconds: float) -> None:
        """Note how late the event loop was."""
        self._lag.set(seconds)

    def watch(self, *, games: Callable[[], float], bots: Callable[[], float]) -> None:
        """Ask these functions whenever the figures are wanted."""
        self._games.set_function(games)
        self._bots.set_function(bots)

    def text(self) -> bytes:
        """Return all figures as Prometheus reads them."""
        return generate_latest(self.registry)


class CountErrors(logging.Handler):
    """Counts what is logged as an error, wherever it comes from."""

    def __init__(self, metrics: SiteMetrics) -> None:
        super().__init__(logging.ERROR)
        self._metrics = metrics

    def emit(self, record: logging.LogRecord) -> None:  # noqa: ARG002 - that it came is all that counts
        """Count it."""
        self._metrics.erred()

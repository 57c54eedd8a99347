"""Prometheus metrics of a running site."""

import logging
from contextlib import AbstractContextManager

import prometheus_client as prometheus
from prometheus_client import Counter, Gauge, Histogram

SOCKETS = ("custom-bot", "games", "play", "eval", "lobby", "live-games")
"""Values of the label `kind`: second parts of socket paths such as `/ws/play`; others count as "other"."""
METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE")
FAST = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
SLOW = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class SiteMetrics:
    """The Prometheus metrics of one site, with methods that update them."""

    def __init__(self) -> None:
        self.registry = prometheus.CollectorRegistry()
        registry = self.registry
        prometheus.ProcessCollector(registry=registry)
        prometheus.PlatformCollector(registry=registry)
        prometheus.GCCollector(registry=registry)
        self._sockets = Gauge("ludus_sockets", "Open sockets.", ["kind"], registry=registry)
        self.heard = Counter("ludus_socket_messages", "Messages received over sockets.", registry=registry)
        self._refused = Counter("ludus_refused", "Refused requests and sockets.", ["why"], registry=registry)
        self._requests = Counter("ludus_requests", "HTTP requests.", ["method", "status"], registry=registry)
        self._answers = Histogram(
            "ludus_request_seconds", "Duration of HTTP requests.", buckets=FAST, registry=registry
        )
        self.games = Gauge("ludus_games", "Games in progress.", registry=registry)
        self.bots = Gauge("ludus_bots", "Attached bots.", registry=registry)
        self.moves = Histogram(
            "ludus_move_seconds",
            "Time from a move's arrival until it is sent to all players and spectators.",
            buckets=FAST,
            registry=registry,
        )
        self._bot_answers = Histogram(
            "ludus_bot_answer_seconds", "Response times of bots.", ["question"], buckets=SLOW, registry=registry
        )
        self.bot_faults = Counter("ludus_bot_faults", "Games that bots lost by a fault.", registry=registry)
        self.errors = Counter("ludus_errors", "Logged errors.", registry=registry)
        self.lag = Gauge("ludus_loop_lag_seconds", "Delay of the event loop, last measured.", registry=registry)

    def answered(self, method: str, status: int, seconds: float) -> None:
        """Count an HTTP request and record its duration."""
        self._requests.labels(method if method in METHODS else "other", f"{status // 100}xx").inc()
        self._answers.observe(seconds)

    def refused(self, why: str) -> None:
        """Count a refused request or socket; `why` is `origin`, `crowd`, `rate`, `flood` or `slow`."""
        self._refused.labels(why).inc()

    def socket(self, kind: str) -> AbstractContextManager[None]:
        """Count a socket as open during the block."""
        return self._sockets.labels(kind if kind in SOCKETS else "other").track_inprogress()

    def bot_answered(self, question: str, seconds: float) -> None:
        """Record a bot's response time; `question` is the `type` of the request."""
        self._bot_answers.labels(question).observe(seconds)

    def text(self) -> bytes:
        """Return all metrics in Prometheus's text format."""
        return prometheus.generate_latest(self.registry)


class CountErrors(logging.Handler):
    """A log handler that counts the errors in the metrics."""

    def __init__(self, metrics: SiteMetrics) -> None:
        super().__init__(logging.ERROR)
        self._metrics = metrics

    def emit(self, record: logging.LogRecord) -> None:  # noqa: ARG002 - the record is only counted
        """Count one error."""
        self._metrics.errors.inc()

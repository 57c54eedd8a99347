"""Prometheus metrics of a running site."""

import logging
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager

import prometheus_client as prometheus
from prometheus_client import Counter, Gauge, Histogram
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from prometheus_client.samples import Sample

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
        """Count a refused request or socket; `why` is `origin`, `crowd`, `rate`, `flood`, `slow` or `ban`."""
        self._refused.labels(why).inc()

    def socket(self, kind: str) -> AbstractContextManager[None]:
        """Count a socket as open during the block."""
        return self._sockets.labels(kind if kind in SOCKETS else "other").track_inprogress()

    def bot_answered(self, question: str, seconds: float) -> None:
        """Record a bot's response time; `question` is the `type` of the request."""
        self._bot_answers.labels(question).observe(seconds)

    def watch(self, name: str, meaning: str, label: str, read: Callable[[], Mapping[str, float]]) -> None:
        """Export figures that are read when somebody asks for them.

        Args:
            name: the name of the metric.
            meaning: its description.
            label: what its figures are distinguished by.
            read: returns the figures by the value of the label.
        """
        self.registry.register(_Watched(name, meaning, label, read))

    @property
    def open_sockets(self) -> dict[str, int]:
        """Return the number of open sockets by kind."""
        return {sample.labels["kind"]: int(sample.value) for sample in self._samples("ludus_sockets") if sample.value}

    @property
    def lag_ms(self) -> int:
        """Return the delay of the event loop, last measured, in milliseconds."""
        return round(1000 * self._value("ludus_loop_lag_seconds"))

    @property
    def num_errors(self) -> int:
        """Return the number of errors in the log."""
        return int(self._value("ludus_errors_total"))

    @property
    def move_ms(self) -> float | None:
        """Return the mean time in milliseconds from a move's arrival to its broadcast; None without moves."""
        count = self._value("ludus_move_seconds_count")
        return round(1000 * self._value("ludus_move_seconds_sum") / count, 1) if count else None

    def _value(self, name: str) -> float:
        return self.registry.get_sample_value(name) or 0.0

    def _samples(self, name: str) -> list[Sample]:
        return [sample for metric in self.registry.collect() for sample in metric.samples if sample.name == name]

    def text(self) -> bytes:
        """Return all metrics in Prometheus's text format."""
        return prometheus.generate_latest(self.registry)


class _Watched(Collector):
    """A collector of figures that are read when somebody asks for them."""

    def __init__(self, name: str, meaning: str, label: str, read: Callable[[], Mapping[str, float]]) -> None:
        self._name, self._meaning, self._label, self._read = name, meaning, label, read

    def collect(self) -> Iterable[Metric]:
        """Read the figures."""
        found = GaugeMetricFamily(self._name, self._meaning, labels=[self._label])
        for value, figure in self._read().items():
            found.add_metric([value], figure)
        return [found]

    def describe(self) -> Iterable[Metric]:
        """Return the metric without figures."""
        return [GaugeMetricFamily(self._name, self._meaning, labels=[self._label])]


class CountErrors(logging.Handler):
    """A log handler that counts the errors in the metrics."""

    def __init__(self, metrics: SiteMetrics) -> None:
        super().__init__(logging.ERROR)
        self._metrics = metrics

    def emit(self, record: logging.LogRecord) -> None:  # noqa: ARG002 - the record is only counted
        """Count one error."""
        self._metrics.errors.inc()

"""Prometheus metrics. Each server has its own registry, so that tests can run several in one process."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate

from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest
from prometheus_client.core import GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0)


class TimeHistogram(Collector):
    """A histogram of times, without the locks of Prometheus' own: one of them is on the hottest path."""

    def __init__(self, name: str, about: str) -> None:
        self._name, self._about = name, about
        self._counts = [0] * (len(BUCKETS) + 1)
        self._seconds = 0.0

    def add(self, seconds: float) -> None:
        self._counts[bisect_left(BUCKETS, seconds)] += 1
        self._seconds += seconds

    def collect(self) -> Iterator[Metric]:
        edges = [*map(str, BUCKETS), "+Inf"]
        buckets = list(zip(edges, map(float, accumulate(self._counts)), strict=True))
        yield HistogramMetricFamily(self._name, self._about, buckets=buckets, sum_value=self._seconds)


class LoopDelays(TimeHistogram):
    """How late the event loop ran its timers, and the longest delay since the last scrape."""

    def __init__(self) -> None:
        super().__init__("gramy_loop_delay_seconds", "How late the event loop runs a timer")
        self._longest = 0.0

    def add(self, seconds: float) -> None:
        super().add(seconds)
        self._longest = max(self._longest, seconds)

    def collect(self) -> Iterator[Metric]:
        yield from super().collect()
        about = "The longest delay since the last scrape"
        yield GaugeMetricFamily("gramy_loop_delay_longest_seconds", about, value=self._longest)
        self._longest = 0.0


class Metrics:
    """Counters and times. No label names a table or a person."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "gramy_requests", "Requests answered", ["method", "route", "status"], registry=self._registry
        )
        self._command_times = TimeHistogram("gramy_answer_seconds", "From a command to its answer")
        self.loop_delays = LoopDelays()
        for times in (self._command_times, self.loop_delays):
            self._registry.register(times)
        self._messages = Counter("gramy_messages_sent", "Messages sent to viewers", registry=self._registry)
        self._bytes = Counter("gramy_bytes_sent", "Bytes sent to viewers", registry=self._registry)
        self._tables = Gauge("gramy_tables", "Tables in memory", registry=self._registry)
        self._ready = Gauge("gramy_ready", "Whether a part works: 1 or 0", ["part"], registry=self._registry)
        self._refused = Counter(
            "gramy_connections_refused", "Connections refused or closed for others", ["kind"], registry=self._registry
        )
        self._sent = self._size = 0  # since the last scrape
        self._viewers = Gauge("gramy_viewers", "Viewers connected", registry=self._registry)

    def set_ready(self, part: str, works: bool) -> None:
        """Note whether the store or the bus works."""
        self._ready.labels(part).set(works)

    def count_refused(self, kind: str) -> None:
        """Count a connection that was refused or closed because too many are open."""
        self._refused.labels(kind).inc()

    def count_request(self, method: str, route: str, status: int) -> None:
        self._requests.labels(method, route, str(status)).inc()

    def count_command(self, seconds: float) -> None:
        self._command_times.add(seconds)

    def count_message(self, size: int) -> None:
        """Count a message in plain numbers, because this is the hottest path; a scrape copies them to Prometheus."""
        self._sent += 1
        self._size += size

    def page(self, tables: int, viewers: int) -> bytes:
        """Return all metrics in Prometheus' text format."""
        self._messages.inc(self._sent)
        self._bytes.inc(self._size)
        self._sent = self._size = 0
        self._tables.set(tables)
        self._viewers.set(viewers)
        return generate_latest(self._registry)

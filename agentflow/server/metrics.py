"""What Prometheus is told; sums over all clients, none of them named."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from agentflow.ledger import Entry

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS = (0.1, 0.3, 1, 3, 10, 30, 60, 120, 300, 600, 1800)


class Metrics:
    """The counters of one server.

    Attributes:
        replies: HTTP replies by route and status code.
        runs: Runs by model and how they ended: a result's status, ``disconnected``, ``refused``,
            ``failed`` or ``stopped`` with the server.
        running: Runs under way.
        tokens: Tokens by model and kind: prompt, cached, generated, wasted.
        seconds: How long runs took.
    """

    def __init__(self) -> None:
        self.registry = CollectorRegistry()

        def named(name: str) -> str:
            return f"agentflow_{name}"

        by_model = ("model",)
        self.replies = Counter(
            named("http_replies"), "HTTP replies", ("route", "code"), registry=self.registry
        )
        self.runs = Counter(
            named("runs"), "Runs that ended", ("model", "status"), registry=self.registry
        )
        self.running = Gauge(named("running"), "Runs under way", registry=self.registry)
        self.tokens = Counter(
            named("tokens"), "Tokens of all roles", ("model", "kind"), registry=self.registry
        )
        self.seconds = Histogram(
            named("run_seconds"),
            "Seconds of a run",
            by_model,
            buckets=_SECONDS,
            registry=self.registry,
        )

    def ended(self, model: str, status: str, cost: Entry, seconds: float) -> None:
        """Count a run that ended."""
        self.runs.labels(model, status).inc()
        self.seconds.labels(model).observe(seconds)
        for kind in ("prompt", "cached", "generated", "wasted"):
            self.tokens.labels(model, kind).inc(getattr(cost, kind))

    def text(self) -> bytes:
        """All of them, in Prometheus' format."""
        return generate_latest(self.registry)

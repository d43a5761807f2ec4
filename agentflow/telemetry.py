"""OpenTelemetry, where it is installed and set up; else nothing is imported or done."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from agentflow.version import __version__, install

if TYPE_CHECKING:
    from agentflow.spans import Spans

_ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
_CONTENT = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
"""The conventions' variable by which a user opts in to the contents of messages."""


def listener() -> Spans | None:
    """What makes a run's spans, as a listener to LangChain's callbacks; None where no program set a
    tracer provider."""
    api: Any = sys.modules.get("opentelemetry.trace")
    if api is None:
        return None
    provider = api.get_tracer_provider()
    if isinstance(provider, api.ProxyTracerProvider | api.NoOpTracerProvider):
        return None
    from agentflow.spans import Spans

    wanted = os.environ.get(_CONTENT, "").strip().lower()
    content = wanted in ("true", "span_only", "span_and_event")
    return Spans(provider.get_tracer("agentflow", __version__), content=content)


def set_up() -> str:
    """Export spans to where the environment says (``OTEL_EXPORTER_OTLP_ENDPOINT``); for programs.

    Returns:
        Why it could not be done; empty where it was, or where nobody asked for it.
    """
    asked = any(os.environ.get(name, "").strip() for name in _ENDPOINTS)
    off = os.environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true"
    if not asked or off or os.environ.get("OTEL_TRACES_EXPORTER", "otlp").strip() != "otlp":
        return ""
    try:
        from opentelemetry import trace
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        return f"no traces are sent to {_ENDPOINTS[0]}: {install('otel')}"
    if not isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider):
        return ""  # opentelemetry-instrument was here first
    named = {} if os.environ.get("OTEL_SERVICE_NAME") else {"service.name": "agentflow"}
    provider = TracerProvider(resource=Resource.create(named))  # its last spans go out at exit
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
    return ""


@contextmanager
def continued(headers: Mapping[str, str]) -> Iterator[None]:
    """The block's spans belong to the trace that a request's ``traceparent`` names."""
    if "traceparent" not in headers or "opentelemetry.trace" not in sys.modules:
        yield
        return
    from opentelemetry import context, propagate

    token = context.attach(propagate.extract(dict(headers)))
    try:
        yield
    finally:
        context.detach(token)

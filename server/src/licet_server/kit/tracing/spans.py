"""Spans by OpenTelemetry; attributes hold routes, statements and counts, but no parameters."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import structlog
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanLimits, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import (
    Link,
    Span,
    SpanContext,
    SpanKind,
    StatusCode,
    Tracer,
    format_span_id,
    format_trace_id,
    get_current_span,
    set_span_in_context,
)
from opentelemetry.trace import NonRecordingSpan as RemoteSpan
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from sqlalchemy import event

from licet_server import __version__
from licet_server.kit.addresses import is_trusted, plain
from licet_server.kit.coalesce import DEFAULT_MAX_BATCH, Observe, QueueObserver
from licet_server.kit.database import Database
from licet_server.kit.outages import sqlstate_of
from licet_server.kit.settings import Settings
from licet_server.kit.web.paths import METHODS

_TIMEOUT_SECONDS = 5
_STATEMENT_CHARACTERS = 4_000
_SPAN = "licet_span"
"""The attribute of a statement's execution context that holds its span."""

_propagator = TraceContextTextMapPropagator()


def open_exporting(endpoint: str, process: str) -> "OpenTelemetry":
    """Return tracing that sends spans to a collector, by OTLP over HTTP.

    The SDK's own variables choose the share of requests (`OTEL_TRACES_SAMPLER`), and add headers
    and attributes of the resource.
    """
    resource = Resource.create(
        {
            "service.name": "licet",
            "service.version": __version__,
            "licet.process": process,
        }
    )
    provider = TracerProvider(
        resource=resource, span_limits=SpanLimits(max_links=DEFAULT_MAX_BATCH)
    )
    exporter = OTLPSpanExporter(f"{endpoint}/v1/traces", timeout=_TIMEOUT_SECONDS)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    structlog.get_config()["processors"].insert(0, add_trace)
    return OpenTelemetry(provider.get_tracer("licet_server", __version__))


def add_trace(_logger: Any, _method: str, event: dict[str, Any]) -> dict[str, Any]:
    """Add the trace to a log line that is written inside one."""
    context = get_current_span().get_span_context()
    if context.is_valid:
        event["trace_id"] = format_trace_id(context.trace_id)
        event["span_id"] = format_span_id(context.span_id)
    return event


class OpenTelemetry:
    """Traces with one tracer."""

    def __init__(self, tracer: Tracer) -> None:
        self._tracer = tracer

    def requests(self, app: ASGIApp, settings: Settings) -> ASGIApp:
        return _TracedRequests(app, self._tracer, settings)

    def queues(self, observe: Observe) -> Observe:
        def traced(name: str, length: Any) -> QueueObserver:
            return _TracedQueue(self._tracer, name, observe(name, length))

        return traced

    def statements(self, database: Database) -> None:
        for engine in database.engines():
            _trace_statements(engine.sync_engine, self._tracer)


class _TracedRequests:
    """Puts a span around each request; a proxy that is trusted may have begun the trace."""

    def __init__(self, app: ASGIApp, tracer: Tracer, settings: Settings) -> None:
        self._app = app
        self._tracer = tracer
        self._trusted = settings.trusted_proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        status = 500

        async def note(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        method = scope["method"] if scope["method"] in METHODS else "_OTHER"
        with self._tracer.start_as_current_span(
            method,
            context=self._parent(scope),
            kind=SpanKind.SERVER,
            attributes={"http.request.method": method},
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            try:
                await self._app(scope, receive, note)
            finally:
                _describe(span, scope, method, status)

    def _parent(self, scope: Scope) -> Context:
        client = scope.get("client")
        if client is None or not is_trusted(plain(client[0]), self._trusted):
            return Context()
        names = (b"traceparent", b"tracestate")
        carrier = {
            name.decode(): value.decode("latin-1")
            for name, value in scope["headers"]
            if name in names
        }
        return _propagator.extract(carrier, context=Context())


def _describe(span: Span, scope: Any, method: str, status: int) -> None:
    route = scope.get("path_template") or "unknown"
    span.update_name(f"{method} {route}")
    span.set_attribute("http.route", route)
    span.set_attribute("http.response.status_code", status)
    context = scope.get("licet")
    if context is not None:
        span.set_attribute("licet.request_id", context.request_id)
        if context.refused_as is not None:
            span.set_attribute("error.type", context.refused_as)
    if status >= 500:
        span.set_status(StatusCode.ERROR)


class _TracedQueue:
    """Puts a span around each batch: part of the first traced call's trace, with links to all."""

    def __init__(self, tracer: Tracer, name: str, inner: QueueObserver) -> None:
        self._tracer = tracer
        self._name = f"batch {name}"
        self._inner = inner
        self.refuse = inner.refuse

    def arrive(self) -> tuple[Any, SpanContext]:
        return self._inner.arrive(), get_current_span().get_span_context()

    @contextmanager
    def batch(self, arrivals: Sequence[tuple[Any, SpanContext]]) -> Iterator[None]:
        callers = [caller for _, caller in arrivals if caller.trace_flags.sampled]
        with self._inner.batch([arrival for arrival, _ in arrivals]):
            if not callers:
                yield
                return
            with self._tracer.start_as_current_span(
                self._name,
                context=set_span_in_context(RemoteSpan(callers[0]), Context()),
                links=[Link(caller) for caller in callers],
                attributes={"licet.batch.size": len(arrivals)},
                record_exception=False,
                set_status_on_exception=False,
            ):
                yield


def _trace_statements(engine: Any, tracer: Tracer) -> None:
    """Put a span around each statement that is sent inside another span."""

    def begin(
        _connection: Any, _cursor: Any, statement: str, _parameters: Any, context: Any, _many: bool
    ) -> None:
        if not get_current_span().is_recording():
            return
        operation = statement.lstrip().partition(" ")[0].upper()
        attributes = {
            "db.system.name": "postgresql",
            "db.operation.name": operation,
            "db.query.text": statement[:_STATEMENT_CHARACTERS],
        }
        span = tracer.start_span(operation, kind=SpanKind.CLIENT, attributes=attributes)
        setattr(context, _SPAN, span)

    def end(
        _connection: Any, _cursor: Any, _statement: str, _parameters: Any, context: Any, _many: bool
    ) -> None:
        span = getattr(context, _SPAN, None)
        if span is not None:
            span.end()

    def fail(failure: Any) -> None:
        span = getattr(failure.execution_context, _SPAN, None)
        if span is not None:
            error = failure.original_exception
            span.set_attribute("error.type", sqlstate_of(error) or type(error).__name__)
            span.set_status(StatusCode.ERROR)
            span.end()

    listeners: Mapping[str, Any] = {
        "before_cursor_execute": begin,
        "after_cursor_execute": end,
        "handle_error": fail,
    }
    for name, listener in listeners.items():
        event.listen(engine, name, listener)

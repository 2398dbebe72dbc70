"""Traces: from a request over its batches to their statements. Off unless an endpoint is set.

While they are off, nothing is imported, and requests have no overhead.
"""

from typing import Protocol

from litestar.types import ASGIApp

from licet_server.kit.coalesce import Observe
from licet_server.kit.database import Database
from licet_server.kit.settings import InvalidSetting, Settings


class Tracing(Protocol):
    """Wraps, once at the start, what is to be traced."""

    def requests(self, app: ASGIApp, settings: Settings) -> ASGIApp:
        """Return the application with a span around each request."""
        ...

    def queues(self, observe: Observe) -> Observe:
        """Return what creates observers that put a span around each batch."""
        ...

    def statements(self, database: Database) -> None:
        """Put a span around each statement of a traced request or batch."""
        ...


class _Untraced:
    def requests(self, app: ASGIApp, settings: Settings) -> ASGIApp:
        return app

    def queues(self, observe: Observe) -> Observe:
        return observe

    def statements(self, database: Database) -> None: ...


UNTRACED: Tracing = _Untraced()


def open_tracing(settings: Settings, process: str) -> Tracing:
    """Return what traces as the settings say; spans are sent by a thread of its own.

    Raises:
        InvalidSetting: when an endpoint is set, and the extra is not installed.
    """
    if settings.otlp_endpoint is None:
        return UNTRACED
    try:
        from licet_server.kit.tracing.spans import open_exporting  # noqa: PLC0415
    except ImportError:
        raise InvalidSetting(
            "LICET_OTLP_ENDPOINT", "needs more packages: install the extra otel of licet-server."
        ) from None
    return open_exporting(settings.otlp_endpoint, process)

"""Structured logs: one JSON object per line, or readable lines on a terminal; never a secret.

Log calls must not pass secrets; as a safeguard, this module masks fields whose names suggest one.
"""

import logging
import re
import sys
from typing import Any

import structlog

_SECRET = re.compile(r"(?i)password|secret|token|authorization|cookie|api_?key|license_?key|salt")


def configure_logs(level: int = logging.INFO) -> None:
    """Set up logging for the process; `logging.DEBUG` adds a line per request."""
    is_terminal = sys.stderr.isatty()
    renderer = (
        structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
        if is_terminal
        else structlog.processors.JSONRenderer()
    )
    processors: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        drop_secrets,
    ]
    if not is_terminal:
        processors.append(structlog.processors.format_exc_info)
    structlog.configure(
        processors=[*processors, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        # One write per line, so that lines of several processes do not interleave.
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(name)s: %(message)s")


def drop_secrets(_logger: Any, _method: str, event: dict[str, Any]) -> dict[str, Any]:
    """Mask the value of any field whose name suggests a secret."""
    return {name: "***" if _SECRET.search(name) else value for name, value in event.items()}

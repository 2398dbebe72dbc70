"""One call to the server: its headers, its retries, its faults by name.

Retried are connection faults, 502 to 504, and 429 where the wait fits; nothing else. All attempts
and pauses together stay within three times the time allowed for one.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Container, Mapping
from typing import Any

from licet._clock import monotonic
from licet._config import Config
from licet._faults import GOOD, read_reply, reply_fault, request_id_of
from licet._flow import Flow, Pause
from licet._transport import TransportReply, TransportRequest
from licet._version import __version__
from licet.errors import (
    ConfigurationError,
    ConnectionLostError,
    DnsError,
    LicetError,
    NetworkError,
    ServerFaultError,
    ServerRefusedError,
    ServerTimeoutError,
)

ATTEMPTS = 3
FIRST_PAUSE = 0.5
LONGEST_PAUSE = 8.0
BUDGET_FACTOR = 3.0
_WORTH_A_RETRY = (DnsError, ServerRefusedError, ConnectionLostError, ServerTimeoutError)
_PASSING = frozenset({429, 502, 503, 504})


def call(
    config: Config,
    path: str,
    body: Mapping[str, Any],
    *,
    method: str = "POST",
    good: Container[int] = GOOD,
    attempts: int = ATTEMPTS,
    timeout: float | None = None,
) -> Flow[tuple[dict[str, Any], str | None]]:
    """Send a body; the answer's JSON and the id of the request.

    Args:
        config: Names the server and the product.
        path: Below the server's base address.
        body: Fields that are ``None`` are left out.
        method: Of HTTP.
        good: The statuses of an answer that is no fault.
        attempts: How many at most.
        timeout: Seconds for an attempt, where that is to be less than the client's.

    Raises:
        ConfigurationError: No server is set up.
        NetworkError: No answer.
        ServerFaultError: An answer that is a fault.
    """
    if config.endpoint is None or config.api_key is None:
        missing = "ServerBaseEndpoint" if config.endpoint is None else "ProductApiKey"
        raise ConfigurationError(f"{missing} is missing, so the license server cannot be asked.")
    allowed = config.timeout if timeout is None else min(timeout, config.timeout)
    deadline = monotonic() + allowed * BUDGET_FACTOR
    request_id = secrets.token_hex(16)
    headers = {
        "X-API-KEY": config.api_key,
        "X-Request-Id": request_id,
        "Content-Type": "application/json",
        "Accept": "application/json",
        "User-Agent": f"licet-python/{__version__}",
    }
    content = json.dumps({name: value for name, value in body.items() if value is not None})
    for attempt in range(1, attempts + 1):
        left = deadline - monotonic()
        request = TransportRequest(
            method,
            config.endpoint + path,
            headers,
            content.encode(),
            max(0.1, min(allowed, left)),
        )
        try:
            reply: TransportReply = yield request
            fault = reply_fault(reply, request.url, config.clock, good)
            if fault is None:
                return read_reply(reply), request_id_of(reply) or request_id
        except NetworkError as error:
            fault = error
        pause = pause_before_retry(fault, attempt, deadline - monotonic(), secrets.randbelow(1000))
        if pause is None or attempt == attempts:
            raise fault
        yield Pause(pause)
    raise AssertionError("the last attempt either returns or raises")


def pause_before_retry(
    fault: LicetError, attempt: int, seconds_left: float, jitter: int
) -> float | None:
    """Seconds to wait before the next attempt; ``None`` to give up.

    Args:
        fault: What the attempt ended in.
        attempt: How many there have been.
        seconds_left: Before all attempts must have ended.
        jitter: 0 to 999, to keep a crowd of clients from returning at the same moment.
    """
    if attempt >= ATTEMPTS:
        return None
    if isinstance(fault, ServerFaultError):
        if fault.http_status not in _PASSING:
            return None
        asked = fault.retry_after
    elif isinstance(fault, _WORTH_A_RETRY):
        asked = None
    else:
        return None
    usual = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (attempt - 1))
    spread = usual * (0.5 + jitter / 2000)
    pause = spread if asked is None else asked + spread / 4
    return pause if pause < seconds_left else None

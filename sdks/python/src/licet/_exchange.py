"""One call to the server: its headers, its retries, its faults by name.

All attempts and pauses together stay within three times the time allowed for one.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Container, Mapping
from typing import Any
from urllib.parse import urlencode

from licet._clock import monotonic
from licet._config import Config
from licet._faults import GOOD, read_reply, reply_fault, request_id_of
from licet._flow import Flow, Pause
from licet._retries import USUAL, Retries
from licet._transport import TransportReply, TransportRequest
from licet._version import __version__
from licet.errors import ConfigurationError, LicetError, NetworkError

BUDGET_FACTOR = 3.0


def call(
    config: Config,
    path: str,
    fields: Mapping[str, Any],
    *,
    method: str = "POST",
    good: Container[int] = GOOD,
    retries: Retries = USUAL,
    timeout: float | None = None,
) -> Flow[tuple[dict[str, Any], str | None]]:
    """Ask the server; the answer's JSON and the id of the request.

    Args:
        config: Names the server and the product.
        path: Below the server's base address.
        fields: Sent as JSON, or in the query of a GET. Those that are ``None`` are left out.
        method: Of HTTP.
        good: The statuses of an answer that is no fault.
        retries: How far to go for an answer.
        timeout: Seconds for an attempt, where that is to be less than the client's.

    Raises:
        ConfigurationError: No server is set up.
        NetworkError: No answer.
        ServerFaultError: An answer that is a fault.
    """
    allowed = config.timeout if timeout is None else min(timeout, config.timeout)
    deadline = monotonic() + min(allowed * BUDGET_FACTOR, retries.seconds)
    request_id = secrets.token_hex(16)
    url, headers, content = _compose(config, path, fields, method, request_id)
    for attempt in range(1, retries.attempts + 1):
        patience = max(0.1, min(allowed, deadline - monotonic()))
        fault: LicetError | None
        try:
            reply: TransportReply = yield TransportRequest(method, url, headers, content, patience)
            fault = reply_fault(reply, url, config.clock, good)
            if fault is None:
                return read_reply(reply), request_id_of(reply) or request_id
        except NetworkError as error:
            fault = error
        pause = retries.pause(fault, attempt, deadline - monotonic(), jitter())
        if pause is None:
            raise fault
        yield Pause(pause)
    raise AssertionError("the last attempt either returns or raises")


def _compose(
    config: Config, path: str, fields: Mapping[str, Any], method: str, request_id: str
) -> tuple[str, dict[str, str], bytes]:
    if config.endpoint is None or config.api_key is None:
        missing = "ServerBaseEndpoint" if config.endpoint is None else "ProductApiKey"
        raise ConfigurationError(f"{missing} is missing, so the license server cannot be asked.")
    headers = {
        "X-API-KEY": config.api_key,
        "X-Request-Id": request_id,
        "Accept": "application/json",
        "User-Agent": f"licet-python/{__version__}",
    }
    url = config.endpoint + path
    sent = {name: value for name, value in fields.items() if value is not None}
    if method == "GET":
        return f"{url}?{urlencode(sent)}", headers, b""
    return url, {**headers, "Content-Type": "application/json"}, json.dumps(sent).encode()


def jitter() -> float:
    return secrets.randbelow(1000) / 1000

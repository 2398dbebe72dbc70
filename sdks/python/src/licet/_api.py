"""One API call: headers, retries and typed errors, within one deadline."""

from __future__ import annotations

import json
import secrets
from collections.abc import Container, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Protocol
from urllib.parse import urlencode

from licet._clock import monotonic, read_clock
from licet._config import Config
from licet._device_key import DeviceKeyFile
from licet._faults import SUCCESS, read_reply, reply_error, request_id_of
from licet._flow import Flow, Pause
from licet._retries import DEFAULT_RETRIES, NO_RETRIES, RetryPolicy
from licet._timeouts import no_answer_in
from licet._transport import TransportReply, TransportRequest
from licet._version import __version__
from licet.errors import ConfigurationError, LicetError, NetworkError, ServerTimeoutError

MIN_ATTEMPT_SECONDS = 0.1


class Caller(Protocol):
    """Who calls: the configuration of a client, and the key of its device."""

    @property
    def config(self) -> Config: ...

    @property
    def device_key(self) -> DeviceKeyFile: ...


def call(
    caller: Caller,
    path: str,
    fields: Mapping[str, Any],
    *,
    method: str = "POST",
    headers: Mapping[str, str] = MappingProxyType({}),
    success: Container[int] = SUCCESS,
    retries: RetryPolicy = DEFAULT_RETRIES,
    timeout: float | None = None,
) -> Flow[tuple[dict[str, Any], str | None]]:
    """Call the API and return the JSON object of the response and the request ID.

    While other attempts are left, an attempt may take half of the time that is left.

    Args:
        caller: The client, whose device proves each attempt.
        path: The path below the server's base address.
        fields: Sent as JSON, or in the query string of a GET. ``None`` values are omitted.
        method: The HTTP method.
        headers: Sent in addition to the usual ones.
        success: The HTTP statuses of a successful response.
        retries: The retry policy.
        timeout: Seconds for the call, if less than the client's timeout.

    Raises:
        ConfigurationError: No server is configured.
        NetworkError: The server did not respond.
        ServerFaultError: The server responded with an error.
    """
    config = caller.config
    retries = retries if config.retries else NO_RETRIES
    seconds = config.timeout if timeout is None else min(timeout, config.timeout)
    started = monotonic()
    deadline = started + seconds * retries.budget
    request_id = secrets.token_hex(16)
    url, usual, content = _build_request(config, path, fields, method, request_id)
    sent_headers = {**usual, **headers}
    for attempt in range(1, retries.attempts + 1):
        left = deadline - monotonic()
        # Silence leaves time for the attempts that may still be made.
        share = left if attempt == retries.attempts else left / 2
        allowed = max(MIN_ATTEMPT_SECONDS, min(seconds, share))
        failure: LicetError | None
        try:
            request = TransportRequest(method, url, sent_headers, content, allowed)
            reply = yield from _send_proven(caller, request)
            failure = reply_error(reply, url, config.clock, success)
            if failure is None:
                return read_reply(reply), request_id_of(reply) or request_id
        except NetworkError as error:
            failure = error
        pause = retries.pause(failure, attempt, deadline - monotonic(), jitter())
        if pause is None and isinstance(failure, ServerTimeoutError):
            raise no_answer_in(monotonic() - started) from failure
        if pause is None:
            raise failure
        yield Pause(pause)
    raise AssertionError("the last attempt either returns or raises")


def _send_proven(caller: Caller, request: TransportRequest) -> Flow[TransportReply]:
    """Send a request with a proof, and once more with a new one if it was refused."""
    clock, device_key, started = caller.config.clock, caller.device_key, monotonic()

    def proven(seconds: float) -> TransportRequest:
        headers = device_key.headers(request.method, request.url, request.body, read_clock(clock))
        return replace(request, headers={**request.headers, **headers}, timeout=seconds)

    reply: TransportReply = yield proven(request.timeout)
    if device_key.signs_again(reply, read_clock(clock)):
        left = request.timeout - (monotonic() - started)
        reply = yield proven(max(MIN_ATTEMPT_SECONDS, left))
    return reply


def _build_request(
    config: Config, path: str, fields: Mapping[str, Any], method: str, request_id: str
) -> tuple[str, dict[str, str], bytes]:
    if config.endpoint is None or config.api_key is None:
        missing, option = (
            ("ServerBaseEndpoint", "server_base_endpoint")
            if config.endpoint is None
            else ("ProductApiKey", "api_key")
        )
        raise ConfigurationError(
            f"{missing} is missing, so the license server cannot be contacted. Pass {option}=... "
            f"or set {missing} in licet.json."
        )
    headers = {
        "X-API-KEY": config.api_key,
        "X-Request-Id": request_id,
        "Accept": "application/json",
        "User-Agent": f"licet-python/{__version__}",
    }
    url = config.endpoint + path
    parameters = {name: value for name, value in fields.items() if value is not None}
    if method == "GET":
        return f"{url}?{urlencode(parameters)}", headers, b""
    return url, {**headers, "Content-Type": "application/json"}, json.dumps(parameters).encode()


def jitter() -> float:
    return secrets.randbelow(1000) / 1000

"""The network between the application and the fake: fault injection and recorded requests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, get_args

from licet._keys import mask
from licet._transport import TransportReply, TransportRequest
from licet.errors import (
    ConnectionLostError,
    DnsError,
    NetworkError,
    ProxyError,
    ServerRefusedError,
    ServerTimeoutError,
    TlsError,
)
from licet.testing._problems import Refused
from licet.testing._router import body_of, path_of, refusal_reply, respond
from licet.testing._state import State

NetworkFault = Literal[
    "Dns", "ServerRefused", "ConnectionLost", "ServerTimeout", "Tls", "Proxy", "CaptivePortal"
]
ServerFault = Literal[
    "ServerUnavailable", "RateLimited", "ApiKeyRefused", "ConcurrencyConflict", "UnexpectedReply"
]
Fault = NetworkFault | ServerFault
ResponseFault = Literal["ConnectionLost", "ServerTimeout", "ServerUnavailable"]

_ERRORS: Mapping[str, type[NetworkError]] = {
    "Dns": DnsError,
    "ServerRefused": ServerRefusedError,
    "ConnectionLost": ConnectionLostError,
    "ServerTimeout": ServerTimeoutError,
    "Tls": TlsError,
    "Proxy": ProxyError,
}
_ERROR_CODES = {
    "ServerUnavailable": "Unavailable",
    "RateLimited": "RateLimited",
    "ApiKeyRefused": "Unauthorized",
    "ConcurrencyConflict": "ConcurrencyConflict",
}
_PAGES = {
    "CaptivePortal": (200, "text/html", b"<!doctype html><title>Sign in to this network</title>"),
    "UnexpectedReply": (404, "text/plain", b"Nothing here."),
}
_SECRETS = frozenset({"licenseKey", "password"})
_NETWORK_FAULTS = get_args(NetworkFault)
_FAULTS = (*_NETWORK_FAULTS, *get_args(ServerFault))


@dataclass(frozen=True, slots=True)
class RecordedRequest:
    """A request made by the application.

    Attributes:
        path: The path below the base address, in lower case, such as ``/licenses/validate``.
        body: The JSON body; license key and password are masked.
        at: The time by the server's clock.
        status: The HTTP status of the response; ``None`` if there was none.
    """

    method: str
    path: str
    body: Mapping[str, Any]
    at: datetime
    status: int | None


@dataclass(slots=True)
class _PlannedFault:
    fault: str
    remaining: int
    on: str | None
    retry_after: int | None = None
    processed: bool = False


@dataclass(slots=True)
class Network:
    """Sends requests to the fake and injects the planned faults."""

    state: State
    requests: list[RecordedRequest] = field(default_factory=list)
    _outage: str | None = None
    _planned: list[_PlannedFault] = field(default_factory=list)

    def disconnect(self, fault: NetworkFault) -> None:
        """Fail every request until :meth:`restore`."""
        self._outage = _checked(fault, _NETWORK_FAULTS)

    def restore(self) -> None:
        """Clear all faults."""
        with self.state.lock:
            self._outage = None
            self._planned.clear()

    def plan_fault(self, fault: Fault, times: int, on: str | None, retry_after: int | None) -> None:
        """Fail this many requests, after the faults planned before."""
        self._add(_PlannedFault(_checked(fault, _FAULTS), times, on, retry_after))

    def plan_lost_response(self, fault: ResponseFault, times: int, on: str | None) -> None:
        """Process this many requests but lose their responses."""
        self._add(
            _PlannedFault(_checked(fault, get_args(ResponseFault)), times, on, processed=True)
        )

    def _add(self, planned: _PlannedFault) -> None:
        if planned.remaining < 1:
            raise ValueError("times must be 1 or more")
        if planned.on is not None:
            planned.on = f"/{planned.on.lower().strip('/')}"
        with self.state.lock:
            self._planned.append(planned)

    def send(self, request: TransportRequest) -> TransportReply:
        """Return the response to a request.

        Raises:
            NetworkError: A planned fault prevented the response.
        """
        reply: TransportReply | None = None
        with self.state.lock:
            at, planned = self.state.now, self._next_fault(path_of(request.url))
            try:
                reply = self._process(request, planned)
            finally:
                self.requests.append(
                    _recorded(request, at, None if reply is None else reply.status)
                )
        return reply

    def _process(self, request: TransportRequest, planned: _PlannedFault | None) -> TransportReply:
        if planned is None:
            return respond(self.state, request)
        if planned.processed:
            respond(self.state, request)
        return _fail(planned, request)

    def _next_fault(self, path: str) -> _PlannedFault | None:
        if self._outage is not None:
            return _PlannedFault(self._outage, 1, None)
        planned = next((item for item in self._planned if item.on in {None, path}), None)
        if planned is not None:
            planned.remaining -= 1
            if not planned.remaining:
                self._planned.remove(planned)
        return planned


class FakeTransport:
    """The ``transport`` for a ``LicenseClient``."""

    def __init__(self, network: Network) -> None:
        self._network = network

    def send(self, request: TransportRequest) -> TransportReply:
        return self._network.send(request)

    def close(self) -> None:
        """Nothing is held."""


class AsyncFakeTransport:
    """The ``transport`` for an ``AsyncLicenseClient``."""

    def __init__(self, network: Network) -> None:
        self._network = network

    async def send(self, request: TransportRequest) -> TransportReply:
        return self._network.send(request)

    async def aclose(self) -> None:
        """Nothing is held."""


def _checked(fault: str, faults: tuple[str, ...]) -> str:
    if fault not in faults:
        raise ValueError(f"unknown fault {fault!r}; use one of {', '.join(faults)}")
    return fault


def _fail(planned: _PlannedFault, request: TransportRequest) -> TransportReply:
    if planned.fault in _ERRORS:
        raise _ERRORS[planned.fault](f"The test planned the fault {planned.fault}.")
    if planned.fault in _PAGES:
        status, kind, page = _PAGES[planned.fault]
        return TransportReply(status, {"content-type": kind}, page)
    refused = Refused(_ERROR_CODES[planned.fault], retry_after=planned.retry_after)
    request_id = {name.lower(): value for name, value in request.headers.items()}
    return refusal_reply(refused, request_id.get("x-request-id", "planned"))


def _recorded(request: TransportRequest, at: datetime, status: int | None) -> RecordedRequest:
    body = {
        name: mask(value) if name in _SECRETS and isinstance(value, str) else value
        for name, value in (body_of(request) or {}).items()
    }
    return RecordedRequest(request.method, path_of(request.url), body, at, status)

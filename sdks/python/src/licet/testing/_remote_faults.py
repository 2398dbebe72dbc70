"""Faults that a test plans over HTTP: what happens to the next requests to a route."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from licet._transport import TransportReply, TransportRequest
from licet.testing._json import to_json
from licet.testing._router import body_of

_FAULT = {
    "on": "on",
    "times": "times",
    "status": "status",
    "headers": "headers",
    "body": "body",
    "dropped": "dropped",
    "processed": "processed",
    "delaySeconds": "delay_seconds",
    "dripSeconds": "drip_seconds",
    "cutAfter": "cut_after",
    "request": "request",
    "response": "response",
}
Respond = Callable[[TransportRequest], TransportReply]


@dataclass(slots=True, kw_only=True)
class RemoteFault:
    """What happens to the next requests. The parts may be combined.

    Attributes:
        on: Only requests to this route; ``None`` for any.
        times: The number of requests.
        status: Send this status without processing the request, with ``headers`` and ``body``.
        headers: Sent in addition to, or in place of, the usual ones.
        body: A JSON value, or a string that is sent as is.
        dropped: Close the connection without a response.
        processed: Process a request whose response is replaced or dropped.
        delay_seconds: Wait before the response.
        drip_seconds: Send the response byte by byte with these pauses.
        cut_after: Send only so many bytes of the body, then close the connection.
        request: Fields of the request to replace before it is processed; ``None`` removes one.
        response: Fields of the JSON response to replace; ``None`` removes one.
    """

    on: str | None = None
    times: int = 1
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Any = ""
    dropped: bool = False
    processed: bool = False
    delay_seconds: float = 0.0
    drip_seconds: float = 0.0
    cut_after: int | None = None
    request: Mapping[str, Any] = field(default_factory=dict)
    response: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.times < 1:
            raise ValueError("times must be 1 or more")
        if self.on is not None:
            self.on = f"/{self.on.lower().strip('/')}"

    def apply(self, request: TransportRequest, respond: Respond) -> TransportReply | None:
        """The response under this fault; ``None`` if the connection is to be closed."""
        changed = _with_fields(request, self.request)
        if self.status is None and not self.dropped:
            return self._changed(respond(changed))
        if self.processed:
            respond(changed)
        return None if self.dropped else self._planned_reply()

    def _planned_reply(self) -> TransportReply:
        text = self.body if isinstance(self.body, str) else json.dumps(self.body)
        headers = {name.lower(): value for name, value in self.headers.items()}
        return TransportReply(self.status or 200, headers, text.encode())

    def _changed(self, reply: TransportReply) -> TransportReply:
        headers = {
            **reply.headers,
            **{name.lower(): value for name, value in self.headers.items()},
        }
        if not self.response:
            return replace(reply, headers=headers)
        content = _merged(json.loads(reply.body), self.response)
        return TransportReply(reply.status, headers, to_json(content).encode())


class FaultPlan:
    """The planned faults, oldest first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._planned: list[RemoteFault] = []

    def add(self, fault: RemoteFault) -> None:
        with self._lock:
            self._planned.append(fault)

    def clear(self) -> None:
        with self._lock:
            self._planned.clear()

    def take(self, path: str) -> RemoteFault | None:
        """The fault of a request to this path, which uses it up."""
        with self._lock:
            fault = next((item for item in self._planned if item.on in {None, path}), None)
            if fault is not None:
                fault.times -= 1
                if not fault.times:
                    self._planned.remove(fault)
            return fault


def fault_from(given: Mapping[str, Any]) -> RemoteFault:
    """The fault with these fields.

    Raises:
        ValueError: A field is unknown, or ``times`` is less than 1.
    """
    return RemoteFault(**named_fields(given, _FAULT))


def named_fields(given: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """The fields of a control request as keyword arguments.

    Raises:
        ValueError: A field is unknown.
    """
    unknown = sorted(set(given) - set(names))
    if unknown:
        raise ValueError(f"unknown fields: {', '.join(unknown)}")
    return {names[key]: value for key, value in given.items()}


def _with_query(url: str, fields: Mapping[str, Any]) -> str:
    parts = urlsplit(url)
    query = {**dict(parse_qsl(parts.query)), **fields}
    given = {name: value for name, value in query.items() if value is not None}
    return urlunsplit(parts._replace(query=urlencode(given)))


def _with_fields(request: TransportRequest, fields: Mapping[str, Any]) -> TransportRequest:
    if not fields:
        return request
    if not request.body:
        return replace(request, url=_with_query(request.url, fields))
    content = _merged(body_of(request) or {}, fields)
    return replace(request, body=json.dumps(content).encode())


def _merged(content: Mapping[str, Any], fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in {**content, **fields}.items() if value is not None}

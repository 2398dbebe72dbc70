"""The session calls of the API, and the grant that the server grants."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from licet._api import Caller, call
from licet._clock import optional_time
from licet._error_codes import optional_int
from licet._faults import CHECK_ADDRESS
from licet._flow import Flow
from licet._retries import DEFAULT_RETRIES, NO_RETRIES, RetryPolicy
from licet.errors import UnexpectedReplyError

CONNECT = "/sessions/connect"
HEARTBEAT = "/sessions/heartbeat"
DISCONNECT = "/sessions/disconnect"
CONNECTED = frozenset({200, 201})
ANSWERED = frozenset({200})
DISCONNECTED = frozenset({200, 204})
MIN_INTERVAL = 0.05
MAX_DURATION = 86_400.0


@dataclass(frozen=True, slots=True)
class SessionGrant:
    """A seat as last granted by the server.

    Attributes:
        interval: Seconds between heartbeats.
        timeout: Seconds without a heartbeat after which the server releases the seat.
        expires_at: When the seat expires without another heartbeat, by the server's clock.
    """

    session_id: str = field(repr=False)
    interval: float
    timeout: float
    expires_at: datetime | None = None
    seats_used: int | None = None
    seats_total: int | None = None


@dataclass(frozen=True, slots=True)
class SessionCalls:
    """The API calls of one session."""

    caller: Caller
    license_key: str = field(repr=False)
    hardware_id: str = field(repr=False)
    instance_id: str
    components: Mapping[str, object] = field(default_factory=dict)

    def connect(
        self, *, retries: RetryPolicy = DEFAULT_RETRIES, timeout: float | None = None
    ) -> Flow[SessionGrant]:
        """Claim a seat. It replaces the seat that this instance held before."""
        body = {
            "licenseKey": self.license_key,
            "hardwareId": self.hardware_id,
            "instanceId": self.instance_id,
            "deviceName": self.caller.config.device_name,
            "appVersion": self.caller.config.app_version,
            "username": self.caller.config.username,
            "password": self.caller.config.password,
            **self.components,
        }
        response, request_id = yield from call(
            self.caller, CONNECT, body, success=CONNECTED, retries=retries, timeout=timeout
        )
        session_id = response.get("sessionId")
        if not isinstance(session_id, str):
            raise _unexpected_reply("has no session ID", request_id)
        session_timeout = _duration(response.get("sessionTimeoutSeconds"), 90.0)
        return SessionGrant(
            session_id,
            _interval(response, session_timeout / 3, session_timeout),
            session_timeout,
            optional_time(response.get("expiresAt")),
            optional_int(response.get("seatsUsed")),
            optional_int(response.get("seatsTotal")),
        )

    def heartbeat(self, grant: SessionGrant, *, timeout: float) -> Flow[SessionGrant]:
        """Renew the grant."""
        body = {"sessionId": grant.session_id}
        response, request_id = yield from call(
            self.caller, HEARTBEAT, body, retries=NO_RETRIES, timeout=timeout
        )
        if response.get("sessionId") != grant.session_id:
            raise _unexpected_reply("is about another session", request_id)
        session_timeout = _duration(response.get("sessionTimeoutSeconds"), grant.timeout)
        return replace(
            grant,
            interval=_interval(response, grant.interval, session_timeout),
            timeout=session_timeout,
            expires_at=optional_time(response.get("expiresAt")) or grant.expires_at,
        )

    def disconnect(self, session_id: str, *, timeout: float) -> Flow[None]:
        """Release the seat, in one attempt."""
        body = {"sessionId": session_id}
        yield from call(
            self.caller, DISCONNECT, body, success=DISCONNECTED, retries=NO_RETRIES, timeout=timeout
        )


def _interval(response: Mapping[str, Any], default: float, timeout: float) -> float:
    interval = _duration(response.get("heartbeatIntervalSeconds"), default)
    # With an interval as long as the timeout, every heartbeat would be late.
    return max(MIN_INTERVAL, min(interval, timeout / 2))


def _duration(value: object, default: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return default
    return min(float(value), MAX_DURATION) if value > 0 and math.isfinite(value) else default


def _unexpected_reply(what: str, request_id: str | None) -> UnexpectedReplyError:
    return UnexpectedReplyError(
        f"The response about the session {what}.",
        hint=CHECK_ADDRESS,
        http_status=200,
        request_id=request_id,
    )

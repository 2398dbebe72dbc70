"""What a session is on the wire: three calls, and the lease that the server grants."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from licet._clock import told_moment
from licet._config import Config
from licet._exchange import call
from licet._flow import Flow
from licet._refusals import count
from licet._retries import ONCE, USUAL, Retries
from licet.errors import UnexpectedReplyError

CONNECT = "/sessions/connect"
HEARTBEAT = "/sessions/heartbeat"
DISCONNECT = "/sessions/disconnect"
CONNECTED = frozenset({200, 201})
ANSWERED = frozenset({200})
DISCONNECTED = frozenset({200, 204})
SHORTEST_INTERVAL = 0.05
LONGEST_SPAN = 86_400.0


@dataclass(frozen=True, slots=True)
class Lease:
    """A seat, as the server granted it last.

    Attributes:
        interval: Seconds between two heartbeats.
        timeout: Seconds without a heartbeat after which the server gives the seat away.
        expires_at: When that would be by the server's clock.
    """

    session_id: str = field(repr=False)
    interval: float
    timeout: float
    expires_at: datetime | None = None
    seats_used: int | None = None
    seats_total: int | None = None


@dataclass(frozen=True, slots=True)
class SessionCalls:
    """The calls that one session makes."""

    config: Config
    license_key: str = field(repr=False)
    hardware_id: str = field(repr=False)
    instance_id: str

    def connect(self, *, retries: Retries = USUAL, timeout: float | None = None) -> Flow[Lease]:
        """A seat; the one that this instance held before is given up for it."""
        body = {
            "licenseKey": self.license_key,
            "hardwareId": self.hardware_id,
            "instanceId": self.instance_id,
            "deviceName": self.config.device_name,
            "appVersion": self.config.app_version,
        }
        answer, request_id = yield from call(
            self.config, CONNECT, body, good=CONNECTED, retries=retries, timeout=timeout
        )
        session_id = answer.get("sessionId")
        if not isinstance(session_id, str):
            raise _strange("names no session", request_id)
        timeout_told = _span(answer.get("sessionTimeoutSeconds"), 90.0)
        return Lease(
            session_id,
            _interval(answer, timeout_told / 3, timeout_told),
            timeout_told,
            told_moment(answer.get("expiresAt")),
            count(answer.get("seatsUsed")),
            count(answer.get("seatsTotal")),
        )

    def heartbeat(self, lease: Lease, *, timeout: float) -> Flow[Lease]:
        """The same seat for another while."""
        body = {"sessionId": lease.session_id}
        answer, request_id = yield from call(
            self.config, HEARTBEAT, body, retries=ONCE, timeout=timeout
        )
        if answer.get("sessionId", lease.session_id) != lease.session_id:
            raise _strange("is about another session", request_id)
        timeout_told = _span(answer.get("sessionTimeoutSeconds"), lease.timeout)
        return replace(
            lease,
            interval=_interval(answer, lease.interval, timeout_told),
            timeout=timeout_told,
            expires_at=told_moment(answer.get("expiresAt")) or lease.expires_at,
        )

    def disconnect(self, session_id: str, *, timeout: float) -> Flow[None]:
        """Give the seat back, with one attempt."""
        body = {"sessionId": session_id}
        yield from call(
            self.config, DISCONNECT, body, good=DISCONNECTED, retries=ONCE, timeout=timeout
        )


def _interval(answer: Mapping[str, Any], otherwise: float, timeout: float) -> float:
    told = _span(answer.get("heartbeatIntervalSeconds"), otherwise)
    # An interval as long as the timeout would leave no heartbeat in time.
    return max(SHORTEST_INTERVAL, min(told, timeout / 2))


def _span(value: object, otherwise: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return otherwise
    return min(float(value), LONGEST_SPAN) if value > 0 and math.isfinite(value) else otherwise


def _strange(what: str, request_id: str | None) -> UnexpectedReplyError:
    return UnexpectedReplyError(
        f"The answer about the session {what}. Check that ServerBaseEndpoint is the API's address.",
        http_status=200,
        request_id=request_id,
    )

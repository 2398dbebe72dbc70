"""The routes of sessions."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from licet.testing._device_settings import require_admissible
from licet.testing._devices import apply_binding
from licet.testing._fields import (
    CREDENTIALS,
    HARDWARE_ID,
    INSTANCE_ID,
    LICENSE_KEY,
    SHORT_STRING,
    read_fields,
    uuid,
)
from licet.testing._messages import Request, Response, find_own_license, wire_seconds, wire_time
from licet.testing._problems import Refused
from licet.testing._recognition import COMPONENTS, recognize
from licet.testing._rules import (
    connect_refusal,
    full_pool_refusal,
    license_refusal,
    replaced_session,
    session_refusal,
    session_seats,
    spacing_refusal,
)
from licet.testing._state import License, Session, State, new_id

_CONNECT = {
    "licenseKey": LICENSE_KEY,
    "hardwareId": HARDWARE_ID,
    "instanceId": INSTANCE_ID,
    "deviceName": SHORT_STRING,
    "appVersion": SHORT_STRING,
    "components": COMPONENTS,
    **CREDENTIALS,
}
_SESSION = {"sessionId": uuid}


def connect(state: State, request: Request) -> Response:
    """POST /sessions/connect."""
    fields, now = {**read_fields(request.body, _CONNECT), "jkt": request.jkt}, request.now
    license_ = find_own_license(state, fields)
    refusal = license_refusal(license_, now)
    if refusal is not None:
        raise refusal
    require_admissible(state, license_, fields["hardwareId"])
    recognize(state, license_, fields, now)
    session = claim_session(state, license_, fields, now)
    used, total = session_seats(license_, now)
    product = state.product
    content = {
        "sessionId": session.id,
        "expiresAt": wire_time(session.expires_at),
        "heartbeatIntervalSeconds": wire_seconds(product.heartbeat_interval),
        "sessionTimeoutSeconds": wire_seconds(product.session_timeout),
        "seatsUsed": used,
        "seatsTotal": total,
        "test": license_.test,
    }
    return Response(201, content)


def heartbeat(state: State, request: Request) -> Response:
    """POST /sessions/heartbeat."""
    session, now = _find_live_session(state, request), request.now
    refusal = license_refusal(session.license, now) or spacing_refusal(
        session, state.product.heartbeat_spacing, now
    )
    if refusal is not None:
        raise refusal
    session.last_heartbeat_at = now
    if session.lease is None:
        session.expires_at = now + state.product.session_timeout
    content = {
        "sessionId": session.id,
        "expiresAt": wire_time(session.expires_at),
        "heartbeatIntervalSeconds": wire_seconds(state.product.heartbeat_interval),
    }
    return Response(200, content)


def disconnect(state: State, request: Request) -> Response:
    """POST /sessions/disconnect."""
    session = _find_live_session(state, request)
    if session.lease is not None:
        raise Refused("Conflict", "The seat of this session is borrowed. Return it.")
    session.ended = True
    return Response(204)


def claim_session(
    state: State, license_: License, fields: Mapping[str, Any], now: datetime
) -> Session:
    """Take a seat of an active license by a new session.

    Raises:
        Refused: The device may not, or all seats are taken.
    """
    _check_device(license_, fields, now)
    replaced = replaced_session(license_, fields["hardwareId"], fields["instanceId"], now)
    pool_refusal = full_pool_refusal(license_, replaced, now)
    if pool_refusal is not None:
        raise pool_refusal
    if replaced is not None:
        replaced.ended = replaced.replaced = True
    return _open_session(state, license_, fields, now)


def _check_device(license_: License, fields: Mapping[str, Any], now: datetime) -> None:
    refusal = connect_refusal(license_, fields["hardwareId"])
    status = "Valid" if refusal is None else refusal.code
    apply_binding(license_, status, fields, "Connect", now)
    if refusal is not None:
        raise refusal


def _open_session(
    state: State, license_: License, fields: Mapping[str, Any], now: datetime
) -> Session:
    session = Session(
        id=new_id(now),
        license=license_,
        hardware_id=fields["hardwareId"],
        instance_id=fields["instanceId"],
        connected_at=now,
        expires_at=now + state.product.session_timeout,
    )
    license_.sessions.append(session)
    state.sessions[session.id] = session
    return session


def _find_live_session(state: State, request: Request) -> Session:
    fields = read_fields(request.body, _SESSION)
    session = state.sessions.get(fields["sessionId"].lower())
    refusal = session_refusal(session, request.now)
    if refusal is not None or session is None:
        raise refusal or Refused("SessionNotFound")
    return session

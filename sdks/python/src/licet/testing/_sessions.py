"""The routes of sessions."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from licet.testing._answers import Answer, Call, find_license, wire_seconds, wire_time
from licet.testing._devices import settle_binding
from licet.testing._fields import (
    HARDWARE_ID,
    INSTANCE_ID,
    LICENSE_KEY,
    SHORT,
    identifier,
    read_fields,
)
from licet.testing._refusals import Refused
from licet.testing._rules import (
    refusal_by_license,
    refusal_by_spacing,
    refusal_for_full_pool,
    refusal_of_session,
    refusal_to_connect,
    replaced_session,
    session_seats,
)
from licet.testing._state import License, Session, State, new_id

_CONNECT = {
    "licenseKey": LICENSE_KEY,
    "hardwareId": HARDWARE_ID,
    "instanceId": INSTANCE_ID,
    "deviceName": SHORT,
    "appVersion": SHORT,
}
_SESSION = {"sessionId": identifier}


def connect(state: State, call: Call) -> Answer:
    """POST /sessions/connect."""
    asked, now = read_fields(call.body, _CONNECT), call.now
    license_ = find_license(state, asked["licenseKey"])
    refusal = refusal_by_license(license_, now)
    if refusal is not None or license_ is None:
        raise refusal or Refused("LicenseNotFound")
    _admit(license_, asked, now)
    replaced = replaced_session(license_, asked["hardwareId"], asked["instanceId"], now)
    full = refusal_for_full_pool(license_, replaced, now)
    if full is not None:
        raise full
    if replaced is not None:
        replaced.ended = True
    session = _open(state, license_, asked, now)
    used, total = session_seats(license_, now)
    product = state.product
    content = {
        "sessionId": session.id,
        "expiresAt": wire_time(session.expires_at),
        "heartbeatIntervalSeconds": wire_seconds(product.heartbeat_interval),
        "sessionTimeoutSeconds": wire_seconds(product.session_timeout),
        "seatsUsed": used,
        "seatsTotal": total,
    }
    return Answer(201, content)


def heartbeat(state: State, call: Call) -> Answer:
    """POST /sessions/heartbeat."""
    session, now = _held_session(state, call), call.now
    refusal = refusal_by_license(session.license, now) or refusal_by_spacing(
        session, state.product.heartbeat_spacing, now
    )
    if refusal is not None:
        raise refusal
    session.last_heartbeat_at = now
    session.expires_at = now + state.product.session_timeout
    content = {
        "sessionId": session.id,
        "expiresAt": wire_time(session.expires_at),
        "heartbeatIntervalSeconds": wire_seconds(state.product.heartbeat_interval),
    }
    return Answer(200, content)


def disconnect(state: State, call: Call) -> Answer:
    """POST /sessions/disconnect."""
    _held_session(state, call).ended = True
    return Answer(204)


def _admit(license_: License, asked: Mapping[str, Any], now: datetime) -> None:
    refusal = refusal_to_connect(license_, asked["hardwareId"])
    status = "Valid" if refusal is None else refusal.code
    settle_binding(license_, status, asked, "Connect", now)
    if refusal is not None:
        raise refusal


def _open(state: State, license_: License, asked: Mapping[str, Any], now: datetime) -> Session:
    session = Session(
        id=new_id(now),
        license=license_,
        hardware_id=asked["hardwareId"],
        instance_id=asked["instanceId"],
        connected_at=now,
        expires_at=now + state.product.session_timeout,
    )
    license_.sessions.append(session)
    state.sessions[session.id] = session
    return session


def _held_session(state: State, call: Call) -> Session:
    asked = read_fields(call.body, _SESSION)
    session = state.sessions.get(asked["sessionId"].lower())
    refusal = refusal_of_session(session, call.now)
    if refusal is not None or session is None:
        raise refusal or Refused("SessionNotFound")
    return session

"""The routes of leases: borrowed seats and reserved credits, for devices without a network."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from licet._device_key import thumbprint
from licet._error_codes import optional_int
from licet._jose import RejectedTokenError, decode_segment, read_object, split_token
from licet._journal_line import MAX_LINE_BYTES
from licet._keys import key_hash, normal_form
from licet.testing._device_settings import require_admissible
from licet.testing._fields import (
    CREDENTIALS,
    HARDWARE_ID,
    INSTANCE_ID,
    LICENSE_KEY,
    SHORT_STRING,
    integer,
    optional,
    read_fields,
    string,
    string_list,
    uuid,
)
from licet.testing._holds import metered, put_back_rest, settle_overdue
from licet.testing._messages import Request, Response, find_own_license, terms_view, wire_time
from licet.testing._problems import Refused, bad_fields
from licet.testing._reservations import (
    credit_claims,
    hold_credits,
    read_amount,
    read_spent,
    settle,
)
from licet.testing._rules import is_live, license_refusal, session_seats
from licet.testing._sessions import claim_session
from licet.testing._state import Lease, License, Renewal, Session, State, new_id

LEASES = "/leases"
RENEW = "/leases/id/renew"
REPORT = "/leases/id/report"
RETURN = "/leases/id/return"
NOT_BEFORE = timedelta(minutes=5)
MAX_RECEIPT = 2048
MAX_LINES = 500
_ACTION = re.compile(r"/leases/[^/]+/(renew|report|return)")

_KEY = string(128, min_length=1)
_DAYS = integer(1, 366)
_BORROW = {
    "licenseKey": LICENSE_KEY,
    "hardwareId": HARDWARE_ID,
    "kind": lambda kind: None if kind in {None, "Seat", "Credits"} else "must be Seat or Credits.",
    "days": _DAYS,
    "sessionId": optional(uuid),
    "instanceId": INSTANCE_ID,
    "deviceName": SHORT_STRING,
    "appVersion": SHORT_STRING,
    **CREDENTIALS,
    "idempotencyKey": _KEY,
}
_RENEW = {"days": _DAYS, "seq": integer(1, 1 << 31), "idempotencyKey": _KEY}
_REPORT = {
    "receipt": string(MAX_RECEIPT, min_length=1),
    "journal": string_list(2 * MAX_LINE_BYTES, MAX_LINES),
}
_RETURN = {**_REPORT, "idempotencyKey": optional(_KEY)}


def lease_pattern(path: str) -> str | None:
    """The route of a lease that a path is of; ``None`` if it is of none."""
    found = _ACTION.fullmatch(path)
    return None if found is None else f"/leases/id/{found[1]}"


def borrow(state: State, request: Request) -> Response:
    """POST /leases."""
    given = {"amount": request.body.get("amount"), "jkt": _proven(request)}
    fields, now = {**read_fields(request.body, _BORROW), **given}, request.now
    license_ = find_own_license(state, fields)
    settle_overdue(license_, now)
    amount = _read_amount(license_, fields)
    own = [lease for lease in license_.leases if lease.jkt == fields["jkt"]]
    earlier = next((item for item in own if item.issue_key == fields["idempotencyKey"]), None)
    if earlier is not None:
        _require_same(earlier, fields, amount, now)
        return Response(200, _view(state, earlier, now))
    refusal = license_refusal(license_, now)
    if refusal is not None:
        raise refusal
    require_admissible(state, license_, fields["hardwareId"])
    ends_at = _end(license_, fields["days"], now)
    _require_free(own, now)
    lease = Lease(
        id=new_id(now),
        license=license_,
        hardware_id=fields["hardwareId"],
        jkt=fields["jkt"],
        key_hash=key_hash(normal_form(fields["licenseKey"])),
        issue_key=fields["idempotencyKey"],
        issue_days=fields["days"],
        issued_at=now,
        signed_at=now,
        ends_at=ends_at,
    )
    if amount is not None:
        hold_credits(state, lease, amount, now)
    else:
        _require_seats(license_, now)
        lease.session = _session(state, license_, fields, now)
        lease.session.lease, lease.session.instance_id = lease, None
    license_.leases.append(lease)
    return Response(201, _view(state, lease, now))


def renew(state: State, request: Request) -> Response:
    """POST /leases/ID/renew."""
    fields, now = read_fields(request.body, _RENEW), request.now
    lease = _find(state, request)
    renewal = Renewal(fields["idempotencyKey"], fields["days"])
    if lease.state(now) in {"Returned", "Ended"}:
        raise Refused("LeaseNotFound")
    if lease.forked:
        raise Refused("LeaseForked")
    if lease.renewal is not None and lease.renewal.key == renewal.key:
        if lease.renewal != renewal:
            raise Refused("IdempotencyKeyReused")
        return Response(200, _view(state, lease, now))
    if fields["seq"] > lease.seq:
        raise bad_fields([("seq", "must be that of the newest token.")])
    if fields["seq"] < lease.seq:
        lease.forked = True
        raise Refused("LeaseForked")
    refusal = license_refusal(lease.license, now)
    if refusal is not None:
        raise refusal
    if lease.recalled:
        raise Refused("LeaseLimitReached", "The vendor wants this back. Return it.")
    lease.ends_at = max(lease.ends_at, _end(lease.license, fields["days"], now))
    lease.seq, lease.renewal, lease.signed_at = lease.seq + 1, renewal, now
    return Response(200, _view(state, lease, now))


def report(state: State, request: Request) -> Response:
    """POST /leases/ID/report."""
    fields, now = read_fields(request.body, _REPORT), request.now
    lease = _find(state, request)
    hold = lease.hold
    if hold is None:
        raise Refused("LeaseNotFound")
    claims = _receipt(state, lease, fields["receipt"], "Used")
    _settle(lease, claims, fields["journal"] or [], now)
    content = {
        "leaseId": lease.id,
        "state": lease.state(now),
        "settled": hold.settled,
        "held": hold.left,
        "balance": metered(lease.license).balance,
    }
    return Response(200, content)


def give_back(state: State, request: Request) -> Response:
    """POST /leases/ID/return."""
    fields, now = read_fields(request.body, _RETURN), request.now
    lease = _find(state, request)
    claims = _receipt(state, lease, fields["receipt"], "Returned")
    is_newest = lease.renewal is not None and fields["idempotencyKey"] == lease.renewal.key
    if claims["seq"] < lease.seq and not is_newest and lease.state(now) == "Open":
        lease.forked = True
    if lease.hold is not None:
        _settle(lease, claims, fields["journal"] or [], now)
    if lease.forked:
        raise Refused("LeaseForked")
    if lease.state(now) == "Open":
        if lease.hold is not None:
            lease.hold.refunded = put_back_rest(lease, now)
        lease.ended_at, lease.returned = now, True
    return Response(200, _returned(lease, now))


def _returned(lease: Lease, now: datetime) -> dict[str, Any]:
    hold, ended_at = lease.hold, lease.ended_at or lease.ends_at
    return {
        "leaseId": lease.id,
        "state": lease.state(now),
        "endedAt": wire_time(ended_at),
        "settled": None if hold is None else hold.settled,
        "refunded": None if hold is None else hold.refunded,
        "balance": None if hold is None else metered(lease.license).balance,
    }


def _settle(lease: Lease, claims: Mapping[str, Any], journal: list[str], now: datetime) -> None:
    """Charge what is new, unless the lease is over, when nothing is."""
    spent = read_spent(claims)
    if lease.forked:
        raise Refused("LeaseForked")
    if lease.hold is not None and lease.state(now) == "Open":
        settle(lease, lease.hold, spent, journal, now)


def _proven(request: Request) -> str:
    if request.jkt is None:
        raise Refused("DeviceProofRequired")
    return request.jkt


def _read_amount(license_: License, fields: Mapping[str, Any]) -> Decimal | None:
    """How many credits are to be reserved; ``None`` if a seat is to be borrowed."""
    if fields["kind"] == "Credits":
        names = [name for name in ("sessionId", "instanceId") if fields[name] is not None]
        if names:
            raise bad_fields([(name, "is not for Credits.") for name in names])
        return read_amount(license_, fields["amount"])
    if fields["amount"] is not None:
        raise bad_fields([("amount", "is for Credits only.")])
    return None


def _require_same(
    lease: Lease, fields: Mapping[str, Any], amount: Decimal | None, now: datetime
) -> None:
    session_id = None if lease.session is None else lease.session.id
    held = None if lease.hold is None else lease.hold.amount
    asked = (fields["days"], fields["hardwareId"], amount)
    same = asked == (lease.issue_days, lease.hardware_id, held)
    same = same and fields["sessionId"] in {None, session_id}
    if not same or lease.seq > 1 or lease.state(now) != "Open":
        raise Refused("IdempotencyKeyReused")


def _end(license_: License, days: int, now: datetime) -> datetime:
    if license_.max_borrow_days == 0:
        raise Refused("LeaseLimitReached", "Nothing of this license is lent.")
    if days > license_.max_borrow_days:
        most = f"{license_.max_borrow_days} days"
        raise Refused("LeaseLimitReached", f"This license lends for {most} at most.")
    ends = [now + timedelta(days=days), license_.valid_until]
    return min(end for end in ends if end is not None).replace(microsecond=0)


def _require_free(own: list[Lease], now: datetime) -> None:
    for lease in own:
        if lease.forked and not lease.acknowledged:
            raise Refused("LeaseForked")
        if lease.state(now) == "Open":
            until = f"{lease.ends_at:%Y-%m-%d %H:%M} UTC"
            raise Refused("LeaseLimitReached", f"This device has a lease until {until}.")


def _require_seats(license_: License, now: datetime) -> None:
    most = license_.max_borrowed_seats
    if most is not None and sum(lease.is_held(now) for lease in license_.leases) >= most:
        raise Refused("LeaseLimitReached", f"{most} seats of this license are borrowed already.")


def _session(state: State, license_: License, fields: Mapping[str, Any], now: datetime) -> Session:
    """The live session whose seat is borrowed, or a new one."""
    if fields["sessionId"] is None:
        return claim_session(state, license_, fields, now)
    session = state.sessions.get(fields["sessionId"].lower())
    is_own = session is not None and session.hardware_id == fields["hardwareId"]
    if session is None or not is_own or session.license is not license_ or session.lease:
        raise Refused("SessionNotFound")
    if not is_live(session, now):
        raise Refused("SessionNotFound")
    return session


def _find(state: State, request: Request) -> Lease:
    jkt, lease_id = _proven(request), request.path.split("/")[2]
    for license_ in state.licenses.values():
        for lease in license_.leases:
            if (lease.id, lease.jkt) == (lease_id, jkt):
                return lease
    raise Refused("LeaseNotFound")


def _receipt(state: State, lease: Lease, receipt: str, kind: str) -> dict[str, Any]:
    """The claims of a receipt for this lease. Like proofs, its signature is not verified."""
    try:
        header, claims = (read_object(decode_segment(part)) for part in split_token(receipt, 3)[:2])
        fits = header["typ"] == "receipt+jwt" and thumbprint(header["jwk"]) == lease.jkt
    except (RejectedTokenError, KeyError, TypeError):
        fits, claims = False, {}
    expected = {"aud": state.product.id, "lease": lease.id, "kind": kind}
    seq = optional_int(claims.get("seq")) or 0
    if not fits or not expected.items() <= claims.items() or seq not in range(1, lease.seq + 1):
        raise bad_fields([("receipt", "is not one of this lease by the key of this device.")])
    return claims


def _view(state: State, lease: Lease, now: datetime) -> dict[str, Any]:
    hold, session = lease.hold, lease.session
    used, total = (None, None) if session is None else session_seats(lease.license, now)
    return {
        "leaseId": lease.id,
        "kind": "Seat" if hold is None else "Credits",
        "seq": lease.seq,
        "lease": state.keys.sign("lease+jwt", _claims(state, lease)),
        "quantity": 1 if hold is None else hold.amount,
        "issuedAt": wire_time(lease.issued_at),
        "endsAt": wire_time(lease.ends_at),
        "sessionId": None if session is None else session.id,
        "seatsUsed": used,
        "seatsTotal": total,
        "balance": None if hold is None else metered(lease.license).balance,
        "serverTime": wire_time(now),
    }


def _claims(state: State, lease: Lease) -> dict[str, Any]:
    license_, hold = lease.license, lease.hold
    lent = {"quantity": 1} if hold is None else credit_claims(lease, hold)
    return {
        "iss": "licet",
        "jti": lease.id,
        "aud": state.product.id,
        "sub": license_.id,
        "seq": lease.seq,
        "iat": int(lease.signed_at.timestamp()),
        "nbf": int((lease.signed_at - NOT_BEFORE).timestamp()),
        "exp": int(lease.ends_at.timestamp()),
        "cnf": {"jkt": lease.jkt},
        "kind": "Seat" if hold is None else "Credits",
        **lent,
        "hardwareId": lease.hardware_id,
        "licenseKeyHash": lease.key_hash,
        "license": {"id": license_.id, **terms_view(license_, lease.signed_at)},
    }

"""The offline desk: requests of devices without a network, their answers and releases."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from licet._code_letters import write_code
from licet._keys import key_hash, normal_form
from licet._offline_answer import VERSION, Holder
from licet.errors import ConfigurationError
from licet.testing._devices import activate_device, delete_device, register_device
from licet.testing._fields import optional, read_fields, string
from licet.testing._messages import Request, Response, wire_time
from licet.testing._offline_tokens import Asked, read_release_code, read_request
from licet.testing._problems import Refused, bad_fields
from licet.testing._rules import device_seats, is_blocked, license_refusal
from licet.testing._state import License, OfflineRow, State, new_id
from licet.testing._validation import file_claims

LIFETIME = timedelta(days=30)
REQUESTS = "/offline/requests"
ANSWER = "/offline/requests/answer"
_ASK = {"request": string(4096, min_length=1), "licenseKey": optional(string(300))}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def preview(state: State, request: Request) -> Response:
    """POST /offline/requests."""
    fields = read_fields(request.body, _ASK)
    asked = read_request(fields["request"].strip(), state.product.id)
    needs_key = asked.key_hash is None and fields["licenseKey"] is None
    license_ = None if needs_key else _find(state, asked.key_hash, fields["licenseKey"])
    row = None if license_ is None else license_.offline.get(asked.jkt)
    is_known = row is not None and (row.nonce, row.seq) == (asked.nonce, asked.seq)
    used, total = (None, None) if license_ is None else device_seats(license_)
    content = {
        "kind": asked.kind,
        "productName": state.product.name,
        "licenseName": None if license_ is None else license_.name,
        "deviceName": asked.device_name,
        "hardwareIdEnding": asked.hardware_id[-6:],
        "seatsUsed": used,
        "seatsTotal": total,
        "approval": license_ is not None and license_.offline_activation == "Approval",
        "state": row.state if row is not None and is_known else "New",
        "reason": row.reason if row is not None and is_known else None,
        "needsLicenseKey": needs_key,
        "endsAt": wire_time(row.ends_at) if row is not None and is_known else None,
    }
    return Response(200, content)


def answer(state: State, request: Request) -> Response:
    """POST /offline/requests/answer."""
    fields, now = read_fields(request.body, _ASK), request.now
    text, key = fields["request"].strip(), fields["licenseKey"]
    if "." not in text:
        if key is None:
            raise bad_fields([("licenseKey", "is missing: a release code needs it.")])
        return Response(200, release_by_code(_find(state, None, key), text, state))
    asked = read_request(text, state.product.id)
    if asked.key_hash is None and key is None:
        raise bad_fields([("licenseKey", "is missing: the request does not name the license.")])
    license_ = _find(state, asked.key_hash, key)
    row = decide(state, license_, asked, now, by_vendor=False)
    return Response(202 if row.state == "Waiting" else 200, answer_view(row))


def answer_view(row: OfflineRow) -> dict[str, Any]:
    """The answer of a request."""
    file = row.file if row.state == "Answered" else None
    return {
        "state": row.state,
        "file": None if file is None else b64encode(file.encode()).decode(),
        "fileName": None if file is None else "license.bin",
        "code": None if file is None else row.code,
        "endsAt": None if file is None else wire_time(row.ends_at),
    }


def release_by_code(license_: License, text: str, state: State) -> dict[str, Any]:
    """Free the seat of the device that has signed a release code.

    Raises:
        Refused: ``InvalidRequest``; ``OfflineRequestOutdated`` for an older one.
    """
    for row in license_.offline.values():
        holder = Holder(state.product.id, license_.normal_key, row.hardware_id, row.jkt)
        seq = read_release_code(text, row, holder)
        if seq is None:
            continue
        if seq < row.seq or (seq == row.seq and row.state != "Released"):
            raise Refused("OfflineRequestOutdated")
        _release(license_, row)
        row.seq = seq
        return answer_view(row)
    raise bad_fields([("request", "is not a release code of a device of this license.")])


def decide(
    state: State, license_: License, asked: Asked, now: datetime, *, by_vendor: bool
) -> OfflineRow:
    """Answer a request as the license says, or as it was answered before.

    Raises:
        Refused: It is not answered.
    """
    row = license_.offline.get(asked.jkt)
    if row is not None and (row.nonce, row.seq) == (asked.nonce, asked.seq):
        if row.state == "Rejected" and not by_vendor:
            raise Refused("OfflineActivationNotAllowed", row.reason)
        if row.state in {"Answered", "Released"} or not by_vendor:
            return row
    elif row is not None and _was_released_by_code(row, asked):
        return row
    elif row is not None and asked.seq <= row.seq:
        raise Refused("OfflineRequestOutdated")
    if asked.kind == "Release":
        return _released(license_, asked, row)
    _require_allowed(license_, now, by_vendor=by_vendor)
    made = _row(asked)
    if license_.offline_activation == "Approval" and not by_vendor:
        license_.offline[asked.jkt] = made
        return made
    _take_place(state, license_, asked, now)
    made.file, made.file_id, made.ends_at = _file(state, license_, asked, now)
    made.code = _code(state, license_, asked, made.ends_at)
    made.state = "Answered"
    license_.offline[asked.jkt] = made
    return made


def reject(license_: License, asked: Asked, reason: str | None) -> None:
    """Answer a request with no."""
    row = _row(asked)
    row.state, row.reason = "Rejected", reason
    license_.offline[asked.jkt] = row


def base_file(state: State, license_: License, now: datetime) -> str:
    """The file that is a license with a typed code."""
    claims = file_claims(state, license_, None, now)
    claims.pop("exp", None)
    claims["codeKey"] = state.keys.code_key.jwk
    return state.keys.sign("license-base+jwt", claims)


def _find(state: State, hashed: str | None, key: str | None) -> License:
    """The license of a request by its key, or by the hash of its key.

    Raises:
        Refused: ``LicenseNotFound``.
    """
    if key is not None:
        try:
            given = key_hash(normal_form(key))
        except ConfigurationError as error:
            raise Refused("LicenseNotFound") from error
        if hashed is not None and given != hashed:
            raise Refused("LicenseNotFound")
        hashed = given
    for license_ in state.licenses.values():
        if key_hash(license_.normal_key) == hashed:
            license_.drop_lapsed(state.now)
            return license_
    raise Refused("LicenseNotFound")


def _was_released_by_code(row: OfflineRow, asked: Asked) -> bool:
    """Whether this is the release whose code, which has no nonce, was typed before."""
    return row.state == "Released" and asked.kind == "Release" and asked.seq == row.seq


def _row(asked: Asked) -> OfflineRow:
    return OfflineRow(
        jkt=asked.jkt,
        jwk=asked.jwk,
        hardware_id=asked.hardware_id,
        kind=asked.kind,
        nonce=asked.nonce,
        seq=asked.seq,
        base=asked.base,
    )


def _require_allowed(license_: License, now: datetime, *, by_vendor: bool) -> None:
    if not by_vendor and (license_.offline_activation == "Off" or license_.username is not None):
        raise Refused("OfflineActivationNotAllowed")
    refusal = license_refusal(license_, now)
    if refusal is not None:
        raise refusal


def _take_place(state: State, license_: License, asked: Asked, now: datetime) -> None:
    """Give the device its seat, its binding or its row."""
    known = license_.devices.get(asked.hardware_id)
    if is_blocked(license_, asked.hardware_id):
        raise Refused("DeviceBlocked")
    if asked.kind == "Refresh" and (known is None or known.released):
        raise Refused("ActivationNotFound")
    if known is not None and known.key is not None and known.key.jkt != asked.jkt:
        raise Refused("HardwareMismatch")
    fields: Mapping[str, Any] = {
        "hardwareId": asked.hardware_id,
        "deviceName": asked.device_name,
        "appVersion": asked.app_version,
        "jkt": asked.jkt,
    }
    if license_.traits.claim is None:
        register_device(license_, fields, now, seat=True)
        return
    status, _ = activate_device(state, license_, fields, now)
    if status == 202:
        raise Refused("PendingApproval")


def _file(
    state: State, license_: License, asked: Asked, now: datetime
) -> tuple[str, str, datetime]:
    claims = file_claims(state, license_, asked.hardware_id, now)
    lifetime = state.product.file_lifetime or LIFETIME
    ends_at = min(end for end in (now + lifetime, license_.valid_until) if end is not None)
    file_id = new_id(now)
    claims |= {
        "jti": file_id,
        "exp": int(ends_at.timestamp()),
        "cnf": {"jkt": asked.jkt},
        "request": {"nonce": asked.nonce, "seq": asked.seq},
    }
    device = license_.devices[asked.hardware_id]
    if license_.file_takes_seat:
        device.file_ends_at = max(ends_at, device.file_ends_at or ends_at)
    return state.keys.sign("license+jwt", claims), file_id, ends_at


def _code(state: State, license_: License, asked: Asked, ends_at: datetime) -> str | None:
    if asked.base is None:
        return None
    day = (ends_at - _EPOCH).days
    holder = Holder(state.product.id, license_.normal_key, asked.hardware_id, asked.jkt)
    signature = state.keys.code_key.sign_lines(holder.answer_lines(asked.nonce, asked.base, day))
    return write_code(bytes([VERSION]) + day.to_bytes(3) + signature)


def _released(license_: License, asked: Asked, row: OfflineRow | None) -> OfflineRow:
    if row is None:
        raise Refused("ActivationNotFound")
    row.kind, row.nonce, row.seq = asked.kind, asked.nonce, asked.seq
    _release(license_, row)
    return row


def _release(license_: License, row: OfflineRow) -> None:
    """Free the seat of a device at once."""
    row.state = "Released"
    device = license_.devices.get(row.hardware_id)
    if device is not None and device.key is not None and device.key.jkt == row.jkt:
        delete_device(license_, device)

"""Enrollment keys, tokens of devices, and devices that applications release."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote
from uuid import UUID

from client_scenarios.requests import (
    HERE,
    THERE,
    UNKNOWN_KEY,
    activate,
    statuses,
)
from client_scenarios.shapes import (
    ACTIVATION,
    a_text,
    a_time,
    an_id,
    has_shape,
    is_refused,
    maybe,
    one_of,
)
from client_scenarios.target import ApiResponse, License, Vendor
from client_scenarios.verdicts import file_claims

DEVICE = {
    "id": an_id,
    "deviceName": maybe(a_text),
    "os": maybe(a_text),
    "lastSeenAt": a_time,
    "seatFreeAt": maybe(a_time),
}


def enroll(vendor: Vendor, key: str, hardware_id: str = HERE) -> ApiResponse:
    body = {"enrollmentKey": key, "hardwareId": hardware_id, "deviceName": "Desk 4"}
    return vendor.call("POST", "/activations/enroll", body)


def status_with(vendor: Vendor, token: str, **fields: Any) -> str:
    body = {"licenseKey": token, **fields}
    return str(vendor.call("POST", "/licenses/validate", body).content["status"])


def list_devices(vendor: Vendor, license_key: str, hardware_id: str) -> ApiResponse:
    query = f"licenseKey={quote(license_key)}&hardwareId={hardware_id}"
    return vendor.call("GET", f"/activations?{query}")


def release(vendor: Vendor, license_: License, hardware_id: str, activation: str) -> ApiResponse:
    body = {"licenseKey": license_.key, "hardwareId": hardware_id}
    return vendor.call("POST", f"/activations/{activation}/release", body)


def check_an_enrollment_takes_a_seat_and_gives_a_token(vendor: Vendor) -> None:
    license_ = vendor.issue("Concurrent", seats=1)
    key = license_.enrollment_key(max_devices=1)
    made = enroll(vendor, key)
    assert made.status == 201, made
    has_shape(made.content, {**ACTIVATION, "status": "Active", "deviceToken": a_text})
    again = enroll(vendor, key)
    assert (again.status, again.content["activationId"]) == (200, made.content["activationId"])
    first, second = made.content["deviceToken"], again.content["deviceToken"]
    assert first != second
    assert first.startswith("dt_")
    for token in (first, second):
        assert status_with(vendor, token, hardwareId=HERE) == "Valid"
    body = {"licenseKey": second, "hardwareId": HERE}
    refreshed = vendor.call("POST", "/licenses/refresh", body)
    claims = file_claims(refreshed.content["file"])
    assert "key" not in claims["license"]
    assert claims["hardwareIds"] == [HERE]
    assert vendor.call("DELETE", "/activations/current", body).status == 204
    assert not license_.devices
    assert status_with(vendor, second, hardwareId=HERE) == "LicenseNotFound"


def check_a_token_works_on_its_device_alone(vendor: Vendor) -> None:
    license_ = vendor.issue("Concurrent", seats=2)
    token = enroll(vendor, license_.enrollment_key()).content["deviceToken"]
    assert activate(vendor, license_, THERE).status == 201
    assert status_with(vendor, token, hardwareId=THERE) == "LicenseNotFound"
    assert status_with(vendor, token) == "LicenseNotFound"
    forged = token[:-1] + ("0" if token[-1] != "0" else "1")
    assert status_with(vendor, forged, hardwareId=HERE) == "LicenseNotFound"
    body = {"licenseKey": token, "hardwareId": THERE}
    is_refused(vendor.call("POST", "/activations", body), 404, "LicenseNotFound")


def check_an_enrollment_that_is_refused(vendor: Vendor) -> None:
    license_ = vendor.issue("Concurrent", seats=1)
    unknown = enroll(vendor, "licet_ek_unknown-0123456789")
    is_refused(unknown, 401, "EnrollmentKeyInvalid")
    key = license_.enrollment_key()
    assert enroll(vendor, key).status == 201
    full = enroll(vendor, key, THERE)
    is_refused(full, 409, "MaxActivationsReached", seatsUsed=1, seatsTotal=1, canRelease=False)
    license_.suspend()
    is_refused(enroll(vendor, key), 400, "LicenseInvalid")


def check_an_enrollment_key_for_some_devices(vendor: Vendor) -> None:
    license_ = vendor.issue("Concurrent", seats=3)
    key = license_.enrollment_key(max_devices=1)
    assert enroll(vendor, key).status == 201
    is_refused(enroll(vendor, key, THERE), 401, "EnrollmentKeyInvalid")
    assert statuses(license_) == {HERE: "Active"}


def check_an_application_releases_a_device(vendor: Vendor) -> None:
    vendor = vendor.with_app_releases(1)
    license_ = vendor.issue("Concurrent", seats=1)
    made = activate(vendor, license_, HERE, deviceName="Laptop").content["activationId"]
    is_refused(list_devices(vendor, license_.key, THERE), 409, "Conflict")
    is_refused(release(vendor, license_, THERE, made), 409, "Conflict")
    full = activate(vendor, license_, THERE)
    is_refused(full, 409, "MaxActivationsReached", seatsUsed=1, seatsTotal=1, canRelease=True)
    listed = list_devices(vendor, license_.key, THERE)
    has_shape(listed.content, {"items": lambda value: len(value) == 1, "releasesLeft": 1})
    [item] = listed.content["items"]
    has_shape(item, {**DEVICE, "deviceName": "Laptop", "current": one_of(False)})
    assert item["id"] == made
    unknown = str(UUID(int=UUID(made).int ^ 1))
    is_refused(release(vendor, license_, THERE, unknown), 404, "ActivationNotFound")
    released = release(vendor, license_, THERE, made)
    assert released.status == 200, released
    has_shape(released.content, {**DEVICE, "seatFreeAt": one_of(None), "releasesLeft": 0})
    assert activate(vendor, license_, THERE).status == 201
    assert statuses(license_) == {THERE: "Active"}
    again = activate(vendor, license_, HERE)
    is_refused(again, 409, "MaxActivationsReached", seatsUsed=1, seatsTotal=1, canRelease=False)


def check_applications_release_nothing_by_default(vendor: Vendor) -> None:
    license_ = vendor.issue("Concurrent", seats=1)
    made = activate(vendor, license_).content["activationId"]
    assert activate(vendor, license_, THERE).status == 409
    is_refused(list_devices(vendor, license_.key, THERE), 409, "Conflict")
    is_refused(release(vendor, license_, THERE, made), 409, "Conflict")
    is_refused(list_devices(vendor, UNKNOWN_KEY, HERE), 404, "LicenseNotFound")

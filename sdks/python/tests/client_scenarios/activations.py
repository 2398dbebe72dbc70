"""Activations: activate, deactivate, block and device caps."""

from __future__ import annotations

from typing import Any

from client_scenarios.requests import (
    ELSEWHERE,
    HERE,
    THERE,
    UNKNOWN_KEY,
    activate,
    connect,
    connected,
    deactivate,
    device,
    disconnect,
    heartbeat,
    refresh,
    status_of,
    statuses,
)
from client_scenarios.shapes import ACTIVATION, a_time, has_shape, is_refused
from client_scenarios.target import Vendor
from client_scenarios.verdicts import EVERY_MODEL


def check_every_model_is_activated(vendor: Vendor) -> None:
    for model, terms in EVERY_MODEL.items():
        license_ = vendor.issue(model, **terms)
        total = {"Concurrent": 3, "NodeLocked": 1}.get(model)
        seats = {"seatsUsed": 1, "seatsTotal": total, "status": "Active", "activatedAt": a_time}
        made = activate(vendor, license_)
        assert made.status == 201, model
        has_shape(made.content, {**ACTIVATION, **seats})
        again = activate(vendor, license_)
        assert (again.status, again.content) == (200, made.content)
        assert statuses(license_) == {HERE: "Active"}
        if total != 1:
            more = activate(vendor, license_, THERE)
            assert (more.status, more.content["seatsUsed"]) == (201, 2), model


def check_device_details_are_stored(vendor: Vendor) -> None:
    license_ = vendor.issue("Concurrent", seats=1)
    said: dict[str, Any] = {
        "deviceName": "Desk 4",
        "os": "Linux",
        "appVersion": "2.0.0",
        "metadata": {"a": "b"},
    }
    assert activate(vendor, license_, **said).status == 201
    assert device(license_).hardware_id == HERE


def check_a_device_cap_is_enforced(vendor: Vendor) -> None:
    license_ = vendor.issue("Concurrent", seats=2)
    assert activate(vendor, license_, HERE).content["seatsUsed"] == 1
    assert activate(vendor, license_, THERE).content["seatsUsed"] == 2
    full = activate(vendor, license_, ELSEWHERE)
    is_refused(full, 409, "MaxActivationsReached", seatsUsed=2, seatsTotal=2, canRelease=False)
    assert activate(vendor, license_, HERE).status == 200, "a holder is never turned away"
    assert deactivate(vendor, license_, THERE).status == 204
    assert activate(vendor, license_, ELSEWHERE).status == 201
    assert statuses(license_) == {HERE: "Active", ELSEWHERE: "Active"}


def check_a_lower_device_cap_takes_the_newest_seats(vendor: Vendor) -> None:
    license_ = vendor.issue("Concurrent", seats=3)
    for machine in (HERE, THERE):
        assert activate(vendor, license_, machine).status == 201
    license_.seats = 1
    again = activate(vendor, license_, HERE)
    assert (again.status, again.content["seatsUsed"], again.content["seatsTotal"]) == (200, 1, 1)
    assert status_of(vendor, license_, hardwareId=THERE) == "ActivationRequired"
    for machine in (THERE, ELSEWHERE):
        full = activate(vendor, license_, machine)
        is_refused(full, 409, "MaxActivationsReached", seatsUsed=1, seatsTotal=1, canRelease=False)
    license_.seats = 3
    assert status_of(vendor, license_, hardwareId=THERE) == "Valid"
    assert activate(vendor, license_, ELSEWHERE).status == 201


def check_deactivation(vendor: Vendor) -> None:
    license_ = vendor.issue("Concurrent", seats=1)
    is_refused(deactivate(vendor, license_), 404, "ActivationNotFound")
    assert activate(vendor, license_).status == 201
    response = deactivate(vendor, license_)
    assert (response.status, response.content) == (204, None)
    is_refused(deactivate(vendor, license_), 404, "ActivationNotFound")
    assert not license_.devices
    body = {"licenseKey": UNKNOWN_KEY, "hardwareId": HERE}
    is_refused(vendor.call("DELETE", "/activations/current", body), 404, "LicenseNotFound")


def check_seats_of_a_revoked_license_can_be_released(vendor: Vendor) -> None:
    license_ = vendor.issue("Concurrent", seats=1)
    assert activate(vendor, license_).status == 201
    session = connected(vendor, license_)
    license_.revoke()
    assert not license_.sessions
    is_refused(disconnect(vendor, session["sessionId"]), 400, "LicenseInvalid")
    assert deactivate(vendor, license_).status == 204
    assert not license_.devices


def check_deactivation_by_query_string(vendor: Vendor) -> None:
    license_ = vendor.issue("Concurrent", seats=1)
    assert activate(vendor, license_).status == 201
    path = f"/activations/current?licenseKey={license_.key}&hardwareId={HERE}"
    assert vendor.call("DELETE", path).status == 204
    assert not license_.devices


def check_an_operator_releases_a_seat(vendor: Vendor) -> None:
    license_ = vendor.issue("Concurrent", seats=1)
    assert activate(vendor, license_).status == 201
    device(license_).deactivate()
    assert not license_.devices
    assert activate(vendor, license_, THERE).status == 201
    is_refused(deactivate(vendor, license_), 404, "ActivationNotFound")


def check_a_blocked_device_keeps_its_seat(vendor: Vendor) -> None:
    license_ = vendor.issue("Concurrent", seats=1)
    assert activate(vendor, license_).status == 201
    device(license_).block()
    assert statuses(license_) == {HERE: "Blocked"}
    is_refused(activate(vendor, license_), 403, "DeviceBlocked")
    is_refused(deactivate(vendor, license_), 403, "DeviceBlocked")
    is_refused(connect(vendor, license_), 403, "DeviceBlocked")
    is_refused(refresh(vendor, license_, hardwareId=HERE), 403, "DeviceBlocked")
    assert status_of(vendor, license_, hardwareId=HERE) == "DeviceBlocked"
    full = activate(vendor, license_, THERE)
    is_refused(full, 409, "MaxActivationsReached", seatsUsed=1, seatsTotal=1, canRelease=False)
    device(license_).unblock()
    again = activate(vendor, license_)
    assert (again.status, again.content["seatsUsed"]) == (200, 1)


def check_the_license_is_checked_first(vendor: Vendor) -> None:
    license_ = vendor.issue("Concurrent", seats=1)
    assert activate(vendor, license_).status == 201
    device(license_).block()
    license_.suspend()
    for machine in (HERE, THERE):
        is_refused(activate(vendor, license_, machine), 400, "LicenseInvalid")
    license_.reinstate()
    is_refused(activate(vendor, license_), 403, "DeviceBlocked")
    license_.revoke()
    is_refused(activate(vendor, license_), 400, "LicenseInvalid")


def check_a_refresh_requires_activation(vendor: Vendor) -> None:
    license_ = vendor.issue("Concurrent", seats=1)
    is_refused(refresh(vendor, license_, hardwareId=HERE), 403, "ActivationRequired")
    response = refresh(vendor, license_)
    is_refused(response, 400, "InvalidRequest")
    assert [error["field"] for error in response.content["errors"]] == ["hardwareId"]
    assert activate(vendor, license_).status == 201
    assert refresh(vendor, license_, hardwareId=HERE).status == 200
    is_refused(refresh(vendor, license_, hardwareId=THERE), 403, "ActivationRequired")


def check_deactivation_ends_sessions(vendor: Vendor) -> None:
    license_ = vendor.issue("Concurrent", seats=2)
    assert activate(vendor, license_).status == 201
    session = connected(vendor, license_)
    assert deactivate(vendor, license_).status == 204
    is_refused(heartbeat(vendor, session["sessionId"]), 404, "SessionNotFound")
    is_refused(connect(vendor, license_), 403, "ActivationRequired")

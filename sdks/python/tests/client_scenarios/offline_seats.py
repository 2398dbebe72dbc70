"""Concurrent licenses for offline use: a license file is for one device and takes a seat."""

from __future__ import annotations

from datetime import timedelta

from client_scenarios.requests import (
    ELSEWHERE,
    HERE,
    THERE,
    activate,
    connected,
    deactivate,
    device,
    refresh,
    status_of,
    validate,
)
from client_scenarios.shapes import a_count, is_refused, names_fields
from client_scenarios.target import Vendor
from client_scenarios.verdicts import SEATS, file_claims

MONTH = timedelta(days=30).total_seconds()


def check_a_file_for_a_device_takes_a_seat(vendor: Vendor) -> None:
    license_ = vendor.issue("Concurrent", seats=2, activation_mode="Offline")
    names_fields(refresh(vendor, license_), "hardwareId")
    claims = file_claims(license_.file(HERE))
    assert claims["hardwareIds"] == [HERE]
    assert claims["exp"] == claims["iat"] + MONTH
    assert status_of(vendor, license_, hardwareId=HERE) == "Valid"
    assert refresh(vendor, license_, hardwareId=THERE).status == 200
    full = refresh(vendor, license_, hardwareId=ELSEWHERE)
    is_refused(full, 409, "MaxActivationsReached", seatsUsed=2, seatsTotal=2, canRelease=False)
    assert refresh(vendor, license_, hardwareId=HERE).status == 200
    seat = validate(vendor, license_, hardwareId=ELSEWHERE)["seat"]
    assert seat == {"kind": "Device", "held": False, "used": 2, "total": 2}


def check_a_released_device_keeps_its_seat_until_its_file_ends(vendor: Vendor) -> None:
    license_ = vendor.issue("Concurrent", seats=1, activation_mode="Offline")
    assert refresh(vendor, license_, hardwareId=HERE).status == 200
    assert deactivate(vendor, license_, HERE).status == 204
    is_refused(deactivate(vendor, license_, HERE), 404, "ActivationNotFound")
    released = device(license_, HERE)
    assert released.seat_free_at is not None
    assert status_of(vendor, license_, hardwareId=HERE) == "ActivationRequired"
    full = activate(vendor, license_, THERE)
    is_refused(full, 409, "MaxActivationsReached", seatsUsed=1, seatsTotal=1, canRelease=False)
    released.deactivate(force=True)
    assert activate(vendor, license_, THERE).status == 201


def check_a_released_device_may_return_to_its_seat(vendor: Vendor) -> None:
    license_ = vendor.issue("Concurrent", seats=1, activation_mode="Offline")
    assert refresh(vendor, license_, hardwareId=HERE).status == 200
    assert deactivate(vendor, license_, HERE).status == 204
    again = activate(vendor, license_, HERE)
    assert again.content["seatsUsed"] == 1
    assert status_of(vendor, license_, hardwareId=HERE) == "Valid"
    assert device(license_, HERE).seat_free_at is None


def check_the_file_of_an_online_license_takes_no_seat(vendor: Vendor) -> None:
    license_ = vendor.issue("Concurrent", seats=1)
    is_refused(refresh(vendor, license_, hardwareId=HERE), 403, "ActivationRequired")
    assert activate(vendor, license_).status == 201
    file = refresh(vendor, license_, hardwareId=HERE).content["file"]
    assert file_claims(file)["hardwareIds"] == [HERE]
    assert deactivate(vendor, license_).status == 204
    assert not license_.devices


def check_a_validation_requires_a_seat(vendor: Vendor) -> None:
    license_ = vendor.issue("Concurrent", seats=3)
    for fields in ({}, {"hardwareId": HERE}):
        assert status_of(vendor, license_, **fields) == "ActivationRequired"
    assert activate(vendor, license_).status == 201
    verdict = validate(vendor, license_, hardwareId=HERE)
    assert (verdict["status"], verdict["seat"]) == ("Valid", SEATS["Concurrent"])
    assert status_of(vendor, license_, hardwareId=THERE) == "ActivationRequired"
    assert status_of(vendor, license_) == "ActivationRequired"


def check_a_verdict_knows_the_session(vendor: Vendor) -> None:
    license_ = vendor.issue("Floating", seats=3)
    session = connected(vendor, license_)["sessionId"]
    for named, held in ((session, True), (license_.id, False), (None, None)):
        fields = {} if named is None else {"sessionId": named}
        seat = validate(vendor, license_, hardwareId=HERE, **fields)["seat"]
        assert seat == {"kind": "Session", "held": held, "used": 1, "total": 3}
    assert a_count(validate(vendor, license_)["seat"]["used"])

"""Telemetry on the wire."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from client_scenarios.requests import HERE, THERE, UNKNOWN_KEY, activate, device
from client_scenarios.shapes import is_refused, names_fields
from client_scenarios.target import ApiResponse, Vendor
from licet._clock import system_clock


def event(vendor: Vendor, *, age: timedelta = timedelta(0), **fields: Any) -> dict[str, Any]:
    clock = vendor.target.clock or system_clock
    moment = clock() - age
    return {"name": "start", "occurredAt": moment.isoformat(), **fields}


def send(vendor: Vendor, *events: Any, **fields: Any) -> ApiResponse:
    return vendor.call("POST", "/telemetry", {"events": list(events), **fields})


def check_events_are_accepted(vendor: Vendor) -> None:
    properties = {"format": "pdf", "pages": 12, "scale": 0.5, "signed": True}
    response = send(vendor, event(vendor, properties=properties), event(vendor, properties=None))
    assert (response.status, response.content) == (202, {"accepted": 2})
    license_ = vendor.issue("Perpetual")
    named = {"licenseKey": license_.key, "hardwareId": HERE, "color": "red"}
    response = send(vendor, event(vendor, color="red"), **named)
    assert (response.status, response.content) == (202, {"accepted": 1})


def check_implausible_times_are_omitted(vendor: Vendor) -> None:
    events = [
        event(vendor, age=timedelta(days=29, hours=23)),
        event(vendor, age=timedelta(days=30, hours=1)),
        event(vendor, age=-timedelta(hours=23)),
        event(vendor, age=-timedelta(hours=25)),
    ]
    response = send(vendor, *events)
    assert (response.status, response.content) == (202, {"accepted": 2})


def check_bad_events_are_named(vendor: Vendor) -> None:
    good = event(vendor)
    changes: list[tuple[dict[str, Any], str]] = [
        ({"name": ""}, "name"),
        ({"name": "  "}, "name"),
        ({"name": "x" * 101}, "name"),
        ({"name": None}, "name"),
        ({"occurredAt": "2030-01-01T00:00:00"}, "occurredAt"),
        ({"occurredAt": "yesterday"}, "occurredAt"),
        ({"occurredAt": 5}, "occurredAt"),
        ({"properties": [1]}, "properties"),
        ({"properties": {"a": {}}}, "properties"),
        ({"properties": {"a": None}}, "properties"),
        ({"properties": {"a": "x" * 501}}, "properties"),
        ({"properties": {"a": 10**18}}, "properties"),
        ({"properties": {"": 1}}, "properties"),
        ({"properties": {"x" * 51: 1}}, "properties"),
        ({"properties": {str(n): n for n in range(21)}}, "properties"),
    ]
    for change, where in changes:
        names_fields(send(vendor, good, {**good, **change}), f"events[1].{where}")


def check_unknown_licenses_and_blocked_devices_are_refused(vendor: Vendor) -> None:
    sample = event(vendor)
    is_refused(send(vendor, sample, licenseKey=UNKNOWN_KEY), 404, "LicenseNotFound")
    license_ = vendor.issue("Concurrent", seats=2)
    activate(vendor, license_, HERE)
    device(license_, HERE).block()
    named = {"licenseKey": license_.key, "hardwareId": HERE}
    is_refused(send(vendor, sample, **named), 403, "DeviceBlocked")
    assert send(vendor, sample, **{**named, "hardwareId": THERE}).status == 202


def check_events_of_inactive_licenses_are_accepted(vendor: Vendor) -> None:
    license_ = vendor.issue("Perpetual")
    license_.revoke()
    assert send(vendor, event(vendor), licenseKey=license_.key).status == 202

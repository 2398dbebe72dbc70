"""Validation of keys, bodies and paths by every runtime route."""

from __future__ import annotations

from typing import Any

from client_scenarios.requests import HERE, connected
from client_scenarios.shapes import is_refused, names_fields
from client_scenarios.target import Vendor

LICENSE = {"licenseKey": "some-license-key"}
DEVICE = {**LICENSE, "hardwareId": HERE}
CHARGE = {**LICENSE, "featureName": "export"}
EVENTS = {"events": [{"name": "start", "occurredAt": "2020-01-01T00:00:00Z"}]}
SESSION = {"sessionId": "01920000-0000-7000-8000-000000000001"}
ROUTES: list[tuple[str, str, dict[str, Any]]] = [
    ("POST", "/licenses/validate", LICENSE),
    ("POST", "/licenses/refresh", LICENSE),
    ("POST", "/activations", DEVICE),
    ("DELETE", "/activations/current", DEVICE),
    ("POST", "/sessions/connect", DEVICE),
    ("POST", "/sessions/heartbeat", SESSION),
    ("POST", "/sessions/disconnect", SESSION),
    ("POST", "/meter/consume", CHARGE),
    ("POST", "/telemetry", EVENTS),
]
WRONG: dict[str, list[Any]] = {
    "licenseKey": [None, "", 5, "x" * 301, "a\0b"],
    "hardwareId": [None, "", "  ", ["x"], "x" * 257, "a\0b"],
    "sessionId": [None, "", 5, "not-a-uuid"],
    "events": [None, [], {}, "x", 5, EVENTS["events"] * 101],
    "featureName": [None, "", "  ", 5, "x" * 129, "a\0b"],
}
MANY = {str(number): "x" for number in range(51)}
OPTIONAL: list[tuple[str, str, list[Any]]] = [
    ("/licenses/validate", "hardwareId", ["", " ", 5, "x" * 257]),
    ("/licenses/validate", "appVersion", [5, "x" * 257]),
    ("/licenses/validate", "deviceName", [5, "x" * 257]),
    ("/licenses/validate", "nonce", [5, "x" * 257]),
    ("/licenses/validate", "username", [5]),
    ("/licenses/validate", "password", [{}]),
    ("/licenses/validate", "signed", ["yes", 1]),
    ("/licenses/validate", "sessionId", [5, "not-a-uuid"]),
    ("/licenses/refresh", "hardwareId", ["", "x" * 257]),
    ("/licenses/refresh", "protected", ["no"]),
    ("/activations", "deviceName", [5, "x" * 257]),
    ("/activations", "os", [5]),
    ("/activations", "username", [5]),
    ("/activations", "password", [{}]),
    ("/activations", "appVersion", [5]),
    ("/activations", "metadata", [5, ["a"], {"a": "x" * 501}, {"": "x"}, MANY]),
    ("/sessions/connect", "instanceId", [5, "", "x" * 129]),
    ("/sessions/connect", "deviceName", [5]),
    ("/sessions/connect", "appVersion", [5]),
    ("/telemetry", "licenseKey", [5, "", "x" * 301]),
    ("/telemetry", "hardwareId", [5, "", "  ", "x" * 257]),
]


def check_a_wrong_product_key_is_refused(vendor: Vendor) -> None:
    for method, path, body in ROUTES:
        for key in ("", "pk_no_such_key"):
            response = vendor.call(method, path, body, headers={"X-API-KEY": key})
            is_refused(response, 401, "Unauthorized")
            assert "www-authenticate" in response.headers
        unread = vendor.call(method, path, {}, headers={"X-API-KEY": "pk_no_such_key"})
        is_refused(unread, 401, "Unauthorized")


def check_required_fields_are_named(vendor: Vendor) -> None:
    for method, path, body in ROUTES:
        names_fields(vendor.call(method, path, {}), *body)
        for field in body:
            for value in WRONG[field]:
                names_fields(vendor.call(method, path, {**body, field: value}), field)


def check_optional_fields_are_named(vendor: Vendor) -> None:
    for path, field, values in OPTIONAL:
        for value in values:
            response = vendor.call("POST", path, {**DEVICE, **EVENTS, field: value})
            names_fields(response, field)


def check_every_bad_field_is_named_at_once(vendor: Vendor) -> None:
    body = {"licenseKey": 5, "hardwareId": "", "instanceId": [], "deviceName": 7}
    names_fields(vendor.call("POST", "/sessions/connect", body), *body)


def check_unknown_fields_and_nulls_are_ignored(vendor: Vendor) -> None:
    license_ = vendor.issue("Perpetual")
    for path, status in [
        ("/licenses/validate", 200),
        ("/licenses/refresh", 200),
        ("/activations", 201),
        ("/sessions/connect", 201),
    ]:
        body = {"licenseKey": license_.key, "hardwareId": HERE, "color": "red", "appVersion": None}
        assert vendor.call("POST", path, body).status == status, path


def check_bodies_that_are_not_objects(vendor: Vendor) -> None:
    for method, path, _ in ROUTES:
        for raw in (b"{", b"[]", b'"x"', b"\xff"):
            response = vendor.call(method, path, raw=raw)
            is_refused(response, 400, "InvalidRequest")
            assert len(response.content["errors"]) == 1
        other = vendor.call(method, path, raw=b"{}", headers={"Content-Type": "text/plain"})
        is_refused(other, 415, "UnsupportedMediaType")


def check_paths_are_case_insensitive(vendor: Vendor) -> None:
    license_ = vendor.issue("Perpetual")
    body = {"licenseKey": license_.key}
    assert vendor.call("POST", "/Licenses/Validate", body).status == 200
    is_refused(vendor.call("POST", "/nowhere", body), 404, "NotFound")
    is_refused(vendor.call("GET", "/sessions/connect"), 405, "MethodNotAllowed")


def check_the_callers_request_id_is_returned(vendor: Vendor) -> None:
    license_ = vendor.issue("Perpetual")
    body, headers = {"licenseKey": license_.key}, {"X-Request-Id": "mine-1.a:b"}
    response = vendor.call("POST", "/licenses/validate", body, headers=headers)
    assert response.headers["x-request-id"] == response.content["requestId"] == "mine-1.a:b"
    refused = vendor.call("POST", "/licenses/validate", {}, headers=headers)
    assert refused.headers["x-request-id"] == refused.content["requestId"] == "mine-1.a:b"
    unfit = {"X-Request-Id": "no spaces"}
    response = vendor.call("POST", "/licenses/validate", body, headers=unfit)
    assert response.headers["x-request-id"] not in {"", "no spaces"}


def check_session_ids_are_case_insensitive(vendor: Vendor) -> None:
    session = connected(vendor, vendor.issue("Perpetual"))
    body = {"sessionId": session["sessionId"].upper()}
    assert vendor.call("POST", "/sessions/heartbeat", body).status == 200

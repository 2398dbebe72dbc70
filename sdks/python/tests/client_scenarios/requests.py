"""Shortcuts for runtime calls, and the hardware IDs used in them."""

from __future__ import annotations

from secrets import token_hex
from typing import Any
from urllib.parse import quote

from client_scenarios.target import ApiResponse, License, Vendor

HERE, THERE, ELSEWHERE = "h1m-conformance-here", "h1m-conformance-there", "h1m-conformance-other"
UNKNOWN_KEY = "00000-00000-00000-00000-00000"


def validate(vendor: Vendor, license_: License, **fields: Any) -> Any:
    """The members of the verdict."""
    response = vendor.call("POST", "/licenses/validate", {"licenseKey": license_.key, **fields})
    assert response.status == 200, response
    return response.content


def status_of(vendor: Vendor, license_: License, **fields: Any) -> str:
    """The verdict's status, checked to agree with `valid`."""
    verdict = validate(vendor, license_, **fields)
    assert verdict["valid"] is (verdict["status"] == "Valid")
    return str(verdict["status"])


def refresh(vendor: Vendor, license_: License, **fields: Any) -> ApiResponse:
    return vendor.call("POST", "/licenses/refresh", {"licenseKey": license_.key, **fields})


def activate(
    vendor: Vendor, license_: License, hardware_id: str = HERE, **fields: Any
) -> ApiResponse:
    body = {"licenseKey": license_.key, "hardwareId": hardware_id, **fields}
    return vendor.call("POST", "/activations", body)


def deactivate(vendor: Vendor, license_: License, hardware_id: str = HERE) -> ApiResponse:
    body = {"licenseKey": license_.key, "hardwareId": hardware_id}
    return vendor.call("DELETE", "/activations/current", body)


def connect(
    vendor: Vendor, license_: License, hardware_id: str = HERE, **fields: Any
) -> ApiResponse:
    body = {"licenseKey": license_.key, "hardwareId": hardware_id, **fields}
    return vendor.call("POST", "/sessions/connect", body)


def connected(
    vendor: Vendor, license_: License, hardware_id: str = HERE, **fields: Any
) -> dict[str, Any]:
    """The members of a successful connect."""
    response = connect(vendor, license_, hardware_id, **fields)
    assert response.status == 201, response
    return dict(response.content)


def heartbeat(vendor: Vendor, session_id: str) -> ApiResponse:
    return vendor.call("POST", "/sessions/heartbeat", {"sessionId": session_id})


def disconnect(vendor: Vendor, session_id: str) -> ApiResponse:
    return vendor.call("POST", "/sessions/disconnect", {"sessionId": session_id})


def consume(vendor: Vendor, license_: License, feature: str, **fields: Any) -> ApiResponse:
    body = {"licenseKey": license_.key, "featureName": feature, **fields}
    return vendor.call("POST", "/meter/consume", body)


def charged(vendor: Vendor, license_: License, feature: str, **fields: Any) -> dict[str, Any]:
    """The members of a successful charge, with a new idempotency key unless one is given."""
    response = consume(vendor, license_, feature, **{"idempotencyKey": token_hex(8), **fields})
    assert response.status == 200, response
    return dict(response.content)


def balance(vendor: Vendor, license_key: str) -> ApiResponse:
    return vendor.call("GET", f"/meter/balance?licenseKey={quote(license_key)}")


def device(license_: License, hardware_id: str = HERE) -> Any:
    """The operator's view of a device."""
    return next(item for item in license_.devices if item.hardware_id == hardware_id)


def statuses(license_: License) -> dict[str, str]:
    """The status of every device."""
    return {item.hardware_id: item.status for item in license_.devices}

"""Licenses with a user name and a password: every route about the license asks for them."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from client_scenarios.requests import HERE, activate, connect, deactivate, refresh, statuses
from client_scenarios.shapes import is_refused, names_fields
from client_scenarios.target import License, Vendor

LOGIN = {"username": "Jö", "password": "a secret: ü%&"}
WRONG = {**LOGIN, "password": "no"}


def guarded(vendor: Vendor) -> License:
    return vendor.issue("Perpetual", **LOGIN)


def check_activations_and_sessions_ask_for_credentials(vendor: Vendor) -> None:
    license_ = guarded(vendor)
    for ask in (activate, connect):
        names_fields(ask(vendor, license_), "username", "password")
        names_fields(ask(vendor, license_, username=LOGIN["username"]), "password")
        is_refused(ask(vendor, license_, **WRONG), 401, "InvalidCredentials")
    assert not license_.devices
    assert not license_.sessions
    assert activate(vendor, license_, **LOGIN).status == 201
    assert connect(vendor, license_, **LOGIN).status == 201


def check_a_refresh_asks_for_credentials(vendor: Vendor) -> None:
    license_ = guarded(vendor)
    names_fields(refresh(vendor, license_), "username", "password")
    is_refused(refresh(vendor, license_, **WRONG), 401, "InvalidCredentials")
    assert refresh(vendor, license_, **LOGIN).status == 200


def check_a_deactivation_asks_for_credentials(vendor: Vendor) -> None:
    license_ = guarded(vendor)
    assert activate(vendor, license_, **LOGIN).status == 201
    names_fields(deactivate(vendor, license_), "username", "password")
    body = {"licenseKey": license_.key, "hardwareId": HERE}
    wrong = vendor.call("DELETE", "/activations/current", {**body, **WRONG})
    is_refused(wrong, 401, "InvalidCredentials")
    assert statuses(license_) == {HERE: "Active"}
    path = f"/activations/current?licenseKey={license_.key}&hardwareId={HERE}"
    names_fields(vendor.call("DELETE", path), "X-License-Username", "X-License-Password")
    ascii_only = vendor.issue("Perpetual", username="jo", password="a secret")
    assert activate(vendor, ascii_only, username="jo", password="a secret").status == 201
    path = f"/activations/current?licenseKey={ascii_only.key}&hardwareId={HERE}"
    assert vendor.call("DELETE", path, headers=headers("jo", "a secret")).status == 204
    assert vendor.call("DELETE", "/activations/current", {**body, **LOGIN}).status == 204
    assert not license_.devices


def check_an_update_check_asks_for_credentials(vendor: Vendor) -> None:
    license_ = vendor.issue("Perpetual", username="jo", password="a secret")
    path = f"/updates/latest?licenseKey={quote(license_.key)}"
    names_fields(vendor.call("GET", path), "X-License-Username", "X-License-Password")
    is_refused(vendor.call("GET", path, headers=headers("jo", "no")), 401, "InvalidCredentials")
    assert vendor.call("GET", path, headers=headers("jo", "a secret")).status == 200
    assert vendor.call("GET", "/updates/latest").status == 200


def headers(username: str, password: str) -> dict[str, Any]:
    return {"X-License-Username": username, "X-License-Password": password}

"""Requests as an SDK has to send them. ``{...}`` stands for a value of the server or the SDK."""

from __future__ import annotations

from pieces import HARDWARE, KEY, grouped

JSON = {"Content-Type": "application/json"}
KNOWN = {"licenseKey": KEY, "hardwareId": HARDWARE}
LEVEL = "deviceKeyLevel"
LOGIN = {"username": "ada", "password": "s3cret-phräse"}
LOGIN_HEADERS = {"X-License-Username": "ada", "X-License-Password": "s3cret-phräse"}


def request(
    name: str,
    operation: str,
    method: str,
    path: str,
    body: dict,
    *,
    arguments: dict | None = None,
    config: dict | None = None,
    license_terms: dict | None = None,
    any_value: tuple[str, ...] = (),
    optional: tuple[str, ...] = (),
    headers: dict | None = None,
) -> dict:
    """``body`` is sent as JSON, or in the query of a GET, with exactly these values.

    ``any_value`` must be there, with whatever value; ``optional`` may be.
    """
    return {
        "name": name,
        "operation": operation,
        "arguments": arguments or {},
        "license": {"type": "Perpetual", "licenseKey": grouped(KEY), **(license_terms or {})},
        "config": {
            "licenseKey": grouped(KEY).lower(),
            "hardwareId": HARDWARE,
            **(config or {}),
        },
        "expected": {
            "method": method,
            "path": path,
            "headers": {
                "X-API-KEY": "{productApiKey}",
                **(JSON if method != "GET" else {}),
                **(headers or {}),
            },
            "anyHeader": ["X-Request-Id", "User-Agent"],
            "body": body,
            "anyValue": list(any_value),
            "optional": list(optional),
        },
    }


def license_requests() -> list[dict]:
    signed = {"signed": True}
    return [
        request(
            "validate",
            "validate_online",
            "POST",
            "/licenses/validate",
            {**KNOWN, **signed},
            any_value=("nonce",),
            optional=(LEVEL,),
        ),
        request(
            "validate-with-everything",
            "validate_online",
            "POST",
            "/licenses/validate",
            {**KNOWN, **signed, **LOGIN, "deviceName": "Ada's laptop", "appVersion": "1.2.3"},
            config={**LOGIN, "deviceName": "Ada's laptop", "appVersion": "1.2.3"},
            license_terms=LOGIN,
            any_value=("nonce",),
            optional=(LEVEL,),
        ),
        request("refresh", "refresh", "POST", "/licenses/refresh", {**KNOWN, "protected": False}),
        request(
            "refresh-protected",
            "refresh",
            "POST",
            "/licenses/refresh",
            {**KNOWN, "protected": True},
            config={"protectFile": True},
        ),
        request(
            "activate",
            "activate",
            "POST",
            "/activations",
            {**KNOWN, "deviceName": "Ada's laptop", "metadata": {"room": "7"}},
            arguments={"deviceName": "Ada's laptop", "metadata": {"room": "7"}},
            license_terms={"type": "Concurrent", "maxActiveUsersCount": 2},
            optional=("os", LEVEL),
        ),
        request(
            "deactivate",
            "deactivate",
            "DELETE",
            "/activations/current",
            KNOWN,
            license_terms={"type": "Concurrent", "maxActiveUsersCount": 2},
        ),
    ]


def first_start_requests() -> list[dict]:
    """What `open` asks for with the verdict where there is no license.bin."""
    seats = {"type": "Concurrent", "maxActiveUsersCount": 2}
    lasting, asked = {"seatMode": "Activation"}, {**KNOWN, "signed": True}

    def first_start(name: str, body: dict, config: dict, terms: dict | None = None) -> dict:
        return request(
            name,
            "open",
            "POST",
            "/licenses/validate",
            body,
            config=config,
            license_terms=terms or seats,
            any_value=("nonce",),
            optional=("os", LEVEL),
        )

    return [
        first_start("first-start", {**asked, "activate": True, "file": True}, lasting),
        first_start(
            "first-start-protected", {**asked, "activate": True}, {**lasting, "protectFile": True}
        ),
        first_start(
            "first-start-by-session", asked, {"seatMode": "Session"}, {"type": "Perpetual"}
        ),
    ]


def session_requests() -> list[dict]:
    floating = {"type": "Floating", "maxActiveUsersCount": 2}
    instance = {"instanceId": "render-1"}
    return [
        request(
            "connect",
            "connect",
            "POST",
            "/sessions/connect",
            {**KNOWN, **instance},
            arguments=instance,
            license_terms=floating,
        ),
        request(
            "connect-without-an-instance",
            "connect",
            "POST",
            "/sessions/connect",
            KNOWN,
            license_terms=floating,
            any_value=("instanceId",),
        ),
        request(
            "disconnect",
            "disconnect",
            "POST",
            "/sessions/disconnect",
            {},
            license_terms=floating,
            any_value=("sessionId",),
        ),
    ]


def other_requests() -> list[dict]:
    metered = {"type": "MeteredCount", "initialMeterBalance": 100}
    charge = {"featureName": "export", "quantity": 3, "idempotencyKey": "order-1"}
    return [
        request(
            "consume",
            "consume",
            "POST",
            "/meter/consume",
            {**KNOWN, **charge},
            arguments=charge,
            license_terms=metered,
        ),
        request(
            "consume-with-a-random-key",
            "consume",
            "POST",
            "/meter/consume",
            {**KNOWN, "featureName": "export", "quantity": 1},
            arguments={"featureName": "export"},
            license_terms=metered,
            any_value=("idempotencyKey",),
        ),
        request("balance", "balance", "GET", "/meter/balance", KNOWN, license_terms=metered),
        request(
            "check-update",
            "check_update",
            "GET",
            "/updates/latest",
            {**KNOWN, "currentVersion": "1.2.3", "channel": "Beta", "platform": "linux-x64"},
            arguments={"channel": "Beta", "platform": "linux-x64"},
            config={"appVersion": "1.2.3"},
            any_value=("nonce",),
        ),
        request(
            "check-update-with-a-password",
            "check_update",
            "GET",
            "/updates/latest",
            {**KNOWN, "currentVersion": "1.2.3", "channel": "Stable"},
            config={**LOGIN, "appVersion": "1.2.3"},
            license_terms=LOGIN,
            headers=LOGIN_HEADERS,
            any_value=("nonce",),
        ),
        request(
            "telemetry",
            "track",
            "POST",
            "/telemetry",
            KNOWN,
            arguments={"name": "export", "properties": {"format": "pdf", "pages": 3}},
            config={"telemetry": True},
            any_value=("events",),
        ),
    ]


def request_cases() -> list[dict]:
    return [*license_requests(), *first_start_requests(), *session_requests(), *other_requests()]

"""The remote control of a fake server: its clock, its licenses, its faults and its request log."""

from __future__ import annotations

import threading
from base64 import b64decode
from collections.abc import Callable, Mapping
from datetime import timedelta
from decimal import Decimal
from typing import Any

from licet._clock import parse_rfc3339
from licet._transport import TransportReply, TransportRequest
from licet.errors import ConfigurationError
from licet.testing._messages import wire_time
from licet.testing._operator import FakeDevice, FakeLicense
from licet.testing._remote_faults import FaultPlan, fault_from, named_fields
from licet.testing._router import respond
from licet.testing._rows import FakeLease
from licet.testing._server import FakeServer

Body = Mapping[str, Any]

_PRODUCT = {
    "mode": "mode",
    "productName": "product_name",
    "releaseVersion": "release_version",
    "heartbeatIntervalSeconds": "heartbeat_interval_seconds",
    "sessionTimeoutSeconds": "session_timeout_seconds",
    "heartbeatSpacingSeconds": "heartbeat_spacing_seconds",
    "downloadsNeedLicense": "downloads_need_license",
    "trialOncePerDevice": "trial_once_per_device",
    "deviceIdleDays": "device_idle_days",
    "appDeviceRelease": "app_device_release",
    "appReleasesPerYear": "app_releases_per_year",
    "hardwareIdKinds": "hardware_id_kinds",
    "offlineFileLifetimeDays": "file_lifetime",
}
_TERMS = {
    "licenseName": "name",
    "issuedTo": "issued_to",
    "issuer": "issuer",
    "expirationDate": "expires",
    "graceDays": "grace",
    "updatesUntil": "updates",
    "fallback": "fallback",
    "fallbackAfterMonths": "fallback_after_months",
    "maxActiveUsersCount": "seats",
    "initialMeterBalance": "initial_meter_balance",
    "activationMode": "activation_mode",
    "deviceBindingMode": "binding_mode",
    "deviceProof": "device_proof",
    "machineMatch": "machine_match",
    "maxBorrowDays": "max_borrow_days",
    "maxBorrowedSeats": "max_borrowed_seats",
    "maxOfflineCredits": "max_offline_credits",
    "onUnreturned": "on_unreturned",
    "offlineActivation": "offline_activation",
    "username": "username",
    "password": "password",
    "features": "features",
    "metadata": "metadata",
    "licenseKey": "license_key",
}


class NoSuchThingError(Exception):
    """The control has no such route, license or device."""


class Control:
    """A fake server that can be replaced, and what has been planned for it."""

    def __init__(self) -> None:
        self.faults = FaultPlan()
        self._lock = threading.Lock()
        self._log: list[dict[str, Any]] = []
        self.reset({})

    # What an application meets.

    def respond(self, request: TransportRequest) -> TransportReply:
        return respond(self.server._state, request)

    def record(self, entry: dict[str, Any]) -> None:
        with self._lock:
            self._log.append({**entry, "at": wire_time(self.server.now)})

    # What a test asks for.

    def call(self, method: str, path: str, body: Body) -> Any:
        """Perform a control request, such as ``POST /licenses``.

        Raises:
            NoSuchThingError: There is no such route, license or device.
            ValueError: A value is not allowed.
        """
        route, *names = path.strip("/").split("/")
        action = f"{method} {route}".strip()
        if route == "licenses" and names:
            return self._license(method, names, body)
        routes: Mapping[str, Callable[[Body], Any]] = {
            "GET": self.describe,
            "POST reset": self.reset,
            "POST clock": self._set_clock,
            "DELETE clock": self._reset_clock,
            "POST licenses": self._issue,
            "POST prices": self._set_price,
            "POST releases": self._publish,
            "POST yank": lambda given: self.server.yank(given["version"]),
            "POST keys": lambda _: self.server.rotate_keys(),
            "POST faults": self._plan,
            "DELETE faults": lambda _: self.faults.clear(),
            "GET requests": lambda _: self._requests(),
            "DELETE requests": lambda _: self._log.clear(),
        }
        if action not in routes or names:
            raise NoSuchThingError
        return routes[action](body)

    def describe(self, _given: Body | None = None) -> dict[str, Any]:
        server = self.server
        return {
            "productId": server.product_id,
            "productApiKey": server.api_key,
            "publicKey": server.public_key,
            "now": wire_time(server.now),
        }

    def reset(self, given: Body) -> dict[str, Any]:
        options = named_fields(given, _PRODUCT)
        if options.get("file_lifetime") is not None:
            options["file_lifetime"] = timedelta(days=options["file_lifetime"])
        if "app_device_release" in options:
            options["app_device_release"] = options["app_device_release"] == "On"
        if options.get("mode") not in {None, "Live", "Test"}:
            raise ValueError("mode must be Live or Test")
        self.server = FakeServer(**options)
        self.faults.clear()
        self._log.clear()
        return self.describe()

    def _set_clock(self, given: Body) -> dict[str, Any]:
        clock = self.server._state.clock
        if given.get("now") is not None:
            clock.set(parse_rfc3339(given["now"]), frozen=bool(given.get("frozen")))
        if given.get("advanceSeconds") is not None:
            clock.advance(timedelta(seconds=given["advanceSeconds"]))
        return self.describe()

    def _reset_clock(self, _given: Body) -> dict[str, Any]:
        self.server._state.clock.reset()
        return self.describe()

    def _issue(self, given: Body) -> dict[str, Any]:
        terms = named_fields({key: value for key, value in given.items() if key != "type"}, _TERMS)
        for name in ("expires", "updates"):
            if terms.get(name) is not None:
                terms[name] = parse_rfc3339(terms[name])
        if terms.get("grace") is not None:
            terms["grace"] = timedelta(days=terms["grace"])
        for name in ("initial_meter_balance", "max_offline_credits"):
            if terms.get(name) is not None:
                terms[name] = Decimal(str(terms[name]))
        match = terms.get("machine_match")
        if match is not None:
            terms["machine_match"] = None if match == "Exact" else (match["atLeast"], match["of"])
        return _license_view(self.server.issue(given["type"], **terms))

    def _set_price(self, given: Body) -> None:
        self.server.set_price(given["featureName"], Decimal(str(given["tokenCost"])))

    def _publish(self, given: Body) -> None:
        files = {name: b64decode(text) for name, text in given.get("files", {}).items()}
        channel, platform = given.get("channel", "Stable"), given.get("platform")
        coverage = given.get("coverage", "Licensed")
        self.server.publish(
            given["version"], files, channel=channel, platform=platform, coverage=coverage
        )

    def _plan(self, given: Body) -> None:
        self.faults.add(fault_from(given))

    def _requests(self) -> list[dict[str, Any]]:
        with self._lock:
            return list(self._log)

    def _license(self, method: str, names: list[str], body: Body) -> Any:
        license_ = self._find(names[0])
        if method == "GET" and len(names) == 1:
            return _license_view(license_)
        if method != "POST" or len(names) not in {2, 4}:
            raise NoSuchThingError
        if len(names) == 4 and names[1] == "devices":
            device = next((item for item in license_.devices if item.hardware_id == names[2]), None)
            return _act(device, _DEVICE_ACTIONS, names[3], body)
        return _act(license_, _LICENSE_ACTIONS, names[1], body)

    def _find(self, license_id: str) -> FakeLicense:
        state = self.server._state
        for license_ in state.licenses.values():
            if license_.id == license_id:
                return FakeLicense(state, license_)
        raise NoSuchThingError


def _end_sessions(license_: FakeLicense) -> None:
    for session in license_.sessions:
        session.disconnect()


def _recall(license_: FakeLicense, *, force: bool) -> None:
    for lease in license_.leases:
        lease.recall(force=force)


def _answer(license_: FakeLicense, request: str) -> dict[str, Any]:
    """The answer to an offline request, or the ``errorCode`` of its refusal."""
    try:
        answer = license_.answer_offline(request)
    except ValueError as error:
        return {"errorCode": str(error).partition(":")[0]}
    file = None if answer.file is None else answer.file.decode()
    return {"state": answer.state, "file": file, "code": answer.code}


_LICENSE_ACTIONS: Mapping[str, Callable[[FakeLicense, Body], Any]] = {
    "revoke": lambda license_, _: license_.revoke(),
    "suspend": lambda license_, _: license_.suspend(),
    "reinstate": lambda license_, _: license_.reinstate(),
    "renew": lambda license_, given: license_.renew(parse_rfc3339(given["expirationDate"])),
    "renewUpdates": lambda license_, given: license_.renew_updates(
        parse_rfc3339(given["updatesUntil"])
    ),
    "grant": lambda license_, given: license_.grant(Decimal(str(given["amount"]))),
    "enrollmentKeys": lambda license_, given: {
        "secret": license_.enrollment_key(
            max_devices=given.get("maxDevices"),
            expires=parse_rfc3339(given["expiresAt"]) if given.get("expiresAt") else None,
        )
    },
    "recall": lambda license_, given: _recall(license_, force=given.get("force", False)),
    "disconnect": lambda license_, _: _end_sessions(license_),
    "offline": lambda license_, given: _answer(license_, given["request"]),
    "baseFile": lambda license_, _: {"file": license_.base_file()},
    "file": lambda license_, given: {
        "file": license_.file(given.get("hardwareId"), protected=given.get("protected", False))
    },
}
_DEVICE_ACTIONS: Mapping[str, Callable[[FakeDevice, Body], Any]] = {
    "approve": lambda device, _: device.approve(),
    "block": lambda device, _: device.block(),
    "unblock": lambda device, _: device.unblock(),
    "deactivate": lambda device, given: device.deactivate(force=given.get("force", False)),
}


def _act(
    thing: Any, actions: Mapping[str, Callable[[Any, Body], Any]], name: str, body: Body
) -> Any:
    if thing is None or name not in actions:
        raise NoSuchThingError
    return actions[name](thing, body)


def _license_view(license_: FakeLicense) -> dict[str, Any]:
    try:
        balance, ledger = str(license_.balance), len(license_.ledger)
    except ValueError:
        balance, ledger = None, 0
    return {
        "id": license_.id,
        "licenseKey": license_.key,
        "type": license_.type,
        "status": license_.status,
        "balance": balance,
        "ledgerEntries": ledger,
        "devices": [
            {"hardwareId": item.hardware_id, "status": item.status, "deviceName": item.name}
            for item in license_.devices
        ],
        "sessions": [
            {"id": item.id, "hardwareId": item.hardware_id, "instanceId": item.instance_id}
            for item in license_.sessions
        ],
        "leases": [_lease_view(item) for item in license_.leases],
    }


def _lease_view(lease: FakeLease) -> dict[str, Any]:
    seat = {
        "id": lease.id,
        "state": lease.state,
        "seq": lease.seq,
        "endsAt": wire_time(lease.ends_at),
    }
    if lease.amount is None:
        return {**seat, "kind": "Seat"}
    return {
        **seat,
        "kind": "Credits",
        "quantity": str(lease.amount),
        "held": str(lease.held),
        "settledLines": lease.settled_lines,
    }


CONTROL_ERRORS = (ValueError, TypeError, KeyError, ConfigurationError)

"""Sessions: connect, heartbeat, replacement, expiration, disconnect and seat caps."""

from __future__ import annotations

from datetime import timedelta

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
    statuses,
)
from client_scenarios.shapes import HEARTBEAT, SESSION, has_shape, is_refused, moment
from client_scenarios.target import Vendor
from client_scenarios.verdicts import EVERY_MODEL


def check_every_model_connects(vendor: Vendor) -> None:
    for model, terms in EVERY_MODEL.items():
        license_ = vendor.issue(model, **terms)
        if model == "Concurrent":
            is_refused(connect(vendor, license_), 403, "ActivationRequired")
            assert activate(vendor, license_).status == 201
        total = 3 if model == "Floating" else None
        counts = {"seatsUsed": 1, "seatsTotal": total}
        times = {"heartbeatIntervalSeconds": 30, "sessionTimeoutSeconds": 90}
        has_shape(connected(vendor, license_), {**SESSION, **counts, **times})
        assert connected(vendor, license_)["seatsUsed"] == 2, model
        assert len(license_.sessions) == 2


def check_a_heartbeat(vendor: Vendor) -> None:
    session = connected(vendor, vendor.issue("Floating", seats=1))
    vendor.wait(0.05)
    response = heartbeat(vendor, session["sessionId"])
    assert response.status == 200, response
    has_shape(
        response.content,
        {**HEARTBEAT, "sessionId": session["sessionId"], "heartbeatIntervalSeconds": 30},
    )
    assert moment(response.content["expiresAt"]) > moment(session["expiresAt"])


def check_heartbeat_spacing(vendor: Vendor) -> None:
    session = connected(vendor, vendor.issue("Floating", seats=1))
    assert heartbeat(vendor, session["sessionId"]).status == 200, "the first one is never early"
    early = heartbeat(vendor, session["sessionId"])
    is_refused(early, 429, "RateLimited")
    assert 1 <= int(early.headers["retry-after"]) <= 5
    assert disconnect(vendor, session["sessionId"]).status == 204, "the session is still live"


def check_disconnect(vendor: Vendor) -> None:
    license_ = vendor.issue("Floating", seats=1)
    session = connected(vendor, license_)
    response = disconnect(vendor, session["sessionId"])
    assert (response.status, response.content) == (204, None)
    is_refused(disconnect(vendor, session["sessionId"]), 404, "SessionNotFound")
    is_refused(heartbeat(vendor, session["sessionId"]), 404, "SessionNotFound")
    assert not license_.sessions


def check_a_session_cap_is_enforced(vendor: Vendor) -> None:
    license_ = vendor.issue("Floating", seats=2)
    first = connected(vendor, license_, HERE)
    assert (first["seatsUsed"], first["seatsTotal"]) == (1, 2)
    assert connected(vendor, license_, HERE)["seatsUsed"] == 2, (
        "a seat for each, also on one device"
    )
    full = connect(vendor, license_, THERE)
    is_refused(full, 409, "MaxConcurrentSessionsReached", seatsUsed=2, seatsTotal=2)
    assert disconnect(vendor, first["sessionId"]).status == 204
    connected(vendor, license_, THERE)


def check_a_lower_session_cap_keeps_sessions(vendor: Vendor) -> None:
    license_ = vendor.issue("Floating", seats=2)
    first, second = connected(vendor, license_), connected(vendor, license_)
    license_.seats = 1
    assert heartbeat(vendor, second["sessionId"]).status == 200
    full = connect(vendor, license_, THERE)
    is_refused(full, 409, "MaxConcurrentSessionsReached", seatsUsed=2, seatsTotal=1)
    assert disconnect(vendor, first["sessionId"]).status == 204
    is_refused(
        connect(vendor, license_), 409, "MaxConcurrentSessionsReached", seatsUsed=1, seatsTotal=1
    )


def check_an_instance_replaces_its_own_session(vendor: Vendor) -> None:
    license_ = vendor.issue("Floating", seats=1)
    first = connected(vendor, license_, HERE, instanceId="a")
    second = connected(vendor, license_, HERE, instanceId="a")
    assert second["sessionId"] != first["sessionId"]
    assert second["seatsUsed"] == 1
    is_refused(heartbeat(vendor, first["sessionId"]), 404, "SessionNotFound", endReason="Replaced")
    assert heartbeat(vendor, second["sessionId"]).status == 200
    for machine, instance in ((HERE, "b"), (THERE, "a")):
        full = connect(vendor, license_, machine, instanceId=instance)
        is_refused(full, 409, "MaxConcurrentSessionsReached", seatsUsed=1, seatsTotal=1)
    assert [session.id for session in license_.sessions] == [second["sessionId"]]


def check_a_session_expires(vendor: Vendor) -> None:
    with_short_sessions = vendor.with_short_sessions()
    license_ = with_short_sessions.issue("Floating", seats=1)
    session = connected(with_short_sessions, license_)
    assert (session["heartbeatIntervalSeconds"], session["sessionTimeoutSeconds"]) == (1, 3)
    with_short_sessions.wait(1.5)
    for _ in range(2):
        assert heartbeat(with_short_sessions, session["sessionId"]).status == 200, (
            "this product has no spacing"
        )
    with_short_sessions.wait(1.7)
    full = connect(with_short_sessions, license_, THERE)
    is_refused(full, 409, "MaxConcurrentSessionsReached", seatsUsed=1, seatsTotal=1)
    with_short_sessions.wait(1.5)
    assert not license_.sessions
    connected(with_short_sessions, license_, THERE)
    is_refused(heartbeat(with_short_sessions, session["sessionId"]), 404, "SessionNotFound")
    is_refused(disconnect(with_short_sessions, session["sessionId"]), 404, "SessionNotFound")


def check_an_operator_ends_a_session(vendor: Vendor) -> None:
    license_ = vendor.issue("Floating", seats=1)
    session = connected(vendor, license_)
    [seen] = license_.sessions
    assert (seen.id, seen.hardware_id) == (session["sessionId"], HERE)
    seen.disconnect()
    is_refused(heartbeat(vendor, session["sessionId"]), 404, "SessionNotFound")
    connected(vendor, license_, THERE)


def check_a_session_of_another_product(vendor: Vendor) -> None:
    session = connected(vendor, vendor.issue("Perpetual"))
    another_product = vendor.another_product()
    is_refused(heartbeat(another_product, session["sessionId"]), 404, "SessionNotFound")
    is_refused(disconnect(another_product, session["sessionId"]), 404, "SessionNotFound")
    assert heartbeat(vendor, session["sessionId"]).status == 200


def check_a_session_of_a_suspended_or_revoked_license(vendor: Vendor) -> None:
    license_ = vendor.issue("Floating", seats=2)
    session = connected(vendor, license_)["sessionId"]
    license_.suspend()
    is_refused(heartbeat(vendor, session), 400, "LicenseInvalid")
    is_refused(connect(vendor, license_), 400, "LicenseInvalid")
    license_.reinstate()
    assert heartbeat(vendor, session).status == 200
    license_.revoke()
    is_refused(heartbeat(vendor, session), 400, "LicenseInvalid")
    is_refused(connect(vendor, license_), 400, "LicenseInvalid")


def check_a_session_of_an_expired_license(vendor: Vendor) -> None:
    license_ = vendor.issue("Trial", expires=timedelta(seconds=3))
    session = connected(vendor, license_)["sessionId"]
    vendor.wait(3.1)
    is_refused(heartbeat(vendor, session), 400, "LicenseExpired")
    is_refused(connect(vendor, license_), 400, "LicenseExpired")


def check_blocking_ends_sessions(vendor: Vendor) -> None:
    license_ = vendor.issue("Concurrent", seats=2)
    for machine in (HERE, THERE):
        assert activate(vendor, license_, machine).status == 201
    ended, other = connected(vendor, license_), connected(vendor, license_, THERE)
    device(license_).block()
    assert [session.hardware_id for session in license_.sessions] == [THERE]
    is_refused(heartbeat(vendor, ended["sessionId"]), 403, "DeviceBlocked")
    is_refused(disconnect(vendor, ended["sessionId"]), 403, "DeviceBlocked")
    is_refused(connect(vendor, license_), 403, "DeviceBlocked")
    assert heartbeat(vendor, other["sessionId"]).status == 200
    device(license_).unblock()
    is_refused(heartbeat(vendor, ended["sessionId"]), 404, "SessionNotFound")
    connected(vendor, license_)


def check_a_session_that_had_ended_before_the_block(vendor: Vendor) -> None:
    license_ = vendor.issue("Concurrent", seats=1)
    assert activate(vendor, license_).status == 201
    session = connected(vendor, license_)
    assert disconnect(vendor, session["sessionId"]).status == 204
    device(license_).block()
    is_refused(heartbeat(vendor, session["sessionId"]), 404, "SessionNotFound")
    is_refused(disconnect(vendor, session["sessionId"]), 404, "SessionNotFound")


def check_removing_a_device_ends_its_sessions(vendor: Vendor) -> None:
    license_ = vendor.issue("Floating", seats=2)
    assert activate(vendor, license_).status == 201
    ended, other = connected(vendor, license_), connected(vendor, license_, THERE)
    device(license_).deactivate()
    is_refused(heartbeat(vendor, ended["sessionId"]), 404, "SessionNotFound")
    assert heartbeat(vendor, other["sessionId"]).status == 200
    assert connected(vendor, license_)["seatsUsed"] == 2


def check_a_connect_registers_no_device(vendor: Vendor) -> None:
    license_ = vendor.issue("Floating", seats=1)
    connected(vendor, license_)
    assert statuses(license_) == {}
    is_refused(deactivate(vendor, license_), 404, "ActivationNotFound")


def check_the_order_of_a_connect(vendor: Vendor) -> None:
    body = {"licenseKey": UNKNOWN_KEY, "hardwareId": HERE}
    is_refused(vendor.call("POST", "/sessions/connect", body), 404, "LicenseNotFound")
    license_ = vendor.issue("Floating", seats=1)
    assert activate(vendor, license_).status == 201
    connected(vendor, license_, ELSEWHERE)
    device(license_).block()
    license_.suspend()
    is_refused(connect(vendor, license_), 400, "LicenseInvalid")
    license_.reinstate()
    is_refused(connect(vendor, license_), 403, "DeviceBlocked")
    device(license_).unblock()
    full = connect(vendor, license_)
    is_refused(full, 409, "MaxConcurrentSessionsReached", seatsUsed=1, seatsTotal=1)

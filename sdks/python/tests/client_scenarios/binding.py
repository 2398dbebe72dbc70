"""Node-locked licenses: binding, approval and access attempts."""

from __future__ import annotations

from client_scenarios.requests import (
    ELSEWHERE,
    HERE,
    THERE,
    activate,
    connect,
    connected,
    deactivate,
    device,
    refresh,
    status_of,
    statuses,
    validate,
)
from client_scenarios.shapes import ACTIVATION, has_shape, is_refused
from client_scenarios.target import License, Vendor
from client_scenarios.verdicts import file_claims


def check_the_first_device_is_bound(vendor: Vendor) -> None:
    license_ = vendor.issue("NodeLocked")
    first = validate(vendor, license_, hardwareId=HERE)
    assert (first["status"], first["activation"]["status"]) == ("Valid", "Active")
    assert validate(vendor, license_, hardwareId=HERE)["activation"] == first["activation"]
    other = validate(vendor, license_, hardwareId=THERE)
    assert (other["status"], other["activation"]) == ("HardwareMismatch", None)
    assert statuses(license_) == {HERE: "Active"}


def check_an_activation_binds(vendor: Vendor) -> None:
    license_ = vendor.issue("NodeLocked")
    made = activate(vendor, license_)
    assert (made.status, made.content["seatsTotal"]) == (201, 1)
    assert activate(vendor, license_).status == 200
    full = activate(vendor, license_, THERE)
    is_refused(full, 409, "MaxActivationsReached", seatsUsed=1, seatsTotal=1, canRelease=False)
    assert status_of(vendor, license_, hardwareId=THERE) == "HardwareMismatch"


def check_a_validated_device_holds_a_seat(vendor: Vendor) -> None:
    license_ = vendor.issue("NodeLocked")
    bound = validate(vendor, license_, hardwareId=HERE)["activation"]
    response = activate(vendor, license_)
    assert (response.status, response.content["activationId"]) == (200, bound["id"])


def check_a_connect_binds(vendor: Vendor) -> None:
    license_ = vendor.issue("NodeLocked")
    connected(vendor, license_)
    assert statuses(license_) == {HERE: "Active"}
    is_refused(connect(vendor, license_, THERE), 403, "HardwareMismatch")


def check_a_refresh_binds(vendor: Vendor) -> None:
    license_ = vendor.issue("NodeLocked")
    assert refresh(vendor, license_, hardwareId=HERE).status == 200
    assert statuses(license_) == {HERE: "Active"}
    is_refused(refresh(vendor, license_, hardwareId=THERE), 403, "HardwareMismatch")


def check_a_refused_validation_binds_nothing(vendor: Vendor) -> None:
    license_ = vendor.issue("NodeLocked")
    refused = status_of(vendor, license_, hardwareId=HERE, appVersion="9.0.0")
    assert refused == "ReleaseNotAllowed"
    license_.suspend()
    assert status_of(vendor, license_, hardwareId=HERE) == "Suspended"
    assert not license_.devices
    license_.reinstate()
    assert status_of(vendor, license_, hardwareId=THERE) == "Valid"


def check_a_released_license_can_be_bound_again(vendor: Vendor) -> None:
    license_ = vendor.issue("NodeLocked")
    assert status_of(vendor, license_, hardwareId=HERE) == "Valid"
    device(license_).deactivate()
    assert status_of(vendor, license_, hardwareId=THERE) == "Valid"
    assert status_of(vendor, license_, hardwareId=HERE) == "HardwareMismatch"
    is_refused(deactivate(vendor, license_), 404, "ActivationNotFound")
    assert deactivate(vendor, license_, THERE).status == 204
    assert status_of(vendor, license_, hardwareId=HERE) == "Valid"


def check_a_blocked_device_stays_bound(vendor: Vendor) -> None:
    license_ = vendor.issue("NodeLocked")
    assert status_of(vendor, license_, hardwareId=HERE) == "Valid"
    device(license_).block()
    assert status_of(vendor, license_, hardwareId=HERE) == "DeviceBlocked"
    assert status_of(vendor, license_, hardwareId=THERE) == "HardwareMismatch"
    device(license_).unblock()
    assert status_of(vendor, license_, hardwareId=HERE) == "Valid"


def check_approval_binds_a_device(vendor: Vendor) -> None:
    license_ = vendor.issue("NodeLocked", binding_mode="OwnerApproval")
    waiting = validate(vendor, license_, hardwareId=HERE)
    assert (waiting["status"], waiting["activation"]["status"]) == ("PendingApproval", "Pending")
    for machine in (HERE, THERE):
        assert status_of(vendor, license_, hardwareId=machine) == "PendingApproval"
    is_refused(connect(vendor, license_), 403, "PendingApproval")
    is_refused(refresh(vendor, license_, hardwareId=HERE), 403, "PendingApproval")
    device(license_).approve()
    assert statuses(license_) == {HERE: "Active", THERE: "Pending"}
    admitted = validate(vendor, license_, hardwareId=HERE)
    assert admitted["activation"] == {**waiting["activation"], "status": "Active"}
    late = validate(vendor, license_, hardwareId=THERE)
    assert (late["status"], late["activation"]["status"]) == ("HardwareMismatch", "Pending")
    assert attempts(license_) == {THERE: 1}
    connected(vendor, license_)


def check_an_activation_waits_for_approval(vendor: Vendor) -> None:
    license_ = vendor.issue("NodeLocked", binding_mode="OwnerApproval")
    waiting = {"status": "Pending", "seatsUsed": 0, "seatsTotal": 1, "activatedAt": None}
    made = activate(vendor, license_)
    assert made.status == 202
    has_shape(made.content, {**ACTIVATION, **waiting})
    again = activate(vendor, license_)
    assert (again.status, again.content) == (202, made.content)
    device(license_).approve()
    seated = activate(vendor, license_)
    assert (seated.status, seated.content["status"]) == (200, "Active")
    assert seated.content["seatsUsed"] == 1
    full = activate(vendor, license_, THERE)
    is_refused(full, 409, "MaxActivationsReached", seatsUsed=1, seatsTotal=1, canRelease=False)
    assert statuses(license_) == {HERE: "Active"}


def check_a_connect_requires_approval(vendor: Vendor) -> None:
    license_ = vendor.issue("NodeLocked", binding_mode="OwnerApproval")
    is_refused(connect(vendor, license_), 403, "PendingApproval")
    assert statuses(license_) == {HERE: "Pending"}
    device(license_).approve()
    connected(vendor, license_)


def check_a_pending_device_can_be_deactivated(vendor: Vendor) -> None:
    license_ = vendor.issue("NodeLocked", binding_mode="OwnerApproval")
    assert activate(vendor, license_).status == 202
    assert deactivate(vendor, license_).status == 204
    assert not license_.devices
    is_refused(deactivate(vendor, license_), 404, "ActivationNotFound")


def check_a_pending_device_can_be_blocked(vendor: Vendor) -> None:
    license_ = vendor.issue("NodeLocked", binding_mode="OwnerApproval")
    assert status_of(vendor, license_, hardwareId=HERE) == "PendingApproval"
    device(license_).block()
    assert status_of(vendor, license_, hardwareId=HERE) == "DeviceBlocked"
    is_refused(activate(vendor, license_), 403, "DeviceBlocked")
    assert status_of(vendor, license_, hardwareId=THERE) == "PendingApproval"
    device(license_, THERE).approve()
    device(license_).unblock()
    assert statuses(license_) == {HERE: "Pending", THERE: "Active"}


def check_a_file_issued_by_the_vendor_binds(vendor: Vendor) -> None:
    for mode in ("AutoBind", "OwnerApproval"):
        license_ = vendor.issue("NodeLocked", binding_mode=mode)
        assert "hardwareIds" not in file_claims(license_.file())
        assert not license_.devices
        assert file_claims(license_.file(HERE))["hardwareIds"] == [HERE]
        assert statuses(license_) == {HERE: "Active"}
        assert file_claims(license_.file())["hardwareIds"] == [HERE]
        assert status_of(vendor, license_, hardwareId=THERE) == "HardwareMismatch"
    floating = vendor.issue("Floating", seats=1)
    assert file_claims(floating.file(HERE))["hardwareIds"] == [HERE]
    assert not floating.devices


def check_access_attempts_are_counted(vendor: Vendor) -> None:
    license_ = vendor.issue("NodeLocked")
    assert status_of(vendor, license_, hardwareId=HERE) == "Valid"
    assert not license_.access_attempts
    assert status_of(vendor, license_, hardwareId=THERE) == "HardwareMismatch"
    [attempt] = license_.access_attempts
    assert (attempt.hardware_id, attempt.bound_hardware_id) == (THERE, HERE)
    assert (attempt.entry_point, attempt.count) == ("Validate", 1)
    assert activate(vendor, license_, ELSEWHERE).status == 409
    is_refused(connect(vendor, license_, ELSEWHERE), 403, "HardwareMismatch")
    assert attempts(license_) == {THERE: 1, ELSEWHERE: 2}
    is_refused(refresh(vendor, license_, hardwareId=THERE), 403, "HardwareMismatch")
    assert attempts(license_) == {THERE: 2, ELSEWHERE: 2}
    assert status_of(vendor, license_, hardwareId=HERE) == "Valid"
    assert attempts(license_) == {THERE: 2, ELSEWHERE: 2}


def check_entry_points_of_access_attempts(vendor: Vendor) -> None:
    for entry_point, ask in (("Activate", activate), ("Connect", connect)):
        license_ = vendor.issue("NodeLocked")
        assert status_of(vendor, license_, hardwareId=HERE) == "Valid"
        ask(vendor, license_, THERE)
        [attempt] = license_.access_attempts
        assert (attempt.entry_point, attempt.count) == (entry_point, 1)


def check_other_models_record_no_access_attempts(vendor: Vendor) -> None:
    license_ = vendor.issue("Concurrent", seats=1)
    assert activate(vendor, license_).status == 201
    assert activate(vendor, license_, THERE).status == 409
    assert not license_.access_attempts


def attempts(license_: License) -> dict[str, int]:
    """The number of access attempts by hardware ID."""
    return {attempt.hardware_id: attempt.count for attempt in license_.access_attempts}

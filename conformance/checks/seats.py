"""Activations, and opening a license of each model."""

from __future__ import annotations

import json
from decimal import Decimal

from conformance.requirements import proves
from conformance.vectors import expect
from conformance.world import HARDWARE, OTHER_HARDWARE, World

VALIDATE = "/licenses/validate"
FIRST_STARTS = {"Subscription": {}, "Concurrent": {"maxActiveUsersCount": 2}, "NodeLocked": {}}


@proves("LIC-ACT-001")
def check_activating_twice(world: World) -> None:
    license_ = world.issue("Concurrent", maxActiveUsersCount=2)
    client = world.client(license_)
    first = world.driver.call("activate", client=client, deviceName="Ada's laptop")
    expect(first, {"status": "Active", "seatsUsed": 1, "seatsTotal": 2})
    again = world.driver.call("activate", client=client, case="again")
    expect(again, {"activationId": first["activationId"], "seatsUsed": 1})
    [device] = world.state_of(license_)["devices"]
    expect(device, {"hardwareId": HARDWARE, "status": "Active"})


@proves("LIC-ACT-002")
def check_a_full_license(world: World) -> None:
    license_ = world.issue("Concurrent", maxActiveUsersCount=1)
    world.driver.call("activate", client=world.client(license_))
    other = world.client(
        license_, hardwareId=OTHER_HARDWARE, licenseFile=str(world.folder / "other.bin")
    )
    error = world.driver.error("activate", client=other)
    expect(error, {"code": "SeatsExhausted", "seatsUsed": 1, "seatsTotal": 1})


@proves("LIC-ACT-003")
def check_deactivating(world: World) -> None:
    license_ = world.issue("Concurrent", maxActiveUsersCount=1)
    client = world.client(license_)
    world.driver.call("activate", client=client)
    world.driver.call("deactivate", client=client, case="first")
    assert world.state_of(license_)["devices"] == [], "the seat is still held"
    world.driver.call("deactivate", client=client, case="again")


@proves("LIC-ACT-004")
def check_a_device_that_waits(world: World) -> None:
    license_ = world.issue("NodeLocked", deviceBindingMode="OwnerApproval")
    client = world.client(license_)
    pending = world.driver.call("activate", client=client, case="pending")
    expect(pending, {"status": "Pending"})
    waiting = world.driver.call("validate_online", client=client, case="waiting")
    expect(waiting, {"status": "PendingApproval", "valid": False})
    world.vendor(license_, f"devices/{HARDWARE}/approve")
    expect(world.driver.call("validate_online", client=client), {"status": "Valid"})


@proves("LIC-ACT-005")
def check_a_blocked_device(world: World) -> None:
    license_ = world.issue("Concurrent", maxActiveUsersCount=1)
    client = world.client(license_)
    world.driver.call("activate", client=client)
    world.vendor(license_, f"devices/{HARDWARE}/block")
    error = world.driver.error("activate", client=client, case="blocked")
    expect(error, {"code": "DeviceBlocked"})
    result = world.driver.call("validate_online", client=client, case="blocked")
    expect(result, {"status": "DeviceBlocked", "valid": False})


@proves("LIC-OPN-001")
def check_opening_without_a_seat(world: World) -> None:
    license_ = world.issue("Perpetual", features=["export"])
    opened = world.driver.call("open", client=world.client(license_))
    expect(opened, {"status": "Valid", "type": "Perpetual", "features": ["export"]})
    state = world.state_of(license_)
    assert (state["devices"], state["sessions"]) == ([], []), "a seat was taken"


@proves("LIC-OPN-002")
def check_opening_activates_the_device(world: World) -> None:
    license_ = world.issue("Concurrent", maxActiveUsersCount=2)
    opened = world.driver.call("open", client=world.client(license_, seatMode="Activation"))
    expect(opened, {"status": "Valid"})
    expect(opened["seat"], {"kind": "Device", "held": True, "used": 1, "total": 2})
    world.driver.call("close_license", license=opened["license"])
    assert len(world.state_of(license_)["devices"]) == 1, "the device lost its seat"


@proves("LIC-OPN-003")
def check_opening_holds_a_session(world: World) -> None:
    license_ = world.issue("Floating", maxActiveUsersCount=2)
    opened = world.driver.call("open", client=world.client(license_))
    expect(opened["seat"], {"kind": "Session", "held": True, "used": 1, "total": 2})
    assert len(world.state_of(license_)["sessions"]) == 1, "there is no session"
    world.driver.call("close_license", license=opened["license"])
    assert world.state_of(license_)["sessions"] == [], "the session was not ended"


@proves("LIC-OPN-004")
def check_opening_reads_the_balance(world: World) -> None:
    license_ = world.issue("MeteredCount", initialMeterBalance=10)
    opened = world.driver.call("open", client=world.client(license_))
    assert Decimal(opened["balance"]) == 10, f"the balance is {opened['balance']}"
    name = opened["license"]
    world.driver.call("consume", license=name, featureName="export", quantity=4)
    state = world.driver.call("license_state", license=name)
    assert Decimal(state["balance"]) == 6, f"the balance is {state['balance']}"


@proves("LIC-TST-003")
def check_a_test_license(world: World) -> None:
    world.reset(mode="Test")
    license_ = world.issue("Concurrent", maxActiveUsersCount=2)
    folder = world.folder / "application"
    folder.mkdir()
    (folder / "licet.json").write_text(json.dumps({"TestMode": True}))
    config = world.config(license_)
    made = world.driver.call("create_client", config=config, settingsFolder=str(folder))
    client, refused = made["client"], {"code": "LicenseRefused", "errorCode": "TestLicense"}
    for operation in ("open", "activate"):
        expect(world.driver.error(operation, client=client), refused)
    assert world.requests("/activations") == [], "it was activated"
    assert world.driver.call("stored_file", client=client)["text"] is None, "its file was stored"
    own = world.client(license_, testMode=True)
    expect(world.driver.call("open", client=own), {"status": "Valid"})


@proves("LIC-OPN-005")
def check_opening_what_may_not_be_used(world: World) -> None:
    for type_, terms in (("Perpetual", {}), ("Floating", {"maxActiveUsersCount": 1})):
        license_ = world.issue(type_, **terms)
        world.vendor(license_, "suspend")
        file = str(world.folder / f"{type_}.bin")
        error = world.driver.error("open", client=world.client(license_, licenseFile=file))
        expect(error, {"code": "LicenseRefused", "status": "Suspended"})
        assert world.state_of(license_)["sessions"] == [], "a session was opened"


@proves("LIC-OPN-007")
def check_an_open_license_follows(world: World) -> None:
    license_ = world.issue("Subscription", features=["export"])
    client = world.client(license_)
    opened = world.driver.call("open", client=client)
    expect(opened, {"status": "Valid", "features": ["export"]})
    world.vendor(license_, "suspend")
    world.driver.call("validate", client=client, case="suspended")
    state = world.driver.call("license_state", license=opened["license"], case="followed")
    expect(state, {"status": "Suspended", "features": []})


@proves("LIC-OPN-008")
def check_opening_without_an_answer(world: World) -> None:
    license_ = world.issue("Subscription")
    client = world.client(license_, serverBaseEndpoint="http://127.0.0.1:9/api")
    error = world.driver.error("open", client=client)
    expect(error, {"code": "OnlineRequired", "status": "OnlineRequired"})


@proves("LIC-OPN-009")
def check_one_request_of_a_first_start(world: World) -> None:
    for type_, terms in FIRST_STARTS.items():
        world.clear_log()
        license_ = world.issue(type_, **terms)
        file = str(world.folder / f"{type_}.bin")
        client = world.client(license_, licenseFile=file, seatMode="Activation")
        opened = world.driver.call("open", client=client)
        expect(opened, {"status": "Valid", "type": type_})
        asked = [entry["path"] for entry in world.requests()]
        assert asked == [VALIDATE], f"a first start of {type_} sent {asked}"
        assert world.driver.call("stored_file", client=client)["text"], "no file was stored"
        assert len(world.state_of(license_)["devices"]) == (type_ != "Subscription"), "a wrong seat"
        world.driver.call("close_license", license=opened["license"])
    world.fault(VALIDATE, response={"file": "a.b.c"})
    client = world.client(world.issue("Subscription"))
    expect(world.driver.call("open", client=client), {"status": "Valid"})
    damaged = world.driver.call("stored_file", client=client, case="damaged")["text"]
    assert damaged is None, "a file was stored that cannot be verified"


@proves("LIC-OPN-010")
def check_a_first_start_at_an_older_server(world: World) -> None:
    license_ = world.issue("Concurrent", maxActiveUsersCount=2)
    client = world.client(license_, seatMode="Activation")
    world.fault(VALIDATE, times=2, request={"activate": None, "file": None})
    opened = world.driver.call("open", client=client)
    expect(opened["seat"], {"kind": "Device", "held": True, "used": 1, "total": 2})
    text = world.driver.call("stored_file", client=client, case="older")["text"]
    assert text, "no file was stored"


@proves("LIC-OPN-006")
def check_releasing_a_device(world: World) -> None:
    license_ = world.issue("Concurrent", maxActiveUsersCount=1)
    opened = world.driver.call("open", client=world.client(license_, seatMode="Activation"))
    world.driver.call("release", license=opened["license"])
    assert world.state_of(license_)["devices"] == [], "the seat is still held"

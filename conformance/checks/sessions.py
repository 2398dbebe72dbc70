"""Live sessions, and how they end."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from conformance.requirements import proves
from conformance.vectors import expect
from conformance.world import DriverHandle, World


def floating(world: World, seats: int = 2) -> dict[str, Any]:
    return world.issue("Floating", maxActiveUsersCount=seats)


def connect_in(world: World, driver: DriverHandle, license_: dict[str, Any]) -> dict[str, Any]:
    """Open a session in another process, with the same folder and machine."""
    client = world.client(license_, driver, timeoutSeconds=5)
    return driver.call("connect", client=client)


def is_free(world: World, license_: dict[str, Any]) -> bool:
    return world.wait_for(lambda: world.state_of(license_)["sessions"] == [])


def ends_and_frees(world: World, how: str) -> None:
    license_ = floating(world)
    driver = world.another_driver()
    connect_in(world, driver, license_)
    driver.end(how)
    assert is_free(world, license_), "the seat is still held"


@proves("LIC-SES-007")
def check_closing_frees_the_seat(world: World) -> None:
    license_ = floating(world)
    opened = world.driver.call("connect", client=world.client(license_))
    expect(opened, {"alive": True, "seatsUsed": 1, "seatsTotal": 2})
    assert len(world.state_of(license_)["sessions"]) == 1
    world.driver.call("disconnect", session=opened["session"])
    assert world.state_of(license_)["sessions"] == [], "the seat is still held"
    state = world.driver.call("session_state", session=opened["session"], case="closed")
    assert state["alive"] is False, "a closed session is alive"


@proves("LIC-COV-005")
def check_sessions_and_charges_in_the_fallback(world: World) -> None:
    world.set_time("2030-01-01T00:00:00Z")
    terms = {"expirationDate": "2030-12-31T00:00:00Z", "fallback": "ReleaseAtTermEnd"}
    floating_one = world.issue("Floating", maxActiveUsersCount=1, **terms)
    metered = world.issue("MeteredCount", initialMeterBalance=10, **terms)
    world.set_time("2031-01-02T00:00:00Z")
    client = world.client(floating_one)
    result = world.driver.call("validate_online", client=client)
    expect(result, {"status": "Valid"})
    expect(result["license"], {"inFallback": True, "expirationDate": None})
    assert world.driver.call("connect", client=client)["alive"] is True, "there is no seat"
    metering = world.client(metered)
    refused = world.driver.error("consume", client=metering, featureName="export")
    expect(refused, {"errorCode": "LicenseExpired"})


@proves("LIC-SES-008")
def check_no_seat_left(world: World) -> None:
    license_ = floating(world, 1)
    client = world.client(license_)
    world.driver.call("connect", client=client, instanceId="one")
    error = world.driver.error("connect", client=client, instanceId="two")
    expect(error, {"code": "SeatsExhausted", "seatsUsed": 1, "seatsTotal": 1})


@proves("LIC-SES-009")
def check_the_end_of_the_process(world: World) -> None:
    license_ = floating(world)
    driver = world.another_driver()
    connect_in(world, driver, license_)
    status = driver.end()
    assert status == 0, f"the driver ended with {status}"
    assert is_free(world, license_), "the seat is still held"


@proves("LIC-SES-010")
def check_sigterm(world: World) -> None:
    ends_and_frees(world, "terminate")


@proves("LIC-SES-013")
def check_sigint(world: World) -> None:
    ends_and_frees(world, "interrupt")


@proves("LIC-SES-013")
def check_sighup(world: World) -> None:
    ends_and_frees(world, "hang_up")


@proves("LIC-SES-011")
def check_the_start_after_a_crash(world: World) -> None:
    license_ = floating(world, 1)
    driver = world.another_driver()
    connect_in(world, driver, license_)
    driver.end("kill")
    assert len(world.state_of(license_)["sessions"]) == 1
    opened = connect_in(world, world.another_driver(), license_)
    expect(opened, {"alive": True, "seatsUsed": 1})


@proves("LIC-SES-012")
def check_two_copies(world: World) -> None:
    license_ = floating(world, 2)
    connect_in(world, world.another_driver(), license_)
    second = connect_in(world, world.another_driver(), license_)
    expect(second, {"alive": True, "seatsUsed": 2})
    assert len(world.state_of(license_)["sessions"]) == 2, "one copy took the other's seat"


def copy_of(world: World, folder: Path) -> Path:
    """A copy of a folder, as an image of the machine has it."""
    copy = folder.with_name("copy")

    def make() -> None:
        shutil.copytree(folder, copy)

    world.observer.observe("disk", "copy", {}, make)
    return copy


def events_of(driver: DriverHandle, session: str) -> list[str]:
    state = driver.call("session_state", session=session)
    return [item.get("error", {}).get("code") or item["event"] for item in state["events"]]


@proves("LIC-SES-014")
def check_a_copied_folder(world: World) -> None:
    world.reset(heartbeatIntervalSeconds=1, sessionTimeoutSeconds=300, heartbeatSpacingSeconds=0)
    license_ = floating(world, 2)
    folder = world.folder / "own"
    opened = []
    for place in (folder, None):
        driver = world.another_driver()
        file = str((place or copy_of(world, folder)) / "license.bin")
        client = world.client(license_, driver, licenseFile=file, timeoutSeconds=10)
        opened.append((driver, driver.call("connect", client=client)["session"]))
    both = world.wait_for(lambda: len(world.state_of(license_)["sessions"]) == 2)
    assert both, "the copies share a seat"
    for driver, session in opened:
        assert driver.call("session_state", session=session)["alive"] is True
        assert events_of(driver, session) == [], "a copy has lost its seat"


@proves("LIC-SES-014")
def check_a_copy_without_a_seat(world: World) -> None:
    world.reset(heartbeatIntervalSeconds=1, sessionTimeoutSeconds=300, heartbeatSpacingSeconds=0)
    license_ = floating(world, 1)
    client = world.client(license_)
    first, second = (
        world.driver.call("connect", client=client, instanceId="one")["session"] for _ in range(2)
    )
    told = world.wait_for(lambda: events_of(world.driver, first) == ["SeatsExhausted"])
    assert told, "the copy whose seat was taken does not hear it"
    assert events_of(world.driver, second) == []
    assert len(world.state_of(license_)["sessions"]) == 1

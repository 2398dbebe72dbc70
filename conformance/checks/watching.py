"""Checks of a license in the background, and what the application is told of them."""

from __future__ import annotations

from typing import Any

from conformance.requirements import proves
from conformance.world import World

OFTEN_SECONDS = 0.1  # a real server limits the requests of a product
CHECKS = 3


def watch(world: World, license_: dict[str, Any]) -> str:
    """Watch a license; returns the name of the watch."""
    client = world.client(license_)
    started = world.driver.call("watch", client=client, intervalSeconds=OFTEN_SECONDS)
    name: str = started["watch"]
    return name


def told(world: World, name: str) -> list[str]:
    statuses: list[str] = world.driver.call("watch_state", watch=name)["statuses"]
    return statuses


def require_told(world: World, name: str, expected: list[str]) -> None:
    """Wait until the callback was given as many results, and for some more checks."""
    assert world.wait_for(lambda: len(told(world, name)) >= len(expected)), "nothing was told"
    world.clear_log()
    world.wait_for(lambda: len(world.requests("/licenses/validate")) >= CHECKS)
    assert told(world, name) == expected


@proves("LIC-WAT-001")
def check_each_change_is_told_once(world: World) -> None:
    license_ = world.issue()
    name = watch(world, license_)
    require_told(world, name, ["Valid"])
    world.vendor(license_, "suspend")
    require_told(world, name, ["Valid", "Suspended"])
    world.vendor(license_, "reinstate")
    require_told(world, name, ["Valid", "Suspended", "Valid"])


@proves("LIC-WAT-002")
def check_an_offline_license_is_revoked(world: World) -> None:
    license_ = world.issue("Perpetual", activationMode="Offline")
    file = world.vendor(license_, "file")["file"]
    world.vendor(license_, "revoke")
    client = world.client(license_)
    world.driver.call("install_file", client=client, text=file)
    started = world.driver.call("watch", client=client, intervalSeconds=OFTEN_SECONDS)
    assert world.wait_for(lambda: told(world, started["watch"])[-1:] == ["Revoked"]), "not told"


@proves("LIC-WAT-004")
def check_a_watch_waits(world: World) -> None:
    license_ = world.issue()
    client = world.client(license_)
    assert world.driver.call("validate", client=client)["status"] == "Valid"
    world.vendor(license_, "revoke")
    world.fault("/licenses/validate", delaySeconds=4)
    started = world.driver.call("watch", client=client, intervalSeconds=OFTEN_SECONDS)
    world.wait_for(lambda: bool(told(world, started["watch"])))
    assert told(world, started["watch"]) == ["Revoked"]


@proves("LIC-WAT-003")
def check_a_closed_watch(world: World) -> None:
    license_ = world.issue()
    name = watch(world, license_)
    require_told(world, name, ["Valid"])
    world.driver.call("close_watch", watch=name)
    world.vendor(license_, "suspend")
    client = world.client(license_)
    for _ in range(10):
        world.driver.call("validate", client=client)
    assert told(world, name) == ["Valid"]

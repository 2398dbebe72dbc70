"""Components of a machine: which requests carry them, and what they recognize."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from conformance.requirements import proves
from conformance.vectors import expect, load
from conformance.world import World

CARRIERS = {
    "/activations": "activate",
    "/licenses/validate": "validate_online",
    "/licenses/refresh": "refresh",
}
TERMS = {"maxActiveUsersCount": 1, "activationMode": "Offline"}


def laptop() -> Mapping[str, Any]:
    """A machine of the vectors."""
    return next(item for item in load("hardware")["components"] if item["name"] == "linux-laptop")


def reinstalled() -> dict[str, Any]:
    """Its facts after a new installation."""
    facts = laptop()["facts"]
    volume = "E:ID_SERIAL=SAMSUNG_MZVLB512HBJQ-000L7_S4ENNF0M123456\nE:ID_FS_UUID=99998888-7777\n"
    files = {
        **facts["files"],
        "/etc/machine-id": "9b2f0d5be7a84a0c8f3c6f1f2a7d5e11\n",
        "/run/udev/data/b259:2": volume,
    }
    return {**facts, "files": files}


def on_machine(world: World, *, facts: Mapping[str, Any] | None = None, **changes: Any) -> str:
    """A client on a machine with these facts, which finds its hardware ID by itself."""
    config = world.config(**{"hardwareId": None, **changes})
    given = laptop()["facts"] if facts is None else facts
    made = world.driver.call("create_client", config=config, facts=given)
    client: str = made["client"]
    return client


def expected_components(world: World) -> dict[str, str]:
    """The components of the laptop for the product at hand, as the SDK finds them."""
    given = {"productId": world.product["productId"], "facts": laptop()["facts"]}
    found: dict[str, str] = world.driver.call("components", **given)["components"]
    return found


@proves("LIC-CMP-004")
def check_requests_carry_components(world: World) -> None:
    license_ = world.issue("Concurrent", **TERMS)
    client = on_machine(world, licenseKey=license_["licenseKey"])
    for operation in CARRIERS.values():
        world.driver.call(operation, client=client)
    floating = world.issue("Floating", maxActiveUsersCount=1)
    session = on_machine(world, licenseKey=floating["licenseKey"])
    world.driver.call("connect", client=session)
    key = world.vendor(license_, "enrollmentKeys")["secret"]
    folder = world.folder / "fleet"
    own: dict[str, Any] = {"stateFolder": str(folder), "licenseFile": str(folder / "license.bin")}
    fleet = on_machine(world, enrollmentKey=key, **own)
    world.driver.call("validate", client=fleet)
    wanted = expected_components(world)
    for path in (*CARRIERS, "/sessions/connect", "/activations/enroll"):
        sent = [entry["body"].get("components") for entry in world.requests(path)]
        assert sent, f"nothing was sent to {path}"
        assert all(item == wanted for item in sent), f"{path} was sent {sent}"
    log = json.dumps(world.requests()).lower()
    for value in laptop()["values"].values():
        assert value not in log, f"{value} was sent in clear"


@proves("LIC-CMP-005")
def check_a_given_hardware_id_has_no_components(world: World) -> None:
    license_ = world.issue("Concurrent", **TERMS)
    client = on_machine(world, licenseKey=license_["licenseKey"], hardwareId="user-ada")
    for operation in CARRIERS.values():
        world.driver.call(operation, client=client)
    sent = [entry["path"] for entry in world.requests() if entry["body"].get("components")]
    assert not sent, f"they were sent to {sent}"


@proves("LIC-CMP-006")
def check_the_identity_names_components(world: World) -> None:
    found = world.driver.call("identity", client=on_machine(world))["components"]
    assert sorted(found) == ["disk", "model", "osInstall", "volume"], f"it names {found}"


@proves("LIC-CMP-007")
def check_a_machine_that_was_installed_again(world: World) -> None:
    license_ = world.issue(
        "Concurrent", maxActiveUsersCount=1, machineMatch={"atLeast": 2, "of": 3}
    )
    given: dict[str, Any] = {"licenseKey": license_["licenseKey"]}
    first = on_machine(world, **given, stateFolder=str(world.folder / "first"))
    before = world.driver.call("activate", client=first)
    again = on_machine(
        world, facts=reinstalled(), **given, stateFolder=str(world.folder / "second")
    )
    after = world.driver.call("activate", client=again)
    expect(after, {"status": "Active", "seatsUsed": 1})
    assert after["activationId"] == before["activationId"], "it is another device"
    expect(world.driver.call("validate_online", client=again), {"status": "Valid"})

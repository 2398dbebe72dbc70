"""Every file that an SDK opens, where another user has put something in its place."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from conformance.checks.deliveries import CONTENT, offered
from conformance.hostile import PRECIOUS, Occupy, describe, folder, huge_file, occupy, ways
from conformance.requirements import proves
from conformance.targets import UnsupportedError
from conformance.vectors import expect
from conformance.world import DriverHandle, World


def each_way(world: World, names: list[str]) -> list[tuple[Occupy, Path]]:
    """Occupy these names in a folder of their own for each way."""
    if not ways():
        raise UnsupportedError("the suite makes hostile folders on POSIX systems only")
    made = [(way, world.folder / way.__name__) for way in ways()]
    for way, place in made:
        occupy(place, names, way)
    return made


def unchanged(world: World, place: Path) -> None:
    victim = place.with_name(f"{place.name}-victim")
    assert world.read(victim / "victim") == PRECIOUS, f"{place.name}: the target has changed"
    assert world.files(victim) == ["victim"], f"{place.name}: something was created there"


def described(world: World, path: Path) -> str:
    what: str = world.observer.observe("disk", "mode", {}, lambda: describe(path))
    return what


def good_folder(world: World) -> Path:
    place = world.folder / "good"
    place.mkdir()
    return place


def client_in(world: World, license_: dict[str, Any], place: Path) -> str:
    return world.client(license_, licenseFile=str(place / "license.bin"), stateFolder=str(place))


@proves("LIC-FOL-001")
def check_a_hostile_folder(world: World) -> None:
    license_, good = world.issue(), good_folder(world)
    client = client_in(world, license_, good)
    expect(world.driver.call("validate", client=client), {"status": "Valid"})
    names = world.files(good)
    assert "license.bin" in names, f"there is no license.bin but {names}"
    for way, place in each_way(world, names):
        client = client_in(world, license_, place)
        found = world.driver.call("verify_offline", client=client)
        expect(found, {"status": "LicenseNotFound"})
        assert found["warnings"], f"{place.name}: there is no warning"
        for operation in ("validate", "refresh", "validate"):
            expect(world.driver.call(operation, client=client), {"status": "Valid"})
        unchanged(world, place)
        # Running once as another user must not cost this one the key of the device.
        replaced = [name for name in names if name != "device-key.json" and way is not folder]
        for name in replaced:
            mode = "644" if name == "license.bin" else "600"
            what = described(world, place / name)
            assert what == f"regular, own, {mode}", f"{place.name}: {name} is {what}"


@proves("LIC-FOL-002")
def check_hostile_instance_ids(world: World) -> None:
    license_, good = world.issue("Floating", maxActiveUsersCount=50), good_folder(world)
    opened = world.driver.call("connect", client=client_in(world, license_, good))
    world.driver.call("disconnect", session=opened["session"])
    names = [name for name in world.files(good) if "instance" in name]
    for _, place in each_way(world, names):
        opened = world.driver.call("connect", client=client_in(world, license_, place))
        expect(opened, {"alive": True})
        world.driver.call("disconnect", session=opened["session"])
        unchanged(world, place)


@proves("LIC-FOL-003")
def check_a_hostile_download_folder(world: World) -> None:
    client, file = offered(world)
    names = [f".setup.bin.{file['sha256'][:16]}.part"]
    for way, place in each_way(world, names):
        if way is huge_file:
            continue  # of this user, so it counts as a part of the download
        if way is not folder:
            way(place / "setup.bin", place.with_name(f"{place.name}-victim") / "victim")
        path = place / "setup.bin"
        world.driver.call("download", client=client, file=file, path=str(path))
        assert world.read(path) == CONTENT.decode(), f"{place.name}: the file is another one"
        what = described(world, path)
        assert what == "regular, own, 644", f"{place.name}: the file is {what}"
        unchanged(world, place)


@proves("LIC-FOL-004")
def check_hostile_settings(world: World) -> None:
    license_ = world.issue()
    for _, place in each_way(world, ["licet.json"]):
        config = world.config(license_)
        made = world.driver.ask("create_client", config=config, settingsFolder=str(place))
        code = made.get("error", {}).get("code")
        assert code in {None, "Configuration"}, f"{place.name}: {code}"
        unchanged(world, place)


@proves("LIC-FOL-005")
def check_a_hostile_hardware_id(world: World) -> None:
    facts = {"platform": "linux", "hostName": "4f2a91c0d7e1"}
    good = good_folder(world)
    given = {"productId": "p", "facts": facts}
    world.driver.call("hardware_id", **given, stateFolder=str(good))
    for _, place in each_way(world, world.files(good)):
        found = world.driver.call("hardware_id", **given, stateFolder=str(place))
        assert found["hardwareId"], f"{place.name}: there is no hardware ID"
        unchanged(world, place)


def client_beside(
    world: World, license_: dict[str, Any] | None, driver: DriverHandle | None = None
) -> str:
    """A client that shares the folder with those of other keys."""
    place = str(world.folder)
    return world.client(license_, driver, licenseFile=None, stateFolder=place)


@proves("LIC-FOL-007")
def check_two_keys_in_one_folder(world: World) -> None:
    first, second = (world.issue(activationMode="Online") for _ in range(2))
    validated = [client_beside(world, license_) for license_ in (first, second)]
    kept = [client_beside(world, license_) for license_ in (first, second)]
    expect(world.driver.call("validate", client=validated[0]), {"status": "Valid"})
    without_key = client_beside(world, None)
    expect(world.driver.call("verify_offline", client=without_key), {"status": "GracePeriod"})
    expect(world.driver.call("validate", client=validated[1]), {"status": "Valid"})
    for client, license_ in zip(kept, (first, second), strict=True):
        found = world.driver.call("verify_offline", client=client)
        expect(found, {"status": "GracePeriod"})
        expect(found["license"], {"id": license_["id"]})
    for license_, client in ((first, kept[0]), (second, kept[1]), (first, kept[0])):
        for path in world.folder.glob("license-*.bin"):
            os.utime(path, (1, 1))
        world.driver.call("verify_offline", client=client)
        found = world.driver.call("verify_offline", client=without_key)
        expect(found, {"status": "GracePeriod"})
        expect(found["license"], {"id": license_["id"]})
    world.vendor(first, "revoke")
    expect(world.driver.call("validate", client=validated[0]), {"status": "Revoked"})
    for client, status in zip(kept, ("Revoked", "GracePeriod"), strict=True):
        expect(world.driver.call("verify_offline", client=client), {"status": status})


@proves("LIC-FOL-008")
def check_another_key_forgets_no_time(world: World) -> None:
    world.set_time("2026-03-01T12:00:00Z")
    first, second = (world.issue("Perpetual", activationMode="Offline") for _ in range(2))
    clients = [client_beside(world, license_) for license_ in (first, second)]
    for client in clients:
        expect(world.driver.call("validate", client=client), {"status": "Valid"})
    world.driver.call("set_clock", now="2026-03-21T12:10:00Z")
    expect(world.driver.call("verify_offline", client=clients[0]), {"status": "Valid"})
    world.driver.call("set_clock", now="2026-03-02T12:00:00Z")
    again = client_beside(world, second)
    for client in (clients[1], again):
        expect(world.driver.call("verify_offline", client=client), {"status": "ClockTampered"})


@proves("LIC-FOL-009")
def check_crashes_of_two_keys_in_one_folder(world: World) -> None:
    licenses = [world.issue("Floating", maxActiveUsersCount=1) for _ in range(2)]
    for order in (licenses, licenses[::-1]):
        driver = world.another_driver()
        for license_ in order:
            opened = driver.call("connect", client=client_beside(world, license_, driver))
            expect(opened, {"alive": True, "seatsUsed": 1})
        driver.end("kill")

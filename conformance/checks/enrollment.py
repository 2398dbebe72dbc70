"""Machines with an enrollment key, and seats that the user frees."""

from __future__ import annotations

import os
from typing import Any

from conformance.requirements import proves
from conformance.vectors import expect
from conformance.world import HARDWARE, OTHER_HARDWARE, World

ENROLL = "/activations/enroll"
IN_2033 = 2_000_000_000


def enrolled(world: World) -> tuple[dict[str, object], str]:
    """A license of one seat, and an enrollment key of it."""
    license_ = world.issue("Concurrent", maxActiveUsersCount=1)
    return license_, world.vendor(license_, "enrollmentKeys")["secret"]


@proves("LIC-ENR-001")
def check_enrolling_once(world: World) -> None:
    license_, key = enrolled(world)
    first = world.client(enrollmentKey=key)
    expect(world.driver.call("validate", client=first), {"status": "Valid"})
    again = world.client(enrollmentKey=key)
    expect(world.driver.call("validate", client=again), {"status": "Valid"})
    other = str(world.folder / "other.bin")
    named = world.client(license_, enrollmentKey=key, licenseFile=other)
    expect(world.driver.call("validate_online", client=named), {"status": "Valid"})
    assert len(world.requests(ENROLL)) == 1, "it has not enrolled exactly once"
    sent = [entry["body"]["licenseKey"][:3] for entry in world.requests("/licenses/validate")]
    assert sent[0] == "dt_" != sent[-1], "the token, or the license key, was not sent"


@proves("LIC-ENR-002")
def check_a_token_that_has_ended(world: World) -> None:
    license_, key = enrolled(world)
    client = world.client(enrollmentKey=key)
    expect(world.driver.call("validate", client=client, case="first"), {"status": "Valid"})
    world.vendor(license_, f"devices/{HARDWARE}/deactivate", force=True)
    expect(world.driver.call("validate", client=client), {"status": "Valid"})
    assert len(world.requests(ENROLL)) == 2, "it has not enrolled once more"


@proves("LIC-ENR-002")
def check_a_token_that_another_process_has_got(world: World) -> None:
    license_, key = enrolled(world)
    one, two = (world.client(enrollmentKey=key) for _ in range(2))
    for client in (one, two):
        expect(world.driver.call("validate", client=client), {"status": "Valid"})
    world.vendor(license_, f"devices/{HARDWARE}/deactivate", force=True)
    expect(world.driver.call("validate", client=one), {"status": "Valid"})
    expect(world.driver.call("verify_offline", client=two), {"status": "GracePeriod"})
    world.vendor(license_, f"devices/{HARDWARE}/deactivate", force=True)
    expect(world.driver.call("connect", client=two), {"alive": True})
    expect(world.driver.call("validate", client=one), {"status": "Valid"})
    assert len(world.requests(ENROLL)) == 3, "it has not enrolled once for each end of a token"


@proves("LIC-ENR-002")
def check_a_token_that_is_lost(world: World) -> None:
    license_ = world.issue("Concurrent", maxActiveUsersCount=1, activationMode="Offline")
    key = world.vendor(license_, "enrollmentKeys")["secret"]
    client = world.client(enrollmentKey=key)
    expect(world.driver.call("validate", client=client, case="first"), {"status": "Valid"})
    for path in world.folder.glob("*.token"):
        path.unlink()
    later = world.client(enrollmentKey=key)
    expect(world.driver.call("validate", client=later), {"status": "Valid", "source": "file"})
    assert world.wait_for(lambda: len(world.requests(ENROLL)) == 2), "it has not enrolled again"


@proves("LIC-ENR-003")
def check_an_enrollment_key_that_is_not_accepted(world: World) -> None:
    assert world.product
    client = world.client(enrollmentKey="licet_ek_0123456789abcdef0123456789abcdef")
    error = world.driver.error("validate", client=client)
    expect(error, {"code": "EnrollmentKeyInvalid", "errorCode": "EnrollmentKeyInvalid"})
    assert len(world.requests(ENROLL)) == 1, "it has not tried exactly once"


@proves("LIC-ENR-004")
def check_the_file_of_an_enrolled_machine(world: World) -> None:
    _, key = enrolled(world)
    client = world.client(enrollmentKey=key)
    expect(world.driver.call("validate", client=client, case="first"), {"status": "Valid"})
    later = world.client(enrollmentKey=key)
    result = world.driver.call("verify_offline", client=later)
    expect(result, {"status": "GracePeriod"})
    assert result["license"]["key"] is None, "the file has a license key"


@proves("LIC-ENR-004")
def check_an_enrolled_machine_beside_files_of_others(world: World) -> None:
    beside: dict[str, Any] = {"licenseFile": None, "stateFolder": str(world.folder)}
    other = world.client(world.issue(activationMode="Offline"), **beside)
    expect(world.driver.call("validate", client=other), {"status": "Valid"})
    names = ["license.bin", *(n for n in world.files(world.folder) if n.endswith(".bin"))]
    (world.folder / "license.bin").write_text("damaged")
    for age, path in enumerate(sorted(world.folder.glob("license*.bin"))):
        os.utime(path, (IN_2033 - age, IN_2033 - age))
    foreign = [world.folder / name for name in names]
    before = [(world.read(path), world.modified(path)) for path in foreign]
    _, key = enrolled(world)
    client = world.client(enrollmentKey=key, **beside)
    expect(world.driver.call("validate", client=client, case="first"), {"status": "Valid"})
    later = world.client(enrollmentKey=key, **beside)
    expect(world.driver.call("verify_offline", client=later), {"status": "GracePeriod"})
    assert len(world.requests(ENROLL)) == 1, "it has not enrolled exactly once"
    after = [(world.read(path), world.modified(path)) for path in foreign]
    assert after == before, "it has changed a file of another"


@proves("LIC-ENR-004")
def check_the_form_of_the_file_after_another_enrollment(world: World) -> None:
    license_, key = enrolled(world)
    client = world.client(enrollmentKey=key, protectFile=True)
    expect(world.driver.call("validate", client=client, case="first"), {"status": "Valid"})
    world.vendor(license_, f"devices/{HARDWARE}/deactivate", force=True)
    later = world.client(enrollmentKey=key)
    expect(world.driver.call("validate", client=later), {"status": "Valid"})
    expect(world.driver.call("verify_offline", client=later), {"status": "GracePeriod"})
    text = world.read(world.folder / "license.bin") or ""
    assert text.count(".") == 4, "the new file is not protected"


@proves("LIC-DEV-001")
def check_freeing_another_device(world: World) -> None:
    world.reset(appDeviceRelease="On")
    license_ = world.issue("Concurrent", maxActiveUsersCount=1)
    old = world.client(license_, deviceName="Laptop")
    world.driver.call("activate", client=old)
    other = str(world.folder / "other.bin")
    new = world.client(
        license_, hardwareId=OTHER_HARDWARE, licenseFile=other, seatMode="Activation"
    )
    error = world.driver.error("open", client=new, case="full")
    expect(error, {"code": "SeatsExhausted", "canRelease": True})
    [device] = world.driver.call("devices", client=new)["items"]
    expect(device, {"deviceName": "Laptop", "current": False, "seatFreeAt": None})
    released = world.driver.call("release_device", client=new, device=device["id"])
    expect(released, {"id": device["id"], "seatFreeAt": None})
    expect(world.driver.call("open", client=new), {"status": "Valid"})

"""Devices without a network: activated, refreshed and released by files and typed codes."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from stat import S_IMODE
from typing import Any

from conformance.offline_vectors import SUFFIX, opened_request
from conformance.requirements import proves
from conformance.vectors import expect
from conformance.world import DriverHandle, World

VALID = {"valid": True, "status": "Valid"}
GIVEN_UP = {"valid": False, "status": "ActivationRequired"}


def one_seat(world: World) -> dict[str, Any]:
    """A license for one device, which has no network."""
    return world.issue("Concurrent", maxActiveUsersCount=1, offlineActivation="SelfService")


def away(world: World, license_: dict[str, Any], driver: DriverHandle | None = None) -> str:
    """A client that knows no server."""
    config = world.config(license_, stateFolder=str(world.folder))
    for name in ("serverBaseEndpoint", "productApiKey"):
        config.pop(name, None)
    made = (driver or world.driver).call("create_client", config=config)
    client: str = made["client"]
    return client


def kept_path(world: World) -> Path:
    product = sha256(world.product["productId"].encode()).hexdigest()[:8]
    return world.folder / f"license-{product}{SUFFIX}"


def answered(world: World, license_: dict[str, Any], text: str) -> dict[str, Any]:
    """What the vendor's offline desk says."""
    answer: dict[str, Any] = world.vendor(license_, "offline", request=text)
    return answer


@proves("LIC-OFR-010")
def check_activated_by_files(world: World) -> None:
    license_ = one_seat(world)
    request = world.driver.call("offline_request", client=away(world, license_))
    answer = answered(world, license_, request["file"])

    later = world.another_driver()
    client = away(world, license_, later)
    result = later.call("apply_offline_answer", client=client, file=answer["file"])
    expect(result, VALID)
    expect(later.call("validate", client=client), VALID)
    refresh = later.call("offline_request", client=client)
    expect(refresh, {"kind": "Refresh"})
    renewed = answered(world, license_, refresh["text"])
    later.call("apply_offline_answer", client=client, file=renewed["file"])
    assert len(world.state_of(license_)["devices"]) == 1, "it has no seat, or two"

    last = world.another_driver()
    client = away(world, license_, last)
    expect(last.call("verify_offline", client=client), VALID)
    release = last.call("release_offline", client=client)
    expect(last.call("verify_offline", client=client), GIVEN_UP)
    error = last.error("apply_offline_answer", client=client, file=renewed["file"])
    expect(error, {"code": "LicenseFile"})
    expect(answered(world, license_, release["file"]), {"state": "Released"})
    assert not world.state_of(license_)["devices"], "the seat is not free"
    assert not world.requests(), "it asked the server"


@proves("LIC-OFR-011")
def check_activated_by_codes(world: World) -> None:
    license_ = one_seat(world)
    client = away(world, license_)
    base = world.vendor(license_, "baseFile")["file"]
    world.driver.call("install_file", client=client, text=base)
    expect(world.driver.call("verify_offline", client=client), GIVEN_UP)
    request = world.driver.call("offline_request", client=client)
    answer = answered(world, license_, request["text"])
    typed = answer["code"].lower().replace("-", " ")
    groups = typed.split()
    for index, group in enumerate(groups, 1):
        expect(world.driver.call("check_code_group", index=index, text=group), {"right": True})
    expect(world.driver.call("apply_offline_answer", client=client, code=typed), VALID)

    later = world.another_driver()
    client = away(world, license_, later)
    expect(later.call("validate", client=client), VALID)
    release = later.call("release_offline", client=client)
    expect(later.call("verify_offline", client=client), GIVEN_UP)
    error = later.error("apply_offline_answer", client=client, code=typed)
    expect(error, {"code": "OfflineCode", "group": None})
    expect(answered(world, license_, release["code"]), {"state": "Released"})
    assert not world.state_of(license_)["devices"], "the seat is not free"


@proves("LIC-OFR-012")
def check_a_request_and_a_kill(world: World) -> None:
    license_ = one_seat(world)
    first = world.another_driver()
    made = first.call("offline_request", client=away(world, license_, first))
    first.end("kill")
    path = kept_path(world)
    text = world.read(path)
    assert text, "nothing is kept"
    mode = world.observer.observe("disk", "mode", {}, lambda: S_IMODE(path.stat().st_mode))
    assert mode & 0o077 == 0, f"others may read it: {mode:o}"

    later = world.another_driver()
    client = away(world, license_, later)
    again = later.call("offline_request", client=client)
    assert again["text"] == made["text"], "another request after the end of the process"
    renewed = later.call("offline_request", client=client, renew=True)
    before, after = (opened_request(item["text"])[1]["seq"] for item in (made, renewed))
    assert after == before + 1, f"the number {after} follows {before}"
    answer = answered(world, license_, renewed["text"])
    later.call("apply_offline_answer", client=client, file=answer["file"])
    later.end("kill")

    last = world.another_driver()
    expect(last.call("verify_offline", client=away(world, license_, last)), VALID)


@proves("LIC-OFR-013")
def check_a_folder_put_back_after_a_release(world: World) -> None:
    license_ = one_seat(world)
    client = away(world, license_)
    first = world.driver.call("offline_request", client=client)
    before = world.read(kept_path(world))
    assert before, "nothing is kept"
    answer = answered(world, license_, first["text"])
    world.driver.call("apply_offline_answer", client=client, file=answer["file"])
    release = world.driver.call("release_offline", client=client)
    expect(answered(world, license_, release["text"]), {"state": "Released"})
    kept_path(world).write_text(json.dumps({"seq": json.loads(before)["seq"]}))

    again = world.driver.call("offline_request", client=client)
    refused = answered(world, license_, again["text"])
    expect(refused, {"errorCode": "OfflineRequestOutdated"})

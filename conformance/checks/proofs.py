"""Keys of devices, and the requests that they prove."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

from conformance.proofs import ProvenRequest, read_proof, thumbprint
from conformance.requirements import proves
from conformance.vectors import expect
from conformance.world import HARDWARE, World

KEY_FILE = "device-key.json"
ACTIVATIONS, VALIDATE = "/activations", "/licenses/validate"
NOON, HOUR = datetime(2026, 3, 1, 12, tzinfo=UTC), timedelta(hours=1)


def in_folder(world: World, license_: dict[str, Any], **changes: Any) -> str:
    return world.client(license_, stateFolder=str(world.folder), **changes)


def key_file(world: World) -> Path:
    return world.folder / KEY_FILE


def proofs(world: World, *paths: str) -> list[ProvenRequest]:
    """What the requests to these routes, or all, have proven."""
    endpoint = world.config()["serverBaseEndpoint"]
    return [read_proof(entry, endpoint) for entry in world.requests(*paths)]


@proves("LIC-DPR-003")
def check_the_key_is_made_once(world: World) -> None:
    license_ = world.issue()
    client = in_folder(world, license_)
    first = world.driver.call("identity", client=client)
    expect(first, {"level": "Software", "hardwareId": HARDWARE})
    kept = json.loads(world.read(key_file(world)) or "{}")
    expect(kept, {"kty": "EC", "crv": "P-256"})
    assert thumbprint(kept) == first["jkt"], "the file has another key"
    assert sorted(kept) == ["crv", "d", "kty", "x", "y"], f"the file has {sorted(kept)}"
    other = world.another_driver()
    later = world.client(license_, other, stateFolder=str(world.folder))
    again = other.call("identity", client=later)
    assert again["jkt"] == first["jkt"], "another process has another key"


@proves("LIC-DPR-003")
def check_the_key_file_is_private(world: World) -> None:
    world.driver.call("identity", client=in_folder(world, world.issue()))
    path = key_file(world)
    mode = world.observer.observe(
        "disk", "mode", {}, lambda: f"{path.stat().st_mode & 0o777:o}" if path.exists() else None
    )
    assert mode == "600", f"the mode is {mode}"


@proves("LIC-DPR-004")
def check_each_request_is_proven(world: World) -> None:
    world.reset(releaseVersion="1.0.0")
    seats = world.issue("Concurrent", maxActiveUsersCount=1, activationMode="Offline")
    client = in_folder(world, seats, appVersion="1.0.0")
    jkt = world.driver.call("identity", client=client)["jkt"]
    for operation in ("activate", "validate_online", "refresh", "check_update", "deactivate"):
        world.driver.call(operation, client=client)
    floating = in_folder(world, world.issue("Floating", maxActiveUsersCount=1))
    session = world.driver.call("connect", client=floating)["session"]
    world.driver.call("disconnect", session=session)
    metered = in_folder(world, world.issue("MeteredCount", initialMeterBalance=9))
    world.driver.call("consume", client=metered, featureName="export")
    world.driver.call("balance", client=metered)
    found = proofs(world)
    assert len(found) >= 9, f"there are {len(found)} requests"
    others = [item.path for item in found if item.jkt != jkt]
    assert not others, f"another key has proven {others}"
    assert len({item.jti for item in found}) == len(found), "a jti was used twice"
    for path in (VALIDATE, ACTIVATIONS):
        body = world.requests(path)[0]["body"]
        expect(body, {"deviceKeyLevel": "Software"})


@proves("LIC-DPR-005")
def check_each_attempt_has_a_proof_of_its_own(world: World) -> None:
    client = in_folder(world, world.issue())
    world.fault(VALIDATE, status=503, times=2)
    expect(world.driver.call("validate_online", client=client), {"status": "Valid"})
    found = proofs(world, VALIDATE)
    assert len(found) == 3, f"there are {len(found)} attempts"
    assert len({item.jti for item in found}) == 3, "an attempt has the proof of another"


def refuse_for_the_clock(world: World, at: datetime, times: int = 1) -> None:
    body = json.dumps({"status": 403, "errorCode": "DeviceProofRequired", "detail": "The clock."})
    world.fault(
        ACTIVATIONS,
        times=times,
        status=403,
        headers={"Content-Type": "application/problem+json", "Date": format_datetime(at, True)},
        body=body,
    )


@proves("LIC-DPR-006")
def check_a_clock_that_is_wrong(world: World) -> None:
    world.set_time(NOON.isoformat())
    client = in_folder(world, world.issue("Concurrent", maxActiveUsersCount=1))
    refuse_for_the_clock(world, NOON + HOUR)
    world.driver.call("activate", client=client)
    found = proofs(world, ACTIVATIONS)
    times = [item.issued_at - NOON for item in found]
    assert times == [timedelta(0), HOUR], f"the proofs are of {[str(item) for item in times]}"
    world.clear_log()
    world.driver.call("validate_online", client=client)
    assert proofs(world)[0].issued_at == NOON + HOUR, "the next request has the wrong time again"


@proves("LIC-DPR-006")
def check_a_proof_that_is_refused_again(world: World) -> None:
    world.set_time(NOON.isoformat())
    client = in_folder(world, world.issue("Concurrent", maxActiveUsersCount=1))
    refuse_for_the_clock(world, NOON, times=3)
    error = world.driver.error("activate", client=client)
    expect(error, {"code": "DeviceProofRequired", "errorCode": "DeviceProofRequired"})
    found = proofs(world, ACTIVATIONS)
    assert len(found) <= 2, f"it was sent {len(found)} times"
    assert len({item.jti for item in found}) == len(found), "it was sent again as it was"


def break_key(world: World) -> None:
    key_file(world).write_text("{}")


@proves("LIC-DPR-007")
def check_a_key_that_cannot_be_used(world: World) -> None:
    break_key(world)
    client = in_folder(world, world.issue("Concurrent", maxActiveUsersCount=1))
    expect(world.driver.call("identity", client=client), {"jkt": None, "level": None})
    expect(world.driver.call("activate", client=client), {"status": "Active"})
    expect(world.driver.call("validate", client=client), {"status": "Valid"})
    proven = [entry["path"] for entry in world.requests() if "dpop" in entry["headers"]]
    assert not proven, f"there are proofs for {proven}"
    assert world.read(key_file(world)) == "{}", "the file was replaced"


@proves("LIC-DPR-008")
def check_a_proof_that_is_required(world: World) -> None:
    break_key(world)
    terms = {"maxActiveUsersCount": 1, "deviceProof": "Required"}
    client = in_folder(world, world.issue("Concurrent", **terms))
    result = world.driver.call("validate_online", client=client)
    expect(result, {"status": "DeviceProofRequired", "valid": False, "source": "server"})
    assert any(KEY_FILE in warning for warning in result["warnings"]), "no warning names the file"
    for operation in ("activate", "open"):
        error = world.driver.error(operation, client=client)
        expect(error, {"code": "DeviceProofRequired", "errorCode": "DeviceProofRequired"})

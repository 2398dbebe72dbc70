"""Downloads and telemetry."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from conformance.requirements import proves
from conformance.vectors import expect
from conformance.world import World

CONTENT = b"The new version, byte by byte. " * 200
TELEMETRY = "/telemetry"


def offered(world: World) -> tuple[str, dict[str, Any]]:
    """A client, and the file of an update for it."""
    files = {"setup.bin": b64encode(CONTENT).decode()}
    license_ = world.issue()
    world.control("POST", "/releases", version="1.5.0", files=files)
    client = world.client(license_, appVersion="1.0.0")
    update = world.driver.call("check_update", client=client)
    expect(update, {"updateAvailable": True, "version": "1.5.0"})
    [file] = update["files"]
    return client, {**file, "channel": update["channel"]}


def download_path(file: dict[str, Any]) -> str:
    path: str = file["downloadUrl"].partition("/api")[2].lower()
    return path


@proves("LIC-UPD-008")
def check_an_answer_sent_again(world: World) -> None:
    license_ = world.issue()
    client = world.client(license_, appVersion="1.0.0")
    expect(world.driver.call("check_update", client=client), {"updateAvailable": False})
    world.fault("/updates/latest", request={"nonce": "of-an-earlier-request"})
    frozen = world.driver.error("check_update", client=client, case="frozen")
    expect(frozen, {"code": "UntrustedUpdate"})
    world.control("POST", "/releases", version="1.5.0", files={})
    world.fault("/updates/latest", request={"nonce": "of-an-earlier-request"})
    pinned = world.driver.error("check_update", client=client, case="pinned")
    expect(pinned, {"code": "UntrustedUpdate"})
    world.fault("/updates/latest", response={"answer": None})
    expect(world.driver.error("check_update", client=client), {"code": "UntrustedUpdate"})
    found = world.driver.call("check_update", client=client)
    expect(found, {"updateAvailable": True, "version": "1.5.0"})


@proves("LIC-UPD-010")
def check_a_newer_release_that_is_not_covered(world: World) -> None:
    address = "https://example.com/renew"
    license_ = world.issue(updatesUntil="2020-01-01T00:00:00Z", metadata={"renewUrl": address})
    client = world.client(license_, appVersion="1.0.0")
    world.control("POST", "/releases", version="1.5.0", files={})
    found = world.driver.call("check_update", client=client)
    newer = {"version": "1.5.0", "reason": "MaintenanceEnded", "renewUrl": address}
    expect(found, {"updateAvailable": False, "newer": newer})


@proves("LIC-DWN-001")
def check_a_download(world: World) -> None:
    client, file = offered(world)
    folder = world.folder / "downloads"
    folder.mkdir()
    path = folder / "setup.bin"
    world.driver.call("download", client=client, file=file, path=str(path))
    assert world.read(path) == CONTENT.decode(), "the file is another one"
    assert world.files(folder) == ["setup.bin"], "something else was left behind"


@proves("LIC-DWN-002")
def check_a_damaged_download(world: World) -> None:
    client, file = offered(world)
    folder = world.folder / "downloads"
    folder.mkdir()
    path = folder / "setup.bin"
    path.write_text("the old version")
    wrong = {**file, "sha256": "0" * 64}
    given = {"client": client, "file": wrong, "path": str(path)}
    expect(world.driver.error("download", **given), {"code": "DamagedDownload"})
    assert world.read(path) == "the old version", "the existing file was replaced"
    assert world.files(folder) == ["setup.bin"], "the download was not deleted"


@proves("LIC-DWN-003")
def check_a_download_that_broke_off(world: World) -> None:
    client, file = offered(world)
    folder = world.folder / "downloads"
    folder.mkdir()
    path = folder / "setup.bin"
    world.fault(download_path(file), dropped=True)
    world.driver.call("download", client=client, file=file, path=str(path), case="resumed")
    assert world.read(path) == CONTENT.decode(), "the file is another one"


@proves("LIC-TEL-001")
def check_telemetry_is_off(world: World) -> None:
    client = world.client(world.issue())
    world.driver.call("track", client=client, name="started")
    world.driver.call("close", client=client)
    assert world.requests(TELEMETRY) == [], "an event was sent"


@proves("LIC-TEL-002")
def check_events_are_sent_together(world: World) -> None:
    client = world.client(world.issue(), telemetry=True)
    for name in ("started", "export", "stopped"):
        world.driver.call("track", client=client, name=name, properties={"pages": 3})
    world.driver.call("close", client=client)
    sent = world.requests(TELEMETRY)
    names = [event["name"] for entry in sent for event in entry["body"]["events"]]
    assert names == ["started", "export", "stopped"], f"the events are {names}"
    assert len(sent) == 1, f"{len(sent)} requests"
    assert sent[0]["status"] == 202, f"the server refused with {sent[0]['status']}"


@proves("LIC-TEL-003")
def check_telemetry_never_fails(world: World) -> None:
    client = world.client(world.issue(), telemetry=True)
    world.fault(TELEMETRY, times=9, status=500)
    for name in ("started", "x" * 5000, "\0"):
        world.driver.call("track", client=client, name=name, case=name[:9])
    world.driver.call("close", client=client, case="close")

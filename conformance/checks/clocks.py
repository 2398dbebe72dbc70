"""The clock of a Test product, which an application in test mode follows."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from conformance.requirements import proves
from conformance.vectors import expect
from conformance.world import World

STANDING = {"Online": "GracePeriod", "Offline": "Valid"}
"""What a license of a mode is without its server."""


def in_days(days: float) -> str:
    moment = datetime.now(UTC) + timedelta(days=days)  # noqa: TID251 - the server's time, too
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def subscription(world: World, mode: str, days: int) -> dict[str, Any]:
    world.reset(mode="Test")
    terms = {"activationMode": mode, "expirationDate": in_days(days)}
    return world.issue("Subscription", **terms)


@proves("LIC-TST-006")
def check_the_time_of_a_test_license(world: World) -> None:
    for mode, standing in STANDING.items():
        license_ = subscription(world, mode, 30)
        folder = world.folder / mode
        folder.mkdir()
        client = world.client(license_, testMode=True, licenseFile=str(folder / "license.bin"))
        expect(world.driver.call("validate", client=client), {"status": "Valid"})
        world.advance(days=20)
        result = world.driver.call("validate", client=client, case="before-the-end")
        expect(result, {"status": "Valid", "warnings": []})
        result = world.driver.call("verify_offline", client=client, case="alone-before-the-end")
        expect(result, {"status": standing, "warnings": []})
        if mode == "Online":
            world.driver.call("set_clock", now=in_days(8))
            result = world.driver.call("verify_offline", client=client, case="after-the-grace")
            expect(result, {"status": "OnlineRequired"})
            world.driver.call("set_clock", now=None)
        world.advance(days=11)
        for operation in ("validate", "verify_offline"):
            result = world.driver.call(operation, client=client, case=f"after-the-end-{operation}")
            expect(result, {"status": "Expired"})


@proves("LIC-TST-005")
def check_a_test_clock_that_is_removed(world: World) -> None:
    license_ = subscription(world, "Offline", 30)
    client = world.client(license_, testMode=True)
    world.advance(days=20)
    expect(world.driver.call("validate", client=client), {"status": "Valid"})
    world.control("DELETE", "/clock")
    world.clear_log()
    result = world.driver.call("validate", client=client, case="removed")
    expect(result, {"status": "Valid", "warnings": []})
    assert world.requests("/licenses/refresh"), "it keeps a license.bin from the future"
    result = world.driver.call("verify_offline", client=client, case="alone")
    expect(result, {"status": "Valid", "warnings": []})

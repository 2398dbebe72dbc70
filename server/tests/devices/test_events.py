"""Events about devices, and that no complete hardware ID appears in events, logs or messages."""

import json
from typing import Any

import pytest
import structlog
from devices.books import events_in
from hypothesis import given
from hypothesis import strategies as st
from world import Vendor, World

from licet_server.devices.rules.model import masked

MACHINE = "6f1c2a9d-4b7e-4c53-9a10-0d5e8b3f7a21"
OTHER = "c0ffee00-1111-2222-3333-444455556666"
SHOWN = {MACHINE: "6f1c…7a21", OTHER: "c0ff…6666"}


async def test_every_change_of_a_device_is_recorded_with_its_actor(world: World) -> None:
    license_ = await world.issue("NodeLocked", deviceBindingMode="OwnerApproval")
    details = {"deviceName": "DemoClient", "os": "Linux", "appVersion": "2.0.0"}
    device = (await world.activate(license_, MACHINE, **details)).json()["activationId"]
    for action in ("approve", "block", "unblock"):
        world.clock.advance(seconds=1)
        await world.operate(device, action)
        await world.operate(device, action)  # a repetition records nothing
    world.clock.advance(seconds=1)
    await world.deactivate(license_, MACHINE)
    recorded = await events_in(world.platform, world, "activation.")
    assert [(item["kind"], item["actor_kind"], item["data"]["status"]) for item in recorded] == [
        ("activation.pending", "ProductKey", "Pending"),
        ("activation.approved", "User", "Active"),
        ("activation.blocked", "User", "Blocked"),
        ("activation.unblocked", "User", "Active"),
        ("activation.deleted", "ProductKey", "Released"),
    ]
    for item in recorded:
        assert str(item["subject_id"]) == device
        assert str(item["product_id"]) == world.product["id"]
        assert item["ip_address"]
        assert item["request_id"]
        assert item["data"] | {"status": "", "reason": "", "seatFreeAt": ""} == {
            "id": device,
            "licenseId": license_["id"],
            "productId": world.product["id"],
            "hardwareId": SHOWN[MACHINE],
            **details,
            "seatFreeAt": "",
            "status": "",
            "reason": "",
        }
    assert recorded[-1]["data"]["reason"] == "Device"


WAYS = ["activations", "licenses/validate", "licenses/refresh", "sessions/connect"]


async def go_through_everything(vendor: Vendor, license_: dict[str, Any]) -> list[Any]:
    """Make every request about devices of a license; returns the responses meant for people."""
    answers = []
    for machine in (MACHINE, OTHER, "x" * 10_000):
        body = {"licenseKey": license_["licenseKey"], "hardwareId": machine}
        answers += [await vendor.call("POST", f"/api/{way}", body) for way in WAYS]
    for device in await vendor.devices(license_):
        acts = ("approve", "block", "approve", "unblock")
        refused = [await vendor.operate(device, act) for act in acts]
        answers += [answer for answer in refused if not answer.is_success]
    place = f"/api/licenses/{license_['id']}"
    for machine in (MACHINE, OTHER):
        answers += [
            await vendor.owner.send("POST", f"{place}/explain", {"hardwareId": machine}),
            await vendor.owner.send("GET", f"{place}/file?hardwareId={machine}"),
            await vendor.deactivate(license_, machine),
        ]
    return answers


@pytest.mark.specification("attempts.masked")
async def test_no_complete_hardware_id_is_disclosed(world: World) -> None:
    locked = await world.issue("NodeLocked")
    waiting = await world.issue("NodeLocked", deviceBindingMode="OwnerApproval")
    pool = await world.issue("Concurrent", maxActiveUsersCount=1)
    with structlog.testing.capture_logs() as lines:
        answers = [
            answer
            for license_ in (locked, waiting, pool)
            for answer in await go_through_everything(world, license_)
        ]
        structlog.get_logger().warning("captured")
    messages = [answer.text for answer in answers]
    events = [json.dumps(item["data"]) for item in await events_in(world.platform, world, "")]
    assert len(events) > 15
    assert sum(answer.status_code >= 400 for answer in answers) > 15
    assert [line for line in lines if line["event"] == "captured"]
    for place, texts in (("events", events), ("logs", map(str, lines)), ("responses", messages)):
        for text in texts:
            assert MACHINE not in text, (place, text)
            assert OTHER not in text, (place, text)
            assert "x" * 1_000 not in text, (place, text)


@given(st.text(min_size=1, max_size=256))
def test_a_masked_id_shows_at_most_eight_characters(text: str) -> None:
    shown = masked(text).replace("…", "", 1)
    assert len(shown) <= min(8, len(text) * 2 // 3)
    assert shown != text

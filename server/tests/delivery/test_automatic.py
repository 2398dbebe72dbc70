"""What happened to a license is told to its receiver once, where the vendor wants that."""

import asyncio
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from delivery.post import mails_of, opened, template_path, waiting
from importing.exports import CSV
from licenses.factories import license_body
from licenses.reminder_log import put_back, remind
from testkit import FakeClock, Owner
from world import Vendor, open_vendor

from licet_server.app import Application
from licet_server.importing.service.files import Format, read_export
from licet_server.importing.service.importing import ImportOptions, import_licenses
from licet_server.kit.platform import Platform
from licet_server.worker import dispatch_events


@pytest.fixture
def application(fresh_application: Application) -> Application:
    """With an outbox of its own."""
    return fresh_application


@pytest.fixture
async def vendor(owner: Owner) -> Vendor:
    return await open_vendor(owner)


async def turn_on(vendor: Vendor, *kinds: str) -> None:
    for kind in kinds:
        await vendor.owner.ok("PUT", template_path(vendor.product, kind), {"automatic": True})


async def kinds_of(vendor: Vendor, platform: Platform) -> list[str]:
    await dispatch_events(platform)
    return [item["kind"] for item in reversed(await mails_of(vendor.owner))]


@pytest.mark.parametrize(
    ("automatic", "notify", "mailed"),
    [
        (False, None, False),
        (False, True, True),
        (False, False, False),
        (True, None, True),
        (True, True, True),
        (True, False, False),
    ],
)
async def test_new_license_is_mailed_on_request_or_automatically(
    vendor: Vendor, platform: Platform, automatic: bool, notify: bool | None, mailed: bool
) -> None:
    if automatic:
        await turn_on(vendor, "issued")
    await vendor.issue("Perpetual", **({} if notify is None else {"notify": notify}))
    assert await kinds_of(vendor, platform) == (["Issued"] if mailed else [])
    assert await kinds_of(vendor, platform) == (["Issued"] if mailed else []), "once"


async def test_license_without_a_receiver_is_not_mailed(
    vendor: Vendor, owner: Owner, platform: Platform
) -> None:
    body = license_body(vendor.product, issuedTo=None, notify=True)
    answer = await owner.send("POST", "/api/licenses", body)
    assert answer.status_code == 400
    assert [item["field"] for item in answer.json()["errors"]] == ["notify"]
    await turn_on(vendor, "issued")
    await vendor.issue("Perpetual", issuedTo=None)
    assert await kinds_of(vendor, platform) == []


async def test_a_replayed_sale_is_mailed_once(
    vendor: Vendor, owner: Owner, platform: Platform
) -> None:
    body, key = license_body(vendor.product, notify=True), {"Idempotency-Key": "sale-1"}
    for _ in range(3):
        await owner.ok("POST", "/api/licenses", body, headers=key)
    assert await kinds_of(vendor, platform) == ["Issued"]


async def test_renewals_and_revocations_are_mailed(
    vendor: Vendor, owner: Owner, platform: Platform
) -> None:
    await turn_on(vendor, "renewed", "revoked")
    license_ = await vendor.issue("Subscription")
    path = f"/api/licenses/{license_['id']}"
    await owner.ok("PUT", path, {"notes": "Nothing to tell"})
    await owner.ok("PUT", path, {"expirationDate": "2032-01-01T00:00:00Z"})
    assert await kinds_of(vendor, platform) == ["Renewed"]
    await owner.ok("POST", f"{path}/suspend")
    await owner.ok("POST", f"{path}/revoke", {"reason": "Not for the customer to read"})
    assert await kinds_of(vendor, platform) == ["Renewed", "Revoked"]
    for item in await waiting(platform):
        assert item.text is not None
        assert "Not for the customer" not in item.text


async def test_outdated_events_are_not_mailed(
    vendor: Vendor, owner: Owner, platform: Platform
) -> None:
    await turn_on(vendor, "issued", "revoked")
    license_ = await vendor.issue("Perpetual")
    await owner.ok("POST", f"/api/licenses/{license_['id']}/revoke")
    assert await kinds_of(vendor, platform) == ["Revoked"]


async def test_reminders_are_mailed(vendor: Vendor, platform: Platform, clock: FakeClock) -> None:
    await turn_on(vendor, "expiring")
    license_ = await vendor.issue("Subscription", expirationDate="2030-03-01T00:00:00Z")
    await put_back(platform, license_["id"], 400)
    clock.advance(days=20)
    for _ in range(2):
        await remind(platform)
        await dispatch_events(platform)
    items = [item for item in await waiting(platform) if item.recipient == "customer@example.com"]
    [item] = items
    assert item.text is not None
    assert "Valid until: March 1, 2030" in item.text
    assert "Days left: 25" in item.text


async def test_concurrent_processes_mail_each_license_once(
    vendor: Vendor, platform: Platform
) -> None:
    await turn_on(vendor, "issued")
    for number in range(12):
        await vendor.issue("Perpetual", issuedTo=f"c{number}@example.com")
    await asyncio.gather(*(dispatch_events(platform) for _ in range(4)))
    found = await mails_of(vendor.owner, pageSize=100)
    assert sorted(item["recipient"] for item in found) == sorted(
        f"c{number}@example.com" for number in range(12)
    )
    async with opened(platform) as post:
        assert len(await post.send()) == 12
    found = await mails_of(vendor.owner, status="Sent", pageSize=100)
    assert len(found) == 12


async def test_import_sends_no_mail(vendor: Vendor, platform: Platform, tmp_path: Path) -> None:
    await turn_on(vendor, "issued")
    file = tmp_path / "licenses.csv"
    file.write_text(CSV)
    options = ImportOptions(product_id=UUID(vendor.product["id"]))
    found: Any = list(read_export(file, Format.CSV))
    report = await import_licenses(platform, found, options, lambda _done, _total: None)
    assert report.licenses == 3
    assert await kinds_of(vendor, platform) == []


async def test_template_applies_to_its_product_and_vendor_only(
    vendor: Vendor, stranger: Owner, platform: Platform
) -> None:
    await turn_on(vendor, "issued")
    others = await open_vendor(stranger)
    await others.issue("Perpetual")
    sibling = await open_vendor(vendor.owner, name="Borealis")
    await sibling.issue("Perpetual")
    assert await kinds_of(vendor, platform) == []
    assert await kinds_of(others, platform) == []

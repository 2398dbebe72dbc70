"""A search reads a few pages of large tables, however common or rare what is sought is."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from plans import explain, taken_down
from sqlalchemy import text
from testkit import Owner
from unhurried import unhurried, vacuum
from world import Vendor, open_vendor

from licet_server.kit.platform import Platform
from licet_server.kit.word_search import SCANS

MANY = 40_000

_LICENSES = f"""
INSERT INTO licenses (institution_id, id, product_id, software_release_id, type, license_key,
    normal_key, license_name, issued_to, activation_mode, created_at, updated_at)
SELECT institution_id, uuidv7(), product_id, software_release_id, type, 'BULK-' || n,
    'BULK' || lpad(n::text, 20, '0'), 'Common number' || n, 'user' || n || '@bulk.example',
    activation_mode, now(), now()
FROM licenses, generate_series(1, {MANY}) n WHERE id = :license
"""
_DEVICES = f"""
INSERT INTO activations (institution_id, id, license_id, product_id, hardware_id, device_name,
    holds_seat, bound, created_at, activated_at, last_seen_at)
SELECT institution_id, uuidv7(), id, product_id, 'hw' || n, 'Node ' || n, true, false,
    now(), now(), now()
FROM licenses, generate_series(1, {MANY}) n WHERE id = :license
"""
_SESSIONS = f"""
WITH ids AS (
    SELECT institution_id, id AS license_id, product_id, n, uuidv7() AS id, n % 4 = 0 AS live
    FROM licenses, generate_series(1, {MANY}) n WHERE id = :license
), started AS (
    INSERT INTO sessions (institution_id, id, license_id, product_id, hardware_id, device_name,
        connected_at, ended_at, end_reason)
    SELECT institution_id, id, license_id, product_id, 'seat' || n, 'Seat ' || n, now(),
        CASE WHEN NOT live THEN now() END, CASE WHEN NOT live THEN 'Disconnected' END
    FROM ids
)
INSERT INTO session_slots (institution_id, license_id, n, session_id, product_id, hardware_id,
    connected_at, last_heartbeat_at, expires_at)
SELECT institution_id, license_id, n, id, product_id, 'seat' || n, now(), now(), '2999-01-01'
FROM ids WHERE live
"""
TEXTS = {
    "common": "one of very many",
    "number39999": "a rare word",
    "common number39999": "a rare and a common word",
    "user777@bulk.example": "an address",
    "BULK00000": "the beginning of many keys",
    "first": "an old one",
    "hw777": "a device",
    "node": "one of many devices",
    "seat31": "a few sessions",
    "seat": "one of many sessions",
    "absent": "nothing",
}


@pytest.fixture
async def vendor(owner: Owner, platform: Platform) -> AsyncIterator[Vendor]:
    vendor = await open_vendor(owner, name="Quarterly")
    made = await vendor.issue(
        "Concurrent", licenseName="First of all", issuedTo="first@bulk.example"
    )
    given = {"license": made["id"]}
    async with unhurried(platform) as db:
        await db.execute(text(_LICENSES), given)
        await db.execute(text(_DEVICES), given)
        await db.execute(text(_SESSIONS), given)
    await vacuum(platform, "licenses")
    await vacuum(platform, "activations")
    await vacuum(platform, "sessions")
    await vacuum(platform, "session_slots")
    yield vendor
    async with unhurried(platform) as db:
        for table in ("activations", "session_slots", "sessions"):
            await db.execute(text(f"DELETE FROM {table} WHERE license_id = :license"), given)
        await db.execute(
            text("DELETE FROM licenses WHERE institution_id = :one AND id <> :license"),
            {**given, "one": vendor.owner.institution_id},
        )


async def find(vendor: Vendor, sought: str) -> dict[str, list[Any]]:
    answer = await vendor.owner.ok(
        "GET", "/api/search", params={"q": sought, "institutionId": vendor.owner.institution_id}
    )
    return {group["kind"]: group["items"] for group in answer["groups"]}


@pytest.mark.undivided
async def test_no_search_reads_a_large_table(vendor: Vendor, platform: Platform) -> None:
    found = {}
    for sought, why in TEXTS.items():
        with taken_down("institution_id") as taken:
            found[sought] = await find(vendor, sought)
        assert 4 < len(taken) < 20, why
        for question in taken:
            asks_index = "@@" in question.statement and "AS newest" not in question.statement
            plan = await explain(platform, question, SCANS if asks_index else ())
            assert plan.pages < 6_000, (why, plan.pages, question.statement)
    assert [item["title"] for item in found["number39999"]["License"]] == ["Common number39999"]
    assert [item["title"] for item in found["common number39999"]["License"]] == [
        "Common number39999"
    ]
    assert [item["title"] for item in found["first"]["License"]] == ["First of all"]
    assert len(found["common"]["License"]) == len(found["node"]["Device"]) == 6
    assert len(found["seat"]["Session"]) == 6
    assert {item["title"][:7] for item in found["seat31"]["Session"]} == {"Seat 31"}
    assert found["hw777"]["Device"][0]["detail"] == "hw777"
    assert found["absent"] == {}

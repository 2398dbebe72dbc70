"""Webhooks as operators create, change and delete them."""

import base64
from datetime import datetime
from typing import Any

import pytest
from applications import AnotherServer
from sqlalchemy import text
from testkit import FakeClock, Owner, client_of
from webhooks.factories import make_webhook, shown

from licet_server.kit.platform import Platform

URL = "https://hooks.example.com/licet/T0/secret?key=1"
VIEW = {
    "id", "institutionId", "url", "eventTypes", "description", "enabled", "includeKeys",
    "disabledReason", "disabledAt", "createdAt", "updatedAt", "lastDeliveryAt", "lastStatus",
}  # fmt: skip


async def test_a_webhook_is_created_and_shown_without_its_secret(
    owner: Owner, clock: FakeClock
) -> None:
    answer = await owner.send("POST", "/api/webhooks", {"url": URL, "eventTypes": ["license.*"]})
    assert answer.status_code == 201
    made = answer.json()
    assert set(made) == VIEW | {"secret"}
    prefix, _, encoded = made["secret"].partition("_")
    assert prefix == "whsec"
    assert len(base64.b64decode(encoded, validate=True)) == 32
    assert made["institutionId"] == owner.institution_id
    assert (made["enabled"], made["disabledReason"], made["disabledAt"]) == (True, None, None)
    assert (made["lastDeliveryAt"], made["lastStatus"], made["description"]) == (None, None, None)
    assert datetime.fromisoformat(made["createdAt"]) == clock()
    known = {name: made[name] for name in VIEW}
    assert await shown(owner, made) == known
    listed = await owner.ok("GET", "/api/webhooks")
    assert listed["items"] == [known]
    assert (listed["page"], listed["totalCount"]) == (1, 1)


async def test_lists_contain_webhooks_of_own_institutions_only(
    owner: Owner, stranger: Owner
) -> None:
    first, second = [await make_webhook(owner, f"{URL}&n={n}") for n in (1, 2)]
    await make_webhook(stranger, URL)
    newest = await owner.ok("GET", "/api/webhooks")
    assert [item["id"] for item in newest["items"]] == [second["id"], first["id"]]
    by_url = await owner.ok("GET", "/api/webhooks?sort=url&pageSize=1")
    assert [item["id"] for item in by_url["items"]] == [first["id"]]
    mine = await owner.ok("GET", f"/api/webhooks?institutionId={owner.institution_id}")
    assert mine["totalCount"] == 2
    theirs = await owner.send("GET", f"/api/webhooks?institutionId={stranger.institution_id}")
    assert theirs.status_code == 404
    there = {"url": URL, "eventTypes": ["*"], "institutionId": stranger.institution_id}
    refused = await owner.send("POST", "/api/webhooks", there)
    assert refused.status_code == 400
    assert refused.json()["errors"][0]["field"] == "institutionId"


async def test_a_change_keeps_omitted_fields(owner: Owner, clock: FakeClock) -> None:
    made = await make_webhook(owner, URL, "*", description="Ours")
    path = f"/api/webhooks/{made['id']}"
    clock.advance(minutes=1)
    body: dict[str, Any] = {"eventTypes": ["meter.depleted", "license.*", "meter.depleted"]}
    changed = await owner.ok("PUT", path, body)
    assert changed["eventTypes"] == ["meter.depleted", "license.*"]
    assert (changed["url"], changed["description"]) == (URL, "Ours")
    assert datetime.fromisoformat(changed["updatedAt"]) == clock()
    assert (await owner.ok("PUT", path, {"description": None}))["description"] is None
    clock.advance(minutes=1)
    same = await owner.ok("PUT", path, {})
    assert datetime.fromisoformat(same["updatedAt"]) < clock()
    off = await owner.ok("PUT", path, {"enabled": False})
    assert (off["enabled"], off["disabledReason"]) == (False, None)
    assert datetime.fromisoformat(off["disabledAt"]) == clock()
    on = await owner.ok("PUT", path, {"enabled": True})
    assert (on["enabled"], on["disabledAt"]) == (True, None)
    for name in ("url", "eventTypes", "enabled"):
        refused = await owner.send("PUT", path, {name: None})
        assert refused.json()["errors"][0]["field"] == name
    await owner.ok("DELETE", path)
    assert (await owner.send("GET", path)).status_code == 404


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"url": "nothing"}, ["url"]),
        ({"eventTypes": []}, ["eventTypes"]),
        ({"eventTypes": ["license.created", "license.imagined"]}, ["eventTypes[1]"]),
        (
            {"eventTypes": ["x", "*", "user.*"], "url": "x"},
            ["url", "eventTypes[0]", "eventTypes[2]"],
        ),
        ({"secret": "whsec_mine"}, ["secret"]),
        ({"description": "x" * 501}, ["description"]),
    ],
)
async def test_every_bad_field_is_reported(owner: Owner, fields: Any, named: list[str]) -> None:
    body = {"url": URL, "eventTypes": ["*"], **fields}
    refused = await owner.send("POST", "/api/webhooks", body)
    assert (refused.status_code, refused.json()["errorCode"]) == (400, "InvalidRequest")
    assert [error["field"] for error in refused.json()["errors"]] == named


async def test_private_addresses_require_the_setting(
    owner: Owner, another_server: AnotherServer
) -> None:
    inside = {"url": "http://127.0.0.1:9/", "eventTypes": ["*"]}
    made = await owner.ok("POST", "/api/webhooks", inside)
    strict = await another_server(webhooks_allow_private=False)
    async with client_of(strict) as client:
        owner.client = client
        path = f"/api/webhooks/{made['id']}"
        for method, where, body in (
            ("POST", "/api/webhooks", inside),
            ("POST", "/api/webhooks", {**inside, "url": "https://localhost/"}),
            ("PUT", path, {"url": "https://10.0.0.1/"}),
            ("PUT", path, {"url": "http://hooks.example.com/"}),
        ):
            refused = await owner.send(method, where, body)
            assert refused.status_code == 400
            assert [error["field"] for error in refused.json()["errors"]] == ["url"]
        kept = await owner.ok("PUT", path, {"description": "Still ours", "url": inside["url"]})
        assert kept["description"] == "Still ours"


async def test_a_secret_that_is_lost_is_replaced(owner: Owner, platform: Platform) -> None:
    made = await make_webhook(owner, URL, "*")
    async with platform.database.reading() as db:
        await db.execute(
            text("UPDATE webhooks SET secret = '\\x00' WHERE id = :id"), {"id": made["id"]}
        )
    rotated = await owner.ok("POST", f"/api/webhooks/{made['id']}/rotate-secret")
    assert rotated["secret"] != made["secret"]


async def test_changes_are_in_the_audit_log_without_secrets(owner: Owner) -> None:
    made = await make_webhook(owner, URL, "*")
    path = f"/api/webhooks/{made['id']}"
    await owner.ok("PUT", path, {"enabled": False})
    rotated = await owner.ok("POST", f"{path}/rotate-secret")
    await owner.ok("DELETE", path)
    audit = f"/api/institutions/{owner.institution_id}/audit?kind=webhook.*&sort=occurredAt"
    answer = await owner.send("GET", audit)
    entries = answer.json()["items"]
    assert [item["kind"] for item in entries] == [
        "webhook.created",
        "webhook.updated",
        "webhook.secret_rotated",
        "webhook.deleted",
    ]
    assert entries[1]["changes"] == {"enabled": [True, False]}
    for secret in (made["secret"], rotated["secret"], "T0/secret", "key=1"):
        assert secret not in answer.text
    assert "https://hooks.example.com" in answer.text


async def test_deleting_an_institution_deletes_its_webhooks(
    platform: Platform, owner: Owner, stranger: Owner
) -> None:
    for user in (owner, stranger):
        made = await make_webhook(user, URL)
        await user.ok("POST", f"/api/webhooks/{made['id']}/test")
    await owner.ok("DELETE", f"/api/institutions/{owner.institution_id}")
    async with platform.database.reading() as db:
        for table in ("webhooks", "webhook_deliveries"):
            left = await db.execute(text(f"SELECT institution_id FROM {table}"))
            assert {str(row[0]) for row in left} == {stranger.institution_id}

"""Product keys: rotated with a grace, revoked at once, looked up in batches."""

import asyncio
import uuid
from typing import Any

import pytest
from bodies import refused_fields
from catalog.factories import events_of, make_product, refusal
from sqlalchemy import select, update
from testkit import FakeClock, Owner

from licet_server.app import Application
from licet_server.catalog.access import ProductKeyLookup
from licet_server.catalog.rules.model import (
    LIVE_PRODUCT_KEYS_MAX,
    RANDOM_BYTES,
    institution_of,
    key_hash,
    product_key,
)
from licet_server.catalog.schemas.products import RotateProductKeyBody
from licet_server.catalog.storage.keys import find_callers
from licet_server.catalog.tables import product_keys
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform


@pytest.fixture
def lookup(application: Application) -> ProductKeyLookup:
    found: ProductKeyLookup = application.litestar.state["product_keys"]
    return found


async def credentials(owner: Owner, product: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = await owner.ok("GET", f"/api/products/{product['id']}/credentials")
    return found


async def rotate(owner: Owner, product: dict[str, Any], **fields: Any) -> dict[str, Any]:
    path = f"/api/products/{product['id']}/credentials/rotate"
    rotated: dict[str, Any] = await owner.ok("POST", path, fields)
    return rotated


@pytest.mark.specification("products.keys")
async def test_a_key_identifies_its_product(owner: Owner, lookup: ProductKeyLookup) -> None:
    product = await make_product(owner)
    key = (await credentials(owner, product))["apiKey"]
    assert str(institution_of(key)) == owner.institution_id
    caller = await lookup.find(key)
    assert caller is not None
    assert str(caller.product_id) == product["id"]
    assert str(caller.institution_id) == owner.institution_id


async def test_rotation_with_a_grace_period_expires_older_keys(
    owner: Owner, clock: FakeClock, lookup: ProductKeyLookup
) -> None:
    product = await make_product(owner)
    first = (await credentials(owner, product))["apiKey"]
    clock.advance(seconds=1)
    rotated = await rotate(owner, product, graceSeconds=60)
    assert [item["apiKey"] for item in rotated["keys"]] == [rotated["apiKey"], first]
    assert rotated["keys"][0]["expiresAt"] is None
    assert rotated["keys"][1]["expiresAt"] == "2030-01-15T12:01:01Z"
    clock.advance(seconds=59)
    assert await lookup.find(first) is not None
    clock.advance(seconds=1)
    assert await lookup.find(first) is None
    assert await lookup.find(rotated["apiKey"]) is not None
    assert [key["apiKey"] for key in (await credentials(owner, product))["keys"]] == [
        rotated["apiKey"]
    ]


async def test_a_later_rotation_never_extends_a_key(owner: Owner, clock: FakeClock) -> None:
    product = await make_product(owner)
    await rotate(owner, product, graceSeconds=60)
    clock.advance(seconds=1)
    rotated = await rotate(owner, product, graceSeconds=3_600)
    ends = sorted(str(key["expiresAt"]) for key in rotated["keys"])
    assert ends == ["2030-01-15T12:01:00Z", "2030-01-15T13:00:01Z", "None"]


@pytest.mark.parametrize("body", [None, {}, {"graceSeconds": None}])
async def test_older_keys_live_until_revoked_without_a_grace_period(
    owner: Owner, clock: FakeClock, lookup: ProductKeyLookup, body: Any
) -> None:
    product = await make_product(owner)
    path = f"/api/products/{product['id']}/credentials"
    old = (await credentials(owner, product))["keys"][0]
    clock.advance(seconds=1)
    rotated = await owner.ok("POST", f"{path}/rotate", body)
    assert [key["expiresAt"] for key in rotated["keys"]] == [None, None]
    clock.advance(days=1_000)
    assert await lookup.find(old["apiKey"]) is not None


async def test_a_grace_period_of_zero_expires_older_keys_at_once(
    owner: Owner, clock: FakeClock, lookup: ProductKeyLookup
) -> None:
    product = await make_product(owner)
    old = (await credentials(owner, product))["apiKey"]
    rotated = await rotate(owner, product, graceSeconds=0)
    assert len(rotated["keys"]) == 1
    assert await lookup.find(old) is None


async def test_revocation_works_at_once_and_spares_the_last_key(
    owner: Owner, clock: FakeClock, lookup: ProductKeyLookup
) -> None:
    product = await make_product(owner)
    path = f"/api/products/{product['id']}/credentials"
    old = (await credentials(owner, product))["keys"][0]
    assert refusal(await owner.send("DELETE", f"{path}/{old['id']}")) == (409, "Conflict")
    clock.advance(seconds=1)
    new = (await rotate(owner, product))["keys"][0]
    assert (await owner.send("DELETE", f"{path}/{old['id']}")).status_code == 204
    assert await lookup.find(old["apiKey"]) is None
    assert refusal(await owner.send("DELETE", f"{path}/{old['id']}")) == (404, "NotFound")
    assert refusal(await owner.send("DELETE", f"{path}/{new['id']}")) == (409, "Conflict")
    other = await make_product(owner, "Other")
    wrong = f"/api/products/{other['id']}/credentials/{new['id']}"
    assert refusal(await owner.send("DELETE", wrong)) == (404, "NotFound")


async def test_concurrent_revocations_leave_one_key(owner: Owner) -> None:
    product = await make_product(owner)
    path = f"/api/products/{product['id']}/credentials"
    keys = (await rotate(owner, product))["keys"]
    answers = await asyncio.gather(*(owner.send("DELETE", f"{path}/{key['id']}") for key in keys))
    assert sorted(answer.status_code for answer in answers) == [204, 409]


async def test_the_number_of_live_keys_is_limited(owner: Owner) -> None:
    product = await make_product(owner)
    path = f"/api/products/{product['id']}/credentials/rotate"
    for _ in range(LIVE_PRODUCT_KEYS_MAX - 1):
        await owner.ok("POST", path, {})
    assert refusal(await owner.send("POST", path, {})) == (409, "Conflict")
    assert len((await owner.ok("POST", path, {"graceSeconds": 0}))["keys"]) == 1


@pytest.mark.parametrize("grace", [-1, 10**10, 10**40, "60", 1.5, True, []])
def test_invalid_grace_period_is_rejected(grace: Any) -> None:
    assert refused_fields(RotateProductKeyBody, {"graceSeconds": grace}) == ["graceSeconds"]


@pytest.mark.specification("auth.product-key")
@pytest.mark.parametrize(
    "key",
    [
        None,
        "",
        "pk_",
        "nonsense",
        "pk_\xff",
        "x" * 10_000,
        product_key(uuid.UUID(int=1), bytes(RANDOM_BYTES)),
    ],
)
async def test_unknown_key_is_unauthorized(owner: Owner, key: str | None) -> None:
    headers = {} if key is None else {"x-api-key": key.encode("latin-1")}
    answer = await owner.client.post("/api/licenses/validate", json={}, headers=headers)
    assert refusal(answer) == (401, "Unauthorized")
    assert "X-API-KEY" in answer.json()["detail"]


async def test_a_key_of_another_institution_with_our_random_part_is_unknown(
    owner: Owner, stranger: Owner, lookup: ProductKeyLookup, platform: Platform
) -> None:
    key = (await credentials(owner, await make_product(owner)))["apiKey"]
    forged = product_key(uuid.UUID(stranger.institution_id), bytes(RANDOM_BYTES))[:29] + key[29:]
    assert institution_of(forged) == uuid.UUID(stranger.institution_id)
    assert await lookup.find(forged) is None
    mine, theirs = uuid.UUID(owner.institution_id), uuid.UUID(stranger.institution_id)
    digest = key_hash(key)
    async with platform.database.reading() as db:
        found = await find_callers(db, [(theirs, digest), (mine, digest)], platform.clock())
    assert list(found) == [(mine, digest)]


async def test_each_caller_in_a_batch_gets_its_own_result(
    owner: Owner, stranger: Owner, lookup: ProductKeyLookup
) -> None:
    expected: dict[str, str | None] = {}
    for who in (owner, stranger):
        for name in ("One", "Two"):
            product = await make_product(who, name)
            expected[(await credentials(who, product))["apiKey"]] = product["id"]
    expected[product_key(uuid.UUID(owner.institution_id), bytes(RANDOM_BYTES))] = None
    asked = list(expected) * 100
    found = await asyncio.gather(*(lookup.find(key) for key in asked))
    assert [str(caller.product_id) if caller else None for caller in found] == [
        expected[key] for key in asked
    ]


async def test_keys_are_stored_hashed_and_sealed(owner: Owner, platform: Platform) -> None:
    product, other = await make_product(owner), await make_product(owner, "Other")
    key = (await credentials(owner, product))["apiKey"]
    async with platform.unit_of_work(Origin()) as work:
        mine = product_keys.c.product_id == uuid.UUID(product["id"])
        row = (await work.db.execute(select(product_keys).where(mine))).one()
        assert key.encode() not in row.secret
        assert key.encode() not in row.key_hash
        place = f"product_keys.secret:{row.id}"
        assert platform.keyring.open(row.secret, place) == key.encode()
        theirs = product_keys.c.product_id == uuid.UUID(other["id"])
        await work.db.execute(update(product_keys).where(theirs).values(secret=row.secret))
    assert (await credentials(owner, other))["apiKey"] == "unreadable"


async def test_rotation_and_revocation_are_recorded_without_secrets(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    product = await make_product(owner)
    clock.advance(seconds=1)
    rotated = await rotate(owner, product, graceSeconds=5)
    clock.advance(seconds=1)
    old = rotated["keys"][1]["id"]
    await owner.ok("DELETE", f"/api/products/{product['id']}/credentials/{old}")
    _, rotation, revocation = await events_of(platform, product["id"])
    assert rotation["kind"] == "product.key_rotated"
    assert rotation["data"] == {
        "productId": product["id"],
        "keyId": rotated["keys"][0]["id"],
        "graceSeconds": 5,
    }
    assert revocation["kind"] == "product.key_revoked"
    assert revocation["data"] == {"productId": product["id"], "keyId": old}

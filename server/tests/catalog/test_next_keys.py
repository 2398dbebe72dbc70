"""The signing key that is prepared: shown before it signs, and activated when builds trust it."""

import asyncio
import json
import uuid
from base64 import b64decode
from typing import Any

from catalog.factories import events_of, make_keys, make_product, refusal
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.serialization import load_der_public_key
from joserfc import jws
from joserfc.jwk import RSAKey
from sqlalchemy import func, select, update
from testkit import Owner
from updates.test_updates import check, release
from world import World

from licet_server.catalog.service.signing import SigningKeys
from licet_server.catalog.tables import next_rsa_keys, rsa_keys
from licet_server.kit.origin import CONSOLE
from licet_server.kit.platform import Platform
from licet_server.rotation import _reseal_all


def keys_of(product: dict[str, Any]) -> str:
    return f"/api/products/{product['id']}/keys"


async def prepare(owner: Owner, product: dict[str, Any]) -> dict[str, Any]:
    return dict(await owner.ok("POST", f"{keys_of(product)}/prepare", {"keySize": 2048}))


async def activate(owner: Owner, product: dict[str, Any]) -> dict[str, Any]:
    return dict(await owner.ok("POST", f"{keys_of(product)}/activate"))


def kid_of(token: str) -> str:
    return str(jws.extract_compact(token.encode()).headers()["kid"])


async def test_the_next_key_is_shown_before_it_signs(owner: Owner, platform: Platform) -> None:
    product = await make_product(owner)
    path = keys_of(product)
    assert refusal(await owner.send("POST", f"{path}/prepare")) == (409, "KeysNotGenerated")
    current = await make_keys(owner, product)
    assert (await owner.ok("GET", f"{path}/public"))["next"] is None
    made = await prepare(owner, product)
    assert made["kid"] != current["kid"]
    status = await owner.ok("GET", f"{path}/status")
    public = await owner.ok("GET", f"{path}/public")
    assert (status["kid"], status["generation"], status["next"]) == (current["kid"], 1, made)
    assert (public["kid"], public["next"]) == (current["kid"], made)
    from_der = load_der_public_key(b64decode(made["publicKey"], validate=True))
    assert isinstance(from_der, RSAPublicKey)
    assert RSAKey.import_key(from_der).thumbprint() == made["kid"]
    assert RSAKey.import_key(made["publicKeyPem"]).thumbprint() == made["kid"]
    download = await owner.send("GET", f"{path}/next/download")
    assert download.text == made["publicKeyPem"]
    assert "next-public-key.pem" in download.headers["content-disposition"]
    [event] = [
        event
        for event in await events_of(platform, product["id"])
        if event["kind"] == "product.keys_prepared"
    ]
    assert event["data"] == {"productId": product["id"], "kid": made["kid"]}


async def test_everything_is_signed_with_the_next_key_once_it_is_activated(world: World) -> None:
    """Also by processes that have loaded the former one."""
    owner, product = world.owner, world.product
    await release(world, "2.2.0", "setup.exe")
    license_ = await world.issue()

    async def kids() -> set[str]:
        file = (await world.file(license_)).text
        verdict = (await world.validate(license_, signed=True, nonce="abc"))["token"]
        return {kid_of(token) for token in (file, verdict, (await check(world))["token"])}

    place = uuid.UUID(product["institutionId"]), uuid.UUID(product["id"])
    other_process = SigningKeys(world.platform.keyring)
    before = (await owner.ok("GET", f"{keys_of(product)}/status"))["kid"]
    made = await prepare(owner, product)
    async with world.platform.database.reading() as db:
        assert (await other_process.fetch(db, *place)).kid == before
    assert await kids() == {before}
    world.clock.advance(minutes=1)
    activated = await activate(owner, product)
    assert (activated["kid"], activated["keySize"]) == (made["kid"], 2048)
    assert await kids() == {made["kid"]}
    async with world.platform.database.reading() as db:
        signing = await other_process.fetch(db, *place)
    assert signing.kid == made["kid"]
    token = jws.serialize_compact({"alg": "RS256"}, b"payload", signing.key)
    verified = jws.deserialize_compact(token, RSAKey.import_key(made["publicKeyPem"]))
    assert verified.payload == b"payload"
    status = await owner.ok("GET", f"{keys_of(product)}/status")
    assert (status["kid"], status["generation"], status["next"]) == (made["kid"], 2, None)
    assert status["rotatedAt"] == status["createdAt"] == activated["createdAt"]
    events = await events_of(world.platform, product["id"])
    [rotated] = [event["data"] for event in events if event["kind"] == "product.keys_rotated"]
    assert (rotated["previousKid"], rotated["kid"]) == (before, made["kid"])


async def test_one_is_prepared_until_it_is_activated_or_discarded(
    owner: Owner, platform: Platform
) -> None:
    product = await make_product(owner)
    path = keys_of(product)
    first = await make_keys(owner, product)
    assert refusal(await owner.send("POST", f"{path}/activate")) == (409, "Conflict")
    assert refusal(await owner.send("DELETE", f"{path}/next")) == (404, "NotFound")
    assert refusal(await owner.send("GET", f"{path}/next/download")) == (404, "NotFound")
    made = await prepare(owner, product)
    assert refusal(await owner.send("POST", f"{path}/prepare")) == (409, "Conflict")
    assert (await owner.ok("GET", f"{path}/status"))["next"] == made
    assert (await owner.send("DELETE", f"{path}/next")).status_code == 204
    assert refusal(await owner.send("POST", f"{path}/activate")) == (409, "Conflict")
    status = await owner.ok("GET", f"{path}/status")
    assert (status["kid"], status["next"]) == (first["kid"], None)
    other = await prepare(owner, product)
    assert other["kid"] != made["kid"]
    kinds = [event["kind"] for event in await events_of(platform, product["id"])]
    assert kinds.count("product.keys_prepared") == 2
    assert kinds.count("product.keys_discarded") == 1


async def test_a_hard_cut_leaves_the_next_key_prepared(owner: Owner) -> None:
    product = await make_product(owner)
    await make_keys(owner, product)
    made = await prepare(owner, product)
    cut = await make_keys(owner, product)
    status = await owner.ok("GET", f"{keys_of(product)}/status")
    assert (status["kid"], status["next"]) == (cut["kid"], made)
    assert (await activate(owner, product))["kid"] == made["kid"]


async def test_of_concurrent_calls_one_prepares_and_one_activates(
    owner: Owner, platform: Platform
) -> None:
    product = await make_product(owner)
    path = keys_of(product)
    await make_keys(owner, product)
    size = {"keySize": 2048}
    prepared = await asyncio.gather(
        *(owner.send("POST", f"{path}/prepare", size) for _ in range(5))
    )
    assert sorted(answer.status_code for answer in prepared) == [200, 409, 409, 409, 409]
    activated = await asyncio.gather(*(owner.send("POST", f"{path}/activate") for _ in range(5)))
    assert sorted(answer.status_code for answer in activated) == [200, 409, 409, 409, 409]
    mine = rsa_keys.c.product_id == uuid.UUID(product["id"])
    async with platform.database.reading() as db:
        assert (await db.execute(select(func.count()).where(mine))).scalar_one() == 2


async def test_the_private_key_is_sealed_and_survives_a_rotation_of_the_master_key(
    owner: Owner, platform: Platform
) -> None:
    product = await make_product(owner)
    await make_keys(owner, product)
    made = await prepare(owner, product)
    said: list[str] = []
    async with platform.unit_of_work(CONSOLE) as work:
        await _reseal_all(work, said.append)
    assert "Resealing next_rsa_keys.private_key" in said
    mine = next_rsa_keys.c.product_id == uuid.UUID(product["id"])
    async with platform.database.reading() as db:
        row = (await db.execute(select(next_rsa_keys).where(mine))).one()
    opened = platform.keyring.open(row.private_key, f"next_rsa_keys.private_key:{row.id}")
    assert opened[:1] == b"\x30"
    assert opened[:64] not in row.private_key
    assert (await activate(owner, product))["kid"] == made["kid"]


async def test_one_that_cannot_be_opened_is_refused_and_can_be_discarded(
    owner: Owner, platform: Platform
) -> None:
    """As after a lost master key: what it sealed can never be read again."""
    product = await make_product(owner)
    current = await make_keys(owner, product)
    await prepare(owner, product)
    mine = next_rsa_keys.c.product_id == uuid.UUID(product["id"])
    async with platform.database.transaction() as db:
        await db.execute(update(next_rsa_keys).where(mine).values(private_key=b"\x01" * 64))
    path = keys_of(product)
    answer = await owner.send("POST", f"{path}/activate")
    assert refusal(answer) == (409, "Conflict")
    assert "cannot be opened" in json.loads(answer.text)["detail"]
    assert (await owner.ok("GET", f"{path}/status"))["kid"] == current["kid"]
    assert (await owner.send("DELETE", f"{path}/next")).status_code == 204
    await prepare(owner, product)

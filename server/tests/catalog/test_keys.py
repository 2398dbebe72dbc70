"""RSA keys: one live pair per product, standard forms, a private side that stays here."""

import asyncio
import uuid
from base64 import b64decode
from typing import Any

import pytest
from bodies import refused_fields
from catalog.factories import events_of, make_keys, make_product, refusal
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, RSAPublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_der_private_key,
    load_der_public_key,
    load_pem_public_key,
)
from joserfc import jws
from joserfc.jwk import RSAKey
from recycled_keys import generate_pair
from rsa_pairs import SIZES, primes
from sqlalchemy import func, select
from testkit import FakeClock, Owner

from licet_server.catalog.schemas.products import GenerateSigningKeyBody
from licet_server.catalog.service.signing import SigningKeys
from licet_server.catalog.tables import rsa_keys
from licet_server.kit.errors import ErrorCode, Refused
from licet_server.kit.platform import Platform


def place_of(product: dict[str, Any]) -> tuple[uuid.UUID, uuid.UUID]:
    return uuid.UUID(product["institutionId"]), uuid.UUID(product["id"])


@pytest.mark.specification("products.keys", "keys.status")
async def test_keys_are_generated_and_shown(owner: Owner, clock: FakeClock) -> None:
    product = await make_product(owner)
    path = f"/api/products/{product['id']}"
    assert await owner.ok("GET", f"{path}/keys/status") == {
        "exists": False,
        "kid": None,
        "algorithm": None,
        "keySize": None,
        "createdAt": None,
        "rotatedAt": None,
        "generation": 0,
        "next": None,
        "compactKey": None,
    }
    for route in ("public", "public/download"):
        answer = await owner.send("GET", f"{path}/keys/{route}")
        assert refusal(answer) == (409, "KeysNotGenerated")
    made = await owner.ok("POST", f"/api/Products/{product['id']}/Keys/Generate", {"keySize": 2048})
    assert made.keys() == {"kid", "algorithm", "keySize", "createdAt"}
    assert (made["algorithm"], made["keySize"]) == ("RS256", 2048)
    status = await owner.ok("GET", f"{path}/keys/status")
    compact = load_der_public_key(b64decode(status.pop("compactKey"), validate=True))
    assert isinstance(compact, EllipticCurvePublicKey)
    assert status == {"exists": True, "rotatedAt": None, "generation": 1, "next": None, **made}
    assert (await owner.ok("GET", path))["hasKeys"] is True


@pytest.mark.specification("service.artifacts", "keys.status")
async def test_the_public_key_comes_in_standard_forms(owner: Owner) -> None:
    product = await make_product(owner)
    made = await make_keys(owner, product)
    path = f"/api/products/{product['id']}/keys/public"
    public = await owner.ok("GET", path)
    from_der = load_der_public_key(b64decode(public["publicKey"], validate=True))
    assert isinstance(from_der, RSAPublicKey)
    assert from_der.key_size == public["keySize"] == 2048
    assert RSAKey.import_key(from_der).thumbprint() == public["kid"] == made["kid"]
    standard = from_der.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
    assert public["publicKeyPem"] == standard
    download = await owner.send("GET", f"{path}/download")
    assert download.text == standard
    load_pem_public_key(download.content)
    assert download.headers["content-disposition"].startswith("attachment;")
    assert "PRIVATE" not in download.text + str(public)


async def test_rotation_replaces_the_key_and_is_recorded(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    product = await make_product(owner)
    first = await make_keys(owner, product)
    clock.advance(minutes=1)
    second = await make_keys(owner, product)
    assert second["kid"] != first["kid"]
    assert "warning" not in first
    assert next(iter(second)) == "warning"
    assert all(word in second["warning"] for word in ("SignatureMismatch", "keys/prepare"))
    status = await owner.ok("GET", f"/api/products/{product['id']}/keys/status")
    assert (status["generation"], status["rotatedAt"]) == (2, "2030-01-15T12:01:00Z")
    kinds = {event["kind"]: event for event in await events_of(platform, product["id"])}
    assert kinds["product.keys_generated"]["data"]["kid"] == first["kid"]
    rotated = kinds["product.keys_rotated"]["data"]
    assert (rotated["previousKid"], rotated["kid"]) == (first["kid"], second["kid"])


@pytest.mark.specification("products.keys")
async def test_concurrent_generations_leave_one_live_key(owner: Owner, platform: Platform) -> None:
    product = await make_product(owner)
    path = f"/api/products/{product['id']}/keys/generate"
    answers = await asyncio.gather(*(owner.send("POST", path, {"keySize": 2048}) for _ in range(6)))
    assert {answer.status_code for answer in answers} == {200}
    mine = rsa_keys.c.product_id == uuid.UUID(product["id"])
    async with platform.database.reading() as db:
        total = (await db.execute(select(func.count()).where(mine))).scalar_one()
        live = select(rsa_keys.c.generation).where(mine, rsa_keys.c.retired_at.is_(None))
        generations = (await db.execute(live)).scalars().all()
    assert (total, generations) == (6, [6])


@pytest.mark.parametrize("size", SIZES)
def test_a_pair_is_generated_in_each_size(size: int) -> None:
    """Elsewhere, keys come from a file."""
    one, other = generate_pair(size), generate_pair(size)
    assert one.kid != other.kid
    private = load_der_private_key(one.private_key, password=None)
    public = load_der_public_key(one.public_key)
    assert isinstance(private, RSAPrivateKey)
    assert isinstance(public, RSAPublicKey)
    assert private.public_key() == public
    assert private.key_size == size
    assert private.public_key().public_numbers().e == 65_537
    assert RSAKey.import_key(private.public_key()).thumbprint() == one.kid
    assert private.private_numbers().p not in {prime for pair in primes()[size] for prime in pair}


@pytest.mark.parametrize("size", [1024, 0, -1, 2049, 8192, 10**40, "3072", True, 3072.5])
def test_invalid_key_size_is_rejected(size: Any) -> None:
    assert refused_fields(GenerateSigningKeyBody, {"keySize": size}) == ["keySize"]


async def test_the_default_size_needs_no_body(owner: Owner) -> None:
    product = await make_product(owner)
    made = await owner.ok("POST", f"/api/products/{product['id']}/keys/generate")
    assert made["keySize"] == 3072


async def test_the_signing_key_fits_the_public_key_and_follows_a_rotation(
    owner: Owner, platform: Platform
) -> None:
    product = await make_product(owner)
    keys = SigningKeys(platform.keyring)
    for _ in range(2):
        made = await make_keys(owner, product)
        async with platform.database.reading() as db:
            signing = await keys.fetch(db, *place_of(product))
            again = await keys.fetch(db, *place_of(product))
        assert signing.kid == made["kid"]
        assert again is signing
        token = jws.serialize_compact({"alg": "RS256"}, b"payload", signing.key)
        public = await owner.ok("GET", f"/api/products/{product['id']}/keys/public")
        verifier = RSAKey.import_key(public["publicKeyPem"])
        assert jws.deserialize_compact(token, verifier).payload == b"payload"


async def test_loaded_keys_are_bounded(owner: Owner, platform: Platform) -> None:
    products = [await make_product(owner, name) for name in ("One", "Two", "Three")]
    for product in products:
        await make_keys(owner, product)
    keys = SigningKeys(platform.keyring, loaded_max=2)
    async with platform.database.reading() as db:
        one, two, three = [await keys.fetch(db, *place_of(product)) for product in products]
        assert await keys.fetch(db, *place_of(products[1])) is two
        assert await keys.fetch(db, *place_of(products[0])) is not one
        assert await keys.fetch(db, *place_of(products[1])) is two
        assert await keys.fetch(db, *place_of(products[2])) is not three


async def test_nothing_is_signed_without_keys(
    owner: Owner, stranger: Owner, platform: Platform
) -> None:
    product = await make_product(owner)
    keys = SigningKeys(platform.keyring)
    async with platform.database.reading() as db:
        with pytest.raises(Refused) as refused:
            await keys.fetch(db, *place_of(product))
        assert refused.value.code is ErrorCode.KEYS_NOT_GENERATED
    await make_keys(owner, product)
    async with platform.database.reading() as db:
        with pytest.raises(Refused):
            await keys.fetch(db, uuid.UUID(stranger.institution_id), uuid.UUID(product["id"]))


async def test_too_many_pending_generations_are_refused(platform: Platform) -> None:
    keys = SigningKeys(platform.keyring)
    made = await asyncio.gather(
        *(keys.generate_pair(2048) for _ in range(30)), return_exceptions=True
    )
    refused = [outcome for outcome in made if isinstance(outcome, Refused)]
    assert {refusal.code for refusal in refused} == {ErrorCode.UNAVAILABLE}
    assert len(refused) == 14


@pytest.mark.specification("keys.private")
async def test_the_private_key_is_sealed(owner: Owner, platform: Platform) -> None:
    product = await make_product(owner)
    await make_keys(owner, product)
    mine = rsa_keys.c.product_id == uuid.UUID(product["id"])
    async with platform.database.reading() as db:
        row = (await db.execute(select(rsa_keys).where(mine))).one()
    opened = platform.keyring.open(row.private_key, f"rsa_keys.private_key:{row.id}")
    assert opened[:1] == b"\x30"
    assert opened[:64] not in row.private_key

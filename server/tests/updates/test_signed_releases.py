"""Releases are signed when they are published, and the database is not believed afterwards."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any
from uuid import UUID

import pytest
from catalog.factories import make_keys, refusal
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
)
from joserfc import jws
from joserfc.jwk import RSAKey
from licenses.factories import make_product, product_key
from locks import until_it_waits
from patience import PATIENCE_S
from sqlalchemy import text
from testkit import Owner
from updates.test_updates import CONTENT, check, release
from world import Vendor, World

from licet_server.catalog.service import releases as release_service
from licet_server.catalog.service.signing import install_own_key, list_unsigned, sign_unsigned
from licet_server.kit.errors import Refused
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform


async def live_key(vendor: Vendor) -> RSAKey:
    public = await vendor.owner.ok("GET", f"/api/products/{vendor.product['id']}/keys/public")
    return RSAKey.import_key(public["publicKeyPem"])


async def signed(vendor: Vendor, **query: str) -> dict[str, Any]:
    """The verified claims of the newest release's token."""
    update, key = await check(vendor, **query), await live_key(vendor)
    token = jws.deserialize_compact(update["token"], key, algorithms=["RS256"])
    assert token.headers() == {"alg": "RS256", "typ": "release+jwt", "kid": key.thumbprint()}
    claims: dict[str, Any] = json.loads(token.payload)
    assert claims["aud"] == vendor.product["id"]
    assert (claims["version"], claims["channel"]) == (update["version"], update["channel"])
    return claims


def offered(update: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {name: value for name, value in file.items() if name != "downloadUrl"}
        for file in update["files"]
    ]


async def write(platform: Platform, statement: str, **values: Any) -> None:
    """Change the database as an intruder would."""
    async with platform.database.transaction() as db:
        await db.execute(text(statement), values)


async def test_a_published_release_is_signed_with_its_files(world: World) -> None:
    made = await release(world, "2.2.0", "setup.exe@windows-x64", "notes.txt")
    update = await check(world, currentVersion="2.1.0")
    claims = await signed(world)
    assert claims.keys() == {"aud", "iat", "version", "channel", "publishedAt", "files"}
    assert datetime.fromisoformat(claims["publishedAt"]) == datetime.fromisoformat(
        update["publishedAt"]
    )
    assert claims["iat"] == int(world.clock.now.timestamp())
    assert claims["files"] == offered(update)
    one = await check(world, currentVersion="2.1.0", platform="linux")
    assert len(one["files"]) == 1
    assert one["token"] == update["token"], "every file is signed, whatever was asked for"
    path = f"/api/releases/{made['id']}"
    [first, _] = (await world.owner.ok("GET", f"{path}/files"))["items"]
    await world.owner.ok("DELETE", f"{path}/files/{first['id']}")
    claims = await signed(world)
    assert claims["files"] == offered(await check(world))
    await world.owner.ok("PUT", path, {"version": "2.2.1", "channel": "Beta"})
    assert (await signed(world, channel="Beta"))["files"] == claims["files"]
    assert "token" not in await world.owner.ok("GET", path)


async def test_a_draft_is_signed_when_it_is_published(world: World) -> None:
    made = await release(world, "2.2.0", "setup.exe", status="Draft")
    assert await tokens(world.platform, made["id"]) == [None]
    path = f"/api/releases/{made['id']}"
    await world.owner.ok("PUT", path, {"status": "Published"})
    assert [file["name"] for file in (await signed(world))["files"]] == ["setup.exe"]
    await world.owner.ok("PUT", path, {"status": "Yanked"})
    assert await tokens(world.platform, made["id"]) == [None]
    await world.owner.ok("PUT", path, {"status": "Published"})
    assert (await signed(world))["version"] == "2.2.0"


async def tokens(platform: Platform, *release_ids: str) -> list[str | None]:
    async with platform.database.reading() as db:
        return [
            (
                await db.execute(text("SELECT token FROM releases WHERE id = :id"), {"id": item})
            ).scalar_one()
            for item in release_ids
        ]


async def test_changes_in_the_database_are_not_signed(world: World) -> None:
    """H6: whoever wrote the database shipped code to customers."""
    made = await release(world, "2.2.0", "setup.exe")
    before = await signed(world)
    await write(
        world.platform,
        "UPDATE release_files SET sha256 = :hash, name = 'evil.exe' WHERE release_id = :id",
        hash=bytes(32),
        id=made["id"],
    )
    assert (await check(world))["files"][0]["sha256"] == "00" * 32
    assert await signed(world) == before
    answer = await world.owner.send(
        "POST", f"/api/releases/{made['id']}/files", files={"file": ("more.txt", CONTENT)}
    )
    assert answer.status_code == 201
    after = await signed(world)
    assert after["files"][:1] == before["files"], "a later change does not sign the edit, either"
    assert [file["name"] for file in after["files"]] == ["setup.exe", "more.txt"]
    await make_keys(world.owner, world.product)
    assert (await signed(world))["files"] == after["files"]


async def test_release_inserted_into_the_database_stays_unsigned(world: World) -> None:
    made = await release(world, "9.9.9", "setup.exe", status="Draft")
    await write(
        world.platform,
        "UPDATE releases SET status = 'Published', published_at = created_at WHERE id = :id",
        id=made["id"],
    )
    assert (await check(world))["token"] is None
    await make_keys(world.owner, world.product)
    answer = await world.owner.send(
        "POST", f"/api/releases/{made['id']}/files", files={"file": ("more.txt", CONTENT)}
    )
    assert answer.status_code == 201
    assert (await check(world))["token"] is None


async def test_a_forged_signature_is_never_renewed(world: World) -> None:
    made = await release(world, "2.2.0", "setup.exe")
    forger = RSAKey.generate_key(2048)
    key = await live_key(world)
    header = {"alg": "RS256", "typ": "release+jwt", "kid": key.thumbprint()}
    claims = {**await signed(world), "files": []}
    forged = jws.serialize_compact(header, json.dumps(claims), forger, algorithms=["RS256"])
    genuine = (await check(world))["token"]
    verdict = genuine.split(".")[0] + "." + ".".join(forged.split(".")[1:])
    path = f"/api/releases/{made['id']}"
    for token in (forged, verdict, "x", ""):
        await write(
            world.platform,
            "UPDATE releases SET token = :token WHERE id = :id",
            token=token,
            id=made["id"],
        )
        for answer in (
            await world.owner.send("POST", f"{path}/files", files={"file": ("a", CONTENT)}),
            await world.owner.send("PUT", path, {"version": "2.3.0"}),
        ):
            assert refusal(answer) == (409, "Conflict"), token
    await make_keys(world.owner, world.product)
    assert await tokens(world.platform, made["id"]) == [None]
    await world.owner.ok("PUT", path, {"status": "Yanked"})
    await world.owner.ok("PUT", path, {"status": "Published"})
    assert [file["name"] for file in (await signed(world))["files"]] == ["setup.exe"]


async def test_rotation_signs_every_release_with_the_new_key(world: World) -> None:
    made = [await release(world, f"2.{minor}.0", "setup.exe") for minor in range(2, 5)]
    draft = await release(world, "3.0.0", "setup.exe", status="Draft")
    before = await signed(world)
    world.clock.advance(minutes=10)
    rotated = await make_keys(world.owner, world.product)
    after = await signed(world)
    assert after == {**before, "iat": before["iat"] + 600}
    for token in await tokens(world.platform, *(item["id"] for item in made)):
        assert jws.extract_compact((token or "").encode()).headers()["kid"] == rotated["kid"]
    assert await tokens(world.platform, draft["id"]) == [None]


async def test_the_first_key_signs_what_was_published_before(owner: Owner) -> None:
    product = await owner.ok("POST", "/api/products", {"name": "New", "initialVersion": "1.0.0"})
    new = Vendor(owner, product, {"X-API-KEY": await product_key(owner, product)})
    await release(new, "1.1.0", "setup.exe")
    assert (await check(new))["token"] is None
    await make_keys(owner, product)
    assert [file["name"] for file in (await signed(new))["files"]] == ["setup.exe"]


async def test_older_release_is_signed_on_request_only(world: World) -> None:
    made = [await release(world, f"2.{minor}.0", "setup.exe") for minor in (2, 3)]
    ids = [UUID(item["id"]) for item in made]
    await write(world.platform, "UPDATE releases SET token = NULL WHERE id = ANY(:ids)", ids=ids)
    assert (await check(world))["token"] is None
    path = f"/api/releases/{made[1]['id']}"
    await world.owner.ok("PUT", path, {"notes": "# Notes"})
    assert (await check(world))["token"] is None
    await world.owner.ok("PUT", path, {"status": "Published"})
    assert (await signed(world))["version"] == "2.3.0"
    async with world.platform.database.reading() as db:
        unsigned = [item for item in await list_unsigned(db) if item[0].id in ids]
    [(found, files)] = unsigned
    assert (found.id, [file.name for file in files]) == (ids[0], ["setup.exe"])
    for expected in (True, False):
        async with world.platform.unit_of_work(Origin()) as work:
            assert (await sign_unsigned(work, found) is not None) is expected
    assert None not in await tokens(world.platform, *(item["id"] for item in made))


async def test_releases_of_another_tenant_are_untouched(world: World, stranger: Owner) -> None:
    product = await make_product(stranger)
    theirs = Vendor(stranger, product, {"X-API-KEY": await product_key(stranger, product)})
    made = await release(theirs, "2.2.0", "setup.exe")
    before = await tokens(world.platform, made["id"])
    await make_keys(world.owner, world.product)
    assert await tokens(world.platform, made["id"]) == before


# A publication while the key is replaced.


@pytest.mark.parametrize("held", [True, False], ids=["held", "without the lock"])
async def test_no_release_keeps_the_signature_of_a_key_replaced_meanwhile(
    world: World, held: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second case is the control: without the lock, the old key's signature stays."""
    rotations: list[asyncio.Task[Any]] = []
    sign = release_service.sign_release

    async def slow_sign(*given: Any) -> Any:
        result = await sign(*given)
        rotations.append(asyncio.create_task(make_keys(world.owner, world.product)))
        if held:
            await until_it_waits(world.platform, rotations[-1])
        else:
            await asyncio.wait_for(asyncio.wait(rotations), PATIENCE_S)
        return result

    async def hold_nothing(*_: Any) -> None:
        return

    monkeypatch.setattr(release_service, "sign_release", slow_sign)
    if not held:
        monkeypatch.setattr(release_service, "hold_signing_key", hold_nothing)
    made = await release(world, "2.2.0")
    await asyncio.gather(*rotations)
    [token] = await tokens(world.platform, made["id"])
    kid = jws.extract_compact((token or "").encode()).headers()["kid"]
    assert (kid == (await live_key(world)).thumbprint()) is held


async def test_concurrently_added_files_are_all_signed(world: World) -> None:
    made = await release(world, "2.2.0")
    path = f"/api/releases/{made['id']}/files"
    send: Callable[..., Awaitable[Any]] = world.owner.send
    answers = await asyncio.gather(
        *(send("POST", path, files={"file": (f"{n}.txt", CONTENT)}) for n in range(6)),
        make_keys(world.owner, world.product),
    )
    assert [answer.status_code for answer in answers[:6]] == [201] * 6
    named = sorted(file["name"] for file in (await signed(world))["files"])
    assert named == [f"{n}.txt" for n in range(6)]


# Keys that were made elsewhere.


def pem_of(key: Any) -> bytes:
    made: bytes = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return made


async def install(platform: Platform, vendor: Vendor, pem: bytes) -> str:
    async with platform.unit_of_work(Origin()) as work:
        return (await install_own_key(work, UUID(vendor.product["id"]), pem)).kid


async def test_offline_key_becomes_the_signing_key(world: World) -> None:
    await release(world, "2.2.0", "setup.exe")
    before = await signed(world)
    cold = rsa.generate_private_key(65537, 2048)
    kid = await install(world.platform, world, pem_of(cold))
    assert kid == RSAKey.import_key(cold.public_key()).thumbprint()
    assert (await live_key(world)).thumbprint() == kid
    assert (await signed(world))["files"] == before["files"]
    status = await world.owner.ok("GET", f"/api/products/{world.product['id']}/keys/status")
    assert (status["kid"], status["generation"]) == (kid, 2)
    with pytest.raises(Refused, match="has or had"):
        await install(world.platform, world, pem_of(cold))


async def test_only_rsa_private_keys_of_supported_sizes_are_accepted(world: World) -> None:
    key = rsa.generate_private_key(65537, 2048)
    wrong = [
        b"",
        b"no key",
        pem_of(rsa.generate_private_key(65537, 1024)),
        pem_of(ec.generate_private_key(ec.SECP256R1())),
        RSAKey.import_key(key.public_key()).as_pem(private=False),
    ]
    for pem in wrong:
        with pytest.raises(Refused, match="not an RSA private key"):
            await install(world.platform, world, pem)
    with pytest.raises(Refused):
        async with world.platform.unit_of_work(Origin()) as work:
            await install_own_key(work, UUID(int=1), pem_of(key))

"""Validation over HTTP: every status, the signed verdict, refresh, explain, no writes."""

import asyncio
import base64
import hashlib
import json
from typing import Any

import httpx
import pytest
from joserfc import jws
from joserfc.jwk import RSAKey
from licenses.factories import EXAMPLES, make_product, product_key
from sqlalchemy import text
from testkit import Owner
from world import World


@pytest.fixture
async def key(world: World) -> dict[str, str]:
    return {"X-API-KEY": await product_key(world.owner, world.product)}


async def ask(
    client: httpx.AsyncClient, key: dict[str, str], license_key: object, **fields: Any
) -> dict[str, Any]:
    body = {"licenseKey": license_key, **fields}
    answer = await client.post("/api/Licenses/validate", json=body, headers=key)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


NO_SEAT = {"kind": "None", "held": None, "used": None, "total": None}
SEATS = {
    "Concurrent": {"kind": "Device", "held": True, "used": 1, "total": 3},
    "Floating": {"kind": "Session", "held": None, "used": 0, "total": 3},
    "NodeLocked": {"kind": "Machine", "held": True, "used": 1, "total": 1},
}


@pytest.mark.specification("models.perpetual")
@pytest.mark.parametrize("model", EXAMPLES)
async def test_every_model_validates(world: World, key: dict[str, str], model: str) -> None:
    made = await world.issue(model, metadata={"a": "b"})
    if model == "Concurrent":
        activated = {"licenseKey": made["licenseKey"], "hardwareId": "h1-abc"}
        await world.owner.client.post("/api/activations", json=activated, headers=key)
    answer = await ask(
        world.owner.client,
        key,
        made["licenseKey"].lower(),
        hardwareId="h1-abc",
        nonce="n-1",
        future=True,
    )
    assert (answer["valid"], answer["status"], answer["nonce"]) == (True, "Valid", "n-1")
    if model in {"NodeLocked", "Concurrent"}:  # the first is bound by this
        assert answer["activation"].keys() == {"id", "status"}
        assert answer["activation"]["status"] == "Active"
    else:
        assert answer["activation"] is None
    assert answer["serverTime"].endswith("Z")
    assert "token" not in answer
    assert answer["license"] == {
        "id": made["id"],
        "type": model,
        "status": "Active",
        "name": made["licenseName"],
        "issuedTo": made["issuedTo"],
        "expirationDate": made["expirationDate"],
        "inGraceUntil": None,
        "updatesUntil": None,
        "fallbackUntil": None,
        "inFallback": False,
        "test": False,
        "activationMode": "Online",
        "maxActiveUsersCount": made["maxActiveUsersCount"],
        "features": None,
        "entitlements": None,
        "metadata": {"a": "b"},
    }
    assert answer["seat"] == SEATS.get(model, NO_SEAT)


@pytest.mark.specification(
    "runtime.validate",
    "states.revoked",
    "states.suspended",
    "models.perpetual-credentials",
    "service.api",
    "auth.product-key",
)
async def test_every_status(world: World, key: dict[str, str]) -> None:
    client = world.owner.client
    revoked, suspended = await world.issue(), await world.issue()
    await world.owner.ok("POST", f"/api/licenses/{revoked['id']}/revoke")
    await world.owner.ok("POST", f"/api/licenses/{suspended['id']}/suspend")
    short = await world.issue("Trial", expirationDate="2030-01-15T12:01:00Z")
    locked = await world.issue("NodeLocked")
    guarded = await world.issue(username="jo", password="s3cret pass")
    world.clock.advance(minutes=1)

    async def status(made: dict[str, Any], **fields: Any) -> str:
        answer = await ask(client, key, made["licenseKey"], **fields)
        assert answer["valid"] is (answer["status"] == "Valid")
        assert answer["message"]
        return str(answer["status"])

    assert await status(revoked) == "Revoked"
    assert await status(suspended) == "Suspended"
    assert await status(short) == "Expired"
    assert await status(locked) == "HardwareIdRequired"
    assert await status(guarded) == "CredentialsRequired"
    assert await status(guarded, username="jo") == "CredentialsRequired"
    assert await status(guarded, username="jo", password="wrong") == "CredentialsInvalid"
    assert await status(guarded, username="JO", password="s3cret pass") == "CredentialsInvalid"
    assert await status(guarded, username="jo", password="s3cret pass") == "Valid"
    plain = await world.issue()
    assert await status(plain, appVersion="2.9.0") == "Valid"
    assert await status(plain, appVersion="3.0.0") == "ReleaseNotAllowed"
    assert await status(plain, appVersion="2.9") == "Valid"
    assert await status(plain, appVersion="3.0.0.1") == "ReleaseNotAllowed"
    for version, warnings in (("2.9.0", []), ("build 700", ["VersionNotComparable"])):
        verdict = await ask(client, key, plain["licenseKey"], appVersion=version)
        assert (verdict["status"], verdict["warnings"]) == ("Valid", warnings)
    hidden = await ask(client, key, guarded["licenseKey"], appVersion="build 700")
    assert hidden["warnings"] == []
    refused = await ask(client, key, guarded["licenseKey"])
    assert refused["license"] is None


@pytest.mark.parametrize(
    "license_key", ["AAAAA-AAAAA-AAAAA-AAAAA-AAAAA", "nothing-like-it", "x", "ü" * 20, " "]
)
async def test_an_unknown_key_is_a_verdict(
    owner: Owner, key: dict[str, str], license_key: str
) -> None:
    answer = await ask(owner.client, key, license_key)
    assert (answer["status"], answer["license"]) == ("LicenseNotFound", None)


async def test_a_wrong_check_character_is_not_found(world: World, key: dict[str, str]) -> None:
    made = await world.issue()
    last = made["licenseKey"][-1]
    mistyped = made["licenseKey"][:-1] + ("A" if last != "A" else "B")
    assert (await ask(world.owner.client, key, mistyped))["status"] == "LicenseNotFound"


async def test_a_license_of_another_product_is_not_found(world: World, stranger: Owner) -> None:
    made = await world.issue()
    sibling = await make_product(world.owner, name="Sibling")
    foreign = await make_product(stranger)
    for other_owner, other in ((world.owner, sibling), (stranger, foreign)):
        headers = {"X-API-KEY": await product_key(other_owner, other)}
        answer = await ask(world.owner.client, headers, made["licenseKey"])
        assert answer["status"] == "LicenseNotFound"


async def test_unknown_keys_are_limited_and_known_ones_are_not(
    world: World, key: dict[str, str]
) -> None:
    made = await world.issue()
    world.clock.advance(minutes=20)
    body = {"licenseKey": "nothing-like-it"}
    statuses = [
        (
            await world.owner.client.post("/api/licenses/validate", json=body, headers=key)
        ).status_code
        for _ in range(122)
    ]
    assert statuses == [200] * 120 + [429] * 2
    assert (await ask(world.owner.client, key, made["licenseKey"]))["valid"]


@pytest.mark.parametrize(
    ("fields", "bad"),
    [
        ({"licenseKey": None}, "licenseKey"),
        ({"licenseKey": 5}, "licenseKey"),
        ({"licenseKey": ""}, "licenseKey"),
        ({"licenseKey": "x" * 301}, "licenseKey"),
        ({"licenseKey": "a\0b"}, "licenseKey"),
        ({"hardwareId": ""}, "hardwareId"),
        ({"hardwareId": "x" * 10_000}, "hardwareId"),
        ({"hardwareId": ["x"]}, "hardwareId"),
        ({"appVersion": 5}, "appVersion"),
        ({"nonce": "x" * 257}, "nonce"),
        ({"signed": "yes"}, "signed"),
        ({"password": {}}, "password"),
    ],
)
async def test_bad_fields_are_named(
    owner: Owner, key: dict[str, str], fields: dict[str, Any], bad: str
) -> None:
    body = {"licenseKey": "some-license-key", **fields}
    answer = await owner.client.post("/api/licenses/validate", json=body, headers=key)
    assert answer.status_code == 400
    assert [error["field"] for error in answer.json()["errors"]] == [bad]


@pytest.mark.parametrize("value", ["", "pk_", "pk_x", "x" * 5000, "pk_" + "0" * 58, "Bearer x"])
async def test_wrong_product_keys_are_401(owner: Owner, value: str) -> None:
    answer = await owner.client.post(
        "/api/licenses/validate", json={"licenseKey": "some-key"}, headers={"X-API-KEY": value}
    )
    assert (answer.status_code, answer.json()["errorCode"]) == (401, "Unauthorized")


async def public_key(owner: Owner, product: dict[str, Any]) -> RSAKey:
    return RSAKey.import_key(
        (await owner.ok("GET", f"/api/products/{product['id']}/keys/public"))["publicKeyPem"]
    )


async def test_a_signed_verdict_repeats_the_response_and_names_the_request(
    world: World, key: dict[str, str]
) -> None:
    made = await world.issue()
    answer = await ask(
        world.owner.client, key, made["licenseKey"], signed=True, nonce="abc", hardwareId="h1-x"
    )
    token = jws.deserialize_compact(
        answer["token"], await public_key(world.owner, world.product), algorithms=["RS256"]
    )
    assert token.protected["typ"] == "verdict+jwt"
    normal = made["licenseKey"].replace("-", "").encode()
    digest = base64.urlsafe_b64encode(hashlib.sha256(normal).digest()).rstrip(b"=").decode()
    issued = int(world.clock.now.timestamp())
    assert json.loads(token.payload) == {
        "aud": world.product["id"],
        "iat": issued,
        "exp": issued + 300,
        "nonce": "abc",
        "valid": True,
        "status": "Valid",
        "licenseKeyHash": digest,
        "hardwareId": "h1-x",
        "license": answer["license"],
        "seat": answer["seat"],
    }


async def test_a_refusal_is_signed_as_well(world: World, key: dict[str, str]) -> None:
    answer = await ask(world.owner.client, key, "nothing-like-it", signed=True, nonce="n")
    token = jws.deserialize_compact(
        answer["token"], await public_key(world.owner, world.product), algorithms=["RS256"]
    )
    claims = json.loads(token.payload)
    assert (claims["valid"], claims["status"], claims["license"]) == (
        False,
        "LicenseNotFound",
        None,
    )


async def test_concurrent_requests_get_their_own_responses(
    world: World, key: dict[str, str]
) -> None:
    made = [await world.issue(licenseName=f"L{n}") for n in range(10)]
    wanted = [made[n % 10] if n % 4 else None for n in range(100)]
    answers = await asyncio.gather(
        *(
            ask(world.owner.client, key, item["licenseKey"] if item else "unknown-key")
            for item in wanted
        )
    )
    for item, answer in zip(wanted, answers, strict=True):
        assert (answer["license"] or {}).get("name") == (item["licenseName"] if item else None)


async def test_a_valid_verdict_writes_nothing(world: World, key: dict[str, str]) -> None:
    """Runs on a read-only database, so that any write would fail."""
    made = await world.issue()
    async with world.platform.database.reading() as db:
        name = (await db.execute(text("SELECT current_database()"))).scalar_one()
        await db.execute(text(f'ALTER DATABASE "{name}" SET default_transaction_read_only = on'))
    await world.platform.database._engine.dispose()
    try:
        for signed in (True, False):
            assert (await ask(world.owner.client, key, made["licenseKey"], signed=signed))["valid"]
        refused = await world.owner.send("POST", f"/api/licenses/{made['id']}/revoke")
        assert refused.status_code == 503  # the control: a write does fail
    finally:
        async with world.platform.database.reading() as db:
            await db.execute(text("SET default_transaction_read_only = off"))
            await db.execute(text(f'ALTER DATABASE "{name}" RESET default_transaction_read_only'))
        await world.platform.database._engine.dispose()


async def test_refresh_returns_a_file_when_the_license_is_valid(
    world: World, key: dict[str, str]
) -> None:
    made = await world.issue("Subscription")
    body = {"licenseKey": made["licenseKey"]}
    answer = await world.owner.client.post("/api/licenses/refresh", json=body, headers=key)
    assert answer.status_code == 200
    assert answer.json()["expiresAt"] == made["expirationDate"]
    public = await public_key(world.owner, world.product)
    claims = json.loads(
        jws.deserialize_compact(answer.json()["file"], public, algorithms=["RS256"]).payload
    )
    assert claims["sub"] == made["id"]
    protected = await world.owner.client.post(
        "/api/licenses/refresh", json={**body, "protected": True}, headers=key
    )
    assert protected.json()["file"].count(".") == 4


async def test_refresh_is_refused_with_the_matching_code(world: World, key: dict[str, str]) -> None:
    revoked, suspended = await world.issue(), await world.issue()
    await world.owner.ok("POST", f"/api/licenses/{revoked['id']}/revoke")
    await world.owner.ok("POST", f"/api/licenses/{suspended['id']}/suspend")
    short = await world.issue("Trial", expirationDate="2030-01-15T12:01:00Z")
    locked = await world.issue("NodeLocked")
    guarded = await world.issue(username="jo", password="s3cret pass")
    world.clock.advance(minutes=1)

    async def code(license_key: str, **fields: Any) -> tuple[int, str]:
        body = {"licenseKey": license_key, **fields}
        answer = await world.owner.client.post("/api/licenses/refresh", json=body, headers=key)
        return answer.status_code, answer.json()["errorCode"]

    assert await code(revoked["licenseKey"]) == (400, "LicenseInvalid")
    assert await code(suspended["licenseKey"]) == (400, "LicenseInvalid")
    assert await code(short["licenseKey"]) == (400, "LicenseExpired")
    assert await code(locked["licenseKey"]) == (400, "InvalidRequest")
    assert await code(guarded["licenseKey"]) == (400, "InvalidRequest")
    assert await code(guarded["licenseKey"], username="jo", password="x") == (
        401,
        "InvalidCredentials",
    )
    assert await code("nothing-like-it") == (404, "LicenseNotFound")


async def test_explain_lists_every_rule_in_order(world: World) -> None:
    made = await world.issue("Trial", expirationDate="2030-01-15T12:01:00Z")
    path = f"/api/licenses/{made['id']}/explain"
    fine = await world.owner.ok("POST", path)
    assert fine["status"] == "Valid"
    assert all(rule["passed"] and rule["detail"] for rule in fine["rules"])
    world.clock.advance(minutes=2)
    broken = await world.owner.ok("POST", path, {"appVersion": "9.0.0", "hardwareId": "h1-x"})
    assert broken["status"] == "Expired"
    assert [rule["rule"] for rule in broken["rules"] if not rule["passed"]] == [
        "NotExpired",
        "ReleaseAllowed",
    ]
    assert [rule["rule"] for rule in broken["rules"]] == [rule["rule"] for rule in fine["rules"]]
    bad = await world.owner.send("POST", path, {"hardwareId": 5, "color": 1})
    assert {error["field"] for error in bad.json()["errors"]} == {"hardwareId", "color"}


@pytest.mark.specification("models.perpetual")
async def test_a_perpetual_license_ends_only_where_it_has_an_end(
    world: World, key: dict[str, str]
) -> None:
    lasting = await world.issue()
    ending = await world.issue(expirationDate="2030-01-16T12:00:00Z")
    files = [
        jws.extract_compact((await world.owner.send("GET", path)).content)
        for path in (f"/api/licenses/{made['id']}/file" for made in (lasting, ending))
    ]
    ends = [json.loads(file.payload).get("exp") for file in files]
    assert ends == [None, int(world.clock.now.timestamp()) + 86_400]
    told = []
    for days in (0, 1, 365 * 50):
        world.clock.advance(days=days)
        verdicts = [
            await ask(world.owner.client, key, made["licenseKey"]) for made in (lasting, ending)
        ]
        told += [verdict["status"] for verdict in verdicts]
    assert told == ["Valid", "Valid", "Valid", "Expired", "Valid", "Expired"]


@pytest.mark.specification("models.trial", "states.expired", "states.renewed")
async def test_a_trial_ends_and_runs_again_once_extended(world: World, key: dict[str, str]) -> None:
    made = await world.issue("Trial", expirationDate="2030-01-15T12:10:00Z")

    async def status() -> str:
        return str((await ask(world.owner.client, key, made["licenseKey"]))["status"])

    assert await status() == "Valid"
    world.clock.advance(minutes=10)
    assert await status() == "Expired"
    later = {"expirationDate": "2030-01-15T12:30:00Z"}
    extended = await world.owner.ok("PUT", f"/api/licenses/{made['id']}", later)
    assert (extended["type"], extended["status"]) == ("Trial", "Active")
    assert await status() == "Valid"
    world.clock.advance(minutes=20)
    assert await status() == "Expired"


@pytest.mark.specification("states.suspended", "states.revoked")
async def test_a_suspension_can_be_lifted_and_a_revocation_cannot(
    world: World, key: dict[str, str]
) -> None:
    made = await world.issue()
    told = []
    for action in ("suspend", "reinstate", "revoke", "reinstate"):
        await world.owner.send("POST", f"/api/licenses/{made['id']}/{action}")
        told.append((await ask(world.owner.client, key, made["licenseKey"]))["status"])
    assert told == ["Suspended", "Valid", "Revoked", "Revoked"]


async def test_many_are_validated_in_one_request(world: World, key: dict[str, str]) -> None:
    paid, ended = await world.issue("Perpetual"), await world.issue("Perpetual")
    await world.owner.ok("POST", f"/api/licenses/{ended['id']}/revoke")
    bodies = [
        {"licenseKey": paid["licenseKey"], "nonce": "n-1", "signed": True},
        {"licenseKey": "unknown-key"},
        {"licenseKey": ended["licenseKey"], "nonce": "n-3"},
        {"licenseKey": paid["licenseKey"], "appVersion": "2.0"},
    ] * 25
    path = "/api/licenses/validate-many"
    answer = await world.owner.client.post(path, json={"requests": bodies}, headers=key)
    assert answer.status_code == 200, answer.text
    for body, result in zip(bodies, answer.json()["results"], strict=True):
        fields = {name: value for name, value in body.items() if name != "licenseKey"}
        alone = await ask(world.owner.client, key, body["licenseKey"], **fields)
        assert {**result, "requestId": "", "token": ""} == {**alone, "requestId": "", "token": ""}

    for requests in ([], bodies * 2, [{"licenseKey": paid["licenseKey"]}, {"nonce": "n"}]):
        answer = await world.owner.client.post(path, json={"requests": requests}, headers=key)
        assert (answer.status_code, answer.json()["errorCode"]) == (400, "InvalidRequest")

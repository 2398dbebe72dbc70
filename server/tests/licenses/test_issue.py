"""Issuing: the terms of each model, and every violation with its field."""

import asyncio
import json
from datetime import timedelta
from typing import Any

import pytest
from bodies import refused_fields
from catalog.associations import associate, tied_product
from catalog.factories import NOWHERE, bad_fields
from joserfc import jws
from licenses.factories import EXAMPLES, issue, license_body
from locks import until_it_waits
from sqlalchemy import text
from testkit import FakeClock, Owner
from world import World

from licet_server.app import Application
from licet_server.licenses.schemas.records import IssueLicenseBody


@pytest.mark.specification("models.numbers")
@pytest.mark.parametrize(("number", "model"), list(enumerate(EXAMPLES)))
async def test_each_model_by_name_and_by_number(world: World, number: int, model: str) -> None:
    by_name = await world.issue(model)
    body = license_body(world.product, model) | {"type": number}
    by_number = await world.owner.ok("POST", "/api/licenses", body)
    for made in (by_name, by_number):
        assert made["type"] == model
        assert made["status"] == "Active"
        assert made["productName"] == "Aurora"
        assert made["releaseVersion"] == "2.1.0"
        assert made["features"] is None
        assert made["seatsUsed"] == (0 if model in {"Floating", "Concurrent"} else None)
        assert made["createdAt"].endswith("Z")
    assert by_name["meterMode"] == {"MeteredToken": "Token", "MeteredCount": "Count"}.get(model)
    assert by_name["meterBalance"] == EXAMPLES[model].get("initialMeterBalance")
    assert by_name["deviceBindingMode"] == ("AutoBind" if model == "NodeLocked" else None)
    assert await world.owner.ok("GET", f"/api/licenses/{by_name['id']}") == by_name


PAST = "2030-01-15T11:59:59Z"

BREACHES: list[tuple[str, dict[str, Any], set[str]]] = [
    ("Trial", {"expirationDate": None}, {"expirationDate"}),
    ("Subscription", {"expirationDate": None}, {"expirationDate"}),
    ("Subscription", {"expirationDate": PAST}, {"expirationDate"}),
    ("Perpetual", {"expirationDate": PAST}, {"expirationDate"}),
    ("Perpetual", {"expirationDate": "2031-01-01T00:00:00"}, {"expirationDate"}),
    ("Subscription", {"expirationDate": "9999-12-31T23:59:59-23:00"}, {"expirationDate"}),
    ("Perpetual", {"expirationDate": 5}, {"expirationDate"}),
    ("Floating", {"maxActiveUsersCount": None}, {"maxActiveUsersCount"}),
    ("Concurrent", {"maxActiveUsersCount": 0}, {"maxActiveUsersCount"}),
    ("Concurrent", {"maxActiveUsersCount": -1}, {"maxActiveUsersCount"}),
    ("Concurrent", {"maxActiveUsersCount": 1_000_001}, {"maxActiveUsersCount"}),
    ("Concurrent", {"maxActiveUsersCount": 10**30}, {"maxActiveUsersCount"}),
    ("Concurrent", {"maxActiveUsersCount": 1.5}, {"maxActiveUsersCount"}),
    ("Concurrent", {"maxActiveUsersCount": "3"}, {"maxActiveUsersCount"}),
    ("Perpetual", {"maxActiveUsersCount": 3}, {"maxActiveUsersCount"}),
    ("MeteredToken", {"initialMeterBalance": None}, {"initialMeterBalance"}),
    ("MeteredToken", {"initialMeterBalance": 0}, {"initialMeterBalance"}),
    ("MeteredToken", {"initialMeterBalance": -5}, {"initialMeterBalance"}),
    ("MeteredToken", {"initialMeterBalance": 0.0000001}, {"initialMeterBalance"}),
    ("MeteredToken", {"initialMeterBalance": 1e300}, {"initialMeterBalance"}),
    ("MeteredToken", {"initialMeterBalance": "NaN"}, {"initialMeterBalance"}),
    ("MeteredCount", {"initialMeterBalance": 1.5}, {"initialMeterBalance"}),
    ("Perpetual", {"initialMeterBalance": 5}, {"initialMeterBalance"}),
    ("Perpetual", {"deviceBindingMode": "AutoBind"}, {"deviceBindingMode"}),
    ("NodeLocked", {"deviceBindingMode": "Sometimes"}, {"deviceBindingMode"}),
    ("Floating", {"activationMode": "Offline"}, {"activationMode"}),
    ("MeteredToken", {"activationMode": "Offline"}, {"activationMode"}),
    ("Perpetual", {"username": "u"}, {"password"}),
    ("Perpetual", {"password": "p"}, {"username"}),
    ("Trial", {"username": "u", "password": "p"}, {"username", "password"}),
    ("Trial", {"issuedTo": None}, {"issuedTo"}),
    ("Trial", {"issuedTo": "nobody"}, {"issuedTo"}),
    ("Trial", {"issuedTo": ""}, {"issuedTo"}),
    ("Perpetual", {"licenseName": ""}, {"licenseName"}),
    ("Perpetual", {"licenseName": "   "}, {"licenseName"}),
    ("Perpetual", {"licenseName": "x" * 201}, {"licenseName"}),
    ("Perpetual", {"licenseName": "a\0b"}, {"licenseName"}),
    ("Perpetual", {"licenseName": None}, {"licenseName"}),
    ("Perpetual", {"notes": "x" * 20_481}, {"notes"}),
    ("Perpetual", {"metadata": {str(n): "v" for n in range(51)}}, {"metadata"}),
    ("Perpetual", {"metadata": {"a": 5}}, {"metadata"}),
    ("Perpetual", {"metadata": ["a"]}, {"metadata"}),
    ("Perpetual", {"licenseKey": "short"}, {"licenseKey"}),
    ("Perpetual", {"licenseKey": "x" * 129}, {"licenseKey"}),
    ("Perpetual", {"licenseKey": "no ünicode here"}, {"licenseKey"}),
    ("Perpetual", {"softwareReleaseId": "x"}, {"softwareReleaseId"}),
    ("Perpetual", {"productId": None}, {"productId"}),
    ("Perpetual", {"color": "red"}, {"color"}),
    ("Perpetual", {"type": "Eternal"}, {"type"}),
    ("Perpetual", {"type": 8}, {"type"}),
    ("Perpetual", {"type": -1}, {"type"}),
    ("Perpetual", {"type": None}, {"type"}),
    (
        "Subscription",
        {
            "licenseName": "",
            "expirationDate": PAST,
            "maxActiveUsersCount": "many",
            "initialMeterBalance": 1,
            "deviceBindingMode": "AutoBind",
            "extra": 1,
        },
        {
            "licenseName",
            "expirationDate",
            "maxActiveUsersCount",
            "initialMeterBalance",
            "deviceBindingMode",
            "extra",
        },
    ),
]


@pytest.mark.specification("models.modes", "licenses.required", "licenses.initial-balance")
@pytest.mark.parametrize(("model", "fields", "expected"), BREACHES)
def test_a_violation_names_its_field(
    model: str, fields: dict[str, Any], expected: set[str]
) -> None:
    body = license_body({"id": NOWHERE}, model, **fields)
    assert {*refused_fields(IssueLicenseBody, body, FakeClock())} == expected


@pytest.mark.specification("licenses.required")
async def test_every_violation_is_named_at_once(world: World) -> None:
    references = ("softwareReleaseId", "entitlementSetId", "customerInstitutionId")
    for fields in (
        dict.fromkeys(references, NOWHERE),
        {"productId": NOWHERE},
        {"issuedTo": NOWHERE},
        {"licenseName": "", "expirationDate": PAST, "extra": 1},
    ):
        body = license_body(world.product, **fields)
        assert {*bad_fields(await world.owner.send("POST", "/api/licenses", body))} == {*fields}
    assert (await world.owner.ok("GET", "/api/licenses"))["totalCount"] == 0


@pytest.mark.specification("models.perpetual")
async def test_a_perpetual_license_needs_no_receiver(world: World) -> None:
    made = await world.issue(issuedTo=None)
    assert made["issuedTo"] is None


@pytest.mark.specification("licenses.keys-first")
async def test_a_license_requires_signing_keys(owner: Owner) -> None:
    body = {"name": "Keyless", "initialVersion": "1.0.0"}
    keyless = await owner.ok("POST", "/api/products", body)
    answer = await owner.send("POST", "/api/licenses", license_body(keyless))
    assert (answer.status_code, answer.json()["errorCode"]) == (409, "KeysNotGenerated")


async def test_an_imported_key_is_kept_and_unique(world: World) -> None:
    made = await world.issue(licenseKey="  OLD-KEY-0001 ")
    assert made["licenseKey"] == "OLD-KEY-0001"
    body = license_body(world.product, licenseKey="OLD-KEY-0001")
    again = await world.owner.send("POST", "/api/licenses", body)
    assert (again.status_code, again.json()["errorCode"]) == (409, "Conflict")


@pytest.mark.specification("products.access-type")
async def test_an_associated_product_requires_its_customer(owner: Owner, stranger: Owner) -> None:
    associated = await tied_product(owner)
    await associate(owner, associated, stranger)
    for customer in ({}, {"customerInstitutionId": owner.institution_id}):
        refused = await owner.send("POST", "/api/licenses", license_body(associated, **customer))
        assert [error["field"] for error in refused.json()["errors"]] == ["customerInstitutionId"]
    made = await issue(owner, associated, customerInstitutionId=stranger.institution_id)
    assert made["customerInstitutionId"] == stranger.institution_id


async def test_an_idempotency_key_replays_the_first_response(world: World) -> None:
    body, headers = license_body(world.product), {"idempotency-key": "order-1"}
    first = await world.owner.send("POST", "/api/licenses", body, headers=headers)
    quoted = {"idempotency-key": '"order-1"'}
    again = await world.owner.send("POST", "/api/licenses", body, headers=quoted)
    assert first.status_code == again.status_code == 201
    assert first.json() == again.json()
    assert again.headers["idempotent-replayed"] == "true"
    assert "idempotent-replayed" not in first.headers
    other = {**body, "licenseName": "Another"}
    refused = await world.owner.send("POST", "/api/licenses", other, headers=headers)
    assert (refused.status_code, refused.json()["errorCode"]) == (422, "IdempotencyKeyReused")
    assert (await world.owner.ok("GET", "/api/licenses"))["totalCount"] == 1
    world.clock.advance(seconds=1)


async def test_a_refused_request_does_not_use_up_its_key(world: World) -> None:
    headers = {"idempotency-key": "order-2"}
    bad = license_body(world.product, licenseName="")
    assert (
        await world.owner.send("POST", "/api/licenses", bad, headers=headers)
    ).status_code == 400
    good = await world.owner.send(
        "POST", "/api/licenses", license_body(world.product), headers=headers
    )
    assert good.status_code == 201


async def test_concurrent_retries_issue_one_license(world: World) -> None:
    body, headers = license_body(world.product), {"idempotency-key": "order-3"}
    answers = await asyncio.gather(
        *(world.owner.send("POST", "/api/licenses", body, headers=headers) for _ in range(12))
    )
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["id"] for answer in answers}) == 1
    free = await asyncio.gather(
        *(world.owner.send("POST", "/api/licenses", body) for _ in range(3))
    )
    assert len({answer.json()["id"] for answer in free}) == 3  # the control: no key, no protection


async def test_an_idempotency_key_expires_after_a_day(world: World) -> None:
    from testkit import PASSWORD

    body, headers = license_body(world.product), {"idempotency-key": "order-4"}
    first = await world.owner.send("POST", "/api/licenses", body, headers=headers)
    world.clock.now += timedelta(hours=24, seconds=1)
    sign_in = {"email": world.owner.email, "password": PASSWORD}
    token = (await world.owner.client.post("/api/auth/login", json=sign_in)).json()["accessToken"]
    world.owner.headers = {"authorization": f"Bearer {token}"}
    second = await world.owner.send("POST", "/api/licenses", body, headers=headers)
    assert second.status_code == 201
    assert first.json()["id"] != second.json()["id"]


@pytest.mark.specification("licenses.entitlements")
async def test_entitlements_show_as_features(world: World) -> None:
    place = f"/api/products/{world.product['id']}"
    for name in ("export", "import"):
        await world.owner.ok("POST", f"{place}/features", {"name": name})
    body = {"name": "Pro", "featureNames": ["export"]}
    chosen = await world.owner.ok("POST", f"{place}/entitlement-sets", body)
    made = await world.issue(entitlementSetId=chosen["id"])
    assert made["features"] == ["export"]


@pytest.mark.specification("models.modes")
@pytest.mark.parametrize(
    "model", sorted(EXAMPLES.keys() - {"Floating", "MeteredToken", "MeteredCount"})
)
async def test_other_models_are_online_or_offline_as_chosen(world: World, model: str) -> None:
    for mode in ("Offline", "Online"):
        made = await world.issue(model, activationMode=mode)
        query = {"hardwareId": "machine-1"} if model in {"Concurrent", "NodeLocked"} else {}
        answer = await world.owner.send("GET", f"/api/licenses/{made['id']}/file", params=query)
        claims = json.loads(jws.extract_compact(answer.content).payload)
        assert made["activationMode"] == claims["license"]["activationMode"] == mode


@pytest.mark.specification("products.access-type")
async def test_an_opened_product_is_for_any_receiver(world: World, stranger: Owner) -> None:
    assert world.product["accessType"] == "Opened"
    for receiver in ("ada@example.com", stranger.email, stranger.user_id):
        made = await world.issue("Trial", issuedTo=receiver)
        assert made["customerInstitutionId"] is None


@pytest.mark.parametrize("instant", ["infinity", "-infinity"])
async def test_a_release_with_an_odd_date_of_publication_is_still_sold(
    world: World, application: Application, instant: str
) -> None:
    update = text(
        "UPDATE releases SET published_at = CAST(CAST(:at AS text) AS timestamptz) "
        "WHERE product_id = :id"
    )
    async with application.platform.database.transaction() as db:
        await db.execute(update, {"at": instant, "id": world.product["id"]})
    assert (await world.issue())["releaseVersion"] == "2.1.0"


@pytest.mark.parametrize(
    ("table", "field"),
    [("releases", "softwareReleaseId"), ("entitlement_sets", "entitlementSetId")],
)
async def test_what_a_license_names_may_be_deleted_meanwhile(
    world: World, table: str, field: str
) -> None:
    """Issuing has found it, waits for the deletion, and says what is gone."""
    place = f"/api/products/{world.product['id']}"
    [release] = (await world.owner.ok("GET", f"{place}/releases"))["items"]
    chosen = {"name": "All", "featureNames": []}
    kept = await world.owner.ok("POST", f"{place}/entitlement-sets", chosen)
    named = {"softwareReleaseId": release["id"], "entitlementSetId": kept["id"]}
    body = license_body(world.product, **{field: named[field]})
    async with world.platform.database.transaction() as db:
        await db.execute(text(f"DELETE FROM {table} WHERE id = :id"), {"id": named[field]})
        issuing = asyncio.create_task(world.owner.send("POST", "/api/licenses", body))
        await until_it_waits(world.platform, issuing)
    assert bad_fields(await issuing) == [field]
    product = await world.owner.ok("GET", place)
    assert product["licenseCount"] == 0

"""An association is not removed while a license comes to life, and the other way round."""

import asyncio
from typing import Any

import pytest
from catalog.associations import associate, invite, listed, path_of, remove, tied_product, token_of
from catalog.factories import bad_fields, refusal
from institutions.members import wait_for_lock
from interleaving import pause_before
from licenses.factories import issue, license_body
from sqlalchemy import select, text
from testkit import Owner

from licet_server.catalog.storage import associations as storage
from licet_server.catalog.tables import associations
from licet_server.kit.database import Connection
from licet_server.kit.platform import Platform
from licet_server.licenses.service import customers
from licet_server.licenses.storage import records

ROUNDS = 12


@pytest.fixture
async def product(owner: Owner) -> dict[str, Any]:
    return await tied_product(owner)


def issuing(owner: Owner, product: dict[str, Any], customer: Owner) -> Any:
    body = license_body(product, customerInstitutionId=customer.institution_id)
    return owner.send("POST", "/api/licenses", body)


async def orphans(platform: Platform, product: dict[str, Any]) -> int:
    """Live licenses whose institution is not associated."""
    statement = text(
        "SELECT count(*) FROM licenses l WHERE product_id = :id AND revoked_at IS NULL "
        "AND NOT EXISTS (SELECT FROM associations a WHERE a.institution_id = l.institution_id "
        "AND a.product_id = l.product_id "
        "AND a.customer_institution_id = l.customer_institution_id)"
    )
    async with platform.database.reading() as db:
        return int((await db.execute(statement, {"id": product["id"]})).scalar_one())


@pytest.mark.specification("mission-2")
async def test_a_removal_waits_for_a_license_that_is_being_issued(
    owner: Owner,
    stranger: Owner,
    product: dict[str, Any],
    platform: Platform,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    association = await associate(owner, product, stranger)
    pause = pause_before(monkeypatch, records, "insert_licenses")
    issued = await pause.reached_by(issuing(owner, product, stranger))
    removed = asyncio.create_task(remove(owner, product, association))
    await wait_for_lock(platform)
    pause.end()
    assert (await issued).status_code == 201
    assert (await removed).json()["licenseCount"] == 1
    assert await orphans(platform, product) == 0


async def test_without_the_lock_a_license_outlives_its_association(
    owner: Owner,
    stranger: Owner,
    product: dict[str, Any],
    platform: Platform,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A control: the same, but whoever issues only looks."""

    async def look(db: Connection, institution: Any, product_id: Any, customer: Any) -> bool:
        statement = select(associations.c.id).where(
            associations.c.institution_id == institution,
            associations.c.product_id == product_id,
            associations.c.customer_institution_id == customer,
        )
        return (await db.execute(statement)).first() is not None

    monkeypatch.setattr(customers, "lock_associated", look)
    association = await associate(owner, product, stranger)
    pause = pause_before(monkeypatch, records, "insert_licenses")
    issued = await pause.reached_by(issuing(owner, product, stranger))
    assert (await remove(owner, product, association)).status_code == 204
    pause.end()
    assert (await issued).status_code == 201
    assert await orphans(platform, product) == 1


async def test_a_license_waits_for_a_removal(
    owner: Owner,
    stranger: Owner,
    product: dict[str, Any],
    platform: Platform,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    association = await associate(owner, product, stranger)
    pause = pause_before(monkeypatch, storage.ASSOCIATIONS, "delete")
    removed = await pause.reached_by(remove(owner, product, association))
    issued = asyncio.create_task(issuing(owner, product, stranger))
    await wait_for_lock(platform)
    pause.end()
    assert (await removed).status_code == 204
    assert bad_fields(await issued) == ["customerInstitutionId"]


async def test_concurrent_changes_orphan_no_license(
    owner: Owner, stranger: Owner, product: dict[str, Any], platform: Platform
) -> None:
    association = await associate(owner, product, stranger)
    answers: set[tuple[int, int]] = set()
    for _ in range(ROUNDS):
        path = f"/api/products/{product['id']}"
        issued, removed, _ = await asyncio.gather(
            issuing(owner, product, stranger),
            remove(owner, product, association),
            owner.send("PUT", path, {"accessType": "Opened"}),
        )
        answers.add((issued.status_code, removed.status_code))
        assert await orphans(platform, product) == 0
        if issued.status_code == 201:
            await owner.ok("POST", f"/api/licenses/{issued.json()['id']}/revoke", {})
        if removed.status_code == 204:
            await owner.ok("PUT", path, {"accessType": "Associated"})
            association = await associate(owner, product, stranger)
    assert answers <= {(201, 409), (400, 204)}


async def test_a_product_is_deleted_while_a_license_is_issued(
    owner: Owner,
    stranger: Owner,
    product: dict[str, Any],
    platform: Platform,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await associate(owner, product, stranger)
    pause = pause_before(monkeypatch, records, "insert_licenses")
    issued = await pause.reached_by(issuing(owner, product, stranger))
    deleted = asyncio.create_task(owner.send("DELETE", f"/api/products/{product['id']}"))
    await wait_for_lock(platform)
    pause.end()
    assert (await issued).status_code == 201
    assert refusal(await deleted) == (409, "Conflict")


async def test_one_of_concurrent_acceptances_succeeds(
    owner: Owner, stranger: Owner, new_owner: Any, product: dict[str, Any]
) -> None:
    invited = await invite(owner, product, email=stranger.email)
    people = [stranger, *[await new_owner() for _ in range(3)]]
    body = {"token": token_of(invited)}
    answers = await asyncio.gather(
        *(user.send("POST", "/api/associations/accept", body) for user in people)
    )
    assert sorted(answer.status_code for answer in answers) == [200, 401, 401, 401]
    assert len(await listed(owner, product)) == 1


async def test_an_invitation_is_sent_once(
    owner: Owner, stranger: Owner, product: dict[str, Any]
) -> None:
    body = {"institutionId": stranger.institution_id}
    answers = await asyncio.gather(*(owner.send("POST", path_of(product), body) for _ in range(5)))
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409, 409]
    await issue(
        owner, await tied_with(owner, stranger), customerInstitutionId=body["institutionId"]
    )


async def tied_with(owner: Owner, customer: Owner) -> dict[str, Any]:
    """Another product, associated with the same institution."""
    product = await tied_product(owner, "Another")
    await associate(owner, product, customer)
    return product

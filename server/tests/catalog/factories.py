"""Factories for catalog tests."""

from typing import Any
from uuid import UUID

import httpx
from sqlalchemy import select, text
from testkit import Owner

from licet_server.events.tables import events
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.storage.members import insert_membership
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform

NOWHERE = "01900000-0000-7000-8000-000000000000"


async def make_product(owner: Owner, name: str = "Aurora", **fields: Any) -> dict[str, Any]:
    """Create a product through the API."""
    body = {"name": name, "initialVersion": "1.0.0", **fields}
    product: dict[str, Any] = await owner.ok("POST", "/api/products", body)
    return product


async def make_keys(owner: Owner, product: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Generate a small, fast signing key."""
    path = f"/api/products/{product['id']}/keys/generate"
    keys: dict[str, Any] = await owner.ok("POST", path, {"keySize": 2048, **fields})
    return keys


async def make_features(owner: Owner, product: dict[str, Any], *names: str) -> list[str]:
    """Create features with these names; return their ids."""
    path = f"/api/products/{product['id']}/features"
    return [(await owner.ok("POST", path, {"name": name}))["id"] for name in names]


async def join(platform: Platform, owner: Owner, user: Owner, role: Role) -> None:
    """Make `person` a member of the owner's institution, to whom its products are assigned."""
    async with platform.unit_of_work(Origin()) as work:
        await insert_membership(
            work.db,
            institution_id=UUID(owner.institution_id),
            user_id=UUID(user.user_id),
            role=role,
            now=work.now,
        )
        if role is Role.MEMBER:
            every_product = (
                "INSERT INTO assigned_products (institution_id, user_id, product_id) "
                "SELECT institution_id, :person, id FROM products WHERE institution_id = :owned"
            )
            names = {"person": user.user_id, "owned": owner.institution_id}
            await work.db.execute(text(every_product), names)


async def events_of(platform: Platform, subject_id: str) -> list[dict[str, Any]]:
    """The recorded events about a subject, in order."""
    statement = select(events).where(events.c.subject_id == subject_id).order_by(events.c.id)
    async with platform.database.reading() as db:
        return [dict(row) for row in (await db.execute(statement)).mappings()]


def bad_fields(answer: httpx.Response) -> list[str]:
    """The invalid fields that a 400 names."""
    assert answer.status_code == 400, answer.text
    assert answer.json()["errorCode"] == "InvalidRequest"
    return [error["field"] for error in answer.json()["errors"]]


def refusal(answer: httpx.Response) -> tuple[int, str]:
    """Status and code of a problem document."""
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    return answer.status_code, answer.json()["errorCode"]

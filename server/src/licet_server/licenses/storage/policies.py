"""Queries of policies."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, any_, func, literal, select, update

from licet_server.catalog.storage.products import product_visible_to
from licet_server.kit.database import Connection, Id, Json, array_parameter
from licet_server.kit.errors import bad_field, not_found
from licet_server.kit.kept import kept
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.rows import Rows
from licet_server.kit.visibility import Visibility
from licet_server.licenses import errors
from licet_server.licenses.rules.policies import Policy, named_by
from licet_server.licenses.tables import licenses, policies


def _within(visibility: Visibility) -> ColumnElement[bool]:
    return product_visible_to(visibility, policies.c.institution_id, policies.c.product_id)


POLICIES = Rows(
    policies,
    Policy,
    _within,
    computed={"metadata": func.coalesce(policies.c.labels, literal({}, Json))},
    sortable={
        "name": func.lower(policies.c.name),
        "createdAt": policies.c.id,
        "updatedAt": policies.c.updated_at,
    },
    refusals={
        "policies_name_key": errors.policy_name_taken,
        "policies_institution_id_product_id_fkey": lambda: not_found("product"),
        "policies_entitlement_set_fkey": lambda: bad_field(
            "entitlementSetId", "names an entitlement set that has just been deleted."
        ),
    },
)


async def count_licenses(db: Connection, policy: Policy) -> int:
    """Return how many licenses were issued under the policy."""
    statement = select(func.count()).where(
        licenses.c.institution_id == policy.institution_id, licenses.c.policy_id == policy.id
    )
    return int((await db.execute(statement)).scalar_one())


async def list_policies(
    db: Connection, visibility: Visibility, product_id: UUID | None, paging: Paging
) -> Listing[Policy]:
    """List the policies of a product, or of all visible products."""
    return await POLICIES.page(db, visibility, paging, _of_product, product_id)


def _of_product(product_id: UUID | None) -> list[ColumnElement[bool]]:
    return [] if product_id is None else [policies.c.product_id == product_id]


async def fetch_policies_of(
    db: Connection, institution_id: UUID, product_id: UUID | None
) -> list[Policy]:
    """Fetch all policies of a product, or of all, in the order of their creation."""
    of_institution = policies.c.institution_id == institution_id
    statement = POLICIES.select(of_institution, *_of_product(product_id)).order_by(policies.c.id)
    return await POLICIES.all(db, statement)


async def fetch_policies(
    db: Connection, institution_id: UUID, policy_ids: Collection[UUID]
) -> dict[UUID, Policy]:
    """Fetch these policies of an institution by ID; missing ones are omitted."""
    found = await POLICIES.all(db, *_with_ids(institution_id, policy_ids))
    return {policy.id: policy for policy in found}


@kept
def _with_ids(institution_id: UUID, policy_ids: Collection[UUID]) -> Select[Any]:
    of_institution = policies.c.institution_id == institution_id
    return POLICIES.select(of_institution, policies.c.id.in_(policy_ids))


async def find_licenses(
    db: Connection, policy: Policy, after: UUID | None, *, limit: int
) -> list[UUID]:
    """Licenses that were issued under the policy, in the order of their ids, after one of them."""
    statement = select(licenses.c.id).where(
        licenses.c.institution_id == policy.institution_id, licenses.c.policy_id == policy.id
    )
    if after is not None:
        statement = statement.where(licenses.c.id > after)
    return list((await db.execute(statement.order_by(licenses.c.id).limit(limit))).scalars())


async def apply_to(
    db: Connection, policy: Policy, license_ids: Sequence[UUID], now: datetime
) -> None:
    """Give locked licenses what the policy names."""
    metadata = func.coalesce(licenses.c.labels, literal({}, Json)).op("||")(
        literal(dict(policy.metadata), Json)
    )
    statement = (
        update(licenses)
        .where(
            licenses.c.institution_id == policy.institution_id,
            licenses.c.id == any_(array_parameter("license_ids", Id)),
        )
        .values(**named_by(policy), labels=metadata, policy_id=policy.id, updated_at=now)
    )
    if license_ids:
        await db.execute(statement, {"license_ids": list(license_ids)})

"""Queries of policies."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Row, Select, delete, func, insert, literal, select, update
from sqlalchemy.exc import IntegrityError

from licet_server.catalog.storage.visibility import product_visible_to
from licet_server.kit.database import Connection, Json, violated_constraint
from licet_server.kit.errors import Refused, bad_field, not_found
from licet_server.kit.paging import Listing, Paging, fetch_listing
from licet_server.kit.visibility import Visibility
from licet_server.licenses import errors
from licet_server.licenses.rules.model import ActivationMode
from licet_server.licenses.rules.policies import Policy, TermStart, named_by
from licet_server.licenses.rules.traits import DeviceBindingMode, LicenseType
from licet_server.licenses.tables import licenses, policies

_SORTABLE: Mapping[str, ColumnElement[Any]] = {
    "name": func.lower(policies.c.name),
    "createdAt": policies.c.id,
    "updatedAt": policies.c.updated_at,
}
_REFUSALS: Mapping[str, Callable[[], Refused]] = {
    "policies_name_key": errors.policy_name_taken,
    "policies_institution_id_product_id_fkey": lambda: not_found("product"),
    "policies_entitlement_set_fkey": lambda: bad_field(
        "entitlementSetId", "names an entitlement set that has just been deleted."
    ),
}


def _columns_of(policy: Policy) -> dict[str, Any]:
    stored = asdict(policy)
    stored["labels"] = dict(stored.pop("metadata"))
    return stored


def _policy(row: Row[Any]) -> Policy:
    stored = dict(row._mapping)
    mode, binding = stored["activation_mode"], stored["device_binding_mode"]
    return Policy(
        **{
            **stored,
            "type": LicenseType(stored["type"]),
            "term_starts": TermStart(stored["term_starts"]),
            "activation_mode": ActivationMode(mode) if mode else None,
            "device_binding_mode": DeviceBindingMode(binding) if binding else None,
            "metadata": stored["metadata"] or {},
        }
    )


async def insert_policy(db: Connection, policy: Policy) -> None:
    """Raises `Refused` (Conflict) if the product has a policy of this name."""
    await _save(db, insert(policies).values(**_columns_of(policy)))


async def update_policy(db: Connection, policy: Policy) -> None:
    """Raises `Refused` (Conflict) if the product has a policy of this name."""
    await _save(db, update(policies).where(_same(policy)).values(**_columns_of(policy)))


async def _save(db: Connection, statement: Any) -> None:
    try:
        await db.execute(statement)
    except IntegrityError as error:
        refusal = _REFUSALS.get(violated_constraint(error) or "")
        if refusal is None:
            raise
        raise refusal() from None


async def delete_policy(db: Connection, policy: Policy) -> None:
    await db.execute(delete(policies).where(_same(policy)))


async def count_licenses(db: Connection, policy: Policy) -> int:
    """How many licenses were issued under the policy."""
    statement = select(func.count()).where(
        licenses.c.institution_id == policy.institution_id, licenses.c.policy_id == policy.id
    )
    return int((await db.execute(statement)).scalar_one())


async def list_policies(
    db: Connection, visibility: Visibility, product_id: UUID | None, paging: Paging
) -> Listing[Policy]:
    statement = _visible(visibility)
    if product_id is not None:
        statement = statement.where(policies.c.product_id == product_id)
    listing = await fetch_listing(
        db, statement, paging, id_column=policies.c.id, sortable=_SORTABLE
    )
    return listing.of(_policy)


async def fetch_policy(db: Connection, visibility: Visibility, policy_id: UUID) -> Policy | None:
    row = (await db.execute(_visible(visibility).where(policies.c.id == policy_id))).one_or_none()
    return None if row is None else _policy(row)


async def fetch_policies(
    db: Connection, institution_id: UUID, policy_ids: Collection[UUID]
) -> dict[UUID, Policy]:
    """These policies of an institution by id; missing ones are omitted."""
    visibility = Visibility((institution_id,))
    statement = _visible(visibility).where(policies.c.id.in_(policy_ids))
    return {row.id: _policy(row) for row in await db.execute(statement)}


async def lock_policy(
    db: Connection, visibility: Visibility, policy_id: UUID, *, for_deletion: bool = False
) -> Policy | None:
    """Fetch a policy and lock it; for a deletion, licenses issued under it are waited for."""
    statement = _visible(visibility).where(policies.c.id == policy_id)
    locked = statement.with_for_update(key_share=not for_deletion)
    row = (await db.execute(locked)).one_or_none()
    return None if row is None else _policy(row)


def _visible(visibility: Visibility) -> Select[Any]:
    mine = product_visible_to(visibility, policies.c.institution_id, policies.c.product_id)
    columns = [column.label(column.name) for column in policies.c]
    return select(*columns).where(mine)


def _same(policy: Policy) -> Any:
    return (policies.c.institution_id == policy.institution_id) & (policies.c.id == policy.id)


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
        .where(licenses.c.institution_id == policy.institution_id, licenses.c.id.in_(license_ids))
        .values(**named_by(policy), labels=metadata, policy_id=policy.id, updated_at=now)
    )
    if license_ids:
        await db.execute(statement)

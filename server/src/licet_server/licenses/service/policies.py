"""Policies: templates of licenses. A change of one changes no license."""

from collections.abc import Collection, Mapping
from typing import Any
from uuid import UUID

from msgspec.structs import replace

from licet_server.catalog.reading import find_entitlement_set
from licet_server.catalog.service.lookup import find_product
from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import facts_of
from licet_server.events.service.recording import Recorder
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.errors import FieldError, bad_field, bad_fields
from licet_server.kit.look_ups import Source
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses import errors
from licet_server.licenses.rules.policies import Policy, policy_breaches
from licet_server.licenses.storage import policies as storage
from licet_server.licenses.storage.policies import POLICIES


async def create_policy(
    work: UnitOfWork, operator: Operator, product_id: UUID, fields: Mapping[str, Any]
) -> Policy:
    """Create a policy with these fields, by the names of `Policy`.

    Raises:
        Refused: `InvalidRequest` naming every bad field, `Forbidden`, `Conflict` if the name is
            taken.
    """
    product = await find_product(work.db, operator.visibility, product_id)
    if product is None:
        raise bad_field("productId", "must be a product that you can access.")
    operator.authorize(product.institution_id)
    policy = Policy(
        institution_id=product.institution_id,
        id=work.new_id(),
        product_id=product.id,
        created_at=work.now,
        updated_at=work.now,
        **fields,
    )
    await _check(work, policy)
    await add_policy(work, policy)
    return policy


async def add_policy(work: UnitOfWork, policy: Policy) -> None:
    """Insert a checked policy.

    Raises:
        Refused: `Conflict` if the name is taken.
    """
    await POLICIES.insert(work.db, policy)
    await _EVENTS.created(work, EventKind.POLICY_CREATED, policy)


async def change_policy(
    work: UnitOfWork, operator: Operator, policy_id: UUID, change: Mapping[str, Any]
) -> Policy:
    """Change the fields in `change`, by the names of `Policy`; no license changes.

    Raises:
        Refused: `NotFound`, `Forbidden`, `InvalidRequest` naming every bad field, `Conflict` if the
            name is taken.
    """
    current = await lock_policy(work, operator, policy_id)
    changed = replace(current, **change)
    if changed == current:
        return current
    changed = replace(changed, updated_at=work.now)
    await _check(work, changed)
    await POLICIES.save(work.db, changed)
    await _EVENTS.changed(work, EventKind.POLICY_UPDATED, current, changed)
    return changed


async def delete_policy(work: UnitOfWork, operator: Operator, policy_id: UUID) -> None:
    """Delete a policy under which no license was issued.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` with the number of its licenses.
    """
    found = await POLICIES.lock_for_deletion(work.db, operator.visibility, policy_id)
    policy = operator.found(found, "policy")
    licenses = await storage.count_licenses(work.db, policy)
    if licenses:
        raise errors.policy_in_use(licenses)
    await POLICIES.delete(work.db, policy)
    await _EVENTS.deleted(work, EventKind.POLICY_DELETED, policy)


async def list_policies(
    db: Connection, operator: Operator, product_id: UUID | None, paging: Paging
) -> Listing[Policy]:
    """Return the policies of a product, or of all products that the operator sees."""
    return await storage.list_policies(db, operator.visibility, product_id, paging)


async def fetch_policy(source: Source, operator: Operator, policy_id: UUID) -> Policy:
    """Return a policy that is visible to the operator, with the role that the route requires."""
    found = await POLICIES.fetch(source, operator.visibility, policy_id)
    return operator.found(found, "policy")


async def find_policy(
    db: Connection, operator: Operator, policy_id: UUID, product_id: UUID | None
) -> Policy:
    """Return the policy to issue a license under.

    Raises:
        Refused: `InvalidRequest` if the operator sees none, or it belongs to another product.
    """
    policy = await POLICIES.fetch(db, operator.visibility, policy_id)
    if policy is None or product_id not in {None, policy.product_id}:
        raise bad_field("policyId", "must be a policy of the product.")
    return policy


async def find_policies(
    db: Connection, institution_id: UUID, policy_ids: Collection[UUID]
) -> dict[UUID, Policy]:
    """Return these policies of an institution by id; missing ones are omitted."""
    return await storage.fetch_policies(db, institution_id, policy_ids) if policy_ids else {}


async def find_policies_of(
    db: Connection, institution_id: UUID, product_id: UUID | None
) -> list[Policy]:
    """Return the policies of a product of an institution, or of all its products."""
    return await storage.fetch_policies_of(db, institution_id, product_id)


def policy_facts(policy: Policy) -> dict[str, object]:
    """Return the data of a policy in events and the audit log."""
    return facts_of(policy, omit={"institution_id", "created_at", "updated_at"})


async def lock_policy(work: UnitOfWork, operator: Operator, policy_id: UUID) -> Policy:
    """Fetch a policy `FOR NO KEY UPDATE`."""
    found = await POLICIES.lock(work.db, operator.visibility, policy_id)
    return operator.found(found, "policy")


async def _check(work: UnitOfWork, policy: Policy) -> None:
    breaches = list(policy_breaches(policy, work.now))
    if policy.entitlement_set_id is not None:
        scope = (policy.institution_id, policy.product_id)
        if await find_entitlement_set(work.db, *scope, policy.entitlement_set_id) is None:
            message = "must be an entitlement set of this product."
            breaches.append(FieldError("entitlementSetId", message))
    if breaches:
        raise bad_fields(breaches)


_EVENTS = Recorder(policy_facts)

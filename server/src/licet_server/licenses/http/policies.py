"""Routes of policies."""

from typing import Annotated
from uuid import UUID

from litestar.params import FromPath, JSONBody, QueryParameter

from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.operators import Operator, Scope
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.look_ups import LookUps
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.routes import Routes
from licet_server.licenses.schemas.policies import (
    ApplyPolicyAnswer,
    ApplyPolicyBody,
    PolicyBody,
    PolicyChange,
    PolicyView,
    apply_answer,
    policy_view,
)
from licet_server.licenses.service import applying, policies
from licet_server.licenses.service.hooks import CurrentUsageReader, LicenseHooks

ROUTES = Routes("Policies")
_POLICY = "/api/policies/{policy_id:uuid}"
_READS = InstitutionRole(Role.VIEWER, Scope.PRODUCTS_READ)
_WRITES = InstitutionRole(Role.ADMIN, Scope.PRODUCTS_WRITE)


@ROUTES.get("/api/policies", access=_READS)
async def list_policies(
    db: Given[Connection],
    operator: Given[Operator],
    paging: Given[Paging],
    product_id: Annotated[UUID | None, QueryParameter(name="productId")] = None,
) -> Listing[PolicyView]:
    """List policies, those of a product or all. Sorts by name, createdAt, updatedAt."""
    listing = await policies.list_policies(db, operator, product_id, paging)
    return listing.of(policy_view)


@ROUTES.post("/api/policies", access=_WRITES, problems=(ErrorCode.CONFLICT,))
async def create_policy(
    work: Given[UnitOfWork], operator: Given[Operator], data: JSONBody[PolicyBody]
) -> PolicyView:
    """Create a policy, a template of licenses."""
    made = await policies.create_policy(work, operator, data.product_id, data.fields())
    return policy_view(made)


@ROUTES.get(_POLICY, access=_READS)
async def show_policy(
    look_ups: Given[LookUps], operator: Given[Operator], policy_id: FromPath[UUID]
) -> PolicyView:
    """Return one policy."""
    return policy_view(await policies.fetch_policy(look_ups, operator, policy_id))


@ROUTES.put(_POLICY, access=_WRITES, problems=(ErrorCode.CONFLICT,))
async def change_policy(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    policy_id: FromPath[UUID],
    data: JSONBody[PolicyChange],
) -> PolicyView:
    """Change the fields that are present. No license changes."""
    return policy_view(await policies.change_policy(work, operator, policy_id, data.changes()))


@ROUTES.delete(_POLICY, access=_WRITES, problems=(ErrorCode.CONFLICT,))
async def delete_policy(
    work: Given[UnitOfWork], operator: Given[Operator], policy_id: FromPath[UUID]
) -> None:
    """Delete a policy under which no license was issued."""
    await policies.delete_policy(work, operator, policy_id)


@ROUTES.act(f"{_POLICY}/apply", access=InstitutionRole(Role.ADMIN, Scope.LICENSES_WRITE))
async def apply_policy(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    read_usage: Given[CurrentUsageReader],
    license_hooks: Given[LicenseHooks],
    policy_id: FromPath[UUID],
    data: JSONBody[ApplyPolicyBody],
) -> ApplyPolicyAnswer:
    """Apply a policy to up to 1,000 licenses, or tell what that would change.

    Seat cap, modes, entitlement set and metadata become those that the policy names; term and
    balance stay. `refused` lists the licenses that cannot take it. Devices above a lower cap are
    listed as `OverLimit`; `devicesOverLimit` counts them, in a dry run, too.
    """
    is_dry, candidates = data.dry_run, data.candidates()
    if is_dry:
        outcome = await applying.preview(work.db, operator, policy_id, candidates)
    else:
        outcome = await applying.apply_policy(
            work, operator, policy_id, candidates, hooks=license_hooks
        )
    usage = await read_usage(work.db, [after for _, after in outcome.changed], work.now)
    return apply_answer(outcome, usage, dry_run=is_dry)

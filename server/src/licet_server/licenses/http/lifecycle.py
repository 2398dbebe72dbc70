"""Revoke, restore, suspend, reinstate and convert licenses, one or many."""

from typing import Annotated
from uuid import UUID

from litestar.params import FromPath, JSONBody, QueryParameter

from licet_server.identity.access import StepUp
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.operators import Operator, Scope
from licet_server.kit.errors import ErrorCode
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.routes import Routes
from licet_server.licenses.http.views import show
from licet_server.licenses.schemas.bulk import BulkLicensesAnswer, BulkLicensesBody, bulk_answer
from licet_server.licenses.schemas.records import (
    ConvertedLicenseView,
    ConvertLicenseBody,
    LicenseView,
    NoteBody,
    RekeyLicenseBody,
    StopLicenseBody,
    converted_view,
)
from licet_server.licenses.service import bulk, lifecycle
from licet_server.licenses.service.converting import convert
from licet_server.licenses.service.hooks import CurrentUsageReader, LicenseHooks
from licet_server.licenses.service.lifecycle import rekey
from licet_server.licenses.service.taking_back import revoke_again, suspend_again

_ADMIN = InstitutionRole(Role.ADMIN, Scope.LICENSES_WRITE)
ROUTES = Routes("Licenses")


@ROUTES.act("/api/licenses/{license_id:uuid}/revoke", access=_ADMIN, problems=(ErrorCode.CONFLICT,))
async def revoke_license(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    read_usage: Given[CurrentUsageReader],
    license_hooks: Given[LicenseHooks],
    license_id: FromPath[UUID],
    data: JSONBody[StopLicenseBody | None] = None,
) -> LicenseView:
    """Revoke a license. Validation fails at once; license files at their next refresh.

    Its live sessions end. Afterwards only its notes, metadata and tags can change. For 24
    hours it can be restored. With `asBefore`, a restoration is taken back instead.
    """
    if data is not None and data.as_before:
        license_ = await revoke_again(work, operator, license_id, hooks=license_hooks)
    else:
        reason = data.reason if data is not None else None
        license_ = await lifecycle.revoke(work, operator, license_id, reason, hooks=license_hooks)
    return await show(work, read_usage, license_)


@ROUTES.act(
    "/api/licenses/{license_id:uuid}/restore", access=_ADMIN, problems=(ErrorCode.CONFLICT,)
)
async def restore_license(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    read_usage: Given[CurrentUsageReader],
    license_id: FromPath[UUID],
) -> LicenseView:
    """Restore a license that was revoked within the last 24 hours, as it was before.

    Sessions that ended with it do not come back; applications connect again.
    """
    return await show(work, read_usage, await lifecycle.restore(work, operator, license_id))


@ROUTES.act(
    "/api/licenses/{license_id:uuid}/suspend", access=_ADMIN, problems=(ErrorCode.CONFLICT,)
)
async def suspend_license(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    read_usage: Given[CurrentUsageReader],
    license_id: FromPath[UUID],
    data: JSONBody[StopLicenseBody | None] = None,
) -> LicenseView:
    """Suspend a license until it is reinstated. With `asBefore`, that is taken back instead."""
    if data is not None and data.as_before:
        license_ = await suspend_again(work, operator, license_id)
    else:
        reason = data.reason if data is not None else None
        license_ = await lifecycle.suspend(work, operator, license_id, reason)
    return await show(work, read_usage, license_)


@ROUTES.act(
    "/api/licenses/{license_id:uuid}/reinstate", access=_ADMIN, problems=(ErrorCode.CONFLICT,)
)
async def reinstate_license(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    read_usage: Given[CurrentUsageReader],
    license_id: FromPath[UUID],
) -> LicenseView:
    """Reinstate a suspended license."""
    return await show(work, read_usage, await lifecycle.reinstate(work, operator, license_id))


@ROUTES.post("/api/licenses/{license_id:uuid}/notes", access=_ADMIN, status_code=204)
async def add_note(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    license_id: FromPath[UUID],
    data: JSONBody[NoteBody],
) -> None:
    """Add a note to the events of a license, for the team of the vendor only.

    It is the event `license.noted`, with time and author: it cannot be changed, and no webhook
    receives it. `notes` of the license is another text.
    """
    await lifecycle.add_note(work, operator, license_id, data.note)


@ROUTES.act(
    "/api/licenses/{license_id:uuid}/rekey",
    access=_ADMIN,
    step_up=StepUp(),
    problems=(ErrorCode.CONFLICT,),
)
async def rekey_license(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    read_usage: Given[CurrentUsageReader],
    license_id: FromPath[UUID],
    data: JSONBody[RekeyLicenseBody | None] = None,
) -> LicenseView:
    """Give a license a new key, for example after the old one was published.

    The old key works for `graceDays` more, and then is unknown. Keys that were replaced earlier end
    by then, too. Devices, sessions and balance stay.
    """
    grace_days = data.grace_days if data is not None else 0
    license_ = await rekey(work, operator, license_id, grace_days=grace_days)
    return await show(work, read_usage, license_)


@ROUTES.act(
    "/api/licenses/{license_id:uuid}/convert", access=_ADMIN, problems=(ErrorCode.CONFLICT,)
)
async def convert_license(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    read_usage: Given[CurrentUsageReader],
    license_hooks: Given[LicenseHooks],
    license_id: FromPath[UUID],
    data: JSONBody[ConvertLicenseBody],
) -> ConvertedLicenseView:
    """Convert a license from any model to any other, with the same key.

    Each model takes the fields that it takes when a license is issued. Devices above a new cap are
    listed as `OverLimit`, and sessions end where the new model needs a seat that their device does
    not hold. The response says what became of devices, sessions and balance.
    """
    change = await convert(
        work,
        operator,
        license_id,
        data.conversion(),
        end=data.expiration_date,
        keep=data.keep_activation_ids or (),
        hooks=license_hooks,
    )
    return converted_view(await show(work, read_usage, change.after), change)


@ROUTES.act("/api/licenses/bulk", access=_ADMIN, problems=(ErrorCode.NOT_FOUND,))
async def change_licenses(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    license_hooks: Given[LicenseHooks],
    data: JSONBody[BulkLicensesBody],
    dry_run: Annotated[
        bool,
        QueryParameter(name="dryRun", description="Report what would change, and change nothing."),
    ] = False,
) -> BulkLicensesAnswer:
    """Change up to 1,000 licenses in one transaction.

    `done` counts the licenses that are as asked for now, whether or not they changed; `refused`
    lists the others, each with the problem that the route for a single license responds with.
    """
    change = data.change()
    if dry_run:
        outcome = await bulk.preview(work.db, operator, change, work.now)
    else:
        outcome = await bulk.apply(work, operator, change, hooks=license_hooks)
    return bulk_answer(outcome)

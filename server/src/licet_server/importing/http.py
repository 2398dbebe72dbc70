"""The route that imports licenses."""

from typing import Annotated
from uuid import UUID

from litestar.params import FromPath, JSONBody, QueryParameter

from licet_server.identity.rules.memberships import Role
from licet_server.importing.rules.model import BadExport
from licet_server.importing.schemas import ImportAnswer, ImportLicensesBody, import_answer
from licet_server.importing.service.importing import import_rows
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.operators import Operator, Scope
from licet_server.kit.errors import ErrorCode, bad_field
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.routes import Routes

ROUTES = Routes("Licenses")


@ROUTES.act(
    "/api/products/{product_id:uuid}/import",
    access=InstitutionRole(Role.ADMIN, Scope.LICENSES_WRITE),
    problems=(ErrorCode.CONFLICT, ErrorCode.KEYS_NOT_GENERATED, ErrorCode.PLAN_LIMIT_REACHED),
)
async def import_licenses(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    product_id: FromPath[UUID],
    data: JSONBody[ImportLicensesBody],
    dry_run: Annotated[
        bool,
        QueryParameter(name="dryRun", description="Report what would happen, and change nothing."),
    ] = False,
) -> ImportAnswer:
    """Import up to 500 licenses of another product with their keys, in one transaction.

    The columns are those of CSV files: `licenseKey`, and any of `licenseName`, `issuedTo`, `type`,
    `status`, `expirationDate`, `updatesUntil`, `maxActiveUsersCount`, `notes`, `tags`, `devices`
    and `metadata.NAME`. Run twice, an import changes nothing. Send a larger file in parts.
    """
    options = data.options(product_id, is_dry_run=dry_run)
    try:
        report = await import_rows(work, operator, data.found(), options)
    except BadExport as fault:
        raise bad_field("rows", str(fault)) from None
    return import_answer(report, dry_run=dry_run)

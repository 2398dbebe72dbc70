"""Routes of the audit log, and of the events of a license."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, QueryParameter

from licet_server.audit.rules.model import RecordFilter
from licet_server.audit.schemas import AuditView, LicenseEventView, audit_view, license_event_view
from licet_server.audit.service.reading import list_license_events, list_records
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.web.context import HttpRequest
from licet_server.kit.web.csv import csv_stream
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.queries import instant_of


def provide_record_filter(
    kind: Annotated[
        str | None,
        QueryParameter(max_length=100, description="Such as license.revoked, or license.*"),
    ] = None,
    actor_id: Annotated[UUID | None, QueryParameter(name="actorId")] = None,
    subject_id: Annotated[UUID | None, QueryParameter(name="subjectId")] = None,
    since: Annotated[datetime | None, QueryParameter(name="from")] = None,
    until: Annotated[datetime | None, QueryParameter(name="to")] = None,
) -> RecordFilter:
    """What the audit log is narrowed to."""
    return RecordFilter(
        kind=kind or None,
        actor_id=actor_id,
        subject_id=subject_id,
        since=instant_of("from", since),
        until=instant_of("to", until),
    )


@get(
    "/api/institutions/{institution_id:uuid}/audit",
    access=InstitutionRole(Role.ADMIN),
    tags=["Institutions"],
)
async def show_audit_log(
    request: HttpRequest,
    db: Given[Connection],
    platform: Given[Platform],
    operator: Given[Operator],
    paging: Given[Paging],
    recorded: Given[RecordFilter],
    institution_id: FromPath[UUID],
) -> Listing[AuditView]:
    """Who changed what in an institution; with `Accept: text/csv` all of it as CSV."""
    found = await list_records(db, operator, institution_id, recorded, paging)
    # Whoever may not see it is refused by now: a stream that has begun cannot be.
    if "text/csv" in request.headers.get("accept", ""):

        async def fetch(step: Paging) -> Listing[AuditView]:
            async with platform.database.reading() as connection:
                part = await list_records(connection, operator, institution_id, recorded, step)
            return part.of(audit_view)

        return csv_stream("audit.csv", AuditView, fetch)  # type: ignore[return-value]
    return found.of(audit_view)


@get(
    "/api/licenses/{license_id:uuid}/events",
    access=InstitutionRole(Role.VIEWER),
    tags=["Licenses"],
)
async def list_events_of_license(
    db: Given[Connection],
    operator: Given[Operator],
    paging: Given[Paging],
    license_id: FromPath[UUID],
) -> Listing[LicenseEventView]:
    """What happened to a license, newest first: to its devices, sessions and meter as well.

    Who did it, and what was there before, is for Owners and Admins.
    """
    found = await list_license_events(db, operator, license_id, paging)
    return found.of(license_event_view)


ROUTES: list[HTTPRouteHandler] = [show_audit_log, list_events_of_license]

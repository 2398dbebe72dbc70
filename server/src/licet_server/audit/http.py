"""Routes of the audit log, and of the events of a license."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from functools import partial
from typing import Annotated
from uuid import UUID

from litestar.params import FromPath, QueryParameter

from licet_server.audit.schemas import (
    AuditEntryView,
    ClockEventView,
    LicenseEventView,
    audit_view,
    clock_event_view,
    license_event_view,
)
from licet_server.audit.service import reading
from licet_server.events.rules.model import RecordedEventFilter, SealedEvent
from licet_server.identity.access import SystemAdmin
from licet_server.identity.rules.memberships import Role
from licet_server.identity.rules.users import SignedInUser
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.operators import Operator, Scope
from licet_server.kit.database import Connection
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.web.context import HttpRequest
from licet_server.kit.web.csv import list_or_csv
from licet_server.kit.web.dependencies import Given, instant_of
from licet_server.kit.web.routes import Routes

ROUTES = Routes("Institutions")


_Kind = Annotated[
    str | None,
    QueryParameter(max_length=100, description="For example license.revoked, or license.*"),
]


def provide_event_filter(
    kind: _Kind = None,
    actor_id: Annotated[UUID | None, QueryParameter(name="actorId")] = None,
    subject_id: Annotated[UUID | None, QueryParameter(name="subjectId")] = None,
    since: Annotated[datetime | None, QueryParameter(name="from")] = None,
    until: Annotated[datetime | None, QueryParameter(name="to")] = None,
) -> RecordedEventFilter:
    """Return the filters of a list of events."""
    return RecordedEventFilter(
        kind=kind or None,
        actor_id=actor_id,
        subject_id=subject_id,
        since=instant_of("from", since),
        until=instant_of("to", until),
    )


@ROUTES.get(
    "/api/institutions/{institution_id:uuid}/audit",
    access=InstitutionRole(Role.ADMIN, Scope.AUDIT_READ),
)
async def show_audit_log(
    request: HttpRequest,
    db: Given[Connection],
    platform: Given[Platform],
    operator: Given[Operator],
    paging: Given[Paging],
    event_filter: Given[RecordedEventFilter],
    institution_id: FromPath[UUID],
) -> Listing[AuditEntryView]:
    """List who changed what in an institution; with `Accept: text/csv`, all of it as CSV.

    System Admins also read the log of an institution that was deleted. Entries older than 400 days,
    or what the service is set to, are in archives.
    """
    read = partial(reading.list_entries, operator, institution_id, event_filter)
    return await _respond(request, db, platform, read, paging, operator.user_id, institution_id)


@ROUTES.get("/api/audit", access=SystemAdmin(), tags=["Service"])
async def show_instance_audit_log(
    request: HttpRequest,
    db: Given[Connection],
    platform: Given[Platform],
    user: Given[SignedInUser],
    paging: Given[Paging],
    event_filter: Given[RecordedEventFilter],
) -> Listing[AuditEntryView]:
    """List what concerns the instance: what system Admins and the console did, and deletions.

    With `Accept: text/csv`, all of it as CSV.
    """
    read = partial(reading.list_instance_entries, event_filter)
    return await _respond(request, db, platform, read, paging, user.user_id, None)


ReadLog = Callable[[Connection, Paging], Awaitable[Listing[SealedEvent]]]


async def _respond(
    request: HttpRequest,
    db: Connection,
    platform: Platform,
    read: ReadLog,
    paging: Paging,
    user_id: UUID,
    institution_id: UUID | None,
) -> Listing[AuditEntryView]:
    async def fetch(connection: Connection, step: Paging) -> Listing[AuditEntryView]:
        return (await read(connection, step)).of(audit_view)

    return await list_or_csv(
        request, db, platform, paging, user_id, institution_id, "audit.csv", AuditEntryView, fetch
    )


@ROUTES.get(
    "/api/licenses/{license_id:uuid}/events", access=InstitutionRole(Role.VIEWER), tags=["Licenses"]
)
async def list_events_of_license(
    db: Given[Connection],
    operator: Given[Operator],
    paging: Given[Paging],
    license_id: FromPath[UUID],
    kind: _Kind = None,
) -> Listing[LicenseEventView]:
    """List the events of a license and its wallet, newest first.

    Only Owners and Admins see the events of devices and sessions, who caused an event, and the
    values before.
    """
    found, reads_audit_log = await reading.list_license_events(
        db, operator, license_id, kind or None, paging
    )
    return found.of(partial(license_event_view, reads_audit_log=reads_audit_log))


@ROUTES.get(
    "/api/customers/{customer_id:uuid}/events",
    access=InstitutionRole(Role.VIEWER),
    tags=["Customers"],
)
async def list_events_of_customer(
    db: Given[Connection],
    operator: Given[Operator],
    paging: Given[Paging],
    customer_id: FromPath[UUID],
) -> Listing[LicenseEventView]:
    """List the events of a customer and of their licenses, newest first.

    Only Owners and Admins see the events of devices and sessions, who caused an event, and the
    values before.
    """
    found, reads_audit_log = await reading.list_customer_events(db, operator, customer_id, paging)
    return found.of(partial(license_event_view, reads_audit_log=reads_audit_log))


@ROUTES.get(
    "/api/test-clocks/{clock_id:uuid}/events",
    access=InstitutionRole(Role.VIEWER),
    tags=["Test clocks"],
)
async def list_events_of_clock(
    db: Given[Connection],
    operator: Given[Operator],
    paging: Given[Paging],
    clock_id: FromPath[UUID],
    since: Annotated[datetime | None, QueryParameter(name="from")] = None,
    until: Annotated[datetime | None, QueryParameter(name="to")] = None,
) -> Listing[ClockEventView]:
    """List what happened to a Test product by its clock, newest first.

    `from` and `to` are instants of the clock. Only Owners and Admins see the events of devices and
    sessions, who caused an event, and the values before.
    """
    found, reads_audit_log = await reading.list_clock_events(
        db,
        operator,
        clock_id,
        instant_of("from", since),
        instant_of("to", until),
        paging,
    )
    return found.of(partial(clock_event_view, reads_audit_log=reads_audit_log))

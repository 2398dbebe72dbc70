"""The audit log of an institution, and the events of a license."""

from datetime import datetime
from uuid import UUID

from licet_server.catalog.service.clocks import fetch_clock
from licet_server.customers.service.customers import fetch_customer
from licet_server.events.rules.kinds import ADMINS_ONLY
from licet_server.events.rules.model import (
    INSTANCE,
    RecordedEvent,
    RecordedEventFilter,
    SealedEvent,
)
from licet_server.events.service.sealing import has_chain
from licet_server.events.storage import chains
from licet_server.events.storage import reading as events
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.service.institutions import fetch_institution
from licet_server.kit.database import Connection
from licet_server.kit.paging import Listing, Paging
from licet_server.licenses.service import reading as licenses
from licet_server.licenses.service.holders import licenses_of


async def list_entries(
    operator: Operator,
    institution_id: UUID,
    chosen: RecordedEventFilter,
    db: Connection,
    paging: Paging,
) -> Listing[SealedEvent]:
    """List the audit log of an institution, newest first; system Admins read deleted ones, too."""
    if not (operator.is_system_admin and await _is_gone(db, operator, institution_id)):
        await fetch_institution(db, operator, institution_id)
    return await chains.list_events(db, institution_id, chosen, paging)


async def list_instance_entries(
    chosen: RecordedEventFilter, db: Connection, paging: Paging
) -> Listing[SealedEvent]:
    """List the audit log of the instance, newest first."""
    return await chains.list_events(db, INSTANCE, chosen, paging)


async def _is_gone(db: Connection, operator: Operator, institution_id: UUID) -> bool:
    """Check whether an institution that no longer exists has left its audit log."""
    grants = operator.grants
    if institution_id in grants.roles or institution_id in grants.barred:
        return False
    return await has_chain(db, institution_id)


async def list_license_events(
    db: Connection, operator: Operator, license_id: UUID, kind: str | None, paging: Paging
) -> tuple[Listing[RecordedEvent], bool]:
    """List the events of a license, newest first; those of a kind, or a family such as `license.*`.

    Also returns whether the operator may read the audit log: then they see who did what, the values
    before, and the events of devices and sessions.
    """
    license_ = await licenses.fetch_license(db, operator, license_id)
    institution_id = license_.institution_id
    reads_audit_log = operator.is_admin_of(institution_id)
    without = () if reads_audit_log else ADMINS_ONLY
    found = await events.list_license_events(db, institution_id, license_id, without, kind, paging)
    return found, reads_audit_log


async def list_clock_events(
    db: Connection,
    operator: Operator,
    clock_id: UUID,
    since: datetime | None,
    until: datetime | None,
    paging: Paging,
) -> tuple[Listing[RecordedEvent], bool]:
    """List what happened to a product by its test clock, newest first.

    `since` and `until`, which is not included, are instants of the clock. Also returns whether the
    operator may read the audit log, as for a license.
    """
    clock = await fetch_clock(db, operator, clock_id)
    reads_audit_log = operator.is_admin_of(clock.institution_id)
    found = await events.list_clock_events(
        db,
        clock.institution_id,
        clock.product_id,
        clock.created_at,
        (since, until),
        () if reads_audit_log else ADMINS_ONLY,
        paging,
    )
    return found, reads_audit_log


async def list_customer_events(
    db: Connection, operator: Operator, customer_id: UUID, paging: Paging
) -> tuple[Listing[RecordedEvent], bool]:
    """List the events of a customer and of the licenses that are theirs now, newest first.

    Also returns whether the operator may read the audit log, as for a license.
    """
    customer = await fetch_customer(db, operator, customer_id)
    reads_audit_log = operator.is_admin_of(customer.institution_id)
    without = () if reads_audit_log else ADMINS_ONLY
    license_ids = await licenses_of(db, customer)
    found = await events.list_subject_events(
        db, customer.institution_id, customer.id, license_ids, without, paging
    )
    return found, reads_audit_log

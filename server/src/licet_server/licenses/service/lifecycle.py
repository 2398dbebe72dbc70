"""Revokes, restores, suspends, reinstates, rekeys and deletes licenses."""

from datetime import timedelta
from uuid import UUID

from msgspec.structs import replace

from licet_server.catalog.service.lookup import fetch_product
from licet_server.catalog.service.products import count_licenses
from licet_server.events.rules.kinds import EventKind
from licet_server.events.service.recording import record_event, record_events
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.service.institutions import time_zones
from licet_server.kit.dates import end_after
from licet_server.kit.errors import bad_fields, not_found
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules import transitions
from licet_server.licenses.rules.keys import new_license_key
from licet_server.licenses.rules.model import License, LicenseStatus
from licet_server.licenses.service.customers import customer_after, customer_breaches
from licet_server.licenses.service.events import (
    license_differences,
    license_event,
    record_license_event,
)
from licet_server.licenses.service.hooks import LicenseHooks
from licet_server.licenses.service.reading import lock_license
from licet_server.licenses.storage import records
from licet_server.licenses.storage import terms as storage
from licet_server.licenses.storage.former_keys import keep_former_key


async def begin_term(work: UnitOfWork, license_: License) -> License:
    """Begin the term of an active license, unless it has begun. Returns the license as it is now.

    A license whose term starts when it is issued costs nothing here.

    Raises:
        Refused: `NotFound` if the license was deleted meanwhile.
    """
    begun = await _begin(work, license_)
    if begun is None:
        raise not_found("license")
    # A file must fit the application that sent a former key, or a token in place of the key.
    return replace(begun, license_key=license_.license_key, normal_key=license_.normal_key)


async def begin_term_with_use(platform: Platform, license_: License, origin: Origin) -> None:
    """Begin the term of a license that was just used, in a transaction of its own.

    One that was deleted or stopped since then is left alone.
    """
    if license_.pending_term is not None:
        async with platform.unit_of_work(origin) as work:
            await _begin(work, license_)


async def _begin(work: UnitOfWork, license_: License) -> License | None:
    """Return the license after its term began, or as it is where none begins; `None` if deleted."""
    if license_.pending_term is None:
        return license_
    work = work.at(license_.clock)
    zones = await time_zones(work.db, [license_.institution_id])
    end = end_after(work.now, license_.pending_term, zones[license_.institution_id])
    begun = await storage.begin_term(work.db, license_, end, work.now)
    if begun is not None:
        before = replace(
            begun,
            expiration_date=None,
            term_days=license_.term_days,
            term_months=license_.term_months,
        )
        event = license_event(EventKind.LICENSE_UPDATED, begun, work.now, before=before)
        await record_events(work, [event])
        return begun
    current = await records.fetch_license(
        work.db, Visibility((license_.institution_id,)), license_.id
    )
    if current is None or current.pending_term == license_.pending_term:
        return current
    return await _begin(work, current)


async def revoke(
    work: UnitOfWork,
    operator: Operator,
    license_id: UUID,
    reason: str | None,
    *,
    hooks: LicenseHooks,
) -> License:
    """Revoke a license, which ends its sessions; revoking it again changes nothing."""
    current = await lock_license(work.db, operator, license_id)
    work = work.at(current.clock)
    changed = transitions.revoked(current, work.now)
    if changed is current:
        return current
    await hooks.licenses_ended(work, [changed], LicenseStatus.REVOKED)
    return await save_change(work, EventKind.LICENSE_REVOKED, current, changed, reason)


async def restore(work: UnitOfWork, operator: Operator, license_id: UUID) -> License:
    """Undo a revocation of the last 24 hours; a license that is not revoked is unchanged.

    The license is as it was before: with its term, its devices and its balance, and suspended if it
    was. Sessions that ended with it do not come back.

    Raises:
        Refused: `Conflict` for a license that was revoked earlier, `InvalidRequest` for one whose
            customer is no longer associated with the product.
    """
    current = await lock_license(work.db, operator, license_id)
    work = work.at(current.clock)
    changed = transitions.restored(current, work.now)
    if changed is current:
        return current
    if customer := customer_after(current, changed, work.now):
        product = await fetch_product(work.db, operator, current.product_id)
        if breaches := await customer_breaches(work, operator, product, customer):
            raise bad_fields(breaches)
    return await save_change(work, EventKind.LICENSE_RESTORED, current, changed)


async def undo_revocation(work: UnitOfWork, operator: Operator, license_id: UUID) -> License:
    """Undo the revocation of a license, however long ago, when its reason turns out to be void."""
    current = await lock_license(work.db, operator, license_id)
    work = work.at(current.clock)
    if current.revoked_at is None:
        return current
    restored = replace(current, revoked_at=None)
    return await save_change(work, EventKind.LICENSE_RESTORED, current, restored)


async def suspend(
    work: UnitOfWork, operator: Operator, license_id: UUID, reason: str | None
) -> License:
    """Suspend a license until it is reinstated; suspending it again changes nothing.

    Its sessions are refused at their next heartbeat and time out then, so that a suspension that is
    taken back soon disturbs nobody.

    Raises:
        Refused: `Conflict` for a revoked license.
    """
    current = await lock_license(work.db, operator, license_id)
    work = work.at(current.clock)
    changed = transitions.suspended(current, work.now)
    return await save_change(work, EventKind.LICENSE_SUSPENDED, current, changed, reason)


async def reinstate(work: UnitOfWork, operator: Operator, license_id: UUID) -> License:
    """Reinstate a suspended license; one that is neither suspended nor revoked is unchanged.

    Raises:
        Refused: `Conflict` for a revoked license.
    """
    current = await lock_license(work.db, operator, license_id)
    work = work.at(current.clock)
    changed = transitions.reinstated(current)
    return await save_change(work, EventKind.LICENSE_REINSTATED, current, changed)


async def delete(
    work: UnitOfWork, operator: Operator, license_id: UUID, *, hooks: LicenseHooks
) -> None:
    """Delete a license: its key becomes unknown; its events and ledger are kept."""
    current = await lock_license(work.db, operator, license_id)
    work = work.at(current.clock)
    await hooks.license_deleted(work, current)
    await records.delete_license(work.db, current)
    await record_license_event(work, EventKind.LICENSE_DELETED, current)
    await count_licenses(work, current.institution_id, current.product_id, -1)


async def add_note(work: UnitOfWork, operator: Operator, license_id: UUID, note: str) -> None:
    """Record what the vendor notes about a license; the license itself stays as it is."""
    current = await lock_license(work.db, operator, license_id)
    await record_event(
        work.at(current.clock),
        EventKind.LICENSE_NOTED,
        institution_id=current.institution_id,
        subject_id=current.id,
        product_id=current.product_id,
        data={"id": current.id, "licenseName": current.license_name, "note": note},
    )


async def save_change(
    work: UnitOfWork, kind: EventKind, before: License, after: License, reason: str | None = None
) -> License:
    """Store a changed license, and record the event of the change; `before` itself is no change."""
    if after is before:
        return before
    saved = replace(after, updated_at=work.now)
    await records.update_license(work.db, saved)
    changes = license_differences(before, saved)
    await record_license_event(work, kind, saved, changes=changes, reason=reason)
    return saved


async def rekey(
    work: UnitOfWork, operator: Operator, license_id: UUID, *, grace_days: int
) -> License:
    """Give a license a new key; the one that it had works for `grace_days` more.

    Everything else stays: devices, sessions, balance and term. Keys that were replaced earlier end
    by then, too, so that a rekey without grace leaves one key that works.

    Raises:
        Refused: `Conflict` for a revoked license.
    """
    current = await lock_license(work.db, operator, license_id)
    work = work.at(current.clock)
    changed = transitions.rekeyed(current, new_license_key())
    await keep_former_key(work.db, current, work.now + timedelta(days=grace_days))
    return await save_change(work, EventKind.LICENSE_REKEYED, current, changed)

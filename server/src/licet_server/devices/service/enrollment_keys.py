"""Enrollment keys of a license: created, listed and deleted, by operators and by its holders."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any
from uuid import UUID

from licet_server.devices import errors
from licet_server.devices.rules.enrollment import KEYS_MAX, EnrollmentKey, new_secret
from licet_server.devices.storage import enrollment_keys as storage
from licet_server.devices.storage.enrollment_keys import KEYS
from licet_server.events.rules.kinds import EventKind
from licet_server.events.service.recording import record_event
from licet_server.identity.service.tokens import digest
from licet_server.institutions.service.institutions import end_of_term
from licet_server.kit.database import Connection
from licet_server.kit.dates import NO_END_YEAR
from licet_server.kit.errors import bad_field, not_found
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.transitions import require_not_revoked


@dataclass(frozen=True, slots=True)
class IssuedEnrollmentKey:
    """A key with its secret, which is shown only once."""

    key: EnrollmentKey
    secret: str = field(repr=False)


async def create_enrollment_key(
    work: UnitOfWork, license_: License, *, expires: date | None, fields: Mapping[str, Any]
) -> IssuedEnrollmentKey:
    """Create a key of a license, which is locked; it ends at an instant or with a day.

    `fields` are named as in `EnrollmentKey`.

    Raises:
        Refused: `InvalidRequest`; `Conflict` for a revoked license, one of another model, and one
            that has as many keys as it may.
    """
    work = work.at(license_.clock)
    require_not_revoked(license_)
    if not license_.traits.activation_required:
        raise errors.enrollment_needs_seats()
    expires_at = await end_of_term(work.db, license_.institution_id, expires)
    if expires_at is not None and expires_at <= work.now:
        raise bad_field("expiresAt", "must be in the future.")
    if expires_at is not None and expires_at.year >= NO_END_YEAR:
        expires_at = None
    if await storage.count_keys(work.db, (license_.institution_id, license_.id)) >= KEYS_MAX:
        raise errors.too_many_enrollment_keys(KEYS_MAX)
    key = EnrollmentKey(
        institution_id=license_.institution_id,
        id=work.new_id(),
        license_id=license_.id,
        expires_at=expires_at,
        enrolled_devices=0,
        last_used_at=None,
        created_at=work.now,
        **fields,
    )
    secret = new_secret()
    await KEYS.insert(work.db, key, secret_hash=digest(secret))
    await _record(work, EventKind.ENROLLMENT_KEY_CREATED, license_, key)
    return IssuedEnrollmentKey(key, secret)


async def list_enrollment_keys(
    db: Connection, license_: License, paging: Paging
) -> Listing[EnrollmentKey]:
    """List the keys of a license."""
    return await KEYS.page(db, [license_.institution_id], paging, storage.of_license, license_.id)


async def delete_enrollment_key(work: UnitOfWork, license_: License, key_id: UUID) -> None:
    """Delete a key: it enrolls no more devices. Those that it enrolled are not affected.

    Raises:
        Refused: `NotFound`.
    """
    key = await KEYS.lock_for_deletion(work.db, [license_.institution_id], key_id)
    if key is None or key.license_id != license_.id:
        raise not_found("enrollment key")
    await KEYS.delete(work.db, key)
    await _record(work, EventKind.ENROLLMENT_KEY_DELETED, license_, key)


async def _record(work: UnitOfWork, kind: EventKind, license_: License, key: EnrollmentKey) -> None:
    await record_event(
        work,
        kind,
        institution_id=key.institution_id,
        subject_id=key.id,
        product_id=license_.product_id,
        data={
            "id": key.id,
            "licenseId": key.license_id,
            "productId": license_.product_id,
            "name": key.name,
            "expiresAt": key.expires_at,
            "maxDevices": key.max_devices,
            "enrolledDevices": key.enrolled_devices,
            "ipAllowList": list(key.ip_allow_list),
        },
    )

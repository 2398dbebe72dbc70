"""Enrollment keys of a license, and the devices that enroll with one.

A device that enrolls gets a seat, and a token in place of the license key.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any
from uuid import UUID

from licet_server.catalog.rules.model import ProductCaller
from licet_server.devices import errors
from licet_server.devices.rules.enrollment import (
    KEYS_MAX,
    EnrollmentKey,
    new_secret,
    refusal_of_enrollment,
)
from licet_server.devices.rules.hardware import require_accepted
from licet_server.devices.rules.model import Device
from licet_server.devices.rules.recognition import plain_id
from licet_server.devices.service.admission import Admitted, Rejected, admit_device
from licet_server.devices.service.runtime import Devices
from licet_server.devices.service.seats import DeviceHooks
from licet_server.devices.storage import enrollment_keys as storage
from licet_server.devices.storage.enrollment_keys import KEYS
from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import facts_of
from licet_server.events.service.recording import record_event
from licet_server.identity.service.tokens import digest
from licet_server.institutions.service.institutions import end_of_term
from licet_server.kit.database import Connection
from licet_server.kit.dates import NO_END_YEAR
from licet_server.kit.errors import bad_field, not_found
from licet_server.kit.origin import Origin
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.transitions import require_not_revoked
from licet_server.licenses.service import reading
from licet_server.licenses.service.device_tokens import issue_device_token
from licet_server.licenses.service.lifecycle import begin_term
from licet_server.licenses.service.noting import note_license


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
    facts = facts_of(key, omit={"institution_id", "last_used_at", "created_at"})
    await record_event(
        work,
        kind,
        institution_id=key.institution_id,
        subject_id=key.id,
        product_id=license_.product_id,
        data={**facts, "productId": license_.product_id},
    )


@dataclass(frozen=True, slots=True)
class Enrolled:
    """A device with its seat, its license, and its new token, which is shown only once."""

    license: License
    admitted: Admitted
    token: str = field(repr=False)


async def enroll_device(
    platform: Platform,
    hooks: DeviceHooks,
    devices: Devices,
    caller: ProductCaller,
    secret: str,
    device: Device,
    origin: Origin,
) -> Enrolled:
    """Activate the license of an enrollment key on a device, and give the device a token.

    A device that holds its seat already keeps it, and gets another token.

    Raises:
        Refused: `EnrollmentKeyInvalid`, and the refusals of an activation.
    """
    key, license_ = await license_of_enrollment_key(platform, caller, secret, origin)
    require_accepted(caller.settings, license_, device.hardware_id)
    seated = await devices.seated_facts(license_, device.hardware_id)
    async with devices.limit_activations(license_, seated, device):
        async with platform.unit_of_work(origin) as work:
            await _require_seats(work, license_)
            outcome = await admit_device(work, hooks, caller.settings, license_, device)
            if isinstance(outcome, Admitted):
                enrolled = await _enroll(work, key, license_, outcome)
            elif key.is_used_up:  # so that the device is not remembered as refused a seat
                raise errors.enrollment_key_used_up()
        if isinstance(outcome, Rejected):
            raise outcome.refusal
    await devices.count_activation(license_, outcome)
    return enrolled


async def license_of_enrollment_key(
    platform: Platform, caller: ProductCaller, secret: str, origin: Origin
) -> tuple[EnrollmentKey, License]:
    """Return an enrollment key that may enroll devices now, with its license.

    Raises:
        Refused: `EnrollmentKeyInvalid`.
    """
    address, institution_id = origin.ip_address or "", caller.institution_id
    license_ = None
    async with platform.database.reading() as db:
        key = await storage.fetch_by_secret(db, institution_id, digest(secret))
        if key is not None:
            found = await reading.find_by_ids(db, Visibility((institution_id,)), [key.license_id])
            license_ = found.get(key.license_id)
    if key is None or license_ is None or license_.product_id != caller.product_id:
        await reading.count_unknown_key(platform, address)
        raise errors.unknown_enrollment_key()
    note_license(license_)
    refusal = refusal_of_enrollment(key, license_, address, platform.now())
    if refusal is not None:
        raise refusal
    return key, license_


async def _require_seats(work: UnitOfWork, license_: License) -> None:
    """Lock the terms; the license may have been converted since it was found."""
    ids = (license_.institution_id, license_.id)
    terms = (await reading.lock_terms(work.db, [ids])).get(license_.id)
    if terms is None:
        raise errors.unknown_enrollment_key()
    if not terms.traits.activation_required:
        raise errors.enrollment_without_seats()


async def _enroll(
    work: UnitOfWork, key: EnrollmentKey, license_: License, admitted: Admitted
) -> Enrolled:
    """Count the device with its seat; what was done so far is undone where the key is used up."""
    if not await storage.claim(work.db, key, int(admitted.created), work.now):
        raise errors.enrollment_key_used_up()
    await begin_term(work, license_)
    device = admitted.activation
    token = await issue_device_token(work, license_, device.id, plain_id(device))
    return Enrolled(license_, admitted, token)

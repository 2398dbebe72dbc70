"""What borrowing a seat and reserving credits have in common."""

from collections.abc import Awaitable, Callable
from uuid import UUID

from licet_server.catalog.rules.model import ProductCaller
from licet_server.kit.database import Connection
from licet_server.kit.errors import Refused
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.leases.rules.model import (
    IssueRequest,
    Lease,
    end_for,
    require_same_issue,
)
from licet_server.leases.service.locking import id_of, proven
from licet_server.leases.storage import leases as storage
from licet_server.licenses.errors import unknown_license_key
from licet_server.licenses.rules.keys import signed_hash
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.runtime import require_active
from licet_server.licenses.service import reading
from licet_server.licenses.service.noting import note_device
from licet_server.licenses.service.reading import LicenseLookup


async def find_license(
    licenses: LicenseLookup, caller: ProductCaller, request: IssueRequest, origin: Origin
) -> License:
    """Return the license of a request, whose device is noted.

    Raises:
        Refused: `LicenseNotFound`, `InvalidCredentials`.
    """
    note_device(request.hardware_id, request.device_name, request.app_version)
    return await licenses.find(
        caller,
        request.license_key,
        request.hardware_id,
        origin.ip_address or "",
        request.credentials,
    )


async def issue_once(
    platform: Platform,
    license_: License,
    request: IssueRequest,
    begin: Callable[[], Awaitable[tuple[Lease, License]]],
) -> tuple[Lease, License]:
    """Return the lease that a request began earlier, else the one that `begin` begins for it.

    If the same request comes several times at once, what refuses one of them may be the lease that
    another has begun, so it is answered with that.

    Raises:
        Refused: as `find_earlier` and `begin`.
    """
    async with platform.database.reading() as db:
        earlier = await find_earlier(platform, db, license_, request)
    if earlier is not None:
        return earlier, license_
    try:
        return await begin()
    except Refused:
        async with platform.database.reading() as db:
            earlier = await find_earlier(platform, db, license_, request)
        if earlier is None:
            raise
        return earlier, license_


async def find_earlier(
    platform: Platform, db: Connection, license_: License, request: IssueRequest
) -> Lease | None:
    """Return the lease that this very request began, if its answer was lost.

    Raises:
        Refused: `DeviceProofRequired`, `IdempotencyKeyReused`.
    """
    jkt = proven(request.shown).jkt
    earlier = await storage.fetch_issued(db, id_of(license_), jkt, request.idempotency_key)
    if earlier is not None:
        require_same_issue(earlier.at(platform.now()), request)
    return earlier


async def lock_active(work: UnitOfWork, license_: License) -> License:
    """Lock the license that a lease is about to begin of.

    Raises:
        Refused: `LicenseNotFound`, `LicenseInvalid`, `LicenseExpired`.
    """
    current = await reading.lock_by_id(work.db, id_of(license_))
    if current is None:
        raise unknown_license_key()
    require_active(current, work.now)
    return current


def new_lease(
    work: UnitOfWork, license_: License, request: IssueRequest, session_id: UUID | None = None
) -> Lease:
    """Return the lease that a request begins now.

    Raises:
        Refused: `DeviceProofRequired`, `LeaseLimitReached`.
    """
    return Lease(
        institution_id=license_.institution_id,
        id=work.new_id(),
        license_id=license_.id,
        product_id=license_.product_id,
        kind=request.kind,
        jkt=proven(request.shown).jkt,
        hardware_id=request.hardware_id,
        device_name=request.device_name,
        license_key_hash=signed_hash(request.license_key),
        session_id=session_id,
        quantity=request.quantity,
        seq=1,
        issued_at=work.now,
        signed_at=work.now,
        ends_at=end_for(license_, request.kind, request.days, work.now),
        issue_key=request.idempotency_key,
        issue_days=request.days,
    )

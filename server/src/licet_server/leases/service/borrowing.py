"""Leases at run time: a device borrows a seat; it keeps what it has longer, and gives it back."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from uuid import UUID

from msgspec import Struct

from licet_server.catalog.rules.model import ProductCaller
from licet_server.catalog.service.signing import SigningKeys
from licet_server.devices.rules.proofs import ShownProof
from licet_server.devices.service.lookup import require_not_blocked
from licet_server.events.rules.kinds import EventKind
from licet_server.kit.database import Connection
from licet_server.kit.errors import Refused
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.leases import errors
from licet_server.leases.rules.model import (
    IssueRequest,
    Lease,
    LeaseEndReason,
    LeaseState,
    Others,
    Renewal,
    end_for,
    ended,
    is_fork,
    is_repeated,
    renewed,
    require_free,
    require_open,
)
from licet_server.leases.rules.receipts import ReceiptFault, ReceiptKind, read_receipt
from licet_server.leases.rules.receipts import refusal_of as refusal_of_receipt
from licet_server.leases.service.ending import end_over_of
from licet_server.leases.service.events import record_lease
from licet_server.leases.service.issuing import (
    find_earlier,
    find_license,
    issue_once,
    lock_active,
    new_lease,
)
from licet_server.leases.service.locking import (
    id_of,
    lock_lease,
    proven,
    record_fork,
    require_device_key,
)
from licet_server.leases.service.reserving import Accounted, account_for, as_it_is
from licet_server.leases.service.tokens import IssuedLease, issued
from licet_server.leases.storage import leases as storage
from licet_server.leases.storage.leases import LEASES
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.runtime import require_active
from licet_server.licenses.service.reading import LicenseLookup
from licet_server.sessions.rules.model import EndReason
from licet_server.sessions.service.holding import (
    count_lent_seats,
    extend_lent_seat,
    free_lent_seat,
    lend_seat,
)
from licet_server.sessions.service.runtime import ConnectRequest, Sessions


class GivenBack(Struct, frozen=True):
    """A receipt, and the lines of the journal that are not settled yet; a seat has none.

    `renewal_key` is of a renewal whose answer the device never got.
    """

    receipt: str
    journal: Sequence[str] = ()
    renewal_key: str | None = None


class Leases:
    """Lends seats to devices that prove their keys, and renews and takes back all that is lent."""

    def __init__(
        self,
        platform: Platform,
        licenses: LicenseLookup,
        sessions: Sessions,
        signing_keys: SigningKeys,
    ) -> None:
        self._platform = platform
        self._licenses = licenses
        self._sessions = sessions
        self._signing_keys = signing_keys

    async def borrow(
        self, caller: ProductCaller, request: IssueRequest, origin: Origin
    ) -> IssuedLease:
        """Lend a seat to a device; the same request again gets the same lease.

        Without a session it takes a seat as `Sessions.connect` does, and gives that back where it
        cannot be lent.

        Raises:
            Refused: as `Sessions.connect`; `DeviceProofRequired`, `HardwareMismatch`,
                `LeaseLimitReached`, `LeaseForked`, `SessionNotFound`, `Conflict`,
                `IdempotencyKeyReused`, `KeysNotGenerated`.
        """
        license_ = await find_license(self._licenses, caller, request, origin)
        proven(request.shown)
        require_active(license_, self._platform.now())
        async with self._platform.database.reading() as db:
            key = await self._signing_keys.fetch(db, caller.institution_id, caller.product_id)
        lease, license_ = await issue_once(
            self._platform,
            license_,
            request,
            lambda: self._begin(caller, license_, request, origin),
        )
        return await issued(self._platform, lease, license_, key)

    async def _begin(
        self, caller: ProductCaller, license_: License, request: IssueRequest, origin: Origin
    ) -> tuple[Lease, License]:
        async with self._platform.database.reading() as db:
            await self._require_possible(db, license_, request)
        if request.session_id is not None:
            return await self._lend(license_, request, request.session_id, origin)
        connected = await self._sessions.connect(caller, _connect_request(request), origin)
        session_id, lease = connected.session_id, None
        try:
            lease, license_ = await self._lend(license_, request, session_id, origin)
        finally:
            if lease is None or lease.session_id != session_id:
                with suppress(Refused):
                    await self._sessions.disconnect(caller, session_id, origin, request.shown)
        return lease, license_

    async def renew(
        self,
        caller: ProductCaller,
        lease_id: UUID,
        renewal: Renewal,
        shown: ShownProof,
        origin: Origin,
    ) -> IssuedLease:
        """Let a device keep its lease longer; the same request again gets the same token.

        A device that is in an older state than the newest is recorded as a fork.

        Raises:
            Refused: `DeviceProofRequired`, `LeaseNotFound`, `LeaseForked`, `LeaseLimitReached`,
                `IdempotencyKeyReused`, `LicenseInvalid`, `LicenseExpired`, `DeviceBlocked`,
                `KeysNotGenerated`.
        """
        async with self._platform.unit_of_work(origin) as work:
            license_, lease = await lock_lease(work, caller, lease_id, shown)
            require_open(lease, work.now)
            key = await self._signing_keys.fetch(work.db, caller.institution_id, caller.product_id)
            if is_fork(lease, renewal.seq, renewal.key):
                lease = await record_fork(work, lease)
            elif not is_repeated(lease, renewal):
                lease = await _renew(work, license_, lease, renewal)
        if lease.forked_at is not None:
            raise errors.forked()
        return await issued(self._platform, lease, license_, key)

    async def give_back(
        self,
        caller: ProductCaller,
        lease_id: UUID,
        given_back: GivenBack,
        shown: ShownProof,
        origin: Origin,
    ) -> Accounted:
        """Take back what a device signed a receipt for; again, it is answered alike.

        A receipt for an older token is recorded as a fork, unless the answer to its renewal was
        lost, and so is a journal that does not follow from what is settled.

        Raises:
            Refused: `DeviceProofRequired`, `LeaseNotFound`, `LeaseForked`, `InvalidRequest`,
                `WalletNotFound`.
        """
        async with self._platform.unit_of_work(origin) as work:
            license_, lease = await lock_lease(work, caller, lease_id, shown)
            found = read_receipt(given_back.receipt, lease, ReceiptKind.RETURNED)
            if isinstance(found, ReceiptFault):
                raise refusal_of_receipt(found)
            if lease.state(work.now) is not LeaseState.OPEN:
                result = await as_it_is(work, lease)
            elif is_fork(lease, found.seq, given_back.renewal_key):
                result = Accounted(await record_fork(work, lease), None)
            elif found.account is None:
                result = Accounted(await _take_back(work, lease), None)
            else:
                journal = given_back.journal
                result = await account_for(
                    work, license_, lease, found.account, journal, returned=True
                )
        if result.lease.forked_at is not None:
            raise errors.forked()
        return result

    async def _require_possible(
        self, db: Connection, license_: License, request: IssueRequest
    ) -> None:
        """Refuse what would be refused under the lock, before a seat is taken for it."""
        now = self._platform.now()
        end_for(license_, request.kind, request.days, now)
        await require_device_key(db, license_, request.hardware_id, request.shown)
        await _require_free_seat(db, license_, proven(request.shown).jkt, now)

    async def _lend(
        self,
        license_: License,
        request: IssueRequest,
        session_id: UUID,
        origin: Origin,
    ) -> tuple[Lease, License]:
        """Lend the seat of a session, under the lock of the license."""
        async with self._platform.unit_of_work(origin) as work:
            current = await lock_active(work, license_)
            earlier = await find_earlier(self._platform, work.db, current, request)
            if earlier is not None:
                return earlier, current
            lease = new_lease(work, current, request, session_id)
            await end_over_of(work, id_of(current), lease.jkt)
            await _require_free_seat(work.db, current, lease.jkt, work.now)
            await lend_seat(
                work,
                current,
                session_id,
                hardware_id=lease.hardware_id,
                jkt=lease.jkt,
                lease_id=lease.id,
                ends_at=lease.ends_at,
            )
            await LEASES.insert(work.db, lease)
            await record_lease(work, EventKind.LEASE_ISSUED, lease)
        return lease, current


async def _require_free_seat(db: Connection, license_: License, jkt: str, now: datetime) -> None:
    own = await storage.fetch_hindering(db, id_of(license_), jkt)
    away = await count_lent_seats(db, id_of(license_), now)
    require_free(license_, Others(own, away), now)


def _connect_request(request: IssueRequest) -> ConnectRequest:
    return ConnectRequest(
        license_key=request.license_key,
        hardware_id=request.hardware_id,
        instance_id=request.instance_id,
        device_name=request.device_name,
        app_version=request.app_version,
        credentials=request.credentials,
        shown=request.shown,
    )


async def _renew(work: UnitOfWork, license_: License, lease: Lease, renewal: Renewal) -> Lease:
    require_active(license_, work.now)
    await require_not_blocked(work.db, license_, lease.hardware_id)
    after = renewed(lease, license_, renewal, work.now)
    if not after.is_credits and not await extend_lent_seat(
        work, after.session, after.id, after.ends_at
    ):
        raise errors.unknown()
    await LEASES.save(work.db, after)
    await record_lease(work, EventKind.LEASE_ISSUED, after)
    return after


async def _take_back(work: UnitOfWork, lease: Lease) -> Lease:
    after = ended(lease, LeaseEndReason.RETURNED, work.now)
    await free_lent_seat(work, lease.session, lease.id, EndReason.DISCONNECTED)
    await LEASES.save(work.db, after)
    await record_lease(work, EventKind.LEASE_RETURNED, after)
    return after

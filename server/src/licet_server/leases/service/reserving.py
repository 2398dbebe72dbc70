"""Credits at run time: a device reserves them, accounts for what it spent, and gives the rest back.

The journal of the device is settled in one transaction, under the locks of license, lease and
wallet, in this order.
"""

from collections.abc import Sequence
from decimal import Decimal
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from licet_server.catalog.rules.model import ProductCaller
from licet_server.catalog.service.signing import SigningKeys
from licet_server.devices.rules.hardware import require_accepted
from licet_server.devices.rules.proofs import ShownProof
from licet_server.devices.service.lookup import find_devices, require_not_blocked
from licet_server.events.rules.kinds import EventKind
from licet_server.kit.amounts import plain
from licet_server.kit.database import Connection
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.leases import errors
from licet_server.leases.rules.journal import FORK, Account, JournalFault, follow
from licet_server.leases.rules.model import (
    IssueRequest,
    Lease,
    LeaseEndReason,
    LeaseState,
    Others,
    accounted,
    end_for,
    ended,
    require_free,
)
from licet_server.leases.rules.receipts import ReceiptFault, ReceiptKind, read_receipt, refusal_of
from licet_server.leases.service.ending import end_over, end_over_of
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
from licet_server.leases.service.tokens import IssuedLease, issued
from licet_server.leases.storage import leases as storage
from licet_server.leases.storage.leases import LEASES
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.runtime import require_active
from licet_server.licenses.rules.traits import MeterMode
from licet_server.licenses.service.lifecycle import begin_term_with_use
from licet_server.licenses.service.reading import LicenseLookup
from licet_server.metering.errors import insufficient_to_reserve
from licet_server.metering.service.holding import (
    fetch_prices,
    fetch_wallet,
    hold,
    require_amount,
    settle,
)


class Accounted(Struct, frozen=True):
    """A lease after a report or a return, and the balance of its wallet; of a seat `None`."""

    lease: Lease
    balance: Decimal | None


class Reservations:
    """Reserves credits of licenses for devices that prove their keys."""

    def __init__(
        self, platform: Platform, licenses: LicenseLookup, signing_keys: SigningKeys
    ) -> None:
        self._platform = platform
        self._licenses = licenses
        self._signing_keys = signing_keys

    async def reserve(
        self, caller: ProductCaller, request: IssueRequest, origin: Origin
    ) -> IssuedLease:
        """Reserve credits for a device; the same request again gets the same lease.

        Raises:
            Refused: `LicenseNotFound`, `InvalidCredentials`, `NotMeteredLicense`, `InvalidRequest`,
                `LicenseInvalid`, `LicenseExpired`, `HardwareIdNotAccepted`, `DeviceProofRequired`,
                `HardwareMismatch`, `DeviceBlocked`, `LeaseLimitReached`, `LeaseForked`,
                `InsufficientBalance`, `WalletNotFound`, `IdempotencyKeyReused`,
                `KeysNotGenerated`.
        """
        license_ = await find_license(self._licenses, caller, request, origin)
        require_amount(license_, request.quantity)
        proven(request.shown)
        require_active(license_, self._platform.now())
        require_accepted(caller.settings, license_, request.hardware_id)
        async with self._platform.database.reading() as db:
            key = await self._signing_keys.fetch(db, caller.institution_id, caller.product_id)
        lease, license_ = await issue_once(
            self._platform, license_, request, lambda: self._begin(license_, request, origin)
        )
        return await issued(self._platform, lease, license_, key)

    async def report(
        self,
        caller: ProductCaller,
        lease_id: UUID,
        receipt: str,
        journal: Sequence[str],
        shown: ShownProof,
        origin: Origin,
    ) -> Accounted:
        """Charge what a device has spent; of a lease that has ended, nothing is charged.

        A journal that does not follow from what is settled is recorded as a fork.

        Raises:
            Refused: `DeviceProofRequired`, `LeaseNotFound`, `LeaseForked`, `InvalidRequest`,
                `WalletNotFound`.
        """
        async with self._platform.unit_of_work(origin) as work:
            license_, lease = await lock_lease(work, caller, lease_id, shown)
            found = read_receipt(receipt, lease, ReceiptKind.USED)
            if isinstance(found, ReceiptFault):
                raise refusal_of(found)
            if found.account is None:
                raise errors.nothing_to_report()
            result = await account_for(work, license_, lease, found.account, journal)
        if result.lease.forked_at is not None:
            raise errors.forked()
        return result

    async def _begin(
        self, license_: License, request: IssueRequest, origin: Origin
    ) -> tuple[Lease, License]:
        async with self._platform.database.reading() as db:
            await self._require_possible(db, license_, request)
        await begin_term_with_use(self._platform, license_, origin)
        return await self._reserve(license_, request, origin)

    async def _require_possible(
        self, db: Connection, license_: License, request: IssueRequest
    ) -> None:
        """Refuse what would be refused under the lock, before a term begins with it."""
        now = self._platform.now()
        end_for(license_, request.kind, request.days, now)
        await require_device_key(db, license_, request.hardware_id, request.shown)
        await require_not_blocked(db, license_, request.hardware_id)
        own = await storage.fetch_hindering(db, id_of(license_), proven(request.shown).jkt)
        require_free(license_, Others(own), now)
        wallet = await fetch_wallet(db, id_of(license_))
        if wallet.balance < request.quantity:
            raise insufficient_to_reserve(request.quantity, wallet.balance)

    async def _reserve(
        self, license_: License, request: IssueRequest, origin: Origin
    ) -> tuple[Lease, License]:
        """Set credits aside, under the lock of the license."""
        async with self._platform.unit_of_work(origin) as work:
            current = await lock_active(work, license_)
            require_amount(current, request.quantity)
            earlier = await find_earlier(self._platform, work.db, current, request)
            if earlier is not None:
                return earlier, current
            await require_not_blocked(work.db, current, request.hardware_id)
            lease = new_lease(work, current, request)
            await end_over_of(work, id_of(current), lease.jkt)
            own = await storage.fetch_hindering(work.db, id_of(current), lease.jkt)
            require_free(current, Others(own), work.now)
            lease = replace(lease, prices=await _prices(work.db, current))
            most = current.max_offline_credits or Decimal(0)
            await hold(work, current, lease.id, request.quantity, most)
            await LEASES.insert(work.db, lease)
            await record_lease(work, EventKind.LEASE_ISSUED, lease)
        return lease, current


async def _prices(db: Connection, license_: License) -> dict[str, str] | None:
    """Return the prices that a device is given; `None` in count mode, where each use costs 1."""
    if license_.traits.meter_mode is MeterMode.COUNT:
        return None
    found = await fetch_prices(db, license_)
    return {name: f"{plain(found[name]):f}" for name in sorted(found)}


async def account_for(
    work: UnitOfWork,
    license_: License,
    lease: Lease,
    account: Account,
    journal: Sequence[str],
    *,
    returned: bool = False,
) -> Accounted:
    """Settle what is new in the journal of a locked lease; return it, too, if that is `returned`.

    A fork is stored, for the caller to refuse after the transaction.

    Raises:
        Refused: `InvalidRequest` for a journal that is wrong in itself, `WalletNotFound`.
    """
    owner = id_of(license_)
    if lease.state(work.now) is not LeaseState.OPEN:
        return await as_it_is(work, lease)
    found = follow(lease.journal, account, journal)
    if isinstance(found, JournalFault):
        raise errors.bad_journal(found.field, found.message)
    if found is FORK:
        return Accounted(await record_fork(work, lease), None)
    after = accounted(lease, found.settled, work.now)
    if returned:
        after = ended(after, LeaseEndReason.RETURNED, work.now)
    device = (*owner, lease.hardware_id)
    own = (await find_devices(work.db, [device])).get(device) if found.charges else None
    wallet = await settle(
        work,
        owner,
        lease.id,
        found.charges,
        rest=after.refunded,
        activation_id=None if own is None else own.id,
    )
    await LEASES.save(work.db, after)
    if returned:
        await record_lease(work, EventKind.LEASE_RETURNED, after)
    return Accounted(after, wallet.balance)


async def as_it_is(work: UnitOfWork, lease: Lease) -> Accounted:
    """Return a locked lease that is no longer open; its end by time is stored.

    Raises:
        Refused: `WalletNotFound`.
    """
    if lease.ended_at is None and not lease.is_held(work.now) and lease.is_credits:
        [lease] = await end_over(work, [lease]) or [lease]
    if not lease.is_credits:
        return Accounted(lease.at(work.now), None)
    wallet = await fetch_wallet(work.db, (lease.institution_id, lease.license_id))
    return Accounted(lease.at(work.now), wallet.balance)

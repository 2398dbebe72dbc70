"""Metering for applications: coalesced charges, and balances."""

from collections import Counter as Tally
from collections.abc import Sequence
from uuid import UUID

from msgspec import Struct
from prometheus_client import CollectorRegistry, Counter

from licet_server.catalog.rules.model import ProductCaller
from licet_server.devices.rules.hardware import require_accepted
from licet_server.devices.rules.proofs import NO_PROOF, ShownProof
from licet_server.devices.service.lookup import require_not_blocked, require_proven
from licet_server.kit.batching import Batching, Coalescing
from licet_server.kit.coalesce import CoalescerClosed
from licet_server.kit.origin import Origin
from licet_server.kit.outages import OutcomeUnknown, is_transaction_conflict
from licet_server.kit.platform import Platform
from licet_server.licenses.rules.model import License, LicenseId
from licet_server.licenses.rules.runtime import NO_CREDENTIALS, Credentials
from licet_server.licenses.rules.traits import MeterMode
from licet_server.licenses.service.lifecycle import begin_term_with_use
from licet_server.licenses.service.reading import LicenseLookup
from licet_server.metering import errors
from licet_server.metering.rules.charging import Charge, Receipt
from licet_server.metering.rules.model import Wallet
from licet_server.metering.service.charging import charge
from licet_server.metering.service.moved import MovedWallets
from licet_server.metering.storage import wallets


class ChargeMetrics:
    """Counts charges by outcome."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._charges = Counter(
            "licet_charges_total",
            "Charges: charged, without_balance, replayed with an earlier result, or refused.",
            ["outcome"],
            registry=registry,
        )
        for outcome in ("charged", "without_balance", "replayed", "refused"):
            self._charges.labels(outcome)

    def count(self, results: Sequence[Receipt | Exception]) -> None:
        """Count the results of a batch."""
        for outcome, number in Tally(map(_outcome, results)).items():
            self._charges.labels(outcome).inc(number)


def _outcome(result: Receipt | Exception) -> str:
    if isinstance(result, Exception):
        return "refused"
    if result.replayed:
        return "replayed"
    return "charged" if result.entry.sequence is not None else "without_balance"


def _wallets_of(results: Sequence[Receipt | Exception]) -> list[LicenseId]:
    receipts = [item for item in results if isinstance(item, Receipt) and not item.replayed]
    return [(item.entry.institution_id, item.entry.license_id) for item in receipts]


_ATTEMPTS = 3


class ConsumeRequest(Struct, frozen=True, kw_only=True):
    """A request to consume a feature, and the device that it comes from."""

    license_key: str
    feature_name: str
    quantity: int = 1
    idempotency_key: str | None = None
    hardware_id: str | None = None
    activation_id: UUID | None = None
    credentials: Credentials = NO_CREDENTIALS
    shown: ShownProof = NO_PROOF


class Meters:
    """Charges that arrive at the same time share a transaction, whatever their wallets."""

    def __init__(self, platform: Platform, licenses: LicenseLookup, batching: Batching) -> None:
        self._platform = platform
        self._licenses = licenses
        self._metrics = platform.metrics.of(ChargeMetrics)
        self._moved = platform.shared.of(MovedWallets)
        # One batch at a time: two transactions of a process would block each other on a hot wallet.
        self._charges: Coalescing[Charge, Receipt] = batching.serial(
            "charges", self._charge, lambda item: item.license.institution_id
        )

    async def aclose(self) -> None:
        """Finish the accepted charges, then stop."""
        await self._charges.aclose()

    async def consume(
        self, caller: ProductCaller, request: ConsumeRequest, origin: Origin
    ) -> Receipt:
        """Charge a metered license; at most once per idempotency key.

        Raises:
            Refused: `LicenseNotFound`, `NotMeteredLicense`, `InvalidRequest`, `DeviceBlocked`,
                `DeviceProofRequired`, `HardwareMismatch`, `HardwareIdNotAccepted`,
                `ActivationNotFound`, `IdempotencyKeyReused`,
                `LicenseInvalid`, `LicenseExpired`,
                `FeatureNotEntitled`, `WalletNotFound`, `PricingNotConfigured`,
                `InsufficientBalance`, `ConcurrencyConflict`, `Unavailable`.
        """
        license_ = await self._find(
            caller, request.license_key, request.hardware_id, request.credentials, origin
        )
        if license_.traits.meter_mode is MeterMode.TOKEN and request.idempotency_key is None:
            raise errors.key_required()
        require_accepted(caller.settings, license_, request.hardware_id)
        receipt = await self._submit(
            Charge(
                license=license_,
                feature_name=request.feature_name,
                quantity=request.quantity,
                idempotency_key=request.idempotency_key,
                hardware_id=request.hardware_id,
                activation_id=request.activation_id,
                origin=origin,
                shown=request.shown,
            )
        )
        if receipt.refusal is not None:
            raise receipt.refusal
        await begin_term_with_use(self._platform, license_, origin)
        return receipt

    async def balance(
        self,
        caller: ProductCaller,
        license_key: str,
        hardware_id: str | None,
        credentials: Credentials,
        shown: ShownProof,
        origin: Origin,
    ) -> Wallet:
        """Return the wallet of a metered license, whatever its status.

        Raises:
            Refused: `LicenseNotFound`, `InvalidCredentials`, `NotMeteredLicense`, `InvalidRequest`,
                `DeviceBlocked`, `DeviceProofRequired`, `HardwareMismatch`, `WalletNotFound`.
        """
        license_ = await self._find(caller, license_key, hardware_id, credentials, origin)
        key = (license_.institution_id, license_.id)
        async with self._platform.database.reading() as db:
            await require_not_blocked(db, license_, hardware_id)
            await require_proven(db, license_, hardware_id, shown)
            found = await wallets.fetch_wallets(db, [key])
        if key not in found:
            raise errors.no_wallet()
        return found[key]

    async def _find(
        self,
        caller: ProductCaller,
        license_key: str,
        hardware_id: str | None,
        credentials: Credentials,
        origin: Origin,
    ) -> License:
        license_ = await self._licenses.find(
            caller,
            license_key,
            hardware_id,
            origin.ip_address or "",
            credentials,
        )
        if license_.traits.meter_mode is None:
            raise errors.not_metered()
        return license_

    async def _submit(self, item: Charge) -> Receipt:
        try:
            return await self._charges.submit(item)
        except (OutcomeUnknown, CoalescerClosed) as error:
            raise errors.outcome_unknown() from error

    async def _charge(self, charges: Sequence[Charge]) -> Sequence[Receipt | Exception]:
        for _ in range(_ATTEMPTS):
            try:
                async with self._platform.database.keyed_transaction() as db:
                    results = await charge(db, charges, self._platform.now, self._platform.clock)
            except Exception as error:
                # A deadlock or serialization failure was rolled back, so a retry is safe.
                if not is_transaction_conflict(error):
                    raise
            else:
                self._metrics.count(results)
                self._moved.add(_wallets_of(results))
                return results
        return [errors.try_again() for _ in charges]

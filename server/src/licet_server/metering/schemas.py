"""Wire shapes of metering. Amounts are JSON numbers with at most six decimals."""

from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from typing import Annotated
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType

from licet_server.devices.rules.proofs import ShownProof
from licet_server.devices.schemas import HardwareId, LicenseBody
from licet_server.kit.amounts import amount_breach, level_breach, plain, signed_breach
from licet_server.kit.errors import FieldError
from licet_server.kit.text import Line, composed
from licet_server.kit.web.body import Body, Change
from licet_server.kit.web.views import view_of
from licet_server.licenses.rules.traits import MeterMode
from licet_server.metering.rules.charging import Receipt
from licet_server.metering.rules.model import (
    MAX_QUANTITY,
    MAX_TOKEN_COST,
    FeaturePrice,
    LedgerEntry,
    LedgerEntryType,
    Wallet,
)
from licet_server.metering.rules.reconciling import LedgerMismatch, LedgerProblem, explain
from licet_server.metering.service.meters import ConsumeRequest
from licet_server.metering.service.reconciling import Reconciliation, ReconciliationSlice

MAX_SLICE = 500
FeatureName = Annotated[str, Meta(min_length=1, max_length=128, pattern=r"\S")]
IdempotencyKey = Annotated[str, Meta(min_length=1, max_length=128)]
Quantity = Annotated[int, Meta(ge=1, le=MAX_QUANTITY)]
Reason = Annotated[str, Meta(min_length=1, max_length=500, pattern=r"\S")]


class ConsumeBody(LicenseBody, kw_only=True):
    """A charge. The idempotency key makes a retry safe; Credit-Based licenses require one."""

    feature_name: FeatureName
    idempotency_key: IdempotencyKey | None = None
    quantity: Quantity | None = None
    hardware_id: HardwareId | None = None
    activation_id: UUID | None = None

    def request(self, shown: ShownProof) -> ConsumeRequest:
        """Return the request, with its defaults."""
        return ConsumeRequest(
            license_key=self.license_key,
            feature_name=composed(self.feature_name),
            quantity=1 if self.quantity is None else self.quantity,
            idempotency_key=self.idempotency_key,
            hardware_id=self.hardware_id,
            activation_id=self.activation_id,
            credentials=self.credentials,
            shown=shown,
        )


class ConsumeAnswer(Struct, rename="camel"):
    """The result of a charge; `replayed` if an earlier request made it."""

    success: bool
    license_id: UUID
    feature_name: str
    quantity: int
    cost: Decimal
    balance: Decimal
    ledger_entry_id: UUID
    replayed: bool


class BalanceAnswer(Struct, rename="camel"):
    """The balance of a metered license, and what devices have reserved beside it (`held`)."""

    license_id: UUID
    mode: MeterMode
    balance: Decimal
    held: Decimal


class GrantBalanceBody(Body):
    """An amount to add to a balance; `externalReference` may name a payment."""

    license_id: UUID
    amount: Decimal
    reason: Line | None = None
    external_reference: Line | None = None

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from _breaches_of(amount_breach("amount", self.amount))


class AdjustBalanceBody(Body):
    """A correction of a balance, up or down, and its reason."""

    license_id: UUID
    amount: Decimal
    reason: Reason

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from _breaches_of(signed_breach("amount", self.amount))


class BalanceChangeAnswer(Struct, rename="camel"):
    """The balance after a grant or an adjustment."""

    license_id: UUID
    balance: Decimal
    ledger_entry_id: UUID


class FeaturePriceBody(Body):
    """The price of one use of the feature, from now on."""

    token_cost: Decimal

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from _breaches_of(amount_breach("tokenCost", self.token_cost, MAX_TOKEN_COST))


class FeaturePriceView(Struct, rename="camel"):
    """A price of a feature; at most one is active."""

    id: UUID
    feature_id: UUID
    token_cost: Decimal
    active: bool
    created_at: datetime


class MeterSettingsChange(Change):
    """The balance at which the vendor is warned; null for no warning."""

    low_balance_threshold: Decimal | UnsetType | None = UNSET

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        threshold = self.low_balance_threshold
        if isinstance(threshold, Decimal):
            yield from _breaches_of(level_breach("lowBalanceThreshold", threshold))


class ReconcileBody(Body):
    """The license to check; without one, all licenses of the operator's institutions.

    `repair` rebuilds the wallet of the license if it is lost. With `institutionId`, the wallets
    of one institution are checked in slices: up to `limit` of them `after` a license.
    """

    license_id: UUID | None = None
    repair: bool = False
    institution_id: UUID | None = None
    after: UUID | None = None
    limit: Annotated[int, Meta(ge=1, le=MAX_SLICE)] | None = None

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        if self.repair and self.license_id is None:
            yield FieldError("licenseId", "is required to repair: one license at a time.")
        if self.institution_id is not None and self.license_id is not None:
            yield FieldError("institutionId", "cannot be combined with licenseId.")
        for name, value in {"after": self.after, "limit": self.limit}.items():
            if value is not None and self.institution_id is None:
                yield FieldError(name, "requires institutionId.")


class LedgerMismatchView(Struct, rename="camel"):
    """A wallet that is lost or disagrees with its ledger.

    `balance` is null for a lost wallet. `ledgerBalance` is the balance after the last entry, and
    null if that entry is missing. `detail` says what is wrong, and what to do.
    """

    license_id: UUID
    problems: list[LedgerProblem]
    balance: Decimal | None
    ledger_balance: Decimal | None
    first_bad_sequence: int | None
    detail: str


class ReconcileAnswer(Struct, rename="camel", omit_defaults=True):
    """The number of wallets checked, and those that are lost or disagree with their ledgers.

    `repaired` is there, and true, if a lost wallet was rebuilt. Slices have the `total` of
    wallets to check, and until the last one `nextAfter`, which the next slice is `after`.
    """

    checked: int
    mismatches: list[LedgerMismatchView]
    repaired: bool = False
    next_after: UUID | None = None
    total: int | None = None


class LedgerEntryView(Struct, rename="camel"):
    """An entry of the ledger. `amount` is negative for consumption.

    `unitPrice` is the price of the feature at that time, and null in count mode. `leaseId` is the
    reservation that the entry is about, or that was spent without a network.
    """

    id: UUID
    type: LedgerEntryType
    amount: Decimal
    balance_after: Decimal
    sequence: int | None
    feature_name: str | None
    quantity: int | None
    unit_price: Decimal | None
    reason: str | None
    external_reference: str | None
    idempotency_key: str | None
    activation_id: UUID | None
    lease_id: UUID | None
    created_at: datetime


def consume_answer(receipt: Receipt) -> ConsumeAnswer:
    entry = receipt.entry
    return ConsumeAnswer(
        success=True,
        license_id=entry.license_id,
        feature_name=entry.feature_name or "",
        quantity=entry.quantity or 0,
        cost=plain(entry.cost),
        balance=plain(entry.balance_after),
        ledger_entry_id=entry.id,
        replayed=receipt.replayed,
    )


def balance_answer(wallet: Wallet) -> BalanceAnswer:
    return view_of(BalanceAnswer, wallet, balance=plain(wallet.balance), held=plain(wallet.held))


def balance_change_answer(entry: LedgerEntry) -> BalanceChangeAnswer:
    return view_of(
        BalanceChangeAnswer, entry, balance=plain(entry.balance_after), ledger_entry_id=entry.id
    )


def feature_price_view(item: FeaturePrice) -> FeaturePriceView:
    return view_of(FeaturePriceView, item, token_cost=plain(item.token_cost))


def ledger_entry_view(item: LedgerEntry) -> LedgerEntryView:
    return view_of(
        LedgerEntryView,
        item,
        amount=plain(item.amount),
        balance_after=plain(item.balance_after),
        unit_price=_plain_or_none(item.unit_price),
    )


def reconcile_answer(result: Reconciliation, *, repaired: bool = False) -> ReconcileAnswer:
    mismatches = [_mismatch_view(item) for item in result.mismatches]
    return ReconcileAnswer(result.checked, mismatches, repaired)


def reconcile_slice_answer(part: ReconciliationSlice) -> ReconcileAnswer:
    answer = reconcile_answer(part.result)
    answer.next_after, answer.total = part.next_after, part.total
    return answer


def _mismatch_view(item: LedgerMismatch) -> LedgerMismatchView:
    return view_of(
        LedgerMismatchView,
        item,
        balance=_plain_or_none(item.balance),
        ledger_balance=_plain_or_none(item.ledger_balance),
        detail=explain(item),
    )


def _plain_or_none(amount: Decimal | None) -> Decimal | None:
    return plain(amount) if amount is not None else None


def _breaches_of(breach: FieldError | None) -> Iterator[FieldError]:
    if breach is not None:
        yield breach

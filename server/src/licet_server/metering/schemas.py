"""Wire shapes of metering. Amounts are JSON numbers with at most six decimals."""

from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from typing import Annotated
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType

from licet_server.devices.schemas import HardwareId, LicenseKey
from licet_server.kit.amounts import amount_breach, level_breach, plain, signed_breach
from licet_server.kit.errors import FieldError
from licet_server.kit.text import Line
from licet_server.kit.web.body import Body, Change, RuntimeBody
from licet_server.licenses.rules.traits import MeterMode
from licet_server.metering.rules.charging import Receipt
from licet_server.metering.rules.model import (
    MAX_QUANTITY,
    MAX_TOKEN_COST,
    Entry,
    EntryType,
    FeaturePrice,
    Wallet,
)
from licet_server.metering.rules.reconciling import Problem
from licet_server.metering.service.meters import ConsumeRequest
from licet_server.metering.service.reconciling import Reconciliation

FeatureName = Annotated[str, Meta(min_length=1, max_length=128, pattern=r"\S")]
IdempotencyKey = Annotated[str, Meta(min_length=1, max_length=128)]
Quantity = Annotated[int, Meta(ge=1, le=MAX_QUANTITY)]
Reason = Annotated[str, Meta(min_length=1, max_length=500, pattern=r"\S")]


class ConsumeBody(RuntimeBody):
    """What is used. The key makes a retry safe; a Credit-Based license does not go without one."""

    license_key: LicenseKey
    feature_name: FeatureName
    idempotency_key: IdempotencyKey | None = None
    quantity: Quantity | None = None
    hardware_id: HardwareId | None = None
    activation_id: UUID | None = None

    def request(self) -> ConsumeRequest:
        """What the application asks for."""
        return ConsumeRequest(
            self.license_key,
            self.feature_name,
            1 if self.quantity is None else self.quantity,
            self.idempotency_key,
            self.hardware_id,
            self.activation_id,
        )


class ConsumeAnswer(Struct, rename="camel"):
    """What was charged; `replayed` where it was charged at an earlier try."""

    success: bool
    license_id: UUID
    feature_name: str
    quantity: int
    cost: Decimal
    balance: Decimal
    ledger_entry_id: UUID
    replayed: bool


class BalanceAnswer(Struct, rename="camel"):
    """What is left."""

    license_id: UUID
    mode: MeterMode
    balance: Decimal


class GrantBody(Body):
    """What is added to a balance, and what it was paid with."""

    license_id: UUID
    amount: Decimal
    reason: Line | None = None
    external_reference: Line | None = None

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from _given(amount_breach("amount", self.amount))


class AdjustBody(Body):
    """By how much a balance is corrected, up or down, and why."""

    license_id: UUID
    amount: Decimal
    reason: Reason

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from _given(signed_breach("amount", self.amount))


class MovedAnswer(Struct, rename="camel"):
    """The balance after a grant or an adjustment."""

    license_id: UUID
    balance: Decimal
    ledger_entry_id: UUID


class PriceBody(Body):
    """What one use of the feature costs from now on."""

    token_cost: Decimal

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from _given(amount_breach("tokenCost", self.token_cost, MAX_TOKEN_COST))


class PriceView(Struct, rename="camel"):
    """A price of a feature; one at most is active."""

    id: UUID
    feature_id: UUID
    token_cost: Decimal
    active: bool
    created_at: datetime


class MeterSettingsChange(Change):
    """At which balance the vendor is warned; null for never."""

    low_balance_threshold: Decimal | UnsetType | None = UNSET

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        threshold = self.low_balance_threshold
        if isinstance(threshold, Decimal):
            yield from _given(level_breach("lowBalanceThreshold", threshold))


class ReconcileBody(Body):
    """Which license; without one, all of the operator's institutions."""

    license_id: UUID | None = None


class MismatchView(Struct, rename="camel"):
    """A wallet that does not agree with its ledger.

    `ledgerBalance` is what the last entry left, null where that entry is missing.
    """

    license_id: UUID
    problems: list[Problem]
    balance: Decimal
    ledger_balance: Decimal | None
    first_bad_sequence: int | None


class ReconcileAnswer(Struct, rename="camel"):
    """How many wallets were checked, and those that do not agree with their ledgers."""

    checked: int
    mismatches: list[MismatchView]


class EntryView(Struct, rename="camel"):
    """An entry of the ledger. `amount` is signed: what was consumed is negative.

    `unitPrice` is the price of the feature at that time, null where uses are counted.
    """

    id: UUID
    type: EntryType
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
    created_at: datetime


def consume_answer(receipt: Receipt) -> ConsumeAnswer:
    """A charge on the wire."""
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
    """A balance on the wire."""
    return BalanceAnswer(wallet.license_id, wallet.mode, plain(wallet.balance))


def moved_answer(entry: Entry) -> MovedAnswer:
    """A grant or an adjustment on the wire."""
    return MovedAnswer(entry.license_id, plain(entry.balance_after), entry.id)


def price_view(item: FeaturePrice) -> PriceView:
    """A price on the wire."""
    return PriceView(item.id, item.feature_id, plain(item.token_cost), item.active, item.created_at)


def entry_view(item: Entry) -> EntryView:
    """An entry of the ledger on the wire."""
    return EntryView(
        id=item.id,
        type=item.type,
        amount=plain(item.amount),
        balance_after=plain(item.balance_after),
        sequence=item.sequence,
        feature_name=item.feature_name,
        quantity=item.quantity,
        unit_price=plain(item.unit_price) if item.unit_price is not None else None,
        reason=item.reason,
        external_reference=item.external_reference,
        idempotency_key=item.idempotency_key,
        activation_id=item.activation_id,
        created_at=item.created_at,
    )


def reconcile_answer(found: Reconciliation) -> ReconcileAnswer:
    """A reconciliation on the wire."""
    return ReconcileAnswer(
        found.checked,
        [
            MismatchView(
                item.license_id,
                list(item.problems),
                plain(item.balance),
                plain(item.ledger_balance) if item.ledger_balance is not None else None,
                item.first_bad_sequence,
            )
            for item in found.mismatches
        ],
    )


def _given(breach: FieldError | None) -> Iterator[FieldError]:
    if breach is not None:
        yield breach

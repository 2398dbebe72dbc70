"""Wire shapes of policies."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType

from licet_server.kit.amounts import plain
from licet_server.kit.errors import FieldError, Missing
from licet_server.kit.text import Labels, Name, metadata_breaches
from licet_server.kit.web.body import Body, Change, given
from licet_server.kit.web.views import view_of
from licet_server.licenses.rules.coverage import FALLBACK_AFTER_MONTHS, Fallback
from licet_server.licenses.rules.model import (
    ActivationMode,
    DeviceProof,
    License,
    MachineMatch,
    OfflineActivation,
    OnClone,
    OnUnreturned,
    seat_cap,
)
from licet_server.licenses.rules.policies import (
    Policy,
    TermStart,
    duration_breaches,
    pattern_breaches,
)
from licet_server.licenses.rules.traits import DeviceBindingMode, LicenseType
from licet_server.licenses.schemas.bulk import BulkRefusalView, refusal_views
from licet_server.licenses.schemas.records import (
    BorrowDays,
    BorrowedSeats,
    Days,
    FallbackMonths,
    GraceDays,
    Months,
)
from licet_server.licenses.service.applying import MOST_AT_ONCE, ApplyOutcome, Candidates
from licet_server.licenses.service.events import license_differences
from licet_server.licenses.service.hooks import CurrentUsage


class PolicyBody(Body):
    """A new policy. What it leaves out is given when a license is issued under it."""

    product_id: UUID
    name: Name
    type: LicenseType
    duration_days: Days | None = None
    duration_months: Months | None = None
    term_starts: TermStart = TermStart.ISSUE
    grace_days: GraceDays = 0
    updates_days: Days | None = None
    fallback: Fallback = Fallback.NONE
    fallback_after_months: FallbackMonths = FALLBACK_AFTER_MONTHS
    max_active_users_count: int | None = None
    activation_mode: ActivationMode | None = None
    device_binding_mode: DeviceBindingMode | None = None
    device_proof: DeviceProof | None = None
    machine_match: MachineMatch | None = None
    on_clone: OnClone | None = None
    max_borrow_days: BorrowDays | None = None
    max_borrowed_seats: BorrowedSeats | None = None
    max_offline_credits: Decimal | None = None
    on_unreturned: OnUnreturned | None = None
    offline_activation: OfflineActivation | None = None
    entitlement_set_id: UUID | None = None
    initial_meter_balance: Decimal | None = None
    renewal_grant: Decimal | None = None
    license_name_pattern: str | None = None
    metadata: Labels | None = None

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from duration_breaches(self.duration_days, self.duration_months)
        yield from pattern_breaches(self.license_name_pattern)
        yield from metadata_breaches(self.metadata or {})

    def fields(self) -> dict[str, Any]:
        """Return the fields of a validated body by their names in `Policy`, but for the product."""
        found = {name: getattr(self, name) for name in self.__struct_fields__}
        del found["product_id"]
        return {**found, "metadata": found["metadata"] or {}}


class PolicyChange(Change):
    """A change of a policy: absent fields are unchanged, null clears. No license changes.

    A duration in months replaces one in days, and the other way round.
    """

    name: Name | UnsetType = UNSET
    type: LicenseType | UnsetType = UNSET
    duration_days: Days | UnsetType | None = UNSET
    duration_months: Months | UnsetType | None = UNSET
    term_starts: TermStart | UnsetType = UNSET
    grace_days: GraceDays | UnsetType = UNSET
    updates_days: Days | UnsetType | None = UNSET
    fallback: Fallback | UnsetType = UNSET
    fallback_after_months: FallbackMonths | UnsetType = UNSET
    max_active_users_count: int | UnsetType | None = UNSET
    activation_mode: ActivationMode | UnsetType | None = UNSET
    device_binding_mode: DeviceBindingMode | UnsetType | None = UNSET
    device_proof: DeviceProof | UnsetType | None = UNSET
    machine_match: MachineMatch | UnsetType | None = UNSET
    on_clone: OnClone | UnsetType | None = UNSET
    max_borrow_days: BorrowDays | UnsetType | None = UNSET
    max_borrowed_seats: BorrowedSeats | UnsetType | None = UNSET
    max_offline_credits: Decimal | UnsetType | None = UNSET
    on_unreturned: OnUnreturned | UnsetType | None = UNSET
    offline_activation: OfflineActivation | UnsetType | None = UNSET
    entitlement_set_id: UUID | UnsetType | None = UNSET
    initial_meter_balance: Decimal | UnsetType | None = UNSET
    renewal_grant: Decimal | UnsetType | None = UNSET
    license_name_pattern: str | UnsetType | None = UNSET
    metadata: Labels | UnsetType | None = UNSET

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        if self.license_name_pattern is not UNSET:
            yield from pattern_breaches(self.license_name_pattern)
        if self.metadata is not UNSET:
            yield from metadata_breaches(self.metadata or {})

    def changes(self) -> dict[str, Any]:
        """Return the fields to change by their names in `Policy`."""
        found = given(self)
        for name, other in (_IN_DAYS, _IN_MONTHS), (_IN_MONTHS, _IN_DAYS):
            if found.get(name) is not None:
                found.setdefault(other, None)
        return {**found, "metadata": found["metadata"] or {}} if "metadata" in found else found


_IN_DAYS, _IN_MONTHS = "duration_days", "duration_months"


class PolicyView(Struct, rename="camel"):
    """A policy; null leaves a term to the license.

    `renewalGrant` is what each renewal of an order adds to the balance of a metered license.
    """

    id: UUID
    institution_id: UUID
    product_id: UUID
    name: str
    type: LicenseType
    duration_days: int | None
    duration_months: int | None
    term_starts: TermStart
    grace_days: int
    updates_days: int | None
    fallback: Fallback
    fallback_after_months: int
    max_active_users_count: int | None
    activation_mode: ActivationMode | None
    device_binding_mode: DeviceBindingMode | None
    device_proof: DeviceProof | None
    machine_match: MachineMatch | None
    on_clone: OnClone | None
    max_borrow_days: int | None
    max_borrowed_seats: int | None
    max_offline_credits: Decimal | None
    on_unreturned: OnUnreturned | None
    offline_activation: OfflineActivation | None
    entitlement_set_id: UUID | None
    initial_meter_balance: Decimal | None
    renewal_grant: Decimal | None
    license_name_pattern: str | None
    metadata: Labels
    created_at: datetime
    updated_at: datetime


def policy_view(policy: Policy) -> PolicyView:
    return view_of(
        PolicyView,
        policy,
        initial_meter_balance=_plain(policy.initial_meter_balance),
        renewal_grant=_plain(policy.renewal_grant),
        max_offline_credits=_plain(policy.max_offline_credits),
    )


def _plain(amount: Decimal | None) -> Decimal | None:
    return None if amount is None else plain(amount)


class ApplyPolicyBody(Body):
    """The licenses to apply a policy to: `licenseIds`, or `all` that remember it.

    `all` takes 1,000 licenses at a time; `after` is the `nextAfter` of the response before.
    """

    license_ids: Annotated[list[UUID], Meta(min_length=1, max_length=MOST_AT_ONCE)] | None = None
    all: bool = False
    after: UUID | None = None
    dry_run: bool = True

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        if (self.license_ids is not None) == bool(self.all):
            yield Missing("licenseIds", "or all is required, and not both.", ("licenseIds", "all"))
        if self.after is not None and not self.all:
            yield FieldError("after", "is for all only.")

    def candidates(self) -> Candidates:
        """Return the licenses that a validated body names."""
        return Candidates(None if self.license_ids is None else tuple(self.license_ids), self.after)


class AppliedLicense(Struct, rename="camel"):
    """A license that changes, and how: each field with its value before and after.

    `devicesOverLimit` is how many devices have no seat then, because it has more than seats.
    """

    id: UUID
    license_name: str
    changes: dict[str, Any]
    devices_over_limit: int


class ApplyPolicyAnswer(Struct, rename="camel"):
    """What applying a policy changes, license by license; `dryRun` tells that nothing changed yet.

    `nextAfter` is null at the end of a walk through all licenses.
    """

    dry_run: bool
    changed: list[AppliedLicense]
    unchanged: int
    refused: list[BulkRefusalView]
    next_after: UUID | None


def apply_answer(
    outcome: ApplyOutcome, usage: Mapping[UUID, CurrentUsage], *, dry_run: bool
) -> ApplyPolicyAnswer:
    """Return the outcome on the wire, given how the licenses that change are used."""
    return ApplyPolicyAnswer(
        dry_run=dry_run,
        changed=[
            AppliedLicense(
                after.id,
                after.license_name,
                license_differences(before, after),
                _devices_over_limit(after, usage[after.id]),
            )
            for before, after in outcome.changed
        ],
        unchanged=outcome.unchanged,
        refused=refusal_views(outcome.refused),
        next_after=outcome.next_after,
    )


def _devices_over_limit(license_: License, use: CurrentUsage) -> int:
    return use.devices_above(seat_cap(license_)) if license_.traits.activation_required else 0

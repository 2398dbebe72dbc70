"""Wire shapes of policies."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType

from licet_server.kit.amounts import plain
from licet_server.kit.declared import changes, creates, shows
from licet_server.kit.errors import FieldError, Missing
from licet_server.kit.text import Labels, Name, metadata_breaches
from licet_server.kit.web.body import Body, Change, given
from licet_server.kit.web.views import view_of
from licet_server.licenses.rules.coverage import Fallback
from licet_server.licenses.rules.model import License, PolicyTerms, seat_cap
from licet_server.licenses.rules.policies import (
    Policy,
    PolicyFields,
    TermStart,
    duration_breaches,
    pattern_breaches,
)
from licet_server.licenses.rules.traits import LicenseType
from licet_server.licenses.schemas.bulk import BulkRefusalView, refusal_views
from licet_server.licenses.schemas.records import Days, Months
from licet_server.licenses.service.applying import MOST_AT_ONCE, ApplyOutcome, Candidates
from licet_server.licenses.service.events import license_differences
from licet_server.licenses.service.hooks import CurrentUsage


@creates(PolicyFields)
class PolicyBody(Body):
    """A new policy. What it leaves out is given when a license is issued under it."""

    product_id: UUID
    name: Name
    duration_days: Days | None = None
    duration_months: Months | None = None
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


@changes(PolicyFields)
class PolicyChange(Change):
    """A change of a policy: absent fields are unchanged, null clears. No license changes.

    A duration in months replaces one in days, and the other way round.
    """

    name: Name | UnsetType = UNSET
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


@shows(PolicyTerms, after="fallback_after_months")
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
            yield Missing(
                "licenseIds",
                "is required, or all in its place, but not both.",
                ("licenseIds", "all"),
            )
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

"""Policies: templates of licenses, and what a license gets from one."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, tzinfo
from decimal import Decimal
from enum import StrEnum
from string import Formatter
from typing import Any
from uuid import UUID

from msgspec.structs import replace

from licet_server.kit.dates import Period, end_after
from licet_server.kit.errors import FieldError
from licet_server.kit.text import MAX_PAIRS
from licet_server.licenses import errors
from licet_server.licenses.rules.coverage import FALLBACK_AFTER_MONTHS, Fallback
from licet_server.licenses.rules.drafts import LicenseDraft, terms_of, without_far_end
from licet_server.licenses.rules.model import (
    NO_PAIRS,
    Days,
    FallbackMonths,
    GraceDays,
    License,
    Months,
    PolicyTerms,
    period_of,
)
from licet_server.licenses.rules.terms import NAME_MAX, metered_breaches, term_breaches
from licet_server.licenses.rules.traits import LicenseType
from licet_server.licenses.rules.transitions import require_not_revoked

PATTERN_MAX = 200
PLACEHOLDERS = ("customer", "date", "policy", "product")


class TermStart(StrEnum):
    """When the term of a license begins: when it is issued, or when it is first used."""

    ISSUE = "Issue"
    FIRST_USE = "FirstUse"


class PolicyFields(PolicyTerms, frozen=True, kw_only=True):
    """What a policy says; `None` leaves a term to the license.

    `renewal_grant` is what each renewal of an order adds to the balance.
    """

    name: str
    type: LicenseType
    duration_days: Days | None = None
    duration_months: Months | None = None
    term_starts: TermStart = TermStart.ISSUE
    grace_days: GraceDays = 0
    updates_days: Days | None = None
    fallback: Fallback = Fallback.NONE
    fallback_after_months: FallbackMonths = FALLBACK_AFTER_MONTHS
    initial_meter_balance: Decimal | None = None
    renewal_grant: Decimal | None = None
    license_name_pattern: str | None = None
    metadata: Mapping[str, str] = NO_PAIRS


class Policy(PolicyFields, frozen=True, kw_only=True):
    """A template of licenses of a product."""

    institution_id: UUID
    id: UUID
    product_id: UUID
    created_at: datetime
    updated_at: datetime

    @property
    def duration(self) -> Period | None:
        """How long the term is; `None` if the policy has none."""
        return period_of(self.duration_days, self.duration_months)


APPLIED = PolicyTerms.__struct_fields__
"""The fields that a license gets from a policy that names them, by their names in both."""


def named_by(policy: Policy) -> dict[str, Any]:
    """Return those of the `APPLIED` fields that the policy names."""
    return {name: value for name in APPLIED if (value := getattr(policy, name)) is not None}


def draft_under(
    policy: Policy, draft: LicenseDraft, now: datetime, zone: tzinfo = UTC
) -> LicenseDraft:
    """Return the draft with what the policy says about what it leaves open.

    A term that begins now ends by the calendar of `zone`. One that begins with the first use has
    the length of the draft, or that of the policy.
    """
    said = {
        **named_by(policy),
        "type": policy.type,
        "grace_days": policy.grace_days,
        "updates_until": _end_of_updates(policy, now, zone),
        "fallback": policy.fallback,
        "fallback_after_months": policy.fallback_after_months,
        "initial_meter_balance": policy.initial_meter_balance,
    }
    found = {name: value for name, value in said.items() if getattr(draft, name) is None}
    metadata = {**policy.metadata, **draft.metadata}
    under = replace(draft, **found, metadata=metadata, policy_id=policy.id)
    is_given = draft.expiration_date is not None or period_of(draft.term_days, draft.term_months)
    duration = None if is_given else policy.duration
    if duration is None:
        return without_far_end(under)
    if policy.term_starts is TermStart.FIRST_USE:
        return replace(under, term_days=policy.duration_days, term_months=policy.duration_months)
    end, anchor_day = end_after(now, duration, zone)
    return without_far_end(replace(under, expiration_date=end, term_anchor_day=anchor_day))


def _end_of_updates(policy: Policy, now: datetime, zone: tzinfo) -> datetime | None:
    if policy.updates_days is None:
        return None
    return end_after(now, Period(days=policy.updates_days), zone).end


def applied(license_: License, policy: Policy) -> License:
    """Return the license under the policy; unchanged if it is so already.

    What the policy does not name stays, and so do the term, the grace, the maintenance,
    the fallback and the balance: they are what was paid for. The pairs of metadata are joined.

    Raises:
        Refused: `Conflict` for a revoked license, one of another product or model, or one that has
            too many pairs of metadata.
    """
    require_not_revoked(license_)
    if license_.product_id != policy.product_id:
        raise errors.policy_of_another_product()
    if license_.type is not policy.type:
        raise errors.policy_of_another_model(policy.type)
    metadata = {**license_.metadata, **policy.metadata}
    if len(metadata) > MAX_PAIRS:
        raise errors.too_much_metadata(MAX_PAIRS)
    after = replace(license_, **named_by(policy), metadata=metadata, policy_id=policy.id)
    return license_ if after == license_ else after


def policy_breaches(policy: Policy, now: datetime) -> Iterator[FieldError]:
    """Yield what no license of the policy's model may have; what it must have may be left open."""
    traits = policy.type.traits
    yield from duration_breaches(policy.duration_days, policy.duration_months)
    if policy.term_starts is TermStart.FIRST_USE and policy.duration is None:
        yield FieldError("durationDays", "is required for a term that starts with the first use.")
    draft = LicenseDraft(
        expiration_date=now if traits.term_required else None,
        issued_to="anybody" if traits.receiver_required else None,
    )
    terms = terms_of(draft_under(policy, draft, now))
    if terms.max_active_users_count is None and traits.seat_cap_required:
        terms = replace(terms, max_active_users_count=1)
    if terms.initial_meter_balance is None and traits.is_metered:
        terms = replace(terms, initial_meter_balance=Decimal(1))
    yield from term_breaches(terms)
    yield from _renewal_breaches(policy)


def _renewal_breaches(policy: Policy) -> Iterator[FieldError]:
    field, amount, mode = "renewalGrant", policy.renewal_grant, policy.type.traits.meter_mode
    if amount is not None and mode is None:
        yield FieldError(field, f"must be null for {policy.type}, which has no balance.")
    else:
        yield from metered_breaches(field, amount, mode)


def duration_breaches(days: int | None, months: int | None) -> Iterator[FieldError]:
    """Yield that a term has both days and months."""
    if days is not None and months is not None:
        yield FieldError("durationMonths", "cannot be given beside durationDays.")


def pattern_breaches(pattern: str | None) -> Iterator[FieldError]:
    """Yield the errors of a pattern of license names."""
    field = "licenseNamePattern"
    if pattern is None:
        return
    if not pattern.strip() or len(pattern) > PATTERN_MAX:
        yield FieldError(field, f"must have 1 to {PATTERN_MAX} characters, not only spaces.")
        return
    names = ", ".join(f"{{{name}}}" for name in PLACEHOLDERS)
    try:
        parts = list(Formatter().parse(pattern))
    except ValueError:
        yield FieldError(field, f"must have its braces in pairs, around one of {names}.")
        return
    for _, name, form, conversion in parts:
        if name is not None and (name not in PLACEHOLDERS or form or conversion):
            yield FieldError(field, f"has a placeholder that is not one of {names}.")
            return


def license_name(policy: Policy, *, product: str, customer: str | None, now: datetime) -> str:
    """Return the name of a license by the policy's pattern; without one, the policy's own name.

    It is cut to the length that names may have.
    """
    pattern = policy.license_name_pattern or "{policy}"
    name = pattern.format(
        customer=customer or "", date=f"{now:%Y-%m-%d}", policy=policy.name, product=product
    )
    return name.strip()[:NAME_MAX] or policy.name

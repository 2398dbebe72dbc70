"""Policies: templates of licenses, and what a license issued under one gets from it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from string import Formatter
from typing import TypeVar
from uuid import UUID

from licet_server.kit.errors import FieldError
from licet_server.licenses.rules.model import ActivationMode
from licet_server.licenses.rules.terms import NAME_MAX, RequestedTerms, end_for, term_breaches
from licet_server.licenses.rules.traits import DeviceBindingMode, LicenseType

Value = TypeVar("Value")

DURATION_MAX_DAYS = 36_500
PATTERN_MAX = 200
PLACEHOLDERS = ("customer", "date", "policy", "product")


class TermStart(StrEnum):
    """When the term of a license begins: when it is issued, or when it is first used."""

    ISSUE = "Issue"
    FIRST_USE = "FirstUse"


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """A template of licenses of a product; `None` leaves a term to the license."""

    institution_id: UUID
    id: UUID
    product_id: UUID
    name: str
    type: LicenseType
    duration_days: int | None
    term_starts: TermStart
    grace_days: int
    max_active_users_count: int | None
    activation_mode: ActivationMode | None
    device_binding_mode: DeviceBindingMode | None
    entitlement_set_id: UUID | None
    initial_meter_balance: Decimal | None
    license_name_pattern: str | None
    metadata: Mapping[str, str]
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenTerms:
    """The terms that a request names; `None` for those that it leaves to the policy."""

    type: LicenseType | None
    expiration_date: datetime | None
    max_active_users_count: int | None
    initial_meter_balance: Decimal | None
    activation_mode: ActivationMode | None
    device_binding_mode: DeviceBindingMode | None
    issued_to: str | None
    has_username: bool
    has_password: bool
    grace_days: int | None = None


def terms_without_policy(kind: LicenseType, given: GivenTerms) -> RequestedTerms:
    """The terms of a license of a model that no policy adds to."""
    return RequestedTerms(
        type=kind,
        expiration_date=end_for(kind, given.expiration_date),
        grace_days=given.grace_days or 0,
        max_active_users_count=given.max_active_users_count,
        initial_meter_balance=given.initial_meter_balance,
        activation_mode=given.activation_mode or ActivationMode.ONLINE,
        device_binding_mode=given.device_binding_mode,
        issued_to=given.issued_to,
        has_username=given.has_username,
        has_password=given.has_password,
    )


def terms_under(policy: Policy, given: GivenTerms, now: datetime) -> RequestedTerms:
    """The terms of a license: what is given, then what the policy says."""
    ends = given.expiration_date
    days = policy.duration_days if ends is None else None
    is_pending = policy.term_starts is TermStart.FIRST_USE
    if days is not None and not is_pending:
        ends = now + timedelta(days=min(days, DURATION_MAX_DAYS))
    completed = replace(
        given,
        expiration_date=ends,
        grace_days=_first(given.grace_days, policy.grace_days),
        max_active_users_count=_first(given.max_active_users_count, policy.max_active_users_count),
        initial_meter_balance=_first(given.initial_meter_balance, policy.initial_meter_balance),
        activation_mode=given.activation_mode or policy.activation_mode,
        device_binding_mode=given.device_binding_mode or policy.device_binding_mode,
    )
    return replace(
        terms_without_policy(given.type or policy.type, completed),
        term_days=days if is_pending else None,
    )


def policy_breaches(policy: Policy, now: datetime) -> Iterator[FieldError]:
    """What no license of the policy's model may have; what it must have may be left open."""
    traits = policy.type.traits
    if policy.term_starts is TermStart.FIRST_USE and policy.duration_days is None:
        yield FieldError("durationDays", "is required for a term that starts with the first use.")
    open_terms = GivenTerms(
        type=None,
        expiration_date=now if traits.term_required else None,
        max_active_users_count=None,
        initial_meter_balance=None,
        activation_mode=None,
        device_binding_mode=None,
        issued_to="anybody" if traits.receiver_required else None,
        has_username=False,
        has_password=False,
    )
    terms = terms_under(policy, open_terms, now)
    if terms.max_active_users_count is None and traits.seat_cap_required:
        terms = replace(terms, max_active_users_count=1)
    if terms.initial_meter_balance is None and traits.is_metered:
        terms = replace(terms, initial_meter_balance=Decimal(1))
    yield from term_breaches(terms)


def pattern_breaches(pattern: str | None) -> Iterator[FieldError]:
    """The errors of a pattern of license names."""
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
    """The name of a license by the policy's pattern; without one, the policy's own name.

    It is cut to the length that names may have.
    """
    pattern = policy.license_name_pattern or "{policy}"
    name = pattern.format(
        customer=customer or "", date=f"{now:%Y-%m-%d}", policy=policy.name, product=product
    )
    return name.strip()[:NAME_MAX] or policy.name


def _first(given: Value | None, otherwise: Value | None) -> Value | None:
    return given if given is not None else otherwise

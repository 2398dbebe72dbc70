"""Issuing licenses: terms, their defaults and their rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Literal, TypedDict, get_args

from licet._claims import MAX_OF, MIN_OF
from licet._keys import normal_form
from licet._license_models import MODEL_TRAITS, Model, ModelTraits
from licet._model import EntitlementValue
from licet.testing._keys import make_license_key
from licet.testing._operator import resolve_time
from licet.testing._state import (
    DeviceProof,
    Fallback,
    License,
    MeterMode,
    OfflineActivation,
    OnUnreturned,
    Wallet,
    new_id,
)
from licet.testing._wallet import Amount, positive_amount, record_entry

DEFAULT_TERM = timedelta(days=30)
DEFAULT_BALANCE = Decimal(1000)
MAX_BORROW_DAYS = 366


class Terms(TypedDict, total=False):
    """The keyword arguments of :meth:`licet.testing.FakeServer.issue`.

    Attributes:
        seats: The seat cap; required for Floating and Concurrent.
        expires: The end of the term, a time with a time zone or a duration from now. By default 30
            days for Trial and Subscription; other models do not expire.
        grace: How long the license stays valid after the end of its term; by default it does not.
            Applications are told the end of the grace as its end, as by the service.
        updates: The last publication of a release that the license covers, as a time with a time
            zone or a duration from now; by default no date limits them.
        fallback: What stays after the term and its grace, by default nothing: the releases until
            the end of the term (``ReleaseAtTermEnd``), or until the start of the last
            ``fallback_after_months`` or of the last term, if that is longer
            (``ReleaseAtTermStart``).
        fallback_after_months: How many months in a row must have been paid for; 12 by default.
        activation_mode: ``Online``, or ``Offline`` if license.bin is sufficient.
        binding_mode: NodeLocked only: ``AutoBind`` binds the first device, ``OwnerApproval``
            requires the vendor to approve one.
        device_proof: Which devices have to prove their key: none (``Off``), those that have shown
            one (``WhenPresent``), or all (``Required``). The fake only looks whether a request
            shows a key.
        machine_match: How many components (first) of how many (second) make a machine with another
            hardware ID the same device, such as ``(2, 3)``; by default none do.
        max_borrow_days: Floating, MeteredToken and MeteredCount only: for how many days a seat may
            be borrowed, or credits may be reserved, 1 to 366; by default they are not.
        max_borrowed_seats: Floating only: how many may be borrowed at a time; by default all.
        max_offline_credits: MeteredToken and MeteredCount only: how many credits may be reserved
            by all devices together; by default none are.
        on_unreturned: What becomes of reserved credits that were neither reported nor returned 30
            days after their end: they are charged (``Charge``), or put back (``Refund``).
        offline_activation: Whether devices without a network are activated by files or codes: not
            (``Off``), by themselves (``SelfService``), or when the vendor approves (``Approval``).
        username: Perpetual only, together with ``password``.
        features: The names of the granted features, or a mapping of names to values; by default
            not restricted.
        initial_meter_balance: MeteredToken (up to six decimals) and MeteredCount (whole uses) only;
            1000 by default.
        license_key: An imported key; by default one is generated.
    """

    seats: int | None
    expires: datetime | timedelta | None
    grace: timedelta
    updates: datetime | timedelta | None
    fallback: Fallback
    fallback_after_months: int
    activation_mode: Literal["Online", "Offline"]
    binding_mode: Literal["AutoBind", "OwnerApproval"] | None
    device_proof: DeviceProof
    machine_match: tuple[int, int] | None
    max_borrow_days: int
    max_borrowed_seats: int | None
    max_offline_credits: Amount | None
    on_unreturned: OnUnreturned
    offline_activation: OfflineActivation
    username: str | None
    password: str | None
    features: Sequence[str] | Mapping[str, EntitlementValue] | None
    initial_meter_balance: Amount | None
    metadata: Mapping[str, str]
    name: str
    issued_to: str | None
    issuer: str | None
    license_key: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LicenseDraft:
    """Terms with their defaults."""

    seats: int | None = None
    expires: datetime | timedelta | None = None
    grace: timedelta = timedelta(0)
    updates: datetime | timedelta | None = None
    fallback: Fallback = "None"
    fallback_after_months: int = 12
    activation_mode: str = "Online"
    binding_mode: str | None = None
    device_proof: DeviceProof = "Off"
    machine_match: tuple[int, int] | None = None
    max_borrow_days: int = 0
    max_borrowed_seats: int | None = None
    max_offline_credits: Amount | None = None
    on_unreturned: OnUnreturned = "Charge"
    offline_activation: OfflineActivation = "Off"
    username: str | None = None
    password: str | None = field(default=None, repr=False)
    features: Sequence[str] | Mapping[str, EntitlementValue] | None = None
    initial_meter_balance: Amount | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)
    name: str = "Test license"
    issued_to: str | None = "customer@example.com"
    issuer: str | None = None
    license_key: str | None = field(default=None, repr=False)


def make_license(model: Model, draft: LicenseDraft, now: datetime) -> License:
    """Create a license with these terms.

    Raises:
        ValueError: The terms are not allowed; the message says why.
        ConfigurationError: The imported key is not a valid license key.
    """
    traits = MODEL_TRAITS.get(model)
    if traits is None:
        raise ValueError(f"unknown model {model!r}; use one of {', '.join(MODEL_TRAITS)}")
    violation = _violation(model, traits, draft)
    if violation is not None:
        raise ValueError(violation)
    key = draft.license_key or make_license_key()
    expires = draft.expires or (DEFAULT_TERM if traits.term_required else None)
    return License(
        id=new_id(now),
        key=key,
        normal_key=normal_form(key),
        type=model,
        name=draft.name,
        issued_to=draft.issued_to,
        issuer=draft.issuer,
        expiration_date=None if expires is None else resolve_time(expires, now),
        seats=draft.seats,
        activation_mode=draft.activation_mode,
        binding_mode=(draft.binding_mode or "AutoBind") if traits.binding else None,
        device_proof=draft.device_proof,
        machine_match=draft.machine_match,
        max_borrow_days=draft.max_borrow_days,
        max_borrowed_seats=draft.max_borrowed_seats,
        max_offline_credits=_offline_credits(traits.meter, draft.max_offline_credits),
        on_unreturned=draft.on_unreturned,
        offline_activation=draft.offline_activation,
        username=draft.username,
        password=draft.password,
        features=_features(draft.features),
        metadata=dict(draft.metadata),
        paid_since=now,
        term_began_at=now,
        updates_until=None if draft.updates is None else resolve_time(draft.updates, now),
        fallback=draft.fallback,
        fallback_after_months=draft.fallback_after_months,
        grace=draft.grace,
        wallet=_wallet(traits.meter, draft.initial_meter_balance, now),
    )


def _features(
    granted: Sequence[str] | Mapping[str, EntitlementValue] | None,
) -> Mapping[str, EntitlementValue] | None:
    if granted is None or isinstance(granted, Mapping):
        return granted
    return dict.fromkeys(granted, True)


def _offline_credits(mode: MeterMode | None, most: Amount | None) -> Decimal | None:
    return None if mode is None or most is None else positive_amount(most, mode)


def _wallet(mode: MeterMode | None, balance: Amount | None, now: datetime) -> Wallet | None:
    if mode is None:
        return None
    wallet = Wallet(mode)
    initial = positive_amount(DEFAULT_BALANCE if balance is None else balance, mode)
    record_entry(wallet, "InitialGrant", initial, now)
    return wallet


def _violation(model: Model, traits: ModelTraits, draft: LicenseDraft) -> str | None:
    has_credentials = draft.username is not None
    rules = {
        f"{_models(lambda its: its.capped)} licenses require seats of 1 or more; "
        "other models do not take seats": (
            traits.capped != (draft.seats is not None)
            or (draft.seats is not None and draft.seats < 1)
        ),
        "a grace must not be negative": draft.grace < timedelta(0),
        "fallback must be None, ReleaseAtTermEnd or ReleaseAtTermStart, and None for a Trial": (
            draft.fallback not in get_args(Fallback)
            or (model == "Trial" and draft.fallback != "None")
        ),
        "fallback_after_months must be 0 to 120": not 0 <= draft.fallback_after_months <= 120,
        "activation_mode must be Online or Offline": (
            draft.activation_mode not in {"Online", "Offline"}
        ),
        f"a {model} license must be Online": (
            traits.online_only and draft.activation_mode == "Offline"
        ),
        "binding_mode must be AutoBind or OwnerApproval, and is only for "
        f"{_models(lambda its: its.binding)} licenses": (
            draft.binding_mode not in {None, "AutoBind", "OwnerApproval"}
            or (draft.binding_mode is not None and not traits.binding)
        ),
        f"initial_meter_balance is only for {_models(lambda its: its.meter is not None)} "
        "licenses": draft.initial_meter_balance is not None and traits.meter is None,
        "device_proof must be Off, WhenPresent or Required": (
            draft.device_proof not in get_args(DeviceProof)
        ),
        "machine_match must be (m, n) with n from 2 to 8, and m more than half of it, and is only "
        f"for {_models(_has_devices)} licenses": (
            draft.machine_match is not None
            and not (_is_match(draft.machine_match) and _has_devices(traits))
        ),
        f"max_borrow_days must be 0 to {MAX_BORROW_DAYS}": (
            not 0 <= draft.max_borrow_days <= MAX_BORROW_DAYS
        ),
        "max_borrowed_seats must be 1 or more": (
            draft.max_borrowed_seats is not None and draft.max_borrowed_seats < 1
        ),
        f"max_borrow_days is only for {_models(_lends)} licenses": (
            draft.max_borrow_days > 0 and not _lends(traits)
        ),
        f"max_borrowed_seats is only for {_models(_has_sessions)} licenses": (
            draft.max_borrowed_seats is not None and not _has_sessions(traits)
        ),
        "on_unreturned must be Charge or Refund": (
            draft.on_unreturned not in get_args(OnUnreturned)
        ),
        f"max_offline_credits and on_unreturned are only for "
        f"{_models(lambda its: its.meter is not None)} licenses": (
            (draft.max_offline_credits is not None or draft.on_unreturned != "Charge")
            and traits.meter is None
        ),
        "offline_activation must be Off, SelfService or Approval": (
            draft.offline_activation not in get_args(OfflineActivation)
        ),
        f"a {model} license has no offline_activation": (
            draft.offline_activation != "Off" and traits.online_only
        ),
        "username and password must be given together, and only for "
        f"{_models(lambda its: its.credentials)} licenses": (
            has_credentials != (draft.password is not None)
            or (has_credentials and not traits.credentials)
        ),
    }
    return next((violation for violation, broken in rules.items() if broken), None)


def _is_match(match: tuple[int, int]) -> bool:
    at_least, of = match
    return MIN_OF <= of <= MAX_OF and of / 2 < at_least <= of


def _has_devices(traits: ModelTraits) -> bool:
    return traits.seat_kind in {"Device", "Machine"}


def _has_sessions(traits: ModelTraits) -> bool:
    return traits.seat_kind == "Session"


def _lends(traits: ModelTraits) -> bool:
    return _has_sessions(traits) or traits.meter is not None


def _models(matches: Callable[[ModelTraits], bool]) -> str:
    return " and ".join(name for name, traits in MODEL_TRAITS.items() if matches(traits))

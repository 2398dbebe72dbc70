"""A license under another model, with the same key."""

from datetime import datetime
from decimal import Decimal

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import asdict, replace

from licet_server.kit.errors import bad_field, bad_fields
from licet_server.licenses.rules.coverage import Fallback
from licet_server.licenses.rules.drafts import terms_of
from licet_server.licenses.rules.model import (
    ActivationMode,
    License,
    OfflineActivation,
    SettledTerms,
)
from licet_server.licenses.rules.terms import end_for, term_breaches
from licet_server.licenses.rules.traits import LicenseType
from licet_server.licenses.rules.transitions import require_not_revoked


class Conversion(Struct, frozen=True, kw_only=True):
    """Another model of a license, and the terms that it needs.

    Without an `expiration_date` a term that was paid for stays, unless the new model is endless;
    `None` is no end. `issued_to` is for a license that is issued to nobody yet, or to another.
    """

    type: LicenseType
    expiration_date: datetime | UnsetType | None = UNSET
    max_active_users_count: int | None = None
    initial_meter_balance: Decimal | None = None
    issued_to: str | None = None


_RESET = (
    "machine_match",
    "on_clone",
    "max_borrow_days",
    "max_borrowed_seats",
    "max_offline_credits",
    "on_unreturned",
)
"""Terms that another model begins without."""
_DEFAULTS = asdict(SettledTerms())

CONVERTED = (
    "type",
    "expiration_date",
    "term_days",
    "term_months",
    "term_began_at",
    "term_anchor_day",
    "paid_since",
    "fallback",
    "grace_days",
    "max_active_users_count",
    "initial_meter_balance",
    "activation_mode",
    "device_binding_mode",
    *_RESET,
    "offline_activation",
    "issued_to",
    "username",
    "password_hash",
)
"""The fields of `License` that a conversion may change."""


def converted(license_: License, wanted: Conversion, now: datetime) -> License:
    """Return the license under another model, as of now.

    A trial's own term and grace do not carry over. A user name and a password go where the new
    model takes none.

    Raises:
        Refused: `Conflict` for a revoked license, `InvalidRequest` naming every bad field.
    """
    require_not_revoked(license_)
    before, traits = license_.traits, wanted.type.traits
    if wanted.type is license_.type:
        raise bad_field("type", f"must be another model: the license is {license_.type} already.")
    keeps_term = wanted.expiration_date is UNSET and not before.is_trial and not traits.endless
    end = license_.expiration_date if keeps_term else wanted.expiration_date or None
    after = replace(
        license_,
        type=wanted.type,
        expiration_date=end_for(wanted.type, end),
        term_days=license_.term_days if keeps_term else None,
        term_months=license_.term_months if keeps_term else None,
        term_began_at=license_.term_began_at if keeps_term else now,
        term_anchor_day=license_.term_anchor_day if keeps_term else None,
        paid_since=now if before.is_trial else license_.paid_since,
        fallback=Fallback.NONE if traits.is_trial else license_.fallback,
        grace_days=0 if before.is_trial else license_.grace_days,
        max_active_users_count=wanted.max_active_users_count,
        initial_meter_balance=wanted.initial_meter_balance,
        activation_mode=ActivationMode.ONLINE if traits.online_only else license_.activation_mode,
        device_binding_mode=traits.default_binding_mode,
        **{name: _DEFAULTS[name] for name in _RESET},
        offline_activation=(
            OfflineActivation.OFF if traits.online_only else license_.offline_activation
        ),
        issued_to=wanted.issued_to or license_.issued_to,
        username=license_.username if traits.takes_credentials else None,
        password_hash=license_.password_hash if traits.takes_credentials else None,
    )
    if breaches := list(term_breaches(terms_of(after))):
        raise bad_fields(breaches)
    return after

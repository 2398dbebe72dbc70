"""Which terms each model takes; every violation names its field."""

from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from decimal import Decimal
from operator import attrgetter
from uuid import UUID

from licet_server.kit.amounts import amount_breach, whole_breach
from licet_server.kit.dates import FIRST_YEAR, LAST_ZONE, NO_END_YEAR, instant_of
from licet_server.kit.emails import read_email
from licet_server.kit.errors import FieldError
from licet_server.kit.text import camel, metadata_breaches
from licet_server.licenses.rules.coverage import Fallback
from licet_server.licenses.rules.model import (
    EXACT,
    MAX_SEATS,
    ActivationMode,
    DeviceProof,
    OfflineActivation,
    OnClone,
    SettledTerms,
    period_of,
)
from licet_server.licenses.rules.traits import (
    LicenseType,
    MeterMode,
    ModelTraits,
    SeatKind,
    models_where,
)

NAME_MAX = 200
NOTES_MAX_BYTES = 20_480


class RequestedTerms(SettledTerms, frozen=True, kw_only=True):
    """The requested terms of a license of this model."""

    type: LicenseType
    has_password: bool = False

    @property
    def begins_with_use(self) -> bool:
        """Whether the term starts with the first use."""
        return period_of(self.term_days, self.term_months) is not None


def _has_devices(traits: ModelTraits) -> bool:
    return traits.seat_kind in {SeatKind.DEVICE, SeatKind.MACHINE}


def _has_sessions(traits: ModelTraits) -> bool:
    return traits.seat_kind is SeatKind.SESSION


def _is_lent(traits: ModelTraits) -> bool:
    return _has_sessions(traits) or traits.is_metered


_TAKEN_BY: Mapping[str, Callable[[ModelTraits], bool]] = {
    "max_active_users_count": attrgetter("seat_cap_required"),
    "machine_match": _has_devices,
    "on_clone": attrgetter("activation_required"),
    "max_borrow_days": _is_lent,
    "max_borrowed_seats": _has_sessions,
    "on_unreturned": attrgetter("is_metered"),
    "max_offline_credits": attrgetter("is_metered"),
    "initial_meter_balance": attrgetter("is_metered"),
    "device_binding_mode": attrgetter("takes_binding_mode"),
}
"""The terms that only some models take; others must leave them as usual."""
_USUAL = SettledTerms()


def term_breaches(terms: RequestedTerms) -> Iterator[FieldError]:
    """Yield the violations of the model's rules, apart from dates in the past."""
    kind, traits = terms.type, terms.type.traits
    if traits.term_required and terms.expiration_date is None and not terms.begins_with_use:
        yield FieldError("expirationDate", f"is required for {kind}.")
    yield from end_breaches(kind, terms.expiration_date)
    for name, takes in _TAKEN_BY.items():
        if getattr(terms, name) != getattr(_USUAL, name) and not takes(traits):
            yield FieldError(camel(name), _only_for(takes, kind))
    if traits.seat_cap_required:
        yield from _seat_breaches(terms)
    if _has_devices(traits):
        yield from _device_breaches(terms)
    if traits.is_metered:
        yield from _meter_breaches(terms)
    if traits.online_only:
        yield from _mode_breaches(terms)
    yield from _credential_breaches(terms)
    if terms.fallback is not Fallback.NONE and traits.is_trial:
        yield FieldError("fallback", f"must be None for {kind}: nothing was paid for.")
    if terms.issued_to is None and traits.receiver_required:
        yield FieldError("issuedTo", f"is required for {kind}: an email address or a user's id.")


def end_for(kind: LicenseType, expiration_date: datetime | None) -> datetime | None:
    """Return the end of the term; a date far away means none where the model allows that."""
    if kind.traits.term_required or not _is_far(expiration_date):
        return expiration_date
    return None


def end_breaches(kind: LicenseType, expiration_date: datetime | None) -> Iterator[FieldError]:
    """Yield a term that must end does so before the years that stand for no end."""
    if _is_far(expiration_date):
        message = f"must be before the year {NO_END_YEAR}, because {kind} needs an end."
        yield FieldError("expirationDate", message)


def future_breach(expiration_date: date | None, now: datetime) -> Iterator[FieldError]:
    """Yield a term must end in the future; a day is over when it is so in all time zones."""
    if expiration_date is not None and instant_of(expiration_date, LAST_ZONE) <= now:
        yield FieldError("expirationDate", "must be in the future.")


def year_breach(field: str, found: date | None) -> Iterator[FieldError]:
    """Yield a date must not lie before the years that dates begin with."""
    if found is not None and found.year < FIRST_YEAR:
        yield FieldError(field, f"must not be before the year {FIRST_YEAR}.")


def without_far(found: datetime | None) -> datetime | None:
    """Return a date; one so far away that it stands for no end is none."""
    return None if _is_far(found) else found


def _is_far(expiration_date: datetime | None) -> bool:
    return expiration_date is not None and expiration_date.year >= NO_END_YEAR


def text_breaches(
    license_name: str | None,
    issued_to: str | None,
    notes: str | None,
    metadata: Mapping[str, str] | None,
) -> Iterator[FieldError]:
    """Yield the violations in the texts of a license; `None` is not checked."""
    if license_name is not None and not (license_name.strip() and len(license_name) <= NAME_MAX):
        yield FieldError("licenseName", f"must have 1 to {NAME_MAX} characters, not only spaces.")
    if issued_to is not None and not (is_uuid(issued_to) or read_email(issued_to)):
        yield FieldError("issuedTo", "must be an email address or a user's id.")
    if notes is not None and len(notes.encode(errors="replace")) > NOTES_MAX_BYTES:
        yield FieldError("notes", "must be 20 kB or less.")
    if metadata is not None:
        yield from metadata_breaches(metadata)


def receiver_in(text: str) -> str:
    """Return a receiver in the form that is stored: a user's id, or an address as it is read."""
    return text if is_uuid(text) else read_email(text) or text


def is_uuid(text: str) -> bool:
    """Return whether the text is a UUID as this service writes them, in any case."""
    try:
        return str(UUID(text)) == text.lower()
    except ValueError:
        return False


def _only_for(has_trait: Callable[[ModelTraits], bool], kind: LicenseType) -> str:
    *others, last = models_where(has_trait)
    names = f"{', '.join(others)} and {last}" if others else last
    return f"is for {names} only, not for {kind}."


def _seat_breaches(terms: RequestedTerms) -> Iterator[FieldError]:
    field, seats = "maxActiveUsersCount", terms.max_active_users_count
    if seats is None:
        yield FieldError(field, f"is required for {terms.type}: 1 to {MAX_SEATS:,}.")
    elif not 1 <= seats <= MAX_SEATS:
        yield FieldError(field, f"must be between 1 and {MAX_SEATS:,}.")


def _device_breaches(terms: RequestedTerms) -> Iterator[FieldError]:
    match = terms.machine_match
    if match != EXACT and None not in {match.at_least, match.of} and not match.is_majority:
        message = "must be more than half of `of`, and no more than it."
        yield FieldError("machineMatch.atLeast", message)
    is_clone_taken = terms.type.traits.activation_required and terms.on_clone is OnClone.OWN_SEAT
    if is_clone_taken and terms.device_proof is DeviceProof.OFF:
        yield FieldError("onClone", "must be Refuse while deviceProof is Off.")


def _mode_breaches(terms: RequestedTerms) -> Iterator[FieldError]:
    kind = terms.type
    if terms.activation_mode is ActivationMode.OFFLINE:
        yield FieldError("activationMode", f"must be Online for {kind}.")
    if terms.offline_activation is not OfflineActivation.OFF:
        message = f"must be Off for {kind}, which has no license files."
        yield FieldError("offlineActivation", message)


def _meter_breaches(terms: RequestedTerms) -> Iterator[FieldError]:
    field, mode = "initialMeterBalance", terms.type.traits.meter_mode
    if terms.initial_meter_balance is None:
        yield FieldError(field, f"is required for {terms.type} and must be greater than 0.")
    yield from metered_breaches(field, terms.initial_meter_balance, mode)
    yield from metered_breaches("maxOfflineCredits", terms.max_offline_credits, mode)


def metered_breaches(
    field: str, amount: Decimal | None, mode: MeterMode | None
) -> Iterator[FieldError]:
    """Yield the error of an amount that a meter of this mode counts; `None` passes."""
    if amount is None:
        return
    breach = amount_breach(field, amount)
    if breach is None and mode is MeterMode.COUNT:
        breach = whole_breach(field, amount)
    if breach is not None:
        yield breach


def _credential_breaches(terms: RequestedTerms) -> Iterator[FieldError]:
    given = {"username": (terms.username is not None), "password": terms.has_password}
    is_taken = terms.type.traits.takes_credentials
    for field, is_given in given.items():
        if is_given and not is_taken:
            yield FieldError(field, _only_for(lambda item: item.takes_credentials, terms.type))
        elif not is_given and any(given.values()) and is_taken:
            yield FieldError(field, "is required: username and password must be given together.")

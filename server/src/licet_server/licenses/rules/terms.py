"""Which terms each model takes; every violation names its field."""

from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from uuid import UUID

from licet_server.kit.amounts import amount_breach, whole_breach
from licet_server.kit.dates import FIRST_YEAR, LAST_ZONE, NO_END_YEAR, instant_of
from licet_server.kit.emails import read_email
from licet_server.kit.errors import FieldError
from licet_server.kit.text import metadata_breaches
from licet_server.licenses.rules.coverage import Fallback
from licet_server.licenses.rules.model import (
    EXACT,
    MAX_SEATS,
    ActivationMode,
    DeviceProof,
    OfflineActivation,
    OnClone,
    OnUnreturned,
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


def term_breaches(terms: RequestedTerms) -> Iterator[FieldError]:
    """Yield the violations of the model's rules, apart from dates in the past."""
    kind, traits = terms.type, terms.type.traits
    if traits.term_required and terms.expiration_date is None and not terms.begins_with_use:
        yield FieldError("expirationDate", f"is required for {kind}.")
    yield from end_breaches(kind, terms.expiration_date)
    yield from _seat_breaches(terms)
    yield from _matching_breaches(terms)
    yield from _clone_breaches(terms)
    yield from _borrowing_breaches(terms)
    yield from _meter_breaches(terms)
    if terms.device_binding_mode is not None and not traits.takes_binding_mode:
        message = _only_for(lambda item: item.takes_binding_mode, kind)
        yield FieldError("deviceBindingMode", message)
    if terms.activation_mode is ActivationMode.OFFLINE and traits.online_only:
        yield FieldError("activationMode", f"must be Online for {kind}.")
    if terms.offline_activation is not OfflineActivation.OFF and traits.online_only:
        yield FieldError(
            "offlineActivation", f"must be Off for {kind}, which has no license files."
        )
    yield from _credential_breaches(terms)
    if terms.fallback is not Fallback.NONE and traits.is_trial:
        yield FieldError("fallback", f"must be None for {kind}: nothing was paid for.")
    if terms.issued_to is None and traits.receiver_required:
        yield FieldError("issuedTo", f"is required for {kind}: an e-mail address or a user's id.")


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
        yield FieldError("issuedTo", "must be an e-mail address or a user's id.")
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
    if not terms.type.traits.seat_cap_required:
        if seats is not None:
            yield FieldError(field, _only_for(lambda item: item.seat_cap_required, terms.type))
    elif seats is None:
        yield FieldError(field, f"is required for {terms.type}: 1 to {MAX_SEATS:,}.")
    elif not 1 <= seats <= MAX_SEATS:
        yield FieldError(field, f"must be between 1 and {MAX_SEATS:,}.")


def _matching_breaches(terms: RequestedTerms) -> Iterator[FieldError]:
    field, match = "machineMatch", terms.machine_match
    if match == EXACT:
        return
    if not _has_devices(terms.type.traits):
        yield FieldError(field, _only_for(_has_devices, terms.type))
    elif None not in {match.at_least, match.of} and not match.is_majority:
        yield FieldError(f"{field}.atLeast", "must be more than half of `of`, and no more than it.")


def _clone_breaches(terms: RequestedTerms) -> Iterator[FieldError]:
    field, traits = "onClone", terms.type.traits
    if terms.on_clone is OnClone.REFUSE:
        return
    if not traits.activation_required:
        yield FieldError(field, _only_for(lambda item: item.activation_required, terms.type))
    elif terms.device_proof is DeviceProof.OFF:
        yield FieldError(field, "must be Refuse while deviceProof is Off.")


def _has_devices(traits: ModelTraits) -> bool:
    return traits.seat_kind in {SeatKind.DEVICE, SeatKind.MACHINE}


def _borrowing_breaches(terms: RequestedTerms) -> Iterator[FieldError]:
    if terms.max_borrow_days and not _is_lent(terms.type.traits):
        yield FieldError("maxBorrowDays", _only_for(_is_lent, terms.type))
    if terms.max_borrowed_seats is not None and not _has_sessions(terms.type.traits):
        yield FieldError("maxBorrowedSeats", _only_for(_has_sessions, terms.type))
    if terms.on_unreturned is not OnUnreturned.CHARGE and not terms.type.traits.is_metered:
        message = _only_for(lambda item: item.is_metered, terms.type)
        yield FieldError("onUnreturned", message)
    yield from _reserving_breaches(terms)


def _has_sessions(traits: ModelTraits) -> bool:
    return traits.seat_kind is SeatKind.SESSION


def _is_lent(traits: ModelTraits) -> bool:
    return _has_sessions(traits) or traits.is_metered


def _reserving_breaches(terms: RequestedTerms) -> Iterator[FieldError]:
    field, most = "maxOfflineCredits", terms.max_offline_credits
    if most is None:
        return
    if not terms.type.traits.is_metered:
        yield FieldError(field, _only_for(lambda item: item.is_metered, terms.type))
        return
    breach = amount_breach(field, most)
    if breach is None and terms.type.traits.meter_mode is MeterMode.COUNT:
        breach = whole_breach(field, most)
    if breach is not None:
        yield breach


def _meter_breaches(terms: RequestedTerms) -> Iterator[FieldError]:
    field, balance = "initialMeterBalance", terms.initial_meter_balance
    traits = terms.type.traits
    if not traits.is_metered:
        if balance is not None:
            yield FieldError(field, _only_for(lambda item: item.is_metered, terms.type))
        return
    if balance is None:
        yield FieldError(field, f"is required for {terms.type} and must be greater than 0.")
        return
    breach = amount_breach(field, balance)
    if breach is None and traits.meter_mode is MeterMode.COUNT:
        breach = whole_breach(field, balance)
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

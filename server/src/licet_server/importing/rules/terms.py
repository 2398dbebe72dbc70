"""The license that becomes of a found one, by the rules of this service."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, tzinfo

from licet_server.devices.rules.hardware import is_whole
from licet_server.importing.rules.model import (
    STANDS_FOR_NO_END,
    BadRecord,
    FoundDevice,
    FoundLicense,
)
from licet_server.kit import text as labels
from licet_server.kit.dates import instant_of
from licet_server.kit.emails import read_email
from licet_server.licenses.rules.drafts import CarriedLicense, LicenseDraft, terms_of
from licet_server.licenses.rules.keys import IMPORTED_MAX, IMPORTED_MIN, as_meant, normal_form
from licet_server.licenses.rules.model import MAX_SEATS
from licet_server.licenses.rules.terms import NAME_MAX, NOTES_MAX_BYTES, term_breaches
from licet_server.licenses.rules.traits import LicenseType, ModelTraits, SeatKind

_HARDWARE_ID_MAX = 256
_LABEL_MAX = 256
_ROUNDED = re.compile(
    r"[+-]?\d+(?:[.,]\d+)?E[+ ]\d{1,3}(?:[.,]0+)?|[+-]?\d+[.,]\d+E-?\d{1,3}"
    r"|\d{15}0+|\d+[.,]0+|#+",
    re.IGNORECASE,
)
"""A number with an exponent or with decimals that are 0, with nothing but zeros after the digits
that spreadsheets keep, or what they show where a column is too narrow for a number."""
_GROUPED = re.compile(r"\d{1,3}([., '])\d{3}(?:\1\d{3})*")
_UNNAMED = "Imported license"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadyLicense:
    """A license to be carried over. `lost` names what stays behind."""

    place: str
    normal_key: str
    carried: CarriedLicense
    devices: Sequence[FoundDevice]
    lost: Sequence[str]


def ready(found: FoundLicense, *, receiver: str | None, zone: tzinfo = UTC) -> ReadyLicense:
    """Return the license to carry over; `receiver` gets those without an email address.

    A day as the end of a term lasts until its end in `zone`.

    Raises:
        BadRecord: it cannot be a license here; the message says why.
    """
    key = as_meant(found.key)
    normal_key = normal_form(key)
    if normal_key is None:
        raise BadRecord(f"the key must have {IMPORTED_MIN} to {IMPORTED_MAX} printable characters")
    if _is_rounded(key):
        raise BadRecord(
            f"the key {key} is a number that a spreadsheet has rounded; export the keys as text"
        )
    kind = _model(found)
    lost = list(found.lost)
    if found.is_trial and not kind.traits.is_trial:
        lost.append("that it is a trial")
    if found.seats not in {None, _own_cap(kind)} and not kind.traits.seat_cap_required:
        lost.append("the number of seats, which this license model does not have")
    ends_at = None if found.ends_at is None else instant_of(found.ends_at, zone)
    updates = None if found.updates_until is None else instant_of(found.updates_until, zone)
    receiver = _receiver(found, receiver, kind)
    draft = LicenseDraft(
        type=kind,
        license_key=key,
        license_name=(found.name or receiver or _UNNAMED)[:NAME_MAX],
        expiration_date=ends_at,
        updates_until=updates,
        max_active_users_count=found.seats if kind.traits.seat_cap_required else None,
        issued_to=receiver,
        notes=_notes(found.notes, lost),
        metadata=_metadata(found.metadata, lost),
        tags=found.tags,
    )
    for breach in term_breaches(terms_of(draft)):
        reason = f"{breach.field} {breach.message}".removesuffix(".")
        has_none = STANDS_FOR_NO_END in found.lost
        raise BadRecord(f"{reason}; it has {STANDS_FOR_NO_END}" if has_none else reason)
    carried = CarriedLicense(
        draft=draft, is_suspended=found.is_suspended, is_revoked=found.is_revoked
    )
    devices = _devices(found, kind, lost)
    return ReadyLicense(
        place=found.place, normal_key=normal_key, carried=carried, devices=devices, lost=lost
    )


def _is_rounded(text: str) -> bool:
    return _ROUNDED.fullmatch(_ungrouped(text)) is not None


def _ungrouped(key: str) -> str:
    """Return a key without what spreadsheets put between the thousands of a number."""
    grouped = _GROUPED.fullmatch(key)
    return key if grouped is None else key.replace(grouped[1], "")


def _model(found: FoundLicense) -> LicenseType:
    """Return the model that the export names, or the one with these terms."""
    if found.model is not None:
        try:
            kind = LicenseType(found.model)
        except (ValueError, TypeError):
            raise BadRecord(f"type must be one of {', '.join(LicenseType)}") from None
        if kind.traits.is_metered:
            raise BadRecord("metered licenses cannot be imported, because balances are not")
        return kind
    if found.is_floating and found.seats is None:
        raise BadRecord(f"a floating license needs a number of seats, 1 to {MAX_SEATS:,}")
    return next(kind for kind in LicenseType if _has_such_terms(kind.traits, found))


def _has_such_terms(traits: ModelTraits, found: FoundLicense) -> bool:
    if found.seats is not None:
        return traits.seat_kind is _seat_kind(found)
    has_term = found.ends_at is not None
    return (
        traits.seat_kind is SeatKind.NONE
        and traits.term_required is has_term
        and traits.is_trial is (found.is_trial and has_term)
    )


def _seat_kind(found: FoundLicense) -> SeatKind:
    if found.is_floating:
        return SeatKind.SESSION
    return SeatKind.MACHINE if found.seats == 1 else SeatKind.DEVICE


def _own_cap(kind: LicenseType) -> int | None:
    """Return the seats that each license of a model has, if it does not set its own."""
    return 1 if kind.traits.is_node_locked else None


def _receiver(found: FoundLicense, otherwise: str | None, kind: LicenseType) -> str | None:
    address = found.receiver or otherwise
    if address is None and not kind.traits.receiver_required:
        return None
    if address is None:
        raise BadRecord("it names no email address; name one for such licenses")
    read = read_email(address)
    if read is None:
        raise BadRecord("its email address is not valid")
    return read


def _devices(found: FoundLicense, kind: LicenseType, lost: list[str]) -> list[FoundDevice]:
    """Return the devices that take a seat, the newest first where there are more than seats."""
    usable = {
        device.hardware_id: device
        for device in found.devices
        if 1 <= len(device.hardware_id) <= _HARDWARE_ID_MAX
        and is_whole(device.hardware_id)
        and not _is_rounded(device.hardware_id)
    }
    if len(usable) < len(found.devices):
        lost.append(
            "devices with the same hardware ID, or one that was cut, that a spreadsheet has "
            "rounded, or that has more than 256 characters"
        )
    if kind.traits.seat_kind is SeatKind.SESSION:
        lost += ["devices, because sessions take the seats"] if usable else []
        return []
    newest = sorted(usable.values(), key=_newest_first)
    cap = found.seats if kind.traits.seat_cap_required else _own_cap(kind)
    if cap is None or len(newest) <= cap:
        return newest
    lost.append("the oldest devices, because there are more than seats")
    return newest[:cap]


def _newest_first(device: FoundDevice) -> float:
    return 0.0 if device.since is None else -device.since.timestamp()


def _notes(notes: str | None, lost: list[str]) -> str | None:
    if notes is None or len(notes.encode(errors="replace")) <= NOTES_MAX_BYTES:
        return notes
    lost.append("the end of the notes, which are longer than 20 kB")
    return notes.encode(errors="replace")[:NOTES_MAX_BYTES].decode(errors="ignore")


def _metadata(pairs: Mapping[str, str], lost: list[str]) -> dict[str, str]:
    kept = dict(list(_short(pairs))[: labels.MAX_PAIRS])
    if len(kept) < len(pairs):
        lost.append("metadata beyond 50 pairs, names of 100 and values of 1,000 characters")
    return kept


def _short(pairs: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name, value in pairs.items():
        if 1 <= len(name) <= labels.NAME_MAX and len(value) <= labels.VALUE_MAX:
            yield name, value


def shortened(text: str | None) -> str | None:
    """Return a name of a device, as long as it may be."""
    return None if text is None else text[:_LABEL_MAX]

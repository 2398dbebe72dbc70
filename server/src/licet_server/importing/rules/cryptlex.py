"""Cryptlex: lists of licenses and of activations from its API (version 3), each on a line.

An activation names its license; without the list of activations, no devices are carried over.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from licet_server.importing.rules.model import (
    BadRecord,
    FoundDevice,
    FoundLicense,
    Record,
    end_of,
    flag_of,
    record_of,
    records_of,
    text_of,
    time_of,
    whole_of,
)
from licet_server.importing.rules.pages import (
    Page,
    Refused,
    items_of,
    missing_licenses,
    records_in,
)

_FLOATING = {"hosted-floating", "on-premise-floating"}
_LOST = {
    "allowedIpAddresses": "allowed IP addresses",
    "disallowedIpAddresses": "disallowed IP addresses",
    "allowedCountries": "allowed countries",
    "disallowedCountries": "disallowed countries",
    "meterAttributes": "meter attributes",
    "requireAuthentication": "sign-in by the user",
    "userLocked": "the lock to a user",
}


def licenses_of(pages: Iterable[Page]) -> Iterator[FoundLicense | Refused]:
    """Yield the licenses of all pages; one that cannot be read is an error with its position."""
    licenses: dict[str, Record] = {}
    activations: dict[str, list[Record]] = {}
    refused: list[Refused] = []
    for item in records_in(pages, items_of, _kind_of, refused):
        if "key" in item:
            licenses[str(item.get("id"))] = item
        else:
            activations.setdefault(str(item["licenseId"]), []).append(item)
    for place, item in licenses.items():
        try:
            yield _license(place, item, activations.pop(place, ()))
        except BadRecord as fault:
            yield place, fault
    yield from refused
    yield from missing_licenses(activations, "activations")


def _kind_of(item: Record) -> str | None:
    return next((name for name in ("key", "licenseId") if name in item), None)


def _license(place: str, item: Record, activations: Sequence[Record]) -> FoundLicense:
    key = text_of(item, "key")
    if key is None:
        raise BadRecord("key is missing")
    is_floating = text_of(item, "type") in _FLOATING
    seats = whole_of(item, "allowedFloatingClients" if is_floating else "allowedActivations")
    lost = [what for name, what in _LOST.items() if item.get(name)]
    ends_at = end_of(item, "expiresAt", lost)
    if ends_at is None and item.get("validity"):
        lost.append("a term that begins with the first activation")
    return FoundLicense(
        place=place,
        product=text_of(item, "productId") or "",
        key=key,
        receiver=text_of(record_of(item.get("user")), "email"),
        ends_at=ends_at,
        updates_until=end_of(item, "maintenanceExpiresAt", lost),
        seats=seats or None,  # 0 is no limit
        is_floating=is_floating,
        is_suspended=flag_of(item, "suspended"),
        is_revoked=flag_of(item, "revoked"),
        notes=text_of(item, "notes"),
        metadata=_metadata(item),
        devices=[_device(activation) for activation in activations],
        lost=lost,
    )


def _metadata(item: Record) -> Mapping[str, str]:
    pairs = (
        (text_of(pair, "key"), text_of(pair, "value")) for pair in records_of(item.get("metadata"))
    )
    return {name: value or "" for name, value in pairs if name is not None}


def _device(activation: Record) -> FoundDevice:
    """Return a device, identified by the fingerprint that the Cryptlex library computes."""
    fingerprint = text_of(activation, "fingerprint") or text_of(activation, "id")
    if fingerprint is None:
        raise BadRecord("fingerprint of an activation is missing")
    return FoundDevice(
        hardware_id=fingerprint,
        name=text_of(activation, "hostname"),
        os=text_of(activation, "os"),
        app_version=text_of(activation, "appVersion"),
        since=time_of(activation, "createdAt"),
    )

"""Devices together with their licenses, which are found by their keys or by their customer."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import Integer, func, select, true

from licet_server.catalog.reading import version_of
from licet_server.devices.rules.model import DeviceFacts, LicensedDevice, SeatedFacts
from licet_server.devices.storage.activations import activation_of, rows_about, seats_of
from licet_server.devices.tables import activations
from licet_server.kit.database import Connection, Id, String
from licet_server.kit.statements import Arrays, related
from licet_server.licenses.rules.model import LicenseKeyOf
from licet_server.licenses.storage.records import LICENSE_COLUMNS, license_of, license_of_key
from licet_server.licenses.tables import licenses

_WANTED = Arrays(
    "wanted", place=Integer, institution_id=Id, product_id=Id, key=String, hardware_id=String
)
_LICENSE = license_of_key(_WANTED)
_VERSION = version_of(_WANTED.c.institution_id, _LICENSE.c.software_release_id)
_SEATS = seats_of(_WANTED.c.institution_id, _LICENSE.c.id)
_FOUND = rows_about(_WANTED.c.institution_id, _LICENSE.c.id, _WANTED.c.hardware_id)
_BY_KEYS = select(
    *_LICENSE.c,
    _VERSION.label("release_version"),
    _SEATS.c.seats_used,
    _WANTED.c.place,
    *_FOUND.c,
).select_from(
    _WANTED.table.join(_LICENSE, true()).outerjoin(_SEATS, true()).outerjoin(_FOUND, true())
)
_OTHERS = len(LICENSE_COLUMNS)
_DEVICE = _OTHERS + 3

LicenseAndDevice = tuple[LicenseKeyOf, str]
"""The key of a license, and a hardware ID; no device has an empty one."""


async def fetch_by_keys(
    db: Connection, wanted: Sequence[LicenseAndDevice], now: datetime
) -> list[LicensedDevice | None]:
    """Fetch licenses with what they know of a device and the seats in use at `now`, by position.

    In one statement; `None` for an unknown key.
    """
    found: list[LicensedDevice | None] = [None] * len(wanted)
    given = _WANTED.given([(place, *key, machine) for place, (key, machine) in enumerate(wanted)])
    for row in await db.execute(_BY_KEYS, {**given, "now": now}):
        version, seats_used, place = row[_OTHERS:_DEVICE]
        other, device = found[place], row[_DEVICE:]
        own = bound = None
        if other is not None:  # a device of its own, and the one that the license is bound to
            own, bound = other.seated.facts.own, other.seated.facts.bound_other
        if device[0] is not None:
            item = activation_of(device)
            if item.hardware_id == wanted[place][1]:
                own = item
            else:
                bound = item
        seated = SeatedFacts(DeviceFacts(own, bound), seats_used or 0)
        found[place] = LicensedDevice(license_of(row), version, seated)
    return found


_CUSTOMERS = Arrays("customers_wanted", institution_id=Id, customer_id=Id)
_LAST_SEEN = (
    select(licenses.c.customer_id, func.max(activations.c.last_seen_at).label("at"))
    .select_from(_CUSTOMERS.table)
    .join(licenses, _CUSTOMERS.same(licenses, "institution_id", "customer_id"))
    .join(activations, related(activations, licenses))
    .group_by(licenses.c.customer_id)
)


_LICENSES = Arrays("licenses_wanted", institution_id=Id, license_id=Id)
_SEEN_OF_LICENSE = (
    select(activations.c.license_id, func.max(activations.c.last_seen_at).label("at"))
    .select_from(_LICENSES.table)
    .join(activations, _LICENSES.same(activations, "institution_id", "license_id"))
    .group_by(activations.c.license_id)
)


async def last_seen_by_license(
    db: Connection, licenses: Sequence[tuple[UUID, UUID]]
) -> dict[UUID, datetime]:
    """Return when a device of these licenses was last seen; those without any are omitted."""
    rows = await db.execute(_SEEN_OF_LICENSE, _LICENSES.given(licenses))
    return {row.license_id: row.at for row in rows}


async def last_seen_by_customer(
    db: Connection, customers: Sequence[tuple[UUID, UUID]]
) -> dict[UUID, datetime]:
    """Return when a device of these customers was last seen; those without any are omitted."""
    rows = await db.execute(_LAST_SEEN, _CUSTOMERS.given(customers))
    return {row.customer_id: row.at for row in rows}

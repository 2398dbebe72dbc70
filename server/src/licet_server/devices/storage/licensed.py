"""Licenses that are found by their keys, together with what is known of a device."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select, true

from licet_server.catalog.reading import version_of
from licet_server.devices.rules.model import Activation, DeviceFacts, LicensedDevice, SeatedFacts
from licet_server.devices.storage.activations import activation_of, rows_about, seats_of
from licet_server.kit.database import Connection, Id, String
from licet_server.kit.statements import Arrays
from licet_server.licenses.rules.model import License, LicenseKeyOf
from licet_server.licenses.storage.records import LICENSE_COLUMNS, license_of, license_of_key

_WANTED = Arrays("wanted", institution_id=Id, product_id=Id, key=String, hardware_id=String)
_LICENSE = license_of_key(_WANTED)
_VERSION = version_of(_WANTED.c.institution_id, _LICENSE.c.software_release_id)
_SEATS = seats_of(_WANTED.c.institution_id, _LICENSE.c.id)
_FOUND = rows_about(_WANTED.c.institution_id, _LICENSE.c.id, _WANTED.c.hardware_id)
_BY_KEYS = select(
    *_LICENSE.c,
    _VERSION.label("release_version"),
    _SEATS.c.seats_used,
    _WANTED.c.hardware_id.label("wanted_hardware_id"),
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
) -> dict[LicenseAndDevice, LicensedDevice]:
    """Fetch licenses with what they know of a device and the seats in use at `now`.

    In one statement; unknown keys are omitted.
    """
    licenses: dict[LicenseAndDevice, tuple[License, str | None, int | None]] = {}
    own: dict[LicenseAndDevice, Activation] = {}
    bound: dict[LicenseAndDevice, Activation] = {}
    given = _WANTED.given([(*key, hardware_id) for key, hardware_id in wanted])
    for row in await db.execute(_BY_KEYS, {**given, "now": now}):
        license_ = license_of(row)
        version, seats_used, hardware_id = row[_OTHERS:_DEVICE]
        key = (license_.institution_id, license_.product_id, license_.normal_key)
        licenses[key, hardware_id] = (license_, version, seats_used)
        device = row[_DEVICE:]
        if device[0] is not None:
            item = activation_of(device)
            (own if item.hardware_id == hardware_id else bound)[key, hardware_id] = item
    return {
        item: LicensedDevice(
            license_,
            version,
            SeatedFacts(DeviceFacts(own.get(item), bound.get(item)), seats_used or 0),
        )
        for item, (license_, version, seats_used) in licenses.items()
    }

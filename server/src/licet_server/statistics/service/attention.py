"""Items that need attention, collected from the features below."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from licet_server.catalog.reading import product_names
from licet_server.devices.rules.model import Activation, UnreviewedAttempts
from licet_server.devices.storage.activations import count_pending, fetch_pending
from licet_server.devices.storage.attempts import count_unreviewed, fetch_unreviewed
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.licenses.rules.model import License
from licet_server.licenses.service import reading
from licet_server.licenses.service import statistics as licenses
from licet_server.statistics.schemas.attention import (
    AttemptedLicense,
    AttemptedLicenses,
    Attention,
    ExpiringLicense,
    ExpiringLicenses,
    LowLicense,
    LowLicenses,
    PendingDevice,
    PendingDevices,
)
from licet_server.statistics.schemas.figures import LowBalanceLicense
from licet_server.statistics.service.licenses import SOON, count_expiring_soon
from licet_server.statistics.service.meters import find_low_licenses
from licet_server.statistics.service.scope import Scope

SHOWN = 5

Names = Mapping[UUID, dict[str, Any]]
"""The license fields of an item, by license id; licenses deleted meanwhile are omitted."""


async def attention(scope: Scope, operator: Operator, shown: int = SHOWN) -> Attention:
    """Collect what needs attention in the scope, with up to `shown` items of each kind.

    Access attempts are those of the institutions where the operator is Owner or Admin. Devices are
    counted everywhere, and named there.
    """
    db, visibility, now = scope.db, scope.visibility, scope.now
    reviewed = visibility.within(*_reviewed_by(operator))
    pending = await fetch_pending(db, reviewed, shown)
    attempted = await fetch_unreviewed(db, reviewed, shown)
    soon = await licenses.find_expiring(db, visibility, now=now, until=now + SOON, limit=shown)
    low = await find_low_licenses(db, visibility, now)
    license_ids = {
        *(item.license_id for item in pending),
        *(item.license_id for item in attempted),
        *(item.license_id for item in low[:shown]),
        *soon,
    }
    known = await reading.find_by_ids(db, visibility, list(license_ids))
    names = await _fetch_names(db, known.values())
    return Attention(
        pending_activations=PendingDevices(
            count=await count_pending(db, visibility),
            items=[_pending(item, names) for item in pending if item.license_id in names],
        ),
        access_attempts=AttemptedLicenses(
            count=await count_unreviewed(db, reviewed),
            items=[_attempted(item, names) for item in attempted if item.license_id in names],
        )
        if reviewed.of_something
        else None,
        expiring_licenses=ExpiringLicenses(
            count=await count_expiring_soon(db, visibility, now),
            items=[_expiring(known[item], names, now) for item in soon if item in names],
        ),
        low_balances=LowLicenses(
            count=len(low),
            items=[_low(item, names) for item in low[:shown] if item.license_id in names],
        ),
    )


def _reviewed_by(operator: Operator) -> Iterable[UUID]:
    return filter(operator.is_admin_of, operator.roles)


async def _fetch_names(db: Connection, known: Iterable[License]) -> Names:
    found = list(known)
    keys = {(item.institution_id, item.product_id) for item in found}
    products = await product_names(db, list(keys))
    return {
        item.id: {
            "license_id": item.id,
            "license_name": item.license_name,
            "product_id": item.product_id,
            "product_name": products[item.product_id],
        }
        for item in found
        if item.product_id in products
    }


def _pending(item: Activation, names: Names) -> PendingDevice:
    return PendingDevice(
        **names[item.license_id],
        activation_id=item.id,
        device_name=item.device_name,
        created_at=item.created_at,
    )


def _attempted(item: UnreviewedAttempts, names: Names) -> AttemptedLicense:
    return AttemptedLicense(
        **names[item.license_id], attempts=item.attempts, last_seen_at=item.last_seen_at
    )


def _expiring(item: License, names: Names, now: datetime) -> ExpiringLicense:
    if item.expiration_date is None:
        raise ValueError("a license without a term does not expire")
    return ExpiringLicense(
        **names[item.id],
        type=item.type,
        issued_to=item.issued_to,
        expiration_date=item.expiration_date,
        in_grace_until=item.in_grace_until(now),
    )


def _low(item: LowBalanceLicense, names: Names) -> LowLicense:
    return LowLicense(
        **names[item.license_id],
        balance=item.balance,
        low_balance_threshold=item.low_balance_threshold,
    )

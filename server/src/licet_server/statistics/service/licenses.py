"""Figures of licenses."""

from collections import Counter
from datetime import datetime, timedelta
from itertools import chain
from uuid import UUID

from licet_server.catalog.reading import product_names
from licet_server.events.rules.kinds import EventKind
from licet_server.kit.database import Connection
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.model import LicenseGroup, LicenseStatus
from licet_server.licenses.rules.traits import LicenseType
from licet_server.licenses.service import statistics as licenses
from licet_server.statistics.rules.period import Period
from licet_server.statistics.schemas.figures import (
    LicenseDay,
    LicenseStatistics,
    ProductLicenses,
)
from licet_server.statistics.service.scope import Scope
from licet_server.statistics.service.shared import count_events

SOON = timedelta(days=30)

ProductId = tuple[UUID, UUID]
"""Institution and product."""

_EVENTS = {
    "created": [EventKind.LICENSE_CREATED],
    "renewed": [EventKind.LICENSE_RENEWED],
    "converted": [EventKind.LICENSE_CONVERTED],
    "revoked": [EventKind.LICENSE_REVOKED],
}


async def license_statistics(scope: Scope, period: Period) -> LicenseStatistics:
    """Return licenses by status, model and product, and license events of the period."""
    db, visibility = scope.db, scope.visibility
    groups = await licenses.count_groups(db, visibility, scope.now)
    counts = await count_events(scope, period, chain(*_EVENTS.values()))
    by_status, by_type = Counter[LicenseStatus](), Counter[LicenseType]()
    for group in groups:
        by_status[group.status] += group.count
        by_type[group.type] += group.count
    return LicenseStatistics(
        since=period.since,
        until=period.until,
        total=by_status.total(),
        by_status={status: by_status[status] for status in LicenseStatus},
        by_type={kind: by_type[kind] for kind in LicenseType},
        by_product=await _by_product(db, groups),
        expiring_in_30_days=await count_expiring_soon(db, visibility, scope.now),
        daily_trend=counts.trend(period.days, LicenseDay, _EVENTS),
        **counts.totals(_EVENTS),
    )


async def count_expiring_soon(db: Connection, visibility: Visibility, now: datetime) -> int:
    """Count active licenses that are in their grace, or whose term ends within 30 days."""
    return await licenses.count_expiring(db, visibility, now=now, until=now + SOON)


async def _by_product(db: Connection, groups: list[LicenseGroup]) -> list[ProductLicenses]:
    total, active = Counter[ProductId](), Counter[ProductId]()
    for group in groups:
        product = (group.institution_id, group.product_id)
        total[product] += group.count
        if group.status is LicenseStatus.ACTIVE:
            active[product] += group.count
    names = await product_names(db, list(total))
    return [
        ProductLicenses(
            product_id=product[1],
            product_name=names[product[1]],
            total=count,
            active=active[product],
        )
        for product, count in total.most_common()
        if product[1] in names
    ]

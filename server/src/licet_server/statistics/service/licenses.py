"""Figures of licenses."""

from collections import Counter
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import chain
from typing import Any
from uuid import UUID

from licet_server.catalog.reading import find_features_named, product_names
from licet_server.catalog.rules.model import Feature, FeatureKind
from licet_server.events.rules.kinds import EventKind
from licet_server.kit.database import Connection
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.entitlements import FeatureHolding
from licet_server.licenses.rules.model import LicenseGroup, LicenseStatus
from licet_server.licenses.rules.traits import LicenseType
from licet_server.licenses.storage import statistics as licenses
from licet_server.statistics.rules import Period
from licet_server.statistics.schemas import (
    FeatureHolders,
    FeatureStatistics,
    FeatureValueCount,
    LicenseDay,
    LicenseStatistics,
    ProductLicenses,
    ProductUnrestricted,
    RenewalDay,
    RenewalKinds,
    Renewals,
    RenewalStatistics,
)
from licet_server.statistics.service.scope import EventCounts, Scope, count_events

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


FEATURES = 500
VALUES = 20


async def feature_statistics(scope: Scope) -> FeatureStatistics:
    """Count the active licenses that have each feature, and with which values.

    At most 500 features, those that most licenses have, each with its 20 most common values.
    """
    db, visibility, now = scope.db, scope.visibility, scope.now
    holdings = await licenses.count_holdings(db, visibility, now, features=FEATURES, values=VALUES)
    unrestricted = await licenses.count_unrestricted(db, visibility, now)
    names = await product_names(db, list({*unrestricted, *(item.product for item in holdings)}))
    known = await find_features_named(db, [(*item.product, item.feature_name) for item in holdings])
    return FeatureStatistics(
        by_feature=[
            _holders(item, names[item.product[1]], feature)
            for item in holdings
            if (feature := known.get((*item.product, item.feature_name))) is not None
        ],
        unrestricted=[
            ProductUnrestricted(product_id, names[product_id], count)
            for (_, product_id), count in sorted(unrestricted.items(), key=lambda item: -item[1])
        ],
    )


def _holders(item: FeatureHolding, product_name: str, feature: Feature) -> FeatureHolders:
    shown = item.values if feature.kind is not FeatureKind.FLAG else ()
    others = item.licenses - sum(value.licenses for value in item.values)
    return FeatureHolders(
        product_id=item.product[1],
        product_name=product_name,
        feature_name=item.feature_name,
        kind=feature.kind,
        licenses=item.licenses,
        values=[FeatureValueCount(value.value, value.licenses) for value in shown],
        other_values=others,
    )


_ISSUED, _RENEWED, _MAINTAINED, _REVOKED = (
    EventKind.LICENSE_CREATED,
    EventKind.LICENSE_RENEWED,
    EventKind.LICENSE_MAINTENANCE_RENEWED,
    EventKind.LICENSE_REVOKED,
)


@dataclass(frozen=True, slots=True)
class _Found:
    events: EventCounts
    lapsed: dict[date, int]


async def renewal_statistics(scope: Scope, period: Period) -> RenewalStatistics:
    """Return renewed, lapsed and revoked licenses, with the period before."""
    found = await _find(scope, period)
    before = await _find(scope, period.before)
    return RenewalStatistics(
        since=period.since,
        until=period.until,
        previous=Renewals(**_totals(before)),
        daily_trend=[
            RenewalDay(
                date=day,
                issued=found.events.on(day, _ISSUED),
                renewed=found.events.on(day, _RENEWED),
                lapsed=found.lapsed.get(day, 0),
                revoked=found.events.on(day, _REVOKED),
            )
            for day in period.days
        ],
        **_totals(found),
    )


async def _find(scope: Scope, period: Period) -> _Found:
    return _Found(
        await count_events(scope, period, (_ISSUED, _RENEWED, _MAINTAINED, _REVOKED)),
        await licenses.count_lapsed_by_day(
            scope.db, scope.visibility, since=period.since, until=period.until, now=scope.now
        ),
    )


def _totals(found: _Found) -> dict[str, Any]:
    renewed, revoked = found.events.total(_RENEWED), found.events.total(_REVOKED)
    lapsed = sum(found.lapsed.values())
    return {
        "issued": found.events.total(_ISSUED),
        "renewed": renewed,
        "renewed_by_kind": RenewalKinds(term=renewed, updates=found.events.total(_MAINTAINED)),
        "lapsed": lapsed,
        "revoked": revoked,
        "churned": lapsed + revoked,
        "renewal_rate": round(renewed / (renewed + lapsed), 4) if renewed + lapsed else None,
    }

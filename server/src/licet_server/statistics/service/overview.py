"""The figures of the home page."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from msgspec.structs import asdict

from licet_server.catalog.reading import count_products, product_names, test_products
from licet_server.customers.service.customers import find_seen_names
from licet_server.devices.rules.model import Activation, ActivationStatus, UnreviewedAttempts
from licet_server.devices.storage.activations import count_by_status
from licet_server.devices.storage.attempts import count_unreviewed, fetch_unreviewed
from licet_server.devices.storage.waiting import count_waiting, fetch_waiting
from licet_server.events.rules.kinds import ADMINS_ONLY, EventKind
from licet_server.events.rules.model import RecordedEvent
from licet_server.events.storage.reading import (
    fetch_newest,
    fetch_newest_of_products,
    find_latest_of_licenses,
)
from licet_server.institutions.rules import operators
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.service.institutions import count_members
from licet_server.kit.amounts import plain
from licet_server.kit.database import Connection
from licet_server.kit.visibility import Visibility
from licet_server.kit.web.views import view_of
from licet_server.licenses.rules.model import License, LicenseStatus, seat_cap
from licet_server.licenses.service import reading
from licet_server.licenses.storage import statistics as licenses
from licet_server.metering.service.usage import sum_consumption
from licet_server.sessions.storage.counts import rank_by_live
from licet_server.statistics.rules import Period
from licet_server.statistics.schemas import (
    Activity,
    AttemptedLicense,
    AttemptedLicenses,
    Attention,
    ComparedFigure,
    Comparison,
    CurrentCounts,
    ExpiringLicense,
    ExpiringLicenses,
    FigureName,
    InstitutionOverview,
    LowBalanceLicense,
    LowLicense,
    LowLicenses,
    Overview,
    PendingDevice,
    PendingDevices,
    RejectingLicense,
    RejectingLicenses,
)
from licet_server.statistics.service.licenses import SOON, count_expiring_soon
from licet_server.statistics.service.meters import find_low_licenses
from licet_server.statistics.service.scope import EventCounts, Scope, count_events, find_scope
from licet_server.statistics.service.use import read_usage

_CREATIONS = (
    EventKind.LICENSE_CREATED,
    EventKind.ACTIVATION_CREATED,
    EventKind.ACTIVATION_PENDING,
    EventKind.SESSION_STARTED,
)


async def overview(scope: Scope, period: Period) -> Overview:
    """Return present totals, and what was created in the period."""
    counts = await count_events(scope, period, _CREATIONS)
    created, pending, started = (
        counts.total(kind)
        for kind in (
            EventKind.ACTIVATION_CREATED,
            EventKind.ACTIVATION_PENDING,
            EventKind.SESSION_STARTED,
        )
    )
    return Overview(
        **asdict(await count_current(scope.db, scope.visibility, scope.now)),
        since=period.since,
        until=period.until,
        licenses_created=counts.total(EventKind.LICENSE_CREATED),
        activations_created=created + pending,
        sessions_started=started,
    )


async def count_current(db: Connection, visibility: Visibility, now: datetime) -> CurrentCounts:
    """Count what is there at present."""
    groups = await licenses.count_groups(db, visibility, now)
    by_status = await count_by_status(db, visibility, now)
    live, _ = await rank_by_live(db, visibility, 1, now)
    return CurrentCounts(
        products=await count_products(db, visibility),
        licenses=sum(group.count for group in groups),
        active_licenses=sum(
            group.count for group in groups if group.status is LicenseStatus.ACTIVE
        ),
        expiring_in_30_days=await count_expiring_soon(db, visibility, now),
        activations=by_status[ActivationStatus.ACTIVE],
        pending_activations=await count_waiting(db, visibility, now),
        blocked_activations=by_status[ActivationStatus.BLOCKED],
        live_sessions=live,
        unreviewed_access_attempts=await count_unreviewed(db, visibility),
    )


ACTIVITIES = 20


async def institution_overview(
    db: Connection, operator: Operator, institution_id: UUID, now: datetime
) -> InstitutionOverview:
    """Return figures of what the operator sees in an institution, and its latest events.

    Events belong to whole products. Operators who see only parts of the institution do not get
    events about single releases or about no product.
    """
    visibility = (await find_scope(db, operator, institution_id, None, now)).visibility
    is_admin = operator.is_admin_of(institution_id)
    newest = await _newest(db, visibility, institution_id, () if is_admin else ADMINS_ONLY)
    about = {item.license_id for item in newest if item.license_id is not None}
    own = operator.visibility_of(institution_id)  # with its Test products, which no figure counts
    licenses = await reading.find_by_ids(db, own.of_whole_products(), list(about))
    tests = await test_products(db, [institution_id])
    return InstitutionOverview(
        **asdict(await count_current(db, visibility, now)),
        members=await count_members(db, institution_id),
        recent_activity=[
            _activity(item, licenses, is_admin, test=item.is_for_tests(tests)) for item in newest
        ],
    )


async def _newest(
    db: Connection, visibility: Visibility, institution_id: UUID, without: Collection[str]
) -> list[RecordedEvent]:
    if visibility.institutions:
        return await fetch_newest(db, institution_id, without, ACTIVITIES)
    return await fetch_newest_of_products(
        db, institution_id, visibility.products, without, ACTIVITIES
    )


def _activity(
    item: RecordedEvent, licenses: Mapping[UUID, License], names_actors: bool, *, test: bool
) -> Activity:
    license_ = None if item.license_id is None else licenses.get(item.license_id)
    return view_of(
        Activity,
        item,
        type=item.kind,
        license_id=None if license_ is None else license_.id,
        license_name=None if license_ is None else license_.license_name,
        test=test,
        actor_kind=item.actor_kind if names_actors else None,
        actor_name=item.actor_name if names_actors else None,
    )


SHOWN = 5
REJECTED_SINCE = timedelta(days=1)
MOST_FULL = 100
"""Licenses that rejected a device, of which those count that are still full."""
_REJECTIONS = (EventKind.ACTIVATION_LIMIT_REACHED, EventKind.SESSION_LIMIT_REACHED)

Names = Mapping[UUID, dict[str, Any]]
"""The license fields of an item, by license id; licenses deleted meanwhile are omitted."""


async def attention(scope: Scope, operator: Operator, shown: int = SHOWN) -> Attention:
    """Collect what needs attention in the scope, with up to `shown` items of each kind.

    Access attempts are those of the institutions where the operator is Owner or Admin. Devices are
    counted everywhere, and named there. API keys need `Activations.Read` to see
    either, `Licenses.Read` to see the holders of licenses, and `Customers.Read` to see the names of
    customers, which Members do not see.
    """
    db, visibility, now = scope.db, scope.visibility, scope.now
    reviewed = visibility.within(*_reviewed_by(operator))
    pending = await fetch_waiting(db, reviewed, shown, now)
    attempted = await fetch_unreviewed(db, reviewed, shown)
    soon = await licenses.find_expiring(db, visibility, now=now, until=now + SOON, limit=shown)
    low = await find_low_licenses(db, visibility, now)
    full = await _find_full(scope)
    license_ids = {
        *(item.license_id for item in pending),
        *(item.license_id for item in attempted),
        *(item.license_id for item in low[:shown]),
        *list(full)[:shown],
        *soon,
    }
    known = await reading.find_by_ids(db, visibility, list(license_ids))
    names = await _fetch_names(db, operator, known.values())
    return Attention(
        pending_activations=PendingDevices(
            count=await count_waiting(db, visibility, now),
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
            items=[_expiring(known[item], names, operator, now) for item in soon if item in names],
        ),
        low_balances=LowLicenses(
            count=len(low),
            items=[_low(item, names) for item in low[:shown] if item.license_id in names],
        ),
        full_licenses=RejectingLicenses(
            count=len(full),
            items=[
                RejectingLicense(**names[item], seats=seats, rejected_at=at)
                for item, (seats, at) in list(full.items())[:shown]
                if item in names
            ],
        ),
    )


async def _find_full(scope: Scope) -> dict[UUID, tuple[int, datetime]]:
    """Find full licenses that rejected a device of late: how many seats they have, and when."""
    db, visibility, now = scope.db, scope.visibility, scope.now
    since = now - REJECTED_SINCE
    rejected = await find_latest_of_licenses(db, visibility, _REJECTIONS, since, MOST_FULL)
    if not rejected:
        return {}
    known = await reading.find_by_ids(db, visibility, list(rejected))
    used = await read_usage(db, list(known.values()), now)
    found = {}
    for license_id, at in rejected.items():
        license_ = known.get(license_id)
        if license_ is None or license_.status(now) is not LicenseStatus.ACTIVE:
            continue
        seats, in_use = seat_cap(license_), used[license_id].seats_used
        if seats is not None and in_use is not None and in_use >= seats:
            found[license_id] = (seats, at)
    return found


def _reviewed_by(operator: Operator) -> Iterable[UUID]:
    sees_devices = operator.covers(operators.Scope.ACTIVATIONS_READ)
    return filter(operator.is_admin_of, operator.roles) if sees_devices else ()


async def _fetch_names(db: Connection, operator: Operator, known: Iterable[License]) -> Names:
    found = list(known)
    keys = {(item.institution_id, item.product_id) for item in found}
    products = await product_names(db, list(keys))
    holders = [(item.institution_id, item.customer_id) for item in found]
    customers = await find_seen_names(db, operator, holders)
    return {
        item.id: {
            "license_id": item.id,
            "license_name": item.license_name,
            "customer_name": customers.get(item.customer_id),
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


def _expiring(item: License, names: Names, operator: Operator, now: datetime) -> ExpiringLicense:
    if item.expiration_date is None:
        raise ValueError("a license without a term does not expire")
    return ExpiringLicense(
        **names[item.id],
        type=item.type,
        issued_to=item.issued_to if operator.covers(operators.Scope.LICENSES_READ) else None,
        expiration_date=item.expiration_date,
        in_grace_until=item.in_grace_until(now),
    )


def _low(item: LowBalanceLicense, names: Names) -> LowLicense:
    return LowLicense(
        **names[item.license_id],
        balance=item.balance,
        low_balance_threshold=item.low_balance_threshold,
    )


_EVENTS: Mapping[FigureName, Sequence[EventKind]] = {
    FigureName.LICENSES_ISSUED: (EventKind.LICENSE_CREATED,),
    FigureName.LICENSES_RENEWED: (EventKind.LICENSE_RENEWED,),
    FigureName.LICENSES_CONVERTED: (EventKind.LICENSE_CONVERTED,),
    FigureName.LICENSES_REVOKED: (EventKind.LICENSE_REVOKED,),
    FigureName.LICENSES_EXPIRED: (EventKind.LICENSE_EXPIRED,),
    FigureName.DEVICES_ADDED: (EventKind.ACTIVATION_CREATED, EventKind.ACTIVATION_PENDING),
    FigureName.DEVICES_REMOVED: (EventKind.ACTIVATION_DELETED,),
    FigureName.ACCESS_ATTEMPTS: (EventKind.ACCESS_ATTEMPT_DETECTED,),
    FigureName.SESSIONS_STARTED: (EventKind.SESSION_STARTED,),
    FigureName.LIMITS_REACHED: _REJECTIONS,
}
_COMPARED = [kind for kinds in _EVENTS.values() for kind in kinds]


async def comparison(scope: Scope, period: Period) -> Comparison:
    """Compare the figures of the period with those of the period of the same length before it."""
    present = await _figures(scope, period)
    before = await _figures(scope, period.before)
    return Comparison(
        since=period.since,
        until=period.until,
        previous_since=period.before.since,
        previous_until=period.before.until,
        figures=[ComparedFigure(name, value, before[name]) for name, value in present.items()],
    )


async def _figures(scope: Scope, period: Period) -> dict[FigureName, Decimal]:
    counts = await count_events(scope, period, _COMPARED)
    consumed = await sum_consumption(
        scope.db, scope.visibility, since=period.since, until=period.until
    )
    figures = {name: _total(counts, kinds) for name, kinds in _EVENTS.items()}
    return {**figures, FigureName.CONSUMPTION: plain(consumed)}


def _total(counts: EventCounts, kinds: Sequence[EventKind]) -> Decimal:
    return Decimal(sum(counts.total(kind) for kind in kinds))

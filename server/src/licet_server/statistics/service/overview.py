"""The figures of the home page."""

from datetime import datetime

from msgspec.structs import asdict

from licet_server.catalog.reading import count_products
from licet_server.devices.rules.model import ActivationStatus
from licet_server.devices.storage.activations import count_by_status
from licet_server.devices.storage.attempts import count_unreviewed
from licet_server.events.rules.kinds import EventKind
from licet_server.kit.database import Connection
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.model import LicenseStatus
from licet_server.licenses.service import statistics as licenses
from licet_server.sessions.storage.counts import rank_by_live
from licet_server.statistics.rules.period import Period
from licet_server.statistics.schemas.figures import CurrentCounts, Overview
from licet_server.statistics.service.licenses import count_expiring_soon
from licet_server.statistics.service.scope import Scope
from licet_server.statistics.service.shared import count_events

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
        pending_activations=by_status[ActivationStatus.PENDING],
        blocked_activations=by_status[ActivationStatus.BLOCKED],
        live_sessions=live,
        unreviewed_access_attempts=await count_unreviewed(db, visibility),
    )

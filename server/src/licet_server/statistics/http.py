"""Routes of statistics."""

from collections.abc import AsyncGenerator
from datetime import timedelta
from typing import Annotated, Any
from uuid import UUID

from litestar import Request, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, QueryParameter

from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules import api_keys
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.platform import Platform
from licet_server.kit.web.context import context_of
from licet_server.kit.web.dependencies import Given
from licet_server.statistics.rules.period import Period, period_of, whole_days_before
from licet_server.statistics.schemas.attention import Attention
from licet_server.statistics.schemas.features import FeatureStatistics
from licet_server.statistics.schemas.figures import (
    ActivationStatistics,
    InstitutionOverview,
    LicenseCounts,
    LicenseStatistics,
    MeterStatistics,
    Overview,
    SessionStatistics,
    TelemetryStatistics,
)
from licet_server.statistics.schemas.trends import (
    Comparison,
    ConcurrencyStatistics,
    RenewalStatistics,
    VersionStatistics,
)
from licet_server.statistics.service.activations import activation_statistics
from licet_server.statistics.service.attention import attention
from licet_server.statistics.service.comparison import comparison
from licet_server.statistics.service.concurrency import concurrency_statistics
from licet_server.statistics.service.counts import license_counts
from licet_server.statistics.service.features import feature_statistics
from licet_server.statistics.service.institutions import institution_overview
from licet_server.statistics.service.licenses import license_statistics
from licet_server.statistics.service.meters import license_meter_statistics, meter_statistics
from licet_server.statistics.service.overview import overview
from licet_server.statistics.service.renewals import renewal_statistics
from licet_server.statistics.service.scope import Scope, find_license, find_scope
from licet_server.statistics.service.sessions import session_statistics
from licet_server.statistics.service.telemetry import telemetry_statistics
from licet_server.statistics.service.versions import version_statistics

_VIEWER = InstitutionRole(Role.VIEWER, api_keys.Scope.STATISTICS_READ)
_TAGS = ["Statistics"]

InstitutionId = Annotated[UUID | None, QueryParameter(name="institutionId")]
ProductId = Annotated[UUID | None, QueryParameter(name="productId")]


def provide_period(
    request: Request[Any, Any, Any],
    from_text: Annotated[
        str | None,
        QueryParameter(
            name="from", description="A day or a time; by default 30 days before the end."
        ),
    ] = None,
    to_text: Annotated[
        str | None,
        QueryParameter(name="to", description="A day, included, or a time; by default today."),
    ] = None,
) -> Period:
    """The period of the query, in whole days where its rows may be in archives."""
    platform = context_of(request).platform
    now, settings = platform.clock(), platform.settings
    period = period_of(from_text, to_text, now)
    kept = timedelta(days=min(settings.keep_events, settings.keep_ledger))
    return whole_days_before(period, now - kept) if settings.archiving else period


async def provide_scope(
    platform: Given[Platform],
    operator: Given[Operator],
    institution_id: InstitutionId = None,
    product_id: ProductId = None,
) -> AsyncGenerator[Scope, None]:
    """What the query covers, with a snapshot to read it from."""
    async with platform.database.snapshot() as db:
        visibility = await find_scope(db, operator, institution_id, product_id)
        yield Scope(db, visibility)


@get("/api/statistics/overview", access=_VIEWER, problems=(ErrorCode.NOT_FOUND,), tags=_TAGS)
async def show_overview(
    platform: Given[Platform], statistics_scope: Given[Scope], period: Given[Period]
) -> Overview:
    """The figures of the home page."""
    return await overview(statistics_scope, period, platform.clock())


@get("/api/statistics/licenses", access=_VIEWER, problems=(ErrorCode.NOT_FOUND,), tags=_TAGS)
async def show_license_statistics(
    platform: Given[Platform], statistics_scope: Given[Scope], period: Given[Period]
) -> LicenseStatistics:
    """Licenses by status, model and product, and license events of the period."""
    return await license_statistics(statistics_scope, period, platform.clock())


@get("/api/statistics/features", access=_VIEWER, problems=(ErrorCode.NOT_FOUND,), tags=_TAGS)
async def show_feature_statistics(
    platform: Given[Platform], statistics_scope: Given[Scope]
) -> FeatureStatistics:
    """Who has what: how many active licenses have each feature, and with which values.

    At most 500 features, those that most licenses have, each with its 20 commonest values.
    """
    return await feature_statistics(statistics_scope, platform.clock())


@get("/api/statistics/activations", access=_VIEWER, problems=(ErrorCode.NOT_FOUND,), tags=_TAGS)
async def show_activation_statistics(
    platform: Given[Platform], statistics_scope: Given[Scope], period: Given[Period]
) -> ActivationStatistics:
    """Devices by status, and device events of the period."""
    return await activation_statistics(statistics_scope, period, platform.clock())


@get("/api/statistics/sessions", access=_VIEWER, problems=(ErrorCode.NOT_FOUND,), tags=_TAGS)
async def show_session_statistics(
    platform: Given[Platform], statistics_scope: Given[Scope], period: Given[Period]
) -> SessionStatistics:
    """Live sessions, and session events of the period."""
    return await session_statistics(statistics_scope, period, platform.clock())


@get(
    "/api/statistics/meter-usage",
    access=InstitutionRole(Role.VIEWER, api_keys.Scope.METER_READ, api_keys.Scope.STATISTICS_READ),
    problems=(ErrorCode.NOT_FOUND,),
    tags=_TAGS,
)
async def show_meter_usage(
    platform: Given[Platform],
    operator: Given[Operator],
    period: Given[Period],
    institution_id: InstitutionId = None,
    product_id: ProductId = None,
    license_id: Annotated[UUID | None, QueryParameter(name="licenseId")] = None,
) -> MeterStatistics:
    """Consumption, grants and balances of metered licenses, or of one of them."""
    now = platform.clock()
    # Not `Scope`: a single license may be visible where its whole product is not.
    async with platform.database.snapshot() as db:
        if license_id is not None:
            license_ = await find_license(
                db,
                operator,
                institution_id=institution_id,
                product_id=product_id,
                license_id=license_id,
            )
            return await license_meter_statistics(db, license_, period, now)
        visibility = await find_scope(db, operator, institution_id, product_id)
        return await meter_statistics(Scope(db, visibility), period, now)


@get(
    "/api/institutions/{institution_id:uuid}/overview",
    access=InstitutionRole(Role.VIEWER),
    tags=["Institutions"],
)
async def show_institution_overview(
    db: Given[Connection],
    platform: Given[Platform],
    operator: Given[Operator],
    institution_id: FromPath[UUID],
) -> InstitutionOverview:
    """The figures of an institution, and its latest events.

    Members get the figures and events of the products that are assigned to them. Events about
    people, API keys, devices and sessions, and the names of those who caused events, are for Owners
    and Admins.
    """
    return await institution_overview(db, operator, institution_id, platform.clock())


@get(
    "/api/licenses/{license_id:uuid}/counts",
    access=InstitutionRole(Role.VIEWER, api_keys.Scope.ACTIVATIONS_READ),
    tags=["Licenses"],
)
async def show_license_counts(
    platform: Given[Platform],
    db: Given[Connection],
    operator: Given[Operator],
    license_id: FromPath[UUID],
) -> LicenseCounts:
    """Count the devices, live sessions and access attempts of a license.

    This is what Members and Viewers see of them.
    """
    return await license_counts(db, operator, license_id, platform.clock())


@get("/api/statistics/telemetry", access=_VIEWER, problems=(ErrorCode.NOT_FOUND,), tags=_TAGS)
async def show_telemetry_statistics(
    statistics_scope: Given[Scope], period: Given[Period]
) -> TelemetryStatistics:
    """Telemetry by whole UTC days, within the retention period."""
    return await telemetry_statistics(statistics_scope, period)


@get("/api/statistics/attention", access=_VIEWER, problems=(ErrorCode.NOT_FOUND,), tags=_TAGS)
async def show_attention(
    platform: Given[Platform], operator: Given[Operator], statistics_scope: Given[Scope]
) -> Attention:
    """What needs attention now: up to five items of each kind, the most urgent first.

    Pending devices are named to Owners and Admins only. Access attempts are for them, too, and null
    for others.
    """
    return await attention(statistics_scope, operator, platform.clock())


@get("/api/statistics/comparison", access=_VIEWER, problems=(ErrorCode.NOT_FOUND,), tags=_TAGS)
async def show_comparison(statistics_scope: Given[Scope], period: Given[Period]) -> Comparison:
    """What happened in the period, against the period of the same length before it."""
    return await comparison(statistics_scope, period)


@get("/api/statistics/versions", access=_VIEWER, problems=(ErrorCode.NOT_FOUND,), tags=_TAGS)
async def show_version_statistics(
    platform: Given[Platform], statistics_scope: Given[Scope], period: Given[Period]
) -> VersionStatistics:
    """Active devices and live sessions by version of the application, the 100 commonest."""
    return await version_statistics(statistics_scope, period, platform.clock())


@get("/api/statistics/concurrency", access=_VIEWER, problems=(ErrorCode.NOT_FOUND,), tags=_TAGS)
async def show_concurrency_statistics(
    platform: Given[Platform], statistics_scope: Given[Scope], period: Given[Period]
) -> ConcurrencyStatistics:
    """The most sessions of Floating licenses at once, by day, against their seats."""
    return await concurrency_statistics(statistics_scope, period, platform.clock())


@get("/api/statistics/renewals", access=_VIEWER, problems=(ErrorCode.NOT_FOUND,), tags=_TAGS)
async def show_renewal_statistics(
    platform: Given[Platform], statistics_scope: Given[Scope], period: Given[Period]
) -> RenewalStatistics:
    """Renewed, lapsed and revoked licenses, with the period before."""
    return await renewal_statistics(statistics_scope, period, platform.clock())


ROUTES: list[HTTPRouteHandler] = [
    show_overview,
    show_comparison,
    show_version_statistics,
    show_concurrency_statistics,
    show_renewal_statistics,
    show_attention,
    show_license_statistics,
    show_feature_statistics,
    show_activation_statistics,
    show_session_statistics,
    show_meter_usage,
    show_institution_overview,
    show_license_counts,
    show_telemetry_statistics,
]

"""Routes of statistics."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from datetime import timedelta
from functools import partial
from typing import Annotated, Any, TypeVar, get_type_hints
from uuid import UUID

from litestar import Request
from litestar.params import FromPath, QueryParameter

from licet_server.devices.service.seats import DeviceHooks
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules import operators
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.platform import Platform
from licet_server.kit.web.context import context_of
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.routes import Routes
from licet_server.statistics.rules import Period, period_of, whole_days_before
from licet_server.statistics.schemas import (
    Attention,
    FeatureStatistics,
    InstitutionOverview,
    LicenseCounts,
    MeterStatistics,
)
from licet_server.statistics.service.licenses import (
    feature_statistics,
    license_statistics,
    renewal_statistics,
)
from licet_server.statistics.service.meters import license_meter_statistics, meter_statistics
from licet_server.statistics.service.overview import (
    attention,
    comparison,
    institution_overview,
    overview,
)
from licet_server.statistics.service.scope import Scope, find_license, find_scope
from licet_server.statistics.service.use import (
    activation_statistics,
    concurrency_statistics,
    license_counts,
    session_statistics,
    telemetry_statistics,
    version_statistics,
)

ROUTES = Routes("Statistics")
_read = partial(
    ROUTES.get,
    access=InstitutionRole(Role.VIEWER, operators.Scope.STATISTICS_READ),
    problems=(ErrorCode.NOT_FOUND,),
)

Figures = TypeVar("Figures")

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
    """Return the period of the query, in whole days where its rows may be in archives."""
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
    """Return what the query covers, with a snapshot to read it from."""
    async with platform.database.snapshot() as db:
        yield await find_scope(db, operator, institution_id, product_id, platform.clock())


def _statistic(
    name: str, operation_id: str, read: Callable[[Scope, Period], Awaitable[Figures]]
) -> None:
    """Declare the route of a statistic of a period, described by the docstring of `read`."""

    async def show(statistics_scope: Given[Scope], period: Given[Period]) -> Figures:
        return await read(statistics_scope, period)

    show.__doc__ = read.__doc__
    show.__annotations__["return"] = get_type_hints(read)["return"]
    _read(f"/api/statistics/{name}", operation_id=operation_id)(show)


@_read("/api/statistics/features")
async def show_feature_statistics(statistics_scope: Given[Scope]) -> FeatureStatistics:
    """Count the active licenses that have each feature, and with which values.

    At most 500 features, those that most licenses have, each with its 20 most common values.
    """
    return await feature_statistics(statistics_scope)


@ROUTES.get(
    "/api/statistics/meter-usage",
    access=InstitutionRole(
        Role.VIEWER, operators.Scope.METER_READ, operators.Scope.STATISTICS_READ
    ),
    problems=(ErrorCode.NOT_FOUND,),
)
async def show_meter_usage(
    platform: Given[Platform],
    operator: Given[Operator],
    period: Given[Period],
    institution_id: InstitutionId = None,
    product_id: ProductId = None,
    license_id: Annotated[UUID | None, QueryParameter(name="licenseId")] = None,
) -> MeterStatistics:
    """Return consumption, grants and balances of metered licenses, or of one of them."""
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
            return await license_meter_statistics(db, license_, period, license_.instant(now))
        scope = await find_scope(db, operator, institution_id, product_id, now)
        return await meter_statistics(scope, period)


@ROUTES.get(
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
    """Return the figures of an institution, and its latest events.

    Members get the figures and events of the products that are assigned to them. Events about
    people, API keys, devices and sessions, and the names of those who caused events, are for Owners
    and Admins.
    """
    return await institution_overview(db, operator, institution_id, platform.clock())


@ROUTES.get(
    "/api/licenses/{license_id:uuid}/counts",
    access=InstitutionRole(Role.VIEWER, operators.Scope.ACTIVATIONS_READ),
    tags=["Licenses"],
)
async def show_license_counts(
    platform: Given[Platform],
    db: Given[Connection],
    operator: Given[Operator],
    device_hooks: Given[DeviceHooks],
    license_id: FromPath[UUID],
) -> LicenseCounts:
    """Count the devices, live sessions and access attempts of a license.

    This is what Members and Viewers see of them.
    """
    return await license_counts(db, device_hooks, operator, license_id, platform.clock())


@_read("/api/statistics/attention")
async def show_attention(operator: Given[Operator], statistics_scope: Given[Scope]) -> Attention:
    """List what needs attention now: up to five items of each kind, the most urgent first.

    Pending devices are named to Owners and Admins only. Access attempts are for them, too, and null
    for others.
    """
    return await attention(statistics_scope, operator)


_statistic("overview", "showOverview", overview)
_statistic("comparison", "showComparison", comparison)
_statistic("versions", "showVersionStatistics", version_statistics)
_statistic("concurrency", "showConcurrencyStatistics", concurrency_statistics)
_statistic("renewals", "showRenewalStatistics", renewal_statistics)
_statistic("licenses", "showLicenseStatistics", license_statistics)
_statistic("activations", "showActivationStatistics", activation_statistics)
_statistic("sessions", "showSessionStatistics", session_statistics)
_statistic("telemetry", "showTelemetryStatistics", telemetry_statistics)

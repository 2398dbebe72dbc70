"""Routes of statistics."""

from typing import Annotated, Any
from uuid import UUID

from litestar import Request, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, QueryParameter

from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.platform import Platform
from licet_server.kit.web.context import context_of
from licet_server.kit.web.dependencies import Given
from licet_server.statistics.rules.attention import Attention
from licet_server.statistics.rules.figures import (
    ActivationStatistics,
    InstitutionOverview,
    LicenseStatistics,
    MeterStatistics,
    Overview,
    SessionStatistics,
    TelemetryStatistics,
)
from licet_server.statistics.rules.period import Period, period_of
from licet_server.statistics.service.activations import activation_statistics
from licet_server.statistics.service.attention import attention
from licet_server.statistics.service.institutions import institution_overview
from licet_server.statistics.service.licenses import license_statistics
from licet_server.statistics.service.meters import license_meter_statistics, meter_statistics
from licet_server.statistics.service.overview import overview
from licet_server.statistics.service.scope import find_license, find_scope
from licet_server.statistics.service.sessions import session_statistics
from licet_server.statistics.service.telemetry import telemetry_statistics

_VIEWER = InstitutionRole(Role.VIEWER)
_TAGS = ["Statistics"]

InstitutionId = Annotated[UUID | None, QueryParameter(name="institutionId")]
ProductId = Annotated[UUID | None, QueryParameter(name="productId")]


def provide_period(
    request: Request[Any, Any, Any],
    given_from: Annotated[
        str | None,
        QueryParameter(
            name="from", description="A day or a time; by default 30 days before the end."
        ),
    ] = None,
    given_to: Annotated[
        str | None,
        QueryParameter(name="to", description="A day, included, or a time; by default today."),
    ] = None,
) -> Period:
    """The period asked for in the query."""
    return period_of(given_from, given_to, context_of(request).platform.clock())


@get("/api/statistics/overview", access=_VIEWER, tags=_TAGS)
async def show_overview(
    db: Given[Connection],
    platform: Given[Platform],
    operator: Given[Operator],
    period: Given[Period],
    institution_id: InstitutionId = None,
    product_id: ProductId = None,
) -> Overview:
    """The figures of a home page."""
    visibility = await find_scope(db, operator, institution_id, product_id)
    return await overview(db, visibility, period, platform.clock())


@get("/api/statistics/licenses", access=_VIEWER, tags=_TAGS)
async def show_license_statistics(
    db: Given[Connection],
    platform: Given[Platform],
    operator: Given[Operator],
    period: Given[Period],
    institution_id: InstitutionId = None,
    product_id: ProductId = None,
) -> LicenseStatistics:
    """Licenses by status, model and product, and what happened to them."""
    visibility = await find_scope(db, operator, institution_id, product_id)
    return await license_statistics(db, visibility, period, platform.clock())


@get("/api/statistics/activations", access=_VIEWER, tags=_TAGS)
async def show_activation_statistics(
    db: Given[Connection],
    operator: Given[Operator],
    period: Given[Period],
    institution_id: InstitutionId = None,
    product_id: ProductId = None,
) -> ActivationStatistics:
    """Devices by status, and what happened to them."""
    visibility = await find_scope(db, operator, institution_id, product_id)
    return await activation_statistics(db, visibility, period)


@get("/api/statistics/sessions", access=_VIEWER, tags=_TAGS)
async def show_session_statistics(
    db: Given[Connection],
    platform: Given[Platform],
    operator: Given[Operator],
    period: Given[Period],
    institution_id: InstitutionId = None,
    product_id: ProductId = None,
) -> SessionStatistics:
    """Live sessions, and what happened to sessions."""
    visibility = await find_scope(db, operator, institution_id, product_id)
    return await session_statistics(db, visibility, period, platform.clock())


@get("/api/statistics/meter-usage", access=_VIEWER, tags=_TAGS)
async def show_meter_usage(
    platform: Given[Platform],
    operator: Given[Operator],
    period: Given[Period],
    institution_id: InstitutionId = None,
    product_id: ProductId = None,
    license_id: Annotated[UUID | None, QueryParameter(name="licenseId")] = None,
) -> MeterStatistics:
    """What metered licenses used, were granted and have left; or what one of them did."""
    now = platform.clock()
    async with platform.database.snapshot() as db:
        if license_id is not None:
            license_ = await find_license(db, operator, institution_id, product_id, license_id)
            return await license_meter_statistics(db, license_, period, now)
        visibility = await find_scope(db, operator, institution_id, product_id)
        return await meter_statistics(db, visibility, period, now)


@get("/api/institutions/{institution_id:uuid}/overview", access=_VIEWER, tags=["Institutions"])
async def show_institution_overview(
    db: Given[Connection],
    platform: Given[Platform],
    operator: Given[Operator],
    institution_id: FromPath[UUID],
) -> InstitutionOverview:
    """What there is in an institution, and what happened last.

    Members get the figures and events of the products that are assigned to them. Events about
    people and API keys, and who did what, are for Owners and Admins.
    """
    return await institution_overview(db, operator, institution_id, platform.clock())


@get("/api/statistics/telemetry", access=_VIEWER, tags=_TAGS)
async def show_telemetry_statistics(
    platform: Given[Platform],
    operator: Given[Operator],
    period: Given[Period],
    institution_id: InstitutionId = None,
    product_id: ProductId = None,
) -> TelemetryStatistics:
    """What applications told of, by whole UTC days, as long as it is kept."""
    async with platform.database.snapshot() as db:
        visibility = await find_scope(db, operator, institution_id, product_id)
        return await telemetry_statistics(db, visibility, period)


@get("/api/statistics/attention", access=_VIEWER, tags=_TAGS)
async def show_attention(
    db: Given[Connection],
    platform: Given[Platform],
    operator: Given[Operator],
    institution_id: InstitutionId = None,
    product_id: ProductId = None,
) -> Attention:
    """What needs somebody now, five of each kind at most and the most urgent first.

    Access attempts are told to Owners and Admins alone, and null for others.
    """
    return await attention(db, operator, institution_id, product_id, platform.clock())


ROUTES: list[HTTPRouteHandler] = [
    show_overview,
    show_attention,
    show_license_statistics,
    show_activation_statistics,
    show_session_statistics,
    show_meter_usage,
    show_institution_overview,
    show_telemetry_statistics,
]

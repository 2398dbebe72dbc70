"""Issue, list, read, change and delete licenses."""

from collections.abc import Awaitable, Callable, Collection
from dataclasses import replace
from datetime import datetime
from typing import Annotated
from uuid import UUID

from litestar import Response
from litestar.params import FromPath, HeaderParameter, JSONBody, QueryParameter
from msgspec import UnsetType, structs

from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.operators import Operator, Scope
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.look_ups import LookUps
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform
from licet_server.kit.tags import TAG_FILTER, KnownTags, wanted_tags
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.visibility import Visibility
from licet_server.kit.web.context import HttpRequest, RequestContext, context_of
from licet_server.kit.web.csv import csv_stream, prefers_csv
from licet_server.kit.web.dependencies import Given, instant_of
from licet_server.kit.web.responses import respond_once
from licet_server.kit.web.routes import Routes
from licet_server.kit.web.views import view_of
from licet_server.licenses.http.views import LicenseViews, show
from licet_server.licenses.rules.model import LicenseFilter, LicenseStatus
from licet_server.licenses.rules.traits import LicenseType
from licet_server.licenses.schemas.records import (
    ChangedLicenseView,
    IssuedKeyView,
    IssuedLicensesView,
    IssueLicenseBody,
    IssueLicensesBody,
    LicenseChange,
    LicenseExtra,
    LicenseView,
    ListedLicenseView,
    changed_view,
    changes_of,
    draft_of,
    license_view,
)
from licet_server.licenses.service import issuing, lifecycle, reading
from licet_server.licenses.service.hooks import CurrentUsage, CurrentUsageReader, LicenseHooks

ROUTES = Routes("Licenses")


_ISSUING = (
    ErrorCode.CONFLICT,
    ErrorCode.KEYS_NOT_GENERATED,
    ErrorCode.CLOCK_NOT_TRUSTED,
    ErrorCode.PLAN_LIMIT_REACHED,
)


@ROUTES.post(
    "/api/licenses", access=InstitutionRole(Role.ADMIN, Scope.LICENSES_WRITE), problems=_ISSUING
)
async def issue_license(
    request: HttpRequest,
    platform: Given[Platform],
    context: Given[RequestContext],
    operator: Given[Operator],
    passwords: Given[Passwords],
    license_hooks: Given[LicenseHooks],
    data: JSONBody[IssueLicenseBody],
    idempotency_key: Annotated[str | None, HeaderParameter(name="Idempotency-Key")] = None,  # noqa: ARG001 - for the API page; `respond_once` reads it
) -> Response[LicenseView]:
    """Issue a license of any model, under a policy or without one."""
    draft = draft_of(data, await _hash_of(data.password, passwords))
    async with platform.keyed_work(context.origin()) as work:

        async def issue() -> LicenseView:
            details = await issuing.issue(work, operator, draft, hooks=license_hooks)
            return license_view(details, CurrentUsage.of_new(details.license), work.now)

        return await respond_once(request, work, 201, issue)


@ROUTES.post(
    "/api/licenses/batch",
    access=InstitutionRole(Role.ADMIN, Scope.LICENSES_WRITE),
    problems=_ISSUING,
)
async def issue_licenses(
    request: HttpRequest,
    platform: Given[Platform],
    context: Given[RequestContext],
    operator: Given[Operator],
    passwords: Given[Passwords],
    license_hooks: Given[LicenseHooks],
    data: JSONBody[IssueLicensesBody],
    idempotency_key: Annotated[str | None, HeaderParameter(name="Idempotency-Key")] = None,  # noqa: ARG001 - for the API page; `respond_once` reads it
) -> Response[IssuedLicensesView]:
    """Issue up to 500 licenses that differ in their keys alone, all or none of them.

    None of them is mailed, whatever the product's mail template says.
    """
    password_hash = await _hash_of(data.password, passwords)
    draft = structs.replace(draft_of(data, password_hash), notify=False)
    async with platform.unit_of_work(context.origin()) as work:

        async def issue() -> IssuedLicensesView:
            issued = await issuing.issue_many(
                work, operator, draft, data.count, hooks=license_hooks
            )
            return IssuedLicensesView([view_of(IssuedKeyView, item.license) for item in issued])

        return await respond_once(request, work, 201, issue)


async def _hash_of(password: str | UnsetType | None, passwords: Passwords) -> str | None:
    """Hash before a connection is taken: a hash is slow by intent, and connections are few."""
    return await passwords.hash(password) if isinstance(password, str) else None


def provide_filter(
    product_id: Annotated[UUID | None, QueryParameter(name="productId")] = None,
    customer_id: Annotated[UUID | None, QueryParameter(name="customerId")] = None,
    status: Annotated[LicenseStatus | None, QueryParameter(name="status")] = None,
    type_: Annotated[LicenseType | None, QueryParameter(name="type")] = None,
    issued_to: Annotated[str | None, QueryParameter(name="issuedTo", max_length=254)] = None,
    search: Annotated[
        str | None,
        QueryParameter(
            name="search",
            max_length=200,
            description="Prefixes of words of name, receiver or issuer, or a prefix of the key.",
        ),
    ] = None,
    expiring_before: Annotated[
        datetime | None,
        QueryParameter(
            name="expiringBefore",
            description="With the status Active, not those whose term has ended and that only "
            "their fallback keeps active.",
        ),
    ] = None,
    policy_id: Annotated[UUID | None, QueryParameter(name="policyId")] = None,
    test: Annotated[
        bool | None, QueryParameter(name="test", description="Those of Test products, or others.")
    ] = None,
) -> LicenseFilter:
    """Return the filters of the list."""
    return LicenseFilter(
        product_id=product_id,
        customer_id=customer_id,
        status=status,
        type=type_,
        issued_to=issued_to or None,
        search=(search or "").strip() or None,
        expiring_before=instant_of("expiringBefore", expiring_before),
        policy_id=policy_id,
        test=test,
    )


@ROUTES.get(
    "/api/licenses",
    access=InstitutionRole(Role.VIEWER, Scope.LICENSES_READ),
    problems=(ErrorCode.NOT_FOUND,),
)
async def list_licenses(
    request: HttpRequest,
    platform: Given[Platform],
    operator: Given[Operator],
    look_ups: Given[LookUps],
    license_views: Given[LicenseViews],
    paging: Given[Paging],
    filters: Given[LicenseFilter],
    tags: Annotated[
        list[str] | None,
        QueryParameter(name="tag", description=TAG_FILTER),
    ] = None,
    include: Annotated[
        list[LicenseExtra] | None,
        QueryParameter(name="include", description="Fields that cost more to read."),
    ] = None,
    institution_id: Annotated[UUID | None, QueryParameter(name="institutionId")] = None,
) -> Listing[ListedLicenseView]:
    """List licenses, filtered and sorted; with `Accept: text/csv`, the whole list as CSV."""
    now, visibility = platform.clock(), operator.visibility_of(institution_id)
    visibility = await reading.around_product(look_ups, visibility, filters.product_id)
    filters = replace(filters, tags=wanted_tags(tags)) if tags else filters
    if prefers_csv(context_of(request).headers.get(b"accept", b"").decode("latin-1")):
        sellers = _sellers(operator, visibility)
        fetch = _fetch(platform, license_views, visibility, filters, now, sellers)
        of = institution_id or operator.first_institution
        return await csv_stream(  # type: ignore[return-value]
            request, operator.user_id, of, "licenses.csv", ListedLicenseView, fetch
        )
    if reading.is_walked(visibility, filters, paging):
        listing = await reading.walk_licenses(look_ups, visibility, filters.product_id, paging)
    else:
        async with platform.database.reading() as db:
            listing = await reading.list_licenses(db, visibility, filters, paging, now)
    views = await license_views.of(listing.items, now)
    if include:
        sellers = _sellers(operator, visibility)
        return listing.with_items(await license_views.with_extras(views, include, sellers))
    return listing.with_items(views)  # type: ignore[arg-type]


@ROUTES.get(
    "/api/licenses/tags",
    access=InstitutionRole(Role.VIEWER, Scope.LICENSES_READ),
    problems=(ErrorCode.NOT_FOUND,),
)
async def list_license_tags(
    db: Given[Connection],
    operator: Given[Operator],
    institution_id: Annotated[UUID | None, QueryParameter(name="institutionId")] = None,
) -> KnownTags:
    """List up to 500 tags, those of the newest 5,000 licenses that have any."""
    visibility = operator.visibility_of(institution_id)
    return KnownTags(list(await reading.known_tags(db, visibility)))


@ROUTES.get(
    "/api/licenses/{license_id:uuid}", access=InstitutionRole(Role.VIEWER, Scope.LICENSES_READ)
)
async def show_license(
    look_ups: Given[LookUps],
    platform: Given[Platform],
    operator: Given[Operator],
    license_views: Given[LicenseViews],
    license_id: FromPath[UUID],
) -> LicenseView:
    """Return one license, with its current status."""
    license_ = await reading.fetch_license(look_ups, operator, license_id)
    [view] = await license_views.of([license_], platform.clock())
    return view


@ROUTES.put(
    "/api/licenses/{license_id:uuid}",
    access=InstitutionRole(Role.ADMIN, Scope.LICENSES_WRITE),
    problems=(ErrorCode.CONFLICT,),
)
async def change_license(
    platform: Given[Platform],
    context: Given[RequestContext],
    operator: Given[Operator],
    read_usage: Given[CurrentUsageReader],
    passwords: Given[Passwords],
    license_hooks: Given[LicenseHooks],
    license_id: FromPath[UUID],
    data: JSONBody[LicenseChange],
) -> ChangedLicenseView:
    """Change the fields that are present; a later `expirationDate` renews the license.

    A revoked license takes `notes`, `metadata` and `tags` only. Devices above a lower cap are
    listed as `OverLimit`.
    """
    changes = changes_of(data, await _hash_of(data.password, passwords))
    keep = data.keep_activation_ids or ()
    async with platform.unit_of_work(context.origin()) as work:
        change = await issuing.change(
            work, operator, license_id, changes, keep=keep, hooks=license_hooks
        )
        return changed_view(await show(work, read_usage, change.after), change)


@ROUTES.delete(
    "/api/licenses/{license_id:uuid}", access=InstitutionRole(Role.ADMIN, Scope.LICENSES_WRITE)
)
async def delete_license(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    license_hooks: Given[LicenseHooks],
    license_id: FromPath[UUID],
) -> None:
    """Delete a license; its key becomes unknown."""
    await lifecycle.delete(work, operator, license_id, hooks=license_hooks)


def _fetch(
    platform: Platform,
    license_views: LicenseViews,
    visibility: Visibility,
    filters: LicenseFilter,
    now: datetime,
    sellers: Collection[UUID],
) -> Callable[[Paging], Awaitable[Listing[ListedLicenseView]]]:
    async def fetch(paging: Paging) -> Listing[ListedLicenseView]:
        async with platform.database.reading() as db:
            listing = await reading.list_licenses(db, visibility, filters, paging, now)
        views = await license_views.of(listing.items, now)
        return listing.with_items(await license_views.with_extras(views, [*LicenseExtra], sellers))

    return fetch


def _sellers(operator: Operator, visibility: Visibility) -> Collection[UUID]:
    """Return the institutions whose orders the operator sees."""
    scopes = (Scope.CUSTOMERS_READ, Scope.CONNECTORS_READ)
    return visibility.institutions if any(map(operator.covers, scopes)) else ()

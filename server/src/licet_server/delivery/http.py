"""Routes to read, change and preview the mail templates of a product or an institution."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Annotated, Any
from uuid import UUID

from litestar.params import FromPath, JSONBody, QueryParameter

from licet_server.delivery.rules.templates import (
    LicenseMailFilter,
    LicenseMailStatus,
    MailKind,
    kind_named,
)
from licet_server.delivery.schemas import (
    LicenseMailView,
    MailCounts,
    MailPreview,
    MailTemplateChange,
    MailTemplatesView,
    MailTemplateView,
    SendLicenseBody,
    TryMailTemplateBody,
    counts_view,
    mail_view,
    preview_view,
    template_view,
)
from licet_server.delivery.service import mails, templates
from licet_server.delivery.service.templates import (
    TemplateOwner,
    owner_of_institution,
    owner_of_product,
    require_readable,
)
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.operators import Operator, Scope
from licet_server.kit.database import Connection
from licet_server.kit.emails import normal_email
from licet_server.kit.errors import ErrorCode, not_found
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.text import normal_locale
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.context import RequestContext
from licet_server.kit.web.dependencies import Dependency, Given
from licet_server.kit.web.routes import Routes

ROUTES = Routes("Delivery")

FindOwner = Callable[[Connection], Awaitable[TemplateOwner]]


def _provide_product(operator: Given[Operator], product_id: FromPath[UUID]) -> FindOwner:
    return partial(owner_of_product, operator=operator, product_id=product_id)


def _provide_institution(operator: Given[Operator], institution_id: FromPath[UUID]) -> FindOwner:
    return partial(owner_of_institution, operator=operator, institution_id=institution_id)


async def list_templates(db: Given[Connection], find_owner: Given[FindOwner]) -> MailTemplatesView:
    """List the mail templates of a product or an institution, one of each kind.

    Those of an institution apply to products without one of their own.
    """
    found = await templates.list_templates(db, await find_owner(db))
    return MailTemplatesView([template_view(item) for item in found])


async def show_template(
    db: Given[Connection], find_owner: Given[FindOwner], kind: FromPath[str]
) -> MailTemplateView:
    """Show a mail template: `issued`, `renewed`, `expiring` or `revoked`."""
    owner = await find_owner(db)
    return template_view(await templates.fetch_template(db, owner, _kind(kind)))


async def change_template(
    platform: Given[Platform],
    context: Given[RequestContext],
    find_owner: Given[FindOwner],
    kind: FromPath[str],
    data: JSONBody[MailTemplateChange],
) -> MailTemplateView:
    """Change a mail template; an unknown placeholder is refused.

    Subject and body take placeholders in braces; the body is Markdown without HTML and images. A
    line is left out if it names something that a license does not have. A body has at most 10,000
    characters, 200 placeholders and 3,000 elements, of which a table cell is three.
    """
    named = _kind(kind)
    async with platform.database.reading() as db:
        await find_owner(db)
    await require_readable(data.words())
    async with platform.unit_of_work(context.origin()) as work:
        owner = await find_owner(work.db)
        return template_view(await templates.change_template(work, owner, named, data.changes()))


async def delete_template(
    work: Given[UnitOfWork], find_owner: Given[FindOwner], kind: FromPath[str]
) -> None:
    """Return to the template of the institution, or to the built-in one."""
    owner = await find_owner(work.db)
    await templates.delete_template(work, owner, _kind(kind))


async def preview_template(
    platform: Given[Platform],
    context: Given[RequestContext],
    operator: Given[Operator],
    find_owner: Given[FindOwner],
    kind: FromPath[str],
    data: JSONBody[TryMailTemplateBody],
) -> MailPreview:
    """Preview a mail template, stored or not, for a license or an example of one.

    Up to 60 times a minute.
    """
    target = mails.PreviewTarget(operator=operator, find_owner=find_owner, kind=_kind(kind))
    return preview_view(await mails.preview(platform, context.origin(), target, data.options()))


async def send_test(
    platform: Given[Platform],
    context: Given[RequestContext],
    operator: Given[Operator],
    find_owner: Given[FindOwner],
    kind: FromPath[str],
    data: JSONBody[TryMailTemplateBody],
) -> MailPreview:
    """Mail the preview to yourself, up to 20 times an hour."""
    target = mails.PreviewTarget(operator=operator, find_owner=find_owner, kind=_kind(kind))
    return preview_view(await mails.send_test(platform, context.origin(), target, data.options()))


def _kind(text: str) -> MailKind:
    kind = kind_named(text)
    if kind is None:
        raise not_found("mail template")
    return kind


def _serve(path: str, owner: str, provide: Callable[..., FindOwner]) -> None:
    """Declare the routes of one kind of owner; `owner` names it in the IDs of operations."""
    read: dict[str, Any] = {
        "access": InstitutionRole(Role.VIEWER, Scope.PRODUCTS_READ),
        "dependencies": {"find_owner": Dependency(provide, sync_to_thread=False)},
    }
    write = {**read, "access": InstitutionRole(Role.ADMIN, Scope.PRODUCTS_WRITE)}
    attempt = {
        **read,
        "access": InstitutionRole(Role.ADMIN),
        "problems": (ErrorCode.CONFLICT, ErrorCode.RATE_LIMITED),
    }
    one, named = f"{path}/{{kind:str}}", f"{owner}Template"
    ROUTES.get(path, operation_id=f"list{named}s", **read)(list_templates)
    ROUTES.get(one, operation_id=f"show{named}", **read)(show_template)
    ROUTES.put(one, operation_id=f"change{named}", **write)(change_template)
    ROUTES.delete(one, operation_id=f"delete{named}", **write)(delete_template)
    ROUTES.act(f"{one}/preview", operation_id=f"preview{named}", **attempt)(preview_template)
    ROUTES.act(f"{one}/test", operation_id=f"test{named}", **attempt)(send_test)


_serve("/api/products/{product_id:uuid}/mail-templates", "Product", _provide_product)
_serve(
    "/api/institutions/{institution_id:uuid}/mail-templates", "Institution", _provide_institution
)


@ROUTES.act(
    "/api/licenses/{license_id:uuid}/send",
    access=InstitutionRole(Role.ADMIN, Scope.LICENSES_WRITE),
    problems=(ErrorCode.CONFLICT, ErrorCode.RATE_LIMITED),
)
async def send_license(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    license_id: FromPath[UUID],
    data: JSONBody[SendLicenseBody | None] = None,
) -> LicenseMailView:
    """Mail a license to its receiver, in the words of the product's template.

    The response says that the email is queued; `GET /api/license-mails` shows its delivery.
    Sending again is allowed, up to five times an hour for a license, and 100 emails a day to an
    address.
    """
    body = data or SendLicenseBody()
    locale = normal_locale(body.locale or "")
    return mail_view(await mails.send(work, operator, license_id, body.kind, locale))


@ROUTES.get(
    "/api/license-mails",
    access=InstitutionRole(Role.ADMIN, Scope.LICENSES_READ),
    problems=(ErrorCode.NOT_FOUND,),
)
async def list_license_mails(
    db: Given[Connection],
    operator: Given[Operator],
    paging: Given[Paging],
    institution_id: Annotated[UUID | None, QueryParameter(name="institutionId")] = None,
    license_id: Annotated[UUID | None, QueryParameter(name="licenseId")] = None,
    recipient: Annotated[
        str | None, QueryParameter(max_length=254, description="Address, case-insensitive.")
    ] = None,
    kind: Annotated[MailKind | None, QueryParameter(name="kind")] = None,
    status: Annotated[LicenseMailStatus | None, QueryParameter(name="status")] = None,
) -> Listing[LicenseMailView]:
    """List the emails about licenses, newest first. Sorts by createdAt, sentAt."""
    filters = LicenseMailFilter(
        license_id=license_id,
        recipient=normal_email(recipient or "") or None,
        kind=kind,
        status=status,
    )
    found = await mails.list_mails(db, operator, institution_id, filters, paging)
    return found.of(mail_view)


@ROUTES.get(
    "/api/institutions/{institution_id:uuid}/mail-counts",
    access=InstitutionRole(Role.ADMIN, Scope.LICENSES_READ),
)
async def show_mail_counts(
    db: Given[Connection],
    platform: Given[Platform],
    operator: Given[Operator],
    institution_id: FromPath[UUID],
) -> MailCounts:
    """Count the emails about licenses of the last 30 days, by kind."""
    return counts_view(await mails.count_mails(db, operator, institution_id, platform.clock()))

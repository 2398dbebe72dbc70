"""Read, change and try templates, of a product or of an institution."""

from collections.abc import Awaitable, Callable
from functools import partial
from uuid import UUID

from litestar import delete, get, post, put
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody

from licet_server.delivery.rules.kinds import MailKind, kind_named
from licet_server.delivery.schemas import (
    MailPreview,
    MailTemplateChange,
    MailTemplatesView,
    MailTemplateView,
    TryMailTemplateBody,
    preview_view,
    template_view,
)
from licet_server.delivery.service import templates, trying
from licet_server.delivery.service.reading import require_readable
from licet_server.delivery.service.templates import (
    TemplateOwner,
    owner_of_institution,
    owner_of_product,
)
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.api_keys import Scope
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode, not_found
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.context import RequestContext
from licet_server.kit.web.dependencies import Given

_TAGS = ["Delivery"]
_OF_PRODUCT = "/api/products/{product_id:uuid}/mail-templates"
_OF_INSTITUTION = "/api/institutions/{institution_id:uuid}/mail-templates"
_READ = InstitutionRole(Role.VIEWER, Scope.PRODUCTS_READ)
_WRITE = InstitutionRole(Role.ADMIN, Scope.PRODUCTS_WRITE)
_TRY = InstitutionRole(Role.ADMIN)
_TRY_PROBLEMS = (ErrorCode.CONFLICT, ErrorCode.RATE_LIMITED)


@get(_OF_PRODUCT, access=_READ, tags=_TAGS)
async def list_product_templates(
    db: Given[Connection], operator: Given[Operator], product_id: FromPath[UUID]
) -> MailTemplatesView:
    """List a product's templates of e-mails, one of each kind."""
    return await _listed(db, await owner_of_product(db, operator, product_id))


@get(f"{_OF_PRODUCT}/{{kind:str}}", access=_READ, tags=_TAGS)
async def show_product_template(
    db: Given[Connection],
    operator: Given[Operator],
    product_id: FromPath[UUID],
    kind: FromPath[str],
) -> MailTemplateView:
    """Show a product's template: `issued`, `renewed`, `expiring` or `revoked`."""
    owner = await owner_of_product(db, operator, product_id)
    return template_view(await templates.fetch_template(db, owner, _kind(kind)))


@put(f"{_OF_PRODUCT}/{{kind:str}}", access=_WRITE, tags=_TAGS)
async def change_product_template(
    platform: Given[Platform],
    context: Given[RequestContext],
    operator: Given[Operator],
    product_id: FromPath[UUID],
    kind: FromPath[str],
    data: JSONBody[MailTemplateChange],
) -> MailTemplateView:
    """Change a product's template; an unknown placeholder is refused.

    Subject and body take placeholders in braces; the body is Markdown without HTML and images. A
    line is left out if it names something that a license does not have. A body has at most 10,000
    characters, 200 placeholders and 3,000 elements, of which a table cell is three.
    """
    find_owner = partial(owner_of_product, operator=operator, product_id=product_id)
    return await _changed(platform, context.origin(), find_owner, _kind(kind), data)


@delete(f"{_OF_PRODUCT}/{{kind:str}}", access=_WRITE, tags=_TAGS)
async def delete_product_template(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    product_id: FromPath[UUID],
    kind: FromPath[str],
) -> None:
    """Return to the template of the institution, or to the built-in one."""
    owner = await owner_of_product(work.db, operator, product_id)
    await templates.delete_template(work, owner, _kind(kind))


@post(
    f"{_OF_PRODUCT}/{{kind:str}}/preview",
    access=_TRY,
    problems=_TRY_PROBLEMS,
    status_code=200,
    tags=_TAGS,
)
async def preview_product_template(
    platform: Given[Platform],
    context: Given[RequestContext],
    operator: Given[Operator],
    product_id: FromPath[UUID],
    kind: FromPath[str],
    data: JSONBody[TryMailTemplateBody],
) -> MailPreview:
    """Preview a product's template, stored or not, for a license or an example of one.

    Up to 60 times a minute.
    """
    find_owner = partial(owner_of_product, operator=operator, product_id=product_id)
    tried = trying.Tried(operator=operator, find_owner=find_owner, kind=_kind(kind))
    return preview_view(await trying.preview(platform, context.origin(), tried, data.trial()))


@post(
    f"{_OF_PRODUCT}/{{kind:str}}/test",
    access=_TRY,
    problems=_TRY_PROBLEMS,
    status_code=200,
    tags=_TAGS,
)
async def test_product_template(
    platform: Given[Platform],
    context: Given[RequestContext],
    operator: Given[Operator],
    product_id: FromPath[UUID],
    kind: FromPath[str],
    data: JSONBody[TryMailTemplateBody],
) -> MailPreview:
    """Mail the preview to yourself, up to 20 times an hour."""
    find_owner = partial(owner_of_product, operator=operator, product_id=product_id)
    tried = trying.Tried(operator=operator, find_owner=find_owner, kind=_kind(kind))
    return preview_view(await trying.send_test(platform, context.origin(), tried, data.trial()))


@get(_OF_INSTITUTION, access=_READ, tags=_TAGS)
async def list_institution_templates(
    db: Given[Connection], operator: Given[Operator], institution_id: FromPath[UUID]
) -> MailTemplatesView:
    """List an institution's templates, which apply to products without one of their own."""
    return await _listed(db, await owner_of_institution(db, operator, institution_id))


@get(f"{_OF_INSTITUTION}/{{kind:str}}", access=_READ, tags=_TAGS)
async def show_institution_template(
    db: Given[Connection],
    operator: Given[Operator],
    institution_id: FromPath[UUID],
    kind: FromPath[str],
) -> MailTemplateView:
    """Show an institution's template: `issued`, `renewed`, `expiring` or `revoked`."""
    owner = await owner_of_institution(db, operator, institution_id)
    return template_view(await templates.fetch_template(db, owner, _kind(kind)))


@put(f"{_OF_INSTITUTION}/{{kind:str}}", access=_WRITE, tags=_TAGS)
async def change_institution_template(
    platform: Given[Platform],
    context: Given[RequestContext],
    operator: Given[Operator],
    institution_id: FromPath[UUID],
    kind: FromPath[str],
    data: JSONBody[MailTemplateChange],
) -> MailTemplateView:
    """Change an institution's template, in the same way as a product's."""
    find_owner = partial(owner_of_institution, operator=operator, institution_id=institution_id)
    return await _changed(platform, context.origin(), find_owner, _kind(kind), data)


@delete(f"{_OF_INSTITUTION}/{{kind:str}}", access=_WRITE, tags=_TAGS)
async def delete_institution_template(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    institution_id: FromPath[UUID],
    kind: FromPath[str],
) -> None:
    """Return to the built-in template."""
    owner = await owner_of_institution(work.db, operator, institution_id)
    await templates.delete_template(work, owner, _kind(kind))


@post(
    f"{_OF_INSTITUTION}/{{kind:str}}/preview",
    access=_TRY,
    problems=_TRY_PROBLEMS,
    status_code=200,
    tags=_TAGS,
)
async def preview_institution_template(
    platform: Given[Platform],
    context: Given[RequestContext],
    operator: Given[Operator],
    institution_id: FromPath[UUID],
    kind: FromPath[str],
    data: JSONBody[TryMailTemplateBody],
) -> MailPreview:
    """Preview an institution's template, stored or not, for a license or an example of one.

    Up to 60 times a minute.
    """
    find_owner = partial(owner_of_institution, operator=operator, institution_id=institution_id)
    tried = trying.Tried(operator=operator, find_owner=find_owner, kind=_kind(kind))
    return preview_view(await trying.preview(platform, context.origin(), tried, data.trial()))


@post(
    f"{_OF_INSTITUTION}/{{kind:str}}/test",
    access=_TRY,
    problems=_TRY_PROBLEMS,
    status_code=200,
    tags=_TAGS,
)
async def test_institution_template(
    platform: Given[Platform],
    context: Given[RequestContext],
    operator: Given[Operator],
    institution_id: FromPath[UUID],
    kind: FromPath[str],
    data: JSONBody[TryMailTemplateBody],
) -> MailPreview:
    """Mail the preview to yourself, up to 20 times an hour."""
    find_owner = partial(owner_of_institution, operator=operator, institution_id=institution_id)
    tried = trying.Tried(operator=operator, find_owner=find_owner, kind=_kind(kind))
    return preview_view(await trying.send_test(platform, context.origin(), tried, data.trial()))


async def _listed(db: Connection, owner: TemplateOwner) -> MailTemplatesView:
    found = await templates.list_templates(db, owner)
    return MailTemplatesView([template_view(item) for item in found])


async def _changed(
    platform: Platform,
    origin: Origin,
    find_owner: Callable[[Connection], Awaitable[TemplateOwner]],
    kind: MailKind,
    data: MailTemplateChange,
) -> MailTemplateView:
    async with platform.database.reading() as db:
        await find_owner(db)
    await require_readable(data.words())
    async with platform.unit_of_work(origin) as work:
        owner = await find_owner(work.db)
        return template_view(await templates.change_template(work, owner, kind, data.changes()))


def _kind(text: str) -> MailKind:
    kind = kind_named(text)
    if kind is None:
        raise not_found("mail template")
    return kind


ROUTES: list[HTTPRouteHandler] = [
    list_product_templates,
    show_product_template,
    change_product_template,
    delete_product_template,
    preview_product_template,
    test_product_template,
    list_institution_templates,
    show_institution_template,
    change_institution_template,
    delete_institution_template,
    preview_institution_template,
    test_institution_template,
]

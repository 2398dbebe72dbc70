"""Routes to mail licenses, and to list the e-mails."""

from typing import Annotated
from uuid import UUID

from litestar import get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody, QueryParameter

from licet_server.delivery.rules.kinds import MailKind
from licet_server.delivery.rules.model import LicenseMailFilter, LicenseMailStatus
from licet_server.delivery.schemas import LicenseMailView, SendLicenseBody, mail_view
from licet_server.delivery.service import sending
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.api_keys import Scope
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.locales import normal_locale
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.dependencies import Given

_TAGS = ["Delivery"]


@post(
    "/api/licenses/{license_id:uuid}/send",
    access=InstitutionRole(Role.ADMIN, Scope.LICENSES_WRITE),
    problems=(ErrorCode.CONFLICT, ErrorCode.RATE_LIMITED),
    status_code=200,
    tags=_TAGS,
)
async def send_license(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    license_id: FromPath[UUID],
    data: JSONBody[SendLicenseBody | None] = None,
) -> LicenseMailView:
    """Mail a license to its receiver, in the words of the product's template.

    The response says that the e-mail is queued; `GET /api/license-mails` shows its delivery.
    Sending again is allowed, up to five times an hour for a license, and 100 e-mails a day to an
    address.
    """
    body = data or SendLicenseBody()
    locale = normal_locale(body.locale or "")
    return mail_view(await sending.send(work, operator, license_id, body.kind, locale))


@get(
    "/api/license-mails",
    access=InstitutionRole(Role.ADMIN, Scope.LICENSES_READ),
    problems=(ErrorCode.NOT_FOUND,),
    tags=_TAGS,
)
async def list_license_mails(
    db: Given[Connection],
    operator: Given[Operator],
    paging: Given[Paging],
    institution_id: Annotated[UUID | None, QueryParameter(name="institutionId")] = None,
    license_id: Annotated[UUID | None, QueryParameter(name="licenseId")] = None,
    kind: Annotated[MailKind | None, QueryParameter(name="kind")] = None,
    status: Annotated[LicenseMailStatus | None, QueryParameter(name="status")] = None,
) -> Listing[LicenseMailView]:
    """List the e-mails about licenses, newest first. Sorts by createdAt, sentAt."""
    filters = LicenseMailFilter(license_id=license_id, kind=kind, status=status)
    found = await sending.list_mails(db, operator, institution_id, filters, paging)
    return found.of(mail_view)


MAIL_ROUTES: list[HTTPRouteHandler] = [send_license, list_license_mails]

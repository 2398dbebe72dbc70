"""Routes of associations: invited by the vendor, accepted by the customer's institution."""

from typing import Annotated
from uuid import UUID

from litestar.params import FromPath, JSONBody, QueryParameter

from licet_server.catalog.schemas.associations import (
    AcceptAssociationBody,
    AssociationBody,
    AssociationPreviewView,
    AssociationView,
    ReceivedAssociationView,
    association_view,
    preview_view,
    received_association_view,
)
from licet_server.catalog.service.accepting import AssociationAcceptance
from licet_server.catalog.service.associations import Associations
from licet_server.identity.rules.memberships import Role
from licet_server.identity.schemas.sign_in import TokenBody
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.operators import Operator, Scope
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.access import Anonymous
from licet_server.kit.web.context import HttpRequest, context_of
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.routes import Routes

_WRITE = InstitutionRole(Role.ADMIN, Scope.PRODUCTS_WRITE)
ROUTES = Routes("Associations")
_PATH = "/api/products/{product_id:uuid}/associations"
_ONE = f"{_PATH}/{{association_id:uuid}}"


@ROUTES.get(_PATH, access=InstitutionRole(Role.VIEWER, Scope.PRODUCTS_READ))
async def list_associations(
    db: Given[Connection],
    operator: Given[Operator],
    associations: Given[Associations],
    paging: Given[Paging],
    product_id: FromPath[UUID],
) -> Listing[AssociationView]:
    """List the institutions associated with a product, or invited to be.

    An invitation that has expired stays in the list. Sorts by createdAt, email, expiresAt.
    """
    listing = await associations.list_associations(db, operator, product_id, paging)
    return listing.of(association_view)


@ROUTES.post(_PATH, access=_WRITE, problems=(ErrorCode.CONFLICT, ErrorCode.RATE_LIMITED))
async def invite_institution(
    request: HttpRequest,
    operator: Given[Operator],
    associations: Given[Associations],
    product_id: FromPath[UUID],
    data: JSONBody[AssociationBody],
) -> AssociationView:
    """Invite an institution to be associated with an Associated product.

    The invitation is emailed to the address, or to the Owners of the institution; `inviteUrl` is a
    link to hand over if no email is configured. It works once and for seven days. The response
    does not reveal whether an institution with the ID exists.
    """
    origin = context_of(request).origin()
    return association_view(await associations.invite(origin, operator, product_id, data.invitee()))


@ROUTES.act(f"{_ONE}/resend", access=_WRITE, problems=(ErrorCode.CONFLICT, ErrorCode.RATE_LIMITED))
async def resend_association(
    request: HttpRequest,
    operator: Given[Operator],
    associations: Given[Associations],
    product_id: FromPath[UUID],
    association_id: FromPath[UUID],
) -> AssociationView:
    """Email a pending or expired invitation again, for seven days; earlier links stop working."""
    origin = context_of(request).origin()
    return association_view(await associations.resend(origin, operator, product_id, association_id))


@ROUTES.delete(_ONE, access=_WRITE, problems=(ErrorCode.CONFLICT,))
async def remove_association(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    associations: Given[Associations],
    product_id: FromPath[UUID],
    association_id: FromPath[UUID],
) -> None:
    """Withdraw an invitation, or end an association.

    The response is 409 with `licenseCount` while the institution holds licenses of the product that
    are neither revoked nor expired.
    """
    await associations.remove(work, operator, product_id, association_id)


@ROUTES.get(
    "/api/associations", access=InstitutionRole(Role.VIEWER), problems=(ErrorCode.NOT_FOUND,)
)
async def list_received_associations(
    db: Given[Connection],
    operator: Given[Operator],
    association_acceptance: Given[AssociationAcceptance],
    paging: Given[Paging],
    institution_id: Annotated[UUID | None, QueryParameter(name="institutionId")] = None,
) -> Listing[ReceivedAssociationView]:
    """List the products of other vendors that the caller's institutions are associated with.

    Pending invitations of these institutions by their ID are in the list; those by email are not,
    as they name no institution. Members see none. `institutionId` narrows the list to one
    institution of the caller. Sorts by createdAt, expiresAt.
    """
    listing = await association_acceptance.list_received(db, operator, institution_id, paging)
    return listing.of(received_association_view)


@ROUTES.act(
    "/api/associations/preview",
    access=Anonymous(),
    problems=(ErrorCode.UNAUTHORIZED, ErrorCode.RATE_LIMITED),
)
async def preview_association(
    request: HttpRequest,
    association_acceptance: Given[AssociationAcceptance],
    data: JSONBody[TokenBody],
) -> AssociationPreviewView:
    """Show the invitation of a token; the token stays valid."""
    origin = context_of(request).origin()
    return preview_view(await association_acceptance.preview(origin, data.token))


@ROUTES.act(
    "/api/associations/accept",
    access=InstitutionRole(Role.OWNER),
    problems=(
        ErrorCode.UNAUTHORIZED,
        ErrorCode.NOT_FOUND,
        ErrorCode.CONFLICT,
        ErrorCode.RATE_LIMITED,
    ),
)
async def accept_association(
    request: HttpRequest,
    operator: Given[Operator],
    association_acceptance: Given[AssociationAcceptance],
    data: JSONBody[AcceptAssociationBody],
) -> ReceivedAssociationView:
    """Associate an institution of the caller with the product that it is invited to.

    By default the institution that was invited by its ID, else the oldest one that the caller owns.
    The vendor learns its name, and nothing else.
    """
    received = await association_acceptance.accept(
        context_of(request).origin(), operator, data.token, data.institution_id
    )
    return received_association_view(received)

"""Routes of enrollment keys for operators, and the route by which devices enroll."""

from uuid import UUID

from litestar import Response, delete, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, JSONBody

from licet_server.catalog.access import ProductKey
from licet_server.catalog.rules.model import ProductCaller
from licet_server.devices.rules.proofs import ShownProof
from licet_server.devices.schemas import (
    EnrollAnswer,
    EnrollBody,
    EnrollmentKeyBody,
    EnrollmentKeyView,
    IssuedEnrollmentKeyView,
    enroll_answer,
    enrollment_key_view,
    issued_enrollment_key_view,
)
from licet_server.devices.service import enrollment_keys
from licet_server.devices.service.enrolling import enroll_device
from licet_server.devices.service.removal import DeviceHooks
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.operators import Operator, Scope
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.context import RequestContext
from licet_server.kit.web.dependencies import Given
from licet_server.licenses.service import reading
from licet_server.licenses.service.noting import note_device

_OF_LICENSE = "/api/licenses/{license_id:uuid}/enrollment-keys"
_READ = InstitutionRole(Role.ADMIN, Scope.ACTIVATIONS_READ)
_WRITE = InstitutionRole(Role.ADMIN, Scope.ACTIVATIONS_WRITE)
_TAGS = ["Devices"]


@post(
    "/api/activations/enroll",
    access=ProductKey(),
    problems=(
        ErrorCode.ENROLLMENT_KEY_INVALID,
        ErrorCode.LICENSE_NOT_FOUND,
        ErrorCode.LICENSE_INVALID,
        ErrorCode.LICENSE_EXPIRED,
        ErrorCode.MAX_ACTIVATIONS_REACHED,
        ErrorCode.DEVICE_BLOCKED,
        ErrorCode.HARDWARE_MISMATCH,
        ErrorCode.DEVICE_PROOF_REQUIRED,
        ErrorCode.HARDWARE_ID_NOT_ACCEPTED,
    ),
    tags=["Runtime"],
    responses={200: ResponseSpec(EnrollAnswer, description="The device holds its seat already.")},
)
async def enroll(
    context: Given[RequestContext],
    caller: Given[ProductCaller],
    device_hooks: Given[DeviceHooks],
    shown_proof: Given[ShownProof],
    data: JSONBody[EnrollBody],
) -> Response[EnrollAnswer]:
    """Activate the license of an enrollment key on this device, which gets a token.

    Every runtime route accepts the token in place of the license key, together with the hardware ID
    of this device. A device that enrolls again keeps its seat and gets another token.
    """
    note_device(data.hardware_id, data.device_name, data.app_version)
    enrolled = await enroll_device(
        context.platform,
        device_hooks,
        caller,
        data.enrollment_key,
        data.device(shown_proof),
        context.origin(),
    )
    status = 201 if enrolled.admitted.created else 200
    return Response(enroll_answer(enrolled), status_code=status)


@get(_OF_LICENSE, access=_READ, tags=_TAGS)
async def list_enrollment_keys(
    db: Given[Connection],
    operator: Given[Operator],
    paging: Given[Paging],
    license_id: FromPath[UUID],
) -> Listing[EnrollmentKeyView]:
    """List the enrollment keys of a license. Sorts by name, createdAt."""
    license_ = await reading.fetch_license(db, operator, license_id)
    listing = await enrollment_keys.list_enrollment_keys(db, license_, paging)
    return listing.of(enrollment_key_view)


@post(_OF_LICENSE, access=_WRITE, problems=(ErrorCode.CONFLICT,), tags=_TAGS)
async def create_enrollment_key(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    license_id: FromPath[UUID],
    data: JSONBody[EnrollmentKeyBody],
) -> IssuedEnrollmentKeyView:
    """Create an enrollment key of a Concurrent license. Its secret is shown in this response only.

    Devices that it enrolls never see the license key.
    """
    license_ = await reading.lock_license(work.db, operator, license_id)
    issued = await enrollment_keys.create_enrollment_key(
        work, license_, expires=data.expires_at, fields=data.fields()
    )
    return issued_enrollment_key_view(issued)


@delete(f"{_OF_LICENSE}/{{key_id:uuid}}", access=_WRITE, tags=_TAGS)
async def delete_enrollment_key(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    license_id: FromPath[UUID],
    key_id: FromPath[UUID],
) -> None:
    """Delete an enrollment key, which enrolls no more devices.

    The devices that it enrolled keep their seats and their tokens.
    """
    license_ = await reading.fetch_license(work.db, operator, license_id)
    await enrollment_keys.delete_enrollment_key(work, license_, key_id)


ROUTES: list[HTTPRouteHandler] = [
    enroll,
    list_enrollment_keys,
    create_enrollment_key,
    delete_enrollment_key,
]

"""Routes by which machines without a connection are activated and released."""

from typing import Annotated
from uuid import UUID

from litestar import Response
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, JSONBody, QueryParameter

from licet_server.devices.service.files import FileMaker
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.operators import Operator, Scope
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode, Refused
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.access import Anonymous
from licet_server.kit.web.context import HttpRequest, context_of
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.routes import Routes
from licet_server.offline.rules.requests import StoredState
from licet_server.offline.schemas import (
    AskBody,
    ListedOfflineRequestView,
    OfflineAnswer,
    OfflinePreview,
    OfflineRequestView,
    OperatorAskBody,
    RejectBody,
    answer_view,
    listed_view,
    preview_view,
    request_view,
)
from licet_server.offline.service import operators
from licet_server.offline.service.answering import Answer
from licet_server.offline.service.desk import OfflineDesk

ROUTES = Routes("Offline requests")

_READ = InstitutionRole(Role.ADMIN, Scope.ACTIVATIONS_READ)
_WRITE = InstitutionRole(Role.ADMIN, Scope.ACTIVATIONS_WRITE)
_ACCEPTED = 202

_OF_DEVICES = (
    ErrorCode.CONFLICT,
    ErrorCode.KEYS_NOT_GENERATED,
    ErrorCode.CLOCK_NOT_TRUSTED,
    ErrorCode.OFFLINE_ACTIVATION_NOT_ALLOWED,
    ErrorCode.OFFLINE_REQUEST_OUTDATED,
    ErrorCode.LICENSE_INVALID,
    ErrorCode.LICENSE_EXPIRED,
    ErrorCode.MAX_ACTIVATIONS_REACHED,
    ErrorCode.DEVICE_BLOCKED,
    ErrorCode.HARDWARE_MISMATCH,
    ErrorCode.HARDWARE_ID_NOT_ACCEPTED,
    ErrorCode.TRIAL_ALREADY_USED,
    ErrorCode.ACTIVATION_NOT_FOUND,
    ErrorCode.RATE_LIMITED,
)

StateFilter = Annotated[StoredState | None, QueryParameter(name="state")]


@ROUTES.act(
    "/api/offline/requests",
    access=Anonymous(),
    problems=(
        ErrorCode.LICENSE_NOT_FOUND,
        ErrorCode.OFFLINE_ACTIVATION_NOT_ALLOWED,
        ErrorCode.OFFLINE_REQUEST_OUTDATED,
        ErrorCode.RATE_LIMITED,
    ),
)
async def preview_offline_request(
    request: HttpRequest, offline_desk: Given[OfflineDesk], data: JSONBody[AskBody]
) -> OfflinePreview:
    """Show what a request of a machine without a connection is for; nothing is changed."""
    origin = context_of(request).origin()
    return preview_view(await offline_desk.preview(data.request, data.license_key, origin))


@ROUTES.act(
    "/api/offline/requests/answer",
    access=Anonymous(),
    problems=(
        ErrorCode.LICENSE_NOT_FOUND,
        ErrorCode.PENDING_APPROVAL,
        *_OF_DEVICES,
    ),
    responses={
        _ACCEPTED: ResponseSpec(OfflineAnswer, description="It waits until the vendor approves it.")
    },
)
async def answer_offline_request(
    request: HttpRequest, offline_desk: Given[OfflineDesk], data: JSONBody[AskBody]
) -> Response[OfflineAnswer]:
    """Answer a request by a file, and by a code for a machine with a base file; or release it.

    The same request again gets the same answer and takes no second seat. Where the vendor approves
    each request, it is 202 until then: ask again. A release frees the seat at once.
    """
    origin = context_of(request).origin()
    found = await offline_desk.answer(data.request, data.license_key, origin)
    waits = found.request.state is StoredState.WAITING
    return Response(answer_view(found), status_code=_ACCEPTED if waits else 200)


@ROUTES.act("/api/licenses/{license_id:uuid}/offline", access=_WRITE, problems=_OF_DEVICES)
async def answer_offline_request_for_license(
    request: HttpRequest,
    platform: Given[Platform],
    operator: Given[Operator],
    file_maker: Given[FileMaker],
    license_id: FromPath[UUID],
    data: JSONBody[OperatorAskBody],
) -> OfflineAnswer:
    """Answer a request for a license at once, also where its `offlineActivation` is Off.

    A release code or a release frees the seat of its device.
    """
    async with platform.unit_of_work(context_of(request).origin()) as work:
        outcome = await operators.answer_for_operator(
            work, file_maker, operator, license_id, data.request
        )
    return answer_view(_given(outcome))


@ROUTES.get("/api/licenses/{license_id:uuid}/offline", access=_READ)
async def list_offline_requests_of_license(
    db: Given[Connection],
    operator: Given[Operator],
    paging: Given[Paging],
    license_id: FromPath[UUID],
    in_state: StateFilter = None,
) -> Listing[OfflineRequestView]:
    """List the newest request of each device of a license, newest first. Sorts by askedAt."""
    found = await operators.list_requests(db, operator, license_id, in_state, paging)
    return found.of(request_view)


@ROUTES.get("/api/offline/requests", access=_READ)
async def list_offline_requests(
    db: Given[Connection],
    operator: Given[Operator],
    paging: Given[Paging],
    in_state: StateFilter = None,
) -> Listing[ListedOfflineRequestView]:
    """List the requests of all licenses, newest first. Sorts by askedAt."""
    found = await operators.list_all_requests(db, operator, in_state, paging)
    return found.of(listed_view)


@ROUTES.act("/api/offline/requests/{request_id:uuid}/approve", access=_WRITE, problems=_OF_DEVICES)
async def approve_offline_request(
    request: HttpRequest,
    platform: Given[Platform],
    operator: Given[Operator],
    file_maker: Given[FileMaker],
    request_id: FromPath[UUID],
) -> OfflineAnswer:
    """Approve a request that waits or was rejected. Asking again returns the same answer."""
    async with platform.unit_of_work(context_of(request).origin()) as work:
        outcome = await operators.approve(work, file_maker, operator, request_id)
    return answer_view(_given(outcome))


@ROUTES.act(
    "/api/offline/requests/{request_id:uuid}/reject",
    access=_WRITE,
    problems=(ErrorCode.CONFLICT,),
)
async def reject_offline_request(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    request_id: FromPath[UUID],
    data: JSONBody[RejectBody | None] = None,
) -> OfflineRequestView:
    """Reject a request that waits. Approving it undoes that."""
    reason = None if data is None else data.reason
    return request_view(await operators.reject(work, operator, request_id, reason or None))


def _given(outcome: Answer | Refused) -> Answer:
    """Return an answer, once what was recorded with a refusal is committed.

    Raises:
        Refused: where there is none.
    """
    if isinstance(outcome, Refused):
        raise outcome
    return outcome

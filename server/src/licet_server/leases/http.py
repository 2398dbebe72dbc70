"""Routes by which devices borrow seats and reserve credits, and operators recall them."""

from typing import Annotated
from uuid import UUID

from litestar.params import FromPath, JSONBody, QueryParameter

from licet_server.catalog.access import PLACES_OF_A_SIGNATURE, ProductKey
from licet_server.catalog.rules.model import ProductCaller
from licet_server.devices.rules.proofs import ShownProof
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.operators import Operator, Scope
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.context import RequestContext
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.routes import Routes
from licet_server.leases.rules.model import LeaseKind, LeaseState
from licet_server.leases.schemas import (
    BorrowBody,
    LeaseAnswer,
    LeaseView,
    RecallBody,
    RenewBody,
    ReportAnswer,
    ReportBody,
    ReturnAnswer,
    ReturnBody,
    lease_answer,
    lease_view,
    report_answer,
    return_answer,
)
from licet_server.leases.service import operators
from licet_server.leases.service.borrowing import Leases
from licet_server.leases.service.reserving import Reservations

ROUTES = Routes("Leases")

_RUNTIME = ["Runtime"]
_READ = InstitutionRole(Role.ADMIN, Scope.ACTIVATIONS_READ)
_WRITE = InstitutionRole(Role.ADMIN, Scope.ACTIVATIONS_WRITE)


@ROUTES.post(
    "/api/leases",
    access=ProductKey(places=PLACES_OF_A_SIGNATURE),
    problems=(
        ErrorCode.INVALID_CREDENTIALS,
        ErrorCode.KEYS_NOT_GENERATED,
        ErrorCode.CLOCK_NOT_TRUSTED,
        ErrorCode.IDEMPOTENCY_KEY_REUSED,
        ErrorCode.LICENSE_NOT_FOUND,
        ErrorCode.LICENSE_INVALID,
        ErrorCode.LICENSE_EXPIRED,
        ErrorCode.LEASE_LIMIT_REACHED,
        ErrorCode.LEASE_FORKED,
        ErrorCode.MAX_CONCURRENT_SESSIONS_REACHED,
        ErrorCode.SESSION_NOT_FOUND,
        ErrorCode.CONFLICT,
        ErrorCode.DEVICE_BLOCKED,
        ErrorCode.HARDWARE_MISMATCH,
        ErrorCode.DEVICE_PROOF_REQUIRED,
        ErrorCode.PENDING_APPROVAL,
        ErrorCode.ACTIVATION_REQUIRED,
        ErrorCode.HARDWARE_ID_NOT_ACCEPTED,
        ErrorCode.TRIAL_ALREADY_USED,
        ErrorCode.NOT_METERED_LICENSE,
        ErrorCode.WALLET_NOT_FOUND,
        ErrorCode.INSUFFICIENT_BALANCE,
    ),
    tags=_RUNTIME,
)
async def borrow(
    context: Given[RequestContext],
    caller: Given[ProductCaller],
    leases: Given[Leases],
    reservations: Given[Reservations],
    shown_proof: Given[ShownProof],
    data: JSONBody[BorrowBody],
) -> LeaseAnswer:
    """Borrow a seat of a Floating license, or reserve credits of a metered one, until a date.

    The device uses them without a network. The header `DPoP` must prove its key, whatever its
    license asks for. The session of a seat does not end by silence, nor by anything else before the
    device returns the seat or the lease ends. Credits leave the balance at once; what the device
    does not spend comes back when it returns them.
    """
    begin = reservations.reserve if data.kind is LeaseKind.CREDITS else leases.borrow
    issued = await begin(caller, data.request(shown_proof), context.origin())
    return lease_answer(issued, context.platform.now())


@ROUTES.act(
    "/api/leases/{lease_id:uuid}/renew",
    access=ProductKey(places=PLACES_OF_A_SIGNATURE),
    problems=(
        ErrorCode.KEYS_NOT_GENERATED,
        ErrorCode.CLOCK_NOT_TRUSTED,
        ErrorCode.IDEMPOTENCY_KEY_REUSED,
        ErrorCode.LICENSE_INVALID,
        ErrorCode.LICENSE_EXPIRED,
        ErrorCode.LEASE_LIMIT_REACHED,
        ErrorCode.LEASE_NOT_FOUND,
        ErrorCode.LEASE_FORKED,
        ErrorCode.DEVICE_BLOCKED,
        ErrorCode.DEVICE_PROOF_REQUIRED,
    ),
    tags=_RUNTIME,
)
async def renew(
    context: Given[RequestContext],
    caller: Given[ProductCaller],
    leases: Given[Leases],
    shown_proof: Given[ShownProof],
    lease_id: FromPath[UUID],
    data: JSONBody[RenewBody],
) -> LeaseAnswer:
    """Keep a borrowed seat or reserved credits longer; the end is never moved back.

    A `seq` that is not the newest is that of a copied or restored device: the lease is `Forked`.
    """
    issued = await leases.renew(caller, lease_id, data.renewal(), shown_proof, context.origin())
    return lease_answer(issued, context.platform.now())


@ROUTES.act(
    "/api/leases/{lease_id:uuid}/report",
    access=ProductKey(),
    problems=(
        ErrorCode.LEASE_NOT_FOUND,
        ErrorCode.LEASE_FORKED,
        ErrorCode.DEVICE_PROOF_REQUIRED,
        ErrorCode.WALLET_NOT_FOUND,
    ),
    tags=_RUNTIME,
)
async def report_lease(
    context: Given[RequestContext],
    caller: Given[ProductCaller],
    reservations: Given[Reservations],
    shown_proof: Given[ShownProof],
    lease_id: FromPath[UUID],
    data: JSONBody[ReportBody],
) -> ReportAnswer:
    """Report what was spent of reserved credits, and charge it; the rest stays reserved.

    A journal that does not follow from what was reported before is that of a copied or restored
    device: the lease is `Forked`.
    """
    reported = await reservations.report(
        caller, lease_id, data.receipt, data.journal, shown_proof, context.origin()
    )
    return report_answer(reported, context.platform.now())


@ROUTES.act(
    "/api/leases/{lease_id:uuid}/return",
    access=ProductKey(),
    problems=(
        ErrorCode.LEASE_NOT_FOUND,
        ErrorCode.LEASE_FORKED,
        ErrorCode.DEVICE_PROOF_REQUIRED,
        ErrorCode.WALLET_NOT_FOUND,
    ),
    tags=_RUNTIME,
)
async def return_lease(
    context: Given[RequestContext],
    caller: Given[ProductCaller],
    leases: Given[Leases],
    shown_proof: Given[ShownProof],
    lease_id: FromPath[UUID],
    data: JSONBody[ReturnBody],
) -> ReturnAnswer:
    """Return a borrowed seat, or what is left of reserved credits after the journal is charged.

    It is free at once, also for a license that is no longer valid.
    """
    given_back = await leases.give_back(
        caller, lease_id, data.given_back(), shown_proof, context.origin()
    )
    return return_answer(given_back, context.platform.now())


@ROUTES.get("/api/licenses/{license_id:uuid}/leases", access=_READ)
async def list_leases(
    db: Given[Connection],
    platform: Given[Platform],
    operator: Given[Operator],
    paging: Given[Paging],
    license_id: FromPath[UUID],
    in_state: Annotated[LeaseState | None, QueryParameter(name="state")] = None,
    kind: LeaseKind | None = None,
) -> Listing[LeaseView]:
    """List the leases of a license, newest first. Sorts by issuedAt, endsAt."""
    found = await operators.list_leases(
        db, operator, license_id, in_state, kind, paging, platform.clock()
    )
    return found.of(lease_view)


@ROUTES.act("/api/leases/{lease_id:uuid}/recall", access=_WRITE, problems=(ErrorCode.CONFLICT,))
async def recall(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    lease_id: FromPath[UUID],
    data: JSONBody[RecallBody | None] = None,
) -> LeaseView:
    """Recall a borrowed seat or reserved credits: the lease can no longer be renewed.

    With `force`, they are free at once. The device does not learn of that without a network, and
    works on until `endsAt`: so long, one more device than seats may use the license, or credits are
    spent that were given back.
    """
    force = data is not None and data.force
    return lease_view(await operators.recall(work, operator, lease_id, force=force))


@ROUTES.act(
    "/api/leases/{lease_id:uuid}/acknowledge", access=_WRITE, problems=(ErrorCode.CONFLICT,)
)
async def acknowledge(
    work: Given[UnitOfWork], operator: Given[Operator], lease_id: FromPath[UUID]
) -> LeaseView:
    """Acknowledge a forked lease, so that its device may borrow and reserve again."""
    return lease_view(await operators.acknowledge(work, operator, lease_id))

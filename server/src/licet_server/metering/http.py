"""Routes of metering for applications."""

from typing import Annotated
from uuid import UUID

from litestar import Response
from litestar.params import FromPath, HeaderParameter, JSONBody, QueryParameter
from msgspec import UNSET

from licet_server.catalog.access import ProductKey, product_caller
from licet_server.catalog.rules.model import ProductCaller
from licet_server.devices.access import shown_proof
from licet_server.devices.http.runtime import RuntimeHardwareId
from licet_server.devices.rules.proofs import ShownProof
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole, InstitutionRoleOrReceiver
from licet_server.institutions.rules.operators import Operator, Scope
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.body import given
from licet_server.kit.web.context import HttpRequest, RequestContext, context_of
from licet_server.kit.web.csv import list_or_csv
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.responses import respond_once
from licet_server.kit.web.routes import Routes
from licet_server.licenses.http.credentials import (
    PasswordHeader,
    UsernameHeader,
    header_credentials,
)
from licet_server.licenses.http.views import show
from licet_server.licenses.schemas.records import LicenseView
from licet_server.licenses.service import reading
from licet_server.licenses.service.hooks import CurrentUsageReader
from licet_server.licenses.service.noting import note_device
from licet_server.metering.rules.model import LedgerEntryType
from licet_server.metering.schemas import (
    MAX_SLICE,
    AdjustBalanceBody,
    BalanceAnswer,
    BalanceChangeAnswer,
    ConsumeAnswer,
    ConsumeBody,
    FeaturePriceBody,
    FeaturePriceView,
    GrantBalanceBody,
    LedgerEntryView,
    MeterSettingsChange,
    ReconcileAnswer,
    ReconcileBody,
    balance_answer,
    balance_change_answer,
    consume_answer,
    feature_price_view,
    ledger_entry_view,
    reconcile_answer,
    reconcile_slice_answer,
)
from licet_server.metering.service import pricing, wallets
from licet_server.metering.service.meters import Meters
from licet_server.metering.service.reconciling import reconcile_for, reconcile_slice, repair_for
from licet_server.metering.service.wallets import fetch_readable_wallet, set_threshold

ROUTES = Routes("Metering")

_RUNTIME = ["Runtime"]


@ROUTES.act(
    "/api/meter/consume",
    access=ProductKey(),
    problems=(
        ErrorCode.INVALID_CREDENTIALS,
        ErrorCode.IDEMPOTENCY_KEY_REUSED,
        ErrorCode.LICENSE_NOT_FOUND,
        ErrorCode.LICENSE_INVALID,
        ErrorCode.LICENSE_EXPIRED,
        ErrorCode.DEVICE_BLOCKED,
        ErrorCode.HARDWARE_MISMATCH,
        ErrorCode.DEVICE_PROOF_REQUIRED,
        ErrorCode.HARDWARE_ID_NOT_ACCEPTED,
        ErrorCode.ACTIVATION_NOT_FOUND,
        ErrorCode.NOT_METERED_LICENSE,
        ErrorCode.WALLET_NOT_FOUND,
        ErrorCode.FEATURE_NOT_ENTITLED,
        ErrorCode.PRICING_NOT_CONFIGURED,
        ErrorCode.INSUFFICIENT_BALANCE,
        ErrorCode.CONCURRENCY_CONFLICT,
    ),
    tags=_RUNTIME,
)
async def consume(
    context: Given[RequestContext],
    meters: Given[Meters],
    data: JSONBody[ConsumeBody],
) -> ConsumeAnswer:
    """Charge a metered license for using a feature, once per idempotency key."""
    caller = product_caller(context)
    note_device(data.hardware_id)
    receipt = await meters.consume(caller, data.request(shown_proof(context)), context.origin())
    return consume_answer(receipt)


@ROUTES.get(
    "/api/meter/balance",
    access=ProductKey(),
    problems=(
        ErrorCode.INVALID_CREDENTIALS,
        ErrorCode.LICENSE_NOT_FOUND,
        ErrorCode.DEVICE_BLOCKED,
        ErrorCode.HARDWARE_MISMATCH,
        ErrorCode.DEVICE_PROOF_REQUIRED,
        ErrorCode.NOT_METERED_LICENSE,
        ErrorCode.WALLET_NOT_FOUND,
    ),
    tags=_RUNTIME,
)
async def show_own_balance(
    context: Given[RequestContext],
    caller: Given[ProductCaller],
    meters: Given[Meters],
    shown_proof: Given[ShownProof],
    license_key: Annotated[str, QueryParameter(name="licenseKey", min_length=1, max_length=300)],
    hardware_id: RuntimeHardwareId = None,
    username: UsernameHeader = None,
    password: PasswordHeader = None,
) -> BalanceAnswer:
    """Get the balance of a metered license; nothing is charged.

    The hardware ID is required once a device of the license is blocked.
    """
    note_device(hardware_id)
    credentials = header_credentials(username, password)
    wallet = await meters.balance(
        caller, license_key, hardware_id, credentials, shown_proof, context.origin()
    )
    return balance_answer(wallet)


IdempotencyHeader = Annotated[str | None, HeaderParameter(name="Idempotency-Key")]

_ADMIN = InstitutionRole(Role.ADMIN, Scope.METER_WRITE)
_WITHOUT_WALLET = (ErrorCode.NOT_METERED_LICENSE, ErrorCode.WALLET_NOT_FOUND)


@ROUTES.get(
    "/api/meter/balance/{license_id:uuid}",
    access=InstitutionRoleOrReceiver(Role.VIEWER, Scope.METER_READ),
    problems=_WITHOUT_WALLET,
)
async def show_balance(
    keyed: Given[Connection], operator: Given[Operator], license_id: FromPath[UUID]
) -> BalanceAnswer:
    """Get the balance of a metered license."""
    return balance_answer(await fetch_readable_wallet(keyed, operator, license_id))


@ROUTES.get(
    "/api/licenses/{license_id:uuid}/ledger",
    access=InstitutionRole(Role.VIEWER, Scope.METER_READ),
    problems=_WITHOUT_WALLET,
)
async def list_ledger(
    request: HttpRequest,
    db: Given[Connection],
    platform: Given[Platform],
    operator: Given[Operator],
    paging: Given[Paging],
    license_id: FromPath[UUID],
) -> Listing[LedgerEntryView]:
    """List the ledger of a license; with `Accept: text/csv`, return all of it as CSV.

    Sorts by sequence, createdAt. Entries older than 400 days, or what the service is set to, are in
    archives; the rest begins with a higher sequence number.
    """

    async def fetch(connection: Connection, step: Paging) -> Listing[LedgerEntryView]:
        found = await wallets.list_ledger(connection, operator, license_id, step)
        return found.of(ledger_entry_view)

    of = operator.first_institution
    return await list_or_csv(
        request,
        db,
        platform,
        paging,
        operator.user_id,
        of,
        "ledger.csv",
        LedgerEntryView,
        fetch,
    )


@ROUTES.act(
    "/api/meter/grant",
    access=_ADMIN,
    problems=(ErrorCode.NOT_FOUND, ErrorCode.CONFLICT, *_WITHOUT_WALLET),
)
async def grant_balance(
    request: HttpRequest,
    work: Given[UnitOfWork],
    operator: Given[Operator],
    data: JSONBody[GrantBalanceBody],
    idempotency_key: IdempotencyHeader = None,  # noqa: ARG001 - for the API page; `respond_once` reads it
) -> Response[BalanceChangeAnswer]:
    """Add to the balance of a license."""
    return await _change_wallet(request, work, operator, LedgerEntryType.ADMIN_GRANT, data)


@ROUTES.act(
    "/api/meter/adjust",
    access=_ADMIN,
    problems=(ErrorCode.NOT_FOUND, ErrorCode.CONFLICT, *_WITHOUT_WALLET),
)
async def adjust_balance(
    request: HttpRequest,
    work: Given[UnitOfWork],
    operator: Given[Operator],
    data: JSONBody[AdjustBalanceBody],
    idempotency_key: IdempotencyHeader = None,  # noqa: ARG001 - for the API page; `respond_once` reads it
) -> Response[BalanceChangeAnswer]:
    """Correct the balance of a license, up or down."""
    return await _change_wallet(request, work, operator, LedgerEntryType.ADJUST, data)


async def _change_wallet(
    request: HttpRequest,
    work: UnitOfWork,
    operator: Operator,
    entry_type: LedgerEntryType,
    data: GrantBalanceBody | AdjustBalanceBody,
) -> Response[BalanceChangeAnswer]:
    async def act() -> BalanceChangeAnswer:
        entry = await wallets.change_wallet(work, operator, entry_type, **given(data))
        return balance_change_answer(entry)

    return await respond_once(request, work, 200, act)


@ROUTES.act(
    "/api/meter/reconcile",
    access=_ADMIN,
    problems=(ErrorCode.NOT_FOUND, ErrorCode.CONFLICT, ErrorCode.NOT_METERED_LICENSE),
)
async def reconcile(
    request: HttpRequest,
    platform: Given[Platform],
    operator: Given[Operator],
    data: JSONBody[ReconcileBody | None] = None,
) -> ReconcileAnswer:
    """Check wallets against their ledgers, and find metered licenses whose wallet is lost.

    With `repair`, an Owner rebuilds a lost wallet from its ledger; nothing else is changed.
    """
    asked = data or ReconcileBody()
    if asked.institution_id is not None:
        part = await reconcile_slice(
            platform.database,
            operator,
            asked.institution_id,
            after=asked.after,
            limit=asked.limit or MAX_SLICE,
        )
        return reconcile_slice_answer(part)
    repaired = False
    if asked.repair and asked.license_id is not None:
        async with platform.unit_of_work(context_of(request).origin()) as work:
            repaired = await repair_for(work, operator, asked.license_id)
    found = await reconcile_for(platform.database, operator, asked.license_id)
    return reconcile_answer(found, repaired=repaired)


@ROUTES.put(
    "/api/licenses/{license_id:uuid}/meter-settings",
    access=_ADMIN,
    problems=(ErrorCode.CONFLICT, *_WITHOUT_WALLET),
)
async def change_meter_settings(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    read_usage: Given[CurrentUsageReader],
    license_id: FromPath[UUID],
    data: JSONBody[MeterSettingsChange],
) -> LicenseView:
    """Set the balance at which the vendor is warned; null for no warning."""
    if data.low_balance_threshold is UNSET:
        license_ = await reading.fetch_license(work.db, operator, license_id)
    else:
        license_ = await set_threshold(work, operator, license_id, data.low_balance_threshold)
    return await show(work, read_usage, license_)


_PATH = "/api/meter/features/{feature_id:uuid}/pricing"


@ROUTES.put(_PATH, access=InstitutionRole(Role.ADMIN, Scope.METER_WRITE))
async def set_price(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    feature_id: FromPath[UUID],
    data: JSONBody[FeaturePriceBody],
) -> FeaturePriceView:
    """Set the price of one use of a feature for Credit-Based licenses, from now on."""
    return feature_price_view(await pricing.set_price(work, operator, feature_id, data.token_cost))


@ROUTES.get(_PATH, access=InstitutionRole(Role.ADMIN, Scope.METER_READ))
async def list_prices(
    db: Given[Connection],
    operator: Given[Operator],
    paging: Given[Paging],
    feature_id: FromPath[UUID],
) -> Listing[FeaturePriceView]:
    """List the prices of a feature, past and present. Sorts by createdAt, tokenCost."""
    return (await pricing.list_prices(db, operator, feature_id, paging)).of(feature_price_view)

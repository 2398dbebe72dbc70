"""Routes of verdicts, license files and explanations."""

import asyncio
from collections.abc import Sequence
from uuid import UUID

from litestar.params import FromPath, JSONBody

from licet_server.catalog.access import (
    PLACES_OF_A_SIGNATURE,
    ProductKey,
    ProductKeyLookup,
    product_caller,
)
from licet_server.catalog.rules.model import ProductCaller
from licet_server.devices.access import shown_proof
from licet_server.devices.rules.proofs import ShownProof
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.operators import Operator, Scope
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode, FieldError, bad_fields
from licet_server.kit.platform import Platform
from licet_server.kit.web.context import HttpRequest, RequestContext, context_of
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.routes import Routes
from licet_server.kit.web.views import view_of
from licet_server.licenses.service.noting import note_device, note_status, open_part
from licet_server.validation.rules.model import ValidationContext
from licet_server.validation.rules.verdict import status_of
from licet_server.validation.schemas import (
    ExplainLicenseBody,
    Explanation,
    RefreshAnswer,
    RefreshBody,
    RuleView,
    ValidateAnswer,
    ValidateBody,
    ValidateManyAnswer,
    ValidateManyBody,
    activation_state,
    seat_state,
    validated_license,
)
from licet_server.validation.service.requests import ValidationRequest
from licet_server.validation.service.snapshots import explain_license
from licet_server.validation.service.validator import Validator

ROUTES = Routes("Runtime")


@ROUTES.act(
    "/api/licenses/validate",
    access=ProductKey(),
    problems=(ErrorCode.KEYS_NOT_GENERATED, ErrorCode.CLOCK_NOT_TRUSTED, ErrorCode.RATE_LIMITED),
)
async def validate(
    context: Given[RequestContext],
    validator: Given[Validator],
    data: JSONBody[ValidateBody],
) -> ValidateAnswer:
    """Validate a license for an application and its device.

    With `activate`, a device that may run a Concurrent or NodeLocked license takes its seat as in
    `POST /api/activations`, and the verdict is that of after it; a refusal of the seat is the
    verdict. With `file`, the response has a fresh license.bin where `POST /api/licenses/refresh`
    would issue one.
    """
    return await _verdict(context, validator, data, shown_proof(context))


@ROUTES.act(
    "/api/licenses/validate-many",
    access=ProductKey(places=PLACES_OF_A_SIGNATURE),
    problems=(ErrorCode.KEYS_NOT_GENERATED, ErrorCode.RATE_LIMITED),
)
async def validate_many(
    context: Given[RequestContext],
    product_keys: Given[ProductKeyLookup],
    validator: Given[Validator],
    shown_proof: Given[ShownProof],
    data: JSONBody[ValidateManyBody],
) -> ValidateManyAnswer:
    """Validate up to 100 licenses, and respond with the verdicts in the order of the requests.

    Each request is judged as `POST /api/licenses/validate` would, and counts against the rate limit
    of the product key. One that is refused, for instance after too many unknown keys, refuses all.
    """
    _require_verdicts_only(data.requests)
    if len(data.requests) > 1:
        await product_keys.count(product_caller(context), len(data.requests) - 1)
    verdicts = (_part_of_many(context, validator, item, shown_proof) for item in data.requests)
    return ValidateManyAnswer(await asyncio.gather(*verdicts))


async def _part_of_many(
    context: RequestContext, validator: Validator, data: ValidateBody, shown: ShownProof
) -> ValidateAnswer:
    open_part()
    return await _verdict(context, validator, data, shown)


def _require_verdicts_only(requests: Sequence[ValidateBody]) -> None:
    found = [
        FieldError(f"requests[{position}].{name}", "is for POST /api/licenses/validate.")
        for position, item in enumerate(requests)
        for name, wanted in (("activate", item.activate), ("file", item.file))
        if wanted
    ]
    if found:
        raise bad_fields(found)


async def _verdict(
    context: RequestContext, validator: Validator, data: ValidateBody, shown: ShownProof
) -> ValidateAnswer:
    caller = product_caller(context)
    note_device(data.hardware_id, data.device_name, data.app_version)
    validation_request = ValidationRequest(
        institution_id=caller.institution_id,
        product_id=caller.product_id,
        settings=caller.settings,
        license_key=data.license_key,
        hardware_id=data.hardware_id,
        device_name=data.device_name,
        os=data.os,
        app_version=data.app_version,
        session_id=data.session_id,
        credentials=data.credentials,
        shown=shown,
        key_level=data.device_key_level,
        components=data.components or {},
    )
    outcome = await validator.validate(validation_request, context.origin())
    file: str | None = None
    if data.activate:
        outcome = await validator.take_seat(validation_request, outcome, context.origin())
    if data.file:
        outcome, file = await validator.add_file(validation_request, outcome, context.origin())
    note_status(outcome.verdict.status)
    now = context.platform.now()
    license_view = validated_license(outcome, now)
    result = ValidateAnswer(
        valid=outcome.verdict.valid,
        status=outcome.verdict.status,
        message=outcome.verdict.message,
        license=license_view,
        activation=activation_state(outcome),
        seat=seat_state(outcome),
        server_time=now,
        warnings=outcome.warnings(data.app_version),
        nonce=data.nonce,
        request_id=context.request_id,
    )
    if file is not None:
        result.file = file
    if data.signed:
        result.token = await validator.sign_verdict(
            validation_request, data.nonce, outcome, license_view
        )
    return result


@ROUTES.act(
    "/api/licenses/refresh",
    access=ProductKey(places=PLACES_OF_A_SIGNATURE),
    problems=(
        ErrorCode.INVALID_CREDENTIALS,
        ErrorCode.KEYS_NOT_GENERATED,
        ErrorCode.CLOCK_NOT_TRUSTED,
        ErrorCode.LICENSE_NOT_FOUND,
        ErrorCode.LICENSE_INVALID,
        ErrorCode.LICENSE_EXPIRED,
        ErrorCode.DEVICE_BLOCKED,
        ErrorCode.HARDWARE_MISMATCH,
        ErrorCode.DEVICE_PROOF_REQUIRED,
        ErrorCode.HARDWARE_ID_NOT_ACCEPTED,
        ErrorCode.TRIAL_ALREADY_USED,
        ErrorCode.PENDING_APPROVAL,
        ErrorCode.ACTIVATION_REQUIRED,
        ErrorCode.MAX_ACTIVATIONS_REACHED,
        ErrorCode.CONFLICT,
    ),
)
async def refresh_file(
    request: HttpRequest,
    validator: Given[Validator],
    caller: Given[ProductCaller],
    shown_proof: Given[ShownProof],
    data: JSONBody[RefreshBody],
) -> RefreshAnswer:
    """Issue a fresh license.bin, if the license is valid for this application and device.

    The file of a Concurrent license with activation mode Offline is for one device, which takes a
    seat unless it holds one, and keeps it at least until the file ends.
    """
    note_device(data.hardware_id)
    validation_request = ValidationRequest(
        institution_id=caller.institution_id,
        product_id=caller.product_id,
        settings=caller.settings,
        license_key=data.license_key,
        hardware_id=data.hardware_id,
        credentials=data.credentials,
        shown=shown_proof,
        components=data.components or {},
    )
    file = await validator.refresh_file(
        validation_request, context_of(request).origin(), protected=data.protected
    )
    return RefreshAnswer(file=file.text, expires_at=file.refresh_by)


@ROUTES.act(
    "/api/licenses/{license_id:uuid}/explain",
    access=InstitutionRole(Role.VIEWER, Scope.LICENSES_READ),
    tags=["Licenses"],
)
async def explain(
    db: Given[Connection],
    platform: Given[Platform],
    operator: Given[Operator],
    license_id: FromPath[UUID],
    data: JSONBody[ExplainLicenseBody | None] = None,
) -> Explanation:
    """Explain why a license is or is not valid: every rule in order, with its reason."""
    body = data or ExplainLicenseBody()
    context = ValidationContext(
        now=platform.clock(), hardware_id=body.hardware_id, app_version=body.app_version
    )
    entitlements, results = await explain_license(db, operator, license_id, context)
    rules = [view_of(RuleView, item) for item in results]
    values = entitlements.values
    return Explanation(status_of(results), rules, dict(values) if values is not None else None)

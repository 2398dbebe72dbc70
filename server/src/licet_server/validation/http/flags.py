"""Routes of the OpenFeature Remote Evaluation Protocol: what a license grants, as flags."""

from hashlib import sha256

from litestar import Response
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, JSONBody

from licet_server.catalog.access import ProductKey, product_caller
from licet_server.catalog.service.features import list_feature_names
from licet_server.devices.rules.proofs import ShownProof
from licet_server.kit.errors import ErrorCode
from licet_server.kit.platform import Platform
from licet_server.kit.web.context import HttpRequest, context_of
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.downloads import NOT_MODIFIED, is_unchanged
from licet_server.kit.web.responses import encode_json
from licet_server.kit.web.routes import Routes
from licet_server.licenses.service.noting import note_device, note_status
from licet_server.validation.rules.flags import Flags, flag_named, flags_of
from licet_server.validation.schemas import (
    EvaluateFlagsBody,
    Flag,
    FlagNotFound,
    FlagsAnswer,
    FlagsMetadata,
)
from licet_server.validation.service.requests import ValidationOutcome, ValidationRequest
from licet_server.validation.service.validator import Validator

ROUTES = Routes("Runtime")


@ROUTES.act(
    "/ofrep/v1/evaluate/flags",
    access=ProductKey(),
    problems=(ErrorCode.RATE_LIMITED,),
    responses=NOT_MODIFIED,
)
async def evaluate_flags(
    request: HttpRequest,
    platform: Given[Platform],
    validator: Given[Validator],
    shown_proof: Given[ShownProof],
    data: JSONBody[EvaluateFlagsBody],
) -> Response[FlagsAnswer]:
    """Evaluate every feature that a license grants, for OpenFeature's OFREP providers.

    The license is validated as in `POST /api/licenses/validate`; one that is not valid grants
    nothing. With `If-None-Match`, the response is 304 while nothing has changed.
    """
    outcome = await _validate(request, validator, data, shown_proof)
    flags = await _flags(request, platform, outcome)
    metadata = FlagsMetadata(outcome.verdict.status)
    answer = FlagsAnswer([Flag(name, value, metadata) for name, value in flags.items()], metadata)
    tag = f'"{sha256(encode_json(answer)).hexdigest()}"'
    if is_unchanged(request, tag):
        return Response(b"", status_code=304, headers={"etag": tag})  # type: ignore[arg-type]
    return Response(answer, headers={"etag": tag})


@ROUTES.act(
    "/ofrep/v1/evaluate/flags/{key:str}",
    access=ProductKey(),
    problems=(ErrorCode.RATE_LIMITED,),
    responses={404: ResponseSpec(FlagNotFound, description="The license does not grant it.")},
)
async def evaluate_flag(
    request: HttpRequest,
    platform: Given[Platform],
    validator: Given[Validator],
    key: FromPath[str],
    shown_proof: Given[ShownProof],
    data: JSONBody[EvaluateFlagsBody],
) -> Response[Flag | FlagNotFound]:
    """Evaluate one feature of a license, by its name, for OpenFeature's OFREP providers.

    Where the license does not grant it, the response is 404 with `FLAG_NOT_FOUND`, and the
    application uses the default of its code.
    """
    outcome = await _validate(request, validator, data, shown_proof)
    value = flag_named(await _flags(request, platform, outcome), key)
    if value is None:
        reason = "The license does not grant it."
        message = reason if outcome.verdict.valid else outcome.verdict.message
        return Response(FlagNotFound(key, message), status_code=404)
    return Response(Flag(key, value, FlagsMetadata(outcome.verdict.status)))


async def _validate(
    request: HttpRequest, validator: Validator, data: EvaluateFlagsBody, shown: ShownProof
) -> ValidationOutcome:
    context, asked = context_of(request), data.context
    caller = product_caller(context)
    note_device(asked.hardware_id, app_version=asked.app_version)
    validation_request = ValidationRequest(
        institution_id=caller.institution_id,
        product_id=caller.product_id,
        settings=caller.settings,
        license_key=asked.license_key,
        hardware_id=asked.hardware_id,
        app_version=asked.app_version,
        session_id=asked.session_id,
        credentials=asked.credentials,
        shown=shown,
    )
    outcome = await validator.validate(validation_request, context.origin())
    note_status(outcome.verdict.status)
    return outcome


async def _flags(request: HttpRequest, platform: Platform, outcome: ValidationOutcome) -> Flags:
    if outcome.snapshot is None or not outcome.verdict.valid:
        return {}
    entitlements, of_product = outcome.snapshot.entitlements, list[str]()
    if entitlements.features is None:
        caller = product_caller(context_of(request))
        async with platform.database.reading() as db:
            of_product = await list_feature_names(db, caller.institution_id, caller.product_id)
    return flags_of(entitlements, of_product)

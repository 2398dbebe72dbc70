"""Routes of validation."""

from uuid import UUID

from litestar import post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody

from licet_server.catalog.access import ProductKey, provide_product_caller
from licet_server.catalog.rules.model import ProductCaller
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.api_keys import Scope
from licet_server.institutions.rules.operators import Operator, Role
from licet_server.kit.database import Connection
from licet_server.kit.platform import Platform
from licet_server.kit.web.context import HttpRequest, context_of
from licet_server.kit.web.dependencies import Given
from licet_server.validation import service
from licet_server.validation.rules import Circumstances
from licet_server.validation.schemas import (
    ExplainBody,
    Explanation,
    RefreshAnswer,
    RefreshBody,
    RuleView,
    ValidateAnswer,
    ValidateBody,
    activation_state,
    validated_license,
)
from licet_server.validation.service import Question, Validator


@post("/api/licenses/validate", access=ProductKey(), status_code=200, tags=["Runtime"])
async def validate(
    request: HttpRequest, validator: Given[Validator], data: JSONBody[ValidateBody]
) -> ValidateAnswer:
    """Is this license valid for this application, here and now?"""
    # The busiest route asks the framework for one dependency only: more than one are resolved in
    # tasks of their own, which costs more than everything else that this function does.
    context = context_of(request)
    caller = provide_product_caller(request)
    question = Question(
        institution_id=caller.institution_id,
        product_id=caller.product_id,
        license_key=data.license_key,
        hardware_id=data.hardware_id,
        device_name=data.device_name,
        app_version=data.app_version,
        username=data.username,
        password=data.password,
    )
    answer = await validator.validate(question, context.origin())
    now = context.platform.clock()
    license_view = validated_license(answer, now)
    result = ValidateAnswer(
        valid=answer.verdict.valid,
        status=answer.verdict.status,
        message=answer.verdict.message,
        license=license_view,
        activation=activation_state(answer),
        server_time=now,
        nonce=data.nonce,
        request_id=context.request_id,
    )
    if data.signed:
        result.token = await validator.sign_verdict(question, data.nonce, answer, license_view)
    return result


@post("/api/licenses/refresh", access=ProductKey(), status_code=200, tags=["Runtime"])
async def refresh_file(
    request: HttpRequest,
    validator: Given[Validator],
    caller: Given[ProductCaller],
    data: JSONBody[RefreshBody],
) -> RefreshAnswer:
    """A fresh license.bin, only where validation would say Valid."""
    question = Question(
        institution_id=caller.institution_id,
        product_id=caller.product_id,
        license_key=data.license_key,
        hardware_id=data.hardware_id,
        username=data.username,
        password=data.password,
    )
    file = await validator.refresh_file(
        question, context_of(request).origin(), protected=data.protected
    )
    return RefreshAnswer(file.text, file.refresh_by)


@post(
    "/api/licenses/{license_id:uuid}/explain",
    access=InstitutionRole(Role.VIEWER, Scope.LICENSES_READ),
    status_code=200,
    tags=["Licenses"],
)
async def explain(
    db: Given[Connection],
    platform: Given[Platform],
    operator: Given[Operator],
    license_id: FromPath[UUID],
    data: JSONBody[ExplainBody | None] = None,
) -> Explanation:
    """Why a license is or is not valid: every rule in order, with its reason."""
    asked = data or ExplainBody()
    circumstances = Circumstances(platform.clock(), asked.hardware_id, asked.app_version)
    verdict = await service.explain(db, operator, license_id, circumstances)
    rules = [RuleView(item.rule, item.passed, item.detail) for item in verdict.results]
    return Explanation(verdict.status, rules)


ROUTES: list[HTTPRouteHandler] = [validate, refresh_file, explain]

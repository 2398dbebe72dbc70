"""The OpenAPI document of the service, and the page that shows it.

The problems that an operation can answer with are declared by status and code. Most follow from the
operation itself: who may call it, whether it takes parameters or a body. A handler adds its own
with `problems=(ErrorCode..., ...)` in its decorator.
"""

import inspect
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from http import HTTPStatus
from typing import Any

import msgspec
from litestar import Litestar, Request, Router
from litestar.datastructures import ResponseHeader
from litestar.enums import MediaType, OpenAPIMediaType
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import OpenAPIRenderPlugin
from litestar.openapi.spec import Components, OpenAPIType, Schema, SecurityScheme
from litestar.plugins import OpenAPISchemaPlugin
from litestar.typing import FieldDefinition

from licet_server import __version__
from licet_server.kit.errors import ErrorCode
from licet_server.kit.text import camel
from licet_server.kit.web.access import (
    Anonymous,
    declared_access,
    declared_step_up,
    describe_access,
)
from licet_server.kit.web.openapi.components import (
    Examples,
    add_examples,
    code_samples,
    merge_number_kinds,
    rename_components,
)
from licet_server.kit.web.problems import MEANING, PROBLEM_JSON, STATUS, Problem

Operation = dict[str, Any]
_TYPED = frozenset(
    {"application/json", "application/octet-stream", "text/csv", "text/event-stream", "text/plain"}
)
_REFERENCE = {"$ref": "#/components/schemas/Problem"}

RATE_LIMIT_HEADERS: Mapping[str, str] = {
    "RateLimit-Limit": "Requests that the limit allows in its period.",
    "RateLimit-Remaining": "Requests that are left in the period.",
    "RateLimit-Reset": "Seconds until the period ends.",
}
"""Sent with every response that a rate limit applies to, refusals or not."""


def declare_problems(operation: Operation, handler: HTTPRouteHandler) -> None:
    """Replace the framework's generic refusals by those that this operation can answer with.

    A response that the handler declares itself stays.
    """
    by_status: defaultdict[int, list[ErrorCode]] = defaultdict(list)
    for code in sorted(set(_codes(operation, handler)), key=list(ErrorCode).index):
        by_status[STATUS[code]].append(code)
    responses = operation["responses"]
    responses.pop("400", None)
    for response in responses.values():
        _leave_untyped(response)
    for status, codes in sorted(by_status.items()):
        responses.setdefault(str(status), _response(codes))


def declared_codes(operation: Mapping[str, Any]) -> set[str]:
    """Return the error codes that an operation of a finished document declares."""
    return {
        code
        for response in operation["responses"].values()
        for code in response.get("content", {}).get(PROBLEM_JSON, {}).get("examples", {})
    }


def _leave_untyped(response: dict[str, Any]) -> None:
    """Name a media type that client generators cannot type in the description instead."""
    untyped = [kind for kind in response.get("content", {}) if kind not in _TYPED]
    for kind in untyped:
        del response["content"][kind]
        response["description"] = f"The content, sent as `{kind}`."
    if untyped and not response["content"]:
        del response["content"]


def _codes(operation: Operation, handler: HTTPRouteHandler) -> Iterator[ErrorCode]:
    yield from (ErrorCode.INVALID_REQUEST, ErrorCode.INTERNAL_ERROR, ErrorCode.UNAVAILABLE)
    access = declared_access(handler)
    parameters = operation.get("parameters", [])
    if access is not None and access.security is not None:
        yield from (ErrorCode.UNAUTHORIZED, ErrorCode.RATE_LIMITED)
        if access.security == "operatorToken":
            yield from (ErrorCode.FORBIDDEN, ErrorCode.SSO_REQUIRED)
    if declared_step_up(handler) is not None:
        yield ErrorCode.STEP_UP_REQUIRED
    if any(parameter["in"] == "path" for parameter in parameters):
        yield ErrorCode.NOT_FOUND
    if "requestBody" in operation:
        yield from (ErrorCode.PAYLOAD_TOO_LARGE, ErrorCode.UNSUPPORTED_MEDIA_TYPE)
    if any(parameter["name"] == "Idempotency-Key" for parameter in parameters):
        yield ErrorCode.IDEMPOTENCY_KEY_REUSED
    yield from handler.opt.get("problems", ())


def _response(codes: list[ErrorCode]) -> dict[str, Any]:
    described: dict[str, Any] = {
        "description": "\n\n".join(f"`{code}`: {MEANING[code]}" for code in codes),
        "content": {
            PROBLEM_JSON: {
                "schema": _REFERENCE,
                "examples": {
                    code.value: {"$ref": f"#/components/examples/{code}"} for code in codes
                },
            }
        },
    }
    if ErrorCode.RATE_LIMITED in codes:
        described["headers"] = {
            name: {"$ref": f"#/components/headers/{name}"} for name in RATE_LIMIT_HEADERS
        }
    return described


def problem_examples() -> dict[str, Any]:
    """Return an example of a problem for each error code."""
    return {code.value: {"value": _problem(STATUS[code], code)} for code in ErrorCode}


def _problem(status: int, code: ErrorCode) -> dict[str, object]:
    return {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": MEANING[code],
        "errorCode": code.value,
        "success": False,
        "requestId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
        "errors": [],
    }


PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"
)

_SCRIPT = "api-reference-"
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Licet API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="{base}/favicon.svg"></head><body>
<div id="reference"></div>
<script src="{base}/assets/{script}"></script>
</body></html>
"""
_NOT_BUILT = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Licet API</title></head><body>
<h1>Licet API</h1>
<p>The API reference is not included: the service was started from a checkout without a dashboard
build. Run <code>make dashboard</code>, then start the service again.</p>
<p>The <a href="{base}/api/openapi.json">OpenAPI document</a> is there.</p>
</body></html>
"""


class PagePlugin(OpenAPIRenderPlugin):
    """Serves the page, on which every route can be tried."""

    def __init__(self, page: str) -> None:
        super().__init__(path="/", media_type=MediaType.HTML)
        self._page = page.encode()

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        return self._page


def reference_page(assets: Iterable[str], base_path: str) -> str:
    """Return the page below a path, with its script from the names of the dashboard's assets."""
    script = next((name for name in assets if name.startswith(_SCRIPT)), None)
    page = _NOT_BUILT if script is None else _PAGE
    return page.format(script=script, base=base_path)


SECURITY_SCHEMES = {
    "operatorToken": SecurityScheme(
        type="http",
        scheme="bearer",
        bearer_format="JWT",
        description="An operator's access token, from signing in.",
    ),
    "apiKey": SecurityScheme(
        type="apiKey",
        name="X-API-KEY",
        security_scheme_in="header",
        description="An account API key, from Settings; also accepted as a bearer token.",
    ),
    "productKey": SecurityScheme(
        type="apiKey",
        name="X-API-KEY",
        security_scheme_in="header",
        description="A product key, from the product's credentials.",
    ),
}


class AmountSchema(OpenAPISchemaPlugin):
    """Amounts are JSON numbers, not texts."""

    @staticmethod
    def is_plugin_supported_type(value: Any) -> bool:
        return value is Decimal

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: Any) -> Schema:
        return Schema(type=OpenAPIType.NUMBER)


class DocumentPlugin(OpenAPIRenderPlugin):
    """Serves the completed document instead of the framework's own."""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        return cached_document(request.app)


def openapi_config(page: str) -> OpenAPIConfig:
    """Names and describes the API, with its page; each operation is named after its handler."""
    return OpenAPIConfig(
        title="Licet",
        version=__version__,
        description="Issue, distribute, validate and meter software licenses.",
        components=Components(security_schemes=dict(SECURITY_SCHEMES)),
        operation_id_creator=_operation_id,
        openapi_router=Router(
            "/api/docs",
            route_handlers=[],
            opt={"access": Anonymous()},
            include_in_schema=False,
            dto=None,
            response_headers=[ResponseHeader("content-security-policy", value=PAGE_POLICY)],
        ),
        render_plugins=[
            PagePlugin(page),
            DocumentPlugin(path="/openapi.json", media_type=OpenAPIMediaType.OPENAPI_JSON),
        ],
    )


def cached_document(app: Litestar) -> bytes:
    """Return the document, built at its first use."""
    document: bytes | None = app.state.get("openapi_document")
    if document is None:
        document = app.state["openapi_document"] = openapi_document(app)
    return document


def openapi_document(app: Litestar) -> bytes:
    """Return the document as JSON, with the access of each route and the shape of refusals."""
    document: dict[str, Any] = app.openapi_schema.to_schema()
    schemas = document["components"].setdefault("schemas", {})
    _, components = msgspec.json.schema_components(
        [Problem], ref_template="#/components/schemas/{name}"
    )
    schemas.update(components)
    document["components"]["headers"] = {
        name: {"description": text, "schema": {"type": "integer"}}
        for name, text in RATE_LIMIT_HEADERS.items()
    }
    document["components"]["examples"] = problem_examples()
    for route in app.routes:
        for handler in getattr(route, "route_handlers", []):
            if isinstance(handler, HTTPRouteHandler) and handler.include_in_schema is not False:
                for method in handler.http_methods:
                    operation = document["paths"].get(route.path_format, {}).get(method.lower())
                    if operation is not None:
                        _complete(operation, handler)
    document["paths"] = {_camel_path(path): item for path, item in document["paths"].items()}
    for item in document["paths"].values():
        for operation in item.values():
            for parameter in operation.get("parameters", []):
                if parameter["in"] == "path":
                    parameter["name"] = camel(parameter["name"])
    merge_number_kinds(document)
    rename_components(document)
    examples: Examples = app.state.get("openapi_examples", {})
    add_examples(document["components"]["schemas"], examples)
    text = msgspec.json.encode(document, order="sorted")
    return msgspec.json.format(text, indent=1) + b"\n"


def _complete(operation: dict[str, Any], handler: HTTPRouteHandler) -> None:
    sentence = (inspect.getdoc(handler.fn) or "").split("\n\n")[0]
    operation["summary"] = sentence.replace("\n", " ").rstrip(".")
    access = declared_access(handler)
    if access is not None:
        schemes = (access.security, access.alternative_security)
        operation["security"] = [{scheme: []} for scheme in schemes if scheme]
        description = operation.get("description", "")
        operation["description"] = f"{description}\n\n{describe_access(handler)}".strip()
    if (more := handler.opt.get("parameters")) is not None:
        operation["parameters"] = [*operation.get("parameters", []), *more]
    if (body := handler.opt.get("request_body")) is not None:
        operation["requestBody"] = body
    if (samples := code_samples().get(operation["operationId"])) is not None:
        operation["x-codeSamples"] = samples
    declare_problems(operation, handler)


def _camel_path(path: str) -> str:
    return "/".join(
        camel(segment) if segment.startswith("{") else segment for segment in path.split("/")
    )


def _operation_id(handler: HTTPRouteHandler, _method: Any, _path: Any) -> str:
    return camel(handler.handler_name)

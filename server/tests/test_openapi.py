"""The OpenAPI document: complete, true to the routes, and the service keeps to it under fire."""

import asyncio
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import httpx
import hypothesis
import jsonschema_rs
import msgspec
import pytest
from licenses.factories import product_key
from litestar.handlers import HTTPRouteHandler
from volumes import is_long
from world import World

from licet_server.app import Application
from licet_server.kit.errors import ErrorCode
from licet_server.kit.web.access import declared_access
from licet_server.kit.web.openapi.components import LANGUAGES, code_samples
from licet_server.kit.web.openapi.document import cached_document
from licet_server.kit.web.problems import PROBLEM_JSON, STATUS

METHODS = {"get", "put", "post", "delete", "patch"}
EXAMPLES_PER_OPERATION = 12 if is_long() else 3
SHARES = 4
"""So many tests attack the operations, each its share."""
NOT_OF_AN_SDK = {"deriveKey", "evaluateFlag", "evaluateFlags", "validateMany"}
"""Calls of applications and gateways that the SDKs do without."""


@pytest.fixture
def document(application: Application) -> dict[str, Any]:
    decoded: dict[str, Any] = msgspec.json.decode(cached_document(application.litestar))
    return decoded


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if method in METHODS:
                yield method, path, operation


def nameless(path: str) -> str:
    """Without the names of the parameters, which the document writes in its own way."""
    return re.sub(r"{\w+}", "{}", path)


def references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for inner in value.values():
            yield from references(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from references(inner)


async def test_the_document_is_sound(document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.1.")
    assert set(document) <= {
        "openapi", "info", "paths", "components", "servers", "tags", "security",
    }  # fmt: skip
    for reference in references(document):
        place: Any = document
        assert reference.startswith("#/")
        for step in reference[2:].split("/"):
            place = place[step.replace("~1", "/").replace("~0", "~")]
        assert isinstance(place, dict), reference
    for schema in document["components"]["schemas"].values():
        jsonschema_rs.meta.validate(schema)
    for method, path, operation in operations(document):
        declared = {
            found["name"] for found in operation.get("parameters", []) if found["in"] == "path"
        }
        named = {part[1:-1] for part in path.split("/") if part.startswith("{")}
        assert declared == named, f"{method} {path}"
        assert operation["responses"]
        for parameter in operation.get("parameters", []):
            jsonschema_rs.meta.validate(parameter["schema"])


async def test_every_example_is_valid(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    each = {name: {"$ref": f"#/components/schemas/{name}"} for name in schemas}
    whole = {"properties": each, "components": document["components"]}
    examples = {name: schema["example"] for name, schema in schemas.items()}
    judge = jsonschema_rs.Draft202012Validator(whole, validate_formats=True)
    assert [f"{e.instance_path}: {e.message}" for e in judge.iter_errors(examples)] == []
    broken = {**examples, "Problem": {**examples["Problem"], "status": "none"}}
    [error] = judge.iter_errors(broken)
    assert error.instance_path == ["Problem", "status"], "a control"


@pytest.mark.specification("service.api")
async def test_every_operation_is_named_and_says_who_may_call(
    application: Application, document: dict[str, Any]
) -> None:
    handlers = {
        (method.lower(), route.path_format): handler
        for route in application.litestar.routes
        for handler in getattr(route, "route_handlers", [])
        if isinstance(handler, HTTPRouteHandler)
        for method in handler.http_methods
    }
    shown = {
        place
        for place, handler in handlers.items()
        if place[0] in METHODS and handler.include_in_schema is not False
        and place[1].startswith(("/api/", "/ofrep/")) and not place[1].startswith("/api/docs")
    }  # fmt: skip
    documented = {(method, nameless(path)) for method, path, _ in operations(document)}
    assert documented == {(method, nameless(path)) for method, path in shown}
    by_place = {(method, nameless(path)): handlers[method, path] for method, path in shown}
    names = Counter(operation["operationId"] for _, _, operation in operations(document))
    assert [name for name, count in names.items() if count > 1] == []
    schemes = document["components"]["securitySchemes"]
    for method, path, operation in operations(document):
        access = declared_access(by_place[method, nameless(path)])
        assert access is not None
        wanted = [item for item in (access.security, access.alternative_security) if item]
        assert operation["security"] == [{item: []} for item in wanted], f"{method} {path}"
        assert set(wanted) <= set(schemes)
        assert ("apiKey" in wanted) is bool(getattr(access, "scopes", ()))
        assert operation["tags"]
        assert operation["summary"]
        refusals = [item for status, item in operation["responses"].items() if status >= "400"]
        for refusal in refusals:
            if path.startswith("/ofrep/") and PROBLEM_JSON not in refusal["content"]:
                continue  # its 404 has the shape of that protocol
            problem = refusal["content"][PROBLEM_JSON]
            assert problem["schema"] == {"$ref": "#/components/schemas/Problem"}
            assert set(problem["examples"]) <= set(ErrorCode)
        assert {"500", "503"} <= set(operation["responses"])
    for name, schema in document["components"]["schemas"].items():
        assert name.isalnum(), name
        assert "example" in schema, name
    codes = document["components"]["schemas"]["ErrorCode"]["enum"]
    assert set(codes) == set(ErrorCode) == set(STATUS)


async def test_each_call_of_an_application_has_code_in_each_language(
    document: dict[str, Any],
) -> None:
    """That the code runs and compiles is tested with the documentation of the SDKs."""
    found = {operation["operationId"]: operation for _, _, operation in operations(document)}
    samples = code_samples()
    assert set(samples) <= set(found)
    assert (
        set(samples)
        == {name for name, operation in found.items() if operation["tags"] == ["Runtime"]}
        - NOT_OF_AN_SDK
    )
    for name, written in samples.items():
        assert found[name]["x-codeSamples"] == written
        assert [sample["label"] for sample in written] == [label for _, label in LANGUAGES.values()]
        assert all("client." in sample["source"] for sample in written)


def require_sane(answer: httpx.Response, schema: jsonschema_rs.Validator | None) -> None:
    """Never a fault of ours; a refusal is a problem with a known code and that code's status."""
    said = f"{answer.request.method} {answer.request.url}: {answer.status_code} {answer.text[:500]}"
    assert answer.status_code < 500, said
    assert answer.headers["x-request-id"], said
    if answer.status_code < 300:
        if schema is not None:
            schema.validate(answer.json())
        return
    assert answer.status_code >= 400, said
    if answer.status_code == 404 and "/ofrep/" in answer.request.url.path:
        return  # in the shape of that protocol
    assert answer.headers["content-type"] == PROBLEM_JSON, said
    problem = answer.json()
    assert STATUS[ErrorCode(problem["errorCode"])] == answer.status_code == problem["status"], said
    assert problem["detail"], said
    assert problem["success"] is False, said
    assert "Traceback" not in answer.text, said


def answer_schema(document: dict[str, Any], operation: dict[str, Any]) -> Any:
    """What a success looks like, where it is JSON."""
    for status, response in operation["responses"].items():
        content = response.get("content", {}).get("application/json")
        if status.startswith("2") and content and content.get("schema"):
            return jsonschema_rs.validator_for(with_components(document, content["schema"]))
    return None


def with_components(document: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema with those that it refers to; to compile all of them takes 20 ms."""
    found: dict[str, Any] = {}
    left = [schema]
    while left:
        for name in {reference.rsplit("/", 1)[1] for reference in references(left.pop())}:
            if name not in found:
                found[name] = document["components"]["schemas"][name]
                left.append(found[name])
    return {**schema, "components": {"schemas": found}}


@pytest.mark.parametrize("share", range(SHARES))
async def test_schemathesis_finds_no_fault(
    world: World, application: Application, document: dict[str, Any], share: int
) -> None:
    license_ = await world.issue()
    release = (await world.owner.ok("GET", f"/api/products/{world.product['id']}/releases"))[
        "items"
    ][0]
    ids = {
        "institutionId": world.owner.institution_id,
        "productId": world.product["id"],
        "licenseId": license_["id"],
        "releaseId": release["id"],
    }
    headers = {
        "operatorToken": world.owner.headers,
        "apiKey": {},  # stands beside a token, which is enough
        "productKey": {"x-api-key": await product_key(world.owner, world.product)},
    }
    loop = asyncio.get_running_loop()
    import schemathesis  # takes half a second, in each process of a run

    asked: Counter[int] = Counter()
    mended = mostly_real(document, ids, license_["licenseKey"])

    def drive(case: Any, more: dict[str, str], schema: Any) -> None:
        arguments = case.as_transport_kwargs(base_url="http://licet.test")
        arguments = {
            name: arguments[name]
            for name in ("method", "url", "params", "cookies", "json", "data")
            if arguments.get(name) is not None
        } | {"headers": {**_without_credentials(arguments.get("headers") or {}), **more}}
        if isinstance(arguments.get("data"), bytes | str):
            arguments["content"] = arguments.pop("data")
        try:
            request = world.owner.client.build_request(**arguments)
        except (UnicodeError, httpx.InvalidURL, ValueError, TypeError):
            hypothesis.reject()  # no client could send it
        answer = asyncio.run_coroutine_threadsafe(world.owner.client.send(request), loop).result(30)
        asked[answer.status_code // 100] += 1
        require_sane(answer, schema)

    def attack() -> None:
        found = schemathesis.openapi.from_dict(mended).get_all_operations()
        for result in islice(found, share, None, SHARES):
            operation = result.ok()  # type: ignore[union-attr]
            raw = mended["paths"][operation.path][operation.method]
            told = document["paths"][operation.path][operation.method]
            if "text/event-stream" in told["responses"].get("200", {}).get("content", {}):
                continue  # it does not end
            schema = answer_schema(document, told)  # answers hold more than the narrowed ids
            more: dict[str, str] = {}
            for requirement in raw["security"]:
                for name in requirement:
                    more |= headers[name]

            @hypothesis.settings(
                max_examples=EXAMPLES_PER_OPERATION,
                deadline=None,
                database=None,
                phases=[hypothesis.Phase.generate],
                suppress_health_check=list(hypothesis.HealthCheck),
            )
            @hypothesis.given(case=operation.as_strategy())
            def try_it(case: Any, more: Any, schema: Any) -> None:
                drive(case, more, schema)

            try_it(more=more, schema=schema)

    await asyncio.to_thread(attack)
    assert asked[2] > 50 / SHARES, asked
    assert asked[4] > 50 / SHARES, asked


def _without_credentials(headers: Mapping[str, str]) -> dict[str, str]:
    invented = {"authorization", "x-api-key"}
    return {name: value for name, value in headers.items() if name.lower() not in invented}


def mostly_real(document: dict[str, Any], ids: dict[str, str], license_key: str) -> dict[str, Any]:
    """The document with ids and keys narrowed to real ones, so that calls get somewhere."""
    copy: dict[str, Any] = json.loads(json.dumps(document))
    # What would end the session or the things that the other calls work on.
    del copy["paths"]["/api/auth/logout"]
    del copy["paths"]["/api/auth/sessions"]["delete"]
    for _, _, operation in operations(copy):
        for parameter in operation.get("parameters", []):
            if parameter["in"] == "path" and parameter["name"] in ids:
                parameter["schema"]["enum"] = [ids[parameter["name"]]]
    for path, item in copy["paths"].items():
        if path.split("/")[-1].startswith("{"):
            item.pop("delete", None)
    for schema in copy["components"]["schemas"].values():
        for name, inner in schema.get("properties", {}).items():
            if name == "licenseKey":
                schema["properties"][name] = {**inner, "enum": [license_key, "00000-00000"]}
            if name in {"productId", "softwareReleaseId"} and inner.get("format") == "uuid":
                known = ids["productId" if name == "productId" else "releaseId"]
                schema["properties"][name] = {**inner, "enum": [known]}
    return copy

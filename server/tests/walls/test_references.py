"""What belongs to another tenant is as unknown as what does not exist, wherever it is named."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from body_places import fields_of, places_of
from walls.table import BODIES, IN_QUERY, closed_routes
from walls.tenant import Tenant, everything_of, found_tenant, marks_in

from licet_server.app import Application
from licet_server.catalog.access import ProductKey
from licet_server.institutions.access import InstitutionRole
from licet_server.kit.platform import Platform

NOWHERE = "01900000-0000-7000-8000-000000000000"
OPENAPI = Path(__file__).parents[3] / "docs" / "openapi.json"
NAMED = {
    "activationId": "activation_id",
    "actorId": "user_id",
    "connectorId": "connector_id",
    "customerId": "customer_id",
    "customerInstitutionId": "institution_id",
    "entitlementSetId": "set_id",
    "institutionId": "institution_id",
    "intoId": "other_customer_id",
    "licenseId": "metered_id",
    "orderId": "order_id",
    "policyId": "policy_id",
    "productId": "product_id",
    "sessionId": "session_id",
    "softwareReleaseId": "release_id",
    "subjectId": "license_id",
}
"""What the fields of bodies and queries name, by the names that paths have for it."""
LISTED = {
    "associatedInstitutionIds": "institution_id",
    "ids": "license_id",
    "keepActivationIds": "activation_id",
    "licenseIds": "license_id",
    "productIds": "product_id",
    "releaseIds": "release_id",
}
NO_REFERENCES = {"hardwareId", "instanceId", "clientId", "rawId", "requestId"}
"""Names that an application, a provider or an authenticator chose; and that of an earlier request,
which `licenses.test_undoing` tries for another institution."""


INSTEAD: dict[str, dict[str, Any]] = {
    "POST /api/institutions/{institution_id}/invitations": {"role": "Member"},
    "PUT /api/institutions/{institution_id}/members/{user_id}": {"role": "Member"},
    "POST /api/licenses/bulk": {"ids": None},
    "POST /api/meter/reconcile": {"licenseId": None},
    "POST /api/policies/{policy_id}/apply": {"all": None},
    "POST /api/products": {"accessType": "Associated"},
}
"""What bodies have instead, so that they may name what is tried; null is absent."""


@pytest.fixture
async def tenant(new_owner: Callable[..., Any], platform: Platform) -> Tenant:
    return await found_tenant(new_owner, platform)


@pytest.fixture
async def other(new_owner: Callable[..., Any], platform: Platform) -> Tenant:
    return await found_tenant(new_owner, platform)


def outcome(answer: httpx.Response, named: str) -> tuple[int, Any]:
    """Return status and answer, without the ID that was asked about and that of the request."""
    if not answer.content:
        return answer.status_code, None
    said = json.loads(answer.text.replace(named, "?"))
    return answer.status_code, {**said, "requestId": None}


def in_bodies(application: Application) -> Iterator[tuple[str, tuple[str, ...]]]:
    for place in places_of(application):
        for path in fields_of(place.body):
            if path[-1] in NAMED.keys() | LISTED.keys():
                yield f"{place.method} {place.path}", path
            else:
                is_reference = path[-1].endswith(("Id", "Ids")) and path[-1] not in NO_REFERENCES
                assert not is_reference, f"{place.path}: {path[-1]} is not in the table"


def with_reference(body: dict[str, Any], path: tuple[str, ...], named: str) -> dict[str, Any]:
    copy: dict[str, Any] = json.loads(json.dumps(body))
    place = copy
    for name in path[:-1]:
        place = place.setdefault(name, {})
    place[path[-1]] = [named] if path[-1] in LISTED else named
    return copy


@pytest.mark.specification("service.tenants")
async def test_a_reference_in_a_body(
    application: Application, tenant: Tenant, other: Tenant, platform: Platform
) -> None:
    before = await everything_of(platform, tenant)
    access = {route.name: route.access for route in closed_routes(application)}
    told = 0
    for name, path in in_bodies(application):
        if not isinstance(access.get(name), (InstitutionRole, ProductKey)):
            continue
        body = {} if name not in BODIES else BODIES[name](other)
        body |= INSTEAD.get(name, {})
        headers = other.owner.headers
        if isinstance(access[name], ProductKey):
            headers = {"x-api-key": other.product_key}
        method, template = name.split()
        key = (NAMED | LISTED)[path[-1]]
        foreign, unknown, own = [
            outcome(
                await other.owner.client.request(
                    method,
                    other.url(template),
                    json=with_reference(body, path, named),
                    headers=headers,
                ),
                named,
            )
            for named in (tenant.ids[key], NOWHERE, other.ids[key])
        ]
        assert foreign == unknown, (name, path)
        told += own != unknown
    assert told > 34, "a control: the bodies are refused for the reference, not for something else"
    assert await everything_of(platform, tenant) == before


@pytest.mark.specification("service.tenants")
async def test_a_reference_in_a_query(tenant: Tenant, other: Tenant, platform: Platform) -> None:
    marks = marks_in(await everything_of(platform, tenant))
    tried = 0
    for path, methods in json.loads(OPENAPI.read_text())["paths"].items():
        for parameter in methods.get("get", {}).get("parameters", ()):
            name = parameter["name"]
            if parameter["in"] != "query" or not name.endswith("Id") or name in NO_REFERENCES:
                continue
            template = path.replace("Id}", "_id}")
            query = IN_QUERY[f"GET {template}"](other) if f"GET {template}" in IN_QUERY else {}
            answers = []
            for named in (tenant.ids[NAMED[name]], NOWHERE):
                answer = await other.owner.send(
                    "GET", other.url(template), params={**query, name: named}
                )
                answers.append(outcome(answer, named))
                assert not {mark for mark in marks - {named} if mark in answer.text}, path
            assert answers[0] == answers[1], (path, name, answers)
            tried += 1
    assert tried > 20


@pytest.mark.specification("service.tenants")
async def test_an_unknown_id_in_a_path(application: Application, tenant: Tenant) -> None:
    """The walls prove the same refusal for the IDs of another tenant."""
    tried = 0
    for route in closed_routes(application):
        if not isinstance(route.access, InstitutionRole) or "_id}" not in route.template:
            continue
        *names, last = [part for part in route.template.split("/") if part.endswith("_id}")]
        for unknown in {last, *names}:
            url = tenant.url(route.template.replace(unknown, NOWHERE))
            body = BODIES.get(route.name)
            answer = await tenant.owner.send(
                route.method, url, None if body is None else body(tenant)
            )
            said = f"{route.name} {unknown}: {answer.status_code} {answer.text}"
            assert (answer.status_code, answer.json()["errorCode"]) == (404, "NotFound"), said
            tried += 1
    assert tried > 80

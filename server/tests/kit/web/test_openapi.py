"""Names of components, and the check that holds refusals against the document."""

from typing import Any

import declared_problems
import httpx
import pytest
from declared_problems import undeclared_problem

from licet_server.app import Application
from licet_server.kit.web.openapi.components import plain_name, rename_components


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("LicenseView", "License"),
        ("ConnectBody", "ConnectRequest"),
        ("ConnectAnswer", "ConnectResponse"),
        ("Listing_LicenseView_", "LicenseList"),
        ("Listing_licet_server.licenses.schemas.LicenseView_", "LicenseList"),
        ("Problem", "Problem"),
    ],
)
def test_a_component_is_named_after_its_class(key: str, name: str) -> None:
    assert plain_name(key) == name


def document_of(*keys: str) -> dict[str, Any]:
    reference = {"$ref": f"#/components/schemas/{keys[0]}"}
    return {
        "paths": {"/": {"get": {"responses": {"200": reference}}}},
        "components": {"schemas": {key: {"title": key} for key in keys}},
    }


def test_references_follow_the_name() -> None:
    document = document_of("LicenseView")
    rename_components(document)
    assert document == document_of("License") | {"components": {"schemas": {"License": {}}}}


@pytest.mark.parametrize("keys", [("LicenseView", "License"), ("a.LicenseView",)])
def test_a_name_that_is_taken_or_not_plain_is_refused(keys: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="needs a class name of its own"):
        rename_components(document_of(*keys))


@pytest.mark.parametrize(
    ("path", "code", "undeclared"),
    [
        ("/api/products/none", "NotFound", None),
        ("/api/products/none", "Unavailable", None),
        (
            "/api/products/none",
            "LicenseExpired",
            "GET /api/products/none declares no LicenseExpired",
        ),
        ("/api/no-such-route", "NotFound", None),
    ],
)
async def test_a_problem_that_a_route_does_not_declare_is_found(
    application: Application, path: str, code: str, undeclared: str | None
) -> None:
    request = httpx.Request("GET", f"http://licet.test{path}")
    response = httpx.Response(409, json={"errorCode": code}, request=request)
    assert undeclared_problem(application, response) == undeclared


async def test_a_problem_that_the_published_document_does_not_know_yet_is_looked_up(
    application: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(declared_problems, "_published", list)
    for code, undeclared in (("NotFound", None), ("LicenseExpired", "GET /api/products/x")):
        request = httpx.Request("GET", "http://licet.test/api/products/x")
        response = httpx.Response(409, json={"errorCode": code}, request=request)
        said = undeclared_problem(application, response)
        assert (said or "").startswith(undeclared or "")
        assert (said is None) is (undeclared is None)

"""Each route whose response takes long takes a place for it, and gives it back in the end."""

import inspect
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from catalog.factories import make_product
from catalog.release_files import first_release, upload
from patience import until_found
from sqlalchemy import text
from testkit import Owner
from walls.table import ENDLESS, Caller, closed_routes
from walls.tenant import found_tenant
from walls.test_walls import Knocker

from licet_server.app import Application
from licet_server.catalog.http import releases
from licet_server.customers import http as customers_http
from licet_server.kit.limits import Kind, Place, Places
from licet_server.kit.platform import Platform
from licet_server.kit.web import csv
from licet_server.kit.web.access import declared_access
from licet_server.kit.web.downloads import DOWNLOADS

SHORT = {
    "GET /api/licenses/{license_id}/file",
    "GET /api/received-licenses/{license_id}/file",
    "GET /api/products/{product_id}/keys/next/download",
    "GET /api/products/{product_id}/keys/public/download",
}
"""What is saved as a file, and is no longer than a page of a list."""

LONG = ("file_response(", "EventStream(")
"""What makes responses that take long, besides CSV, which takes its own place. A license file, from
`devices`, is short."""


async def held(platform: Platform) -> int:
    async with platform.database.reading() as db:
        return int((await db.execute(text("SELECT count(*) FROM held_places"))).scalar_one())


def test_each_route_with_a_long_response_takes_a_place(application: Application) -> None:
    found, lacking = 0, []
    for route in application.litestar.routes:
        for handler in getattr(route, "route_handlers", []):
            if handler.http_methods == {"OPTIONS"} or declared_access(handler) is None:
                continue
            module = inspect.getmodule(handler.fn)
            if module is not None and module.__name__.startswith("licet_server.devices"):
                continue
            source = inspect.getsource(handler.fn)
            if any(name in source for name in LONG):
                found += 1
                if "take_place(" not in source:
                    lacking.append(route.path)
    assert lacking == []
    assert found == 3


async def test_what_is_streamed_saved_or_exported_takes_a_place(
    application: Application,
    new_owner: Callable[..., Any],
    platform: Platform,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Every route that an Owner can read is asked for CSV, and judged by its response."""
    tenant, taken = await found_tenant(new_owner, platform), list[str]()
    take = Places.take

    async def noted(
        self: Places, kind: Kind, user: str, institution_id: UUID | None = None
    ) -> Place:
        taken.append(kind.name)
        assert institution_id == UUID(tenant.owner.institution_id)
        return await take(self, kind, user, institution_id)

    monkeypatch.setattr(Places, "take", noted)
    owner = Caller("Owner", {**tenant.owner.headers, "accept": "text/csv, */*"})
    knocker = Knocker(application)
    long, lacking = set(), set()
    for route in closed_routes(application):
        names = set(re.findall(r"{(\w+)}", route.template))
        if route.method != "GET" or route.name in ENDLESS or not names <= tenant.ids.keys():
            continue
        taken.clear()
        answer = await knocker.knock(route, owner, tenant)
        is_streamed = answer.is_success and "content-length" not in answer.headers
        is_saved = "attachment" in answer.headers.get("content-disposition", "")
        if is_streamed or is_saved or "export" in route.template:
            long.add(route.name)
            if not taken:
                lacking.add(route.name)
    await knocker.aclose()
    assert lacking == SHORT & long
    assert len(long - SHORT) >= 6


@pytest.mark.parametrize("path", ["/api/licenses", "/api/customers", "/api/institutions/{}/audit"])
async def test_an_export_takes_a_place(
    path: str, owner: Owner, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, accept = path.format(owner.institution_id), {"accept": "text/csv"}
    for _ in range(2 * csv.EXPORTS.per_user):
        assert (await owner.send("GET", path, headers=accept)).status_code == 200

    async def is_free() -> bool:
        return await held(platform) == 0

    await until_found(is_free)
    monkeypatch.setattr(csv, "EXPORTS", replace(csv.EXPORTS, per_user=0))
    refused = await owner.send("GET", path, headers=accept)
    assert (refused.status_code, refused.json()["errorCode"]) == (429, "RateLimited")
    assert refused.headers["retry-after"] == "10"
    assert (await owner.send("GET", path)).status_code == 200


async def test_an_export_of_personal_data_takes_a_place(
    owner: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    customer = {"name": "Ada", "email": "ada@example.com"}
    path = f"/api/customers/{(await owner.ok('POST', '/api/customers', customer))['id']}"
    assert (await owner.send("GET", f"{path}/export")).status_code == 200
    monkeypatch.setattr(customers_http, "EXPORTS", replace(csv.EXPORTS, per_user=0))
    refused = await owner.send("GET", f"{path}/export")
    assert (refused.status_code, refused.json()["errorCode"]) == (429, "RateLimited")
    assert (await owner.send("GET", path)).status_code == 200


async def test_a_download_takes_a_place(
    owner: Owner, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    release_id = await first_release(owner, await make_product(owner))
    file_id = (await upload(owner, release_id)).json()["id"]
    path = f"/api/releases/{release_id}/files/{file_id}/content"
    assert (await owner.send("GET", path)).status_code == 200
    monkeypatch.setattr(releases, "DOWNLOADS", replace(DOWNLOADS, per_institution=0))
    refused = await owner.send("GET", path)
    assert (refused.status_code, refused.json()["errorCode"]) == (429, "RateLimited")
    assert refused.json()["detail"].startswith("Your institution has 0 downloads in progress")

    async def is_free() -> bool:
        return await held(platform) == 0

    await until_found(is_free)

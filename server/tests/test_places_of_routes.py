"""Each route whose response takes long takes a place for it, and gives it back in the end."""

import inspect
from dataclasses import replace

import pytest
from catalog.factories import make_product
from catalog.release_files import first_release, upload
from patience import until_found
from sqlalchemy import text
from testkit import Owner

from licet_server.app import Application
from licet_server.catalog.http import files
from licet_server.kit.platform import Platform
from licet_server.kit.web import csv
from licet_server.kit.web.access import declared_access
from licet_server.kit.web.downloads import DOWNLOADS

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


async def test_a_download_takes_a_place(
    owner: Owner, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    release_id = await first_release(owner, await make_product(owner))
    file_id = (await upload(owner, release_id)).json()["id"]
    path = f"/api/releases/{release_id}/files/{file_id}/content"
    assert (await owner.send("GET", path)).status_code == 200
    monkeypatch.setattr(files, "DOWNLOADS", replace(DOWNLOADS, per_institution=0))
    refused = await owner.send("GET", path)
    assert (refused.status_code, refused.json()["errorCode"]) == (429, "RateLimited")
    assert refused.json()["detail"].startswith("Your institution has 0 downloads in progress")

    async def is_free() -> bool:
        return await held(platform) == 0

    await until_found(is_free)

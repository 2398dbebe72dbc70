"""What a request reads began after it arrived: it sees each change that was answered before.

Readers share statements. One reader has its rows, and waits; through another server something is
changed; a reader that comes after the answer shares nothing with the first one.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any

import httpx
import pytest
from applications import AnotherServer
from interleaving import pause_after
from patience import until
from testkit import Owner
from world import Vendor, open_vendor, through

from licet_server.institutions.storage import operators
from licet_server.kit.coalesce import Coalescer
from licet_server.kit.paging import FilteredPages, Pages
from licet_server.licenses.http import views
from licet_server.licenses.storage import records

Change = Callable[[Vendor, dict[str, Any]], Coroutine[Any, Any, Any]]


async def suspend(there: Vendor, made: dict[str, Any]) -> None:
    body = {"action": "suspend", "ids": [made["id"]]}
    assert (await there.owner.ok("POST", "/api/licenses/bulk", body))["done"] == 1


async def rename_product(there: Vendor, made: dict[str, Any]) -> None:
    await there.owner.ok("PUT", f"/api/products/{made['productId']}", {"name": "Borealis"})


async def sign_out(there: Vendor, _made: dict[str, Any]) -> None:
    await there.owner.ok("POST", "/api/auth/logout")


CASES: dict[str, tuple[str, Any, str, Change]] = {
    "a page": ("/api/licenses", Pages, "fetch_each", suspend),
    "what matches": ("/api/licenses?status=Active", FilteredPages, "fetch", suspend),
    "a license": ("/api/licenses/{id}", records, "fetch_by_ids", suspend),
    "its names": ("/api/licenses/{id}", views, "_read", rename_product),
    "the sign-in": ("/api/licenses", operators, "fetch_signed_in_operators", sign_out),
}


@pytest.fixture
async def servers(
    owner: Owner, another_server: AnotherServer
) -> AsyncIterator[tuple[Vendor, Vendor]]:
    """One vendor, through two servers on one database."""
    here = await open_vendor(owner)
    async with through(await another_server(), here) as there:
        there.owner.client.cookies.update(owner.client.cookies)
        yield here, there


def seen(answer: httpx.Response) -> tuple[int, dict[str, Any]]:
    return answer.status_code, {**answer.json(), "requestId": None}


@pytest.mark.parametrize("case", CASES)
async def test_a_reader_shares_no_statement_that_began_before_a_change(
    case: str, servers: tuple[Vendor, Vendor], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, owner_of, name, change = CASES[case]
    here, there = servers
    made = await here.issue()
    asked: list[Coalescer[Any, Any]] = []
    submit = Coalescer.submit

    async def noted(coalescer: Coalescer[Any, Any], item: Any) -> Any:
        asked.append(coalescer)
        return await submit(coalescer, item)

    async def read() -> httpx.Response:
        return await here.owner.send("GET", path.format(id=made["id"]))

    before = seen(await read())
    monkeypatch.setattr(Coalescer, "submit", noted)
    pause = pause_after(monkeypatch, owner_of, name)
    early = await pause.reached_by(read())
    shared = asked[-1]
    await change(there, made)
    late = asyncio.create_task(read())
    await until(lambda: asked.count(shared) == 2)
    pause.end()
    assert seen(await early) == before
    assert seen(await late) == seen(await read()) != before

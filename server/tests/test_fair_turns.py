"""Requests take their turn in the fair queue, and give it back whatever becomes of them."""

import asyncio
import json
from collections.abc import Hashable, Sequence
from typing import Any
from uuid import UUID

import httpx
import pytest
from litestar.types import Receive, Send
from patience import PATIENCE_S
from world import Vendor, World

from licet_server.app import Application
from licet_server.kit.fair_queue import IN_PROGRESS, FairQueue

JSON = {"content-type": "application/json"}
VALIDATE = "/api/licenses/validate"


@pytest.fixture
def queue(application: Application) -> FairQueue:
    queue: FairQueue = application.litestar.state["queue"]
    return queue


def lane_of(vendor: Vendor) -> tuple[str, UUID]:
    """The lane of an institution's applications."""
    return ("product keys", UUID(vendor.product["institutionId"]))


class Entered:
    """Notes who enters the queue."""

    def __init__(self, queue: FairQueue, monkeypatch: pytest.MonkeyPatch) -> None:
        self.lanes: list[Any] = []
        entering = queue.enter

        async def enter(lane: Any, places: int = 1) -> None:
            await entering(lane, places)
            self.lanes.append(lane)

        monkeypatch.setattr(queue, "enter", enter)


async def is_free(queue: FairQueue, lane: Hashable) -> bool:
    """Whether a lane has its whole share, while there is another tenant."""
    await FairQueue.enter(queue, "another tenant")
    queue.leave("another tenant")
    share = IN_PROGRESS // 2
    entering = [asyncio.create_task(FairQueue.enter(queue, lane)) for _ in range(share)]
    await asyncio.sleep(0)
    has_room = queue.waiting == 0
    for task in entering:
        if not task.cancel():
            queue.leave(lane)
    await asyncio.gather(*entering, return_exceptions=True)
    return has_room


@pytest.fixture
def entered(queue: FairQueue, monkeypatch: pytest.MonkeyPatch) -> Entered:
    return Entered(queue, monkeypatch)


async def test_every_kind_of_request_gives_its_turn_back(
    world: World, client: httpx.AsyncClient, queue: FairQueue, entered: Entered
) -> None:
    license_ = await world.issue("Perpetual")
    key = {"licenseKey": license_["licenseKey"]}
    entered.lanes.clear()
    requests: Sequence[tuple[str, str, dict[str, str], object]] = [
        ("POST", VALIDATE, world.key, key),
        ("POST", VALIDATE, world.key, {"licenseKey": 1}),
        ("POST", VALIDATE, world.key, None),
        ("POST", "/api/sessions/heartbeat", world.key, {"sessionId": "x"}),
        ("POST", "/api/sessions/disconnect", world.key, {"sessionId": "x"}),
        ("POST", "/api/telemetry", world.key, {"events": []}),
        ("GET", f"/api/updates/latest?licenseKey={key['licenseKey']}", world.key, None),
        ("DELETE", "/api/activations/current", world.key, {**key, "hardwareId": "machine-1"}),
        ("GET", f"/api/products/{world.product['id']}", world.owner.headers, None),
        ("GET", "/api/products/nonsense", world.owner.headers, None),
        ("HEAD", "/api/licenses", world.owner.headers, None),
        ("GET", "/api/licenses?page=0", world.owner.headers, None),
    ]
    for method, path, headers, body in requests:
        content = b"" if body is None else json.dumps(body).encode()
        await client.request(method, path, headers={**JSON, **headers}, content=content)
        assert await is_free(queue, entered.lanes[-1]), (method, path)
    assert entered.lanes.count(lane_of(world)) >= 6
    assert any(name == "users" for name, _ in entered.lanes)


async def test_requests_that_are_not_admitted_take_no_turn(
    world: World, client: httpx.AsyncClient, entered: Entered
) -> None:
    entered.lanes.clear()
    for headers in ({}, {"x-api-key": "pk_none"}, {"authorization": "Bearer none"}):
        for method, path in (("POST", VALIDATE), ("GET", "/api/licenses")):
            response = await client.request(method, path, headers={**JSON, **headers})
            assert response.status_code in {400, 401}
    assert entered.lanes == []


@pytest.mark.parametrize("path", [VALIDATE, "/api/telemetry"])
async def test_a_body_that_comes_slowly_keeps_nobody_waiting(
    world: World, application: Application, entered: Entered, queue: FairQueue, path: str
) -> None:
    entered.lanes.clear()
    asked, rest = asyncio.Event(), asyncio.Event()
    sent: list[Any] = []

    async def receive() -> Any:
        asked.set()
        if not rest.is_set():
            await rest.wait()
            return {"type": "http.request", "body": b"{", "more_body": True}
        return {"type": "http.request", "body": b"}", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    serving = asyncio.create_task(_call(application, path, world, receive, send))
    await asyncio.wait_for(asked.wait(), PATIENCE_S)
    assert entered.lanes == []
    rest.set()
    await serving
    assert entered.lanes == [lane_of(world)]
    assert await is_free(queue, lane_of(world))
    assert sent[0]["status"] == 400


async def test_who_leaves_in_the_middle_gives_the_turn_back(
    world: World, application: Application, queue: FairQueue
) -> None:
    async def receive() -> Any:
        return {"type": "http.request", "body": b'{"licenseKey": "x"}', "more_body": False}

    async def send(message: Any) -> None:
        raise OSError("the client has left")

    tasks = [
        asyncio.create_task(_call(application, VALIDATE, world, receive, send)) for _ in range(40)
    ]
    await asyncio.sleep(0)
    for task in tasks[::2]:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert await is_free(queue, lane_of(world))


async def _call(
    application: Application, path: str, vendor: Vendor, receive: Receive, send: Send
) -> None:
    await application.asgi(_scope(path, vendor.key), receive, send)


def _scope(path: str, headers: dict[str, str]) -> Any:
    given = {**JSON, "host": "licet.test", **headers}
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(name.lower().encode(), text.encode()) for name, text in given.items()],
        "client": ("203.0.113.7", 50_000),
        "server": ("licet.test", 80),
        "root_path": "",
        "state": {},
    }

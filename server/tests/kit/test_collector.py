"""The collector leaves the application alone, and requests leave it nothing to find."""

import gc
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from licet_server.kit.collector import exempt_heap
from licet_server.serving import with_lifespan


@pytest.fixture
def collector() -> Iterator[None]:
    """The collector, which is afterwards as it was."""
    frozen, thresholds = gc.get_freeze_count(), gc.get_threshold()
    yield
    gc.set_threshold(*thresholds)
    gc.unfreeze()
    if frozen:
        gc.freeze()


@pytest.mark.usefixtures("collector")
async def test_what_the_start_has_created_is_exempt_before_the_first_request() -> None:
    gc.unfreeze()
    frozen: list[int] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        frozen.append(gc.get_freeze_count())
        await send({"type": "lifespan.startup.complete"})

    async def send(message: Any) -> None:
        frozen.append(gc.get_freeze_count())

    before = gc.get_threshold()
    await with_lifespan(app, app)({"type": "lifespan"}, None, send)  # type: ignore[arg-type, typeddict-item]
    assert frozen[0] == 0
    assert frozen[1] > 10_000
    assert gc.get_threshold() > before


@pytest.mark.usefixtures("collector")
async def test_requests_leave_no_objects_behind(client: httpx.AsyncClient) -> None:
    exempt_heap()

    async def tracked_after(requests: int) -> int:
        for _ in range(requests):
            assert (await client.get("/health/live")).status_code == 200
            assert (await client.post("/api/licenses/validate", json={})).status_code == 401
        gc.collect()
        return len(gc.get_objects())

    before = await tracked_after(100)
    assert await tracked_after(500) - before < 100


async def test_requests_go_straight_to_the_application() -> None:
    called: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        called.append(scope["type"])

    async def lifespan(scope: Any, receive: Any, send: Any) -> None:
        called.append("other")

    run = with_lifespan(app, lifespan)
    coroutine: Any = run({"type": "http"}, None, None)  # type: ignore[arg-type, typeddict-item]
    assert coroutine.cr_code is app.__code__, "nothing stands between"
    await coroutine
    assert called == ["http"]

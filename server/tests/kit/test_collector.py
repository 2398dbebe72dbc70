"""The collector leaves the application alone, and requests leave it nothing to find."""

import gc
from collections.abc import Iterator

import httpx
import pytest

from licet_server.kit.process import exempt_heap

PYTHONS = (700, 10, 10)


@pytest.fixture
def collector() -> Iterator[None]:
    """The collector as Python starts with it; afterwards it is as it was."""
    frozen, thresholds = gc.get_freeze_count(), gc.get_threshold()
    gc.set_threshold(*PYTHONS)
    yield
    gc.set_threshold(*thresholds)
    gc.unfreeze()
    if frozen:
        gc.freeze()


@pytest.mark.usefixtures("collector")
def test_what_the_start_has_created_is_exempt() -> None:
    gc.unfreeze()
    exempt_heap()
    assert gc.get_freeze_count() > 10_000
    assert gc.get_threshold() > PYTHONS


@pytest.mark.undivided  # where statements are logged, the log keeps them
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

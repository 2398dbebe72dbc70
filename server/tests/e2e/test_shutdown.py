"""A stop loses no request: on kept connections, on new ones, and on those in the queue."""

import asyncio

import pytest
from e2e.keepalive import Client, Told, live
from e2e.process import NewService, Service
from patience import PATIENCE_S, eventually
from volumes import is_long

BUSY, PAUSING, FRESH = Client(), Client(pause_s=0.5), Client(keeps=False)


def _stop_after(answers: int, service: Service, told: Told) -> int:
    eventually(lambda: told.answered >= answers, "the load runs")
    return service.stop()


async def _stop_under_load(service: Service) -> Told:
    told = Told()
    kinds = [BUSY] * 16 + [PAUSING] * 32 + [FRESH] * 4
    clients = [asyncio.create_task(live(kind, service.port, told)) for kind in kinds]
    code = await asyncio.to_thread(_stop_after, 500, service, told)
    assert code == 0
    await asyncio.wait_for(asyncio.gather(*clients), PATIENCE_S)
    return told


@pytest.mark.parametrize("workers", [1, 2, 4] if is_long() else [1, 2])
def test_no_request_is_lost_at_the_stop(new_service: NewService, workers: int) -> None:
    service = new_service()
    service.start("--workers", workers)
    told = asyncio.run(_stop_under_load(service))
    assert told.refused
    assert not told.lost, (len(told.lost), told.lost[:3], service.output()[-2000:])
    assert "Traceback" not in service.output()

"""Sudden ends under load: what was acknowledged stays, and nobody has to lend a hand."""

import os
import re
import signal
import time

from e2e.load import issuing, stored_licenses
from e2e.process import ADMIN, NewService, Service, descendants_of, lives, workers_of
from e2e.vendor import make_vendor
from patience import eventually

RECOVERY_S = 20.0


def test_the_database_is_killed(new_embedded_service: NewService) -> None:
    service = new_embedded_service(**ADMIN)
    service.start()
    with service.sign_in() as owner:
        vendor = make_vendor(owner)
        with issuing(service, vendor) as seen:
            eventually(lambda: len(seen.acknowledged) >= 20, "the load runs")
            killed = service.postmaster()
            os.kill(killed, signal.SIGKILL)
            began = time.monotonic()
            eventually(lambda: not lives(killed), "the database is gone", 5)
            before = len(seen.acknowledged)
            eventually(lambda: len(seen.acknowledged) >= before + 20, "licenses again", RECOVERY_S)
            took = time.monotonic() - began
        stored = stored_licenses(vendor)
    assert service.postmaster() != killed
    assert not seen.odd, f"{seen.odd[:3]}\n{service.output()[-30000:]}"
    assert seen.unreached == 0, "the service itself stayed"
    assert seen.acknowledged.items() <= stored.items()
    print(f"back after {took:.2f} s; {dict(seen.statuses)}")


def test_the_service_is_killed_with_its_workers(
    new_embedded_service: NewService,
) -> None:
    service = new_embedded_service(**ADMIN)
    service.start("--workers", 2)
    _check_that_metrics_are_of_both_workers(service)
    assert service.process is not None
    children = descendants_of(service.process.pid)
    assert len(workers_of(service.process.pid)) == 2
    assert service.postmaster() in children
    with service.sign_in() as owner:
        vendor = make_vendor(owner)
        with issuing(service, vendor) as seen:
            eventually(lambda: len(seen.acknowledged) >= 20, "the load runs")
            service.send(signal.SIGKILL)
            eventually(lambda: not any(map(lives, children)), "workers and database end", 15)
            before = len(seen.acknowledged)
            service.start()
            eventually(lambda: len(seen.acknowledged) >= before + 20, "licenses again", RECOVERY_S)
        stored = stored_licenses(vendor)
    assert not seen.odd, f"{seen.odd[:3]}\n{service.output()[-30000:]}"
    assert seen.unreached, "the kill was felt"
    assert seen.acknowledged.items() <= stored.items()
    assert "Traceback" not in service.output()


def _check_that_metrics_are_of_both_workers(service: Service) -> None:
    before = _requests_counted(service)
    for _ in range(40):  # a connection each, so that both workers get some
        with service.client() as client:
            client.get("/health/live").raise_for_status()
    # Whichever worker answers, it tells of both.
    assert {_requests_counted(service) for _ in range(8)} == {before + 40}


def _requests_counted(service: Service) -> float:
    """How many answers of the liveness route the metrics show."""
    with service.client() as client:
        found = re.findall(
            r'^licet_http_requests_total\{.*route="/health/live".*\} ([\d.e+]+)$',
            client.get("/metrics").raise_for_status().text,
            re.MULTILINE,
        )
    return sum(map(float, found))

"""Several services on one embedded database: whoever runs it may end, and the others go on."""

import signal

import pytest
from e2e.process import ADMIN, NewService, Service
from e2e.vendor import make_vendor
from patience import eventually


def is_ready(service: Service) -> bool:
    with service.client() as client:
        return client.get("/health/ready").is_success


@pytest.mark.parametrize("which", [signal.SIGTERM, signal.SIGKILL])
def test_a_second_service_goes_on_when_the_first_one_ends(
    new_embedded_service: NewService, which: signal.Signals
) -> None:
    first = new_embedded_service(**ADMIN)
    first.start()
    second = Service({})
    first_folder, own_folder = first.folder, second.folder
    second.folder = first_folder
    second.start("--workers", 2)
    try:
        with second.sign_in() as owner:
            vendor = make_vendor(owner)
            kept = {vendor.issue()["id"] for _ in range(5)}
            server = first.postmaster()
            first.send(which)
            eventually(lambda: is_ready(second), "the second service runs the database", 60)
            assert second.postmaster() != server
            kept.add(vendor.issue()["id"])
            stored = {item["id"] for item in vendor.ok("GET", "/api/licenses")["items"]}
            assert kept == stored
            # The first one comes back beside it.
            first.start()
            assert is_ready(first)
    finally:
        if first.process is not None:
            first.stop()
        second.stop()
        second.folder = own_folder
        second.remove()

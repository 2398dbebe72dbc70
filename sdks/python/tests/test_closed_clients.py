"""A client that is closed, or used on a second event loop."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from licet_testkit import FakeClock, LicenseServer, Vendor, client_options, make_client, online

from licet import AsyncLicenseClient, ConfigurationError


def test_a_closed_client_says_so(tmp_path: Path, clock: FakeClock, server: LicenseServer) -> None:
    client = make_client(tmp_path, clock, **online(server))
    assert client.validate_online()
    client.close()
    client.close()
    for call in (client.validate, client.validate_online, client.open, client.activate):
        with pytest.raises(ConfigurationError, match="closed"):
            call()


async def test_a_closed_async_client_says_so(
    tmp_path: Path, clock: FakeClock, server: LicenseServer
) -> None:
    client = AsyncLicenseClient(**client_options(tmp_path, clock, **online(server)))
    await client.aclose()
    await client.aclose()
    with pytest.raises(ConfigurationError, match="closed"):
        await client.validate()


def test_a_closed_client_still_reads_its_file(
    tmp_path: Path, clock: FakeClock, server: LicenseServer, vendor: Vendor
) -> None:
    (tmp_path / "license.bin").write_text(vendor.file(activationMode="Offline"))
    client = make_client(tmp_path, clock, **online(server))
    client.close()
    assert client.validate().status == "Valid"
    assert server.requests == []


def test_an_async_client_on_a_second_event_loop(
    tmp_path: Path, vendor: Vendor, clock: FakeClock
) -> None:
    with LicenseServer(vendor, clock, keep_alive=True) as server:
        client = AsyncLicenseClient(**client_options(tmp_path, clock, **online(server)))
        assert asyncio.run(client.validate()).status == "Valid"
        assert asyncio.run(client.validate()).status == "Valid"
        asyncio.run(client.aclose())

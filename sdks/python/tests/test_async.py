from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import pytest
from licet_testkit import FakeClock, LicenseServer, Vendor, client_options, make_client, online

from licet import (
    AsyncLicenseClient,
    NetworkError,
    ServerRefusedError,
    TransportReply,
    TransportRequest,
)

pytestmark = pytest.mark.usefixtures("no_pauses")


async def test_async_client_lifecycle(
    tmp_path: Path, clock: FakeClock, server: LicenseServer
) -> None:
    options = client_options(tmp_path, clock, **online(server))
    async with AsyncLicenseClient(**options) as client:
        assert (await client.validate()).status == "Valid"
        assert (await client.validate_online()).source == "server"
        assert (await client.validate_offline()).status == "GracePeriod"
        assert (await client.refresh()).status == "Valid"
        server.status = "Revoked"
        clock.advance(minutes=1)
        assert (await client.validate()).status == "Revoked"
        server.stop()
        assert (await client.validate()).status == "Revoked"
        with pytest.raises(ServerRefusedError):
            await client.validate_online()


async def test_concurrent_validations(
    tmp_path: Path, clock: FakeClock, server: LicenseServer
) -> None:
    options = client_options(tmp_path, clock, **online(server))
    async with AsyncLicenseClient(**options) as client:
        results = await asyncio.gather(*(client.validate() for _ in range(20)))
    assert all(results)


async def test_settings(tmp_path: Path, clock: FakeClock, vendor: Vendor) -> None:
    (tmp_path / "license.bin").write_text(vendor.file(activationMode="Offline"))
    (tmp_path / "licet.json").write_text('{"GracePeriodDays": 1}')
    options = client_options(tmp_path, clock)
    async with AsyncLicenseClient.from_settings(tmp_path, **options) as client:
        assert await client.validate()
        assert client.hardware_id


@dataclass
class Recorder:
    """A transport without a network."""

    requests: list[TransportRequest] = field(default_factory=list)
    closed: bool = False

    def send(self, request: TransportRequest) -> TransportReply:
        self.requests.append(request)
        raise NetworkError("The cable is out.")

    def close(self) -> None:
        self.closed = True


def test_custom_transport(tmp_path: Path, clock: FakeClock, vendor: Vendor) -> None:
    (tmp_path / "license.bin").write_text(vendor.file())
    recorder = Recorder()
    settings = {"server_base_endpoint": "https://x.example/api", "api_key": "pk_secret"}
    options = {"license_key": vendor.terms()["key"], "grace_period": timedelta(days=1), **settings}
    with make_client(tmp_path, clock, transport=recorder, **options) as client:
        result = client.validate()
    assert result.status == "OnlineRequired"
    assert result.message.startswith("The cable is out.")
    assert recorder.requests[0].url == "https://x.example/api/licenses/validate"
    assert "pk_secret" not in repr(recorder.requests)
    assert vendor.terms()["key"].replace("-", "") not in repr(recorder.requests)
    assert not recorder.closed

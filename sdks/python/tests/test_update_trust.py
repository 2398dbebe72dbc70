"""Updates that must not be trusted: forged, replayed, changed on the way, or sent without TLS."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from licet import LicenseClient, TransportReply, TransportRequest, UntrustedUpdateError
from licet.testing import FakeLicense, FakeServer

CONTENT = b"the setup program" * 1000


@pytest.fixture
def server() -> FakeServer:
    return FakeServer()


@pytest.fixture
def license_(server: FakeServer) -> FakeLicense:
    return server.issue("Perpetual")


class Lying:
    """A server, or a proxy, that changes the response to the update check."""

    def __init__(self, server: FakeServer, change: Callable[[dict[str, Any]], None]) -> None:
        self._inner, self._change, self.sent = server.transport, change, 0

    def send(self, request: TransportRequest) -> TransportReply:
        reply = self._inner.send(request)
        self.sent += 1
        content = json.loads(reply.body)
        self._change(content)
        return replace(reply, body=json.dumps(content).encode())

    def close(self) -> None: ...


async def test_an_update_from_another_kind_of_address_is_refused(
    server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    server.publish("1.1.0", {"setup.exe": CONTENT})
    options = server.options(license_, folder=tmp_path, app_version="1.0.0")
    changes: list[Callable[[dict[str, Any]], Any]] = [
        lambda it: it["files"][0].update(downloadUrl="file:///etc/passwd"),
        lambda it: it["files"][0].update(downloadUrl="ftp://127.0.0.1/a"),
    ]
    for change in changes:
        transport = Lying(server, change)
        client = LicenseClient(transport=transport, **options)
        with pytest.raises(UntrustedUpdateError):
            client.check_for_update()
        assert transport.sent == 1, "nothing was downloaded"


def test_a_release_signed_with_the_next_key_is_taken(
    server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    first = server.public_key
    server.rotate_keys()
    server.publish("1.1.0", {"setup.exe": CONTENT})
    keys: dict[str, Any] = {"public_key": None, "public_keys": [first, server.public_key]}
    client = server.client(license_, folder=tmp_path, app_version="1.0.0", retries=True, **keys)
    update = client.check_for_update()
    assert client.download(update.files[0], tmp_path / "new").read_bytes() == CONTENT


def test_a_download_needs_https(server: FakeServer, license_: FakeLicense, tmp_path: Path) -> None:
    server.publish("1.1.0", {"setup.exe": CONTENT})
    client = server.client(license_, folder=tmp_path / "state", app_version="1.0.0")
    update = client.check_for_update()
    far = replace(update.files[0], download_url="http://licenses.example.com/api/downloads/x")
    with pytest.raises(UntrustedUpdateError, match="https"):
        client.download(far, tmp_path / "new")
    assert list(tmp_path.glob("*.part")) == []

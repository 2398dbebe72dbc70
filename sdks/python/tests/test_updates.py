"""Updates through the client: checks, downloads in chunks, resumption and verification."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from licet import (
    DamagedDownloadError,
    DownloadWithdrawnError,
    LicenseClient,
    LicenseRefusedError,
    RequestRefusedError,
    TransportReply,
    TransportRequest,
    UnexpectedReplyError,
    Update,
)
from licet._download import CHUNK_BYTES
from licet.testing import FakeLicense, FakeServer

CONTENT = bytes(range(253)) * (3 * CHUNK_BYTES // 253 + 50)
STEPS = -(-len(CONTENT) // CHUNK_BYTES)


@pytest.fixture
def server() -> FakeServer:
    return FakeServer()


@pytest.fixture
def license_(server: FakeServer) -> FakeLicense:
    return server.issue("Perpetual")


@pytest.fixture
def client(server: FakeServer, license_: FakeLicense, tmp_path: Path) -> LicenseClient:
    folder = tmp_path / "state"
    return server.client(license_, folder=folder, app_version="1.0.0", retries=True)


@pytest.fixture
def update(server: FakeServer, client: LicenseClient) -> Update:
    server.publish("1.1.0", {"setup.exe": CONTENT}, notes="# New")
    return client.check_for_update()


def downloads(server: FakeServer) -> int:
    return sum(seen.path.startswith("/downloads/") for seen in server.requests)


def parts_in(folder: Path) -> list[str]:
    return [item.name for item in folder.iterdir() if item.name.endswith(".part")]


def test_an_available_update(update: Update, server: FakeServer) -> None:
    [file] = update.files
    assert (update.available, update.version, update.channel) == (True, "1.1.0", "Stable")
    assert update.notes == "# New"
    assert update.published_at is not None
    assert update.published_at.tzinfo is not None
    assert (file.name, file.size, file.platform) == ("setup.exe", len(CONTENT), None)
    assert file.sha256 == hashlib.sha256(CONTENT).hexdigest()
    assert file.download_url not in repr(update)


def test_no_available_update(client: LicenseClient, server: FakeServer) -> None:
    update = client.check_for_update()
    assert (update.available, update.version, update.files) == (False, "1.0.0", ())
    nothing = client.check_for_update(channel="Nightly")
    assert (nothing.available, nothing.version, nothing.published_at) == (False, None, None)


def test_updates_depend_on_channel_platform_and_license(
    client: LicenseClient, server: FakeServer
) -> None:
    server.publish("1.2.0", {"a": b"a"}, platform="windows-x64")
    server.publish("1.3.0", channel="Beta")
    server.publish("2.0.0", {"b": b"b"})
    assert client.check_for_update().version == "1.2.0"
    assert client.check_for_update(channel="beta").version == "1.3.0"
    assert [file.name for file in client.check_for_update(platform="Windows-X64").files] == ["a"]
    assert client.check_for_update(platform="linux").files == ()
    server.yank("1.2.0")
    assert not client.check_for_update().available


def test_downloads_can_require_a_license(tmp_path: Path) -> None:
    server = FakeServer(downloads_need_license=True)
    license_ = server.issue("Perpetual")
    client = server.client(license_, folder=tmp_path, app_version="0.9.0")
    assert client.check_for_update().available
    license_.suspend()
    with pytest.raises(LicenseRefusedError):
        client.check_for_update()
    keyless = server.client(license_, folder=tmp_path / "other", license_key=None)
    with pytest.raises(RequestRefusedError, match="licenseKey"):
        keyless.check_for_update()


def test_downloads_are_atomic(
    client: LicenseClient, update: Update, server: FakeServer, tmp_path: Path
) -> None:
    target = tmp_path / "new.exe"
    target.write_bytes(b"old")
    seen: list[tuple[int, int]] = []

    def progress(there: int, size: int) -> None:
        assert target.read_bytes() == b"old"
        seen.append((there, size))

    assert client.download(update.files[0], target, progress=progress) == target
    assert target.read_bytes() == CONTENT
    assert [size for _, size in seen] == [len(CONTENT)] * STEPS
    assert seen[0][0] == CHUNK_BYTES
    assert seen[-1][0] == len(CONTENT)
    assert parts_in(tmp_path) == []


def test_downloading_to_a_folder(client: LicenseClient, update: Update, tmp_path: Path) -> None:
    assert client.download(update.files[0], str(tmp_path)) == tmp_path / "setup.exe"
    for name in ("../up", "a\\b", "..", "c:evil", ""):
        with pytest.raises(ValueError, match="not a valid file name"):
            client.download(replace(update.files[0], name=name), tmp_path)


@pytest.mark.usefixtures("no_pauses")
def test_transient_errors_of_downloads_are_retried(
    client: LicenseClient, update: Update, server: FakeServer, tmp_path: Path
) -> None:
    server.fail_next("ConnectionLost", times=2)
    server.fail_next("ServerUnavailable", times=2)
    client.download(update.files[0], tmp_path / "new")
    assert (tmp_path / "new").read_bytes() == CONTENT


def test_a_partial_file_that_is_too_long_is_truncated(
    client: LicenseClient, update: Update, server: FakeServer, tmp_path: Path
) -> None:
    file = update.files[0]
    (tmp_path / f".new.{file.sha256[:16]}.part").write_bytes(CONTENT + b"more")
    client.download(file, tmp_path / "new")
    assert (tmp_path / "new").read_bytes() == CONTENT
    assert downloads(server) == 0


def test_a_damaged_partial_file_is_deleted(
    client: LicenseClient, update: Update, tmp_path: Path
) -> None:
    file = update.files[0]
    (tmp_path / f".new.{file.sha256[:16]}.part").write_bytes(b"damaged")
    with pytest.raises(DamagedDownloadError, match=r"setup\.exe"):
        client.download(file, tmp_path / "new")
    assert not (tmp_path / "new").exists()
    assert parts_in(tmp_path) == []
    client.download(file, tmp_path / "new")
    assert (tmp_path / "new").read_bytes() == CONTENT


def test_an_expired_download_url_is_renewed(
    client: LicenseClient, update: Update, server: FakeServer, tmp_path: Path
) -> None:
    def wait(there: int, _: int) -> None:
        if there == CHUNK_BYTES:
            server.advance(minutes=15)

    client.download(update.files[0], tmp_path / "new", progress=wait)
    assert (tmp_path / "new").read_bytes() == CONTENT


def test_withdrawn_downloads(
    client: LicenseClient, update: Update, server: FakeServer, tmp_path: Path
) -> None:
    server.yank("1.1.0")
    with pytest.raises(DownloadWithdrawnError):
        client.download(update.files[0], tmp_path / "new")
    server.advance(minutes=16)
    with pytest.raises(DownloadWithdrawnError):
        client.download(update.files[0], tmp_path / "new")


class Meddling:
    """A transport behind a proxy that changes responses."""

    def __init__(self, server: FakeServer, change: Callable[[TransportReply], TransportReply]):
        self._inner, self._change = server.transport, change

    def send(self, request: TransportRequest) -> TransportReply:
        reply = self._inner.send(request)
        return self._change(reply) if "/downloads/" in request.url else reply

    def close(self) -> None: ...


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (lambda it: replace(it, body=b"\0" * len(it.body)), DamagedDownloadError),
        (lambda it: replace(it, body=it.body[:-1]), UnexpectedReplyError),
        (lambda it: replace(it, status=200), UnexpectedReplyError),
        (
            lambda it: replace(it, headers={**it.headers, "content-range": "bytes 0-1/2"}),
            UnexpectedReplyError,
        ),
    ],
)
def test_unexpected_download_responses_are_rejected(
    server: FakeServer,
    license_: FakeLicense,
    update: Update,
    tmp_path: Path,
    change: Any,
    error: type[Exception],
) -> None:
    options = server.options(license_, folder=tmp_path / "state")
    client = LicenseClient(transport=Meddling(server, change), **options)
    with pytest.raises(error):
        client.download(update.files[0], tmp_path / "new")
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"channel": 5, "files": []},
        {"channel": "Stable", "updateAvailable": True, "files": [{}]},
        {"channel": "Stable", "updateAvailable": True, "files": 7},
        {"channel": "Stable", "updateAvailable": True, "publishedAt": "soon", "files": []},
    ],
)
def test_unexpected_update_responses(
    server: FakeServer, license_: FakeLicense, tmp_path: Path, answer: Any
) -> None:
    class Odd:
        def send(self, request: TransportRequest) -> TransportReply:
            return TransportReply(200, {}, json.dumps(answer).encode())

        def close(self) -> None: ...

    options = server.options(license_, folder=tmp_path)
    client = LicenseClient(transport=Odd(), **options)
    with pytest.raises(UnexpectedReplyError, match="updates"):
        client.check_for_update()


async def test_async_updates_and_downloads(
    server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    server.publish("1.1.0", {"setup.exe": CONTENT})
    async with server.async_client(
        license_, folder=tmp_path / "state", app_version="0.9.0"
    ) as client:
        update = await client.check_for_update()
        seen: list[int] = []
        path = await client.download(
            update.files[0], tmp_path, progress=lambda there, _: seen.append(there)
        )
    assert path.read_bytes() == CONTENT
    assert len(seen) == STEPS


def test_download_urls_are_not_logged(
    server: FakeServer, license_: FakeLicense, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "httpx")
    server.publish("1.1.0", {"setup.exe": CONTENT})
    with server.serve() as base:
        options = server.options(
            license_,
            folder=tmp_path / "state",
            app_version="0.9.0",
            server_base_endpoint=base,
            retries=True,
            trust_env=False,
        )
        with LicenseClient(**options) as client:
            update = client.check_for_update()
            client.download(update.files[0], tmp_path / "new")
    assert (tmp_path / "new").read_bytes() == CONTENT
    token = update.files[0].download_url.rpartition("/")[2]
    assert "/downloads/" in caplog.text
    assert token not in caplog.text
    assert license_.key not in caplog.text

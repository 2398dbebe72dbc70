"""Large files through a real server: flat memory, downloads that resume, and uploads that break."""

import asyncio
import hashlib
import signal
import socket
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from buckets import Bucket, serving_s3
from e2e.process import ADMIN, Service, eventually
from testkit import FakeClock, settings_for

from licet_server.app import build_platform
from licet_server.catalog.jobs import sweep_files
from licet_server.kit.files.store import PIECE_BYTES
from licet_server.kit.settings import read_settings

MIB = 1024 * 1024
LARGE = 2 * 1024 * MIB
GROWTH_MAX = 100 * MIB
BOUNDARY = "edge"
HEAD = (
    f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="large.bin"\r\n\r\n'
).encode()
TAIL = f"\r\n--{BOUNDARY}--\r\n".encode()
FORM = f"multipart/form-data; boundary={BOUNDARY}"
PROC = Path("/proc/self/clear_refs")


def make_release(owner: httpx.Client) -> str:
    body = {"name": "Aurora", "initialVersion": "1.0.0"}
    product = owner.post("/api/products", json=body).raise_for_status().json()
    listed = owner.get(f"/api/products/{product['id']}/releases").raise_for_status().json()
    release_id: str = listed["items"][0]["id"]
    return release_id


def peak_of(pid: int) -> int:
    """The most memory that the process has had since `forget_peak`, in bytes."""
    status = Path(f"/proc/{pid}/status").read_text()
    [line] = [line for line in status.splitlines() if line.startswith("VmHWM:")]
    return int(line.split()[1]) * 1024


def forget_peak(pid: int) -> None:
    Path(f"/proc/{pid}/clear_refs").write_text("5")


def zeros(size: int) -> Iterator[bytes]:
    step = bytes(MIB)
    yield HEAD
    for _ in range(size // MIB):
        yield step
    yield TAIL


@pytest.mark.slow
@pytest.mark.skipif(not PROC.exists(), reason="memory is read from /proc")
def test_two_gigabytes_go_up_and_down_with_flat_memory(service: Service) -> None:
    wanted = hashlib.sha256()
    for _ in range(LARGE // MIB):
        wanted.update(bytes(MIB))
    with service.sign_in() as owner:
        path = f"/api/releases/{make_release(owner)}/files"
        owner.timeout = httpx.Timeout(120)
        assert service.process is not None
        pid = service.process.pid
        forget_peak(pid)
        before = peak_of(pid)
        headers = {
            "content-type": FORM,
            "content-length": str(len(HEAD) + LARGE + len(TAIL)),
        }
        answer = owner.post(path, content=zeros(LARGE), headers=headers)
        assert answer.status_code == 201, answer.text
        file = answer.json()
        assert (file["sizeBytes"], file["sha256"]) == (LARGE, wanted.hexdigest())
        up = peak_of(pid) - before
        forget_peak(pid)
        size = 0
        with owner.stream("GET", f"{path}/{file['id']}/content") as got:
            assert got.headers["content-length"] == str(LARGE)
            for chunk in got.iter_raw(MIB):
                size += len(chunk)
        down = peak_of(pid) - before
        assert size == LARGE
        print(f"memory grew by {up / MIB:.0f} MiB going up, {down / MIB:.0f} MiB going down")
        assert max(up, down) < GROWTH_MAX
        owner.delete(f"{path}/{file['id']}").raise_for_status()
    assert stored_in(service.folder) == []


def stored_in(folder: Path) -> list[str]:
    return [item.name for item in (folder / "files").rglob("*") if item.is_file()]


@pytest.fixture(scope="module")
def s3() -> Iterator[str]:
    with serving_s3() as address:
        yield address


@pytest.fixture(params=["folder", "bucket"])
def storing(
    request: pytest.FixtureRequest,
    new_service: Callable[..., Service],
    new_database: Callable[[], str],
) -> tuple[Service, str, Callable[[], list[str]]]:
    """A service that runs, the address of its database, and what shows its objects."""
    url = new_database()
    if request.param == "folder":
        service = new_service(DATABASE_URL=url, **ADMIN)
        service.start()
        return service, url, lambda: stored_in(service.folder)
    bucket = Bucket(request.getfixturevalue("s3"))
    service = new_service(DATABASE_URL=url, **ADMIN, **bucket.environment)
    service.start()
    return service, url, bucket.objects


def begin_upload(service: Service, owner: httpx.Client, path: str, size: int) -> socket.socket:
    """A connection on which the first bytes of an upload are on their way, and no more."""
    connection = socket.create_connection(("127.0.0.1", service.port))
    request = (
        f"POST {path} HTTP/1.1\r\nHost: licet.test\r\n"
        f"Authorization: {owner.headers['authorization']}\r\n"
        f"Content-Type: {FORM}\r\nContent-Length: {size + 10 * MIB}\r\n\r\n"
    )
    connection.sendall(request.encode() + HEAD + bytes(size))
    return connection


def test_a_client_who_goes_leaves_nothing(
    storing: tuple[Service, str, Callable[[], list[str]]],
) -> None:
    service, _, objects = storing
    with service.sign_in() as owner:
        path = f"/api/releases/{make_release(owner)}/files"
        connection = begin_upload(service, owner, path, PIECE_BYTES + MIB)
        eventually(lambda: len(objects()) == 1, "a piece is stored")
        connection.close()
        eventually(lambda: objects() == [], "the piece is gone")
        assert owner.get(path).json()["totalCount"] == 0
        assert "Traceback" not in service.output()


def test_what_a_killed_server_leaves_is_swept_after_a_day(
    storing: tuple[Service, str, Callable[[], list[str]]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    service, url, objects = storing
    with service.sign_in() as owner:
        path = f"/api/releases/{make_release(owner)}/files"
        kept = owner.post(path, files={"file": ("kept.bin", b"kept")}).raise_for_status().json()
        begin_upload(service, owner, path, PIECE_BYTES + MIB)
        eventually(lambda: len(objects()) == 2, "a piece is stored")
        service.send(signal.SIGKILL)
    service.start()
    with service.sign_in() as owner:
        assert len(objects()) == 2
        assert asyncio.run(_sweep(service, url, monkeypatch, timedelta(hours=23))) == 0
        assert len(objects()) == 2
        assert asyncio.run(_sweep(service, url, monkeypatch, timedelta(hours=25))) == 1
        assert len(objects()) == 1
        assert [item["id"] for item in owner.get(path).json()["items"]] == [kept["id"]]
        assert owner.get(f"{path}/{kept['id']}/content").content == b"kept"


def test_the_files_of_a_deleted_release_are_swept(
    storing: tuple[Service, str, Callable[[], list[str]]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    service, url, objects = storing
    with service.sign_in() as owner:
        release_id = make_release(owner)
        path = f"/api/releases/{release_id}/files"
        owner.post(path, files={"file": ("some.bin", b"some")}).raise_for_status()
        owner.delete(f"/api/releases/{release_id}").raise_for_status()
        assert len(objects()) == 1
    assert asyncio.run(_sweep(service, url, monkeypatch, timedelta(hours=25))) == 1
    assert objects() == []


def test_the_sweep_leaves_alone_what_another_instance_has_stored(
    storing: tuple[Service, str, Callable[[], list[str]]],
    new_database: Callable[[], str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    service, _, objects = storing
    with service.sign_in() as owner:
        path = f"/api/releases/{make_release(owner)}/files"
        owner.post(path, files={"file": ("some.bin", b"some")}).raise_for_status()
    elsewhere = new_database()
    assert asyncio.run(_sweep(service, elsewhere, monkeypatch, timedelta(days=99))) == 0
    assert len(objects()) == 1


async def _sweep(
    service: Service, url: str, monkeypatch: pytest.MonkeyPatch, later: timedelta
) -> int:
    """The job as it runs in a process of the service, at a later time."""
    clock = FakeClock()
    clock.now = datetime.now(UTC) + later  # noqa: TID251 - the service's own clock is the real one
    for name in service.variables:
        if name.startswith("AWS_"):
            monkeypatch.setenv(name, service.variables[name])
    storage: dict[str, Any] = {}
    if "LICET_STORAGE_URL" in service.variables:
        read = read_settings(service.variables)
        storage = {"storage_url": read.storage_url, "storage_over_http": read.storage_over_http}
    platform = build_platform(settings_for(url, service.folder, **storage), clock)
    try:
        return await sweep_files(platform)
    finally:
        await platform.database.close()

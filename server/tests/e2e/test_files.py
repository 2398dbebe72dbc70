"""Large files through a real server: flat memory, downloads that resume, and uploads that break."""

import asyncio
import hashlib
import signal
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
from buckets import Bucket, serving_s3
from e2e.process import ADMIN, Service
from patience import eventually
from testkit import FakeClock, numbers
from volumes import is_long

from licet_server.app import build_platform
from licet_server.catalog.service.files import sweep_files
from licet_server.kit.files import PIECE_BYTES
from licet_server.kit.settings import read_settings

MIB = 1024 * 1024
LARGE = (2048 if is_long() else 256) * MIB
GROWTH_MAX = 100 * MIB
"""Less than half of the file, so that a server that holds it in memory is found out."""
BOUNDARY = "edge"
HEAD = (
    f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="large.bin"\r\n\r\n'
).encode()
TAIL = f"\r\n--{BOUNDARY}--\r\n".encode()
FORM = f"multipart/form-data; boundary={BOUNDARY}"
PROC = Path("/proc/self/clear_refs")


@pytest.fixture(scope="module")
def s3() -> Iterator[str]:
    with serving_s3() as address:
        yield address


def stored_in(folder: Path) -> list[str]:
    return [item.name for item in (folder / "files").rglob("*") if item.is_file()]


@dataclass
class Storing:
    """A service that runs, the address of its database, and what shows its objects."""

    service: Service
    database: str
    objects: Callable[[], list[str]]


@pytest.fixture(scope="module", params=["folder", "bucket"])
def storing(
    request: pytest.FixtureRequest, new_database: Callable[[], str], s3: str
) -> Iterator[Storing]:
    """One for all tests of a kind, since a start takes long."""
    database = new_database()
    if request.param == "folder":
        service = Service({"DATABASE_URL": database, **ADMIN})
        made = Storing(service, database, lambda: stored_in(service.folder))
    else:
        bucket = Bucket(s3)
        service = Service({"DATABASE_URL": database, **ADMIN, **bucket.environment})
        made = Storing(service, database, bucket.objects)
    try:
        service.start()
        yield made
    finally:
        service.remove()


def make_release(owner: httpx.Client) -> str:
    body = {"name": f"Aurora {next(numbers)}", "initialVersion": "1.0.0"}
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


@pytest.mark.specification("versions.storage")
@pytest.mark.timeout(900)
@pytest.mark.skipif(not PROC.exists(), reason="memory is read from /proc")
@pytest.mark.parametrize("storing", ["folder"], indirect=True)
def test_a_large_file_goes_up_and_down_with_flat_memory(storing: Storing) -> None:
    service = storing.service
    wanted = hashlib.sha256()
    for _ in range(LARGE // MIB):
        wanted.update(bytes(MIB))
    with service.sign_in() as owner:
        path = f"/api/releases/{make_release(owner)}/files"
        owner.timeout = httpx.Timeout(600)
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
    assert storing.objects() == []


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


def test_a_client_who_goes_leaves_nothing(storing: Storing) -> None:
    before = storing.objects()
    with storing.service.sign_in() as owner:
        path = f"/api/releases/{make_release(owner)}/files"
        with begin_upload(storing.service, owner, path, PIECE_BYTES + MIB):
            eventually(lambda: len(storing.objects()) > len(before), "a piece is stored")
        eventually(lambda: storing.objects() == before, "the piece is gone")
        assert owner.get(path).json()["totalCount"] == 0
    assert "Traceback" not in storing.service.output()


@pytest.mark.specification("versions.storage")
def test_what_a_killed_server_leaves_is_swept_after_a_day(storing: Storing) -> None:
    with storing.service.sign_in() as owner:
        path = f"/api/releases/{make_release(owner)}/files"
        kept = owner.post(path, files={"file": ("kept.bin", b"kept")}).raise_for_status().json()
        before = storing.objects()
        with begin_upload(storing.service, owner, path, PIECE_BYTES + MIB):
            eventually(lambda: len(storing.objects()) > len(before), "a piece is stored")
            storing.service.send(signal.SIGKILL)
    storing.service.start()
    with storing.service.sign_in() as owner:
        left = storing.objects()
        assert len(left) == len(before) + 1
        asyncio.run(sweep(storing, storing.database, timedelta(hours=23)))
        assert storing.objects() == left
        asyncio.run(sweep(storing, storing.database, timedelta(hours=25)))
        assert storing.objects() == before
        assert [item["id"] for item in owner.get(path).json()["items"]] == [kept["id"]]
        assert owner.get(f"{path}/{kept['id']}/content").content == b"kept"


def test_the_files_of_a_deleted_release_are_swept(
    storing: Storing, new_database: Callable[[], str]
) -> None:
    before = storing.objects()
    with storing.service.sign_in() as owner:
        release_id = make_release(owner)
        path = f"/api/releases/{release_id}/files"
        owner.post(path, files={"file": ("some.bin", b"some")}).raise_for_status()
        owner.delete(f"/api/releases/{release_id}").raise_for_status()
    assert len(storing.objects()) == len(before) + 1
    # Another instance, on the same place by mistake, knows none of it.
    asyncio.run(sweep(storing, new_database(), timedelta(days=99)))
    assert len(storing.objects()) == len(before) + 1
    asyncio.run(sweep(storing, storing.database, timedelta(hours=25)))
    assert storing.objects() == before


async def sweep(storing: Storing, database: str, later: timedelta) -> None:
    """The job as it runs in a process of the service with this database, at a later time."""
    clock = FakeClock()
    clock.now = datetime.now(UTC) + later  # noqa: TID251 - the service's own clock is the real one
    settings = read_settings(storing.service.variables)
    settings = replace(settings, database_url=database, data_dir=storing.service.folder)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in storing.service.variables.items():
            patch.setenv(name, value)
        platform = build_platform(settings, clock)
    try:
        await sweep_files(platform)
    finally:
        await platform.database.close()

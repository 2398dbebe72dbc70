"""The store of files, in a folder and in a bucket behind a real socket: the same promises."""

import asyncio
import hashlib
import itertools
import os
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from buckets import Bucket, serving_s3

from licet_server.kit.files import (
    PIECE_BYTES,
    STEP_BYTES,
    FileChanged,
    FileKey,
    FileMissing,
    Files,
    FilesUnavailable,
    StepSums,
    open_files,
    open_objects,
)
from licet_server.kit.ids import new_id
from licet_server.kit.settings import InvalidSetting, Settings, read_settings

NOW = datetime(2030, 1, 15, 12, 0, tzinfo=UTC)
CONTENT = bytes(range(249)) * (2 * PIECE_BYTES // 249 + 100)


@pytest.fixture(scope="module")
def s3() -> Iterator[str]:
    """The address of a server that speaks S3."""
    with serving_s3() as address:
        yield address


@pytest.fixture(params=["folder", "bucket"])
def place(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[Files, Any]:
    """A store, and what shows from outside what there is in it."""
    if request.param == "folder":
        files = open_files(Settings(data_dir=tmp_path))
        return files, lambda: files_below(tmp_path)
    bucket = Bucket(request.getfixturevalue("s3"))
    for name, value in bucket.environment.items():
        monkeypatch.setenv(name, value)
    return open_files(read_settings(bucket.environment)), bucket.objects


def new_key() -> FileKey:
    return new_id(NOW), new_id(NOW)


async def in_chunks(content: bytes, size: int = 65_537) -> AsyncIterator[bytes]:
    for start in range(0, len(content), size):
        yield content[start : start + size]


async def whole(files: Files, key: FileKey, start: int, end: int) -> bytes:
    steps = [step async for step in files.read(key, start, end)]
    assert all(len(step) <= STEP_BYTES for step in steps)
    return b"".join(steps)


@pytest.mark.specification("versions.storage")
async def test_what_is_written_is_read_in_parts_listed_and_deleted(
    place: tuple[Files, Any],
) -> None:
    files, look = place
    key, other = new_key(), new_key()
    assert await files.write(key, in_chunks(CONTENT)) == len(CONTENT)
    assert await files.write(other, in_chunks(b"other")) == 5
    assert await whole(files, key, 0, len(CONTENT)) == CONTENT
    edges = [0, 1, STEP_BYTES, PIECE_BYTES - 1, PIECE_BYTES, PIECE_BYTES + 1, len(CONTENT)]
    for start, end in itertools.combinations(edges, 2):
        assert await whole(files, key, start, end) == CONTENT[start:end]
    listed = [name for found, name in [item async for item in files.objects()] if found == key]
    assert len(listed) == 3
    assert len(look()) == 4
    await files.delete(key, len(CONTENT))
    assert [found async for found, _ in files.objects()] == [other]
    with pytest.raises(FileMissing):
        await whole(files, key, 0, 1)
    await files.delete(key, len(CONTENT))
    assert len(look()) == 1


@pytest.mark.parametrize("size", [0, 1, PIECE_BYTES - 1, PIECE_BYTES, PIECE_BYTES + 1])
@pytest.mark.parametrize("chunk", [PIECE_BYTES, 3 * PIECE_BYTES, 4_000_000])
async def test_every_size_comes_back(tmp_path: Path, size: int, chunk: int) -> None:
    files, key = open_files(Settings(data_dir=tmp_path)), new_key()
    assert await files.write(key, in_chunks(CONTENT[:size], chunk)) == size
    assert await whole(files, key, 0, size) == CONTENT[:size]
    assert len([item async for item in files.objects()]) == -(-size // PIECE_BYTES)


def summed(content: bytes) -> bytes:
    sums = StepSums()
    for start in range(0, len(content), 700_001):
        sums.update(content[start : start + 700_001])
    assert sums.whole() == hashlib.sha256(content).digest()
    return sums.steps()


async def checked(files: Files, key: FileKey, start: int, end: int) -> bytes:
    parts = files.read_checked(key, len(CONTENT), summed(CONTENT), start, end)
    return b"".join([part async for part in parts])


async def test_every_range_is_compared_before_it_is_read(place: tuple[Files, Any]) -> None:
    files, _ = place
    key = new_key()
    await files.write(key, in_chunks(CONTENT))
    edges = [0, 1, STEP_BYTES - 1, PIECE_BYTES, PIECE_BYTES + 5, len(CONTENT) - 1, len(CONTENT)]
    for start, end in itertools.combinations(edges, 2):
        assert await checked(files, key, start, end) == CONTENT[start:end]
    # The same number of other bytes, as whoever may write to the bucket would put there.
    edited = bytearray(CONTENT)
    edited[PIECE_BYTES + STEP_BYTES + 7] ^= 1
    await files.write(key, in_chunks(bytes(edited)))
    upto = PIECE_BYTES + STEP_BYTES
    assert await checked(files, key, 0, upto) == CONTENT[:upto]
    for start, end in ((0, upto + 1), (upto + 8, upto + 9), (0, len(CONTENT))):
        with pytest.raises(FileChanged, match="not what was stored"):
            await checked(files, key, start, end)
    # Shorter than it was: the rest of its last piece is gone.
    await files.write(key, in_chunks(CONTENT[:-10]))
    with pytest.raises(FilesUnavailable):
        await checked(files, key, len(CONTENT) - 20, len(CONTENT))


@pytest.mark.parametrize("trick", ["link", "link to a folder", "pipe", "folder"])
async def test_only_regular_files_of_the_folder_are_read(tmp_path: Path, trick: str) -> None:
    files, key = open_files(Settings(data_dir=tmp_path)), new_key()
    objects = open_objects(Settings(data_dir=tmp_path), f"file://{tmp_path}/files")
    await files.write(key, in_chunks(b"content"))
    [piece] = files_below(tmp_path)
    elsewhere = tmp_path / "elsewhere"
    if trick == "link to a folder":
        piece.parent.rename(elsewhere)
        piece.parent.symlink_to(elsewhere)
    else:
        piece.rename(elsewhere)
        if trick == "link":
            piece.symlink_to(elsewhere)
        elif trick == "pipe":
            os.mkfifo(piece)
        else:
            piece.mkdir()
    with pytest.raises(FilesUnavailable):
        await whole(files, key, 0, 7)
    with pytest.raises(FilesUnavailable):
        objects.read(f"{key[0]}/{key[1]}.000000")
    if trick.startswith("link"):
        with pytest.raises(FilesUnavailable, match="is a link"):
            objects.write(f"{key[0]}/{key[1]}.000000", b"x")
        with pytest.raises(FilesUnavailable, match="is a link"):
            await files.write((key[0], new_id(NOW)) if "folder" in trick else key, in_chunks(b"x"))


async def test_a_stream_that_breaks_leaves_nothing(place: tuple[Files, Any]) -> None:
    files, look = place

    async def broken() -> AsyncIterator[bytes]:
        async for chunk in in_chunks(CONTENT[: PIECE_BYTES + 100_000]):
            yield chunk
        assert len(look()) == 1
        raise ConnectionError("the client is gone")

    with pytest.raises(ConnectionError):
        await files.write(new_key(), broken())
    assert look() == []


async def test_a_writer_who_is_stopped_leaves_nothing(place: tuple[Files, Any]) -> None:
    files, look = place
    half_way, never = asyncio.Event(), asyncio.Event()

    async def endless() -> AsyncIterator[bytes]:
        yield CONTENT[: PIECE_BYTES + 1]
        half_way.set()
        await never.wait()

    writing = asyncio.create_task(files.write(new_key(), endless()))
    await half_way.wait()
    assert len(look()) == 1
    writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing
    assert look() == []


def files_below(folder: Path) -> list[Path]:
    return [item for item in folder.rglob("*") if item.is_file()]


async def test_what_a_killed_process_was_writing_is_listed_and_deleted(tmp_path: Path) -> None:
    files, key = open_files(Settings(data_dir=tmp_path)), new_key()
    await files.write(key, in_chunks(b"whole"))
    [whole_piece] = files_below(tmp_path)
    # This is how the store calls a file for as long as it writes it.
    staged = whole_piece.with_name(whole_piece.name + "#1")
    staged.write_bytes(b"half")
    (tmp_path / "files" / "README.txt").write_bytes(b"of somebody else")
    found = [item async for item in files.objects()]
    assert {item for item, _ in found} == {key}
    assert len(found) == 2
    await files.delete_objects([name for _, name in found])
    assert [item.name for item in files_below(tmp_path)] == ["README.txt"]


async def test_a_bucket_that_is_not_there_is_unavailable(
    s3: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", s3)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    files = open_files(
        read_settings({"AWS_ENDPOINT_URL": s3, "LICET_STORAGE_URL": "s3://nowhere-at-all"})
    )
    with pytest.raises(FilesUnavailable):
        await files.write(new_key(), in_chunks(b"x"))
    with pytest.raises(FilesUnavailable):
        [item async for item in files.objects()]


def test_a_folder_that_cannot_be_made_stops_the_start(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    for url in (f"file://{tmp_path}/file", f"file://{tmp_path}/file/below"):
        with pytest.raises(InvalidSetting, match="LICET_STORAGE_URL"):
            open_files(Settings(data_dir=tmp_path, storage_url=url))


def test_an_account_that_is_missing_stops_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AZURE_STORAGE_ACCOUNT_NAME", raising=False)
    with pytest.raises(InvalidSetting, match="LICET_STORAGE_URL"):
        open_files(Settings(data_dir=tmp_path, storage_url="az://container/files"))


def test_a_folder_of_another_name_is_taken(tmp_path: Path) -> None:
    open_files(Settings(storage_url=f"file://{tmp_path}/with%20space/here"))
    assert (tmp_path / "with space" / "here").is_dir()


async def test_an_area_has_files_of_its_own(place: tuple[Files, Any]) -> None:
    """What looks through the store for files that nobody needs does not see those of an area."""
    files, seen = place
    area, key = files.within("archives"), new_key()
    await files.write(key, in_chunks(b"outside"))
    await area.write(key, in_chunks(CONTENT))
    assert await whole(files, key, 0, 7) == b"outside"
    assert await whole(area, key, 0, len(CONTENT)) == CONTENT
    assert [name async for _, name in files.objects()] == [f"{key[0]}/{key[1]}.000000"]
    inside = sorted([name async for found, name in area.objects() if found == key])
    assert inside == [f"archives/{key[0]}/{key[1]}.{n:06}" for n in range(3)]
    await files.delete(key, 7)
    assert len(seen()) == 3
    await area.delete(key, len(CONTENT))
    assert not seen()

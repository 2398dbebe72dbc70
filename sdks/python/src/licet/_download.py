"""Resumable downloads in chunks, verified by SHA-256."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

from licet._addresses import is_protected_address
from licet._api import jitter
from licet._clock import monotonic
from licet._config import Config
from licet._core import LicenseCore
from licet._disk import READABLE, open_part, real_folder, set_mode
from licet._faults import reply_error, request_id_of
from licet._flow import Flow, Pause
from licet._retries import RetryPolicy
from licet._transport import TransportReply, TransportRequest
from licet._updates import UpdateFile, check_for_update
from licet._version import __version__
from licet.errors import (
    ApiKeyRefusedError,
    DamagedDownloadError,
    DownloadWithdrawnError,
    LicetError,
    NetworkError,
    RequestRefusedError,
    UnexpectedReplyError,
    UntrustedUpdateError,
)

CHUNK_BYTES = 1 << 20
CHUNK_TIMEOUT_SECONDS = 60.0
CHUNK_SECONDS = 300.0
DOWNLOAD_RETRIES = RetryPolicy(attempts=5)

Progress = Callable[[int, int], object]


def download(
    core: LicenseCore, file: UpdateFile, path: Path, progress: Progress | None
) -> Flow[Path]:
    """Download the missing part of the file, verify the file, and rename it to its final name."""
    _require_protected(file)
    target = path / _file_name(file) if path.is_dir() else path
    real = real_folder(target.parent) / target.name
    partial, handle = open_part(real, file.sha256[:16])
    with os.fdopen(handle, "r+b") as stream:
        received = min(stream.seek(0, os.SEEK_END), file.size)
        stream.truncate(received)
        stream.seek(received)
        while received < file.size:
            chunk, file = yield from _next_chunk(core, file, received)
            stream.write(chunk)
            received += len(chunk)
            if progress is not None:
                progress(received, file.size)
        stream.flush()
        os.fsync(stream.fileno())
        # What was received need not be what is on the disk.
        stream.seek(0)
        is_intact = hashlib.file_digest(stream, "sha256").hexdigest() == file.sha256
        set_mode(handle, READABLE)
        verified = os.fstat(handle)
    if not is_intact:
        partial.unlink(missing_ok=True)
        raise DamagedDownloadError(
            f"The SHA-256 of {file.name} does not match, so the download was deleted. Download it "
            "again; if the problem persists, a proxy may be changing downloads."
        )
    partial.replace(real)
    if not os.path.samestat(os.lstat(real), verified):
        raise DamagedDownloadError(
            f"Another program has replaced {file.name} during the download. Download it into a "
            "folder that only this user can write to."
        )
    return target


def _next_chunk(core: LicenseCore, file: UpdateFile, start: int) -> Flow[tuple[bytes, UpdateFile]]:
    """Fetch the next chunk; returns it and the file with its current download URL."""
    try:
        return (yield from _fetch_chunk(core.config, file, start)), file
    except ApiKeyRefusedError:
        # The download URL has expired: get a new one for the same file.
        renewed = yield from _renew_url(core, file)
        return (yield from _fetch_chunk(core.config, renewed, start)), renewed
    except RequestRefusedError as error:
        if error.http_status != 404:
            raise
        raise _withdrawn(file, error.request_id) from error


def _renew_url(core: LicenseCore, file: UpdateFile) -> Flow[UpdateFile]:
    update = yield from check_for_update(core, file.channel, file.platform)
    for offered in update.files:
        if (offered.name, offered.platform, offered.sha256) == (
            file.name,
            file.platform,
            file.sha256,
        ):
            return offered
    raise _withdrawn(file, None)


def _fetch_chunk(config: Config, file: UpdateFile, start: int) -> Flow[bytes]:
    end = min(start + CHUNK_BYTES, file.size)
    headers = {"Range": f"bytes={start}-{end - 1}", "User-Agent": f"licet-python/{__version__}"}
    timeout = max(config.timeout, CHUNK_TIMEOUT_SECONDS)
    deadline = monotonic() + CHUNK_SECONDS
    for attempt in range(1, DOWNLOAD_RETRIES.attempts + 1):
        failure: LicetError | None
        try:
            reply: TransportReply = yield TransportRequest(
                "GET", file.download_url, headers, b"", timeout
            )
            if _is_requested_range(reply, start, end, file.size):
                return reply.body
            failure = reply_error(reply, file.download_url, config.clock) or _unexpected_reply(
                reply
            )
        except NetworkError as error:
            failure = error
        pause = DOWNLOAD_RETRIES.pause(failure, attempt, deadline - monotonic(), jitter())
        if pause is None:
            raise failure
        yield Pause(pause)
    raise AssertionError("the last attempt either returns or raises")


def _is_requested_range(reply: TransportReply, start: int, end: int, size: int) -> bool:
    if len(reply.body) != end - start:
        return False
    if reply.status == 206:
        return reply.headers.get("content-range") == f"bytes {start}-{end - 1}/{size}"
    return reply.status == 200 and end - start == size


def _require_protected(file: UpdateFile) -> None:
    if not is_protected_address(file.download_url):
        raise UntrustedUpdateError(
            f"{file.name} is not downloaded: its address does not use https. Check for an update "
            "again."
        )


def _file_name(file: UpdateFile) -> str:
    if file.name in {"", ".", ".."} or set(file.name) & set("/\\\0:"):
        raise ValueError(
            f"{file.name!r} is not a valid file name here. Pass the path of the file instead of a "
            "folder."
        )
    return file.name


def _withdrawn(file: UpdateFile, request_id: str | None) -> DownloadWithdrawnError:
    return DownloadWithdrawnError(
        f"The vendor no longer offers {file.name}. Check for an update again.",
        http_status=404,
        error_code="NotFound",
        request_id=request_id,
    )


def _unexpected_reply(reply: TransportReply) -> UnexpectedReplyError:
    return UnexpectedReplyError(
        "The response is not the requested part of the file. "
        "Check whether a proxy changes downloads.",
        http_status=reply.status,
        request_id=request_id_of(reply),
    )

"""Files as answers: whole or from anywhere on (RFC 9110), so that a download can be resumed."""

import re
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from litestar import Request, Response
from litestar.response import Stream

from licet_server.kit.errors import ErrorCode, Refused
from licet_server.kit.files import FileMissing
from licet_server.kit.web.context import context_of
from licet_server.kit.web.problems import problem_response

BYTES = "application/octet-stream"

_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Download:
    """A file to hand out; `read` gives the bytes from a place up to and without another one."""

    name: str
    size: int
    sha256: bytes
    read: Callable[[int, int], AsyncIterator[bytes]]


async def file_response(request: Request[Any, Any, Any], download: Download) -> Response[Any]:
    """The file, the part of it that is asked for, or that it is as it was.

    Raises:
        Refused: `NotFound` when its bytes are gone.
    """
    tag = f'"{download.sha256.hex()}"'
    headers = {
        "etag": tag,
        "accept-ranges": "bytes",
        "content-disposition": content_disposition(download.name),
    }
    if _names(request.headers.get("if-none-match"), tag):
        return Response(b"", status_code=304, headers=headers)
    status, start, end = 200, 0, download.size
    asked = request.headers.get("range")
    if asked is not None and request.headers.get("if-range", tag) == tag:
        found = byte_range(asked, download.size)
        if found is not None:
            status, (start, end) = 206, found
            if start >= end:
                return _unsatisfiable(request, download.size)
            headers["content-range"] = f"bytes {start}-{end - 1}/{download.size}"
    headers["content-length"] = str(end - start)
    if context_of(request).headers_only:
        return Stream(iter(()), status_code=status, media_type=BYTES, headers=headers)
    body = await _begun(download.read(start, end))
    return Stream(body, status_code=status, media_type=BYTES, headers=headers)


def byte_range(asked: str, size: int) -> tuple[int, int] | None:
    """The first byte asked for and the one after the last; the same where there is none of them.

    What is no single range of bytes is `None`, and not regarded.
    """
    found = _RANGE.fullmatch(asked.strip())
    if found is None or not any(found.groups()):
        return None
    first, last = found.groups()
    if not first:
        return max(0, size - int(last)), size
    if last and int(last) < int(first):
        return None
    return min(int(first), size), min(int(last) + 1, size) if last else size


def content_disposition(name: str) -> str:
    """For saving under this name (RFC 6266), with a plain one for old clients."""
    plain = re.sub(r'[^\x20-\x7e]|["\\%]', "_", name)
    if plain == name:
        return f'attachment; filename="{name}"'
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"


def _names(given: str | None, tag: str) -> bool:
    if given is None:
        return False
    return any(item.strip().removeprefix("W/") in {tag, "*"} for item in given.split(","))


def _unsatisfiable(request: Request[Any, Any, Any], size: int) -> Response[bytes]:
    detail = f"The file has {size:,} bytes, and none of them in that range. Ask from the start."
    answer = problem_response(request, Refused(ErrorCode.RANGE_NOT_SATISFIABLE, detail))
    answer.headers["content-range"] = f"bytes */{size}"
    return answer


async def _begun(body: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The same stream, whose first bytes have been seen: now nothing is missing."""
    try:
        first = await anext(body)
    except FileMissing:
        detail = "The bytes of this file are missing from the store. Upload the file again."
        raise Refused(ErrorCode.NOT_FOUND, detail) from None
    return _rest(first, body)


async def _rest(first: bytes, body: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for chunk in body:
        yield chunk

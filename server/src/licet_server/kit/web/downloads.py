"""Files and images in responses: with range requests (RFC 9110), and cached by their version."""

import re
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote

from litestar import Request, Response
from litestar.openapi.datastructures import ResponseSpec
from litestar.response import Stream

from licet_server.kit.errors import ErrorCode, Refused
from licet_server.kit.files import FileMissing
from licet_server.kit.images import TYPES, Picture
from licet_server.kit.limits import Kind
from licet_server.kit.web.context import HttpRequest, context_of
from licet_server.kit.web.problems import problem_response

BYTES = "application/octet-stream"

DOWNLOADS = Kind("downloads", per_user=10, per_institution=200, per_process=500, retry_after=10)
PUBLIC_DOWNLOADS = replace(DOWNLOADS, name="public downloads", per_user=50)
"""Downloads by a signed URL, counted by address: a whole company may share one."""

NOT_MODIFIED = {304: ResponseSpec(None, description="The caller has this version already.")}
PARTS = {
    206: ResponseSpec(
        bytes,
        generate_examples=False,
        description="The range that was asked for.",
        media_type=BYTES,
    ),
    **NOT_MODIFIED,
}
"""What a route answers besides the whole, for the API document; `PARTS` are those of files."""

_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Download:
    """A file to send; `read` yields the bytes from an offset (included) to another (excluded)."""

    name: str
    size: int
    sha256: bytes
    read: Callable[[int, int], AsyncIterator[bytes]]


async def file_response(request: Request[Any, Any, Any], download: Download) -> Response[Any]:
    """Respond with the file, the requested range, or 304 if it is unchanged.

    Raises:
        Refused: `NotFound` when the content is missing from the store.
    """
    tag = f'"{download.sha256.hex()}"'
    headers = {
        "etag": tag,
        "accept-ranges": "bytes",
        "content-disposition": content_disposition(download.name),
    }
    if is_unchanged(request, tag):
        return Response(b"", status_code=304, headers=headers)
    status, start, end = 200, 0, download.size
    only_head = context_of(request).headers_only  # for which there are no ranges
    requested = None if only_head else request.headers.get("range")
    if requested is not None and request.headers.get("if-range", tag) == tag:
        found = byte_range(requested, download.size)
        if found is not None:
            status, (start, end) = 206, found
            if start >= end:
                return _unsatisfiable(request, download.size)
            headers["content-range"] = f"bytes {start}-{end - 1}/{download.size}"
    headers["content-length"] = str(end - start)
    if only_head:
        return Stream(iter(()), status_code=status, media_type=BYTES, headers=headers)
    body = await _start(download.read(start, end))
    return Stream(body, status_code=status, media_type=BYTES, headers=headers)


def byte_range(header: str, size: int) -> tuple[int, int] | None:
    """Parse a Range header into the first byte and the one after the last.

    An unsatisfiable range is empty. Anything but a single byte range is `None`, to be ignored.
    """
    found = _RANGE.fullmatch(header.strip())
    if found is None or not any(found.groups()):
        return None
    first, last = found.groups()
    if not first:
        return max(0, size - int(last)), size
    if last and int(last) < int(first):
        return None
    return min(int(first), size), min(int(last) + 1, size) if last else size


def content_disposition(name: str) -> str:
    """Return the header that names the saved file (RFC 6266), with an ASCII fallback.

    In the fallback, nothing is left that browsers decode: percent signs and encoded words.
    """
    plain = re.sub(r'[^\x20-\x7e]|["\\%]|(?<==)\?', "_", name)
    if plain == name:
        return f'attachment; filename="{name}"'
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"


def is_unchanged(request: Request[Any, Any, Any], tag: str) -> bool:
    """Check whether the caller names this entity tag in `If-None-Match`, so that 304 is enough."""
    given = request.headers.get("if-none-match", "")
    return any(item.strip().removeprefix("W/") in {tag, "*"} for item in given.split(","))


def _unsatisfiable(request: Request[Any, Any, Any], size: int) -> Response[bytes]:
    detail = (
        f"The requested range is outside the file, which has {size:,} bytes. Download it again."
    )
    response = problem_response(request, Refused(ErrorCode.RANGE_NOT_SATISFIABLE, detail))
    response.headers["content-range"] = f"bytes */{size}"
    return response


async def _start(body: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Read the first bytes of the stream, to detect a missing file before responding."""
    try:
        first = await anext(body)
    except FileMissing:
        detail = "The content of this file is missing from the file store. Upload the file again."
        raise Refused(ErrorCode.NOT_FOUND, detail) from None
    return _continue(first, body)


async def _continue(first: bytes, body: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for chunk in body:
        yield chunk


IMAGE_BYTES = 2 * 1024 * 1024
IMAGE_BODY = {
    "required": True,
    "content": {BYTES: {"schema": {"type": "string", "format": "binary"}}},
}
"""The request body of a route that takes an image, for the API document."""

_IMMUTABLE = {"cache-control": "public, max-age=31536000, immutable"}
_REVALIDATE = {"cache-control": "public, no-cache"}
_UPLOADED = frozenset({*TYPES.values(), BYTES})


async def uploaded_image(request: HttpRequest) -> bytes:
    """Read the image in a request.

    Raises:
        Refused: `UnsupportedMediaType`.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in _UPLOADED:
        raise Refused(
            ErrorCode.UNSUPPORTED_MEDIA_TYPE,
            "Send the image itself, with the header Content-Type: image/png, image/jpeg, "
            "image/webp or application/octet-stream.",
        )
    return await request.body()


def image_response(request: HttpRequest, image: Picture) -> Response[bytes]:
    """Respond with an image, or 304; where the query names its version, it may be kept forever."""
    tag = f'"{quote(image.version)}"'  # a header takes no other letters
    headers = _IMMUTABLE if request.query_params.get("v") == image.version else _REVALIDATE
    headers = {**headers, "etag": tag}
    if is_unchanged(request, tag):
        return Response(b"", status_code=304, headers=headers)
    media_type = image.media_type if image.media_type in _UPLOADED else BYTES
    return Response(image.content, media_type=media_type, headers=headers)

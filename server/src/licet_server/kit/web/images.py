"""Images in requests and responses: sent as they are, and cached by their version."""

from typing import Protocol

from litestar import Response

from licet_server.kit.errors import ErrorCode, Refused
from licet_server.kit.images import TYPES
from licet_server.kit.web.context import HttpRequest
from licet_server.kit.web.downloads import BYTES

IMAGE_BYTES = 2 * 1024 * 1024
IMAGE_BODY = {
    "required": True,
    "content": {BYTES: {"schema": {"type": "string", "format": "binary"}}},
}
"""The request body of a route that takes an image, for the API document."""

_IMMUTABLE = {"cache-control": "public, max-age=31536000, immutable"}
_REVALIDATE = {"cache-control": "public, no-cache"}
_UPLOADED = frozenset({*TYPES.values(), BYTES})


class ServedImage(Protocol):
    """An image as it is served; its version changes with it."""

    @property
    def media_type(self) -> str:
        """PNG, JPEG or WebP."""
        ...

    @property
    def content(self) -> bytes:
        """The file."""
        ...

    @property
    def version(self) -> str:
        """A value that changes with the image."""
        ...


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


def image_response(request: HttpRequest, image: ServedImage) -> Response[bytes]:
    """Respond with an image, or 304; where the query names its version, it may be kept forever."""
    tag = f'"{image.version}"'
    headers = _IMMUTABLE if request.query_params.get("v") == image.version else _REVALIDATE
    headers = {**headers, "etag": tag}
    if request.headers.get("if-none-match") == tag:
        return Response(b"", status_code=304, headers=headers)
    return Response(image.content, media_type=image.media_type, headers=headers)

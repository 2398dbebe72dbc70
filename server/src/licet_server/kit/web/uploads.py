"""File uploads: multipart forms read as they arrive and never held in memory completely."""

from collections.abc import AsyncIterator
from typing import Any

from litestar import Request
from litestar.exceptions import InternalServerException
from multipart import (
    MultipartError,
    MultipartSegment,
    PushMultipartParser,
    parse_options_header,
)

from licet_server.kit.errors import ErrorCode, Refused, bad_field

FORM = "multipart/form-data"
FIELD_BYTES = 1_000
FIELDS_MAX = 20

_ALL_FIELDS_BYTES = 64 * 1024
"""The allowance for everything in a form except the file: other fields and boundaries."""


class FileForm:
    """A multipart form with one file in the field `file`, and short text fields around it.

    `fields` holds the text fields read so far; it is complete once `chunks` is exhausted.
    """

    def __init__(self, request: Request[Any, Any, Any], max_bytes: int) -> None:
        self.filename = ""
        self.content_type: str | None = None
        self.fields: dict[str, str] = {}
        self._request = request
        self._max_bytes = max_bytes
        self._events = self._parse(request)
        self._is_read = False

    async def begin(self) -> None:
        """Read up to the file.

        Raises:
            Refused: 415 for another media type, 413 if the announced length is too large, 400 for
                a malformed form or one without a file.
        """
        announced = self._request.content_length
        if announced is not None and announced > self._max_bytes + _ALL_FIELDS_BYTES:
            raise too_large(self._max_bytes)
        async for event in self._events:
            if isinstance(event, MultipartSegment) and event.name == "file":
                if event.filename is None:
                    raise bad_field("file", "must be a file with a name.")
                self.filename, self.content_type = event.filename, event.content_type
                return
            await self._read_field(event)
        raise bad_field("file", "is required: the form contains no file.")

    async def chunks(self) -> AsyncIterator[bytes]:
        """Yield the bytes of the file, then read the rest of the form.

        Raises:
            Refused: 413 as soon as the file is too large, 400 for a malformed or incomplete form.
        """
        size = 0
        async for event in self._events:
            if not isinstance(event, bytes | bytearray):
                break
            size += len(event)
            if size > self._max_bytes:
                raise too_large(self._max_bytes)
            yield bytes(event)
        async for event in self._events:
            if isinstance(event, MultipartSegment) and event.name == "file":
                raise bad_field("file", "appears twice in the form. Send one file at a time.")
            await self._read_field(event)

    async def _read_field(self, event: object) -> None:
        if not isinstance(event, MultipartSegment):
            raise _malformed()
        value = b""
        async for part in self._events:
            if not isinstance(part, bytes | bytearray):
                break
            value += part
            if len(value) > FIELD_BYTES:
                raise bad_field(event.name or "", f"must have at most {FIELD_BYTES:,} bytes.")
        try:
            self.fields[(event.name or "")[:100]] = value.decode()
        except UnicodeDecodeError:
            raise bad_field(event.name or "", "must be text in UTF-8.") from None

    async def _parse(self, request: Request[Any, Any, Any]) -> AsyncIterator[object]:
        kind, options = parse_options_header(request.headers.get("content-type", ""))
        if kind != FORM or not options.get("boundary"):
            raise Refused(
                ErrorCode.UNSUPPORTED_MEDIA_TYPE,
                f"Send the file as a form, with the header Content-Type: {FORM}; boundary=...",
            )
        try:
            parser = PushMultipartParser(
                options["boundary"], max_segment_count=FIELDS_MAX, strict=True
            )
            async for chunk in _body(request):
                for event in parser.parse(chunk):
                    yield event
                if parser.closed:
                    break
            parser.close()
        except MultipartError:
            raise _malformed() from None


async def _body(request: Request[Any, Any, Any]) -> AsyncIterator[bytes]:
    try:
        async for chunk in request.stream():
            if chunk:
                yield chunk
    except InternalServerException:
        raise bad_field("", "The request ended before its body was complete.") from None


def too_large(limit: int) -> Refused:
    """Refuse a file that exceeds the limit."""
    return Refused(
        ErrorCode.PAYLOAD_TOO_LARGE, f"The file is too large: the limit is {limit:,} bytes."
    )


def _malformed() -> Refused:
    return bad_field("", "The form is malformed: it is incomplete, or is not multipart/form-data.")

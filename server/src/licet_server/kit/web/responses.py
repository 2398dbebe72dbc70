"""Responses: JSON with exact numbers, and at most one execution per `Idempotency-Key`."""

import hashlib
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from decimal import Decimal
from typing import Any

import msgspec
from litestar import Request, Response
from litestar.enums import MediaType
from litestar.response import ServerSentEventMessage, Stream
from litestar.response.base import ASGIResponse
from litestar.types import Receive, Scope, Send

from licet_server.kit.amounts import plain
from licet_server.kit.errors import bad_field
from licet_server.kit.idempotency import StoredResponse, claim, store_response
from licet_server.kit.unit_of_work import UnitOfWork

encode_json = msgspec.json.Encoder(decimal_format="number").encode
"""Encode as JSON in which decimals are numbers with all their digits."""

_KEY = re.compile(r"[\x21-\x7e]{1,255}")


_JSON = (b"content-type", b"application/json")
_WITHOUT_BODY = frozenset({204, 304})


async def send_json(send: Send, status: int, body: bytes) -> None:
    """Send a whole response, which has no headers besides those of its body."""
    headers = [_JSON, (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


class JsonResponse(Response[Any]):
    """JSON in which decimals are numbers with all their digits.

    What has a body and nothing besides is sent at once: the framework's own response parses and
    copies its headers several times, for a sixth of the time of an empty request.
    """

    def to_asgi_response(self, *args: Any, **options: Any) -> ASGIResponse:
        if self.media_type != MediaType.JSON or self.status_code in _WITHOUT_BODY or self.headers:
            return super().to_asgi_response(*args, **options)
        if self.cookies or self.background or options.get("headers") or options.get("cookies"):
            return super().to_asgi_response(*args, **options)
        body = self.render(self.content, MediaType.JSON)
        return _Whole(self.status_code or 200, body)  # type: ignore[return-value]

    def render(self, content: Any, media_type: str, enc_hook: Any = None) -> bytes:
        if media_type.startswith(MediaType.JSON) and not isinstance(content, bytes):
            return encode_json(content)
        return super().render(content, media_type, enc_hook)


class _Whole:
    """JSON that is sent at once."""

    __slots__ = ("_body", "_status")

    def __init__(self, status: int, body: bytes) -> None:
        self._status = status
        self._body = body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send_json(send, self._status, self._body)


class TextStream(Stream):
    """Text sent in chunks; its media type overrides that of the route."""

    def to_asgi_response(self, *args: Any, **options: Any) -> ASGIResponse:
        options["media_type"] = self.media_type
        return super().to_asgi_response(*args, **options)


async def respond_once(
    request: Request[Any, Any, Any],
    work: UnitOfWork,
    status: int,
    act: Callable[[], Awaitable[object]],
) -> Response[Any]:
    """Run `act` and respond with its result; with an `Idempotency-Key`, run it only once.

    The key is scoped to caller and route, and kept with the response for 24 hours. Refusals are
    not kept, because they changed nothing.
    """
    key = _idempotency_key(request)
    if key is None:
        return JsonResponse(encode_json(await act()), status_code=status, media_type=MediaType.JSON)
    caller = f"{work.origin.actor_kind}:{work.origin.actor_id}"
    route = f"{request.method} {request.scope['path']}"
    body_hash = hash_of_json(await request.body())
    stored = await claim(work.db, caller, route, key, body_hash, work.now)
    if stored is not None:
        return Response(
            stored.body,
            status_code=stored.status,
            media_type=MediaType.JSON,
            headers={"Idempotent-Replayed": "true"},
        )
    body = encode_json(await act())
    await store_response(work.db, caller, route, key, StoredResponse(status, body))
    return JsonResponse(body, status_code=status, media_type=MediaType.JSON)


def _idempotency_key(request: Request[Any, Any, Any]) -> str | None:
    given = request.headers.get("idempotency-key")
    if given is None:
        return None
    key = given.strip()
    if len(key) >= 2 and key[0] == key[-1] == '"':
        key = key[1:-1]
    if not _KEY.fullmatch(key):
        raise bad_field("Idempotency-Key", "must be 1 to 255 printable characters.")
    return key


_exact_decoder = msgspec.json.Decoder(float_hook=lambda number: plain(Decimal(number)))
_ordered_encoder = msgspec.json.Encoder(order="deterministic", decimal_format="number")


def hash_of_json(raw: bytes) -> bytes:
    """Hash a body so that whitespace and the order of fields make no difference.

    Numbers count with all their digits: as floats, two amounts may be the same.
    """
    return hashlib.sha256(_ordered_encoder.encode(_exact_decoder.decode(raw))).digest()


class EventStream(Stream):
    """Sends messages as they arrive, and calls `close` when the stream ends.

    The stream ends after the last message, when the client disconnects, or when sending fails. The
    framework's own stream leaves the cleanup to the garbage collector.
    """

    def __init__(
        self, messages: AsyncIterator[ServerSentEventMessage], close: Callable[[], None]
    ) -> None:
        super().__init__(
            _encoded(messages),
            media_type="text/event-stream",
            headers={"x-accel-buffering": "no"},  # tells proxies not to buffer messages
        )
        self._close = close

    def to_asgi_response(self, *args: Any, **options: Any) -> ASGIResponse:
        return _Closing(  # type: ignore[return-value]
            super().to_asgi_response(*args, **options), self._close
        )


class _Closing:
    """A response with a callback for its end."""

    def __init__(self, response: ASGIResponse, close: Callable[[], None]) -> None:
        self._response = response
        self._close = close

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self._response(scope, receive, send)
        finally:
            self._close()


async def _encoded(messages: AsyncIterator[ServerSentEventMessage]) -> AsyncIterator[bytes]:
    async for message in messages:
        yield message.encode()

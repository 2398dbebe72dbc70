"""Server-sent events whose source is always closed, however the stream ends."""

from collections.abc import AsyncIterator, Callable
from typing import Any

from litestar.response import ServerSentEventMessage, Stream
from litestar.response.base import ASGIResponse
from litestar.types import Receive, Scope, Send


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

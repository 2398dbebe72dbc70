"""Session access to a transport that the application owns."""

from __future__ import annotations

import asyncio

from licet._transport import AsyncTransport, Transport, TransportReply, TransportRequest


class BorrowedTransport:
    """Wraps a transport that its owner closes."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def send(self, request: TransportRequest) -> TransportReply:
        return self._transport.send(request)

    def close(self) -> None:
        return


class OneShotTransport:
    """Sends over an async transport after the application's event loop has stopped."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def send(self, request: TransportRequest) -> TransportReply:
        async def send() -> TransportReply:
            return await asyncio.wait_for(self._transport.send(request), request.timeout)

        return asyncio.run(send())

    def close(self) -> None:
        return

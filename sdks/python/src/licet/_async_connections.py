"""The SDK's own transport for asyncio: that of the threads, awaited.

So it belongs to no event loop, and a client can be used on one after the other.
"""

from __future__ import annotations

import asyncio
from functools import partial

from licet._connections import Network
from licet._threads import start_thread
from licet._timeouts import no_answer_in
from licet._transport import AsyncTransport, TransportReply, TransportRequest


class AsyncHttpTransport:
    """:class:`licet._connections.HttpTransport` for asyncio."""

    def __init__(self, network: Network) -> None:
        self._transport = network.connect()

    async def send(self, request: TransportRequest) -> TransportReply:
        with self._transport.in_use() as connections:
            await asyncio.to_thread(connections.prepare, request.url)
            future = start_thread(partial(connections.send, request))
            try:
                return await asyncio.wait_for(asyncio.wrap_future(future), request.timeout)
            except TimeoutError:
                raise no_answer_in(request.timeout) from None

    async def aclose(self) -> None:
        self._transport.close()


class OneShotTransport:
    """Sends over the application's transport after its event loop has stopped."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def send(self, request: TransportRequest) -> TransportReply:
        async def send() -> TransportReply:
            return await asyncio.wait_for(self._transport.send(request), request.timeout)

        return asyncio.run(send())

    def close(self) -> None:
        return

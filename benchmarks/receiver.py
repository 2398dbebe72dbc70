"""A webhook receiver that does almost nothing; run as a program, it prints its port."""

import asyncio

import uvloop

_RESPONSE = b"HTTP/1.1 204 No Content\r\n\r\n"
_LENGTH = b"content-length: "


class _Receiver(asyncio.Protocol):
    """Responds to each request when its body is complete."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        self._waiting = b""

    def data_received(self, data: bytes) -> None:
        self._waiting += data
        while (end := self._waiting.find(b"\r\n\r\n")) >= 0:
            head = self._waiting[:end].lower()
            at = head.find(_LENGTH) + len(_LENGTH)
            whole = end + 4 + int(head[at:].partition(b"\r\n")[0])
            if len(self._waiting) < whole:
                return
            self._waiting = self._waiting[whole:]
            self._transport.write(_RESPONSE)  # type: ignore[attr-defined]


async def _serve() -> None:
    server = await asyncio.get_running_loop().create_server(_Receiver, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(_serve())

"""A lean client: many requests at a time cost it little, so that races are the servers' own."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

# The servers close connections that were idle for 5 s; a request must not meet that.
_IDLE_S = 2.0
_PATIENCE_S = 40.0


class Gone(Exception):
    """The server's process ended before it had answered, or before it was asked."""


class Wire:
    """Kept connections to one server; each carries one request at a time."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._free: list[tuple[float, asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def request(self, method: str, path: str, key: str, body: Any) -> tuple[int, Any]:
        """Status and body of the answer.

        Raises:
            Gone: without an answer.
        """
        try:
            async with asyncio.timeout(_PATIENCE_S):
                reader, writer = await self._connection()
                try:
                    writer.write(_request(method, path, key, body))
                    answer = await _answer(reader)
                except BaseException:
                    writer.close()
                    raise
        except (ConnectionError, asyncio.IncompleteReadError) as error:
            raise Gone from error
        self._free.append((time.monotonic(), reader, writer))
        return answer

    @asynccontextmanager
    async def hung_up(self, method: str, path: str, key: str, body: Any) -> AsyncIterator[None]:
        """Send a request, and be gone when the block ends, without the answer.

        Raises:
            Gone: before it was sent.
        """
        try:
            _, writer = await self._connection()
        except ConnectionError as error:
            raise Gone from error
        try:
            writer.write(_request(method, path, key, body))
            yield
        finally:
            writer.close()

    async def _connection(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        while self._free:
            since, reader, writer = self._free.pop()
            if time.monotonic() - since < _IDLE_S and not reader.at_eof():
                return reader, writer
            writer.close()
        return await asyncio.open_connection("127.0.0.1", self._port)

    async def close(self) -> None:
        for _, _, writer in self._free:
            writer.close()
        self._free.clear()
        await asyncio.sleep(0)


def _request(method: str, path: str, key: str, body: Any) -> bytes:
    content = b"" if body is None else json.dumps(body).encode()
    head = (
        f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-KEY: {key}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
    )
    return head.encode() + content


async def _answer(reader: asyncio.StreamReader) -> tuple[int, Any]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    content = await reader.readexactly(int(headers.get("content-length", 0)))
    return int(first.split()[1]), json.loads(content) if content else {}

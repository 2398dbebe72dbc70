"""Clients that keep their connections, repeat nothing, and count each request that was lost."""

import asyncio
import secrets
from dataclasses import dataclass, field

_REQUEST = b"GET /health/live HTTP/1.1\r\nHost: licet\r\n\r\n"
_LAST_REQUEST = _REQUEST[:-2] + b"Connection: close\r\n\r\n"


@dataclass
class Told:
    """What became of the requests; `refused` is set when nobody listens any more."""

    answered: int = 0
    lost: list[str] = field(default_factory=list)
    refused: bool = False


@dataclass(frozen=True, slots=True)
class Client:
    """Requests on one connection after the other, until the port is closed.

    It pauses for up to so many seconds between two requests; without `keeps`, each request has a
    connection of its own.
    """

    pause_s: float = 0.0
    keeps: bool = True


async def live(client: Client, port: int, told: Told, stop: asyncio.Event | None = None) -> None:
    """Request until the port is closed, or until told to stop."""
    while stop is None or not stop.is_set():
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
        except ConnectionRefusedError:
            told.refused = True
            return
        except OSError as error:
            told.lost.append(f"connecting: {error!r}")
            continue
        try:
            await _use(client, reader, writer, told, stop)
        except (OSError, asyncio.IncompleteReadError) as error:
            told.lost.append(f"{client}: {error!r}")
        finally:
            writer.close()


async def _use(
    client: Client,
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    told: Told,
    stop: asyncio.Event | None,
) -> None:
    while stop is None or not stop.is_set():
        if client.pause_s:
            await asyncio.sleep(client.pause_s * secrets.randbelow(1000) / 1000)
        if reader.at_eof():  # closed while idle: every client looks before it sends
            return
        writer.write(_REQUEST if client.keeps else _LAST_REQUEST)
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        length = int(head.partition(b"content-length: ")[2].partition(b"\r")[0])
        await reader.readexactly(length)
        if head.startswith(b"http/1.1 200"):
            told.answered += 1
        else:
            told.lost.append(head.decode())
        if b"\r\nconnection: close" in head:
            return

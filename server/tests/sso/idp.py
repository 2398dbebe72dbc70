"""An identity provider in the test's hands: honest until it is told to be something else."""

import asyncio
import hmac
import json
import threading
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding
from joserfc import jwt
from joserfc.jwk import ECKey, RSAKey

from licet_server.kit.clock import system_clock


@cache
def key(name: str) -> RSAKey:
    return RSAKey.generate_key(2048, {"kid": name, "use": "sig", "alg": "RS256"})


@cache
def ec_key(name: str) -> ECKey:
    return ECKey.generate_key("P-256", {"kid": name, "use": "sig", "alg": "ES256"})


@dataclass
class Idp:
    """What it answers; each field can be changed between two requests."""

    clock: Callable[[], datetime]
    issuer: str = ""
    client_id: str = "licet"
    user: dict[str, Any] = field(default_factory=dict)
    claims: dict[str, Any] = field(default_factory=dict)
    """Over the honest ones; a value of `...` leaves a claim out."""
    header: dict[str, Any] = field(default_factory=dict)
    signer: Any = None
    published: list[Any] = field(default_factory=list)
    metadata: dict[str, Any] = field(default_factory=dict)
    info: dict[str, Any] | None = None
    answers: dict[str, bytes | float] = field(default_factory=dict)
    """By path: raw bytes to answer with, or seconds to wait before."""
    token: dict[str, Any] = field(default_factory=dict)
    refused: str | None = None
    asked: list[tuple[str, dict[str, str], dict[str, str]]] = field(default_factory=list)
    nonce: str | None = None
    forges: bool = False
    secret: bytes | None = None

    def __post_init__(self) -> None:
        self.signer = self.signer or key("first")
        self.published = self.published or [key("first")]

    def discovery(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "userinfo_endpoint": f"{self.issuer}/userinfo",
            "id_token_signing_alg_values_supported": ["RS256", "ES256"],
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            **self.metadata,
        }

    def id_token(self) -> str:
        now = int(self.clock().timestamp())
        honest = {
            "iss": self.issuer,
            "aud": self.client_id,
            "iat": now,
            "exp": now + 300,
            "auth_time": now,
            "nonce": self.nonce,
            **self.user,
            **self.claims,
        }
        claims = {name: value for name, value in honest.items() if value is not ...}
        signer = self.signer
        header = {"alg": "RS256", "kid": signer.kid, **self.header}
        header = {name: value for name, value in header.items() if value is not ...}
        if self.forges or header["alg"] == "none":
            return forged(header, claims, self.secret)
        return jwt.encode(header, claims, signer, algorithms=[header["alg"]])

    def answer(self, path: str, form: dict[str, str]) -> tuple[int, Any]:
        if path == "/.well-known/openid-configuration":
            return 200, self.discovery()
        if path == "/keys":
            return 200, {"keys": [item.as_dict(private=False) for item in self.published]}
        if path == "/userinfo":
            return 200, self.info if self.info is not None else dict(self.user)
        if path == "/token":
            if self.refused is not None:
                return 400, {"error": self.refused}
            issued = {
                "access_token": "an-access-token",
                "token_type": "Bearer",
                "expires_in": 3600,
                "refresh_token": f"refresh-{len(self.asked)}",
                "id_token": self.id_token(),
                **self.token,
            }
            return 200, {name: value for name, value in issued.items() if value is not ...}
        return 404, {"error": "unknown"}

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            _, target, _ = head[0].split(" ")
            lines = (line.partition(":") for line in head[1:] if line)
            headers = {name.lower(): value.strip() for name, _, value in lines}
            body = await reader.readexactly(int(headers.get("content-length", 0)))
            form = {name: values[0] for name, values in parse_qs(body.decode()).items()}
            path = urlsplit(target).path
            self.asked.append((path, headers, form))
            if path == "/authorize":
                self._send_back(writer, parse_qs(urlsplit(target).query))
                return
            special = self.answers.get(path)
            if isinstance(special, int | float):
                await asyncio.sleep(special)
            if isinstance(special, bytes):
                await self._flood(writer, special)
            else:
                status, content = self.answer(path, form)
                text = json.dumps(content).encode()
                start = f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\n"
                writer.write(f"{start}Content-Length: {len(text)}\r\n\r\n".encode() + text)
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    def _send_back(self, writer: asyncio.StreamWriter, asked: dict[str, list[str]]) -> None:
        """Sign the person in without a word, as a provider does that knows them already."""
        self.nonce = asked["nonce"][0]
        query = urlencode({"code": "a-code", "state": asked["state"][0]})
        to = f"{asked['redirect_uri'][0]}?{query}"
        writer.write(f"HTTP/1.1 302 X\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n".encode())

    @staticmethod
    async def _flood(writer: asyncio.StreamWriter, raw: bytes) -> None:
        if raw != b"FLOOD":
            writer.write(raw)
            await writer.drain()
            return
        size = 100 * 1024 * 1024
        writer.write(f"HTTP/1.1 200 OK\r\nContent-Length: {size}\r\n\r\n{{".encode())
        for _ in range(size // 65_536):
            writer.write(b" " * 65_536)
            await writer.drain()


def forged(header: dict[str, Any], claims: dict[str, Any], secret: bytes | None = None) -> str:
    """A token with any header: signed by the first key, by a shared secret, or not at all."""
    parts = (json.dumps(item).encode() for item in (header, claims))
    signed = ".".join(urlsafe_b64encode(item).rstrip(b"=").decode() for item in parts)
    if header["alg"] == "none":
        return f"{signed}."
    if secret is not None:
        signature = hmac.digest(secret, signed.encode(), "sha256")
    else:
        private: Any = key("first").private_key
        signature = private.sign(signed.encode(), padding.PKCS1v15(), hashes.SHA256())
    return f"{signed}.{urlsafe_b64encode(signature).rstrip(b'=').decode()}"


@asynccontextmanager
async def running_idp(clock: Callable[[], datetime]) -> AsyncIterator[Idp]:
    idp = Idp(clock)
    server = await asyncio.start_server(idp.serve, "127.0.0.1", 0)
    idp.issuer = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with server:
        yield idp
        server.close()


@contextmanager
def idp_in_a_thread() -> Iterator[Idp]:
    """For tests whose browser blocks."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    idp = Idp(system_clock)

    async def start() -> asyncio.Server:
        return await asyncio.start_server(idp.serve, "127.0.0.1", 0)

    server = asyncio.run_coroutine_threadsafe(start(), loop).result()
    idp.issuer = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield idp
    finally:
        loop.call_soon_threadsafe(server.close)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()

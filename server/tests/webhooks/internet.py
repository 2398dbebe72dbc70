"""A small internet for tests: names that lead to public addresses, behind which receivers stand."""

import asyncio
import ssl
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from httpcore import AnyIOBackend, AsyncNetworkBackend, AsyncNetworkStream, ConnectError

from licet_server.kit.outbound.network import NameUnknown, Network, admits_public
from licet_server.kit.outbound.targets import Address


@dataclass
class Names:
    """A resolver whose answers may differ between queries; the last one is repeated."""

    answers: dict[str, list[Sequence[str]]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def lead(self, name: str, *answers: Sequence[str]) -> None:
        self.answers[name] = list(answers)

    async def resolve(self, host: str, port: int) -> Sequence[Address]:
        self.asked.append(host)
        waiting = self.answers.get(host, [])
        if not waiting:
            raise NameUnknown
        found = waiting.pop(0) if len(waiting) > 1 else waiting[0]
        return [ip_address(item) for item in found]


@dataclass
class Wire(AsyncNetworkBackend):
    """Really connects, to the receiver that stands behind an address; notes where one went."""

    ports: dict[str, int] = field(default_factory=dict)
    gone_to: list[str] = field(default_factory=list)

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - as the pool calls it
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> AsyncNetworkStream:
        self.gone_to.append(host)
        if host not in self.ports:
            raise ConnectError("nobody is there")
        return await AnyIOBackend().connect_tcp("127.0.0.1", self.ports[host], timeout)


@dataclass
class ByName(AsyncNetworkBackend):
    """A control, as it is often done: the name is checked, and then resolved again to connect."""

    names: Names
    wire: Wire
    check: Callable[[str, int], Awaitable[Sequence[Address]]]

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - as the pool calls it
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> AsyncNetworkStream:
        await self.check(host, port)
        found = await self.names.resolve(host, port)
        return await self.wire.connect_tcp(str(found[0]), port)


@dataclass
class Internet:
    """Names, addresses, and an authority that makes certificates."""

    folder: Path
    names: Names = field(default_factory=Names)
    wire: Wire = field(default_factory=Wire)
    _key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )

    def network(self, allow_private: bool = False) -> Network:
        return Network(admits_public(allow_private), self.trust, self.names.resolve, self.wire)

    def trust(self) -> ssl.SSLContext:
        """Of a client that believes this authority alone."""
        made = self._sign("Authority", self._key, is_authority=True)
        return ssl.create_default_context(
            cadata=made.public_bytes(serialization.Encoding.PEM).decode()
        )

    def server(self, name: str) -> ssl.SSLContext:
        """Of a server with a certificate for the name."""
        key = ec.generate_private_key(ec.SECP256R1())
        file = self.folder / f"{name}.pem"
        file.write_bytes(
            self._sign(name, key).public_bytes(serialization.Encoding.PEM)
            + key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(file)
        return context

    def _sign(
        self, name: str, key: ec.EllipticCurvePrivateKey, is_authority: bool = False
    ) -> x509.Certificate:
        now = datetime(2020, 1, 1, tzinfo=UTC)
        return (
            x509.CertificateBuilder()
            .subject_name(_named(name))
            .issuer_name(_named("Authority"))
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now)
            .not_valid_after(now.replace(year=2099))
            .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
            .add_extension(x509.BasicConstraints(is_authority, None), critical=True)
            .sign(self._key, hashes.SHA256())
        )


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])


async def never(_host: str, _port: int) -> Sequence[Address]:
    """A resolver that hangs."""
    await asyncio.Event().wait()
    return []

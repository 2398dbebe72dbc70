from __future__ import annotations

import datetime as dt
import ipaddress
import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from licet_testkit import (
    FakeClock,
    LicenseServer,
    Vendor,
    fault_of,
    make_client,
    online,
)

from licet import (
    ConfigurationError,
    ConnectionLostError,
    DnsError,
    LicetError,
    ProxyError,
    ServerRefusedError,
    ServerTimeoutError,
    TlsError,
)

pytestmark = pytest.mark.usefixtures("no_pauses")
Handler = Callable[[socket.socket], None]


@contextmanager
def raw_server(handle: Handler) -> Iterator[int]:
    """A TCP server that calls ``handle`` for each connection."""
    listener = socket.create_server(("127.0.0.1", 0))
    open_ones: list[socket.socket] = []

    def serve() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            open_ones.append(connection)
            try:
                handle(connection)
            except OSError:
                continue

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield listener.getsockname()[1]
    finally:
        listener.close()
        for connection in open_ones:
            connection.close()


def hang(_: socket.socket) -> None:
    return


def reset(connection: socket.socket) -> None:
    connection.recv(1)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def close_at_once(connection: socket.socket) -> None:
    connection.recv(65536)
    connection.close()


def cut_short(connection: socket.socket) -> None:
    connection.recv(65536)
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n{")
    connection.close()


def not_http(connection: socket.socket) -> None:
    connection.recv(65536)
    connection.sendall(b"220 mail.example.com ESMTP\r\n")
    connection.close()


def refuse_tunnel(connection: socket.socket) -> None:
    connection.recv(65536)
    connection.sendall(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
    connection.close()


def closed_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


async def test_connection_refused(tmp_path: Path, clock: FakeClock) -> None:
    base = f"http://127.0.0.1:{closed_port()}/api"
    fault = await fault_of(tmp_path, clock, server_base_endpoint=base)
    assert type(fault) is ServerRefusedError
    assert "127.0.0.1 refused the connection" in fault.hint


async def test_unknown_host_name(tmp_path: Path, clock: FakeClock) -> None:
    base = "https://no-such-host.invalid/api"
    fault = await fault_of(tmp_path, clock, server_base_endpoint=base)
    assert type(fault) is DnsError
    assert "no-such-host.invalid" in fault.hint


@pytest.mark.parametrize("handle", [reset, close_at_once, cut_short, not_http])
async def test_broken_connections(handle: Handler, tmp_path: Path, clock: FakeClock) -> None:
    with raw_server(handle) as port:
        base = f"http://127.0.0.1:{port}/api"
        fault = await fault_of(tmp_path, clock, server_base_endpoint=base)
    assert type(fault) is ConnectionLostError


async def test_a_hanging_server_times_out(tmp_path: Path, clock: FakeClock) -> None:
    with raw_server(hang) as port:
        base = f"http://127.0.0.1:{port}/api"
        begun = time.monotonic()
        fault = await fault_of(tmp_path, clock, server_base_endpoint=base, timeout=0.2)
        assert time.monotonic() - begun < 2 * 0.2 * 3 + 3
    assert type(fault) is ServerTimeoutError


async def test_a_slow_response_body_times_out(tmp_path: Path, clock: FakeClock) -> None:
    def drip(connection: socket.socket) -> None:
        connection.recv(65536)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n")

        def drops() -> None:
            try:
                for _ in range(200):
                    connection.sendall(b" ")
                    time.sleep(0.05)
            except OSError:
                return

        threading.Thread(target=drops, daemon=True).start()

    with raw_server(drip) as port:
        base = f"http://127.0.0.1:{port}/api"
        begun = time.monotonic()
        fault = await fault_of(tmp_path, clock, server_base_endpoint=base, timeout=0.3)
        assert time.monotonic() - begun < 5
    assert type(fault) is ServerTimeoutError


# TLS.


class Authority:
    def __init__(self, folder: Path) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Corporate Inspection CA")])
        self.certificate = self._sign(self.name, self.key, None, NOW_REAL, days=30)
        self.bundle = folder / "ca.pem"
        self.bundle.write_bytes(self.certificate.public_bytes(Encoding.PEM))
        self.folder = folder

    def context(self, host: str = "127.0.0.1", *, expired: bool = False) -> ssl.SSLContext:
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
        alternative: Any = x509.DNSName(host)
        if host[0].isdigit():
            alternative = x509.IPAddress(ipaddress.ip_address(host))
        start = NOW_REAL - dt.timedelta(days=60 if expired else 1)
        certificate = self._sign(name, key, alternative, start, days=30)
        chain = self.folder / f"{host}-{expired}.pem"
        private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        chain.write_bytes(certificate.public_bytes(Encoding.PEM) + private)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(chain)
        return context

    def _sign(self, name: Any, key: Any, alternative: Any, start: dt.datetime, *, days: int) -> Any:
        builder = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(self.name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(start - dt.timedelta(days=1))
            .not_valid_after(start + dt.timedelta(days=days))
            .add_extension(x509.BasicConstraints(alternative is None, None), critical=True)
            .add_extension(
                x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False
            )
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key()),
                critical=False,
            )
        )
        if alternative is None:
            usage = dict.fromkeys(
                [
                    "digital_signature",
                    "content_commitment",
                    "key_encipherment",
                    "data_encipherment",
                    "key_agreement",
                    "encipher_only",
                    "decipher_only",
                ],
                False,
            )
            builder = builder.add_extension(
                x509.KeyUsage(key_cert_sign=True, crl_sign=True, **usage), critical=True
            )
        else:
            names = x509.SubjectAlternativeName([alternative])
            builder = builder.add_extension(names, critical=False)
        return builder.sign(self.key, SHA256())


NOW_REAL = dt.datetime.fromtimestamp(time.time(), dt.UTC)  # noqa: TID251 - certificates are real


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("ca"))


async def tls_fault(
    context: ssl.SSLContext, tmp_path: Path, clock: FakeClock, vendor: Vendor, **options: Any
) -> LicetError:
    with LicenseServer(vendor, clock, context=context) as server:
        return await fault_of(tmp_path, clock, server_base_endpoint=server.base, **options)


async def test_tls_interception_is_not_an_invalid_license(
    authority: Authority, tmp_path: Path, clock: FakeClock, vendor: Vendor
) -> None:
    fault = await tls_fault(authority.context(), tmp_path, clock, vendor)
    assert type(fault) is TlsError
    assert "proxy or antivirus software" in fault.hint
    assert "CaBundle" in fault.hint
    assert "not trusted" in fault.message


def test_a_company_ca_can_be_configured(
    authority: Authority, tmp_path: Path, clock: FakeClock, vendor: Vendor
) -> None:
    with LicenseServer(vendor, clock, context=authority.context()) as server:
        for verify in (authority.bundle, ssl.create_default_context(cafile=authority.bundle)):
            client = make_client(tmp_path, clock, **online(server, verify=verify))
            assert client.validate_online().status == "Valid"


async def test_other_tls_errors(
    authority: Authority, tmp_path: Path, clock: FakeClock, vendor: Vendor
) -> None:
    bundle = {"verify": authority.bundle}
    expired = await tls_fault(authority.context(expired=True), tmp_path, clock, vendor, **bundle)
    assert type(expired) is TlsError
    assert "has expired, or this computer's clock" in expired.message
    wrong = authority.context("another.example")
    named = await tls_fault(wrong, tmp_path, clock, vendor, **bundle)
    assert type(named) is TlsError
    assert "for another name" in named.hint


async def test_a_server_without_tls(
    tmp_path: Path, clock: FakeClock, server: LicenseServer
) -> None:
    base = server.base.replace("http:", "https:")
    fault = await fault_of(tmp_path, clock, server_base_endpoint=base)
    assert type(fault) is TlsError
    assert "may not support TLS" in fault.hint


def test_certificate_verification_cannot_be_turned_off(tmp_path: Path, clock: FakeClock) -> None:
    with pytest.raises(ConfigurationError, match="cannot be turned off"):
        make_client(tmp_path, clock, verify=False)


# Proxies.


async def test_proxy_that_requires_authentication(
    tmp_path: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    with raw_server(refuse_tunnel) as port:
        for scheme in ("http", "https"):
            monkeypatch.setenv(f"{scheme.upper()}_PROXY", f"http://user:secret@127.0.0.1:{port}")
            host = "127.0.0.1:9" if scheme == "http" else "licenses.example"
            base = f"{scheme}://{host}/api"
            fault = await fault_of(tmp_path, clock, server_base_endpoint=base)
            assert type(fault) is ProxyError
            assert "secret" not in fault.message + fault.hint


async def test_unreachable_proxy(
    tmp_path: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch, server: LicenseServer
) -> None:
    proxy = f"http://127.0.0.1:{closed_port()}"
    monkeypatch.setenv("HTTP_PROXY", proxy)
    fault = await fault_of(tmp_path, clock, server_base_endpoint=server.base)
    assert type(fault) is ProxyError
    assert proxy.removeprefix("http://") in fault.hint
    ignoring = make_client(tmp_path, clock, **online(server, trust_env=False))
    assert ignoring.validate_online()
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    assert make_client(tmp_path, clock, **online(server)).validate_online()

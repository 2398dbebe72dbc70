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
    NOW,
    FakeClock,
    LicenseServer,
    Vendor,
    client_options,
    make_client,
    online,
    problem,
)

from licet import (
    ApiKeyRefusedError,
    AsyncLicenseClient,
    CaptivePortalError,
    ConfigurationError,
    ConnectionLostError,
    DnsError,
    LicetError,
    NetworkError,
    ProxyError,
    RateLimitedError,
    RequestRefusedError,
    ServerRefusedError,
    ServerTimeoutError,
    ServerUnavailableError,
    TlsError,
    UnexpectedReplyError,
)

pytestmark = pytest.mark.usefixtures("no_pauses")
Handler = Callable[[socket.socket], None]


@contextmanager
def raw_server(handle: Handler) -> Iterator[int]:
    """A TCP server that does what it is told to with each connection."""
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


async def fault_of(tmp_path: Path, clock: FakeClock, **options: Any) -> LicetError:
    """The fault, proven to be the same for both clients."""
    settings = {"api_key": "pk_x", "license_key": "imported-key-1", "timeout": 1.0, **options}
    with make_client(tmp_path, clock, **settings) as client, pytest.raises(LicetError) as first:
        client.validate_online()
    async with AsyncLicenseClient(**client_options(tmp_path, clock, **settings)) as other:
        with pytest.raises(LicetError) as second:
            await other.validate_online()
    assert type(first.value) is type(second.value)
    return first.value


async def test_refused(tmp_path: Path, clock: FakeClock) -> None:
    base = f"http://127.0.0.1:{closed_port()}/api"
    fault = await fault_of(tmp_path, clock, server_base_endpoint=base)
    assert type(fault) is ServerRefusedError
    assert "127.0.0.1 refused the connection" in fault.message


async def test_name_unknown(tmp_path: Path, clock: FakeClock) -> None:
    base = "https://no-such-host.invalid/api"
    fault = await fault_of(tmp_path, clock, server_base_endpoint=base)
    assert type(fault) is DnsError
    assert "no-such-host.invalid" in fault.message


@pytest.mark.parametrize("handle", [reset, close_at_once, cut_short, not_http])
async def test_broken_connections(handle: Handler, tmp_path: Path, clock: FakeClock) -> None:
    with raw_server(handle) as port:
        base = f"http://127.0.0.1:{port}/api"
        fault = await fault_of(tmp_path, clock, server_base_endpoint=base)
    assert type(fault) is ConnectionLostError


async def test_hanging_is_bounded(tmp_path: Path, clock: FakeClock) -> None:
    with raw_server(hang) as port:
        base = f"http://127.0.0.1:{port}/api"
        begun = time.monotonic()
        fault = await fault_of(tmp_path, clock, server_base_endpoint=base, timeout=0.2)
        assert time.monotonic() - begun < 2 * 0.2 * 3 + 3
    assert type(fault) is ServerTimeoutError


async def test_dripping_is_bounded(tmp_path: Path, clock: FakeClock) -> None:
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


async def test_interception_is_not_an_invalid_key(
    authority: Authority, tmp_path: Path, clock: FakeClock, vendor: Vendor
) -> None:
    fault = await tls_fault(authority.context(), tmp_path, clock, vendor)
    assert type(fault) is TlsError
    assert "proxy or an antivirus" in fault.message
    assert "CaBundle" in fault.message
    assert "license was not examined" in fault.message


def test_the_companys_ca_may_be_named(
    authority: Authority, tmp_path: Path, clock: FakeClock, vendor: Vendor
) -> None:
    with LicenseServer(vendor, clock, context=authority.context()) as server:
        for verify in (authority.bundle, ssl.create_default_context(cafile=authority.bundle)):
            client = make_client(tmp_path, clock, **online(server, verify=verify))
            assert client.validate_online().status == "Valid"


async def test_other_tls_faults(
    authority: Authority, tmp_path: Path, clock: FakeClock, vendor: Vendor
) -> None:
    bundle = {"verify": authority.bundle}
    expired = await tls_fault(authority.context(expired=True), tmp_path, clock, vendor, **bundle)
    assert type(expired) is TlsError
    assert "has expired, or this computer's clock" in expired.message
    wrong = authority.context("another.example")
    named = await tls_fault(wrong, tmp_path, clock, vendor, **bundle)
    assert type(named) is TlsError
    assert "for another name" in named.message


async def test_tls_where_none_is_spoken(
    tmp_path: Path, clock: FakeClock, server: LicenseServer
) -> None:
    base = server.base.replace("http:", "https:")
    fault = await fault_of(tmp_path, clock, server_base_endpoint=base)
    assert type(fault) is TlsError
    assert "may not speak TLS" in fault.message


def test_the_check_cannot_be_turned_off(tmp_path: Path, clock: FakeClock) -> None:
    with pytest.raises(ConfigurationError, match="cannot be turned off"):
        make_client(tmp_path, clock, verify=False)
    with pytest.raises(ConfigurationError, match="CaBundle"):
        make_client(tmp_path, clock, verify=tmp_path / "missing.pem")


# Proxies.


async def test_proxy_that_wants_a_sign_in(
    tmp_path: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    with raw_server(refuse_tunnel) as port:
        for scheme in ("http", "https"):
            monkeypatch.setenv(f"{scheme.upper()}_PROXY", f"http://user:secret@127.0.0.1:{port}")
            base = f"{scheme}://licenses.example/api"
            fault = await fault_of(tmp_path, clock, server_base_endpoint=base)
            assert type(fault) is ProxyError
            assert "secret" not in fault.message


async def test_proxy_that_is_not_there(
    tmp_path: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch, server: LicenseServer
) -> None:
    proxy = f"http://127.0.0.1:{closed_port()}"
    monkeypatch.setenv("HTTP_PROXY", proxy)
    fault = await fault_of(tmp_path, clock, server_base_endpoint=server.base)
    assert type(fault) is ProxyError
    assert proxy.removeprefix("http://") in fault.message
    ignoring = make_client(tmp_path, clock, **online(server, trust_env=False))
    assert ignoring.validate_online()
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    assert make_client(tmp_path, clock, **online(server)).validate_online()


# Answers.

HTML = {"Content-Type": "text/html; charset=utf-8"}
ANSWERS: list[tuple[str, Any, type[LicetError], str]] = [
    ("portal", (200, HTML, b"<!doctype html><h1>Welcome"), CaptivePortalError, "sign in"),
    ("portal, no type", (200, {}, b" <HTML>"), CaptivePortalError, "web page"),
    ("redirect", (302, {"Location": "https://login.example"}, b""), CaptivePortalError, "redirect"),
    ("511", (511, HTML, b"<html>"), CaptivePortalError, "sign in"),
    ("filter", (403, HTML, b"<html>Blocked"), CaptivePortalError, "filter"),
    ("html 404", (404, HTML, b"<html>"), CaptivePortalError, "ServerBaseEndpoint"),
    (
        "not json",
        (200, {"Content-Type": "text/plain"}, b"OK"),
        UnexpectedReplyError,
        "API's address",
    ),
    ("json list", (200, {}, b"[]"), UnexpectedReplyError, "API's address"),
    ("404", (404, {}, b'{"detail":"Not Found"}'), UnexpectedReplyError, "API's address"),
    ("gateway", (502, HTML, b"<html>"), ServerUnavailableError, "fault of its own"),
    ("500", problem(500, "InternalError"), ServerUnavailableError, "fault of its own"),
    ("401", problem(401, "Unauthorized"), ApiKeyRefusedError, "ProductApiKey"),
    ("407", (407, {}, b""), ProxyError, "sign-in"),
    ("429", problem(429, "RateLimited", **{"Retry-After": "3600"}), RateLimitedError, "too often"),
    ("400", problem(400, "InvalidRequest"), RequestRefusedError, "InvalidRequest"),
]


@pytest.mark.parametrize(
    ("answer", "kind", "words"), [a[1:] for a in ANSWERS], ids=[a[0] for a in ANSWERS]
)
async def test_answers_are_told_apart(
    answer: Any, kind: type, words: str, tmp_path: Path, clock: FakeClock, server: LicenseServer
) -> None:
    server.script = [answer] * 6
    fault = await fault_of(tmp_path, clock, server_base_endpoint=server.base)
    assert type(fault) is kind
    assert words in fault.message


def test_an_endless_answer_is_cut(tmp_path: Path, clock: FakeClock, server: LicenseServer) -> None:
    server.script = [(200, {}, b" " * (5 << 20))]
    with pytest.raises(UnexpectedReplyError, match="larger"):
        make_client(tmp_path, clock, **online(server)).validate_online()


# Retries.


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_passing_faults_are_retried(
    status: int, tmp_path: Path, clock: FakeClock, server: LicenseServer
) -> None:
    server.script = [problem(status, "Unavailable", **{"Retry-After": "0"})] * 2
    assert make_client(tmp_path, clock, **online(server)).validate_online().status == "Valid"
    assert len(server.asked) == 3
    assert len({headers["x-request-id"] for _, _, headers in server.asked}) == 1


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 422, 500])
def test_other_faults_are_not(
    status: int, tmp_path: Path, clock: FakeClock, server: LicenseServer
) -> None:
    server.script = [problem(status, "Whatever")]
    with pytest.raises(LicetError):
        make_client(tmp_path, clock, **online(server)).validate_online()
    assert len(server.asked) == 1


def test_a_broken_connection_is_retried(
    tmp_path: Path, clock: FakeClock, vendor: Vendor, server: LicenseServer
) -> None:
    tries: list[int] = []

    def first_resets(body: dict[str, Any]) -> Any:
        tries.append(1)
        if len(tries) == 1:
            raise ConnectionAbortedError
        return server.validate(body)

    server.on_validate = first_resets
    assert make_client(tmp_path, clock, **online(server)).validate_online().status == "Valid"


def test_retry_after_is_honored(tmp_path: Path, clock: FakeClock, server: LicenseServer) -> None:
    server.script = [problem(503, "Unavailable", **{"Retry-After": "1"})]
    begun = time.monotonic()
    assert make_client(tmp_path, clock, **online(server)).validate_online()
    assert time.monotonic() - begun >= 1.0


def test_a_long_retry_after_is_told_and_not_waited_for(
    tmp_path: Path, clock: FakeClock, server: LicenseServer
) -> None:
    later = (NOW + dt.timedelta(hours=1)).strftime("%a, %d %b %Y %H:%M:%S GMT")
    for text in ("3600", later):
        server.asked.clear()
        server.script = [problem(429, "RateLimited", **{"Retry-After": text})]
        with pytest.raises(RateLimitedError) as caught:
            make_client(tmp_path, clock, **online(server)).validate_online()
        assert caught.value.retry_after == 3600
        assert len(server.asked) == 1


def test_network_errors_are_one_family() -> None:
    for kind in (DnsError, ServerRefusedError, ConnectionLostError, ServerTimeoutError, TlsError):
        assert issubclass(kind, NetworkError)

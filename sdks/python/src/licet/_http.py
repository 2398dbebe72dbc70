"""Connections by httpx, with limits on the time and size of a response."""

from __future__ import annotations

import logging
import os
import ssl
import sys
import threading
from pathlib import Path
from typing import Any, Protocol

import httpx

from licet._clock import monotonic
from licet._disk import require_regular
from licet._faults import CHECK_ADDRESS
from licet._network_faults import network_error
from licet._proxies import proxy_for
from licet._timeouts import no_answer_in
from licet._transport import TransportReply, TransportRequest
from licet.errors import (
    ConfigurationError,
    ProxyError,
    TlsError,
    UnexpectedReplyError,
)


class Network(Protocol):
    """How a client reaches servers."""

    trust_env: bool

    @property
    def ssl_context(self) -> ssl.SSLContext:
        """The TLS context, created once."""
        ...


MAX_REPLY_BYTES = 4 << 20
CONNECT_SECONDS = 3.0
"""How long one address of a server has to accept a connection."""
LICENSE_KEY_PARAMETER = "licenseKey"
DOWNLOADS = "/downloads/"
AUTHORITY_VARIABLES = ("SSL_CERT_FILE", "SSL_CERT_DIR")

Verify = ssl.SSLContext | str | Path | None


def make_ssl_context(verify: Verify, *, authorities_named_in_code: bool = False) -> ssl.SSLContext:
    """Create the TLS context: public CAs, the operating system's CAs and an optional bundle.

    Args:
        verify: The bundle, or a finished context.
        authorities_named_in_code: Ignore SSL_CERT_FILE and SSL_CERT_DIR.

    Raises:
        ConfigurationError: The bundle cannot be read.
        TlsError: What the environment names cannot be read.
    """
    if isinstance(verify, ssl.SSLContext):
        return verify
    # Company CAs are in the operating system's store, which httpx does not read by itself.
    if authorities_named_in_code:
        context = httpx.create_ssl_context(trust_env=False)
        _load_system_authorities(context)
    else:
        context = _environment_context()
        context.load_default_certs()
    if verify is not None:
        try:
            require_regular(Path(verify))
            context.load_verify_locations(cafile=str(verify))
        except (OSError, ssl.SSLError) as error:
            raise ConfigurationError(
                f"CaBundle {verify} cannot be read as PEM certificates: {error}. Check the path "
                "and the file."
            ) from error
    return context


def _environment_context() -> ssl.SSLContext:
    try:
        return httpx.create_ssl_context()
    except (OSError, ssl.SSLError) as error:
        name = next((name for name in AUTHORITY_VARIABLES if os.environ.get(name)), "")
        raise TlsError(
            "The certificate authorities of this computer cannot be read. Ask your administrator.",
            hint=f"{name}={os.environ.get(name, '')}: {error}. Correct the environment variable or "
            "remove it.",
        ) from error


def _load_system_authorities(context: ssl.SSLContext) -> None:
    """Load the operating system's CAs without those that the environment names."""
    if sys.platform == "win32":
        for store in ("CA", "ROOT"):
            for certificate, encoding, trust in ssl.enum_certificates(store):
                if encoding == "x509_asn" and trust is True:
                    context.load_verify_locations(cadata=certificate)
        return
    paths = ssl.get_default_verify_paths()
    file, folder = Path(paths.openssl_cafile), Path(paths.openssl_capath)
    if file.is_file():
        context.load_verify_locations(cafile=file)
    if folder.is_dir():
        context.load_verify_locations(capath=folder)


def redact_urls(record: logging.LogRecord) -> bool:
    """Remove license keys and download tokens from the URLs that httpx logs."""
    if isinstance(record.args, tuple):
        record.args = tuple(map(_redact, record.args))
    return True


def _redact(part: object) -> object:
    if isinstance(part, httpx.URL) and DOWNLOADS in part.path:
        return part.copy_with(path=part.path.partition(DOWNLOADS)[0] + DOWNLOADS)
    if isinstance(part, httpx.URL) and LICENSE_KEY_PARAMETER in part.params:
        return part.copy_remove_param(LICENSE_KEY_PARAMETER)
    return part


logging.getLogger("httpx").addFilter(redact_urls)


class HttpxConnections:
    """A pool of connections for each proxy, and one for none."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._lock = threading.Lock()
        self._clients: dict[tuple[bool, str | None], httpx.Client] = {}

    def prepare(self, url: str) -> None:
        """Load the certificates of authorities, if this address needs them."""
        if _uses_tls(url):
            self._network.ssl_context  # noqa: B018 - creates it

    def send(self, request: TransportRequest) -> TransportReply:
        """Return the response to one request.

        Raises:
            NetworkError: There was no complete response in time.
        """
        proxy = proxy_for(request.url) if self._network.trust_env else None
        try:
            return _exchange(self._client(request.url, proxy), request)
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
            raise network_error(error, request.url, proxy) from error
        except RuntimeError as error:  # closed by the waiting thread
            raise network_error(httpx.ReadError(str(error)), request.url, proxy) from error

    def _client(self, url: str, proxy: str | None) -> httpx.Client:
        with self._lock:
            key = _uses_tls(url), proxy
            if key not in self._clients:
                # Without TLS there are no certificates to trust.
                context = (
                    self._network.ssl_context
                    if _uses_tls(url)
                    else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
                )
                self._clients[key] = _make_client(context, proxy)
            return self._clients[key]

    def close(self) -> None:
        with self._lock:
            clients = list(self._clients.values())
        for client in clients:
            client.close()


def _make_client(context: ssl.SSLContext, proxy: str | None) -> httpx.Client:
    try:
        return httpx.Client(verify=context, trust_env=False, proxy=proxy)
    except ImportError as error:
        raise ProxyError(
            "This computer uses a SOCKS proxy, which the application does not support. Ask your "
            "administrator.",
            hint="Install the Python package socksio, name another proxy in HTTPS_PROXY or "
            "ALL_PROXY, or add the server to NO_PROXY.",
        ) from error
    except (ValueError, httpx.InvalidURL) as error:
        raise ProxyError(
            f"The proxy of this computer cannot be used: {error}. Ask your administrator.",
            hint="Check HTTPS_PROXY, HTTP_PROXY and ALL_PROXY.",
        ) from error


def _uses_tls(url: str) -> bool:
    return url[:6].lower() == "https:"


def _exchange(client: httpx.Client, request: TransportRequest) -> TransportReply:
    deadline = monotonic() + request.timeout
    body = bytearray()
    with client.stream(**_arguments(request)) as response:
        for chunk in response.iter_bytes():
            body += chunk
            _check_limits(request, body, response.status_code, deadline)
        headers = {name.lower(): value for name, value in response.headers.items()}
        return TransportReply(response.status_code, headers, bytes(body))


def _arguments(request: TransportRequest) -> dict[str, Any]:
    return {
        "method": request.method,
        "url": request.url,
        # User names and passwords in headers may contain any character.
        "headers": [(name, value.encode()) for name, value in request.headers.items()],
        "content": request.body,
        "timeout": httpx.Timeout(request.timeout, connect=min(CONNECT_SECONDS, request.timeout)),
        "follow_redirects": False,
    }


def _check_limits(request: TransportRequest, body: bytearray, status: int, deadline: float) -> None:
    if monotonic() > deadline:
        raise no_answer_in(request.timeout)
    if len(body) > MAX_REPLY_BYTES:
        raise UnexpectedReplyError(
            "The response is too large to come from a license server.",
            hint=CHECK_ADDRESS,
            http_status=status,
        )

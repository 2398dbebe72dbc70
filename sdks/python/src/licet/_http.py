"""The httpx transports, with limits on the time and size of a response."""

from __future__ import annotations

import logging
import ssl
import sys
from pathlib import Path
from typing import Any

import httpx

from licet._clock import monotonic
from licet._config import Config
from licet._faults import network_error
from licet._transport import TransportReply, TransportRequest
from licet.errors import (
    ConfigurationError,
    ServerTimeoutError,
    UnexpectedReplyError,
)

MAX_REPLY_BYTES = 4 << 20
LICENSE_KEY_PARAMETER = "licenseKey"
DOWNLOADS = "/downloads/"

Verify = ssl.SSLContext | str | Path | None


def make_ssl_context(verify: Verify, *, authorities_named_in_code: bool = False) -> ssl.SSLContext:
    """Create the TLS context: public CAs, the operating system's CAs and an optional bundle.

    Args:
        verify: The bundle, or a finished context.
        authorities_named_in_code: Ignore SSL_CERT_FILE and SSL_CERT_DIR.

    Raises:
        ConfigurationError: The bundle cannot be read.
    """
    if isinstance(verify, ssl.SSLContext):
        return verify
    # Company CAs are in the operating system's store, which httpx does not read by itself.
    if authorities_named_in_code:
        context = httpx.create_ssl_context(trust_env=False)
        _load_system_authorities(context)
    else:
        context = httpx.create_ssl_context()
        context.load_default_certs()
    if verify is not None:
        try:
            context.load_verify_locations(cafile=str(verify))
        except (OSError, ssl.SSLError) as error:
            raise ConfigurationError(
                f"CaBundle {verify} cannot be read as PEM certificates: {error}. Check the path "
                "and the file."
            ) from error
    return context


def config_ssl_context(config: Config) -> ssl.SSLContext:
    """The TLS context of a client; see :func:`make_ssl_context`."""
    return make_ssl_context(
        config.verify, authorities_named_in_code=config.authorities_named_in_code
    )


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


class HttpxTransport:
    """A transport with its own httpx connection pool."""

    def __init__(self, context: ssl.SSLContext, *, trust_env: bool) -> None:
        self._trust_env = trust_env
        self._client = httpx.Client(verify=context, trust_env=trust_env)

    def send(self, request: TransportRequest) -> TransportReply:
        deadline = monotonic() + request.timeout
        body = bytearray()
        try:
            with self._client.stream(**_arguments(request)) as response:
                for chunk in response.iter_bytes():
                    body += chunk
                    _check_limits(request, body, response.status_code, deadline)
                return _reply(response, bytes(body))
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
            raise network_error(error, request.url, trust_env=self._trust_env) from error

    def close(self) -> None:
        self._client.close()


class AsyncHttpxTransport:
    """An asyncio transport with its own httpx connection pool."""

    def __init__(self, context: ssl.SSLContext, *, trust_env: bool) -> None:
        self._trust_env = trust_env
        self._client = httpx.AsyncClient(verify=context, trust_env=trust_env)

    async def send(self, request: TransportRequest) -> TransportReply:
        deadline = monotonic() + request.timeout
        body = bytearray()
        try:
            async with self._client.stream(**_arguments(request)) as response:
                async for chunk in response.aiter_bytes():
                    body += chunk
                    _check_limits(request, body, response.status_code, deadline)
                return _reply(response, bytes(body))
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
            raise network_error(error, request.url, trust_env=self._trust_env) from error

    async def aclose(self) -> None:
        await self._client.aclose()


def _arguments(request: TransportRequest) -> dict[str, Any]:
    return {
        "method": request.method,
        "url": request.url,
        # User names and passwords in headers may contain any character.
        "headers": [(name, value.encode()) for name, value in request.headers.items()],
        "content": request.body,
        "timeout": request.timeout,
        "follow_redirects": False,
    }


def _check_limits(request: TransportRequest, body: bytearray, status: int, deadline: float) -> None:
    if monotonic() > deadline:
        raise ServerTimeoutError(
            f"The license server's response was not complete within {request.timeout:g} seconds. "
            "Check the connection and try again."
        )
    if len(body) > MAX_REPLY_BYTES:
        raise UnexpectedReplyError(
            "The response is too large to come from a license server. Check that "
            "ServerBaseEndpoint is the API's address.",
            http_status=status,
        )


def _reply(response: httpx.Response, body: bytes) -> TransportReply:
    headers = {name.lower(): value for name, value in response.headers.items()}
    return TransportReply(response.status_code, headers, body)

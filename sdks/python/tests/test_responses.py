from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from licet_testkit import (
    FakeClock,
    LicenseServer,
    fault_of,
    make_client,
    online,
    problem,
)

from licet import (
    ApiKeyRefusedError,
    CaptivePortalError,
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
    ("gateway", (502, HTML, b"<html>"), ServerUnavailableError, "responded with HTTP 5"),
    ("500", problem(500, "InternalError"), ServerUnavailableError, "responded with HTTP 5"),
    ("401", problem(401, "Unauthorized"), ApiKeyRefusedError, "ProductApiKey"),
    ("407", (407, {}, b""), ProxyError, "requires authentication"),
    (
        "429",
        problem(429, "RateLimited", **{"Retry-After": "3600"}),
        RateLimitedError,
        "busy",
    ),
    ("400", problem(400, "InvalidRequest"), RequestRefusedError, "InvalidRequest"),
]


@pytest.mark.parametrize(
    ("answer", "kind", "words"), [a[1:] for a in ANSWERS], ids=[a[0] for a in ANSWERS]
)
async def test_responses_are_mapped_to_errors(
    answer: Any, kind: type, words: str, tmp_path: Path, clock: FakeClock, server: LicenseServer
) -> None:
    server.script = [answer] * 6
    fault = await fault_of(tmp_path, clock, server_base_endpoint=server.base)
    assert type(fault) is kind
    assert words in f"{fault.message} {fault.hint}"
    assert "ServerBaseEndpoint" not in fault.message
    assert "ProductApiKey" not in fault.message


def test_an_endless_response_is_aborted(
    tmp_path: Path, clock: FakeClock, server: LicenseServer
) -> None:
    server.script = [(200, {}, b" " * (5 << 20))]
    with pytest.raises(UnexpectedReplyError, match="too large"):
        make_client(tmp_path, clock, **online(server)).validate_online()


# Retries.


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_transient_errors_are_retried(
    status: int, tmp_path: Path, clock: FakeClock, server: LicenseServer
) -> None:
    server.script = [problem(status, "Unavailable", **{"Retry-After": "0"})] * 2
    assert make_client(tmp_path, clock, **online(server)).validate_online().status == "Valid"
    assert len(server.requests) == 3
    assert len({headers["x-request-id"] for _, _, headers in server.requests}) == 1


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 422, 500])
def test_other_errors_are_not_retried(
    status: int, tmp_path: Path, clock: FakeClock, server: LicenseServer
) -> None:
    server.script = [problem(status, "Whatever")]
    with pytest.raises(LicetError):
        make_client(tmp_path, clock, **online(server)).validate_online()
    assert len(server.requests) == 1


def test_network_errors_share_a_base_class() -> None:
    for kind in (DnsError, ServerRefusedError, ConnectionLostError, ServerTimeoutError, TlsError):
        assert issubclass(kind, NetworkError)

"""The conformance suite against the fake, in process and over a port."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from decimal import Decimal
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from client_scenarios import (
    CLIENT_CHECKS,
    WIRE_CHECKS,
    ApiResponse,
    Target,
    name_of,
)
from client_scenarios.target import License
from licet_testkit import NO_TLS

from licet import TransportRequest
from licet.testing import FakeServer

BASE = "https://licet.test/api"


class FakeVendor:
    """A fake server, called over its transport."""

    def __init__(self, **options: Any) -> None:
        self.server = FakeServer(release_version="2.1.0", **options)
        self.open = ExitStack()

    @property
    def target(self) -> Target:
        server = self.server
        return Target(
            BASE,
            server.api_key,
            server.product_id,
            server.public_key,
            server.transport,
            server.clock,
        )

    def issue(self, model: str, **terms: Any) -> License:
        return cast("License", self.server.issue(cast("Any", model), **terms))

    def set_price(self, feature: str, token_cost: Decimal | int) -> None:
        self.server.set_price(feature, token_cost)

    def publish(
        self,
        version: str,
        files: Mapping[str, bytes] | None = None,
        *,
        channel: str = "Stable",
        platform: str | None = None,
    ) -> None:
        self.server.publish(version, files, channel=channel, platform=platform)

    def yank(self, version: str) -> None:
        self.server.yank(version)

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        headers: Mapping[str, str] | None = None,
        raw: bytes | None = None,
    ) -> ApiResponse:
        content = raw if raw is not None else b"" if body is None else json.dumps(body).encode()
        return self.send(method, path, content, sent_headers(self.server.api_key, headers))

    def send(self, method: str, path: str, content: bytes, headers: dict[str, str]) -> ApiResponse:
        request = TransportRequest(method, BASE + path, headers, content, 1.0)
        reply = self.server.transport.send(request)
        return ApiResponse(reply.status, reply.headers, content_of(reply.body))

    def another_product(self) -> FakeVendor:
        other = self.another()
        other.server.rotate_keys()
        return other

    def with_short_sessions(self, interval: int = 1, timeout: int = 3) -> FakeVendor:
        return self.another(
            heartbeat_interval_seconds=interval,
            session_timeout_seconds=timeout,
            heartbeat_spacing_seconds=0,
        )

    def with_app_releases(self, a_year: int) -> FakeVendor:
        return self.another(app_device_release=True, app_releases_per_year=a_year)

    def another(self, **options: Any) -> FakeVendor:
        made = type(self)(**options)
        self.open.push(made.open)
        return made

    def wait(self, seconds: float) -> None:
        self.server.advance(seconds=seconds)


class ServedVendor(FakeVendor):
    """A fake server, called over a loopback port."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.base = self.open.enter_context(self.server.serve())
        self.http = self.open.enter_context(
            httpx.Client(timeout=30, trust_env=False, verify=NO_TLS)
        )

    def send(self, method: str, path: str, content: bytes, headers: dict[str, str]) -> ApiResponse:
        reply = self.http.request(method, self.base + path, headers=headers, content=content)
        return ApiResponse(reply.status_code, reply.headers, content_of(reply.content))


def content_of(body: bytes) -> Any:
    return json.loads(body, parse_float=Decimal) if body else None


def sent_headers(api_key: str, headers: Mapping[str, str] | None) -> dict[str, str]:
    return {"X-API-KEY": api_key, "Content-Type": "application/json", **(headers or {})}


@pytest.fixture(params=[FakeVendor, ServedVendor], ids=["in-process", "served"])
def vendor(request: pytest.FixtureRequest) -> Iterator[FakeVendor]:
    made = cast("FakeVendor", request.param())
    with made.open:
        yield made


@pytest.mark.parametrize("check", WIRE_CHECKS, ids=name_of)
def test_wire(check: Any, vendor: FakeVendor) -> None:
    check(vendor)


@pytest.mark.parametrize("check", CLIENT_CHECKS, ids=name_of)
def test_client(check: Any, tmp_path: Path) -> None:
    check(FakeVendor(), tmp_path)

"""The client that fills the demonstration."""

from datetime import UTC, datetime
from ipaddress import ip_address
from typing import Any

import httpx
import pytest

from licet_server.demo import client as demo_client
from licet_server.demo.client import ADDRESS, OFFICE, Calendar, DemoClient, PatientTransport

TODAY = datetime(2026, 8, 15, tzinfo=UTC)


@pytest.mark.parametrize(("refusals", "status"), [(0, 200), (2, 200), (99, 503)])
async def test_a_request_is_sent_again_while_the_service_is_unavailable(
    monkeypatch: pytest.MonkeyPatch, refusals: int, status: int
) -> None:
    monkeypatch.setattr(demo_client, "_PAUSES_S", (0.0, 0.0, 0.0))
    bodies: list[bytes] = []

    async def service(_scope: Any, receive: Any, send: Any) -> None:
        bodies.append((await receive())["body"])
        code = 503 if len(bodies) <= refusals else 200
        await send({"type": "http.response.start", "status": code, "headers": []})
        await send({"type": "http.response.body", "body": b"{}"})

    async with httpx.AsyncClient(transport=PatientTransport(service), base_url=ADDRESS) as http:
        answer = await http.post("/api/auth/setup", json={"email": "ada@example.com"})
    assert answer.status_code == status
    assert set(bodies) == {b'{"email":"ada@example.com"}'}
    assert len(bodies) == min(refusals, 3) + 1


async def test_each_device_sends_its_requests_from_an_address_of_its_own() -> None:
    seen: list[str] = []

    async def service(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        seen.append(scope["client"][0])
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"{}"})

    transport = PatientTransport(service)
    async with httpx.AsyncClient(transport=transport, base_url=ADDRESS) as http:
        client = DemoClient(http, transport, Calendar(TODAY))
        for device in ("Anna's laptop", "Ben's desktop", "Anna's laptop"):
            await client.apply("pk_1", "/api/licenses/validate", device)
        await client.send("GET", "/api/auth/me")
    anna, ben, again, owner = seen
    assert anna == again
    assert len({anna, ben, owner}) == 3
    assert owner == OFFICE
    assert not any(ip_address(address).is_global for address in seen)


async def test_an_operator_gets_a_new_token_once_theirs_is_about_to_end() -> None:
    seen: list[str] = []

    async def service(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        seen.append(scope["path"])
        body = b'{"accessToken": "t", "expiresIn": 900}'
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": body})

    transport, calendar = PatientTransport(service), Calendar(TODAY)
    async with httpx.AsyncClient(transport=transport, base_url=ADDRESS) as http:
        client = DemoClient(http, transport, calendar)
        client.sign_in({"accessToken": "s", "expiresIn": 900})
        for minutes in (10, 16, 20):
            calendar.turn_to(minutes / 1440)
            await client.send("GET", "/api/products")
        client.sign_in({"accessToken": "licet_ak_1"})
        calendar.turn_to(300)
        await client.send("GET", "/api/products")
    assert seen == ["/api/products", "/api/auth/refresh", *["/api/products"] * 3]
